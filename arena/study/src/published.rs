//! A published figure.

use serde::{Deserialize, Serialize};

use super::kind::Kind;

/// A published figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected what was published as { wins = 96, games = 100 }, { above = 0.5 }, { below = 0.5 } or { about = 0.5 }; of \
                 nodes or speeds, { from = 5, to = 6 }; of a trial, { all_within = 1 }, and of something solved, { seconds = 1 }"
)]
pub enum Published {
    /// Wins in a number of games.
    Wins {
        /// Wins, and draws as half a win.
        wins: f64,
        /// The number of games.
        games: u32,
    },
    /// The first is better: a share above this.
    Above {
        /// A share of the points, 0 to 1.
        above: f64,
    },
    /// The first is worse: a share below this.
    Below {
        /// A share of the points, 0 to 1.
        below: f64,
    },
    /// Both are equal: a share of about this.
    About {
        /// A share of the points, 0 to 1.
        about: f64,
    },
    /// A solving time below a number of seconds.
    Within {
        /// Seconds.
        seconds: f64,
    },
    /// All tasks are completed, each answer within a number of seconds.
    AllWithin {
        /// Seconds.
        all_within: f64,
    },
    /// The entrants' order, the best first.
    Ranked {
        /// The number of entrants.
        ranked: u32,
    },
    /// A ratio of the first to the second.
    Times {
        /// The minimum.
        from: f64,
        /// The maximum.
        to: f64,
    },
}

impl Published {
    /// Whether the figure is possible.
    pub fn makes_sense(self) -> bool {
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        match self {
            Self::Wins { wins, games } => games > 0 && (0.0..=f64::from(games)).contains(&wins),
            Self::Above { above: share } | Self::Below { below: share } | Self::About { about: share } => {
                is_share(share)
            }
            Self::Within { seconds } | Self::AllWithin { all_within: seconds } => seconds > 0.0,
            Self::Ranked { ranked } => ranked > 1,
            Self::Times { from, to } => from > 0.0 && from <= to,
        }
    }

    /// Whether only one side of a share contradicts it.
    pub fn is_order(self) -> bool {
        matches!(self, Self::Above { .. } | Self::Below { .. })
    }

    /// Whether rows of this kind have such figures.
    pub fn is_of(self, kind: Kind) -> bool {
        match self {
            Self::Wins { .. } | Self::Above { .. } | Self::Below { .. } | Self::About { .. } => {
                matches!(kind, Kind::Match | Kind::Mirror | Kind::Trial)
            }
            Self::Within { .. } => kind == Kind::Solve,
            Self::AllWithin { .. } => kind == Kind::Trial,
            Self::Ranked { .. } => kind == Kind::Ranking,
            Self::Times { .. } => matches!(kind, Kind::Nodes | Kind::Speed),
        }
    }

    /// How the figures of this kind of row are written in a study's file.
    pub fn of(kind: Kind) -> &'static str {
        match kind {
            Kind::Match | Kind::Mirror => {
                "{ wins = 96, games = 100 }, { above = 0.5 }, { below = 0.5 } or { about = 0.5 }"
            }
            Kind::Nodes | Kind::Speed => "{ from = 5, to = 6 }",
            Kind::Ranking => "of = [\"the best\", \"the next\"]",
            Kind::Trial => "{ wins = 96, games = 100 } or { all_within = 1 }",
            Kind::Solve => "{ seconds = 1 }",
        }
    }
}
