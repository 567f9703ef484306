//! Adaptive binary range coding: numbers that are mostly small, in few bytes.
//!
//! A bot's weights are decoded once, before its first turn. The decoder is here; the encoder is a tool's, over the same
//! [`Coder`] trait, so that the function that walks over the weights is written once and does both.

/// The odds that a bit is 0, learnt from the bits that came before: a fast and a slow estimate, in 1/65536.
#[derive(Debug, Clone, Copy)]
pub struct Odds([u16; 2]);

/// By how much an estimate moves towards a bit: 1/16 and 1/128 of the distance.
const RATES: [u32; 2] = [4, 7];

impl Odds {
    /// Even odds.
    pub const EVEN: Odds = Odds([1 << 15; 2]);

    /// The part of `range` that belongs to a 0: at least 1/64 and at most 63/64 of it, nearly.
    #[inline]
    pub fn bound(self, range: u32) -> u32 {
        let odds = (u32::from(self.0[0]) + u32::from(self.0[1])) >> 1;
        (range >> 16) * odds.clamp(256, 65_536 - 256)
    }

    /// Learns a bit.
    #[inline]
    pub fn learn(&mut self, bit: bool) {
        for (odds, rate) in self.0.iter_mut().zip(RATES) {
            let old = u32::from(*odds);
            *odds = (if bit { old - (old >> rate) } else { old + ((0xffff - old) >> rate) }) as u16;
        }
    }
}

/// The odds of the parts of a number: whether it is 0, its sign, and whether it is larger than 1, 2, 3 and so on.
pub type NumberOdds = [Odds; 16];

/// Even odds for each part of a number.
pub const EVEN: NumberOdds = [Odds::EVEN; 16];

/// Codes bits: an encoder passes on the bit that it is given, a decoder returns the one that was encoded.
pub trait Coder {
    /// Codes a bit with these odds, which learn it.
    fn bit(&mut self, odds: &mut Odds, bit: bool) -> bool;

    /// Codes a number in unary, with odds for each part.
    #[inline]
    fn number(&mut self, odds: &mut NumberOdds, number: i32) -> i32 {
        if !self.bit(&mut odds[0], number != 0) {
            return 0;
        }
        let negative = self.bit(&mut odds[1], number < 0);
        let mut size = 1;
        while self.bit(&mut odds[(size as usize + 1).min(15)], number.abs() > size) {
            size += 1;
        }
        if negative {
            -size
        } else {
            size
        }
    }
}

/// Decodes bytes; after their end it reads zeros.
#[derive(Debug, Clone)]
pub struct Decoder<'a> {
    bytes: std::slice::Iter<'a, u8>,
    range: u32,
    code: u32,
}

impl<'a> Decoder<'a> {
    /// A decoder at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { bytes: bytes.iter(), range: u32::MAX, code: 0 };
        (0..4).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn bit(&mut self, odds: &mut Odds, _: bool) -> bool {
        let bound = odds.bound(self.range);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
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
