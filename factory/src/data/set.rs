//! The positions to learn from: no two of them images of each other.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use anyhow::Result;

use super::generation::Generation;
use crate::progress::Progress;
use crate::sample::{Record, Sample};
use crate::subject::Subject;

/// One shard in N is kept apart, to measure the error of the learnt model.
const APART: u64 = 32;

/// Positions and their labels.
#[derive(Debug, Clone)]
pub struct Set<P> {
    /// Each position.
    pub positions: Vec<P>,
    labels: Vec<Label>,
}

/// The parts of a position's target, in points for the player to move.
#[derive(Debug, Clone, Copy)]
struct Label {
    /// The search's score, or the exact one.
    score: f32,
    /// Added by the results of games, if they count in full.
    pull: f32,
    /// A game went through the position.
    played: bool,
}

impl<P> Default for Set<P> {
    fn default() -> Set<P> {
        Set { positions: Vec::new(), labels: Vec::new() }
    }
}

/// The positions to learn from, and those kept apart.
#[derive(Debug, Clone)]
pub struct Sets<P> {
    /// To learn from.
    pub learnt: Set<P>,
    /// Of games that nothing is learnt from, without the positions that occur in others.
    pub apart: Set<P>,
    /// How many positions were read, with those that occur more than once.
    pub read: usize,
}

/// The data of a position that may occur often.
#[derive(Debug, Clone, Copy)]
struct Seen {
    at: u32,
    count: f32,
    exact: bool,
}

/// Hashes a position by multiplication, as fast as the sums that follow it.
#[derive(Debug, Clone, Copy, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
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
    /// Reads generations, the oldest first. A position that occurs often gets the mean of its labels, or the exact one.
    /// The later generation's labels replace the earlier's.
    ///
    /// # Errors
    /// If a shard can't be read.
    pub fn read<S: Subject<Position = P>>(generations: &[Generation]) -> Result<Sets<P>> {
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
            // Positions to learn from aren't kept apart.
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
                    set.add(&mut seen, &sample);
                }
                progress.advance(1);
            }
        }
        progress.end();
        Ok(sets)
    }
}

impl<P: Record> Set<P> {
    fn add(&mut self, seen: &mut Places<P>, sample: &Sample<P>) {
        let position = sample.position.canonical();
        let (score, pull) = (sample.score, sample.target(1.0) - sample.score);
        let at = self.positions.len() as u32;
        let seen = seen.entry(position).or_insert(Seen { at, count: 0.0, exact: false });
        if seen.at == at {
            self.positions.push(position);
            self.labels.push(Label { score, pull, played: false });
        }
        // One that occurs in a set that is learnt has no place in the one kept apart.
        let Some(label) = self.labels.get_mut(seen.at as usize) else { return };
        label.played |= sample.result.is_some();
        if seen.exact {
            return;
        }
        if sample.exact {
            seen.exact = true;
            (label.score, label.pull) = (score, 0.0);
        } else {
            seen.count += 1.0;
            label.score += (score - label.score) / seen.count;
            label.pull += (pull - label.pull) / seen.count;
        }
    }

    /// The target of each position: its score with the results' `share` mixed in, at most `widest` from 0.
    pub fn targets(&self, share: f32, widest: f32) -> Vec<f32> {
        let target = |label: &Label| (label.score + share * label.pull).clamp(-widest, widest);
        self.labels.iter().map(target).collect()
    }

    /// The positions that games went through, and one in `aside` of the others; 0 for none of them.
    pub fn chosen(&self, aside: u32) -> Vec<u32> {
        let is_chosen = |(position, label): (&P, &Label)| {
            label.played
                || aside > 0 && {
                    let mut mixer = Mixer::default();
                    position.hash(&mut mixer);
                    mixer.finish() % u64::from(aside) == 0
                }
        };
        let labelled = self.positions.iter().zip(&self.labels).map(is_chosen);
        (0u32..).zip(labelled).filter_map(|(i, chosen)| chosen.then_some(i)).collect()
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether both are empty.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}
