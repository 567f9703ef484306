//! Monte Carlo searches of the race with a player for each pod, to measure against: one tree a pod, and decoupled UCT.

use coppice::search::{Decoupled, DecoupledOptions, Estimated, JointSearch, Units, UnitsOptions};
use coppice::{Budget, Choices, Player};

use super::plans::Plans;
use super::player::{half, Choice, Pilot};
use super::pod::Steer;
use super::race::Race;

/// Turns looked ahead.
const TURNS: u32 = 8;

/// One tree for each pod.
pub struct UnitPilot(Units<Race, Estimated<Plans>>);

/// One tree for each pod (Smitsimax), in `bytes` bytes.
pub fn units(plans: Plans, bytes: usize, seed: u64) -> UnitPilot {
    let options = UnitsOptions { turns: TURNS, ..UnitsOptions::default() };
    UnitPilot(Units::with_playout(bytes, seed, options, Estimated { estimate: plans, turns: TURNS }))
}

impl Pilot for UnitPilot {
    fn choose(&mut self, race: &Race, budget: Budget) -> Choice {
        let report = self.0.search(race, Player::FIRST, budget);
        let steers = own(&self.0.choices());
        Choice::new(race, steers, report.value, report.nodes, report.depth)
    }
}

/// Decoupled UCT: a search for each of the own pods.
pub struct DecoupledPilot(Decoupled<Race, Estimated<Plans>>);

/// Decoupled UCT over four pods, in `bytes` bytes.
pub fn decoupled(plans: Plans, bytes: usize, seed: u64) -> DecoupledPilot {
    let playout = Estimated { estimate: plans, turns: TURNS };
    DecoupledPilot(Decoupled::with_playout(bytes, seed, DecoupledOptions::default(), playout))
}

impl Pilot for DecoupledPilot {
    fn choose(&mut self, race: &Race, budget: Budget) -> Choice {
        let first = self.0.search(race, Player::FIRST, half(budget));
        let reports = [first, self.0.search(race, Player::SECOND, budget.and_nodes(budget.max_nodes() / 2))];
        let steers = reports.each_ref().map(|report| report.best.unwrap_or_default());
        let nodes = reports.iter().map(|report| report.nodes).sum();
        Choice::new(race, steers, reports[0].value, nodes, reports[0].depth)
    }
}

fn own(choices: &Choices<Steer>) -> [Steer; 2] {
    [0, 1].map(|i| choices.of(Player::new(i)).unwrap_or_default())
}
