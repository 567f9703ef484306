//! Judges the pairs of games of `match` and `sprt` in the order of the plan.

use coppice_referee::series::tournament::Games;
use coppice_stats::repeats::Samples;
use coppice_stats::{Compare, Grouping, Lead, LikelihoodError, Outcomes, Sprt, SprtState, Verdict};

/// Judges pairs in the order of the plan, up to the first incomplete one, so that the verdict depends neither on
/// the durations of games nor on interruptions.
///
/// A verdict is final: later pairs could move the ratio back between its bounds. So is the end of a test whose pairs have
/// stopped to bring anything new.
#[derive(Debug)]
pub(crate) struct Judge {
    test: Option<Sprt>,
    is_over: bool,
    grouping: Grouping,
    /// The judged groups.
    samples: Samples,
}

impl Judge {
    /// Judges groups of games. Without a test, all of them are judged.
    pub(crate) fn new(test: Option<Sprt>, grouping: Grouping) -> Self {
        Self { test, is_over: false, grouping, samples: Samples::new(grouping) }
    }

    /// Judges the newly completed groups in order, until the test is over.
    pub(crate) fn update(&mut self, games: &Games<'_>) {
        loop {
            let group = self.samples.all().len() as u32;
            let Some(sample) = games.sample_of_group(group, self.grouping) else { return };
            if self.is_over {
                return;
            }
            let moves = games.moves_of_group(group, self.grouping);
            self.push(sample, moves.as_ref().map(|(opening, games)| (*opening, games.as_slice())));
        }
    }

    /// Judges the next group by its sample, unless the test is over. `moves` identify its opening and its games, if they are known.
    pub(crate) fn push(&mut self, sample: f64, moves: Option<(u64, &[u64])>) {
        if self.is_over {
            return;
        }
        self.samples.push(sample, moves);
        if let Some(test) = self.test {
            let is_open = self.state(test).is_ok_and(|state| state.verdict == Verdict::Undecided);
            self.is_over = !is_open || self.samples.are_exhausted();
        }
    }

    /// The state of a test after these pairs.
    ///
    /// # Errors
    /// As for [`Sprt::llr`].
    pub(crate) fn state(&self, test: Sprt) -> Result<SprtState, LikelihoodError> {
        self.samples.state(test)
    }

    /// Whether no more games are needed, or the test has failed.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether the test is undecided because its games repeat.
    ///
    /// # Errors
    /// As for [`Sprt::llr`].
    pub(crate) fn is_held_back(&self, test: Sprt) -> Result<bool, LikelihoodError> {
        let is_open = self.state(test)?.verdict == Verdict::Undecided;
        Ok(is_open && (self.samples.are_exhausted() || self.samples.hold_back(test)?))
    }

    /// The outcomes that have been judged.
    pub(crate) fn outcomes(&self) -> Outcomes {
        self.samples.outcomes()
    }

    /// The samples that have been judged, in the order of the plan.
    pub(crate) fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The score so far of the first of these bots, for the live line.
    pub(crate) fn score_text(&self, names: &[String]) -> String {
        let name = |bot: usize| names.get(bot).map_or("", String::as_str);
        let (first, second) = (name(0), name(1));
        let outcomes = self.outcomes();
        let (score, elo) = (outcomes.score(), outcomes.normalised_elo());
        let compare = self.grouping.scoring.compare;
        match self.grouping.has_leads().then(|| Lead::of(compare, self.samples.all())).flatten() {
            Some(lead) if compare == Compare::Ratio => {
                format!("{first} / {second} {:.4}, {:+.1} nElo", lead.mean.mean, elo.mean)
            }
            Some(lead) if compare == Compare::Relative => {
                format!("{first} - {second} {:+.3} %, {:+.1} nElo", 100.0 * lead.mean.mean, elo.mean)
            }
            Some(lead) => format!("{first} - {second} {:+.2}, {:+.1} nElo", lead.mean.mean, elo.mean),
            None => format!("{first} {:.1} %, {:+.1} nElo", score.mean * 100.0, elo.mean),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use coppice_referee::record::{example, GameRecord};
    use coppice_referee::series::GameDigest;
    use coppice_stats::Model;

    const PAIRS: Grouping = Grouping::PAIRS;

    /// Whole pairs that A wins or loses.
    fn pairs(won: &[bool]) -> BTreeMap<u32, GameDigest> {
        let seat_of_first = |game: u32| usize::from(game.is_multiple_of(2));
        let game = |game: u32, won: bool| {
            let mut scores = vec![i64::from(!won); 2];
            scores[seat_of_first(game)] = i64::from(won);
            let names = ["A", "B"].map(str::to_owned);
            let moves = format!("a1 b2 {game}");
            (game, GameDigest::of(&GameRecord { scores, moves, ..example(game) }, &names))
        };
        let both = |(pair, &won): (u32, &bool)| [game(2 * pair + 1, won), game(2 * pair + 2, won)];
        (0..).zip(won).flat_map(both).collect()
    }

    #[test]
    fn a_verdict_stays_whatever_comes_after_it() {
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalised).unwrap();
        let mut won = vec![true; 400];
        won.extend([false; 400]);
        let all = pairs(&won);
        let mut at_once = Judge::new(Some(test), PAIRS);
        at_once.update(&Games::new(&all, 1600));
        assert_eq!(at_once.state(test).unwrap().verdict, Verdict::AcceptH1);
        // Adding games one by one, also after the verdict, judges the same pairs.
        let mut one_by_one = Judge::new(Some(test), PAIRS);
        (1..=1600).for_each(|last| one_by_one.update(&Games::new(&all, last)));
        assert_eq!(one_by_one.outcomes(), at_once.outcomes());
        assert!(at_once.outcomes().samples() < 400);
        let mut no_test = Judge::new(None, PAIRS);
        no_test.update(&Games::new(&all, 1600));
        assert_eq!(no_test.outcomes().samples(), 800);
    }

    #[test]
    fn a_pair_that_is_missing_stops_the_judge() {
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalised).unwrap();
        let mut all = pairs(&[true, false, true]);
        all.remove(&3);
        let mut judge = Judge::new(Some(test), PAIRS);
        judge.update(&Games::new(&all, 6));
        assert_eq!(judge.outcomes().samples(), 1);
    }
}
