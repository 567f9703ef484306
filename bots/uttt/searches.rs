//! Searches for ultimate tic-tac-toe.

use bots::grid::referee::GridContest;
use bots::uttt::eval::WonBoards;
use bots::uttt::{contest as plain, monte_carlo, pattern, uct, Board};
use contest::session::{self, Offer, Searches};

/// The contest with its searches.
pub static UTTT: GridContest<Board> = GridContest::new(plain::bench).with_searches(searches);

fn searches(start: &Board) -> Box<dyn Searches> {
    crate::on_grid(start, offers())
}

fn offers() -> Vec<Offer<Board>> {
    let about = "the submitted bot: best-first minimax over tables of patterns, in 256 MB";
    let bot = Offer::tunable("bot", about, |_, settings, numbers| {
        pattern::search(numbers, settings.bytes_or(pattern::BYTES))
    });
    let about = "Monte Carlo tree search with playouts that take winning moves: uttt-mcts";
    let playouts = Offer::tunable("playouts", about, |_, settings, numbers| {
        monte_carlo::search(numbers, settings.bytes_or(monte_carlo::BYTES), settings.seed)
    });
    let uct = Offer::new("uct", "plain UCT, to measure against: uttt-uct", |_, settings| {
        uct::search(settings.bytes_or(monte_carlo::BYTES), settings.seed)
    });
    let mut all = vec![bot, playouts, uct];
    all.extend(session::offers(|| WonBoards));
    all
}
