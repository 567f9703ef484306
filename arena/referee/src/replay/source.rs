//! Finds recorded games: bot logs, game records, files of games, and other programs' files.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use contest::utf8;
use serde_json::{Map, Value};

use crate::game::log::{Log, LogError};
use crate::record::GameRecord;
use crate::transcript::{self, Transcript, TranscriptError};

use super::fields::Fields;

/// The word for the standard input in place of a file.
pub const STDIN: &str = "-";

/// A recorded game.
#[derive(Debug, Clone)]
pub struct Source {
    /// Name in messages: the files' common name, or file and line.
    pub name: String,
    /// The path of its file; `-` if it came from the standard input.
    pub path: PathBuf,
    /// The content's form.
    pub form: Form,
    /// The fields of its record; empty without one.
    pub fields: Fields,
    /// The places where its files are truncated or unreadable.
    pub cuts: Vec<String>,
}

impl Source {
    /// A game of a run; `None` if its record can't be written as JSON.
    pub fn of_record(record: &GameRecord) -> Option<Self> {
        let fields = serde_json::from_value(serde_json::to_value(record).ok()?).ok()?;
        let name = format!("game {}", record.game);
        Some(Self { path: name.clone().into(), name, form: Form::Moves, fields, cuts: Vec::new() })
    }

    /// Whether its file has games on lines.
    pub fn is_line(&self) -> bool {
        matches!(self.form, Form::Moves) && Path::new(&self.name) != self.path
    }
}

/// The content of a recorded game.
#[derive(Debug, Clone)]
pub enum Form {
    /// The dialogues, by seat.
    Dialogues(Vec<(PathBuf, Log)>),
    /// A record's moves.
    Moves,
    /// The answers, in order.
    Transcript(Transcript),
}

/// The result of a search for games.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// In the order of the paths; those of a folder by name.
    pub games: Vec<Source>,
    /// Files that aren't games, with the reason.
    pub problems: Vec<String>,
}

impl Found {
    /// Searches files and folders, or for `-` the standard input, for games. A dialogue includes the others of its game and the game's record.
    pub fn look(paths: &[PathBuf]) -> Self {
        let mut found = Self::default();
        for path in paths {
            if path.as_os_str() == STDIN {
                found.add_stdin();
            } else if path.is_dir() {
                let mut files = Vec::new();
                list(path, &mut files, &mut found.problems);
                let before = found.games.len();
                files.iter().for_each(|file| found.add(file, false));
                found.drop_doubles(before);
            } else {
                found.add(path, true);
            }
        }
        found
    }

    /// Adds the games of the standard input.
    fn add_stdin(&mut self) {
        let mut bytes = Vec::new();
        match io::stdin().lock().read_to_end(&mut bytes) {
            Ok(_) => {
                let before = self.games.len();
                self.add_bytes(Path::new("stdin"), &bytes, true);
                self.games[before..].iter_mut().for_each(|game| game.path = STDIN.into());
            }
            Err(error) => self.problems.push(format!("can't read the standard input: {error}")),
        }
    }

    /// Drops the lines of `games.jsonl` whose games have files of their own next to it.
    fn drop_doubles(&mut self, from: usize) {
        let key = |game: &Source| {
            (game.path.parent().map(Path::to_owned), game.fields.game, game.fields.moves.clone())
        };
        let own = self.games[from..].iter().filter(|game| !game.is_line() && game.fields.game.is_some());
        let own: HashSet<_> = own.map(key).collect();
        let mut at = 0;
        self.games.retain(|game| {
            at += 1;
            at <= from || !game.is_line() || !own.contains(&key(game))
        });
    }

    /// Adds the games of a file. A file without a game is a problem only if it was `named`.
    fn add(&mut self, path: &Path, named: bool) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("log") => match game_of_log(path) {
                Some(name) => self.add_dialogues(path, &name),
                None if named => self.problems.push(format!(
                    "{}: a dialogue's name tells its game and seat: GAME.p0.log, GAME.p1.log",
                    path.display()
                )),
                None => {}
            },
            Some("jsonl") => match fs::read(path) {
                Ok(bytes) => self.add_lines(path, &bytes),
                Err(error) => self.problems.push(format!("{}: can't read it: {error}", path.display())),
            },
            Some("json") => self.add_json(path, named),
            _ if named && !path.exists() => self.problems.push(format!("{}: no such file", path.display())),
            _ if named => self.problems.push(format!(
                "{}: expected GAME.p0.log, GAME.json, games.jsonl, a replay of the platform, or a folder of such files",
                path.display()
            )),
            _ => {}
        }
    }

    /// Adds the game of a dialogue with all its files, once.
    fn add_dialogues(&mut self, path: &Path, name: &str) {
        let base = path.with_file_name(name);
        let name = base.display().to_string();
        if self.games.iter().any(|game| game.name == name && matches!(game.form, Form::Dialogues(_))) {
            return;
        }
        let mut game = Source {
            name,
            path: base.clone(),
            form: Form::Moves,
            fields: Fields::default(),
            cuts: Vec::new(),
        };
        let mut logs = Vec::new();
        for seat in 0.. {
            let file = with_suffix(&base, &format!(".p{seat}.log"));
            if !file.exists() && file != path {
                break;
            }
            match read_log(&file) {
                Ok((log, cut)) => {
                    game.cuts.extend(cut);
                    logs.push((file, log));
                }
                Err(error) => return self.problems.push(error.to_string()),
            }
        }
        let record = with_suffix(&base, ".json");
        if record.is_file() {
            match read_json(&record) {
                Ok(value) if is_record(&value) => match fields(&record, None, value) {
                    Ok(fields) => game.fields = fields,
                    Err(error) => game.cuts.push(error.to_string()),
                },
                // The result from which the game was imported may lie there too.
                Ok(_) => {}
                Err(error) => game.cuts.push(error.to_string()),
            }
        }
        game.form = Form::Dialogues(logs);
        // The game's record may have come first.
        self.games.retain(|other| !(other.path == record && matches!(other.form, Form::Moves)));
        self.games.push(game);
    }

    /// Adds a record, or a game of another program.
    fn add_json(&mut self, path: &Path, named: bool) {
        if with_suffix(&path.with_extension(""), ".p0.log").is_file() && !named {
            return; // with its dialogues
        }
        // The file of a referee that lies next to the game's record.
        let record = path.to_str().and_then(|path| path.strip_suffix(".referee.json"));
        if !named && record.is_some_and(|record| Path::new(&format!("{record}.json")).is_file()) {
            return;
        }
        match fs::read(path) {
            Ok(bytes) => self.add_bytes(path, &bytes, named),
            Err(error) => self.problems.push(format!("{}: can't read it: {error}", path.display())),
        }
    }

    /// Adds the content of a file: a game, or several, each on a line.
    fn add_bytes(&mut self, path: &Path, bytes: &[u8], named: bool) {
        let game = |form, fields, cuts| Source {
            name: path.display().to_string(),
            path: path.to_owned(),
            form,
            fields,
            cuts,
        };
        match transcript::json(path, bytes) {
            Ok(value) if is_record(&value) => match fields(path, None, value) {
                Ok(fields) => self.games.push(game(Form::Moves, fields, Vec::new())),
                Err(error) => self.problems.push(error.to_string()),
            },
            Ok(_) => match Transcript::parse(path, bytes) {
                Ok(transcript) => {
                    self.games.push(game(Form::Transcript(transcript), Fields::default(), Vec::new()))
                }
                Err(error) if named => self.problems.push(error.to_string()),
                Err(_) => {}
            },
            // As `arena play --json` prints them.
            Err(_) if is_lines(bytes) => self.add_lines(path, bytes),
            Err(error) => match Transcript::parse_cut(path, bytes) {
                Some(transcript) if matches!(error, TranscriptError::Cut { .. }) => {
                    let cuts = vec![error.to_string()];
                    self.games.push(game(Form::Transcript(transcript), Fields::default(), cuts));
                }
                _ => self.problems.push(error.to_string()),
            },
        }
    }

    /// Adds the content of a file with a game per line.
    fn add_lines(&mut self, path: &Path, bytes: &[u8]) {
        for (line, text) in (1..).zip(utf8::without_mark(bytes).split_inclusive(|&byte| byte == b'\n')) {
            let name = format!("{}:{line}", path.display());
            if text.trim_ascii().is_empty() {
                continue;
            }
            let value = match serde_json::from_slice::<Value>(text) {
                Ok(value) => value,
                Err(error) if error.is_eof() => {
                    self.problems.push(format!("{name}: cut off in the middle of this line"));
                    continue;
                }
                Err(error) => {
                    self.problems.push(format!("{name}: not JSON: {error}"));
                    continue;
                }
            };
            // `arena play --json` ends with its summary.
            if value.get("type").is_some_and(|kind| kind != "game") {
                continue;
            }
            match fields(path, Some(line), value) {
                Ok(fields) => self.games.push(Source {
                    name,
                    path: path.to_owned(),
                    form: Form::Moves,
                    fields,
                    cuts: Vec::new(),
                }),
                Err(error) => self.problems.push(error.to_string()),
            }
        }
    }
}

/// Lists the files of a folder and its subfolders by name, with numbers in numeric order.
fn list(folder: &Path, files: &mut Vec<PathBuf>, problems: &mut Vec<String>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return problems.push(format!("{}: can't read the folder: {error}", folder.display())),
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort_by_key(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let number = name.split('.').next().and_then(|first| first.parse::<u64>().ok());
        (number.is_none(), number, name)
    });
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            list(&path, files, problems);
        } else if path.is_file() {
            files.push(path);
        }
    }
}

/// `GAME` of `GAME.p0.log`.
fn game_of_log(path: &Path) -> Option<String> {
    let (name, seat) = path.file_name()?.to_str()?.strip_suffix(".log")?.rsplit_once(".p")?;
    let is_seat = !name.is_empty() && !seat.is_empty() && seat.bytes().all(|digit| digit.is_ascii_digit());
    is_seat.then(|| name.to_owned())
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut text = path.as_os_str().to_owned();
    text.push(suffix);
    text.into()
}

/// A file has no game.
#[derive(Debug, thiserror::Error)]
enum SourceError {
    #[error("{}: can't read it: {source}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("{place}: not a game's record: {source}")]
    Record { place: String, source: serde_json::Error },
    #[error("{place}: not a game's record: it has no moves")]
    NoMoves { place: String },
}

/// Reads a dialogue up to its last whole line; also returns the place where it is truncated.
fn read_log(path: &Path) -> Result<(Log, Option<String>), SourceError> {
    let bytes = fs::read(path).map_err(|source| SourceError::Read { path: path.to_owned(), source })?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let cut = (whole < bytes.len()).then(|| {
        let line = bytes[..whole].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let found = crate::text::quoted(&bytes[whole..]);
        format!("{}:{line}: cut off in the middle of a line: {found}", path.display())
    });
    Ok((Log::parse(path, &bytes[..whole])?, cut))
}

fn read_json(path: &Path) -> Result<Value, TranscriptError> {
    let bytes = fs::read(path).map_err(|source| TranscriptError::Io { path: path.to_owned(), source })?;
    transcript::json(path, &bytes)
}

/// Whether the first line is an object of JSON and more lines follow.
fn is_lines(bytes: &[u8]) -> bool {
    let lines = utf8::without_mark(bytes).trim_ascii();
    let first = lines.iter().position(|&byte| byte == b'\n').map(|end| &lines[..end]);
    first.is_some_and(|first| serde_json::from_slice::<Map<String, Value>>(first).is_ok())
}

/// Whether it is a record of this program.
fn is_record(value: &Value) -> bool {
    value.get("moves").is_some() && value.get("outputs").is_none() && value.get("frames").is_none()
}

fn fields(path: &Path, line: Option<usize>, value: Value) -> Result<Fields, SourceError> {
    let place = line.map_or_else(|| path.display().to_string(), |line| format!("{}:{line}", path.display()));
    match serde_json::from_value::<Fields>(value) {
        Ok(fields) if fields.moves.is_some() => Ok(fields),
        Ok(_) => Err(SourceError::NoMoves { place }),
        Err(source) => Err(SourceError::Record { place, source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_game_and_seat() {
        let game = |name: &str| game_of_log(Path::new(name));
        assert_eq!(game("a/12.p0.log"), Some("12".to_owned()));
        assert_eq!(game("x.y.p11.log"), Some("x.y".to_owned()));
        for name in ["p0.log", ".p0.log", "1.p.log", "1.px.log", "1.p0.txt", "1.log"] {
            assert_eq!(game(name), None, "{name}");
        }
    }

    #[test]
    fn a_game_is_found_once_with_all_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("10.p0.log", "> a\n< b\n");
        write("9.p0.log", "> a\n< b\n");
        write("9.p1.log", "> a\n< b");
        write("9.json", r#"{"contest": "reversi", "moves": "c4", "new": 1}"#);
        write("8.json", r#"{"contest": "uttt", "moves": "4,4"}"#);
        write("scores.json", "{}");
        write("note.txt", "x");
        write("printed.json", "{\"moves\": \"c4\"}\n{\"moves\": \"d3\"}\n{\"type\": \"summary\"}\n");
        write(
            "games.jsonl",
            "\u{feff}{\"moves\": \"c4\", \"seed\": 7}\n{\"type\": \"summary\"}\n{\"moves\": \"c",
        );
        let found = Found::look(&[folder.path().to_owned()]);
        let names: Vec<String> = found
            .games
            .iter()
            .map(|game| game.name.replace(folder.path().to_str().unwrap(), "")[1..].to_owned())
            .collect();
        assert_eq!(names, ["8.json", "9", "10", "games.jsonl:1", "printed.json:1", "printed.json:2"]);
        assert_eq!(found.games[1].fields.contest.as_deref(), Some("reversi"));
        assert!(found.games[1].cuts[0].contains("9.p1.log:2: cut off in the middle of a line: \"< b\""));
        assert_eq!(found.games[3].fields.seed, 7);
        assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
        assert!(found.problems[0].ends_with("games.jsonl:3: cut off in the middle of this line"));
        // Both dialogues and the record, each named.
        let named = ["9.p0.log", "9.p1.log", "9.json"].map(|name| folder.path().join(name));
        let games = Found::look(&named[..2]).games;
        assert!(games.len() == 1 && matches!(&games[0].form, Form::Dialogues(logs) if logs.len() == 2));
        for path in ["nothing.p0.log", "nothing.json", "nothing", "scores.json", "note.txt"] {
            let found = Found::look(&[folder.path().join(path)]);
            assert_eq!((found.games.len(), found.problems.len()), (0, 1), "{path}");
        }
    }
}
