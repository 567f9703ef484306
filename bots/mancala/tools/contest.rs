//! The Kalah contest: move notation, the searches on offer, and the positions that check their behaviour.

use std::sync::LazyLock;
use std::time::Duration;

use coppice::rng::mix;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Game, Player, Rng, Search};

use crate::mancala::board::Board;
use crate::mancala::eval::Holes;
use crate::shared::sowing::{drawing, text, HOLES};
use contest::commands::referee::CommandContest;
use contest::drawing::{Drawing, Shape};
use contest::notation::Notation;
use contest::quantity::Quantity;
use contest::sheet::Layout;
use contest::{BenchResult, Sequential, Unreadable};

/// Kalah (6, 4) without empty capture, with 150 ms for each answer.
pub static MANCALA: LazyLock<CommandContest<Board>> = LazyLock::new(mancala);

/// The contest without searches.
pub fn mancala() -> CommandContest<Board> {
    CommandContest::new(Duration::from_millis(150)).with_bench(bench)
}

impl Notation for Board {
    type Kind = Sequential;

    fn name(&self, _: Player, hole: u8) -> String {
        hole.to_string()
    }

    fn words(&self, _: Player, hole: u8) -> String {
        format!("hole {hole}")
    }

    fn read_position(&self, line: &str) -> Result<Board, Unreadable> {
        let (sides, mover) = text::read(line, self.holes(), "the number of the player to move, 0 or 1")?;
        let counters: u32 = sides.into_iter().map(text::total).sum();
        if mover > 1 || counters > 128 {
            return Err(format!(
                "\"{line}\": player {mover} to move and {counters} counters; expected player 0 or 1, and at most 128"
            )
            .into());
        }
        if sides.iter().any(|side| side & HOLES == 0) {
            return Err(format!("\"{line}\": a row is empty, so the game is over").into());
        }
        let mover = Player::new(mover as u8);
        let [own, other] = [mover, mover.other()].map(|player| sides[player.index()]);
        Ok(Board::of_sides(own, other, self.holes(), self.empty_capture()).with_mover(mover))
    }

    fn position(&self) -> Option<String> {
        Some(text::write(self, self.to_move().index() as u32))
    }

    fn draw(&self, last: Option<u8>) -> Drawing {
        drawing::draw(self, last)
    }

    fn quantities(&self) -> Vec<Quantity> {
        vec![Quantity::new(
            "seeds in the store",
            [Player::FIRST, Player::SECOND].map(|player| self.store(player)),
        )]
    }

    fn layout(&self) -> Layout {
        drawing::layout(self)
    }

    fn mark(&self, _: Player, hole: u8) -> Vec<Shape> {
        vec![drawing::mark(self, hole)]
    }
}

/// Searches positions of random games after 0 to 30 moves.
fn bench() -> Vec<BenchResult> {
    let mut search =
        AlphaBeta::new(Holes, AlphaBetaOptions { memory: 1 << 20, ..AlphaBetaOptions::default() });
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
    vec![BenchResult { search: "alpha-beta, 50000 nodes", nodes, digest }]
}
