//! How the game is written for people.

use contest::drawing::Drawing;
use contest::notation::{Notation, Unreadable};

use super::board::Board;
use super::cell::Cell;
use super::drawing;

impl Notation for Board {
    fn name(&self, cell: Cell) -> String {
        cell.to_string()
    }

    fn read_position(text: &str) -> Result<Board, Unreadable> {
        text.parse()
    }

    fn draw(&self, last: Option<Cell>) -> Drawing {
        drawing::draw(self, last)
    }
}
