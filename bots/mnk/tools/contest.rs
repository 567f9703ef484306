//! The contest of m,n,k games: move notation, the searches on offer, and the positions that check their behaviour.

use std::sync::LazyLock;
use std::time::Duration;

use coppice::rng::mix;
use coppice::{Budget, Game, Player, Rng, Search};

use super::original::Original;
use super::{drawing, text};
use crate::mnk::board::Board;
use crate::mnk::cell::Cell;
use crate::mnk::protocol::CELLS;
use crate::mnk::strategy::{Numbers, Strategy};
use contest::commands::referee::CommandContest;
use contest::drawing::Drawing;
use contest::notation::Notation;
use contest::quantity::Quantity;
use contest::sheet::Layout;
use contest::{BenchResult, Sequential, Unreadable};

/// Five in a line on seven by seven cells, with a second for each answer.
pub static MNK: LazyLock<CommandContest<Board<CELLS>>> = LazyLock::new(mnk);

/// The contest without searches.
pub fn mnk() -> CommandContest<Board<CELLS>> {
    CommandContest::new(Duration::from_secs(1)).with_bench(bench)
}

impl Notation for Board<CELLS> {
    type Kind = Sequential;

    fn name(&self, _: Player, cell: Cell) -> String {
        format!("{},{}", cell.row, cell.column)
    }

    fn read_position(&self, text: &str) -> Result<Self, Unreadable> {
        text::read(self, text)
    }

    fn position(&self) -> Option<String> {
        Some(text::write(self))
    }

    fn draw(&self, last: Option<Cell>) -> Drawing {
        drawing::draw(self, last)
    }

    fn quantities(&self) -> Vec<Quantity> {
        vec![Quantity::new(
            "longest line",
            [Player::FIRST, Player::SECOND].map(|player| longest_line(self, player)),
        )]
    }

    fn layout(&self) -> Layout {
        let (rows, columns, _) = self.size();
        Layout::with_names(rows, columns, 1)
    }
}

/// The most marks of a player that follow each other in a row, a column or a diagonal.
fn longest_line(board: &Board<CELLS>, player: Player) -> u32 {
    let (rows, columns, _) = board.size();
    let mut longest = 0;
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        // The lengths of the lines that end in each cell of this row and of the row before.
        let mut before = vec![0; columns + 2];
        for row in 0..rows {
            let mut here = vec![0; columns + 2];
            for column in 0..columns {
                if board.mark(Cell::new(row as u8, column as u8)) == Some(player) {
                    let from = (column + 1).wrapping_add_signed(-right);
                    here[column + 1] = 1 + if down == 0 { here[from] } else { before[from] };
                    longest = longest.max(here[column + 1]);
                }
            }
            before = here;
        }
    }
    longest
}

/// Searches positions of random games on several boards, with the bot and with the original's method.
fn bench() -> Vec<BenchResult> {
    let ours = |start: &Board<CELLS>| -> Box<dyn Search<Board<CELLS>>> {
        Box::new(Strategy::new(start, Numbers::default(), 1 << 20))
    };
    let original = |start: &Board<CELLS>| -> Box<dyn Search<Board<CELLS>>> {
        Box::new(Original::new(Default::default(), start))
    };
    vec![searched("bot, 20000 nodes", ours), searched("original, 20000 nodes", original)]
}

fn searched(
    name: &'static str,
    make: impl Fn(&Board<CELLS>) -> Box<dyn Search<Board<CELLS>>>,
) -> BenchResult {
    let mut rng = Rng::new(1);
    let (mut nodes, mut digest) = (0, 0);
    for (rows, columns, in_line) in [(3, 3, 3), (5, 4, 4), (7, 7, 5), (10, 10, 5), (70, 70, 10)] {
        let start = Board::<CELLS>::new(rows, columns, in_line);
        let mut search = make(&start);
        for plies in (0..16).step_by(4) {
            let mut board = start.clone();
            for _ in 0..plies {
                board.random_move(&mut rng).into_iter().for_each(|cell| board.play(cell));
            }
            let report = search.search(&board, Budget::nodes(20_000));
            nodes += report.nodes;
            let best = report.best.map_or(u64::MAX, |cell| u64::from(Board::<CELLS>::move_index(cell)));
            digest = mix(digest ^ mix(best) ^ report.score.value() as u64);
        }
    }
    BenchResult { search: name, nodes, digest }
}
