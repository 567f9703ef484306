//! Tests `--cluster`: workers as processes of this machine, killed and started again, give the games of one machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::outside::{arena, command, err, out};

/// Time for what takes a moment, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(600);

/// A match of this many games of a few milliseconds each.
fn match_of(games: &str) -> [&str; 8] {
    ["match", "mnk:6,6,4", "in:mcts --nodes 100", "in:flat --nodes 100", "-n", games, "--openings", "2"]
}

/// A run's games by number, without what differs between machines. Each is there once.
fn games(folder: &Path) -> BTreeMap<u64, [Value; 4]> {
    games_of(&fs::read_to_string(folder.join("games.jsonl")).unwrap())
}

fn games_of(text: &str) -> BTreeMap<u64, [Value; 4]> {
    let mut games = BTreeMap::new();
    for line in text.lines() {
        let game = serde_json::from_str::<Value>(line).unwrap();
        let number = game["game"].as_u64().unwrap();
        let digest = ["seed", "moves", "scores", "bots"].map(|field| game[field].clone());
        assert!(games.insert(number, digest).is_none(), "game {number} counts twice");
    }
    games
}

/// What the workers of a run say of themselves.
fn statuses(folder: &Path) -> Vec<Value> {
    let Ok(workers) = fs::read_dir(folder.join("cluster/workers")) else { return Vec::new() };
    let files = workers.flatten().filter_map(|worker| fs::read(worker.path().join("status.json")).ok());
    files.filter_map(|text| serde_json::from_slice(&text).ok()).collect()
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    command(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until something is so.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "{what}: not within {PATIENCE:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_test_has_the_verdict_and_the_games_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let test = |dir, more: &[&str]| {
        let words = [
            "sprt",
            "tictactoe",
            "in:alpha-beta --nodes 200",
            "in:random",
            "--openings",
            "2",
            "--elo1",
            "50",
        ];
        let output = arena(folder, &[&words[..], &["-n", "400", "--json", "--dir", dir], more].concat());
        (serde_json::from_str::<Value>(&out(&output)).unwrap(), err(&output))
    };
    let (one, _) = test("one", &[]);
    let (many, said) = test("many", &["--cluster", "local:3"]);
    for field in ["verdict", "llr", "judged"] {
        assert_eq!(one[field], many[field], "{field}: {said}");
    }
    assert_eq!(one["verdict"], "accept-h1");
    let judged = 2 * one["judged"].as_u64().unwrap();
    let [one, games_of_many] = ["one", "many"].map(|dir| games(&folder.join(dir)));
    for game in 1..=judged {
        assert_eq!(one[&game], games_of_many[&game], "game {game}");
    }
    // Each worker was told to stop, and has said so.
    let workers = statuses(&folder.join("many"));
    assert_eq!(workers.len(), 3);
    assert!(workers.iter().all(|status| status["state"] == "ended"), "{workers:?}");
    let machines = many["games"]["machines"].as_array().unwrap();
    let counted = machines.iter().map(|machine| machine["games"].as_u64().unwrap()).sum::<u64>();
    assert_eq!((machines.len(), counted), (1, games_of_many.len() as u64));
    // Where processes start slowly, the run may end before the first trip.
    assert!(machines[0]["noise"]["trips"].as_u64() > Some(0) || cfg!(windows), "{machines:?}");
    // The parts are files of games too.
    let parts = (1..=3).map(|worker| format!("many/cluster/workers/{worker}")).collect::<Vec<_>>();
    let parts =
        parts.iter().map(String::as_str).filter(|part| folder.join(part).join("games.jsonl").exists());
    let merged = arena(
        folder,
        &[&["merge"][..], &parts.collect::<Vec<_>>(), &["--sprt", "--elo1", "50", "--json"]].concat(),
    );
    let merged = serde_json::from_str::<Value>(&out(&merged)).unwrap();
    assert_eq!((&merged["llr"], &merged["judged"]), (&many["llr"], &many["judged"]));
}

/// Plays a match by three workers of which one after the other is killed, until `most` were or the match is over. Returns how
/// many were.
#[cfg(unix)]
fn killed_workers(most: u32) -> u32 {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = match_of("120");
    out(&arena(folder, &[&words[..], &["--dir", "one"]].concat()));
    let many = [&words[..], &["--dir", "many", "--cluster", "local:3"]].concat();
    let (killed, _) = run_and_kill(folder, &many, "many", most);
    assert_eq!(games(&folder.join("one")), games(&folder.join("many")));
    killed
}

/// Runs a command with workers of which one after the other is killed, until `most` were or the run, in the folder `run`, is
/// over. Returns how many were, and the output.
#[cfg(unix)]
fn run_and_kill(folder: &Path, words: &[&str], run: &str, most: u32) -> (u32, Output) {
    let mut coordinator = start(folder, words);
    let (mut killed, mut state) = (0, u64::from(most));
    wait_until("the run", || {
        let status = statuses(&folder.join(run));
        // A random moment, and a random worker.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        thread::sleep(Duration::from_millis(state >> 32 & 511));
        let alive = status.iter().filter(|status| status["state"] == "ready").collect::<Vec<_>>();
        if killed < most && !alive.is_empty() {
            let pid = alive[(state >> 40) as usize % alive.len()]["pid"].to_string();
            let is_killed = Command::new("kill").args(["-9", &pid]).stderr(Stdio::null()).status().unwrap();
            killed += u32::from(is_killed.success());
        }
        coordinator.try_wait().unwrap().is_some()
    });
    let output = coordinator.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    (killed, output)
}

#[cfg(unix)]
#[test]
#[ignore = "seconds of games: .ci/deep runs it"]
fn a_rating_with_killed_workers_is_that_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bots = ["rate", "mnk:6,6,4", "in:mcts --nodes 300", "in:flat --nodes 300", "in:random"];
    let rate = [&bots[..], &["-n", "20", "--openings", "2", "--json"]].concat();
    let one = out(&arena(folder, &[&rate[..], &["--dir", "one"]].concat()));
    let many = [&rate[..], &["--dir", "many", "--cluster", "local:3"]].concat();
    let (killed, output) = run_and_kill(folder, &many, "many", 3);
    assert!(killed > 0);
    assert_eq!(games(&folder.join("one")).len(), 60);
    assert_eq!(games(&folder.join("one")), games(&folder.join("many")));
    let [one, many] = [one, out(&output)].map(|text| serde_json::from_str::<Value>(&text).unwrap());
    assert_eq!((&one["rows"], &one["seats"]), (&many["rows"], &many["seats"]));
}

#[test]
fn a_tune_has_the_values_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tune = |more: &[&str]| {
        let words = ["tune", "tictactoe", "in:mcts", "--nodes", "20", "--at-once", "2", "--json"];
        arena(folder, &[&words[..], more].concat())
    };
    let one = tune(&["--games", "16", "--log", "one.jsonl", "-j", "1"]);
    let many = tune(&["--games", "16", "--log", "many.jsonl", "--cluster", "local:2"]);
    let [one, many] = [one, many].map(|output| serde_json::from_str::<Value>(&out(&output)).unwrap());
    assert_eq!(one["parameters"], many["parameters"]);
    // Each machine's games and delays.
    let machines = many["machines"].as_array().unwrap();
    assert!(machines.len() == 1 && machines[0]["games"] == 16, "{machines:?}");
    // A worker whose tune is another one is refused.
    let refused = tune(&["--games", "20", "--log", "many.jsonl", "--worker", "x"]);
    assert!(err(&refused).contains("its games is 16, not 20"), "{refused:?}");
}

/// A tune by workers that are killed, and a command that is killed and given again, play the pairs of one machine.
#[cfg(unix)]
#[test]
#[ignore = "seconds of games: .ci/deep runs it"]
fn a_tune_with_killed_workers_has_the_values_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bot = ["tune", "mnk:6,6,4", "in:mcts --nodes 200", "--games", "80", "--at-once", "3"];
    let one = arena(folder, &[&bot[..], &["--log", "one.jsonl", "-j", "1", "--json"]].concat());
    let words = [&bot[..], &["--log", "many.jsonl", "--json", "--cluster", "local:3"]].concat();
    let log = folder.join("many.jsonl");
    let pairs = |path: &Path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let whole = text[..text.rfind('\n').map_or(0, |end| end + 1)].lines().skip(1).map(str::to_owned);
        let mut pairs = whole.collect::<Vec<_>>();
        pairs.sort();
        pairs
    };
    let mut coordinator = start(folder, &words);
    wait_until("some pairs", || pairs(&log).len() > 4);
    coordinator.kill().unwrap();
    coordinator.wait().unwrap();
    let before = pairs(&log);
    let (killed, output) = run_and_kill(folder, &words, "many.cluster", 3);
    assert!(killed > 0);
    let after = pairs(&log);
    assert!(before.iter().all(|pair| after.contains(pair)), "a pair was lost");
    // Four of them between the result and the start.
    assert_eq!((after.len(), &after), (44, &pairs(&folder.join("one.jsonl"))));
    let [one, many] = [&one, &output].map(|output| serde_json::from_str::<Value>(&out(output)).unwrap());
    assert_eq!(one["parameters"], many["parameters"]);
}

/// Workers that were started by hand, one of them by another program.
#[test]
fn a_worker_of_another_build_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = [&match_of("12")[..], &["--dir", "run"]].concat();
    let coordinator = start(folder, &[&words[..], &["--cluster", "manual"]].concat());
    // The same program with a byte more.
    let mut bytes = fs::read(env!("CARGO_BIN_EXE_arena")).unwrap();
    bytes.push(0);
    let other = folder.join(Path::new(env!("CARGO_BIN_EXE_arena")).file_name().unwrap());
    fs::copy(env!("CARGO_BIN_EXE_arena"), &other).unwrap();
    fs::write(&other, bytes).unwrap();
    let refused =
        Command::new(&other).args(&words).args(["--worker", "other"]).current_dir(folder).output().unwrap();
    let text = err(&refused);
    assert_eq!(refused.status.code(), Some(1), "{text}");
    assert!(
        text.contains("another run than its coordinator") && text.contains("the program is another build"),
        "{text}"
    );
    let worker = arena(folder, &[&words[..], &["--worker", "node-1"]].concat());
    assert_eq!(worker.status.code(), Some(0), "{worker:?}");
    let output = coordinator.wait_with_output().unwrap();
    assert!(out(&output).contains("endings: 12 of 12 normal"), "{output:?}");
    let said = err(&output);
    assert!(said.contains("--worker NAME") && said.contains("worker other on"), "{said}");
    assert!(!folder.join("run/cluster/workers/other/games.jsonl").exists());
}

/// A worker that is told to stop in the middle of a game doesn't finish it: a minute of turns would be left.
#[test]
fn a_worker_stops_within_a_turn() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bot = "in:mcts --ms 200";
    let words = ["match", "mnk:19,19,9", bot, bot, "-n", "2", "--dir", "run"];
    let mut coordinator = start(folder, &[&words[..], &["--cluster", "manual"]].concat());
    let worker = start(folder, &[&words[..], &["--worker", "a"]].concat());
    let orders = folder.join("run/cluster/workers/a/orders.json");
    wait_until("a game", || fs::read_to_string(&orders).is_ok_and(|text| text.contains("[1]")));
    // What the coordinator writes at a verdict; it is gone by then.
    coordinator.kill().unwrap();
    coordinator.wait().unwrap();
    fs::write(&orders, r#"{"tasks":[],"stop":true}"#).unwrap();
    let output = worker.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(fs::read_to_string(folder.join("run/cluster/workers/a/games.jsonl")).unwrap(), "");
    assert_eq!(statuses(&folder.join("run"))[0]["state"], "ended");
}

#[test]
fn bots_that_cannot_be_started_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["match", "tictactoe", "./none", "./none", "-n", "10", "--cluster", "local:2"];
    let output = arena(folder.path(), &words);
    let text = err(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("no worker is left") && text.contains("./none"), "{text}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (more, said) in [
        (&["--cluster", "pbs:3"][..], "local:N"),
        (&["--cluster", "local:2", "--shard", "1/2"], "cannot be used with"),
        (&["--cluster", "kubernetes:2"], "--cluster-arg image="),
        (
            &["--cluster", "local:2", "--cluster-arg=--partition=short"],
            "--cluster-arg=--partition=short is for",
        ),
        (&["--worker", "../x"], "letters"),
    ] {
        let output = arena(folder.path(), &[&match_of("4")[..], more].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}: {output:?}");
        assert!(err(&output).contains(said), "{more:?}: {output:?}");
    }
}

/// Runs are added until there are ten kills: a fast machine plays many games before a kill.
#[cfg(unix)]
#[test]
#[ignore = "minutes of games: .ci/deep runs it"]
fn a_command_that_is_killed_again_and_again_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let words = match_of("600");
    out(&arena(folder.path(), &[&words[..], &["--dir", "one"]].concat()));
    let whole = games(&folder.path().join("one"));
    let (mut kills, mut state) = (0, 7);
    while kills < 10 {
        kills += killed_commands(&words, &whole, &mut state);
        println!("{kills} kills");
    }
}

/// Kills the command at random moments and gives it again, until it has played the games of `whole`: after 0 to 15 games more
/// than before and up to 255 ms. Returns the number of kills.
#[cfg(unix)]
fn killed_commands(words: &[&str], whole: &BTreeMap<u64, [Value; 4]>, state: &mut u64) -> u32 {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let many = [words, &["--dir", "many", "--cluster", "local:3"]].concat();
    let run = folder.join("many");
    let played = || fs::read(run.join("games.jsonl")).map_or(0, |text| text.split(|&b| b == b'\n').count());
    let (mut known, mut kills) = (BTreeMap::new(), 0);
    loop {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (more, moment) = ((*state >> 32) as usize % 16, Duration::from_millis(*state >> 40 & 255));
        let (before, mut coordinator) = (played(), start(folder, &many));
        wait_until("some games", || coordinator.try_wait().unwrap().is_some() || played() >= before + more);
        thread::sleep(moment);
        if let Some(status) = coordinator.try_wait().unwrap() {
            assert!(status.success(), "{:?}", coordinator.wait_with_output());
            break;
        }
        coordinator.kill().unwrap();
        coordinator.wait().unwrap();
        kills += 1;
        if !run.join("games.jsonl").exists() {
            continue;
        }
        // Half a line at the end is the game that was being written.
        let text = fs::read_to_string(run.join("games.jsonl")).unwrap();
        let now = games_of(&text[..text.rfind('\n').map_or(0, |end| end + 1)]);
        assert!(known.iter().all(|(game, digest)| now.get(game) == Some(digest)), "a game was lost");
        known = now;
    }
    assert_eq!(&games(&run), whole);
    kills
}

#[cfg(unix)]
#[test]
#[ignore = "100 kills take minutes: .ci/deep runs it"]
fn a_hundred_killed_workers_lose_nothing_and_count_nothing_twice() {
    let mut kills = 0;
    while kills < 100 {
        kills += killed_workers(100 - kills);
        println!("{kills} kills");
    }
}

#[cfg(unix)]
mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn killed_workers_lose_nothing_and_count_nothing_twice() {
        assert!(killed_workers(4) > 0);
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_killed_coordinator_takes_its_workers_along_and_the_same_command_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let run = folder.join("run");
        let words = [&match_of("80")[..], &["--dir", "run", "--cluster", "local:2"]].concat();
        let mut coordinator = start(folder, &words);
        wait_until("some games", || run.join("games.jsonl").exists() && games(&run).len() > 5);
        coordinator.kill().unwrap();
        coordinator.wait().unwrap();
        let before = games(&run);
        assert!(before.len() < 80);
        wait_until("the workers' end", || {
            let alive = |status: &&Value| {
                let pid = status["pid"].to_string();
                Command::new("kill").args(["-0", &pid]).stderr(Stdio::null()).status().unwrap().success()
            };
            !statuses(&run).iter().any(|status| alive(&status))
        });
        let output = arena(folder, &words);
        let text = err(&output);
        assert!(out(&output).contains("endings: 80 of 80 normal"), "{output:?}");
        assert!(text.contains(" of 80 games are in "), "{text}");
        let after = games(&run);
        assert!(after.len() == 80 && before.iter().all(|(game, digest)| after[game] == *digest));
        // A larger run takes on the same workers' folders.
        let more = [&match_of("100")[..], &["--dir", "run", "--cluster", "local:2"]].concat();
        assert!(out(&arena(folder, &more)).contains("endings: 100 of 100 normal"));
    }
}
