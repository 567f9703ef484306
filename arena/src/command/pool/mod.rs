//! `arena pool`: the versions of a bot, and what was submitted.

mod list;
pub(crate) mod rate;
mod setup;
mod table;
mod trial;

use std::io::Write;
use std::path::PathBuf;

use contest::Contest;

use crate::command::game_options::check_searches;
use crate::failure::Failure;
use crate::pool::{now, Addition, Pool, PoolError, Submission, RUSTC};
use crate::project::LIMIT_BYTES;
use coppice_referee::series::host::Host;
use coppice_referee::text::note;

use setup::Plan;

/// The arguments of `arena pool`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

impl Args {
    /// Whether a bot is added, which may be built and play.
    pub(crate) fn is_addition(&self) -> bool {
        matches!(self.command, Command::Add(_))
    }
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Create a pool for a contest or a referee (-r), with its options
    New(Box<NewArgs>),
    /// Add a bot: its files are copied and built, and it plays a trial game from each of two seats
    Add(AddArgs),
    /// List the bots, their commits, and what is on the site
    List(ListArgs),
    /// Let a bot play no more, or (--undo) again; its files and games are kept
    Remove(RemoveArgs),
    /// Note that a bot was submitted, and its rank or score there
    Submitted(SubmittedArgs),
    /// Print the ratings, of all games or of some, or by an attribute
    Table(table::Args),
}

/// Where the pool is.
#[derive(Debug, Clone, clap::Args)]
struct Place {
    /// The pool's folder
    #[arg(long, value_name = "DIR", default_value = "pool")]
    pool: PathBuf,
}

#[derive(Debug, clap::Args)]
struct NewArgs {
    /// The pool's folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    plan: Plan,
}

#[derive(Debug, clap::Args)]
struct AddArgs {
    /// The bot's name in the pool
    name: String,
    /// Command line, quoted as one argument; or a file of Rust source; or in:SEARCH
    #[arg(value_name = "CMD")]
    command: String,
    /// Something to remember of it
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// The command that makes the program of CMD, run in a folder with copies of the files that it names, and again
    /// whenever the program is missing
    #[arg(long, value_name = "CMD")]
    build: Option<String>,
    /// The file that is pasted into the site, if the bot is a program made of it; given again, another file that --build
    /// needs
    #[arg(long, value_name = "FILE")]
    source: Vec<PathBuf>,
    /// The compiler's command line for Rust source
    #[arg(long, value_name = "CMD", default_value = RUSTC)]
    rustc: String,
    /// The text that the pool's tables show in place of CMD: `arena submit` compiles bots into paths that no user knows
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, hide = true)]
    given: Option<String>,
    /// Add it without trial games
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print a table in Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Print comma-separated values
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    csv: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, clap::Args)]
struct RemoveArgs {
    /// The bot
    name: String,
    /// Let it play again, also if it was parked; its failures so far no longer count
    #[arg(long)]
    undo: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, clap::Args)]
struct SubmittedArgs {
    /// The bot
    name: String,
    /// The rank that it reached
    #[arg(long, value_name = "N")]
    rank: Option<u32>,
    /// The site's score
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    score: Option<f64>,
    /// Anything else
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// When, in UTC, such as 2025-11-24T18:30:00Z [default: now]
    #[arg(long, value_name = "DATE")]
    at: Option<String>,
    #[command(flatten)]
    place: Place,
}

/// Runs a subcommand.
///
/// # Errors
/// The pool's errors, and if the output can't be written.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    match &args.command {
        Command::New(args) => {
            // A wrong option is an error now, not with the first bot.
            let opened = args.plan.open(known)?;
            args.plan.check(opened.host())?;
            Pool::create(&args.folder, args.plan.words()?)?;
            writeln!(
                out,
                "{}: a pool for {}; next: {arena} pool add NAME CMD --pool {0}",
                args.folder.display(),
                opened.host().name(),
                arena = coppice_referee::text::program_name()
            )?;
        }
        Command::Add(args) => add(args, known, out)?,
        Command::List(args) => list::print(&Pool::open(&args.place.pool)?, args, out)?,
        Command::Remove(args) => {
            Pool::change(&args.place.pool, |pool| match args.undo {
                true => pool.restore(&args.name),
                false => pool.retire(&args.name),
            })?;
            let says = if args.undo { "plays again" } else { "plays no more games" };
            writeln!(out, "{} {says}", args.name)?;
        }
        Command::Submitted(args) => {
            let submission = Submission {
                bot: args.name.clone(),
                at: args.at.clone().unwrap_or_else(now),
                rank: args.rank,
                score: args.score,
                note: args.note.clone(),
            };
            let pool = Pool::change(&args.place.pool, |pool| {
                pool.submitted(submission)?;
                Ok::<_, PoolError>(pool.clone())
            })?;
            list::print_site(&pool, out)?;
        }
        Command::Table(args) => table::run(args, known, out)?,
    }
    Ok(out.flush()?)
}

fn add(args: &AddArgs, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let addition = Addition {
        name: &args.name,
        command: &args.command,
        given: args.given.as_deref().unwrap_or(&args.command),
        note: args.note.as_deref(),
        build: args.build.as_deref(),
        sources: &args.source,
        rustc: &args.rustc,
    };
    let text = Pool::change(&args.place.pool, |pool| {
        let plan = Plan::of(pool, &[])?;
        let opened = plan.open(known)?;
        check_kind(pool, &args.command, opened.host())?;
        let added = pool.add(addition)?.clone();
        if !args.force && !added.is_search() {
            let remove = |_: &Failure| drop(std::fs::remove_dir_all(pool.folder_of(&added)));
            trial::play(pool, &plan, opened.host()).inspect_err(remove)?;
        }
        let size = pool.source_of(&added).and_then(|path| path.metadata().ok()).map_or(0, |file| file.len());
        if size > LIMIT_BYTES as u64 {
            note(format_args!("its source has {size} bytes, and the site takes at most {LIMIT_BYTES}"));
        }
        let hash = added.hash.as_deref().unwrap_or("unknown");
        let commit =
            added.commit.as_ref().map_or_else(String::new, |commit| format!(", commit {}", commit.short()));
        let files = match added.files.is_empty() {
            true => "no files".to_owned(),
            false => format!("{} in {}", added.files.join(", "), pool.folder_of(&added).display()),
        };
        Ok::<_, Failure>(format!("{}: {files}; hash {hash}{commit}", added.name))
    })?;
    writeln!(out, "{text}")?;
    Ok(())
}

/// Checks that a search of this program is known, and that it can meet the programs among the others.
fn check_kind(pool: &Pool, command: &str, host: Host<'_>) -> Result<(), Failure> {
    let others = pool.bots().iter().filter(|bot| bot.plays()).map(|bot| bot.given.as_str());
    let texts = [command].into_iter().chain(others).map(|text| text.trim().to_owned());
    check_searches(host, &texts.collect::<Vec<_>>())
}
