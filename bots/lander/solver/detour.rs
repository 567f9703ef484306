//! Detours over the flat and back, for a lander too fast to stop before an obstacle behind the flat.

use coppice::Rng;

use super::plan::{Mission, Plan};
use super::steering::unit;
use crate::lander::physics::flight::{Lander, Order, THRUST};
use crate::lander::physics::ground::Fate;

/// The first part of a flight: full thrust from the start, with so little lean that height is kept, until the lander
/// has reversed its direction in the air and returns to the flat. Upright thrust is 4 m/s² against 3.711 of gravity,
/// so up to 21.9 degrees of lean cost no height.
#[derive(Debug, Clone, Copy)]
pub struct Detour {
    /// The initial lean against the speed in degrees, and its duration in seconds.
    first: i32,
    seconds: usize,
    /// The lean after that.
    then: i32,
    /// The return speed at which this phase ends, in m/s.
    back: f64,
    /// The lean on the way back, in degrees against it.
    rest: i32,
    /// The distance from the flat's nearer end at which the detour ends, in metres.
    ahead: f64,
}

/// Maximum duration of a detour in seconds.
const SECONDS: usize = 200;

impl Detour {
    /// A random detour.
    pub fn random(rng: &mut Rng) -> Detour {
        let mut between = |low: i32, high: i32| low + rng.below((high - low + 1) as u32) as i32;
        let (first, then, rest) = (between(14, 34), between(10, 24), between(-8, 12));
        let (seconds, back) = (between(10, 90) as usize, f64::from(between(5, 80)));
        Detour { first, seconds, then, back, rest, ahead: 1000.0 * unit(rng) }
    }

    /// Flies the detour from the plan's start. Returns its duration in seconds, and whether the lander came back.
    pub fn fly(&self, mission: &Mission, plan: &mut Plan) -> (usize, bool) {
        let (left, right, _) = mission.ground.flat();
        let mut lander = plan.states[0];
        // Positive leans push to the left.
        let against = if lander.h_speed > 0.0 { 1 } else { -1 };
        let away = |lander: &Lander| lander.h_speed * f64::from(against);
        let mut has_turned = false;
        for second in 0..SECONDS {
            has_turned |= away(&lander) <= -self.back;
            if has_turned {
                // On the way back: distance to the nearer end in metres.
                let ahead = if against > 0 { lander.x - right } else { left - lander.x };
                if ahead < self.ahead {
                    return (second, true);
                }
            }
            let rotate = match second {
                _ if has_turned => -self.rest * against,
                second if second < self.seconds => self.first * against,
                _ => self.then * against,
            };
            let order = Order { rotate, power: THRUST };
            let before = (lander.x, lander.y);
            lander.fly(order);
            plan.orders[second] = order;
            plan.states[second + 1] = lander;
            if mission.fate(before, &lander) != Fate::Flying {
                return (second + 1, false);
            }
        }
        (SECONDS, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::physics::ground::{Ground, Point};

    /// The lander is fast to the right over the flat, with a wall behind it that it can't stop before.
    #[test]
    fn some_come_back_over_a_wall() {
        let points =
            [(0, 300), (2800, 300), (4100, 300), (4800, 900), (4900, 2000), (5000, 900), (6999, 1500)];
        let mission = Mission::new(Ground::new(&points.map(|(x, y)| Point { x, y })).expect("a ground"));
        let start =
            Lander { x: 3400.0, y: 2400.0, h_speed: 95.0, v_speed: 0.0, fuel: 950, rotate: 60, power: 0 };
        let mut rng = Rng::new(1);
        let mut plan = Plan::new(start);
        let mut back = 0;
        for _ in 0..2000 {
            let (seconds, is_back) = Detour::random(&mut rng).fly(&mission, &mut plan);
            assert!(seconds <= SECONDS);
            if is_back {
                back += 1;
                let over = plan.states[..seconds].iter().map(|lander| lander.x).fold(0.0, f64::max);
                let lander = plan.states[seconds];
                assert!(lander.h_speed < 0.0 && lander.x < 5100.0 && over > 4900.0, "{lander:?} {over}");
            }
        }
        assert!(back > 10, "{back}");
    }
}
