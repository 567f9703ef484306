//! The platform's maps: the holes and starting trees that follow from a game's seed.

use crate::photosynthesis::board::Board;
use crate::photosynthesis::cell::{ring, Cell, Cells, COUNT};

/// The most holes, as the platform draws their number: at most one more hole can come of it.
const MAX_HOLES: u32 = 10;
/// Trees of each player at the start.
const TREES: usize = 2;
/// A starting tree is farther from all others than this.
const APART: usize = 2;

/// The y coordinates of the rows in which the platform numbers cells when it draws holes: the order of a Java hash map
/// with 64 buckets, in which a cell's bucket follows from y alone.
const ROWS: [i32; 7] = [-1, -3, 2, 0, -2, 3, 1];

/// The start of the game that the platform plays for a seed: the same map, found by replaying its random numbers.
/// Checked against recorded games (`tests/logs/photosynthesis`).
pub fn start(seed: u64) -> Board {
    let mut random = JavaRandom::new(seed);
    let holes = holes(&mut random);
    loop {
        if let Some(owned) = trees(holes, &mut random) {
            return Board::start(holes, owned);
        }
    }
}

/// Draws cells, and makes them and their mirror images holes, until there are enough.
fn holes(random: &mut JavaRandom) -> Cells {
    let all: Vec<Cell> = (0..COUNT).filter_map(Cell::new).collect();
    let row = |y: i32| all.iter().copied().filter(move |cell| cell.place().0 + cell.place().1 == -y);
    let numbered: Vec<Cell> = ROWS.into_iter().flat_map(row).collect();
    let wanted = random.below(MAX_HOLES + 1);
    let mut holes: Cells = 0;
    while holes.count_ones() + 1 < wanted {
        let cell = numbered[random.below(COUNT as u32) as usize];
        holes |= cell.set() | cell.opposite().set();
    }
    holes
}

/// Draws a cell on the border for each of the first player's trees; the second's are opposite. `None` if no cell is far
/// enough from those before.
fn trees(holes: Cells, random: &mut JavaRandom) -> Option<[Cells; 2]> {
    let mut free: Vec<Cell> =
        (0..COUNT).filter_map(Cell::new).filter(|cell| cell.set() & ring(3) & !holes != 0).collect();
    let mut owned = [0; 2];
    for _ in 0..TREES {
        if free.is_empty() {
            return None;
        }
        let cell = free[random.below(free.len() as u32) as usize];
        let opposite = cell.opposite();
        owned[0] |= cell.set();
        owned[1] |= opposite.set();
        let taken = cell.near(APART) | opposite.near(APART) | cell.set() | opposite.set();
        free.retain(|cell| cell.set() & taken == 0);
    }
    Some(owned)
}

/// The generator `java.util.Random`: a linear congruential one of 48 bits (its documentation gives the formulas).
struct JavaRandom(u64);

impl JavaRandom {
    const FACTOR: u64 = 0x5_DEEC_E66D;

    fn new(seed: u64) -> JavaRandom {
        JavaRandom((seed ^ Self::FACTOR) & ((1 << 48) - 1))
    }

    /// 31 random bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(Self::FACTOR).wrapping_add(11) & ((1 << 48) - 1);
        self.0 >> 17
    }

    /// A number below `n`, drawn as `nextInt(n)` does.
    fn below(&mut self, n: u32) -> u32 {
        let n = u64::from(n);
        if n.is_power_of_two() {
            return ((n * self.next()) >> 31) as u32;
        }
        loop {
            let bits = self.next();
            let value = bits % n;
            // The last, incomplete range of numbers is drawn again.
            if bits - value + n - 1 < 1 << 31 {
                return value as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::photosynthesis::cell::{cells, BOARD};
    use coppice::Player;

    fn indices(set: Cells) -> Vec<usize> {
        let mut indices: Vec<usize> = cells(set).map(Cell::index).collect();
        indices.sort_unstable();
        indices
    }

    /// The maps of games that the published referee played with these seeds.
    #[test]
    fn maps_are_the_platforms() {
        for (seed, holes, first) in [
            (1, &[1, 4, 24, 33][..], [21, 26]),
            (2, &[], [25, 31]),
            (11, &[11, 12, 17, 18, 24, 25, 33, 34], [20, 26]),
            (12, &[7, 8, 13, 14, 20, 24, 27, 29, 33, 36], [31, 34]),
            (15, &[7, 9, 13, 15, 24, 33], [22, 35]),
        ] {
            let board = start(seed);
            assert_eq!(
                (indices(board.holes()), indices(board.owned(Player::FIRST))),
                (holes.to_vec(), first.to_vec())
            );
        }
    }

    #[test]
    fn maps_are_fair_and_of_all_kinds() {
        let mut counts = [0; MAX_HOLES as usize + 1];
        for seed in 0..500 {
            let board = start(seed);
            let mirror = |set: Cells| cells(set).map(|cell| cell.opposite().set()).sum::<u64>();
            assert_eq!(mirror(board.holes()), board.holes());
            assert_eq!(mirror(board.owned(Player::FIRST)), board.owned(Player::SECOND));
            assert_eq!(board.trees(Player::FIRST, 1).count_ones(), 2);
            assert_eq!(board.holes() & !BOARD, 0);
            counts[board.holes().count_ones() as usize] += 1;
        }
        assert!(counts[0] > 50 && counts[8] > 20, "{counts:?}");
    }
}
