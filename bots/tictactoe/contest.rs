//! The contest: how the game is spoken about, and what its search does.

use coppice::{Budget, Game, Player, Search};

use super::board::Board;
use super::perfect::Perfect;
use crate::contest::Behaviour;
use crate::grid::referee::GridContest;
use crate::grid::Grid;

/// Tic-tac-toe, the lowest league of ultimate tic-tac-toe.
pub static TIC_TAC_TOE: GridContest<Board> = GridContest::new(behaviour);

impl Grid for Board {
    const NAME: &'static str = "tictactoe";
    const SIZE: u8 = 3;
    const START: Board = Board::START;

    fn at(row: u8, column: u8) -> u8 {
        3 * row + column
    }

    fn place(cell: u8) -> (u8, u8) {
        (cell / 3, cell % 3)
    }

    /// 1 for a line.
    fn points(&self, player: Player) -> i64 {
        i64::from(self.payoff(player).0 > 0)
    }
}

fn behaviour() -> Vec<Behaviour> {
    let report = Perfect::new().search(&Board::START, Budget::nodes(0));
    let best = report.best.map_or(u64::MAX, u64::from);
    vec![Behaviour { search: "perfect", nodes: report.nodes, digest: best ^ report.score.value() as u64 }]
}
