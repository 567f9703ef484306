//! Implements the command-line protocol for m,n,k games.

use super::board::Board;
use super::cell::Cell;
use contest::commands::Commands;

/// Maximum number of cells of a board.
pub const CELLS: usize = 4900;

impl Commands for Board<CELLS> {
    const NAME: &'static str = "mnk";
    const VARIANT: &'static str = "M N K";
    const USUAL: &'static str = "7 7 5";

    fn start(words: &[&str]) -> Result<Self, String> {
        let number = |i: usize, most: usize| words[i].parse().ok().filter(|n| (1..=most).contains(n));
        match (number(0, 70), number(1, 70), number(2, 70)) {
            (Some(rows), Some(columns), Some(in_line)) if in_line > rows.max(columns) => {
                Err(format!("{in_line} in a line don't fit on {rows} by {columns} cells"))
            }
            (Some(rows), Some(columns), Some(in_line)) => Ok(Board::new(rows, columns, in_line)),
            _ => Err("expected 1 to 70 rows and columns, and as many in a line".to_owned()),
        }
    }

    fn read_move(&self, text: &str) -> Option<Cell> {
        let (rows, columns, _) = self.size();
        let (row, column) = text.trim().split_once(' ')?;
        let (row, column) = (row.parse::<u8>().ok()?, column.trim().parse::<u8>().ok()?);
        (usize::from(row) < rows && usize::from(column) < columns).then(|| Cell::new(row, column))
    }

    fn write_move(&self, cell: Cell) -> String {
        format!("{} {}", cell.row, cell.column)
    }
}
