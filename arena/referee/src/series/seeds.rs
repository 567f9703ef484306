//! The seeds of a run, if they are named instead of derived: ranges and lists, each played once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;

/// Most seeds of a run.
const MOST: usize = 1_000_000;

/// The seeds of a run's groups, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeds(Vec<u64>);

/// A text that names no seeds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeedsError {
    /// A part isn't a seed.
    #[error(
        "`{0}` names no seeds: expected numbers and ranges, such as 0-99 or 3,7,20-29, at most {MOST}, or a file of them"
    )]
    Part(String),
    /// None are left.
    #[error("no seed is left")]
    Empty,
}

impl Seeds {
    /// Seeds from numbers and ranges between commas or blanks; a seed that comes again is dropped.
    ///
    /// # Errors
    /// If a part is neither a number nor a range, or there are none or too many.
    pub fn parse(text: &str) -> Result<Self, SeedsError> {
        // A file may have remarks after `#`.
        let lines = text.lines().map(|line| line.split_once('#').map_or(line, |(seeds, _)| seeds));
        let parts = lines.flat_map(|line| line.split(|c: char| c == ',' || c.is_whitespace()));
        let parts = parts.filter(|part| !part.is_empty());
        let mut seeds = Vec::new();
        for part in parts {
            let wrong = || SeedsError::Part(part.to_owned());
            let range = range(part).ok_or_else(wrong)?;
            if range.end() - range.start() >= (MOST - seeds.len()) as u64 {
                return Err(wrong());
            }
            seeds.extend(range);
        }
        Self::new(seeds).ok_or(SeedsError::Empty)
    }

    /// These seeds without repeats; `None` if there are none.
    pub fn new(seeds: impl IntoIterator<Item = u64>) -> Option<Self> {
        let mut seen = BTreeSet::new();
        let seeds = seeds.into_iter().filter(|&seed| seen.insert(seed)).collect::<Vec<_>>();
        (!seeds.is_empty()).then_some(Self(seeds))
    }

    /// The seeds in their order.
    pub fn all(&self) -> &[u64] {
        &self.0
    }

    /// Seed number `place`; after the last one they begin again.
    pub fn at(&self, place: u32) -> u64 {
        self.0[place as usize % self.0.len()]
    }

    /// The seeds in an order in which those of played groups are at their places; `played` has them by place. `None` if a place
    /// between them stays empty, which another run's seeds would fill.
    pub(super) fn after(&self, played: &BTreeMap<u32, u64>) -> Option<Self> {
        let known = played.values().collect::<BTreeSet<_>>();
        let mut new = self.0.iter().filter(|seed| !known.contains(seed));
        let mut all = Vec::new();
        loop {
            let place = all.len() as u32;
            match played.get(&place).or_else(|| new.next()) {
                Some(&seed) => all.push(seed),
                None if played.range(place..).next().is_some() => return None,
                None => return Some(Self(all)),
            }
        }
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, run) in self.0.chunk_by(|a, b| a.checked_add(1) == Some(*b)).enumerate() {
            let comma = if place > 0 { "," } else { "" };
            match run {
                [only] => write!(f, "{comma}{only}")?,
                run => write!(f, "{comma}{}-{}", run[0], run[run.len() - 1])?,
            }
        }
        Ok(())
    }
}

fn range(part: &str) -> Option<RangeInclusive<u64>> {
    let (from, to) = part.split_once('-').unwrap_or((part, part));
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from <= to).then_some(from..=to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists_are_read() {
        assert_eq!(Seeds::parse("3, 7-9\n8 1").unwrap().all(), [3, 7, 8, 9, 1]);
        assert_eq!(Seeds::parse("3,7-9,1,2").unwrap().to_string(), "3,7-9,1-2");
        assert_eq!(Seeds::parse(" ,"), Err(SeedsError::Empty));
        for text in ["9-3", "a", "1-", "-1", "1-2-3", "0-1000000", "0-18446744073709551615"] {
            assert_eq!(Seeds::parse(text), Err(SeedsError::Part(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn a_run_goes_on_with_the_seeds_that_it_has_not_played() {
        let asked = Seeds::parse("0-4").unwrap();
        let after = |played: &[(u32, u64)]| asked.after(&played.iter().copied().collect());
        assert_eq!(after(&[]).unwrap().all(), [0, 1, 2, 3, 4]);
        assert_eq!(after(&[(0, 2), (2, 9)]).unwrap().all(), [2, 0, 9, 1, 3, 4]);
        assert_eq!(after(&[(0, 1), (1, 0), (7, 9)]), None);
        assert_eq!(asked.at(6), 1);
    }
}
