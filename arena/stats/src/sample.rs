//! A sample that grows: what has been judged of a run.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::outcomes::{Cell, Outcomes};
use super::scoring::Grouping;

/// Samples of whole groups of games, by a bot's score or lead in each. Adding one costs the same however many there are, and
/// outcomes cost the number of different values.
#[derive(Debug)]
pub(crate) struct Sample {
    grouping: Grouping,
    values: Vec<f64>,
    counts: BTreeMap<Ordered, u64>,
    /// The values and cells that were looked at so far.
    #[cfg(test)]
    work: std::cell::Cell<u64>,
}

/// A number with a total order.
#[derive(Debug, Clone, Copy)]
struct Ordered(f64);

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Sample {
    /// No groups yet.
    pub(crate) fn new(grouping: Grouping) -> Self {
        Self {
            grouping,
            values: Vec::new(),
            counts: BTreeMap::new(),
            #[cfg(test)]
            work: std::cell::Cell::default(),
        }
    }

    /// Adds a group.
    pub(crate) fn add(&mut self, value: f64) {
        self.values.push(value);
        *self.counts.entry(Ordered(value)).or_default() += 1;
        #[cfg(test)]
        self.work.set(self.work.get() + 1);
    }

    /// The scores or leads, in the order in which they were added.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The outcomes so far.
    pub(crate) fn outcomes(&self) -> Outcomes {
        let cells = self.counts.iter().map(|(value, &count)| {
            #[cfg(test)]
            self.work.set(self.work.get() + 1);
            Cell { score: value.0, count }
        });
        self.grouping.outcomes_of(cells)
    }

    /// The number of values and cells that were looked at since the beginning.
    #[cfg(test)]
    pub(crate) fn work(&self) -> u64 {
        self.work.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compare, Scoring};

    #[test]
    fn it_has_the_outcomes_of_all_values() {
        let grouping = |size, alone, compare| Grouping {
            size,
            alone,
            scoring: Scoring { compare, lower_is_better: false },
        };
        for (grouping, values) in [
            (grouping(2, false, Compare::Rank), vec![0.0, 0.25, 1.0, 0.5, 0.25, 0.75]),
            (grouping(3, false, Compare::Rank), vec![1.0 / 3.0, 1.0 - 2.0 / 3.0, 0.5, 1.0]),
            (grouping(2, true, Compare::Rank), vec![0.0, 1.0, 0.5, 1.0]),
            (grouping(2, true, Compare::Difference), vec![3.0, -1.0, 3.0, f64::INFINITY, 0.0, -0.0, 7.5]),
        ] {
            let mut sample = Sample::new(grouping);
            for (count, &value) in (1..).zip(&values) {
                sample.add(value);
                assert_eq!(sample.outcomes(), grouping.outcomes(&values[..count]), "{grouping:?} {count}");
            }
            assert_eq!(sample.values(), values);
        }
    }
}
