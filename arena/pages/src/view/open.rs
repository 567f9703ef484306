//! Reads a recorded game to be shown, and knows the commands that put its positions elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

use contest::Contest;

use super::page::{Command, Hint};
use super::{dialogues, foreign, game, Viewed, ViewedTurn};
use coppice_referee::contests;
use coppice_referee::game::in_process::InProcess;
use coppice_referee::replay::source::{Form, Found, Source, STDIN};
use coppice_referee::replay::verify::PrepareError;
use coppice_referee::text::program_name;
use coppice_referee::text::words;

/// Where a game comes from, for commands about it.
#[derive(Debug, Clone)]
pub struct Origin {
    /// File of the game.
    pub path: PathBuf,
    /// Number in a file of several games.
    pub number: Option<u64>,
    /// A search for `arena debug`: one that keeps a tree, if the contest has one.
    pub search: Option<String>,
    /// The contest's first search.
    pub bot: Option<&'static str>,
    /// The search that was asked about each turn.
    pub compared: Option<InProcess>,
}

/// Bytes of a picture that a page takes.
const MOST_PICTURE: usize = 1_000_000;

/// `GAME.referee.json` next to `GAME.json`.
pub fn referee_file(record: &Path) -> PathBuf {
    record.with_extension("referee.json")
}

/// There is nothing of a game to show.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The rules can't replay it.
    #[error(transparent)]
    Rules(PrepareError),
    /// The contest isn't known here, and no other file has the turns.
    #[error(
        "{0}: no contest of this program, and neither dialogues of its bots (GAME.p0.log) nor a file of its referee with \
         their answers (GAME.referee.json) lie next to it: play it with --log-dir"
    )]
    Foreign(String),
}

/// Reads a game: by the rules of its contest, or, without them, from the file that its referee wrote.
///
/// # Errors
/// If the game has nothing to show; the error says what is missing.
pub fn open(
    source: &Source,
    said: Option<&dyn Contest>,
    known: &[&dyn Contest],
) -> Result<(Viewed, Origin), OpenError> {
    let mut origin =
        Origin { path: record_of(source), number: None, search: None, bot: None, compared: None };
    if source.is_line() {
        origin.number = source.fields.game;
    }
    let source = &with_dialogues(source);
    let is_foreign =
        source.fields.contest.as_deref().is_some_and(|name| contests::find(known, name).is_err());
    let by_rules = (!is_foreign).then(|| game::view(source, said, known));
    match by_rules {
        Some(Ok(mut viewed)) => {
            let contest = contests::find(known, &viewed.contest).ok();
            origin.search = contest.and_then(debugging);
            origin.bot = contest.and_then(|contest| contest.search_list().first().map(|search| search.name));
            if let (Form::Transcript(_), Ok(bytes)) = (&source.form, fs::read(&source.path)) {
                foreign::complete(&mut viewed, &bytes);
            }
            viewed.date = day(&source.path);
            Ok((viewed, origin))
        }
        failed => {
            let files = [source.path.clone(), referee_file(&source.path)];
            let mut bytes = files.iter().filter_map(|file| fs::read(file).ok());
            let viewed = bytes.find_map(|bytes| foreign::view(&source.name, &bytes));
            let bytes = fs::read(&files[1]).unwrap_or_default();
            let by_dialogues = dialogues::view(source).map(|mut viewed| {
                foreign::add_texts(&mut viewed, &bytes);
                viewed
            });
            let mut viewed = by_dialogues.or(viewed).ok_or_else(|| match failed {
                Some(Err(error)) => OpenError::Rules(error),
                _ => OpenError::Foreign(source.name.clone()),
            })?;
            game::add_record(&mut viewed, source);
            viewed.picture = picture(&source.path);
            viewed.date = day(&source.path);
            Ok((viewed, origin))
        }
    }
}

/// `GAME.svg` next to a game's file, as the tester of a heuristic contest draws it.
fn picture(path: &Path) -> Option<String> {
    let game = path.file_name()?.to_string_lossy();
    let game = game.split('.').next().filter(|name| name.parse::<u32>().is_ok())?;
    let text = fs::read_to_string(path.with_file_name(format!("{game}.svg"))).ok()?;
    (text.len() <= MOST_PICTURE).then_some(text)
}

/// The day, in UTC, on which a file was written last; empty if that isn't known.
fn day(path: &Path) -> String {
    let written = fs::metadata(path).and_then(|file| file.modified());
    let time = written.map(|time| humantime::format_rfc3339_seconds(time).to_string());
    time.ok().and_then(|time| time.get(..10).map(str::to_owned)).unwrap_or_default()
}

/// A game's record with the dialogues that lie next to it.
fn with_dialogues(source: &Source) -> Source {
    let log = source.path.with_extension("p0.log");
    let is_record = matches!(source.form, Form::Moves)
        && source.path.extension().is_some_and(|extension| extension == "json");
    let found = (is_record && log.is_file()).then(|| Found::look(&[log]).games.into_iter().next()).flatten();
    found.map_or_else(|| source.clone(), |found| Source { name: source.name.clone(), ..found })
}

/// The file that `arena debug --replay` reads.
fn record_of(source: &Source) -> PathBuf {
    match &source.form {
        Form::Dialogues(logs) => {
            let record = source.path.with_extension("json");
            let first = logs.first().map(|(path, _)| path.clone());
            if record.is_file() {
                record
            } else {
                first.unwrap_or_else(|| source.path.clone())
            }
        }
        _ => source.path.clone(),
    }
}

/// The search in which a position is looked into: minimax, which shows most, or another with a tree, or any.
fn debugging(contest: &dyn Contest) -> Option<String> {
    let trees = contests::searches_with_trees(contest);
    let minimax = trees.iter().find(|name| *name == "minimax").or(trees.first());
    minimax.cloned().or_else(|| contest.search_list().first().map(|search| search.name.to_owned()))
}

/// Nodes that the console thinks for, where no search was asked.
const NODES: u64 = 400_000;

/// How to compare a game of two or more players with a search of this program; `None` if the contest has no search.
pub fn hint(viewed: &Viewed, origin: &Origin) -> Option<Hint> {
    let bot = origin.bot.filter(|_| viewed.bots.len() > 1 && origin.is_file())?;
    let (file, arena) = (origin.file(), program_name());
    Some(Hint {
        text: "What would a search of this program have played, what was each move worth, and which turn lost the game?"
            .to_owned(),
        command: format!("{arena} view {file} --compare 'in:{bot} --ms 100'"),
    })
}

impl Origin {
    /// Whether a command can read the game again.
    fn is_file(&self) -> bool {
        self.path.as_os_str() != STDIN
    }

    /// The file, and the game in it, as words of a command.
    fn file(&self) -> String {
        // The command works from any folder.
        let path = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        let file = words::quote(&path.to_string_lossy()).into_owned();
        file + &self.number.map_or_else(String::new, |number| format!(" --game {number}"))
    }
}

/// Commands that put the position before a turn elsewhere: into the search that was asked about it, else into one that shows
/// its tree, and before another bot.
pub fn commands(viewed: &Viewed, origin: &Origin, number: usize) -> Vec<Command> {
    let Some(turn) = viewed.turns.get(number - 1) else { return Vec::new() };
    let Some(before) = turn.moves_before.filter(|_| origin.is_file()) else { return Vec::new() };
    let (file, contest) = (origin.file(), words::quote(&viewed.contest).into_owned());
    let arena = program_name();
    let asked = turn.other.as_ref().zip(origin.compared.as_ref()).map(|(other, search)| {
        let again = other.checked.as_ref().map(|checked| checked.command.clone());
        (search.options(), again.unwrap_or_else(|| search.limit.command()))
    });
    let search = asked.or_else(|| {
        let search = origin.search.as_deref()?;
        Some((format!("--search {}", words::quote(search)), format!("nodes {NODES}")))
    });
    let mut commands = Vec::new();
    if let Some((options, think)) = search {
        let text = format!(
            "printf '{think}\\nlist 5\\nline\\n' | {arena} debug {contest} {options} --replay {file} --ply {}{}",
            before + 1,
            moves_of_others(viewed, turn)
        );
        commands.push(Command { label: "Look into this position", text });
    }
    if origin.number.is_none() {
        let seat = turn.seat;
        let text =
            format!("{arena} replay {file} --contest {contest} --turn {number} --seat {seat} --bot ./mine");
        commands.push(Command { label: "Ask another bot about this turn", text });
    }
    commands
}

/// Of seats that are asked together, the moves of those before this one: then it is this one's turn in the console, whose
/// search doesn't see them.
fn moves_of_others(viewed: &Viewed, turn: &ViewedTurn) -> String {
    let others = viewed.turns.iter().take_while(|other| !std::ptr::eq(*other, turn));
    let others = others.filter(|other| other.round > 0 && other.round == turn.round);
    let moves = others.filter_map(|other| other.played.clone()).collect::<Vec<_>>();
    if moves.is_empty() {
        return String::new();
    }
    format!(" --moves {}", words::quote(&moves.join(" ")))
}
