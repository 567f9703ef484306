//! Rounds a solved flight to whole degrees.

use coppice::Rng;

use super::plan::{Mission, Plan};
use super::shooter::Shooter;
use crate::lander::physics::flight::{sin_cos, Lander, Order, LEAN, THRUST, TURN};

/// Excess speed of a flight in whole degrees, in m/s, above which its rest is no longer solved again.
const HOPELESS: f64 = 3.0;
/// The last seconds in which a plan that just doesn't land is mended.
const MENDED: usize = 10;

impl Shooter {
    /// Flies the last fit in whole degrees: every second is rounded, and the rest solved again. `noise` is the chance of
    /// rounding the other way.
    pub fn round(&mut self, mission: &Mission, plan: &mut Plan, lander: &Lander, noise: f64, rng: &mut Rng) {
        let seconds = self.shooting.seconds;
        let need = -mission.most.1 - HOPELESS;
        plan.start(lander);
        self.keep();
        self.set_conditions(mission);
        let mut state = plan.states[0];
        for second in 0..seconds {
            self.shooting.start(&state, second);
            let before = self.shooting.multipliers;
            if second + 1 < seconds && self.shooting.solve(need).is_err() {
                self.shooting.multipliers = before;
            }
            let lean = self.lean(second, state.rotate, noise, rng);
            let order = Order { rotate: lean, power: self.shooting.powers[second] };
            plan.orders[second] = order;
            state.fly(order);
        }
        for order in &mut plan.orders[seconds..] {
            *order = Order { rotate: 0, power: THRUST };
        }
        self.shooting.multipliers = self.kept_multipliers;
        self.shooting.nodes += mission.fly(plan, 0, f64::INFINITY) as u64;
        if !plan.lands && plan.len + 1 >= seconds {
            self.mend(mission, plan);
        }
    }

    /// Turns a little in one or two of the last seconds, until the plan lands.
    fn mend(&mut self, mission: &Mission, plan: &mut Plan) {
        let last = plan.len.saturating_sub(1);
        let first = last.saturating_sub(MENDED);
        for a in (first..last).rev() {
            for b in (first..=a).rev() {
                for by in
                    [(1, 1), (1, -1), (-1, 1), (-1, -1), (2, -1), (-2, 1), (1, -2), (-1, 2), (1, 0), (-1, 0)]
                {
                    let old = (plan.orders[a].rotate, plan.orders[b].rotate);
                    plan.orders[a].rotate = (old.0 + by.0).clamp(-LEAN, LEAN);
                    plan.orders[b].rotate = (plan.orders[b].rotate + by.1).clamp(-LEAN, LEAN);
                    self.shooting.nodes += mission.fly(plan, b, f64::INFINITY) as u64;
                    if plan.lands {
                        return;
                    }
                    (plan.orders[a].rotate, plan.orders[b].rotate) = old;
                }
            }
        }
    }

    /// The whole lean of a second, after `before`: along the solution's direction, as far as the next seconds' leans can be
    /// reached from it. With a chance of `noise` it is rounded the other way.
    fn lean(&self, second: usize, before: i32, noise: f64, rng: &mut Rng) -> i32 {
        let (towards, _) = self.shooting.thrust(second);
        let nearest = lean_along(towards, before);
        let mut lean = nearest;
        if noise > 0.0 && f64::from(rng.below(1 << 16)) < noise * f64::from(1 << 16) {
            lean += if beyond(towards, nearest) > 0.0 { 1 } else { -1 };
        }
        let (mut least, mut most) = ((before - TURN).max(-LEAN), (before + TURN).min(LEAN));
        let mut last = nearest;
        for ahead in 1..(2 * LEAN / TURN) as usize {
            let next = second + ahead;
            if next >= self.shooting.seconds {
                break;
            }
            if self.shooting.powers[next] == 0 && next + 1 < self.shooting.seconds {
                continue;
            }
            last = lean_along(self.shooting.thrust(next).0, last);
            let reach = TURN * ahead as i32;
            (least, most) = ((last - reach).clamp(least, most), (last + reach).clamp(least, most));
        }
        lean.clamp(least, most)
    }
}

/// By how much a vector points further left than a lean: positive if it does.
fn beyond(vector: (f64, f64), lean: i32) -> f64 {
    let (sin, cos) = sin_cos(lean);
    -vector.0 * cos - vector.1 * sin
}

/// The whole lean whose thrust points most nearly along a vector. The search starts at `lean`.
fn lean_along(vector: (f64, f64), mut lean: i32) -> i32 {
    while lean < LEAN && beyond(vector, lean + 1) > -beyond(vector, lean) {
        lean += 1;
    }
    while lean > -LEAN && -beyond(vector, lean - 1) > beyond(vector, lean) {
        lean -= 1;
    }
    lean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lean_is_the_nearest() {
        for lean in -LEAN..=LEAN {
            let (sin, cos) = sin_cos(lean);
            for from in [-LEAN, 0, LEAN] {
                assert_eq!(lean_along((-sin * 3.0, cos * 3.0), from), lean);
            }
        }
        assert_eq!((lean_along((-1.0, -0.2), 0), lean_along((1.0, -0.2), 0)), (90, -90));
    }
}
