//! A lower bound on the fuel of any landing, ignoring ground in the way.
//!
//! For a landing after T seconds, the ways to fly are relaxed to: any lean within what can be reached from the
//! start's at 15 degrees a second and within 15 degrees a second of upright at the end, any thrust that changes by 1 a
//! second. What the end has to fulfil is linear in the accelerations: the height of the flat lies between the last two
//! positions, the flat below the last way, the speeds within their limits. Taken into the sum of fuel with multipliers
//! (Lagrange), these conditions leave a minimum over the orders that falls apart into turns, but for the thrust, whose
//! steps a small table takes care of. By weak duality that minimum is a lower bound for **any** multipliers that are
//! not negative where a condition is one-sided, so no tolerance of a solver is in the result: only rounding, for
//! which 0.00001 litres are taken off. The multipliers are found by the ellipsoid method with deep cuts (Grötschel, Lovász,
//! Schrijver, *Geometric Algorithms and Combinatorial Optimization*, section 3.1; Bland, Goldfarb, Todd, *The
//! Ellipsoid Method: A Survey*, section 4).

use bots::lander::case::Case;
use bots::lander::flight::{GRAVITY, LEAN, THRUST, TURN};

/// Litres taken off a bound: sums of some hundred numbers below 1e7 are exact to far less.
const ROUNDING: f64 = 1e-5;

/// A bound that could rise by no more litres than this is good enough.
const GAP: f64 = 0.02;

/// The most trials of multipliers in one region.
const TRIALS: usize = 3000;

/// Multipliers nearer to the middle of a region than this, as the square of the share of its radius, are inside.
const INSIDE: f64 = 0.8;

/// The multipliers: of the vertical speed, of the heights after and before the last second, of the horizontal speed,
/// of the place.
const N: usize = 5;

/// How large the regions of multipliers are that are searched one after the other, in litres by m/s; by metre they are
/// divided by the seconds. Where a landing takes 3 litres a second and speed, the best ones are of that order; where
/// there is none after so many seconds, they are as large as can be.
const RADII: [f64; 3] = [6.0, 100.0, 2000.0];

/// What is known of the fuel that a landing takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// At least this many litres.
    Litres(i32),
    /// More than there is: it can't be landed.
    Impossible,
}

/// The bound of a case, for landings judged as its ground does. `None` where the flat is a roof, which a landing would have
/// to come to from below.
pub fn bound(case: &Case) -> Option<Bound> {
    let points = case.ground.points();
    let (left, right, height) = case.ground.flat();
    let is_flat = |a: &bots::lander::ground::Point, b: &bots::lander::ground::Point| {
        f64::from(a.x) == left && f64::from(b.x) == right && f64::from(a.y) == height && a.y == b.y
    };
    points.windows(2).find(|pair| is_flat(&pair[0], &pair[1]))?;
    let fuel = f64::from(case.start.fuel);
    let least = least(case, Tank::Full);
    Some(if least <= fuel + ROUNDING {
        Bound::Litres((least - ROUNDING).ceil().max(0.0) as i32)
    } else if self::least(case, Tank::RunsDry) <= fuel + ROUNDING {
        // Who lands uses up all there is, since only then the thrust can break off.
        Bound::Litres(case.start.fuel)
    } else {
        Bound::Impossible
    })
}

/// Whether there is always fuel. Where it runs out, the thrust doesn't fall by 1 a turn but at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tank {
    Full,
    RunsDry,
}

/// A lower bound on the litres of a landing after any number of seconds; more than there is if there is none.
fn least(case: &Case, tank: Tank) -> f64 {
    let start = &case.start;
    // With more than there is it can't be done, however much more.
    let mut least = f64::from(start.fuel) + 1.0;
    let (_, soft_v) = case.ground.judging().limits();
    let mut warm = [1.0, 0.0, 0.0, 0.0, 0.0];
    for seconds in 1.. {
        // The speed at the end is the start's, gravity's, and no more than the fuel's.
        let by_speed = GRAVITY * f64::from(seconds) - soft_v - f64::from(start.v_speed);
        if by_speed >= least {
            break;
        }
        let problem = Problem::new(case, seconds, tank);
        let (found, multipliers) = problem.maximise(warm, least);
        warm = multipliers;
        // More than can be burnt in that time: no landing takes so long.
        if found <= f64::from(THRUST) * f64::from(seconds) + ROUNDING {
            least = least.min(found);
        }
    }
    least
}

/// A landing after a number of seconds.
struct Problem {
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
}

/// A lean and where its thrust goes.
#[derive(Debug, Clone, Copy)]
struct Lean {
    radians: f64,
    towards: (f64, f64),
}

impl Lean {
    fn new(degrees: i32) -> Self {
        let radians = f64::from(degrees).to_radians();
        Self { radians, towards: (-radians.sin(), radians.cos()) }
    }
}

/// A minimum over all orders: its value, and what the conditions come to there, which is its slope.
struct Minimum {
    value: f64,
    slope: [f64; N],
}

impl Problem {
    fn new(case: &Case, seconds: u32, tank: Tank) -> Self {
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
        }
    }

    /// The minimum over all orders of fuel and the conditions with these multipliers.
    fn minimum(&self, [sink, below, above, drift, shift]: [f64; N], table: &mut Table) -> Minimum {
        let t = self.turns as f64;
        table.clear();
        for (turn, [low, high]) in self.leans.iter().enumerate() {
            // How far a unit of acceleration in this turn moves the place at the end, and a second before.
            let reach = t - turn as f64 - 0.5;
            let reach_before = (reach - 1.0).max(0.0);
            let c = (-(drift + shift * (reach - 0.5)), -(-sink + below * reach - above * reach_before));
            let radians = (-c.0).atan2(c.1);
            let towards = if (low.radians..=high.radians).contains(&radians) {
                let length = c.0.hypot(c.1);
                if length > 0.0 {
                    (c.0 / length, c.1 / length)
                } else {
                    low.towards
                }
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
        for (turn, (&power, &(_, towards))) in thrust.powers.iter().zip(&table.turns).enumerate() {
            let reach = t - turn as f64 - 0.5;
            let a = (f64::from(power) * towards.0, f64::from(power) * towards.1);
            speed = (speed.0 + a.0, speed.1 + a.1);
            place = (place.0 + reach * a.0, place.1 + reach * a.1);
            before += (reach - 1.0).max(0.0) * a.1;
        }
        let middle = place.0 - speed.0 / 2.0;
        // The end may lie beyond the flat by what is flown behind the crossing, at most 20 m; with the speed's half
        // taken off, at most 10.
        let slack = self.soft.0 / 2.0;
        let slope = [
            -self.soft.1 - speed.1,
            place.1 - self.height,
            self.height - before,
            speed.0 - self.soft.0 * sign(drift),
            middle - if shift > 0.0 { self.right + slack } else { self.left - slack },
        ];
        let conditions =
            [sink, below, above, drift, shift].iter().zip(&slope).map(|(m, s)| m * s).sum::<f64>();
        let fuel = thrust.powers.iter().map(|&power| f64::from(power)).sum::<f64>();
        Minimum { value: fuel + conditions, slope }
    }

    /// The greatest minimum found, and its multipliers; as soon as it is `enough`, no greater one is looked for.
    fn maximise(&self, warm: [f64; N], enough: f64) -> (f64, [f64; N]) {
        let mut table = Table::default();
        let mut best = (self.minimum(warm, &mut table).value, warm);
        for radius in RADII {
            if best.0 >= enough {
                break;
            }
            let by_metre = radius / self.turns as f64;
            let radii = [radius, by_metre, by_metre, radius, by_metre];
            let found = self.maximise_within(radii, enough, &mut table);
            if found.0 > best.0 {
                best = found;
            }
            // Inside, the best of a region is the best of all: the minimum is concave in the multipliers.
            let share = |(m, radius): (&f64, &f64)| (m / radius).powi(2);
            if found.1.iter().zip(&radii).map(share).sum::<f64>() < INSIDE {
                break;
            }
        }
        best
    }

    fn maximise_within(&self, radii: [f64; N], enough: f64, table: &mut Table) -> (f64, [f64; N]) {
        let mut ellipsoid = Ellipsoid::new([0.0; N], radii);
        let mut best = (f64::NEG_INFINITY, [0.0; N]);
        for _ in 0..TRIALS {
            let at = ellipsoid.centre;
            // One-sided conditions have multipliers from 0.
            if let Some(i) = (0..3).find(|&i| at[i] < 0.0) {
                let mut slope = [0.0; N];
                slope[i] = 1.0;
                if !ellipsoid.cut(slope, -at[i]) {
                    break;
                }
                continue;
            }
            let Minimum { value, slope } = self.minimum(at, table);
            if value > best.0 {
                best = (value, at);
            }
            if best.0 >= enough || ellipsoid.width(&slope) < GAP || !ellipsoid.cut(slope, best.0 - value) {
                break;
            }
        }
        best
    }
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

/// What a unit of thrust costs in each turn, and the cheapest thrusts that change by 1 a turn: whole ones, since
/// conditions on differences of two have whole corners.
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

/// A region that holds the best multipliers, if they were in it at the beginning: { c + Q z : |z| <= 1 } with
/// P = Q Q'.
struct Ellipsoid {
    centre: [f64; N],
    p: [[f64; N]; N],
}

impl Ellipsoid {
    fn new(centre: [f64; N], radii: [f64; N]) -> Self {
        let mut p = [[0.0; N]; N];
        (0..N).for_each(|i| p[i][i] = radii[i] * radii[i]);
        Self { centre, p }
    }

    fn times(&self, slope: &[f64; N]) -> [f64; N] {
        std::array::from_fn(|i| (0..N).map(|j| self.p[i][j] * slope[j]).sum())
    }

    /// How far a function with this slope at the centre can rise inside.
    fn width(&self, slope: &[f64; N]) -> f64 {
        let along = self.times(slope);
        let square = (0..N).map(|i| slope[i] * along[i]).sum::<f64>();
        square.max(0.0).sqrt()
    }

    /// Keeps what rises by at least `gain` in the direction of the slope; `false` if nothing is left.
    fn cut(&mut self, slope: [f64; N], gain: f64) -> bool {
        let along = self.times(&slope);
        let width = self.width(&slope);
        let depth = gain / width;
        if width.is_nan() || width <= 0.0 || depth >= 1.0 {
            return false;
        }
        let n = N as f64;
        let step = (1.0 + n * depth) / (n + 1.0);
        let shrink = n * n / (n * n - 1.0) * (1.0 - depth * depth);
        let rank = 2.0 * step / (1.0 + depth);
        let unit = along.map(|x| x / width);
        self.centre.iter_mut().zip(&unit).for_each(|(centre, unit)| *centre += step * unit);
        for (row, a) in self.p.iter_mut().zip(&unit) {
            row.iter_mut().zip(&unit).for_each(|(p, b)| *p = shrink * (*p - rank * a * b));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bots::lander::cases::official;
    use bots::lander::flight::{Judging, Order};
    use bots::lander::ground::Fate;
    use bots::lander::terrain::Terrain;
    use coppice::Rng;

    fn most_left(case: &Case, judging: Judging) -> i32 {
        match bound(&case.clone().judged(judging)) {
            Some(Bound::Litres(litres)) => case.start.fuel - litres,
            other => panic!("{}: {other:?}", case.name),
        }
    }

    #[test]
    fn the_official_cases_bounds() {
        let all = official();
        let left = all.iter().map(|case| most_left(case, Judging::Strict)).collect::<Vec<_>>();
        assert_eq!(left, [324, 342, 370, 516, 582, 729, 756, 1013]);
        // None of the published flights, which were judged by the rounded speeds, is better than such a landing can be, and the
        // published limits of those that no mountain hinders are within three litres.
        for case in &all {
            let looks_soft = most_left(case, Judging::Rounded);
            assert!(case.best_known.is_none_or(|known| known <= looks_soft), "{}: {looks_soft}", case.name);
            let is_free = case.name != "2.4";
            let near = |limit: i32| (limit - 3..=limit).contains(&looks_soft);
            assert!(!is_free || case.limit.is_none_or(near), "{}: {looks_soft}", case.name);
        }
    }

    /// Random pilots over a plain: those who land have used at least what the bound says.
    #[test]
    fn no_landing_uses_less() {
        let mut rng = Rng::new(1);
        let (mut landed, mut nearest) = (0, f64::INFINITY);
        for _ in 0..40 {
            let mut below = |n: u32| rng.below(n) as i32;
            let (x, y, v) = (1000 + below(5000), 800 + below(2000), -below(30));
            let text =
                format!("2\n0 100\n6999 100\n{x} {y} {} {v} 1000 {} 0\n", below(31) - 15, below(61) - 30);
            let case = Case::read("plain", &text).unwrap();
            let Some(Bound::Litres(least)) = bound(&case) else { panic!("{text}") };
            for seconds in 0..40 {
                let (lean, until) = (below(41) - 20, below(20));
                let fall = Order { rotate: 0, power: 0 };
                let swing = (0..until).map(|_| Order { rotate: lean, power: 4 });
                let orders = (0..seconds).map(|_| fall).chain(swing);
                let flight = case.fly(orders.chain((0..400).map(|_| Order { rotate: 0, power: 4 })));
                // Full thrust rises in the end; from there on, or before, less of it may land.
                for power in [3, 4] {
                    let orders =
                        flight.states[1..].iter().map(|s| Order { rotate: s.rotate, power: s.power });
                    let soft = flight.states.iter().position(|s| s.v_speed > -38.0 && s.power == 4);
                    let first = soft.unwrap_or(flight.states.len()).max(1) - 1;
                    let rest =
                        (0..400).map(|i| Order { rotate: 0, power: if i % 3 == 0 { power } else { 4 } });
                    let flight = case.fly(orders.take(first).chain(rest));
                    if flight.fate == Fate::Landed {
                        landed += 1;
                        let used = case.start.fuel - flight.now().fuel;
                        assert!(used >= least, "{text}: {used} < {least}");
                        nearest = nearest.min(f64::from(used) / f64::from(least));
                    }
                }
            }
        }
        assert!(landed > 100 && nearest < 1.2, "{landed} landings, the nearest {nearest}");
    }

    #[test]
    fn what_lacks_fuel_is_beyond_help() {
        let case = &official()[1];
        let with = |fuel: i32, judging: Judging| {
            let mut case = case.clone().judged(judging);
            case.start.fuel = fuel;
            bound(&case)
        };
        for (judging, least) in [(Judging::Strict, 208), (Judging::Rounded, 207)] {
            let both = [least - 1, least].map(|fuel| with(fuel, judging));
            assert_eq!(both, [Some(Bound::Impossible), Some(Bound::Litres(least))]);
        }
        let random = (0..5).map(|seed| Terrain::Hard.case(seed)).map(|case| bound(&case));
        assert!(random.into_iter().all(|bound| bound.is_some()));
    }

    #[test]
    fn a_roof_has_no_bound() {
        let roof = "6\n0 100\n3000 200\n3000 2000\n1000 2000\n900 2500\n6999 2600\n2000 1500 0 0 500 0 0\n";
        let case = Case::read("roof", roof).unwrap();
        assert_eq!(bound(&case), None);
    }
}
