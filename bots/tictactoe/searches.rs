//! Searches for tic-tac-toe.

use bots::shared::exploration::exploration;
use bots::shared::grid::contest::GridContest;
use bots::tictactoe::eval::OpenLines;
use bots::tictactoe::perfect::Perfect;
use bots::tictactoe::tools::contest as plain;
use bots::tictactoe::Board;
use contest::session::{self, Offer, Searches};

/// The contest with its searches.
pub static TIC_TAC_TOE: GridContest<Board> = GridContest::new(plain::bench).with_searches(searches);

fn searches(start: &Board) -> Box<dyn Searches> {
    crate::on_grid(start, offers())
}

fn offers() -> Vec<Offer<Board>> {
    let bot = Offer::new("bot", "the submitted bot: every position looked up", |_, _| Perfect::new());
    let mut all = vec![bot];
    all.extend(session::offers(|| OpenLines));
    all.extend([session::miniframe_mcts(|| OpenLines), exploration()]);
    all
}
