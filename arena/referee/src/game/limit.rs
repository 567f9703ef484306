//! The budget of a move of a search of this program: nodes, time, or processor time.

use std::fmt;
use std::time::{Duration, Instant};

use contest::session::{Session, Thought};
use coppice::Budget;

use crate::process;
use crate::text::millis;

/// The maximum time of a move: a day.
pub(super) const MOST_MS: u64 = 86_400_000;

/// The budget of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// A number of nodes.
    Nodes(u64),
    /// A number of milliseconds.
    Milliseconds(u64),
    /// A number of milliseconds of processor time: see [`Pace`].
    Processor(u64),
}

impl Limit {
    /// The search budget of a move that begins now. Outside games, processor time is time.
    pub fn budget(self) -> Budget {
        match self {
            Self::Nodes(nodes) => Budget::nodes(nodes),
            Self::Milliseconds(ms) | Self::Processor(ms) => {
                Budget::until(Instant::now() + Duration::from_millis(ms))
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

/// Nodes with which a search is measured before its first move: the first of them that are enough for it to begin.
const FIRST_NODES: [u64; 3] = [20, 200, 2000];

/// How many moves' time a search can be ahead or behind.
const MOST_OWED: f64 = 5.0;

/// How fast a search is in a game, so that it gets its processor time in nodes. A deadline would count the time in which other
/// programs have the processor.
///
/// A move gets as many nodes as the search made in that time in its move before. What it was given too much or too little
/// is made good in the next moves, so that the sum over a game is right.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pace {
    /// Nodes a millisecond; 0 before the first move.
    rate: f64,
    /// Processor time granted but not used, in ms; negative after an overrun.
    owed: f64,
}

impl Pace {
    /// Lets a search think for a limit.
    pub fn think(&mut self, session: &mut dyn Session, limit: Limit) -> Thought {
        let Limit::Processor(ms) = limit else { return session.think(limit.budget()) };
        let ms = ms as f64;
        self.owed += ms;
        for nodes in FIRST_NODES {
            if self.rate > 0.0 {
                break;
            }
            let thought = self.run(session, nodes);
            // A search that counts no nodes has no limit, and one that is through needs none.
            if thought.solved || (self.rate == 0.0 && nodes == FIRST_NODES[2]) {
                return thought;
            }
        }
        let thought = self.run(session, self.nodes(ms));
        self.owed = self.owed.clamp(-MOST_OWED * ms, MOST_OWED * ms);
        thought
    }

    /// The nodes of a move of `ms` milliseconds.
    fn nodes(&self, ms: f64) -> u64 {
        ((self.owed.clamp(ms / 2.0, 2.0 * ms) * self.rate) as u64).max(1)
    }

    fn run(&mut self, session: &mut dyn Session, nodes: u64) -> Thought {
        let start = process::thread_time();
        let thought = session.think(Budget::nodes(nodes).unless(process::interrupt_flag()));
        self.learn(thought.nodes, millis(process::thread_time().saturating_sub(start)));
        thought
    }

    /// Records how many milliseconds a number of nodes took.
    fn learn(&mut self, nodes: u64, used: f64) {
        self.owed -= used;
        if nodes > 0 && used > 0.0 {
            self.rate = nodes as f64 / used;
        }
    }
}

#[cfg(test)]
mod tests {
    use contest::session::SessionSettings;

    use super::*;

    #[test]
    fn nodes_make_up_the_time_though_the_speed_changes() {
        let mut pace = Pace::default();
        pace.learn(20, 2.0);
        let mut used = 2.0;
        // Ten nodes a millisecond, then only five, then twenty.
        for turn in 0..30 {
            let speed = [10.0, 5.0, 20.0][turn / 10];
            pace.owed += 4.0;
            let nodes = pace.nodes(4.0);
            let took = nodes as f64 / speed;
            pace.learn(nodes, took);
            used += took;
            assert!(took <= 16.0 + 1e-9, "turn {turn}: {took}");
        }
        assert!((used - 120.0).abs() < 2.0, "{used}");
    }

    #[test]
    fn a_search_thinks_as_long_as_it_may() {
        let contest = bots_searches::contest("boop").unwrap();
        let settings = SessionSettings { pool_bytes: Some(8 << 20), ..SessionSettings::default() };
        let mut session = contest.session("mcts", &settings).unwrap();
        let mut pace = Pace::default();
        assert_eq!(pace.think(session.as_mut(), Limit::Nodes(50)).nodes, 50);
        assert_eq!((pace.rate, pace.owed), (0.0, 0.0));
        let thought = pace.think(session.as_mut(), Limit::Processor(2));
        assert!(thought.best.is_some() && pace.rate > 0.0, "{thought:?}");
        // A search that expands all moves of a position at once begins with more nodes than others.
        let mut session = contest.session("bot", &settings).unwrap();
        let mut pace = Pace::default();
        assert!(pace.think(session.as_mut(), Limit::Processor(2)).nodes > 0 && pace.rate > 0.0);
        // One ply of the heuristic counts no nodes.
        let mut session = contest.session("heuristic", &settings).unwrap();
        assert!(Pace::default().think(session.as_mut(), Limit::Processor(2)).best.is_some());
    }
}
