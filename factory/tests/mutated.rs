//! Mutated files of the factory: games, manifests, a course of learning and packed weights are read or refused with a message,
//! without a panic.
//!
//! `COPPICE_MUTATIONS` says how many of each, `COPPICE_MUTATION` repeats the one of a number.

#[path = "../../tests/fuzz/mutation.rs"]
mod mutation;

use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::process::Command;

use coppice::{Budget, Rng};
use factory::learn;
use factory::self_play::view;
use factory::subject::{Subject, Weights};
use factory::subjects::boop::Boop;
use factory::subjects::mancala::Mancala;
use factory::subjects::oware::Oware;
use factory::subjects::reversi::Reversi;
use factory::subjects::uttt::Uttt;
use mutation::{mutated, Chance};

fn numbers() -> Range<u64> {
    let variable = |name: &str| Some(std::env::var(name).ok()?.parse::<u64>().expect("a whole number"));
    match variable("COPPICE_MUTATION") {
        Some(number) => number..number + 1,
        None => 1..1 + variable("COPPICE_MUTATIONS").unwrap_or(1000),
    }
}

/// Reads something of each number; returns how many were accepted. An error has a message of a readable length.
fn read_all(what: &str, numbers: Range<u64>, read: impl Fn(&mut Chance) -> anyhow::Result<()>) -> usize {
    let mut accepted = 0;
    for number in numbers.clone() {
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&mut Chance::new(number))));
        match outcome.unwrap_or_else(|_| panic!("{what}: COPPICE_MUTATION={number} panics")) {
            Ok(()) => accepted += 1,
            Err(error) => {
                // As the program prints it.
                let message = coppice_arena::subcommand::readable(&format!("{error:#}"));
                assert!(
                    !message.is_empty() && message.len() <= 4000,
                    "{what}: COPPICE_MUTATION={number}: {message}"
                );
            }
        }
    }
    println!("{what}: {accepted} of {} accepted", numbers.count());
    accepted
}

/// Packed weights become an evaluation that can search, and a model to learn on from.
fn weights<S: Subject>(subject: &S, numbers: Range<u64>) {
    let whole = subject.weights();
    read_all(S::NAME, numbers, |chance| {
        let bytes = mutated(whole, chance);
        let evaluation = subject.evaluation(Weights::Packed(&bytes))?;
        let state = subject.opening(&mut Rng::new(1));
        let report = subject.search(&evaluation, 0).search(&state, view(&state), Budget::nodes(20));
        assert!(report.nodes <= 20, "{} nodes", report.nodes);
        Ok(())
    });
}

/// A generation of a few games, one file of which is mutated.
fn games(numbers: Range<u64>) {
    let whole = tempfile::tempdir().expect("a folder");
    let mut program = Command::new(env!("CARGO_BIN_EXE_factory"));
    program.args([
        "reversi",
        "generate",
        "--games",
        "3",
        "--games-per-shard",
        "1",
        "--threads",
        "1",
        "--data",
    ]);
    let output = program.arg(whole.path()).output().expect("the program");
    assert!(output.status.success(), "{output:?}");
    let files = std::fs::read_dir(whole.path().join("generation-01"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    let mut files =
        files.map(|path| (path.clone(), std::fs::read(path).expect("a file"))).collect::<Vec<_>>();
    files.retain(|(path, _)| path.extension().is_some());
    files.sort();
    read_all("games", numbers, |chance| {
        let folder = tempfile::tempdir()?;
        let generation = folder.path().join("generation-01");
        std::fs::create_dir(&generation)?;
        let changed = chance.below(files.len());
        for (i, (path, bytes)) in files.iter().enumerate() {
            let bytes = if i == changed { mutated(bytes, chance) } else { bytes.clone() };
            std::fs::write(generation.join(path.file_name().expect("a name")), bytes)?;
        }
        read_games(folder.path())
    });
}

fn read_games(data: &Path) -> anyhow::Result<()> {
    learn::sets::<Reversi>(data, &Reversi.recipe()).map(drop)
}

#[test]
fn a_few_mutated_weights_and_games() {
    weights(&Reversi, 1..8);
    weights(&Boop, 1..30);
    weights(&Oware, 1..30);
    weights(&Mancala, 1..30);
    games(1..30);
}

#[test]
#[ignore = "a thousand files: .ci/deep runs it"]
fn a_thousand_mutated_weights() {
    weights(&Reversi, numbers());
    weights(&Uttt, numbers());
    weights(&Boop, numbers());
    weights(&Oware, numbers());
    weights(&Mancala, numbers());
}

#[test]
#[ignore = "a thousand files: .ci/deep runs it"]
fn a_thousand_mutated_games() {
    games(numbers());
}
