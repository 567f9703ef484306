//! Reads and writes both sides of the protocol.

use std::fmt::Write;
use std::io::BufRead;
use std::ops::RangeInclusive;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::Clock;

use crate::lander::physics::flight::{Observation, Order, LEAN, THRUST};
use crate::lander::physics::ground::{Ground, Point, POINTS};

/// The clock of a bot, with the platform's time limits.
pub const CLOCK: Clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(100));

/// Range of x for points of the ground and, rounded, for a lander, in metres.
pub const X: RangeInclusive<i32> = 0..=7000;
/// Range of y, in metres.
pub const Y: RangeInclusive<i32> = 0..=3000;
/// Range of speeds, in m/s. A start has less than 500; within the zone that can grow to 555.
pub const SPEED: RangeInclusive<i32> = -600..=600;
/// Range of the fuel, in litres.
pub const FUEL: RangeInclusive<i32> = 0..=2000;

/// The lines before the first turn.
pub fn write_init(points: &[Point]) -> String {
    let mut text = format!("{}\n", points.len());
    for point in points {
        let _ = writeln!(text, "{} {}", point.x, point.y);
    }
    text
}

/// Reads the output of [`write_init`].
///
/// # Errors
/// If the input ends or is malformed, or the ground has no flat.
pub fn read_init<R: BufRead>(input: &mut Input<R>) -> Result<Ground, InputError> {
    let count = numbers(input.line()?).filter(|&[count]: &[i32; 1]| {
        let count = usize::try_from(count).unwrap_or(0);
        (POINTS.0..=POINTS.1).contains(&count)
    });
    let Some([count]) = count else {
        return Err(
            input.malformed(&format!("the number of the ground's points, {} to {}", POINTS.0, POINTS.1))
        );
    };
    let mut points = Vec::with_capacity(POINTS.1);
    for _ in 0..count {
        match numbers(input.line()?) {
            Some([x, y]) if X.contains(&x) && Y.contains(&y) => points.push(Point { x, y }),
            _ => return Err(input.malformed("a point of the ground, X 0 to 7000 and Y 0 to 3000")),
        }
    }
    Ground::new(&points)
        .map_err(|error| input.malformed(&format!("the last point of a ground to land on ({error})")))
}

/// The line of a turn.
pub fn write_turn(told: &Observation) -> String {
    let Observation { x, y, h_speed, v_speed, fuel, rotate, power } = told;
    format!("{x} {y} {h_speed} {v_speed} {fuel} {rotate} {power}\n")
}

/// Reads the output of [`write_turn`].
///
/// # Errors
/// If the input ends or is malformed.
pub fn read_turn<R: BufRead>(input: &mut Input<R>) -> Result<Observation, InputError> {
    let Some([x, y, h_speed, v_speed, fuel, rotate, power]) = numbers(input.line()?) else {
        return Err(input.malformed("seven whole numbers, X Y hSpeed vSpeed fuel rotate power"));
    };
    let ranges = [
        ("X", x, X),
        ("Y", y, Y),
        ("hSpeed", h_speed, SPEED),
        ("vSpeed", v_speed, SPEED),
        ("fuel", fuel, FUEL),
        ("rotate", rotate, -LEAN..=LEAN),
        ("power", power, 0..=THRUST),
    ];
    for (name, number, range) in ranges {
        if !range.contains(&number) {
            return Err(input.malformed(&format!("{name} {} to {}", range.start(), range.end())));
        }
    }
    Ok(Observation { x, y, h_speed, v_speed, fuel, rotate, power })
}

/// The format of an answer, for error messages.
pub const ANSWER_FORM: &str = "ROTATE POWER with a ROTATE of -90 to 90 and a POWER of 0 to 4";

/// Writes an answer.
pub fn write_answer(order: Order) -> String {
    format!("{} {}", order.rotate, order.power)
}

/// Parses `rotate power`; `None` if it is malformed or out of range.
pub fn read_answer(line: &str) -> Option<Order> {
    let [rotate, power] = numbers(line)?;
    let order = Order { rotate, power };
    ((-LEAN..=LEAN).contains(&rotate) && (0..=THRUST).contains(&power)).then_some(order)
}

/// Parses a line of exactly `N` whole numbers.
fn numbers<const N: usize>(line: &str) -> Option<[i32; N]> {
    let mut words = line.split_ascii_whitespace();
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    words.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn init(text: &str) -> Result<Ground, String> {
        read_init(&mut Input::new(text.as_bytes())).map_err(|error| error.to_string())
    }

    fn turn(text: &str) -> Result<Observation, String> {
        read_turn(&mut Input::new(text.as_bytes())).map_err(|error| error.to_string())
    }

    const GROUND: &str = "3\n0 100\n1500 100\n6999 2000\n";

    #[test]
    fn what_is_written_can_be_read() {
        let ground = init(GROUND).expect("a ground");
        assert_eq!(write_init(ground.points()), GROUND);
        assert_eq!(ground.flat(), (0.0, 1500.0, 100.0));
        let line = "2500 2700 -5 -40 550 -90 4\n";
        let told = turn(line).expect("a turn");
        assert_eq!((told.x, told.rotate, write_turn(&told).as_str()), (2500, -90, line));
        assert_eq!(turn(" 2500  2700 -5 -40 550 -90 4\r\n").as_ref(), Ok(&told));
        for order in [Order { rotate: -90, power: 0 }, Order { rotate: 15, power: 4 }] {
            assert_eq!(read_answer(&write_answer(order)), Some(order));
        }
    }

    #[test]
    fn a_line_that_makes_no_sense_is_named() {
        let wrong = |text: &str, expected: &str| {
            let error = init(text).expect_err(text);
            assert!(error.starts_with(expected), "{error}");
        };
        wrong("1\n0 1\n", "input line 1: expected the number of the ground's points, 2 to 30, found \"1\"");
        wrong("-1\n", "input line 1");
        wrong("99999999999\n", "input line 1");
        wrong(
            "2\n0 1\n7001 1\n",
            "input line 3: expected a point of the ground, X 0 to 7000 and Y 0 to 3000",
        );
        wrong("2\n0 1 1\n", "input line 2: expected a point");
        wrong("2\n0 1\n6999 2\n", "input line 3: expected the last point of a ground to land on (no flat");
        wrong("2\n0 1\n6999 ", "the input ended");
        wrong("", "the input ended");
        let wrong = |text: &str, expected: &str| assert_eq!(turn(text).expect_err(text), expected);
        wrong("1 2 3 4 5 6\n", "input line 1: expected seven whole numbers, X Y hSpeed vSpeed fuel rotate power, found \"1 2 3 4 5 6\"");
        wrong("1 2 3 4 5 6 5\n", "input line 1: expected power 0 to 4, found \"1 2 3 4 5 6 5\"");
        wrong("1 2 3 4 2001 6 4\n", "input line 1: expected fuel 0 to 2000, found \"1 2 3 4 2001 6 4\"");
        wrong("1 2 3 4 5 6 4", "the input ended");
        for answer in ["", "1", "1 2 3", "91 0", "0 5", "0 -1", "a b", "0 4.0"] {
            assert_eq!(read_answer(answer), None, "{answer}");
        }
    }
}
