//! Endgame database: the values of all positions with few counters, one byte each under a gapless index.
//!
//! The positions with a given number of counters form a *level*. A move that stores nothing stays within its level
//! and brings its counters closer to the store. Sides are numbered so that this lowers the number, so the loops of
//! [`Few::grow`] visit a position after all of its successors. The side with fewer counters is the most significant
//! digit, so that successive look-ups lie close together in memory.

use coppice::clock::Meter;
use coppice::Game;

use super::child::Child;
use crate::mancala::board::Board;
use crate::mancala::sown::MAX_HOLES;

/// Positions with more counters than this have no index.
const MOST: u32 = 22;

const SUMS: usize = MOST as usize + 1;

/// The values of all positions with fewer than [`Few::levels`] counters in the holes.
#[derive(Debug, Clone)]
pub struct Few {
    holes: u32,
    empty_capture: bool,
    /// By the counters in three holes, five bits each: the triple's index among those with the same sum in the high
    /// bits, the sum in the low five.
    triples: Vec<u16>,
    /// By the sum of a side and of its three holes far from the store: the number of sides with lower indices.
    sides: [[u32; SUMS]; SUMS],
    /// By the sum of a side: the number of such sides.
    distributions: [u32; SUMS],
    /// By the sum of all holes and of the mover's: the number of positions with lower indices.
    boards: [[u32; SUMS]; SUMS],
    /// Levels computed, and levels that fit into memory.
    levels: u32,
    room: u32,
    /// The number of counters the mover gets, by index.
    values: Vec<u8>,
}

/// The number of ways to distribute `counters` over `holes`.
const fn distributions(counters: u32, holes: u32) -> u32 {
    if holes == 0 {
        return (counters == 0) as u32;
    }
    let (mut ways, mut i) = (1u64, 1);
    while i < holes {
        ways = ways * (counters + i) as u64 / i as u64;
        i += 1;
    }
    ways as u32
}

impl Few {
    /// An empty database for a variant, with room for as many levels as fit into `bytes` bytes.
    pub fn new(holes: u32, empty_capture: bool, bytes: usize) -> Few {
        let mut triples = vec![0; 1 << 15];
        let mut numbers = [0; SUMS];
        for i in 0..triples.len() {
            // The hole farthest from the store is the most significant digit.
            let (far, middle, near) = (i >> 10, i >> 5 & 31, i & 31);
            let sum = far + middle + near;
            if let Some(number) = numbers.get_mut(sum) {
                triples[far | middle << 5 | near << 10] = *number << 5 | sum as u16;
                *number += 1;
            }
        }
        let (far, near) = (holes.saturating_sub(3), holes.min(3));
        let mut sides = [[0; SUMS]; SUMS];
        let mut boards = [[0; SUMS]; SUMS];
        let mut below = 0;
        for sum in 0..SUMS {
            let mut within = 0;
            for first in 0..=sum {
                let last = (sum - first) as u32;
                sides[sum][first] = within;
                boards[sum][first] = below;
                within += distributions(first as u32, far) * distributions(last, near);
                below += distributions(first as u32, holes) * distributions(last, holes);
            }
        }
        let distributions = std::array::from_fn(|sum| distributions(sum as u32, holes));
        let fits = |&levels: &u32| boards[levels as usize][0] as usize <= bytes;
        let room = (1..=MOST).take_while(fits).last().unwrap_or(0);
        let values = Vec::with_capacity(boards[room as usize][0] as usize);
        Few { holes, empty_capture, triples, sides, distributions, boards, levels: 0, room, values }
    }

    /// Positions with fewer counters than this are solved.
    #[inline(always)]
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// The number of positions in the next level; `None` if it doesn't fit.
    pub fn next(&self) -> Option<usize> {
        let level = self.levels as usize;
        (self.levels < self.room).then(|| (self.boards[level + 1][0] - self.boards[level][0]) as usize)
    }

    /// Computes the next level, which must fit, counting one node for each position. Leaves the database unchanged if
    /// the budget runs out first.
    pub fn grow<const EVERY: u64>(&mut self, meter: &mut Meter<EVERY>) {
        let level = self.levels as usize;
        let begin = self.values.len();
        self.values.resize(self.boards[level + 1][0] as usize, 0);
        let sides = self.all_sides(level as u64);
        for few in 0..=level / 2 {
            let many = level - few;
            let (forth, back) = (self.boards[level][few] as usize, self.boards[level][many] as usize);
            let len = sides[many].len();
            for (i, &side) in sides[few].iter().enumerate() {
                // With equal sums a pair of sides is met twice; it is handled at the later one.
                let others = if few == many { &sides[many][..=i] } else { &sides[many] };
                if !meter.take_many((2 * others.len() - usize::from(few == many)) as u64) {
                    return self.values.truncate(begin);
                }
                for (j, &other) in others.iter().enumerate() {
                    if few < many || j < i {
                        self.values[forth + i * len + j] = self.solve_position(side, other);
                    }
                }
                for (j, &other) in others.iter().enumerate() {
                    let at = if few < many { i * len + j } else { j * len + i };
                    self.values[back + at] = self.solve_position(other, side);
                }
            }
        }
        self.levels += 1;
    }

    /// All sides with at most `most` counters, one byte a hole, by sum and index.
    fn all_sides(&self, most: u64) -> Vec<Vec<u64>> {
        let mut all: Vec<Vec<u64>> =
            (0..=most).map(|sum| vec![0; self.distributions[sum as usize] as usize]).collect();
        let first = MAX_HOLES - self.holes as usize;
        self.fill(first, 0, most, &mut |side| {
            let (number, sum) = self.side(side);
            all[sum][number as usize] = side;
        });
        all
    }

    /// Distributes up to `left` counters over the holes from byte `at` on, in every way.
    fn fill(&self, at: usize, side: u64, left: u64, then: &mut impl FnMut(u64)) {
        if at == MAX_HOLES {
            return then(side);
        }
        for counters in 0..=left {
            self.fill(at + 1, side | counters << (8 * at), left - counters, then);
        }
    }

    /// The number of counters the mover gets; all successors must be solved.
    #[inline(always)]
    fn solve_position(&self, own: u64, other: u64) -> u8 {
        let board = Board::of_sides(own, other, self.holes, self.empty_capture);
        let mut list = <Board as Game>::Moves::default();
        board.moves(&mut list);
        let value = |&hole: &u8| {
            let child = Child::new(&board, hole);
            let (own, other) = child.board.sides();
            child.total(self.get(own, other))
        };
        list.iter().map(value).max().unwrap_or(0) as u8
    }

    /// The number of counters the mover gets, for a position with fewer than [`Few::levels`] counters, one byte a
    /// hole.
    #[inline(always)]
    pub fn get(&self, own: u64, other: u64) -> u32 {
        u32::from(self.values[self.number(own, other)])
    }

    /// The index of a position with at most [`MOST`] counters.
    #[inline(always)]
    pub fn number(&self, own: u64, other: u64) -> usize {
        let ((own, own_sum), (other, other_sum)) = (self.side(own), self.side(other));
        let below = self.boards[own_sum + other_sum][own_sum];
        let within = if own_sum <= other_sum {
            own * self.distributions[other_sum] + other
        } else {
            other * self.distributions[own_sum] + own
        };
        (below + within) as usize
    }

    /// The index of a side among those with the same sum, and the sum.
    #[inline(always)]
    fn side(&self, side: u64) -> (u32, usize) {
        let triple = |three: u64| {
            let at = three & 31 | three >> 3 & 0x3e0 | three >> 6 & 0x7c00;
            let triple = self.triples[at as usize];
            (u32::from(triple >> 5), usize::from(triple & 31))
        };
        let ((far, far_sum), (near, near_sum)) = (triple(side), triple(side >> 24));
        (
            self.sides[far_sum + near_sum][far_sum] + far * self.near_distributions(near_sum) + near,
            far_sum + near_sum,
        )
    }

    /// The number of ways to distribute `counters` over the three holes near the store. Only called when holes beyond
    /// them exist.
    #[inline(always)]
    fn near_distributions(&self, counters: usize) -> u32 {
        (counters as u32 + 1) * (counters as u32 + 2) / 2
    }
}
