//! Plays the pairs of games of a tuning round.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::error::ArenaError;
use crate::game::GameError;
use crate::process;
use crate::series::Fixture;
use crate::tune::log::PairRecord;
use crate::tune::search::Pairing;

use super::setup::Setup;

/// Number of first games in which failures are counted.
const FIRST_GAMES: u32 = 10;
/// Number of failures in the first games that stops the run.
const MOST_FAILURES: usize = 3;

/// Plays pairs, several at a time, and hands each to `take` when it is over: here, in this thread.
///
/// # Errors
/// The first error of a game or of `take`. After one of a game, pairs that end well are still handed over.
pub fn play(
    setup: &Setup<'_>,
    pairings: &[Pairing],
    mut take: impl FnMut(PairRecord) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let play_next = || {
        let has_ended = stopped.load(Ordering::SeqCst);
        let pairing = pairings.get(next.fetch_add(1, Ordering::SeqCst)).filter(|_| !has_ended)?;
        Some(play_pair(setup, pairing))
    };
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..setup.jobs.clamp(1, pairings.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(move || {
                while let Some(result) = play_next() {
                    let failed = result.is_err();
                    if sender.send(result).is_err() || failed {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut first_error = None;
        for result in results {
            if let Err(error) = result.and_then(&mut take) {
                stopped.store(true, Ordering::SeqCst);
                first_error.get_or_insert(error);
            }
        }
        first_error.map_or(Ok(()), Err)
    })
}

/// Two games from the same seed: the bots take every second seat, and the other seats in the second game. Where bots play
/// alone, one game of each, whose comparison counts for both.
fn play_pair(setup: &Setup<'_>, pairing: &Pairing) -> Result<PairRecord, ArenaError> {
    let series = setup.series(&pairing.values);
    let Pairing { trial, pair, values, seed } = pairing.clone();
    let mut record = PairRecord { trial, pair, values, seed, scores: [0.0; 2], faults: Vec::new() };
    let seats = setup.host.seats();
    let (alone, mut points) = (seats == 1, [0; 2]);
    for (order, score) in record.scores.iter_mut().enumerate() {
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let seating = (0..seats).map(|seat| (seat + order) % 2).collect();
        let fixture = Fixture { game: order as u32 + 1, group: 0, seed, seating };
        let game = series.play(&fixture)?.record;
        let reached = game.points();
        if alone {
            points[order] = reached[0];
        } else {
            let of = |bot: usize| (0..seats).filter(move |&seat| (seat + order) % 2 == bot);
            let shares = of(0).flat_map(|own| of(1).map(move |other| (own, other)));
            let shares = shares.map(|(own, other)| share(reached[own], reached[other])).collect::<Vec<_>>();
            *score = shares.iter().sum::<f64>() / shares.len() as f64;
        }
        let told = game.faults.iter().map(|fault| {
            let bot = game.bots.get(fault.seat).map_or("", |bot| bot.command.as_str());
            format!(
                "{} in turn {} of `{bot}`; expected {}; received {}",
                fault.ending, fault.turn, fault.expected, fault.received
            )
        });
        record.faults.extend(told);
    }
    if alone {
        record.scores = [share(points[0], points[1]); 2];
    }
    Ok(record)
}

/// What these points are worth against another bot's.
fn share(own: i64, other: i64) -> f64 {
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}

/// Counts the failures in the first games. Both bots of a game are the same program, so they are counted together.
#[derive(Debug, Default)]
pub struct Failures {
    games: u32,
    faults: Vec<String>,
}

impl Failures {
    /// Counts a pair.
    pub fn add(&mut self, pair: &PairRecord) {
        if self.games < FIRST_GAMES {
            self.games += 2;
            self.faults.extend(pair.faults.iter().cloned());
        }
    }

    /// Checks whether the bot works well enough to continue.
    ///
    /// # Errors
    /// If the bot has failed too often.
    pub fn check(&self, setup: &Setup<'_>) -> Result<(), ArenaError> {
        match self.faults.last() {
            Some(fault) if self.faults.len() >= MOST_FAILURES => Err(ArenaError::TuneFails {
                failures: self.faults.len(),
                games: self.games,
                fault: fault.clone(),
                contest: setup.plan.contest.clone(),
                command: shell_words::quote(&setup.plan.bot).into_owned(),
            }),
            _ => Ok(()),
        }
    }
}
