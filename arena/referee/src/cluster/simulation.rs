//! A simulated clock: how many games a sequential test takes with many workers, compared to one machine.

use std::collections::BTreeSet;

use coppice::rng::split_mix;

use super::dispatch::Dispatch;
use super::staff::{in_advance, LOST, ROUND_TRIP};
use super::LOOK;
use coppice_stats::{Model, Outcomes, Sprt, Verdict};

/// Mean seconds of a game, on a machine of speed 1.
const GAME: f64 = 2.0;

/// A run takes seconds in a debug build.
const RUNS: u64 = if cfg!(debug_assertions) { 1 } else { 10 };

const MOST_PAIRS: u32 = 20_000;

/// A run: its games by their numbers, from 1.
struct Plan {
    seed: u64,
    /// The probabilities that a pair is lost, is drawn, and is won.
    shares: [f64; 3],
}

impl Plan {
    /// A number from 0 to 1 that belongs to a game and a purpose.
    fn chance(&self, game: u32, purpose: u64) -> f64 {
        let mut state = self.seed ^ (u64::from(game) << 8 | purpose);
        (split_mix(&mut state) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The cell of the pentanomial statistics of a pair, from 0.
    fn cell(&self, pair: u32) -> usize {
        let at = self.chance(pair, 1);
        let [lost, drawn, _] = self.shares;
        if at < lost {
            1
        } else if at < lost + drawn {
            2
        } else {
            3
        }
    }

    /// Seconds: uniform from half to one and a half times the mean.
    fn seconds(&self, game: u32) -> f64 {
        GAME * (0.5 + self.chance(game, 2))
    }
}

/// Judges pairs in the order of the plan.
struct Judge<'p> {
    plan: &'p Plan,
    test: Sprt,
    cells: [u64; 5],
    pairs: u32,
    finished: BTreeSet<u32>,
    has_ended: bool,
}

impl<'p> Judge<'p> {
    fn new(plan: &'p Plan) -> Self {
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalised).unwrap();
        Self { plan, test, cells: [0; 5], pairs: 0, finished: BTreeSet::new(), has_ended: false }
    }

    fn take(&mut self, game: u32) {
        self.finished.insert(game);
        while !self.has_ended && [1, 2].iter().all(|game| self.finished.contains(&(2 * self.pairs + game))) {
            self.cells[self.plan.cell(self.pairs)] += 1;
            self.pairs += 1;
            let ratio = self.test.llr(&Outcomes::pentanomial(&self.cells)).unwrap();
            self.has_ended = self.test.verdict(ratio) != Verdict::Undecided || self.pairs == MOST_PAIRS;
        }
    }
}

/// A simulated worker.
struct Worker {
    speed: f64,
    dies_at: f64,
    orders: Vec<u32>,
    /// The games that it has begun.
    begun: BTreeSet<u32>,
    /// The game that it plays, and when that ends.
    playing: Option<(u32, f64)>,
    finished: Vec<u32>,
}

impl Worker {
    fn new(speed: f64, dies_at: f64) -> Self {
        let (orders, begun, finished) = (Vec::new(), BTreeSet::new(), Vec::new());
        Self { speed, dies_at, orders, begun, playing: None, finished }
    }

    /// Goes on until `now`, with the orders of before. A game lasts longer than a step.
    fn go_on(&mut self, now: f64, plan: &Plan) {
        let mut from = now;
        if let Some((game, end)) = self.playing {
            if end > now {
                return;
            }
            self.finished.push(game);
            from = end;
        }
        let next = self.orders.iter().copied().find(|game| !self.begun.contains(game));
        self.playing = next.map(|game| (game, from + plan.seconds(game) / self.speed));
        self.begun.extend(next);
    }
}

/// The cost of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Taken {
    /// Pairs that the verdict needs.
    pairs: u32,
    /// Games that were begun.
    begun: usize,
    seconds: f64,
}

/// Plays a run with workers of these speeds. The last `deaths` of them die after a minute; their games are given to others when
/// they count as lost.
fn play(plan: &Plan, speeds: &[f64], deaths: usize) -> Taken {
    let step = LOOK.as_secs_f64();
    let mut dispatch = Dispatch::default();
    dispatch.add(1..=2 * MOST_PAIRS);
    let mut judge = Judge::new(plan);
    let dies_at = |at: usize| if at + deaths >= speeds.len() { 60.0 } else { f64::INFINITY };
    let workers = speeds.iter().enumerate().map(|(at, &speed)| Worker::new(speed, dies_at(at)));
    let mut workers = workers.collect::<Vec<_>>();
    let mut now = 0.0;
    loop {
        now += step;
        for (at, worker) in workers.iter_mut().enumerate() {
            let name = at.to_string();
            if now < worker.dies_at {
                worker.go_on(now, plan);
            } else if now > worker.dies_at + LOST.as_secs_f64() {
                dispatch.lost(&name);
                continue;
            }
            for game in std::mem::take(&mut worker.finished) {
                dispatch.finished(game);
                judge.take(game);
            }
            dispatch.fill(&name, 1 + in_advance(worker.speed / GAME, ROUND_TRIP.as_secs_f64()));
            worker.orders = dispatch.games_of(&name).to_vec();
        }
        if judge.has_ended {
            let begun = workers.iter().map(|worker| worker.begun.len()).sum();
            return Taken { pairs: judge.pairs, begun, seconds: now };
        }
    }
}

/// Plays a run on one machine, a game at a time.
fn play_alone(plan: &Plan) -> Taken {
    let mut judge = Judge::new(plan);
    let (mut begun, mut seconds) = (0, 0.0);
    while !judge.has_ended {
        begun += 1;
        seconds += plan.seconds(begun);
        judge.take(begun);
    }
    Taken { pairs: judge.pairs, begun: begun as usize, seconds }
}

/// With 64 workers a test takes at most the games in flight and 5 % more than with one.
#[test]
fn many_workers_play_few_games_that_one_machine_does_not() {
    let equal = vec![1.0; 64];
    let uneven = (0..64).map(|at| 1.0 - 0.5 * f64::from(at) / 63.0).collect::<Vec<_>>();
    println!("workers               pairs  games more, mean and most  seconds  of one machine");
    for (name, speeds, deaths) in
        [("64 equal", &equal, 0), ("64, speeds 1/2 to 1", &uneven, 0), ("64, 8 of them die", &equal, 8)]
    {
        let mut rows = Vec::new();
        for seed in 0..RUNS {
            let plan = Plan { seed, shares: [0.236, 0.5, 0.264] };
            let (one, many) = (play_alone(&plan), play(&plan, speeds, deaths));
            assert_eq!((many.pairs, one.begun), (one.pairs, 2 * one.pairs as usize));
            let more = many.begun - one.begun;
            // Until a worker is known to be dead, the others play on.
            let meanwhile = if deaths > 0 { 64.0 * LOST.as_secs_f64() / GAME } else { 0.0 };
            let limit = 64.0 + 0.05 * one.begun as f64 + meanwhile;
            assert!(more as f64 <= limit, "{name}: {many:?} against {one:?}");
            rows.push((one, many, more as f64));
        }
        let mean = |value: fn(&(Taken, Taken, f64)) -> f64| rows.iter().map(value).sum::<f64>() / RUNS as f64;
        let most = rows.iter().map(|row| row.2).fold(0.0, f64::max);
        println!(
            "{name:<20}{:>7.0}{:>12.0}{most:>6.0}{:>18.0}{:>16.0}",
            mean(|row| row.0.pairs.into()),
            mean(|row| row.2),
            mean(|row| row.1.seconds),
            mean(|row| row.0.seconds),
        );
    }
}
