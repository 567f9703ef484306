//! Evolution of plans in simulations: heuristics, rewards on the way, several units, plans that survive.

use std::cell::{Cell, RefCell};

use coppice::joint::players;
use coppice::search::{Evolve, EvolveOptions, Genes, JointSearch};
use coppice::{Budget, Choices, Joint, List, Payoff, Player, Rng};
use coppice_tests::games::joint::Squad;

/// A simulation without a list of moves: each of two cars adds -100 to 100 to its speed, and drives. A move outside of
/// the list is legal. Cars push each other: the one behind is slowed by half of the other's thrust.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cars {
    at: [i32; 2],
    speed: [i32; 2],
    turns: u8,
}

const START: Cars = Cars { at: [0; 2], speed: [0; 2], turns: 12 };

impl Joint for Cars {
    type Move = i16;
    type Moves = List<i16, 1>;
    type Outcome = ();
    const MAX_POINTS: i32 = 1;

    fn moves(&self, _: Player, list: &mut List<i16, 1>) {
        if self.turns > 0 {
            list.push(0);
        }
    }

    fn play(&mut self, choices: &Choices<i16>) {
        let thrust = [Player::FIRST, Player::SECOND].map(|car| i32::from(choices.of(car).expect("a thrust")));
        for car in 0..2 {
            let push = if self.at[car] < self.at[1 - car] { thrust[1 - car] / 2 } else { 0 };
            self.speed[car] += thrust[car] - push;
            self.at[car] += self.speed[car];
        }
        self.turns -= 1;
    }

    fn payoff(&self, player: Player) -> Payoff {
        Payoff((self.at[player.index()] - self.at[player.other().index()]).signum())
    }

    fn hash(&self) -> u64 {
        0
    }
}

/// Thrusts by gene; near genes by mutation; the distance as reward.
struct Driver {
    heuristics: usize,
}

impl Genes<Cars> for Driver {
    fn estimate(&self, _: &Cars, _: Player) -> f64 {
        0.0
    }

    fn decode(&self, game: &Cars, _: Player, gene: u16) -> Option<i16> {
        (game.turns > 0).then_some((i32::from(gene) * 201 / 65_536 - 100) as i16)
    }

    fn reward(&self, before: &Cars, after: &Cars, player: Player) -> f64 {
        f64::from(after.at[player.index()] - before.at[player.index()])
    }

    fn heuristic(&self, i: usize, _: &Cars, _: Player) -> Option<u16> {
        // Full thrust, then none.
        [u16::MAX, 32_768].get(i).copied().filter(|_| i < self.heuristics)
    }

    fn mutate(&self, gene: u16, rng: &mut Rng) -> u16 {
        gene.saturating_add(rng.below(4_000) as u16).saturating_sub(rng.below(4_000) as u16)
    }
}

fn options(horizon: usize) -> EvolveOptions {
    EvolveOptions { horizon, theirs: 0, ..EvolveOptions::default() }
}

#[test]
fn heuristics_are_plans_of_the_first_generation() {
    // The last plan, and the first heuristic: ten turns.
    let mut search = Evolve::new(Driver { heuristics: 2 }, EvolveOptions { seed: 1, ..options(5) });
    let report = search.search(&START, Player::FIRST, Budget::nodes(10));
    assert_eq!((report.best, report.nodes), (Some(100), 10), "{report:?}");
    // Full thrust for five turns: 100 + 200 + ... + 500, as long as the other doesn't get ahead.
    assert_eq!(report.value, 1_500.0);
    let mut without = Evolve::new(Driver { heuristics: 0 }, EvolveOptions { seed: 1, ..options(5) });
    assert!(without.search(&START, Player::FIRST, Budget::nodes(10)).value < 1_500.0);
}

#[test]
fn a_plan_from_outside_is_judged_first() {
    let mut search = Evolve::new(Driver { heuristics: 0 }, EvolveOptions { seed: 1, ..options(5) });
    search.suggest(|_, _| u16::MAX);
    // The last plan, and the suggested one.
    let report = search.search(&START, Player::FIRST, Budget::nodes(10));
    assert_eq!((report.best, report.value), (Some(100), 1_500.0), "{report:?}");
    // It was for one search, and its plan is kept as the best.
    let again = search.search(&START, Player::FIRST, Budget::nodes(5));
    assert_eq!((again.best, again.value), (Some(100), 1_500.0));
}

#[test]
fn rewards_count_with_their_discount() {
    let discounted = EvolveOptions { discount: 0.5, ..options(4) };
    let mut search = Evolve::new(Driver { heuristics: 1 }, EvolveOptions { seed: 1, ..discounted });
    let report = search.search(&START, Player::FIRST, Budget::nodes(3_000));
    assert_eq!(report.value, 100.0 + 200.0 * 0.5 + 300.0 * 0.25 + 400.0 * 0.125);
}

#[test]
fn mutation_of_its_own_climbs() {
    let value = |nodes| {
        let mut search = Evolve::new(Driver { heuristics: 0 }, EvolveOptions { seed: 3, ..options(6) });
        search.search(&START, Player::FIRST, Budget::nodes(nodes)).value
    };
    assert!(value(200) < value(2_000) && value(2_000) < value(30_000));
    assert!(value(30_000) > 0.9 * 2_100.0, "{}", value(30_000));
}

#[test]
fn a_plan_survives_what_the_other_does() {
    let mut search = Evolve::new(Driver { heuristics: 0 }, EvolveOptions { seed: 1, ..options(6) });
    let mut game = START;
    for turn in 0..6 {
        let report = search.search(&game, Player::FIRST, Budget::nodes(20_000));
        // Six turns are enough for the plan alone: judged anew, it is as good as before.
        let again = search.search(&game, Player::FIRST, Budget::nodes(6));
        assert_eq!((again.best, again.value), (report.best, report.value), "turn {turn}");
        let reverse =
            Choices::NONE.with(Player::FIRST, report.best.expect("a thrust")).with(Player::SECOND, -100);
        game.play(&reverse);
        let next = search.search(&game, Player::FIRST, Budget::nodes(6));
        let first = f64::from(game.speed[0]);
        assert!(next.value > report.value - first - 600.0, "turn {turn}: {next:?} after {report:?}");
    }
}

#[test]
fn the_others_plan_can_be_given_or_evolved() {
    let mut search = Evolve::new(Driver { heuristics: 1 }, EvolveOptions { seed: 1, ..options(4) });
    // The other reverses: it is never ahead, and pushes nobody.
    search.expect(|_, _| 0);
    let slow = search.search(&START, Player::FIRST, Budget::nodes(2_000));
    assert_eq!(search.choices().of(Player::SECOND), Some(-100));
    assert_eq!(slow.value, 1_000.0);
    let evolved = EvolveOptions { horizon: 4, theirs: 50, ..EvolveOptions::default() };
    let mut search = Evolve::new(Driver { heuristics: 1 }, EvolveOptions { seed: 1, ..evolved });
    let report = search.search(&START, Player::FIRST, Budget::nodes(4_000));
    assert_eq!(search.choices().of(Player::SECOND), Some(100), "{report:?}");
}

/// Two units a side.
pub(super) struct Pairs;

impl Genes<Squad> for Pairs {
    fn estimate(&self, game: &Squad, unit: Player) -> f64 {
        let side = unit.index() / 2;
        f64::from(game.points(side) - game.points(1 - side))
    }

    fn side(&self, unit: Player) -> usize {
        unit.index() / 2
    }
}

#[test]
fn units_of_a_side_evolve_together() {
    let mut points = 0;
    for seed in 0..8 {
        let (mut game, mut rng) = (Squad::START, Rng::new(seed));
        let mut search = Evolve::new(Pairs, EvolveOptions { seed, horizon: 6, ..EvolveOptions::default() });
        while !game.is_over() {
            let _ = search.search(&game, Player::FIRST, Budget::nodes(3_000));
            let mut choices = search.choices();
            for unit in players::<Squad>().skip(2) {
                game.random_move(unit, &mut rng).into_iter().for_each(|m| choices.set(unit, m));
            }
            game.play(&choices);
        }
        points += game.points(0);
    }
    assert!(points >= 15, "{points} of 16");
}

/// Numbers mutants, and notes the first car's genes.
#[derive(Default)]
struct Numbered {
    mutants: Cell<u16>,
    seen: RefCell<Vec<u16>>,
}

impl Genes<Cars> for &Numbered {
    fn estimate(&self, _: &Cars, _: Player) -> f64 {
        0.0
    }

    fn decode(&self, _: &Cars, car: Player, gene: u16) -> Option<i16> {
        if car == Player::FIRST {
            self.seen.borrow_mut().push(gene);
        }
        Some(0)
    }

    fn heuristic(&self, _: usize, _: &Cars, _: Player) -> Option<u16> {
        Some(0)
    }

    fn mutate(&self, _: u16, _: &mut Rng) -> u16 {
        self.mutants.set(self.mutants.get() + 1);
        self.mutants.get()
    }
}

#[test]
fn each_child_has_a_mutant_that_its_side_uses() {
    let log = Numbered::default();
    let only_sure = EvolveOptions { mutation: 0, ..options(3) };
    let (generation, children) = (only_sure.population, only_sure.population - only_sure.elite);
    let mut search = Evolve::new(&log, EvolveOptions { seed: 1, ..only_sure });
    let turns = 3 * (generation + 5 * children);
    let _ = search.search(&START, Player::FIRST, Budget::nodes(turns as u64));
    // A generation more was bred before the budget was seen to be spent.
    assert_eq!(usize::from(log.mutants.get()), 6 * children);
    let seen = log.seen.borrow();
    let missing: Vec<u16> = (1..=5 * children as u16).filter(|mutant| !seen.contains(mutant)).collect();
    assert!(missing.is_empty(), "of {} children {} have no mutant in use", 5 * children, missing.len());
}
