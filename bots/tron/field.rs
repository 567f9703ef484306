//! The field: cells, directions, and sets of cells as one word a row.

use std::fmt;

use coppice::rng::mix;

/// Columns of the field.
pub const WIDTH: u32 = 30;
/// Rows of the field.
pub const HEIGHT: u32 = 20;
/// Cells of the field.
pub const CELLS: usize = (WIDTH * HEIGHT) as usize;

/// All cells of a row.
const ROW: u32 = (1 << WIDTH) - 1;

/// A cell, by its number: rows from the top, each from the left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cell(u16);

impl Cell {
    /// The cell in column `x` and row `y`; `None` if that is off the field.
    pub const fn at(x: i32, y: i32) -> Option<Cell> {
        if 0 <= x && x < WIDTH as i32 && 0 <= y && y < HEIGHT as i32 {
            Some(Cell((y * WIDTH as i32 + x) as u16))
        } else {
            None
        }
    }

    /// The cell with this number.
    ///
    /// # Panics
    /// In debug builds, if there is none.
    #[inline(always)]
    pub const fn new(number: u16) -> Cell {
        debug_assert!((number as usize) < CELLS, "a cell of the field");
        Cell(number)
    }

    /// The number, 0 to 599.
    #[inline(always)]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The column, 0 to 29.
    #[inline(always)]
    pub const fn x(self) -> u32 {
        self.0 as u32 % WIDTH
    }

    /// The row, 0 to 19.
    #[inline(always)]
    pub const fn y(self) -> u32 {
        self.0 as u32 / WIDTH
    }

    /// The neighbour in a direction; `None` if that is off the field.
    #[inline(always)]
    pub const fn step(self, direction: Direction) -> Option<Cell> {
        let (x, y) = (self.x(), self.y());
        match direction {
            Direction::Up if y > 0 => Some(Cell(self.0 - WIDTH as u16)),
            Direction::Right if x + 1 < WIDTH => Some(Cell(self.0 + 1)),
            Direction::Down if y + 1 < HEIGHT => Some(Cell(self.0 + WIDTH as u16)),
            Direction::Left if x > 0 => Some(Cell(self.0 - 1)),
            _ => None,
        }
    }

    /// The direction in which a cell is the neighbour of this one.
    pub fn direction_to(self, other: Cell) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| self.step(direction) == Some(other))
    }
}

/// A direction; y grows downwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// Towards row 0.
    #[default]
    Up,
    /// Towards the last column.
    Right,
    /// Towards the last row.
    Down,
    /// Towards column 0.
    Left,
}

impl Direction {
    /// All directions, in the order in which moves are listed.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

    /// The word of the protocol.
    pub const fn word(self) -> &'static str {
        match self {
            Direction::Up => "UP",
            Direction::Right => "RIGHT",
            Direction::Down => "DOWN",
            Direction::Left => "LEFT",
        }
    }

    /// Reads [`Direction::word`].
    pub fn read(word: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.word() == word)
    }
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Field([u32; HEIGHT as usize]);

impl Field {
    /// No cell.
    pub const EMPTY: Field = Field([0; HEIGHT as usize]);
    /// All cells.
    pub const ALL: Field = Field([ROW; HEIGHT as usize]);
    /// The cells of colour 0.
    pub const EVEN: Field = {
        let mut rows = [0x5555_5555 & ROW; HEIGHT as usize];
        let mut y = 1;
        while y < rows.len() {
            rows[y] = 0xaaaa_aaaa & ROW;
            y += 2;
        }
        Field(rows)
    };

    /// One cell.
    #[inline(always)]
    pub fn of(cell: Cell) -> Field {
        let mut field = Field::EMPTY;
        field.insert(cell);
        field
    }

    /// Whether a cell is in the set.
    #[inline(always)]
    pub const fn contains(&self, cell: Cell) -> bool {
        self.0[cell.y() as usize] >> cell.x() & 1 == 1
    }

    /// Adds a cell.
    #[inline(always)]
    pub fn insert(&mut self, cell: Cell) {
        self.0[cell.y() as usize] |= 1 << cell.x();
    }

    /// Takes a cell out.
    #[inline(always)]
    pub fn remove(&mut self, cell: Cell) {
        self.0[cell.y() as usize] &= !(1 << cell.x());
    }

    /// The cells of this set, of the other, or of both, as `join` says for each row.
    #[inline(always)]
    fn with(&self, other: &Field, join: impl Fn(u32, u32) -> u32) -> Field {
        let mut rows = self.0;
        for (row, &theirs) in rows.iter_mut().zip(&other.0) {
            *row = join(*row, theirs);
        }
        Field(rows)
    }

    /// The cells of either set.
    #[inline(always)]
    pub fn or(&self, other: &Field) -> Field {
        self.with(other, |own, theirs| own | theirs)
    }

    /// The cells of both sets.
    #[inline(always)]
    pub fn and(&self, other: &Field) -> Field {
        self.with(other, |own, theirs| own & theirs)
    }

    /// The cells that aren't in the other set.
    #[inline(always)]
    pub fn without(&self, other: &Field) -> Field {
        self.with(other, |own, theirs| own & !theirs)
    }

    /// The number of cells.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    /// The number of pairs of neighbours.
    #[inline(always)]
    pub fn edges(&self) -> u32 {
        let across: u32 = self.0.iter().map(|row| (row & row >> 1).count_ones()).sum();
        let down: u32 = self.0.iter().zip(&self.0[1..]).map(|(row, next)| (row & next).count_ones()).sum();
        across + down
    }

    /// The number of neighbours in another set, over all cells.
    #[inline(always)]
    pub fn degrees(&self, other: &Field) -> u32 {
        let next = |shift: fn(u32, u32) -> u32| -> u32 {
            self.0.iter().zip(&other.0).map(|(&row, &theirs)| shift(row, theirs).count_ones()).sum()
        };
        let down: u32 =
            self.0.iter().zip(&other.0[1..]).map(|(row, theirs)| (row & theirs).count_ones()).sum();
        let up: u32 = self.0[1..].iter().zip(&other.0).map(|(row, theirs)| (row & theirs).count_ones()).sum();
        next(|row, theirs| row & theirs >> 1) + next(|row, theirs| row & theirs << 1) + down + up
    }

    /// Takes the first cell out.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Cell> {
        let y = self.0.iter().position(|&row| row != 0)?;
        let x = self.0[y].trailing_zeros();
        self.0[y] &= self.0[y] - 1;
        Some(Cell((y as u32 * WIDTH + x) as u16))
    }

    /// A hash of the set.
    pub fn hash(&self) -> u64 {
        self.0
            .chunks(2)
            .fold(0, |hash, rows| mix(hash ^ rows.iter().fold(0, |pair, &row| pair << 32 | u64::from(row))))
    }

    /// Whether there is no cell.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, row| all | row) == 0
    }

    /// The neighbours of the cells, which may be in the set themselves.
    #[inline(always)]
    pub fn neighbours(&self) -> Field {
        let mut rows = [0; HEIGHT as usize];
        for (y, row) in rows.iter_mut().enumerate() {
            let own = self.0[y];
            let above = if y > 0 { self.0[y - 1] } else { 0 };
            let below = if y + 1 < HEIGHT as usize { self.0[y + 1] } else { 0 };
            *row = (own << 1 | own >> 1 | above | below) & ROW;
        }
        Field(rows)
    }

    /// The cells whose neighbours in the set aren't all connected by cells around them. All articulation points of the set
    /// are among them: without any one of the other cells, what is connected stays so.
    #[inline(always)]
    pub fn narrow_cells(&self) -> Field {
        let mut rows = [0; HEIGHT as usize + 2];
        rows[1..=HEIGHT as usize].copy_from_slice(&self.0);
        let mut narrow = Field::EMPTY;
        for (y, &row) in self.0.iter().enumerate() {
            let (n, s, e, w) = (rows[y], rows[y + 2], row >> 1, row << 1);
            let (ne, nw, se, sw) = (n & e & n >> 1, n & w & n << 1, s & e & s >> 1, s & w & s << 1);
            let opposite = n & s & !(ne & se | nw & sw) | e & w & !(ne & nw | se & sw);
            let east = n & e & !(ne | nw & sw & se) | s & e & !(se | ne & nw & sw);
            let west = n & w & !(nw | ne & se & sw) | s & w & !(sw | se & ne & nw);
            narrow.0[y] = row & (opposite | east | west);
        }
        narrow
    }

    /// The rows, from the top; column x is bit x.
    #[inline(always)]
    pub const fn rows(&self) -> &[u32; HEIGHT as usize] {
        &self.0
    }

    /// The cells, from the first row to the last.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..CELLS as u16).map(Cell).filter(|&cell| self.contains(cell))
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.cells().map(|cell| (cell.x(), cell.y()))).finish()
    }
}

/// The colour of a cell on a chessboard: 0 for that of column 0 and row 0.
#[inline(always)]
pub const fn colour(cell: Cell) -> usize {
    ((cell.x() + cell.y()) % 2) as usize
}
