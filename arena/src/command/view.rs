//! `arena view`: writes games as a page to look at.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use contest::session::STACK_BYTES;
use contest::Contest;

use crate::atomic;
use crate::contests;
use crate::error::ArenaError;
use crate::game::in_process::{InProcess, InProcessError};
use crate::game::GameError;
use crate::process;
use crate::replay::source::{Form, Found, Source};
use crate::report::progress::Progress;
use crate::text::note;
use crate::view::page::{page, result, Heading};
use crate::view::{compare, foreign, game, Viewed};

/// Games on one page.
const MOST_GAMES: usize = 100;

/// The arguments of `arena view`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Bot logs (GAME.p0.log), game records (GAME.json, games.jsonl), replays of the platform, results of its runner, files
    /// that external referees wrote (GAME.referee.json), or folders of them
    #[arg(required = true, value_name = "GAME")]
    pub files: Vec<PathBuf>,
    /// The page; default: the first game's name with .html, in this folder
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Only this game of a file of several; may be given several times
    #[arg(long, value_name = "N")]
    pub game: Vec<u64>,
    /// The contest; default: the record's contest, the one in a folder's name, or the one whose rules accept the whole
    /// game
    #[arg(long, value_name = "NAME")]
    pub contest: Option<String>,
    /// Show in which turns this search of the program would play something else: in:SEARCH with --nodes N or --ms N
    #[arg(long, value_name = "IN:SEARCH")]
    pub compare: Option<String>,
    /// Show the page in the browser
    #[arg(long)]
    pub open: bool,
}

/// Where a game comes from, for commands about it.
struct Origin {
    /// Its file.
    path: PathBuf,
    /// Its number in a file of several.
    number: Option<u64>,
    /// Whether the contest has searches for `arena debug`.
    is_debuggable: bool,
}

/// Writes the page and prints its path.
///
/// # Errors
/// If there is no game to show, a search can't be asked, or the page can't be written.
pub fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), ArenaError> {
    let said = args.contest.as_deref().map(|name| contests::find(known, name)).transpose()?;
    let search = args.compare.as_deref().map(searched).transpose()?;
    let found = Found::look(&args.files);
    found.problems.iter().for_each(note);
    let mut sources: Vec<&Source> = found.games.iter().filter(|source| is_asked(args, source)).collect();
    // A record shows what its referee wrote.
    sources.retain(|source| !is_of_record(&found.games, source));
    if sources.is_empty() {
        return Err(ArenaError::NoGames(args.files.iter().map(|path| path.display().to_string()).collect()));
    }
    if sources.len() > MOST_GAMES {
        note(format_args!(
            "{} games: the page shows the first {MOST_GAMES}; --game N chooses",
            sources.len()
        ));
        sources.truncate(MOST_GAMES);
    }
    let mut shown = sources.iter().map(|source| show(source, said, known)).collect::<Result<Vec<_>, _>>()?;
    if let Some(search) = &search {
        compared(&mut shown, search, known)?;
    }
    let heading = Heading {
        title: match &shown[..] {
            [(only, _)] => format!("{}: {}", only.name, result(only)),
            all => format!("{} games", all.len()),
        },
        compared: args.compare.clone().unwrap_or_default(),
    };
    let (games, origins): (Vec<Viewed>, Vec<Origin>) = shown.into_iter().unzip();
    let commands = |game: usize, number: usize| commands(&games[game], &origins[game], number);
    let text = page(&games, &heading, &commands).map_err(|error| ArenaError::Page(Box::new(error)))?;
    let path = args.out.clone().unwrap_or_else(|| default_path(&games[0]));
    atomic::write(&path, text.as_bytes())
        .map_err(|source| ArenaError::StudyFile { path: path.clone(), source })?;
    writeln!(out, "{}", path.display())?;
    if args.open {
        if let Err(error) = open::that_detached(&path) {
            note(format_args!("no browser could be started ({error}): open {} yourself", path.display()));
        }
    }
    Ok(())
}

/// A search of this program.
fn searched(text: &str) -> Result<InProcess, ArenaError> {
    let search = InProcess::parse(text)?;
    search.ok_or_else(|| {
        ArenaError::Usage(format!(
            "--compare asks a search of this program, such as 'in:bot --ms 100', and `{text}` is none; \
             arena replay GAME --bot CMD asks a program"
        ))
    })
}

fn is_asked(args: &Args, source: &Source) -> bool {
    args.game.is_empty() || source.fields.game.is_some_and(|number| args.game.contains(&number))
}

/// Whether a record among these games shows this file, which its referee wrote.
fn is_of_record(games: &[Source], source: &Source) -> bool {
    games.iter().any(|other| referee_file(&other.path) == source.path)
}

/// `GAME.referee.json` beside `GAME.json`.
fn referee_file(record: &Path) -> PathBuf {
    record.with_extension("referee.json")
}

fn show(
    source: &Source,
    said: Option<&dyn Contest>,
    known: &[&dyn Contest],
) -> Result<(Viewed, Origin), ArenaError> {
    let mut origin = Origin { path: record_of(source), number: None, is_debuggable: false };
    if source.path.extension().is_some_and(|extension| extension == "jsonl") {
        origin.number = source.fields.game;
    }
    let is_foreign =
        source.fields.contest.as_deref().is_some_and(|name| contests::find(known, name).is_err());
    let by_rules = if is_foreign { Err(String::new()) } else { game::view(source, said, known) };
    match by_rules {
        Ok(mut viewed) => {
            let contest = contests::find(known, &viewed.contest).ok();
            origin.is_debuggable = contest.is_some_and(|contest| !contest.search_list().is_empty());
            if let (Form::Transcript(_), Ok(bytes)) = (&source.form, fs::read(&source.path)) {
                foreign::complete(&mut viewed, &bytes);
            }
            Ok((viewed, origin))
        }
        Err(reason) => {
            let files = [source.path.clone(), referee_file(&source.path)];
            let mut bytes = files.iter().filter_map(|file| fs::read(file).ok());
            let viewed = bytes.find_map(|bytes| foreign::view(&source.name, &bytes));
            let mut viewed = viewed.ok_or_else(|| {
                let missing =
                    "no contest of this program, and no file of its referee beside it (--log-dir keeps it)";
                let reason = if reason.is_empty() { format!("{}: {missing}", source.name) } else { reason };
                ArenaError::Usage(reason)
            })?;
            game::add_record(&mut viewed, source);
            Ok((viewed, origin))
        }
    }
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

fn compared(
    shown: &mut [(Viewed, Origin)],
    search: &InProcess,
    known: &[&dyn Contest],
) -> Result<(), ArenaError> {
    let turns = shown.iter().map(|(viewed, _)| viewed.turns.len()).sum();
    let mut progress = Progress::new();
    progress.begin(0, turns);
    for (viewed, _) in shown {
        let contest = contests::find(known, &viewed.contest)?;
        // A search needs a larger stack than the main thread has on every system.
        let asked = thread::scope(|scope| {
            let ask = || compare::compare(viewed, contest, search, || progress.advance());
            let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, ask);
            let thread = thread.map_err(|error| InProcessError::Thread(error.to_string()))?;
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                .map_err(|why| InProcessError::Contest { contest: contest.name().to_owned(), why })
        });
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        asked?;
    }
    progress.end();
    Ok(())
}

fn default_path(game: &Viewed) -> PathBuf {
    let name =
        Path::new(&game.name).file_name().map_or_else(|| "games".into(), |name| name.to_string_lossy());
    let name = name.strip_suffix(".json").unwrap_or(&name).replace(':', "-");
    PathBuf::from(format!("{name}.html"))
}

/// Commands that put the position before a turn elsewhere.
fn commands(viewed: &Viewed, origin: &Origin, number: usize) -> Vec<String> {
    let Some(turn) = viewed.turns.get(number - 1) else { return Vec::new() };
    let Some(before) = turn.moves_before else { return Vec::new() };
    let file = shell_words::quote(&origin.path.to_string_lossy()).into_owned();
    let contest = shell_words::quote(&viewed.contest).into_owned();
    let mut commands = Vec::new();
    if origin.is_debuggable {
        let game = origin.number.map_or_else(String::new, |number| format!(" --game {number}"));
        commands.push(format!("arena debug {contest} --replay {file}{game} --turn {}", before + 1));
    }
    if origin.number.is_none() {
        let seat = turn.seat;
        commands.push(format!(
            "arena replay {file} --contest {contest} --turn {number} --seat {seat} --bot ./mine"
        ));
    }
    commands
}
