//! `arena debug`: an interactive console on a search.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::PathBuf;

use contest::session::SessionSettings;
use contest::Contest;

use crate::command::game_options::seed;
use crate::command::misuse::InvalidValue;
use crate::command::pool_size::PoolSize;
use crate::console::{play, start, Command, Console, Lines, Recorded, Start, WORDS};
use crate::failure::Failure;
use coppice_referee::contests::{at_position, searches_with_trees};
use coppice_referee::game::in_process::has_room;
use coppice_referee::game::GameError;

/// The arguments of `arena debug`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The contest's name; `arena contests` lists them
    pub contest: String,
    /// The search; default: the contest's first, which is `bot`, the submitted bot, where there is one; of those that
    /// keep a tree, if some do
    #[arg(long, value_name = "NAME")]
    pub search: Option<String>,
    /// List the searches and their parameters, and exit
    #[arg(long)]
    pub list: bool,
    /// Random seed of the opening and the search
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    #[command(flatten)]
    pub pool: PoolSize,
    /// Set one of the search's tunable parameters; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parameter)]
    pub parameters: Vec<(String, String)>,
    /// Start in this position instead of the contest's own start, in its notation; `position` prints one
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "replay")]
    pub position: Option<String>,
    /// Start after N random plies
    #[arg(long, value_name = "PLIES", default_value_t = 0, conflicts_with = "replay")]
    pub openings: u32,
    /// Start after these moves, separated by spaces; applied after --position, --openings or --replay
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Start in a recorded game: GAME.json, GAME.p0.log or a file of games
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
    /// The number of the game in a file of games
    #[arg(long, value_name = "N", requires = "replay")]
    pub game: Option<u32>,
    /// Start before this move of the recorded game, counted from 1 as in the record, including the
    /// opening's moves and passes; default: the last move
    #[arg(long, visible_alias = "turn", value_name = "N", requires = "replay", value_parser = clap::value_parser!(u32).range(1..))]
    pub ply: Option<u32>,
    /// Read the commands from this file instead of the standard input
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Print each command's result as one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// Lists the searches with their parameters (`--param NAME=VALUE`) and the range of each.
fn list(contest: &dyn Contest, out: &mut dyn Write) -> io::Result<()> {
    for search in contest.search_list() {
        writeln!(out, "{}: {}", search.name, search.about)?;
        for number in search.tunables {
            let (name, value) = (number.name, number.value);
            writeln!(out, "  {name}={value}, {} to {}", number.min, number.max)?;
        }
    }
    out.flush()
}

/// Reads and executes commands until the end of the input or `quit`.
///
/// # Errors
/// If the start position can't be set up, or, in a script, at the first command that fails.
pub(crate) fn run(args: &Args, contest: &dyn Contest, out: &mut dyn Write) -> Result<(), Failure> {
    if args.list {
        return Ok(list(contest, out)?);
    }
    let mut console = open(args, contest)?;
    let mut lines = lines(args)?;
    if lines.is_terminal() {
        banner(&mut console, out)?;
    }
    loop {
        if lines.is_terminal() {
            let commands = WORDS.iter().map(|word| word.name.to_owned()).collect();
            lines.complete(commands, console.moves());
        }
        let Some(line) = lines.read().map_err(|error| Failure::new(error.to_string()))? else {
            return Ok(());
        };
        let done = Command::parse(&line).and_then(|command| match command {
            None => Ok(None),
            Some(command) => console.execute(&command).map(|reply| Some((command, reply))),
        });
        match done {
            Ok(None) => {}
            Ok(Some((Command::Quit, _))) => return Ok(()),
            Ok(Some((_, reply))) => {
                if args.json {
                    let mut json = reply.json;
                    json["order"] = line.trim().into();
                    writeln!(out, "{json}")?;
                } else {
                    writeln!(out, "{}", reply.text)?;
                }
                out.flush()?;
                if console.is_interrupted() && !lines.is_terminal() {
                    return Err(GameError::Interrupted.into());
                }
            }
            Err(reason) if lines.is_terminal() => writeln!(out, "{reason}")?,
            Err(reason) => return Err(Failure::new(format!("line {}: {reason}", lines.number()))),
        }
    }
}

/// Prints the contest, the search, the position, and what to type.
fn banner(console: &mut Console, out: &mut dyn Write) -> Result<(), Failure> {
    for command in [Command::Info, Command::Show] {
        if let Ok(reply) = console.execute(&command) {
            writeln!(out, "{}", reply.text)?;
        }
    }
    writeln!(out, "nodes 10000 thinks, list shows the moves, help the commands; Tab completes both")?;
    Ok(out.flush()?)
}

/// The settings of a session.
pub(super) fn settings(seed: u64, pool: PoolSize, parameters: &[(String, String)]) -> SessionSettings {
    pool.of(SessionSettings { seed, parameters: parameters.to_vec(), ..SessionSettings::default() })
}

/// Parses NAME=VALUE.
pub(super) fn parameter(text: &str) -> Result<(String, String), InvalidValue> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn open(args: &Args, contest: &dyn Contest) -> Result<Console, Failure> {
    let placed = args.position.as_deref().map(|text| at_position(contest, text)).transpose()?;
    let contest = placed.unwrap_or(contest);
    let recorded = args.replay.clone().map(|file| Recorded {
        file,
        game: args.game,
        turn: args.ply.map(|ply| ply as usize),
    });
    let begin = start(contest, recorded.as_ref(), args.seed, args.openings);
    let Start { moves: begin, game_seed, variant } = begin.map_err(Failure::new)?;
    let contest = variant.as_deref().unwrap_or(contest);
    let settings = settings(args.seed, args.pool, &args.parameters);
    let settings = SessionSettings { game_seed, ..settings };
    let usual = || {
        let first = contest.search_list().first().map_or("bot", |search| search.name).to_owned();
        let with_trees = searches_with_trees(contest);
        match with_trees.contains(&first) {
            true => first,
            false => with_trees.into_iter().next().unwrap_or(first),
        }
    };
    let search = args.search.clone().unwrap_or_else(usual);
    settings.pool_bytes.map_or(Ok(()), has_room)?;
    let mut session = contest.session(&search, &settings).map_err(Failure::usage)?;
    play(session.as_mut(), &begin).map_err(Failure::new)?;
    let moves: Vec<String> =
        args.moves.iter().flat_map(|moves| moves.split_whitespace()).map(str::to_owned).collect();
    play(session.as_mut(), &moves).map_err(|reason| Failure::usage(format!("--moves, {reason}")))?;
    let with_trees = if session.memory().is_none() { searches_with_trees(contest) } else { Vec::new() };
    Ok(Console::new(&args.contest, &search, session).with_trees(with_trees))
}

fn lines(args: &Args) -> Result<Lines, Failure> {
    match &args.script {
        Some(path) => {
            let file = File::open(path)
                .map_err(|error| Failure::new(format!("can't read {}: {error}", path.display())))?;
            Ok(Lines::script(BufReader::new(file)))
        }
        None if io::stdin().is_terminal() && io::stdout().is_terminal() => {
            Lines::terminal(Some("debug-history"))
                .map_err(|error| Failure::new(format!("can't use the terminal: {error}")))
        }
        None => Ok(Lines::script(io::stdin().lock())),
    }
}
