//! The [`Policy`] trait: the game knowledge of a Monte Carlo search, in move selection, move order and
//! playouts.

use crate::evaluation::Evaluation;
use crate::game::{Game, Player};
use crate::rng::Rng;

use super::options::WIN;

/// The most players a Monte Carlo search can have.
pub(super) const MAX_PLAYERS: usize = 8;

/// The result of a playout for each player: from -1000 for a loss to 1000 for a win; for one player in the
/// game's own points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rewards([i32; MAX_PLAYERS]);

impl Rewards {
    /// Each player's reward.
    ///
    /// # Panics
    /// When compiled, if the game has more than eight players.
    #[inline(always)]
    pub fn each<G: Game>(reward: impl Fn(Player) -> i32) -> Rewards {
        const { assert!(G::PLAYERS <= MAX_PLAYERS, "Monte Carlo search is for up to eight players") };
        let mut rewards = [0; MAX_PLAYERS];
        for (i, own) in rewards.iter_mut().enumerate().take(G::PLAYERS) {
            *own = reward(Player::new(i as u8));
        }
        Rewards(rewards)
    }

    /// The rewards of a finished game: by the signs of the payoffs, for one player the payoff itself.
    #[inline(always)]
    pub fn ended<G: Game>(game: &G) -> Rewards {
        Rewards::each::<G>(|player| {
            let payoff = game.payoff(player);
            if G::PLAYERS == 1 {
                payoff.0
            } else {
                WIN * payoff.sign()
            }
        })
    }

    /// A player's reward.
    #[inline(always)]
    pub fn of(&self, player: Player) -> i32 {
        self.0[player.index() % MAX_PLAYERS]
    }

    #[inline(always)]
    pub(super) fn all(&self) -> &[i32] {
        &self.0
    }
}

/// The game-specific parts of a Monte Carlo search. The defaults are those of [`Uniform`].
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
/// use coppice::search::{Mcts, MctsOptions, Policy};
/// use coppice::{Budget, Player, Search};
/// # use nim::Nim;
///
/// /// Tries the largest move first.
/// struct LargestFirst;
///
/// impl Policy<Nim<2>> for LargestFirst {
///     type Prior = ();
///
///     fn order(&mut self, _: &Nim<2>, moves: &mut [u8], _: &mut coppice::Rng) {
///         moves.reverse();
///     }
/// }
///
/// let mut search = Mcts::with_policy(LargestFirst, MctsOptions::default());
/// let report = search.search(&Nim::<2>(6, Player::FIRST), Budget::nodes(10_000));
/// assert_eq!(report.best, Some(2));
/// ```
pub trait Policy<G: Game> {
    /// The result of [`Policy::prior`], stored in each node; `()` takes no memory.
    type Prior: Copy + Default;

    /// Moves the candidates at the root to the front and returns their number, at least 1. The others are
    /// never chosen in this search; their subtrees from earlier searches are kept.
    #[inline(always)]
    fn preselect(&mut self, _game: &G, moves: &mut [G::Move], _rng: &mut Rng) -> usize {
        moves.len()
    }

    /// Sorts a node's moves into the order in which they are tried.
    #[inline(always)]
    fn order(&mut self, _game: &G, moves: &mut [G::Move], rng: &mut Rng) {
        for i in 0..moves.len() {
            let j = i + rng.below((moves.len() - i) as u32) as usize;
            moves.swap(i, j);
        }
    }

    /// The prior of a move of `game`, computed when its node is created.
    #[inline(always)]
    fn prior(&mut self, _game: &G, _m: G::Move) -> Self::Prior {
        Self::Prior::default()
    }

    /// The bonus added to a move's UCB1, or to the first-play urgency: a progressive bias, or with
    /// `exploration` 0 the bonus of PUCT. `parent` and `visits` are the visits to the node and through the
    /// move.
    #[inline(always)]
    fn bonus(&self, _prior: Self::Prior, _parent: u32, _visits: u32) -> f32 {
        0.0
    }

    /// The exploration weight: a factor on the move's exploration term in UCB1, below 1 for an unpromising
    /// move.
    #[inline(always)]
    fn exploration_weight(&self, _prior: Self::Prior) -> f32 {
        1.0
    }

    /// The maximum number of moves of a playout.
    #[inline(always)]
    fn limit(&self) -> u32 {
        u32::MAX
    }

    /// The next move of a playout that has had `plies`; `None` if and only if the game is over.
    #[inline(always)]
    fn next(&mut self, game: &G, _plies: u32, rng: &mut Rng) -> Option<G::Move> {
        game.random_move(rng)
    }

    /// Whether the answer is the move with the best mean in place of the most visited one.
    #[inline(always)]
    fn answers_by_mean(&self) -> bool {
        false
    }

    /// The rewards of a playout of `plies` moves that ended at `game`. If the game isn't over, usually an
    /// estimate; by default a draw.
    #[inline(always)]
    fn rewards(&mut self, game: &G, _plies: u32, is_over: bool) -> Rewards {
        if is_over {
            Rewards::ended(game)
        } else {
            Rewards::each::<G>(|_| 0)
        }
    }
}

/// No game knowledge: uniformly random playouts to the end of the game.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {
    type Prior = ();
}

/// Uniform playouts that are cut off and judged by an evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Evaluated<E> {
    /// The evaluation.
    pub evaluation: E,
    /// The number of moves after which a playout is cut off; 0 for no playout.
    pub plies: u32,
    /// An estimate of this much is worth half a win: the reward is s / (|s| + scale). At least 1. For one player
    /// estimates are taken as they are, since they are in the same points as payoffs.
    pub scale: i32,
}

impl<G: Game, E: Evaluation<G>> Policy<G> for Evaluated<E> {
    type Prior = ();

    #[inline(always)]
    fn limit(&self) -> u32 {
        self.plies
    }

    #[inline(always)]
    fn rewards(&mut self, game: &G, _plies: u32, is_over: bool) -> Rewards {
        if is_over {
            return Rewards::ended(game);
        }
        Rewards::each::<G>(|player| {
            let score = self.evaluation.evaluate_for(game, player);
            if G::PLAYERS == 1 {
                score.value()
            } else if score.is_win() {
                WIN
            } else if score.is_loss() {
                -WIN
            } else {
                let value = i64::from(score.value());
                (i64::from(WIN) * value / (value.abs() + i64::from(self.scale.max(1)))) as i32
            }
        })
    }
}
