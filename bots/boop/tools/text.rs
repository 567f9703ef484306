//! Parses and prints positions.

use std::fmt;
use std::str::FromStr;

use contest::Unreadable;
use coppice::{Game, Player};

use crate::boop::board::{Board, MAX_PLIES};
use crate::boop::side::{bit, Side, PIECES};

/// Blue's small and large piece, then Red's.
const LETTERS: [char; 4] = ['b', 'B', 'r', 'R'];

impl FromStr for Board {
    type Err = Unreadable;

    /// Parses the rows from top to bottom separated by `/`, the side to move, and the pools: Blue's small and large
    /// pieces, then Red's. The number of turns played may follow. `b` and `B` are Blue's small and large pieces, `r`
    /// and `R` are Red's, `.` is empty: `....../.rr.r./b...../b.rr../.....b/...b.. b 4 0 3 0`.
    fn from_str(text: &str) -> Result<Board, Unreadable> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [grid, side, numbers @ ..] = &words[..] else {
            return Err(format!("\"{text}\": expected six rows, b or r, and four numbers").into());
        };
        let sets = read_grid(grid)?;
        let [pools @ .., plies] = &read_numbers(numbers)?;
        let [blue, red] = sides(sets, *pools)?;
        let ply = u16::try_from(*plies).ok().filter(|&ply| ply < MAX_PLIES);
        let ply = ply.ok_or_else(|| format!("{plies}: expected the number of turns played, 0 to 399"))?;
        match *side {
            "b" => Ok(Board::new(blue, red, Player::FIRST, ply)),
            "r" => Ok(Board::new(red, blue, Player::SECOND, ply)),
            _ => Err(format!("\"{side}\": expected b or r for the side to move").into()),
        }
    }
}

/// Writes a position as it is read.
pub(super) fn write(board: &Board) -> String {
    let (sides, sets) = seen_by_blue(board);
    let row = |row| (0..6).map(|column| letter(&sets, row, column)).collect::<String>();
    let grid = (0..6).map(row).collect::<Vec<_>>().join("/");
    let mover = if board.to_move() == Player::FIRST { 'b' } else { 'r' };
    let [blue, red] = sides.map(|side| format!("{} {}", side.small_in_pool(), side.large_in_pool()));
    format!("{grid} {mover} {blue} {red} {}", board.ply())
}

/// Blue's and Red's pieces, and the pieces on the board in the order of [`LETTERS`].
fn seen_by_blue(board: &Board) -> ([&Side; 2], [u64; 4]) {
    let (own, other) = (board.own(), board.other());
    let [blue, red] = if board.to_move() == Player::FIRST { [own, other] } else { [other, own] };
    ([blue, red], [blue.small, blue.large, red.small, red.large])
}

/// The letter of a cell.
fn letter(sets: &[u64; 4], row: u32, column: u32) -> char {
    let set = sets.iter().position(|set| set >> bit(row, column) & 1 == 1);
    set.map_or('.', |set| LETTERS[set])
}

/// Reads the four pool sizes and the number of turns played, which defaults to 0.
fn read_numbers(words: &[&str]) -> Result<[u32; 5], Unreadable> {
    let numbers: Option<Vec<u32>> = words.iter().map(|word| word.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[blue, blue_large, red, red_large]) => Ok([blue, blue_large, red, red_large, 0]),
        Some(&[blue, blue_large, red, red_large, plies]) => Ok([blue, blue_large, red, red_large, plies]),
        _ => Err("expected four numbers: small and large pieces in Blue's pool and in Red's".into()),
    }
}

/// The pieces on the board, in the order of [`LETTERS`].
fn read_grid(text: &str) -> Result<[u64; 4], Unreadable> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 6 || rows.iter().any(|row| row.chars().count() != 6) {
        return Err(format!("\"{text}\": expected six rows of six cells with / between them").into());
    }
    let mut sets = [0; 4];
    for (row, line) in (0..).zip(rows) {
        for (column, letter) in (0..).zip(line.chars()) {
            match LETTERS.iter().position(|&known| known == letter) {
                Some(set) => sets[set] |= 1 << bit(row, column),
                None if letter == '.' => {}
                None => return Err(format!("\"{line}\": expected only b, B, r, R and .").into()),
            }
        }
    }
    Ok(sets)
}

fn sides(sets: [u64; 4], pools: [u32; 4]) -> Result<[Side; 2], Unreadable> {
    let [blue_small, blue_large, red_small, red_large] = pools;
    let side = |name: &str, small: u64, large: u64, small_left: u32, large_left: u32| {
        let on_board = (small | large).count_ones();
        let owned = u64::from(on_board) + u64::from(small_left) + u64::from(large_left);
        if owned != u64::from(PIECES) || on_board == PIECES {
            return Err(Unreadable::from(format!(
                "{name} owns {owned} pieces, {on_board} of them on the board: expected 8 and at most 7"
            )));
        }
        Ok(Side { small, large, promoted: large.count_ones() + large_left })
    };
    let [blue, blue_larges, red, red_larges] = sets;
    Ok([
        side("Blue", blue, blue_larges, blue_small, blue_large)?,
        side("Red", red, red_larges, red_small, red_large)?,
    ])
}

impl fmt::Display for Board {
    /// Prints the grid with row 0 at the top, then the pools and the side to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([blue, red], sets) = seen_by_blue(self);
        writeln!(f, "  0 1 2 3 4 5")?;
        for row in 0..6 {
            write!(f, "{row}")?;
            (0..6).try_for_each(|column| write!(f, " {}", letter(&sets, row, column)))?;
            writeln!(f)?;
        }
        // With all eight pieces on the board, a winner's pool is empty.
        let pool = |side: &Side| format!("{} small, {} large", side.small_in_pool(), side.large_in_pool());
        let mover = if self.to_move() == Player::FIRST { "blue" } else { "red" };
        write!(f, "in the pools: blue {}, red {}; {mover} to move", pool(blue), pool(red))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
