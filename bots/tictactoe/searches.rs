//! Searches for tic-tac-toe.

use bots::shared::exploration::exploration;
use bots::shared::grid::contest::GridContest;
use bots::tictactoe::eval::{OpenLines, Weighted};
use bots::tictactoe::perfect::Perfect;
use bots::tictactoe::tools::contest as plain;
use bots::tictactoe::Board;
use contest::session::{self, Offer, Searches};
use coppice::search::{Minimax, MinimaxOptions, Order};

contest::tunables! {
    /// Tunable parameters of the search `weighted`.
    pub struct Weights {
        /// Factor of the evaluation: any positive one plays alike, a negative one is wrong.
        weight: i32 = 1 in -10..=10,
    }
}

/// The contest with its searches.
pub static TIC_TAC_TOE: GridContest<Board> = GridContest::new(plain::bench).with_searches(searches);

fn searches(start: &Board) -> Box<dyn Searches> {
    crate::on_grid(start, offers())
}

fn offers() -> Vec<Offer<Board>> {
    let bot = Offer::new("bot", "the submitted bot: every position looked up", |_, _| Perfect::new());
    let about = "minimax, level by level, by open lines times a weight: MiniFrame's example of tuning";
    let weighted = Offer::tunable("weighted", about, |_, settings, numbers: &Weights| {
        let (memory, order) = (settings.bytes_or(16 << 20), Order::BreadthFirst);
        Minimax::new(Weighted(numbers.weight), MinimaxOptions { memory, order, ..MinimaxOptions::default() })
    });
    let mut all = vec![bot];
    all.extend(session::offers(|| OpenLines));
    all.extend([session::miniframe_mcts(|| OpenLines), exploration(), weighted]);
    all
}
