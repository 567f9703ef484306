//! Choosing a move as a problem of constrained optimisation: variables, domains, constraints, an
//! objective, and the enumeration that solves it.
//!
//! After Richoux, *Injecting Combinatorial Optimization into MCTS: Application to the Board Game boop.*
//! (2024), section IV.A. Where moves are combinations (which piece, which row, which column), constraints
//! on part of a combination rule out all that begin so; a bound rules out those that can't be the best.

use crate::evaluation::{value_at, Evaluation};
use crate::game::Game;
use crate::list::Moves;
use crate::rng::Rng;
use crate::score::Score;

/// The most variables of a model.
pub const MAX_VARIABLES: usize = 8;

/// A problem whose solutions are moves. Values of variables are numbers from 0; the variables get theirs
/// in order, and `values` are those of the first `values.len()`.
pub trait Model<G: Game> {
    /// Data computed once before a state's assignments are enumerated: its list of moves, for example, or `()`.
    type Problem;

    /// The number of variables of a move: 1 to [`MAX_VARIABLES`].
    const VARIABLES: usize;

    /// Prepares the enumeration of a state's moves.
    fn problem(&self, game: &G) -> Self::Problem;

    /// The domain size of the next variable: its values are 0 and up.
    fn domain(&self, game: &G, problem: &Self::Problem, values: &[u16]) -> u16;

    /// The constraints: whether a solution may begin with these values. All values but the last have been
    /// checked before.
    fn is_consistent(&self, game: &G, problem: &Self::Problem, values: &[u16]) -> bool;

    /// The legal move that a complete consistent assignment stands for, a different one for each.
    fn decode(&self, game: &G, problem: &Self::Problem, values: &[u16]) -> G::Move;

    /// A move's value for the player that makes it. An immediate win is [`Score::is_win`] and therefore ranks first.
    fn objective(&self, game: &G, m: G::Move) -> Score;

    /// An upper bound on the solutions that begin with these values. By default no bound.
    #[inline(always)]
    fn bound(&self, _game: &G, _problem: &Self::Problem, _values: &[u16]) -> Score {
        Score::INFINITY
    }
}

/// The model of any game: one variable, which move; the objective is the evaluation of the position after it.
#[derive(Debug, Clone)]
pub struct EveryMove<E>(pub E);

impl<G: Game, E: Evaluation<G>> Model<G> for EveryMove<E> {
    type Problem = G::Moves;
    const VARIABLES: usize = 1;

    #[inline(always)]
    fn problem(&self, game: &G) -> G::Moves {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        list
    }

    #[inline(always)]
    fn domain(&self, _: &G, list: &G::Moves, _: &[u16]) -> u16 {
        list.len() as u16
    }

    #[inline(always)]
    fn is_consistent(&self, _: &G, _: &G::Moves, _: &[u16]) -> bool {
        true
    }

    #[inline(always)]
    fn decode(&self, _: &G, list: &G::Moves, values: &[u16]) -> G::Move {
        list[usize::from(values[0])]
    }

    #[inline(always)]
    fn objective(&self, game: &G, m: G::Move) -> Score {
        let next = game.after(m);
        value_at(&next, &self.0, 1).for_parent(next.to_move() == game.to_move())
    }
}

/// Enumerates the solutions by backtracking: `visit` gets each with its value, and returns the least value
/// that further solutions must have. Returns the number of assignments visited, partial ones included.
#[inline]
pub fn enumerate<G: Game, M: Model<G>>(
    model: &M,
    game: &G,
    mut visit: impl FnMut(G::Move, Score) -> Score,
) -> u64 {
    let problem = model.problem(game);
    // The values, and how many each variable can have.
    let (mut values, mut sizes) = ([0; MAX_VARIABLES], [0; MAX_VARIABLES]);
    sizes[0] = model.domain(game, &problem, &[]);
    let mut floor = -Score::INFINITY;
    let (mut last, mut looked_at) = (0, 0);
    loop {
        if values[last] == sizes[last] {
            if last == 0 {
                return looked_at;
            }
            last -= 1;
            values[last] += 1;
            continue;
        }
        looked_at += 1;
        let partial = &values[..=last];
        if model.is_consistent(game, &problem, partial) && model.bound(game, &problem, partial) >= floor {
            if last + 1 < M::VARIABLES {
                last += 1;
                sizes[last] = model.domain(game, &problem, partial);
                values[last] = 0;
                continue;
            }
            let m = model.decode(game, &problem, partial);
            floor = visit(m, model.objective(game, m));
        }
        values[last] += 1;
    }
}

/// The best move and its value, ties broken uniformly at random; `None` without a solution.
#[inline]
pub fn best<G: Game, M: Model<G>>(model: &M, game: &G, rng: &mut Rng) -> Option<(G::Move, Score)> {
    let mut best: Option<(G::Move, Score)> = None;
    let mut ties = 0;
    enumerate(model, game, |m, value| {
        let old = best.map_or(-Score::INFINITY, |best| best.1);
        if value > old {
            (best, ties) = (Some((m, value)), 1);
        } else if value == old {
            ties += 1;
            if rng.below(ties) == 0 {
                best = Some((m, value));
            }
        }
        value.max(old)
    });
    best
}

/// The `count` best moves into `list`, which is empty, the best first; ties are chosen and ordered at random.
/// Returns their values, in the same order, as [`Score::value`].
pub fn ranked<G: Game, M: Model<G>>(
    model: &M,
    game: &G,
    count: usize,
    rng: &mut Rng,
    list: &mut G::Moves,
) -> <G::Moves as Moves<G::Move>>::Ranks {
    let (mut values, mut lots) = (G::Moves::ranks(), G::Moves::ranks());
    if count > 0 {
        enumerate(model, game, |m, value| {
            let (values, lots) = (values.as_mut(), lots.as_mut());
            let new = (value.value(), rng.next_u64() as i32);
            if list.len() < count {
                list.push(m);
            } else if new <= (values[count - 1], lots[count - 1]) {
                return Score::from_value(values[count - 1]);
            }
            let mut i = list.len() - 1;
            while i > 0 && new > (values[i - 1], lots[i - 1]) {
                (list[i], values[i], lots[i]) = (list[i - 1], values[i - 1], lots[i - 1]);
                i -= 1;
            }
            (list[i], values[i], lots[i]) = (m, new.0, new.1);
            match list.len() < count {
                true => -Score::INFINITY,
                false => Score::from_value(values[count - 1]),
            }
        });
    }
    values
}
