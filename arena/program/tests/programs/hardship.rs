//! Tests matches under failures: kills, a full disk, missing and crashing bots.
//!
//! CI runs the long ones: `cargo test --release -p arena -- --ignored`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use coppice::rng::split_mix;
use serde_json::Value;

use crate::outside::processes::is_gone;
use crate::outside::{command, err, first, PATIENT};

/// The arena in a folder, with limits that even a loaded machine keeps.
fn arena(folder: &Path, arguments: &[&str]) -> Command {
    command(folder, &[arguments, &PATIENT].concat())
}

/// A match between two bots in `folder/run`.
fn match_of(folder: &Path, contest: &str, bots: [&str; 2], more: &[&str]) -> Command {
    arena(folder, &[&["match", contest, bots[0], bots[1], "--dir", "run"], more].concat())
}

fn file(folder: &Path) -> PathBuf {
    folder.join("run/games.jsonl")
}

/// The number of games in the file.
fn lines(folder: &Path) -> usize {
    fs::read(file(folder)).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count())
}

/// The games in the file, in the order of the plan, without machine-dependent fields. Every line must be
/// complete.
fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file(folder)).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "the last line is cut off");
    let mut games = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    games.sort_by_key(|game| game["game"].as_u64());
    for game in &mut games {
        let game = game.as_object_mut().unwrap();
        game.remove("times_ms");
        game.remove("usage");
    }
    games
}

fn assert_status(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

/// Kills an arena whose bots don't read their input, and returns the processes of the bots that were running then.
fn bots_of_a_killed_arena(folder: &Path) -> Vec<u32> {
    // The bot and a process that it has started, both of which spin.
    let bot = first("spin-in-two pids");
    let mut run = match_of(folder, "tictactoe", [&bot, &bot], &["-n", "2", "-j", "1"]);
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pids = || fs::read_to_string(folder.join("pids")).unwrap_or_default();
    while pids().lines().count() < 4 {
        assert!(run.try_wait().unwrap().is_none(), "the match has ended");
        thread::sleep(Duration::from_millis(10));
    }
    let pids: Vec<u32> = pids().lines().map(|line| line.parse().unwrap()).collect();
    assert!(pids.iter().all(|&pid| !is_gone(pid)), "{pids:?}");
    run.kill().unwrap();
    run.wait().unwrap();
    pids
}

#[test]
fn bots_and_what_they_have_started_die_with_a_killed_arena() {
    let folder = tempfile::tempdir().unwrap();
    let pids = bots_of_a_killed_arena(folder.path());
    assert_eq!(pids.len(), 4, "{pids:?}");
    let start = Instant::now();
    while !pids.iter().all(|&pid| is_gone(pid)) {
        assert!(start.elapsed() < Duration::from_secs(60), "still running: {pids:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[ignore = "plays thousands of games"]
fn a_match_killed_twenty_times_has_the_same_games() {
    const GAMES: &str = "1000";
    let (a, b) = (first(""), first("again"));
    let options = ["-n", GAMES, "-j", "2", "--openings", "6"];
    let [whole, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    assert_status(&match_of(whole.path(), "reversi", [&a, &b], &options).output().unwrap(), 0);

    let mut state = 7;
    for kill in 1..=20 {
        let mut run = match_of(killed.path(), "reversi", [&a, &b], &options);
        let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The moment is random in games and in time, to be random on slow machines too.
        let wanted = lines(killed.path()) + (split_mix(&mut state) % 30) as usize;
        while lines(killed.path()) < wanted && run.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(split_mix(&mut state) % 20_000));
        run.kill().unwrap();
        let status = run.wait().unwrap();
        assert!(!status.success(), "it was over before kill {kill}: more games are needed");
    }
    let before = lines(killed.path());
    let output = match_of(killed.path(), "reversi", [&a, &b], &options).output().unwrap();
    assert_status(&output, 0);
    assert!(before > 0, "every kill came before the first game");
    eprintln!("{before} of {GAMES} games were recorded after twenty kills");
    // Equal lists also prove that no game is recorded twice.
    assert_eq!(games(killed.path()), games(whole.path()));
}

#[test]
#[ignore = "plays a thousand games"]
fn a_thousand_games_at_two_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (first("grid"), first("grid "));
    let start = Instant::now();
    let output = match_of(folder.path(), "tictactoe", [&a, &b], &["-n", "1000", "-j", "2"]).output().unwrap();
    let seconds = start.elapsed().as_secs_f64();
    assert_status(&output, 0);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("endings: 1000 of 1000 normal"), "{text}");
    assert_eq!(games(folder.path()).len(), 1000);
    // The speed depends on the machine's load, so it is printed, not checked.
    eprintln!("{:.0} games of tic-tac-toe a second at -j 2\n{text}", 1000.0 / seconds);
}

#[test]
fn a_bot_that_does_not_exist_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let output = match_of(folder.path(), "reversi", [&first(""), "./no/such/bot --fast"], &["-n", "4"]);
    let output = { output }.output().unwrap();
    assert_status(&output, 1);
    let text = err(&output);
    assert!(text.contains("can't start bot bot, `./no/such/bot --fast`, from "), "{text}");
    assert!(output.stdout.is_empty(), "{output:?}");
}

#[test]
fn a_bot_that_dies_in_its_tenth_game_loses_that_game() {
    let folder = tempfile::tempdir().unwrap();
    let dying = first("dies-in-game-10 counted");
    let output = match_of(folder.path(), "reversi", [&first(""), &dying], &["-n", "20", "-j", "1"]);
    let output = { output }.output().unwrap();
    assert_status(&output, 0);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(text.contains("endings: 19 of 20 normal"), "{text}");
    assert!(text.contains("faults of B: crash 1"), "{text}");
    assert!(err(&output).contains("no idea what to do in the tenth game"), "{output:?}");
    let games = games(folder.path());
    let crashed = games.iter().filter(|game| game["ending"] == "crash").collect::<Vec<_>>();
    let [game] = crashed.as_slice() else { panic!("{crashed:?}") };
    let seat = game["faults"][0]["seat"].as_u64().unwrap() as usize;
    assert_eq!(
        (&game["game"], &game["bots"][seat]["name"], &game["scores"][seat]),
        (&10.into(), &"B".into(), &0.into())
    );
}

#[test]
fn a_match_reports_the_machines_noise() {
    let folder = tempfile::tempdir().unwrap();
    // Long enough for a few round trips to the idle bot.
    let options = ["-n", "200", "-j", "1", "--json"];
    let (a, b) = (first(""), first("again"));
    let output = match_of(folder.path(), "reversi", [&a, &b], &options).output().unwrap();
    assert_status(&output, 0);
    let summary = serde_json::from_slice::<Value>(&output.stdout).unwrap();
    let noise = &summary["noise"];
    assert!(noise["trips"].as_u64() > Some(0), "{summary}");
    let [p50, p99, max] = ["p50_ms", "p99_ms", "max_ms"].map(|field| noise[field].as_f64().unwrap());
    assert!(p50 > 0.0 && p50 <= p99 && p99 <= max, "{noise}");
    assert_eq!(noise["stolen_ms"].is_number(), cfg!(target_os = "linux"), "{noise}");
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut run = match_of(folder.path(), "reversi", [&first(""), &first("again")], &["-n", "2"]);
    let output = run.stdout(full()).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
    assert_status(&output, 1);
    assert!(err(&output).contains("can't write the results to the standard output"), "{output:?}");
    assert_eq!(games(folder.path()).len(), 2);
}

#[test]
fn results_that_nobody_reads_any_more_are_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = match_of(folder.path(), "reversi", [&first(""), &first("again")], &["-n", "2"]);
    let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_status(&output, 0);
    assert!(!err(&output).contains("error:"), "{output:?}");
    assert_eq!(games(folder.path()).len(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_of_games_that_is_a_device_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("run")).unwrap();
    std::os::unix::fs::symlink("/dev/full", file(folder.path())).unwrap();
    let mut run = match_of(folder.path(), "reversi", [&first(""), &first("again")], &["-n", "2"]);
    let output = run.output().unwrap();
    assert_status(&output, 1);
    assert!(err(&output).contains("it isn't a regular file"), "{output:?}");
}

/// A file system in memory, unmounted on drop.
#[cfg(target_os = "linux")]
struct SmallDisk(tempfile::TempDir);

#[cfg(target_os = "linux")]
impl SmallDisk {
    /// `None` if mounting isn't allowed.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        mount(folder.path(), "size=32k").then_some(Self(folder))
    }

    fn grow(&self) {
        assert!(mount(self.0.path(), "remount,size=4m"));
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[cfg(target_os = "linux")]
fn mount(folder: &Path, options: &str) -> bool {
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder).stderr(Stdio::null());
    mount.status().is_ok_and(|status| status.success())
}

#[cfg(target_os = "linux")]
#[test]
fn a_match_resumes_after_a_full_disk() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("skipped: mounting a small file system isn't allowed here");
        return;
    };
    let whole = tempfile::tempdir().unwrap();
    let (a, b) = (first(""), first("again"));
    let run =
        |folder: &Path| match_of(folder, "reversi", [&a, &b], &["-n", "100", "-j", "2"]).output().unwrap();
    let full = run(disk.0.path());
    assert_status(&full, 1);
    let text = err(&full);
    assert!(text.contains("can't write to run/games.jsonl: No space left on device"), "{text}");
    assert!(text.contains("give the same command again"), "{text}");
    let kept = games(disk.0.path()).len();
    assert!((2..100).contains(&kept), "{kept}");
    disk.grow();
    assert_status(&run(disk.0.path()), 0);
    assert_status(&run(whole.path()), 0);
    assert_eq!(games(disk.0.path()), games(whole.path()));
}
