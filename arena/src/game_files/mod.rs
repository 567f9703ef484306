//! Finished games of any program, read from files of JSON lines or of one JSON list.
//!
//! A game is an object:
//!
//! | field | value |
//! |---|---|
//! | `bots` | required: a name for each seat, or an object with `name`, and `command` and `hash` where known |
//! | `scores` | a number for each seat, more is better; or |
//! | `ranks` | a number for each seat, less is better |
//! | `errors` | 1 or true for each seat whose bot failed |
//! | `group` | a whole number of 64 bits, or text: games with the same group and the same bots are one sample |
//! | `seed` | a whole number of 64 bits, or text; without `group`, games with the same seed and the same bots on other seats are one sample |
//! | `ending` | `normal`, or one of the other endings as in `games.jsonl`; any other text is an attribute |
//! | `times_ms` | a list for each seat: the time of each answer in milliseconds |
//! | `data`, `player_data` | an object of numbers for each seat |
//! | `test_data` | an object of numbers and texts of the game |
//! | `opening`, `moves`, `contest` | texts |
//!
//! Any other number or text is an attribute of the game. The records of this program are such objects. Lines are read
//! one after the other and not kept.

mod convert;
pub(crate) mod sample;

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use contest::utf8;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde_json::Value;

use coppice_referee::record::GameRecord;
use coppice_referee::replay::source::STDIN;
use coppice_referee::text::{note, quoted};

/// The longest line.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// A game of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// The game. Its number comes from the file, else from its place in it.
    pub record: GameRecord,
    /// The key shared by the games of a sample, if the file has one.
    pub group: Option<String>,
    /// The seed, if the file says so.
    pub seed: Option<String>,
}

/// A value that isn't a finished game; the sentence says why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NoGame(Cow<'static, str>);

impl From<&'static str> for NoGame {
    fn from(reason: &'static str) -> Self {
        Self(reason.into())
    }
}

impl From<String> for NoGame {
    fn from(reason: String) -> Self {
        Self(reason.into())
    }
}

/// A file of games can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameFilesError {
    /// It can't be read.
    #[error("can't read the games in {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A line or an element of the list isn't a game.
    #[error("{}:{at}: no finished game: {reason}: {found}\n--skip-bad leaves such games out and counts them", .path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// The line, or `element N`.
        at: String,
        /// The mistake.
        reason: String,
        /// The text there, shortened.
        found: String,
    },
}

/// The record of a game of any program; `number` is used if the game has no number.
///
/// # Errors
/// If the value isn't a finished game; the error says what was expected.
pub(crate) fn record(value: Value, number: u32) -> Result<GameRecord, NoGame> {
    convert::game(value, number).map(|item| item.record)
}

/// Reads a file, or for `-` the standard input, and passes each game on. Returns the number of bad lines that were skipped.
///
/// # Errors
/// If the file can't be read, a line isn't a game and bad ones aren't skipped, or `take` fails.
pub(crate) fn read<E: From<GameFilesError>>(
    path: &Path,
    skip_bad: bool,
    take: &mut dyn FnMut(Item, &str) -> Result<(), E>,
) -> Result<u64, E> {
    let fail = |source| GameFilesError::Read { path: path.to_owned(), source };
    let input: Box<dyn Read> = match path.as_os_str() == STDIN {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(File::open(path).map_err(fail)?),
    };
    let input = BufReader::with_capacity(1 << 16, input);
    let mut input = utf8::skip_mark(input).map_err(fail)?;
    let mut sink = Sink { path, skip_bad, take, games: 0, bad: 0 };
    let start = loop {
        let buffer = input.fill_buf().map_err(fail)?;
        match buffer.iter().position(|byte| !byte.is_ascii_whitespace()) {
            Some(at) => break Some(buffer[at]),
            None if buffer.is_empty() => break None,
            // Blank lines before the first game count.
            None if !buffer.contains(&b'\n') => {
                let length = buffer.len();
                input.consume(length);
            }
            None => break None,
        }
    };
    match start {
        Some(b'[') => sink.list(input)?,
        _ => sink.lines(input)?,
    }
    Ok(sink.bad)
}

/// Receives the games of a file.
struct Sink<'a, E> {
    path: &'a Path,
    skip_bad: bool,
    take: &'a mut dyn FnMut(Item, &str) -> Result<(), E>,
    games: u32,
    bad: u64,
}

impl<E: From<GameFilesError>> Sink<'_, E> {
    fn lines(&mut self, mut input: impl BufRead) -> Result<(), E> {
        let (mut line, mut number) = (Vec::new(), 0);
        loop {
            line.clear();
            number += 1;
            let read = input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
            let read = read.map_err(|source| GameFilesError::Read { path: self.path.to_owned(), source })?;
            if read == 0 {
                return Ok(());
            }
            let text = line.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let is_cut = line.last() != Some(&b'\n');
            let item = match serde_json::from_slice::<GameRecord>(text) {
                Ok(record) => Ok(convert::own(record)),
                Err(_) => match serde_json::from_slice::<Value>(text) {
                    // The end of what `arena play --json` prints.
                    Ok(value) if value["type"] == "summary" => continue,
                    Ok(value) => convert::game(value, self.games + 1),
                    Err(_) if is_cut => {
                        note(format_args!(
                            "{}: the last line is cut off and isn't counted",
                            self.path.display()
                        ));
                        return Ok(());
                    }
                    Err(error) => Err(error.to_string().replace("at line 1 column", "at column").into()),
                },
            };
            self.take(item, &number.to_string(), text)?;
        }
    }

    fn list(&mut self, input: impl BufRead) -> Result<(), E> {
        let mut failed = None;
        let mut reader = serde_json::Deserializer::from_reader(input);
        let seed = List { sink: self, failed: &mut failed };
        let read = seed.deserialize(&mut reader);
        if let Some(error) = failed {
            return Err(error);
        }
        read.map_err(|error| {
            let (at, reason) = (error.line().to_string(), error.to_string());
            let found = "the list can't be read any further".to_owned();
            GameFilesError::Bad { path: self.path.to_owned(), at, reason, found }.into()
        })
    }

    fn take(&mut self, item: Result<Item, NoGame>, at: &str, text: &[u8]) -> Result<(), E> {
        match item {
            Ok(item) => {
                self.games += 1;
                (self.take)(item, at)
            }
            Err(_) if self.skip_bad => {
                self.bad += 1;
                Ok(())
            }
            Err(NoGame(reason)) => {
                let (path, at, reason) = (self.path.to_owned(), at.to_owned(), reason.into_owned());
                Err(GameFilesError::Bad { path, at, reason, found: quoted(text) }.into())
            }
        }
    }
}

/// A JSON list of games, read one after the other.
struct List<'a, 'b, E> {
    sink: &'a mut Sink<'b, E>,
    failed: &'a mut Option<E>,
}

impl<'de, E: From<GameFilesError>> DeserializeSeed<'de> for List<'_, '_, E> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, E: From<GameFilesError>> Visitor<'de> for List<'_, '_, E> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of games")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(value) = list.next_element::<Value>()? {
            number += 1;
            let text = value.to_string();
            let item = convert::game(value, self.sink.games + 1);
            if let Err(error) = self.sink.take(item, &format!("element {number}"), text.as_bytes()) {
                *self.failed = Some(error);
                return Err(serde::de::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice_referee::record::example;

    fn games(text: &str, skip_bad: bool) -> Result<(Vec<Item>, u64), GameFilesError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        std::fs::write(&path, text).unwrap();
        let mut all = Vec::new();
        let bad = read::<GameFilesError>(&path, skip_bad, &mut |item, _| {
            all.push(item);
            Ok(())
        });
        bad.map(|bad| (all, bad))
    }

    #[test]
    fn our_own_records_are_a_special_case() {
        let text = format!(
            "{}\n\n{}\n",
            serde_json::to_string(&example(1)).unwrap(),
            serde_json::to_string(&example(2)).unwrap()
        );
        let (items, _) = games(&text, false).unwrap();
        assert_eq!(
            items.iter().map(|item| item.record.clone()).collect::<Vec<_>>(),
            [example(1), example(2)]
        );
        assert_eq!(items[1].group.as_deref(), Some("0"));
        let list = serde_json::to_string(&[example(1), example(2)]).unwrap();
        assert_eq!(games(&list, false).unwrap().0, items);
    }

    #[test]
    fn seeds_stay_apart_up_to_64_bits_and_as_texts() {
        let line =
            |seed: &str| format!("{{\"bots\": [\"x\", \"y\"], \"scores\": [1, 0], \"seed\": {seed}}}\n");
        let seeds = [
            "18446744073709551614",
            "18446744073709551615",
            "-9223372036854775808",
            "0.5",
            "\"18446744073709551616\"",
            "\"18446744073709551617\"",
        ];
        let (items, _) = games(&seeds.map(line).concat(), false).unwrap();
        let read = items.iter().map(|item| item.seed.clone().unwrap()).collect::<Vec<_>>();
        assert_eq!(read, seeds.map(|seed| seed.trim_matches('"').to_owned()));
        let error = games(&line("18446744073709551616"), false).unwrap_err().to_string();
        assert!(
            error.contains(":1: no finished game: expected \"seed\" to be a whole number of 64 bits"),
            "{error}"
        );
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_game() {
        let line = serde_json::to_string(&example(1)).unwrap();
        for text in [format!("\u{feff}{line}\n"), format!("\u{feff}\n{line}\n"), format!("\u{feff}[{line}]")]
        {
            assert_eq!(games(&text, false).unwrap().0[0].record, example(1), "{text}");
        }
    }

    #[test]
    fn names_and_scores_are_enough() {
        let (items, _) =
            games("{\"bots\": [\"x\", \"y\"], \"ranks\": [2, 1], \"map\": \"small\"}\n", false).unwrap();
        let Item { record, group, seed } = &items[0];
        assert_eq!(
            (record.bots[1].name.as_str(), &record.scores, record.attributes["map"].as_str()),
            ("y", &vec![0, 1], "small")
        );
        assert_eq!((group, seed, record.times_ms.len()), (&None, &None, 2));
        let (items, _) = games("[{\"bots\": [{\"name\": \"x\"}, \"y\"], \"scores\": [0.5, 0.5], \"errors\": [0, 1], \"seed\": 7}]", false).unwrap();
        assert_eq!((items[0].record.points(), items[0].seed.as_deref()), (vec![0, i64::MIN], Some("7")));
    }

    #[test]
    fn bad_lines_are_named_or_counted() {
        let good = "{\"bots\": [\"x\", \"y\"], \"scores\": [1, 0]}";
        for bad in [
            "what",
            "{\"bots\": [\"x\", \"y\"]}",
            "{\"bots\": [], \"scores\": []}",
            "{\"scores\": [1]}",
            "3",
            "{\"bots\": [\"x\", \"x\"], \"scores\": [1, 0]}",
            "{\"bots\": [\"x\", \"y\"], \"scores\": [1, 0], \"seed\": 18446744073709551616}",
            "{\"bots\": [\"x\", \"y\"], \"scores\": [1, 0], \"group\": -9223372036854775809}",
            "{\"bots\": [\"x\", \"y\"], \"scores\": [1, \"a\"]}",
        ] {
            let text = format!("{good}\n{bad}\n{good}\n");
            let error = games(&text, false).unwrap_err().to_string();
            assert!(error.contains("games.jsonl:2: no finished game: "), "{error}");
            let (items, count) = games(&text, true).unwrap();
            assert_eq!((items.len(), count), (2, 1));
        }
        let error = games(&format!("[{good}, 5]"), false).unwrap_err().to_string();
        assert!(error.contains("element 2: no finished game"), "{error}");
        assert_eq!(games(&format!("{good}\n{}", &good[..20]), false).unwrap().0.len(), 1);
        assert!(games(&format!("[{good}, "), false).is_err());
        assert_eq!(games("\n \n", false).unwrap().0.len(), 0);
    }
}
