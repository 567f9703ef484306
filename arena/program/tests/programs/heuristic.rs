//! Heuristic contests: a packing with a tester in shell, a guess with an interactive tester in Python.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::outside::{arena, err, json, out};

/// Puts items into boxes of size 100; the score is the number of boxes, and fewer are better. `packing.sh IN OUT`.
const TESTER: &str = r#"awk '
NR == FNR { if (FNR > 1) size[FNR - 1] = $1; next }
$1 !~ /^[0-9]+$/ { print "wrong answer: line " FNR; bad = 1; exit }
{ n++; load[$1] += size[n]; if (!($1 in seen)) { seen[$1] = 1; boxes++ } }
END { if (bad) exit
  for (box in load) { if (load[box] > 100) { print "wrong answer: box " box " is too full"; exit } ; left += 100 - load[box] }
  print "free = " left; print "Score = " boxes
  print "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>" > ARGV[2] ".svg" }' "$1" "$2"
"#;

/// The number of items, then the items.
const GENERATOR: &str = r#"awk -v s=$1 'BEGIN { srand(s + 1); n = 5 + 5 * (s % 3); print n; for (i = 0; i < n; i++) print 10 + int(rand() * 60) }'
"#;

/// Each item into a box of its own.
const APART: &str = "tail -n +2 | awk '{ print NR }'\n";

/// Into the first box with room.
const FIRST_FIT: &str =
    "tail -n +2 | awk '{ for (b = 1; load[b] + $1 > 100; b++); load[b] += $1; print b }'\n";

/// [`FIRST_FIT`] that crashes for 10 items, and answers too late for 15 ones.
const FAILING: &str =
    "read n; if [ $n = 10 ]; then echo no >&2; exit 3; fi; if [ $n = 15 ]; then sleep 60; fi\n\
    awk '{ for (b = 1; load[b] + $1 > 100; b++); load[b] += $1; print b }'\n";

const PROJECT: &str = r#"
[heuristic]
tester = "sh packing.sh {in} {out}"
generator = "sh generator.sh {seed}"
inputs = "in/{seed:03}.txt"
failure = "wrong answer"
lower-is-better = true
sizes = "N"
attribute = "free = {}"
limit-ms = 20000

[bots]
apart = "sh apart.sh"
fit = "sh fit.sh"
failing = "sh failing.sh"
late = "sh late.sh"
"#;

fn packing() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("arena.toml", PROJECT),
        ("packing.sh", TESTER),
        ("generator.sh", GENERATOR),
        ("apart.sh", APART),
        ("fit.sh", FIRST_FIT),
        ("failing.sh", FAILING),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The seeds of a run's games, in their order.
fn seeds(folder: &Path) -> Vec<u64> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let games = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut games =
        games.map(|game| (game["game"].as_u64(), game["seed"].as_u64().unwrap())).collect::<Vec<_>>();
    games.sort_unstable();
    games.into_iter().map(|(_, seed)| seed).collect()
}

#[test]
fn bots_are_compared_by_their_share_of_the_best_known_score() {
    let folder = packing();
    let folder = folder.path();
    let report = json(&arena(folder, &["match", "fit", "apart", "--seeds", "0-8", "--dir", "run", "--json"]));
    // The boxes that the two bots fill, counted here.
    let boxes = |seed: u64| {
        let input = fs::read_to_string(folder.join(format!("in/{seed:03}.txt"))).unwrap();
        let items = input.lines().skip(1).map(|line| line.parse::<u64>().unwrap()).collect::<Vec<_>>();
        let mut loads = Vec::<u64>::new();
        for &item in &items {
            match loads.iter_mut().find(|load| **load + item <= 100) {
                Some(load) => *load += item,
                None => loads.push(item),
            }
        }
        (loads.len() as f64, items.len() as f64)
    };
    let leads = (0..9).map(boxes).map(|(fit, apart)| 1.0 - fit / apart).collect::<Vec<_>>();
    let mean = leads.iter().sum::<f64>() / 9.0;
    let found = report["comparison"]["lead"]["mean"]["mean"].as_f64().unwrap();
    assert!((found - mean).abs() < 1e-12 && mean > 0.1, "{found} {mean}");
    let best = fs::read_to_string(folder.join("best.csv")).unwrap();
    assert!(best.starts_with("seed,score,bot\n0,") && best.lines().count() == 10, "{best}");

    // Worst cases first, of the other bot this time; by size all, and each value once.
    let cases = json(&arena(folder, &["cases", "run", "--of", "apart", "--json"]));
    let rows = cases["rows"].as_array().unwrap();
    let shares = rows.iter().map(|row| row["bots"][0]["share"].as_f64().unwrap()).collect::<Vec<_>>();
    assert!(rows.len() == 9 && shares.is_sorted(), "{shares:?}");
    let groups = json(&arena(folder, &["cases", "run", "--by", "N", "--json"]));
    let sizes =
        groups.as_array().unwrap().iter().map(|group| (group["value"].as_str(), group["cases"].as_u64()));
    let each = |value| (Some(value), Some(3));
    assert_eq!(sizes.collect::<Vec<_>>(), [each("5"), each("10"), each("15"), (Some("all"), Some(9))]);

    // A better score that another program has found makes old shares smaller.
    fs::write(folder.join("best.csv"), best.replace("\n0,", "\n0,1,found elsewhere\n100,")).unwrap();
    let cases = json(&arena(folder, &["cases", "run", "--json"]));
    let row = cases["rows"].as_array().unwrap().iter().find(|row| row["seed"] == 0).unwrap();
    assert_eq!(row["bots"][0]["share"].as_f64(), Some(1.0 / boxes(0).0));
    let text = out(&arena(folder, &["cases", "run", "-n", "2"]));
    assert!(text.contains("... 7 cases more (-n N)") && text.contains("seed   N  free  fit"), "{text}");
    let error = err(&arena(folder, &["cases", "run", "--by", "M"]));
    assert!(error.contains("no number `M`; they have N, free"), "{error}");

    // Three bots by their leads, the best first; a bot of the file takes further arguments.
    let rated = json(&arena(
        folder,
        &["rate", "apart", "fit", "all=apart x", "--seeds", "0-8", "--dir", "rated", "--json"],
    ));
    let leads = rated["summary"]["leads"].as_array().unwrap();
    let names = leads.iter().map(|bot| bot["name"].as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(names, ["fit", "apart", "all"]);
    let mut commands = rated["rows"].as_array().unwrap().iter().map(|row| row["command"].as_str().unwrap());
    assert!(commands.any(|command| command == "sh apart.sh x"), "{rated}");
    let lead = |bot: usize| leads[bot]["over_next"]["mean"]["mean"].as_f64();
    let shares = leads.iter().map(|bot| bot["share"].as_f64().unwrap()).collect::<Vec<_>>();
    assert!((lead(0).unwrap() - (shares[0] - shares[1])).abs() < 1e-12, "{rated}");
    assert_eq!((lead(1), lead(2)), (Some(0.0), None));
}

#[test]
fn mistakes_in_the_settings_are_found_before_the_first_case_and_said_once() {
    let folder = packing();
    let folder = folder.path();
    let played = |words: &[&str]| {
        arena(folder, &[&["match", "fit", "apart", "--seeds", "0-2", "--dir", "run"], words].concat())
    };
    let error = err(&played(&["--tester", "sh packing.sh {inn} {out}"]));
    assert!(
        error.contains("--tester has an unknown place {inn}; it may have {in}, {out}, {seed}"),
        "{error}"
    );
    let missing = arena(folder, &["match", "fit", "./missing", "--seeds", "0-2", "--dir", "run"]);
    let error = err(&missing);
    assert!(error.contains("there is no file ./missing") && seeds(&folder.join("run")).is_empty(), "{error}");
    let said = err(&played(&["--sizes", "N M", "--attribute", "none = {}"]));
    let told = "has 1 of the 2 sizes N M; the tester printed no attribute `none = {}`";
    assert_eq!((said.matches(told).count(), said.matches("attribute `").count()), (1, 1), "{said}");
    for (options, told) in [
        (["--tester", "sh packing.sh {in}"], "has neither {out}, the bot's output, nor {bot}"),
        (["--tester", "sh packing.sh {in} {out"], "unknown place {out; it may have"),
        (["--generator", "sh generator.sh 1"], "--generator has no {seed}"),
        (["--failure", ""], "a value is required for '--failure"),
    ] {
        let error = err(&played(&options));
        assert!(error.contains(told), "{error}");
    }
    fs::create_dir(folder.join("below")).unwrap();
    let error = err(&arena(&folder.join("below"), &["match", "fit", "apart", "--seeds", "0-2"]));
    assert!(error.contains("the tester's paths start there: give the command in .."), "{error}");

    // Scores of another scale, and an input that isn't that of the cases before.
    fs::write(folder.join("best.csv"), "seed,score,bot\n0,1,x\n1,1,x\n2,1,x\n").unwrap();
    let said = err(&arena(folder, &["match", "fit", "apart", "--seeds", "0-2", "--dir", "other"]));
    assert!(said.contains("% of the best known scores on average: if the tester or the scale"), "{said}");
    fs::write(folder.join("in/001.txt"), "1\n10\n").unwrap();
    let error = err(&arena(folder, &["match", "fit", "apart", "--seeds", "0-3", "--dir", "other"]));
    assert!(error.contains("the input in/001.txt has changed since game"), "{error}");
    fs::write(folder.join("best.csv"), "0,1,x\n1,1,x\n0,2,x\n").unwrap();
    let error = err(&arena(folder, &["cases", "other"]));
    assert!(error.contains("best.csv:3: seed 0 has a line before"), "{error}");
}

#[test]
fn the_first_bot_of_the_command_line_comes_first_whoever_ends_first() {
    let folder = packing();
    let folder = folder.path();
    fs::write(folder.join("slow.sh"), "sleep 0.3\nsh fit.sh\n").unwrap();
    let words = ["match", "sh slow.sh", "apart", "--seeds", "0-5", "--dir", "run", "-j", "2", "--json"];
    let report = json(&arena(folder, &words));
    let first = fs::read_to_string(folder.join("run/games.jsonl")).unwrap();
    assert!(!first.starts_with("{\"game\":1,"), "the second case ends before the first: {first}");
    let names = |report: &Value| report["bots"].as_array().unwrap().clone();
    let names = names(&report).iter().map(|bot| bot["name"].clone()).collect::<Vec<_>>();
    let cases = json(&arena(folder, &["cases", "run", "--json"]));
    assert_eq!(cases["bots"], Value::from(names.clone()));
    let stats = json(&arena(folder, &["stats", "run", "--json"]));
    assert_eq!(stats["bots"][0]["name"], names[0]);
    assert_eq!(stats["comparison"]["lead"], report["comparison"]["lead"]);
}

#[test]
fn a_run_goes_on_with_other_seeds_and_a_test_takes_unused_ones() {
    let folder = packing();
    let folder = folder.path();
    let played = |words: &[&str]| {
        let output = arena(folder, words);
        assert!([Some(0), Some(3)].contains(&output.status.code()), "{output:?}");
        err(&output)
    };
    played(&["match", "fit", "apart", "--seeds", "4,2", "--dir", "run"]);
    assert_eq!(seeds(&folder.join("run")), [4, 4, 2, 2]);
    let said = played(&["match", "fit", "apart", "--seeds", "0-2", "--dir", "run"]);
    assert!(said.contains("1 more seeds were played in this run before, and count"), "{said}");
    assert_eq!(seeds(&folder.join("run")), [4, 4, 2, 2, 0, 0, 1, 1]);
    let error = err(&arena(folder, &["match", "fit", "apart", "--seeds", "0-2", "-n", "8"]));
    assert!(error.contains("those that are named make 6 games"), "{error}");

    played(&["sprt", "fit", "apart", "-n", "8", "--dir", "test"]);
    assert_eq!(seeds(&folder.join("test"))[..4], [3, 3, 5, 5]);
    let said = played(&["sprt", "fit", "apart", "--seeds", "0-9", "--dir", "more"]);
    assert!(said.contains("of the named seeds were used before"), "{said}");
    assert!(seeds(&folder.join("more")).iter().all(|seed| ![0, 1, 2, 3, 4, 5].contains(seed)));
    let error = err(&arena(folder, &["sprt", "fit", "apart", "--seeds", "0-5"]));
    assert!(error.contains("no seed is left for a test: best.csv has the scores"), "{error}");
}

#[test]
fn crashes_and_late_answers_are_failures_and_never_scores() {
    let folder = packing();
    let folder = folder.path();
    let words = [
        "match",
        "failing",
        "fit",
        "--seeds",
        "0-2",
        "--limit-ms",
        "1000",
        "--keep-going",
        "--dir",
        "run",
        "--report",
        "r.html",
    ];
    let output = arena(folder, &words);
    let (text, said) = (out(&output), err(&output));
    assert!(text.contains("faults of failing: time-out on the first turn 1, crash 1"), "{text}");
    assert!(
        said.contains(
            "received: its process exited with code 3\n  last lines of its standard error:\n    no"
        ),
        "{said}"
    );
    assert!(
        said.contains("received: it did not end within 1000 ms") && said.contains("seed 1, bot failing"),
        "{said}"
    );
    let cases = json(&arena(folder, &["cases", "run", "--json"]));
    let rows = cases["rows"].as_array().unwrap();
    let first = |place: usize| rows[place]["bots"][0].clone();
    assert_eq!((first(0)["score"].clone(), first(1)["score"].clone()), (Value::Null, Value::Null));
    assert!(first(2)["failure"].is_null() && first(2)["score"].is_number());
    // The tester's picture is an image, in which no script runs.
    let pages = fs::read_dir(folder.join("r-games")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|end| end == "html"));
    let pages = pages.map(|path| fs::read_to_string(path).unwrap()).collect::<Vec<_>>();
    let drawn = pages
        .iter()
        .filter(|page| page.contains("<img class=\"picture\" src=\"data:image&#x2f;svg+xml,%3Csvg"));
    assert_eq!((drawn.count(), pages.iter().any(|page| page.contains("alert(1)</script>"))), (4, false));
}

#[test]
fn a_tester_without_one_score_stops_the_run_with_what_it_printed() {
    let folder = packing();
    let folder = folder.path();
    let stopped = |tester: &str| {
        fs::write(folder.join("packing.sh"), tester).unwrap();
        let output = arena(folder, &["match", "fit", "apart", "--seeds", "0-4", "--dir", "run"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        err(&output)
    };
    let error = stopped("echo Score = 3; echo Score = 4 >&2\n");
    assert!(error.contains("it printed 2 scores of the form `Score = {}`"), "{error}");
    assert!(error.contains("Score = 3") && error.contains("Score = 4"), "{error}");
    assert!(error.contains("has no score for seed 0") && !error.contains("game"), "{error}");
    let error = stopped("echo Points: 3\n");
    assert!(
        error.contains("it printed no score of the form `Score = {}`") && error.contains("Points: 3"),
        "{error}"
    );
    let error = stopped("echo Score = 3.5\n");
    assert!(error.contains("its score 3.5 has a fraction: give a scale"), "{error}");
    let error = stopped("exit 7\n");
    assert!(error.contains("its process exited with code 7"), "{error}");
    fs::remove_dir_all(folder.join("in")).unwrap();
    fs::write(folder.join("generator.sh"), "exit 4\n").unwrap();
    let error = stopped(TESTER);
    assert!(
        error.contains("the input in/000.txt of seed 0: its generator: its process exited with code 4"),
        "{error}"
    );
}

/// The input has a number up to 1000; the bot guesses, and is told whether the number is larger, smaller or found.
const GUESS: &str = r#"
import subprocess, sys
secret = int(sys.stdin.readline())
bot = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
for guesses in range(1, 100):
    line = bot.stdout.readline()
    if not line:
        sys.exit("the bot has left")
    print(line, end="")
    guess = int(line)
    told = "found" if guess == secret else "larger" if guess < secret else "smaller"
    bot.stdin.write(told + "\n")
    bot.stdin.flush()
    if told == "found":
        break
bot.stdin.close()
bot.wait()
print(f"Score = {guesses}", file=sys.stderr)
"#;

/// Guesses the middle of what is left. `slow` goes up by one; `broken` crashes at its third guess.
const GUESSER: &str = r#"
import sys
low, high = 1, 1000
for turn in range(1000):
    if turn == 2 and "broken" in sys.argv:
        sys.exit("lost my mind")
    guess = low if "slow" in sys.argv else (low + high) // 2
    print(guess, flush=True)
    told = sys.stdin.readline().strip()
    if told == "larger": low = guess + 1
    elif told == "smaller": high = guess - 1
    else: break
"#;

#[test]
fn an_interactive_tester_starts_the_bot() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("not tested: there is no python3 for the tester");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("guess.py"), GUESS).unwrap();
    fs::write(folder.join("bot.py"), GUESSER).unwrap();
    fs::create_dir(folder.join("in")).unwrap();
    for (seed, secret) in [(1, 500), (2, 250), (3, 7), (4, 1)] {
        fs::write(folder.join(format!("in/{seed}.txt")), format!("{secret}\n")).unwrap();
    }
    let options = ["--tester", "python3 guess.py {bot...}", "--inputs", "in/{seed}.txt", "--lower-is-better"];
    let run =
        |words: &[&str]| arena(folder, &[&["match"], &options[..], &["--limit-ms", "60000"], words].concat());
    let report =
        json(&run(&["python3 bot.py", "python3 bot.py slow", "--seeds", "1-4", "--dir", "run", "--json"]));
    let cases = json(&arena(folder, &["cases", "run", "--json"]));
    let mut scores = Vec::new();
    for row in cases["rows"].as_array().unwrap() {
        scores.push((
            row["seed"].as_u64().unwrap(),
            row["bots"][0]["score"].as_i64(),
            row["bots"][1]["score"].as_i64(),
        ));
    }
    scores.sort_unstable();
    // 500 is the first guess, and 250 the second; up by one, at most 99 guesses are counted.
    let told = [(1, Some(1), Some(99)), (2, Some(2), Some(99)), (3, Some(7), Some(7)), (4, Some(9), Some(1))];
    assert_eq!((scores, &report["bots"][0]["name"]), (told.to_vec(), &Value::from("A")), "{report}");

    let output = run(&[
        "python3 bot.py broken",
        "python3 bot.py",
        "--seeds",
        "2,4",
        "--keep-going",
        "--dir",
        "broken",
    ]);
    let said = err(&output);
    assert!(out(&output).contains("crash 1"), "{output:?}");
    assert!(said.contains("it crashed (exit status 1)"), "{said}");
    assert!(said.contains("seed 4, bot A: crash") && !said.contains("seat"), "{said}");

    // With its input closed, a bot may have failed before the tester or because of it: the run stops and says both.
    fs::write(
        folder.join("once.py"),
        "import subprocess, sys\nran = subprocess.run(sys.argv[1:], input='1\\n', capture_output=True, text=True)\nprint('Score =', int(ran.stdout))\n",
    )
    .unwrap();
    fs::write(folder.join("closed.py"), "import sys\nsys.stdin.read()\nif sys.argv[1:]: sys.exit(9)\n")
        .unwrap();
    let words =
        ["match", "--tester", "python3 once.py {bot...}", "--inputs", "in/{seed}.txt", "--limit-ms", "60000"];
    let bots =
        ["python3 closed.py x", "python3 closed.py", "--seeds", "1", "--keep-going", "--dir", "closed"];
    let output = arena(folder, &[&words[..], &bots].concat());
    let said = err(&output);
    assert!(output.status.code() == Some(1) && said.contains("has no score for seed 1"), "{output:?}");
    assert!(
        said.contains("seed 1, the bot: its process ended after its input was closed (exit status 9)"),
        "{said}"
    );

    // A drawer writes a page of a fixed name; one that fails draws nothing, though an older page is there.
    fs::write(folder.join("vis.py"), "import sys\nassert sys.argv[1] != 'in/4.txt'\nopen('vis.html', 'w').write('<p><svg>' + open(sys.argv[2]).read() + '</svg>')\n").unwrap();
    let words =
        ["python3 bot.py", "python3 bot.py x", "--seeds", "2,4", "--dir", "drawn", "-j", "2", "-l", "logs"];
    run(&[&words[..], &["--drawer", "python3 vis.py {in} {out}", "--picture", "vis.html"]].concat());
    let drawn = |game: &str| fs::read_to_string(folder.join(format!("logs/{game}.svg"))).ok();
    assert_eq!(drawn("1"), Some("<svg>500\n250\n</svg>".to_owned()));
    assert_eq!((drawn("3"), folder.join("logs/3.out").is_file()), (None, true));

    // Seed 9 has no input.
    let error = err(&run(&["python3 bot.py", "python3 bot.py slow", "--seeds", "9", "--dir", "none"]));
    assert!(error.contains("the input in/9.txt of seed 9: it isn't there"), "{error}");
    let long = Duration::from_millis(300);
    fs::write(folder.join("late.py"), "import time\ntime.sleep(60)\n").unwrap();
    let limit = long.as_millis().to_string();
    let words =
        [&["match"], &options[..], &["--limit-ms", &limit, "--seeds", "1", "--keep-going", "--dir", "late"]]
            .concat();
    let output = arena(folder, &[&words[..], &["python3 late.py", "python3 late.py x"]].concat());
    assert!(err(&output).contains("tester and bot did not end within 300 ms"), "{output:?}");
}
