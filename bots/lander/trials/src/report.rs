//! Reports a flight in one line, as text or JSON.

use serde::Serialize;

use super::bound::Bound;
use super::trial::FlightResult;
use coppice_arena::subcommand::millis;
use coppice_arena::Times;

/// Above the lines.
pub const HEADING: &str = "\
case      run bot  left  used  times known limit bound turns  hSpeed  vSpeed  first ms   50 %   99 %  100 %  ending";

/// Legend below the table.
pub const LEGEND: &str = "\
left, used: litres; times: used by the least that a landing takes; known, limit: the most litres left that anybody is known
to have had, and the published limit; bound: no landing leaves more (ground left out; none: it can't be landed);
50, 99, 100 %: the answers behind the first, in ms";

/// The line of a flight.
pub fn line(flown: &FlightResult) -> String {
    let case = &flown.task.course.case;
    let now = flown.flight.now();
    let landed = flown.has_landed();
    let (first, later) = times(flown);
    let number = |value: Option<i32>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    let bound = match flown.bound {
        Some(Bound::Impossible) => "none".to_owned(),
        _ => number(flown.least_fuel().map(|litres| case.start.fuel - litres)),
    };
    let ratio = flown
        .least_fuel()
        .filter(|&least| landed && least > 0)
        .map(|least| f64::from(flown.fuel_used()) / f64::from(least));
    let ratio = ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.3}"));
    let left = if landed { number(Some(now.fuel)) } else { "-".to_owned() };
    format!(
        "{:<9} {:>3} {:<3} {left:>5} {:>5} {ratio:>6} {:>5} {:>5} {bound:>5} {:>5} {:>7.2} {:>7.2} {first:>9.1} \
         {:>6.1} {:>6.1} {:>6.1}  {}",
        case.name,
        flown.task.run,
        flown.task.bot,
        flown.fuel_used(),
        number(case.best_known),
        number(case.limit),
        flown.turns(),
        now.h_speed,
        now.v_speed,
        later.p50_ms,
        later.p99_ms,
        later.max_ms,
        flown.ending(),
    )
}

/// The first answer and the later ones.
pub fn times(flown: &FlightResult) -> (f64, Times) {
    let times_ms = flown.times.iter().map(|&time| millis(time)).collect::<Vec<_>>();
    match times_ms.split_first() {
        Some((&first, later)) => (first, Times::of(later)),
        None => (0.0, Times::default()),
    }
}

/// A flight for scripts.
#[derive(Debug, Serialize)]
pub struct FlightRecord<'a> {
    case: &'a str,
    title: &'a str,
    run: u32,
    bot: &'a str,
    command: &'a str,
    landed: bool,
    /// At speeds within the limits before rounding.
    landed_strict: bool,
    /// In words.
    ending: String,
    x: f64,
    y: f64,
    h_speed: f64,
    v_speed: f64,
    rotate: i32,
    turns: usize,
    fuel: i32,
    fuel_left: i32,
    fuel_used: i32,
    /// Of a landing.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_fuel: Option<i32>,
    /// Proved.
    impossible: bool,
    best_known_fuel_left: Option<i32>,
    physical_limit_fuel_left: Option<i32>,
    first_ms: f64,
    later_ms: Times,
    cpu_ms: Option<f64>,
    peak_memory_bytes: Option<u64>,
    /// As the protocol has it.
    orders: Vec<[i32; 2]>,
}

impl<'a> From<&'a FlightResult> for FlightRecord<'a> {
    fn from(flown: &'a FlightResult) -> Self {
        let case = &flown.task.course.case;
        let now = flown.flight.now();
        let (first_ms, later_ms) = times(flown);
        Self {
            case: &case.name,
            title: &case.title,
            run: flown.task.run,
            bot: &flown.task.bot,
            command: &flown.task.command,
            landed: flown.has_landed(),
            landed_strict: flown.is_strict_landing(),
            ending: flown.ending(),
            x: now.x,
            y: now.y,
            h_speed: now.h_speed,
            v_speed: now.v_speed,
            rotate: now.rotate,
            turns: flown.turns(),
            fuel: case.start.fuel,
            fuel_left: now.fuel,
            fuel_used: flown.fuel_used(),
            least_fuel: flown.least_fuel(),
            impossible: flown.is_hopeless(),
            best_known_fuel_left: case.best_known,
            physical_limit_fuel_left: case.limit,
            first_ms,
            later_ms,
            cpu_ms: flown.usage.cpu.map(millis),
            peak_memory_bytes: flown.usage.peak_memory_bytes,
            orders: flown.flight.states[1..].iter().map(|state| [state.rotate, state.power]).collect(),
        }
    }
}
