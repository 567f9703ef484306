//! The engine's searches for games in which one player moves at a time.

use coppice::search::{
    AlphaBeta, AlphaBetaOptions, BestFirst, BestFirstOptions, Flat, FlatOptions, Greedy, Jump, McGraph, Mcts,
    MctsOptions, Minimax, MinimaxOptions, Order, Random, RandomPaths, RandomPathsOptions, Shuffled,
    Threshold, Uniform,
};
use coppice::Evaluation;

use super::in_turn::Pruning;
use super::offer::Offer;
use super::searcher::{SearchedBy, Searcher};
use super::{SessionSettings, USUAL_BYTES};
use crate::kind::Sequential;
use crate::notation::GameNotation;

crate::tunables! {
    /// Tunable parameters of the search `alpha-beta`.
    pub struct AlphaBetaNumbers {
        /// 0: iterative deepening until the budget ends, with a table and all other parts. Otherwise plain
        /// alpha-beta to this depth in plies, with moves in listed order, as in MiniFrame, whose best depths
        /// were 4 in reversi and 12 in Kalah.
        depth: u32 = 0 in 0..=64,
        /// 1: the moves are tried in an order drawn from the seed, so that a search that is cut off misses others each
        /// time. 0: by the best-known order, or with a depth as they are listed.
        shuffled: u32 = 0 in 0..=1,
    }
}

crate::tunables! {
    /// Tunable parameters of the search `minimax`. MiniFrame's is `breadth_first` with a threshold; its best
    /// thresholds were 5 in reversi and 20 in Kalah, in units of an unpublished evaluation.
    pub struct MinimaxNumbers {
        /// Siblings worse than the best by more than this, in the evaluation's units, are not explored. With
        /// 0 only the best are; -1 turns pruning off.
        threshold: i32 = -1 in -1..=100000,
        /// The threshold at the end of a turn, reached in proportion to what is used of the nodes, the time or the pool;
        /// -1: it stays as it is.
        contract_to: i32 = -1 in -1..=100000,
        /// 1: the threshold doubles whenever all that it lets through has been explored; `contract_to` is ignored then.
        expand: u32 = 0 in 0..=1,
        /// 1: breadth-first. 0: along the best line.
        breadth_first: u32 = 0 in 0..=1,
        /// Maximum depth in plies.
        depth: u32 = 250 in 1..=250,
    }
}

crate::tunables! {
    /// Tunable parameters of the searches `mcts` and `mcts-graph`.
    pub struct MctsNumbers {
        /// The constant C of UCB1, for rewards in 0 to 1.
        exploration: f32 = 0.9 in 0.05..=2.5,
        /// The value of an unvisited move, in place of its UCB1.
        first_play_urgency: f32 = 1.1 in 0.2..=3.0,
        /// 1: proved and fully searched nodes are closed and never visited again. 0: they are visited until
        /// the budget ends.
        closing: u32 = 1 in 0..=1,
        /// Number of moves of each playout that become nodes (rollout-expand).
        rollout_expand: u32 = 0 in 0..=64,
        /// 0: no jumps. Jumps past a node with untried moves: 1, as *Exploration of Possibilities* implements
        /// them; 2, as it describes them.
        jump: u32 = 0 in 0..=2,
    }
}

impl AlphaBetaNumbers {
    fn options(&self, settings: &SessionSettings) -> AlphaBetaOptions {
        let memory = settings.bytes_or(USUAL_BYTES);
        match self.depth {
            0 => AlphaBetaOptions { memory, ..AlphaBetaOptions::default() },
            depth => {
                AlphaBetaOptions { memory, sorting: self.shuffled > 0, ..AlphaBetaOptions::plain(depth) }
            }
        }
    }
}

impl MinimaxNumbers {
    fn is_off(&self) -> bool {
        self.threshold < 0
    }

    fn options(&self, settings: &SessionSettings) -> MinimaxOptions {
        let usual = MinimaxOptions::default();
        MinimaxOptions {
            memory: settings.bytes_or(USUAL_BYTES),
            order: if self.breadth_first == 1 { Order::BreadthFirst } else { usual.order },
            threshold: match (self.threshold, self.contract_to, self.expand) {
                (..0, ..) => Threshold::OFF,
                (from, _, 1..) => Threshold::Expanding { from },
                (from, to @ 0.., _) => Threshold::Contracting { from, to },
                (threshold, ..) => Threshold::Fixed(threshold),
            },
            max_depth: self.depth,
            ..usual
        }
    }
}

impl MctsNumbers {
    fn options(&self, settings: &SessionSettings) -> MctsOptions {
        let MctsNumbers { exploration, first_play_urgency, closing, rollout_expand, jump } = *self;
        let jump = match jump {
            0 => Jump::Never,
            1 => Jump::Written,
            _ => Jump::Described,
        };
        let proofs = closing == 1;
        MctsOptions {
            memory: settings.bytes_or(USUAL_BYTES),
            seed: settings.seed,
            exploration,
            first_play_urgency,
            proofs,
            rollout_expand,
            jump,
            ..MctsOptions::default()
        }
    }
}

/// The engine's searches for any two-player game with an evaluation, best-known algorithms first.
pub fn offers<G, E>(evaluation: fn() -> E) -> Vec<Offer<G>>
where
    G: GameNotation,
    E: Evaluation<G> + Send + 'static,
{
    let alpha_beta = Offer::boxed(
        "alpha-beta",
        "iterative deepening with a table; with a depth, plain alpha-beta to that depth",
        move |_, settings, numbers: &AlphaBetaNumbers| {
            let options = numbers.options(settings);
            match numbers.shuffled {
                0 => Sequential::searcher(AlphaBeta::new(evaluation(), options)),
                _ => {
                    let evaluation = Shuffled { evaluation: evaluation(), seed: settings.seed };
                    Sequential::searcher(AlphaBeta::new(evaluation, options))
                }
            }
        },
    );
    let best_first = Offer::new("best-first", "best-first minimax with averages", move |_, settings| {
        let memory = settings.bytes_or(USUAL_BYTES);
        BestFirst::new(evaluation(), BestFirstOptions { memory, ..BestFirstOptions::default() })
    })
    .of_nodes(BestFirst::<G, E>::NODE_BYTES);
    let mut all = offers_for_several::<G, E, 1>(evaluation);
    let trees = all.iter().take_while(|offer| offer.info().name != "flat").count();
    all.insert(trees, best_first);
    all.insert(0, alpha_beta);
    all
}

/// `minimax-own`: MiniFrame's minimax for two players who each count only their own points, with a value for each.
pub fn minimax_own<G, E>(evaluation: fn() -> E) -> Offer<G>
where
    G: GameNotation,
    E: Evaluation<G> + Send + 'static,
{
    let about = "the same for players who each count only their own points: MiniFrame's evaluation";
    minimax::<G, E, 2>(evaluation).renamed("minimax-own", about)
}

/// `miniframe-mcts`: MiniFrame's Monte Carlo search, for any number of players.
pub fn miniframe_mcts<G, E>(evaluation: fn() -> E) -> Offer<G>
where
    G: GameNotation,
    E: Evaluation<G> + Send + 'static,
{
    let about = "MiniFrame's Monte Carlo search: random paths to the end; a node is a position visited";
    Offer::new("miniframe-mcts", about, move |_, settings| {
        let (memory, seed) = (settings.bytes_or(USUAL_BYTES), settings.seed);
        RandomPaths::new(evaluation(), RandomPathsOptions { memory, seed })
    })
    .of_nodes(RandomPaths::<G, E>::NODE_BYTES)
}

/// The search `minimax`; a node of its tree has `V` values.
fn minimax<G, E, const V: usize>(evaluation: fn() -> E) -> Offer<G>
where
    G: GameNotation,
    E: Evaluation<G> + Send + 'static,
{
    Offer::boxed(
        "minimax",
        "minimax with the whole tree kept, with siblings pruning if a threshold is set",
        move |_, settings, numbers: &MinimaxNumbers| {
            let minimax = Minimax::<_, _, V>::for_players(evaluation(), numbers.options(settings));
            Box::new(Pruning::new(minimax, numbers.is_off())) as Box<dyn Searcher<G>>
        },
    )
    .of_nodes(Minimax::<G, E, V>::NODE_BYTES)
}

/// The engine's searches for a game of two to eight players with an evaluation. `V` is the number of values that a node of
/// a tree has: 1 for two players, otherwise one for each.
pub fn offers_for_several<G, E, const V: usize>(evaluation: fn() -> E) -> Vec<Offer<G>>
where
    G: GameNotation,
    E: Evaluation<G> + Send + 'static,
{
    vec![
        minimax::<G, E, V>(evaluation),
        Offer::tunable("mcts", "Monte Carlo tree search", |_, settings, numbers: &MctsNumbers| {
            Mcts::new(numbers.options(settings))
        })
        .of_nodes(Mcts::<G>::NODE_BYTES),
        Offer::tunable(
            "mcts-graph",
            "Monte Carlo tree search in which transpositions share a node",
            |_, settings, numbers: &MctsNumbers| {
                McGraph::<_, _, V>::with_policy(Uniform, numbers.options(settings))
            },
        ),
        Offer::new("flat", "random playouts for each move, no tree", |_, settings| {
            Flat::new(FlatOptions { seed: settings.seed, ..FlatOptions::default() })
        }),
        Offer::new("greedy", "one ply of the evaluation", move |_, settings| {
            Greedy::new(evaluation(), settings.seed)
        }),
        Offer::new("random", "any legal move", |_, settings| Random::new(settings.seed)),
    ]
}
