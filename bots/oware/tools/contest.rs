//! The Oware contest: move notation, the searches on offer, and the positions that check their behaviour.

use std::sync::LazyLock;
use std::time::Duration;

use coppice::rng::mix;
use coppice::{Budget, Game, Player, Rng, Search};

use crate::oware::board::{Board, GrandSlam, MAX_PLIES, WON};
use crate::oware::strategy::{search, Numbers};
use crate::shared::sowing::{drawing, text, Rows};
use contest::commands::referee::CommandContest;
use contest::drawing::{Drawing, Shape};
use contest::notation::Notation;
use contest::quantity::Quantity;
use contest::sheet::Layout;
use contest::{BenchResult, Sequential, Unreadable};

/// Oware in which a grand slam captures nothing, with 1 s for the first answer and 50 ms for each later one.
pub static OWARE: LazyLock<CommandContest<Board>> = LazyLock::new(oware);

/// The contest without searches.
pub fn oware() -> CommandContest<Board> {
    CommandContest::new(Duration::from_millis(50)).with_bench(bench)
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
        let what = "the number of moves so far (the first player is to move after an even one)";
        let (sides, plies) = text::read(line, self.holes(), what)?;
        let plies = u8::try_from(plies).ok().filter(|&plies| plies < MAX_PLIES);
        let plies = plies.ok_or_else(|| format!("\"{line}\": a game ends after {MAX_PLIES} moves"))?;
        let seeds: u32 = sides.into_iter().map(text::total).sum();
        if seeds != 48 {
            return Err(format!("\"{line}\": {seeds} seeds; expected 48, with those in the stores").into());
        }
        let mover = usize::from(plies % 2);
        let board = Board::of_sides(sides[mover], sides[1 - mover], self.grand_slam()).at_ply(plies);
        let (own, other) = board.stores();
        match own.max(other) >= WON || board.count_moves() == 0 {
            true => Err(format!("\"{line}\": the game is over in this position").into()),
            false => Ok(board),
        }
    }

    fn position(&self) -> Option<String> {
        Some(text::write(self, self.plies().into()))
    }

    fn draw(&self, last: Option<u8>) -> Drawing {
        drawing::draw(self, last)
    }

    fn quantities(&self) -> Vec<Quantity> {
        vec![Quantity::new(
            "seeds captured",
            [Player::FIRST, Player::SECOND].map(|player| self.captured(player)),
        )]
    }

    fn layout(&self) -> Layout {
        drawing::layout(self)
    }

    fn mark(&self, _: Player, hole: u8) -> Vec<Shape> {
        vec![drawing::mark(self, hole)]
    }
}

/// Searches positions of random games after 0 to 60 moves.
fn bench() -> Vec<BenchResult> {
    let mut search = search(&Numbers::default(), 1 << 20);
    let mut rng = Rng::new(1);
    let (mut nodes, mut digest) = (0, 0);
    for plies in (0..=60).step_by(6) {
        let mut board = Board::new(GrandSlam::CapturesNothing);
        for _ in 0..plies {
            board.random_move(&mut rng).into_iter().for_each(|hole| board.play(hole));
        }
        let report = search.search(&board, Budget::nodes(20_000));
        nodes += report.nodes;
        digest = mix(digest ^ mix(report.best.map_or(u64::MAX, u64::from)) ^ report.score.value() as u64);
    }
    vec![BenchResult { search: "best-first, 20000 nodes", nodes, digest }]
}
