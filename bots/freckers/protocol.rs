//! Implements the command-line protocol for Freckers.

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

    /// Reads a path as the listed move between its ends, whatever its hops.
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
    /// Writes a move's cells, its start and each landing, separated by `between`.
    pub(super) fn write(&self, m: Move, between: &str) -> String {
        if m.is_grow() {
            return "grow".to_owned();
        }
        let path = self.path(m);
        let cells = [m.from()].into_iter().chain(path.iter().copied());
        let cell = |cell: u8| format!("{},{}", self.turned(cell) / 8, cell % 8);
        cells.map(cell).collect::<Vec<_>>().join(between)
    }

    /// Parses `r,c` as a cell seen by the side to move.
    fn read_cell(&self, text: &str) -> Option<u8> {
        let (row, column) = text.split_once(',')?;
        let number = |text: &str| text.parse::<u8>().ok().filter(|&n| n < 8 && text.len() == 1);
        Some(self.turned(8 * number(row)? + number(column)?))
    }

    /// Converts a cell between the referee's view and that of the side to move, in either direction.
    fn turned(&self, cell: u8) -> u8 {
        if self.to_move() == Player::FIRST {
            cell
        } else {
            cell ^ 56
        }
    }
}
