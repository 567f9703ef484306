//! Reads what a referee prints: a score a line, or JSON.
//!
//! The first form is that of cg-brutaltester: one whole number per player, higher is better, negative for a bot that
//! failed; then lines `NAME=VALUE`, among them the seed. Lines before the first number are skipped.
//!
//! The second is an object: `scores`, or `ranks` from 0 for the best (as in psyleague and cgarena); and, where the
//! referee has them, `errors` (0 or 1 per player), `seed`, `player_data` (an object per player), `test_data`, and
//! `attributes` (`name`, `player`, `turn`, `value`).

use std::collections::BTreeMap;

use contest::utf8;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::bot::data::{BotData, Spread};
use crate::text::printable;

/// Lines of skipped text in a message.
const SHOWN_LINES: usize = 3;

/// The reason, as a sentence, why a referee's output has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct NoResult(String);

/// The result of a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Output {
    /// Points by seat.
    pub scores: Vec<i64>,
    /// The bots that are said to have failed; `None` if only negative scores say so.
    pub errors: Option<Vec<bool>>,
    /// The seed that the referee says it played.
    pub seed: Option<String>,
    /// The text before the result, shortened.
    pub skipped: Option<String>,
    /// The numbers of each bot.
    pub data: Vec<BotData>,
    /// Properties of the game as text, by name.
    pub attributes: BTreeMap<String, String>,
}

impl Output {
    /// Reads the output of a game with `seats` players.
    ///
    /// # Errors
    /// If the output isn't the result of a game; the error says what was expected.
    pub(super) fn read(bytes: &[u8], seats: usize) -> Result<Self, NoResult> {
        let text = String::from_utf8_lossy(utf8::without_mark(bytes));
        let lines = text.lines().map(str::trim).collect::<Vec<_>>();
        if lines.iter().all(|line| line.is_empty()) {
            return Err(NoResult(format!("it printed nothing, instead of {seats} scores")));
        }
        let is_score = |line: &&str| *line == "null" || line.parse::<i64>().is_ok();
        let first = lines.iter().position(|line| is_score(line) || line.starts_with(['{', '[']));
        let not_whole =
            || lines.iter().find(|line| is_number_but_no_score(line)).map(|line| not_a_score(line));
        let Some(first) = first else {
            let none =
                format!("it printed no score, instead of {seats}, each a whole number on a line of its own");
            return Err(NoResult(not_whole().unwrap_or(none)));
        };
        let before = lines[..first].iter().filter(|line| !line.is_empty());
        let skipped =
            before.clone().take(SHOWN_LINES).map(|line| printable(line.as_bytes())).collect::<Vec<_>>();
        let skipped = (!skipped.is_empty()).then(|| skipped.join(" | "));
        if !is_score(&lines[first]) {
            return Self { skipped, ..Self::default() }.of_json(&lines[first..].join("\n"), seats);
        }
        // Blank lines between the scores are skipped.
        let (mut found, mut end) = (Vec::new(), first);
        for line in &lines[first..] {
            match is_score(line) {
                true => found.push(line),
                false if line.is_empty() && found.len() < seats => {}
                false => break,
            }
            end += 1;
        }
        if found.iter().any(|line| **line == "null") {
            return Err(NoResult("it printed null for a score: it has failed itself".to_owned()));
        }
        if found.len() != seats {
            let (count, noun) = (found.len(), if found.len() == 1 { "score" } else { "scores" });
            let other =
                format!("it printed {count} {noun} for {seats} players (--players, if a game has others)");
            return Err(NoResult(not_whole().unwrap_or(other)));
        }
        let scores = found.iter().filter_map(|line| line.parse().ok()).collect();
        let parameters = lines[end..].iter().take_while(|line| !line.is_empty());
        let parameters = parameters.filter_map(|line| line.split_once('='));
        let mut attributes = BTreeMap::new();
        parameters.for_each(|(name, value)| add_text(&mut attributes, name.trim(), value.trim()));
        let seed = attributes.remove("seed");
        Ok(Self { scores, errors: None, seed, skipped, data: Vec::new(), attributes })
    }

    fn of_json(self, text: &str, seats: usize) -> Result<Self, NoResult> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let value = values.next().and_then(Result::ok);
        let object = match value {
            Some(Value::Object(object)) => object,
            Some(Value::Array(mut list)) if list.len() == 1 => match list.pop() {
                Some(Value::Object(object)) => object,
                _ => return Err(NoResult("its JSON holds no object".to_owned())),
            },
            Some(Value::Array(list)) => {
                return Err(NoResult(format!("its JSON holds {} games, but one was asked for", list.len())))
            }
            _ => return Err(NoResult("what it printed can't be read as JSON".to_owned())),
        };
        let Some(scores) = scores(&object, seats)? else {
            return Err(NoResult("its JSON has neither \"scores\" nor \"ranks\"".to_owned()));
        };
        let errors = match object.get("errors") {
            None => None,
            Some(list) => Some(list_of(list, "errors", seats, |value| match value {
                Value::Bool(error) => Some(*error),
                value => value.as_i64().map(|error| error != 0),
            })?),
        };
        let seed = object.get("seed").map(|seed| seed.as_str().map_or(seed.to_string(), str::to_owned));
        let (data, attributes) = (data(&object, seats), attributes(&object));
        Ok(Self { scores, errors, seed, data, attributes, ..self })
    }
}

/// Whether a line is a number that isn't read as a score.
fn is_number_but_no_score(line: &str) -> bool {
    line.parse::<i64>().is_err() && line.parse().is_ok_and(f64::is_finite)
}

fn not_a_score(line: &str) -> String {
    let shown = printable(line.as_bytes());
    format!(
        "it printed {shown} for a score: a score is a whole number of 64 bits (multiply fractions, or print JSON with \"ranks\")"
    )
}

/// The points of each player. From ranks, they are the number of players that share no better rank.
fn scores(object: &Map<String, Value>, seats: usize) -> Result<Option<Vec<i64>>, NoResult> {
    if let Some(list) = object.get("scores") {
        return list_of(list, "scores", seats, Value::as_i64).map(Some);
    }
    let Some(list) = object.get("ranks") else { return Ok(None) };
    let ranks = list_of(list, "ranks", seats, Value::as_u64)?;
    Ok(Some(ranks.iter().map(|rank| ranks.iter().filter(|other| *other > rank).count() as i64).collect()))
}

fn list_of<T>(
    value: &Value,
    name: &str,
    seats: usize,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Vec<T>, NoResult> {
    let list = value.as_array().filter(|list| list.len() == seats);
    let items = list.and_then(|list| list.iter().map(read).collect::<Option<Vec<_>>>());
    items.ok_or_else(|| {
        NoResult(format!("its \"{name}\" must be a list of {seats} whole numbers, but is {value}"))
    })
}

/// One number of cgarena's `attributes`.
#[derive(Deserialize)]
struct Attribute {
    name: String,
    player: Option<usize>,
    turn: Option<u64>,
    value: Value,
}

/// The numbers of each player, by psyleague's and cgarena's names. Values that aren't numbers are ignored.
fn data(object: &Map<String, Value>, seats: usize) -> Vec<BotData> {
    let mut data = vec![BotData::default(); seats];
    let number = |value: &Value| match value {
        Value::String(text) => text.trim().parse::<f64>().ok().filter(|number| number.is_finite()),
        value => value.as_f64(),
    };
    let of_players = object.get("player_data").and_then(Value::as_array).into_iter().flatten();
    for (data, values) in data.iter_mut().zip(of_players) {
        for (name, value) in values.as_object().into_iter().flatten() {
            number(value).into_iter().for_each(|value| data.add_game(name, value));
        }
    }
    // A property of the game is one of each player.
    for (name, value) in object.get("test_data").and_then(Value::as_object).into_iter().flatten() {
        let value = number(value);
        data.iter_mut().for_each(|data| value.into_iter().for_each(|value| data.add_game(name, value)));
    }
    for attribute in object.get("attributes").and_then(Value::as_array).into_iter().flatten() {
        let Ok(attribute) = Attribute::deserialize(attribute) else { continue };
        let Some(value) = number(&attribute.value) else { continue };
        for (player, data) in data.iter_mut().enumerate() {
            if attribute.player.is_some_and(|own| own != player) {
                continue;
            }
            match attribute.turn {
                Some(_) => data.add_turn(&attribute.name, Spread::of(value)),
                None => data.add_game(&attribute.name, value),
            }
        }
    }
    data
}

/// The longest text that is kept as an attribute's name or value, in bytes.
const MAX_TEXT_BYTES: usize = 256;

/// The largest number of attributes that are kept of a game.
const MAX_ATTRIBUTES: usize = 64;

/// The attributes of a game that are no numbers.
fn attributes(object: &Map<String, Value>) -> BTreeMap<String, String> {
    let mut attributes = BTreeMap::new();
    for (name, value) in object.get("test_data").and_then(Value::as_object).into_iter().flatten() {
        value.as_str().into_iter().for_each(|text| add_text(&mut attributes, name, text));
    }
    for attribute in object.get("attributes").and_then(Value::as_array).into_iter().flatten() {
        let Ok(attribute) = Attribute::deserialize(attribute) else { continue };
        if let (None, None, Some(text)) = (attribute.player, attribute.turn, attribute.value.as_str()) {
            add_text(&mut attributes, &attribute.name, text);
        }
    }
    // Numbers are in the data of each player.
    attributes.retain(|_, text| text.trim().parse::<f64>().is_err());
    attributes
}

/// Adds an attribute, unless it is too long or one too many.
fn add_text(attributes: &mut BTreeMap<String, String>, name: &str, value: &str) {
    let is_short = |text: &str| text.len() <= MAX_TEXT_BYTES && !text.chars().any(char::is_control);
    if !name.is_empty() && is_short(name) && is_short(value) && attributes.len() < MAX_ATTRIBUTES {
        attributes.insert(name.to_owned(), value.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, seats: usize) -> Result<Output, NoResult> {
        Output::read(text.as_bytes(), seats)
    }

    #[test]
    fn scores_come_a_line_each_and_then_the_parameters() {
        let output = read("25\n-1\nseed=-42\nwidth=3\n\nseed=9\n", 2).unwrap();
        assert_eq!(
            (output.scores, output.seed.as_deref(), output.skipped),
            (vec![25, -1], Some("-42"), None)
        );
        let output = read("\u{feff}25\r\n\r\n-1\r\nseed=-42\r\n", 2).unwrap();
        assert_eq!(
            (output.scores, output.seed.as_deref(), output.skipped),
            (vec![25, -1], Some("-42"), None)
        );
        assert_eq!(read("\n1\n\n\n2\n\n3\n", 2).unwrap().scores, [1, 2]);
        assert_eq!(read("\u{feff}{\"scores\": [1, 2]}", 2).unwrap().scores, [1, 2]);
        let output = read("WARNING: sun.reflect\r\n\r\n  3  \r\n", 1).unwrap();
        assert_eq!((output.scores, output.skipped.as_deref()), (vec![3], Some("WARNING: sun.reflect")));
    }

    #[test]
    fn what_is_no_result_is_named() {
        for (text, seats, said) in [
            ("", 2, "printed nothing"),
            ("\n \n", 2, "printed nothing"),
            ("usage: java -jar referee.jar\n -h help\n", 2, "no score"),
            ("null\nnull\nnull\n", 3, "null for a score"),
            ("1\nnull\n", 2, "null for a score"),
            ("1\n", 2, "1 score for 2 players"),
            ("1\n\n\nseed=3\n", 2, "1 score for 2 players"),
            ("1\n2\n3\n\n", 2, "3 scores for 2 players"),
            ("1\n2\n3\n", 2, "3 scores for 2 players"),
            ("0.5\n0.5\n", 2, "printed 0.5 for a score: a score is a whole number"),
            ("1\n0.5\nseed=3\n", 2, "printed 0.5 for a score"),
            ("1\n99999999999999999999\n", 2, "printed 99999999999999999999 for a score"),
            ("nan\ninf\n", 2, "no score"),
            ("{\"ranks\": [0]}", 2, "\"ranks\" must be a list of 2"),
            ("{\"ranks\": [0, 1], \"errors\": 1}", 2, "\"errors\" must be a list of 2"),
            ("{\"scores\": [1.5, 2]}", 2, "\"scores\" must be a list of 2"),
            ("{\"winner\": 0}", 2, "neither"),
            ("{\"ranks\": [0,", 2, "can't be read as JSON"),
            ("[{}, {}]", 2, "2 games"),
        ] {
            let error = read(text, seats).unwrap_err();
            assert!(error.0.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn json_has_ranks_or_scores() {
        let output = read("starting\n{\"ranks\": [1, 0, 1], \"errors\": [0, 0, 1], \"seed\": 7}", 3).unwrap();
        assert_eq!((output.scores, output.errors), (vec![0, 2, 0], Some(vec![false, false, true])));
        assert_eq!((output.seed.as_deref(), output.skipped.as_deref()), (Some("7"), Some("starting")));
        let output = read("[{\"scores\": [-5, 12],\n \"errors\": [true, false]}]", 2).unwrap();
        assert_eq!((output.scores, output.errors), (vec![-5, 12], Some(vec![true, false])));
    }

    #[test]
    fn numbers_of_players_are_read() {
        let text = r#"{"ranks": [0, 1], "test_data": {"size": 9}, "player_data": [{"gold": 3, "x": "a"}, {"gold": "4"}],
            "attributes": [{"name": "depth", "player": 1, "turn": 3, "value": "8"}, {"name": "late", "player": null, "turn": null, "value": "1"}]}"#;
        let data = read(text, 2).unwrap().data;
        assert_eq!((data[0].pdata["gold"], data[1].pdata["gold"]), (3.0, 4.0));
        assert_eq!((data[0].pdata["size"], data[1].pdata["late"]), (9.0, 1.0));
        assert_eq!((data[1].tdata["depth"].mean, data[0].tdata.len()), (8.0, 0));
    }

    #[test]
    fn what_is_no_number_is_an_attribute_of_the_game() {
        let text = r#"{"ranks": [0, 1], "test_data": {"size": 9, "map": "small", "tiles": "40"}, "attributes": [
            {"name": "weather", "player": null, "turn": null, "value": "rain"},
            {"name": "opening", "player": 1, "turn": null, "value": "rush"}]}"#;
        let attributes = read(text, 2).unwrap().attributes;
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(attributes, BTreeMap::from([pair("map", "small"), pair("weather", "rain")]));
        let output = read("1\n2\nseed=3\nmap = small\nwidth=30\n\nafter=1\n", 2).unwrap();
        assert_eq!(output.seed.as_deref(), Some("3"));
        assert_eq!(output.attributes, BTreeMap::from([pair("map", "small"), pair("width", "30")]));
    }
}
