//! A study as its file says it: who meets whom, on what budget, and what was published.

use serde::{Deserialize, Serialize};

/// Why a file is no study.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It isn't TOML, or not of this form.
    #[error("{file}: {source}")]
    Form {
        /// The file.
        file: String,
        /// Where and what.
        source: Box<toml::de::Error>,
    },
    /// A row speaks of somebody who isn't there.
    #[error("{file}: a row names the entrant `{name}`; there are {}", .known.join(", "))]
    Entrant {
        /// The file.
        file: String,
        /// Who was named.
        name: String,
        /// Who is there.
        known: Vec<String>,
    },
    /// Nothing is measured.
    #[error("{file}: a study needs at least one [[match]], [[mirror]] or [[solve]]")]
    Empty {
        /// The file.
        file: String,
    },
}

/// One published comparison.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The file's name without its ending.
    #[serde(skip)]
    pub name: String,
    /// What the study is asked for by: its name, or its file.
    #[serde(skip)]
    pub asked: String,
    /// What is compared.
    pub title: String,
    /// What was published, in a sentence.
    pub claim: String,
    /// Where.
    pub source: String,
    /// The contest, with its variant if it has one.
    pub contest: String,
    /// Random plies in front of each game; what the contest usually has, if nothing is said.
    pub openings: Option<u32>,
    /// What a move may cost, as words behind `in:SEARCH`.
    pub budget: Budgets,
    /// Games of each match.
    pub games: Games,
    /// Who takes part.
    #[serde(rename = "entrant", default)]
    pub entrants: Vec<Entrant>,
    /// Who meets whom, in pairs of games from the same opening.
    #[serde(rename = "match", default)]
    pub matches: Vec<Match>,
    /// Who meets itself: how the first seat does.
    #[serde(rename = "mirror", default)]
    pub mirrors: Vec<Mirror>,
    /// What is solved, by whom.
    #[serde(rename = "solve", default)]
    pub solves: Vec<Solve>,
    /// What is to be said of the results as a whole.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// What a move may cost, by the kind of run.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a budget as { full = \"--nodes 5000\", quick = \"--nodes 300\", published = \"--ms 100\" }"
)]
pub struct Budgets {
    /// In a full run.
    pub full: String,
    /// In a quick one.
    pub quick: String,
    /// At the original's times.
    pub published: String,
}

/// Games of each match, by the kind of run: whole pairs.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, expecting = "numbers of games as { full = 100, quick = 4 }")]
pub struct Games {
    /// In a full run.
    pub full: u32,
    /// In a quick one.
    pub quick: u32,
}

/// Somebody who takes part.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// What it is called in the tables.
    pub name: String,
    /// The words behind `in:`: the search and its parameters.
    pub search: String,
    /// A budget of its own.
    pub budget: Option<Budgets>,
}

/// Two that meet.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// Whose score it is.
    pub a: String,
    /// The other.
    pub b: String,
    /// The contest, if it is another than the study's.
    pub contest: Option<String>,
    /// What was published of it.
    pub published: Option<Published>,
    /// Why ours differs, where that is known.
    pub note: Option<String>,
}

/// Somebody who meets itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mirror {
    /// Who.
    pub of: String,
    /// The contest, if it is another than the study's.
    pub contest: Option<String>,
    /// What was published of the first seat.
    pub published: Option<Published>,
    /// Why ours differs, where that is known.
    pub note: Option<String>,
}

/// Something that is solved.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solve {
    /// By whom; its budget doesn't count.
    pub by: String,
    /// The contest, if it is another than the study's.
    pub contest: Option<String>,
    /// What was published of the seconds.
    pub published: Option<Published>,
    /// Why ours differs, where that is known.
    pub note: Option<String>,
}

/// What was published.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected what was published as { wins = 96, games = 100 }, { above = 0.5 }, { below = 0.5 }, { about = 0.5 } or, \
                 of something solved, { seconds = 1 }"
)]
pub enum Published {
    /// Wins in so many games.
    Wins {
        /// Draws count half.
        wins: f64,
        /// In so many.
        games: u32,
    },
    /// That one is better: a share above this.
    Above {
        /// Of the points, 0 to 1.
        above: f64,
    },
    /// That one is worse: a share below this.
    Below {
        /// Of the points, 0 to 1.
        below: f64,
    },
    /// That it makes no difference: a share of about this.
    About {
        /// Of the points, 0 to 1.
        about: f64,
    },
    /// That it takes less than so many seconds.
    Within {
        /// Seconds.
        seconds: f64,
    },
}

/// How much is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// As much as the results need.
    Full,
    /// As much as a minute allows.
    Quick,
    /// At the original's times.
    PublishedTime,
}

impl Budgets {
    /// The words for a kind of run.
    pub fn of(&self, mode: Mode) -> &str {
        match mode {
            Mode::Full => &self.full,
            Mode::Quick => &self.quick,
            Mode::PublishedTime => &self.published,
        }
    }
}

impl Study {
    /// Reads a study.
    ///
    /// # Errors
    /// If it isn't one.
    pub fn read(file: &str, text: &str) -> Result<Self, PlanError> {
        let form = |source| PlanError::Form { file: file.to_owned(), source: Box::new(source) };
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file).trim_end_matches(".toml").to_owned();
        let study = Self { asked: name.clone(), name, ..toml::from_str(text).map_err(form)? };
        let named = study.matches.iter().flat_map(|m| [&m.a, &m.b]);
        let named =
            named.chain(study.mirrors.iter().map(|m| &m.of)).chain(study.solves.iter().map(|s| &s.by));
        for name in named {
            if study.entrant(name).is_none() {
                let known = study.entrants.iter().map(|entrant| entrant.name.clone()).collect();
                return Err(PlanError::Entrant { file: file.to_owned(), name: name.clone(), known });
            }
        }
        if study.matches.is_empty() && study.mirrors.is_empty() && study.solves.is_empty() {
            return Err(PlanError::Empty { file: file.to_owned() });
        }
        Ok(study)
    }

    /// Who is called so.
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
    "#;

    #[test]
    fn a_file_is_a_study() {
        let study = Study::read("arena/studies/what.toml", PLAN).unwrap();
        assert_eq!(study.name, "what");
        assert_eq!(study.line("one", Mode::Quick), "in:mcts --param exploration=1 --nodes 10");
        assert_eq!(study.line("two", Mode::PublishedTime), "in:flat --ms 1");
        assert_eq!(study.matches[0].published, Some(Published::Wins { wins: 96.0, games: 100 }));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |text: &str| Study::read("x.toml", text).unwrap_err().to_string();
        assert!(said("title = 1").starts_with("x.toml: "));
        let named = said(&PLAN.replace("b = \"two\"", "b = \"three\""));
        assert_eq!(named, "x.toml: a row names the entrant `three`; there are one, two");
        let form = said(&PLAN.replace("wins = 96", "victories = 96"));
        assert!(form.starts_with("x.toml: ") && form.contains("as { wins = 96, games = 100 }"), "{form}");
        let budget = said(&PLAN.replace("{ full = \"--nodes 100\"", "{ fool = 1"));
        assert!(budget.contains("fool"), "{budget}");
        let (empty, _) = PLAN.split_at(PLAN.find("[[match]]").unwrap());
        assert!(said(empty).contains("at least one [[match]]"));
    }
}
