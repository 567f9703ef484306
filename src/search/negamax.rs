//! Plain negamax: slow, obviously right, the oracle of the other searches' tests.

use crate::game::Game;
use crate::score::{Evaluation, Score};

/// The value of `game` to the player to move, looking at every sequence of `depth` moves.
pub fn negamax<G: Game, E: Evaluation<G>>(game: &G, evaluation: &E, depth: u32) -> Score {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    if list.is_empty() {
        return evaluation.ended(game);
    }
    if depth == 0 {
        return evaluation.evaluate(game);
    }
    let value = |&m: &G::Move| {
        let next = game.after(m);
        negamax(&next, evaluation, depth - 1).later(1).for_parent(next.to_move() == game.to_move())
    };
    list.iter().map(value).max().unwrap_or_default()
}
