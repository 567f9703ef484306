//! Laws of the shooting method, and facts of its solutions.

use super::*;
use coppice::Rng;

const SECONDS_OF_FLIGHT: usize = 63;

fn start() -> Lander {
    Lander { x: 2500.0, y: 2700.0, h_speed: 0.0, v_speed: 0.0, fuel: 550, rotate: 0, power: 0 }
}

/// 63 seconds of full thrust but for a pause, under these conditions.
fn solved(conditions: &[Condition]) -> Shooting {
    let mut shooting = Shooting { seconds: SECONDS_OF_FLIGHT, ..Shooting::default() };
    shooting.powers[..SECONDS_OF_FLIGHT].fill(4);
    shooting.powers[2..13].fill(0);
    shooting.set_conditions(conditions);
    shooting.start(&start(), 0);
    shooting
}

fn place(when: f64, towards: (f64, f64), least: f64) -> Condition {
    Condition { of: Quantity::Place(when), towards, least }
}

fn conditions() -> [Condition; 5] {
    [
        Condition { of: Quantity::Speed, towards: (1.0, 0.0), least: -20.0 },
        Condition { of: Quantity::Speed, towards: (-1.0, 0.0), least: -20.0 },
        place(SECONDS_OF_FLIGHT as f64, (0.0, -1.0), -150.0),
        place(62.3, (1.0, 0.0), 3800.0),
        place(30.5, (0.6, 0.8), 2850.0),
    ]
}

/// The state after thrusting along these directions, and the exceedances of the conditions.
fn flown(shooting: &Shooting, towards: impl Fn(usize) -> (f64, f64)) -> (f64, Vec<f64>) {
    let Lander { mut x, mut y, mut h_speed, mut v_speed, .. } = start();
    let mut places = vec![(x, y)];
    for second in 0..shooting.seconds {
        let (right, up) = towards(second);
        let power = f64::from(shooting.powers[second]);
        let (a_h, a_v) = (power * right, power * up - GRAVITY);
        (x, y) = (x + h_speed + 0.5 * a_h, y + v_speed + 0.5 * a_v);
        (h_speed, v_speed) = (h_speed + a_h, v_speed + a_v);
        places.push((x, y));
    }
    places.push((x, y));
    let over = shooting.conditions().iter().map(|condition| {
        let at = match condition.of {
            Quantity::Speed => (h_speed, v_speed),
            Quantity::Place(when) => {
                let (a, b, share) = (places[when as usize], places[when as usize + 1], when.fract());
                (a.0 + share * (b.0 - a.0), a.1 + share * (b.1 - a.1))
            }
        };
        dot(at, condition.towards) - condition.least
    });
    (v_speed, over.collect())
}

/// Lengths that are rounded off are longer, so the bound of the final speed is higher, but by little.
#[test]
fn rounding_off_raises_the_final_speed_a_little() {
    let mut shooting = solved(&conditions());
    let exact = shooting.solve(-1e9).expect("no need");
    let mut before = exact;
    for round_off in [0.01, 0.1, 0.3] {
        shooting.round_off = round_off;
        let speed = shooting.solve(-1e9).expect("no need");
        let thrust = f64::from(shooting.powers[..SECONDS_OF_FLIGHT].iter().sum::<i32>());
        assert!(speed > before && speed <= exact + round_off * thrust, "{exact} {before} {speed}");
        before = speed;
    }
}

#[test]
fn the_solution_meets_its_conditions_and_ends_as_it_says() {
    let mut shooting = solved(&conditions());
    let speed = shooting.solve(f64::NEG_INFINITY).expect("a solution");
    let (v_speed, over) = flown(&shooting, |second| shooting.thrust(second).0);
    assert!((speed - v_speed).abs() < 0.01, "{speed} {v_speed}");
    for (over, multiplier) in over.iter().zip(shooting.multipliers) {
        // A condition that binds is met exactly, to within what is worth 2 cm/s at the end.
        assert!(*over > -1.0 && over.abs() * multiplier < 0.02, "{over} {multiplier}");
    }
    assert!(
        shooting.multipliers[..5].iter().filter(|&&multiplier| multiplier > 1e-4).count() >= 2,
        "{over:?}"
    );
    assert!(shooting.solve(speed + 0.01).is_err());
}

/// Duality: whatever the leans are, who meets the conditions isn't faster upwards.
#[test]
fn no_other_directions_end_better() {
    let mut shooting = solved(&conditions());
    let speed = shooting.solve(f64::NEG_INFINITY).expect("a solution");
    let mut rng = Rng::new(1);
    let mut met = 0;
    for _ in 0..20_000 {
        let turns: Vec<f64> = (0..3).map(|_| f64::from(rng.below(200)) / 1000.0 - 0.1).collect();
        let (v_speed, over) = flown(&shooting, |second| {
            let by = turns[second / 22];
            let (right, up) = shooting.thrust(second).0;
            (right * by.cos() - up * by.sin(), right * by.sin() + up * by.cos())
        });
        // The arcs at both ends are left by a little.
        if over.iter().all(|&over| over >= 0.0) {
            met += 1;
            assert!(v_speed <= speed + 0.3, "{v_speed} {speed}");
        }
    }
    assert!(met > 10, "{met}");
}

/// The end then makes up for what is missed: a metre costs `dearest`.
#[test]
fn a_condition_that_cannot_be_met_is_missed_if_multipliers_are_limited() {
    let mut shooting = solved(&[place(50.0, (1.0, 0.0), 20_000.0)]);
    shooting.dearest = 1.0;
    let value = shooting.solve(f64::NEG_INFINITY).expect("a solution");
    let (v_speed, over) = flown(&shooting, |second| shooting.thrust(second).0);
    assert_eq!(shooting.multipliers[0], 1.0);
    assert!((value - v_speed - over[0]).abs() < 0.01, "{value} {v_speed} {over:?}");
    // Nearly as far to the right as the thrust goes.
    assert!(over[0] > -16_000.0, "{over:?}");
    shooting.dearest = f64::INFINITY;
    assert!(shooting.solve(-1000.0).is_err());
}

#[test]
fn what_cannot_be_done_is_recognised() {
    let far = place(50.0, (1.0, 0.0), 20_000.0);
    assert!(solved(&[far]).solve(-1000.0).is_err());
}
