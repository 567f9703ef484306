//! Mars Lander as a single-player game with few actions, and its evaluation: MiniFrame's player, for minimax with
//! siblings pruning.

use coppice::rng::mix;
use coppice::{Evaluation, Game, List, Payoff, Player, Score};

use crate::lander::physics::flight::{sin_cos, Lander, Order, GRAVITY, LEAN};
use crate::lander::physics::ground::{Fate, Ground, ZONE};

/// The granularity of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grain {
    /// Degrees by which an action changes the requested lean.
    pub degrees: i32,
    /// Steps for which an action is held.
    pub seconds: u32,
    /// Steps of a second. From 2 on a step isn't the platform's but that of a simulation of one's own: orders are followed
    /// at once, and no fuel is burned.
    pub parts: u32,
}

/// A lander above a ground, and its last order.
#[derive(Debug, Clone, Copy)]
pub struct Descent<'g> {
    ground: &'g Ground,
    grain: Grain,
    /// The lander.
    pub lander: Lander,
    /// The last order: an action changes one of its two numbers.
    pub asked: Order,
    fate: Fate,
}

/// An action: requests a thrust, or a lean further to one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Action {
    /// No thrust.
    #[default]
    Off,
    /// Half thrust, only above the flat.
    Half,
    /// Full thrust.
    Full,
    /// Lean further to the left.
    Left,
    /// Lean further to the right.
    Right,
}

impl<'g> Descent<'g> {
    /// A lander whose last order is to stay as it is.
    pub fn new(ground: &'g Ground, lander: Lander, grain: Grain) -> Descent<'g> {
        let asked = Order { rotate: lander.rotate, power: lander.power };
        Descent { ground, grain, lander, asked, fate: Fate::Flying }
    }

    /// The order that an action gives.
    pub fn order(&self, action: Action) -> Order {
        let Order { rotate, power } = self.asked;
        // A lean that would pass upright stops there: a landing needs exactly 0.
        let lean = |by: i32| match rotate + by {
            past if rotate.signum() * past.signum() < 0 => Order { rotate: 0, power },
            rotate => Order { rotate: rotate.clamp(-LEAN, LEAN), power },
        };
        match action {
            Action::Off => Order { rotate, power: 0 },
            Action::Half => Order { rotate, power: 2 },
            Action::Full => Order { rotate, power: 4 },
            Action::Left => lean(self.grain.degrees),
            Action::Right => lean(-self.grain.degrees),
        }
    }

    /// Flies for a step: a second, or a part of one.
    pub fn fly(&mut self, order: Order) {
        let from = (self.lander.x, self.lander.y);
        match self.grain.parts {
            1 => self.lander.fly(order),
            parts => fly_for(&mut self.lander, order, 1.0 / f64::from(parts)),
        }
        self.asked = order;
        self.fate = self.ground.fate(from, &self.lander);
    }

    fn is_above_flat(&self) -> bool {
        let (left, right, height) = self.ground.flat();
        (left..=right).contains(&self.lander.x) && self.lander.y >= height
    }
}

/// Flies for a time in seconds with constant acceleration.
fn fly_for(lander: &mut Lander, order: Order, time: f64) {
    let (sin, cos) = sin_cos(order.rotate);
    let thrust = f64::from(order.power);
    let (a_h, a_v) = (-sin * thrust, cos * thrust - GRAVITY);
    lander.x += time * (lander.h_speed + 0.5 * time * a_h);
    lander.y += time * (lander.v_speed + 0.5 * time * a_v);
    lander.h_speed += time * a_h;
    lander.v_speed += time * a_v;
    (lander.rotate, lander.power) = (order.rotate, order.power);
}

impl PartialEq for Descent<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.lander, self.asked, self.fate) == (other.lander, other.asked, other.fate)
    }
}

impl Game for Descent<'_> {
    type Move = Action;
    type Moves = List<Action, 5>;
    const PLAYERS: usize = 1;

    fn to_move(&self) -> Player {
        Player::FIRST
    }

    fn moves(&self, list: &mut List<Action, 5>) {
        if self.is_over() {
            return;
        }
        list.push(Action::Off);
        list.push(Action::Full);
        if self.is_above_flat() {
            list.push(Action::Half);
        }
        if self.asked.rotate < LEAN {
            list.push(Action::Left);
        }
        if self.asked.rotate > -LEAN {
            list.push(Action::Right);
        }
    }

    fn play(&mut self, action: Action) {
        let order = self.order(action);
        for _ in 0..self.grain.seconds {
            if self.fate == Fate::Flying {
                self.fly(order);
            }
        }
    }

    /// Above every estimate for a landing, below every estimate otherwise.
    fn payoff(&self, _: Player) -> Payoff {
        let speed = self.lander.h_speed.abs() + self.lander.v_speed.abs();
        Payoff(match self.fate {
            Fate::Landed => 1000 + self.lander.fuel,
            _ => -500_000 - (speed as i32).min(10_000),
        })
    }

    fn hash(&self) -> u64 {
        let Lander { x, y, h_speed, v_speed, fuel, rotate, power } = self.lander;
        let whole = (fuel as u64) << 32 | ((rotate + LEAN) as u64) << 16 | power as u64;
        let asked = ((self.asked.rotate + LEAN) as u64) << 16 | self.asked.power as u64;
        [x, y, h_speed, v_speed]
            .iter()
            .fold(mix(whole ^ asked << 40), |hash, real| mix(hash ^ real.to_bits()))
    }

    fn move_index(action: Action) -> u16 {
        action as u16
    }

    fn is_over(&self) -> bool {
        self.fate != Fate::Flying
    }
}

/// Deceleration available for the horizontal speed, in m/s²: about a third of the thrust.
const BRAKE_H: f64 = 1.3;
/// Upward acceleration at full thrust: a little less than 4 - 3.711 m/s².
const BRAKE_V: f64 = 0.2;
/// Distance kept from either end of the flat, in metres.
const RIM: f64 = 100.0;
/// Clearance kept above the ground on the way, in metres.
const CLEARANCE: f64 = 150.0;
/// Height above the flat below which a soft landing is the goal, in metres.
const LOW: f64 = 300.0;

/// MiniFrame's evaluation in three parts: away from the flat, approach it as fast as possible while avoiding the
/// ground; high above it, cancel the horizontal speed and descend; low above it, land softly.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThreeParts;

impl Evaluation<Descent<'_>> for ThreeParts {
    fn evaluate(&self, game: &Descent<'_>) -> Score {
        let cost = if !game.is_above_flat() {
            2_000.0 + away(game)
        } else {
            let Lander { y, .. } = game.lander;
            let height = y - game.ground.flat().2;
            if height > LOW {
                1_000.0 + high(game, height)
            } else {
                low(game, height)
            }
        };
        // Scores have a resolution of a tenth of a unit.
        Score::estimate(-(10.0 * cost).min(450_000.0) as i32)
    }
}

/// By how much the lander sinks faster than it can still brake from this height above the flat.
fn too_fast_down(lander: &Lander, height: f64) -> f64 {
    let most = (34.0f64.powi(2) + 2.0 * BRAKE_V * (height - 30.0).max(0.0)).sqrt();
    (-lander.v_speed - most).max(0.0)
}

/// Cost away from the flat: approach it as fast as braking there allows, above everything on the way.
fn away(game: &Descent<'_>) -> f64 {
    let Lander { x, y, h_speed, v_speed, rotate, .. } = game.lander;
    let (left, right, height) = game.ground.flat();
    let (distance, towards) = match x < left {
        true => (left + RIM - x, h_speed),
        false => (x - right + RIM, -h_speed),
    };
    let most = (2.0 * BRAKE_H * distance).sqrt().min(90.0);
    let too_slow = (most - towards).max(0.0);
    let too_fast = (towards - most).max(0.0);
    let top = top_between(game.ground, x, if x < left { left } else { right });
    let soon = y + 4.0 * v_speed;
    let too_low = (top.max(height) + CLEARANCE - soon).max(0.0);
    let too_high = (soon - (ZONE.1 - 100.0)).max(0.0);
    let sinking = (-v_speed - 25.0).max(0.0);
    let lean = f64::from(rotate.abs() - 50).max(0.0);
    0.3 * distance
        + 4.0 * too_slow
        + 12.0 * too_fast
        + 3.0 * too_low
        + 3.0 * too_high
        + 8.0 * sinking
        + 2.0 * lean
}

/// Cost high above the flat: cancel the horizontal speed, then descend.
fn high(game: &Descent<'_>, height: f64) -> f64 {
    let Lander { h_speed, rotate, .. } = game.lander;
    let slow = (h_speed.abs() - 5.0).max(0.0);
    let lean = f64::from(rotate.abs() - 20).max(0.0);
    8.0 * slow + outside(game) + 15.0 * too_fast_down(&game.lander, height) + lean + 0.1 * height
}

/// Cost low above the flat: land softly.
fn low(game: &Descent<'_>, height: f64) -> f64 {
    let Lander { h_speed, rotate, .. } = game.lander;
    let slow = (h_speed.abs() - 8.0).max(0.0);
    let lean = f64::from(rotate.abs());
    20.0 * slow + outside(game) + 30.0 * too_fast_down(&game.lander, height) + 3.0 * lean + 0.3 * height
}

/// The distance beyond the flat's ends at which its horizontal speed will be gone.
fn outside(game: &Descent<'_>) -> f64 {
    let (left, right, _) = game.ground.flat();
    let Lander { x, h_speed, .. } = game.lander;
    let stop = x + h_speed * h_speed.abs() / (2.0 * BRAKE_H);
    0.5 * ((left + RIM - stop).max(0.0) + (stop - right + RIM).max(0.0))
}

/// The highest ground between two x coordinates.
fn top_between(ground: &Ground, a: f64, b: f64) -> f64 {
    let (from, to) = (a.min(b), a.max(b));
    let mut top: f64 = 0.0;
    for pair in ground.points().windows(2) {
        let [p, q] = [pair[0], pair[1]].map(|p| (f64::from(p.x), f64::from(p.y)));
        let (p, q) = if p.0 <= q.0 { (p, q) } else { (q, p) };
        if q.0 < from || p.0 > to || p.0 == q.0 {
            continue;
        }
        let height = |x: f64| p.1 + (q.1 - p.1) * (x - p.0) / (q.0 - p.0);
        top = top.max(height(from.max(p.0))).max(height(to.min(q.0)));
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::tools::cases::terrain::Terrain;
    use coppice::Rng;

    const GRAIN: Grain = Grain { degrees: 15, seconds: 1, parts: 1 };

    /// Checks invariants at every second of random flights.
    #[test]
    fn an_action_changes_one_of_the_two_numbers() {
        let mut rng = Rng::new(1);
        let mut above = 0;
        for seed in 0..30 {
            let case = Terrain::Gentle.case(seed);
            let mut descent = Descent::new(&case.ground, Lander::from(case.start), GRAIN);
            while !descent.is_over() {
                let mut list = List::default();
                descent.moves(&mut list);
                let is_above = list.contains(&Action::Half);
                above += u32::from(is_above);
                for &action in list.iter() {
                    let (before, after) = (descent.asked, descent.order(action));
                    assert!(before.rotate == after.rotate || before.power == after.power);
                    assert!((before.rotate - after.rotate).abs() <= GRAIN.degrees);
                    assert!([0, 4].contains(&after.power) || is_above || before.power == after.power);
                    // The lean never passes upright without stopping there.
                    assert!(before.rotate.signum() * after.rotate.signum() >= 0);
                }
                let value = ThreeParts.evaluate(&descent).value();
                assert!((-450_000..=0).contains(&value), "{value}");
                let action = descent.random_move(&mut rng).expect("an action");
                let before = descent.lander;
                descent.play(action);
                assert_eq!(descent.lander, before.after(descent.asked));
            }
            let worth = descent.payoff(Player::FIRST).0;
            // Any landing is worth more than any estimate, anything else less.
            assert_eq!(worth > 0, descent.fate == Fate::Landed);
            assert!(!(-500_000..=0).contains(&worth));
        }
        assert!(above > 100, "{above}");
    }

    #[test]
    fn an_action_can_be_held() {
        let case = Terrain::Gentle.case(3);
        let start = Lander::from(case.start);
        let mut held = Descent::new(&case.ground, start, Grain { seconds: 3, ..GRAIN });
        let mut single = Descent::new(&case.ground, start, GRAIN);
        held.play(Action::Full);
        (0..3).for_each(|_| single.play(Action::Full));
        assert!(held == single && held.hash() == single.hash());
        single.play(Action::Left);
        assert!(held != single && held.hash() != single.hash());
    }

    /// Where no limit of the platform's matters, ten tenths of a second are a second.
    #[test]
    fn parts_of_a_second_add_up() {
        let case = Terrain::Gentle.case(3);
        let start = Lander { rotate: 0, power: 4, ..Lander::from(case.start) };
        let mut whole = Descent::new(&case.ground, start, GRAIN);
        let mut parts = Descent::new(&case.ground, start, Grain { parts: 10, ..GRAIN });
        whole.play(Action::Full);
        (0..10).for_each(|_| parts.play(Action::Full));
        let (one, ten) = (whole.lander, parts.lander);
        for (a, b) in [(one.x, ten.x), (one.y, ten.y), (one.h_speed, ten.h_speed), (one.v_speed, ten.v_speed)]
        {
            assert!((a - b).abs() < 1e-9, "{one:?} {ten:?}");
        }
        assert_eq!((ten.fuel, one.fuel), (start.fuel, start.fuel - 4));
    }

    #[test]
    fn the_highest_point_on_the_way_is_found() {
        let case = &crate::lander::tools::cases::known::official()[1];
        assert_eq!(top_between(&case.ground, 2500.0, 4000.0), 1000.0 + 500.0 / 3.0);
        assert_eq!(top_between(&case.ground, 4000.0, 1000.0), 1500.0);
        assert_eq!(top_between(&case.ground, 4100.0, 4200.0), 150.0);
    }
}
