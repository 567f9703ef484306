//! Transposition table of the solver: lower and upper bound, best move, and the result of a limited search, in 16
//! bytes an entry.

/// Bits of a position's key: five for each of the twelve holes.
const KEY_BITS: u32 = 60;
const KEY: u64 = (1 << KEY_BITS) - 1;

/// Entries in a cache line, two words each.
const ENTRIES: usize = 4;
const LINE: usize = 2 * ENTRIES;

/// Number of low bits below the key's remainder in an entry's first word: the best move in bits 14-16, the upper
/// bound in 7-13, the lower bound in 0-6.
const REST: u32 = 17;

/// Minimum number of lines, as a power of two: with fewer, the remainder of a key would not fit.
const FEWEST: u32 = KEY_BITS - (64 - REST);

/// In place of a hole: no best move.
pub const NO_MOVE: u8 = 6;

/// The bounds on a position's value, its best move, and the last limited search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Proved lower bound on the counters in the holes that the mover gets.
    pub least: u32,
    /// Proved upper bound.
    pub most: u32,
    /// The place of the best hole; [`NO_MOVE`] if no move stood out.
    pub best: u8,
    /// The result of a depth-limited search.
    pub believed: Option<Belief>,
}

/// The result of a depth-limited search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Belief {
    /// Depth of the search in turns.
    pub depth: u32,
    /// The bound, in counters.
    pub value: u32,
    /// Whether it is a lower bound, else an upper one.
    pub is_least: bool,
}

/// A table of fixed size. Keys are permuted and stored whole: one part selects the line, the remainder is in the
/// entry. So two positions are never confused.
#[derive(Debug, Clone)]
pub struct Table {
    words: Vec<u64>,
    /// The first word that begins a cache line.
    start: usize,
    bits: u32,
}

/// The line of a position, and the remainder of its key.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    line: usize,
    rest: u64,
}

impl Table {
    /// A table of at most `bytes` bytes, but at least half a megabyte.
    pub fn with_bytes(bytes: usize) -> Table {
        let bits = (bytes / (8 * LINE)).checked_ilog2().unwrap_or(0).clamp(FEWEST, 40);
        let words = vec![0; LINE << bits | (LINE - 1)];
        let start = words.as_ptr().align_offset(64) % LINE;
        Table { words, start, bits }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The place of the position with this key.
    #[inline(always)]
    pub fn place(&self, key: Key) -> Place {
        let rest = KEY_BITS - self.bits;
        Place { line: self.start + (key.0 >> rest) as usize * LINE, rest: key.0 & ((1 << rest) - 1) }
    }

    #[inline(always)]
    fn line(&self, place: Place) -> &[u64] {
        &self.words[place.line..place.line + LINE]
    }

    /// Looks a position up.
    #[inline(always)]
    pub fn find(&self, place: Place) -> Option<Known> {
        let line = self.line(place);
        let at = (0..ENTRIES).find(|&i| line[2 * i] >> REST == place.rest && line[2 * i] != 0)?;
        let (proved, believed) = (line[2 * at], line[2 * at + 1]);
        Some(Known {
            least: (proved & 127) as u32,
            most: (proved >> 7 & 127) as u32,
            best: (proved >> 14 & 7) as u8 - 1,
            believed: (believed >> 16 & 1 == 1).then_some(Belief {
                depth: (believed & 255) as u32,
                value: (believed >> 8 & 127) as u32,
                is_least: believed >> 15 & 1 == 1,
            }),
        })
    }

    /// Stores a result that took `nodes` nodes, over the position's own entry, else over the entry that took the
    /// least work.
    #[inline(always)]
    pub fn store(&mut self, place: Place, known: Known, nodes: u64) {
        let work = u64::from(nodes.checked_ilog2().unwrap_or(0) / 3).min(7);
        let line = &mut self.words[place.line..place.line + LINE];
        let (mut at, mut least) = (0, u64::MAX);
        for i in 0..ENTRIES {
            let is_same = line[2 * i] >> REST == place.rest;
            let worth = if is_same || line[2 * i] == 0 { 0 } else { 1 + (line[2 * i + 1] >> 17) };
            if worth < least {
                (at, least) = (i, worth);
            }
            if is_same {
                break;
            }
        }
        let believed = known.believed.map_or(0, |Belief { depth, value, is_least }| {
            1 << 16 | u64::from(is_least) << 15 | u64::from(value) << 8 | u64::from(depth.min(255))
        });
        line[2 * at] = place.rest << REST
            | u64::from(known.best + 1) << 14
            | u64::from(known.most) << 7
            | u64::from(known.least);
        line[2 * at + 1] = work << 17 | believed;
    }
}

/// The key of a position without its stores, permuted.
#[derive(Debug, Clone, Copy)]
pub struct Key(u64);

impl Key {
    /// The key for these counters, one byte a hole; `None` if a hole has too many.
    #[inline(always)]
    pub fn new(own: u64, other: u64) -> Option<Key> {
        if (own | other) & 0xe0e0_e0e0_e0e0 != 0 {
            return None;
        }
        let mut key = packed(own) << 30 | packed(other);
        // Odd factors and xor-shifts are invertible: different positions keep different keys.
        key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & KEY;
        key ^= key >> 31;
        key = key.wrapping_mul(0xbf58_476d_1ce4_e5b9) & KEY;
        Some(Key(key ^ key >> 29))
    }
}

/// Packs the low five bits of each byte.
#[inline(always)]
fn packed(side: u64) -> u64 {
    let pairs = side & 0x001f_001f_001f | (side & 0x1f00_1f00_1f00) >> 3;
    pairs & 0x3ff | pairs >> 6 & 0xf_fc00 | pairs >> 12 & 0x3ff0_0000
}
