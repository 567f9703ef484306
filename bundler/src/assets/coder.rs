//! Entropy coder for small files: predicts each bit from several contexts, mixes the predictions by learned weights,
//! and writes digits of any radix with a range coder.
//!
//! A context is a mask over the history: the last six bytes, the byte one row above, and the column. The row length is
//! chosen together with the masks, so one decoder serves text, tables of numbers and records.

use super::radix::Alphabet;
use crate::rustc::cache::{Cache, Key};
use crate::rustc::stage_cache::program_identity;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

include!("decoders/model.rs");

/// The source of the model, shared by encoder and decoder.
pub const MODEL: &str = include_str!("decoders/model.rs");

const ABOVE: u64 = 0xFF << 48;
const COLUMN: u64 = 0xFF << 56;
/// The candidate contexts, as masks over the history.
const MASKS: [u64; 14] = [
    COLUMN,
    0xFF,
    COLUMN | 0xFF,
    COLUMN | ABOVE,
    COLUMN | ABOVE | 0xFF,
    ABOVE,
    0xFFFF,
    COLUMN | 0xFFFF,
    COLUMN | 0xFF00,
    COLUMN | ABOVE | 0xFFFF,
    0x00FF_FFFF,
    0xFFFF_FFFF,
    0xFFFF_FFFF_FFFF,
    COLUMN | 0xF0,
];
/// Maximum number of contexts; more cost more time than they save.
const MOST: usize = 5;
/// Maximum number of bytes times contexts: 60 kB in four contexts take about 15 ms to decode.
const LOOKS: usize = 250_000;
/// Learning rates of the weights, as written in source.
const RATES: [&str; 3] = ["0.002", "0.006", "0.02"];
/// Bytes of a file that are used to choose the contexts.
const SAMPLE: usize = 12_000;
/// The kind of its cache entries.
const KIND: &str = "coding";
/// Characters of source that one more context costs.
const CONTEXT_COST: f64 = 20.0;

/// The parameters that a file is coded with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coding {
    /// The length of a row in bytes.
    pub stride: usize,
    /// The learning rate of the weights, as written in source.
    pub rate: Cow<'static, str>,
    /// The contexts.
    pub masks: Vec<u64>,
}

impl Coding {
    /// The parameters of [`Coding::choose`], from the cache if it has them: choosing encodes the file dozens of times.
    pub fn remembered(bytes: &[u8], cache: &Cache) -> Coding {
        let key = Key::of(&[program_identity().as_bytes(), bytes]);
        if let Some(known) = cache.get(KIND, &key).and_then(|json| serde_json::from_slice(&json).ok()) {
            return known;
        }
        let coding = Coding::choose(bytes);
        cache.put(KIND, &key, &serde_json::to_vec(&coding).unwrap_or_default());
        coding
    }

    /// Chooses the parameters for a file.
    pub fn choose(bytes: &[u8]) -> Coding {
        let sample = sample(bytes);
        let mut best: Option<(f64, Coding)> = None;
        for stride in strides(&sample) {
            let coding = Coding { stride, rate: RATES[1].into(), masks: vec![COLUMN, 0xFF, COLUMN | ABOVE] };
            let cost = coding.cost(&sample);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, coding));
            }
        }
        let stride = best.map_or(1, |(_, c)| c.stride);
        let mut coding = Coding { stride, rate: RATES[1].into(), masks: Vec::new() };
        let mut least = f64::INFINITY;
        let most = (LOOKS / bytes.len().max(1)).clamp(2, MOST);
        while coding.masks.len() < most {
            let tried = MASKS.iter().filter(|m| !coding.masks.contains(m)).map(|&mask| {
                let mut more = coding.clone();
                more.masks.push(mask);
                (more.cost(&sample), more)
            });
            let Some((cost, more)) = tried.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            // Scales the sample's saving to the whole file.
            let scale = bytes.len() as f64 / sample.len().max(1) as f64;
            if (least - cost) * scale <= CONTEXT_COST {
                break;
            }
            least = cost;
            coding = more;
        }
        for rate in RATES {
            let other = Coding { rate: rate.into(), ..coding.clone() };
            let cost = other.cost(&sample);
            if cost < least {
                least = cost;
                coding = other;
            }
        }
        coding
    }

    /// Encodes a file as digits.
    pub fn digits(&self, bytes: &[u8], radix: u64) -> Vec<u64> {
        let mut writer = Writer::new(radix);
        self.run(bytes, |chance, bit| writer.bit(chance, bit));
        writer.finish()
    }

    /// The approximate size in bytes of a coded file.
    fn cost(&self, bytes: &[u8]) -> f64 {
        let mut bits = 0.0;
        self.run(bytes, |chance, bit| {
            let p = chance as f64 / 65536.0;
            bits -= if bit { p } else { 1.0 - p }.log2();
        });
        bits / 8.0
    }

    /// Calls `with` for every bit with the chance that it is set.
    fn run(&self, bytes: &[u8], mut with: impl FnMut(u64, bool)) {
        let mut at = 0;
        let bit_of = |chance| {
            let bit = bytes[at / 8] >> (7 - at % 8) & 1 == 1;
            at += 1;
            with(chance, bit);
            bit
        };
        let (size, rate) = (bytes.len(), self.rate.parse().unwrap_or(0.0));
        match *self.masks {
            [a] => modelled(size, self.stride, rate, [a], bit_of),
            [a, b] => modelled(size, self.stride, rate, [a, b], bit_of),
            [a, b, c] => modelled(size, self.stride, rate, [a, b, c], bit_of),
            [a, b, c, d] => modelled(size, self.stride, rate, [a, b, c, d], bit_of),
            [a, b, c, d, e, ..] => modelled(size, self.stride, rate, [a, b, c, d, e], bit_of),
            [] => modelled(size, self.stride, rate, [], bit_of),
        };
    }

    /// Decodes a text as the decoder in the bundle does.
    pub fn decoded(&self, alphabet: Alphabet, size: usize, text: &str) -> Vec<u8> {
        let (stride, rate) = (self.stride, self.rate.parse().unwrap_or(0.0));
        match *self.masks {
            [a] => alphabet.decoded(size, stride, rate, [a], text),
            [a, b] => alphabet.decoded(size, stride, rate, [a, b], text),
            [a, b, c] => alphabet.decoded(size, stride, rate, [a, b, c], text),
            [a, b, c, d] => alphabet.decoded(size, stride, rate, [a, b, c, d], text),
            [a, b, c, d, e, ..] => alphabet.decoded(size, stride, rate, [a, b, c, d, e], text),
            [] => alphabet.decoded(size, stride, rate, [], text),
        }
    }
}

/// A sample: the start and the middle of the file.
fn sample(bytes: &[u8]) -> Vec<u8> {
    if bytes.len() <= 2 * SAMPLE {
        return bytes.to_vec();
    }
    // 240 is a multiple of every common row length, so columns stay aligned.
    let middle = bytes.len() / 2 / 240 * 240;
    let half = SAMPLE / 2;
    [&bytes[..half], &bytes[middle..middle + half]].concat()
}

/// Candidate row lengths: the common number sizes, and the two distances at which bytes are most often equal.
fn strides(bytes: &[u8]) -> Vec<usize> {
    let equal = |d: usize| bytes.iter().zip(bytes.iter().skip(d)).filter(|(a, b)| a == b).count();
    let mut by_equal: Vec<usize> = (3..=255).collect();
    by_equal.sort_by_cached_key(|&d| (std::cmp::Reverse(equal(d)), d));
    let mut out = vec![1, 2, 4, 8];
    out.extend(by_equal.into_iter().take(2).filter(|d| ![4, 8].contains(d)));
    out
}

/// Range coder that writes digits.
struct Writer {
    radix: u64,
    /// The start of the interval, minus the digits already written.
    low: u128,
    range: u64,
    /// `radix` to the power of `kept`.
    window: u128,
    kept: u32,
    digits: Vec<u64>,
}

impl Writer {
    fn new(radix: u64) -> Writer {
        // The interval is below 2^48 times the radix.
        let kept = 64 / radix.ilog2() + 1;
        Writer { radix, low: 0, range: 1, window: u128::from(radix).pow(kept), kept, digits: Vec::new() }
    }

    fn bit(&mut self, chance: u64, bit: bool) {
        while self.range < 1 << 48 {
            self.range *= self.radix;
            self.low *= u128::from(self.radix);
            self.shift();
        }
        let part = (self.range >> 16) * chance;
        if bit {
            self.range = part;
        } else {
            self.low += u128::from(part);
            self.range -= part;
        }
    }

    /// Writes the digit before the window; carries into earlier digits if needed.
    fn shift(&mut self) {
        let mut digit = (self.low / self.window) as u64;
        self.low %= self.window;
        if digit >= self.radix {
            digit -= self.radix;
            self.carry();
        }
        self.digits.push(digit);
    }

    fn carry(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit + 1 < self.radix {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
    }

    /// Ends with the shortest sequence of digits that lies within the interval.
    fn finish(mut self) -> Vec<u64> {
        let radix = u128::from(self.radix);
        let end = self.low + u128::from(self.range);
        let mut unit = self.window;
        while unit > 1 && self.low.div_ceil(unit) * unit >= end {
            unit /= radix;
        }
        self.low = self.low.div_ceil(unit) * unit;
        for _ in 0..self.kept {
            self.low *= radix;
            self.shift();
        }
        // The first digits were shifted out of an empty window; the decoder reads zeros past the end.
        self.digits.drain(..self.kept as usize);
        let used = self.digits.iter().rposition(|&d| d != 0).map_or(0, |i| i + 1);
        self.digits.truncate(used);
        self.digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudorandom numbers.
    fn noise() -> impl Iterator<Item = u32> {
        std::iter::successors(Some(1u32), |x| Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)))
            .map(|x| x >> 8)
    }

    /// Approximately normal values (sums of random numbers), as little-endian 16-bit integers.
    fn weights(n: usize) -> Vec<u8> {
        let mut noise = noise();
        let sum =
            |noise: &mut dyn Iterator<Item = u32>| noise.take(12).map(|x| (x % 101) as i16 - 50).sum::<i16>();
        (0..n).flat_map(|_| sum(&mut noise).to_le_bytes()).collect()
    }

    /// One byte in 64 is random, the others are 0: 0.24 bits a byte.
    fn sparse(n: usize) -> Vec<u8> {
        noise().map(|x| if x % 64 == 0 { x as u8 } else { 0 }).take(n).collect()
    }

    fn round_trip(bytes: &[u8]) -> usize {
        let coding = Coding::choose(bytes);
        let mut size = 0;
        for alphabet in [Alphabet::Ascii, Alphabet::Wide] {
            let text = alphabet.written(&coding.digits(bytes, alphabet.radix()));
            assert!(coding.decoded(alphabet, bytes.len(), &text) == bytes, "{} bytes", bytes.len());
            size = size.max(text.chars().count());
        }
        size
    }

    #[test]
    fn coding_round_trips() {
        let random: Vec<u8> = noise().map(|x| x as u8).take(600).collect();
        let all: Vec<u8> = (0..=255).collect();
        for bytes in
            [&[][..], &[0], &[255; 3], &all, &random, &[b'x'; 1000], &include_bytes!("mod.rs")[..1500]]
        {
            round_trip(bytes);
        }
        round_trip(&weights(200));
    }

    #[test]
    fn a_known_choice_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let bytes = weights(100);
        let [first, again] = [(); 2].map(|()| Coding::remembered(&bytes, &cache));
        assert_eq!((&first, &again), (&Coding::choose(&bytes), &first));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[ignore = "seconds in a release build: .ci/deep runs it"]
    fn a_million_bytes_round_trip() {
        assert!(round_trip(&sparse(1_000_000)) < 60_000);
    }

    mod slow {
        use super::{round_trip, sparse, weights};

        #[test]
        #[ignore = "slow: .ci/run runs it"]
        fn a_hundred_thousand_bytes_round_trip() {
            assert!(round_trip(&sparse(100_000)) < 6_000);
        }

        #[test]
        #[ignore = "slow: .ci/run runs it"]
        fn weights_and_text_shrink() {
            // Their entropy is about 9.5 bits in 16; packed, the same would take 16 / 6.5 characters a number.
            let numbers = 4_000;
            assert!(round_trip(&weights(numbers)) < numbers * 16 / 10);
            let text = include_bytes!("coder.rs");
            assert!(round_trip(text) * 2 < text.len());
        }
    }
}
