//! A sample of the mutations for the program itself: its exit code and what it writes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use crate::child::{self, MOST_MESSAGE_BYTES};
use crate::kinds::KINDS;
use crate::parent::LIMIT;

/// Cases of each kind.
const CASES: u64 = 20;

/// Tests some cases of each kind.
pub fn test() -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut runs = 0;
    for kind in &KINDS {
        let base = folder.path().join(kind.name);
        let groups = child::groups(kind, &base);
        // Others than those that are tested in a process.
        for number in 1_000_001..=1_000_000 + CASES {
            let case = base.join(number.to_string());
            let path = child::write(kind, &groups, &case, number);
            for words in (kind.commands)(&path) {
                let (start, output) = (Instant::now(), arena(&case, &words));
                let problem = problem(&output).or((start.elapsed() > LIMIT).then(|| "too slow".to_owned()));
                if let Some(problem) = problem {
                    return Err(format!("{} {number}, {words:?}: {problem}", kind.name));
                }
                runs += 1;
            }
            std::env::set_current_dir(&base).expect("the folder");
            fs::remove_dir_all(&case).expect("the folder is removed");
        }
    }
    eprintln!("{runs} runs");
    Ok(())
}

fn arena(folder: &Path, words: &[String]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_arena"));
    program.args(words).current_dir(folder).stdin(Stdio::null()).output().expect("the arena runs")
}

/// What is wrong with a run.
fn problem(output: &Output) -> Option<String> {
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    let is_known = matches!(code, Some(0..=3));
    let is_explained = code == Some(0) || code == Some(3) || said.contains("error: ");
    let is_quiet = said.len() <= 10 * MOST_MESSAGE_BYTES && !said.contains("panicked at");
    (!is_known || !is_explained || !is_quiet)
        .then(|| format!("{}: {}", output.status, said.chars().take(1000).collect::<String>()))
}
