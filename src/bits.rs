//! Small helpers on bitboards.

/// The bit number of the `n`-th set bit of `bits`, counted from the lowest, from 0.
///
/// # Panics
/// In debug builds if `bits` has no more than `n` bits set.
#[allow(unsafe_code)]
#[inline(always)]
pub fn nth_one(bits: u64, n: u32) -> u32 {
    debug_assert!(n < bits.count_ones(), "bit {n} of {} was asked for", bits.count_ones());
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") {
        // SAFETY: the target has the instruction.
        return unsafe { std::arch::x86_64::_pdep_u64(1 << n, bits) }.trailing_zeros();
    }
    nth_one_portable(bits, n)
}

/// Portable fallback: clears the lowest bits one after the other.
#[inline(always)]
fn nth_one_portable(mut bits: u64, n: u32) -> u32 {
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn both_ways_find_the_same_bit() {
        let mut rng = Rng::new(2);
        for _ in 0..1000 {
            let bits = rng.next_u64() & rng.next_u64();
            let ones: Vec<u32> = (0..64).filter(|i| bits >> i & 1 == 1).collect();
            for (n, &bit) in ones.iter().enumerate() {
                assert_eq!(nth_one(bits, n as u32), bit);
                assert_eq!(nth_one_portable(bits, n as u32), bit);
            }
        }
    }
}
