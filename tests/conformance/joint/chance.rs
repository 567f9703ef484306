//! Monte Carlo tree search with chance, against value iteration and the oracle, and progressive widening.

use std::collections::HashMap;

use coppice::search::{Decoupled, DecoupledOptions, JointSearch, Oracle, Widening};
use coppice::{Budget, Choices, Joint, List, Payoff, Player};
use coppice_tests::games::joint::{Pig, Race};

use super::{after, choices_of, listed, outcomes};

const TARGET: u8 = 10;

type SmallPig = Pig<TARGET>;

/// The probability of a win for whose turn it is, by value iteration over all states with a choice (Neller and Presser,
/// *Optimal Play of the Dice Game Pig*, 2004).
fn solved() -> HashMap<SmallPig, f64> {
    let mut values: HashMap<SmallPig, f64> = HashMap::new();
    for a in 0..TARGET {
        for b in 0..TARGET {
            for turn in (0..TARGET - a).filter(|&turn| turn != 1) {
                let state = Pig { scores: [a, b], turn, player: Player::FIRST, thrown: false };
                values.insert(state, 0.5);
            }
        }
    }
    for _ in 0..200 {
        let states: Vec<SmallPig> = values.keys().copied().collect();
        for state in states {
            let best = [true, false].into_iter().filter(|&m| m || state.turn > 0);
            let value = best.map(|m| after_choice(&values, &state, m)).fold(0.0, f64::max);
            values.insert(state, value);
        }
    }
    values
}

/// The first player's probability of a win after its choice.
fn after_choice(values: &HashMap<SmallPig, f64>, state: &SmallPig, throws: bool) -> f64 {
    let next = after(state, &Choices::NONE.with(Player::FIRST, throws));
    if throws {
        outcomes(&next).iter().map(|(next, share)| share * worth(values, next)).sum()
    } else {
        worth(values, &next)
    }
}

fn worth(values: &HashMap<SmallPig, f64>, state: &SmallPig) -> f64 {
    if state.is_over() {
        1.0
    } else if state.player == Player::FIRST {
        values[state]
    } else {
        // The same from the other's point of view.
        1.0 - values[&Pig { scores: [state.scores[1], state.scores[0]], player: Player::FIRST, ..*state }]
    }
}

#[test]
fn pig_is_played_as_value_iteration_says() {
    let values = solved();
    let mut judged = 0;
    for (state, &value) in values.iter().filter(|(state, _)| state.turn > 0 && state.turn % 3 == 0) {
        let [throw, stop] = [true, false].map(|m| after_choice(&values, state, m));
        let mut search =
            Decoupled::new(DecoupledOptions { memory: 4 << 20, seed: 1, ..DecoupledOptions::default() });
        let report = search.search(state, Player::FIRST, Budget::nodes(3_000));
        // Points are 1 and -1.
        assert!((report.value / 2.0 + 0.5 - value).abs() < 0.1, "{report:?} in {state:?}: {value}");
        if (throw - stop).abs() > 0.08 {
            judged += 1;
            assert_eq!(report.best, Some(throw > stop), "{report:?} in {state:?}: {throw} or {stop}");
        }
    }
    assert!(judged > 30, "{judged}");
}

#[test]
fn the_race_is_played_as_the_oracle_says() {
    let mut oracle = Oracle::new();
    for widening in [None, Some(Widening::default())] {
        for game in choices_of(&Race::START, Player::FIRST, 4) {
            let options = DecoupledOptions { widening: widening.clone(), ..DecoupledOptions::default() };
            let mut search = Decoupled::new(DecoupledOptions { memory: 4 << 20, seed: 1, ..options });
            let report = search.search(&game, Player::FIRST, Budget::nodes(10_000));
            let value = oracle.value(&game);
            assert!((report.value - value).abs() < 0.25, "{widening:?}: {report:?} in {game:?}: {value}");
            let pure = coppice::search::Strategy::new(&listed(&game, Player::FIRST), |i| {
                f64::from(report.best == Some(i as u8 + 1))
            });
            let loss = oracle.exploitability(&game, Player::FIRST, &pure);
            assert!(loss < 0.05, "{widening:?}: {report:?} in {game:?} loses {loss}");
        }
    }
}

/// Four draws of one of a thousand numbers; after each, keep the sum so far (1) or pass it on (0).
#[derive(Debug, Clone, PartialEq)]
struct Lottery {
    drawn: u32,
    number: u32,
    sum: i32,
    waits: bool,
}

impl Joint for Lottery {
    type Move = u8;
    type Moves = List<u8, 2>;
    type Outcome = u32;
    const PLAYERS: usize = 1;
    const MAX_POINTS: i32 = 4_000;

    fn moves(&self, _: Player, list: &mut List<u8, 2>) {
        if !self.waits && self.drawn < 4 {
            (0..2).for_each(|m| list.push(m));
        }
    }

    fn play(&mut self, choices: &Choices<u8>) {
        self.sum += if choices.of(Player::FIRST) == Some(1) { self.number as i32 } else { 0 };
        self.waits = true;
    }

    fn payoff(&self, _: Player) -> Payoff {
        Payoff(self.sum)
    }

    fn hash(&self) -> u64 {
        [self.drawn, self.number, self.sum as u32, self.waits.into()]
            .iter()
            .fold(0, |all, &n| coppice::rng::mix(all ^ u64::from(n)))
    }

    fn outcome(&self, i: usize) -> Option<(u32, u32)> {
        (self.waits && i < 1_000).then_some((i as u32, 1))
    }

    fn happen(&mut self, number: u32) {
        (self.number, self.drawn, self.waits) = (number, self.drawn + 1, false);
    }
}

#[test]
fn widening_looks_deeper_where_outcomes_are_many() {
    let game = Lottery { drawn: 0, number: 500, sum: 0, waits: false };
    let searched = |widening| {
        let options = DecoupledOptions { widening, ..DecoupledOptions::default() };
        let mut search = Decoupled::new(DecoupledOptions { memory: 16 << 20, seed: 1, ..options });
        let report = search.search(&game, Player::FIRST, Budget::nodes(2_000));
        assert_eq!(report.best, Some(1), "{report:?}");
        // States with a second choice that were visited more than ten times.
        let next = after(&game, &Choices::NONE.with(Player::FIRST, 1));
        let visited = outcomes(&next)
            .iter()
            .filter_map(|(next, _)| search.seen(next, Player::FIRST))
            .filter(|seen| seen.visits > 10)
            .count();
        (report.depth, visited)
    };
    let (plain, wide) =
        (searched(None), searched(Some(Widening { moves: f32::INFINITY, outcomes: 1.0, root: 2 })));
    assert!(wide.0 > plain.0 && wide.1 > 10 && plain.1 == 0, "{plain:?} {wide:?}");
}
