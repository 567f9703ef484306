//! The weights as integers, and the walk over them that packs and unpacks.

use coppice::range_coder::{Coder, Decoder, NumberOdds, EVEN};

use super::numbers::NUMBERS;
use super::shapes::{weights, PATTERNS, WEIGHTS};
use super::{KNOTS, UNITS_PER_DISC};

/// The weights, in whole units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// A unit in fractions of a disc: [`UNITS_PER_DISC`] where they are packed.
    pub units: i32,
    /// By knot, in 1/512 of a disc, whatever the unit of the rows.
    pub numbers: [[i32; NUMBERS]; KNOTS],
    /// By weight of [`weights`] and knot.
    pub rows: Vec<i32>,
}

impl Default for Weights {
    /// All 0.
    fn default() -> Weights {
        Weights { units: UNITS_PER_DISC, numbers: [[0; NUMBERS]; KNOTS], rows: vec![0; WEIGHTS * KNOTS] }
    }
}

impl Weights {
    /// Decodes packed weights.
    pub fn unpack(bytes: &[u8]) -> Weights {
        let mut weights = Weights::default();
        weights.code(&mut Decoder::new(bytes));
        weights
    }

    /// Passes all weights through a coder and keeps what it returns: an encoder leaves them as they are, a decoder
    /// sets them.
    ///
    /// A row's weight is mostly like that of the next knot, which comes first, and like those of the row with one disc
    /// fewer.
    pub fn code<C: Coder>(&mut self, coder: &mut C) {
        let mut odds = [EVEN; 2];
        for number in self.numbers.iter_mut().flatten() {
            let high = coder.number(&mut odds[0], *number >> 6);
            *number = high << 6 | coder.number(&mut odds[1], *number & 63);
        }
        let mut start = 0;
        let weights = weights();
        let mut next = 0;
        for cells in PATTERNS {
            let rows = 3usize.pow(cells.len() as u32);
            let mut odds: [[NumberOdds; 9 * 9]; KNOTS] = [[EVEN; 81]; KNOTS];
            for row in 0..rows {
                let weight = weights[start + row] as usize;
                if weight != next {
                    continue;
                }
                next += 1;
                let [fewer, other] = simpler(row).map(|row| weights[start + row] as usize * KNOTS);
                for knot in (0..KNOTS).rev() {
                    // The empty row, the first, is like nothing yet.
                    let like = |at: usize| if row == 0 { 0 } else { self.rows[at + knot].clamp(-1, 1) };
                    let later = if knot + 1 < KNOTS { self.rows[weight * KNOTS + knot + 1] } else { 0 };
                    let latest = if knot + 2 < KNOTS { self.rows[weight * KNOTS + knot + 2] } else { 0 };
                    let context = (later.clamp(-1, 1) + 1) * 27
                        + (latest.clamp(-1, 1) + 1) * 9
                        + (like(fewer) + 1) * 3
                        + like(other)
                        + 1;
                    let at = weight * KNOTS + knot;
                    self.rows[at] = coder.number(&mut odds[knot][context as usize], self.rows[at]);
                }
            }
            start += rows;
        }
    }
}

/// The rows with one disc fewer: without that on the last cell that has one, and without that on the first.
fn simpler(row: usize) -> [usize; 2] {
    let (mut high, mut low) = (1, 1);
    while high * 3 <= row {
        high *= 3;
    }
    while row / low > 0 && row / low % 3 == 0 {
        low *= 3;
    }
    [row - row / high % 3 * high, row - row / low % 3 * low]
}
