//! The solver of [`optimise`](crate::optimise) in a Monte Carlo search: at its root, in its nodes, in its
//! playouts.

use crate::game::Game;
use crate::optimise::{best, ranked, Model};
use crate::rng::Rng;
use crate::score::Score;

use super::options::WIN;
use super::policy::{Policy, Rewards, Uniform, MAX_PLAYERS};

/// Where the solver helps; each of the three can be switched on alone. With none it is plain Monte Carlo
/// tree search.
#[derive(Debug, Clone)]
pub struct OptimisedOptions {
    /// Selection: the number of root moves that are searched, the solver's best; `usize::MAX` for all.
    pub root_moves: usize,
    /// Expansion: a node's moves are tried in the solver's order, its best first.
    pub best_first: bool,
    /// Playouts: the maximum number of solver moves in a playout; 0 for random playouts to the end. Their
    /// value is the mean over the moves of `discount`^i times the objective of the i-th, from i = 0. The move
    /// that ends the game counts with the result in place of that.
    pub playout: u32,
    /// See `playout`.
    pub discount: f64,
    /// An objective of this much or more is worth as much as a win. At least 1. For one player objectives
    /// are taken as they are, since they are in the same points as payoffs.
    pub scale: i32,
    /// Answer with the move of the best mean in place of the most visited; a certain win is preferred to
    /// either.
    pub best_mean: bool,
}

impl Default for OptimisedOptions {
    /// Richoux's parameters, but for `scale`, which is the model's, and the answer, which was the best mean.
    /// His search also has an `exploration` of 0.15 (0.3 there, with means from -1 to 1) and a
    /// `first_play_urgency` of infinity.
    fn default() -> OptimisedOptions {
        OptimisedOptions {
            root_moves: 5,
            best_first: true,
            playout: 21,
            discount: 0.9,
            scale: 1000,
            best_mean: false,
        }
    }
}

/// Combinatorial optimisation in Monte Carlo tree search (Richoux, *Injecting Combinatorial Optimization
/// into MCTS: Application to the Board Game boop.*, 2024, algorithms 1 and 2), with any [`Model`].
///
/// Where the model's constraints leave moves out, the root does without them if `root_moves` isn't
/// `usize::MAX`, and other nodes try them last.
#[derive(Debug, Clone)]
pub struct Optimised<M> {
    /// The moves' objective.
    pub model: M,
    /// Where that counts.
    pub options: OptimisedOptions,
    /// Of the playout that is on its way: `discount`^plies, what each player has got before its last move
    /// and by that.
    weight: f64,
    sums: [f64; MAX_PLAYERS],
    last: [f64; MAX_PLAYERS],
}

impl<M> Optimised<M> {
    /// A policy by this model.
    pub fn new(model: M, options: OptimisedOptions) -> Optimised<M> {
        Optimised { model, options, weight: 1.0, sums: [0.0; MAX_PLAYERS], last: [0.0; MAX_PLAYERS] }
    }

    /// Counts a playout's move for all players: the opponents share the opposite.
    fn count<G: Game>(&mut self, game: &G, plies: u32, score: Score) {
        if plies == 0 {
            (self.weight, self.sums) = (1.0, [0.0; MAX_PLAYERS]);
        } else {
            self.weight *= self.options.discount;
            self.sums.iter_mut().zip(self.last).for_each(|(sum, last)| *sum += last);
        }
        let limit = self.options.scale.max(1);
        // Certain results are beyond the limit of any scale.
        let value = self.weight
            * match G::PLAYERS {
                1 => f64::from(score.value()),
                _ => f64::from(WIN * score.value().clamp(-limit, limit)) / f64::from(limit),
            };
        self.last = [-value / (G::PLAYERS.max(2) - 1) as f64; MAX_PLAYERS];
        self.last[game.to_move().index() % MAX_PLAYERS] = value;
    }
}

impl<G: Game, M: Model<G>> Policy<G> for Optimised<M> {
    type Prior = ();

    fn preselect(&mut self, game: &G, moves: &mut [G::Move], rng: &mut Rng) -> usize {
        if self.options.root_moves == usize::MAX {
            return moves.len();
        }
        // Numbers that the playouts will have as well: with every move selected, they are those of a search
        // that selects none.
        let mut list = G::Moves::default();
        ranked(&self.model, game, self.options.root_moves, &mut rng.clone(), &mut list);
        match bring_forward(moves, &list) {
            // No move satisfies the constraints.
            0 => moves.len(),
            count => count,
        }
    }

    #[inline(always)]
    fn order(&mut self, game: &G, moves: &mut [G::Move], rng: &mut Rng) {
        if self.options.best_first {
            let mut list = G::Moves::default();
            ranked(&self.model, game, usize::MAX, rng, &mut list);
            bring_forward(moves, &list);
        } else {
            Uniform.order(game, moves, rng);
        }
    }

    #[inline(always)]
    fn limit(&self) -> u32 {
        match self.options.playout {
            0 => u32::MAX,
            plies => plies,
        }
    }

    #[inline(always)]
    fn next(&mut self, game: &G, plies: u32, rng: &mut Rng) -> Option<G::Move> {
        if self.options.playout == 0 {
            return game.random_move(rng);
        }
        let (m, score) = match best(&self.model, game, rng) {
            Some(best) => best,
            // No move satisfies the constraints.
            None => {
                let m = game.random_move(rng)?;
                (m, self.model.objective(game, m))
            }
        };
        self.count(game, plies, score);
        Some(m)
    }

    #[inline(always)]
    fn answers_by_mean(&self) -> bool {
        self.options.best_mean
    }

    #[inline(always)]
    fn rewards(&mut self, game: &G, plies: u32, is_over: bool) -> Rewards {
        if self.options.playout == 0 || plies == 0 {
            return Uniform.rewards(game, plies, is_over);
        }
        let ended = Rewards::ended(game);
        Rewards::each::<G>(|player| {
            let last = if is_over { f64::from(ended.of(player)) } else { self.last[player.index()] };
            ((self.sums[player.index()] + last) / f64::from(plies)) as i32
        })
    }
}

/// Brings those of `moves` that are chosen to the front, in the order of `chosen`; returns their number.
fn bring_forward<M: Copy + PartialEq>(moves: &mut [M], chosen: &[M]) -> usize {
    let mut count = 0;
    for m in chosen {
        if let Some(i) = moves[count..].iter().position(|other| other == m) {
            moves.swap(count, count + i);
            count += 1;
        }
    }
    count
}
