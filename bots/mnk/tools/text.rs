//! Positions as one line of text: the rows from the top with `/` between them, `x` and `o` for marks, `.` for a free cell.
//! Who is to move follows from the marks.

use coppice::Game;

use crate::mnk::board::Board;
use crate::mnk::cell::Cell;
use crate::mnk::protocol::CELLS;
use contest::Unreadable;

/// Free, the first player's, the second's.
const LETTERS: [char; 3] = ['.', 'x', 'o'];

/// Writes a position.
pub(super) fn write(board: &Board<CELLS>) -> String {
    let (rows, columns, _) = board.size();
    let letter = |row, column| {
        let mark = board.mark(Cell::new(row as u8, column as u8));
        LETTERS[mark.map_or(0, |player| player.index() + 1)]
    };
    let row = |row| (0..columns).map(|column| letter(row, column)).collect::<String>();
    (0..rows).map(row).collect::<Vec<_>>().join("/")
}

/// Reads a position on a board of the size of `usual`.
///
/// # Errors
/// If the text isn't a position of that size, or the game is over there.
pub(super) fn read(usual: &Board<CELLS>, text: &str) -> Result<Board<CELLS>, Unreadable> {
    let (rows, columns, in_line) = usual.size();
    let lines: Vec<&str> = text.trim().split('/').collect();
    if lines.len() != rows || lines.iter().any(|line| line.chars().count() != columns) {
        return Err(format!(
            "\"{text}\": expected {rows} rows of {columns} cells with / between them: x, o, and . for a free cell"
        )
        .into());
    }
    let mut marks = [Vec::new(), Vec::new()];
    for (row, line) in (0..).zip(lines) {
        for (column, letter) in (0..).zip(line.chars()) {
            match LETTERS.iter().position(|&known| known == letter) {
                Some(0) => {}
                Some(mark) => marks[mark - 1].push(Cell::new(row, column)),
                None => return Err(format!("\"{line}\": expected only x, o and .").into()),
            }
        }
    }
    let [first, second] = marks.each_ref().map(Vec::len);
    if first != second && first != second + 1 {
        return Err(format!("\"{text}\": {first} x and {second} o; x begins, so as many or one more").into());
    }
    let mut board = Board::new(rows, columns, in_line);
    for turn in 0..first + second {
        if board.is_over() {
            return Err(format!("\"{text}\": there are {in_line} in a line, so the game is over").into());
        }
        board.play(marks[turn % 2][turn / 2]);
    }
    Ok(board)
}
