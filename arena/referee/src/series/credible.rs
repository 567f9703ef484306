//! Checks recorded games against the rules, before a run counts them.

use contest::{Referee, Seat, Setup};

use crate::record::GameRecord;
use crate::series::SeriesError;

use super::host::Host;
use super::openings::{begin_with, Openings};
use super::{Fixture, Series};

impl Series<'_> {
    /// Compares a recorded game of this plan with the rules: opening, legality of moves, end and scores.
    /// Returns the first contradiction. Games of an external referee are not checked.
    ///
    /// # Errors
    /// If the contest can't begin a game.
    pub fn contradiction(&self, record: &GameRecord) -> Result<Option<String>, SeriesError> {
        self.contradiction_in(&self.fixture(record.game), record)
    }

    /// Checks a game that isn't `fixture(record.game)`.
    ///
    /// # Errors
    /// If the contest can't begin a game.
    pub fn contradiction_in(
        &self,
        fixture: &Fixture,
        record: &GameRecord,
    ) -> Result<Option<String>, SeriesError> {
        let Host::Contest(contest) = self.host else { return Ok(None) };
        let mut referee = match &self.openings {
            // Finding the most even opening again would take a search.
            Openings::Balanced { .. } => {
                let setup = Setup { seed: fixture.seed, opening_plies: 0, limits: self.limits };
                match begin_with(contest, setup, &record.opening) {
                    Ok(referee) => referee,
                    Err(reason) => return Ok(Some(format!("its opening: {reason}"))),
                }
            }
            _ => self.begin(contest, fixture)?,
        };
        let opening = referee.moves();
        if opening != record.opening {
            return Ok(Some(format!(
                "its opening is \"{}\", by the plan it is \"{opening}\"",
                record.opening
            )));
        }
        Ok(replay(&mut *referee, record))
    }
}

/// Makes the recorded moves; returns the first contradiction.
fn replay(referee: &mut dyn Referee, record: &GameRecord) -> Option<String> {
    let moves = record.moves.split_whitespace().collect::<Vec<_>>();
    let mut turns = vec![0; record.bots.len()];
    loop {
        let made = referee.moves();
        let count = made.split_whitespace().count();
        if let Some((number, (rules, file))) =
            made.split_whitespace().zip(&moves).enumerate().find(|(_, (rules, file))| rules != *file)
        {
            return Some(format!("move {} is {file}, by the rules it is {rules}", number + 1));
        }
        let asked = referee.asked();
        if asked.is_empty() {
            return differing_end(referee, record, count, moves.len());
        }
        for &seat in &asked {
            *turns.get_mut(seat)? += 1;
        }
        let has_failed = |&seat: &Seat| {
            record.faults.iter().any(|fault| fault.seat == seat && fault.forfeited_turn() == turns[seat])
        };
        let (failed, answering): (Vec<Seat>, Vec<Seat>) = asked.into_iter().partition(has_failed);
        if !answering.is_empty() {
            let Some(word) = moves.get(count) else {
                return Some(format!("it ends after {count} moves, by the rules it is not over then"));
            };
            let wrong = |expected: String| {
                Some(format!("move {} is {word}, by the rules it must be {expected}", count + 1))
            };
            // All answers are from the same position.
            let part = |&seat: &Seat| Some((seat, referee.answer_of(seat, referee.part_of(seat, word)?)));
            let Some(answers) = answering.iter().map(part).collect::<Option<Vec<_>>>() else {
                return wrong("a move of each seat, with + between them".to_owned());
            };
            for (seat, answer) in answers {
                if let Err(fault) = referee.answer(seat, &answer) {
                    return wrong(fault.expected);
                }
            }
        }
        failed.into_iter().for_each(|seat| referee.forfeit(seat));
    }
}

fn differing_end(referee: &dyn Referee, record: &GameRecord, made: usize, recorded: usize) -> Option<String> {
    if recorded > made {
        return Some(format!("it has {recorded} moves, by the rules it is over after {made}"));
    }
    let (rules, file) = (referee.scores(), &record.scores);
    let text = |scores: &[i64]| scores.iter().map(i64::to_string).collect::<Vec<_>>().join("-");
    (rules != *file).then(|| format!("its scores are {}, by its moves they are {}", text(file), text(&rules)))
}
