//! Runs the whole program of a game in small: games, learning, check, weights, proof; and once more.

use std::path::Path;
use std::process::{Command, Output};

fn run(program: &str, data: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(words).args(["--threads", "2", "--data"]).arg(data).arg("--weights").arg(data.join("w.bin"));
    command.output().expect("the program")
}

/// Holds if the program makes weights from 1,280 games that a proof accepts against none, and the same again without new games.
pub fn make_weights_that_beat_none_and_the_same_again(program: &str, epochs: &str) {
    let data = tempfile::tempdir().expect("a folder");
    let all = ["--with", "none", "--against", "none", "--games", "1280", "--epochs", epochs];
    let output = run(program, data.path(), &all);
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}{errors}");
    for step in ["generate: 1280 games", "learn: ", "check: ", "pack: ", "prove: accepted"] {
        assert!(text.contains(step), "{step} in {text}");
    }
    let weights = std::fs::read(data.path().join("w.bin")).expect("weights");
    assert!(data.path().join("w.json").exists());

    // Packing again plays no games and writes the same bytes.
    std::fs::remove_file(data.path().join("w.bin")).expect("a file");
    let again = run(program, data.path(), &[&["pack"], &all[..2], &all[4..]].concat());
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert!(weights == std::fs::read(data.path().join("w.bin")).expect("weights"), "the weights differ");
    assert!(!data.path().join("generation-02").exists());
}
