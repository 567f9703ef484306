//! One player against all others: a game for two, for paranoid search.

use coppice::{Evaluation, Game, List, Payoff, Player, Score};

use super::board::{Board, Move};
use super::eval::Estimate;

/// A position in which the first player is one of `N`, and the second all others, who want it to be out (Sturtevant and
/// Korf, *On Pruning Techniques for Multi-Player Games*, 2000). With two players it is the game itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coalition<const N: usize> {
    board: Board<N>,
    me: Player,
}

impl<const N: usize> Coalition<N> {
    /// The player to move against the others.
    pub fn new(board: Board<N>) -> Coalition<N> {
        Coalition { board, me: board.to_move() }
    }
}

impl<const N: usize> Game for Coalition<N> {
    type Move = Move;
    type Moves = List<Move, 4>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        if self.board.to_move() == self.me {
            Player::FIRST
        } else {
            Player::SECOND
        }
    }

    #[inline(always)]
    fn moves(&self, list: &mut List<Move, 4>) {
        if !self.is_over() {
            self.board.moves(list);
        }
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        self.board.play(m);
    }

    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if self.board.is_in(self.me) == (player == Player::FIRST) { 1 } else { -1 })
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        self.board.hash().rotate_left(self.me.index() as u32)
    }

    #[inline(always)]
    fn move_index(m: Move) -> u16 {
        Board::<N>::move_index(m)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        !self.board.is_in(self.me) || self.board.is_over()
    }
}

impl<const N: usize> Evaluation<Coalition<N>> for Estimate {
    #[inline(always)]
    fn evaluate(&self, game: &Coalition<N>) -> Score {
        let value = Score::estimate(self.values(&game.board)[game.me.index()]);
        value.for_parent(game.to_move() == Player::FIRST)
    }
}
