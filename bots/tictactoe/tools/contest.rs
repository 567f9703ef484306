//! The tic-tac-toe contest: move notation, the searches on offer, and a check of their behaviour.

use coppice::{Budget, Player, Search};

use super::drawing;
use crate::shared::grid::contest::GridContest;
use crate::tictactoe::board::Board;
use crate::tictactoe::perfect::Perfect;
use contest::drawing::Drawing;
use contest::notation::Notation;
use contest::sheet::Layout;
use contest::{BenchResult, Sequential};

/// Tic-tac-toe, the lowest league of ultimate tic-tac-toe.
pub static TIC_TAC_TOE: GridContest<Board> = GridContest::new(bench);

impl Notation for Board {
    type Kind = Sequential;

    fn name(&self, _: Player, cell: u8) -> String {
        format!("{},{}", cell / 3, cell % 3)
    }

    fn draw(&self, last: Option<u8>) -> Drawing {
        drawing::draw(self, last)
    }

    fn layout(&self) -> Layout {
        Layout::board(&[0, 1, 2], &[0, 1, 2])
    }
}

/// Runs the searches on fixed positions.
pub fn bench() -> Vec<BenchResult> {
    let report = Perfect::new().search(&Board::START, Budget::nodes(0));
    let best = report.best.map_or(u64::MAX, u64::from);
    vec![BenchResult { search: "perfect", nodes: report.nodes, digest: best ^ report.score.value() as u64 }]
}
