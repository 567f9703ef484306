//! The grid as a game for one player, with candidates and forced moves kept up to date.

use std::fmt;
use std::str::FromStr;

use coppice::rng::mix;
use coppice::{Game, List, Payoff, Player};

/// All nine digits, digit d as bit d - 1.
const ALL: u16 = 0x1ff;
/// The lowest bit of a filled cell's digit.
const DIGIT: u32 = 9;

/// A digit written into an empty cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fill {
    /// Row times 9 plus column.
    pub cell: u8,
    /// 1 to 9.
    pub digit: u8,
}

/// A partly filled grid, as a game for one player: each move fills a cell.
///
/// A move is forced if a cell has one candidate left, or if a digit has one place left in a row, column or box (naked
/// and hidden singles): then it is the only move listed. Otherwise the moves are all candidates of the first cell
/// with the fewest. This misses nothing, because every cell must be filled. So the game tree contains each solution
/// exactly once.
///
/// The game is over when the grid is full, with 81 points, or when it provably can't be filled, with -1 and one less
/// for each empty cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// By cell: its candidates, or its digit from bit 9 on.
    cells: [u16; 81],
    /// The digits used, by row, column and box.
    used: [[u16; 9]; 3],
    /// Empty cells with one candidate.
    singles: u128,
    filled: u8,
    /// The cell to be filled next.
    next: u8,
    /// Whether some cell or digit has no place left.
    is_dead: bool,
}

/// A cell's row, column and box.
const fn units(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / 9, cell % 9);
    [row, column, row / 3 * 3 + column / 3]
}

/// The cells that share a row, a column or a box with each cell.
static PEERS: [[u8; 20]; 81] = {
    let mut peers = [[0; 20]; 81];
    let mut a = 0;
    while a < 81 {
        let (mut b, mut count) = (0, 0);
        while b < 81 {
            let (ua, ub) = (units(a), units(b));
            if a != b && (ua[0] == ub[0] || ua[1] == ub[1] || ua[2] == ub[2]) {
                peers[a][count] = b as u8;
                count += 1;
            }
            b += 1;
        }
        a += 1;
    }
    peers
};

/// The `i`-th cell of a unit: of row, column or box number `unit`.
const fn cell_of(kind: usize, unit: usize, i: usize) -> usize {
    match kind {
        0 => unit * 9 + i,
        1 => i * 9 + unit,
        _ => (unit / 3 * 3 + i / 3) * 9 + unit % 3 * 3 + i % 3,
    }
}

/// The digits that occur as candidates in several cells, and those that occur more than once.
#[derive(Clone, Copy, Default)]
struct Seen {
    once: u16,
    twice: u16,
}

impl Seen {
    #[inline(always)]
    fn cell(self, candidates: u16) -> Seen {
        Seen { once: self.once | candidates, twice: self.twice | self.once & candidates }
    }

    #[inline(always)]
    fn and(self, other: Seen) -> Seen {
        Seen { once: self.once | other.once, twice: self.twice | other.twice | self.once & other.once }
    }
}

impl Grid {
    /// The empty grid.
    pub const EMPTY: Grid =
        Grid { cells: [ALL; 81], used: [[0; 9]; 3], singles: 0, filled: 0, next: 0, is_dead: false };

    /// The digit in a cell; `None` if it is empty.
    pub fn digit(&self, cell: usize) -> Option<u8> {
        let digit = (self.cells[cell] >> DIGIT) as u8;
        (digit > 0).then_some(digit)
    }

    /// The digits of all cells, 0 where one is empty.
    pub fn digits(&self) -> [u8; 81] {
        std::array::from_fn(|cell| self.digit(cell).unwrap_or(0))
    }

    /// The number of filled cells.
    pub fn filled(&self) -> u32 {
        u32::from(self.filled)
    }

    /// Whether every cell is filled according to the rules.
    pub fn is_solved(&self) -> bool {
        self.filled == 81 && !self.is_dead
    }

    /// The digits left for a cell, digit d as bit d - 1; none if it is filled.
    #[inline(always)]
    pub(super) fn candidates(&self, cell: usize) -> u16 {
        self.cells[cell] & ALL
    }

    /// The digits that the cell's row, column and box don't have, digit d as bit d - 1; none if it is filled.
    pub fn fitting(&self, cell: usize) -> u16 {
        let [row, column, square] = units(cell);
        match self.digit(cell) {
            Some(_) => 0,
            None => ALL & !(self.used[0][row] | self.used[1][column] | self.used[2][square]),
        }
    }

    /// Writes a digit, and removes it from the candidates of the cell's peers.
    #[inline(always)]
    pub(super) fn fill(&mut self, Fill { cell, digit }: Fill) {
        let bit = 1 << (digit - 1);
        let place = usize::from(cell);
        self.is_dead |= self.cells[place] & bit == 0;
        self.cells[place] = u16::from(digit) << DIGIT;
        self.singles &= !(1 << cell);
        self.filled += 1;
        for (used, unit) in self.used.iter_mut().zip(units(place)) {
            used[unit] |= bit;
        }
        for &peer in &PEERS[place] {
            let candidates = &mut self.cells[usize::from(peer)];
            if *candidates & bit != 0 {
                *candidates &= !bit;
                if *candidates & candidates.wrapping_sub(1) == 0 {
                    self.is_dead |= *candidates == 0;
                    self.singles |= 1 << peer;
                }
            }
        }
    }

    /// Chooses the cell to be filled next.
    #[inline(always)]
    fn look(&mut self) {
        if self.singles == 0 && !self.is_dead && self.filled < 81 {
            self.find_hidden();
        }
        self.next = if self.singles == 0 { self.fewest() } else { self.singles.trailing_zeros() as u8 };
    }

    /// Finds the digits that have one place left in a row, column or box.
    #[inline(always)]
    fn find_hidden(&mut self) {
        let mut seen = [[Seen::default(); 9]; 3];
        for row in 0..9 {
            let mut three = [Seen::default(); 3];
            for column in 0..9 {
                let candidates = self.cells[row * 9 + column] & ALL;
                seen[1][column] = seen[1][column].cell(candidates);
                three[column / 3] = three[column / 3].cell(candidates);
            }
            seen[0][row] = three[0].and(three[1]).and(three[2]);
            for (i, &part) in three.iter().enumerate() {
                let whole = &mut seen[2][row / 3 * 3 + i];
                *whole = whole.and(part);
            }
        }
        for (kind, seen) in seen.iter().enumerate() {
            for (unit, &Seen { once, twice }) in seen.iter().enumerate() {
                self.is_dead |= once | self.used[kind][unit] != ALL;
                let mut hidden = once & !twice;
                while hidden != 0 {
                    let bit = hidden & hidden.wrapping_neg();
                    hidden ^= bit;
                    let mut cells = (0..9).map(|i| cell_of(kind, unit, i));
                    match cells.find(|&cell| self.cells[cell] & bit != 0) {
                        Some(cell) => {
                            self.cells[cell] = bit;
                            self.singles |= 1 << cell;
                        }
                        // The only place of this digit is also the only place of another.
                        None => self.is_dead = true,
                    }
                }
            }
        }
    }

    /// The first empty cell with the fewest candidates, of those with two or more.
    #[inline(always)]
    fn fewest(&self) -> u8 {
        let (mut best, mut fewest) = (0, u32::MAX);
        for (cell, candidates) in self.cells.iter().enumerate() {
            let count = (candidates & ALL).count_ones();
            if count > 0 && count < fewest {
                (best, fewest) = (cell as u8, count);
                if count == 2 {
                    break;
                }
            }
        }
        best
    }
}

impl Game for Grid {
    type Move = Fill;
    type Moves = List<Fill, 9>;
    const PLAYERS: usize = 1;

    fn to_move(&self) -> Player {
        Player::FIRST
    }

    #[inline(always)]
    fn moves(&self, list: &mut List<Fill, 9>) {
        if self.is_over() {
            return;
        }
        let mut candidates = self.cells[usize::from(self.next)];
        while candidates != 0 {
            list.push(Fill { cell: self.next, digit: candidates.trailing_zeros() as u8 + 1 });
            candidates &= candidates - 1;
        }
    }

    #[inline(always)]
    fn play(&mut self, m: Fill) {
        self.fill(m);
        self.look();
    }

    fn payoff(&self, _: Player) -> Payoff {
        Payoff(if self.is_solved() { 81 } else { self.filled() as i32 - 82 })
    }

    fn hash(&self) -> u64 {
        self.cells.iter().fold(0, |hash, &cell| mix(hash ^ u64::from(cell)))
    }

    fn move_index(m: Fill) -> u16 {
        u16::from(m.cell) * 9 + u16::from(m.digit - 1)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.is_dead || self.filled == 81
    }
}

/// The reason a text is not a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseError {
    /// The number of cells, if not 81.
    Cells(usize),
    /// A character that is neither a digit nor a dot.
    Character(char),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Cells(cells) => write!(f, "a grid has 81 cells, not {cells}"),
            ParseError::Character(c) => write!(f, "{c:?} is neither a digit nor a dot"),
        }
    }
}

impl std::error::Error for ParseError {}

/// Parses 81 digits, with `0` or `.` for an empty cell; white space is ignored.
///
/// # Errors
/// If the number of cells is not 81, or on any other character.
pub fn read_digits(text: &str) -> Result<[u8; 81], ParseError> {
    let mut digits = [0; 81];
    let mut cells = 0;
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        let digit = if c == '.' { Some(0) } else { c.to_digit(10) };
        let digit = digit.ok_or(ParseError::Character(c))? as u8;
        if let Some(cell) = digits.get_mut(cells) {
            *cell = digit;
        }
        cells += 1;
    }
    if cells == 81 {
        Ok(digits)
    } else {
        Err(ParseError::Cells(cells))
    }
}

/// The grid with these digits, 0 for an empty cell. A grid with a digit twice in a unit counts as one that can't be
/// filled.
impl From<&[u8; 81]> for Grid {
    fn from(digits: &[u8; 81]) -> Grid {
        let mut grid = Grid::EMPTY;
        for (cell, &digit) in digits.iter().enumerate().filter(|(_, &digit)| digit > 0) {
            grid.fill(Fill { cell: cell as u8, digit });
        }
        grid.look();
        grid
    }
}

impl FromStr for Grid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Grid, ParseError> {
        read_digits(text).map(|digits| Grid::from(&digits))
    }
}

/// Prints nine rows of digits, with `.` for an empty cell; [`FromStr`] reads this format.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..81 {
            if cell > 0 && cell % 9 == 0 {
                f.write_str("\n")?;
            }
            match self.digit(cell) {
                Some(digit) => write!(f, "{digit}")?,
                None => f.write_str(".")?,
            }
        }
        Ok(())
    }
}
