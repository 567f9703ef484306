//! What a row of a study came to.

use serde::{Deserialize, Serialize};

use super::plan::{Mode, Published};
use super::verdict::{self, Verdict};
use crate::stats::Estimate;

/// A row of the results: a line of their file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The study.
    pub study: String,
    /// The kind of run.
    pub mode: Mode,
    /// What is compared, as `A against B`.
    pub title: String,
    /// The contest with its variant.
    pub contest: String,
    /// Who took part, as command lines.
    pub lines: Vec<String>,
    /// What was published.
    pub published: Option<Published>,
    /// What we found.
    pub figure: Figure,
    /// Whether the two agree.
    pub verdict: Verdict,
    /// Why they don't, where that is known.
    pub note: Option<String>,
}

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// A share of the points, 0 to 1, in so many games.
    Share {
        /// Wins and half the draws, with its 95 % interval.
        share: Estimate,
        /// Games.
        games: u32,
        /// Of them drawn.
        draws: u32,
    },
    /// How long a search took to its end.
    Solved {
        /// Of the clock.
        seconds: f64,
        /// Visited.
        nodes: u64,
        /// Whether it came to an end.
        solved: bool,
    },
}

impl Figure {
    /// Compares it with what was published.
    pub fn verdict(&self, published: Option<Published>) -> Verdict {
        match *self {
            Self::Share { share, .. } => verdict::of_share(published, share),
            Self::Solved { seconds, solved, .. } => verdict::of_seconds(published, seconds, solved),
        }
    }

    /// Ours, its interval, and how much it rests on, for a table.
    pub fn columns(&self) -> [String; 3] {
        match *self {
            Self::Share { share: Estimate { mean, low, high }, games, draws } => {
                let drawn = if draws > 0 { format!(", {draws} drawn") } else { String::new() };
                [
                    format!("{:.1} %", 100.0 * mean),
                    format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high),
                    format!("{games} games{drawn}"),
                ]
            }
            Self::Solved { seconds, nodes, solved } => {
                let ours = if solved { format!("{seconds:.3} s") } else { format!("not in {seconds:.0} s") };
                [ours, String::new(), format!("{nodes} nodes")]
            }
        }
    }
}

/// What was published, for a table.
pub fn published_column(published: Option<Published>) -> String {
    match published {
        None => "-".to_owned(),
        Some(Published::Wins { wins, games }) => {
            format!("{:.1} % of {games}", 100.0 * wins / f64::from(games.max(1)))
        }
        Some(Published::Above { above }) => format!("above {:.0} %", 100.0 * above),
        Some(Published::Below { below }) => format!("below {:.0} %", 100.0 * below),
        Some(Published::About { about }) => format!("about {:.0} %", 100.0 * about),
        Some(Published::Within { seconds }) => format!("within {seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_for_people() {
        let share = Estimate { mean: 0.875, low: 0.8, high: 0.95 };
        let figure = Figure::Share { share, games: 40, draws: 2 };
        assert_eq!(figure.columns(), ["87.5 %", "80.0 to 95.0", "40 games, 2 drawn"]);
        let open = Figure::Solved { seconds: 60.2, nodes: 5, solved: false };
        assert_eq!(open.columns(), ["not in 60 s", "", "5 nodes"]);
        assert_eq!(published_column(Some(Published::Wins { wins: 96.0, games: 100 })), "96.0 % of 100");
    }

    #[test]
    fn a_row_is_a_line_and_comes_back() {
        let row = Row {
            study: "s".into(),
            mode: Mode::PublishedTime,
            title: "a against b".into(),
            contest: "tictactoe".into(),
            lines: vec!["in:a".into(), "in:b".into()],
            published: Some(Published::Above { above: 0.5 }),
            figure: Figure::Solved { seconds: 0.5, nodes: 7, solved: true },
            verdict: Verdict::New,
            note: None,
        };
        let line = serde_json::to_string(&row).unwrap();
        assert!(!line.contains('\n') && line.contains("\"published-time\""), "{line}");
        assert_eq!(serde_json::from_str::<Row>(&line).unwrap(), row);
    }
}
