//! Runs the program: killed and resumed, its errors and exit statuses.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn factory(data: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_factory"));
    command.args(words).arg("--data").arg(data);
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// The shards by name.
fn shards(data: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(data.join("generation-01")) else { return BTreeMap::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_shard = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("shard-") && name.ends_with(".bin")
    };
    let shards = paths.filter(|path| is_shard(path));
    shards.map(|path| (path.display().to_string(), std::fs::read(&path).expect("a shard"))).collect()
}

const GENERATE: [&str; 8] =
    ["reversi", "generate", "--games", "40", "--games-per-shard", "2", "--threads", "2"];

#[test]
fn a_run_that_is_killed_goes_on_and_ends_as_one_that_was_not() {
    let [killed, whole] = [0; 2].map(|_| tempfile::tempdir().expect("a folder"));
    let mut child = factory(killed.path(), &GENERATE).stderr(Stdio::null()).spawn().expect("the program");
    while shards(killed.path()).len() < 3 && child.try_wait().expect("a state").is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    assert!(shards(killed.path()).len() >= 3);

    for data in [&killed, &whole] {
        let output = factory(data.path(), &GENERATE).output().expect("the program");
        assert!(output.status.success(), "{}", text(&output));
        assert!(text(&output).contains("generate: 40 games in "), "{}", text(&output));
    }
    let contents = |data: &Path| shards(data).into_values().collect::<Vec<_>>();
    assert_eq!(contents(whole.path()).len(), 20);
    assert!(contents(killed.path()) == contents(whole.path()), "the games differ");
}

/// Two workers, one of which is killed, and the command itself, which is given again.
#[cfg(unix)]
#[test]
fn workers_play_the_games_of_one_process() {
    let [many, whole] = [0; 2].map(|_| tempfile::tempdir().expect("a folder"));
    let words = [&GENERATE[..6], &["--cluster", "local:2"]].concat();
    let kill = |pid: &str| Command::new("kill").args(["-9", pid]).stderr(Stdio::null()).status();
    let mut child = factory(many.path(), &words).stderr(Stdio::null()).spawn().expect("the program");
    let mut is_killed = false;
    while shards(many.path()).len() < 6 && child.try_wait().expect("a state").is_none() {
        let status = std::fs::read_to_string(many.path().join("cluster/workers/1/status.json"));
        if let Some(rest) = status.unwrap_or_default().split("\"pid\":").nth(1).filter(|_| !is_killed) {
            let pid = rest.chars().take_while(char::is_ascii_digit).collect::<String>();
            is_killed = kill(&pid).expect("kill").success();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(is_killed);
    let _ = child.kill();
    let _ = child.wait();
    let before = shards(many.path());

    for (data, words) in [(&many, &words[..]), (&whole, &GENERATE)] {
        let output = factory(data.path(), words).output().expect("the program");
        assert!(output.status.success(), "{}", text(&output));
        assert!(text(&output).contains("generate: 40 games in "), "{}", text(&output));
    }
    let after = shards(many.path());
    assert!(before.iter().all(|(name, shard)| after.get(name) == Some(shard)), "a shard was lost");
    let contents = |data: &Path| shards(data).into_values().collect::<Vec<_>>();
    assert_eq!(contents(whole.path()).len(), 20);
    assert!(contents(many.path()) == contents(whole.path()), "the games differ");

    // Games of another seed aren't these workers'.
    let words = ["reversi", "generate", "--seed", "7", "--games-per-shard", "2", "--worker", "x"];
    let refused = factory(many.path(), &words).output().expect("the program");
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused).contains("--seed or --games-per-shard differs"), "{}", text(&refused));
}

/// The weights that rounds have learnt, by name: a name is the digest of games, recipe and first weights.
fn learnt(data: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(data.join("learnt")) else { return BTreeMap::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let weights = paths.filter(|path| name(path).starts_with("weights-"));
    weights.map(|path| (name(&path), std::fs::read(&path).expect("weights"))).collect()
}

#[test]
fn each_round_plays_with_what_was_learnt_before_and_goes_on_after_an_interruption() {
    let [killed, whole, many] = [0; 3].map(|_| tempfile::tempdir().expect("a folder"));
    let words =
        "boop --with none --rounds 2 --generations 3 --games 48 --games-per-shard 4 --epochs 2 --pairs 4";
    let words: Vec<&str> = words.split(' ').chain(["--nodes", "20"]).collect();
    let command = |data: &Path| {
        let mut command = factory(data, &words);
        command.arg("--weights").arg(data.join("weights.bin"));
        command
    };
    let mut child = command(killed.path()).stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("it");
    while !killed.path().join("generation-02").exists() && child.try_wait().expect("a state").is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();

    // Two workers play the same games, those of later rounds with what was learnt.
    for (data, cluster) in [(&killed, &[][..]), (&whole, &[]), (&many, &["--cluster", "local:2"])] {
        let output = command(data.path()).args(cluster).output().expect("the program");
        // Weights from so few games needn't be better, nor lose nothing when they are rounded.
        assert!(matches!(output.status.code(), Some(0 | 3)), "{}", text(&output));
        assert!(text(&output).contains("generate: 48 games in "), "{}", text(&output));
        assert!(text(&output).contains("of 144 games"), "{}", text(&output));
    }
    assert_eq!(learnt(whole.path()).len(), 3);
    assert!(learnt(killed.path()) == learnt(whole.path()), "what was learnt differs");
    assert!(learnt(many.path()) == learnt(whole.path()), "what was learnt with workers differs");
    let manifest = |number: u32| {
        let path = whole.path().join(format!("generation-0{number}/manifest.json"));
        let text = std::fs::read_to_string(path).expect("a manifest");
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["weights"].to_string()
    };
    assert_eq!(manifest(1), "\"none\"");
    assert!(manifest(2) != manifest(1) && manifest(3) != manifest(2));
}

#[test]
fn what_is_missing_is_named_with_what_to_do() {
    let data = tempfile::tempdir().expect("a folder");
    for (words, status, expected) in [
        (&["reversi", "learn"][..], 1, "play more by the step `generate`"),
        (&["reversi", "check"], 1, "run the step `learn`"),
        (&["reversi", "pack"], 1, "run the step `learn`"),
        (
            &["reversi", "prove", "--weights", "/nowhere/weights.bin"],
            1,
            "/nowhere/weights.bin: cannot be read",
        ),
        (&["reversi", "learn", "--cluster", "local:2"], 1, "only `generate`"),
        (&["uttt", "generate", "--with", "/nowhere/w.bin"], 1, "/nowhere/w.bin: cannot be read"),
        (&["chess"], 2, "invalid value 'chess'"),
        (&["reversi", "generate", "--games-per-shard", "0"], 2, "0 is not in 1.."),
        (&["reversi", "--weights", "/nowhere/weights.bin"], 1, "no such folder"),
        (&["reversi", "learn", "--rate", "nan"], 2, "expected a number above 0"),
        (&["reversi", "learn", "--widest=-1"], 2, "expected a number above 0"),
        (&["reversi", "learn", "--scale", "inf"], 2, "expected a number above 0"),
        (&["reversi", "learn", "--share", "7"], 2, "expected a number from 0 to 1"),
        (&["reversi", "learn", "--epochs", "0"], 2, "0 is not in 1.."),
        (&["reversi", "generate", "--threads", "0"], 2, "expected a number of at least 1"),
        (&["reversi", "prove", "--nodes", "0"], 2, "0 is not in 1.."),
        (&["reversi", "prove", "--elo0", "10", "--elo1", "0"], 2, "--elo0 10 is not below --elo1 0"),
    ] {
        let output = factory(data.path(), words).output().expect("the program");
        assert_eq!(output.status.code(), Some(status), "{words:?}: {}", text(&output));
        assert!(text(&output).contains(expected), "{words:?}: {}", text(&output));
    }
    let none = data.path().join("none");
    is_refused(&none, &["reversi", "learn"], "no such folder of games");
    assert!(!none.exists());
}

/// Refuses these words with these in the message.
fn is_refused(data: &Path, words: &[&str], expected: &str) {
    let output = factory(data, words).output().expect("the program");
    assert_eq!(output.status.code(), Some(1), "{words:?}: {}", text(&output));
    assert!(text(&output).contains(expected), "{words:?}: {}", text(&output));
}

/// Oware's network and Kalah's have one shape, so that only the files' names of their games tell them apart.
#[test]
fn files_of_another_game_are_refused() {
    let [oware, mancala] = [0; 2].map(|_| tempfile::tempdir().expect("a folder"));
    let weights = oware.path().join("weights.bin");
    let weights = weights.to_str().expect("Unicode");
    let succeeds = |data: &Path, words: &str| {
        let words = words.split(' ').chain(["--weights", weights]).collect::<Vec<_>>();
        let output = factory(data, &words).output().expect("the program");
        // Weights from so few games may lose by rounding.
        assert!(matches!(output.status.code(), Some(0 | 3)), "{words:?}: {}", text(&output));
    };
    let few = "--with none --games 2 --games-per-shard 1";
    succeeds(oware.path(), &format!("oware generate {few}"));
    succeeds(mancala.path(), &format!("mancala generate {few}"));
    succeeds(oware.path(), "oware learn --epochs 1");
    succeeds(oware.path(), "oware pack");

    let games = "generation-01: expected games of mancala, found games of oware";
    for step in ["generate", "learn", "check", "pack"] {
        let expected = if ["check", "pack"].contains(&step) { "found a course of oware" } else { games };
        is_refused(oware.path(), &["mancala", step], expected);
    }
    let found = "weights.bin: expected weights of mancala, found weights of oware";
    is_refused(mancala.path(), &["mancala", "generate", "--with", weights], found);
    is_refused(mancala.path(), &["mancala", "learn", "--from", weights], found);
    is_refused(mancala.path(), &["mancala", "prove", "--weights", weights], found);
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../bots/mancala/weights.bin");
    is_refused(mancala.path(), &["mancala", "prove", "--weights", own, "--against", weights], found);
    let (state, other) = (oware.path().join("learnt/state.bin"), mancala.path().join("learnt/state.bin"));
    std::fs::copy(&state, &other).expect("a copy");
    is_refused(
        mancala.path(),
        &["mancala", "check"],
        "expected what was learnt for mancala, found a course of oware",
    );

    // Files of older versions don't name the game: they are read, and told apart by the games next to them.
    let bytes = std::fs::read(&state).expect("a state");
    let named = b"{\"game\":\"oware\",";
    assert!(bytes.starts_with(named));
    std::fs::write(&state, [b"{", &bytes[named.len()..]].concat()).expect("written");
    succeeds(oware.path(), "oware check");
    is_refused(oware.path(), &["mancala", "pack"], games);
    let learnt = oware.path().join("learnt/weights-0123456789abcdef.bin");
    std::fs::copy(weights, &learnt).expect("a copy");
    let learnt = learnt.to_str().expect("Unicode");
    is_refused(mancala.path(), &["mancala", "learn", "--from", learnt], "found weights of oware");
}

/// The provenance of the bots' weights, which is older, has the command only.
#[test]
fn the_command_in_an_older_provenance_names_the_game() {
    let data = tempfile::tempdir().expect("a folder");
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/../bots/oware/weights.bin");
    is_refused(data.path(), &["mancala", "prove", "--weights", weights], "found weights of oware");
    let output =
        factory(data.path(), &["oware", "prove", "--weights", weights]).output().expect("the program");
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
fn results_are_lines_of_json_if_asked_for() {
    let data = tempfile::tempdir().expect("a folder");
    let words = ["reversi", "generate", "--games", "2", "--games-per-shard", "1", "--json"];
    let output = factory(data.path(), &words).output().expect("the program");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(result["games"], 2);
}

/// All steps on few games.
#[test]
#[ignore = "plays 256 games of Othello and learns its nets: .ci/deep runs it"]
fn all_steps_run_one_after_another() {
    let data = tempfile::tempdir().expect("a folder");
    let weights = data.path().join("weights.bin");
    let words = ["reversi", "--games", "256", "--epochs", "1", "--nodes", "100", "--pairs", "20"];
    let output = factory(data.path(), &words).arg("--weights").arg(&weights).output().expect("the program");
    // Weights from so few games needn't be better.
    assert!(matches!(output.status.code(), Some(0 | 3)), "{}", text(&output));
    for step in ["generate: 256 games", "learn: ", "check: loss ", "pack: 21152 bytes", "prove: "] {
        assert!(text(&output).contains(step), "{step} in {}", text(&output));
    }
    assert_eq!(std::fs::read(&weights).expect("weights").len(), 21_152);
    let provenance = std::fs::read_to_string(weights.with_extension("json")).expect("a provenance");
    assert!(provenance.contains("\"games\": 256"), "{provenance}");
}
