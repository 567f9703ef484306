//! The transposition table: stores results of positions that were searched before.

use std::ops::Range;

use crate::score::Score;

/// How a stored score bounds the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The true score is this or more.
    Lower,
    /// The true score is this or less.
    Upper,
}

/// The data of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The score, wins and losses counted from the position itself.
    pub score: Score,
    /// How `score` bounds the true score.
    pub bound: Bound,
    /// How many plies were searched.
    pub depth: u8,
    /// No estimate went into the score: it holds for every depth.
    pub solved: bool,
    /// The [`code`](crate::Game::move_index) of the best move; meaningless after a node that failed low.
    pub best: u16,
}

const SLOTS: usize = 4;
const GENERATIONS: u64 = 32;

/// The hash; then the score in bits 0-31, the best move in 32-47, the depth in 48-55, the bound (0 for an
/// empty slot) in 56-57, whether it is solved in 58, the generation in 59-63. Packed into integers, so that a
/// new table consists of zero pages that the system allocates on first use.
type Slot = [u64; 2];

#[inline(always)]
fn is_empty(slot: &Slot) -> bool {
    slot[1] >> 56 & 3 == 0
}

/// A table of fixed size, in bytes, that keeps deep and recent entries.
///
/// The whole hash is compared. A probe looks at one bucket of 4 slots, so that with hashes whose 64 bits are
/// well mixed it mistakes one position for another at most 4 times in 2^64: at ten million probes a second
/// once in 15,000 years. A best move is looked up by its code among the position's own moves, so that even
/// then no illegal move is played.
#[derive(Debug, Clone)]
pub struct Table {
    slots: Vec<Slot>,
    /// The first slot at the start of a cache line: each bucket is one line.
    start: usize,
    buckets: usize,
    generation: u64,
}

impl Table {
    /// A table of at most `bytes` bytes (and less than 64 to begin on a cache line), and at least one
    /// bucket of 64.
    pub fn with_bytes(bytes: usize) -> Table {
        let buckets = (bytes / size_of::<[Slot; SLOTS]>()).max(1);
        let slots = vec![[0; 2]; (buckets + 1) * SLOTS - 1];
        let start = slots.as_ptr().align_offset(64) % SLOTS;
        Table { slots, start, buckets, generation: 0 }
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets * size_of::<[Slot; SLOTS]>()
    }

    /// Begins a new search: entries of earlier searches stay, but are replaced first.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill([0; 2]);
        self.generation = 0;
    }

    /// The slots of a position's bucket.
    #[inline(always)]
    fn bucket(&self, hash: u64) -> Range<usize> {
        let bucket = (u128::from(hash) * self.buckets as u128) >> 64;
        let first = self.start + bucket as usize * SLOTS;
        first..first + SLOTS
    }

    /// The data of the position with this hash.
    #[inline(always)]
    pub fn probe(&self, hash: u64) -> Option<Entry> {
        let bucket = &self.slots[self.bucket(hash)];
        let &[_, bits] = bucket.iter().find(|slot| slot[0] == hash && !is_empty(slot))?;
        Some(Entry {
            score: Score::from_value(bits as i32),
            bound: match bits >> 56 & 3 {
                1 => Bound::Exact,
                2 => Bound::Lower,
                _ => Bound::Upper,
            },
            depth: (bits >> 48) as u8,
            solved: bits >> 58 & 1 != 0,
            best: (bits >> 32) as u16,
        })
    }

    /// Stores a position's result, replacing the least valuable entry: one of the same position, else an old
    /// one, else a shallow one.
    #[inline(always)]
    pub fn store(&mut self, hash: u64, entry: Entry) {
        let bucket = self.bucket(hash);
        let generation = self.generation;
        let worth = |slot: &Slot| {
            if slot[0] == hash || is_empty(slot) {
                return i32::MIN;
            }
            let age = (generation + GENERATIONS - (slot[1] >> 59)) % GENERATIONS;
            (slot[1] >> 48 & 255) as i32 - 8 * age as i32
        };
        let slots = &mut self.slots[bucket];
        let mut least = 0;
        for i in 1..SLOTS {
            if worth(&slots[i]) < worth(&slots[least]) {
                least = i;
            }
        }
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let flags = bound | u64::from(entry.solved) << 2 | generation << 3;
        slots[least] = [
            hash,
            u64::from(entry.score.value() as u32)
                | u64::from(entry.best) << 32
                | u64::from(entry.depth) << 48
                | flags << 56,
        ];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> Entry {
        Entry { score: Score::estimate(-5), bound: Bound::Lower, depth, solved: depth % 2 == 0, best: 300 }
    }

    #[test]
    fn gives_back_what_was_stored() {
        let mut table = Table::with_bytes(1 << 16);
        assert_eq!(table.bytes(), 1 << 16);
        for key in 1..500u64 {
            let hash = crate::rng::mix(key);
            assert_eq!(table.probe(hash), None);
            table.store(hash, entry(key as u8));
            assert_eq!(table.probe(hash), Some(entry(key as u8)));
        }
        table.clear();
        assert_eq!(table.probe(crate::rng::mix(1)), None);
    }

    #[test]
    fn every_bit_of_the_hash_is_compared() {
        let mut table = Table::with_bytes(64);
        let hash = crate::rng::mix(1);
        table.store(hash, entry(3));
        assert!((0..64).all(|bit| table.probe(hash ^ 1 << bit).is_none()));
        assert!(table.probe(0).is_none() && table.probe(hash).is_some());
    }

    #[test]
    fn a_table_never_takes_more_than_it_was_given() {
        assert_eq!(Table::with_bytes(0).bytes(), 64);
        for bytes in [64, 127, 128, 1000, 100_000] {
            let mut table = Table::with_bytes(bytes);
            assert!(table.bytes() <= bytes && table.bytes() + 64 > bytes);
            // Ten times its capacity: it replaces entries, and its size stays the same.
            (0..bytes as u64).for_each(|key| table.store(crate::rng::mix(key), entry(key as u8)));
            let held = (0..bytes as u64).filter(|&key| table.probe(crate::rng::mix(key)).is_some());
            assert!(held.count() <= table.bytes() / 16);
            assert!(table.bytes() <= bytes);
        }
    }

    #[test]
    fn one_position_has_one_slot() {
        let mut table = Table::with_bytes(64);
        for depth in 0..10 {
            table.store(7, entry(depth));
            assert_eq!(table.probe(7), Some(entry(depth)));
        }
        for hash in [8, 9, 10] {
            table.store(hash, entry(1));
        }
        assert!([7, 8, 9, 10].iter().all(|&hash| table.probe(hash).is_some()));
    }

    #[test]
    fn old_entries_go_first_then_shallow_ones() {
        let mut table = Table::with_bytes(64);
        table.store(1, entry(12));
        table.age();
        for (hash, depth) in [(2, 5), (3, 3), (4, 4)] {
            table.store(hash, entry(depth));
        }
        let left = |table: &Table| (1..=6).filter(|&hash| table.probe(hash).is_some()).collect::<Vec<_>>();
        table.store(5, entry(1));
        assert_eq!(left(&table), [1, 2, 4, 5], "of depths 12 (one search old), 5, 3, 4");
        table.age();
        table.age();
        table.store(6, entry(2));
        assert_eq!(left(&table), [1, 2, 4, 6], "of depths 12 (three searches old), 5, 4, 1 (two old)");
    }
}
