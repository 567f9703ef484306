//! Searches for a plan: by steering laws, by random plans, by annealing.

use coppice::{Budget, Rng};

use super::annealing::{random_orders, Annealing};
use super::budget_meter::Spent;
use super::plan::{Mission, Plan};
use super::shooter::Shooter;
use super::steering::{unit, Law};
use crate::lander::physics::flight::{Lander, Order};

contest::tunables! {
    /// Tunable parameters.
    pub struct Numbers {
        /// Percent of the first turn spent searching for steering laws.
        law_percent: u32 = 20 in 0..=100,
        /// Number of searches for a law in that time.
        laws: u32 = 2 in 1..=20,
        /// Percent of the remaining time in which random plans are annealed.
        lot_percent: u32 = 35 in 0..=100,
        /// Number of random plans annealed.
        lots: u32 = 3 in 1..=20,
        /// Initial temperature for annealing a random plan, in litres.
        lot_heat: f32 = 20.0 in 1.0..=100.0,
        /// Initial temperature for annealing the best plan in the first turn.
        first_heat: f32 = 3.0 in 0.1..=50.0,
        /// Initial temperature for annealing the best plan in every other turn.
        later_heat: f32 = 1.0 in 0.05..=20.0,
        /// Final temperature of all annealing.
        cold: f32 = 0.1 in 0.01..=5.0,
    }
}

/// Initial temperature of the search for a law.
const LAW_HEAT: f64 = 20.0;
/// Random plans drawn; the best is annealed.
const DRAWS: usize = 200;

/// The best plan so far, and the state of the search for a better one.
#[derive(Debug, Clone)]
pub struct Workbench {
    numbers: Numbers,
    pub(super) rng: Rng,
    /// The best plan.
    pub best: Plan,
    annealing: Annealing,
    pub(super) shooter: Shooter,
    /// The plan being tried.
    pub(super) trial: Plan,
}

impl Workbench {
    /// A workbench without a plan. `seed` determines its random choices.
    pub fn new(numbers: &Numbers, seed: u64) -> Workbench {
        let nowhere = Lander { x: 0.0, y: 0.0, h_speed: 0.0, v_speed: 0.0, fuel: 0, rotate: 0, power: 0 };
        let plan = Plan::new(nowhere);
        Workbench {
            numbers: *numbers,
            rng: Rng::new(seed),
            annealing: Annealing::new(&plan),
            shooter: Shooter::default(),
            trial: plan.clone(),
            best: plan,
        }
    }

    /// Makes a complete plan within a budget of nodes. Returns the nodes used.
    pub fn plan(&mut self, mission: &Mission, lander: &Lander, nodes: u64) -> u64 {
        let mut spent = Spent::new(Budget::nodes(nodes));
        self.start(mission, lander, &mut spent);
        let gone = self.begin(mission, lander, 0.0, &mut spent);
        self.improve(mission, false, gone, &mut spent);
        spent.nodes
    }

    /// Starts without thrust.
    pub fn start(&mut self, mission: &Mission, lander: &Lander, spent: &mut Spent) {
        self.best.begin(lander);
        spent.nodes += mission.fly(&mut self.best, 0, f64::INFINITY) as u64;
    }

    /// Makes the first plans: by steering laws, then at random. `from` is the used fraction of the budget; returns the
    /// fraction used then.
    pub fn begin(&mut self, mission: &Mission, lander: &Lander, from: f64, spent: &mut Spent) -> f64 {
        let part = (1.0 - from) * f64::from(self.numbers.law_percent) / 100.0;
        let laws = self.numbers.laws;
        for i in 0..laws {
            let at = |i: u32| from + part * f64::from(i) / f64::from(laws);
            self.steer(mission, lander, at(i), at(i + 1), spent);
        }
        let (begin, lots) = (from + part, self.numbers.lots);
        let part = (1.0 - begin) * f64::from(self.numbers.lot_percent) / 100.0;
        for i in 0..lots {
            let at = |i: u32| begin + part * f64::from(i) / f64::from(lots);
            self.cast(mission, lander, at(i), at(i + 1), spent);
        }
        begin + part
    }

    /// Starts a turn with the rest of the best plan, and simulates it again in case the lander isn't where expected.
    pub fn resume(&mut self, mission: &Mission, lander: &Lander, spent: &mut Spent) {
        self.best.shift();
        self.best.start(lander);
        spent.nodes += mission.fly(&mut self.best, 0, f64::INFINITY) as u64;
    }

    /// Anneals a random plan between two fractions of the budget.
    pub fn cast(&mut self, mission: &Mission, lander: &Lander, from: f64, to: f64, spent: &mut Spent) {
        self.draw(mission, lander, spent);
        self.anneal(mission, self.numbers.lot_heat.into(), from, to, spent);
    }

    /// Anneals the best plan with the rest of the budget, from a lower temperature if it is settled.
    pub fn improve(&mut self, mission: &Mission, is_settled: bool, from: f64, spent: &mut Spent) {
        let heat = if is_settled { self.numbers.later_heat } else { self.numbers.first_heat };
        self.annealing.current.clone_from_plan(&self.best);
        self.anneal(mission, heat.into(), from, 1.0, spent);
    }

    /// Keeps the trial if it is better than the best plan.
    pub fn keep(&mut self) {
        if self.trial.is_better_than(&self.best) {
            self.best.clone_from_plan(&self.trial);
        }
    }

    /// Searches for a steering law between two fractions of the budget: at random for a fifth of the time, then by
    /// annealing.
    fn steer(&mut self, mission: &Mission, lander: &Lander, from: f64, to: f64, spent: &mut Spent) {
        let mut law = Law::random(&mut self.rng);
        let mut cost = f64::INFINITY;
        self.trial.start(lander);
        while let Some(part) = spent.part(from, to) {
            for _ in 0..16 {
                let is_by_lot = part < 0.2;
                let left = (1.0 - part) / 0.8;
                let next = match is_by_lot {
                    true => Law::random(&mut self.rng),
                    false => law.near(&mut self.rng, 0.3 * left),
                };
                next.orders(&mut self.trial.orders);
                let heat = if is_by_lot { 0.0 } else { LAW_HEAT * left * left * unit(&mut self.rng) };
                spent.nodes += mission.fly(&mut self.trial, 0, f64::INFINITY) as u64;
                if self.trial.cost <= cost + heat {
                    (cost, law) = (self.trial.cost, next);
                    self.keep_flown();
                }
            }
        }
    }

    /// Keeps the trial if it is the best, with the orders as the lander followed them: a law's orders may exceed what
    /// the lander can do, which would hide changes to them.
    fn keep_flown(&mut self) {
        if self.trial.is_better_than(&self.best) {
            let flown = self.trial.states[1..=self.trial.len].iter();
            for (order, state) in self.trial.orders.iter_mut().zip(flown) {
                *order = Order { rotate: state.rotate, power: state.power };
            }
            self.best.clone_from_plan(&self.trial);
        }
    }

    /// Makes the best of some random plans the current one.
    fn draw(&mut self, mission: &Mission, lander: &Lander, spent: &mut Spent) {
        self.annealing.current.cost = f64::INFINITY;
        self.trial.start(lander);
        for _ in 0..DRAWS {
            if spent.part(0.0, 1.0).is_none() {
                break;
            }
            random_orders(&mut self.trial.orders, &mut self.rng);
            spent.nodes += mission.fly(&mut self.trial, 0, f64::INFINITY) as u64;
            if self.trial.cost < self.annealing.current.cost {
                self.annealing.current.clone_from_plan(&self.trial);
            }
        }
        if self.annealing.current.is_better_than(&self.best) {
            self.best.clone_from_plan(&self.annealing.current);
        }
    }

    /// Anneals the current plan between two fractions of the budget.
    fn anneal(&mut self, mission: &Mission, heat: f64, from: f64, to: f64, spent: &mut Spent) {
        let cold = f64::from(self.numbers.cold).min(heat);
        while let Some(part) = spent.part(from, to) {
            let left = 1.0 - part;
            let temperature = cold + (heat - cold) * left * left * left;
            for _ in 0..16 {
                let (flown, is_taken) = self.annealing.step(mission, &mut self.rng, temperature);
                spent.nodes += flown as u64;
                if is_taken && self.annealing.current.is_better_than(&self.best) {
                    self.best.clone_from_plan(&self.annealing.current);
                }
            }
        }
    }
}
