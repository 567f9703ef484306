//! The budgets of a move at which a claim is tried.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::kind::Kind;

/// The amount that all entrants of a row have for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Equal {
    /// Positions visited.
    Worlds(u64),
    /// Milliseconds of processor time.
    CpuMs(u64),
}

/// The budgets at which each published row is measured in a full run.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "budgets as { worlds = [2000, 20000], cpu_ms = [10, 50], pool_mb = 100, games = 40 }"
)]
pub struct Held {
    /// Positions visited, in ascending order.
    pub worlds: Vec<u64>,
    /// Milliseconds of processor time, in ascending order.
    pub cpu_ms: Vec<u64>,
    /// The memory of a search, in millions of bytes.
    pub pool_mb: u64,
    /// Games of each match; of two of an order half as many, since both meet the others too.
    pub games: u32,
}

impl Held {
    /// The budgets, those by positions first.
    pub fn budgets(&self) -> impl Iterator<Item = Equal> + '_ {
        let worlds = self.worlds.iter().map(|&count| Equal::Worlds(count));
        worlds.chain(self.cpu_ms.iter().map(|&ms| Equal::CpuMs(ms)))
    }

    /// Games of two entrants.
    pub fn games_of(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Ranking => self.games.div_ceil(2),
            _ => self.games,
        }
    }

    /// Whether there is a budget, each list ascends, and nothing is 0.
    pub(super) fn makes_sense(&self) -> bool {
        let ascends = |all: &[u64]| all.windows(2).all(|pair| pair[0] < pair[1]) && all.first() != Some(&0);
        let is_any = !self.worlds.is_empty() || !self.cpu_ms.is_empty();
        is_any && ascends(&self.worlds) && ascends(&self.cpu_ms) && self.pool_mb > 0 && self.games > 0
    }
}

impl Equal {
    /// Whether it is an amount of time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::CpuMs(_))
    }

    /// The words after `in:SEARCH` for a search whose nodes are `worlds_a_node` positions each.
    pub(super) fn words(self, worlds_a_node: u64) -> String {
        match self {
            Self::Worlds(count) => format!("--nodes {}", (count / worlds_a_node.max(1)).max(1)),
            Self::CpuMs(ms) => format!("--cpu-ms {ms}"),
        }
    }
}

impl fmt::Display for Equal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Worlds(count) => {
                let digits = count.to_string();
                let grouped = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group));
                write!(f, "{} positions", grouped.collect::<Vec<_>>().join(","))
            }
            Self::CpuMs(ms) => write!(f, "{ms} ms"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_words_for_a_search_and_for_people() {
        let held = Held { worlds: vec![2_000, 1_200_000], cpu_ms: vec![10], pool_mb: 100, games: 40 };
        let words = held.budgets().map(|equal| equal.words(10)).collect::<Vec<_>>();
        assert_eq!(words, ["--nodes 200", "--nodes 120000", "--cpu-ms 10"]);
        let names = held.budgets().map(|equal| equal.to_string()).collect::<Vec<_>>();
        assert_eq!(names, ["2,000 positions", "1,200,000 positions", "10 ms"]);
        assert_eq!([Kind::Match, Kind::Ranking].map(|kind| held.games_of(kind)), [40, 20]);
        assert!(held.makes_sense());
        assert!(!Held { worlds: vec![5, 5], ..held.clone() }.makes_sense());
        assert!(!Held { cpu_ms: vec![0], ..held.clone() }.makes_sense());
        assert!(!Held { worlds: Vec::new(), cpu_ms: Vec::new(), ..held }.makes_sense());
    }
}
