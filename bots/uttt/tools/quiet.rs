//! An evaluation that settles the small boards about to be won, for alpha-beta.

use coppice::{Evaluation, Game, List, Score};

use crate::tictactoe::board::completing;
use crate::uttt::board::Board;
use crate::uttt::cell::Cell;

/// An evaluation with a quiescence search of up to `plies` noisy moves in place of each estimate; with 0, the evaluation
/// itself.
///
/// A move is noisy if it wins a small board. A player who may also play another move can stop at the estimate. One who
/// can win the game at once has won; one whose every move lets the opponent do so must answer and can't, and has lost.
#[derive(Debug, Clone)]
pub struct Quiet<E> {
    /// Estimates positions.
    pub evaluation: E,
    /// The most noisy moves in a row.
    pub plies: u32,
}

impl<E: Evaluation<Board>> Quiet<E> {
    /// The value of a position within a window, fail-soft, with at most `plies` noisy moves ahead.
    fn settle(&self, board: &Board, plies: u32, mut alpha: Score, beta: Score) -> Score {
        if board.is_over() {
            return self.evaluation.ended(board);
        }
        if board.winning_cell().is_some() {
            return Score::estimate(Score::MAX_ESTIMATE);
        }
        let mut list = List::default();
        board.moves(&mut list);
        if list.iter().all(|&cell| board.lets_win(cell)) {
            return -Score::estimate(Score::MAX_ESTIMATE);
        }
        let mut best = self.evaluation.evaluate(board);
        if plies == 0 {
            return best;
        }
        for &cell in list.iter().filter(|&&cell| is_noisy(board, cell)) {
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
            best = best.max(-self.settle(&board.after(cell), plies - 1, -beta, -alpha));
        }
        best
    }
}

/// Whether a legal move wins a small board.
#[inline(always)]
fn is_noisy(board: &Board, cell: Cell) -> bool {
    completing(board.marks(board.to_move(), cell.board())) >> cell.place() & 1 != 0
}

impl<E: Evaluation<Board>> Evaluation<Board> for Quiet<E> {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        if self.plies == 0 {
            return self.evaluation.evaluate(board);
        }
        self.settle(board, self.plies, -Score::INFINITY, Score::INFINITY)
    }

    /// Noisy moves first; moves that leave the opponent the choice of board last.
    #[inline(always)]
    fn rank(&self, board: &Board, cell: Cell) -> i32 {
        500 * i32::from(is_noisy(board, cell)) - 500 * i32::from(board.frees(cell))
    }
}

#[cfg(test)]
mod tests {
    use coppice::Rng;

    use super::*;
    use crate::uttt::eval::WonBoards;

    /// Settles a position without a window.
    fn settled(board: &Board, plies: u32) -> Score {
        let won = Score::estimate(Score::MAX_ESTIMATE);
        let mut list = List::default();
        board.moves(&mut list);
        let wins_at_once = |board: &Board, cell| {
            board.after(cell).is_over() && board.after(cell).payoff(board.to_move()).0 == 10
        };
        let is_lost = |next: &Board| {
            let mut replies = List::default();
            next.moves(&mut replies);
            replies.iter().any(|&reply| wins_at_once(next, reply))
        };
        match () {
            () if list.is_empty() => WonBoards.ended(board),
            () if list.iter().any(|&cell| wins_at_once(board, cell)) => won,
            () if list.iter().all(|&cell| is_lost(&board.after(cell))) => -won,
            () => {
                let me = board.to_move();
                let gains = |cell: &Cell| board.after(*cell).won(me) != board.won(me);
                let noisy = list.iter().filter(|&cell| plies > 0 && gains(cell));
                let values = noisy.map(|&cell| -settled(&board.after(cell), plies.saturating_sub(1)));
                values.fold(WonBoards.evaluate(board), Score::max)
            }
        }
    }

    /// Every position of some random games.
    fn positions() -> Vec<Board> {
        let mut rng = Rng::new(5);
        let mut all = Vec::new();
        for _ in 0..60 {
            let mut board = Board::START;
            while let Some(cell) = board.random_move(&mut rng) {
                all.push(board);
                board.play(cell);
            }
        }
        all
    }

    #[test]
    fn the_window_changes_no_value() {
        for plies in 1..=4 {
            let quiet = Quiet { evaluation: WonBoards, plies };
            let mut differ = 0;
            for board in positions() {
                let value = quiet.evaluate(&board);
                assert_eq!(value, settled(&board, plies), "{plies} plies: {board:?}");
                differ += u32::from(value != WonBoards.evaluate(&board));
            }
            assert!(differ > 100, "only {differ} positions were noisy");
        }
    }

    #[test]
    fn without_plies_it_is_the_evaluation() {
        let quiet = Quiet { evaluation: WonBoards, plies: 0 };
        assert!(positions().iter().all(|board| quiet.evaluate(board) == WonBoards.evaluate(board)));
    }
}
