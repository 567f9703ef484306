//! Cells of the grid as bits of a word, and the eight directions.

/// A set of cells: cell (x, y) is bit x + 8 y. Grids are at most 7 wide, so that a step over a side leads to a bit that
/// belongs to no grid.
pub type Cells = u64;

/// The widest grid.
pub const SIDE: u8 = 7;

/// The place of a unit that isn't seen, or that doesn't exist.
pub const NOWHERE: u8 = 255;

/// A direction: 0 is north, then clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Direction(u8);

const NAMES: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
const STEPS: [i8; 8] = [-8, -7, 1, 9, 8, 7, -1, -9];

impl Direction {
    /// All, in the order of their names.
    pub const BY_NAME: [Direction; 8] = [
        Direction(2),
        Direction(0),
        Direction(1),
        Direction(7),
        Direction(4),
        Direction(3),
        Direction(5),
        Direction(6),
    ];

    /// The direction with this number, modulo 8.
    #[inline(always)]
    pub const fn new(number: u8) -> Direction {
        Direction(number & 7)
    }

    /// The number: 0 is north, then clockwise.
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The number of eighths of a turn between two directions, 0 to 4.
    #[inline(always)]
    pub const fn turn_to(self, other: Direction) -> u8 {
        let turn = other.0.wrapping_sub(self.0) & 7;
        if turn > 4 {
            8 - turn
        } else {
            turn
        }
    }

    /// The protocol's name, such as `NW`.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// The direction with this name, in any case.
    pub fn named(name: &str) -> Option<Direction> {
        let number = NAMES.iter().position(|other| other.eq_ignore_ascii_case(name))?;
        Some(Direction(number as u8))
    }

    /// The cell one step away; one that is in no grid if the step leaves it.
    #[inline(always)]
    pub const fn from(self, cell: u8) -> u8 {
        cell.wrapping_add_signed(STEPS[self.0 as usize])
    }
}

/// The number of a cell.
#[inline(always)]
pub const fn cell(x: u8, y: u8) -> u8 {
    x + 8 * y
}

/// The column and the row of a cell.
#[inline(always)]
pub const fn place(cell: u8) -> (u8, u8) {
    (cell % 8, cell / 8)
}

/// The set of a cell; empty for [`NOWHERE`] and all other numbers beyond the grid.
#[inline(always)]
pub const fn bit(cell: u8) -> Cells {
    if cell < 64 {
        1 << cell
    } else {
        0
    }
}

/// The neighbours of a set, and the set itself. May contain bits that are in no grid.
#[inline(always)]
pub const fn around(cells: Cells) -> Cells {
    let row = cells | cells << 1 | cells >> 1;
    row | row << 8 | row >> 8
}

/// The cells of a set, lowest first.
#[inline(always)]
pub fn each(mut cells: Cells) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let next = (cells != 0).then(|| cells.trailing_zeros() as u8);
        cells &= cells.wrapping_sub(1);
        next
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of a 7x7 grid.
    fn grid() -> Cells {
        (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| bit(cell(x, y)))).fold(0, |all, one| all | one)
    }

    #[test]
    fn steps_stay_on_the_grid_or_leave_all_grids() {
        for at in each(grid()) {
            let (x, y) = place(at);
            let mut met = bit(at);
            for (direction, (dx, dy)) in (0..8).map(Direction::new).zip([
                (0, -1),
                (1, -1),
                (1, 0),
                (1, 1),
                (0, 1),
                (-1, 1),
                (-1, 0),
                (-1, -1),
            ]) {
                let (to_x, to_y) = (x as i8 + dx, y as i8 + dy);
                let is_inside = (0..7).contains(&to_x) && (0..7).contains(&to_y);
                let to = direction.from(at);
                assert_eq!(bit(to) & grid() != 0, is_inside, "{x} {y} {}", direction.name());
                if is_inside {
                    assert_eq!(place(to), (to_x as u8, to_y as u8));
                    met |= bit(to);
                }
            }
            assert_eq!(around(bit(at)) & grid(), met);
        }
    }

    #[test]
    fn directions_are_listed_by_name() {
        let names = Direction::BY_NAME.map(Direction::name);
        assert!(names.is_sorted(), "{names:?}");
        for direction in Direction::BY_NAME {
            assert_eq!(Direction::named(direction.name()), Some(direction));
        }
        assert_eq!(Direction::named("nw"), Direction::named("NW"));
        assert_eq!(Direction::named("north"), None);
        assert_eq!(Direction::new(7).turn_to(Direction::new(1)), 2);
        assert_eq!(Direction::new(1).turn_to(Direction::new(5)), 4);
    }
}
