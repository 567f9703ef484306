//! The game's side of the protocol in commands.

use super::board::Board;
use super::cell::Move;
use contest::commands::Commands;
use coppice::{Game, Player};

impl Commands for Board {
    const NAME: &'static str = "freckers";
    const VARIANT: &'static str = "";
    const SIDES: [&'static str; 2] = ["red", "blue"];
    const SIDE: &'static str = "red|blue";
    const USUAL: &'static str = "";

    fn start(_: &[&str]) -> Result<Board, String> {
        Ok(Board::START)
    }

    /// A legal path is the move that is listed between its ends, whatever hops it takes.
    fn read_move(&self, text: &str) -> Option<Move> {
        if text.trim() == "grow" {
            return Some(Move::GROW);
        }
        let cells: Option<Vec<u8>> = text.split_ascii_whitespace().map(|word| self.read_cell(word)).collect();
        let cells = cells.filter(|cells| cells.len() > 1)?;
        Some(self.along(&cells).unwrap_or(Move::NOWHERE))
    }

    fn write_move(&self, m: Move) -> String {
        self.write(m, " ")
    }
}

impl Board {
    /// A move's cells, its start and each landing, with `between` between them.
    pub(super) fn write(&self, m: Move, between: &str) -> String {
        if m.is_grow() {
            return "grow".to_owned();
        }
        let path = self.path(m);
        let cells = [m.from()].into_iter().chain(path.iter().copied());
        let cell = |cell: u8| format!("{},{}", self.turned(cell) / 8, cell % 8);
        cells.map(cell).collect::<Vec<_>>().join(between)
    }

    /// `r,c` as a cell that the side to move sees.
    fn read_cell(&self, text: &str) -> Option<u8> {
        let (row, column) = text.split_once(',')?;
        let number = |text: &str| text.parse::<u8>().ok().filter(|&n| n < 8 && text.len() == 1);
        Some(self.turned(8 * number(row)? + number(column)?))
    }

    /// A cell as the referee sees it and as the side to move does: either from the other.
    fn turned(&self, cell: u8) -> u8 {
        if self.to_move() == Player::FIRST {
            cell
        } else {
            cell ^ 56
        }
    }
}
