//! Freckers without actions that change nothing.

use std::fmt;

use coppice::{Budget, Evaluation, Game, List, Payoff, Player, Report, Score, Search};

use crate::freckers::board::{Board, MAX_MOVES};
use crate::freckers::cell::Move;

/// A position in which growing is listed only if it adds a pad or no other move exists, as in the original agents.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Busy(pub Board);

impl Game for Busy {
    type Move = Move;
    type Moves = List<Move, MAX_MOVES>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.0.to_move()
    }

    #[inline(always)]
    fn moves(&self, list: &mut Self::Moves) {
        if self.0.is_over() {
            return;
        }
        self.0.frog_moves(list);
        if self.0.growth() != 0 || list.is_empty() {
            list.push(Move::GROW);
        }
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        self.0.play(m);
    }

    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        self.0.payoff(player)
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        self.0.hash()
    }

    #[inline(always)]
    fn move_index(m: Move) -> u16 {
        m.code()
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}

impl fmt::Debug for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Applies an evaluation to the wrapped board.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inside<E>(pub E);

impl<E: Evaluation<Board>> Evaluation<Busy> for Inside<E> {
    #[inline(always)]
    fn evaluate(&self, game: &Busy) -> Score {
        self.0.evaluate(&game.0)
    }

    #[inline(always)]
    fn rank(&self, game: &Busy, m: Move) -> i32 {
        self.0.rank(&game.0, m)
    }
}

/// A search that leaves out actions that change nothing.
#[derive(Debug, Clone)]
pub struct Without<S>(pub S);

impl<S: Search<Busy>> Search<Board> for Without<S> {
    fn search(&mut self, board: &Board, budget: Budget) -> Report<Move> {
        self.0.search(&Busy(*board), budget)
    }

    fn line(&self, board: &Board, best: Move) -> List<Move, { coppice::search::LINE }> {
        self.0.line(&Busy(*board), best)
    }
}
