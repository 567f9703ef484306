//! What is known of positions: at least, at most, and the best move, in eight bytes.

/// Bits of a position's key: five for each of twelve holes.
const KEY_BITS: u32 = 60;
const KEY: u64 = (1 << KEY_BITS) - 1;

/// Slots of a bucket: half a cache line.
const SLOTS: usize = 4;

/// Below the key's rest: the work in bits 17-19, the move and one in 14-16, then the counters that the mover
/// gets, at most in 7-13 and at least in 0-6.
const REST: u32 = 20;

/// The fewest buckets, in bits: with fewer, the rest of a key would not fit.
const FEWEST: u32 = KEY_BITS - (64 - REST);

/// What is known of a position: how many of the counters in the holes its mover gets, and which move is best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// It is as many or more.
    pub least: u32,
    /// It is as many or fewer.
    pub most: u32,
    /// The place of the hole; [`NO_MOVE`] if none is known to be better than others.
    pub best: u8,
}

/// No place of a hole.
pub const NO_MOVE: u8 = 6;

/// A table of fixed size. Keys are permuted and stored whole: the bucket is one part, the rest is in the slot, so
/// no position is ever taken for another.
#[derive(Debug, Clone)]
pub struct Bounds {
    slots: Vec<u64>,
    /// The first slot that begins a cache line.
    start: usize,
    bits: u32,
}

/// A position's place in the table.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    bucket: usize,
    rest: u64,
}

impl Bounds {
    /// A table of at most `bytes` bytes, but at least 2 MB.
    pub fn with_bytes(bytes: usize) -> Bounds {
        let bits = (bytes / (8 * SLOTS)).checked_ilog2().unwrap_or(0).clamp(FEWEST, 40);
        let slots = vec![0; SLOTS << bits | 8];
        let start = slots.as_ptr().align_offset(64) % 8;
        Bounds { slots, start, bits }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(0);
    }

    /// Where the position with these counters in its holes belongs, a byte a hole; `None` if there are too many
    /// in one of them.
    #[inline(always)]
    pub fn key(&self, own: u64, other: u64) -> Option<Key> {
        if (own | other) & 0xe0e0_e0e0_e0e0 != 0 {
            return None;
        }
        let mut key = packed(own) << 30 | packed(other);
        // Odd factors and shifts to the right can be undone: different positions stay different.
        key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & KEY;
        key ^= key >> 31;
        key = key.wrapping_mul(0xbf58_476d_1ce4_e5b9) & KEY;
        key ^= key >> 29;
        let rest = KEY_BITS - self.bits;
        let bucket = self.start + (key >> rest) as usize * SLOTS;
        Some(Key { bucket, rest: key & ((1 << rest) - 1) })
    }

    /// What the table has where a position belongs. Not looked into yet, so that a machine can fetch several.
    #[inline(always)]
    pub fn fetch(&self, key: Key) -> [u64; SLOTS] {
        let slots = &self.slots[key.bucket..key.bucket + SLOTS];
        std::array::from_fn(|i| slots[i])
    }

    /// What is known of a position.
    #[inline(always)]
    pub fn probe(&self, key: Key) -> Option<Known> {
        find(&self.fetch(key), key)
    }

    /// Stores what took `nodes` nodes to find out: in place of what is known of the position, else of what took
    /// least.
    #[inline(always)]
    pub fn store(&mut self, key: Key, known: Known, nodes: u64) {
        let work = u64::from(nodes.checked_ilog2().unwrap_or(0) / 3).min(7);
        let slots = &mut self.slots[key.bucket..key.bucket + SLOTS];
        let (mut at, mut least) = (0, u64::MAX);
        for (i, slot) in slots.iter_mut().enumerate() {
            let is_same = *slot >> REST == key.rest;
            let worth = if is_same || *slot == 0 { 0 } else { 1 + (*slot >> 17 & 7) };
            if worth < least {
                (at, least) = (i, worth);
            }
            if is_same {
                break;
            }
        }
        slots[at] = key.rest << REST
            | work << 17
            | u64::from(known.best + 1) << 14
            | u64::from(known.most) << 7
            | u64::from(known.least);
    }
}

/// What is known of a position, if it is among these.
#[inline(always)]
pub fn find(slots: &[u64; SLOTS], key: Key) -> Option<Known> {
    let slot = slots.iter().find(|&&slot| slot >> REST == key.rest && slot != 0)?;
    Some(Known {
        least: (slot & 127) as u32,
        most: (slot >> 7 & 127) as u32,
        best: (slot >> 14 & 7) as u8 - 1,
    })
}

/// Five bits of each byte.
#[inline(always)]
fn packed(side: u64) -> u64 {
    let pairs = side & 0x001f_001f_001f | (side & 0x1f00_1f00_1f00) >> 3;
    pairs & 0x3ff | pairs >> 6 & 0xf_fc00 | pairs >> 12 & 0x3ff0_0000
}
