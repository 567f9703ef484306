//! The encoder of `coppice::range_coder`.

use coppice::range_coder::{Coder, Odds};

/// Encodes bits into bytes (after Martin 1979, with carries as in LZMA).
#[derive(Debug, Clone)]
pub struct Encoder {
    low: u64,
    range: u32,
    /// The last byte that a carry can still change, and how many bytes of 255 follow it.
    held: u8,
    full: usize,
    first: bool,
    bytes: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder { low: 0, range: u32::MAX, held: 0, full: 0, first: true, bytes: Vec::new() }
    }
}

impl Encoder {
    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        if carry == 1 || self.low < 0xff00_0000 {
            if !self.first {
                self.bytes.push(self.held.wrapping_add(carry));
            }
            self.first = false;
            self.bytes.extend(std::iter::repeat_n(0xffu8.wrapping_add(carry), self.full));
            self.full = 0;
            self.held = (self.low >> 24) as u8;
        } else {
            self.full += 1;
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    /// The bytes, without the zeros at their end, which a decoder reads anyway.
    pub fn finish(mut self) -> Vec<u8> {
        (0..5).for_each(|_| self.shift());
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl Coder for Encoder {
    fn bit(&mut self, odds: &mut Odds, bit: bool) -> bool {
        let bound = odds.bound(self.range);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        odds.learn(bit);
        bit
    }
}

#[cfg(test)]
mod tests {
    use coppice::range_coder::{Decoder, EVEN};
    use coppice::Rng;

    use super::*;

    #[test]
    fn numbers_are_decoded_as_they_were_encoded_and_rare_ones_are_cheap() {
        let mut rng = Rng::new(2);
        for mostly_zero in [1, 2, 20, 1000] {
            let mut number = || if rng.below(mostly_zero) == 0 { rng.below(41) as i32 - 20 } else { 0 };
            let numbers: Vec<i32> = (0..20_000).map(|_| number()).collect();
            let (mut encoder, mut odds) = (Encoder::default(), EVEN);
            numbers.iter().for_each(|&number| assert_eq!(encoder.number(&mut odds, number), number));
            let bytes = encoder.finish();
            let (mut decoder, mut odds) = (Decoder::new(&bytes), EVEN);
            numbers.iter().for_each(|&number| assert_eq!(decoder.number(&mut odds, 0), number));
            if mostly_zero == 1000 {
                assert!(bytes.len() < 150, "{} bytes", bytes.len());
            }
        }
    }

    #[test]
    fn carries_run_through_full_bytes() {
        let mut rng = Rng::new(5);
        for _ in 0..300 {
            let bits: Vec<bool> = (0..rng.below(400)).map(|_| rng.below(50) != 0).collect();
            let (mut encoder, mut odds) = (Encoder::default(), Odds::EVEN);
            bits.iter().for_each(|&bit| _ = encoder.bit(&mut odds, bit));
            let bytes = encoder.finish();
            let (mut decoder, mut odds) = (Decoder::new(&bytes), Odds::EVEN);
            bits.iter().for_each(|&bit| assert_eq!(decoder.bit(&mut odds, false), bit));
        }
    }
}
