//! Tests `arena import` on results of the published runner, and on the same games in the platform's format.

use std::fs;
use std::path::{Path, PathBuf};

use coppice_arena::{Exchange, Log};
use serde_json::{json, Value};

use crate::{run, tests_folder, text};

/// The runner's results of recorded games, with the points by seat.
const GAMES: [(&str, &str, [i64; 2], usize); 4] = [
    ("reversi", "4", [1, 0], 62),
    ("reversi", "11", [0, 0], 60),
    ("uttt", "1", [3, 10], 54),
    ("uttt", "201", [6, 2], 54),
];

fn result(contest: &str, game: &str) -> PathBuf {
    tests_folder(&format!("data/replays/{contest}/{game}.json"))
}

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The lines of an exchange. The moves, which the published referee shuffles, are sorted; they follow their
/// count.
fn sorted(exchange: Exchange) -> Vec<String> {
    let mut lines: Vec<String> = exchange.sent.iter().map(|entry| entry.text.clone()).collect();
    let is_count = |i: &usize| lines[*i] == (lines.len() - i - 1).to_string();
    let count = (0..lines.len()).rev().skip(1).find(is_count).expect("the number of moves");
    lines[count + 1..].sort();
    lines.extend(exchange.answered.iter().map(|entry| format!("< {}", entry.text)));
    lines
}

fn assert_same_dialogue(imported: &Path, recorded: &Path) {
    let [imported, recorded] = [imported, recorded].map(|path| {
        let log = Log::read(path).unwrap();
        log.exchanges().map(sorted).collect::<Vec<_>>()
    });
    assert!(recorded.len() > 20);
    assert_eq!(imported, recorded);
}

#[test]
fn runner_results_become_the_recorded_dialogues() {
    for (contest, game, scores, moves) in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let (out, err) = run(0, &["import", text(&result(contest, game)), "-o", text(folder.path())]);
        assert_eq!(err, "");
        assert!(out.contains(&format!(": {contest}, p")) && out.contains(", normal: "), "{out}");
        for seat in 0..2 {
            let name = format!("{game}.p{seat}.log");
            let recorded = tests_folder("logs").join(contest).join(&name);
            assert_same_dialogue(&folder.path().join(name), &recorded);
        }
        let record = json_of(&folder.path().join(format!("{game}.json")));
        assert_eq!(record["scores"], json!(scores));
        assert_eq!((&record["contest"], &record["ending"]), (&json!(contest), &json!("normal")));
        assert_eq!(record["seed"].to_string(), game);
        assert_eq!(record["moves"].as_str().unwrap().split(' ').count(), moves);
        // In the ultimate games the file's second player moved first.
        let first = if contest == "uttt" { "p2" } else { "p1" };
        assert_eq!(record["bots"][0]["name"], first);
    }
}

/// Converts a runner's result to the platform's replay format.
fn as_replay(result: &Value) -> Value {
    let outputs = ["0", "1"].map(|player| result["outputs"][player].as_array().unwrap().clone());
    let mut frames = vec![json!({"agentId": -1, "view": "…", "keyframe": true})];
    for turn in 1..outputs[0].len() {
        for (player, output) in outputs.iter().enumerate().filter(|(_, output)| !output[turn].is_null()) {
            let (stdout, stderr) = (&output[turn], "depth 9\n");
            frames.push(
                json!({"agentId": player, "stdout": stdout, "stderr": stderr, "summary": "", "later": [1]}),
            );
        }
    }
    let agent = |i: usize, name: &str| json!({"index": i, "agentId": 11 + i, "codingamer": {"pseudo": name}});
    let scores = [&result["scores"]["0"], &result["scores"]["1"]].map(|score| score.as_f64().unwrap());
    json!({"gameId": 798123456, "refereeInput": "seed=-4\nfoo=bar\n", "scores": scores, "ranks": [0, 1],
        "agents": [agent(0, "ann"), agent(1, "bob")], "frames": frames, "unknown": {"x": null}})
}

#[test]
fn platform_replays_become_the_same_dialogues() {
    for (contest, game, scores, _) in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let replay = as_replay(&json_of(&result(contest, game)));
        for (name, value) in [("new", replay.clone()), ("old", json!({"success": replay}))] {
            let file = folder.path().join(format!("{name}-{game}.json"));
            fs::write(&file, value.to_string()).unwrap();
            let out = folder.path().join("out");
            let (line, err) = run(0, &["import", text(&file), "-o", text(&out), "--json"]);
            assert_eq!(err, "");
            let line: Value = serde_json::from_str(&line).unwrap();
            assert_eq!((&line["game"], &line["scores"]), (&json!(798123456), &json!(scores)));
            assert_eq!(line["seed"], json!((-4i64) as u64));
            let first = if contest == "uttt" { "bob" } else { "ann" };
            assert_eq!(line["bots"][0]["name"], first);
            for seat in 0..2 {
                let recorded = tests_folder("logs").join(contest).join(format!("{game}.p{seat}.log"));
                assert_same_dialogue(&out.join(format!("{name}-{game}.p{seat}.log")), &recorded);
            }
        }
    }
}

/// A replay of the site of a recorded pod race: the map stands in the parameters, and each answer has two lines.
fn race_replay(game: &str, map: &str, scores: [f64; 2]) -> Value {
    let dialogue = |seat| {
        let log = Log::read(tests_folder(&format!("logs/podracing/{game}.p{seat}.log"))).unwrap();
        let said =
            |exchange: Exchange| exchange.answered.iter().map(|entry| format!("{}\n", entry.text)).collect();
        log.exchanges().map(said).collect::<Vec<String>>()
    };
    let said = [0, 1].map(dialogue);
    let mut frames = vec![json!({"agentId": -1, "view": "", "keyframe": true})];
    for turn in 0..said[0].len().max(said[1].len()) {
        let answers = said.iter().enumerate().filter_map(|(player, said)| Some((player, said.get(turn)?)));
        frames.extend(answers.map(|(player, text)| json!({"agentId": player, "stdout": text, "view": ""})));
    }
    let parameters = format!("seed=5\npod_timeout=100\n{map}pod_per_player=2\n");
    json!({"gameId": 5, "refereeInput": parameters, "scores": scores, "frames": frames})
}

/// Recorded races, with their points.
const RACES: [(&str, [f64; 2]); 2] = [("1", [2.0, 1.0]), ("8", [1.0, 2.0])];

/// The checkpoints of a recorded race, from its first lines: laps, their number, then an x and a y each.
fn checkpoints(game: &str) -> String {
    let text = fs::read_to_string(tests_folder(&format!("logs/podracing/{game}.p0.log"))).unwrap();
    let lines: Vec<&str> = text.lines().map(|line| line.trim_start_matches("> ")).collect();
    lines[2..2 + lines[1].parse::<usize>().unwrap()].join(" ")
}

#[test]
fn a_race_is_imported_on_the_map_of_its_parameters() {
    for (game, scores) in RACES {
        let folder = tempfile::tempdir().unwrap();
        let (file, out) = (folder.path().join("race.json"), folder.path().join("out"));
        let replay = race_replay(game, &format!("map={}\n", checkpoints(game)), scores);
        fs::write(&file, replay.to_string()).unwrap();
        let name = format!("podracing:{}", checkpoints(game).replace(' ', ","));
        for contest in [&[][..], &["--contest", "podracing"]] {
            let words = [&["import", text(&file), "-o", text(&out), "--json"][..], contest].concat();
            let (line, err) = run(0, &words);
            assert_eq!(err, "");
            let line: Value = serde_json::from_str(&line).unwrap();
            assert_eq!((&line["contest"], &line["ending"]), (&json!(name), &json!("normal")));
        }
        for seat in 0..2 {
            let recorded = tests_folder(&format!("logs/podracing/{game}.p{seat}.log"));
            let imported = out.join(format!("race.p{seat}.log"));
            let words = |path: &Path| {
                let all = Log::read(path).unwrap();
                all.exchanges().map(|exchange| format!("{exchange:?}")).collect::<Vec<_>>()
            };
            assert_eq!(words(&imported), words(&recorded));
        }
        // The replay itself, the dialogues, and the record alone.
        let record = folder.path().join("alone.json");
        fs::copy(out.join("race.json"), &record).unwrap();
        for path in [&file, &out, &record] {
            let (line, _) = run(0, &["replay", text(path)]);
            assert!(line.ends_with("1 of 1 games agree\n"), "{line}");
        }
        let script = folder.path().join("script");
        fs::write(&script, "show\n").unwrap();
        let words = ["debug", &name, "--replay", text(&record), "--ply", "30", "--script", text(&script)];
        let (shown, _) = run(0, &words);
        let (drawn, _) = run(0, &["replay", text(&out), "--turn", "59"]);
        let pod = |text: &str| text.lines().find(|line| line.starts_with("A: at ")).unwrap().to_owned();
        assert_eq!(pod(&shown), pod(&drawn));
    }
}

#[test]
fn a_malformed_map_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("race.json");
    for map in ["map=1 2\n", "map=1 2 3\n", "map=1 2 3 x\n", "map=\n", "map=1 2 3 40000\n"] {
        fs::write(&file, race_replay("1", map, [2.0, 1.0]).to_string()).unwrap();
        let (_, err) = run(1, &["import", "podracing", text(&file), "-o", text(folder.path())]);
        assert!(
            err.contains("the parameters: by the rules of podracing expected `map=` and 2 to 8"),
            "{err}"
        );
    }
}

/// Writes a changed result to a temporary file.
fn changed(change: impl FnOnce(&mut Value)) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut value = json_of(&result("reversi", "4"));
    change(&mut value);
    let path = folder.path().join("4.json");
    fs::write(&path, value.to_string()).unwrap();
    let path = text(&path).to_owned();
    (folder, path)
}

/// The error message for a changed result, which must be rejected.
fn refused(options: &[&str], change: impl FnOnce(&mut Value)) -> String {
    let (folder, path) = changed(change);
    let out = folder.path().join("out");
    let (line, err) = run(1, &[&["import", &path, "-o", text(&out)], options].concat());
    assert_eq!(line, "");
    assert!(!out.exists(), "nothing may be written for a rejected game");
    assert!(err.starts_with(&path), "{err}");
    err[path.len()..].to_owned()
}

#[test]
fn illegal_answers_are_reported_with_their_place() {
    let reversi = ["--contest", "reversi"];
    let error = refused(&reversi, |value| value["outputs"]["1"][4] = json!("a1\n"));
    assert!(error.starts_with(": outputs[\"1\"][4]: by the rules of reversi expected one of "), "{error}");
    assert!(error.contains("found `a1`"), "{error}");
    let error = refused(&[], |value| value["outputs"]["1"][4] = json!("a1\n"));
    assert!(
        error.contains("not a game of ")
            && error.contains("the best fit is reversi, which accepts 3 answers"),
        "{error}"
    );
    let error = refused(&reversi, |value| value["outputs"]["0"][3] = Value::Null);
    assert!(
        error.contains("expected an answer of player 0 (p1), whose turn it is, found `c5 MSG hello` of"),
        "{error}"
    );
    let error = refused(&reversi, |value| {
        value["scores"] = Value::Null;
        value["outputs"]["1"][60] = Value::Null;
    });
    assert!(
        error.contains("after outputs[\"0\"][59]: ") && error.contains("the game is not over"),
        "{error}"
    );
    let error = refused(&["--contest", "uttt"], |_| ());
    assert!(error.contains(": outputs[\"0\"][1]: by the rules of uttt expected ROW COLUMN"), "{error}");
}

#[test]
fn a_last_answer_that_is_wrong_or_missing_is_the_players_fault() {
    let ending = |change: &dyn Fn(&mut Value)| {
        let (folder, path) = changed(change);
        let (line, _) = run(0, &["import", &path, "-o", text(&folder.path().join("out")), "--json"]);
        let line: Value = serde_json::from_str(&line).unwrap();
        let fault = &line["faults"][0];
        (line["ending"].as_str().unwrap().to_owned(), fault["seat"].clone(), line["scores"].clone())
    };
    let cut = |value: &mut Value, last: Value| {
        for player in ["0", "1"] {
            value["outputs"][player].as_array_mut().unwrap().truncate(11);
        }
        value["outputs"]["1"][10] = last;
        value["scores"] = json!({"0": 1, "1": -1});
    };
    assert_eq!(ending(&|v| cut(v, json!("a1\n"))), ("illegal-move".into(), json!(1), json!([1, 0])));
    assert_eq!(ending(&|v| cut(v, json!("what\n"))), ("protocol".into(), json!(1), json!([1, 0])));
    assert_eq!(ending(&|v| cut(v, Value::Null)), ("time-out-later".into(), json!(1), json!([1, 0])));
}

#[test]
fn scores_that_differ_are_reported() {
    let (folder, path) = changed(|value| value["scores"] = json!({"0": 38, "1": 26}));
    let out = folder.path().join("out");
    let (_, err) = run(0, &["import", &path, "-o", text(&out)]);
    assert!(err.contains("the file's scores 38-26 are 1-0 by the rules, in the same order"), "{err}");
    let (folder, path) = changed(|value| value["scores"] = json!({"0": 0, "1": 1}));
    let out = folder.path().join("out");
    let (_, err) = run(1, &["import", "reversi", &path, "-o", text(&out)]);
    assert!(err.contains("the file's scores 0-1 are 1-0 by the rules, in another order"), "{err}");
    assert!(out.join("4.p1.log").is_file());
}

#[test]
fn invalid_files_are_reported_and_the_others_imported() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(result("uttt", "1")).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        text(&path).to_owned()
    };
    let cut = write("cut.json", &whole[..whole.len() / 2]);
    let other =
        write("other.json", br#"{"outputs": {"0": [null, "BEACON 26 11\n"], "1": [null, "LINE 1 2 3\n"]}}"#);
    let good = write("good.json", &whole);
    let out = folder.path().join("out");
    let missing = folder.path().join("missing.json");
    let (line, err) = run(1, &["import", &cut, &other, &good, text(&missing), "-o", text(&out)]);
    assert_eq!(line.lines().count(), 1);
    assert!(out.join("good.p0.log").is_file());
    let errors: Vec<&str> = err.lines().collect();
    assert!(errors[0].starts_with(&format!("{cut}:1:")) && errors[0].contains("cut off"), "{err}");
    assert!(errors[1].contains("not a game of reversi, uttt, tictactoe, mancala, oware, mnk"), "{err}");
    assert!(errors[2].starts_with(text(&missing)), "{err}");
    assert_eq!(errors[3], "error: 3 of 4 files could not be imported as they are; the reasons are above");
}

/// A folder with a replay and an archive of two more, of a contest that this program doesn't have.
#[test]
fn saved_battles_of_any_contest_become_records() {
    let folder = tempfile::tempdir().unwrap();
    let saved = tests_folder("data/battles");
    let out = text(&folder.path().join("games")).to_owned();
    let (_, err) = run(1, &["import", text(&saved), "-o", &out]);
    assert!(err.contains("--as NAME records a game of any other contest without its rules"), "{err}");
    let words = ["import", text(&saved), "--as", "spring", "-o", &out];
    let (lines, err) = run(0, &words);
    assert_eq!(err, "note: 1 other file is neither a replay nor a result: left out\n");
    assert_eq!(lines.lines().count(), 3);
    assert!(lines.contains(": spring, ann-mine, 6 answers, scores 7-30, normal: "), "{lines}");
    assert!(lines.contains(": spring, bob-mine, 6 answers, scores -6--9, normal: "), "{lines}");

    // Again, after a line that isn't an imported game: the lines are replaced, the other stays.
    let file = folder.path().join("games/games.jsonl");
    let other = "{\"bots\": [\"mine\", \"cy\"], \"scores\": [1, 0]}\n";
    fs::write(&file, other.to_owned() + &fs::read_to_string(&file).unwrap()).unwrap();
    run(0, &words);
    let games = fs::read_to_string(&file).unwrap();
    assert!(games.starts_with(other) && games.lines().count() == 4, "{games}");

    // Won, lost and won against each opponent; ranks, turns and own standard error are kept.
    let (table, _) = run(0, &["stats", text(&file)]);
    let row = table.lines().find(|line| line.trim_start().starts_with("mine ")).expect(&table);
    assert_eq!(row.split_whitespace().filter(|word| word.contains('-')).count(), 4, "{table}");
    assert!(row.contains("2-0-0") && row.contains("0-0-1") && row.contains("1-0-0"), "{table}");
    let record = json_of(&folder.path().join("games/812000001.json"));
    assert_eq!(record["turns"], json!([0, 1, 0, 1, 0, 1]));
    assert_eq!(record["data"][0]["pdata"], json!({"rank": 0.0, "score": 12.0}));
    let page = folder.path().join("page.html");
    let record = folder.path().join("games/812000003.json");
    run(0, &["view", text(&record), "-o", text(&page)]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("depth 3 score 15 nodes 100") && page.contains("MOVE 2 1") && page.contains("ann"));
    // So it is if the site's answer was saved with its wrapper.
    let mut replay = json_of(&saved.join("812000003.json"));
    for frame in
        replay["frames"].as_array_mut().unwrap().iter_mut().filter(|frame| frame["stderr"].is_string())
    {
        frame["stderr"] = json!("depth 3 score 15 nodes 100\n");
    }
    let wrapped = folder.path().join("wrapped.json");
    fs::write(&wrapped, json!({ "success": replay }).to_string()).unwrap();
    let others = text(&folder.path().join("others")).to_owned();
    run(0, &["import", text(&wrapped), "--as", "spring", "-o", &others]);
    let wrapped = folder.path().join("wrapped.html");
    run(0, &["view", &format!("{others}/wrapped.json"), "-o", text(&wrapped)]);
    let wrapped = fs::read_to_string(wrapped).unwrap();
    assert!(wrapped.contains("depth 3 score 15 nodes 100") && wrapped.contains("MOVE 2 1"));
    // In this game the bot repeated its input on standard error: another bot can be asked the same turns.
    let log = fs::read_to_string(folder.path().join("games/812000003.p1.log")).unwrap();
    assert!(log.starts_with("> 30 20\n> 0 5\n"), "{log}");
    let log = record.with_extension("p1.log");
    if cfg!(unix) {
        let (out, _) = run(1, &["replay", text(&log), "--bot", "sed -u 's/.*/MOVE 1 1/'"]);
        assert!(out.contains("/games/812000003: spring, 6 answers, no rules here\n  seat 1: "), "{out}");
    }
}

#[test]
fn damaged_archives_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(tests_folder("data/battles/battles.zip")).unwrap();
    let archive = folder.path().join("battles.zip");
    for cut in [0, 10, whole.len() / 2, whole.len() - 1] {
        fs::write(&archive, &whole[..cut]).unwrap();
        let (_, err) = run(1, &["import", text(&archive), "--as", "spring", "-o", text(folder.path())]);
        assert!(err.contains("battles.zip: can't read the archive: "), "{err}");
    }
    // A byte of the first file's data.
    let mut damaged = whole;
    damaged[60] ^= 0xff;
    fs::write(&archive, &damaged).unwrap();
    let (out, err) = run(1, &["import", text(&archive), "--as", "spring", "-o", text(folder.path())]);
    assert!(out.lines().count() == 1 && err.contains("812000001.json: can't read"), "{out}{err}");
}

#[test]
fn existing_files_are_not_overwritten() {
    let (folder, path) = changed(|_| ());
    let here = text(folder.path()).to_owned();
    let before = fs::read(&path).unwrap();
    // The record's path is that of the imported file.
    let (_, err) = run(1, &["import", &path, "-o", &here]);
    assert!(err.contains("exists already and differs: give -o another folder"), "{err}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let out = text(&folder.path().join("out")).to_owned();
    run(0, &["import", &path, "-o", &out]);
    run(0, &["import", &path, "-o", &out]);
    run(0, &["import", &path, "-o", &here, "--force"]);
    assert_ne!(fs::read(&path).unwrap(), before);
}

#[test]
fn an_unknown_contest_is_a_usage_error() {
    let (_, err) = run(2, &["import", "chess", text(&result("uttt", "1"))]);
    assert!(err.contains("unknown contest `chess`; available: reversi, "), "{err}");
    run(2, &["import"]);
}
