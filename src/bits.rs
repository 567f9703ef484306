//! Small helpers on bitboards.

/// The bit number of the `n`-th set bit of `bits`, counted from the lowest, from 0.
///
/// # Panics
/// In debug builds if `bits` has no more than `n` bits set.
#[inline(always)]
pub fn nth_one(mut bits: u64, n: u32) -> u32 {
    debug_assert!(n < bits.count_ones(), "bit {n} of {} was asked for", bits.count_ones());
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}
