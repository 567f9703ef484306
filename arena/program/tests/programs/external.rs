//! Tests `-r`: games through a referee that is a program of its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::outside::{arena, built, digest, err, json, out, outside};

/// Plays a run of a failing referee, which must stop it, and returns its standard error.
fn failure(mode: &str, more: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (referee, bot) = (outside(mode), outside("bot 5"));
    let words = [&["match", "-r", &referee, &bot, &bot, "-n", "4", "--dir", "run"], more].concat();
    let output = arena(folder.path(), &words);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = fs::read_to_string(folder.path().join("run/games.jsonl")).unwrap();
    assert_eq!(text, "", "a failed game is no game");
    assert!(err(&output).contains("no result for game 1"), "{output:?}");
    err(&output)
}

#[test]
fn games_through_a_referee_are_those_played_directly() {
    let folder = tempfile::tempdir().unwrap();
    let first = shell_words::quote(built("examples/first").to_str().unwrap()).into_owned();
    let referee = format!("{} referee reversi --openings 5", shell_words::quote(env!("CARGO_BIN_EXE_arena")));
    let (a, b) = (first.clone(), format!("{first} again"));
    let rest = [&a, &b, "-n", "6", "--seed", "9", "--json"];
    let direct = ["match", "reversi", "--openings", "5", "--dir", "direct"];
    let direct = json(&arena(folder.path(), &[&direct[..], &rest].concat()));
    let through = ["match", "-r", &referee, "--dir", "through", "--contest-name", "reversi"];
    let through = json(&arena(folder.path(), &[&through[..], &rest].concat()));
    assert_eq!(digest(&folder.path().join("direct")), digest(&folder.path().join("through")));
    assert_eq!(direct["comparison"], through["comparison"]);
}

#[test]
fn both_ways_of_giving_the_seed_are_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (outside("bot 5 by-seed"), outside("bot 6"));
    let mut runs = Vec::new();
    for mode in ["d", "seed", "strict-seed", "text"] {
        let referee = outside(mode);
        let output =
            arena(folder.path(), &["match", "-r", &referee, &a, &b, "-n", "12", "--dir", mode, "--json"]);
        assert_eq!(json(&output)["normal"], 12, "{mode}");
        assert_eq!(err(&output).contains("WARNING: sun.reflect"), mode == "text", "{output:?}");
        runs.push(digest(&folder.path().join(mode)));
    }
    assert!(runs.windows(2).all(|pair| pair[0] == pair[1]));
    // Seeds matter: A wins, draws and loses.
    let of_a = |game: &[Value; 6]| game[4][usize::from(game[3][0]["name"] == "B")].as_i64();
    assert_eq!(runs[0].iter().filter_map(of_a).collect::<BTreeSet<_>>(), BTreeSet::from([5, 6, 7]));
}

/// The arena runs the bots of the old protocol, keeps their time, and has their dialogues.
#[test]
fn the_old_protocol_is_spoken() {
    let folder = tempfile::tempdir().unwrap();
    let (referee, a, b) = (outside("old"), outside("bot 5 by-seed"), outside("bot 6"));
    let places = ["--dir", "run", "--log-dir", "logs", "--json", "--old-protocol=60000,60000"];
    let words = ["match", "-r", &referee, &a, &b, "-n", "12"];
    let output = arena(folder.path(), &[&words[..], &places].concat());
    assert_eq!(json(&output)["normal"], 12, "{output:?}");
    // The games are those of the other protocol, but for their scores: a point for the winner.
    let others = outside("d");
    let output =
        arena(folder.path(), &["match", "-r", &others, &a, &b, "-n", "12", "--dir", "other", "--json"]);
    assert_eq!(json(&output)["normal"], 12, "{output:?}");
    let order = |game: &[Value; 6]| game[4][0].as_i64().cmp(&game[4][1].as_i64());
    let [old, new] = ["run", "other"].map(|run| digest(&folder.path().join(run)));
    assert!(old.iter().map(order).eq(new.iter().map(order)), "{old:?} {new:?}");
    assert!(old.iter().map(order).collect::<BTreeSet<_>>().len() == 3, "won, drawn and lost: {old:?}");
    let log = fs::read_to_string(folder.path().join("logs/1.p1.log")).unwrap();
    assert!(
        log.starts_with("> ") && log.contains("\n< 6\n") && log.contains("! [TDATA] depth = 4\n"),
        "{log}"
    );
    let record: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("logs/1.json")).unwrap()).unwrap();
    assert_eq!(
        (&record["turns"], record["times_ms"][0].as_array().unwrap().len()),
        (&serde_json::json!([0, 1]), 1)
    );

    // A bot that fails loses, with the reason; one that the referee refuses too.
    let told = |bot: &str, limits: &str| {
        let output = arena(folder.path(), &["play", "-r", &referee, &a, bot, limits]);
        out(&output) + &err(&output)
    };
    let exits = outside("bot none");
    let text = told(&exits, "--old-protocol=60000,60000");
    assert!(
        text.contains(
            "turn 1: expected one line, received the end of its output: its process exited with code 3"
        ),
        "{text}"
    );
    let wordy = format!("{} contests", shell_words::quote(env!("CARGO_BIN_EXE_arena")));
    let text = told(&wordy, "--old-protocol=60000,60000");
    // Which fault comes first depends on the machine: it answers without being asked, more than a line, and no number.
    assert!(
        text.contains("scores 1-0, failed by arena") && text.contains("reversi          seats 2"),
        "{text}"
    );

    // A referee that breaks off, says something else or never ends: no game.
    for (fault, wanted) in [
        ("unknown", "expected ###Input, ###Output, ###Error or ###End, found \"###Hello\""),
        ("cut", "its output ended before ###End"),
        ("hang", "it did not end within 1 s (--referee-limit)"),
    ] {
        let broken = outside(&format!("old {fault}"));
        let words = [
            "match",
            "-r",
            &broken,
            &a,
            &b,
            "-n",
            "2",
            "--dir",
            fault,
            "--old-protocol",
            "--referee-limit",
            "1",
        ];
        let output = arena(folder.path(), &words);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(err(&output).contains(wanted), "{}", err(&output));
    }
}

#[test]
fn a_referee_that_fails_stops_the_run_with_its_own_words() {
    for (mode, said) in [
        ("usage", "usage: java -jar referee.jar"),
        ("crash", "NullPointerException"),
        ("null", "null for a score"),
        ("silent", "printed nothing"),
    ] {
        let text = failure(mode, &["--seed-as", "d"]);
        assert!(text.contains(said) && text.contains("it is played again"), "{mode}: {text}");
    }
    assert!(failure("deaf", &[]).contains("with `-d seed=N` and with `-seed N`"));
    assert!(failure("seed", &["--seed-as", "d"]).contains("another seed"));
    assert!(failure("hang", &["--seed-as", "d", "--referee-limit", "1"]).contains("did not end within 1 s"));
}

#[test]
fn a_referee_that_fails_once_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let (referee, bot) = (outside("once --marker marker"), outside("bot 5"));
    let words = ["match", "-r", &referee, &bot, &bot, "-n", "4", "--dir", "run", "--seed-as", "d", "--json"];
    let output = arena(folder.path(), &words);
    assert_eq!(json(&output)["games"], 4);
    assert!(err(&output).contains("it is played again"), "{output:?}");
}

#[test]
fn a_bot_that_fails_loses_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (referee, good, bad) = (outside("d"), outside("bot 0"), outside("bot five"));
    let output = arena(folder.path(), &["play", "-r", &referee, &good, &bad, "--log-dir", "logs"]);
    assert!(out(&output).contains("scores 0--1, failed by B"), "{output:?}");
    let said = err(&output);
    assert!(said.contains("all answered") && said.contains("no number in [\"five\"]"), "{said}");
    assert!(said.contains("(exit status 3)"), "{said}");
    let unrecorded = err(&arena(folder.path(), &["play", "-r", &referee, &good, &bad]));
    assert!(unrecorded.contains("with --log-dir DIR"), "{unrecorded}");
    let record = fs::read(folder.path().join("logs/1.json")).unwrap();
    let record = serde_json::from_slice::<Value>(&record).unwrap();
    assert_eq!(record["faults"][0]["ending"], "failed");
    assert_eq!(record["data"][0]["pdata"]["strength"], 0.0);
    assert!(folder.path().join("logs/1.referee.json").is_file());
    let run = ["match", "-r", &referee, &good, &bad, "-n", "20", "--dir", "run"];
    let output = arena(folder.path(), &run);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("bot B failed in 3 of its first"), "{output:?}");
    let output = arena(folder.path(), &["check", "-r", &referee, &bad, "--games", "2"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(out(&arena(folder.path(), &["check", "-r", &referee, &good])).lines().count(), 5);
}

#[test]
fn bots_with_blanks_in_their_words_are_wrapped() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("my bot");
    fs::copy(built("examples/outside"), &program).unwrap();
    let bot = format!("{} bot 7", shell_words::quote(program.to_str().unwrap()));
    let output = arena(folder.path(), &["play", "-r", &outside("d"), &bot, &outside("bot 3")]);
    assert!(out(&output).contains("scores 7-3, normal"), "{output:?}");
}

#[test]
fn a_program_that_cannot_start_is_named_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("referee.py"), "print(1)").unwrap();
    let good = outside("bot 5");
    let output = arena(folder.path(), &["match", "-r", &outside("d"), &good, "./nobot --fast", "-n", "2"]);
    assert_ne!(output.status.code(), Some(0));
    let said = err(&output);
    assert!(
        said.contains("bot nobot, `./nobot --fast`, can't be started: there is no file ./nobot"),
        "{said}"
    );
    assert!(said.contains("give --no-check-bots"), "{said}");
    if cfg!(unix) {
        let said = err(&arena(folder.path(), &["play", "-r", "./referee.py", &good, &good]));
        assert!(said.contains("./referee.py isn't executable: chmod +x ./referee.py"), "{said}");
    }
}

/// As in a container: this machine has no such programs.
#[test]
fn bots_that_only_the_referee_finds_reach_it_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["/bots/new --fast", "/bots/old", "--no-check-bots", "--seed-as", "d"];
    let words = ["play", "-r", &outside("words"), "--log-dir", "logs"];
    let said = err(&arena(folder.path(), &[&words[..], &bots].concat()));
    assert!(said.contains("|-p1|/bots/new --fast|-p2|/bots/old|-d|seed="), "{said}");
    let words = ["match", "-r", &outside("say --text '3\n5'"), "-n", "4", "--dir", "run"];
    let said = out(&arena(folder.path(), &[&words[..], &bots].concat()));
    assert!(said.contains("won 2, drawn 0, lost 2"), "{said}");
    let quoted = ["play", "-r", &outside("words"), "/bots/new 'a b'", "/bots/old", "--no-check-bots"];
    let said = err(&arena(folder.path(), &quoted));
    assert!(said.contains("the word \"a b\" has blanks"), "{said}");
}

#[test]
fn results_over_seeds_do_not_contradict_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let referee = outside("json --seed {SEED} --bots {P1}");
    let play = |command: &str, more: &[&str]| {
        let (a, b) = (outside("bot 30 by-seed"), outside("bot 29"));
        let words = [&[command, "-r", &referee, "--players", "1", &a, &b][..], more].concat();
        out(&arena(folder.path(), &words))
    };
    let found = play("match", &["-n", "40", "--compare", "difference"]);
    let first = found.lines().next().unwrap();
    assert!(first.starts_with("A - B +") && first.contains("points a seed (95 %:"), "{found}");
    assert!(found.contains("A: won 20, drawn 0, lost 0 of 20 seeds\n"), "{found}");
    assert!(!found.contains("score ") && !found.contains("pairs") && !found.contains("\nElo"), "{found}");
    let found = play("match", &["-n", "40"]);
    assert!(found.starts_with("A: won 20, drawn 0, lost 0 of 20 seeds, score 100.0 %"), "{found}");
    let found = play("sprt", &["--compare", "difference"]);
    assert!(found.contains(" seeds.") && !found.contains("pairs"), "{found}");
}

#[test]
fn bots_that_play_alone_are_compared_by_seed() {
    let folder = tempfile::tempdir().unwrap();
    let referee = outside("json --seed {SEED} --bots {P1}");
    let play = |a: &str, b: &str, more: &[&str]| {
        let (a, b) = (outside(a), outside(b));
        let words = ["match", "-r", &referee, "--players", "1", &a, &b, "-n", "40", "--json"];
        json(&arena(folder.path(), &[&words[..], more].concat()))
    };
    let found = play("bot 30 by-seed", "bot 29", &["--compare", "difference"]);
    let lead = found["comparison"]["lead"]["mean"]["mean"].as_f64().unwrap();
    assert!((1.0..=3.0).contains(&lead) && found["comparison"]["samples"] == 20, "{found}");
    assert!(found["comparison"]["los"].as_f64().unwrap() > 0.99);
    let found = play("bot 30", "bot 20", &["--compare", "ratio"]);
    assert!((found["comparison"]["lead"]["mean"]["mean"].as_f64().unwrap() - 1.5).abs() < 1e-9);
    let found = play("bot 30", "bot 20", &["--lower-is-better"]);
    assert_eq!(
        (&found["bots"][0]["result"]["losses"], &found["bots"][0]["mean_points"]),
        (&20.into(), &30.0.into())
    );
    let test = ["sprt", "-r", &referee, "--players", "1", "--compare", "difference"];
    let (a, b) = (outside("bot 30 by-seed"), outside("bot 29"));
    assert!(out(&arena(folder.path(), &[&test[..], &[&a, &b]].concat())).contains("H1 accepted"));
}

#[test]
fn more_than_two_players_meet_on_every_seat() {
    let folder = tempfile::tempdir().unwrap();
    let (referee, bots) = (outside("d"), [3, 1, 2].map(|number| outside(&format!("bot {number}"))));
    let bots = bots.each_ref().map(String::as_str);
    let words = ["match", "-r", &referee, "--seats", "all", "-n", "6", "--dir", "all", "--json"];
    let found = json(&arena(folder.path(), &[&words[..], &bots].concat()));
    assert_eq!((&found["bots"][0]["result"]["wins"], &found["games"]), (&6.into(), &6.into()));
    let games = digest(&folder.path().join("all"));
    let seatings =
        games.iter().map(|game| (0..3).map(|seat| game[3][seat]["name"].to_string()).collect::<String>());
    assert_eq!(seatings.collect::<BTreeSet<_>>().len(), 6);
    assert!(games.windows(2).all(|pair| pair[0][2] == pair[1][2]), "one seed");
    let words = ["rate", "-r", &referee, "--players", "3", "-n", "6"];
    let table = out(&arena(folder.path(), &[&words[..], &bots].concat()));
    let order =
        table.lines().filter_map(|line| line.split_whitespace().find(|word| ["A", "B", "C"].contains(word)));
    assert_eq!(order.take(3).collect::<Vec<_>>(), ["A", "C", "B"], "{table}");
}

#[test]
fn a_run_is_resumed_only_with_the_same_referee() {
    let folder = tempfile::tempdir().unwrap();
    let bot = outside("bot 5");
    let run = |mode: &str, games: &str, more: &[&str]| {
        let referee = outside(mode);
        let words =
            ["match", "-r", &referee, &bot, &bot, "-n", games, "--dir", "run", "--contest-name", "toy"];
        arena(folder.path(), &[&words[..], more].concat())
    };
    out(&run("d", "2", &[]));
    assert!(err(&run("d", "4", &[])).contains("2 of 4 games are in"));
    for (mode, more) in [("text", &[][..]), ("d", &["--league", "3"]), ("d", &["--lower-is-better"])] {
        let output = run(mode, "6", more);
        assert!(err(&output).contains("another run"), "{mode} {more:?}: {output:?}");
    }
    out(&run("d", "4", &["--shard", "1/1"]));
    let merged = json(&arena(folder.path(), &["merge", "run", "--json"]));
    assert_eq!(merged["games"], 4);
}

#[test]
fn numbers_are_tuned_through_a_referee() {
    let folder = tempfile::tempdir().unwrap();
    let bot = outside("bot 0");
    for (referee, more) in
        [(outside("d"), &[][..]), (outside("json --seed {SEED} --bots {P1}"), &["--players", "1"])]
    {
        let words = ["tune", "-r", &referee, &bot, "--games", "120", "--json", "--log"];
        let log = if more.is_empty() { "two.jsonl" } else { "one.jsonl" };
        let found = json(&arena(folder.path(), &[&words[..], &[log], more].concat()));
        let tuned = found["parameters"][0]["tuned"].as_f64();
        // The more, the better.
        assert!(tuned.is_some_and(|value| value > 20.0), "{found}");
        assert!(found["proof"].as_str().unwrap().starts_with("arena sprt -r"), "{found}");
    }
}

#[cfg(unix)]
#[test]
fn what_a_referee_leaves_behind_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (referee, bot) = (outside("child --pid pid"), outside("bot 5"));
    out(&arena(folder.path(), &["play", "-r", &referee, &bot, &bot]));
    let pid = fs::read_to_string(folder.path().join("pid")).unwrap().parse().unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    let is_gone = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        rustix::process::test_kill_process(pid).is_err()
    });
    assert!(is_gone);
}

#[test]
fn options_that_only_own_contests_have_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (referee, bot) = (outside("d"), outside("bot 5"));
    for (more, said) in [
        (&["--later-ms", "50"][..], "--later-ms"),
        (&["--openings", "2"], "--openings"),
        (&["--cpu-limit", "2"], "--cpu-limit"),
        (&["--players", "9"], "8"),
    ] {
        let words = [&["match", "-r", &referee, &bot, &bot], more].concat();
        let output = arena(folder.path(), &words);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(err(&output).contains(said), "{output:?}");
    }
    let output = arena(folder.path(), &["match", "-r", &referee, "in:bot", "in:bot"]);
    assert!(output.status.code() == Some(2) && err(&output).contains("in: searches"), "{output:?}");
}

/// The blocks of a document in one language.
fn blocks(document: &str, language: &str) -> Vec<String> {
    let start = format!("```{language}\n");
    let blocks = document.split(&start).skip(1).filter_map(|rest| rest.split_once("```"));
    blocks.map(|(block, _)| block.to_owned()).collect()
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn the_documents_example_works() {
        if Command::new("python3").arg("--version").output().is_err() {
            eprintln!("python3 is not installed: the example is not tried");
            return;
        }
        let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/referees.md");
        let document = fs::read_to_string(document).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for script in blocks(&document, "python") {
            let name = script.split_whitespace().nth(1).unwrap();
            fs::write(folder.path().join(name), &script).unwrap();
        }
        let commands = blocks(&document, "sh").concat();
        let outputs = commands.lines().map(|line| {
            let words = shell_words::split(line).unwrap();
            let words = words.iter().map(String::as_str).collect::<Vec<_>>();
            assert_eq!(words[0], "arena");
            out(&arena(folder.path(), &words[1..]))
        });
        let [play, pairs, alone] = outputs.collect::<Vec<_>>().try_into().unwrap();
        assert_eq!(play.lines().filter(|line| line.starts_with("game ")).count(), 4);
        assert!(pairs.contains("endings: 20 of 20 normal"), "{pairs}");
        // Over all numbers, halves ask 8.99 times on average and thirds 10.08 times.
        let lead = alone.lines().find(|line| line.starts_with("A - B ")).unwrap();
        let lead = lead.split_whitespace().nth(3).unwrap().parse::<f64>().unwrap();
        assert!((0.0..3.0).contains(&lead), "{alone}");
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn games_of_each_contest_through_its_own_referee_are_those_played_directly() {
        // Each has a bot of its name that plays the same for the same number of nodes.
        for contest in bots_searches::contests().iter().map(|contest| contest.name()) {
            let folder = tempfile::tempdir().unwrap();
            let nodes = if contest == "sudoku" { "" } else { " --nodes 300" };
            let bot = format!("{}{nodes}", shell_words::quote(built(contest).to_str().unwrap()));
            let program = shell_words::quote(env!("CARGO_BIN_EXE_arena"));
            let referee = format!("{program} referee {contest} --first-ms 60000 --later-ms 60000");
            // A crashed lander scores -1, without a fault of the bot.
            let alone: &[&str] = match contest {
                "lander" => &["--players", "1", "--negative-scores"],
                "sudoku" => &["--players", "1"],
                _ => &[],
            };
            let rest = [&bot, &bot, "-n", "4", "--json"];
            let direct = ["match", contest, "--openings", "0", "--dir", "direct"];
            let limits = ["--first-ms", "60000", "--later-ms", "60000"];
            let direct = json(&arena(folder.path(), &[&direct[..], &limits, &rest].concat()));
            let through = ["match", "-r", &referee, "--dir", "through", "--contest-name", contest];
            let through = json(&arena(folder.path(), &[&through[..], alone, &rest].concat()));
            assert_eq!(
                digest(&folder.path().join("direct")),
                digest(&folder.path().join("through")),
                "{contest}"
            );
            assert_eq!(direct["comparison"], through["comparison"], "{contest}");
        }
    }
}
