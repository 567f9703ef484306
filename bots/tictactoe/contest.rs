//! The tic-tac-toe contest: move notation, the searches on offer, and a check of their behaviour.

use coppice::{Budget, Search};

use super::board::Board;
use super::eval::OpenLines;
use super::perfect::Perfect;
use crate::contest::Behaviour;
use crate::grid::referee::GridContest;
use crate::notation::Notation;
use crate::session::{self, Offer};

/// Tic-tac-toe, the lowest league of ultimate tic-tac-toe.
pub static TIC_TAC_TOE: GridContest<Board> = GridContest::new(behaviour, offers);

impl Notation for Board {
    fn name(&self, cell: u8) -> String {
        format!("{},{}", cell / 3, cell % 3)
    }
}

fn offers() -> Vec<Offer<Board>> {
    let bot = Offer::new("bot", "the submitted bot: every position looked up", |_, _| Perfect::new());
    let mut all = vec![bot];
    all.extend(session::offers(|| OpenLines));
    all
}

fn behaviour() -> Vec<Behaviour> {
    let report = Perfect::new().search(&Board::START, Budget::nodes(0));
    let best = report.best.map_or(u64::MAX, u64::from);
    vec![Behaviour { search: "perfect", nodes: report.nodes, digest: best ^ report.score.value() as u64 }]
}
