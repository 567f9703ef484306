//! Generates training positions from a search's games against itself.

use bots::uttt::pattern::code::codes;
use bots::uttt::Board;
use coppice::{Budget, Game, Player, Rng, Score, Search};

/// A training position from the view of the player to move, with its value for that player.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// The nine small boards.
    pub codes: [u16; 9],
    /// The board to play in, 9 for any.
    pub next: u8,
    /// The search's score, from -1 to 1.
    pub value: f32,
    /// The game's result, -1, 0 or 1; `None` if a random move was made later in the game.
    pub result: Option<f32>,
}

/// One move in this many is random, so that training includes mistakes.
const SLIPS: u32 = 12;

/// Plays a game that starts with a few random moves, and adds its positions to `samples`.
pub fn play<S: Search<Board>>(
    search: &mut S,
    value: impl Fn(Score) -> f32,
    nodes: u64,
    rng: &mut Rng,
    samples: &mut Vec<Sample>,
) {
    let mut board = Board::START;
    for _ in 0..1 + rng.below(20) {
        board.random_move(rng).into_iter().for_each(|cell| board.play(cell));
    }
    let first = samples.len();
    let mut undisturbed = first;
    while !board.is_over() {
        let report = search.search(&board, Budget::nodes(nodes));
        let value = value(report.score);
        let result = Some(if board.to_move() == Player::FIRST { 1.0 } else { -1.0 });
        let next = board.next().map_or(9, |next| next as u8);
        samples.push(Sample { codes: codes(&board, board.to_move()), next, value, result });
        let slips = rng.below(SLIPS) == 0;
        if slips {
            undisturbed = samples.len();
        }
        let cell = if slips { board.random_move(rng) } else { report.best };
        cell.into_iter().for_each(|cell| board.play(cell));
    }
    let result = board.payoff(Player::FIRST).sign() as f32;
    for (i, sample) in samples.iter_mut().enumerate().skip(first) {
        sample.result = sample.result.filter(|_| i >= undisturbed).map(|sign| sign * result);
    }
}
