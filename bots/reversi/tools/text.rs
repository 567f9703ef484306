//! Positions as one line of text: the 64 cells from a1 to h8 by rows, then the side to move.

use std::str::FromStr;

use contest::Unreadable;
use coppice::{Game, Player};

use crate::reversi::Board;

impl FromStr for Board {
    type Err = Unreadable;

    /// Reads what test suites of Othello programs are written in: `X`, `*` or `B` for black, `O`, `0` or `W` for white,
    /// `-`, `.` or `_` for an empty cell, capital or not; spaces count for nothing. The first player is black.
    ///
    /// ```
    /// let board: bots::reversi::Board =
    ///     "---------------------------OX------XO--------------------------- X".parse().unwrap();
    /// assert_eq!(board, bots::reversi::Board::START);
    /// ```
    fn from_str(text: &str) -> Result<Board, Unreadable> {
        let mut discs = [0u64; 2];
        let mut side = None;
        let mut cells = 0;
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            let found = match letter.to_ascii_uppercase() {
                'X' | '*' | 'B' => Some(0),
                'O' | '0' | 'W' => Some(1),
                '-' | '.' | '_' if cells < 64 => None,
                _ => return Err(format!("'{letter}' at place {} is {EXPECTED}", cells + 1).into()),
            };
            match found {
                _ if cells > 64 => return Err(format!("'{letter}' follows the side to move; {FORM}").into()),
                Some(player) if cells < 64 => discs[player] |= 1 << cells,
                None => {}
                player => side = player,
            }
            cells += 1;
        }
        let Some(side) = side else {
            return Err(format!("only {cells} of 65 letters; {FORM}").into());
        };
        Ok(Board::new(discs[side], discs[1 - side], Player::new(side as u8)))
    }
}

/// Writes a position as it is read.
pub(super) fn write(board: &Board) -> String {
    let [black, white] = [Player::FIRST, Player::SECOND].map(|player| board.discs(player));
    let cell = |cell: u32| match (black >> cell & 1, white >> cell & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '-',
    };
    let side = if board.to_move() == Player::FIRST { 'X' } else { 'O' };
    (0..64).map(cell).chain([' ', side]).collect()
}

const EXPECTED: &str =
    "not a cell; expected X (black), O (white) or - (empty), after 64 of them X or O, the side to move";
const FORM: &str = "expected the 64 cells from a1 to h8 by rows, then the side to move, such as \
                    ---------------------------OX------XO--------------------------- X";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_usual_letters() {
        let empty = "-".repeat(26);
        for [black, white, none, side] in [["X", "O", "-", "X"], ["*", "0", "_", "*"], ["b", "w", ".", "B"]] {
            let board = format!("{empty} {none}{white}{black}------{black}{white}{none} {empty} {side}");
            assert_eq!(board.parse(), Ok(Board::START), "{board}");
        }
        let board = Board::new(1, 1 << 63, Player::SECOND);
        assert_eq!(format!("O{}X O", "-".repeat(62)).parse(), Ok(board));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let says = |text: &str, expected: &str| {
            let error = text.parse::<Board>().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        let cells = "-".repeat(64);
        says(&cells, "only 64 of 65 letters");
        says("XO?", "'?' at place 3");
        says(&format!("{cells}XX"), "'X' follows");
        says(&format!("{cells}-"), "'-' at place 65");
    }
}
