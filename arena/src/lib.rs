//! Referees, measures and checks bots of any contest over pipes.
//!
//! The library knows no rule: a [`Program`] brings its contests, its studies and its own subcommands, and
//! [`Program::main`] is the whole program. Below it, a [`Series`] plans the games of a run, [`play`] referees one
//! game, and a [`Bot`] answers: a [`Process`] or, in a test, a [`ScriptedBot`].
//!
//! ```
//! use std::time::Duration;
//!
//! use arena::{play, Bot, Ending, Player, ScriptedBot};
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
//! # Ok::<(), arena::GameError>(())
//! ```
//!
//! The folders, each of which imports only those below it:
//!
//! ```text
//!   cli         the program's command line, and the entrance that parses and runs it
//!   command     the subcommands
//!   report_page the page of a run
//!   study       published comparisons, repeated
//!   person      games with people at the terminal
//!   pool        the versions of a bot in a league that goes on
//!   results     finished games of any program
//!   cluster     a run on many machines: its coordinator, its workers, the engines that start them
//!   series      the plan of a run, its bots and openings, its threads and its file of games
//!   report      a run's summary, rating table and live line
//!   console     the debug console; check: the checks of a bot before it plays
//!   view        a page that shows games
//!   replay      recorded games, replayed through the rules or a bot
//!   scaffold    new packages outside this repository
//!   tune        the methods that tune a bot's parameters
//!   attributes  conditions on games, and scores by what distinguishes them
//!   record      the data of a game; transcript: other programs' files, converted into it
//!   external    referees that are programs of their own
//!   game        the referee's loop, its verdicts and logs; games without processes
//!   process     a bot's process: its pipes, its clock, its end
//!   bot         the interface to a player
//!   html        the frame of all pages; svg: charts of pages and files
//!   stats       estimates, tests and ratings; server: a search behind a socket
//! ```

mod atomic;
mod attributes;
mod bot;
mod check;
mod cli;
pub mod cluster;
mod command;
mod console;
mod contests;
mod error;
mod external;
mod game;
mod html;
mod person;
mod pool;
mod process;
mod program;
mod record;
mod replay;
mod report;
mod report_page;
mod results;
mod scaffold;
mod series;
mod server;
mod stats;
mod study;
pub mod subcommand;
mod svg;
mod text;
mod transcript;
mod tune;
mod view;

pub use bot::data::{BotData, Spread};
pub use bot::excess::Excess;
pub use bot::exit::Exit;
pub use bot::scripted::{Diary, ScriptedBot};
pub use bot::usage::Usage;
pub use bot::{Bot, Reply, MAX_ANSWER_BYTES};
pub use cli::{run, Cli, EXIT_CODES};
pub use command::cluster::ClusterArgs;
pub use error::ArenaError;
pub use game::fault::{Ending, FaultReport};
pub use game::in_process::{InProcess, InProcessError};
pub use game::log::{Direction, Entry, Exchange, Log, LogError, Said};
pub use game::{play, GameError, Played, Player};
pub use process::command_line::{CommandLine, CommandLineError};
pub use process::{stolen_time, Process};
pub use program::{Outcome, Program, Subcommand};
pub use record::{BotRecord, GameRecord, RunRecord};
pub use replay::{Disagreement, Next, RecordedTurn, Recording};
pub use series::entrant::Entrant;
pub use series::openings::Openings;
pub use series::{bot_name, derived_seed, Finished, Series};
pub use stats::repeats::Samples as TestSamples;
pub use stats::{
    Estimate, Grouping, LikelihoodError, Model as SprtModel, Outcomes, Sprt, SprtError, Times, Verdict,
};
pub use study::{check as check_study, Mode, Study};
