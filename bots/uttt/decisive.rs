//! Game knowledge for Monte Carlo tree search: decisive moves, and moves that give the opponent a free choice of
//! board.

use coppice::search::Policy;
use coppice::{Game, Rng};

use super::board::Board;
use super::cell::Cell;

/// Decisive moves (Teytaud and Teytaud, *On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search
/// Algorithms*, 2010): a playout wins at once if it can. The tree tries a winning move first, and a move that lets
/// the opponent win at once last. Among the rest, moves that give the opponent a free choice of board are explored
/// less.
#[derive(Debug, Clone, Copy)]
pub struct Decisive {
    /// Factor on the exploration weight of moves that give the opponent a free choice of board.
    pub free_exploration: f32,
}

/// The class of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// None of the others.
    #[default]
    Any,
    /// It wins the game.
    Wins,
    /// It lets the opponent win the game at once.
    LetsWin,
    /// It lets the opponent choose the board.
    Frees,
}

/// Added to a decisive move's value before its first visit. It exceeds any UCB1 value, so the move is tried first or
/// last; it fades with the visits (progressive bias: Chaslot et al., *Progressive Strategies for Monte-Carlo Tree
/// Search*, 2008).
const BIAS: f32 = 10.0;

impl Policy<Board> for Decisive {
    type Prior = Kind;

    #[inline(always)]
    fn prior(&mut self, board: &Board, cell: Cell) -> Kind {
        if board.wins(cell) {
            Kind::Wins
        } else if board.lets_win(cell) {
            Kind::LetsWin
        } else if board.frees(cell) {
            Kind::Frees
        } else {
            Kind::Any
        }
    }

    #[inline(always)]
    fn bonus(&self, kind: Kind, _parent: u32, visits: u32) -> f32 {
        let bias = match kind {
            Kind::Wins => BIAS,
            Kind::LetsWin => -BIAS,
            Kind::Any | Kind::Frees => 0.0,
        };
        bias / (visits + 1) as f32
    }

    #[inline(always)]
    fn exploration_weight(&self, kind: Kind) -> f32 {
        if kind == Kind::Frees {
            self.free_exploration
        } else {
            1.0
        }
    }

    #[inline(always)]
    fn next(&mut self, board: &Board, _plies: u32, rng: &mut Rng) -> Option<Cell> {
        board.winning_cell().or_else(|| board.random_move(rng))
    }
}
