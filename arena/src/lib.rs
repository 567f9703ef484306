//! Referees, measures and checks bots over pipes.
//!
//! A game goes through four layers, each of which knows only the next:
//!
//! - [`series`] says who plays whom from which opening, starts the bots and collects the records;
//! - [`game`] is the referee's loop: it asks, looks at the clock, judges, and hands moves to the
//!   contest's [`Referee`](contest::Referee);
//! - [`bot`] is the seam: a [`Bot`](bot::Bot) is asked and replies, whether it is a process or a script;
//! - [`process`] is a real bot: its pipes, its clock, and its end with everything it has started.
//!
//! [`log`] reads and writes the dialogues, [`record`] what else there is to keep of a game, [`replay`] takes
//! recorded games through the rules, [`transcript`] turns other programs' files into such games.
//! [`in_process`] plays without processes, [`tune`] finds better numbers for a bot. It knows no rule of any contest:
//! a [`Program`](program::Program) brings its contests, and subcommands of their own.

pub mod atomic;
pub mod bot;
pub mod brutal;
pub mod check;
pub mod cli;
pub mod command;
pub mod command_line;
pub mod console;
pub mod data;
pub mod entrant;
pub mod error;
pub mod excess;
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
