//! Tests `arena tune` as a program: output, log and exit codes.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::outside::processes::{interrupt, interruptible};
use crate::outside::{arena as run, built, command as arena, err};

/// Arguments for tuning a search with short games.
fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let bot =
        ["tune", "uttt", "in:playouts", "--nodes", "30", "--games", "48", "-j", "1", "--log", "tune.jsonl"];
    [&bot, more].concat()
}

/// The command line of the example `tunable` with these arguments.
fn bot(arguments: &str) -> String {
    format!("{} {arguments}", shell_words::quote(built("examples/tunable").to_str().unwrap()))
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("tune.jsonl")).unwrap()
}

#[test]
fn a_search_of_this_program_is_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &quick(&[]));
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    assert!(
        text.starts_with("uttt, `in:playouts --nodes 30`, 48 games, SPSA, mean of the later iterates\n"),
        "{text}"
    );
    for needed in [
        "exploration",
        "first_play_urgency",
        "0.05 to 2.5",
        "\n  arena sprt uttt 'in:playouts --nodes 30 --param ",
    ] {
        // On Windows in double quotes.
        assert!(text.replace('"', "'").contains(needed), "{needed} is missing:\n{text}");
    }
    // The plan, 24 pairs, and two of the answer against the start.
    assert_eq!(log(folder.path()).lines().count(), 27);
    assert!(text.contains("\ntuned against start, in 4 games of their own: Elo "), "{text}");
    // The suggested command works.
    let words = shell_words::split(text.lines().last().unwrap()).unwrap();
    let words = words[1..].iter().map(String::as_str).collect::<Vec<_>>();
    let proof = run(folder.path(), &[&words[..], &["-n", "20", "-j", "1"]].concat());
    assert_eq!(proof.status.code(), Some(3), "{}", err(&proof));
    assert!(!out(&proof).is_empty());
}

/// In a contest for one both values of a pair get the same seed: by rank the higher score wins the pair, by difference it counts
/// by how much.
#[test]
fn a_player_alone_is_tuned_by_scores_on_equal_seeds() {
    let tune = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let words = ["tune", "lander:gentle", "in:minimax", "--nodes", "100", "--start", "degrees=8"];
        let run_words = ["--games", "16", "--at-once", "4", "-j", "1", "--log", "tune.jsonl"];
        let output = run(folder.path(), &[&words[..], &run_words, more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        let pairs =
            log(folder.path()).lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
        (out(&output), pairs)
    };
    let ((text, by_rank), (scored, by_score)): ((String, Vec<Value>), (String, Vec<Value>)) =
        (tune(&[]), tune(&["--compare", "difference"]));
    assert!(text.contains("arena sprt lander:gentle ") && !text.contains("--compare"), "{text}");
    assert!(scored.contains("--compare=difference"), "{scored}");
    let score = |pair: &Value| {
        assert_eq!(pair["scores"][0], pair["scores"][1], "one comparison counts for both: {pair}");
        pair["scores"][0].as_f64().unwrap()
    };
    let mut graded = 0;
    // The trials of the first round are the same.
    assert_eq!((by_rank.len(), by_score.len()), (8, 8));
    for (rank, difference) in by_rank.iter().zip(&by_score) {
        assert_eq!((&rank["seed"], &rank["values"]), (&difference["seed"], &difference["values"]));
        let (rank, difference) = (score(rank), score(difference));
        assert_eq!(rank.partial_cmp(&0.5), difference.partial_cmp(&0.5), "{rank} {difference}");
        assert!([0.0, 0.5, 1.0].contains(&rank), "{rank}");
        graded += u32::from(![0.0, 0.5, 1.0].contains(&difference));
    }
    assert!(graded > 0, "some pair has two landings with different fuel");
    let folder = tempfile::tempdir().unwrap();
    let refused = run(folder.path(), &["tune", "uttt", "in:playouts", "--compare", "difference"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains("--compare=difference is for "), "{}", err(&refused));
}

/// Differential evolution by the size of its population and its generations: 5 x 2 trials of four games.
#[test]
fn generations_and_their_size_can_be_given() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["tune", "uttt", "in:playouts", "--nodes", "10", "-j", "1", "--openings", "4"];
    let tune = |more: &[&str]| run(folder.path(), &[&words[..], more].concat());
    let output = tune(&["--method", "de", "--instances", "5", "--epochs", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    assert!(text.contains("40 games, differential evolution"), "{text}");
    for (more, said) in [
        (&["--epochs", "2"][..], "--instances and --epochs are for differential evolution"),
        (&["--method", "de", "--epochs", "2", "--games", "8"], "cannot be used with"),
        (&["--method", "de", "--instances", "3"], "3 is not in 4..=10000"),
    ] {
        let output = tune(more);
        assert!(output.status.code() == Some(2) && err(&output).contains(said), "{}", err(&output));
    }
}

#[test]
fn shortened_openings_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let tune = |plies: &str| {
        let words = [
            "tune",
            "mancala:2,1,0",
            "in:mcts",
            "--nodes",
            "1",
            "--games",
            "4",
            "-j",
            "1",
            "--openings",
            plies,
        ];
        err(&run(folder.path(), &words))
    };
    let message = tune("20");
    assert_eq!(
        message.matches("note: openings of 20 plies were asked for, but the first has ").count(),
        1,
        "{message}"
    );
    assert!(!tune("1").contains("openings of"));
}

#[test]
fn tuning_is_reproducible_and_replays_nothing() {
    let [first, second] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    for folder in [&first, &second] {
        assert!(run(folder.path(), &quick(&[])).status.success());
    }
    assert_eq!(log(first.path()), log(second.path()));
    let again = run(first.path(), &quick(&["--json"]));
    assert_eq!(log(first.path()), log(second.path()));
    let report = serde_json::from_str::<Value>(&out(&again)).unwrap();
    assert_eq!((&report["games"], &report["planned"]), (&48.into(), &48.into()));
    assert_eq!(report["parameters"][0]["name"], "exploration");
    assert!(report["parameters"][0]["smaller"]["error"].as_f64().unwrap() > 0.0);
    let played = &report["played"];
    assert_eq!((&played["games"], &played["contradicts_fit"]), (&4.into(), &false.into()), "{played}");
    assert!(played["elo"]["low"].as_f64() <= played["elo"]["mean"].as_f64(), "{played}");
}

/// Deterministic bots without openings play one pair of games again and again: that is one result.
#[test]
fn pairs_that_repeat_others_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "tune",
        "tictactoe",
        "in:weighted",
        "--nodes",
        "60",
        "--games",
        "80",
        "-j",
        "1",
        "--start",
        "weight=-3",
    ];
    let tuned = |openings: &str, dir: &str| {
        let output =
            run(folder.path(), &[&words[..], &["--json", "--openings", openings, "--dir", dir]].concat());
        let report = serde_json::from_str::<Value>(&out(&output)).unwrap();
        let number = |name: &str| report["played"]["elo"][name].as_f64().unwrap();
        (report["played"]["repeats"].as_u64().unwrap(), number("high") - number("low"))
    };
    let (repeats, width) = tuned("0", "none");
    assert!(repeats == 3 && width > 500.0, "{repeats} of 4 pairs, {width} Elo");
    // Of the same result, read from the log.
    assert_eq!(tuned("0", "none"), (repeats, width));
    let text = out(&run(folder.path(), &[&words[..], &["--openings", "0", "--dir", "none"]].concat()));
    let told =
        "\n3 of these 4 pairs repeat others move by move, and don't count: begin the games with random plies";
    assert!(text.contains(told), "{text}");
}

/// A log truncated at any byte, within a line or after it, leads to the same result.
#[test]
fn a_truncated_log_gives_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), &quick(&[])).status.success());
    let whole = log(folder.path());
    for cut in [10, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        fs::write(folder.path().join("tune.jsonl"), &whole[..cut]).unwrap();
        let output = run(folder.path(), &quick(&[]));
        assert!(output.status.success());
        let is_reported = err(&output).contains("half a line at the end of tune.jsonl is taken off");
        assert_eq!(is_reported, !whole[..cut].ends_with('\n'), "{}", err(&output));
        assert_eq!(log(folder.path()), whole, "cut at {cut}");
    }
}

/// A repeatedly killed run ends with the log of an undisturbed one.
#[test]
fn a_killed_tune_resumes() {
    let [alone, killed] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    assert!(run(alone.path(), &quick(&[])).status.success());
    let path = killed.path().join("tune.jsonl");
    for round in 1..=5u64 {
        let mut child = arena(killed.path(), &quick(&[]));
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Wait for some more pairs or the end.
        let enough = fs::metadata(&path).map_or(0, |file| file.len()) + 300 * round;
        let end = Instant::now() + Duration::from_secs(60);
        while fs::metadata(&path).map_or(0, |file| file.len()) < enough
            && child.try_wait().unwrap().is_none()
            && Instant::now() < end
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(run(killed.path(), &quick(&[])).status.success());
    assert_eq!(log(killed.path()), log(alone.path()));
}

#[test]
fn a_runs_folder_has_the_log_and_the_old_option_still_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let tune = |option: &str, path: &str| {
        let words = ["tune", "uttt", "in:playouts", "--nodes", "3", "--games", "8", "-j", "1", option, path];
        let output = run(folder.path(), &words);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        err(&output).matches("--dir DIR").count()
    };
    assert_eq!([tune("--dir", "run"), tune("--log", "tune.jsonl")], [0, 1]);
    assert_eq!(fs::read_to_string(folder.path().join("run/tune.jsonl")).unwrap(), log(folder.path()));
}

#[test]
fn an_interrupt_prints_how_to_resume() {
    let folder = tempfile::tempdir().unwrap();
    let long =
        ["tune", "uttt", "in:playouts --nodes 300", "--games", "40000", "-j", "1", "--log", "tune.jsonl"];
    let mut command = arena(folder.path(), &long);
    let child = interruptible(&mut command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let path = folder.path().join("tune.jsonl");
    let end = Instant::now() + Duration::from_secs(60);
    while fs::read_to_string(&path).map_or(0, |text| text.lines().count()) < 4 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(out(&output).contains(" of 40000 games, SPSA"), "{}", out(&output));
    // On Windows in double quotes.
    let message = err(&output).replace('"', "'");
    assert!(message.contains("games are in tune.jsonl; to resume, repeat the same command:\n"), "{message}");
    assert!(
        message.contains("tune uttt 'in:playouts --nodes 300' --games 40000 -j 1 --log tune.jsonl"),
        "{message}"
    );
    assert!(message.ends_with("error: interrupted\n"), "{message}");
}

#[test]
fn a_bot_of_any_language_is_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let bot = bot("");
    let words =
        ["tune", "reversi", &bot, "--games", "16", "-j", "2", "--first-ms", "20000", "--later-ms", "20000"];
    for method in ["spsa", "de"] {
        let output = run(folder.path(), &[&words[..], &["--method", method]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        let text = out(&output);
        for needed in
            ["share ", "offset ", "--param offset=", "--openings 8 --first-ms 20000 --later-ms 20000"]
        {
            assert!(text.contains(needed), "{needed} is missing:\n{text}");
        }
    }
    // Each run has its own log.
    assert_eq!(fs::read_dir(folder.path().join("arena-tunes")).unwrap().count(), 2);
}

#[test]
fn parameters_are_chosen_and_changed() {
    let folder = tempfile::tempdir().unwrap();
    let bot = bot("");
    let lines = |more: &[&str]| {
        let output = run(folder.path(), &[&["tune", "reversi", &bot, "--print-spsa"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        out(&output)
    };
    let all = "share, float, 0.25, 0, 1, 0.05, 0.002\noffset, int, 2, 0, 9, 0.5, 0.002\n";
    assert_eq!(lines(&[]), all);
    let one = lines(&["--params", "offset", "--start", "offset=5", "--range", "offset=1..41"]);
    assert_eq!(one, "offset, int, 5, 1, 41, 2, 0.002\n");
    assert!(!folder.path().join("arena-tunes").exists(), "nothing may be played");
}

/// From either bound of a range of two whole numbers, the two sides of each pair have both values.
#[test]
fn the_sides_of_each_pair_differ() {
    for (method, start) in [("spsa", "0"), ("spsa", "1"), ("de", "0"), ("de", "1")] {
        let folder = tempfile::tempdir().unwrap();
        let (bot, start) = (bot(""), format!("offset={start}"));
        let words =
            ["tune", "reversi", &bot, "--params", "offset", "--range", "offset=0..1", "--start", &start];
        let more = ["--games", "40", "-j", "1", "--method", method, "--log", "tune.jsonl"];
        let limits = ["--first-ms", "20000", "--later-ms", "20000"];
        let output = run(folder.path(), &[&words[..], &more, &limits].concat());
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        let log = log(folder.path());
        let pairs =
            log.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>();
        // Two more, if the answer isn't the start.
        let is_start = out(&output).contains("the start is still the answer");
        assert_eq!(pairs.len(), if is_start { 20 } else { 22 });
        for pair in pairs {
            let values = [0, 1].map(|side| pair["values"][side][0].as_f64().unwrap());
            assert!(values == [0.0, 1.0] || values == [1.0, 0.0], "{method} from {start}: {pair}");
        }
        // The other value is in the table.
        assert!(
            out(&output).lines().any(|line| line.starts_with("offset") && line.contains('±')),
            "{}",
            out(&output)
        );
    }
}

#[test]
fn a_parameter_with_one_value_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let bot = bot("--lie 'x, int, 1, 1, 1;y, int, 1, 0, 9'");
    let tune =
        |more: &[&str]| run(folder.path(), &[&["tune", "reversi", &bot, "--print-spsa"], more].concat());
    let output = tune(&[]);
    assert_eq!((output.status.code(), out(&output)), (Some(0), "y, int, 1, 0, 9, 0.5, 0.002\n".to_owned()));
    assert!(err(&output).contains("note: x isn't tuned: its range has one value, 1"), "{}", err(&output));
    for (more, message) in [
        (&["--params", "x"][..], "x: the range from 1 to 1 has one value"),
        (&["--range", "y=3..3", "--start", "y=3"], "y: the range from 3 to 3 has one value"),
    ] {
        let output = tune(more);
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(err(&output).contains(message), "{}", err(&output));
    }
}

/// A log of an earlier version is resumed if its trials are those of today, and refused otherwise.
#[test]
fn an_earlier_version_s_log_is_resumed_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), &quick(&[])).status.success());
    let whole = log(folder.path());
    let path = folder.path().join("tune.jsonl");
    let earlier = whole.replacen("\"rules\":1,", "", 1);
    assert_ne!(earlier, whole);
    let half = earlier.match_indices('\n').nth(12).unwrap().0 + 1;
    fs::write(&path, &earlier[..half]).unwrap();
    let output = run(folder.path(), &quick(&[]));
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(log(folder.path()), earlier);
    // Other values in a pair, as earlier versions chose at a bound.
    let mut lines = earlier.lines().map(str::to_owned).collect::<Vec<_>>();
    let mut pair = serde_json::from_str::<Value>(&lines[9]).unwrap();
    pair["values"][1] = pair["values"][0].clone();
    lines[9] = pair.to_string();
    let other = lines.join("\n") + "\n";
    fs::write(&path, &other).unwrap();
    let output = run(folder.path(), &quick(&[]));
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let message = err(&output);
    assert!(
        message.contains("tune.jsonl is of an earlier version of arena, which chose other values"),
        "{message}"
    );
    assert!(message.contains("in another file, with --log"), "{message}");
    assert_eq!(log(folder.path()), other);
}

#[test]
fn invalid_options_are_usage_errors() {
    let folder = tempfile::tempdir().unwrap();
    let bot = bot("");
    for (words, message) in [
        (&["--params", "shore"][..], "the bot has no parameter shore; it has: share, offset"),
        (&["--start", "share=2"], "share: expected MIN < MAX and a value in that range, found 2 for 0 to 1"),
        (&["--start", "offset=1.5"], "offset=1.5: \"1.5\" is no int"),
        (&["--range", "share=0-1"], "share=0-1: expected NAME=MIN..MAX"),
        (&["--start", "share"], "\"share\": expected NAME=VALUE or NAME=MIN..MAX"),
        (&["--params", "share", "--start", "offset=1"], "--params leaves this parameter out"),
        (&["--games", "42"], "must be a multiple of 4"),
    ] {
        let output = run(folder.path(), &[&["tune", "reversi", &bot], words].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", err(&output));
        assert!(err(&output).contains(message), "{words:?}: {}", err(&output));
    }
    for (bot, message) in [
        ("in:bit", "uttt has no search \"bit\"; available: bot, "),
        ("in:bot --nods 3", "unknown option --nods"),
        ("in:playouts --param exploration=7", "exploration=7: expected a number from 0.05 to 2.5"),
    ] {
        let output = run(folder.path(), &["tune", "uttt", bot]);
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(err(&output).contains(message), "{}", err(&output));
    }
}

#[test]
fn bots_with_invalid_tunables_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        ("--refuse", "doesn't say what can be tuned: its process exited with code 64, after saying \"unknown option --tunables\""),
        ("--lie ''", "has nothing that can be tuned"),
        ("--lie 'x, int, 1, 0, 9;depth is 7'", "line 2 that `"),
        ("--lie 'depth is 7'", "expected `NAME, int|float, VALUE, MIN, MAX`: \"depth is 7\""),
        ("--lie 'x, int, 11, 0, 9'", "expected MIN < MAX and a value in that range, found 11 for 0 to 9"),
        ("--lie 'x, int, 1, 0, 9;x, int, 1, 0, 9'", "has two parameters called x"),
    ] {
        let output = run(folder.path(), &["tune", "reversi", &bot(arguments)]);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {}", err(&output));
        assert!(err(&output).contains(message), "{arguments}: {}", err(&output));
        assert!(err(&output).contains("--tunables"), "{arguments}: {}", err(&output));
    }
    let missing = run(folder.path(), &["tune", "reversi", "./no/such/bot"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(err(&missing).starts_with("error: can't start `./no/such/bot --tunables`"), "{}", err(&missing));
}

#[test]
fn a_bot_that_keeps_crashing_ends_the_tune() {
    let folder = tempfile::tempdir().unwrap();
    let bot = bot("--crash");
    let words =
        ["tune", "reversi", &bot, "--games", "40", "-j", "1", "--first-ms", "20000", "--later-ms", "20000"];
    let output = run(folder.path(), &words);
    assert_eq!(output.status.code(), Some(1));
    let message = err(&output);
    assert!(message.contains("stopped: the bot failed 4 times in the first 4 games"), "{message}");
    assert!(message.contains("its process exited with code 9"), "{message}");
}

#[test]
fn searches_play_matches_too() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["match", "uttt", "in:playouts --nodes 40", "in:random", "-n", "8", "-j", "2", "--json"];
    let output = run(folder.path(), &words);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let summary = serde_json::from_str::<Value>(&out(&output)).unwrap();
    assert_eq!(summary["games"], 8);
}

/// The time limit is ten seconds.
#[test]
#[ignore = "waits for ten seconds: .ci/deep runs it"]
fn a_bot_that_never_answers_times_out() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["tune", "reversi", &bot("--hang")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("it was still running after 10 s"), "{}", err(&output));
}
