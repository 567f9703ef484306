//! `arena import`: converts games of the platform and of its runner into this program's logs and records.

mod files;
mod outside;

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use contest::Contest;
use serde::Serialize;
use serde_json::{json, Value};

use crate::failure::Failure;
use crate::game_files::NoGame;
use coppice_pages::view::open::referee_file;
use coppice_referee::contests;
use coppice_referee::game::log::Log;
use coppice_referee::record::GameRecord;
use coppice_referee::text::{millis, note, readable};
use coppice_referee::transcript::rebuild::{rebuild, variant, Rebuilt, ScoresDiffer};
use coppice_referee::transcript::recognise::recognise;
use coppice_referee::transcript::Transcript;
use files::{Input, InputError};

/// The arguments of `arena import`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// JSON files, or folders or zip archives of them; the contest's name may come first
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// The contest (`arena contests` lists them); default: the one whose rules accept the whole game
    #[arg(long, value_name = "NAME")]
    pub contest: Option<String>,
    /// Record games of a contest whose rules this program lacks under NAME: by answers, scores and ranks alone
    #[arg(long = "as", value_name = "NAME", conflicts_with = "contest", value_parser = outside_name)]
    pub outside: Option<String>,
    /// Output folder for GAME.p0.log, GAME.p1.log and GAME.json, where GAME is the file's name, and games.jsonl with a
    /// line for each game
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,
    /// Overwrite existing files that differ
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object per line, one for each game
    #[arg(long)]
    pub json: bool,
}

/// A game that was imported.
#[derive(Debug, Serialize)]
struct Line<'a> {
    file: String,
    logs: Vec<PathBuf>,
    /// The file's number of the player on each seat.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    players: &'a [usize],
    /// How the file's scores differ from the rules', if they do.
    scores_differ: Option<String>,
    #[serde(flatten)]
    record: &'a GameRecord,
}

/// A name for a contest that isn't one of this program.
fn outside_name(name: &str) -> Result<String, String> {
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    is_name.then(|| name.to_owned()).ok_or_else(|| "expected a name of letters, digits, - and _".to_owned())
}

/// Imports each file, continuing after a failure.
///
/// # Errors
/// If a file can't be imported, or its scores rank the players differently than the rules do.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let (contest, files) = split(args, known)?;
    if let Some(name) = args.outside.as_deref().filter(|name| contests::is_named(known, name)) {
        return Err(Failure::new(format!(
            "this program has the rules of {name}: give --contest {name}, or --as another name"
        )));
    }
    let mut total = Total::default();
    let mut written = Ok(());
    for file in files {
        files::each(Path::new(file), &mut |input| {
            if written.is_ok() {
                written = total.add(args, input, contest, known, out);
            }
        });
    }
    written?;
    total.end(args)
}

/// The games of a run of the command.
#[derive(Default)]
struct Total {
    records: Vec<GameRecord>,
    files: usize,
    failed: usize,
    /// Files of folders and archives that aren't games.
    others: usize,
}

impl Total {
    fn add(
        &mut self,
        args: &Args,
        input: Result<Input, InputError>,
        contest: Option<&dyn Contest>,
        known: &[&dyn Contest],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let input = match input {
            Ok(input) => input,
            Err(error) => return self.fail(&error),
        };
        let is_copy = input.path.to_string_lossy().ends_with(".referee.json");
        match Transcript::parse(&input.path, &input.bytes) {
            Err(error) if !input.is_named && error.is_other_file() => self.others += 1,
            Ok(_) if !input.is_named && is_copy => {}
            Err(error) => return self.fail(&error),
            Ok(transcript) => {
                self.files += 1;
                match import(args, &input, &transcript, self.files, contest, known) {
                    Ok(imported) => {
                        imported.print(args.json, out)?;
                        self.failed += usize::from(imported.is_doubtful());
                        self.records.push(imported.record);
                    }
                    Err(error) => {
                        self.failed += 1;
                        complain(&error);
                    }
                }
            }
        }
        Ok(())
    }

    fn fail(&mut self, error: &dyn fmt::Display) -> Result<(), Failure> {
        self.files += 1;
        self.failed += 1;
        complain(error);
        Ok(())
    }

    /// Writes the lines of all games.
    fn end(self, args: &Args) -> Result<(), Failure> {
        if self.others > 0 {
            let others = if self.others == 1 {
                "1 other file is"
            } else {
                &format!("{} other files are", self.others)
            };
            note(format_args!("{others} neither a replay nor a result: left out"));
        }
        if !self.records.is_empty() {
            add_lines(&args.out.join("games.jsonl"), &self.records).map_err(Failure::new)?;
        }
        match (self.failed, self.files) {
            (0, 0) => {
                Err(Failure::new("found no game: expected replays of the platform or results of its runner"))
            }
            (0, _) => Ok(()),
            (failed, files) => Err(Failure::new(format!(
                "{failed} of {files} files could not be imported as they are; the reasons are above"
            ))),
        }
    }
}

/// Reports a file's error; the exit code reports it too.
fn complain(error: &dyn fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", readable(&error.to_string()));
}

/// Splits the arguments into the contest, if one is given, and the files.
fn split<'a, 'b>(
    args: &'b Args,
    known: &[&'a dyn Contest],
) -> Result<(Option<&'a dyn Contest>, &'b [String]), Failure> {
    if let Some(name) = &args.contest {
        return Ok((Some(contests::find(known, name)?), &args.files));
    }
    match args.files.split_first() {
        Some((first, rest))
            if !rest.is_empty() && !Path::new(first).exists() && !first.ends_with(".json") =>
        {
            Ok((Some(contests::find(known, first)?), rest))
        }
        _ => Ok((None, &args.files)),
    }
}

/// A file can't be imported.
#[derive(Debug, thiserror::Error)]
enum ImportError {
    #[error("{}: {problem}", .path.display())]
    Game { path: PathBuf, problem: String },
    #[error("{}: {problem}", .path.display())]
    NoGame { path: PathBuf, problem: NoGame },
    #[error("the game's record can't be made: {0}")]
    Record(#[from] serde_json::Error),
    #[error("can't read {}: {source}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("can't write {}: {source}; give -o a writable folder", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} exists already and differs: give -o another folder, or --force to overwrite it", .0.display())]
    Exists(PathBuf),
}

/// A game with its files.
struct Imported {
    file: PathBuf,
    /// The dialogues; empty without rules, unless a bot repeated its input on standard error.
    logs: Vec<PathBuf>,
    /// The record's file.
    path: PathBuf,
    /// The game by its rules; `None` for a contest without.
    rebuilt: Option<Rebuilt>,
    record: GameRecord,
}

fn import(
    args: &Args,
    input: &Input,
    transcript: &Transcript,
    index: usize,
    contest: Option<&dyn Contest>,
    known: &[&dyn Contest],
) -> Result<Imported, ImportError> {
    let file = &input.path;
    let named = |problem: &dyn fmt::Display| ImportError::Game {
        path: file.to_owned(),
        problem: problem.to_string(),
    };
    let name = file.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy().into_owned());
    let game = game_number(&name, transcript, index);
    let said = transcript.parameters.contest.as_deref().filter(|_| args.outside.is_none());
    let said = said.map(|name| contests::find(known, name)).transpose().map_err(|error| named(&error))?;
    let (mut record, rebuilt) = if let Some(outside) = &args.outside {
        let record = outside::record(transcript, outside, game);
        (record.map_err(|problem| ImportError::NoGame { path: file.to_owned(), problem })?, None)
    } else {
        let (contest, rebuilt) = match contest.or(said) {
            Some(contest) => {
                let contest = variant(transcript, contest).map_err(|refusal| named(&refusal))?;
                (contest, rebuild(transcript, contest).map_err(|refusal| named(&refusal))?)
            }
            None => recognise(transcript, known).map_err(|problem| {
                named(&format_args!(
                    "{problem}; --as NAME records a game of any other contest without its rules"
                ))
            })?,
        };
        (record(transcript, contest, &rebuilt, game)?, Some(rebuilt))
    };
    // Each game is a sample: a site's games come from no plan.
    record.group = game;
    record.attributes.insert("file".to_owned(), name.clone());
    let (dialogues, replay) = match &rebuilt {
        Some(rebuilt) => (rebuilt.dialogues.clone(), None),
        None => (outside::dialogues(transcript).unwrap_or_default(), Some(&input.bytes[..])),
    };
    let (logs, path) = write(args, &name, &dialogues, &record, replay)?;
    Ok(Imported { file: file.to_owned(), logs, path, rebuilt, record })
}

/// The number in the file's name, else the platform's, else the file's position on the command line.
fn game_number(name: &str, transcript: &Transcript, index: usize) -> u32 {
    let by_platform = transcript.id.and_then(|id| u32::try_from(id).ok());
    name.parse().ok().or(by_platform).unwrap_or(index as u32 + 1)
}

fn record(
    transcript: &Transcript,
    contest: &dyn Contest,
    rebuilt: &Rebuilt,
    game: u32,
) -> Result<GameRecord, ImportError> {
    let limits = contest.limits();
    let seed = transcript.parameters.seed.unwrap_or(0);
    let bot = |&player: &usize| {
        let command = format!("{} of {}", transcript.called(player), transcript.path.display());
        json!({"name": transcript.players[player].name, "command": command})
    };
    // Fields that only a game refereed here has stay empty.
    Ok(serde_json::from_value(json!({
        "game": game,
        "group": 0,
        "contest": contest.name(),
        "run": {
            "seed": seed,
            "openings": format!("{} random plies", transcript.parameters.opening_plies.unwrap_or(0)),
            "first_ms": millis(limits.first),
            "later_ms": millis(limits.later),
        },
        "seed": seed,
        "opening": rebuilt.opening,
        "bots": rebuilt.players.iter().map(bot).collect::<Vec<_>>(),
        "moves": rebuilt.moves,
        "scores": rebuilt.scores,
        "ending": rebuilt.ending(),
        "faults": rebuilt.faults,
        "times_ms": vec![Vec::<f64>::new(); rebuilt.players.len()],
    }))?)
}

/// Writes all files of a game, or none if an existing file would be overwritten without `--force`. Without rules `replay`,
/// the file itself, lies next to the record. Returns the dialogues' paths and the record's.
fn write(
    args: &Args,
    name: &str,
    dialogues: &[Log],
    record: &GameRecord,
    replay: Option<&[u8]>,
) -> Result<(Vec<PathBuf>, PathBuf), ImportError> {
    let failed = |path: &Path, source| ImportError::Write { path: path.to_owned(), source };
    let path = args.out.join(format!("{name}.json"));
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for (seat, log) in dialogues.iter().enumerate() {
        files.push((args.out.join(format!("{name}.p{seat}.log")), log.to_string().into_bytes()));
    }
    let logs = files.iter().map(|(path, _)| path.clone()).collect();
    files.extend(replay.map(|replay| (referee_file(&path), replay.to_owned())));
    let mut json = serde_json::to_vec_pretty(record)?;
    json.push(b'\n');
    files.push((path.clone(), json));
    fs::create_dir_all(&args.out).map_err(|error| failed(&args.out, error))?;
    for (path, bytes) in &files {
        let differs = fs::read(path).is_ok_and(|there| there != *bytes);
        if differs && !args.force {
            return Err(ImportError::Exists(path.clone()));
        }
    }
    for (path, bytes) in &files {
        coppice_referee::atomic::write(path, bytes).map_err(|error| failed(path, error))?;
    }
    Ok((logs, path))
}

/// Adds a line for each record to a file. A game that was imported before is replaced; other lines stay as they are. Bots
/// are told apart by their names on the site, so the lines have no command lines.
fn add_lines(path: &Path, records: &[GameRecord]) -> Result<(), ImportError> {
    let before = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(ImportError::Read { path: path.to_owned(), source }),
    };
    let is_again = |line: &&str| {
        let value = serde_json::from_str::<Value>(line).unwrap_or_default();
        let file = value["attributes"]["file"].as_str();
        records
            .iter()
            .any(|record| file.is_some() && record.attributes.get("file").map(String::as_str) == file)
    };
    let mut text = String::new();
    for line in before.lines().filter(|line| !line.trim().is_empty() && !is_again(line)) {
        text.push_str(line);
        text.push('\n');
    }
    for record in records {
        let mut record = record.clone();
        record.bots.iter_mut().for_each(|bot| bot.command.clear());
        text.push_str(&serde_json::to_string(&record)?);
        text.push('\n');
    }
    let failed = |source| ImportError::Write { path: path.to_owned(), source };
    coppice_referee::atomic::write(path, text.as_bytes()).map_err(failed)
}

impl Imported {
    /// Whether the file's scores rank the players differently than the rules do.
    fn is_doubtful(&self) -> bool {
        self.differ().is_some_and(|differ| !differ.same_order)
    }

    fn differ(&self) -> Option<&ScoresDiffer> {
        self.rebuilt.as_ref()?.scores_differ.as_ref()
    }

    fn print(&self, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let differ = self.differ().map(ToString::to_string);
        if let Some(text) = &differ {
            let _ = writeln!(io::stderr(), "{}: {text}", self.file.display());
        }
        let record = &self.record;
        if json {
            let line = Line {
                file: self.file.display().to_string(),
                logs: self.logs.clone(),
                players: self.rebuilt.as_ref().map_or(&[], |rebuilt| &rebuilt.players),
                scores_differ: differ,
                record,
            };
            let text = serde_json::to_string(&line).map_err(io::Error::from)?;
            return Ok(writeln!(out, "{text}")?);
        }
        let seats = record.bots.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join("-");
        let scores = record.scores.iter().map(i64::to_string).collect::<Vec<_>>().join("-");
        let ending = match record.faults.first() {
            Some(fault) => format!("{} by {}, turn {}", fault.ending, fault.bot, fault.turn),
            None => record.ending.to_string(),
        };
        let path = self.path.display();
        let files = match self.path.with_extension("").display() {
            stem if !self.logs.is_empty() => format!("{stem}.p*.log, {path}"),
            _ => path.to_string(),
        };
        let moves = if self.rebuilt.is_some() { "moves" } else { "answers" };
        Ok(writeln!(
            out,
            "{}: {}, {seats}, {} {moves}, scores {scores}, {ending}: {files}",
            self.file.display(),
            record.contest,
            record.move_count()
        )?)
    }
}
