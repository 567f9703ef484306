//! The Freckers contest: move notation, the searches on offer, and the positions that check their behaviour.

use std::sync::LazyLock;
use std::time::Duration;

use coppice::rng::mix;
use coppice::{Budget, Game, Player, Rng, Search};

use super::{drawing, text};
use crate::freckers::board::Board;
use crate::freckers::strategy::Strategy;
use contest::commands::referee::CommandContest;
use contest::drawing::{ones, Drawing, Shape};
use contest::notation::Notation;
use contest::quantity::Quantity;
use contest::sheet::Layout;
use contest::{Allowance, BenchResult, Sequential, Unreadable};

/// The course's limits for a game.
const ALLOWANCE: Allowance =
    Allowance { cpu: Some(Duration::from_secs(180)), memory_bytes: Some(250_000_000) };

/// Freckers with 1 s for each answer, so that a game's 75 answers take less than the processor time that the course
/// allows.
pub static FRECKERS: LazyLock<CommandContest<Board>> = LazyLock::new(freckers);

/// The contest without searches.
pub fn freckers() -> CommandContest<Board> {
    CommandContest::new(Duration::from_secs(1)).with_bench(bench).with_allowance(ALLOWANCE)
}

impl Notation for Board {
    type Kind = Sequential;

    fn name(&self, _: Player, m: crate::freckers::cell::Move) -> String {
        self.write(m, "-")
    }

    fn read_position(&self, text: &str) -> Result<Board, Unreadable> {
        text::read(text)
    }

    fn position(&self) -> Option<String> {
        Some(text::write(self))
    }

    fn draw(&self, last: Option<crate::freckers::cell::Move>) -> Drawing {
        drawing::draw(self, last)
    }

    fn mark(&self, _: Player, m: crate::freckers::cell::Move) -> Vec<Shape> {
        drawing::mark(self, m)
    }

    fn quantities(&self) -> Vec<Quantity> {
        // Cells are seen by the player to move, who goes to the last row; the other goes to the first.
        let rows =
            |cells: u64, goal: usize| ones(cells).map(|cell| (cell / 8).abs_diff(goal) as u32).sum::<u32>();
        let left = [Player::FIRST, Player::SECOND].map(|player| match player == self.to_move() {
            true => rows(self.own(), 7),
            false => rows(self.other(), 0),
        });
        vec![Quantity::new("rows left for all frogs", left)]
    }

    fn layout(&self) -> Layout {
        Layout::with_names(8, 8, 1)
    }
}

/// Searches positions of random games after 0 to 60 actions.
fn bench() -> Vec<BenchResult> {
    let mut rng = Rng::new(1);
    let mut search = Strategy::with_table(1 << 20);
    let (mut nodes, mut digest) = (0, 0);
    for plies in (0..=60).step_by(6) {
        let mut board = Board::START;
        for _ in 0..plies {
            board.random_move(&mut rng).into_iter().for_each(|m| board.play(m));
        }
        let report = search.search(&board, Budget::nodes(20_000));
        nodes += report.nodes;
        let best = report.best.map_or(u64::MAX, |m| u64::from(Board::move_index(m)));
        digest = mix(digest ^ mix(best) ^ report.score.value() as u64);
    }
    vec![BenchResult { search: "alpha-beta, 20000 nodes", nodes, digest }]
}
