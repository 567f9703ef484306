//! Runs the commands of all documents as they are written, and compares what they print.
//!
//! A *console* of a document (a fenced block without a language, whose commands begin with `$ `) belongs to one walk
//! below. `cargo test` runs those of `quick`, `.ci/run` those of `slow`, `.ci/deep` those of `deep`.

#![cfg(unix)]

mod document;
mod shown;
mod walk;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use coppice_tests::workspace;

use document::{read, sections};
use walk::{walk, Walk};

/// Defines a test for each walk, and the list of all.
macro_rules! walks {
    (@prepare) => { |_| true };
    (@prepare $prepare:expr) => { $prepare };
    ($($(#[$attribute:meta])* $name:ident: $document:literal $headings:expr $(, $prepare:expr)?;)*) => {
        pub const WALKS: &[super::Walk] =
            &[$(super::Walk { document: $document, headings: &$headings, prepare: walks!(@prepare $($prepare)?) }),*];
        $(#[test] $(#[$attribute])* fn $name() {
            let walk = WALKS.iter().find(|walk| walk.document == $document && walk.headings == $headings);
            super::walk(walk.expect("the walk"));
        })*
    };
}

mod quick {
    walks! {
        a_change_in_the_readme: "README.md" ["Is my change better?"];
        a_loss_in_the_readme: "README.md" ["Why did I lose?"];
        two_minutes: "CONTRIBUTING.md" ["The two-minute loop"];
        the_arena: "docs/arena.md" [""];
        a_person: "docs/any-program.md" ["A person plays"];
        a_change: "docs/is-it-better.md" ["Is the new one better?"];
        a_report: "docs/pages.md" ["A run"];
        many_bots: "docs/many-bots.md" ["A table of ratings"];
        games_of_any_program: "docs/any-program.md" ["Games of any program"];
        a_loss: "docs/why-lost.md" ["The turn that lost"];
        mistakes: "docs/why-lost.md" ["Where in the game"];
        a_cluster: "docs/cluster.md" [""];
        an_evening: "docs/evening.md" [""];
        packages: "docs/design.md" [""];
        a_contest_of_this_workspace: "docs/own-contest.md" ["A contest of this workspace"];
        a_sudoku: "bots/sudoku/NOTES.md" [""];
        an_example_of_tuning: "bots/tictactoe/NOTES.md" [""];
    }
}

mod slow {
    walks! {
        #[ignore = "builds a bot, bundles it, and plays games through a referee in Java"]
        from_a_stub_to_a_verdict: "docs/referees.md" ["From a stub to a verdict"], super::build_referee;
        #[ignore = "builds a bot and its tester in a release build, and bundles it"]
        a_heuristic_contest: "docs/heuristic.md" ["From nothing to a verdict"];
        #[ignore = "bundles the largest bot"]
        a_bundle: "docs/bundling.md" [""];
        #[ignore = "searches for seconds in a debug build"]
        exact_values: "docs/why-lost.md" ["Exact values"];
    }
}

mod deep {
    walks! {
        #[ignore = "bundles a bot, and waits for the checks of a bot by the clock"]
        a_bot_in_the_readme: "README.md" ["A bot"];
        #[ignore = "plays through every contest's searches"]
        the_checksum: "CONTRIBUTING.md" ["What proves a change"];
        #[ignore = "plays hundreds of games"]
        better_numbers: "docs/is-it-better.md" ["Better numbers"];
        #[ignore = "plays hundreds of games between processes"]
        a_pool_that_lives: "docs/many-bots.md" ["A pool that lives"], super::paste_a_bot;
        #[ignore = "flies for a minute"]
        mars_lander: "bots/lander/NOTES.md" ["The command `arena lander`"];
        #[ignore = "builds an arena of its own"]
        a_contest_of_your_own:
            "docs/own-contest.md" ["A contest of your own, in your workspace"];
        #[ignore = "builds an arena of its own"]
        a_simultaneous_contest:
            "docs/own-contest.md" ["A simultaneous contest, from a stub to a verdict"];
        #[ignore = "fills a table of a gigabyte"]
        kalah_solved: "bots/mancala/NOTES.md" ["The solver"];
        #[ignore = "searches for seconds in a debug build"]
        lines_solved: "bots/mnk/NOTES.md" ["The solver"];
        #[ignore = "installs the bundler and the arena in release builds"]
        a_bot_in_a_workspace_of_its_own: "docs/own-contest.md" ["A bot in your own workspace"];
        #[ignore = "plays for a minute"]
        studies: "arena/study/README.md" [""];
        #[ignore = "builds the arena's library in a release build"]
        a_simulated_cluster: "docs/cluster.md" ["How it works"];
        #[ignore = "plays games of many nodes"]
        the_budget: "docs/is-it-better.md" ["At which budget?"];
        #[ignore = "plays games of many nodes"]
        strength: "docs/strength.md" [""];
    }
}

/// A file that the bots' author has submitted.
fn paste_a_bot(folder: &Path) -> bool {
    fs::write(folder.join("submit.rs"), "// What was pasted.\n").expect("a source");
    true
}

/// Builds a referee in Java as `referee.jar`; `false` without a JDK.
fn build_referee(folder: &Path) -> bool {
    let classes = folder.join("classes");
    fs::create_dir(&classes).expect("a folder");
    let source = workspace().join("tests/walkthroughs/SearchRace.java");
    let run = |command: &mut Command| command.status().is_ok_and(|status| status.success());
    let is_built = run(Command::new("javac").arg("-d").arg(&classes).arg(source))
        && run(Command::new("jar")
            .args(["cfe", "referee.jar", "SearchRace", "-C", "classes", "."])
            .current_dir(folder));
    fs::remove_dir_all(&classes).expect("its classes are in the jar");
    if !is_built {
        eprintln!("there is no JDK: the walk-through with a referee in Java is not tried");
    }
    is_built
}

/// All documents of the repository, by their paths in it.
fn documents() -> Vec<String> {
    let root = workspace();
    let (mut open, mut found) = (vec![root.clone()], Vec::new());
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let is_source = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name != "target" && !name.to_string_lossy().starts_with('.'))
        };
        for path in entries.filter(is_source) {
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let path = path.strip_prefix(&root).expect("below the root");
                found.push(path.to_str().expect("text").to_owned());
            }
        }
    }
    found
}

#[test]
fn every_command_with_output_is_run_once() {
    let mut walks: BTreeMap<(String, String), u32> = BTreeMap::new();
    for walk in quick::WALKS.iter().chain(slow::WALKS).chain(deep::WALKS) {
        walk.headings.iter().for_each(|heading| {
            *walks.entry((walk.document.to_owned(), (*heading).to_owned())).or_default() += 1;
        });
    }
    let documents = documents();
    assert!(documents.len() > 40, "{documents:?}");
    for document in &documents {
        for section in sections(&read(document)).iter().filter(|section| section.has_console()) {
            let heading = &section.heading;
            let walks = walks.remove(&(document.clone(), heading.clone()));
            assert_eq!(walks, Some(1), "{document}: the commands in `{heading}` must be run by one walk");
        }
    }
    assert!(walks.is_empty(), "no commands there: {walks:?}");
}
