//! Referees, measures and checks bots over pipes.
//!
//! A game passes through four layers, each of which depends only on the next:
//!
//! - [`series`] plans pairings and openings, starts the bots and collects the records;
//! - [`game`] is the referee's loop: it asks, checks the time, judges, and passes moves to the
//!   contest's [`Referee`](contest::Referee);
//! - [`bot`] is the interface to a player: a [`Bot`](bot::Bot) is asked and replies, be it a process or a script;
//! - [`process`] is a real bot: its pipes, its clock, and its termination with all its child processes.
//!
//! [`log`] reads and writes the bots' logs, [`record`] the other data of a game, [`replay`] checks
//! recorded games against the rules, [`transcript`] converts other programs' files into such games.
//! [`in_process`] plays without processes, [`tune`] tunes a bot's parameters. It knows no rule of any contest:
//! a [`Program`](program::Program) brings its contests, and subcommands of their own.

pub mod atomic;
pub mod bot;
pub mod brutal;
pub mod check;
pub mod cli;
pub mod command;
pub mod command_line;
pub mod console;
pub mod contests;
pub mod data;
pub mod entrance;
pub mod entrant;
pub mod error;
pub mod excess;
pub mod exit;
pub mod fault;
pub mod game;
pub mod games;
pub mod in_process;
pub mod log;
pub mod noise;
pub mod openings;
pub mod process;
pub mod program;
pub mod progress;
pub mod record;
pub mod replay;
pub mod runner;
pub mod scripted;
pub mod series;
pub mod server;
pub mod shard;
pub mod standings;
pub mod stats;
pub mod study;
pub mod summary;
pub mod text;
pub mod tournament;
pub mod transcript;
pub mod tune;
pub mod usage;
