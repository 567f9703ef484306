//! Cells of the hexagonal board, and sets of them as bits.
//!
//! A cell with the platform's cube coordinates (x, y, z) is bit `8 (z + 3) + x + 3` of a 64-bit set. A step in one of the
//! six directions is then a shift by a constant, whatever the cell; bits outside of the board are masked out.

use std::fmt;

/// A set of cells, one bit each.
pub type Cells = u64;

/// The number of cells.
pub const COUNT: usize = 37;

/// The number of directions, in which neighbours are listed and the sun shines.
pub const DIRECTIONS: usize = 6;

/// The farthest that anything reaches: a tree's shadow and its seeds.
pub const REACH: usize = 3;

/// Bits by which a set moves one step in each direction; a negative number is a shift to the right.
const STEPS: [i32; DIRECTIONS] = [1, -7, -8, -1, 7, 8];

/// (x, z) of one step in each direction.
const OFFSETS: [(i32, i32); DIRECTIONS] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

/// The bit of each cell, by the platform's index: the centre, then rings from the inside, each from the corner in
/// direction 0 around through directions 2, 3, 4, 5, 0 and 1.
const BITS: [u8; COUNT] = bits();

/// The platform's index of each bit; 255 outside of the board.
const INDICES: [u8; 64] = indices();

/// All cells of the board.
pub const BOARD: Cells = ring(0) | ring(1) | ring(2) | ring(3);

/// The cells within 1, 2 and 3 steps of each bit, without itself, by steps.
const NEAR: [[Cells; REACH + 1]; 64] = near();

const fn bits() -> [u8; COUNT] {
    let mut bits = [0; COUNT];
    bits[0] = bit(0, 0);
    let (mut index, mut radius) = (1, 1);
    while radius <= 3 {
        let (mut x, mut z) = (radius, 0);
        let mut side = 0;
        while side < DIRECTIONS {
            let mut step = 0;
            while step < radius {
                bits[index] = bit(x, z);
                index += 1;
                let (dx, dz) = OFFSETS[(side + 2) % DIRECTIONS];
                (x, z) = (x + dx, z + dz);
                step += 1;
            }
            side += 1;
        }
        radius += 1;
    }
    bits
}

const fn bit(x: i32, z: i32) -> u8 {
    (8 * (z + 3) + x + 3) as u8
}

const fn indices() -> [u8; 64] {
    let mut indices = [u8::MAX; 64];
    let mut index = 0;
    while index < COUNT {
        indices[BITS[index] as usize] = index as u8;
        index += 1;
    }
    indices
}

const fn near() -> [[Cells; REACH + 1]; 64] {
    let mut near = [[0; REACH + 1]; 64];
    let mut index = 0;
    while index < COUNT {
        let own = 1 << BITS[index];
        let (mut reached, mut steps) = (own, 1);
        while steps <= REACH {
            reached = spread(reached);
            near[BITS[index] as usize][steps] = reached & !own;
            steps += 1;
        }
        index += 1;
    }
    near
}

/// The cells of a ring, from 0, the centre, to 3, the border.
pub const fn ring(radius: usize) -> Cells {
    let (first, last) = match radius {
        0 => (0, 1),
        1 => (1, 7),
        2 => (7, 19),
        _ => (19, COUNT),
    };
    let (mut cells, mut index) = (0, first);
    while index < last {
        cells |= 1 << BITS[index];
        index += 1;
    }
    cells
}

/// A set moved one step in a direction; what leaves the board is gone.
#[inline(always)]
pub const fn step(cells: Cells, direction: usize) -> Cells {
    let by = STEPS[direction];
    BOARD & if by > 0 { cells << by } else { cells >> -by }
}

/// The cells at 1 to `steps` steps from those of a set, in one direction.
#[inline(always)]
pub const fn ray(cells: Cells, direction: usize, steps: usize) -> Cells {
    let (mut front, mut hit, mut at) = (cells, 0, 0);
    while at < steps {
        front = step(front, direction);
        hit |= front;
        at += 1;
    }
    hit
}

/// A set and all its neighbours.
#[inline(always)]
pub const fn spread(cells: Cells) -> Cells {
    let (mut all, mut direction) = (cells, 0);
    while direction < DIRECTIONS {
        all |= step(cells, direction);
        direction += 1;
    }
    all
}

/// A cell of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cell(u8);

impl Cell {
    /// The cell with the platform's index, 0 to 36; `None` for any other number.
    pub fn new(index: usize) -> Option<Cell> {
        BITS.get(index).map(|&bit| Cell(bit))
    }

    /// The platform's index, 0 to 36.
    pub fn index(self) -> usize {
        INDICES[usize::from(self.0)].into()
    }

    /// The number of the cell's bit, below 64.
    #[inline(always)]
    pub fn bit(self) -> usize {
        (self.0 & 63).into()
    }

    /// The set that holds only this cell.
    #[inline(always)]
    pub fn set(self) -> Cells {
        1 << self.0
    }

    /// The cells within `steps` steps, at most 3, without itself.
    #[inline(always)]
    pub fn near(self, steps: usize) -> Cells {
        NEAR[self.bit()][steps]
    }

    /// The neighbour in a direction; `None` outside of the board.
    pub fn neighbour(self, direction: usize) -> Option<Cell> {
        cells(step(self.set(), direction)).next()
    }

    /// The cell on the other side of the centre.
    pub fn opposite(self) -> Cell {
        // (x, z) becomes (-x, -z).
        Cell(6 * 8 + 6 - self.0)
    }

    /// The cube coordinates x and z.
    pub fn place(self) -> (i32, i32) {
        let bit = i32::from(self.0);
        (bit % 8 - 3, bit / 8 - 3)
    }

    /// The first cell of a set, in the order of bits; any cell if the set is empty.
    #[inline(always)]
    pub fn first(cells: Cells) -> Cell {
        Cell(cells.trailing_zeros() as u8 & 63)
    }
}

/// The platform's index.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index().fmt(f)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index().fmt(f)
    }
}

/// The cells of a set, in the order of bits.
#[inline(always)]
pub fn cells(set: Cells) -> impl Iterator<Item = Cell> {
    let mut left = set;
    std::iter::from_fn(move || {
        let cell = Cell::first(left);
        let found = left != 0;
        left &= left.wrapping_sub(1);
        found.then_some(cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Cell> {
        (0..COUNT).filter_map(Cell::new)
    }

    /// Steps between two cells: half the sum of the differences of the three cube coordinates.
    fn distance(a: Cell, b: Cell) -> usize {
        let ((ax, az), (bx, bz)) = (a.place(), b.place());
        let (dx, dz) = (ax - bx, az - bz);
        ((dx.abs() + dz.abs() + (dx + dz).abs()) / 2) as usize
    }

    #[test]
    fn cells_are_numbered_as_on_the_platform() {
        assert_eq!((BOARD.count_ones(), Cell::new(COUNT)), (37, None));
        let neighbours = |index: usize| {
            let cell = Cell::new(index).expect("a cell");
            let index = |direction| cell.neighbour(direction).map_or(-1, |cell| cell.index() as i32);
            [0, 1, 2, 3, 4, 5].map(index)
        };
        // From a recorded game.
        assert_eq!(neighbours(0), [1, 2, 3, 4, 5, 6]);
        assert_eq!(neighbours(9), [21, 22, 23, 10, 2, 8]);
        assert_eq!(neighbours(19), [-1, -1, 20, 7, 36, -1]);
        assert_eq!(neighbours(33), [34, 17, 16, 32, -1, -1]);
    }

    #[test]
    fn sets_hold_what_their_names_say() {
        for a in all() {
            assert_eq!((Cell::new(a.index()), a.opposite().opposite()), (Some(a), a));
            for steps in 1..=REACH {
                let near = all().filter(|&b| b != a && distance(a, b) <= steps);
                assert_eq!(a.near(steps), near.map(Cell::set).sum::<u64>());
            }
            for direction in 0..DIRECTIONS {
                let mut line = std::iter::successors(Some(a), |cell| cell.neighbour(direction)).skip(1);
                let near: Cells = line.by_ref().take(2).map(Cell::set).sum();
                assert_eq!(ray(a.set(), direction, 2), near);
                assert_eq!(ray(a.set(), direction, 3), near | line.take(1).map(Cell::set).sum::<u64>());
            }
        }
        assert!((0..4)
            .all(|radius| cells(ring(radius)).all(|cell| distance(cell, Cell::first(ring(0))) == radius)));
    }
}
