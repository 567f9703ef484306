//! How the game is told to people, and the searches that a session can have.

use super::board::Board;
use super::cell::Cell;
use super::eval::Positional;
use super::strategy::Strategy;
use crate::notation::Notation;
use crate::session::{self, Offer};

impl Notation for Board {
    fn name(&self, cell: Cell) -> String {
        cell.to_string()
    }
}

/// What the bot submits, and the engine's.
pub fn offers() -> Vec<Offer<Board>> {
    let bot = Offer::new("bot", "what is submitted: alpha-beta, and exact solving at the end", |_, _| {
        Strategy::new()
    });
    let mut all = vec![bot];
    all.extend(session::offers(Positional::new));
    all
}
