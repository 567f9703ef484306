//! The positions to learn from: no two of them images of each other.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use anyhow::Result;

use super::generation::Generation;
use super::sample::{Record, Sample};
use crate::progress::Progress;
use crate::subject::Subject;

/// One shard in this many is kept apart, to measure the error of what was learnt.
const APART: u64 = 32;

/// Positions and their targets.
#[derive(Debug, Clone)]
pub struct Set<P> {
    /// Each position.
    pub positions: Vec<P>,
    /// Its target in points, for the player to move.
    pub targets: Vec<f32>,
}

impl<P> Default for Set<P> {
    fn default() -> Set<P> {
        Set { positions: Vec::new(), targets: Vec::new() }
    }
}

/// What to learn from, and what is kept apart.
#[derive(Debug, Clone)]
pub struct Sets<P> {
    /// To learn from.
    pub learnt: Set<P>,
    /// Of games that nothing is learnt from, without the positions that occur in others.
    pub apart: Set<P>,
    /// How many positions were read, with those that occur more than once.
    pub read: usize,
}

/// What is known of a position that may occur often.
#[derive(Debug, Clone, Copy)]
struct Seen {
    at: u32,
    count: f32,
    exact: bool,
}

/// Hashes a position by multiplication, as fast as the sums that follow it.
#[derive(Debug, Clone, Copy, Default)]
struct Mixer(u64);

impl std::hash::Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = coppice::rng::mix(self.0 ^ word);
    }
}

type Places<P> = HashMap<P, Seen, BuildHasherDefault<Mixer>>;

impl<P: Record> Sets<P> {
    /// Reads generations, the oldest first. A target is a score with the result's `share` mixed in; a position that
    /// occurs often gets the mean of its targets, or the exact one. The later generation's labels replace the
    /// earlier's.
    ///
    /// # Errors
    /// If a shard can't be read.
    pub fn read<S: Subject<Position = P>>(generations: &[Generation], share: f32) -> Result<Sets<P>> {
        let mut shards = Vec::new();
        for generation in generations {
            let numbers = generation.shards()?;
            let last = numbers.last().copied().filter(|_| numbers.len() > 1);
            let few = !numbers.iter().any(|number| number % APART == APART - 1);
            let is_apart = |number: u64| number % APART == APART - 1 || few && Some(number) == last;
            shards.extend(numbers.iter().map(|&number| (generation, number, is_apart(number))));
        }
        let progress = Progress::new("shards", shards.len() as u64, 0);
        let mut sets = Sets { learnt: Set::default(), apart: Set::default(), read: 0 };
        for apart in [false, true] {
            let mut seen = Places::default();
            // What is learnt doesn't count as kept apart.
            if apart {
                let learnt = sets.learnt.positions.iter();
                seen = learnt
                    .map(|&position| (position, Seen { at: u32::MAX, count: 0.0, exact: true }))
                    .collect();
            }
            let mut before = None;
            for &(generation, number, _) in shards.iter().filter(|shard| shard.2 == apart) {
                if before.replace(&generation.folder).is_some_and(|before| *before != generation.folder) {
                    seen.values_mut().for_each(|seen| seen.count = 0.0);
                }
                for sample in generation.read::<S>(number)? {
                    sets.read += 1;
                    let set = if apart { &mut sets.apart } else { &mut sets.learnt };
                    set.add(&mut seen, &sample, share);
                }
                progress.advance(1);
            }
        }
        progress.end();
        Ok(sets)
    }
}

impl<P: Record> Set<P> {
    fn add(&mut self, seen: &mut Places<P>, sample: &Sample<P>, share: f32) {
        let position = sample.position.canonical();
        let target = sample.target(share);
        let at = self.positions.len() as u32;
        let seen = seen.entry(position).or_insert(Seen { at, count: 0.0, exact: false });
        if seen.at == at {
            self.positions.push(position);
            self.targets.push(target);
        }
        if seen.exact {
            return;
        }
        let mean = &mut self.targets[seen.at as usize];
        if sample.exact {
            seen.exact = true;
            *mean = target;
        } else {
            seen.count += 1.0;
            *mean += (target - *mean) / seen.count;
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}
