//! Mutations of files: what a crash, an editor, another system or a wrong program makes of them. The same seed gives the same
//! mutation everywhere.

#![allow(dead_code, reason = "no test program uses all of it")]

/// Pieces that stand in for a number or a word.
const PIECES: [&str; 24] = [
    "-1",
    "0",
    "1",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "-9223372036854775809",
    "99999999999999999999999",
    "1e9",
    "1e308",
    "-1e999",
    "0.1",
    "NaN",
    "inf",
    "null",
    "\"\"",
    "[]",
    "{}",
    "é\u{202e}\u{0}",
];

/// Bytes that open something, with those that close it.
const BRACKETS: [(&str, &str); 6] =
    [("[", "]"), ("{\"a\":", "}"), ("(", ")"), ("{", "}"), ("\"", "\""), ("<", ">")];

/// Random numbers: SplitMix64.
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`; 0 if that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 1) as usize % end.max(1)
    }

    /// One of several.
    pub fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The text with one to three mutations.
pub fn mutated(text: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=chance.below(3) {
        mutate(&mut bytes, chance);
    }
    bytes
}

fn mutate(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let at = chance.below(bytes.len() + 1);
    let end = (at + 1 + chance.below(8)).min(bytes.len());
    match chance.below(16) {
        // Cut off, as by a full disk or a killed program.
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.extend_from_within(at..end),
        // Flipped bits, and bytes that are no UTF-8.
        3 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
        4 => bytes.insert(at, chance.below(256) as u8),
        5 => drop(bytes.splice(at..at, [0xff, 0xfe, 0xc3])),
        6..=8 => replace_number(bytes, chance),
        9 => drop(bytes.splice(at..end, chance.one_of(&PIECES).bytes())),
        10 | 11 => lines(bytes, chance),
        // A line without end, now and then.
        12 => {
            let count = *chance.one_of(&[1, 100, 70_000]);
            drop(bytes.splice(at..at, std::iter::repeat_n(*chance.one_of(b"7 a\t\"-"), count)));
        }
        13 => {
            let (open, close) = chance.one_of(&BRACKETS);
            let depth = *chance.one_of(&[1, 100, 20_000]);
            let nested = [open.repeat(depth), close.repeat(chance.below(2) * depth)].concat();
            drop(bytes.splice(at..at, nested.into_bytes()));
        }
        // Line ends of other systems, and a byte order mark.
        14 => match chance.below(3) {
            0 => *bytes = exchanged(bytes, b"\n", b"\r\n"),
            1 => *bytes = exchanged(bytes, b"\n", b"\r"),
            _ => drop(bytes.splice(0..0, *b"\xef\xbb\xbf")),
        },
        _ => match chance.below(4) {
            0 => bytes.clear(),
            1 => *bytes = b"\n\n\n".to_vec(),
            _ => *bytes = bytes.iter().rev().copied().collect(),
        },
    }
}

/// Puts a piece in the place of a number.
fn replace_number(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let is_digit = |at: usize, bytes: &[u8]| bytes[at].is_ascii_digit();
    let starts = (0..bytes.len()).filter(|&at| is_digit(at, bytes) && (at == 0 || !is_digit(at - 1, bytes)));
    let starts = starts.collect::<Vec<_>>();
    if starts.is_empty() {
        return;
    }
    let start = *chance.one_of(&starts);
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    drop(bytes.splice(start..start + length, chance.one_of(&PIECES).bytes()));
}

/// Repeats, removes, swaps or moves lines.
fn lines(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    if lines.is_empty() {
        return;
    }
    let (one, other) = (chance.below(lines.len()), chance.below(lines.len()));
    match chance.below(4) {
        0 => lines.insert(other, lines[one].clone()),
        1 => drop(lines.remove(one)),
        2 => lines.swap(one, other),
        _ => lines.insert(one, b"\n".to_vec()),
    }
    *bytes = lines.concat();
}

fn exchanged(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    bytes
        .iter()
        .flat_map(|byte| if *byte == from[0] { to } else { std::slice::from_ref(byte) })
        .copied()
        .collect()
}
