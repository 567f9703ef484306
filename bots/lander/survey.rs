//! Makes plans by shooting: of every duration, then near the best plan.

use super::flight::{Lander, GRAVITY};
use super::plan::{Mission, SECONDS};
use super::shooter::Fit;
use super::spent::Spent;
use super::workbench::Workbench;

/// Seconds between the durations tried first.
const STEP: usize = 4;
/// Flights that need up to so many litres more than the best are flown in whole degrees.
const NEAR: i32 = 2;
/// Attempts at whole degrees.
const ATTEMPTS: u32 = 4;
/// Chance that an attempt after the first rounds a second the other way.
const NOISE: f64 = 0.15;
/// Corners passed at this distance count as obstacles when a plan is adopted, in metres.
const REACH: f64 = 150.0;

impl Workbench {
    /// Tries all durations, up to a fraction of the budget.
    pub fn survey(&mut self, mission: &Mission, lander: &Lander, to: f64, spent: &mut Spent) {
        self.shooter.clear();
        let mut best: Option<Fit> = None;
        let mut seconds = STEP;
        while seconds < SECONDS && spent.part(0.0, to).is_some() {
            // The final speed is the start's and gravity's, less the fuel's.
            let least = GRAVITY * seconds as f64 - mission.most.1 - lander.v_speed;
            if best.is_some_and(|best| least > f64::from(best.fuel)) {
                break;
            }
            self.shoot(mission, lander, seconds, &mut best, spent);
            seconds += STEP;
        }
        let Some(middle) = best else { return };
        self.shooter.clear();
        for seconds in middle.seconds.saturating_sub(STEP)..=middle.seconds + STEP {
            if spent.part(0.0, to).is_some() {
                self.shoot(mission, lander, seconds, &mut best, spent);
            }
        }
    }

    /// Tries a duration.
    fn shoot(
        &mut self,
        mission: &Mission,
        lander: &Lander,
        seconds: usize,
        best: &mut Option<Fit>,
        spent: &mut Spent,
    ) {
        let fit = self.shooter.fit(mission, lander, seconds);
        spent.nodes += self.shooter.spent();
        let Some(fit) = fit else {
            self.shooter.clear();
            return;
        };
        if best.is_none_or(|best| (fit.fuel, -fit.spare) < (best.fuel, -best.spare)) {
            *best = Some(fit);
        }
        if best.is_some_and(|best| fit.fuel <= best.fuel + NEAR) {
            self.fly_fit(mission, lander, fit, spent);
        }
    }

    /// Flies the last fit in whole degrees, several times if it fails and would be better than the best plan.
    fn fly_fit(&mut self, mission: &Mission, lander: &Lander, fit: Fit, spent: &mut Spent) {
        for attempt in 0..ATTEMPTS {
            let left = lander.fuel - fit.fuel;
            if self.best.fuel_left().is_some_and(|most| most > left) {
                return;
            }
            let noise = if attempt == 0 { 0.0 } else { NOISE };
            self.shooter.round(mission, &mut self.trial, lander, noise, &mut self.rng);
            spent.nodes += self.shooter.spent();
            self.keep();
            if self.trial.lands {
                return;
            }
        }
    }

    /// Varies duration and thrust of the best plan, between two fractions of the budget.
    pub fn polish(&mut self, mission: &Mission, lander: &Lander, from: f64, to: f64, spent: &mut Spent) {
        while spent.part(from, to).is_some() {
            self.shooter.adopt(mission, &self.best, REACH);
            self.shooter.vary(lander, &mut self.rng);
            let fit = self.shooter.settle(mission, lander);
            spent.nodes += self.shooter.spent() + self.best.len as u64;
            if let Some(fit) = fit {
                self.fly_fit(mission, lander, fit, spent);
            }
        }
    }
}
