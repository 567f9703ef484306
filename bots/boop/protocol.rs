//! Implements the command-line protocol for boop.

use super::board::{each, Board};
use super::side::bit;
use super::turn::{Group, Turn};
use contest::commands::Commands;

impl Commands for Board {
    const NAME: &'static str = "boop";
    const VARIANT: &'static str = "";
    const USUAL: &'static str = "";

    fn start(_: &[&str]) -> Result<Board, String> {
        Ok(Board::START)
    }

    /// Parses `PIECE ROW COL`, with PIECE `s` or `l`, followed by the cells of the promoted pieces as `r,c` in any
    /// order.
    fn read_move(&self, text: &str) -> Option<Turn> {
        let mut words = text.split_ascii_whitespace();
        let is_large = match words.next()? {
            "s" => false,
            "l" => true,
            _ => return None,
        };
        let cell = read_cell(words.next()?, words.next()?)?;
        let mut promoted = 0;
        for word in words {
            let (row, column) = word.split_once(',')?;
            let piece = 1u64 << read_cell(row, column)?;
            if promoted & piece != 0 {
                return None;
            }
            promoted |= piece;
        }
        Some(Turn::new(is_large, cell, Group::of(promoted)?))
    }

    fn write_move(&self, turn: Turn) -> String {
        let piece = if turn.is_large() { 'l' } else { 's' };
        let (row, column) = place(turn.cell());
        let mut text = format!("{piece} {row} {column}");
        each(turn.group().cells(), |cell| {
            let (row, column) = place(cell);
            text.push_str(&format!(" {row},{column}"));
        });
        text
    }
}

fn read_cell(row: &str, column: &str) -> Option<u32> {
    let number = |text: &str| text.parse().ok().filter(|&n: &u32| n < 6);
    Some(bit(number(row)?, number(column)?))
}

/// The row and column of a cell's bit.
pub fn place(cell: u32) -> (u32, u32) {
    ((cell / 8).wrapping_sub(1), (cell % 8).wrapping_sub(1))
}
