//! Finds the least fuel of a flight: how long it takes, when it thrusts, where it points, in whole numbers.

use coppice::Rng;

use super::attempt_settings::{Patience, APART, HARD, HARD_ROUNDS, LIMITS, ROUND_OFF};
use super::obstacle::{find, passed, Obstacle, Path, OBSTACLES};
use super::plan::{Mission, Plan, SECONDS};
use super::shooting::{Condition, Quantity, Shooting, CONDITIONS};
use crate::lander::physics::flight::{Lander, GRAVITY, THRUST, TURN};

/// Number of conditions that every landing has to meet.
const BASIC: usize = 6;
/// Distance kept from the flat's height before and after the last second, in metres.
const HEIGHT: f64 = 0.05;
/// Distance kept from the flat's ends, in metres.
const ENDS: f64 = 1.3;
/// Speed that whole degrees may cost at the end, in m/s.
const WHOLE: f64 = 0.004;
/// Nodes after which a flight is given up: 19 in 20 of those that succeed take less.
const NODES: u64 = 250_000;
/// The greatest multiplier of a place where conditions may be missed, in m/s by metre: far more than in flights that land.
const DEAREST: f64 = 1.0;
/// Rounds of adding obstacles and thrusting less.
const ROUNDS: usize = 14;
/// Attempts to make a flight possible by more thrust.
const ADDITIONS: u32 = 12;
/// Exchanges of litres in a row.
const EXCHANGES: usize = 12;

/// A flight with real directions that would land.
#[derive(Debug, Clone, Copy)]
pub struct Fit {
    /// Duration in seconds.
    pub seconds: usize,
    /// Fuel used, in litres.
    pub fuel: i32,
    /// By how much it is softer than it has to be, in m/s.
    pub spare: f64,
}

/// Looks for flights of a given duration with as little fuel as possible.
#[derive(Debug, Clone)]
pub struct Shooter {
    /// The solver, with the last flight.
    pub shooting: Shooting,
    obstacles: [Obstacle; OBSTACLES],
    count: usize,
    path: Path,
    /// By second: what a litre gains in final speed.
    gains: [f64; SECONDS],
    kept: [i32; SECONDS],
    pub(super) kept_multipliers: [f64; CONDITIONS],
    /// The share of the last second after which the flat is met.
    share: f64,
    /// How to look longer for a flight, if at all.
    pub patience: Option<Patience>,
}

impl Default for Shooter {
    fn default() -> Self {
        Shooter {
            shooting: Shooting::default(),
            obstacles: [Obstacle::default(); OBSTACLES],
            count: 0,
            path: [(0.0, 0.0); SECONDS + 1],
            gains: [0.0; SECONDS],
            kept: [0; SECONDS],
            kept_multipliers: [0.0; CONDITIONS],
            share: 0.5,
            patience: None,
        }
    }
}

impl Shooter {
    /// The obstacles of the last fit.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles[..self.count]
    }

    /// The path of the last fit.
    pub fn path(&self) -> &[(f64, f64)] {
        &self.path[..=self.shooting.seconds]
    }

    /// Forgets all obstacles.
    pub fn clear(&mut self) {
        self.count = 0;
        self.shooting.multipliers = [0.0; CONDITIONS];
    }

    /// The flight of this duration with the least fuel, among those that thrust wherever it gains most.
    pub fn fit(&mut self, mission: &Mission, lander: &Lander, seconds: usize) -> Option<Fit> {
        self.shooting.seconds = seconds.clamp(2, SECONDS - 1);
        self.thrust_fully(lander);
        let fit = self.settle(mission, lander);
        if fit.is_none() {
            self.clear();
        }
        fit
    }

    /// Solves from the thrust that is set.
    pub fn settle(&mut self, mission: &Mission, lander: &Lander) -> Option<Fit> {
        let (softer, round_off) =
            self.patience.map_or((0.0, 0.0), |patience| (patience.softer, patience.round_off));
        let need = -mission.most.1 + WHOLE + softer;
        let (rounds, nodes) = if self.patience.is_some() { LIMITS } else { (ROUNDS, NODES) };
        let most = self.shooting.nodes + nodes;
        self.shooting.round_off = round_off;
        let mut hard = 0;
        for round in 0..rounds {
            if self.shooting.nodes > most {
                break;
            }
            self.set_conditions(mission);
            self.shooting.start(lander, 0);
            let spare = match self.thrust_less(lander, need) {
                Some(spare) => spare,
                None if hard < HARD_ROUNDS => {
                    hard += 1;
                    self.miss(need)?;
                    f64::NEG_INFINITY
                }
                None => return None,
            };
            let near = self.trace(mission, lander);
            let new = self.obstruct(mission);
            if self.shooting.round_off > ROUND_OFF {
                self.shooting.round_off = (0.5 * self.shooting.round_off).max(ROUND_OFF);
            } else if spare >= 0.0 && new == 0 && (near < 0.3 || round + 1 == rounds) {
                let fuel = self.shooting.powers[..self.shooting.seconds].iter().sum();
                return Some(Fit { seconds: self.shooting.seconds, fuel, spare });
            }
        }
        None
    }

    /// Takes duration, thrust and obstacles from a plan. The corners that it passes within `reach` metres are obstacles.
    pub fn adopt(&mut self, mission: &Mission, plan: &Plan, reach: f64) {
        let seconds = plan.len.clamp(2, SECONDS - 1);
        self.clear();
        self.shooting.seconds = seconds;
        for second in 0..seconds {
            self.shooting.powers[second] = plan.states[second + 1].power;
        }
        for (place, state) in self.path.iter_mut().zip(&plan.states[..=seconds]) {
            *place = (state.x, state.y);
        }
        self.count = passed(&self.path[..=seconds], &mission.ground, reach, &mut self.obstacles);
    }

    /// Changes duration and thrust a little, at random.
    pub fn vary(&mut self, lander: &Lander, rng: &mut Rng) {
        let seconds = self.shooting.seconds;
        let at = rng.below(seconds as u32) as usize;
        let powers = &mut self.shooting.powers;
        match rng.below(4) {
            0 if seconds > 4 => {
                powers.copy_within(at + 1..seconds, at);
                self.shooting.seconds -= 1;
            }
            1 if seconds < SECONDS - 2 => {
                powers.copy_within(at..seconds, at + 1);
                self.shooting.seconds += 1;
            }
            _ => {}
        }
        let mut before = lander.power;
        for power in &mut self.shooting.powers[..self.shooting.seconds] {
            *power = (*power).clamp(before - 1, before + 1);
            before = *power;
        }
        for _ in 0..rng.below(6) {
            let second = rng.below(self.shooting.seconds as u32) as usize;
            let by = if rng.below(2) == 0 { 1 } else { -1 };
            if self.is_possible(lander, second, by) {
                self.shooting.powers[second] += by;
            }
        }
    }

    /// The nodes since the last call: a second's share in a step of the solver counts as one.
    pub fn spent(&mut self) -> u64 {
        std::mem::take(&mut self.shooting.nodes)
    }

    /// As much thrust as possible from the moment on at which the lander can stand upright: before, it pushes where it
    /// happens to lean.
    fn thrust_fully(&mut self, lander: &Lander) {
        let mut power = lander.power;
        let upright = (lander.rotate.abs() / TURN) as usize;
        for (second, slot) in self.shooting.powers[..self.shooting.seconds].iter_mut().enumerate() {
            power = if second + 2 < upright { (power - 1).max(0) } else { (power + 1).min(THRUST) };
            *slot = power;
        }
    }

    pub(super) fn set_conditions(&mut self, mission: &Mission) {
        let (left, right, flat) = mission.ground.flat();
        let apart = if self.patience.is_some() { APART } else { 0.0 };
        let seconds = self.shooting.seconds as f64;
        let met = Quantity::Place(seconds - 1.0 + self.share);
        let most_h = mission.most.0 - WHOLE;
        let condition = |of, towards, least| Condition { of, towards, least };
        let mut all = [condition(Quantity::Speed, (1.0, 0.0), -most_h); CONDITIONS];
        all[1] = condition(Quantity::Speed, (-1.0, 0.0), -most_h);
        all[2] = condition(Quantity::Place(seconds - 1.0), (0.0, 1.0), flat + HEIGHT);
        all[3] = condition(Quantity::Place(seconds), (0.0, -1.0), HEIGHT - flat);
        all[4] = condition(met, (1.0, 0.0), left + ENDS);
        all[5] = condition(met, (-1.0, 0.0), ENDS - right);
        for (slot, obstacle) in all[BASIC..].iter_mut().zip(&self.obstacles[..self.count]) {
            *slot = obstacle.condition(apart);
        }
        self.shooting.set_conditions(&all[..BASIC + self.count]);
    }

    /// The least litres that still end softly: returns by how much more softly than needed, in m/s.
    fn thrust_less(&mut self, lander: &Lander, need: f64) -> Option<f64> {
        let mut attempts = 0;
        let mut speed = loop {
            let mut missing = match self.solve(need) {
                Ok(speed) => break speed,
                Err(speed) => need - speed,
            };
            // By duality no less is enough: litres where they gain most, until they would make up for it.
            let mut added = 0;
            while added == 0 || missing > 0.0 {
                let Some((_, gain)) = self.change(lander, 1) else { break };
                missing -= gain;
                added += 1;
            }
            attempts += 1;
            if added == 0 || attempts > ADDITIONS {
                return None;
            }
        };
        let mut most = i32::MAX;
        loop {
            self.keep();
            let Some((_, gain)) = self.best(lander, -1) else { return Some(speed - need) };
            let half = self.shooting.powers[..self.shooting.seconds].iter().sum::<i32>() / 2;
            let less = ((0.8 * (speed - need) / gain.max(1e-3)) as i32).min(half).clamp(1, most);
            for _ in 0..less {
                self.change(lander, -1);
            }
            let mut solved = self.solve(need);
            if less == 1 {
                for _ in 0..EXCHANGES {
                    let Err(speed) = solved else { break };
                    if !self.exchange(lander, need - speed) {
                        break;
                    }
                    solved = self.solve(need);
                }
            }
            match solved {
                Ok(found) => {
                    speed = found;
                    most = i32::MAX;
                }
                Err(_) => {
                    self.restore();
                    if less == 1 {
                        return Some(speed - need);
                    }
                    most = less / 2;
                }
            }
        }
    }

    /// Solves a flight that can't end as softly as needed: too fast, or elastic once obstacles are known. `None` without
    /// patience, and if that isn't nearly enough.
    fn miss(&mut self, need: f64) -> Option<()> {
        let is_elastic = self.patience?.is_elastic && self.count > 0;
        let solved = if is_elastic {
            self.shooting.dearest = DEAREST;
            self.solve(f64::NEG_INFINITY)
        } else {
            self.solve(need - HARD)
        };
        self.shooting.dearest = f64::INFINITY;
        solved.ok().map(|_| ())
    }

    /// Solves the flight, and works out what a litre gains in each second.
    fn solve(&mut self, need: f64) -> Result<f64, f64> {
        let solved = self.shooting.solve(need);
        self.weigh();
        solved
    }

    fn weigh(&mut self) {
        for second in 0..self.shooting.seconds {
            self.gains[second] = self.shooting.thrust(second).1;
        }
        self.shooting.nodes += self.shooting.seconds as u64;
    }

    pub(super) fn keep(&mut self) {
        let seconds = self.shooting.seconds;
        self.kept[..seconds].copy_from_slice(&self.shooting.powers[..seconds]);
        self.kept_multipliers = self.shooting.multipliers;
    }

    fn restore(&mut self) {
        let seconds = self.shooting.seconds;
        self.shooting.powers[..seconds].copy_from_slice(&self.kept[..seconds]);
        self.shooting.multipliers = self.kept_multipliers;
        self.weigh();
    }

    /// Whether the thrust of a second can change by this.
    fn is_possible(&self, lander: &Lander, second: usize, by: i32) -> bool {
        let powers = &self.shooting.powers[..self.shooting.seconds];
        let power = powers[second] + by;
        let before = if second == 0 { lander.power } else { powers[second - 1] };
        let after = powers.get(second + 1).copied().unwrap_or(power);
        (0..=THRUST).contains(&power) && (power - before).abs() <= 1 && (power - after).abs() <= 1
    }

    /// The second whose thrust can change by this and gains least, or most if it is more, and what a litre gains there.
    fn best(&self, lander: &Lander, by: i32) -> Option<(usize, f64)> {
        let mut best = None;
        for second in 0..self.shooting.seconds {
            let gain = self.gains[second];
            let is_better = |old: f64| if by < 0 { gain < old } else { gain > old };
            if best.is_none_or(|(_, old)| is_better(old)) && self.is_possible(lander, second, by) {
                best = Some((second, gain));
            }
        }
        best
    }

    /// A litre more or less, where it matters most or least; returns where, and what it gains.
    fn change(&mut self, lander: &Lander, by: i32) -> Option<(usize, f64)> {
        self.shooting.nodes += self.shooting.seconds as u64 / 8;
        let best = self.best(lander, by);
        if let Some((second, _)) = best {
            self.shooting.powers[second] += by;
        }
        best
    }

    /// Moves litres to where they gain more, until that makes up for the `missing` speed; `false` if it can't.
    fn exchange(&mut self, lander: &Lander, mut missing: f64) -> bool {
        while missing > 0.0 {
            let Some((to, gain)) = self.change(lander, 1) else { return false };
            match self.best(lander, -1) {
                Some((from, loss)) if from != to && loss < gain => {
                    self.shooting.powers[from] -= 1;
                    missing -= gain - loss;
                }
                _ => {
                    self.shooting.powers[to] -= 1;
                    return false;
                }
            }
        }
        true
    }

    /// Flies the solution. Adjusts the obstacles to the path; returns by how many metres it comes too near to one.
    fn trace(&mut self, mission: &Mission, lander: &Lander) -> f64 {
        let seconds = self.shooting.seconds;
        let (mut x, mut y) = (lander.x, lander.y);
        let (mut h, mut v) = (lander.h_speed, lander.v_speed);
        self.path[0] = (x, y);
        for second in 0..seconds {
            let (towards, _) = self.shooting.thrust(second);
            let power = f64::from(self.shooting.powers[second]);
            let (a_h, a_v) = (power * towards.0, power * towards.1 - GRAVITY);
            (x, y) = (x + h + 0.5 * a_h, y + v + 0.5 * a_v);
            (h, v) = (h + a_h, v + a_v);
            self.path[second + 1] = (x, y);
        }
        self.shooting.nodes += seconds as u64;
        let (left, right, flat) = mission.ground.flat();
        let (before, after) = (self.path[seconds - 1], self.path[seconds]);
        let share = ((before.1 - flat) / (before.1 - after.1).max(1e-6)).clamp(0.0, 1.0);
        let met = before.0 + share * (after.0 - before.0);
        let beyond = (left + ENDS - met).max(met - right + ENDS).max(0.0);
        self.share += 0.5 * (share - self.share);
        let path = &self.path[..=seconds];
        let near = self.obstacles[..self.count].iter_mut().map(|obstacle| obstacle.adjust(path));
        near.fold(beyond, f64::max)
    }

    /// Where a new obstacle is put: behind the others or, with patience, in place of one that has no part in the solution.
    fn slot(&self) -> Option<usize> {
        if self.count < OBSTACLES {
            return Some(self.count);
        }
        self.patience?;
        self.shooting.multipliers[BASIC..].iter().position(|&multiplier| multiplier <= 0.0)
    }

    /// Adds the obstacles that the path runs into. Returns their number.
    fn obstruct(&mut self, mission: &Mission) -> usize {
        let mut found = [Obstacle::default(); OBSTACLES];
        let path = &self.path[..=self.shooting.seconds];
        let count = find(path, &mission.ground, &mut found);
        for obstacle in &found[..count] {
            let is_known = self.obstacles[..self.count].iter().any(|known| known.is_like(obstacle));
            if let Some(slot) = self.slot().filter(|_| !is_known) {
                self.obstacles[slot] = *obstacle;
                self.shooting.multipliers[BASIC + slot] = 0.0;
                self.count = self.count.max(slot + 1);
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::tools::cases::known::official;

    /// No landing on 2.2 leaves more than 372 litres, by the proved bound.
    #[test]
    fn a_fit_is_flown_in_whole_degrees_with_its_fuel() {
        let case = official().remove(2);
        let mission = Mission::new(case.ground.clone());
        let lander = Lander::from(case.start);
        let (mut shooter, mut rng) = (Box::new(Shooter::default()), Rng::new(1));
        let mut plan = Plan::new(lander);
        for (seconds, least, most) in [(67, 228, 230), (70, 228, 236)] {
            let fit = shooter.fit(&mission, &lander, seconds).expect("a fit");
            assert!((least..=most).contains(&fit.fuel) && fit.spare >= 0.0, "{fit:?}");
            shooter.round(&mission, &mut plan, &lander, 0.0, &mut rng);
            assert_eq!(plan.fuel_left(), Some(lander.fuel - fit.fuel), "{seconds} s");
            assert_eq!(plan.len, seconds);
            let thrust = &shooter.shooting.powers[..seconds];
            assert!(thrust.windows(2).all(|pair| (pair[0] - pair[1]).abs() <= 1));
        }
        // Too short to come down.
        assert!(shooter.fit(&mission, &lander, 15).is_none());
    }

    #[test]
    fn a_varied_thrust_can_be_followed() {
        let case = official().remove(4);
        let mission = Mission::new(case.ground.clone());
        let lander = Lander::from(case.start);
        let (mut shooter, mut rng) = (Box::new(Shooter::default()), Rng::new(1));
        let mut plan = Plan::new(lander);
        shooter.fit(&mission, &lander, 73).expect("a fit");
        shooter.round(&mission, &mut plan, &lander, 0.0, &mut rng);
        for _ in 0..200 {
            shooter.adopt(&mission, &plan, 150.0);
            assert_eq!(shooter.shooting.seconds, plan.len);
            shooter.vary(&lander, &mut rng);
            assert!(shooter.shooting.seconds.abs_diff(plan.len) <= 1);
            let mut before = lander.power;
            for &power in &shooter.shooting.powers[..shooter.shooting.seconds] {
                assert!((power - before).abs() <= 1 && (0..=THRUST).contains(&power));
                before = power;
            }
        }
    }
}
