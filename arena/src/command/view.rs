//! `arena view`: writes games as a page to look at, or as text.

mod text;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use contest::session::STACK_BYTES;
use contest::Contest;

use crate::command::misuse::{NoGames, NoSuchGame};
use crate::failure::Failure;
use crate::project;
use coppice_pages::view::open::{self, Origin};
use coppice_pages::view::outcome::{rank, title};
use coppice_pages::view::page::{page, Heading};
use coppice_pages::view::{bot_colours, compare, Viewed};
use coppice_referee::atomic::{self, FileError};
use coppice_referee::contests;
use coppice_referee::game::in_process::{InProcess, InProcessError};
use coppice_referee::game::GameError;
use coppice_referee::process;
use coppice_referee::record::games;
use coppice_referee::replay::source::{Found, Source};
use coppice_referee::report::progress::Progress;
use coppice_referee::series::bot_name;
use coppice_referee::series::fixture::seat_of_first;
use coppice_referee::text::{note, program_name};

/// Games on one page.
const MOST_GAMES: usize = 100;

/// The arguments of `arena view`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Bot logs (GAME.p0.log), game records (GAME.json, games.jsonl), replays of the platform, results of its runner, files
    /// that external referees wrote (GAME.referee.json), or folders of them;
    /// - is the standard input
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
    /// Show in which turns this search of the program would play differently, and which turn lost the game by its scores
    /// (the costliest are searched again with eight times the budget): in:SEARCH with --nodes N or --ms N
    #[arg(long, value_name = "IN:SEARCH")]
    pub compare: Option<String>,
    /// Of several games, those come first that this bot lost; default: the run's first bot
    #[arg(long, value_name = "NAME")]
    pub of: Option<String>,
    /// Show the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Print positions and moves instead of writing a page; at a terminal with colours positions are drawn
    #[arg(long, conflicts_with_all = ["out", "compare", "of", "open"])]
    pub text: bool,
    /// Only the position of this turn and its moves, from 1
    #[arg(long, value_name = "N", requires = "text")]
    pub turn: Option<usize>,
}

/// Writes the page and prints its path, or prints the games.
///
/// # Errors
/// If no game can be shown, there is no such turn, a search can't be asked, or the page can't be written.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let said = args.contest.as_deref().map(|name| contests::find(known, name)).transpose()?;
    let search = args.compare.as_deref().map(|text| searched("--compare", text)).transpose()?;
    let found = Found::look(&args.files);
    found.problems.iter().for_each(note);
    let mut sources: Vec<&Source> = found.games.iter().filter(|source| is_asked(args, source)).collect();
    // A record shows what its referee wrote.
    sources.retain(|source| !is_of_record(&found.games, source));
    if sources.is_empty() && !found.games.is_empty() && !args.game.is_empty() {
        return Err(Failure::usage(NoSuchGame::new(&args.game, &found.games)));
    }
    if sources.is_empty() {
        return Err(Failure::new(NoGames::in_files(&args.files)));
    }
    if sources.len() > MOST_GAMES {
        note(format_args!("{} games: the first {MOST_GAMES} are shown; --game N chooses", sources.len()));
        sources.truncate(MOST_GAMES);
    }
    let mut shown = sources
        .iter()
        .map(|source| open::open(source, said, known).map_err(Failure::usage))
        .collect::<Result<Vec<_>, _>>()?;
    let bots = bot_colours::known(shown.iter().map(|(viewed, _)| viewed));
    let about = args.of.clone().or_else(|| first_bot(&sources, &shown));
    let template = project::template()?;
    for (viewed, _) in &mut shown {
        template.iter().for_each(|template| template.add_boards(viewed));
        viewed.colours = bot_colours::of_game(&viewed.bots, &bots);
        viewed.viewpoint = about.as_ref().and_then(|name| viewed.seat_of(name)).unwrap_or(0);
    }
    if args.text {
        return shown.iter().try_for_each(|(viewed, _)| text::write(viewed, args.turn, out));
    }
    if let Some(search) = &search {
        compared(&mut shown, search, known)?;
    }
    if let Some(name) = about {
        shown.sort_by_key(|(viewed, _)| rank(viewed, &name));
    }
    let heading = Heading {
        title: match &shown[..] {
            [(only, _)] => format!("{}: {}", title(only), only.name),
            all => format!("{} games", all.len()),
        },
        compared: args.compare.clone().unwrap_or_default(),
        hint: match (&args.compare, &shown[..]) {
            (None, [(viewed, origin), ..]) => open::hint(viewed, origin),
            _ => None,
        },
        ..Heading::default()
    };
    let (games, origins): (Vec<Viewed>, Vec<Origin>) = shown.into_iter().unzip();
    let commands = |game: usize, number: usize| open::commands(&games[game], &origins[game], number);
    let text = page(&games, &heading, &commands).map_err(Failure::new)?;
    let path = args.out.clone().unwrap_or_else(|| default_path(&games[0]));
    let is_there = path.exists();
    atomic::write(&path, text.as_bytes()).map_err(|source| FileError::at(&path, source))?;
    if is_there {
        note(format_args!("{} was there and is replaced", path.display()));
    }
    writeln!(out, "{}", path.display())?;
    if args.open {
        if let Err(error) = ::open::that_detached(&path) {
            note(format_args!("no browser could be started ({error}): open {} yourself", path.display()));
        }
    }
    Ok(())
}

/// The bot that the games are about: the one that the run's command line named first, as far as the records tell it.
fn first_bot(sources: &[&Source], shown: &[(Viewed, Origin)]) -> Option<String> {
    let mut names = shown.iter().flat_map(|(viewed, _)| viewed.bots.iter().map(|bot| &bot.name));
    if let Some(letter) = names.find(|name| **name == bot_name(0)) {
        return Some(letter.clone());
    }
    let (Source { fields, .. }, (viewed, _)) = (sources.first()?, shown.first()?);
    let seat = fields.run.as_ref().zip(fields.game).map_or(0, |(run, game)| {
        seat_of_first(u32::try_from(game).unwrap_or(1), viewed.bots.len(), run.seating)
    });
    viewed.bots.get(seat).map(|bot| bot.name.clone())
}

/// A search of this program.
///
/// # Errors
/// If `text` isn't a search of this program.
pub(crate) fn searched(option: &str, text: &str) -> Result<InProcess, Failure> {
    let search = InProcess::parse(text)?;
    search.ok_or_else(|| {
        Failure::usage(format!(
            "{option} expects a search of this program, such as 'in:bot --ms 100', found `{text}`; \
             {} replay GAME --bot CMD asks a program",
            program_name()
        ))
    })
}

fn is_asked(args: &Args, source: &Source) -> bool {
    args.game.is_empty() || source.fields.game.is_some_and(|number| args.game.contains(&number))
}

/// Whether a record among these games shows this file, which its referee wrote.
fn is_of_record(games: &[Source], source: &Source) -> bool {
    games.iter().any(|other| open::referee_file(&other.path) == source.path)
}

fn compared(
    shown: &mut [(Viewed, Origin)],
    search: &InProcess,
    known: &[&dyn Contest],
) -> Result<(), Failure> {
    let mut progress = Progress::new();
    progress.begin(0, shown.len());
    for (viewed, origin) in shown {
        let asked = ask(viewed, origin, search, known);
        progress.advance();
        progress.update(format_args!("asking {}", search.search));
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        asked?;
    }
    progress.end();
    Ok(())
}

/// Asks a search about each turn of a game; commands about these turns then ask the same one.
///
/// # Errors
/// If the contest has no such search, or the game can't be played in it.
pub(crate) fn ask(
    viewed: &mut Viewed,
    origin: &mut Origin,
    search: &InProcess,
    known: &[&dyn Contest],
) -> Result<(), Failure> {
    let contest = contests::find(known, &viewed.contest)?;
    origin.compared = Some(search.clone());
    // A search needs a larger stack than the main thread has on every system.
    thread::scope(|scope| {
        let ask = || compare::compare(viewed, contest, search);
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, ask);
        let thread = thread.map_err(|error| InProcessError::Thread(error.to_string()))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).map_err(|error| {
            InProcessError::Contest { contest: contest.name().to_owned(), why: error.to_string().into() }
        })
    })?;
    Ok(())
}

/// The page's file in the working folder: called as the game, or as the run and the game's number.
fn default_path(game: &Viewed) -> PathBuf {
    let path = Path::new(&game.name);
    let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = last(path).unwrap_or_else(|| "games".to_owned());
    let of_run = name.strip_prefix(games::FILE_NAME).and_then(|number| Some((last(path.parent()?)?, number)));
    let name = of_run.map_or(name.clone(), |(run, number)| run + number);
    let name = name.strip_suffix(".json").unwrap_or(&name).replace(':', "-");
    PathBuf::from(format!("{name}.html"))
}
