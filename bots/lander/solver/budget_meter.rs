//! Tracks how much of a turn's budget is used.

use std::time::Instant;

use coppice::Budget;

/// The used part of a turn's budget.
#[derive(Debug)]
pub struct Spent {
    budget: Budget,
    began: Instant,
    /// Simulated seconds of flight.
    pub nodes: u64,
}

impl Spent {
    /// An unused budget.
    pub fn new(budget: Budget) -> Spent {
        Spent { budget, began: budget.now(), nodes: 0 }
    }

    /// The used fraction of the stretch between two fractions of the budget; `None` once all of it is used.
    pub fn part(&self, from: f64, to: f64) -> Option<f64> {
        let gone = self.gone();
        (gone < to).then(|| ((gone - from) / (to - from)).clamp(0.0, 1.0))
    }

    /// The used fraction of the whole budget: all of it once another thread has ended the search.
    pub fn gone(&self) -> f64 {
        if self.budget.is_stopped() {
            return 1.0;
        }
        let by_nodes = self.nodes as f64 / self.budget.max_nodes().max(1) as f64;
        let by_time = self.budget.deadline().map_or(0.0, |deadline| {
            let (now, all) = (self.budget.now(), deadline.saturating_duration_since(self.began));
            now.duration_since(self.began).as_secs_f64() / all.as_secs_f64().max(1e-6)
        });
        by_nodes.max(by_time)
    }
}
