//! The seeded random generator, used for playouts and tie-breaks.

use rand::rngs::SmallRng;
use rand::{RngCore, SeedableRng};

/// `SmallRng` of the crate rand, which on 64-bit machines is xoshiro256++ (Blackman and Vigna,
/// *Scrambled Linear Pseudorandom Number Generators*, 2021), seeded by SplitMix64. The same seed gives
/// the same numbers on every such machine. Not for secrets.
#[derive(Debug, Clone)]
pub struct Rng(SmallRng);

impl Rng {
    /// A generator whose numbers follow from `seed` alone.
    pub fn new(seed: u64) -> Rng {
        Rng(SmallRng::seed_from_u64(seed))
    }

    /// The next 64 bits, all of them uniform.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n` by multiplication (Lemire, *Fast Random Integer Generation in an
    /// Interval*, 2019, without its rejection step: no number is likelier than another by more
    /// than n / 2^32).
    ///
    /// # Panics
    /// In debug builds if `n` is 0.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0, "a number below 0 was asked for");
        (((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// The increment of one step of [`split_mix`]: to skip `n` numbers, add it `n` times.
pub const SPLIT_MIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// One step of SplitMix64 (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number
/// Generators*, 2014): also a good way to derive independent seeds from one.
#[inline]
pub fn split_mix(x: &mut u64) -> u64 {
    *x = x.wrapping_add(SPLIT_MIX_STEP);
    mix(*x)
}

/// SplitMix64's finaliser: a bijection in which every input bit changes every output bit with
/// probability near one half. Good enough to hash a small state.
#[inline(always)]
pub const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// xoshiro256++ from the state that SplitMix64 makes of seed 0, by its authors' programs.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut rng = Rng::new(0);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [5987356902031041503, 7051070477665621255, 6633766593972829180]);
    }

    /// The first outputs of SplitMix64 from seed 1234567, as its reference implementation prints them.
    #[test]
    fn split_mix_is_the_published_one() {
        let mut x = 1_234_567;
        let first: Vec<u64> = (0..3).map(|_| split_mix(&mut x)).collect();
        assert_eq!(first, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // Five standard deviations of a binomial count (sd 92.6).
        assert!(counts.iter().all(|&c| c.abs_diff(10_000) < 463), "{counts:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let (mut a, mut b, mut c) = (Rng::new(5), Rng::new(5), Rng::new(6));
        let a: Vec<u64> = (0..10).map(|_| a.next_u64()).collect();
        assert_eq!(a, (0..10).map(|_| b.next_u64()).collect::<Vec<_>>());
        assert_ne!(a, (0..10).map(|_| c.next_u64()).collect::<Vec<_>>());
    }
}
