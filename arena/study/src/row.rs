//! The result of a row of a study.

use serde::{Deserialize, Serialize};

use super::origin::Origin;
use super::plan::{Equal, Mode};
use super::published::Published;
use super::verdict::{self, Verdict};
use coppice_stats::Estimate;

/// Width in characters of the contest's name before a row.
const LONGEST_NAME: usize = 24;

/// A row of the results, stored as a line of their file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The study.
    pub study: String,
    /// The kind of run.
    pub mode: Mode,
    /// The title, as `A against B`.
    pub title: String,
    /// The contest with its variant.
    pub contest: String,
    /// The entrants' command lines.
    pub lines: Vec<String>,
    /// Number of random plies before each game.
    pub openings: u32,
    /// The budget that is held equal, if it isn't the study's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equal: Option<Equal>,
    /// A digest of each entrant's moves under a small budget, by which a later program knows whether it has changed; empty
    /// in old rows.
    #[serde(default)]
    pub behaviour: Vec<String>,
    /// Games or tasks requested.
    pub asked: u32,
    /// Date, machine and build.
    #[serde(rename = "made")]
    pub origin: Origin,
    /// The published figure.
    pub published: Option<Published>,
    /// Our figure.
    pub figure: Figure,
    /// Whether the two agree.
    pub verdict: Verdict,
    /// The reason for a difference, if known.
    pub note: Option<String>,
}

impl Row {
    /// Whether both rows were measured from the same request, whatever the result.
    pub fn is_same(&self, other: &Self) -> bool {
        let asked = |row: &Self| (row.mode, row.openings, row.asked);
        let words = |row: &Self| (row.title.clone(), row.contest.clone(), row.lines.clone());
        asked(self) == asked(other) && words(self) == words(other) && self.equal == other.equal
    }

    /// The title with the contest, if it isn't the study's own, and the budget, if that is held equal.
    pub fn full_title(&self, contest: &str) -> String {
        let title = self.title_in(contest);
        self.equal.map_or(title.clone(), |equal| format!("{title}, {equal}"))
    }

    /// The title, with the contest if it isn't the study's own.
    pub fn title_in(&self, contest: &str) -> String {
        let cut = self.contest.char_indices().nth(LONGEST_NAME);
        match cut {
            _ if self.contest == contest => self.title.clone(),
            Some((end, _)) => format!("{}…: {}", &self.contest[..end], self.title),
            None => format!("{}: {}", self.contest, self.title),
        }
    }

    /// The row with a figure and its verdict.
    pub fn with(self, figure: Figure) -> Self {
        Self { verdict: figure.verdict(self.published), figure, ..self }
    }
}

/// A measured figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// The ratings of several entrants from games of each pair, in the published order.
    Ranking {
        /// In Elo, with mean 0.
        ratings: Vec<Estimate>,
        /// Neighbours whose order isn't shown.
        open: u32,
        /// Pairs whose order is shown to be the other one.
        reversed: u32,
        /// The number of games.
        games: u32,
    },
    /// A share of the points, 0 to 1, in a number of games.
    Share {
        /// Wins and half the draws over games, with its 95 % interval.
        share: Estimate,
        /// The number of games.
        games: u32,
        /// The number of draws.
        draws: u32,
        /// The share on the first and on the second seat, of a match.
        #[serde(default)]
        by_seat: Option<[f64; 2]>,
        /// Mean seconds of processor time a game, of each entrant.
        #[serde(default)]
        seconds: Option<[f64; 2]>,
    },
    /// A share of the tasks of a contest for one, 0 to 1.
    Done {
        /// The share of the tasks completed, with its 95 % interval.
        share: Estimate,
        /// The number of tasks.
        tasks: u32,
        /// The slowest answer, in seconds of wall-clock time.
        slowest: f64,
        /// The mean score: for flights, the litres left.
        score: f64,
    },
    /// A ratio of the first to the second.
    Times {
        /// The ratio, with its 95 % interval.
        times: Estimate,
        /// The amounts themselves, the total of each.
        amounts: [f64; 2],
        /// The number of positions.
        positions: u64,
        /// The median amount at a position, of each.
        #[serde(default)]
        medians: [f64; 2],
    },
    /// The time of a search to its end.
    Solved {
        /// Wall-clock seconds.
        seconds: f64,
        /// Nodes visited.
        nodes: u64,
        /// Whether it finished.
        solved: bool,
    },
}

impl Figure {
    /// Compares it with a published figure.
    pub fn verdict(&self, published: Option<Published>) -> Verdict {
        let Some(published) = published else { return Verdict::New };
        match *self {
            Self::Ranking { open, reversed, .. } => verdict::judged(open == 0, reversed > 0),
            Self::Share { share, .. } => verdict::of_share(published, share),
            Self::Done { share, slowest, .. } => verdict::of_tasks(published, share, slowest),
            Self::Times { times, .. } => verdict::of_times(published, times),
            Self::Solved { seconds, solved, .. } => verdict::of_seconds(published, seconds, solved),
        }
    }

    /// Distance from a published figure, in standard errors; `None` if no figure of this kind was published.
    pub fn deviation(&self, published: Published) -> Option<f64> {
        match *self {
            Self::Share { share, .. } | Self::Done { share, .. } => {
                verdict::deviation_of_share(published, share)
            }
            Self::Times { times, .. } => verdict::deviation_of_times(published, times),
            Self::Solved { .. } | Self::Ranking { .. } => None,
        }
    }

    /// The share, if it is one.
    pub fn share(&self) -> Option<Estimate> {
        match *self {
            Self::Share { share, .. } | Self::Done { share, .. } => Some(share),
            Self::Times { .. } | Self::Solved { .. } | Self::Ranking { .. } => None,
        }
    }

    /// Our figure, its interval and its sample size, for a table.
    pub fn columns(&self) -> [String; 3] {
        let percent = |share: Estimate, rest: String| {
            let Estimate { mean, low, high } = share;
            // A tenth of a per cent says something only where the interval is narrow.
            let places = usize::from(high - low < 0.1);
            let interval = format!("{:.places$} to {:.places$}", 100.0 * low, 100.0 * high);
            [format!("{:.places$} %", 100.0 * mean), interval, rest]
        };
        match *self {
            Self::Ranking { ref ratings, games, .. } => {
                let each = |rating: &Estimate| format!("{:+.0} ± {:.0}", rating.mean, rating.error());
                let ratings = ratings.iter().map(each).collect::<Vec<_>>();
                [ratings.join(", "), String::new(), games.to_string()]
            }
            Self::Share { share, games, draws, by_seat, .. } => {
                let drawn = if draws > 0 { format!(", {draws} drawn") } else { String::new() };
                let seats = by_seat
                    .map(|seats| seats.map(|share| 100.0 * share))
                    .map_or_else(String::new, |[first, second]| format!(": {first:.0}, {second:.0}"));
                percent(share, format!("{games}{seats}{drawn}"))
            }
            Self::Done { share, tasks, slowest, score } => {
                let slowest = format!("slowest answer {:.2} ms", 1000.0 * slowest);
                percent(share, format!("{tasks} tasks, mean score {score:.0}, {slowest}"))
            }
            Self::Times { times: Estimate { mean, low, high }, amounts: [a, b], positions, medians } => {
                let medians = match medians {
                    [0.0, 0.0] => String::new(),
                    [a, b] => format!(", medians {a} and {b}"),
                };
                [
                    format!("{mean:.3} times"),
                    format!("{low:.3} to {high:.3}"),
                    format!("{a:.0} and {b:.0} at {positions} positions{medians}"),
                ]
            }
            Self::Solved { seconds, nodes, solved } => {
                let ours = if solved { format!("{seconds:.3} s") } else { format!("not in {seconds:.0} s") };
                [ours, String::new(), format!("{nodes} nodes")]
            }
        }
    }
}

/// The published figure, for a table.
pub(crate) fn published_column(published: Option<Published>) -> String {
    match published {
        None => "-".to_owned(),
        Some(Published::Wins { wins, games }) => {
            let percent = format!("{:.1}", 100.0 * wins / f64::from(games.max(1)));
            format!("{} % of {games}", percent.trim_end_matches(".0"))
        }
        Some(Published::Above { above }) => format!("above {:.0} %", 100.0 * above),
        Some(Published::Below { below }) => format!("below {:.0} %", 100.0 * below),
        Some(Published::About { about }) => format!("about {:.0} %", 100.0 * about),
        Some(Published::Within { seconds }) => format!("within {seconds} s"),
        Some(Published::AllWithin { all_within }) => format!("all, within {all_within} s"),
        Some(Published::Ranked { .. }) => "this order".to_owned(),
        Some(Published::Times { from, to }) if from == to => format!("{from} times"),
        Some(Published::Times { from, to }) => format!("{from} to {to} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_for_people() {
        let share = Estimate { mean: 0.875, low: 0.8, high: 0.95 };
        let figure = |by_seat| Figure::Share { share, games: 40, draws: 2, by_seat, seconds: None };
        assert_eq!(figure(None).columns(), ["88 %", "80 to 95", "40, 2 drawn"]);
        assert_eq!(figure(Some([0.8, 0.95])).columns()[2], "40: 80, 95, 2 drawn");
        let narrow = Estimate { mean: 0.54, low: 0.502, high: 0.578 };
        let figure = Figure::Share { share: narrow, games: 400, draws: 0, by_seat: None, seconds: None };
        assert_eq!(figure.columns(), ["54.0 %", "50.2 to 57.8", "400"]);
        let figure = Figure::Done { share, tasks: 40, slowest: 0.0125, score: 511.6 };
        assert_eq!(figure.columns()[2], "40 tasks, mean score 512, slowest answer 12.50 ms");
        let times = Estimate { mean: 5.5, low: 5.0, high: 6.0 };
        let figure = |medians| Figure::Times { times, amounts: [1100.0, 200.0], positions: 9, medians };
        let columns = figure([0.0; 2]).columns();
        assert_eq!(columns, ["5.500 times", "5.000 to 6.000", "1100 and 200 at 9 positions"]);
        let columns = figure([120.0, 22.5]).columns();
        assert_eq!(columns[2], "1100 and 200 at 9 positions, medians 120 and 22.5");
        let open = Figure::Solved { seconds: 60.2, nodes: 5, solved: false };
        assert_eq!(open.columns(), ["not in 60 s", "", "5 nodes"]);
        let wins = |wins| published_column(Some(Published::Wins { wins, games: 200 }));
        assert_eq!([wins(192.0), wins(193.0)], ["96 % of 200", "96.5 % of 200"]);
    }

    #[test]
    fn a_row_is_a_line_and_comes_back() {
        let row = Row {
            study: "s".into(),
            mode: Mode::PublishedTime,
            title: "a against b".into(),
            contest: "tictactoe".into(),
            lines: vec!["in:a".into(), "in:b".into()],
            equal: Some(Equal::CpuMs(50)),
            behaviour: vec!["0123".into(), "4567".into()],
            openings: 4,
            asked: 100,
            origin: Origin {
                date: "2026-01-31".into(),
                machine: "a machine".into(),
                build: None,
                commit: None,
            },
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
