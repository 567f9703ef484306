//! What a series comes to.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::fault::Ending;
use crate::record::{BotRecord, GameRecord};
use crate::stats::{Estimate, Times};

/// The results of a series, growing with each game.
#[derive(Debug)]
pub struct Tally {
    contest: String,
    bots: Vec<BotTally>,
    games: u32,
    normal: u32,
}

#[derive(Debug)]
struct BotTally {
    record: BotRecord,
    wins: u32,
    draws: u32,
    losses: u32,
    points: i64,
    /// Results between 0 and 1 and their number, by group of games with the same opening.
    groups: BTreeMap<u32, (f64, u32)>,
    faults: BTreeMap<Ending, u32>,
    first_ms: Vec<f64>,
    later_ms: Vec<f64>,
}

impl Tally {
    /// Of no games yet.
    pub fn new(contest: &str, bots: impl IntoIterator<Item = BotRecord>) -> Self {
        let bots = bots.into_iter().map(BotTally::new).collect();
        Self { contest: contest.to_owned(), bots, games: 0, normal: 0 }
    }

    /// How many games there have been.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Adds a game; `seating` says which bot sat where, `group` which games share an opening.
    pub fn add(&mut self, record: &GameRecord, seating: &[usize], group: u32) {
        self.games += 1;
        self.normal += u32::from(record.ending == Ending::Normal);
        for (seat, &bot) in seating.iter().enumerate() {
            self.bots[bot].add(record, seat, group);
        }
    }

    /// The results so far.
    pub fn summary(&self) -> Summary {
        Summary {
            contest: self.contest.clone(),
            games: self.games,
            normal: self.normal,
            bots: self.bots.iter().map(|bot| bot.summary(self.games, self.bots.len())).collect(),
        }
    }
}

impl BotTally {
    fn new(record: BotRecord) -> Self {
        Self {
            record,
            wins: 0,
            draws: 0,
            losses: 0,
            points: 0,
            groups: BTreeMap::new(),
            faults: BTreeMap::new(),
            first_ms: Vec::new(),
            later_ms: Vec::new(),
        }
    }

    fn add(&mut self, record: &GameRecord, seat: usize, group: u32) {
        let mine = record.scores[seat];
        let others = || record.scores.iter().enumerate().filter(|&(other, _)| other != seat);
        let better = others().filter(|&(_, &score)| score > mine).count();
        let equal = others().filter(|&(_, &score)| score == mine).count();
        let beaten = others().count() - better - equal;
        match (better, equal) {
            (0, 0) => self.wins += 1,
            (0, _) => self.draws += 1,
            _ => self.losses += 1,
        }
        self.points += mine;
        let entry = self.groups.entry(group).or_default();
        entry.0 += (beaten as f64 + equal as f64 / 2.0) / others().count().max(1) as f64;
        entry.1 += 1;
        for fault in record.faults.iter().filter(|fault| fault.seat == seat) {
            *self.faults.entry(fault.ending).or_default() += 1;
        }
        if let Some((&first, later)) = record.times_ms[seat].split_first() {
            self.first_ms.push(first);
            self.later_ms.extend(later);
        }
    }

    fn summary(&self, games: u32, bots: usize) -> BotSummary {
        let samples = self.groups.values().map(|&(sum, count)| sum / f64::from(count)).collect::<Vec<_>>();
        BotSummary {
            name: self.record.name.clone(),
            command: self.record.command.clone(),
            result: (bots > 1).then(|| Standing {
                wins: self.wins,
                draws: self.draws,
                losses: self.losses,
                score: self.estimate(&samples),
            }),
            mean_points: self.points as f64 / f64::from(games.max(1)),
            faults: self.faults.clone(),
            first: Times::of(&self.first_ms),
            later: Times::of(&self.later_ms),
        }
    }

    /// The interval is by groups, which are independent; the mean is by games, also where the last group isn't whole.
    fn estimate(&self, samples: &[f64]) -> Estimate {
        let (sum, games) = self.groups.values().fold((0.0, 0), |(s, n), &(sum, count)| (s + sum, n + count));
        let interval = Estimate::of(samples);
        let mean = if games == 0 { interval.mean } else { sum / f64::from(games) };
        Estimate { mean, low: interval.low.min(mean), high: interval.high.max(mean) }
    }
}

/// The results of a series.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The contest's name.
    pub contest: String,
    /// How many games were played.
    pub games: u32,
    /// How many of them ended normally.
    pub normal: u32,
    /// The bots in the order of the command line.
    pub bots: Vec<BotSummary>,
}

/// What a series comes to for one bot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BotSummary {
    /// A, B, …
    pub name: String,
    /// Its command line.
    pub command: String,
    /// Against the others, if there are any.
    pub result: Option<Standing>,
    /// The contest's points a game.
    pub mean_points: f64,
    /// What it did wrong how often.
    pub faults: BTreeMap<Ending, u32>,
    /// Its first answers.
    pub first: Times,
    /// All answers but the first ones.
    pub later: Times,
}

/// How a bot did against the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Games with more points than anybody else.
    pub wins: u32,
    /// Games with as many points as the best of the others.
    pub draws: u32,
    /// The other games.
    pub losses: u32,
    /// Wins and half the draws a game (against each of the others), with a 95 % interval by opening pairs.
    pub score: Estimate,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown_results = if self.bots.len() == 2 { 1 } else { self.bots.len() };
        for bot in &self.bots[..shown_results] {
            bot.fmt_result(f)?;
        }
        writeln!(f, "endings: {} of {} normal", self.normal, self.games)?;
        for bot in self.bots.iter().filter(|bot| !bot.faults.is_empty()) {
            let faults = bot.faults.iter().map(|(ending, count)| format!("{ending} {count}"));
            writeln!(f, "  faults of {}: {}", bot.name, faults.collect::<Vec<_>>().join(", "))?;
        }
        let head = "answer times, ms";
        writeln!(f, "{head:<18}{:>9}{:>11}{:>11}{:>11}", "answers", "50 %", "99 %", "100 %")?;
        self.bots.iter().try_for_each(|bot| {
            fmt_times(f, &format!("{} first", bot.name), &bot.first)?;
            fmt_times(f, &format!("{} later", bot.name), &bot.later)
        })
    }
}

fn fmt_times(f: &mut fmt::Formatter<'_>, label: &str, times: &Times) -> fmt::Result {
    let Times { count, p50_ms, p99_ms, max_ms } = times;
    writeln!(f, "  {label:<16}{count:>9}{p50_ms:>11.3}{p99_ms:>11.3}{max_ms:>11.3}")
}

impl BotSummary {
    fn fmt_result(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(result) = &self.result else {
            return writeln!(f, "{}: {:.3} points a game", self.name, self.mean_points);
        };
        let Standing { wins, draws, losses, score } = result;
        let [mean, low, high] = [score.mean, score.low, score.high].map(|share| share * 100.0);
        let name = &self.name;
        writeln!(f, "{name}: won {wins}, drawn {draws}, lost {losses}, score {mean:.1} % (95 %: {low:.1} to {high:.1} %)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::example;

    fn bot(name: &str) -> BotRecord {
        BotRecord { name: name.to_owned(), command: format!("./{name}"), hash: None }
    }

    fn game(scores: [i64; 2]) -> GameRecord {
        GameRecord { scores: scores.into(), ..example(1) }
    }

    fn standing(games: &[[i64; 2]]) -> Standing {
        let mut tally = Tally::new("toy", [bot("A"), bot("B")]);
        for (index, &scores) in (0..).zip(games) {
            let seating = if index % 2 == 0 { [0, 1] } else { [1, 0] };
            tally.add(&game(scores), &seating, index / 2);
        }
        tally.summary().bots[0].result.clone().unwrap()
    }

    #[test]
    fn wins_belong_to_the_bot_and_not_to_the_seat() {
        let a = standing(&[[1, 0], [1, 0], [0, 1], [0, 0]]);
        assert_eq!((a.wins, a.draws, a.losses), (1, 1, 2));
        assert!((a.score.mean - 0.375).abs() < 1e-12);
    }

    #[test]
    fn pairs_that_even_out_give_a_narrower_interval() {
        // The same ten wins and ten losses; in one case the opening decides them, in the other the seat.
        let by_seat = standing(&[[1, 0]; 20]);
        let by_opening = standing(&[[[1, 0], [0, 1]], [[0, 1], [1, 0]]].repeat(5).concat());
        assert_eq!(by_seat.wins, by_opening.wins);
        let width = |s: &Standing| s.score.high - s.score.low;
        assert!(width(&by_seat) < 0.6 * width(&by_opening), "{by_seat:?} {by_opening:?}");
    }

    #[test]
    fn an_odd_game_counts_once() {
        let a = standing(&[[1, 0], [0, 1], [0, 1]]);
        assert!((a.score.mean - 2.0 / 3.0).abs() < 1e-12, "{a:?}");
        assert!(a.score.low < a.score.mean && a.score.mean < a.score.high);
    }

    #[test]
    fn first_answers_are_apart() {
        let mut tally = Tally::new("toy", [bot("A"), bot("B")]);
        tally.add(&game([1, 0]), &[0, 1], 0);
        tally.add(&game([1, 0]), &[0, 1], 1);
        let a = &tally.summary().bots[0];
        assert_eq!((a.first.count, a.first.max_ms), (2, 9.0));
        assert_eq!((a.later.count, a.later.p50_ms, a.later.max_ms), (4, 1.0, 2.0));
    }
}
