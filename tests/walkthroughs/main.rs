//! Runs sections of the documents as they are written.

#![cfg(unix)]

mod walkthrough;

use std::fs;
use std::path::Path;
use std::process::Command;

use coppice_tests::workspace;

use walkthrough::{folder, programs, section, walk};

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

mod slow {
    use super::*;

    #[test]
    #[ignore = "builds an arena of its own"]
    fn a_contest_of_your_own() {
        let sections = ["A contest of your own", "Simultaneous moves"];
        let sections = sections.map(|heading| section("docs/own-contest.md", heading)).join("\n\n");
        let (files, commands) = walk(&sections, &folder("own-contest"), &programs(&["arena", "bundler"]));
        assert!(files >= 4 && commands >= 10, "{files} files, {commands} commands");
    }

    #[test]
    #[ignore = "builds a bot, bundles it, and plays games through a referee in Java"]
    fn from_a_stub_to_a_verdict() {
        let section = section("docs/referees.md", "From a stub to a verdict");
        let folder = folder("from-a-stub");
        if build_referee(&folder) {
            let (files, commands) = walk(&section, &folder, &programs(&["arena", "bundler"]));
            assert!(files >= 1 && commands >= 9, "{files} files, {commands} commands");
        }
    }

    #[test]
    #[ignore = "builds the bots"]
    fn a_pool_that_lives() {
        let folder = folder("pool");
        let programs = programs(&["arena", "bots"]);
        fs::create_dir(folder.join("target")).expect("a folder");
        std::os::unix::fs::symlink(&programs, folder.join("target/release")).expect("a link");
        fs::write(folder.join("submit.rs"), "// What was pasted.\n").expect("a source");
        let section = section("docs/arena.md", "A pool that lives");
        let (_, commands) = walk(&section, &folder, &programs);
        assert!(commands >= 9, "{commands} commands");
    }

    #[test]
    #[ignore = "builds the arena"]
    fn games_of_any_program() {
        let section = section("docs/arena.md", "Games of any program");
        let (files, commands) = walk(&section, &folder("stats"), &programs(&["arena"]));
        assert!(files >= 1 && commands >= 3, "{files} files, {commands} commands");
    }
}
