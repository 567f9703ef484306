//! A lower bound on the fuel of any landing.
//!
//! For a landing after T seconds, the ways to fly are relaxed to: any lean within what can be reached from the
//! start's at 15 degrees a second and within 15 degrees a second of upright at the end, any thrust that changes by 1 a
//! second. The conditions at the end are linear in the accelerations: the height of the flat lies between the last two
//! positions, the flat below the last way, the speeds within their limits. Taken into the sum of fuel with multipliers
//! (Lagrange), these conditions leave a minimum over the orders that falls apart into turns, but for the thrust, whose
//! steps a small table takes care of. By weak duality that minimum is a lower bound for **any** multipliers that are
//! not negative where a condition is one-sided, so no tolerance of a solver is in the result: only rounding, for
//! which 0.00001 litres are taken off. The multipliers are found by the ellipsoid method.
//!
//! The ground comes in by [`Gate`]s, points that every landing has to pass above. When it does isn't known, so the second is
//! enumerated too; given it, the conditions on the lander's place before and after are linear. The bound is the greatest of
//! those with one gate each.

use bots::lander::physics::flight::{GRAVITY, THRUST};
use bots::lander::physics::ground::Point;
use bots::lander::tools::cases::case::Case;

use super::ellipsoid::M;
use super::gates::{gates, Gate, Kind, Way};
use super::relaxation::{Problem, Tank, PLACES};

/// Litres taken off a bound: sums of some hundred numbers below 1e7 are exact to far less.
const ROUNDING: f64 = 1e-5;

/// The first multipliers that are tried: a litre for each m/s.
const WARM: [f64; M] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// A bound on the fuel of a landing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// At least N litres.
    Litres(i32),
    /// More than there is: it can't be landed.
    Impossible,
}

/// The bound of a case with the ground left out, for landings judged as its ground does. `None` where the flat is a roof,
/// which a landing would have to come to from below.
pub fn bound(case: &Case) -> Option<Bound> {
    is_open(case).then(|| told(case, |tank| least(&durations(case, tank, most(case)), most(case))))
}

/// The bound that knows the ground's [`gates`]. `known` is the fuel of a known landing: the search ends there, since no
/// bound is higher. `None` as for [`bound`].
pub fn bound_over_ground(case: &Case, known: Option<i32>) -> Option<Bound> {
    let most = known.map_or(most(case), f64::from);
    let gates = gates(case);
    let over_ground = |tank: Tank| {
        let durations = durations(case, tank, most);
        let free = least(&durations, most);
        gates.iter().fold(free, |floor, gate| by_gate(case, tank, gate, &durations, floor, most))
    };
    is_open(case).then(|| told(case, over_ground))
}

/// Whether the flat is open to above.
fn is_open(case: &Case) -> bool {
    let (left, right, height) = case.ground.flat();
    let is_flat = |a: &Point, b: &Point| {
        f64::from(a.x) == left && f64::from(b.x) == right && f64::from(a.y) == height && a.y == b.y
    };
    case.ground.points().windows(2).any(|pair| is_flat(&pair[0], &pair[1]))
}

/// With more litres than there are it can't be done, however much more.
fn most(case: &Case) -> f64 {
    f64::from(case.start.fuel) + 1.0
}

fn told(case: &Case, least: impl Fn(Tank) -> f64) -> Bound {
    let fuel = f64::from(case.start.fuel);
    let full = least(Tank::Full);
    if full <= fuel + ROUNDING {
        Bound::Litres((full - ROUNDING).ceil().max(0.0) as i32)
    } else if least(Tank::RunsDry) <= fuel + ROUNDING {
        // Such a landing empties the tank: only then can thrust drop faster than 1 a second.
        Bound::Litres(case.start.fuel)
    } else {
        Bound::Impossible
    }
}

/// A duration of a landing, with a lower bound of its litres.
struct Duration {
    seconds: u32,
    least: f64,
}

/// The durations after which a landing may take less than `most` litres.
fn durations(case: &Case, tank: Tank, most: f64) -> Vec<Duration> {
    let (_, soft_v) = case.ground.judging().limits();
    let mut warm = WARM;
    let mut durations = Vec::new();
    for seconds in 1.. {
        // The speed at the end is the start's, gravity's, and no more than the fuel's.
        let by_speed = GRAVITY * f64::from(seconds) - soft_v - f64::from(case.start.v_speed);
        if by_speed >= most {
            break;
        }
        let enough = enough(seconds, most);
        let (least, multipliers) = Problem::new(case, seconds, tank).maximise(warm, enough);
        warm = multipliers;
        if least < enough {
            durations.push(Duration { seconds, least });
        }
    }
    durations.sort_by(|a, b| a.least.total_cmp(&b.least));
    durations
}

/// The litres that exclude a duration: no less than `most`, or more than can be burnt in that time.
fn enough(seconds: u32, most: f64) -> f64 {
    most.min(f64::from(THRUST) * f64::from(seconds) + ROUNDING)
}

fn least(durations: &[Duration], most: f64) -> f64 {
    durations.first().map_or(most, |duration| duration.least)
}

/// A lower bound on the litres of a landing for which a gate matters, between `floor` and `most`.
fn by_gate(case: &Case, tank: Tank, gate: &Gate, durations: &[Duration], floor: f64, most: f64) -> f64 {
    let mut least = most;
    let (mut over, mut back) = (Pass::new(Way::Over), Pass::new(Way::Back));
    let (mut guesses, mut warm) = ([1; PLACES], WARM);
    for duration in durations {
        if duration.least >= least {
            break;
        }
        let mut problem = Problem::new(case, duration.seconds, tank);
        if gate.kind == Kind::Way {
            least = over.least(&mut problem, gate, duration, least, floor);
        } else {
            if duration.seconds > 1 {
                least = least.min(stays_before(&mut problem, gate, duration, least, &mut guesses, &mut warm));
            }
            // A flight that comes back has to get over it first.
            if least > floor && over.least(&mut problem, gate, duration, least, least) < least {
                least = back.least(&mut problem, gate, duration, least, floor);
            }
        }
        if least <= floor {
            return floor;
        }
    }
    least
}

/// The constraints on passing a gate in one direction.
struct Pass {
    way: Way,
    /// When it was passed with the least fuel.
    guess: usize,
    warm: [[f64; M]; 2],
}

impl Pass {
    fn new(way: Way) -> Pass {
        Pass { way, guess: 0, warm: [WARM; 2] }
    }

    /// The least litres of a landing after this duration that passes the gate, if they are fewer than `least`; any of those
    /// below `floor` will do.
    fn least(
        &mut self,
        problem: &mut Problem,
        gate: &Gate,
        duration: &Duration,
        mut least: f64,
        floor: f64,
    ) -> f64 {
        let mut order: Vec<_> = (0..duration.seconds as usize).collect();
        order.sort_by_key(|second| second.abs_diff(self.guess));
        for second in order {
            for (is_high_at_end, warm) in [false, true].into_iter().zip(&mut self.warm) {
                if !problem.set_places(&gate.passed(self.way, second, is_high_at_end)) {
                    continue;
                }
                let enough = enough(duration.seconds, least);
                let (found, multipliers) = problem.maximise(*warm, enough);
                *warm = multipliers;
                if found < enough {
                    (least, self.guess) = (found, second);
                }
                if least < floor {
                    return least;
                }
            }
        }
        least
    }
}

/// A lower bound on the litres of a landing that never passes a fence: the greatest found for one second at whose end it is
/// before the fence, another at whose end it isn't below the ground's lowest point there, and a third for the fence again.
/// `least` counts as enough.
fn stays_before(
    problem: &mut Problem,
    gate: &Gate,
    duration: &Duration,
    least: f64,
    guesses: &mut [usize; PLACES],
    warm: &mut [f64; M],
) -> f64 {
    let last = duration.seconds as usize - 1;
    let enough = enough(duration.seconds, least);
    let mut best = duration.least;
    let mut places = Vec::with_capacity(PLACES);
    for (turn, guess) in guesses.iter_mut().enumerate() {
        let of = |after: usize| if turn == 1 { gate.above_floor(after) } else { gate.stayed_before(after) };
        let mut step = last / 8 + 1;
        let mut tried = vec![(*guess).clamp(1, last.max(1))];
        tried.extend((1..=last).step_by(step));
        places.push(of(tried[0]));
        loop {
            for &after in &tried {
                places[turn] = of(after);
                if !problem.set_places(&places) {
                    return least;
                }
                let (found, multipliers) = problem.maximise(*warm, enough);
                *warm = multipliers;
                if found > best {
                    (best, *guess) = (found, after);
                }
                if best >= enough {
                    return least;
                }
            }
            if step == 1 {
                break;
            }
            step = step.div_ceil(2);
            tried = vec![guess.saturating_sub(step).max(1), (*guess + step).min(last.max(1))];
        }
        places[turn] = of(*guess);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use bots::lander::physics::flight::{Judging, Order};
    use bots::lander::physics::ground::Fate;
    use bots::lander::tools::cases::known::official;
    use bots::lander::tools::cases::terrain::Terrain;
    use contest::laws::cases;
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

    /// The published limit of 2.4, whose canyon the free flight goes through, is 552 litres left; 548 are found.
    #[test]
    fn the_canyon_is_known_to_the_bound_over_ground() {
        let case = &official()[4];
        assert_eq!((case.name.as_str(), case.limit), ("2.4", Some(552)));
        assert_eq!(bound(case), Some(Bound::Litres(216)));
        assert_eq!(bound_over_ground(case, Some(253)), Some(Bound::Litres(248)));
        // No more is proved than is asked for.
        assert_eq!(bound_over_ground(case, Some(240)), Some(Bound::Litres(240)));
    }

    /// The best flights found use no less than the bound over the ground.
    #[test]
    fn no_recorded_flight_uses_less() {
        for line in include_str!("../../tools/cases/records.txt").lines() {
            let mut words = line.split_whitespace();
            let (name, left) = (words.next().unwrap(), words.next().unwrap().parse::<i32>().unwrap());
            let case = official().into_iter().find(|case| case.name == name).unwrap();
            let used = case.start.fuel - left;
            let Some(Bound::Litres(least)) = bound_over_ground(&case, Some(used + 1)) else {
                panic!("{line}")
            };
            assert!(least <= used, "{}: {used} < {least}", case.name);
        }
    }

    /// Random pilots over a plain: those who land have used at least what the bound says.
    #[test]
    fn no_landing_uses_less() {
        let mut rng = Rng::new(1);
        let (mut landed, mut nearest) = (0, f64::INFINITY);
        for _ in 0..cases(40) {
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
