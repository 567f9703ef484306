//! Where Monte Carlo searches of joint games keep what they know of each state: a table of states by hash, each with
//! a block of the static pool.
//!
//! A state that several paths lead to is stored once. The game moves on without any work: states that the current
//! search has not visited are *stale*, and give their place to new ones where room is needed.
//!
//! States lie in the order in which they were stored, and an index finds them. The index begins small and doubles when it is
//! crowded, so that a small search stays within the processor's caches: with states spread over all of the memory, finding
//! them was 30 % of a search of 10,000 iterations.

use crate::pool::{Block, Pool};

/// Slots in a bucket of the index: a state is in one of these or not stored.
const BUCKET: usize = 8;

/// The buckets of an index without states.
const FIRST_BUCKETS: usize = 1024;

/// States for each bucket of the whole index.
const STATES_A_BUCKET: usize = 4;

/// The bits of a slot that hold a part of the key; the others hold the place of the state.
const TAG_BITS: u32 = 8;

const TAG: u32 = (1 << TAG_BITS) - 1;

/// A slot of no state.
const EMPTY: u32 = u32::MAX;

/// The most states: a place fits into a slot.
const MOST_STATES: usize = (1 << (32 - TAG_BITS)) - 1;

/// The most states that a full pool looks at for a stale one before a new state is refused: bounds the time of a
/// request.
const SWEEP: usize = 64;

/// A share of the memory for the states and their index: a state takes 32 bytes there, and 24 or more for each of its moves
/// in the pool.
const TABLE_SHARE: usize = 5;

/// The bytes of a state, with its part of the index.
const STATE_BYTES: usize = size_of::<Entry>() + BUCKET * size_of::<u32>() / STATES_A_BUCKET;

/// A state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    /// The search that was there last; 0 if the place is free: its key says only which bucket has its slot.
    seen: u32,
    pub(super) visits: u32,
    first: u32,
    len: u16,
    /// A note of the store's user; 0 at first.
    pub(super) note: u16,
}

impl Entry {
    /// The state's block of the pool.
    #[inline(always)]
    pub(super) fn items(&self) -> Block {
        Block { first: self.first, len: self.len }
    }
}

/// States, each with items of type `T`.
#[derive(Debug, Clone)]
pub(super) struct Store<T> {
    /// The buckets in use come first. A slot is the place of a state and a part of its key.
    index: Vec<u32>,
    /// The number of buckets in use.
    buckets: usize,
    /// The capacity never changes.
    states: Vec<Entry>,
    most_states: usize,
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
        let most_buckets = (bytes / TABLE_SHARE / STATE_BYTES / STATES_A_BUCKET).max(1);
        let most_states = (most_buckets * STATES_A_BUCKET).min(MOST_STATES);
        let pool = Pool::with_bytes(bytes.saturating_sub(most_states * STATE_BYTES));
        Store {
            index: vec![EMPTY; most_buckets * BUCKET],
            buckets: FIRST_BUCKETS.min(most_buckets),
            states: Vec::with_capacity(most_states),
            most_states,
            pool,
            now: 0,
            hand: 0,
            live: 0,
        }
    }

    /// Begins a search: all states are stale.
    pub(super) fn begin(&mut self) {
        if self.now == u32::MAX {
            // No further numbers: all starts again.
            self.clear();
            self.now = 0;
        }
        self.now += 1;
    }

    /// Forgets everything, in a time that doesn't depend on the memory's size.
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.buckets = self.buckets.min(FIRST_BUCKETS);
        self.index[..self.buckets * BUCKET].fill(EMPTY);
        self.pool.clear();
        (self.hand, self.live) = (0, 0);
    }

    /// The number of states stored.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// The first slot of a key's bucket.
    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets as u128) >> 64) as usize * BUCKET
    }

    /// The slot of a state. Buckets follow from a key's high bits, the slot's part of it are low ones.
    #[inline(always)]
    fn slot(key: u64, at: usize) -> u32 {
        (at as u32) << TAG_BITS | key as u32 & TAG
    }

    /// The place of a state.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        let first = self.bucket(key);
        for &slot in &self.index[first..first + BUCKET] {
            if slot == EMPTY {
                break;
            }
            let at = (slot >> TAG_BITS) as usize;
            if slot == Self::slot(key, at) && self.states[at].key == key && self.states[at].seen != 0 {
                return Some(at);
            }
        }
        None
    }

    /// The state at a place.
    #[inline(always)]
    pub(super) fn entry(&self, at: usize) -> &Entry {
        &self.states[at]
    }

    /// The state at a place; counts a visit.
    #[inline(always)]
    pub(super) fn visit(&mut self, at: usize) -> &mut Entry {
        let entry = &mut self.states[at];
        entry.seen = self.now;
        entry.visits += 1;
        entry
    }

    /// Marks a state as this search's.
    #[inline(always)]
    pub(super) fn touch(&mut self, at: usize) -> &mut Entry {
        let entry = &mut self.states[at];
        entry.seen = self.now;
        entry
    }

    /// Stores a state that isn't stored yet, with `count` default items. `None` if the store is full.
    pub(super) fn insert(&mut self, key: u64, count: usize) -> Option<usize> {
        let i = self.vacate(key)?;
        let items = self.reserve(count)?;
        let at = match self.index[i] {
            EMPTY => self.states.len(),
            slot => (slot >> TAG_BITS) as usize,
        };
        let Block { first, len } = items;
        let entry = Entry { key, seen: self.now, visits: 0, first, len, note: 0 };
        match self.states.get_mut(at) {
            Some(place) => *place = entry,
            None => self.states.push(entry),
        }
        self.index[i] = Self::slot(key, at);
        self.live += 1;
        Some(at)
    }

    /// A slot of a key's bucket for a new state: an empty one, or that of a free place.
    fn vacate(&mut self, key: u64) -> Option<usize> {
        loop {
            if self.states.len() > self.buckets && self.buckets * BUCKET < self.index.len() {
                self.spread();
            }
            let first = self.bucket(key);
            let bucket = &self.index[first..first + BUCKET];
            let is_free = |&slot: &u32| match slot {
                EMPTY => self.states.len() < self.most_states,
                slot => self.states[(slot >> TAG_BITS) as usize].seen == 0,
            };
            if let Some(i) = bucket.iter().position(is_free) {
                return Some(first + i);
            }
            if self.buckets * BUCKET < self.index.len() && self.states.len() < self.most_states {
                self.spread();
                continue;
            }
            // The stale one that was visited the least.
            let places = bucket.iter().map(|slot| (slot >> TAG_BITS) as usize).enumerate();
            let stale =
                places.filter(|&(_, at)| self.states.get(at).is_some_and(|entry| entry.seen != self.now));
            let (i, at) = stale.min_by_key(|&(_, at)| self.states[at].visits)?;
            self.free(at);
            return Some(first + i);
        }
    }

    /// Doubles the index.
    #[cold]
    fn spread(&mut self) {
        self.buckets = (2 * self.buckets).min(self.index.len() / BUCKET);
        self.index[..self.buckets * BUCKET].fill(EMPTY);
        for at in 0..self.states.len() {
            let key = self.states[at].key;
            let first = self.bucket(key);
            let slot = self.index[first..first + BUCKET].iter_mut().find(|slot| **slot == EMPTY);
            // Without a slot a state isn't found again; its items are freed once it is stale.
            if let Some(slot) = slot {
                *slot = Self::slot(key, at);
            }
        }
    }

    /// Gives a state room for `count` items; the first ones are kept. `false` if the store is full.
    pub(super) fn grow(&mut self, at: usize, count: usize) -> bool {
        let old = self.states[at].items();
        let Some(new) = self.reserve(count) else { return false };
        for (from, to) in old.iter().zip(new.iter()) {
            *self.pool.get_mut(to) = *self.pool.get(from);
        }
        self.pool.release(old);
        (self.states[at].first, self.states[at].len) = (new.first, new.len);
        true
    }

    /// A block of the pool, made of stale states' if the pool is full.
    fn reserve(&mut self, count: usize) -> Option<Block> {
        if let Some(block) = self.pool.reserve(count) {
            return Some(block);
        }
        for _ in 0..SWEEP.min(self.states.len()) {
            let at = self.hand;
            self.hand = (at + 1) % self.states.len();
            if ![0, self.now].contains(&self.states[at].seen) {
                self.free(at);
                if let Some(block) = self.pool.reserve(count) {
                    return Some(block);
                }
            }
        }
        None
    }

    /// Frees the place of a state.
    #[cold]
    pub(super) fn forget(&mut self, key: u64) {
        if let Some(at) = self.find(key) {
            self.free(at);
        }
    }

    /// Frees a place, which keeps its slot, and the state's items.
    fn free(&mut self, at: usize) {
        let entry = self.states[at];
        if entry.seen != 0 {
            self.live -= 1;
            self.states[at] = Entry { seen: 0, visits: 0, first: 0, len: 0, ..entry };
            self.pool.release(entry.items());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::mix;

    fn fill(store: &mut Store<u8>) {
        (0..5).for_each(|i| assert!(store.insert(mix(i), 3).is_some()));
        assert!((0..5).all(|i| store.find(mix(i)).is_some()));
        assert_eq!((store.live(), store.pool.live()), (5, 1 + 5 * 3));
    }

    #[test]
    fn what_is_forgotten_takes_no_room() {
        let mut store = Store::with_bytes(4096);
        for _ in 0..20 {
            store.clear();
            store.begin();
            assert!((0..5).all(|i| store.find(mix(i)).is_none()));
            fill(&mut store);
        }
        // The next search finds what this one stored.
        store.begin();
        assert!((0..5).all(|i| store.find(mix(i)).is_some()));
    }

    #[test]
    fn after_the_last_number_all_begins_anew() {
        let mut store = Store { now: u32::MAX, ..Store::with_bytes(4096) };
        fill(&mut store);
        store.begin();
        assert!((0..5).all(|i| store.find(mix(i)).is_none()));
        fill(&mut store);
    }
}
