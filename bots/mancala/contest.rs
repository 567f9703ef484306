//! The Kalah contest: move notation, the searches on offer, and the positions that check their behaviour.

use std::time::Duration;

use coppice::rng::mix;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Game, Rng, Search};

use super::board::Board;
use super::eval::{Holes, StoreDifference};
use super::solver::Solver;
use crate::commands::referee::CommandContest;
use crate::contest::Behaviour;
use crate::notation::Notation;
use crate::session::{self, Offer};

/// Kalah (6, 4) without empty capture, with 150 ms for each answer.
pub fn mancala() -> CommandContest<Board> {
    CommandContest::new(Duration::from_millis(150), behaviour, offers)
}

impl Notation for Board {
    fn name(&self, hole: u8) -> String {
        hole.to_string()
    }
}

fn offers() -> Vec<Offer<Board>> {
    let bot = Offer::new("bot", "the submitted bot: alpha-beta with a table of 64 MB", |_, settings| {
        AlphaBeta::new(Holes, settings.bytes_or(64 << 20), AlphaBetaOptions::default())
    });
    let about = "the exact margin, or no answer: what arena solve asks";
    let solver = Offer::new("solver", about, |_, settings| Solver::new(settings.bytes_or(256 << 20)));
    let mut all = vec![bot, solver];
    all.extend(session::offers(|| StoreDifference));
    all
}

/// Searches positions of random games after 0 to 30 moves.
fn behaviour() -> Vec<Behaviour> {
    let mut search = AlphaBeta::new(Holes, 1 << 20, AlphaBetaOptions::default());
    let mut rng = Rng::new(1);
    let (mut nodes, mut digest) = (0, 0);
    for plies in (0..=30).step_by(3) {
        let mut board = Board::new(6, 4, false);
        for _ in 0..plies {
            board.random_move(&mut rng).into_iter().for_each(|hole| board.play(hole));
        }
        let report = search.search(&board, Budget::nodes(50_000));
        nodes += report.nodes;
        digest = mix(digest ^ mix(report.best.map_or(u64::MAX, u64::from)) ^ report.score.value() as u64);
    }
    vec![Behaviour { search: "alpha-beta, 50000 nodes", nodes, digest }]
}
