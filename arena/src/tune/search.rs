//! A tuning run derived from its plan: schedules pairs of games and processes their results.
//!
//! When the method has played its trials, its answer plays the start: what the games say of the gain is measured, not
//! fitted, and they aren't those from which the answer was chosen.

use coppice::rng::{split_mix, SPLIT_MIX_STEP};
use serde::{Deserialize, Serialize};

use super::log::{MethodName, PairRecord, Plan};
use coppice_stats::tuning::evolution::{self, Evolution};
use coppice_stats::tuning::fit::{Fit, Seen};
use coppice_stats::tuning::method::{Method, Trial, GAMES_A_TRIAL, PAIRS_A_TRIAL};
use coppice_stats::tuning::space::Space;
use coppice_stats::tuning::spsa::{self, Spsa};

/// The number of the method's trials for each trial of its answer against the start.
const TRIALS_A_CHECK: u32 = 10;

/// The number of games between the answer and the start, if the two differ.
pub(crate) fn check_games(plan: &Plan) -> u32 {
    plan.games / GAMES_A_TRIAL / TRIALS_A_CHECK * GAMES_A_TRIAL
}

/// A pair of games to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pairing {
    /// The trial, from 0.
    pub trial: u32,
    /// The pair's number within the trial, from 0.
    pub pair: u32,
    /// The values of the two bots.
    pub values: [Vec<f64>; 2],
    /// The seed of both games.
    pub seed: u64,
}

/// A result that isn't in the plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("pair {pair} of trial {trial} is not one that this plan leads to")]
pub(crate) struct Unplanned {
    /// The trial.
    pub trial: u32,
    /// Pair of games.
    pub pair: u32,
}

/// A run in progress.
pub(crate) struct Search {
    space: Space,
    seed: u64,
    method: Box<dyn Method>,
    /// The trials of the round, and the number of the first trial.
    round: Vec<Trial>,
    first_trial: u32,
    /// The results of the round's pairs, trial by trial.
    known: Vec<Option<PairRecord>>,
    /// All pairs of the method's earlier rounds.
    finished: Vec<PairRecord>,
    /// The number of trials between the answer and the start.
    check_trials: u32,
    /// Whether the round is of such trials: the last one.
    is_checking: bool,
}

impl Search {
    /// The start of a run.
    pub(crate) fn new(plan: &Plan) -> Self {
        let space = Space(plan.parameters.clone());
        let trials = plan.games / GAMES_A_TRIAL;
        let method: Box<dyn Method> = match plan.method {
            MethodName::Spsa => {
                Box::new(Spsa::new(space.clone(), trials, plan.at_once, plan.seed, spsa::Options::default()))
            }
            MethodName::De => {
                let options = evolution::Options::of(plan.instances, plan.parameters.len());
                Box::new(Evolution::new(space.clone(), trials, plan.seed, options))
            }
        };
        let mut search = Self {
            space,
            seed: plan.seed,
            method,
            round: Vec::new(),
            first_trial: 0,
            known: Vec::new(),
            finished: Vec::new(),
            check_trials: check_games(plan) / GAMES_A_TRIAL,
            is_checking: false,
        };
        search.begin_round();
        search
    }

    /// The pairs of the round that have no result; empty when the run is over.
    pub(crate) fn pairings(&self) -> Vec<Pairing> {
        let unknown = (0..self.known.len()).filter(|&i| self.known[i].is_none());
        unknown.map(|i| self.pairing(i)).collect()
    }

    /// Takes the result of a pair of the round. After the last one the next round begins.
    ///
    /// # Errors
    /// If the pair isn't one of the round, or was played with other values; the result is then ignored.
    pub(crate) fn take(&mut self, record: PairRecord) -> Result<(), Unplanned> {
        let PairRecord { trial, pair, .. } = record;
        let place = trial.checked_sub(self.first_trial).map(|trial| (trial * PAIRS_A_TRIAL + pair) as usize);
        let place = place.filter(|&i| i < self.known.len() && pair < PAIRS_A_TRIAL);
        let place = place.filter(|&i| {
            let planned = self.pairing(i);
            planned.values == record.values && planned.seed == record.seed && self.known[i].is_none()
        });
        self.known[place.ok_or(Unplanned { trial, pair })?] = Some(record);
        if self.known.iter().all(Option::is_some) {
            self.end_round();
        }
        Ok(())
    }

    /// Takes the pairs of a log. The pairs of a round may be in any order.
    ///
    /// # Errors
    /// If a pair isn't in the plan.
    pub(crate) fn replay(&mut self, pairs: Vec<PairRecord>) -> Result<(), Unplanned> {
        pairs.into_iter().try_for_each(|pair| self.take(pair))
    }

    /// The number of the method's finished games.
    pub(crate) fn games(&self) -> u32 {
        2 * self.pairs().count() as u32
    }

    /// The current answer.
    pub(crate) fn answer(&self) -> Vec<f64> {
        self.space.values(&self.method.answer())
    }

    /// The current distance of trials from the answer, in the parameters' own units.
    pub(crate) fn reach(&self) -> Vec<f64> {
        let reach = self.method.reach();
        self.space
            .0
            .iter()
            .zip(reach)
            .map(|(parameter, share)| share * (parameter.max - parameter.min))
            .collect()
    }

    /// The parameters.
    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    /// All finished pairs of the method.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = &PairRecord> {
        self.finished.iter().chain(self.known.iter().flatten().filter(|_| !self.is_checking))
    }

    /// The finished pairs between the answer, which is the first side, and the start.
    pub(crate) fn checks(&self) -> impl Iterator<Item = &PairRecord> {
        self.known.iter().flatten().filter(|_| self.is_checking)
    }

    /// The number of all finished games.
    pub(crate) fn all_games(&self) -> usize {
        2 * self.pairs().chain(self.checks()).count()
    }

    /// A model fitted to all pairs of the method, around the answer.
    pub(crate) fn fit(&self) -> Fit {
        let seen = |pair: &PairRecord| Seen {
            points: pair.values.each_ref().map(|values| self.space.point(values)),
            score: pair.scores.iter().sum::<f64>() / 2.0,
            games: 2,
        };
        Fit::new(&self.space.point(&self.answer()), &self.pairs().map(seen).collect::<Vec<_>>())
    }

    fn pairing(&self, place: usize) -> Pairing {
        let (index, pair) = (place as u32 / PAIRS_A_TRIAL, place as u32 % PAIRS_A_TRIAL);
        let trial = self.first_trial + index;
        let values = self.round[index as usize].points.each_ref().map(|point| self.space.values(point));
        Pairing { trial, pair, values, seed: game_seed(self.seed, trial * PAIRS_A_TRIAL + pair) }
    }

    fn begin_round(&mut self) {
        self.round = self.method.round();
        if self.round.is_empty() {
            self.is_checking = true;
            let points = [self.method.answer(), self.space.start()];
            let [answer, start] = points.each_ref().map(|point| self.space.values(point));
            let count = if answer == start { 0 } else { self.check_trials };
            self.round = vec![Trial { points }; count as usize];
        }
        self.known = vec![None; self.round.len() * PAIRS_A_TRIAL as usize];
    }

    fn end_round(&mut self) {
        if self.is_checking {
            return;
        }
        let pairs: Vec<PairRecord> = std::mem::take(&mut self.known).into_iter().flatten().collect();
        let score = |pairs: &[PairRecord]| {
            pairs.iter().flat_map(|pair| pair.scores).sum::<f64>() / f64::from(GAMES_A_TRIAL)
        };
        let scores: Vec<f64> = pairs.chunks(PAIRS_A_TRIAL as usize).map(score).collect();
        self.method.tell(&scores);
        self.first_trial += scores.len() as u32;
        self.finished.extend(pairs);
        self.begin_round();
    }
}

/// The seed of a pair of games: SplitMix64's output number `pair` from the state `seed`.
fn game_seed(seed: u64, pair: u32) -> u64 {
    let mut state = seed.wrapping_add(SPLIT_MIX_STEP.wrapping_mul(u64::from(pair)));
    split_mix(&mut state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::log::RULES;
    use coppice_stats::tuning::space::{Kind, Parameter};

    fn plan(method: MethodName, at_once: u32) -> Plan {
        let parameters =
            ["a, float, 0.9, 0, 2", "b, int, 3, 1, 9"].map(|line| Parameter::parse(line).unwrap());
        Plan {
            rules: RULES,
            contest: "toy".to_owned(),
            referee: None,
            bot: "./bot".to_owned(),
            hash: None,
            parameters: parameters.to_vec(),
            method,
            instances: None,
            games: 200,
            at_once,
            seed: 5,
            seeds: None,
            openings: 4,
            first_ms: 0.0,
            later_ms: 0.0,
        }
    }

    /// A game determined by its seed: larger numbers win, or chance decides.
    fn played(pairing: &Pairing) -> PairRecord {
        let Pairing { trial, pair, values, seed } = pairing.clone();
        let strength: Vec<f64> = values.iter().map(|v| v.iter().sum()).collect();
        let lucky = if seed % 3 == 0 { 0.0 } else { 1.0 };
        let scores = [f64::from(strength[0] > strength[1]), lucky];
        PairRecord { trial, pair, values, seed, scores, faults: Vec::new(), moves: None }
    }

    /// A run stopped after any number of pairs and resumed from the log gives the same result.
    #[test]
    fn a_tune_goes_on_from_its_log() {
        for (method, at_once) in [(MethodName::Spsa, 1), (MethodName::Spsa, 3), (MethodName::De, 1)] {
            let plan = plan(method, at_once);
            let mut whole = Search::new(&plan);
            let mut log = Vec::new();
            while let Some(pairing) = whole.pairings().pop() {
                log.push(played(&pairing));
                whole.take(played(&pairing)).unwrap();
            }
            assert_eq!((whole.games(), log.len()), (200, 110));
            let start = plan.parameters.iter().map(|parameter| parameter.start).collect::<Vec<_>>();
            for check in &log[100..] {
                assert_eq!(check.values, [whole.answer(), start.clone()]);
            }
            assert_eq!(whole.checks().count(), 10);
            for cut in [0, 1, 2, 3, 17, 50, 99, 100, 101, 109, 110] {
                let mut search = Search::new(&plan);
                search.replay(log[..cut].to_vec()).unwrap();
                assert_eq!(
                    (search.games(), search.checks().count()),
                    (2 * cut.min(100) as u32, cut.max(100) - 100)
                );
                // The rest is played in another order.
                while let Some(pairing) = search.pairings().first() {
                    search.take(played(pairing)).unwrap();
                }
                assert_eq!(search.answer(), whole.answer());
                assert!(search.checks().count() == 10 && search.pairings().is_empty());
            }
            assert!(whole.answer()[0] > 0.9, "{:?}", whole.answer());
        }
    }

    #[test]
    fn pairs_of_another_tune_are_refused() {
        let mut search = Search::new(&plan(MethodName::Spsa, 1));
        let pairing = search.pairings()[0].clone();
        let good = played(&pairing);
        for bad in [
            PairRecord { trial: 1, ..good.clone() },
            PairRecord { pair: 2, ..good.clone() },
            PairRecord { seed: 7, ..good.clone() },
            PairRecord { values: [vec![0.0, 1.0], vec![0.0, 1.0]], ..good.clone() },
        ] {
            assert!(search.take(bad.clone()).is_err(), "{bad:?}");
        }
        search.take(good.clone()).unwrap();
        assert!(search.take(good).is_err(), "a pair counts once");
    }

    /// Random spaces of whole numbers and floats, narrow and wide, with starts at bounds and inside, by every method.
    #[test]
    fn both_bots_are_in_their_ranges_and_differ() {
        let mut rng = coppice::Rng::new(11);
        for round in 0..300u32 {
            let parameter = |name: u32, rng: &mut coppice::Rng| {
                let is_int = rng.below(3) > 0;
                let width = [1, 1, 2, 3, 4, 7, 30, 100_000][rng.below(8) as usize];
                let min = i64::from(rng.below(20)) - 10;
                let max = min + width;
                let start = match rng.below(3) {
                    0 => min,
                    1 => max,
                    _ => min + i64::from(rng.below(width as u32 + 1)),
                };
                let kind = if is_int { "int" } else { "float" };
                Parameter::parse(&format!("p{name}, {kind}, {start}, {min}, {max}")).unwrap()
            };
            let count = 1 + rng.below(3);
            let parameters: Vec<_> = (0..count).map(|name| parameter(name, &mut rng)).collect();
            for (method, at_once) in [(MethodName::Spsa, 1), (MethodName::Spsa, 3), (MethodName::De, 1)] {
                let parameters = parameters.clone();
                let seed = u64::from(round);
                let mut search = Search::new(&Plan { parameters, seed, games: 160, ..plan(method, at_once) });
                // Bots that like large values, small ones, neither, and luck: the iterates reach every bound.
                let taste = rng.below(4);
                while let Some(pairing) = search.pairings().first().cloned() {
                    let [a, b] = &pairing.values;
                    assert_ne!(a, b, "{method:?} {pairing:?} {:?}", search.space());
                    for (value, parameter) in a.iter().chain(b).zip(search.space().0.iter().cycle()) {
                        assert!((parameter.min..=parameter.max).contains(value), "{value} {parameter:?}");
                        assert!(
                            parameter.kind == Kind::Float || value.fract() == 0.0,
                            "{value} {parameter:?}"
                        );
                    }
                    let larger = f64::from(u8::from(a.iter().sum::<f64>() > b.iter().sum()));
                    let score = [larger, 1.0 - larger, 0.5, f64::from(rng.below(2))][taste as usize];
                    let Pairing { trial, pair, values, seed } = pairing;
                    let record = PairRecord {
                        trial,
                        pair,
                        values,
                        seed,
                        scores: [score; 2],
                        faults: Vec::new(),
                        moves: None,
                    };
                    search.take(record).unwrap();
                }
                assert_eq!(search.games(), 160);
            }
        }
    }

    /// A whole number whose best value is 1 is found from every start, by every method: 400 Elo are lost for each step away
    /// from it, and 400 games are played.
    #[test]
    fn the_best_whole_number_is_found_from_every_start() {
        let mut rng = coppice::Rng::new(3);
        for max in 1..=4u32 {
            for start in [0, max] {
                for (method, at_once) in [(MethodName::Spsa, 1), (MethodName::Spsa, 4), (MethodName::De, 1)] {
                    for seed in 1..=10 {
                        let parameters =
                            vec![Parameter::parse(&format!("z, int, {start}, 0, {max}")).unwrap()];
                        let games = 400;
                        let mut search =
                            Search::new(&Plan { parameters, seed, games, ..plan(method, at_once) });
                        while let Some(pairing) = search.pairings().first().cloned() {
                            let Pairing { trial, pair, values, seed } = pairing;
                            let [a, b] =
                                [&values[0], &values[1]].map(|values| -400.0 * (values[0] - 1.0).abs());
                            let expected = 1.0 / (1.0 + 10f64.powf((b - a) / 400.0));
                            let mut game = || {
                                let drawn = f64::from(rng.below(1 << 30)) / f64::from(1 << 30);
                                f64::from(u8::from(drawn < expected))
                            };
                            let scores = [game(), game()];
                            let faults = Vec::new();
                            search
                                .take(PairRecord { trial, pair, values, seed, scores, faults, moves: None })
                                .unwrap();
                        }
                        assert_eq!(
                            search.answer(),
                            [1.0],
                            "{method:?} from {start} in 0..{max}, seed {seed}"
                        );
                    }
                }
            }
        }
    }
}
