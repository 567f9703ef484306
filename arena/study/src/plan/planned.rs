//! A row of a study: who is measured, in what way, and what was published.

use serde::Deserialize;

use super::equal::Equal;
use crate::kind::Kind;
use crate::published::Published;

/// A row with two entrants.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    a: String,
    b: String,
    /// For ratios: `a`'s opponent (`a` has the first seat), at whose positions both are measured; default `a` itself.
    against: Option<String>,
    contest: Option<String>,
    published: Option<Published>,
    note: Option<String>,
}

/// A row with one entrant.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct One {
    #[serde(alias = "by")]
    of: String,
    contest: Option<String>,
    published: Option<Published>,
    note: Option<String>,
}

/// A row with entrants in a published order, the best first.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    of: Vec<String>,
    contest: Option<String>,
    note: Option<String>,
}

/// A row of a study, of any kind.
#[derive(Debug, Clone)]
pub struct Planned<'a> {
    /// How it is measured.
    pub kind: Kind,
    /// The entrants.
    pub names: Vec<&'a str>,
    /// The contest with its variant.
    pub contest: &'a str,
    /// The budget that is held equal, in place of the study's.
    pub equal: Option<Equal>,
    /// The published figure.
    pub published: Option<Published>,
    /// The reason for a difference, if known.
    pub note: Option<&'a str>,
}

impl Pair {
    /// The row; `usual` is the study's contest.
    pub(super) fn planned<'a>(&'a self, kind: Kind, usual: &'a str) -> Planned<'a> {
        let Self { a, b, against, contest, published, note } = self;
        Planned {
            kind,
            names: [a, b].into_iter().chain(against).map(String::as_str).collect(),
            contest: contest.as_deref().unwrap_or(usual),
            equal: None,
            published: *published,
            note: note.as_deref(),
        }
    }
}

impl One {
    /// The row; `usual` is the study's contest.
    pub(super) fn planned<'a>(&'a self, kind: Kind, usual: &'a str) -> Planned<'a> {
        let Self { of, contest, published, note } = self;
        Planned {
            kind,
            names: vec![of],
            contest: contest.as_deref().unwrap_or(usual),
            equal: None,
            published: *published,
            note: note.as_deref(),
        }
    }
}

impl Order {
    /// The row; `usual` is the study's contest.
    pub(super) fn planned<'a>(&'a self, usual: &'a str) -> Planned<'a> {
        let Self { of, contest, note } = self;
        Planned {
            kind: Kind::Ranking,
            names: of.iter().map(String::as_str).collect(),
            contest: contest.as_deref().unwrap_or(usual),
            equal: None,
            published: Some(Published::Ranked { ranked: of.len() as u32 }),
            note: note.as_deref(),
        }
    }
}

/// A row that makes no sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Senseless {
    /// The published figure is one of another kind of row.
    #[error("what was published of such a row is written as {0}")]
    Published(&'static str),
    /// The published figure is impossible.
    #[error(
        "what was published is out of range: shares are 0 to 1, wins 0 to games, seconds more than 0, from at most to"
    )]
    Range,
    /// Both entrants are the same.
    #[error("a match of one with itself: write [[mirror]] with of = \"NAME\"")]
    Mirror,
    /// An order of one, or with an entrant twice.
    #[error("an order has two entrants or more, each once")]
    Order,
    /// A match has a third entrant.
    #[error("against is for [[nodes]] and [[speed]]: a match is against b")]
    Against,
}

impl Planned<'_> {
    /// The first mistake in the file.
    ///
    /// # Errors
    /// The reason.
    pub fn makes_sense(&self) -> Result<(), Senseless> {
        let Some(published) = self.published else { return self.has_two() };
        if !published.is_of(self.kind) {
            return Err(Senseless::Published(Published::of(self.kind)));
        }
        if !published.makes_sense() {
            return Err(Senseless::Range);
        }
        self.has_two()
    }

    /// Checks that a match has two different entrants.
    fn has_two(&self) -> Result<(), Senseless> {
        let is_twice = |names: &[&str]| (1..names.len()).any(|i| names[..i].contains(&names[i]));
        match (self.kind, &self.names[..]) {
            (Kind::Ranking, names) if names.len() < 2 || is_twice(names) => Err(Senseless::Order),
            (Kind::Match, [a, b]) if a == b => Err(Senseless::Mirror),
            (Kind::Match, [_, _, _]) => Err(Senseless::Against),
            _ => Ok(()),
        }
    }

    /// The row's title.
    pub fn title(&self) -> String {
        let names = match self.names[..] {
            [a, b, against] => format!("{a} against {b}, at positions of games with {against}"),
            _ => self.names.join(" against "),
        };
        match self.kind {
            Kind::Match => names,
            Kind::Ranking => self.names.join(" > "),
            Kind::Nodes => format!("nodes of {names}"),
            Kind::Speed => format!("nodes a second of {names}"),
            Kind::Mirror => format!("{names} against itself, first seat"),
            Kind::Trial => names,
            Kind::Solve => format!("{names} to the end"),
        }
    }
}
