//! Makes plans by shooting: of every duration, then near the best plan.

use super::attempt_settings::Patience;
use super::budget_meter::Spent;
use super::plan::{Mission, SECONDS};
use super::plan_search::Workbench;
use super::shooter::Fit;
use crate::lander::physics::flight::{Lander, GRAVITY};

/// Seconds between the durations tried first.
const STEP: usize = 4;
/// Litres above the best, up to which a flight is tried in whole degrees.
const NEAR: i32 = 2;
/// Attempts at whole degrees.
const ATTEMPTS: u32 = 4;
/// Chance that an attempt after the first rounds a second the other way.
const NOISE: f64 = 0.15;
/// Corners passed at this distance count as obstacles when a plan is adopted, in metres.
const REACH: f64 = 150.0;
/// The shortest flight that is sought, in seconds.
const SHORTEST: usize = 20;
/// Durations tried around that of a plan that only lacks fuel: the longest, in seconds longer than it, and their number.
const AROUND: (usize, u32) = (10, 50);

impl Workbench {
    /// Tries all durations, up to a fraction of the budget: `barren` until one is solved, then `to`.
    pub fn survey(&mut self, mission: &Mission, lander: &Lander, barren: f64, to: f64, spent: &mut Spent) {
        self.shooter.clear();
        let mut best: Option<Fit> = None;
        let mut seconds = STEP;
        while seconds < SECONDS && spent.part(0.0, if best.is_some() { to } else { barren }).is_some() {
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

    /// Tries random durations patiently until a plan lands, between two fractions of the budget.
    pub fn seek(&mut self, mission: &Mission, lander: &Lander, from: f64, to: f64, spent: &mut Spent) {
        while !self.best.lands && spent.part(from, to).is_some() {
            let seconds = match self.best.is_soft && self.rng.below(4) > 0 {
                // Only the fuel doesn't suffice: a little longer, or rather shorter.
                true => (self.best.len + AROUND.0).saturating_sub(self.rng.below(AROUND.1) as usize),
                false => SHORTEST + self.rng.below((SECONDS - SHORTEST) as u32) as usize,
            };
            self.shooter.clear();
            self.shooter.patience = Some(Patience::random(&mut self.rng));
            let fit = self.shooter.fit(mission, lander, seconds);
            spent.nodes += self.shooter.spent();
            if let Some(fit) = fit {
                self.fly_fit(mission, lander, fit, spent);
            }
        }
        self.shooter.patience = None;
    }

    /// Varies duration and thrust of the best plan, between two fractions of the budget.
    pub fn polish(&mut self, mission: &Mission, lander: &Lander, from: f64, to: f64, spent: &mut Spent) {
        while spent.part(from, to).is_some() {
            self.shooter.patience = (!self.best.lands).then_some(Patience::FRUGAL);
            self.shooter.adopt(mission, &self.best, REACH);
            self.shooter.vary(lander, &mut self.rng);
            let fit = self.shooter.settle(mission, lander);
            spent.nodes += self.shooter.spent() + self.best.len as u64;
            if let Some(fit) = fit {
                self.fly_fit(mission, lander, fit, spent);
            }
        }
        self.shooter.patience = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::physics::ground::{Fate, Point};
    use crate::lander::solver::plan_search::Numbers;
    use crate::lander::solver::planner::Planner;
    use crate::lander::tools::cases::case::Case;
    use crate::lander::tools::cases::known::official;
    use crate::lander::tools::cases::terrain::Terrain;
    use coppice::Budget;

    /// The litres left by a survey alone.
    fn surveyed(case: &Case) -> i32 {
        let mission = Mission::new(case.ground.clone());
        let lander = Lander::from(case.start);
        let mut bench = Box::new(Workbench::new(&Numbers::default(), 1));
        let mut spent = Spent::new(Budget::nodes(10_000_000));
        bench.start(&mission, &lander, &mut spent);
        bench.survey(&mission, &lander, 1.0, 1.0, &mut spent);
        bench.best.fuel_left().unwrap_or_else(|| panic!("{}: no landing", case.name))
    }

    /// Fast starts that have to leave and come back: no duration is solved quickly.
    #[test]
    #[ignore = "15 million nodes a case"]
    fn long_detours_are_found_patiently() {
        for (terrain, seed, least) in [
            (Terrain::Hard, 71, 80),
            (Terrain::Hard, 613, 5),
            (Terrain::Hard, 784, 200),
            (Terrain::Walls, 280, 500),
            (Terrain::Walls, 287, 500),
        ] {
            let case = terrain.case(seed);
            let mut planner = Planner::new(case.ground.clone(), &Numbers::default(), 1);
            let report = planner.think(&Lander::from(case.start), Budget::nodes(15_000_000));
            assert!(report.fuel_left >= Some(least), "{}: {report:?}", case.name);
            let flight = case.fly(planner.plan().orders);
            assert_eq!(
                (flight.fate, Some(flight.now().fuel)),
                (Fate::Landed, report.fuel_left),
                "{}",
                case.name
            );
        }
    }

    /// A case mirrored, and moved by `right` and `up` metres; the borders stay.
    fn moved(case: &Case, is_mirrored: bool, right: i32, up: i32) -> Case {
        let mut points = case.ground.points().to_vec();
        let mut start = case.start;
        if is_mirrored {
            points.reverse();
            points.iter_mut().for_each(|point| point.x = 6999 - point.x);
            (start.x, start.h_speed, start.rotate) = (6999 - start.x, -start.h_speed, -start.rotate);
        }
        let last = points.len() - 1;
        points[1..last].iter_mut().for_each(|point| point.x += right);
        points.iter_mut().for_each(|Point { y, .. }| *y = (*y + up).max(0));
        (start.x, start.y) = (start.x + right, start.y + up);
        Case::new(&format!("{} moved by {right}, {up}", case.name), &points, start).expect("a case")
    }

    /// Published flights leave 2,503 litres. The sum doesn't depend on where a case lies: no flight is stored.
    #[test]
    fn the_five_cases_leave_2500_litres_wherever_they_lie() {
        let five = || official().into_iter().filter(|case| case.name.starts_with('2'));
        let sum: i32 = five().map(|case| surveyed(&case)).sum();
        assert!(sum >= 2505, "{sum}");
        for (is_mirrored, right, up) in
            [(true, 0, 0), (false, 1, 0), (false, 0, -1), (false, -40, 17), (true, 23, 40)]
        {
            let other: i32 = five().map(|case| surveyed(&moved(&case, is_mirrored, right, up))).sum();
            assert!(sum.abs_diff(other) <= 5, "{sum}; {other} mirrored {is_mirrored}, moved {right} {up}");
        }
    }
}
