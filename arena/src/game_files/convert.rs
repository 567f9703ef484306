//! Converts a finished game of any program into a record.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Item, NoGame};
use coppice_referee::bot::data::BotData;
use coppice_referee::game::fault::{Ending, FaultReport};
use coppice_referee::record::{BotRecord, GameRecord, RunRecord};
use coppice_stats::Scoring;

/// The fields that aren't attributes.
const KNOWN: [&str; 14] = [
    "bots",
    "scores",
    "ranks",
    "errors",
    "group",
    "game",
    "ending",
    "times_ms",
    "data",
    "player_data",
    "test_data",
    "opening",
    "moves",
    "contest",
];

/// A record of this program.
pub(super) fn own(record: GameRecord) -> Item {
    let (group, seed) = (Some(record.group.to_string()), Some(record.seed.to_string()));
    Item { record, group, seed }
}

/// Reads a game of any program; `number` is used if the game has no number.
///
/// # Errors
/// If the value isn't a finished game; the error says what was expected.
pub(super) fn game(value: Value, number: u32) -> Result<Item, NoGame> {
    let Value::Object(object) = value else { return Err("expected a JSON object".into()) };
    if object.contains_key("run") && object.contains_key("faults") {
        if let Ok(record) = GameRecord::deserialize(&Value::Object(object.clone())) {
            return Ok(own(record));
        }
    }
    let bots = list(&object, "bots")?.ok_or("expected \"bots\", a name for each seat")?;
    let bots = bots.iter().map(bot).collect::<Option<Vec<_>>>();
    let bots = bots.filter(|bots| !bots.is_empty()).ok_or("expected \"bots\" to be a list of names")?;
    let seats = bots.len();
    let is_twice = |(seat, bot): (usize, &BotRecord)| bots[..seat].iter().any(|other| other.name == bot.name);
    if bots.iter().enumerate().any(is_twice) {
        return Err("a bot is on two seats".into());
    }
    let scores = scores(&object, seats)?;
    let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let ending = object.get("ending").map(|value| Ending::deserialize(value).map_err(|_| value));
    let mut attributes = BTreeMap::new();
    let fields = object.iter().filter(|(name, _)| !KNOWN.contains(&name.as_str()));
    let of_test = object.get("test_data").and_then(Value::as_object).into_iter().flatten();
    for (name, value) in fields.chain(of_test) {
        attributes.extend(plain(value).map(|text| (name.clone(), text)));
    }
    if let Some(Err(other)) = &ending {
        attributes.extend(plain(other).map(|text| ("ending".to_owned(), text)));
    }
    let ending = ending.and_then(Result::ok);
    let failed = object.get("errors").and_then(Value::as_array).cloned().unwrap_or_default();
    let has_failed =
        |value: &Value| value.as_bool().unwrap_or_else(|| value.as_i64().is_some_and(|n| n != 0));
    let faults = failed.iter().take(seats).enumerate().filter(|(_, value)| has_failed(value));
    let faults = faults.map(|(seat, _)| fault(&bots[seat].name, seat)).collect::<Vec<_>>();
    let (seed, group) = (key(&object, "seed")?, key(&object, "group")?);
    let record = GameRecord {
        input: None,
        best: None,
        game: object
            .get("game")
            .and_then(Value::as_u64)
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(number),
        group: 0,
        contest: text("contest"),
        run: plain_run(),
        seed: seed.as_ref().and_then(|seed| seed.parse().ok()).unwrap_or(0),
        opening: text("opening"),
        moves: text("moves"),
        scores,
        ending: ending.unwrap_or(if faults.is_empty() { Ending::Normal } else { Ending::Failed }),
        faults,
        times_ms: times(&object, seats),
        usage: Vec::new(),
        data: data(&object, seats),
        attributes,
        seed_text: None,
        turns: Vec::new(),
        bots,
    };
    Ok(Item { record, group, seed })
}

fn list<'a>(object: &'a Map<String, Value>, name: &str) -> Result<Option<&'a Vec<Value>>, NoGame> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(list)) => Ok(Some(list)),
        Some(_) => Err(format!("expected \"{name}\" to be a list").into()),
    }
}

fn bot(value: &Value) -> Option<BotRecord> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let name = value.as_str().map(str::to_owned).or_else(|| text("name"))?;
    Some(BotRecord { name, command: text("command").unwrap_or_default(), hash: text("hash") })
}

/// Points by seat. Ranks, and points that aren't whole numbers, count by their order alone.
fn scores(object: &Map<String, Value>, seats: usize) -> Result<Vec<i64>, NoGame> {
    let (name, sign) = if object.contains_key("scores") { ("scores", 1.0) } else { ("ranks", -1.0) };
    let values = list(object, name)?.ok_or("expected \"scores\" or \"ranks\", a number for each seat")?;
    let numbers = values.iter().map(Value::as_f64).collect::<Option<Vec<_>>>();
    let wrong = || format!("expected \"{name}\" to be a list of {seats} numbers");
    let numbers = numbers.filter(|numbers| numbers.len() == seats).ok_or_else(wrong)?;
    if let (1.0, Some(whole)) = (sign, values.iter().map(Value::as_i64).collect::<Option<Vec<_>>>()) {
        return Ok(whole);
    }
    let behind = |mine: &f64| numbers.iter().filter(|other| sign * **other < sign * mine).count() as i64;
    Ok(numbers.iter().map(behind).collect())
}

fn times(object: &Map<String, Value>, seats: usize) -> Vec<Vec<f64>> {
    let of_seat = |value: &Value| {
        let times = value.as_array().into_iter().flatten().filter_map(Value::as_f64);
        times.filter(|time| *time >= 0.0).collect::<Vec<_>>()
    };
    let times = object.get("times_ms").and_then(Value::as_array).into_iter().flatten();
    let mut times = times.map(of_seat).collect::<Vec<_>>();
    times.resize(seats, Vec::new());
    times
}

fn data(object: &Map<String, Value>, seats: usize) -> Vec<BotData> {
    let mut data = vec![BotData::default(); seats];
    for name in ["data", "player_data"] {
        let of_seats = object.get(name).and_then(Value::as_array).into_iter().flatten();
        for (data, value) in data.iter_mut().zip(of_seats) {
            if value.get("pdata").or(value.get("tdata")).is_some_and(Value::is_object) {
                *data = BotData::deserialize(value).unwrap_or_default();
                continue;
            }
            for (name, value) in value.as_object().into_iter().flatten() {
                value.as_f64().into_iter().for_each(|value| data.add_game(name, value));
            }
        }
    }
    match data.iter().all(BotData::is_empty) {
        true => Vec::new(),
        false => data,
    }
}

/// Numbers from here on aren't exact if they aren't read as whole numbers of 64 bits: 2^53.
const INEXACT: f64 = 9_007_199_254_740_992.0;

/// A number or text that games of a sample share. Different numbers must not become the same.
fn key(object: &Map<String, Value>, name: &str) -> Result<Option<String>, NoGame> {
    let Some(value) = object.get(name) else { return Ok(None) };
    if value.is_f64() && value.as_f64().is_some_and(|number| number.abs() >= INEXACT) {
        return Err(format!(
            "expected \"{name}\" to be a whole number of 64 bits, or a text: put a larger number in quotes"
        )
        .into());
    }
    Ok(plain(value))
}

/// A number, text or truth value as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

fn fault(bot: &str, seat: usize) -> FaultReport {
    FaultReport {
        bot: bot.to_owned(),
        seat,
        turn: 0,
        after_answer: false,
        ending: Ending::Failed,
        expected: "a game to its end".to_owned(),
        received: "the file says that it failed".to_owned(),
        stderr: String::new(),
        is_idle: false,
    }
}

fn plain_run() -> RunRecord {
    RunRecord {
        seed: 0,
        openings: String::new(),
        first_ms: 0.0,
        later_ms: 0.0,
        cpu_limit_ms: None,
        memory_limit_bytes: None,
        referee: None,
        seating: None,
        scoring: Scoring::default(),
    }
}
