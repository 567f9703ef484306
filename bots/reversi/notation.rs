//! How the game is written for people.

use contest::notation::Notation;

use super::board::Board;
use super::cell::Cell;

impl Notation for Board {
    fn name(&self, cell: Cell) -> String {
        cell.to_string()
    }
}
