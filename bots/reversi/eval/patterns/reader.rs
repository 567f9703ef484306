//! Reads the patterns of a position: the table row of each place.

use super::shapes::{places, PLACES};

/// Places, rounded up to whole vectors.
pub const LANES: usize = 48;

/// By four cells of the board and their discs: what the mover's discs there add to each place's row. An opponent's
/// disc adds twice that. So a position's rows are two sums of 16 vectors.
#[derive(Debug, Clone)]
pub struct Reader(Box<[[[u16; LANES]; 16]; 16]>);

impl Reader {
    /// Prepares the sums.
    pub fn new() -> Reader {
        let mut sums = Box::new([[[0; LANES]; 16]; 16]);
        for (lane, (_, cells)) in places().iter().enumerate() {
            for (digit, &cell) in cells.iter().enumerate() {
                for (discs, sums) in sums[usize::from(cell / 4)].iter_mut().enumerate() {
                    sums[lane] += if discs >> (cell % 4) & 1 == 1 { 3u16.pow(digit as u32) } else { 0 };
                }
            }
        }
        Reader(sums)
    }

    /// The row of each place in its pattern's table; the lanes after [`PLACES`] are 0.
    #[inline(always)]
    pub fn rows(&self, own: u64, opponent: u64) -> [u16; LANES] {
        const { assert!(PLACES <= LANES) };
        let mut own_sum = [0u16; LANES];
        let mut opponent_sum = [0u16; LANES];
        for (i, sums) in self.0.iter().enumerate() {
            let of = |discs: u64| &sums[(discs >> (4 * i)) as usize & 15];
            let (own, opponent) = (of(own), of(opponent));
            for lane in 0..LANES {
                own_sum[lane] = own_sum[lane].wrapping_add(own[lane]);
                opponent_sum[lane] = opponent_sum[lane].wrapping_add(opponent[lane]);
            }
        }
        std::array::from_fn(|lane| own_sum[lane].wrapping_add(opponent_sum[lane] << 1))
    }

    /// The rows after a move of the opponent, who placed a disc on `placed` and turned the mover's discs `turned`.
    #[inline(always)]
    pub fn after(&self, before: &[u16; LANES], turned: u64, placed: u64) -> [u16; LANES] {
        let mut rows = *before;
        // From 1 to 2, and from 0 to 2.
        for (mut discs, share) in [(turned, 0), (placed, 1)] {
            while discs != 0 {
                let cell = discs.trailing_zeros();
                let sums = &self.0[(cell / 4) as usize & 15][1 << (cell % 4)];
                for lane in 0..LANES {
                    rows[lane] = rows[lane].wrapping_add(sums[lane] << share);
                }
                discs &= discs - 1;
            }
        }
        rows
    }
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::new()
    }
}
