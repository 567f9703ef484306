//! The command line.

use std::process::ExitCode;

use anyhow::{bail, Result};
use clap::Parser;
use coppice_arena::cluster;
use coppice_arena::subcommand::readable;

use crate::options::{Command, Name, OfOneGame, Options, Step};
use crate::steps::{Outcome, Run};
use crate::subject::Subject;
use crate::subjects::boop::Boop;
use crate::subjects::mancala::Mancala;
use crate::subjects::oware::Oware;
use crate::subjects::reversi::Reversi;
use crate::subjects::uttt::Uttt;

/// Exit status if a check or a proof fails.
const REFUTED: u8 = 3;

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let Command { game, options } = Command::parse();
    let options = options.checked::<Command>();
    status(match game {
        Name::Reversi => run(&Reversi, &options),
        Name::Uttt => run(&Uttt, &options),
        Name::Boop => run(&Boop, &options),
        Name::Oware => run(&Oware, &options),
        Name::Mancala => run(&Mancala, &options),
    })
}

/// Runs a program that makes the weights of one game, with the process's arguments: those of the program `factory` behind
/// the game's name.
pub fn of<S: Subject>(subject: &S) -> ExitCode {
    status(run(subject, &OfOneGame::parse().options.checked::<OfOneGame>()))
}

fn status(outcome: Result<Outcome>) -> ExitCode {
    match outcome {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Refuted) => ExitCode::from(REFUTED),
        Err(error) => {
            eprintln!("factory: {}", readable(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

/// Runs the steps that the options ask for.
///
/// # Errors
/// If a step fails; the error says where.
pub fn run<S: Subject>(subject: &S, options: &Options) -> Result<Outcome> {
    if options.cluster.is_given() {
        if options.step.is_some_and(|step| step != Step::Generate) {
            bail!("--cluster plays games: only `generate`, or all steps, take it");
        }
        cluster::stop_on_interrupt()?;
    }
    let run = Run::new(subject, options)?;
    if options.cluster.is_worker() {
        return run.work();
    }
    match options.step {
        None => run.all(),
        Some(Step::Generate) => run.generate(),
        Some(Step::Learn) => run.learn(),
        Some(Step::Check) => run.check(),
        Some(Step::Pack) => run.pack(),
        Some(Step::Prove) => run.prove(),
    }
}
