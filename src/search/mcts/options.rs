//! The switches of Monte Carlo tree search, and what its parts agree on.

/// A win's reward; a loss is its negative, a draw 0. Sums of rewards are exact.
pub(super) const WIN: i32 = 1000;

/// Maximum length of a path through the tree; a playout starts there.
pub(super) const MAX_PATH: usize = 512;

/// Memory, seed, selection, expansion and proofs.
#[derive(Debug, Clone)]
pub struct MctsOptions {
    /// Bytes of the pool of nodes, allocated when the search is made: at least a node's. In a graph its edges and table
    /// are included.
    pub memory: usize,
    /// The seed of the random numbers: the same seed gives the same answers within the same budgets of nodes.
    pub seed: u64,
    /// The constant C of UCB1 = mean + C sqrt(ln N / n), with rewards in 0 to 1 (Kocsis and
    /// Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006; √2 there).
    pub exploration: f32,
    /// The value of a move that has not been tried, in place of its UCB1 (Gelly and Wang,
    /// *Exploration Exploitation in Go*, 2006). Infinity tries every move once before any twice.
    pub first_play_urgency: f32,
    /// Keep bounds on what each node is worth, skip nodes whose value is proven, and stop when the root's is.
    /// For two players the bounds are on the sign of the payoff (Cazenave and Saffidine, *Score Bounded
    /// Monte-Carlo Tree Search*, 2010). For three to seven a node closes with the signs of all payoffs by
    /// max-n, ties to the lowest [`Game::move_index`](crate::Game::move_index), as soon as those are certain; the root is
    /// settled by a win for its mover too. For one, a node closes when all below it has been seen, and the
    /// best payoff seen is the answer. For more than seven it does nothing.
    pub proofs: bool,
    /// Keep the subtree of the position that was reached for the next search.
    pub keep_tree: bool,
    /// The number of visits after which a leaf is expanded (Coulom, *Efficient Selectivity and Backup
    /// Operators in Monte-Carlo Tree Search*, 2006): a larger number saves memory. At least 1.
    pub expand_after: u32,
    /// Rollout-expand: the number of first moves of each playout that become nodes of the tree, while the
    /// pool has room; 0 for none. Each counts the playout once, from its own player's point of view; a node
    /// made this way has had no playout of its own, its visits are those of its children.
    pub rollout_expand: u32,
    /// Whether to go down past a node with untried moves.
    pub jump: Jump,
}

impl Default for MctsOptions {
    fn default() -> MctsOptions {
        MctsOptions {
            memory: 64 << 20,
            seed: 0,
            exploration: 0.9,
            first_play_urgency: 1.1,
            proofs: true,
            keep_tree: true,
            expand_after: 1,
            rollout_expand: 0,
            jump: Jump::Never,
        }
    }
}

/// The choice at a node with `tried` of `moves` moves tried, some but not all, from *Exploration of Possibilities*, part 2.
/// The work's program and text disagree; both versions are here. All but `Never` replace the first-play urgency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Jump {
    /// UCB1 and the first-play urgency decide.
    Never,
    /// The program: an untried move with probability `tried / moves`, else on through the tried ones. Rarely
    /// visited nodes widen slowly.
    Written,
    /// The text, which jumps where much has been explored: on through the tried ones with probability `tried
    /// / moves`, else an untried move.
    Described,
}
