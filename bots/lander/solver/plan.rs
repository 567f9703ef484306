//! Plans: orders for a whole flight, its simulation, and its cost.

use super::field::Field;
use crate::lander::physics::flight::{Lander, Order, GRAVITY, THRUST, TURN};
use crate::lander::physics::ground::{Fate, Ground, ZONE};

/// Maximum length of a plan in seconds. The longest good flights over the platform's own grounds take 130.
pub const SECONDS: usize = 256;

/// Cost of a flight that doesn't land, in addition to its final distance from the flat.
const CRASH: f64 = 1000.0;
/// Additional cost of leaving the zone.
const LOST: f64 = 500.0;
/// Cost of a hard contact with the flat; for each m/s of excess speed; for each degree of lean.
const HARD: f64 = 10.0;
const HARD_SPEED: f64 = 10.0;
const HARD_DEGREE: f64 = 2.0;
/// Margin kept from the flat's ends and the zone's borders, in metres.
const MARGIN: f64 = 1.0;
/// Margin kept from the speed limits, in m/s.
const SPEED_MARGIN: f64 = 0.01;
/// Cost of each litre used beyond the lander's fuel.
const CREDIT_COST: f64 = 3.0;
/// Value of each m/s by which a landing is softer than required: as much fuel might still be saved.
const BRAKING: f64 = 0.8;
const SLACK: f64 = 0.3;

/// Litres that a plan may use beyond the lander's fuel. Such a plan doesn't land, but leads to plans that do: when
/// every litre counts, a landing with too little fuel is closer to one than any crash.
pub const CREDIT: i32 = 500;

/// Orders for every second, and the resulting flight.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The orders, second by second. Orders after the end of the flight apply if it becomes longer.
    pub orders: [Order; SECONDS],
    /// The lander before each order, and after the last, with [`CREDIT`] in its tank.
    pub states: [Lander; SECONDS + 1],
    /// Duration of the flight in seconds.
    pub len: usize,
    /// Whether it lands.
    pub lands: bool,
    /// Whether it would land with enough fuel.
    pub is_soft: bool,
    /// The cost: litres used, plus penalties. Less is better.
    pub cost: f64,
}

impl Plan {
    /// A plan from `start` that has not been simulated yet.
    pub fn new(start: Lander) -> Plan {
        let start = Lander { fuel: start.fuel + CREDIT, ..start };
        Plan {
            orders: [Order::default(); SECONDS],
            states: [start; SECONDS + 1],
            len: 0,
            lands: false,
            is_soft: false,
            cost: f64::INFINITY,
        }
    }

    /// Whether to fly this plan rather than `other`: landing comes first, then the fuel left, then the cost. So the
    /// expected fuel never decreases for a better prospect.
    #[inline(always)]
    pub fn is_better_than(&self, other: &Plan) -> bool {
        let rank = |plan: &Plan| (plan.fuel_left(), -plan.cost);
        rank(self) > rank(other)
    }

    /// Copies `other` from second `from` on; before that both must be the same.
    #[inline(always)]
    pub fn take_over(&mut self, other: &Plan, from: usize) {
        self.orders[from..].copy_from_slice(&other.orders[from..]);
        self.states[from..=other.len].copy_from_slice(&other.states[from..=other.len]);
        (self.len, self.cost) = (other.len, other.cost);
        (self.lands, self.is_soft) = (other.lands, other.is_soft);
    }

    /// Copies `other` without allocating.
    pub fn clone_from_plan(&mut self, other: &Plan) {
        self.states[0] = other.states[0];
        self.take_over(other, 0);
    }

    /// Resets the plan to no thrust, from this lander.
    pub fn begin(&mut self, lander: &Lander) {
        self.orders.fill(Order::default());
        self.start(lander);
    }

    /// Sets the start of the plan.
    pub fn start(&mut self, lander: &Lander) {
        self.states[0] = Lander { fuel: lander.fuel + CREDIT, ..*lander };
    }

    /// Drops the first second.
    pub fn shift(&mut self) {
        self.orders.copy_within(1.., 0);
    }

    /// Records a soft landing with this lander.
    #[inline(always)]
    fn touch(&mut self, lander: &Lander, most_v: f64) {
        let used = f64::from(self.states[0].fuel - lander.fuel);
        let missing = (CREDIT - lander.fuel).max(0);
        (self.lands, self.is_soft) = (missing == 0, true);
        self.cost = used - SLACK * (most_v - lander.v_speed.abs());
        if missing > 0 {
            self.cost += HARD + CREDIT_COST * f64::from(missing);
        }
    }

    /// The litres left after the landing.
    pub fn fuel_left(&self) -> Option<i32> {
        self.lands.then_some(self.states[self.len].fuel - CREDIT)
    }
}

/// A ground with the distances to its flat.
#[derive(Debug, Clone)]
pub struct Mission {
    /// The ground.
    pub ground: Ground,
    field: Field,
    /// The greatest horizontal and vertical speeds of a planned landing, in m/s.
    pub most: (f64, f64),
}

impl Mission {
    /// The mission over a ground.
    pub fn new(ground: Ground) -> Mission {
        let (h, v) = ground.judging().limits();
        Mission { field: Field::new(&ground), most: (h - SPEED_MARGIN, v - SPEED_MARGIN), ground }
    }

    /// Simulates a plan from second `from` on, before which nothing has changed, to its end or until it certainly
    /// costs more than `limit`. Returns the number of seconds simulated.
    ///
    /// In the last second the lander turns upright automatically if it then lands, with the least sufficient thrust.
    #[inline(always)]
    pub fn fly(&self, plan: &mut Plan, from: usize, limit: f64) -> usize {
        let (_, _, flat) = self.ground.flat();
        let at_start = plan.states[0].fuel;
        let mut lander = plan.states[from];
        (plan.lands, plan.is_soft) = (false, false);
        for second in from..SECONDS {
            let before = (lander.x, lander.y);
            if lander.rotate.abs() <= TURN && lander.y > flat && lander.y + lander.v_speed < flat + 6.0 {
                if let Some((order, landed)) = self.last_second(&lander) {
                    plan.orders[second] = order;
                    plan.states[second + 1] = landed;
                    plan.len = second + 1;
                    plan.touch(&landed, self.most.1);
                    return plan.len - from;
                }
            }
            lander.fly(plan.orders[second]);
            plan.states[second + 1] = lander;
            let fate = self.fate(before, &lander);
            if fate != Fate::Flying {
                plan.len = second + 1;
                match fate {
                    Fate::Landed => plan.touch(&lander, self.most.1),
                    _ => plan.cost = self.cost(before, &lander, fate, at_start),
                }
                return plan.len - from;
            }
            if second % 8 == 7 {
                let used = f64::from(at_start - lander.fuel);
                // The bound assumes continuous time; 2 litres cover the effect of whole seconds.
                let least = least_fuel(lander.y - flat, lander.v_speed, self.most.1);
                if used + least - 2.0 - SLACK * self.most.1 > limit {
                    plan.len = second + 1;
                    plan.cost = f64::INFINITY;
                    return plan.len - from;
                }
            }
        }
        plan.len = SECONDS;
        plan.cost = CRASH + LOST + self.field.metres(lander.x, lander.y);
        SECONDS - from
    }

    /// The outcome of a second with safety margins, because it is unknown how exactly the platform computes at the
    /// flat's ends, the borders and the speed limits.
    #[inline(always)]
    pub fn fate(&self, before: (f64, f64), lander: &Lander) -> Fate {
        match self.ground.fate(before, lander) {
            Fate::Landed => {
                let (left, right, flat) = self.ground.flat();
                let part = (before.1 - flat) / (before.1 - lander.y);
                let met = before.0 + part * (lander.x - before.0);
                let is_slow = lander.v_speed.abs() <= self.most.1 && lander.h_speed.abs() <= self.most.0;
                let is_inside = met >= left + MARGIN && met <= right - MARGIN;
                if is_slow && is_inside {
                    Fate::Landed
                } else {
                    Fate::Crashed
                }
            }
            Fate::Flying => {
                let is_inside =
                    lander.x >= MARGIN && lander.x <= ZONE.0 - 1.0 - MARGIN && lander.y <= ZONE.1 - MARGIN;
                if is_inside {
                    Fate::Flying
                } else {
                    Fate::Lost
                }
            }
            fate => fate,
        }
    }

    /// The order that lands on the flat within a second, and the landed state.
    #[inline(always)]
    fn last_second(&self, lander: &Lander) -> Option<(Order, Lander)> {
        let powers = (lander.power - 1).max(0)..=(lander.power + 1).min(THRUST);
        let mut orders = powers.map(|power| Order { rotate: 0, power });
        orders.find_map(|order| {
            let landed = lander.after(order);
            let fate = self.fate((lander.x, lander.y), &landed);
            (fate == Fate::Landed).then_some((order, landed))
        })
    }

    /// The cost of a flight that ended badly.
    #[inline(always)]
    fn cost(&self, before: (f64, f64), lander: &Lander, fate: Fate, at_start: i32) -> f64 {
        let used = f64::from(at_start - lander.fuel);
        let (left, right, flat) = self.ground.flat();
        let is_over_flat = |x: f64| x > left && x < right;
        let is_hard = fate == Fate::Crashed
            && before.1 > flat
            && lander.y <= flat
            && is_over_flat(before.0)
            && is_over_flat(lander.x);
        if is_hard {
            let (most_h, most_v) = self.most;
            let excess = (lander.v_speed.abs() - most_v).max(0.0) + (lander.h_speed.abs() - most_h).max(0.0);
            return used + HARD + HARD_SPEED * excess + HARD_DEGREE * f64::from(lander.rotate.abs());
        }
        let square = lander.h_speed * lander.h_speed + lander.v_speed * lander.v_speed;
        let lost = if fate == Fate::Lost { LOST } else { 0.0 };
        CRASH + lost + BRAKING * square + self.field.metres(before.0, before.1)
    }
}

/// A lower bound on the fuel of a landing from this height above the flat, in metres, at this upward speed, in m/s:
/// free fall, then full upright thrust until the lander meets the flat at `most` m/s. It ignores horizontal motion.
///
/// With height h, speed v, gravity g, thrust a = 4 and final speed m: after t seconds of fall (v - gt)² = m² + 2 (a - g)(h
/// + vt - gt²/2) must hold for the burn to end at m, a quadratic equation for t. The burn uses 4 litres a second.
#[inline(always)]
pub fn least_fuel(height: f64, v_speed: f64, most: f64) -> f64 {
    let thrust = f64::from(THRUST);
    let net = thrust - GRAVITY;
    // thrust·g·t² - 2·thrust·v·t + (v² - most² - 2·net·h) = 0
    let rest = v_speed * v_speed - most * most - 2.0 * net * height;
    let root = thrust * thrust * v_speed * v_speed - thrust * GRAVITY * rest;
    let fall = match root >= 0.0 {
        true => ((thrust * v_speed + root.sqrt()) / (thrust * GRAVITY)).max(0.0),
        false => 0.0,
    };
    let burn = (-(v_speed - GRAVITY * fall) - most) / net;
    thrust * burn.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::physics::ground::Point;

    fn level() -> Mission {
        let points = [(0, 100), (3500, 100), (6999, 1500)].map(|(x, y)| Point { x, y });
        Mission::new(Ground::new(&points).expect("a ground"))
    }

    fn start() -> Lander {
        Lander { x: 2000.0, y: 2500.0, h_speed: 10.0, v_speed: 0.0, fuel: 500, rotate: 0, power: 0 }
    }

    /// A plan that falls for `seconds` seconds, then thrusts fully.
    fn fall_and_burn(seconds: usize) -> Plan {
        let mut plan = Plan::new(start());
        plan.orders[seconds..].fill(Order { rotate: 0, power: 4 });
        plan
    }

    #[test]
    fn the_least_fuel_is_a_bound_and_nearly_reached() {
        let mission = level();
        let bound = least_fuel(2400.0, 0.0, mission.most.1);
        let used = (0..30).filter_map(|seconds| {
            let mut plan = fall_and_burn(seconds);
            mission.fly(&mut plan, 0, f64::INFINITY);
            plan.fuel_left().map(|left| f64::from(500 - left))
        });
        let least = used.fold(f64::INFINITY, f64::min);
        assert!(bound <= least && least < bound + 20.0, "{bound} {least}");
        assert_eq!(least_fuel(10.0, -39.0, 40.0), 0.0);
        // Too fast to brake in time: the fuel it would take without the ground.
        assert!(least_fuel(10.0, -60.0, 40.0) > 200.0);
    }

    #[test]
    fn a_flight_is_the_same_from_any_second_on() {
        let mission = level();
        let mut plan = fall_and_burn(9);
        let all = mission.fly(&mut plan, 0, f64::INFINITY);
        let (len, cost) = (plan.len, plan.cost);
        assert_eq!(all, len);
        for from in [1, 10, len - 1] {
            mission.fly(&mut plan, from, f64::INFINITY);
            assert_eq!((plan.len, plan.cost), (len, cost));
        }
    }

    #[test]
    fn a_flight_that_costs_too_much_is_given_up_early() {
        let mission = level();
        let mut plan = fall_and_burn(9);
        mission.fly(&mut plan, 0, f64::INFINITY);
        let (len, cost) = (plan.len, plan.cost);
        assert!(plan.lands);
        mission.fly(&mut plan, 0, cost);
        assert_eq!((plan.len, plan.cost), (len, cost));
        let mut hover = fall_and_burn(0);
        assert!(mission.fly(&mut hover, 0, cost) < len && hover.cost == f64::INFINITY);
    }

    #[test]
    fn landing_comes_before_cost() {
        let landed = Plan { lands: true, cost: 400.0, ..Plan::new(start()) };
        let crashed = Plan { cost: 10.0, ..Plan::new(start()) };
        let mut cheaper = Plan { lands: true, cost: 500.0, ..Plan::new(start()) };
        cheaper.states[0].fuel += 1;
        assert!(landed.is_better_than(&crashed) && !crashed.is_better_than(&landed));
        assert!(cheaper.is_better_than(&landed) && !landed.is_better_than(&landed));
    }
}
