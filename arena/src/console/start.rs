//! Sets up the console's first position: the start position, an opening, some moves, or a turn of a recorded game.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use contest::{session::Session, utf8};
use contest::{Contest, Setup};

use super::ConsoleError;
use coppice_referee::record::games;
use coppice_referee::record::GameRecord;
use coppice_referee::replay::Recording;

/// A recorded game, and the part of it to play.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    /// `GAME.json`, `GAME.p0.log` or `GAME.p1.log`, or a file of games.
    pub file: PathBuf,
    /// The game's number in a file of several.
    pub game: Option<u32>,
    /// Start before this move, counted from 1; default: before the last.
    pub turn: Option<usize>,
}

/// The first position: where it is, and the moves that lead there.
pub(crate) struct Start {
    /// The moves, a turn of simultaneous moves as one.
    pub moves: Vec<String>,
    /// The game's seed, from which its start and chance follow in some contests.
    pub game_seed: u64,
    /// The contest in the recorded game's variant, if its dialogue names it.
    pub variant: Option<Box<dyn Contest>>,
}

/// The first position.
///
/// # Errors
/// If the recording can't be used.
pub(crate) fn start(
    contest: &dyn Contest,
    recorded: Option<&Recorded>,
    seed: u64,
    opening_plies: u32,
) -> Result<Start, ConsoleError> {
    let Some(Recorded { file, game, turn }) = recorded else {
        let setup = Setup { seed, opening_plies, limits: contest.limits() };
        return Ok(Start { moves: words(&contest.new_game(setup).moves()), game_seed: seed, variant: None });
    };
    let mut begin = read(contest, file, *game)?;
    let count = begin.moves.len();
    let turn = turn.unwrap_or(count.max(1));
    if turn > count + 1 {
        return Err(format!(
            "{}: the game has {count} moves, so --ply may be 1 to {}, not {turn}",
            file.display(),
            count + 1
        )
        .into());
    }
    begin.moves.truncate(turn - 1);
    Ok(begin)
}

fn words(moves: &str) -> Vec<String> {
    moves.split_whitespace().map(str::to_owned).collect()
}

/// All of a recorded game.
fn read(contest: &dyn Contest, file: &Path, game: Option<u32>) -> Result<Start, ConsoleError> {
    let extension = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    match extension {
        "log" => from_logs(contest, file),
        "jsonl" => from_lines(contest, file, &games::read(file)?.records, game),
        _ => {
            let text = utf8::read(file).map_err(|error| format!("can't read {}: {error}", file.display()))?;
            match (serde_json::from_slice(&text), games::read(file)) {
                (Ok(record), _) => from_record(contest, file, &record),
                (Err(_), Ok(found)) if !found.records.is_empty() => {
                    from_lines(contest, file, &found.records, game)
                }
                (Err(error), _) => Err(format!(
                    "{} is not the record of a game: {error}\n\
                     give a GAME.json or a .log file of arena play --log-dir, or a games.jsonl",
                    file.display()
                )
                .into()),
            }
        }
    }
}

/// The game of this number, or the only one.
fn from_lines(
    contest: &dyn Contest,
    file: &Path,
    records: &[GameRecord],
    game: Option<u32>,
) -> Result<Start, ConsoleError> {
    let numbers = || records.iter().map(|record| record.game);
    let number = match (game, records) {
        (Some(game), _) => game,
        (None, [only]) => only.game,
        (None, _) => {
            return Err(
                format!("{} has {} games: say which with --game N", file.display(), records.len()).into()
            )
        }
    };
    let record = records.iter().find(|record| record.game == number).ok_or_else(|| {
        let (least, most) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        format!("{} has no game {number}; it has games {least} to {most}", file.display())
    })?;
    from_record(contest, file, record)
}

fn from_record(contest: &dyn Contest, file: &Path, record: &GameRecord) -> Result<Start, ConsoleError> {
    if record.contest != contest.name() {
        let (there, here) = (&record.contest, contest.name());
        return Err(format!(
            "{} is a game of {there}, not of {here}: {} debug {there}",
            file.display(),
            coppice_referee::text::program_name()
        )
        .into());
    }
    Ok(Start { moves: words(&record.moves), game_seed: record.seed, variant: None })
}

/// Replays both dialogues through the rules; a record next to them gives the opening.
fn from_logs(contest: &dyn Contest, file: &Path) -> Result<Start, ConsoleError> {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let base = name.strip_suffix(".log").and_then(|name| name.rsplit_once(".p")).map(|(base, _)| base);
    let Some(base) = base else {
        return Err(format!("{}: expected a file GAME.p0.log or GAME.p1.log", file.display()).into());
    };
    let record = file.with_file_name(format!("{base}.json"));
    if record.exists() {
        return read(contest, &record, None);
    }
    let paths = (0..contest.seats()).map(|seat| file.with_file_name(format!("{base}.p{seat}.log")));
    let recording = Recording::read(paths)?;
    match recording.replay(contest, 0, 0) {
        Ok(replayed) => {
            let moves = words(&replayed.moves);
            Ok(Start { moves, game_seed: 0, variant: recording.contest(contest) })
        }
        Err(disagreement) => Err(format!(
            "{disagreement}\nthe logs don't begin at the start position or were made by other rules; {} replay says \
             more",
            coppice_referee::text::program_name()
        )
        .into()),
    }
}

/// Plays the moves in a new session.
///
/// # Errors
/// The first illegal move, with its number.
pub(crate) fn play(session: &mut dyn Session, moves: &[String]) -> Result<(), ConsoleError> {
    for (number, text) in (1..).zip(moves) {
        session.play(text).map_err(|reason| format!("move {number}: {reason}"))?;
    }
    Ok(())
}
