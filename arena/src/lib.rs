//! Referees, measures and checks bots of any contest over pipes.
//!
//! The library knows no rule: a [`Program`] brings its contests and its own subcommands, and
//! [`Program::main`] is the whole program. Below it, a [`Series`] plans the games of a run, [`play`] referees one
//! game, and a [`Bot`] answers: a [`Process`] or, in a test, a [`ScriptedBot`].
//!
//! ```
//! use std::time::Duration;
//!
//! use coppice_arena::{play, Bot, Ending, Player, ScriptedBot};
//! use contest::{Contest, Limits, Setup};
//!
//! let contests = bots_searches::contests();
//! let contest = contests.iter().find(|contest| contest.name() == "tictactoe").unwrap();
//! let limits = Limits { first: Duration::from_secs(1), later: Duration::from_millis(100) };
//! let mut referee = contest.new_game(Setup { seed: 1, opening_plies: 0, limits });
//!
//! let player = |name: &str, answers: &[&'static str]| {
//!     let bot: Box<dyn Bot> = Box::new(ScriptedBot::lines(answers.iter().copied()));
//!     Player { name: name.to_owned(), bot }
//! };
//! let mut players = [player("A", &["0 0", "0 1", "0 2"]), player("B", &["1 0", "1 1"])];
//! let played = play(referee.as_mut(), &mut players, limits, Duration::ZERO)?;
//!
//! assert_eq!(played.ending(), Ending::Normal);
//! assert_eq!(played.moves, "0,0 1,0 0,1 1,1 0,2");
//! assert_eq!(played.scores, [1, 0]);
//! // Each bot's log holds the lines that it was sent and those that it answered.
//! assert!(played.dialogues[1].to_string().contains("> 0 0\n"));
//! assert!(played.dialogues[1].to_string().contains("< 1 1\n"));
//! # Ok::<(), coppice_arena::GameError>(())
//! ```
//!
//! Refereeing is in [`coppice_referee`], statistics in [`coppice_stats`], pages in `coppice_pages`, new packages in
//! `coppice_scaffold`; what another program needs of them is exported here. The modules, each of which imports only those
//! below it:
//!
//! ```text
//!   cli         the program's command line, and the entrance that parses and runs it
//!   subcommand  what subcommands of other programs share with these
//!   command     the subcommands
//!   person      games with people at the terminal
//!   failure     an error of any module, with its exit status; program: contests and subcommands
//!   pool        the versions of a bot in a league that goes on
//!   results     finished games of any program
//!   console     the debug console; check: the checks of a bot before it plays
//!   tune        tuning runs: their plan, their file
//!   attributes  conditions on games, and scores by what distinguishes them
//!   server      a search behind a socket
//! ```

#![warn(unreachable_pub)]

mod attributes;
mod check;
mod cli;
mod command;
mod console;
mod failure;
mod game_files;
mod person;
mod pool;
mod probe;
mod program;
mod project;
mod server;
pub mod subcommand;
mod tune;

pub use cli::{run, Cli, EXIT_CODES};
pub use command::cluster::ClusterArgs;
pub use coppice_referee::bot::data::{BotData, Spread};
pub use coppice_referee::bot::excess::Excess;
pub use coppice_referee::bot::exit::Exit;
pub use coppice_referee::bot::scripted::{Diary, ScriptedBot};
pub use coppice_referee::bot::usage::Usage;
pub use coppice_referee::bot::{Bot, Reply, MAX_ANSWER_BYTES};
pub use coppice_referee::cluster;
pub use coppice_referee::failure::FailureKind;
pub use coppice_referee::game::fault::{Ending, FaultReport};
pub use coppice_referee::game::in_process::{InProcess, InProcessError};
pub use coppice_referee::game::log::{Direction, Entry, Exchange, Log, LogError, Said};
pub use coppice_referee::game::{play, GameError, Played, Player};
pub use coppice_referee::process::command_line::{CommandLine, CommandLineError};
pub use coppice_referee::process::{stolen_time, Process, StartError};
pub use coppice_referee::record::{BotRecord, GameRecord, RunRecord};
pub use coppice_referee::replay::{Disagreement, Next, RecordedTurn, Recording};
pub use coppice_referee::series::entrant::Entrant;
pub use coppice_referee::series::openings::Openings;
pub use coppice_referee::series::{bot_name, derived_seed, Finished, Series, SeriesError};
pub use coppice_stats::repeats::Samples as TestSamples;
pub use coppice_stats::{
    Estimate, Grouping, LikelihoodError, Model as SprtModel, Outcomes, Sprt, SprtError, Times, Verdict,
};
pub use failure::Failure;
pub use program::{Outcome, Program, Subcommand};
