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
//! [`game::log`] reads and writes the bots' logs, [`record`] the other data of a game, [`replay`] checks
//! recorded games against the rules, [`transcript`] converts other programs' files into such games.
//! [`game::in_process`] plays without processes, [`tune`] tunes a bot's parameters. It knows no rule of any contest:
//! a [`Program`](program::Program) brings its contests, and subcommands of their own.

pub mod atomic;
pub mod bot;
pub mod check;
pub mod cli;
pub mod command;
pub mod console;
pub mod contests;
pub mod error;
pub mod game;
pub mod process;
pub mod program;
pub mod record;
pub mod replay;
pub mod report;
pub mod series;
pub mod server;
pub mod stats;
pub mod study;
pub mod text;
pub mod transcript;
pub mod tune;
