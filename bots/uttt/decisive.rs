//! What the bot's Monte Carlo search knows of the game: which moves decide it.

use coppice::search::Policy;
use coppice::{Game, Rng};

use super::board::Board;
use super::cell::Cell;

/// Decisive moves (Teytaud and Teytaud, *On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search
/// Algorithms*, 2010): a playout wins at once where it can; in the tree such a move is tried first, and one that
/// lets the other win at once last.
#[derive(Debug, Clone, Copy, Default)]
pub struct Decisive;

/// What is added to a decisive move's value before its first visit. More than any UCB1, so that it is tried first
/// or last; it fades with the visits (progressive bias: Chaslot et al., *Progressive Strategies for Monte-Carlo Tree
/// Search*, 2008).
const BIAS: f32 = 10.0;

impl Policy<Board> for Decisive {
    /// 1 for a move that wins the game, -1 for one that lets the other win it, else 0.
    type Prior = i8;

    #[inline(always)]
    fn prior(&mut self, board: &Board, cell: Cell) -> i8 {
        i8::from(board.wins(cell)) - i8::from(board.lets_win(cell))
    }

    #[inline(always)]
    fn bonus(&self, prior: i8, _parent: u32, visits: u32) -> f32 {
        BIAS * f32::from(prior) / (visits + 1) as f32
    }

    #[inline(always)]
    fn next(&mut self, board: &Board, _plies: u32, rng: &mut Rng) -> Option<Cell> {
        board.winning_cell().or_else(|| board.random_move(rng))
    }
}
