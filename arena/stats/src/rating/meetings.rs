//! The results of the games between several bots.

use std::collections::BTreeMap;

/// The result of a meeting for the first of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It has fewer points.
    Loss,
    /// Both have the same.
    Draw,
    /// It has more points.
    Win,
}

impl Outcome {
    /// The result from the points of both.
    pub fn of(mine: i64, others: i64) -> Self {
        match mine.cmp(&others) {
            std::cmp::Ordering::Less => Self::Loss,
            std::cmp::Ordering::Equal => Self::Draw,
            std::cmp::Ordering::Greater => Self::Win,
        }
    }

    /// The record from the second bot's view.
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// One point for a win, a half for a draw.
    #[cfg(test)]
    pub fn points(self) -> f64 {
        match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        }
    }
}

/// Two bots in one game; or, where a contest has a single seat, on the same seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meeting {
    /// The two; in [`Meetings`] the first has the lower number.
    pub bots: [usize; 2],
    /// Their seats.
    pub seats: [usize; 2],
    /// The result for the first.
    pub outcome: Outcome,
}

impl Meeting {
    fn canonical(self) -> Self {
        let Self { bots: [a, b], seats: [s, t], outcome } = self;
        if a < b {
            self
        } else {
            Self { bots: [b, a], seats: [t, s], outcome: outcome.reversed() }
        }
    }
}

/// All meetings between the bots, in independent groups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meetings {
    bots: usize,
    seats: usize,
    /// Equal groups are stored once with their count, so that the order of the games has no influence.
    groups: BTreeMap<Vec<Meeting>, u64>,
}

impl Meetings {
    /// No meetings yet between `bots` bots on `seats` seats.
    pub fn new(bots: usize, seats: usize) -> Self {
        Self { bots, seats, groups: BTreeMap::new() }
    }

    /// Adds meetings whose results depend on each other: the same opening or seed and the same bots.
    ///
    /// # Panics
    /// If a bot or a seat doesn't exist, or a bot meets itself.
    pub fn add_group(&mut self, group: impl IntoIterator<Item = Meeting>) {
        self.add_groups(group, 1);
    }

    /// Adds a group `count` times.
    pub(super) fn add_groups(&mut self, group: impl IntoIterator<Item = Meeting>, count: u64) {
        let mut group = group.into_iter().map(Meeting::canonical).collect::<Vec<_>>();
        for meeting in &group {
            let [a, b] = meeting.bots;
            assert!(a < b && b < self.bots, "no such bots: {meeting:?}");
            assert!(meeting.seats.iter().all(|&seat| seat < self.seats), "no such seats: {meeting:?}");
        }
        group.sort_unstable();
        if !group.is_empty() {
            *self.groups.entry(group).or_default() += count;
        }
    }

    /// The number of bots.
    pub fn bots(&self) -> usize {
        self.bots
    }

    /// The number of seats of a game.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The groups with their counts.
    pub fn groups(&self) -> impl Iterator<Item = (&[Meeting], u64)> {
        self.groups.iter().map(|(group, &count)| (group.as_slice(), count))
    }

    /// The wins, draws and losses of bot `a` against bot `b`.
    pub fn results(&self, a: usize, b: usize) -> [u64; 3] {
        let mut results = [0; 3];
        for (group, count) in self.groups() {
            for meeting in group.iter().filter(|m| m.bots == [a, b] || m.bots == [b, a]) {
                let outcome = if a < b { meeting.outcome } else { meeting.outcome.reversed() };
                results[2 - outcome as usize] += count;
            }
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meeting_is_seen_from_both_sides() {
        let mut meetings = Meetings::new(3, 2);
        meetings.add_group([
            Meeting { bots: [2, 0], seats: [0, 1], outcome: Outcome::Win },
            Meeting { bots: [0, 2], seats: [0, 1], outcome: Outcome::Win },
        ]);
        meetings.add_group([Meeting { bots: [2, 0], seats: [1, 0], outcome: Outcome::of(5, 3) }]);
        meetings.add_group([Meeting { bots: [0, 1], seats: [0, 1], outcome: Outcome::Draw }]);
        assert_eq!(meetings.results(2, 0), [2, 0, 1]);
        assert_eq!(meetings.results(0, 2), [1, 0, 2]);
        assert_eq!(meetings.results(1, 0), [0, 1, 0]);
        assert_eq!(meetings.results(1, 2), [0, 0, 0]);
    }
}
