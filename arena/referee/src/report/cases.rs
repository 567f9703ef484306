//! The cases of a run whose bots play alone: a row for each seed, the worst first.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::fault::Ending;
use crate::record::GameRecord;
use crate::report::ranges::{ranges, Range};
use coppice_stats::{Compare, Estimate, Lead};

/// A bot on a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ran {
    /// The score; none if the bot failed.
    pub score: Option<i64>,
    /// The score's share of the best known one, from 0 to 1.
    pub share: f64,
    /// Milliseconds.
    pub ms: Option<f64>,
    /// The failure, if it failed.
    pub failure: Option<Ending>,
    /// The game's number.
    pub game: u32,
}

/// A seed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Case {
    /// The seed.
    pub seed: u64,
    /// Numbers of the case, by name.
    pub attributes: BTreeMap<String, f64>,
    /// The bots, in the run's order; none for a bot whose game is missing.
    pub bots: Vec<Option<Ran>>,
}

/// The cases that have a value, or one in a range.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The value or the range.
    pub value: String,
    /// The number of cases in which all bots ran.
    pub cases: usize,
    /// Each bot's mean share.
    pub shares: Vec<f64>,
    /// The mean lead of the first bot over the second, in shares.
    pub lead: Option<Estimate>,
    /// The number of failures of each bot.
    pub failures: Vec<usize>,
}

/// The cases of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cases {
    /// The bots' names.
    pub bots: Vec<String>,
    /// The names of the cases' numbers.
    pub attributes: Vec<String>,
    /// The cases, worst first: failures of the first bot, then where it is farthest behind the others, or behind the best known
    /// score if it is alone.
    pub rows: Vec<Case>,
}

impl Cases {
    /// The cases of games; `bots` are the names in the run's order. `None` if several bots play in a game.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a GameRecord>, bots: &[String]) -> Option<Self> {
        let mut groups = BTreeMap::<u64, Vec<&GameRecord>>::new();
        for game in games {
            if game.bots.len() != 1 || game.scores.len() != 1 {
                return None;
            }
            groups.entry(game.seed).or_default().push(game);
        }
        let mut rows = groups.into_iter().map(|(seed, games)| case(seed, &games, bots)).collect::<Vec<_>>();
        rows.sort_by(|a, b| a.worse_than(b));
        let mut attributes = rows.iter().flat_map(|row| row.attributes.keys().cloned()).collect::<Vec<_>>();
        attributes.sort();
        attributes.dedup();
        Some(Self { bots: bots.to_vec(), attributes, rows })
    }

    /// All cases, and those of each value of a number; of many values, those of ranges with about as many cases each.
    pub fn by(&self, name: Option<&str>) -> Vec<Group> {
        let mut groups = Vec::new();
        if let Some(name) = name {
            let rows = self.rows.iter().filter_map(|row| Some((*row.attributes.get(name)?, row))).collect();
            for Range { ends: [first, last], items } in ranges(rows) {
                let value = if first == last { first.to_string() } else { format!("{first} to {last}") };
                groups.push(self.group(value, &items));
            }
        }
        groups.push(self.group("all".to_owned(), &self.rows.iter().collect::<Vec<_>>()));
        groups
    }

    /// The heads of the columns of [`Cases::cells`].
    pub fn head(&self) -> Vec<String> {
        let mut head = vec!["seed".to_owned()];
        head.extend(self.attributes.iter().cloned());
        for bot in &self.bots {
            head.extend([bot.clone(), "%".to_owned(), "ms".to_owned()]);
        }
        head.extend((self.bots.len() > 1).then(|| "lead %".to_owned()));
        head
    }

    /// A case as text: its seed and its numbers; each bot's score or how it failed, the score's share and the time; the lead.
    pub fn cells(&self, case: &Case) -> Vec<String> {
        let mut cells = vec![case.seed.to_string()];
        let number = |name: &String| case.attributes.get(name).map_or_else(String::new, f64::to_string);
        cells.extend(self.attributes.iter().map(number));
        let result = |ran: &Ran| match (ran.score, ran.failure) {
            (Some(score), _) => score.to_string(),
            (None, failure) => failure.map_or_else(String::new, |failure| failure.to_string()),
        };
        cells.extend(case.bots.iter().flat_map(|ran| match ran {
            None => ["-"; 3].map(str::to_owned),
            Some(ran) => {
                let ms = ran.ms.map_or_else(String::new, |ms| format!("{ms:.0}"));
                [result(ran), format!("{:.2}", 100.0 * ran.share), ms]
            }
        }));
        cells.extend((self.bots.len() > 1).then(|| format!("{:+.2}", 100.0 * case.lead())));
        cells
    }

    /// The heads of the columns of [`Cases::group_cells`].
    pub fn group_head(&self, name: &str) -> Vec<String> {
        let mut head = vec![name.to_owned(), "cases".to_owned()];
        for bot in &self.bots {
            head.extend([format!("{bot} %"), "failed".to_owned()]);
        }
        head.extend((self.bots.len() == 2).then(|| "lead % (95 %)".to_owned()));
        head
    }

    /// A group as text: its value and size, each bot's mean share and failures, and the lead.
    pub fn group_cells(&self, group: &Group) -> Vec<String> {
        let mut cells = vec![group.value.clone(), group.cases.to_string()];
        for (share, failures) in group.shares.iter().zip(&group.failures) {
            cells.extend([format!("{:.2}", 100.0 * share), failures.to_string()]);
        }
        let lead = |lead: Estimate| {
            let [mean, low, high] = [lead.mean, lead.low, lead.high].map(|lead| 100.0 * lead);
            format!("{mean:+.3} ({low:+.3} to {high:+.3})")
        };
        // One case doesn't show how much leads vary.
        let lead = || group.lead.map_or_else(|| "-".to_owned(), lead);
        cells.extend((self.bots.len() == 2).then(lead));
        cells
    }

    fn group(&self, value: String, rows: &[&Case]) -> Group {
        let whole =
            rows.iter().filter_map(|row| row.bots.iter().map(Option::as_ref).collect::<Option<Vec<_>>>());
        let whole = whole.collect::<Vec<_>>();
        let mean = |bot: usize| {
            whole.iter().fold(0.0, |sum, bots| sum + bots[bot].share) / whole.len().max(1) as f64
        };
        let failures = |bot: usize| whole.iter().filter(|bots| bots[bot].failure.is_some()).count();
        let leads = || whole.iter().map(|bots| bots[0].share - bots[1].share).collect::<Vec<_>>();
        Group {
            value,
            cases: whole.len(),
            shares: (0..self.bots.len()).map(mean).collect(),
            lead: (self.bots.len() == 2)
                .then(|| Lead::of(Compare::Relative, &leads()))
                .flatten()
                .map(|lead| lead.mean),
            failures: (0..self.bots.len()).map(failures).collect(),
        }
    }
}

fn case(seed: u64, games: &[&GameRecord], bots: &[String]) -> Case {
    let best = games.iter().flat_map(|game| [game.points().first().copied(), game.best_points()]);
    let best = best.flatten().max().unwrap_or(i64::MIN);
    let ran = |name: &String| {
        let game = games.iter().find(|game| game.bots[0].name == *name)?;
        let failure = game.faults.first().map(|fault| fault.ending);
        Some(Ran {
            score: failure.is_none().then_some(game.scores[0]),
            share: game.run.scoring.share(*game.points().first()?, best),
            ms: game.times_ms.first().and_then(|times| times.first().copied()),
            failure,
            game: game.game,
        })
    };
    // A number that follows from the output differs among bots; the first bot's counts, and none if it has failed.
    let first = games.iter().find(|game| bots.first() == Some(&game.bots[0].name)).or(games.first());
    let numbers = first.into_iter().flat_map(|game| &game.attributes);
    let attributes =
        numbers.filter_map(|(name, text)| Some((name.clone(), text.parse::<f64>().ok()?))).collect();
    Case { seed, attributes, bots: bots.iter().map(ran).collect() }
}

impl Case {
    /// The lead of the first bot over the best of the others, or over the best known score, in shares.
    pub fn lead(&self) -> f64 {
        let share = |ran: &Option<Ran>| ran.as_ref().map(|ran| ran.share);
        let mut shares = self.bots.iter().map(share);
        let mine = shares.next().flatten().unwrap_or(0.0);
        let others = shares.flatten().fold(f64::NEG_INFINITY, f64::max);
        mine - if others.is_finite() { others } else { 1.0 }
    }

    fn worse_than(&self, other: &Self) -> Ordering {
        let works = |case: &Self| {
            case.bots.first().is_some_and(|ran| ran.as_ref().is_some_and(|r| r.failure.is_none()))
        };
        let order = works(self).cmp(&works(other)).then(self.lead().total_cmp(&other.lead()));
        order.then(self.seed.cmp(&other.seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fault::FaultReport;
    use crate::record::example;

    fn game(seed: u64, bot: usize, score: i64, size: f64, best: Option<i64>) -> GameRecord {
        let mut record = GameRecord { seed, best, scores: vec![score], ..example(1) };
        record.bots = vec![record.bots[bot].clone()];
        record.attributes.insert("N".to_owned(), size.to_string());
        record
    }

    #[test]
    fn the_worst_come_first_and_failures_before_them() {
        let mut failed = game(3, 0, 0, 9.0, None);
        failed.faults.push(FaultReport {
            bot: "A".to_owned(),
            seat: 0,
            turn: 1,
            after_answer: false,
            ending: Ending::Failed,
            expected: String::new(),
            received: String::new(),
            stderr: String::new(),
            is_idle: false,
        });
        let games = [
            game(1, 0, 50, 5.0, Some(200)),
            game(1, 1, 100, 5.0, None),
            game(2, 0, 30, 9.0, None),
            game(2, 1, 40, 9.0, None),
            failed,
            game(3, 1, 1, 9.0, None),
            game(4, 1, 1, 9.0, None),
        ];
        let names = ["A", "B"].map(str::to_owned);
        let cases = Cases::of(&games, &names).unwrap();
        // A has 50 and B 100 of 200 on seed 1; A has three quarters of B's score on seed 2.
        assert_eq!(cases.rows.iter().map(|row| row.seed).collect::<Vec<_>>(), [3, 4, 1, 2]);
        assert_eq!((cases.rows[2].lead(), cases.rows[3].lead()), (-0.25, -0.25));
        let all = cases.by(Some("N"));
        let told = all
            .iter()
            .map(|group| (group.value.as_str(), group.cases, group.failures[0]))
            .collect::<Vec<_>>();
        assert_eq!(told, [("5", 1, 0), ("9", 2, 1), ("all", 3, 1)]);
        assert_eq!(all[0].shares, [0.25, 0.5]);
        assert!(Cases::of(&[example(1)], &names).is_none());
    }
}
