//! Parses a study's file: pairings, budgets and published figures.

mod equal;
pub(crate) mod error;
mod mode;
mod planned;

use serde::Deserialize;

use super::kind::Kind;

pub use equal::{Equal, Held};
pub use error::PlanError;
pub use mode::{Budgets, Games, Mode};
pub use planned::Planned;

use planned::{One, Order, Pair};

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
    /// The budgets at which a full run measures each row with a published figure, in place of `budget`.
    pub held: Option<Held>,
    /// The entrants.
    #[serde(rename = "entrant", default)]
    pub entrants: Vec<Entrant>,
    /// Pairings, played in pairs of games from the same opening.
    #[serde(rename = "match", default)]
    matches: Vec<Pair>,
    /// Entrants in a published order, rated from games of all pairs.
    #[serde(rename = "ranking", default)]
    rankings: Vec<Order>,
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

/// An entrant.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// Name in the tables.
    pub name: String,
    /// The words behind `in:`: the search and its parameters.
    pub search: String,
    /// A budget that overrides the study's.
    pub budget: Option<Budgets>,
    /// Positions that a node of the search stands for, such as those of a playout; default: 1.
    #[serde(default = "one")]
    pub worlds_a_node: u64,
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
        let rows = study.rows(Mode::Quick);
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
        if study.held.as_ref().is_some_and(|held| !held.makes_sense()) {
            return Err(PlanError::Held { file: file() });
        }
        for row in &rows {
            if let Err(why) = row.makes_sense() {
                return Err(PlanError::Row { file: file(), title: row.title(), why });
            }
        }
        Ok(study)
    }

    /// All rows, kind by kind. In a full run each row with a published share comes at each of the budgets that are held
    /// equal.
    pub fn rows(&self, mode: Mode) -> Vec<Planned<'_>> {
        let usual = self.contest.as_str();
        let pairs = [(Kind::Match, &self.matches), (Kind::Nodes, &self.nodes), (Kind::Speed, &self.speeds)];
        let ones = [(Kind::Mirror, &self.mirrors), (Kind::Trial, &self.trials), (Kind::Solve, &self.solves)];
        let orders = self.rankings.iter().map(|row| row.planned(usual));
        let pairs =
            pairs.into_iter().flat_map(|(kind, rows)| rows.iter().map(move |row| row.planned(kind, usual)));
        let ones =
            ones.into_iter().flat_map(|(kind, rows)| rows.iter().map(move |row| row.planned(kind, usual)));
        orders.chain(pairs).chain(ones).flat_map(|row| self.at_each(row, mode)).collect()
    }

    /// A row at each of its budgets.
    fn at_each<'a>(&'a self, row: Planned<'a>, mode: Mode) -> Vec<Planned<'a>> {
        let held = self.held.as_ref().filter(|_| mode == Mode::Full && row.published.is_some());
        match held.filter(|_| matches!(row.kind, Kind::Match | Kind::Ranking)) {
            Some(held) => held.budgets().map(|equal| Planned { equal: Some(equal), ..row.clone() }).collect(),
            None => vec![row],
        }
    }

    /// The entrants of the row with this title, in its order.
    pub fn names(&self, title: &str) -> Vec<&str> {
        let row = self.rows(Mode::Quick).into_iter().find(|row| row.title() == title);
        row.map_or_else(Vec::new, |row| row.names)
    }

    /// The entrant with this name.
    pub fn entrant(&self, name: &str) -> Option<&Entrant> {
        self.entrants.iter().find(|entrant| entrant.name == name)
    }

    /// An entrant's command line, with the budget that is held equal or that of the kind of run.
    pub fn line(&self, name: &str, mode: Mode, equal: Option<Equal>) -> String {
        let Some(entrant) = self.entrant(name) else { return format!("in:{name}") };
        match (equal, &self.held) {
            (Some(equal), Some(held)) => {
                let words = equal.words(entrant.worlds_a_node);
                format!("in:{} {words} --pool-mb {}", entrant.search, held.pool_mb)
            }
            _ => {
                let budget = entrant.budget.as_ref().unwrap_or(&self.budget).of(mode);
                format!("in:{} {budget}", entrant.search)
            }
        }
    }

    /// The command lines of a row's entrants.
    pub fn lines(&self, row: &Planned<'_>, mode: Mode) -> Vec<String> {
        let lines = row.names.iter().map(|name| self.line(name, mode, row.equal));
        match row.kind {
            // A different seed, so that the games of a pair differ.
            Kind::Mirror => lines.flat_map(|line| [line.clone(), line + " --seed 2"]).collect(),
            _ => lines.collect(),
        }
    }
}

fn one() -> u64 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::Published;

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
        assert_eq!(study.line("one", Mode::Quick, None), "in:mcts --param exploration=1 --nodes 10");
        assert_eq!(study.line("two", Mode::PublishedTime, None), "in:flat --ms 1");
        let rows = study.rows(Mode::Full);
        assert_eq!(rows[0].published, Some(Published::Wins { wins: 96.0, games: 100 }));
        let titles = rows.iter().map(Planned::title).collect::<Vec<_>>();
        assert_eq!(titles, ["one against two", "nodes of two against one", "one against itself, first seat"]);
        let lines = study.lines(&rows[2], Mode::Full);
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
        let with =
            |line: &str| Study::read("x.toml", &PLAN.replacen("games =", &format!("{line}\ngames ="), 1));
        let held = with("held = { worlds = [20, 10], cpu_ms = [], pool_mb = 1, games = 2 }").unwrap_err();
        assert!(held.to_string().contains("ascending"), "{held}");
        let order = format!("{PLAN}\n[[ranking]]\nof = [\"one\", \"one\"]");
        assert!(Study::read("x.toml", &order).unwrap_err().to_string().contains("each once"));
        assert!(Study::read("x.toml", PLAN).is_ok());
        // In a full run only rows with a published share are tried at several budgets.
        let held = with("held = { worlds = [10, 20], cpu_ms = [5], pool_mb = 1, games = 2 }").unwrap();
        let count = |mode| held.rows(mode).len();
        assert_eq!((count(Mode::Full), count(Mode::Quick)), (5, 3));
        let rows = held.rows(Mode::Full);
        assert_eq!(held.lines(&rows[1], Mode::Full)[1], "in:flat --nodes 20 --pool-mb 1");
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
