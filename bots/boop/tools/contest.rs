//! The boop. contest: move notation, the searches on offer, and the positions that check their behaviour.

use std::sync::LazyLock;
use std::time::Duration;

use coppice::rng::mix;
use coppice::{Budget, Game, Player, Rng, Search};

use super::original::{Numbers, Paper};
use super::{drawing, text};
use crate::boop::board::{each, Board};
use crate::boop::protocol::place;
use crate::boop::side::Side;
use crate::boop::strategy;
use crate::boop::turn::Turn;
use contest::commands::referee::CommandContest;
use contest::drawing::Drawing;
use contest::notation::Notation;
use contest::quantity::Quantity;
use contest::sheet::Layout;
use contest::{BenchResult, Sequential, Unreadable};

/// boop. with 1 s for each answer, as in the paper.
pub static BOOP: LazyLock<CommandContest<Board>> = LazyLock::new(boop);

/// The contest without searches.
pub fn boop() -> CommandContest<Board> {
    CommandContest::new(Duration::from_secs(1)).with_bench(bench)
}

impl Notation for Board {
    type Kind = Sequential;

    /// The piece and its cell, then `+` and a cell for each promoted piece: `s2,3+2,2+2,3+2,4`.
    fn name(&self, _: Player, turn: Turn) -> String {
        let (row, column) = place(turn.cell());
        let mut text = format!("{}{row},{column}", if turn.is_large() { 'l' } else { 's' });
        each(turn.group().cells(), |cell| {
            let (row, column) = place(cell);
            text.push_str(&format!("+{row},{column}"));
        });
        text
    }

    fn read_position(&self, text: &str) -> Result<Board, Unreadable> {
        text.parse()
    }

    fn position(&self) -> Option<String> {
        Some(text::write(self))
    }

    fn draw(&self, last: Option<Turn>) -> Drawing {
        drawing::draw(self, last)
    }

    fn quantities(&self) -> Vec<Quantity> {
        let side = |player: Player| if player == self.to_move() { self.own() } else { self.other() };
        let sides = [Player::FIRST, Player::SECOND].map(side);
        let cats = |side: &Side| side.large.count_ones() + side.large_in_pool();
        vec![
            Quantity::new(
                "pieces in the pool",
                sides.map(|side| side.small_in_pool() + side.large_in_pool()),
            ),
            Quantity::new("cats", sides.map(cats)),
        ]
    }

    fn layout(&self) -> Layout {
        Layout::with_names(6, 6, 1)
    }
}

/// Searches positions of random games after 0 to 40 plies.
fn bench() -> Vec<BenchResult> {
    vec![
        searched(
            "best-first, 5000 nodes",
            5_000,
            &mut strategy::search(&strategy::Numbers::default(), 4 << 20),
        ),
        searched("paper, 100 iterations", 100, &mut Paper::new(Numbers::default(), 1 << 20, 1)),
    ]
}

fn searched(name: &'static str, budget: u64, search: &mut impl Search<Board>) -> BenchResult {
    let mut rng = Rng::new(1);
    let (mut nodes, mut digest) = (0, 0);
    for plies in (0..=40).step_by(8) {
        let mut board = Board::START;
        for _ in 0..plies {
            board.random_move(&mut rng).into_iter().for_each(|turn| board.play(turn));
        }
        let report = search.search(&board, Budget::nodes(budget));
        nodes += report.nodes;
        let best = report.best.map_or(u64::MAX, |turn| u64::from(turn.code()));
        digest = mix(digest ^ mix(best) ^ report.score.value() as u64);
    }
    BenchResult { search: name, nodes, digest }
}
