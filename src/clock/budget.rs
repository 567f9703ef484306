//! The limit of a search.

#[cfg(feature = "stop")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::now;

/// The limit of a search: a deadline, a number of nodes, or whichever is reached first.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use coppice::Budget;
///
/// let deadline = Instant::now() + Duration::from_millis(50);
/// let budget = Budget::until(deadline).and_nodes(1_000_000);
/// assert_eq!(budget.deadline(), Some(deadline));
/// assert_eq!(budget.max_nodes(), 1_000_000);
/// ```
#[must_use = "a budget limits only the search that it is passed to"]
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    deadline: Option<Instant>,
    nodes: u64,
    /// Not compiled into bots and their bundles: the feature is for interactive programs.
    #[cfg(feature = "stop")]
    stop: Option<&'static AtomicBool>,
    #[cfg(feature = "stop")]
    timer: Option<fn() -> Instant>,
}

impl Budget {
    /// A budget that ends at `deadline`.
    pub const fn until(deadline: Instant) -> Budget {
        Budget {
            deadline: Some(deadline),
            nodes: u64::MAX,
            #[cfg(feature = "stop")]
            stop: None,
            #[cfg(feature = "stop")]
            timer: None,
        }
    }

    /// At most `nodes` nodes: the answer doesn't depend on the machine's speed.
    pub const fn nodes(nodes: u64) -> Budget {
        Budget {
            deadline: None,
            nodes,
            #[cfg(feature = "stop")]
            stop: None,
            #[cfg(feature = "stop")]
            timer: None,
        }
    }

    /// Adds a limit of `nodes` nodes.
    pub const fn and_nodes(self, nodes: u64) -> Budget {
        Budget { nodes: if nodes < self.nodes { nodes } else { self.nodes }, ..self }
    }

    /// Replaces the deadline. Nodes and clock stay.
    pub const fn with_deadline(self, deadline: Instant) -> Budget {
        Budget { deadline: Some(deadline), ..self }
    }

    /// Replaces the limit of nodes.
    pub const fn with_nodes(self, nodes: u64) -> Budget {
        Budget { nodes, ..self }
    }

    /// `parts` of `whole` equal parts of this budget, at most all: of its nodes, rounded down, and of the time that is left
    /// until its deadline. A `whole` of 0 is taken for 1. Whatever ends this budget early ends the part too.
    pub fn share(self, parts: u32, whole: u32) -> Budget {
        let whole = whole.max(1);
        let part = |all: u64| (u128::from(all) * u128::from(parts.min(whole)) / u128::from(whole)) as u64;
        let nodes = part(self.nodes);
        let deadline = self.deadline.map(|deadline| {
            let now = self.now();
            now + Duration::from_nanos(part(nanoseconds(deadline.saturating_duration_since(now))))
        });
        Budget { deadline, ..self }.and_nodes(nodes)
    }

    /// Lets `stop` end the budget early: soon after another thread sets it, no more nodes are visited.
    #[cfg(feature = "stop")]
    pub const fn unless(self, stop: &'static AtomicBool) -> Budget {
        Budget { stop: Some(stop), ..self }
    }

    /// Measures the deadline by `timer` instead of the wall clock, such as by the processor time of the thread that searches.
    #[cfg(feature = "stop")]
    pub const fn timed_by(self, timer: fn() -> Instant) -> Budget {
        Budget { timer: Some(timer), ..self }
    }

    /// The flag that ends the search, if there is one.
    #[cfg(feature = "stop")]
    pub const fn stop(&self) -> Option<&'static AtomicBool> {
        self.stop
    }

    /// The maximum number of nodes.
    pub const fn max_nodes(&self) -> u64 {
        self.nodes
    }

    /// The deadline, if there is one.
    pub const fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The time by the clock that measures the deadline.
    #[inline(always)]
    #[must_use]
    pub fn now(&self) -> Instant {
        #[cfg(feature = "stop")]
        if let Some(timer) = self.timer {
            return timer();
        }
        now()
    }

    /// Whether the deadline has passed: looks at the clock, if there is a deadline.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.is_stopped() || self.deadline.is_some_and(|deadline| self.now() >= deadline)
    }

    /// Whether only nodes limit it.
    #[inline(always)]
    pub(super) fn is_open(&self) -> bool {
        #[cfg(feature = "stop")]
        if self.stop.is_some() {
            return false;
        }
        self.deadline.is_none()
    }

    /// Whether another thread has ended the search.
    #[inline(always)]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        #[cfg(feature = "stop")]
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return true;
        }
        false
    }
}

/// A time in nanoseconds, at most 584 years.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "stop")]
    #[test]
    fn the_deadline_is_measured_by_the_timer() {
        fn fast() -> Instant {
            Instant::now() + Duration::from_secs(3600)
        }
        let budget = Budget::until(Instant::now() + Duration::from_secs(60));
        assert!(!budget.is_late() && budget.timed_by(fast).is_late());
        let (free, late) = (crate::clock::Meter::<4>::new(budget).take(), budget.timed_by(fast));
        assert!(free && !crate::clock::Meter::<4>::new(late).take());
        let share = budget.timed_by(fast).with_deadline(fast() + Duration::from_secs(60)).share(1, 2);
        let left = share.deadline().expect("a deadline").saturating_duration_since(fast());
        assert!(
            !share.is_late() && left <= Duration::from_secs(30) && left > Duration::from_secs(20),
            "{left:?}"
        );
    }

    #[test]
    fn a_share_is_a_part_of_nodes_and_time() {
        let far = Instant::now() + Duration::from_secs(1000);
        let budget = Budget::until(far).and_nodes(11).share(1, 2);
        let left = budget.deadline().expect("a deadline").saturating_duration_since(Instant::now());
        assert_eq!(budget.max_nodes(), 5);
        assert!(left <= Duration::from_secs(500) && left > Duration::from_secs(250), "{left:?}");
        assert_eq!(Budget::nodes(u64::MAX).share(3, 3).max_nodes(), u64::MAX);
        assert!(Budget::nodes(7).share(0, 3).max_nodes() == 0 && Budget::nodes(7).deadline().is_none());
    }
}
