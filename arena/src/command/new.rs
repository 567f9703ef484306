//! `arena new`: writes a new package outside this repository.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use super::init;
use crate::failure::Failure;
use crate::project::FILE_NAME;
use coppice_referee::text::note;
use coppice_referee::text::words;
use coppice_scaffold::{Dependency, NewFile, PackageName, ScaffoldError, Shape};

/// The arguments of `arena new`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The package's name, which is also the bot's and the contest's
    pub name: String,
    /// The contest's stub (config/stub.txt in its repository): writes a bot that reads its input
    #[arg(long, value_name = "FILE")]
    pub stub: Option<PathBuf>,
    /// The players move at the same time, and chance may take part; default: in turn
    #[arg(long, conflicts_with = "stub")]
    pub joint: bool,
    /// One player makes a plan of moves
    #[arg(long, conflicts_with_all = ["stub", "joint", "players"])]
    pub solo: bool,
    /// One player, many seeds, a score: a bot that anneals, a tester, and inputs by seed
    #[arg(long, conflicts_with_all = ["stub", "joint", "solo", "players"])]
    pub heuristic: bool,
    /// The number of players, 1 to 8; with --stub only for the commands in README.md
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub players: u8,
    /// The folder to write; default: the name
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The checkout of coppice to depend on, or its git URL; default: the checkout that built this program
    #[arg(long, value_name = "PATH|GIT-URL")]
    pub coppice: Option<String>,
}

impl Args {
    /// The shape of a contest without a stub.
    fn shape(&self) -> Shape {
        match self.players {
            players if self.joint => Shape::AtOnce(players),
            players if players > 1 && !self.solo => Shape::InTurn(players),
            _ => Shape::Solo,
        }
    }
}

/// Writes the package, and says what to do next.
///
/// # Errors
/// If the name can't be used, the folder isn't empty, or the engine isn't found; nothing is written then.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let name = PackageName::new(&args.name).map_err(ScaffoldError::from)?;
    let coppice = Dependency::new(args.coppice.as_deref()).map_err(ScaffoldError::from)?;
    let dir = args.dir.clone().unwrap_or_else(|| PathBuf::from(name.as_str()));
    let mut files = match &args.stub {
        Some(path) => {
            let stub =
                fs::read(path).map_err(|source| ScaffoldError::Unreadable { path: path.clone(), source })?;
            let package = coppice_scaffold::stub_files(&name, &coppice, &stub, args.players.into())
                .map_err(|error| ScaffoldError::Stub { path: path.clone(), error })?;
            for text in &package.notes {
                note(format_args!("{}: {text}", path.display()));
            }
            package.files
        }
        None if args.heuristic => coppice_scaffold::heuristic_files(&name, &coppice),
        None => coppice_scaffold::contest_files(&name, args.shape(), &coppice),
    };
    if !args.heuristic {
        files.push(NewFile::new(FILE_NAME, project(args)));
    }
    coppice_scaffold::write(&dir, &files)?;
    writeln!(out, "{}: {} files; README.md says what to change", dir.display(), files.len())?;
    writeln!(out, "next: cd {} && cargo test", words::quote(&dir.to_string_lossy()))?;
    Ok(())
}

/// The project's file of the package.
fn project(args: &Args) -> String {
    let bot = format!("{{ bundle = \"{}\" }}", args.name);
    if args.stub.is_none() {
        return init::text(&format!("contest = \"{}\"", args.name), &bot);
    }
    let host = "# The contest's referee; without one, delete this line.\nreferee = \"java -jar referee.jar\"";
    let text = init::text(host, &bot);
    match args.players {
        2 => text,
        players => text.replace("[run]\n", &format!("[run]\nplayers = {players}\n")),
    }
}
