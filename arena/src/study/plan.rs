//! Parses a study's file: pairings, budgets and published figures.

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use super::published::Published;
use crate::error::ArenaError;

/// The reasons a study's file is refused.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It isn't TOML, or has the wrong fields.
    #[error("{file}: {source}")]
    Form {
        /// The file.
        file: String,
        /// The place and the reason.
        source: Box<toml::de::Error>,
    },
    /// A row names an unknown entrant.
    #[error("{file}: a row names the unknown entrant `{name}`; available: {}", .known.join(", "))]
    Entrant {
        /// The file.
        file: String,
        /// The unknown name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// Two entrants have the same name.
    #[error("{file}: two entrants are called `{name}`")]
    Twice {
        /// The file.
        file: String,
        /// Their name.
        name: String,
    },
    /// A row is invalid.
    #[error("{file}, \"{title}\": {why}")]
    Row {
        /// The file.
        file: String,
        /// The row.
        title: String,
        /// The reason.
        why: String,
    },
    /// It has no rows.
    #[error("{file}: games: a row needs at least one game, in full and in quick runs")]
    Games {
        /// The file.
        file: String,
    },
    /// It has nothing to measure.
    #[error("{file}: a study needs at least one [[match]], [[mirror]], [[nodes]], [[speed]], [[trial]] or [[solve]]")]
    Empty {
        /// The file.
        file: String,
    },
}

impl From<PlanError> for ArenaError {
    fn from(error: PlanError) -> Self {
        Self::Study(Box::new(error))
    }
}

/// One published comparison.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The file's name without its ending.
    #[serde(skip)]
    pub name: String,
    /// The study as requested: its name, or its file.
    #[serde(skip)]
    pub asked: String,
    /// The title.
    pub title: String,
    /// The published claim, in a sentence.
    pub claim: String,
    /// The publication.
    pub source: String,
    /// The contest, with its variant if it has one.
    pub contest: String,
    /// Number of random plies before each game; default: the contest's.
    pub openings: Option<u32>,
    /// The budget of a move, as words after `in:SEARCH`.
    pub budget: Budgets,
    /// Games per match.
    pub games: Games,
    /// The entrants.
    #[serde(rename = "entrant", default)]
    pub entrants: Vec<Entrant>,
    /// Pairings, played in pairs of games from the same opening.
    #[serde(rename = "match", default)]
    matches: Vec<Pair>,
    /// Entrants that play themselves, to measure the first seat's score.
    #[serde(rename = "mirror", default)]
    mirrors: Vec<One>,
    /// Ratios of the nodes that two searches visit, in games of the first with itself or, `against`, with another.
    #[serde(rename = "nodes", default)]
    nodes: Vec<Pair>,
    /// Ratios of nodes per second of two searches, in such games.
    #[serde(rename = "speed", default)]
    speeds: Vec<Pair>,
    /// Entrants that do the tasks of a single-player contest: terrains, puzzles.
    #[serde(rename = "trial", default)]
    trials: Vec<One>,
    /// Start positions to be solved; budgets don't apply.
    #[serde(rename = "solve", default)]
    solves: Vec<One>,
    /// The conclusion.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// The budget of a move, by the kind of run.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a budget as { full = \"--nodes 5000\", quick = \"--nodes 300\", published = \"--ms 100\" }"
)]
pub struct Budgets {
    /// In a full run.
    pub full: String,
    /// In a quick run.
    pub quick: String,
    /// At the original's time limits.
    pub published: String,
}

/// Games of each match, mirror and comparison of nodes, or tasks of each trial, by the kind of run. Always whole pairs.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, expecting = "numbers of games as { full = 100, quick = 4 }")]
pub struct Games {
    /// In a full run.
    pub full: u32,
    /// In a quick run.
    pub quick: u32,
}

/// An entrant.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// Its name in the tables.
    pub name: String,
    /// The words behind `in:`: the search and its parameters.
    pub search: String,
    /// Its own budget.
    pub budget: Option<Budgets>,
}

/// A row with two entrants.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    a: String,
    b: String,
    /// Of a ratio: whom the first plays, on the first seat, at whose positions both are measured; itself if it isn't said.
    against: Option<String>,
    contest: Option<String>,
    published: Option<Published>,
    note: Option<String>,
}

/// A row with one entrant.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    #[serde(alias = "by")]
    of: String,
    contest: Option<String>,
    published: Option<Published>,
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
    /// The published figure.
    pub published: Option<Published>,
    /// The reason for a difference, if known.
    pub note: Option<&'a str>,
}

/// The size of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// All games of the study.
    Full,
    /// At most a minute.
    Quick,
    /// All games, at the original's time limits.
    PublishedTime,
}

impl Budgets {
    /// The name of a kind of run.
    pub fn of(&self, mode: Mode) -> &str {
        match mode {
            Mode::Full => &self.full,
            Mode::Quick => &self.quick,
            Mode::PublishedTime => &self.published,
        }
    }
}

impl Pair {
    fn planned<'a>(&'a self, kind: Kind, study: &'a Study) -> Planned<'a> {
        let Self { a, b, against, contest, published, note } = self;
        Planned {
            kind,
            names: [a, b].into_iter().chain(against).map(String::as_str).collect(),
            contest: contest.as_ref().unwrap_or(&study.contest),
            published: *published,
            note: note.as_deref(),
        }
    }
}

impl One {
    fn planned<'a>(&'a self, kind: Kind, study: &'a Study) -> Planned<'a> {
        let Self { of, contest, published, note } = self;
        Planned {
            kind,
            names: vec![of],
            contest: contest.as_ref().unwrap_or(&study.contest),
            published: *published,
            note: note.as_deref(),
        }
    }
}

impl Planned<'_> {
    /// The first mistake in the file.
    fn makes_sense(&self) -> Result<(), String> {
        let Some(published) = self.published else { return self.has_two() };
        if !published.is_of(self.kind) {
            let expected = Published::of(self.kind);
            return Err(format!("what was published of such a row is written as {expected}"));
        }
        if !published.makes_sense() {
            let why = "what was published is out of range: shares are 0 to 1, wins 0 to games, seconds more than 0, from at most to";
            return Err(why.to_owned());
        }
        self.has_two()
    }

    /// Checks that a match has two different entrants.
    fn has_two(&self) -> Result<(), String> {
        match (self.kind, &self.names[..]) {
            (Kind::Match, [a, b]) if a == b => {
                Err("a match of one with itself: write [[mirror]] with of = \"NAME\"".to_owned())
            }
            (Kind::Match, [_, _, _]) => {
                Err("against is for [[nodes]] and [[speed]]: a match is against b".to_owned())
            }
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
            Kind::Nodes => format!("nodes of {names}"),
            Kind::Speed => format!("nodes a second of {names}"),
            Kind::Mirror => format!("{names} against itself, first seat"),
            Kind::Trial => names,
            Kind::Solve => format!("{names} to the end"),
        }
    }

    /// The entrants' command lines.
    pub fn lines(&self, study: &Study, mode: Mode) -> Vec<String> {
        let lines = self.names.iter().map(|name| study.line(name, mode));
        match self.kind {
            // A different seed, so that the games of a pair differ.
            Kind::Mirror => lines.flat_map(|line| [line.clone(), line + " --seed 2"]).collect(),
            _ => lines.collect(),
        }
    }
}

impl Study {
    /// Parses a study.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn read(file: &str, text: &str) -> Result<Self, PlanError> {
        let form = |source| PlanError::Form { file: file.to_owned(), source: Box::new(source) };
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file).trim_end_matches(".toml").to_owned();
        let study = Self { asked: name.clone(), name, ..toml::from_str(text).map_err(form)? };
        let rows = study.rows();
        if rows.is_empty() {
            return Err(PlanError::Empty { file: file.to_owned() });
        }
        let strangers = rows.iter().flat_map(|row| &row.names).find(|name| study.entrant(name).is_none());
        if let Some(&name) = strangers {
            let known = study.entrants.iter().map(|entrant| entrant.name.clone()).collect();
            return Err(PlanError::Entrant { file: file.to_owned(), name: name.to_owned(), known });
        }
        let file = || file.to_owned();
        let mut names = study.entrants.iter().map(|entrant| &entrant.name).collect::<Vec<_>>();
        names.sort();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(PlanError::Twice { file: file(), name: pair[0].clone() });
        }
        if study.games.full == 0 || study.games.quick == 0 {
            return Err(PlanError::Games { file: file() });
        }
        for row in &rows {
            if let Err(why) = row.makes_sense() {
                return Err(PlanError::Row { file: file(), title: row.title(), why });
            }
        }
        Ok(study)
    }

    /// All rows, kind by kind.
    pub fn rows(&self) -> Vec<Planned<'_>> {
        let pairs = [(Kind::Match, &self.matches), (Kind::Nodes, &self.nodes), (Kind::Speed, &self.speeds)];
        let ones = [(Kind::Mirror, &self.mirrors), (Kind::Trial, &self.trials), (Kind::Solve, &self.solves)];
        let pairs =
            pairs.into_iter().flat_map(|(kind, rows)| rows.iter().map(move |row| row.planned(kind, self)));
        let ones =
            ones.into_iter().flat_map(|(kind, rows)| rows.iter().map(move |row| row.planned(kind, self)));
        pairs.chain(ones).collect()
    }

    /// The entrant with this name.
    pub fn entrant(&self, name: &str) -> Option<&Entrant> {
        self.entrants.iter().find(|entrant| entrant.name == name)
    }

    /// An entrant's command line.
    pub fn line(&self, name: &str, mode: Mode) -> String {
        let Some(entrant) = self.entrant(name) else { return format!("in:{name}") };
        let budget = entrant.budget.as_ref().unwrap_or(&self.budget).of(mode);
        format!("in:{} {budget}", entrant.search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"
        title = "t"
        claim = "c"
        source = "s"
        contest = "tictactoe"
        budget = { full = "--nodes 100", quick = "--nodes 10", published = "--ms 5" }
        games = { full = 10, quick = 2 }
        [[entrant]]
        name = "one"
        search = "mcts --param exploration=1"
        [[entrant]]
        name = "two"
        search = "flat"
        budget = { full = "--nodes 7", quick = "--nodes 3", published = "--ms 1" }
        [[match]]
        a = "one"
        b = "two"
        published = { wins = 96, games = 100 }
        [[nodes]]
        a = "two"
        b = "one"
        contest = "mnk:3,3,3"
        [[mirror]]
        of = "one"
    "#;

    #[test]
    fn a_file_is_a_study() {
        let study = Study::read("arena/studies/what.toml", PLAN).unwrap();
        assert_eq!(study.name, "what");
        assert_eq!(study.line("one", Mode::Quick), "in:mcts --param exploration=1 --nodes 10");
        assert_eq!(study.line("two", Mode::PublishedTime), "in:flat --ms 1");
        let rows = study.rows();
        assert_eq!(rows[0].published, Some(Published::Wins { wins: 96.0, games: 100 }));
        let titles = rows.iter().map(Planned::title).collect::<Vec<_>>();
        assert_eq!(titles, ["one against two", "nodes of two against one", "one against itself, first seat"]);
        let lines = rows[2].lines(&study, Mode::Full);
        assert_eq!(lines[1], lines[0].clone() + " --seed 2");
        assert_eq!((rows[1].contest, rows[2].contest), ("mnk:3,3,3", "tictactoe"));
    }

    #[test]
    fn figures_that_there_can_not_be_are_refused() {
        for (published, said) in [
            ("{ wins = 20, games = 10 }", "out of range"),
            ("{ wins = -1, games = 10 }", "out of range"),
            ("{ wins = 0, games = 0 }", "out of range"),
            ("{ above = 50 }", "out of range"),
            ("{ about = nan }", "out of range"),
            ("{ from = 5, to = 6 }", "written as { wins = 96"),
            ("{ seconds = 1 }", "written as { wins = 96"),
        ] {
            let text = PLAN.replace("{ wins = 96, games = 100 }", published);
            let error = Study::read("x.toml", &text).expect_err(published).to_string();
            assert!(error.starts_with("x.toml, \"one against two\": ") && error.contains(said), "{error}");
        }
        let times = PLAN.replace("contest = \"mnk:3,3,3\"", "published = { from = 6, to = 5 }");
        assert!(Study::read("x.toml", &times).is_err());
        let twice = Study::read("x.toml", &PLAN.replace("name = \"two\"", "name = \"one\""));
        assert!(twice.is_err());
        let alone = Study::read("x.toml", &PLAN.replacen("b = \"two\"", "b = \"one\"", 1)).unwrap_err();
        assert!(alone.to_string().contains("[[mirror]]"), "{alone}");
        assert!(Study::read("x.toml", &PLAN.replace("quick = 2 }", "quick = 0 }")).is_err());
        assert!(Study::read("x.toml", PLAN).is_ok());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |text: &str| Study::read("x.toml", text).unwrap_err().to_string();
        assert!(said("title = 1").starts_with("x.toml: "));
        let named = said(&PLAN.replace("b = \"two\"", "b = \"three\""));
        assert_eq!(named, "x.toml: a row names the unknown entrant `three`; available: one, two");
        let form = said(&PLAN.replace("wins = 96", "victories = 96"));
        assert!(form.starts_with("x.toml: ") && form.contains("as { wins = 96, games = 100 }"), "{form}");
        let budget = said(&PLAN.replace("{ full = \"--nodes 100\"", "{ fool = 1"));
        assert!(budget.contains("fool"), "{budget}");
        let (empty, _) = PLAN.split_at(PLAN.find("[[match]]").unwrap());
        assert!(said(empty).contains("at least one [[match]]"));
    }
}
