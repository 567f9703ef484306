//! Inputs of networks that read rows of holes.

use super::MAX_HOLES;

/// Numbers of counters in a hole that are told apart: this many less one and more are one.
pub const COUNTS: u64 = 16;

/// An input for each hole of both sides and each number of counters.
#[inline(always)]
pub fn holes(sides: [u64; 2]) -> [u64; 3] {
    let mut words = [0; 3];
    for place in 0..2 * MAX_HOLES {
        let count = counters(sides[place / MAX_HOLES], place % MAX_HOLES).min(COUNTS - 1);
        words[place / 4] |= 1 << (COUNTS * (place % 4) as u64 + count);
    }
    words
}

/// Exchanges the sides of these inputs.
#[inline(always)]
pub fn turned([a, b, c]: [u64; 3]) -> [u64; 3] {
    [b >> 32 | c << 32, c >> 32 | a << 32, a >> 32 | b << 32]
}

/// Exchanges the `bits` bits from `at` on with the next `bits`; all others become 0.
#[inline(always)]
pub fn exchanged(word: u64, at: u32, bits: u32) -> u64 {
    let low = (1 << bits) - 1;
    (word >> at & low) << (at + bits) | (word >> (at + bits) & low) << at
}

/// The counters in a hole.
#[inline(always)]
pub fn counters(side: u64, hole: usize) -> u64 {
    side >> (8 * hole) & 0xff
}
