//! Plans the flight turn by turn, and keeps the best plan.

use coppice::Budget;

use super::budget_meter::Spent;
use super::detour::Detour;
use super::plan::{Mission, Plan, CREDIT, SECONDS};
use super::plan_search::Workbench;
use crate::lander::physics::flight::{Lander, Order};
use crate::lander::physics::ground::Ground;

pub use super::plan_search::Numbers;

/// Nodes for the plan after a detour: half of the attempts find one.
const BEHIND_DETOUR: u64 = 50_000;

/// The most of the first turn that the survey of all durations takes, and as long as it has solved none.
const SURVEY: f64 = 0.4;
const BARREN: f64 = 0.25;
/// The share of the rest in which flights are sought patiently, if none lands.
const SEEK: f64 = 0.7;
/// The share of the rest in which a plan that lands is varied by shooting.
const POLISH: f64 = 0.7;

/// Plans the flight over one ground.
///
/// A node of the budget is a second of simulated flight.
#[derive(Debug, Clone)]
pub struct Planner {
    mission: Mission,
    main: Workbench,
    /// Plans the flight after a detour.
    side: Workbench,
    has_begun: bool,
}

/// The result of a turn of planning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    /// The next order.
    pub order: Order,
    /// The litres left at the end of the best plan; `None` if it doesn't land.
    pub fuel_left: Option<i32>,
    /// Duration of the best plan in seconds.
    pub seconds: usize,
    /// Simulated seconds of flight.
    pub nodes: u64,
}

impl Planner {
    /// A planner. `seed` determines its random choices.
    pub fn new(ground: Ground, numbers: &Numbers, seed: u64) -> Planner {
        Planner {
            mission: Mission::new(ground),
            main: Workbench::new(numbers, seed),
            side: Workbench::new(numbers, seed ^ 1),
            has_begun: false,
        }
    }

    /// The best plan, from the lander's position at the last call of [`Planner::think`].
    pub fn plan(&self) -> &Plan {
        &self.main.best
    }

    /// The ground.
    pub fn ground(&self) -> &Ground {
        &self.mission.ground
    }

    /// Plans the next order. The best plan is kept: as long as the lander is where expected, the outcome is never
    /// worse than the one expected on the turn before.
    pub fn think(&mut self, lander: &Lander, budget: Budget) -> Report {
        let mut spent = Spent::new(budget);
        let is_settled = self.has_begun && self.resume(lander, &mut spent);
        let mut gone = 0.0;
        if !self.has_begun {
            self.has_begun = true;
            self.main.start(&self.mission, lander, &mut spent);
            self.main.survey(&self.mission, lander, BARREN, SURVEY, &mut spent);
            if !self.main.best.lands {
                let from = spent.gone();
                let end = from + SEEK * (1.0 - from);
                self.main.seek(&self.mission, lander, from, end, &mut spent);
            }
            if !self.main.best.lands {
                gone = self.main.begin(&self.mission, lander, spent.gone(), &mut spent);
            }
        } else if !is_settled {
            self.main.seek(&self.mission, lander, 0.0, SEEK, &mut spent);
            let from = spent.gone().min(1.0);
            gone = from + 0.3 * (1.0 - from);
            self.main.cast(&self.mission, lander, from, gone, &mut spent);
        }
        if !self.main.best.lands {
            let end = gone + 0.7 * (1.0 - gone);
            self.turn_back(lander, gone, end, &mut spent);
            gone = end;
        }
        if self.main.best.is_soft {
            gone = gone.max(spent.gone());
            let end = gone + POLISH * (1.0 - gone);
            self.main.polish(&self.mission, lander, gone, end, &mut spent);
            gone = end;
        }
        self.main.improve(&self.mission, is_settled, gone, &mut spent);
        let best = &self.main.best;
        let (order, fuel_left, seconds) = (best.orders[0], best.fuel_left(), best.len);
        Report { order, fuel_left, seconds, nodes: spent.nodes }
    }

    /// Resumes the rest of the best plan; returns whether it lands.
    fn resume(&mut self, lander: &Lander, spent: &mut Spent) -> bool {
        self.main.resume(&self.mission, lander, spent);
        self.main.best.lands
    }

    /// Searches for plans that begin with a detour, between two fractions of the budget.
    fn turn_back(&mut self, lander: &Lander, from: f64, to: f64, spent: &mut Spent) {
        let Planner { mission, main, side, .. } = self;
        main.trial.start(lander);
        while spent.part(from, to).is_some() {
            let (seconds, is_back) = Detour::random(&mut main.rng).fly(mission, &mut main.trial);
            spent.nodes += seconds.max(1) as u64;
            if !is_back {
                continue;
            }
            let back = main.trial.states[seconds];
            let back = Lander { fuel: back.fuel - CREDIT, ..back };
            spent.nodes += side.plan(mission, &back, BEHIND_DETOUR);
            main.trial.orders[seconds..].copy_from_slice(&side.best.orders[..SECONDS - seconds]);
            spent.nodes += mission.fly(&mut main.trial, seconds, f64::INFINITY) as u64;
            main.keep();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::physics::ground::Fate;
    use crate::lander::tools::cases::case::{Case, Flight};
    use crate::lander::tools::cases::terrain::Terrain;

    /// Flies a case; checks that the expected outcome never gets worse and comes true.
    fn flown(case: &Case, seed: u64) -> (Vec<Order>, Flight) {
        let mut planner = Planner::new(case.ground.clone(), &Numbers::default(), seed);
        let mut flight = Flight::new(case);
        let (mut orders, mut promised) = (Vec::new(), None);
        while flight.fate == Fate::Flying {
            let nodes = if orders.is_empty() { 300_000 } else { 10_000 };
            let report = planner.think(flight.now(), Budget::nodes(nodes));
            assert!(report.fuel_left >= promised, "{:?} after {promised:?}", report.fuel_left);
            promised = report.fuel_left;
            orders.push(report.order);
            flight.fly(&case.ground, report.order);
        }
        let left = (flight.fate == Fate::Landed).then_some(flight.now().fuel);
        assert_eq!(left, promised, "{}", case.name);
        (orders, flight)
    }

    #[test]
    fn what_is_promised_is_kept_or_bettered_turn_by_turn() {
        let landed = (0..20).filter(|&seed| flown(&Terrain::Hard.case(seed), 1).1.fate == Fate::Landed);
        let landed = landed.count();
        assert!(landed >= 17, "{landed}");
    }

    #[test]
    fn a_seed_decides_all() {
        let case = Terrain::Hard.case(3);
        assert_eq!(flown(&case, 5).0, flown(&case, 5).0);
        assert_ne!(flown(&case, 5).0, flown(&case, 6).0);
    }
}
