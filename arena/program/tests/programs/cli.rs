//! Tests the command line: in this process if no bot is needed, otherwise as a program.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::outside::processes::{interrupt, interruptible, is_gone};
use crate::outside::{built, command};
use crate::toy::{Auction, NIM};
use clap::{CommandFactory, Parser};
use contest::Contest;
use coppice_arena::{Cli, Failure, Log, Outcome, Program};
use serde_json::Value;
use shell_words::quote;

fn run(arguments: &[&str]) -> (Result<Outcome, Failure>, String) {
    let cli = Cli::try_parse_from([&["arena"], arguments].concat()).unwrap();
    let contests: [&dyn Contest; 2] = [&NIM, &Auction { asks_eliminated: false }];
    let program = Program { contests: &contests, ..Program::default() };
    let mut out = Vec::new();
    let result = coppice_arena::run(&cli, &program, &mut out);
    (result, String::from_utf8(out).unwrap())
}

fn error(arguments: &[&str]) -> (u8, String) {
    let error = run(arguments).0.unwrap_err();
    (error.status(), error.to_string())
}

#[test]
fn an_unknown_contest_lists_the_available_ones() {
    let expected = (2, "unknown contest `chess`; available: nim, auction".to_owned());
    assert_eq!(error(&["play", "chess", "./a", "./b"]), expected);
    assert_eq!(error(&["perft", "chess", "1"]), expected);
}

#[test]
fn each_seat_needs_a_bot() {
    let (code, text) = error(&["play", "auction", "./a", "./b"]);
    assert_eq!(code, 2);
    assert!(text.starts_with("a game of auction has 3 bots, but 2 command lines were given"), "{text}");
}

#[test]
fn a_command_line_without_a_program_is_a_usage_error() {
    assert_eq!(error(&["play", "nim", "", "./b"]).0, 2);
    assert_eq!(error(&["play", "nim", "'a", "./b"]).0, 2);
}

#[test]
fn a_bot_that_cannot_be_started_is_a_failure() {
    let (code, text) = error(&["play", "nim", "./no/such/bot --depth 3", "./b"]);
    assert_eq!(code, 1);
    assert!(text.starts_with("can't start bot bot, `./no/such/bot --depth 3`, from "), "{text}");
}

#[test]
fn a_log_folder_that_cannot_be_made_is_a_failure() {
    let (code, text) = error(&["play", "nim", "./a", "./b", "--log-dir", "Cargo.toml/logs"]);
    assert_eq!(code, 1);
    assert!(text.starts_with("can't write to the log folder Cargo.toml/logs: "), "{text}");
}

#[test]
fn contests_are_listed() {
    let (result, out) = run(&["contests"]);
    assert!(result.is_ok());
    let first = out.lines().next().unwrap();
    assert_eq!(first, "nim              seats 2, first answer 20000 ms, later 2000 ms");
    assert_eq!(out.lines().count(), 2);
}

#[test]
fn lists_and_counts_have_json_output() {
    let values = |arguments: &[&str]| {
        let (result, out) = run(arguments);
        assert!(result.is_ok());
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    assert_eq!(values(&["contests", "--json"])[1]["seats"], 3);
    let perft = values(&["perft", "nim", "2", "--divide", "--json"]);
    assert_eq!((&perft[1]["leaves"], &perft[4]["move"]), (&9.into(), &"3".into()));
}

/// Zeros would look like a result.
#[test]
fn a_contest_without_searches_has_no_bench() {
    let (code, text) = error(&["bench", "nim", "--json"]);
    assert_eq!(code, 2);
    assert!(text.starts_with("nim has no search to run; "), "{text}");
}

#[test]
fn perft_counts_each_depth() {
    let (result, out) = run(&["perft", "nim", "3", "--divide"]);
    assert!(result.is_ok());
    let words = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect::<Vec<_>>();
    let counts = words[..3].iter().map(|line| (line[1], line[2])).collect::<Vec<_>>();
    assert_eq!(counts, [("1", "3"), ("2", "9"), ("3", "27")]);
    assert_eq!(words[3..], [["1:", "9"], ["2:", "9"], ["3:", "9"]]);
}

#[test]
fn a_wrong_command_line_exits_with_2() {
    for arguments in [&["play", "reversi"][..], &["play", "reversi", "a", "b", "--games", "0"], &["dance"]] {
        assert_eq!(arena(arguments).output().unwrap().status.code(), Some(2), "{arguments:?}");
    }
}

/// Bots reject a limit outside this range, which would lose every game.
#[test]
fn limits_out_of_range_are_rejected() {
    let run = |command: &str, option: &str, ms: &str| {
        arena(&[command, "mancala", "./a", "./b", option, ms]).output().unwrap()
    };
    for (command, option) in [("match", "--later-ms"), ("play", "--later-ms"), ("sprt", "--first-ms")] {
        for ms in ["0", "86400001"] {
            let output = run(command, option, ms);
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{text}");
            assert!(text.contains(&format!("{ms} is not in 1..=86400000")), "{text}");
        }
    }
    assert_eq!(
        run("play", "--later-ms", "86400000").status.code(),
        Some(1),
        "no bot ./a, and no usage error"
    );
    let help = arena(&["match", "--help"]).output().unwrap();
    assert!(String::from_utf8_lossy(&help.stdout).contains("1 to 86400000"));
}

// With real bots: this package's example `first` plays the first legal move.

fn arena(arguments: &[&str]) -> Command {
    command(Path::new("."), arguments)
}

fn example(name: &str) -> String {
    built(&format!("examples/{name}")).into_os_string().into_string().unwrap()
}

fn reversi(options: &[&str]) -> Output {
    let bot = example("first");
    arena(&[&["play", "reversi", &bot, &bot, "--first-ms", "20000", "--later-ms", "20000"], options].concat())
        .output()
        .unwrap()
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8(output.stdout.clone()).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn games_and_their_summary_are_printed() {
    let output = reversi(&["--games", "3", "--openings", "4", "--seed", "7"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines = lines(&output);
    assert!(lines[0].starts_with("game 1: A v B, opening "), "{lines:?}");
    assert!(lines[1].starts_with("game 2: B v A, opening "), "{lines:?}");
    assert!(lines[..3].iter().all(|line| line.ends_with(", normal")), "{lines:?}");
    let opening = |line: &str| line.split(", ").nth(1).unwrap().to_owned();
    assert_eq!(opening(&lines[0]), opening(&lines[1]));
    assert_ne!(opening(&lines[0]), opening(&lines[2]));
    // The same bot on both sides: the two games of a pair balance.
    assert!(lines[3].starts_with("A: ") && lines[3].contains(", score "), "{lines:?}");
    assert!(lines.contains(&"endings: 3 of 3 normal".to_owned()), "{lines:?}");
    // One complete pair: the third game has no partner.
    assert!(lines.contains(&"pairs with 0, 1/2, 1, 3/2, 2 points: 0 0 1 0 0".to_owned()), "{lines:?}");
}

#[test]
fn json_lines_are_games_and_then_a_summary() {
    let output = reversi(&["--json", "--games", "2"]);
    let values =
        lines(&output).iter().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    let types = values.iter().map(|value| value["type"].as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(types, ["game", "game", "summary"]);
    assert_eq!(values[1]["bots"][0]["name"], "B");
    assert_eq!(values[1]["ending"], "normal");
    let summary = &values[2];
    let counts =
        |bot: usize| ["first", "later"].map(|kind| summary["bots"][bot][kind]["count"].as_u64().unwrap());
    assert_eq!(summary["games"], 2);
    assert_eq!((counts(0)[0], counts(1)[0]), (2, 2));
    // The same bot on both sides: both names have equal numbers of answers.
    assert_eq!(counts(0)[1], counts(1)[1]);
}

#[test]
fn logs_are_written_for_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("new/logs");
    let output = reversi(&["--games", "2", "--log-dir", dir.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut names = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name()).collect::<Vec<_>>();
    names.sort();
    assert_eq!(names, ["1.json", "1.p0.log", "1.p1.log", "2.json", "2.p0.log", "2.p1.log"]);
    let log = Log::read(dir.join("1.p0.log")).unwrap();
    let first = log.exchanges().next().unwrap();
    let sent = first.sent.iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>();
    assert_eq!(sent[..6], ["0", "8", "........", "........", "........", "...10..."]);
    let record: Value = serde_json::from_slice(&std::fs::read(dir.join("1.json")).unwrap()).unwrap();
    let first_move = record["moves"].as_str().unwrap().split(' ').next().unwrap().to_owned();
    assert_eq!(first.answered[0].text, first_move);
    let times = record["times_ms"][0].as_array().unwrap().len();
    assert_eq!(times, log.exchanges().count());
}

#[test]
fn a_fault_is_a_result_and_is_explained() {
    let bot = example("first");
    let output = arena(&["play", "reversi", &bot, &format!("{} zz", quote(&bot))]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(lines(&output)[0].ends_with("protocol by B, turn 1"), "{output:?}");
    let explained = String::from_utf8(output.stderr).unwrap();
    assert!(explained.starts_with("game 1, bot B (seat 1), turn 1: protocol\n"), "{explained}");
    assert!(explained.contains("received: \"zz\"\n"), "{explained}");
}

#[cfg(unix)]
#[test]
fn a_limit_for_the_game_is_a_fault_of_its_own() {
    let bot = example("first");
    let busy = "sh -c 'while :; do :; done'";
    let output =
        arena(&["play", "reversi", busy, &bot, "--cpu-limit", "0.5", "--first-ms", "60000"]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(lines(&output)[0].ends_with("processor time limit by sh, turn 1"), "{output:?}");
    let wrong = arena(&["play", "reversi", &bot, &bot, "--cpu-limit", "0"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

#[test]
fn an_interrupt_stops_the_bots_and_prints_the_results_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let (bot, dir) = (example("first"), folder.path().to_str().unwrap());
    let asleep = folder.path().join("asleep");
    let sleeper = format!("{} sleep-in-game-3 {}", quote(&bot), quote(asleep.to_str().unwrap()));
    let limits = ["--first-ms", "60000", "--later-ms", "60000"];
    let mut command = arena(&["play", "reversi", &bot, &sleeper, "--games", "9", "--log-dir", dir]);
    let command = interruptible(command.args(limits)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_for(&asleep);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(lines(&output).contains(&"endings: 2 of 2 normal".to_owned()), "{output:?}");
    assert!(is_gone(std::fs::read_to_string(asleep).unwrap().parse().unwrap()));
}

fn wait_for(path: &Path) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !path.exists() {
        assert!(Instant::now() < deadline, "{} was never written", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A command with all commands below it.
fn with_all_below(command: &clap::Command) -> Vec<&clap::Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(with_all_below)).collect()
}

/// The options of a group stand under its heading, and those that follow it don't.
#[test]
fn a_heading_is_that_of_its_group_alone() {
    let cli = Cli::command();
    let headings = |name: &str| {
        let of_command = |command: &&clap::Command| {
            let found = command.get_arguments().find(|argument| argument.get_id() == name);
            found.map(|argument| argument.get_help_heading().map(str::to_owned))
        };
        with_all_below(&cli).iter().filter_map(of_command).collect::<Vec<_>>()
    };
    for (name, heading) in [
        ("contest", None),
        ("games", None),
        ("seed", None),
        ("openings", None),
        ("dir", None),
        ("log_dir", None),
        ("first_ms", None),
        ("json", None),
        ("players", Some("External referee")),
        ("keep_jvm", Some("External referee")),
        ("worker", Some("Cluster")),
        ("report_pages", Some("Report")),
        ("by", Some("Selection of games")),
        ("duration", Some("Pool")),
    ] {
        let found = headings(name);
        assert!(!found.is_empty(), "no command has {name}");
        // The number of players belongs to a package that `arena new` makes, too.
        let others = |found: &&Option<String>| found.as_deref() != heading;
        let allowed = usize::from(name == "players");
        assert!(found.iter().filter(others).count() <= allowed, "{name}: {found:?}");
    }
}

/// An option has the same letter in all subcommands that play or read games, and a letter is one option.
#[test]
fn a_letter_is_the_same_option_everywhere() {
    let cli = Cli::command();
    let names = ["play", "match", "sprt", "rate", "tune", "replay", "view", "check"];
    let mut letters = std::collections::BTreeMap::new();
    for name in names {
        let command = cli.find_subcommand(name).unwrap();
        for (letter, long) in
            command.get_arguments().filter_map(|arg| Some((arg.get_short(), arg.get_long()?)))
        {
            let first = letters.entry(long).or_insert((letter, name));
            assert_eq!(first.0, letter, "--{long} in {name} and {}", first.1);
        }
    }
    let mut owners = std::collections::BTreeMap::new();
    for (long, letter) in letters.iter().filter_map(|(long, (letter, _))| Some((long, (*letter)?))) {
        assert_eq!(owners.insert(letter, long), None, "-{letter} is --{long} as well");
    }
    let has = |name: &str, long: &str| {
        let command = cli.find_subcommand(name).unwrap();
        command.get_arguments().any(|arg| arg.get_long() == Some(long) && !arg.is_hide_set())
    };
    for (long, without) in [
        ("games", &["replay", "view"][..]),
        ("jobs", &["replay", "view", "check"]),
        ("seed", &["replay", "view"]),
        ("dir", &["replay", "view", "check"]),
        ("report", &["replay", "view", "check"]),
        ("grace-ms", &["view"]),
    ] {
        let lacking = names.into_iter().filter(|name| !has(name, long)).collect::<Vec<_>>();
        assert_eq!(lacking, without, "{long}");
    }
}

#[test]
fn played_games_are_stored_resumed_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let run = |games: &str| {
        let words =
            ["play", "reversi", "in:greedy", "in:mcts --nodes 20", "-j", "2", "--dir", "run", "-n", games];
        let output =
            command(folder.path(), &[&words[..], &["--report", "run.html"]].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let mut games =
            lines(&output).into_iter().filter(|line| line.starts_with("game ")).collect::<Vec<_>>();
        games.sort();
        games
    };
    let stored = || std::fs::read_to_string(folder.path().join("run/games.jsonl")).unwrap();
    let (two, file) = (run("2"), stored());
    let four = run("4");
    assert_eq!(four[..2], two);
    assert!(four.len() == 4 && stored().starts_with(&file) && stored().lines().count() == 4);
    assert!(folder.path().join("run-games/4.html").exists());
    let other =
        command(folder.path(), &["play", "reversi", "in:greedy", "in:flat --nodes 9", "--dir", "run"])
            .output();
    assert_eq!(other.unwrap().status.code(), Some(1));
}

#[test]
fn as_many_bots_play_as_a_contest_takes() {
    let folder = tempfile::tempdir().unwrap();
    let play = |name: &str, bots: usize| {
        let words = [&["play", name][..], &vec!["in:greedy"; bots]].concat();
        command(folder.path(), &words).output().unwrap()
    };
    assert!(lines(&play("tron", 4))[0].starts_with("game 1: A v B v C v D, "));
    for (name, bots, seats) in
        [("tron", 5, "2, 3 or 4 bots"), ("tron:3", 4, "3 bots"), ("reversi", 3, "2 bots")]
    {
        let (output, said) = (play(name, bots), format!(" has {seats}, but {bots} command lines were given"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(&said), "{output:?}");
    }
}

#[test]
fn games_are_read_from_the_standard_input_and_from_what_play_printed() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str], input: &[u8]| {
        std::fs::write(folder.path().join("input"), input).unwrap();
        let input = std::fs::File::open(folder.path().join("input")).unwrap();
        let output = command(folder.path(), words).stdin(input).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
        output.stdout
    };
    let printed = run(&["play", "reversi", "in:greedy", "in:mcts --nodes 20", "-n", "2", "--json"], b"");
    std::fs::write(folder.path().join("x.json"), &printed).unwrap();
    for words in [&["replay"][..], &["stats"]] {
        let of = |file: &str, input: &[u8]| run(&[words, &[file]].concat(), input);
        let text = String::from_utf8(of("-", &printed)).unwrap();
        assert_eq!(text.replace("stdin", "x.json"), String::from_utf8(of("x.json", b"")).unwrap());
    }
    assert_eq!(run(&["view", "-", "--game", "2"], &printed), b"stdin-2.html\n");
    let page = std::fs::read_to_string(folder.path().join("stdin-2.html")).unwrap();
    assert!(!page.contains("--replay"), "the page says how to read the input again");
    assert_eq!(run(&["view", "x.json", "--game", "2"], b""), b"x.json-2.html\n");
    run(&["debug", "reversi", "--replay", "x.json", "--game", "2"], b"show\n");
}

#[test]
fn a_word_in_place_of_a_number_is_answered_by_a_sentence() {
    for (words, expected) in [
        (&["match", "reversi", "a", "b", "-n", "x"][..], "expected a whole number"),
        (&["sprt", "reversi", "a", "b", "--elo1", "x"], "expected a number"),
        (&["rate", "reversi", "--stop-threshold", "x"], "expected a number from 0 to 1000"),
        (&["perft", "mnk:7,7", "1"], "a variant is written mnk:M,N,K"),
    ] {
        let output = arena(words).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(expected), "{text}");
    }
}
