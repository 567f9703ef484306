//! The budget of a move of a search of this program: nodes, time, or processor time.

use std::fmt;
use std::time::{Duration, Instant};

use coppice::Budget;

use crate::process;

/// The maximum time of a move: a day.
pub(super) const MOST_MS: u64 = 86_400_000;

/// The budget of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// A number of nodes.
    Nodes(u64),
    /// A number of milliseconds.
    Milliseconds(u64),
    /// A number of milliseconds of the thread's processor time, whatever else the machine does.
    Processor(u64),
}

impl Limit {
    /// The search budget of a move that begins now, in this thread.
    pub fn budget(self) -> Budget {
        match self {
            Self::Nodes(nodes) => Budget::nodes(nodes),
            Self::Milliseconds(ms) => Budget::until(Instant::now() + Duration::from_millis(ms)),
            Self::Processor(ms) => {
                let clock = process::thread_clock;
                Budget::until(clock() + Duration::from_millis(ms)).timed_by(clock)
            }
        }
    }

    /// This many times as much.
    pub fn times(self, factor: u64) -> Self {
        let more = |ms: u64| ms.saturating_mul(factor).min(MOST_MS);
        match self {
            Self::Nodes(nodes) => Self::Nodes(nodes.saturating_mul(factor)),
            Self::Milliseconds(ms) => Self::Milliseconds(more(ms)),
            Self::Processor(ms) => Self::Processor(more(ms)),
        }
    }

    /// The limit in words.
    pub fn words(self) -> String {
        match self {
            Self::Nodes(nodes) => format!("{nodes} nodes"),
            Self::Milliseconds(ms) => format!("{ms} ms"),
            Self::Processor(ms) => format!("{ms} ms of processor time"),
        }
    }

    /// The console's command that thinks for this long.
    pub fn command(self) -> String {
        match self {
            Self::Nodes(nodes) => format!("nodes {nodes}"),
            Self::Milliseconds(ms) | Self::Processor(ms) => format!("time {ms}"),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "--nodes {nodes}"),
            Self::Milliseconds(ms) => write!(f, "--ms {ms}"),
            Self::Processor(ms) => write!(f, "--cpu-ms {ms}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use contest::session::SessionSettings;

    use super::*;

    #[test]
    fn a_search_has_the_processor_for_as_long_as_it_may() {
        let contest = bots_searches::contest("boop").unwrap();
        let settings = SessionSettings { pool_bytes: Some(8 << 20), ..SessionSettings::default() };
        for search in ["mcts", "bot", "minimax", "alpha-beta"] {
            let mut session = contest.session(search, &settings).unwrap();
            let begun = process::thread_time();
            let thought = session.think(Limit::Processor(20).budget());
            let used = process::thread_time() - begun;
            assert!(thought.best.is_some() && used >= Duration::from_millis(19), "{search}: {used:?}");
            // The bot expands all moves of a position at once, or none.
            let nodes = session.think(Limit::Nodes(150).budget()).nodes;
            assert!((100..=150).contains(&nodes), "{search}: {nodes}");
        }
        // One ply of the heuristic counts no nodes.
        let mut session = contest.session("heuristic", &settings).unwrap();
        assert!(session.think(Limit::Processor(2).budget()).best.is_some());
    }
}
