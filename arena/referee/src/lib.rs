//! Referees games between bots: starts their processes, keeps their time, judges their answers, and records what happened.
//!
//! Of the rules it knows only [`contest::Contest`]. A [`series::Series`] plans a run, [`series::tournament::Tournament`] plays
//! and stores it, on this machine or on a [`cluster`]; [`game::play`] referees one game:
//!
//! ```
//! use std::time::Duration;
//!
//! use contest::{Contest, Limits, Setup};
//! use coppice_referee::bot::scripted::ScriptedBot;
//! use coppice_referee::bot::Bot;
//! use coppice_referee::game::fault::Ending;
//! use coppice_referee::game::{play, Player};
//!
//! let contest = bots_searches::contest("tictactoe").unwrap();
//! let limits = Limits { first: Duration::from_secs(1), later: Duration::from_millis(100) };
//! let mut referee = contest.new_game(Setup { seed: 1, opening_plies: 0, limits });
//! let player = |name: &str, answers: &[&'static str]| {
//!     let bot: Box<dyn Bot> = Box::new(ScriptedBot::lines(answers.iter().copied()));
//!     Player { name: name.to_owned(), bot }
//! };
//! let mut players = [player("A", &["0 0", "0 1", "0 2"]), player("B", &["1 0", "1 1"])];
//! let played = play(referee.as_mut(), &mut players, limits, Duration::ZERO)?;
//! assert_eq!((played.ending(), played.scores), (Ending::Normal, vec![1, 0]));
//! # Ok::<(), coppice_referee::game::GameError>(())
//! ```
//!
//! The modules, each of which imports only those below it:
//!
//! ```text
//!   cluster     a run on many machines: its coordinator, its workers, the engines that start them
//!   series      the plan of a run, its bots and openings, its threads and its file of games
//!   report      a run's summary, rating table and live line
//!   replay      recorded games, replayed through the rules or a bot
//!   record      the data of a game; transcript: other programs' files, converted into it
//!   external    referees that are programs of their own
//!   game        the referee's loop, its verdicts and logs; games without processes
//!   process     a bot's process: its pipes, its clock, its end
//!   bot         the interface to a player
//!   contests    finds a contest by its name; failure: how a command ends that meets an error
//!   atomic      files that appear complete or not at all; clipboard; text: what people read
//! ```
//!
//! Each has its own error; a bot's fault is a result, not an error.

#![warn(unreachable_pub)]

pub mod atomic;
pub mod bot;
// The bundler copies as well, and depends on no package of the arena.
#[path = "../../../bundler/src/os/clipboard.rs"]
pub mod clipboard;
pub mod cluster;
pub mod contests;
pub mod external;
pub mod failure;
pub mod game;
pub mod process;
pub mod record;
pub mod replay;
pub mod report;
pub mod series;
pub mod text;
pub mod transcript;
