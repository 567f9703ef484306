//! Tests `arena replay` on every kind of game file: complete, changed and truncated.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{json, Value};

use crate::{arena_in, first_bot, run, tests_folder, text};

/// A folder `reversi` with a recorded game. `change` maps a seat, a line number and a line to the new line.
fn recorded(change: impl Fn(usize, usize, &str) -> Option<String>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("reversi");
    fs::create_dir(&games).unwrap();
    for seat in 0..2 {
        let name = format!("4.p{seat}.log");
        let lines = fs::read_to_string(tests_folder("logs/reversi").join(&name)).unwrap();
        let lines = lines.lines().enumerate().filter_map(|(i, line)| change(seat, i + 1, line));
        fs::write(games.join(name), lines.map(|line| line + "\n").collect::<String>()).unwrap();
    }
    (folder, games)
}

fn keep(_: usize, _: usize, line: &str) -> Option<String> {
    Some(line.to_owned())
}

#[test]
fn every_recorded_game_agrees_with_rules_and_published_scores() {
    let (out, err) = run(0, &["replay", text(&tests_folder("logs")), "--json"]);
    assert_eq!(err, "");
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (total, games) = lines.split_last().unwrap();
    assert_eq!((&total["type"], &total["games"], &total["agree"]), (&json!("total"), &json!(86), &json!(86)));
    for game in games {
        let path = Path::new(game["game"].as_str().unwrap());
        let scores = fs::read_to_string(path.with_file_name("scores.json")).unwrap();
        let scores: Value = serde_json::from_str(&scores).unwrap();
        assert_eq!(game["scores"], scores[path.file_name().unwrap().to_str().unwrap()], "{game}");
    }
}

#[test]
fn one_dialogue_finds_the_other_and_the_folder_names_the_contest() {
    let (_folder, games) = recorded(keep);
    let (out, _) = run(0, &["replay", text(&games.join("4.p1.log"))]);
    let game = games.join("4");
    assert_eq!(
        out,
        format!("{}: reversi, 60 answers, scores 1-0: agrees\n1 of 1 games agree\n", game.display())
    );
    // In a folder with another name the contest is detected.
    let other = games.with_file_name("games");
    fs::rename(&games, &other).unwrap();
    let (out, _) = run(0, &["replay", text(&other.join("4.p0.log")), text(&other.join("4.p1.log"))]);
    assert!(out.contains(": reversi, 60 answers") && out.ends_with("\n1 of 1 games agree\n"), "{out}");
    let (out, _) = run(1, &["replay", "uttt", text(&other)]);
    assert!(out.contains("4.p0.log:1: expected `> -1 -1`, found `> 0`; 0 answers before it"), "{out}");
    let (out, _) = run(1, &["replay", "--contest", "uttt", text(&other)]);
    assert!(out.contains("4.p0.log:1: expected `> -1 -1`, found `> 0`; 0 answers before it"), "{out}");
}

#[test]
fn the_first_line_that_disagrees_is_named() {
    let (_folder, games) = recorded(|seat, number, line| {
        let changed = (seat, number) == (0, 16);
        Some(if changed { "< EXPERT a1".to_owned() } else { line.to_owned() })
    });
    let (out, err) = run(1, &["replay", text(&games)]);
    assert!(
        out.contains("4.p0.log:16: expected one of ")
            && out.contains("found the answer `EXPERT a1`; 0 answers"),
        "{out}"
    );
    assert!(out.ends_with("0 of 1 games agree\n"), "{out}");
    assert!(err.starts_with("error: games or files that disagree with the rules: 1\n"), "{err}");
}

/// The lines of the first league are those of the last: only the name says which rules hold.
#[test]
fn a_variant_that_the_lines_do_not_tell_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["4.p0.log", "4.p1.log"] {
        fs::copy(tests_folder("data/wondev-0").join(name), folder.path().join(name)).unwrap();
    }
    let (out, _) = run(1, &["replay", text(folder.path()), "--contest", "wondev"]);
    assert!(out.contains(" agree with wondev (a variant: --contest wondev:LEAGUE(0-3)["), "{out}");
    let (out, _) = run(0, &["replay", text(folder.path()), "--contest", "wondev:0"]);
    assert!(out.contains("wondev:0, 12 answers, scores 0-1: agrees"), "{out}");
}

/// Without a contest's name, the contest that accepts most answers locates the changed line.
#[test]
fn a_changed_line_is_reported_in_a_detected_contest() {
    let (_folder, games) = recorded(|seat, number, line| {
        Some(if (seat, number) == (0, 100) { "> spoiled".to_owned() } else { line.to_owned() })
    });
    let other = games.with_file_name("games");
    fs::rename(&games, &other).unwrap();
    let (out, _) = run(1, &["replay", text(&other.join("4.p0.log"))]);
    assert!(out.contains("no contest's rules accept all of it, those of reversi the first "), "{out}");
    assert!(out.contains("4.p0.log:100: expected ") && out.contains("found `> spoiled`"), "{out}");
    // If no contest accepts any answer, all are listed.
    for seat in 0..2 {
        fs::write(other.join(format!("4.p{seat}.log")), "> nothing\n< nothing\n").unwrap();
    }
    let (out, _) = run(1, &["replay", text(&other.join("4.p0.log"))]);
    assert!(out.contains("name the contest with --contest") && out.contains("mancala"), "{out}");
}

#[test]
fn a_game_cut_off_is_replayed_as_far_as_it_goes() {
    let (_folder, games) =
        recorded(|seat, number, line| (seat == 1 || number < 300).then(|| line.to_owned()));
    let (out, _) = run(1, &["replay", text(&games)]);
    assert!(
        out.contains("4.p0.log:300: cut off: expected ") && out.contains("found the end of the file; "),
        "{out}"
    );
    let agreeing = out.split("; ").nth(1).unwrap().split(' ').next().unwrap().parse::<usize>().unwrap();
    assert!(agreeing > 20, "{out}");
    // Truncated in the middle of a line.
    let path = games.join("4.p0.log");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
    let (out, _) = run(1, &["replay", text(&games)]);
    assert!(out.contains("4.p0.log:299: cut off in the middle of a line: "), "{out}");
}

#[test]
fn files_of_other_programs_are_replayed_and_their_cuts_named() {
    let folder = tests_folder("data/replays");
    let (out, _) = run(0, &["replay", text(&folder)]);
    assert!(out.ends_with("4 of 4 games agree\n"), "{out}");
    let scratch = tempfile::tempdir().unwrap();
    let whole = fs::read(folder.join("uttt/201.json")).unwrap();
    let cut = scratch.path().join("cut.json");
    fs::write(&cut, &whole[..whole.len() - 8]).unwrap();
    let (out, _) = run(1, &["replay", text(&cut)]);
    assert!(out.contains("uttt, 54 answers, scores 6-2: agrees up to where it is truncated\n"), "{out}");
    assert!(out.contains("cut.json:1:") && out.contains("it was cut off"), "{out}");
    fs::write(&cut, b"{").unwrap();
    let (out, _) = run(1, &["replay", text(&cut), text(&scratch.path().join("missing.json"))]);
    assert!(out.ends_with("0 of 0 games agree; 2 problems with files\n"), "{out}");
}

/// Plays games between example bots, one of which fails; leaves a folder of records and a file of lines.
fn played(folder: &Path) {
    let (good, bad) = (first_bot(), format!("{} zz", shell_words::quote(&first_bot())));
    let limits = ["--first-ms", "20000", "--later-ms", "20000"];
    let words =
        ["play", "reversi", &good, &good, "--games", "4", "--openings", "6", "--log-dir", "logs", "--json"];
    let output = arena_in(folder, &[&words[..], &limits].concat());
    assert!(output.status.success(), "{output:?}");
    fs::write(folder.join("games.jsonl"), output.stdout).unwrap();
    let output =
        arena_in(folder, &[&["play", "reversi", &good, &bad, "--log-dir", "bad"][..], &limits].concat());
    assert!(output.status.success(), "{output:?}");
}

/// Without a record, the last turn shows that a bot failed.
#[test]
fn a_game_may_end_by_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    played(folder.path());
    let logs = folder.path().join("bad");
    fs::remove_file(logs.join("1.json")).unwrap();
    let (out, _) = run(0, &["replay", "reversi", text(&logs)]);
    let refused = "scores 1-0: agrees; seat 1 gave an answer that is refused in its turn 1: \"zz\"\n";
    assert!(out.contains(refused), "{out}");
    let log = logs.join("1.p1.log");
    let lines = fs::read_to_string(&log).unwrap();
    fs::write(&log, lines.strip_suffix("< zz\n").unwrap()).unwrap();
    let (out, _) = run(0, &["replay", "reversi", text(&logs)]);
    assert!(out.contains("scores 1-0: agrees; seat 1 gave no answer in its turn 1\n"), "{out}");
    // Within a turn's input it is cut off; so it is where the game went on without the answer.
    fs::write(&log, lines.rsplit_once("> ").unwrap().0).unwrap();
    let (out, _) = run(1, &["replay", "reversi", text(&logs)]);
    assert!(out.contains("1.p1.log:") && out.contains("cut off: expected `> "), "{out}");
    let (_folder, games) = recorded(|seat, number, line| (seat == 1 || number < 31).then(|| line.to_owned()));
    let (out, _) = run(1, &["replay", text(&games)]);
    assert!(out.contains("4.p0.log:") && out.contains("cut off: expected `"), "{out}");
}

/// A record of a game of an external referee has no moves.
#[test]
fn a_game_of_an_external_referee_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let program = shell_words::quote(env!("CARGO_BIN_EXE_arena"));
    let referee = format!("{program} referee reversi");
    let bots = ["greedy", "random"].map(|search| format!("{program} as-bot reversi in:{search}"));
    let output = arena_in(folder.path(), &["play", "-r", &referee, &bots[0], &bots[1], "--log-dir", "games"]);
    assert!(output.status.success(), "{output:?}");
    let games = folder.path().join("games");
    let (out, _) = run(0, &["replay", text(&games), "--contest", "reversi"]);
    assert!(out.contains("1: reversi, 60 answers") && out.ends_with(" games agree\n"), "{out}");
}

/// Without a contest's rules a bot is asked the recorded turns as they stand, and the worst games are listed at the end.
#[test]
fn a_bot_answers_recorded_turns_of_any_contest() {
    let folder = tempfile::tempdir().unwrap();
    let (program, folder) = (shell_words::quote(env!("CARGO_BIN_EXE_arena")), folder.path());
    let bot = |options: &str| format!("{program} as-bot tictactoe in:mcts {options}");
    let limits = ["--first-ms", "20000", "--later-ms", "20000"];
    let bots = [bot("--nodes 50"), bot("--nodes 60 --seed 2")];
    let words = ["play", "tictactoe", &bots[0], &bots[1], "--games", "2", "--log-dir", "games"];
    let output = arena_in(folder, &[&words[..], &limits].concat());
    assert!(output.status.success(), "{output:?}");
    for game in ["games/1.json", "games/2.json"] {
        let record = fs::read_to_string(folder.join(game)).unwrap();
        fs::write(folder.join(game), record.replace("\"tictactoe\"", "\"spring\"")).unwrap();
    }
    let games = text(&folder.join("games")).to_owned();
    let (out, _) = run(1, &["replay", &games]);
    assert!(out.contains("unknown contest `spring`"), "{out}");
    // Nodes decide, not time: the bot that played gives its answers again.
    let same = ["replay", &games, "--bot", &bots[0], "--seat", "0"];
    let out = run(1, &same).0.replace('\\', "/");
    assert!(out.contains("games/1: spring, ") && out.contains(" answers, no rules here\n"), "{out}");
    // `  seat 0: SAME of TURNS turns as recorded, …`
    let is_same = |game: &str| {
        let at = out.find(&format!("games/{game}: spring")).unwrap();
        let line = out[at..].lines().nth(1).unwrap().trim();
        let words = line.split(' ').collect::<Vec<_>>();
        words[2] == words[4]
    };
    assert!(is_same("1"), "{out}");
    // The other bot had the seat in the second game.
    assert!(
        !is_same("2") && out.contains("worst first:\n  ") && out.contains("2 games without rules; "),
        "{out}"
    );
    let worst = out.split("worst first:\n").nth(1).unwrap();
    assert!(worst.trim_start().contains("games/2 seat 0: 0 faults, "), "{out}");
    // A bot that ends at once, and one that is told to ignore the rules of a contest that is here.
    let (out, _) = run(1, &["replay", &games, "--bot", &format!("{program} nothing"), "--json"]);
    let total: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!((&total["faults"], &total["without_rules"]), (&json!(4), &json!(2)));
}

/// Lost games are played again by another bot, with the recorded one's luck beside it.
#[test]
fn lost_games_are_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["match", "tictactoe", "A=in:random --seed 3", "B=in:mcts --nodes 200", "-n", "12"];
    let places = ["--dir", "run", "--log-dir", "logs", "--openings", "0"];
    let output = arena_in(folder, &[&words[..], &places].concat());
    assert!(output.status.success(), "{output:?}");
    let regress = |words: &[&str]| {
        let output = arena_in(folder, &[&["regress"], words].concat());
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (status, out, err) = regress(&["run", "--bot", "in:mcts --nodes 400"]);
    assert_eq!((status, &err[..]), (Some(0), ""));
    let better = out.lines().filter(|line| line.starts_with("better game ")).count();
    assert!(better > 5 && out.contains("; A once more: lost\n"), "{out}");
    let share = |share: &str| share.split(' ').next().unwrap().parse::<f64>().unwrap();
    let part = |before: &str| share(out.split(before).nth(1).unwrap_or_else(|| panic!("{out}")));
    assert!(out.contains(&format!("\nbetter {better}, same ")) && part(": better in ") > 50.0, "{out}");
    assert!(out.contains("A once more: better 0, same ") && part("\ndifference: +") > 50.0, "{out}");
    // With the recorded bot itself no game turns.
    let (_, out, _) = regress(&["run", "--bot", "in:random --seed 3", "--json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    let games = report["games"].as_array().unwrap();
    assert!(games.len() >= better && games.iter().all(|game| game["change"] == "same"), "{out}");
    // From the losing turn, by the scores of the winner.
    let (_, out, _) =
        regress(&["logs", "--bot", "in:mcts --nodes 400", "--from", "losing", "--log-dir", "again"]);
    assert!(out.contains(", from turn "), "{out}");
    let first = fs::read_to_string(folder.join("again/1.json")).unwrap();
    assert!(
        !serde_json::from_str::<Value>(&first).unwrap()["opening"].as_str().unwrap().is_empty(),
        "{first}"
    );
    // The winner has lost none; all its games can be played.
    let (_, out, _) = regress(&["run", "--of", "B", "--bot", "in:random"]);
    assert_eq!(out, "B lost none of 12 games; --all plays the others again too\n");
    let (_, out, _) = regress(&["run", "--of", "B", "--all", "--bot", "in:random", "--no-control"]);
    assert!(out.contains("worse  game ") && !out.contains("once more"), "{out}");
    for (words, wanted) in [
        (&["none", "--bot", "in:random"][..], "can't read the games in none"),
        (&["run", "--bot", "in:random", "--of", "C"], "no game has a bot called C"),
        (&["run", "--bot", "./nobot"], "can't start bot new, `./nobot`"),
    ] {
        let (status, _, err) = regress(words);
        assert!(status != Some(0) && err.contains(wanted), "{err}");
    }
}

#[test]
fn records_lines_and_dialogues_of_this_program_agree() {
    let folder = tempfile::tempdir().unwrap();
    played(folder.path());
    let path = |name: &str| text(&folder.path().join(name)).to_owned();
    let (out, _) = run(0, &["replay", &path("games.jsonl")]);
    assert!(out.ends_with("4 of 4 games agree\n") && out.contains("games.jsonl:1: reversi, "), "{out}");
    let (out, _) = run(0, &["replay", &path("logs")]);
    assert!(out.ends_with("4 of 4 games agree\n"), "{out}");
    let (out, _) = run(0, &["replay", &path("logs/3.json")]);
    assert!(out.ends_with("1 of 1 games agree\n"), "{out}");
    // A recorded fault is no disagreement.
    let (out, _) = run(0, &["replay", &path("bad")]);
    assert!(out.contains(": reversi, 1 answers, scores 1-0: agrees\n"), "{out}");

    // The record must agree with the rules.
    let change = |name: &str, key: &str, value: Value| {
        let record = fs::read(folder.path().join("logs/1.json")).unwrap();
        let mut record: Value = serde_json::from_slice(&record).unwrap();
        record[key] = value;
        record["unknown"] = json!([1]);
        fs::write(folder.path().join(name), record.to_string()).unwrap();
        run(1, &["replay", &path(name)]).0
    };
    let out = change("scores.json", "scores", json!([7, 0]));
    assert!(
        out.contains("scores.json: the record's scores: expected ") && out.contains("found 7-0; "),
        "{out}"
    );
    let moves = fs::read_to_string(folder.path().join("logs/1.json")).unwrap();
    let moves: Value = serde_json::from_str(&moves).unwrap();
    let moves: Vec<&str> = moves["moves"].as_str().unwrap().split(' ').collect();
    let out = change("moves.json", "moves", json!(moves[..20].join(" ")));
    assert!(out.contains("moves.json, after move 20: cut off: expected a move of seat "), "{out}");
    let out = change("other.json", "moves", json!([&moves[..9], &["a9"]].concat().join(" ")));
    assert!(out.contains("other.json, move 10: expected ") && out.contains("found `a9`"), "{out}");
    let out = change("opening.json", "opening", json!("a1"));
    assert!(out.contains("opening.json: move 1 of the opening: \"a1\" is not a legal move"), "{out}");
}

#[test]
fn positions_are_drawn_and_a_turn_can_be_chosen() {
    let (_folder, games) = recorded(keep);
    let (out, _) = run(0, &["replay", text(&games), "--show"]);
    assert_eq!(out.matches(" to move\n").count(), 60);
    assert!(out.contains("\nturn 60, seat 1: g1 MSG hello ") && out.contains("\nscores 1-0\n"), "{out}");
    let (out, _) = run(0, &["replay", text(&games), "--turn", "3"]);
    assert!(out.starts_with("  a b c d e f g h\n1 . . . . . . . .\n"), "{out}");
    assert_eq!(out.matches("\nturn ").count(), 1, "{out}");
    assert!(
        out.contains("turn 3, seat 0: f5 MSG hello ") && out.contains("2 answers: agrees so far"),
        "{out}"
    );
}

#[test]
fn a_bot_is_compared_with_the_recorded_answers() {
    let folder = tempfile::tempdir().unwrap();
    played(folder.path());
    let logs = text(&folder.path().join("logs/1.p0.log")).to_owned();
    let limits = ["--first-ms", "20000", "--later-ms", "20000"];
    let bot = first_bot();
    // The bot played this game, so it answers as recorded.
    let (out, _) = run(0, &[&["replay", &logs, "--bot", &bot][..], &limits].concat());
    let seats: Vec<&str> = out.lines().filter(|line| line.starts_with("  seat ")).collect();
    assert_eq!(seats.len(), 2);
    for seat in seats {
        let words: Vec<&str> = seat.split_whitespace().collect();
        assert_eq!(words[2], words[4], "{seat}");
    }
    // In another bot's game it differs, and the replay continues with the recorded moves.
    let recorded = tests_folder("logs/reversi/4.p0.log");
    let words = ["replay", text(&recorded), "--bot", &bot, "--seat", "1", "--json"];
    let (out, _) = run(1, &[&words[..], &limits].concat());
    let line: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    let report = &line["bot"][0];
    let (turns, same) = (report["turns"].as_u64().unwrap(), report["same"].as_u64().unwrap());
    let differences = report["differences"].as_array().unwrap();
    assert_eq!((line["bot"].as_array().unwrap().len(), turns), (1, 29));
    assert!(same > 0 && differences.len() as u64 == turns - same, "{line}");
    assert!(differences[0]["place"].as_str().unwrap().contains("4.p1.log:"), "{line}");
}

#[test]
fn a_bots_fault_is_named_with_its_bytes() {
    let recorded = tests_folder("logs/reversi/4.p0.log");
    let bad = format!("{} zz", shell_words::quote(&first_bot()));
    let (out, _) = run(1, &["replay", text(&recorded), "--bot", &bad, "--seat", "0", "--first-ms", "20000"]);
    assert!(out.contains("  seat 0: 0 of 1 turns as recorded"), "{out}");
    assert!(out.contains("turn 1: protocol\n") && out.contains("received: \"zz\"\n"), "{out}");
    run(2, &["replay", text(&recorded), "--seat", "0"]);
    let (out, _) =
        run(1, &["replay", "reversi", text(&recorded), "--bot", "in:bot --nodes 1", "--seat", "0"]);
    assert!(out.contains("1 of 1 games agree; the bot moved as recorded in "), "{out}");
    let (_, err) = run(2, &["replay", text(&recorded), "--bot", "in:none"]);
    assert!(err.contains("reversi has no search \"none\""), "{err}");
    let (_, err) = run(1, &["replay", text(&recorded), "--bot", "./no/such/bot"]);
    assert!(err.contains("can't start bot --bot, `./no/such/bot`"), "{err}");
}

#[test]
fn variant_and_limit_are_read_from_the_dialogue() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("mancala");
    fs::create_dir(&games).unwrap();
    for name in ["1.p0.log", "1.p1.log"] {
        let log = fs::read_to_string(tests_folder("logs/mancala").join(name)).unwrap();
        let (first, rest) = log.split_once(" 150\n").unwrap();
        fs::write(games.join(name), format!("{first} 700\n{rest}")).unwrap();
    }
    let (out, _) = run(0, &["replay", text(&games)]);
    assert!(out.contains(": mancala:6,4,0, 31 answers, scores 0-1: agrees"), "{out}");
}
