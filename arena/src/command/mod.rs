//! The subcommands, one module each: its arguments and its work.

pub(crate) mod allowance;
pub(crate) mod as_bot;
pub(crate) mod bench;
pub(crate) mod brutal;
pub(crate) mod cases;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod connect;
pub(crate) mod contests;
pub(crate) mod debug;
pub(crate) mod doctor;
pub(crate) mod echo;
pub(crate) mod finished;
pub(crate) mod game_options;
pub(crate) mod games_csv;
pub(crate) mod host;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod judge;
pub(crate) mod limits;
pub(crate) mod live;
pub(crate) mod matches;
pub(crate) mod merge;
pub(crate) mod mistakes;
pub(crate) mod misuse;
pub(crate) mod new;
pub(crate) mod options;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod pool;
pub(crate) mod pool_size;
pub(crate) mod rate;
pub(crate) mod referee;
pub(crate) mod regress;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod run_bot;
pub(crate) mod run_notes;
pub(crate) mod run_page;
pub(crate) mod select;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod sprt;
pub(crate) mod stats;
pub(crate) mod submit;
mod tester_options;
pub(crate) mod tune;
pub(crate) mod verify;
pub(crate) mod view;

use crate::failure::Failure;
use crate::project::{Project, FILE_NAME};

/// The project's file, which the command needs.
///
/// # Errors
/// If there is none, or it can't be used.
fn project_or_advice(commands: &clap::Command, known: &[&dyn contest::Contest]) -> Result<Project, Failure> {
    Project::find(commands, known)?.ok_or_else(|| {
        Failure::usage(format!(
            "there is no {FILE_NAME} in this folder or one above it: `{} init` writes one",
            coppice_referee::text::program_name()
        ))
    })
}
