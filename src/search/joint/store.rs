//! Where Monte Carlo searches of joint games keep what they know of each state: a table of states by hash, each with
//! a block of the static pool.
//!
//! A state that several paths lead to is stored once. The game moves on without any work: states that the current
//! search has not visited are *stale*, and give their place to new ones where room is needed.

use crate::pool::{Block, Pool};

/// States in a bucket: a state is in one of these places or not stored.
const BUCKET: usize = 4;

/// The most states that a full pool looks at for a stale one before a new state is refused: bounds the time of a
/// request.
const SWEEP: usize = 64;

/// A share of the memory for the table of states: a state takes 32 bytes there, and 24 or more for each of its moves
/// in the pool.
const TABLE_SHARE: usize = 5;

/// A state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    /// The search that was there last; 0 for an empty place.
    seen: u32,
    pub(super) visits: u32,
    pub(super) items: Block,
    /// The number of the block's items in use.
    pub(super) used: u16,
}

const EMPTY: Block = Block { first: 0, len: 0 };

/// States, each with items of type `T`.
#[derive(Debug, Clone)]
pub(super) struct Store<T> {
    table: Vec<Entry>,
    pub(super) pool: Pool<T>,
    /// The number of this search.
    now: u32,
    /// Where the next sweep begins.
    hand: usize,
    live: usize,
}

impl<T: Copy + Default> Store<T> {
    /// A store of at most `bytes` bytes, but of at least one bucket.
    pub(super) fn with_bytes(bytes: usize) -> Store<T> {
        let places = bytes / TABLE_SHARE / size_of::<Entry>();
        let places = (places / BUCKET).max(1) * BUCKET;
        let table = vec![Entry { key: 0, seen: 0, visits: 0, items: EMPTY, used: 0 }; places];
        let pool = Pool::with_bytes(bytes.saturating_sub(places * size_of::<Entry>()));
        Store { table, pool, now: 0, hand: 0, live: 0 }
    }

    /// Begins a search: all states are stale.
    pub(super) fn begin(&mut self) {
        // States of 2^32 searches ago count as this one's: they are as true as ever.
        self.now = self.now.wrapping_add(1).max(1);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.table.fill(Entry { key: 0, seen: 0, visits: 0, items: EMPTY, used: 0 });
        self.pool.clear();
        self.live = 0;
    }

    /// The number of states stored.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// The first place of a key's bucket.
    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.table.len() / BUCKET) as u128;
        ((u128::from(key) * buckets) >> 64) as usize * BUCKET
    }

    /// The place of a state.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        let first = self.bucket(key);
        (first..first + BUCKET).find(|&at| self.table[at].key == key && self.table[at].seen != 0)
    }

    /// The state at a place.
    #[inline(always)]
    pub(super) fn entry(&self, at: usize) -> &Entry {
        &self.table[at]
    }

    /// The state at a place, of which this search counts a visit.
    #[inline(always)]
    pub(super) fn visit(&mut self, at: usize) -> &mut Entry {
        let entry = &mut self.table[at];
        entry.seen = self.now;
        entry.visits += 1;
        entry
    }

    /// Marks a state as this search's.
    #[inline(always)]
    pub(super) fn touch(&mut self, at: usize) -> &mut Entry {
        let entry = &mut self.table[at];
        entry.seen = self.now;
        entry
    }

    /// Stores a state that isn't stored yet, with `count` default items. `None` if there is no room.
    pub(super) fn insert(&mut self, key: u64, count: usize) -> Option<usize> {
        let first = self.bucket(key);
        let places = first..first + BUCKET;
        // An empty place, or the stale one that was visited the least.
        let at = places.filter(|&at| self.table[at].seen != self.now).min_by_key(|&at| {
            let entry = &self.table[at];
            (entry.seen != 0, entry.visits)
        })?;
        self.free(at);
        let items = self.reserve(count)?;
        self.live += 1;
        self.table[at] = Entry { key, seen: self.now, visits: 0, items, used: items.len() as u16 };
        Some(at)
    }

    /// Gives a state room for `count` items; those in use are kept. `false` if there is no room.
    pub(super) fn grow(&mut self, at: usize, count: usize) -> bool {
        let old = self.table[at].items;
        let Some(new) = self.reserve(count) else { return false };
        for (from, to) in old.iter().zip(new.iter()) {
            *self.pool.get_mut(to) = *self.pool.get(from);
        }
        self.pool.release(old);
        self.table[at].items = new;
        true
    }

    /// A block of the pool, made of stale states' if the pool is full.
    fn reserve(&mut self, count: usize) -> Option<Block> {
        if let Some(block) = self.pool.reserve(count) {
            return Some(block);
        }
        for _ in 0..SWEEP.min(self.table.len()) {
            let at = self.hand;
            self.hand = (at + 1) % self.table.len();
            if self.table[at].seen != self.now && !self.table[at].items.is_empty() {
                self.free(at);
                if let Some(block) = self.pool.reserve(count) {
                    return Some(block);
                }
            }
        }
        None
    }

    fn free(&mut self, at: usize) {
        let entry = &mut self.table[at];
        if entry.seen != 0 {
            self.live -= 1;
            entry.seen = 0;
            let items = std::mem::replace(&mut entry.items, EMPTY);
            self.pool.release(items);
        }
    }
}
