//! Tallies games.

use std::collections::BTreeMap;

use crate::bot::data::{DataTally, Spread};
use crate::game::fault::Ending;
use crate::record::{BotRecord, GameRecord};
use crate::text::millis;
use coppice_stats::{Compare, Comparison, Estimate, Grouping, Lead, Outcomes, TimesTally};

use super::{BotSummary, Leading, SeatScore, Standing, Summary};

/// The results of a series, updated with each game.
#[derive(Debug)]
pub struct Tally {
    contest: String,
    bots: Vec<BotTally>,
    grouping: Grouping,
    games: u32,
    normal: u32,
}

#[derive(Debug)]
struct BotTally {
    record: BotRecord,
    wins: u32,
    draws: u32,
    losses: u32,
    /// The sum of its scores.
    points: f64,
    /// The number of games with a score.
    scored: u32,
    games: u32,
    /// The shares by group.
    groups: BTreeMap<u32, Group>,
    seats: Vec<SeatScore>,
    endings: BTreeMap<Ending, u32>,
    idle_time_outs: u32,
    first: TimesTally,
    later: TimesTally,
    cpu_ms: Option<Spread>,
    peak_memory_bytes: Option<u64>,
    peak_data_bytes: Option<u64>,
    data: DataTally,
}

/// A bot's results in a group of games.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    /// The sum of its results, each from 0 to 1.
    results: f64,
    games: u32,
    points: i64,
    /// Points of the seed's best known score.
    best: Option<i64>,
}

/// A result against all others: how many had fewer, equal and more points.
#[derive(Debug, Clone, Copy)]
struct Result {
    beaten: usize,
    equal: usize,
    better: usize,
}

impl Result {
    fn among(mine: i64, others: impl Iterator<Item = i64> + Clone) -> Self {
        let count =
            |wanted: std::cmp::Ordering| others.clone().filter(|other| other.cmp(&mine) == wanted).count();
        use std::cmp::Ordering::{Equal, Greater, Less};
        Self { beaten: count(Less), equal: count(Equal), better: count(Greater) }
    }

    /// The share of the others that it beat, ties counted half.
    fn score(self) -> f64 {
        let others = (self.beaten + self.equal + self.better).max(1);
        (self.beaten as f64 + self.equal as f64 / 2.0) / others as f64
    }
}

impl Tally {
    /// A tally without games.
    pub fn new(contest: &str, bots: impl IntoIterator<Item = BotRecord>, grouping: Grouping) -> Self {
        let bots = bots.into_iter().map(BotTally::new).collect();
        Self { contest: contest.to_owned(), bots, grouping, games: 0, normal: 0 }
    }

    /// Adds a bot after the others.
    pub fn add_bot(&mut self, bot: BotRecord) {
        self.bots.push(BotTally::new(bot));
    }

    /// Puts the bots into another order, by their places.
    pub fn reorder(&mut self, order: &[usize]) {
        let mut bots = std::mem::take(&mut self.bots).into_iter().map(Some).collect::<Vec<_>>();
        self.bots = order.iter().filter_map(|&place| bots.get_mut(place)?.take()).collect();
    }

    /// Sets the contest, and how games form samples.
    pub fn describe(&mut self, contest: &str, grouping: Grouping) {
        contest.clone_into(&mut self.contest);
        self.grouping = grouping;
    }

    /// The number of games.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Adds a game; `seating` is the index of the bot on each seat.
    pub fn add(&mut self, record: &GameRecord, seating: &[usize]) {
        self.games += 1;
        self.normal += u32::from(record.ending == Ending::Normal);
        for (seat, &bot) in seating.iter().enumerate() {
            self.bots[bot].add(record, seat);
        }
    }

    /// The results so far.
    pub fn summary(&self) -> Summary {
        let bots = (0..self.bots.len()).map(|bot| self.bot_summary(bot)).collect::<Vec<_>>();
        let compare = self.grouping.scoring.compare;
        let lead = || self.grouping.has_leads().then(|| Lead::of(compare, &self.samples(0))).flatten();
        let comparison = (self.bots.len() == 2)
            .then(|| Comparison { lead: lead(), ..Comparison::from(&self.outcomes(0)) });
        Summary {
            contest: self.contest.clone(),
            games: self.games,
            normal: self.normal,
            leads: self.leads(&bots),
            bots,
            comparison,
            noise: None,
            machines: Vec::new(),
        }
    }

    /// A bot's score in each whole group: a pair of games, if there are two seats.
    pub fn outcomes(&self, bot: usize) -> Outcomes {
        self.grouping.outcomes(&self.samples(bot))
    }

    /// A bot's score or lead in each whole group.
    fn samples(&self, bot: usize) -> Vec<f64> {
        if self.grouping.alone {
            let groups = self.alone(bot);
            return groups
                .map(|(mine, others, known)| self.grouping.sample(mine, others.into_iter(), known))
                .collect();
        }
        let whole = self.bots[bot].groups.values().filter(|group| group.games == self.grouping.size);
        whole.map(|group| group.results / f64::from(group.games)).collect()
    }

    /// A bot's points, those of the others and of the best known score in each group in which all have played.
    fn alone(&self, bot: usize) -> impl Iterator<Item = (i64, Vec<i64>, Option<i64>)> + '_ {
        self.bots[bot].groups.iter().filter_map(move |(group, mine)| {
            let others = self.bots.iter().enumerate().filter(|&(other, _)| other != bot);
            let others = others.map(|(_, other)| Some(other.groups.get(group)?.points));
            Some((mine.points, others.collect::<Option<Vec<_>>>()?, mine.best))
        })
    }

    /// A bot's mean share of the best known score.
    fn share(&self, bot: usize) -> Option<f64> {
        let is_relative = self.grouping.alone && self.grouping.scoring.compare == Compare::Relative;
        let of_group = |(mine, others, known): (i64, Vec<i64>, Option<i64>)| {
            let best = others.into_iter().chain(known).fold(mine, i64::max);
            self.grouping.scoring.share(mine, best)
        };
        let shares = is_relative.then(|| self.alone(bot).map(of_group).collect::<Vec<_>>());
        let shares = shares.filter(|shares| !shares.is_empty())?;
        Some(shares.iter().sum::<f64>() / shares.len() as f64)
    }

    /// The bots in the order of their mean result against the others, each with its lead over the next.
    fn leads(&self, bots: &[BotSummary]) -> Vec<Leading> {
        if bots.len() < 3 || !self.grouping.has_leads() {
            return Vec::new();
        }
        let score = |bot: usize| bots[bot].result.as_ref().map_or(0.0, |result| result.score.mean);
        let mut order = (0..bots.len()).collect::<Vec<_>>();
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        let scoring = self.grouping.scoring;
        let lead = |bot: usize, next: usize| {
            // The others come in their order, without the bot itself.
            let place = next - usize::from(next > bot);
            let of_seed = |(mine, others, known): (i64, Vec<i64>, Option<i64>)| {
                scoring.lead(mine, others[place], others.iter().copied().chain(known).max())
            };
            Lead::of(scoring.compare, &self.alone(bot).map(of_seed).collect::<Vec<_>>())
        };
        let rows = order.iter().enumerate().map(|(rank, &bot)| Leading {
            name: bots[bot].name.clone(),
            share: bots[bot].share,
            over_next: order.get(rank + 1).and_then(|&next| lead(bot, next)),
        });
        rows.collect()
    }

    fn bot_summary(&self, bot: usize) -> BotSummary {
        let tally = &self.bots[bot];
        let outcomes = self.outcomes(bot);
        let standing = if self.grouping.alone {
            let results = self.alone(bot).map(|(mine, others, _)| Result::among(mine, others.into_iter()));
            let results = results.collect::<Vec<_>>();
            let count = |wanted: fn(&Result) -> bool| results.iter().filter(|r| wanted(r)).count() as u32;
            Standing {
                wins: count(|r| r.better == 0 && r.equal == 0),
                draws: count(|r| r.better == 0 && r.equal > 0),
                losses: count(|r| r.better > 0),
                score: outcomes.score(),
            }
        } else {
            let score = tally.estimate(&outcomes);
            Standing { wins: tally.wins, draws: tally.draws, losses: tally.losses, score }
        };
        BotSummary {
            name: tally.record.name.clone(),
            command: tally.record.command.clone(),
            result: (self.bots.len() > 1).then_some(standing),
            share: self.share(bot),
            mean_points: tally.points / f64::from(tally.scored.max(1)),
            seats: tally.seats.clone(),
            endings: tally.endings.clone(),
            idle_time_outs: tally.idle_time_outs,
            first: tally.first.times(),
            later: tally.later.times(),
            cpu_ms: tally.cpu_ms.map(in_any_order),
            peak_memory_bytes: tally.peak_memory_bytes,
            peak_data_bytes: tally.peak_data_bytes,
            data: tally.data.clone(),
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
            points: 0.0,
            scored: 0,
            games: 0,
            groups: BTreeMap::new(),
            seats: Vec::new(),
            endings: BTreeMap::new(),
            idle_time_outs: 0,
            first: TimesTally::default(),
            later: TimesTally::default(),
            cpu_ms: None,
            peak_memory_bytes: None,
            peak_data_bytes: None,
            data: DataTally::default(),
        }
    }

    fn add(&mut self, record: &GameRecord, seat: usize) {
        let points = record.points();
        let mine = points[seat];
        let others = points.iter().enumerate().filter(|&(other, _)| other != seat);
        let result = Result::among(mine, others.map(|(_, &score)| score));
        match (result.better, result.equal) {
            (0, 0) => self.wins += 1,
            (0, _) => self.draws += 1,
            _ => self.losses += 1,
        }
        self.games += 1;
        // `i64::MIN` marks a bot that the external referee reports as failed.
        if mine != i64::MIN {
            self.points += record.scores[seat] as f64;
            self.scored += 1;
        }
        let group = self.groups.entry(record.group).or_default();
        group.results += result.score();
        group.games += 1;
        group.points = group.points.saturating_add(mine);
        group.best = record.best_points();
        if self.seats.len() < record.scores.len() {
            self.seats.resize(record.scores.len(), SeatScore::default());
        }
        self.seats[seat].games += 1;
        self.seats[seat].points += result.score();
        let fault = record.faults.iter().find(|fault| fault.seat == seat);
        self.idle_time_outs += u32::from(fault.is_some_and(|fault| fault.is_idle));
        *self.endings.entry(fault.map_or(Ending::Normal, |fault| fault.ending)).or_default() += 1;
        if let Some((&first, later)) = record.times_ms[seat].split_first() {
            self.first.add(first);
            later.iter().for_each(|&time| self.later.add(time));
        }
        if let Some(usage) = record.usage.get(seat) {
            let spread = usage.cpu.map(|cpu| Spread::of(millis(cpu)));
            self.cpu_ms = match (self.cpu_ms, spread) {
                (Some(sum), Some(spread)) => Some(sum.and(spread)),
                (sum, spread) => sum.or(spread),
            };
            self.peak_memory_bytes = self.peak_memory_bytes.max(usage.peak_memory_bytes);
            self.peak_data_bytes = self.peak_data_bytes.max(usage.peak_data_bytes);
        }
        record.data.get(seat).into_iter().for_each(|data| self.data.add(data));
    }

    /// The interval is computed over groups, which are independent; the mean over all games, those of an
    /// incomplete group too.
    fn estimate(&self, outcomes: &Outcomes) -> Estimate {
        let sum = self.groups.values().map(|group| group.results).sum::<f64>();
        let interval = outcomes.score();
        let mean = if self.games == 0 { interval.mean } else { sum / f64::from(self.games) };
        Estimate { mean, low: interval.low.min(mean), high: interval.high.max(mean) }
    }
}

/// A mean to the picosecond: its last digits follow from the order of the games.
fn in_any_order(cpu_ms: Spread) -> Spread {
    Spread { mean: (cpu_ms.mean * 1e9).round() / 1e9, ..cpu_ms }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bot::usage::Usage;
    use crate::record::example;
    use coppice_stats::{Compare, Scoring};

    const PAIRS: Grouping = Grouping {
        size: 2,
        alone: false,
        scoring: Scoring { compare: Compare::Rank, lower_is_better: false },
    };

    fn bot(name: &str) -> BotRecord {
        BotRecord { name: name.to_owned(), command: format!("./{name}"), hash: None }
    }

    fn game(scores: [i64; 2], group: u32) -> GameRecord {
        GameRecord { scores: scores.into(), group, ..example(1) }
    }

    fn summary(games: &[[i64; 2]]) -> Summary {
        let mut tally = Tally::new("toy", [bot("A"), bot("B")], PAIRS);
        for (index, &scores) in (0..).zip(games) {
            let seating = if index % 2 == 0 { [0, 1] } else { [1, 0] };
            tally.add(&game(scores, index / 2), &seating);
        }
        tally.summary()
    }

    fn standing(games: &[[i64; 2]]) -> Standing {
        summary(games).bots[0].result.clone().unwrap()
    }

    #[test]
    fn wins_belong_to_the_bot_and_not_to_the_seat() {
        let a = standing(&[[1, 0], [1, 0], [0, 1], [0, 0]]);
        assert_eq!((a.wins, a.draws, a.losses), (1, 1, 2));
        assert!((a.score.mean - 0.375).abs() < 1e-12);
    }

    #[test]
    fn pairs_are_counted_by_their_points() {
        let pairs = [[0, 1], [1, 0], [0, 0], [1, 0], [1, 0], [1, 0], [0, 0], [0, 0], [1, 0], [0, 1]];
        let comparison = summary(&pairs).comparison.unwrap();
        let counts = comparison.cells.iter().map(|cell| cell.count).collect::<Vec<_>>();
        assert_eq!(counts, [1, 1, 2, 0, 1]);
    }

    #[test]
    fn half_a_pair_is_no_sample() {
        let counts = |games: &[[i64; 2]]| summary(games).comparison.unwrap().samples;
        assert_eq!((counts(&[[1, 0], [0, 1], [0, 1]]), counts(&[[1, 0]])), (1, 0));
        let a = standing(&[[1, 0], [0, 1], [0, 1]]);
        assert!((a.score.mean - 2.0 / 3.0).abs() < 1e-12, "{a:?}");
        assert!(a.score.low < a.score.mean && a.score.mean < a.score.high);
    }

    #[test]
    fn pairs_that_even_out_give_a_narrower_interval() {
        // Twenty wins and twenty losses, decided by the seat in one case and by the opening in the other.
        let by_seat = standing(&[[[1, 0], [1, 0]], [[0, 1], [0, 1]]].repeat(10).concat());
        let by_opening = standing(&[[[1, 0], [0, 1]], [[0, 1], [1, 0]]].repeat(10).concat());
        assert_eq!(by_seat.wins, by_opening.wins);
        let width = |s: &Standing| s.score.high - s.score.low;
        assert!(width(&by_seat) < 0.5 * width(&by_opening), "{by_seat:?} {by_opening:?}");
    }

    #[test]
    fn seats_have_scores_of_their_own() {
        let a = &summary(&[[1, 0], [1, 0], [1, 0], [0, 0]]).bots[0];
        assert_eq!(a.seats, [SeatScore { games: 2, points: 2.0 }, SeatScore { games: 2, points: 0.5 }]);
    }

    #[test]
    fn who_plays_alone_is_compared_on_the_same_seed() {
        let mut tally = Tally::new("toy", [bot("A"), bot("B")], Grouping { alone: true, ..PAIRS });
        for (group, points) in [[5, 3], [2, 2], [9, 1], [0, 4]].into_iter().enumerate() {
            for (bot, points) in points.into_iter().enumerate() {
                let record = GameRecord {
                    scores: vec![points],
                    group: group as u32,
                    times_ms: vec![Vec::new()],
                    ..example(1)
                };
                tally.add(&record, &[bot]);
            }
        }
        let summary = tally.summary();
        let a = summary.bots[0].result.clone().unwrap();
        assert_eq!((a.wins, a.draws, a.losses, a.score.mean), (2, 1, 1, 0.625));
        assert_eq!(summary.comparison.unwrap().samples, 4);
        assert_eq!(summary.bots[1].mean_points, 2.5);
    }

    #[test]
    fn processor_time_and_memory_are_summed_up() {
        let mut tally = Tally::new("toy", [bot("A"), bot("B")], PAIRS);
        for (ms, bytes) in [(2, 100), (6, 50)] {
            let usage = |ms, bytes| Usage {
                cpu: Some(Duration::from_millis(ms)),
                peak_memory_bytes: bytes,
                peak_data_bytes: bytes.map(|bytes| 2 * bytes),
            };
            let usage = vec![usage(ms, Some(bytes)), usage(1, None)];
            tally.add(&GameRecord { usage, ..example(1) }, &[0, 1]);
        }
        let [a, b] = &tally.summary().bots[..] else { panic!("two bots") };
        let cpu = a.cpu_ms.unwrap();
        assert_eq!((cpu.count, cpu.mean, cpu.max, a.peak_memory_bytes), (2, 4.0, 6.0, Some(100)));
        assert_eq!(b.peak_memory_bytes, None);
    }

    #[test]
    fn first_answers_are_apart() {
        let mut tally = Tally::new("toy", [bot("A"), bot("B")], PAIRS);
        tally.add(&game([1, 0], 0), &[0, 1]);
        tally.add(&game([1, 0], 0), &[0, 1]);
        let a = &tally.summary().bots[0];
        assert_eq!((a.first.count, a.first.max_ms), (2, 9.0));
        assert_eq!((a.later.count, a.later.p50_ms, a.later.max_ms), (4, 1.0, 2.0));
    }
}
