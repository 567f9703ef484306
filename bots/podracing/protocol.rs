//! Reads and writes both sides of the protocol.

use std::fmt::Write;
use std::io::BufRead;
use std::ops::RangeInclusive;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::Clock;

use super::pod::{Order, Pod, Power, MAX_THRUST};
use super::race::{team, Race, PODS};
use super::track::{Track, MAX_CHECKPOINTS, MIN_CHECKPOINTS};

/// The platform's time limit for the first answer.
pub const FIRST: Duration = Duration::from_millis(1000);
/// The clock of a bot, with the platform's time limits.
pub const CLOCK: Clock = Clock::new(FIRST, Duration::from_millis(75));

/// Range of the number of laps.
const LAPS: RangeInclusive<i32> = 1..=20;
/// Range of a checkpoint's coordinates; the map is 16,000 by 9,000.
const COORDINATE: RangeInclusive<i32> = -30_000..=30_000;
/// Range of a pod's coordinates and speeds: 500 turns of boosts and shields stay within.
const PLACE: RangeInclusive<i32> = -10_000_000..=10_000_000;
/// Range of a pod's angle; -1 before the first turn of its nose.
const ANGLE: RangeInclusive<i32> = -1..=360;
/// The most digits of a number in an answer.
const MAX_DIGITS: usize = 9;

/// A pod as a turn tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// The centre's x.
    pub x: i32,
    /// The centre's y.
    pub y: i32,
    /// The speed to the right.
    pub vx: i32,
    /// The speed downwards.
    pub vy: i32,
    /// The nose's angle in degrees, 0 to 360; -1 before its first turn.
    pub angle: i32,
    /// The number of the next checkpoint.
    pub next: usize,
}

impl Told {
    /// A turn's line about a pod.
    pub fn of(pod: &Pod, track: &Track) -> Told {
        let [x, y, vx, vy] = [pod.x, pod.y, pod.vx, pod.vy].map(|value| value as i32);
        Told { x, y, vx, vy, angle: pod.degrees(), next: track.next(pod.passed) }
    }
}

/// The lines before the first turn.
pub fn write_init(track: &Track) -> String {
    let mut text = format!("{}\n{}\n", track.laps(), track.count());
    for [x, y] in track.points() {
        let _ = writeln!(text, "{x} {y}");
    }
    text
}

/// Reads the output of [`write_init`].
///
/// # Errors
/// If the input ends or is malformed.
pub fn read_init<R: BufRead>(input: &mut Input<R>) -> Result<Track, InputError> {
    let laps = numbers(input.line()?).filter(|[laps]| LAPS.contains(laps));
    let Some([laps]) = laps else {
        return Err(input.malformed("the number of laps, 1 to 20"));
    };
    let count = numbers(input.line()?).map_or(-1, |[count]| count);
    if !(MIN_CHECKPOINTS as i32..=MAX_CHECKPOINTS as i32).contains(&count) {
        return Err(input.malformed("the number of checkpoints, 2 to 8"));
    }
    let mut points = [[0; 2]; MAX_CHECKPOINTS];
    let points = &mut points[..count as usize];
    for point in points.iter_mut() {
        match numbers(input.line()?) {
            Some([x, y]) if COORDINATE.contains(&x) && COORDINATE.contains(&y) => {
                *point = [x as i16, y as i16];
            }
            _ => return Err(input.malformed("a checkpoint, x y, each -30000 to 30000")),
        }
    }
    Track::new(points, laps as u8).ok_or_else(|| input.malformed("a track"))
}

/// Reads a checkpoint's coordinate; `None` if it is malformed or too large.
pub fn read_coordinate(word: &str) -> Option<i16> {
    let number = word.parse().ok().filter(|number| COORDINATE.contains(number))?;
    i16::try_from(number).ok()
}

/// The lines of a turn for a team: its pods, then the others.
pub fn write_turn(race: &Race, seat: usize) -> String {
    let mut text = String::new();
    let own = (0..PODS).filter(|&i| team(i) == seat);
    for i in own.chain((0..PODS).filter(|&i| team(i) != seat)) {
        let Told { x, y, vx, vy, angle, next } = Told::of(&race.pods[i], &race.track);
        let _ = writeln!(text, "{x} {y} {vx} {vy} {angle} {next}");
    }
    text
}

/// Reads the output of [`write_turn`].
///
/// # Errors
/// If the input ends or is malformed.
pub fn read_turn<R: BufRead>(input: &mut Input<R>, track: &Track) -> Result<[Told; PODS], InputError> {
    let mut pods = [Told { x: 0, y: 0, vx: 0, vy: 0, angle: 0, next: 0 }; PODS];
    for pod in &mut pods {
        let Some([x, y, vx, vy, angle, next]) = numbers(input.line()?) else {
            return Err(input.malformed("six whole numbers, x y vx vy angle nextCheckPointId"));
        };
        if [x, y, vx, vy].iter().any(|value| !PLACE.contains(value)) {
            return Err(input.malformed("places and speeds of -10000000 to 10000000"));
        }
        if !ANGLE.contains(&angle) {
            return Err(input.malformed("an angle of -1 to 360, as the fifth number"));
        }
        let next = usize::try_from(next).ok().filter(|&next| next < track.count());
        let Some(next) = next else {
            let last = track.count() - 1;
            return Err(input.malformed(&format!("a nextCheckPointId of 0 to {last}, as the sixth number")));
        };
        *pod = Told { x, y, vx, vy, angle, next };
    }
    Ok(pods)
}

/// The format of an answer, for error messages.
pub const ANSWER_FORM: &str =
    "two lines, each X Y POWER with a POWER of 0 to 200, SHIELD or BOOST, and X and Y of at most 9 digits";

/// Writes an answer: a line for each pod, without the last newline.
pub fn write_answer(orders: [Order; 2]) -> String {
    let line = |Order { x, y, power }: Order| match power {
        Power::Thrust(thrust) => format!("{x} {y} {thrust}"),
        Power::Shield => format!("{x} {y} SHIELD"),
        Power::Boost => format!("{x} {y} BOOST"),
    };
    orders.map(line).join("\n")
}

/// Parses an answer's line; `None` if it is malformed. Text may follow.
pub fn read_order(line: &str) -> Option<Order> {
    let mut words = line.split_ascii_whitespace();
    let mut number = || {
        let word = words.next()?;
        let digits = word.strip_prefix('-').unwrap_or(word);
        let is_number = !digits.is_empty()
            && digits.len() <= MAX_DIGITS
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| word.parse::<i32>().ok())?
    };
    let (x, y) = (number()?, number()?);
    let power = match words.clone().next()? {
        "SHIELD" => Power::Shield,
        "BOOST" => Power::Boost,
        _ => {
            let thrust = words.next()?;
            let is_number = thrust.len() <= MAX_DIGITS && thrust.bytes().all(|byte| byte.is_ascii_digit());
            let thrust = thrust.parse::<u32>().ok().filter(|_| is_number)?;
            Power::Thrust(u8::try_from(thrust).ok().filter(|&thrust| thrust <= MAX_THRUST)?)
        }
    };
    Some(Order { x, y, power })
}

/// Parses an answer of two lines. The orders before the first malformed line act; `Err` has those.
///
/// # Errors
/// If a line is malformed, missing or too many.
pub fn read_answer(answer: &str) -> Result<[Order; 2], Vec<Order>> {
    let mut orders = Vec::new();
    for line in answer.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)) {
        match read_order(line) {
            Some(order) if orders.len() < 2 => orders.push(order),
            _ => return Err(orders),
        }
    }
    orders.try_into()
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
    use crate::podracing::tools::maps;

    fn input(text: &str) -> Input<&[u8]> {
        Input::new(text.as_bytes())
    }

    fn malformed(text: &str) -> String {
        let mut input = input(text);
        let track = match read_init(&mut input) {
            Ok(track) => track,
            Err(error) => return error.to_string(),
        };
        read_turn(&mut input, &track).expect_err(text).to_string()
    }

    #[test]
    fn what_is_written_can_be_read() {
        for seed in 0..20 {
            let track = maps::track(seed);
            let mut race = Race::new(track);
            assert_eq!(read_init(&mut input(&write_init(&track))).expect("a track"), track);
            for turn in 0..10 {
                let told = read_turn(&mut input(&write_turn(&race, 1)), &track).expect("a turn");
                let expected = [2, 3, 0, 1].map(|i: usize| Told::of(&race.pods[i], &track));
                assert_eq!(told, expected);
                for pod in &mut race.pods {
                    pod.follow(Order { x: 8000 + turn, y: 4500, power: Power::Thrust(150) });
                }
                race.advance();
            }
        }
    }

    #[test]
    fn answers_are_read_or_refused() {
        let shield = Order { x: -5, y: 999_999_999, power: Power::Shield };
        let thrust = Order { x: 0, y: 7, power: Power::Thrust(200) };
        assert_eq!(read_answer(&write_answer([shield, thrust])), Ok([shield, thrust]));
        assert_eq!(read_answer("-5 999999999 SHIELD go go\r\n0 007 200 x\r"), Ok([shield, thrust]));
        for wrong in
            ["1 2 201", "1 2 -1", "1 2", "1 2.5 3", "1 1234567890 3", "1 2 shield", "", "+1 2 3", "1 2 +3"]
        {
            assert_eq!(read_order(wrong), None, "{wrong}");
            assert_eq!(read_answer(&format!("0 7 200\n{wrong}")), Err(vec![thrust]), "{wrong}");
        }
        assert_eq!(read_answer("0 7 200"), Err(vec![thrust]));
        assert_eq!(read_answer("0 7 200\n0 7 200\n0 7 200"), Err(vec![thrust; 2]));
    }

    #[test]
    fn a_line_that_makes_no_sense_is_named() {
        for (text, expected) in [
            ("0\n", "input line 1: expected the number of laps, 1 to 20, found \"0\""),
            ("3\n0\n", "input line 2: expected the number of checkpoints, 2 to 8, found \"0\""),
            ("3\n9\n", "input line 2: expected the number of checkpoints"),
            ("3\n2\n1 2\n1\n", "input line 4: expected a checkpoint"),
            ("3\n2\n1 2\n1 70000\n", "input line 4: expected a checkpoint"),
            ("3\n2\n1 2\n3 4\n0 0 0 0 0 2\n", "input line 5: expected a nextCheckPointId of 0 to 1"),
            ("3\n2\n1 2\n3 4\n0 0 0 0 361 1\n", "input line 5: expected an angle"),
            ("3\n2\n1 2\n3 4\n0 0 0 0 1\n", "input line 5: expected six whole numbers"),
            ("3\n2\n1 2\n3 4\n0 99999999 0 0 1 0\n", "input line 5: expected places"),
            ("3\n2\n1 2\n3 4\n0 0 0 0 1 0\n", "the input ended"),
        ] {
            let error = malformed(text);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
