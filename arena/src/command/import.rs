//! `arena import`: converts games of the platform and of its runner into this program's logs.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use contest::Contest;
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;
use coppice_referee::contests;
use coppice_referee::record::GameRecord;
use coppice_referee::text::{millis, readable};
use coppice_referee::transcript::rebuild::{rebuild, variant, Rebuilt};
use coppice_referee::transcript::recognise::recognise;
use coppice_referee::transcript::{Transcript, TranscriptError};

/// The arguments of `arena import`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// JSON files, optionally preceded by the contest's name
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// The contest (`arena contests` lists them); default: the one whose rules accept the whole game
    #[arg(long, value_name = "NAME")]
    pub contest: Option<String>,
    /// Output folder for GAME.p0.log, GAME.p1.log and GAME.json, where GAME is the file's name
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
    players: &'a [usize],
    /// How the file's scores differ from the rules', if they do.
    scores_differ: Option<String>,
    #[serde(flatten)]
    record: &'a GameRecord,
}

/// Imports each file, continuing after a failure.
///
/// # Errors
/// If a file can't be imported, or its scores rank the players differently than the rules do.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let (contest, files) = split(args, known)?;
    let mut failed = 0;
    for (index, file) in files.iter().enumerate() {
        match import(args, Path::new(file), index, contest, known) {
            Ok(imported) => {
                imported.print(args.json, out)?;
                failed += usize::from(imported.is_doubtful());
            }
            Err(error) => {
                failed += 1;
                // The exit code reports the failure too.
                let _ = writeln!(io::stderr(), "{}", readable(&error.to_string()));
            }
        }
    }
    if failed > 0 {
        return Err(Failure::new(format!(
            "{failed} of {} files could not be imported as they are; the reasons are above",
            files.len()
        )));
    }
    Ok(())
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
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    #[error("{}: {problem}", .path.display())]
    Game { path: PathBuf, problem: String },
    #[error("the game's record can't be made: {0}")]
    Record(#[from] serde_json::Error),
    #[error("can't write {}: {source}; give -o a writable folder", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} exists already and differs: give -o another folder, or --force to overwrite it", .0.display())]
    Exists(PathBuf),
}

/// A game with its files.
struct Imported {
    file: PathBuf,
    logs: Vec<PathBuf>,
    rebuilt: Rebuilt,
    record: GameRecord,
}

fn import(
    args: &Args,
    file: &Path,
    index: usize,
    contest: Option<&dyn Contest>,
    known: &[&dyn Contest],
) -> Result<Imported, ImportError> {
    let transcript = Transcript::read(file)?;
    let named = |problem: &dyn fmt::Display| ImportError::Game {
        path: file.to_owned(),
        problem: problem.to_string(),
    };
    let said = transcript.parameters.contest.as_deref();
    let said = said.map(|name| contests::find(known, name)).transpose().map_err(|error| named(&error))?;
    let (contest, rebuilt) = match contest.or(said) {
        Some(contest) => {
            let contest = variant(&transcript, contest).map_err(|refusal| named(&refusal))?;
            (contest, rebuild(&transcript, contest).map_err(|refusal| named(&refusal))?)
        }
        None => recognise(&transcript, known).map_err(|problem| named(&problem))?,
    };
    let name = file.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy().into_owned());
    let record = record(&transcript, contest, &rebuilt, game_number(&name, &transcript, index))?;
    let logs = write(args, &name, &rebuilt, &record)?;
    Ok(Imported { file: file.to_owned(), logs, rebuilt, record })
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

/// Writes all files of a game, or none if an existing file would be overwritten without `--force`.
fn write(
    args: &Args,
    name: &str,
    rebuilt: &Rebuilt,
    record: &GameRecord,
) -> Result<Vec<PathBuf>, ImportError> {
    let failed = |path: &Path, source| ImportError::Write { path: path.to_owned(), source };
    let mut json = serde_json::to_vec_pretty(record)?;
    json.push(b'\n');
    let log = |(seat, log): (usize, &coppice_referee::game::log::Log)| {
        (args.out.join(format!("{name}.p{seat}.log")), log.to_string().into_bytes())
    };
    let mut files: Vec<(PathBuf, Vec<u8>)> = rebuilt.dialogues.iter().enumerate().map(log).collect();
    files.push((args.out.join(format!("{name}.json")), json));
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
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

impl Imported {
    /// Whether the file's scores rank the players differently than the rules do.
    fn is_doubtful(&self) -> bool {
        self.rebuilt.scores_differ.as_ref().is_some_and(|differ| !differ.same_order)
    }

    fn print(&self, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let differ = self.rebuilt.scores_differ.as_ref().map(ToString::to_string);
        if let Some(text) = &differ {
            let _ = writeln!(io::stderr(), "{}: {text}", self.file.display());
        }
        let record = &self.record;
        if json {
            let line = Line {
                file: self.file.display().to_string(),
                logs: self.logs.clone(),
                players: &self.rebuilt.players,
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
        let stem =
            self.logs.last().map_or_else(String::new, |path| path.with_extension("").display().to_string());
        Ok(writeln!(
            out,
            "{}: {}, {seats}, {} moves, scores {scores}, {ending}: {stem}.p*.log, {stem}.json",
            self.file.display(),
            record.contest,
            record.move_count()
        )?)
    }
}
