//! The search for puzzles: MiniFrame's.

use bots::sudoku::contest::{minimax, SudokuContest};
use bots::sudoku::Grid;
use contest::session::{GameSearches, Offer, Searches};

/// The contest with its searches.
pub static SUDOKU: SudokuContest = SudokuContest::with_searches(searches);

fn searches(start: &Grid) -> Box<dyn Searches> {
    let about = "minimax with the whole tree kept, in ten megabytes";
    let offers = vec![Offer::new("minimax", about, |_, settings| minimax(settings))];
    Box::new(GameSearches::new(start, offers))
}
