//! The relaxed flight of a duration, and the greatest lower bound on its fuel.

use bots::lander::physics::flight::{GRAVITY, LEAN, THRUST, TURN};
use bots::lander::tools::cases::case::Case;

use super::ellipsoid::{Ellipsoid, M};

/// A bound that could rise by no more litres than this is good enough.
const GAP: f64 = 0.02;

/// Gap accepted with places on the way.
const GAP_ON_WAY: f64 = 0.2;

/// The most trials of multipliers in one region.
const TRIALS: usize = 3000;

/// Multipliers nearer to the middle of a region than this, as the square of the share of its radius, are inside.
const INSIDE: f64 = 0.8;

/// The multipliers of every landing: of the vertical speed, of the heights after and before the last second, of the
/// horizontal speed, of the place. Behind them come those of the places on the way.
const N: usize = 5;

/// The most places on the way.
pub const PLACES: usize = M - N;

/// How large the regions of multipliers are that are searched one after the other, in litres by m/s; by metre they are
/// divided by the seconds. Where a landing takes 3 litres a second and speed, the best ones are of that order; where
/// none is possible in that time, they grow without bound.
const RADII: [f64; 3] = [6.0, 100.0, 2000.0];

/// The first region is around multipliers known before: this radius, and this share of each.
const NEAR: f64 = 0.3;
const SHARE: f64 = 0.5;

/// Whether there is always fuel. Where it runs out, the thrust doesn't fall by 1 a turn but at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tank {
    /// There is.
    Full,
    /// It may run out.
    RunsDry,
}

/// A constraint on the way: a number of seconds after the start, the lander's least distance in a direction.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Seconds from the start.
    pub after: usize,
    /// To the right and upwards; a unit vector.
    pub towards: (f64, f64),
    /// Metres in that direction.
    pub least: f64,
}

/// A landing after a number of seconds.
pub struct Problem {
    turns: usize,
    /// Thrust at the start.
    power: i32,
    tank: Tank,
    /// By turn, from the first: the smallest and the largest lean that counts, as directions of thrust.
    leans: Vec<[Lean; 2]>,
    /// Without thrust: the speeds at the end, the place at the end, the height a second before.
    speed: (f64, f64),
    place: (f64, f64),
    before: f64,
    /// The greatest speeds at the end.
    soft: (f64, f64),
    left: f64,
    right: f64,
    height: f64,
    start: (f64, f64, f64, f64),
    /// By place on the way: it, and how far it is missed without thrust.
    places: [(Place, f64); PLACES],
    count: usize,
}

/// A lean and where its thrust goes.
#[derive(Debug, Clone, Copy)]
struct Lean {
    towards: (f64, f64),
}

impl Lean {
    fn new(degrees: i32) -> Self {
        let radians = f64::from(degrees).to_radians();
        Self { towards: (-radians.sin(), radians.cos()) }
    }
}

/// A minimum over all orders: its value, and what the conditions come to there, which is its slope.
struct Minimum {
    value: f64,
    slope: [f64; M],
}

impl Problem {
    /// The landings of a case in `seconds` seconds.
    pub fn new(case: &Case, seconds: u32, tank: Tank) -> Self {
        let start = &case.start;
        let [x, y, h, v] = [start.x, start.y, start.h_speed, start.v_speed].map(f64::from);
        let turns = seconds as usize;
        let t = f64::from(seconds);
        let lean = |turn: usize| {
            let (since, until) = (TURN * (turn as i32 + 1), TURN * (turns - 1 - turn) as i32);
            let (low, high) = ((start.rotate - since).max(-LEAN), (start.rotate + since).min(LEAN));
            // Where both can't be had, the time is too short; what can be reached is enough for a bound.
            match (low.max(-until), high.min(until)) {
                (low, high) if low <= high => [Lean::new(low), Lean::new(high)],
                _ => [Lean::new(low), Lean::new(high)],
            }
        };
        let (left, right, height) = case.ground.flat();
        Self {
            turns,
            power: start.power,
            tank,
            leans: (0..turns).map(lean).collect(),
            speed: (h, v - GRAVITY * t),
            place: (x + h * t, y + v * t - 0.5 * GRAVITY * t * t),
            before: y + v * (t - 1.0) - 0.5 * GRAVITY * (t - 1.0) * (t - 1.0),
            soft: case.ground.judging().limits(),
            left,
            right,
            height,
            start: (x, y, h, v),
            places: [(Place { after: 0, towards: (0.0, 1.0), least: 0.0 }, 0.0); PLACES],
            count: 0,
        }
    }

    /// Sets the places on the way; `false` if one of them can't be reached.
    pub fn set_places(&mut self, places: &[Place]) -> bool {
        let (x, y, h, v) = self.start;
        self.count = places.len().min(PLACES);
        let mut is_near = true;
        for (slot, &place) in self.places.iter_mut().zip(places) {
            let t = place.after as f64;
            let falling = (x + h * t, y + v * t - 0.5 * GRAVITY * t * t);
            let missed = place.least - falling.0 * place.towards.0 - falling.1 * place.towards.1;
            *slot = (place, missed);
            is_near &= missed <= 0.5 * f64::from(THRUST) * t * t + 1e-6;
        }
        is_near
    }

    /// The minimum over all orders of fuel and the conditions with these multipliers.
    fn minimum(&self, multipliers: &[f64; M], table: &mut Table) -> Minimum {
        let [sink, below, above, drift, shift, ..] = *multipliers;
        let on_way = &multipliers[N..N + self.count];
        let t = self.turns as f64;
        table.clear();
        for (turn, [low, high]) in self.leans.iter().enumerate() {
            // How far a unit of acceleration in this turn moves the place at the end, and a second before.
            let reach = t - turn as f64 - 0.5;
            let reach_before = (reach - 1.0).max(0.0);
            let mut c = (-(drift + shift * (reach - 0.5)), -(-sink + below * reach - above * reach_before));
            for (multiplier, (place, _)) in on_way.iter().zip(&self.places) {
                let by = multiplier * weight(place, turn);
                c = (c.0 + by * place.towards.0, c.1 + by * place.towards.1);
            }
            let length = c.0.hypot(c.1);
            // Left of the lowest lean's direction and right of the highest's.
            let is_between = length > 0.0 && turns_left(low.towards, c) && turns_left(c, high.towards);
            let towards = if is_between {
                (c.0 / length, c.1 / length)
            } else {
                let gain = |lean: &Lean| c.0 * lean.towards.0 + c.1 * lean.towards.1;
                if gain(low) > gain(high) {
                    low.towards
                } else {
                    high.towards
                }
            };
            let gain = c.0 * towards.0 + c.1 * towards.1;
            table.push(1.0 - gain, towards);
        }
        let thrust = table.solve(self.power, self.tank);
        let (mut speed, mut place, mut before) = (self.speed, self.place, self.before);
        let mut missed = [0.0; PLACES];
        missed.iter_mut().zip(&self.places).for_each(|(missed, (_, falling))| *missed = *falling);
        for (turn, (&power, &(_, towards))) in thrust.powers.iter().zip(&table.turns).enumerate() {
            let reach = t - turn as f64 - 0.5;
            let a = (f64::from(power) * towards.0, f64::from(power) * towards.1);
            speed = (speed.0 + a.0, speed.1 + a.1);
            place = (place.0 + reach * a.0, place.1 + reach * a.1);
            before += (reach - 1.0).max(0.0) * a.1;
            for (missed, (place, _)) in missed.iter_mut().zip(&self.places[..self.count]) {
                *missed -= weight(place, turn) * (a.0 * place.towards.0 + a.1 * place.towards.1);
            }
        }
        let middle = place.0 - speed.0 / 2.0;
        // The end may lie beyond the flat by what is flown behind the crossing, at most 20 m; with the speed's half
        // taken off, at most 10.
        let slack = self.soft.0 / 2.0;
        let mut slope = [0.0; M];
        slope[..N].copy_from_slice(&[
            -self.soft.1 - speed.1,
            place.1 - self.height,
            self.height - before,
            speed.0 - self.soft.0 * sign(drift),
            middle - if shift > 0.0 { self.right + slack } else { self.left - slack },
        ]);
        slope[N..N + self.count].copy_from_slice(&missed[..self.count]);
        let conditions = multipliers.iter().zip(&slope).map(|(m, s)| m * s).sum::<f64>();
        let fuel = thrust.powers.iter().map(|&power| f64::from(power)).sum::<f64>();
        Minimum { value: fuel + conditions, slope }
    }

    /// The greatest minimum found, and its multipliers; as soon as it is `enough`, no greater one is looked for.
    pub fn maximise(&self, warm: [f64; M], enough: f64) -> (f64, [f64; M]) {
        let mut table = Table::default();
        let mut best = (self.minimum(&warm, &mut table).value, warm);
        let scale = |radius: f64| {
            let mut radii = [radius / self.turns as f64; M];
            (radii[0], radii[3]) = (radius, radius);
            radii
        };
        let mut near = scale(NEAR);
        near.iter_mut().zip(&warm).for_each(|(radius, warm)| *radius += SHARE * warm.abs());
        let far = RADII.map(|radius| ([0.0; M], scale(radius)));
        for (centre, radii) in [(warm, near)].into_iter().chain(far) {
            if best.0 >= enough {
                break;
            }
            let found = self.maximise_within(centre, radii, enough, &mut table);
            if found.0 > best.0 {
                best = found;
            }
            // Inside, the best of a region is the best of all: the minimum is concave in the multipliers.
            let n = N + self.count;
            let share = |i: usize| ((found.1[i] - centre[i]) / radii[i]).powi(2);
            if (0..n).map(share).sum::<f64>() < INSIDE {
                break;
            }
        }
        best
    }

    fn maximise_within(
        &self,
        centre: [f64; M],
        radii: [f64; M],
        enough: f64,
        table: &mut Table,
    ) -> (f64, [f64; M]) {
        let n = N + self.count;
        let gap = if self.count == 0 { GAP } else { GAP_ON_WAY };
        let mut ellipsoid = Ellipsoid::new(n, centre, radii);
        let mut best = (f64::NEG_INFINITY, centre);
        for _ in 0..TRIALS {
            let at = ellipsoid.centre;
            // One-sided conditions have multipliers from 0.
            if let Some(i) = (0..3).chain(N..n).find(|&i| at[i] < 0.0) {
                let mut slope = [0.0; M];
                slope[i] = 1.0;
                if !ellipsoid.cut(slope, -at[i]) {
                    break;
                }
                continue;
            }
            let Minimum { value, slope } = self.minimum(&at, table);
            if value > best.0 {
                best = (value, at);
            }
            if best.0 >= enough || ellipsoid.width(&slope) < gap || !ellipsoid.cut(slope, best.0 - value) {
                break;
            }
        }
        best
    }
}

/// How far a unit of acceleration in a turn moves the lander until a place is due.
fn weight(place: &Place, turn: usize) -> f64 {
    (place.after as f64 - turn as f64 - 0.5).max(0.0)
}

/// Whether `b` is to the left of `a`, at less than a half turn.
fn turns_left(a: (f64, f64), b: (f64, f64)) -> bool {
    a.0 * b.1 - a.1 * b.0 >= 0.0
}

fn sign(x: f64) -> f64 {
    if x < 0.0 {
        -1.0
    } else {
        1.0
    }
}

/// Thrusts 0 to 4 and their number.
const POWERS: usize = THRUST as usize + 1;

/// Cost of a unit of thrust in each turn, and the cheapest thrusts that change by 1 a turn: whole ones, since conditions on
/// differences of two have whole corners.
#[derive(Default)]
struct Table {
    turns: Vec<(f64, (f64, f64))>,
    /// By turn and power: the least cost from that turn on.
    least: Vec<[f64; POWERS]>,
}

struct Thrusts {
    powers: Vec<u8>,
}

impl Table {
    fn clear(&mut self) {
        self.turns.clear();
    }

    fn push(&mut self, cost: f64, towards: (f64, f64)) {
        self.turns.push((cost, towards));
    }

    fn solve(&mut self, start: i32, tank: Tank) -> Thrusts {
        let lowest = |power: usize| if tank == Tank::Full { power.saturating_sub(1) } else { 0 };
        self.least.clear();
        self.least.resize(self.turns.len() + 1, [0.0; POWERS]);
        for (turn, (cost, _)) in self.turns.iter().enumerate().rev() {
            for power in 0..POWERS {
                let next = &self.least[turn + 1];
                let behind = next[lowest(power)..=(power + 1).min(POWERS - 1)].iter();
                let behind = behind.copied().fold(f64::INFINITY, f64::min);
                self.least[turn][power] = cost * power as f64 + behind;
            }
        }
        let mut power = start.clamp(0, THRUST) as usize;
        let powers = (0..self.turns.len()).map(|turn| {
            let choices = lowest(power)..=(power + 1).min(POWERS - 1);
            power =
                choices.min_by(|&a, &b| self.least[turn][a].total_cmp(&self.least[turn][b])).unwrap_or(power);
            power as u8
        });
        Thrusts { powers: powers.collect() }
    }
}
