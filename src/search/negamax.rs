//! Plain negamax and max-n: slow and simple oracles for testing the other searches.

use crate::evaluation::Evaluation;
use crate::game::{Game, Player};
use crate::score::Score;

/// The value of `game` to the player to move, looking at every sequence of `depth` moves. For one
/// or two players: another number doesn't compile.
pub fn negamax<G: Game, E: Evaluation<G>>(game: &G, evaluation: &E, depth: u32) -> Score {
    const { assert!(G::PLAYERS <= 2, "negamax is for one or two players; for more, max_n") };
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
        negamax(&next, evaluation, depth - 1)
            .add_mate_distance(1)
            .for_parent(next.to_move() == game.to_move())
    };
    list.iter().map(value).max().unwrap_or_default()
}

/// The values of `game` to each of its `N` players, looking at every sequence of `depth` moves, where each
/// takes what is best for itself (Luckhardt and Irani, *An Algorithmic Solution of N-Person Games*, 1986);
/// ties go to the move that is listed first.
pub fn max_n<G: Game, E: Evaluation<G>, const N: usize>(game: &G, evaluation: &E, depth: u32) -> [Score; N] {
    const { assert!(N == G::PLAYERS, "max_n gives one value for each player") };
    let players = std::array::from_fn(|i| Player::new(i as u8));
    let mut list = G::Moves::default();
    game.moves(&mut list);
    if list.is_empty() {
        return players.map(|player| evaluation.ended_for(game, player));
    }
    if depth == 0 {
        return players.map(|player| evaluation.evaluate_for(game, player));
    }
    let mover = game.to_move().index();
    let values = list.iter().map(|&m| max_n(&game.after(m), evaluation, depth - 1));
    let values = values.map(|values: [Score; N]| values.map(|value| value.add_mate_distance(1)));
    let best = values.reduce(|best, values| if values[mover] > best[mover] { values } else { best });
    best.unwrap_or([Score::DRAW; N])
}
