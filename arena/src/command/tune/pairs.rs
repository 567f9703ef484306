//! Plays the pairs of games of a tuning round, here or by a cluster.

use std::ops::ControlFlow;
use std::path::Path;

use crate::tune::log::{PairRecord, Plan};
use crate::tune::search::Pairing;
use coppice_referee::cluster::{ClusterError, Coordinator, Work};
use coppice_referee::game::GameError;
use coppice_referee::process;
use coppice_referee::process::noise::MachineNoise;
use coppice_referee::record::games::Mismatch;
use coppice_referee::series::{runner, Fixture, GameDigest, SeriesError};
use coppice_referee::text::words;
use coppice_stats::tuning::method::PAIRS_A_TRIAL;
use coppice_stats::Scoring;

use super::error::TuneError;
use super::setup::Setup;

/// Number of first games in which failures are counted.
const FIRST_GAMES: u32 = 10;
/// Number of failures in the first games that stops the run.
const MOST_FAILURES: usize = 3;

/// The machines that play pairs.
pub(super) enum Machines<'a> {
    /// This machine.
    Here(&'a Setup<'a>),
    /// Workers.
    Cluster(Box<Coordinator<'a, Setup<'a>>>),
}

impl<'a> Machines<'a> {
    /// The machines that the options ask for.
    ///
    /// # Errors
    /// If the workers' folder can't be written.
    pub(super) fn new(setup: &'a Setup<'a>) -> Result<Self, TuneError> {
        Ok(match &setup.cluster {
            Some(settings) => Self::Cluster(Box::new(Coordinator::open(setup, settings)?)),
            None => Self::Here(setup),
        })
    }

    /// Plays pairs, several at a time, and hands each to `take` when it is over: here, in this thread.
    ///
    /// # Errors
    /// The first error of a game or of `take`. After one of a game, pairs that end well are still handed over.
    pub(super) fn play(
        &mut self,
        pairings: Vec<Pairing>,
        take: &mut dyn FnMut(PairRecord) -> Result<(), TuneError>,
    ) -> Result<(), TuneError> {
        let mut take = |pair| take(pair).map(ControlFlow::Continue);
        match self {
            Self::Here(setup) => {
                let play = |pairing: &Pairing| Ok(play_pair(setup, pairing)?);
                runner::run_all(&pairings, &play, setup.jobs, take)
            }
            Self::Cluster(coordinator) => {
                Ok(coordinator.play(pairings, &mut |pair, _| take(pair).map_err(ClusterError::work))?)
            }
        }
    }

    /// Ends the workers; returns the machines and their delays. Pairs that end meanwhile stay in the workers' files: the
    /// same command takes them from there.
    ///
    /// # Errors
    /// If the shared folder can't be read or written.
    pub(super) fn end(self) -> Result<Vec<MachineNoise>, TuneError> {
        let Self::Cluster(mut coordinator) = self else { return Ok(Vec::new()) };
        let ended = coordinator.close(&mut |_, _| Ok(ControlFlow::Break(())));
        let of_pairs = |machine: MachineNoise| MachineNoise { games: 2 * machine.games, ..machine };
        Ok(ended.map(|()| coordinator.noise().into_iter().map(of_pairs).collect())?)
    }
}

/// The pairs of a tune as a cluster's work.
impl Work for Setup<'_> {
    type Task = Pairing;
    type Done = PairRecord;
    type Identity = Plan;

    const PART: &'static str = "pairs.jsonl";

    fn identity(&self) -> Plan {
        self.plan.clone()
    }

    fn difference(&self, coordinator: &Plan) -> Option<String> {
        self.plan.difference(coordinator)
    }

    fn number(task: &Pairing) -> u32 {
        task.trial * PAIRS_A_TRIAL + task.pair
    }

    fn task_of(&self, done: &PairRecord) -> Result<Pairing, Mismatch> {
        if !done.has_scores() {
            return Err(Mismatch(format!(
                "pair {} of trial {} has scores beyond 0 to 1",
                done.pair, done.trial
            )));
        }
        let PairRecord { trial, pair, values, seed, .. } = done.clone();
        Ok(Pairing { trial, pair, values, seed })
    }

    fn play(&self, task: &Pairing, _: &Path) -> Result<PairRecord, ClusterError> {
        Ok(play_pair(self, task)?)
    }
}

/// Two games from the same seed: the bots take every second seat, and the other seats in the second game. Where bots play
/// alone, one game of each, whose comparison counts for both.
fn play_pair(setup: &Setup<'_>, pairing: &Pairing) -> Result<PairRecord, SeriesError> {
    let series = setup.series(&pairing.values);
    let Pairing { trial, pair, values, seed } = pairing.clone();
    let mut record =
        PairRecord { trial, pair, values, seed, scores: [0.0; 2], faults: Vec::new(), moves: None };
    let mut moves = [0; 3];
    let seats = setup.host.seats();
    let (alone, mut points, mut known) = (seats == 1, [0; 2], None);
    for (order, score) in record.scores.iter_mut().enumerate() {
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let seating = (0..seats).map(|seat| (seat + order) % 2).collect();
        let fixture = Fixture { game: order as u32 + 1, group: 0, seed: series.drawn(seed), seating };
        let game = series.play(&fixture)?.record;
        let reached = game.points();
        let digest = GameDigest::of(&game, &[]);
        (moves[0], moves[order + 1]) = (digest.opening(), digest.moves().unwrap_or_default());
        if alone {
            points[order] = reached[0];
            known = game.best_points();
        } else {
            let of = |bot: usize| (0..seats).filter(move |&seat| (seat + order) % 2 == bot);
            let shares = of(0).flat_map(|own| of(1).map(move |other| (own, other)));
            let shares =
                shares.map(|(own, other)| order_of(reached[own], reached[other])).collect::<Vec<_>>();
            *score = shares.iter().sum::<f64>() / shares.len() as f64;
        }
        let told = game.faults.iter().map(|fault| {
            let bot = game.bots.get(fault.seat).map_or("", |bot| bot.command.as_str());
            format!(
                "{} of `{bot}`{}; expected {}; received {}",
                fault.ending,
                fault.place(),
                fault.expected,
                fault.received
            )
        });
        record.faults.extend(told);
    }
    if alone {
        record.scores = [series.scoring.result(points[0], points[1], known); 2];
    }
    record.moves = (!alone && setup.host.contest().is_some()).then_some(moves);
    Ok(record)
}

/// The result of points against another bot's: 1, a half or 0.
fn order_of(own: i64, other: i64) -> f64 {
    Scoring::default().result(own, other, None)
}

/// Counts the failures in the first games. Both bots of a game are the same program, so they are counted together.
#[derive(Debug, Default)]
pub(super) struct Failures {
    games: u32,
    faults: Vec<String>,
}

impl Failures {
    /// Counts a pair.
    pub(super) fn add(&mut self, pair: &PairRecord) {
        if self.games < FIRST_GAMES {
            self.games += 2;
            self.faults.extend(pair.faults.iter().cloned());
        }
    }

    /// Checks whether the bot works well enough to continue.
    ///
    /// # Errors
    /// If the bot has failed too often.
    pub(super) fn check(&self, setup: &Setup<'_>) -> Result<(), TuneError> {
        match self.faults.last() {
            Some(fault) if self.faults.len() >= MOST_FAILURES => Err(TuneError::Fails {
                failures: self.faults.len(),
                games: self.games,
                fault: fault.clone(),
                contest: setup.plan.contest.clone(),
                command: words::quote(&setup.plan.bot).into_owned(),
            }),
            _ => Ok(()),
        }
    }
}
