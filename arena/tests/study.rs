//! `arena study` as a whole program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use arena::in_process::InProcess;
use arena::study::{self, Mode};

const PLAN: &str = r#"
title = "Searches in tic-tac-toe"
claim = "thinking helps"
source = "everybody"
contest = "tictactoe"
openings = 2
budget = { full = "--nodes 200", quick = "--nodes 50", published = "--ms 2" }
games = { full = 40, quick = 10 }
notes = ["said of all"]

[[entrant]]
name = "tree"
search = "mcts"

[[entrant]]
name = "lots"
search = "random"

[[match]]
a = "tree"
b = "lots"
published = { wins = 80, games = 100 }

[[match]]
a = "lots"
b = "tree"
published = { above = 0.5 }
note = "it doesn't"

[[mirror]]
of = "lots"

[[solve]]
by = "tree"
published = { seconds = 60 }
"#;

fn arena(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(words)
        .current_dir(folder)
        .output()
        .expect("the arena runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

#[test]
fn a_study_is_played_once_and_written_down() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), PLAN).unwrap();
    let words = ["study", "mine.toml", "--games", "40", "--write", "doc.md", "--json"];
    let first = arena(folder.path(), &words);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let rows: Vec<serde_json::Value> =
        text(&first.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[1]["verdict"], &rows[3]["verdict"]), (&"differs".into(), &"agrees".into()));
    assert_eq!(rows[0]["figure"]["share"]["games"], 40);
    assert_eq!(rows[2]["title"], "lots against itself, first seat");
    assert_eq!(rows[3]["figure"]["solved"]["solved"], true);

    let document = fs::read_to_string(folder.path().join("doc.md")).unwrap();
    assert!(
        document.contains("| lots against tree | above 50 % |") && document.contains("| differs |"),
        "{document}"
    );
    assert!(document.contains("- lots against tree: it doesn't") && document.contains("- said of all"));
    let picture = fs::read_to_string(folder.path().join("arena/studies/mine.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("tree against lots"));

    // Again: no game is played, and the same comes out.
    let again = arena(folder.path(), &["study", "mine.toml", "--games", "40"]);
    let said = text(&again.stderr);
    assert_eq!(said.matches("40 of 40 games are in").count(), 3, "{said}");
    assert!(text(&again.stdout).contains("tree against lots"), "{}", text(&again.stdout));
    assert!(text(&again.stdout).contains("lots against tree: it doesn't"));
}

#[test]
fn what_is_no_study_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("broken.toml"), PLAN.replace("b = \"tree\"", "b = \"bush\"")).unwrap();
    fs::write(folder.path().join("foreign.toml"), PLAN.replace("\"mcts\"", "\"magic\"")).unwrap();
    for (name, said) in [
        ("no-such", "there is no study `no-such`; there are: "),
        ("none.toml", "none.toml: "),
        ("broken.toml", "a row names the entrant `bush`; there are tree, lots"),
        ("foreign.toml", "no search \"magic\"; there are "),
    ] {
        let output = arena(folder.path(), &["study", name]);
        assert!(matches!(output.status.code(), Some(1 | 2)) && output.stdout.is_empty(), "{name}");
        assert!(text(&output.stderr).contains(said), "{name}: {}", text(&output.stderr));
    }
}

/// Each entrant of each study that comes along is a search that its contest has.
#[test]
fn the_studies_that_come_along_can_be_played() {
    let studies = study::all().unwrap();
    assert!(studies.len() >= 7);
    for study in &studies {
        let (base, words) = study.contest.split_once(':').unwrap_or((&study.contest, ""));
        let contest = bots::contest(base).unwrap_or_else(|| panic!("{}: no contest {base}", study.name));
        assert!(words.is_empty() || contest.variant(words).is_ok(), "{}", study.name);
        for entrant in &study.entrants {
            for mode in [Mode::Full, Mode::Quick, Mode::PublishedTime] {
                let line = study.line(&entrant.name, mode);
                let search =
                    InProcess::parse(&line).unwrap_or_else(|error| panic!("{}: {error}", study.name));
                let mut search = search.unwrap_or_else(|| panic!("{}: {line}", study.name));
                search.settings.pool_bytes = Some(1 << 20);
                search.tunables(contest).unwrap_or_else(|error| panic!("{}: {error}", study.name));
            }
        }
    }
    let output = arena(Path::new("."), &["study", "--list"]);
    assert_eq!(text(&output.stdout).lines().count(), 2 * studies.len());
}
