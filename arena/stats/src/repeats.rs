//! Samples that repeat earlier ones, and tests that don't count on them.
//!
//! A sequential test takes its samples for independent. Deterministic bots play the same game again wherever it begins the
//! same: such samples repeat one result and say nothing new. Bots that draw lots repeat short games by chance, and their
//! samples are independent all the same: leaving repeats out would weigh rare results too much.
//!
//! The two are told apart by the share of samples that equal the one before them with the same opening. If it is more than
//! half, a verdict needs both the log-likelihood ratio of all samples and that of the new ones beyond the same
//! bound. Since all samples must decide in either case, wrong verdicts are at most as frequent as those of the test alone.

use std::collections::{HashMap, HashSet};

use super::gsprt::{Sprt, Verdict};
use super::likelihood::LikelihoodError;
use super::outcomes::Outcomes;
use super::sample::Sample;
use super::scoring::Grouping;
use super::summary::SprtState;

/// Least number of samples in a row without anything new, and at least as many as before them, after which a run may stop.
const LEAST_IN_A_ROW: u64 = 8;

/// The samples of a run in order, and which of them are new.
#[derive(Debug)]
pub struct Samples {
    all: Sample,
    /// Whether a sample has a game that no earlier one has.
    is_new: Vec<bool>,
    /// The new samples.
    new: Sample,
    seen: HashSet<u64>,
    /// The games of the last sample of each opening.
    by_opening: HashMap<u64, Vec<u64>>,
    /// The number of samples with the opening of an earlier one, and of those that equal the last of these.
    same_opening: u64,
    same_games: u64,
    /// The number of samples up to the last new one.
    last_new: u64,
}

impl Samples {
    /// No samples yet.
    pub fn new(grouping: Grouping) -> Self {
        Self {
            all: Sample::new(grouping),
            is_new: Vec::new(),
            new: Sample::new(grouping),
            seen: HashSet::new(),
            by_opening: HashMap::new(),
            same_opening: 0,
            same_games: 0,
            last_new: 0,
        }
    }

    /// Adds a sample. `games` identify its opening, and its games by their moves and bots; with `None`, which stands for
    /// games whose moves aren't known, it is new.
    pub fn push(&mut self, sample: f64, games: Option<(u64, &[u64])>) {
        self.all.add(sample);
        let is_new = games.is_none_or(|(opening, games)| {
            if let Some(last) = self.by_opening.insert(opening, games.to_vec()) {
                self.same_opening += 1;
                self.same_games += u64::from(last == games);
            }
            let before = self.seen.len();
            self.seen.extend(games);
            self.seen.len() > before
        });
        self.is_new.push(is_new);
        if is_new {
            self.new.add(sample);
            self.last_new = self.all().len() as u64;
        }
    }

    /// All samples.
    pub fn all(&self) -> &[f64] {
        self.all.values()
    }

    /// Their outcomes.
    pub fn outcomes(&self) -> Outcomes {
        self.all.outcomes()
    }

    /// The number of values and cells that were looked at since the beginning.
    #[cfg(test)]
    pub fn work(&self) -> u64 {
        self.all.work() + self.new.work()
    }

    /// The outcomes of those that are evidence.
    pub fn evidence(&self) -> Outcomes {
        if self.are_alike() { &self.new } else { &self.all }.outcomes()
    }

    /// Which of them are evidence: those that are new, or all where samples aren't alike.
    pub fn counted(&self) -> Vec<bool> {
        let are_alike = self.are_alike();
        self.is_new.iter().map(|&is_new| is_new || !are_alike).collect()
    }

    /// The number of samples all of whose games were played before.
    pub fn repeats(&self) -> u64 {
        (self.all().len() - self.new.values().len()) as u64
    }

    /// Whether samples mostly repeat where they begin the same, so that repeats are no evidence.
    pub fn are_alike(&self) -> bool {
        2 * self.same_games > self.same_opening
    }

    /// Whether samples have stopped to bring anything new.
    pub fn are_exhausted(&self) -> bool {
        let in_a_row = self.all().len() as u64 - self.last_new;
        self.are_alike() && in_a_row >= self.last_new.max(LEAST_IN_A_ROW)
    }

    /// The state of a test. Where samples are alike, the ratio is that of all or of the new ones, whichever says less.
    ///
    /// # Errors
    /// As for [`Sprt::llr`].
    pub fn state(&self, test: Sprt) -> Result<SprtState, LikelihoodError> {
        let all = test.llr(&self.all.outcomes())?;
        let counts_all = self.repeats() == 0 || !self.are_alike();
        let llr = if counts_all { all } else { nearer_to_zero(all, test.llr(&self.new.outcomes())?) };
        Ok(SprtState::at(test, llr))
    }

    /// Whether all samples would decide a test that the new ones leave undecided.
    ///
    /// # Errors
    /// As for [`Sprt::llr`].
    pub fn hold_back(&self, test: Sprt) -> Result<bool, LikelihoodError> {
        let all = SprtState::of(test, &self.all.outcomes())?.verdict;
        Ok(all != Verdict::Undecided && self.state(test)?.verdict == Verdict::Undecided)
    }
}

/// The log-likelihood ratio that says less; 0 if the two contradict each other.
pub fn nearer_to_zero(a: f64, b: f64) -> f64 {
    match a * b > 0.0 {
        true if a.abs() < b.abs() => a,
        true => b,
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use coppice::rng::Rng;

    use super::super::Model;
    use super::*;

    const PAIRS: Grouping = Grouping::PAIRS;

    fn test(elo1: f64) -> Sprt {
        Sprt::new(0.0, elo1, 0.05, 0.05, Model::Normalised).unwrap()
    }

    /// Plays until a verdict, exhaustion or 5,000 pairs: `pair` draws a pair's sample and its games.
    fn run(test: Sprt, mut pair: impl FnMut() -> (f64, u64, [u64; 2])) -> (Verdict, Samples) {
        let mut samples = Samples::new(PAIRS);
        loop {
            let (sample, opening, games) = pair();
            samples.push(sample, Some((opening, &games)));
            let verdict = samples.state(test).unwrap().verdict;
            if verdict != Verdict::Undecided || samples.are_exhausted() || samples.all().len() == 5_000 {
                return (verdict, samples);
            }
        }
    }

    /// Each pair is looked at once among all and once among the new ones, and its outcomes cost five cells.
    #[test]
    fn judging_after_each_pair_is_linear_in_pairs() {
        let test = Sprt::new(0.0, 10.0, 1e-99, 1e-99, Model::Normalised).unwrap();
        let mut samples = Samples::new(Grouping::PAIRS);
        let pairs = 2_000;
        for pair in 0..pairs {
            samples.push([0.0, 0.25, 0.5, 0.75, 1.0][pair % 5], None);
            assert_eq!(samples.state(test).unwrap().verdict, Verdict::Undecided);
        }
        assert_eq!(samples.all().len(), pairs);
        assert!(samples.work() <= 7 * pairs as u64, "{}", samples.work());
    }

    #[test]
    fn one_pair_again_and_again_decides_nothing() {
        for sample in [0.0, 0.25, 0.5, 1.0] {
            let (verdict, samples) = run(test(100.0), || (sample, 0, [1, 2]));
            assert_eq!((verdict, samples.all().len(), samples.repeats()), (Verdict::Undecided, 9, 8));
        }
    }

    #[test]
    fn without_repeats_it_is_the_test() {
        let (mut rng, mut game) = (Rng::new(1), 0);
        let mut plain = Vec::new();
        let (verdict, samples) = run(test(50.0), || {
            game += 2;
            (f64::from(rng.below(4) + 1) / 4.0, 0, [game, game + 1])
        });
        for &sample in samples.all() {
            assert_eq!(
                SprtState::of(test(50.0), &PAIRS.outcomes(&plain)).unwrap().verdict,
                Verdict::Undecided
            );
            plain.push(sample);
        }
        assert_eq!(SprtState::of(test(50.0), &PAIRS.outcomes(&plain)).unwrap().verdict, verdict);
        assert_eq!((verdict, samples.repeats()), (Verdict::AcceptH1, 0));
    }

    /// Games whose moves aren't known are all new.
    #[test]
    fn unknown_games_are_new() {
        let mut samples = Samples::new(PAIRS);
        (0..20).for_each(|_| samples.push(1.0, None));
        assert!(
            samples.repeats() == 0 && !samples.are_exhausted() && samples.counted().iter().all(|&new| new)
        );
    }

    /// Random bots in a game with few lines are tested, though most of their games repeat: pairs are drawn from about 150, the
    /// first being likelier.
    #[test]
    fn chance_repeats_are_no_obstacle() {
        let (mut accepted, mut repeats) = (0, 0);
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let (verdict, samples) = run(test(10.0), || {
                let line = u64::from(rng.below(20) * rng.below(20));
                let sample = [0.25, 0.5, 0.75, 0.5, 1.0][(line / 2 % 5) as usize];
                (sample, 0, [2 * line, 2 * line + 1])
            });
            accepted += u32::from(verdict == Verdict::AcceptH1);
            repeats += samples.repeats();
        }
        assert!(repeats > 200, "{repeats}");
        assert!(accepted >= 18, "{accepted}");
    }

    /// Deterministic bots from few openings: equal over the openings that could be drawn, they are seldom called better,
    /// however many of their games are counted. The results of the openings are new in each of 300 runs.
    #[test]
    fn few_openings_seldom_decide_wrongly() {
        let (mut rng, mut wrong) = (Rng::new(4), 0);
        for _ in 0..300 {
            let results: Vec<f64> = (0..12).map(|_| f64::from(rng.below(5)) / 4.0).collect();
            let (verdict, _) = run(test(100.0), || {
                let opening = rng.below(12);
                let opening = u64::from(opening);
                (results[opening as usize], opening, [2 * opening, 2 * opening + 1])
            });
            wrong += u32::from(verdict == Verdict::AcceptH1);
        }
        // 5 % are 15, and three standard deviations 11.
        assert!(wrong <= 26, "{wrong}");
    }
}
