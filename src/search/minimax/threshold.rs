//! Siblings pruning: how much worse than its best sibling a node may be.

use std::time::Instant;

use crate::clock::Budget;

/// A policy of siblings pruning: a node is explored only while it is worth no less than its best
/// sibling less the threshold, to the player who chooses between them. In the evaluation's units;
/// below 0 is taken as 0.
///
/// Too narrow a threshold drops good moves; too wide a threshold prunes nothing. In reversi, breadth-first,
/// with an evaluation in hundredths of a disc and 20,000 nodes a move, thresholds of 0, 100, 300, 1000 and
/// 3000 took 68, 83, 83, 54 and 50 % of the points from no pruning (40 games each, standard error 8).
/// Best-first order, which goes deep by itself, gained nothing certain: 55 % with 1000, 49 % with 3000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threshold {
    /// A constant threshold.
    Fixed(i32),
    /// `from` at the beginning of a search, `to` at its end, in between in proportion to what has been used
    /// of the nodes, of the time or of the pool, whichever is scarcest. Updated every 64 expansions.
    Contracting {
        /// The threshold with nothing used.
        from: i32,
        /// The threshold with everything used.
        to: i32,
    },
    /// `from` at the beginning of a search; doubled whenever all that it lets through has been
    /// explored, to the ends of the game or to the maximum depth. Without a maximum depth that
    /// comes late.
    Expanding {
        /// The first threshold.
        from: i32,
    },
}

impl Threshold {
    /// Nothing is pruned.
    pub const OFF: Threshold = Threshold::Fixed(i32::MAX);

    /// At the beginning of a search.
    pub(super) fn first(self) -> i32 {
        match self {
            Threshold::Fixed(from) | Threshold::Contracting { from, .. } | Threshold::Expanding { from } => {
                from.max(0)
            }
        }
    }

    /// The next wider one, if this policy widens.
    pub(super) fn wider(self, now: i32) -> Option<i32> {
        match self {
            Threshold::Expanding { .. } if now < i32::MAX => Some(now.max(1).saturating_mul(2)),
            _ => None,
        }
    }
}

/// The used share of a search's budget.
#[derive(Debug, Clone)]
pub(super) struct Used {
    budget: Budget,
    begun: Option<Instant>,
}

impl Used {
    pub fn new(budget: Budget) -> Used {
        Used { budget, begun: budget.deadline().map(|_| budget.now()) }
    }

    /// The threshold after `nodes` nodes, with `live` of `capacity` nodes of the pool in use;
    /// `None` if the policy doesn't depend on them.
    pub fn threshold(&self, policy: Threshold, nodes: u64, live: usize, capacity: usize) -> Option<i32> {
        let Threshold::Contracting { from, to } = policy else { return None };
        // Shares in 1024ths.
        let share = |used: u64, of: u64| used.saturating_mul(1024) / of.max(1);
        let mut used = share(nodes, self.budget.max_nodes()).max(share(live as u64, capacity as u64));
        if let (Some(begun), Some(deadline)) = (self.begun, self.budget.deadline()) {
            let nanoseconds = |until: Instant| until.saturating_duration_since(begun).as_nanos() as u64;
            used = used.max(share(nanoseconds(self.budget.now()), nanoseconds(deadline)));
        }
        let (from, to) = (i64::from(from.max(0)), i64::from(to.max(0)));
        Some((from + (to - from) * used.min(1024) as i64 / 1024) as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contracting_threshold_follows_what_is_scarcest() {
        let policy = Threshold::Contracting { from: 1000, to: 200 };
        let used = Used::new(Budget::nodes(100));
        let at = |nodes, live| used.threshold(policy, nodes, live, 1000);
        assert_eq!((at(0, 0), at(50, 0), at(50, 750)), (Some(1000), Some(600), Some(400)));
        assert_eq!((at(100, 0), at(0, 1000)), (Some(200), Some(200)));
        let endless = Used::new(Budget::nodes(u64::MAX));
        assert_eq!(endless.threshold(policy, 1 << 40, 0, 1000), Some(1000));
        let late = Used::new(Budget::until(Instant::now()));
        assert_eq!(late.threshold(policy, 0, 0, 1000).map(|t| t <= 1000), Some(true));
        assert_eq!(used.threshold(Threshold::Fixed(7), 50, 0, 1000), None);
    }

    #[test]
    fn an_expanding_threshold_ends_with_everything() {
        let policy = Threshold::Expanding { from: 0 };
        let mut now = policy.first();
        let mut steps = 0;
        while let Some(wider) = policy.wider(now) {
            assert!(wider > now);
            (now, steps) = (wider, steps + 1);
        }
        assert_eq!((now, steps), (i32::MAX, 31));
        assert_eq!(Threshold::Fixed(5).wider(5), None);
    }
}
