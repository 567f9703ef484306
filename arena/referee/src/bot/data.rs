//! Statistics that bots report on standard error.
//!
//! A line `[TDATA] depth = 9` describes a turn, and `[PDATA] wins = 0.7` the whole game, as in psyleague; the values of
//! `[PDATA+] hits = 1` are added up. `[PDATA][12] depth = 9`, as in cgarena, describes turn 12. Other lines, and values
//! that aren't finite numbers, are ignored.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Maximum length of a data line; longer lines are ignored.
const MAX_LINE_BYTES: usize = 256;

/// Maximum number of names of each kind; further ones are dropped.
const MAX_KEYS: usize = 64;

/// The distribution of the values of one name.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The number of values.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// The distribution of one value.
    pub fn of(value: f64) -> Self {
        Self { count: 1, mean: value, min: value, max: value }
    }

    /// Merges two distributions. Doesn't overflow unless the values do.
    pub fn and(self, other: Self) -> Self {
        let count = self.count + other.count;
        if count == 0 {
            return self;
        }
        let share = |part: Self| part.mean * (part.count as f64 / count as f64);
        Self {
            count,
            mean: share(self) + share(other),
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

/// The numbers that a bot reported in one game.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BotData {
    /// `[TDATA]`: the distribution over the turns, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tdata: BTreeMap<String, Spread>,
    /// `[PDATA]`: the last value, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pdata: BTreeMap<String, f64>,
}

impl BotData {
    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.tdata.is_empty() && self.pdata.is_empty()
    }

    /// Parses a line of standard error; other lines are ignored.
    pub fn read_line(&mut self, line: &[u8]) {
        if line.len() > MAX_LINE_BYTES {
            return;
        }
        let line = line.trim_ascii();
        let Some(end) = line.iter().position(|&byte| byte == b']') else { return };
        let (kind, rest) = line.split_at(end + 1);
        let (turn, rest) = turn(rest);
        let Some((name, value)) = named_number(rest) else { return };
        match kind {
            b"[TDATA]" => self.add_turn(name, Spread::of(value)),
            // With a turn's number, it is the turn's.
            b"[PDATA]" if turn => self.add_turn(name, Spread::of(value)),
            b"[PDATA]" => self.add_game(name, value),
            b"[PDATA+]" => {
                let sum = self.pdata.get(name).copied().unwrap_or(0.0) + value;
                self.add_game(name, sum);
            }
            _ => {}
        }
    }

    /// Adds values of turns.
    pub fn add_turn(&mut self, name: &str, value: Spread) {
        if let Some(spread) = slot(&mut self.tdata, name, Spread { count: 0, ..value }) {
            *spread = spread.and(value);
        }
    }

    /// Sets a value of the game.
    pub fn add_game(&mut self, name: &str, value: f64) {
        if let Some(last) = slot(&mut self.pdata, name, value) {
            *last = value;
        }
    }
}

/// The value of `name`, initialised to `new`; `None` if there are too many names.
fn slot<'a, T>(values: &'a mut BTreeMap<String, T>, name: &str, new: T) -> Option<&'a mut T> {
    if !values.contains_key(name) {
        if values.len() >= MAX_KEYS {
            return None;
        }
        values.insert(name.to_owned(), new);
    }
    values.get_mut(name)
}

/// Strips a leading `[N]` (the turn); also returns whether it was there.
fn turn(text: &[u8]) -> (bool, &[u8]) {
    let number = text.strip_prefix(b"[").and_then(|rest| {
        let end = rest.iter().position(|&byte| byte == b']')?;
        let is_number = end > 0 && rest[..end].iter().all(u8::is_ascii_digit);
        is_number.then_some(&rest[end + 1..])
    });
    (number.is_some(), number.unwrap_or(text))
}

/// Parses `name = number`.
fn named_number(text: &[u8]) -> Option<(&str, f64)> {
    let (name, number) = std::str::from_utf8(text).ok()?.split_once('=')?;
    let (name, number) = (name.trim(), number.trim().parse::<f64>().ok()?);
    let is_name = !name.is_empty() && !name.chars().any(char::is_control);
    (is_name && number.is_finite()).then_some((name, number))
}

/// Splits a stream of bytes into lines for [`BotData::read_line`], buffering no more than one line.
#[derive(Debug, Default)]
pub struct DataReader {
    data: BotData,
    partial: Vec<u8>,
}

impl DataReader {
    /// Takes the next bytes of the stream.
    pub fn add(&mut self, chunk: &[u8]) {
        for piece in chunk.split_inclusive(|&byte| byte == b'\n') {
            let (line, is_whole) = match piece.split_last() {
                Some((b'\n', line)) => (line, true),
                _ => (piece, false),
            };
            if is_whole && self.partial.is_empty() {
                self.data.read_line(line);
                continue;
            }
            // One byte more than the maximum marks a line as too long.
            let room = (MAX_LINE_BYTES + 1).saturating_sub(self.partial.len());
            self.partial.extend_from_slice(&line[..line.len().min(room)]);
            if is_whole {
                self.data.read_line(&self.partial);
                self.partial.clear();
            }
        }
    }

    /// The numbers reported so far; the last line needs no line end.
    pub fn data(&self) -> BotData {
        let mut data = self.data.clone();
        data.read_line(&self.partial);
        data
    }
}

/// The numbers that one bot reported in many games. The order of the games makes no difference, up to rounding.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DataTally {
    /// `[TDATA]`: over all turns, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tdata: BTreeMap<String, Spread>,
    /// `[PDATA]`: over the games, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pdata: BTreeMap<String, Spread>,
}

impl DataTally {
    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.tdata.is_empty() && self.pdata.is_empty()
    }

    /// Adds the numbers of a game.
    pub fn add(&mut self, data: &BotData) {
        let pdata = data.pdata.iter().map(|(name, &value)| (name.clone(), Spread::of(value)));
        self.merge(&Self { tdata: data.tdata.clone(), pdata: pdata.collect() });
    }

    /// Adds the numbers of other games.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in [(&mut self.tdata, &other.tdata), (&mut self.pdata, &other.pdata)] {
            for (name, &spread) in theirs {
                mine.entry(name.clone()).and_modify(|sum| *sum = sum.and(spread)).or_insert(spread);
            }
        }
    }
}

/// A line per name, without a heading; empty if nothing was reported.
impl fmt::Display for DataTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, spreads) in [("turns", &self.tdata), ("games", &self.pdata)] {
            for (name, Spread { count, mean, min, max }) in spreads {
                writeln!(f, "  {name}: mean {mean:.3}, {min} to {max} ({count} {unit})")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], chunk: usize) -> BotData {
        let mut reader = DataReader::default();
        text.chunks(chunk).for_each(|chunk| reader.add(chunk));
        reader.data()
    }

    const SAID: &[u8] = b"depth 3\n[TDATA] depth = 3\n  [TDATA]depth=5 \r\n[PDATA] win rate = 0.5\n\
        [PDATA] win rate = -7e-1\n[TDATA] nodes = 1000";

    #[test]
    fn turns_are_summed_up_and_of_a_game_the_last_value_is_kept() {
        let data = read(SAID, 1 << 10);
        assert_eq!(data.tdata["depth"], Spread { count: 2, mean: 4.0, min: 3.0, max: 5.0 });
        assert_eq!(data.tdata["nodes"], Spread::of(1000.0));
        assert_eq!(data.pdata, BTreeMap::from([("win rate".to_owned(), -0.7)]));
    }

    #[test]
    fn sums_and_numbers_of_turns_are_known() {
        let data =
            read(b"[PDATA+] hits = 1\n[PDATA+] hits = 2\n[PDATA][7] depth = 4\n[TDATA][8] depth = 6\n", 64);
        assert_eq!(data.pdata, BTreeMap::from([("hits".to_owned(), 3.0)]));
        assert_eq!(data.tdata["depth"], Spread { count: 2, mean: 5.0, min: 4.0, max: 6.0 });
        assert!(read(b"[PDATA] [2] a\n[QDATA] a = 1\n[PDATA a = 1\n", 64).is_empty());
    }

    #[test]
    fn how_the_bytes_come_makes_no_difference() {
        (1..SAID.len()).for_each(|chunk| assert_eq!(read(SAID, chunk), read(SAID, 1 << 10), "{chunk}"));
    }

    #[test]
    fn garbage_is_no_data() {
        for line in [
            "[TDATA]",
            "[TDATA] = 3",
            "[TDATA] a",
            "[TDATA] a =",
            "[TDATA] a = b",
            "[TDATA] a = NaN",
            "[PDATA] a = inf",
            "[PDATA] a = 1e999",
            "TDATA a = 1",
            "x [TDATA] a = 1",
            "[PDATA] a\u{1b} = 1",
            "[PDATA] a = 1 = 2",
        ] {
            assert!(read(line.as_bytes(), 64).is_empty(), "{line}");
        }
        assert!(read(b"[TDATA] \xff = 1\n", 64).is_empty());
    }

    #[test]
    fn long_lines_and_many_names_are_cut() {
        let long = format!("[TDATA] {} = 1\n[TDATA] a = 1\n", "x".repeat(1 << 20));
        for chunk in [1 << 10, 1 << 22] {
            let data = read(long.as_bytes(), chunk);
            assert_eq!(data.tdata.keys().collect::<Vec<_>>(), ["a"]);
        }
        let many = (0..1_000).map(|i| format!("[TDATA] {} = {i}\n", i % 100)).collect::<String>();
        let data = read(many.as_bytes(), 1 << 10);
        assert_eq!(data.tdata.len(), MAX_KEYS);
        assert!(data.tdata.values().all(|spread| spread.count == 10), "{data:?}");
        let mut reader = DataReader::default();
        (0..1_000).for_each(|_| reader.add(&[b'x'; 1_000]));
        assert!(reader.partial.len() <= MAX_LINE_BYTES + 1);
    }

    #[test]
    fn games_are_summed_up_in_any_order() {
        let games = [b"[TDATA] d = 1\n[PDATA] w = 1\n".as_slice(), b"[TDATA] d = 4\n[TDATA] d = 7\n", b""];
        let sum = |order: [usize; 3]| {
            let mut tally = DataTally::default();
            order.iter().for_each(|&game| tally.add(&read(games[game], 64)));
            tally
        };
        let tally = sum([0, 1, 2]);
        assert_eq!(tally, sum([2, 1, 0]));
        assert_eq!(tally.tdata["d"], Spread { count: 3, mean: 4.0, min: 1.0, max: 7.0 });
        assert_eq!(
            tally.to_string(),
            "  d: mean 4.000, 1 to 7 (3 turns)\n  w: mean 1.000, 1 to 1 (1 games)\n"
        );
        let text = serde_json::to_string(&tally).unwrap();
        assert_eq!(serde_json::from_str::<DataTally>(&text).unwrap(), tally);
    }

    #[test]
    fn huge_values_do_not_overflow() {
        let data = read(b"[TDATA] a = 1e308\n[TDATA] a = -1e308\n[TDATA] a = 1e308\n", 64);
        assert!(data.tdata["a"].mean.is_finite(), "{data:?}");
    }
}
