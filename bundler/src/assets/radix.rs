//! Encodes bytes as characters: 6.5 bits in each of 93 printable ASCII characters, or 15 bits in each of 38,968
//! characters of the Basic Multilingual Plane, where a character is one UTF-16 unit.
//!
//! Inside `r"…"` every printable ASCII character except `"` stands for itself; the space is excluded because editors
//! trim it, which leaves 93. A group of 13 holds 85 bits: 6.54 bits each, and 6.51 with a line break after 208.
//! The wide characters are ideographs, hexagrams, Yi and Hangul syllables: assigned, stable under NFC, and written left
//! to right. A group of 4 holds 61 bits, 15.12 each with a line break after 120.

use crate::api::options::Unit;

mod ascii {
    include!("decoders/ascii.rs");
    include!("decoders/packed.rs");
    include!("decoders/coded.rs");
    use super::super::coder::modelled;
    pub(super) const ALL: (u64, usize, u32) = (RADIX, GROUP, BITS);
}

mod wide {
    include!("decoders/wide.rs");
    include!("decoders/packed.rs");
    include!("decoders/coded.rs");
    use super::super::coder::modelled;
    pub(super) const ALL: (u64, usize, u32) = (RADIX, GROUP, BITS);
}

/// The characters to encode with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// Printable ASCII.
    Ascii,
    /// Characters of three UTF-8 bytes and one UTF-16 unit.
    Wide,
}

impl Alphabet {
    /// The alphabet that is smaller in the limit's unit.
    pub fn for_unit(unit: Unit) -> Alphabet {
        match unit {
            Unit::Bytes => Alphabet::Ascii,
            Unit::Chars | Unit::Utf16 => Alphabet::Wide,
        }
    }

    /// The number of characters.
    pub fn radix(self) -> u64 {
        self.constants().0
    }

    /// The part of the decoder's source that depends on the alphabet.
    pub fn source(self) -> &'static str {
        match self {
            Alphabet::Ascii => include_str!("decoders/ascii.rs"),
            Alphabet::Wide => include_str!("decoders/wide.rs"),
        }
    }

    fn constants(self) -> (u64, usize, u32) {
        match self {
            Alphabet::Ascii => ascii::ALL,
            Alphabet::Wide => wide::ALL,
        }
    }

    /// Characters per line.
    fn line(self) -> usize {
        match self {
            Alphabet::Ascii => 208,
            Alphabet::Wide => 120,
        }
    }

    fn character(self, digit: u64) -> char {
        let code = match (self, digit as u32) {
            (Alphabet::Ascii, 0) => u32::from('!'),
            (Alphabet::Ascii, d) => d + 34,
            (Alphabet::Wide, d @ ..28_813) => d + 0x3400,
            (Alphabet::Wide, d) => d + 0x3B73,
        };
        char::from_u32(code).unwrap_or('!')
    }

    /// Writes digits as lines of characters.
    pub fn written(self, digits: &[u64]) -> String {
        let lines: Vec<String> =
            digits.chunks(self.line()).map(|l| l.iter().map(|&d| self.character(d)).collect()).collect();
        lines.join("\n")
    }

    /// Packs bytes into groups of characters.
    pub fn packed(self, bytes: &[u8]) -> String {
        let (radix, group, bits) = self.constants();
        let mut digits = Vec::new();
        let (mut held, mut count) = (0u128, 0);
        let mut write = |value: u128| {
            let mut value = value;
            let mut digits_of_group = vec![0; group];
            for digit in digits_of_group.iter_mut().rev() {
                *digit = (value % u128::from(radix)) as u64;
                value /= u128::from(radix);
            }
            digits.extend(digits_of_group);
        };
        for &byte in bytes {
            held |= u128::from(byte) << count;
            count += 8;
            if count >= bits {
                write(held & ((1 << bits) - 1));
                held >>= bits;
                count -= bits;
            }
        }
        if count > 0 {
            write(held);
        }
        self.written(&digits)
    }

    /// Unpacks a text of [`Alphabet::packed`] as the decoder in the bundle does.
    pub fn unpacked(self, size: usize, text: &str) -> Vec<u8> {
        let mut out = vec![0; size];
        match self {
            Alphabet::Ascii => ascii::packed(text, &mut out),
            Alphabet::Wide => wide::packed(text, &mut out),
        }
        out
    }

    /// Decodes entropy-coded digits as the decoder in the bundle does.
    pub fn decoded<const K: usize>(
        self,
        size: usize,
        stride: usize,
        rate: f32,
        masks: [u64; K],
        text: &str,
    ) -> Vec<u8> {
        match self {
            Alphabet::Ascii => ascii::coded(size, stride, rate, masks, text),
            Alphabet::Wide => wide::coded(size, stride, rate, masks, text),
        }
    }
}

/// The source of the decoder for [`Alphabet::packed`].
pub const PACKED: &str = include_str!("decoders/packed.rs");
/// The source of the decoder for entropy-coded digits.
pub const CODED: &str = include_str!("decoders/coded.rs");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_round_trips() {
        let all: Vec<u8> = (0..=255).collect();
        let million: Vec<u8> =
            (0u32..1_000_003).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for alphabet in [Alphabet::Ascii, Alphabet::Wide] {
            for bytes in [&[][..], &[7], &[255; 11], &all, &all[..85], &million] {
                let text = alphabet.packed(bytes);
                assert_eq!(alphabet.unpacked(bytes.len(), &text), bytes);
            }
        }
    }

    #[test]
    fn bits_per_character() {
        let bytes = vec![0xA5; 100_000];
        let bits = |alphabet: Alphabet| 800_000.0 / alphabet.packed(&bytes).chars().count() as f64;
        assert!(bits(Alphabet::Ascii) >= 6.5, "{}", bits(Alphabet::Ascii));
        assert!(bits(Alphabet::Wide) >= 15.0, "{}", bits(Alphabet::Wide));
    }

    #[test]
    fn characters_stand_for_themselves() {
        for alphabet in [Alphabet::Ascii, Alphabet::Wide] {
            let all: Vec<u64> = (0..alphabet.radix()).collect();
            let text = alphabet.written(&all);
            let literal: syn::LitStr = syn::parse_str(&format!("r\"{text}\"")).unwrap();
            assert_eq!(literal.value(), text);
            let mut characters: Vec<char> = text.chars().filter(|&c| c != '\n').collect();
            assert!(characters.iter().all(|&c| c.len_utf16() == 1 && !c.is_whitespace() && !c.is_control()));
            assert!(characters.iter().all(|&c| match alphabet {
                Alphabet::Ascii => c.is_ascii_graphic() && c != '"',
                Alphabet::Wide => matches!(c, '\u{3400}'..='\u{A48C}' | '\u{AC00}'..='\u{D7A3}'),
            }));
            characters.sort_unstable();
            characters.dedup();
            assert_eq!(characters.len() as u64, alphabet.radix());
        }
    }
}
