//! Tests `arena-study` as a program.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use clap::Parser;
use coppice_arena::{Cli, Program};
use coppice_study::{check, Mode, Study};

/// The name of the document's section on all studies.
const SUMMARY: &str = "summary";

/// A study of each kind of row; `study.toml` is that of the mutated files, too.
const PLAN: &str = concat!(
    include_str!("study.toml"),
    r#"
[[entrant]]
name = "bands"
search = "bands"

[[match]]
a = "lots"
b = "tree"
published = { above = 0.5 }
note = "it doesn't"

[[speed]]
a = "tree"
b = "tree"

[[trial]]
by = "bands"
contest = "sudoku"
published = { all_within = 60 }

[[solve]]
by = "tree"
published = { seconds = 60 }
"#
);

fn study(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena-study"))
        .args(words)
        .current_dir(folder)
        .output()
        .expect("the arena runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

#[test]
fn a_study_is_played_once_and_documented() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), PLAN).unwrap();
    let words = ["mine.toml", "--games", "40", "--write", "doc.md", "--json"];
    let first = study(folder.path(), &words);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let rows: Vec<serde_json::Value> =
        text(&first.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let verdicts = rows.iter().map(|row| row["verdict"].as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(verdicts[1..], ["differs", "agrees", "new", "new", "agrees", "agrees"]);
    assert_eq!(rows[0]["figure"]["share"]["games"], 40);
    assert_eq!(rows[2]["figure"]["times"]["times"]["mean"], 1.0);
    assert!(rows[3]["figure"]["times"]["positions"].as_u64() >= Some(40));
    assert_eq!(rows[4]["title"], "lots against itself, first seat");
    assert_eq!((&rows[5]["contest"], &rows[5]["figure"]["done"]["tasks"]), (&"sudoku".into(), &40.into()));
    assert_eq!(rows[6]["figure"]["solved"]["solved"], true);

    let document = fs::read_to_string(folder.path().join("doc.md")).unwrap();
    assert!(
        document.contains("| lots against tree | above 50 % |") && document.contains("| differs |"),
        "{document}"
    );
    assert!(document.contains("- lots against tree: it doesn't") && document.contains("- said of all"));
    assert!(document.contains("](doc/mine.svg)"), "{document}");
    let picture = fs::read_to_string(folder.path().join("doc/mine.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("tree against lots"));

    // A repeated run measures nothing and prints the same; another number of games is measured.
    let again = study(folder.path(), &["mine.toml", "--games", "40"]);
    assert_eq!(text(&again.stderr), "");
    assert!(text(&again.stdout).contains("tree against lots"), "{}", text(&again.stdout));
    let more = study(folder.path(), &["mine.toml", "--games", "42"]);
    assert!(text(&more.stderr).contains("mine 1 of 7: tree against lots"), "{}", text(&more.stderr));
    assert!(text(&more.stderr).contains("40 of 42 games are in"), "{}", text(&more.stderr));
    let anew = study(folder.path(), &["mine.toml", "--games", "42", "--again"]);
    assert!(text(&anew.stderr).contains("mine 1 of 7: tree against lots"), "{}", text(&anew.stderr));
    assert!(!text(&anew.stderr).contains("games are in"), "{}", text(&anew.stderr));
    assert!(text(&again.stdout).contains("lots against tree: it doesn't"));
}

/// Claims that are tried at several budgets, an order among them.
const HELD: &str = r#"
title = "Searches in tic-tac-toe"
claim = "thinking helps"
source = "Everybody, section 1"
contest = "tictactoe"
openings = 2
budget = { full = "--nodes 200", quick = "--nodes 50", published = "--ms 2" }
games = { full = 8, quick = 4 }
held = { worlds = [20, 200], cpu_ms = [1], pool_mb = 1, games = 40 }

[[entrant]]
name = "tree"
search = "mcts"
worlds_a_node = 2

[[entrant]]
name = "flat"
search = "flat"

[[entrant]]
name = "lots"
search = "random"

[[ranking]]
of = ["lots", "tree", "flat"]

[[match]]
a = "tree"
b = "lots"
published = { above = 0.5 }

[[match]]
a = "flat"
b = "lots"
"#;

#[test]
fn a_claim_is_judged_at_each_budget_and_stands_on_one_page() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("held.toml"), HELD).unwrap();
    let none = study(folder.path(), &["held.toml", "--stored"]);
    assert!(none.status.success() && none.stdout.is_empty(), "{none:?}");
    assert_eq!(text(&none.stderr), "note: held: no rows are stored in arena-studies\n");
    let played = study(folder.path(), &["held.toml", "--write", "doc.md"]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let document = fs::read_to_string(folder.path().join("doc.md")).unwrap();
    let line = |start: &str| {
        let found = document.lines().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("{start}: {document}")).split(" | ").collect::<Vec<_>>()
    };
    assert_eq!(line("| claim | ")[1..4], ["20 positions", "200 positions", "1 ms"]);
    // Random moves aren't the best of three.
    assert_eq!(line("| lots > tree > flat ")[1..], ["differs", "differs", "differs", "differs |"]);
    assert_eq!(line("| tree against lots: above 50 % ")[4..], ["agrees |"]);
    assert!(line("| lots | ")[1..].iter().all(|cell| cell.starts_with('-')), "{document}");
    assert!(document.contains("| flat against lots | - | ") && !document.contains("would differ by chance"));
    let picture = fs::read_to_string(folder.path().join("doc/held.svg")).unwrap();
    assert!(picture.contains("tree against lots (share of the points)") && picture.contains("1 ms"));

    // The stored rows are those; the budgets by positions divide by the positions of a node.
    let rows = study(folder.path(), &["held.toml", "--stored", "--json"]);
    let rows: Vec<serde_json::Value> =
        text(&rows.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 7);
    assert_eq!(rows[0]["equal"]["worlds"], 20);
    assert_eq!(rows[0]["lines"][1], "in:mcts --nodes 10 --pool-mb 1");
    // Three pairs of twenty.
    assert_eq!(rows[0]["figure"]["ranking"]["games"], 60);
    assert_eq!(rows[2]["lines"][2], "in:flat --cpu-ms 1 --pool-mb 1");

    let page = study(folder.path(), &["held.toml", "--summary"]);
    let page = text(&page.stdout);
    assert!(
        page.contains("| Everybody | lots > tree > flat | differs | differs | [held](#held) |\n"),
        "{page}"
    );
    assert!(!page.contains("changed since"), "{page}");
    // A row whose player behaved otherwise is named; without rows the page's lines stay.
    let results = folder.path().join("arena-studies/held/results.jsonl");
    let changed =
        fs::read_to_string(&results).unwrap().replacen("\"behaviour\":[\"", "\"behaviour\":[\"x", 1);
    fs::write(&results, changed).unwrap();
    let written = study(folder.path(), &["held.toml", "--summary", "--write", "doc.md"]);
    assert!(written.status.success(), "{written:?}");
    fs::remove_file(&results).unwrap();
    assert!(study(folder.path(), &["held.toml", "--summary", "--write", "doc.md"]).status.success());
    let document = fs::read_to_string(folder.path().join("doc.md")).unwrap();
    assert_eq!(
        document
            .matches("| Everybody | tree against lots: above 50 % | agrees | agrees | [held](#held) |")
            .count(),
        1
    );
    let now = study(folder.path(), &["held.toml", "--summary"]);
    assert!(!text(&now.stdout).contains("[held]"), "{now:?}");
}

/// Rows that an earlier version measured (`tests/data/runs`) aren't measured again.
#[test]
fn old_rows_are_reused() {
    let folder = tempfile::tempdir().unwrap();
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/runs");
    fs::create_dir_all(folder.path().join("studies/study")).unwrap();
    for file in ["study.toml", "studies/study/results.jsonl"] {
        fs::copy(old.join(file), folder.path().join(file)).unwrap();
    }
    let output = study(folder.path(), &["study.toml", "--dir", "studies"]);
    assert!(output.status.success(), "{output:?}");
    assert!(text(&output.stdout).contains("75 %  51 to 99  8: 88, 62, 2 drawn"), "{output:?}");
    assert_eq!(
        text(&output.stderr),
        "1 row is from another build of this program; --again measures them again\n"
    );
}

#[test]
fn invalid_studies_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("broken.toml"), PLAN.replace("b = \"tree\"", "b = \"bush\"")).unwrap();
    fs::write(folder.path().join("foreign.toml"), PLAN.replace("\"mcts\"", "\"magic\"")).unwrap();
    fs::write(folder.path().join("idle.toml"), PLAN.replace("by = \"bands\"", "by = \"tree\"")).unwrap();
    for (name, message) in [
        ("no-such", "unknown study `no-such`; available: "),
        ("none.toml", "none.toml: "),
        ("broken.toml", "a row names the unknown entrant `bush`; available: tree, lots"),
        ("foreign.toml", "no search \"magic\"; available: "),
        ("idle.toml", "sudoku has no player \"mcts\"; available: bands, engine, minimax"),
    ] {
        let output = study(folder.path(), &[name]);
        assert!(matches!(output.status.code(), Some(1 | 2)) && output.stdout.is_empty(), "{name}");
        assert!(text(&output.stderr).contains(message), "{name}: {}", text(&output.stderr));
    }
}

/// Each entrant of each row is a search of its contest.
#[test]
fn the_included_studies_can_be_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        Study::read(&name, &fs::read_to_string(&path).unwrap()).unwrap()
    };
    let studies = files.map(read).collect::<Vec<_>>();
    assert!(studies.len() >= 7);
    for study in &studies {
        for mode in [Mode::Full, Mode::Quick, Mode::PublishedTime] {
            check(study, mode, bots_searches::contests())
                .unwrap_or_else(|error| panic!("{}: {error}", study.name));
        }
    }
    let output = study(Path::new("."), &["--list"]);
    assert_eq!(text(&output.stdout).lines().count(), 2 * studies.len());
}

/// The study of a file of the program.
fn included(name: &str) -> Study {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies").join(format!("{name}.toml"));
    Study::read(name, &fs::read_to_string(path).expect("a study")).expect("a valid study")
}

fn document() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/studies.md");
    fs::read_to_string(path).expect("the document")
}

/// Each section has the rows of its study, in order, and below them their number by verdict, and a test of the whole table if
/// several have a published figure.
#[test]
fn the_documents_sections_are_those_of_the_studies() {
    let document = document();
    let mut judged = 0;
    for section in document.split("<!-- ") {
        let Some((name, section)) = section.split_once(" begins") else { continue };
        if name == SUMMARY {
            continue;
        }
        // The tables before it are of claims that were tried at several budgets.
        let table = section.split("\n| | published |").nth(1).unwrap_or_default();
        let lines = table.lines().skip(1).take_while(|line| !line.is_empty());
        let lines = lines.filter_map(|line| line.strip_prefix("| ")?.strip_suffix('|'));
        let rows = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
        let rows: Vec<_> = rows.filter(|cells| cells.len() == 5 && !cells[0].is_empty()).collect();
        let study = included(name);
        let all = study.rows(Mode::Full);
        let plain = all.iter().filter(|row| row.equal.is_none());
        let titles: Vec<_> = plain.map(|row| row.title()).collect();
        let claims: BTreeSet<_> =
            all.iter().filter(|row| row.equal.is_some()).map(|row| row.title()).collect();
        for title in &claims {
            assert!(section.contains(&format!("\n| {title}")), "{name}: no claim {title}");
        }
        assert_eq!(rows.len(), titles.len(), "{name}");
        for (cells, title) in rows.iter().zip(titles) {
            assert!(cells[0].ends_with(&title), "{name}: {} should be {title}", cells[0]);
        }
        let count = |verdict| rows.iter().filter(|cells| cells[4] == verdict).count();
        let [agree, differ, few, new] = ["agrees", "differs", "too few games to tell", ""].map(count);
        let few = few + count("published too few to tell");
        assert_eq!(agree + differ + few + new, rows.len(), "{name}");
        let line = match agree + differ + few {
            0 if !claims.is_empty() => String::new(),
            0 => "\nno row has a published figure.".to_owned(),
            _ => format!("\n{agree} agree, {differ} differ, {few} can't be told."),
        };
        assert!(section.contains(&line), "{name}: no line {line}");
        // Claims of a time aren't a matter of chance.
        let chance = |cells: &&Vec<&str>| {
            cells[1] != "-" && !cells[1].contains("within") && cells[4] != "published too few to tell"
        };
        let is_tested = rows.iter().filter(chance).count() > 1;
        assert_eq!(section.contains("\nthe whole table: "), is_tested, "{name}");
        judged += 1;
    }
    assert!(judged > 10, "{judged}");
}

/// Makes the document again from the stored rows, in a folder; returns it as it is and as it should be.
fn renewed(folder: &Path, kind: &str) -> [String; 2] {
    let then = document();
    fs::write(folder.join("studies.md"), &then).unwrap();
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let made = study(folder, &[kind, "--dir", results.to_str().unwrap(), "--write", "studies.md"]);
    assert!(made.status.success(), "{made:?}");
    [then, fs::read_to_string(folder.join("studies.md")).unwrap()]
}

fn assert_same([then, now]: [String; 2], kind: &str) {
    let other = now.lines().zip(then.lines()).find(|(now, then)| now != then);
    let renew = format!("arena-study {kind} --dir arena/study/results --write docs/studies.md");
    assert!(other.is_none() && now == then, "renew it by {renew}: {other:?}");
}

/// No verdict, interval or picture differs from what the stored rows say.
#[test]
fn the_documents_sections_are_made_of_the_stored_rows() {
    let folder = tempfile::tempdir().unwrap();
    assert_same(renewed(folder.path(), "--stored"), "--stored");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = fs::read_dir(root.join("results")).unwrap().map(|entry| entry.unwrap().file_name());
    let files = names.map(|name| PathBuf::from(format!("studies/{}.svg", name.to_str().unwrap())));
    let mut pictures = 0;
    for file in files {
        let [now, then] = [folder.path(), &root.join("../../docs")].map(|from| fs::read(from.join(&file)));
        assert_eq!(now.ok(), then.ok(), "{}", file.display());
        pictures += 1;
    }
    assert!(pictures > 7, "{pictures}");
}

/// The summary says which rows have players that play otherwise by now.
#[test]
#[ignore = "plays some moves with the players of all rows: half a minute"]
fn the_documents_summary_is_of_the_players_of_today() {
    let folder = tempfile::tempdir().unwrap();
    assert_same(renewed(folder.path(), "--summary"), "--summary");
}

/// The players of tasks play matches too, here with fewer nodes.
#[test]
fn players_of_tasks_play_matches() {
    let folder = tempfile::tempdir().unwrap();
    let mut played = 0;
    for (name, nodes) in [("sudoku", "--nodes 10000000"), ("lander-minimax", "--nodes 60")] {
        let study = included(name);
        let rows = study.rows(Mode::Full);
        let lines = rows.iter().flat_map(|row| study.lines(row, Mode::Full)).collect::<BTreeSet<_>>();
        let other = &format!("in:minimax {nodes}");
        for line in lines {
            let (search, _) = line.split_once("--nodes").expect("a budget by nodes");
            let line = format!("{search}{nodes}");
            let dir = folder.path().join(played.to_string());
            let words =
                ["arena", "match", &study.contest, &line, other, "-n", "2", "--json", "-j", "1", "--dir"];
            let cli = Cli::try_parse_from(words.map(OsString::from).into_iter().chain([dir.clone().into()]));
            let cli = cli.unwrap();
            let program = Program { contests: bots_searches::contests(), ..Program::default() };
            let run = || {
                let mut out = Vec::new();
                coppice_arena::run(&cli, &program, &mut out)
                    .unwrap_or_else(|error| panic!("{line}: {error}"));
                serde_json::from_slice::<serde_json::Value>(&out).unwrap()
            };
            let result = run();
            assert_eq!(result["games"], 2, "{line}: {result}");
            // The games are replayed by the rules before they count again.
            let games = fs::read(dir.join("games.jsonl")).unwrap();
            assert_eq!((run(), fs::read(dir.join("games.jsonl")).unwrap()), (result, games), "{line}");
            played += 1;
        }
    }
    assert!(played >= 6, "{played}");
}

#[test]
fn shortened_openings_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let plan = r#"
title = "Long openings"
claim = "none"
source = "nobody"
contest = "mancala"
openings = 1000
budget = { full = "--nodes 20", quick = "--nodes 10", published = "--ms 2" }
games = { full = 4, quick = 2 }

[[entrant]]
name = "any"
search = "random"

[[mirror]]
of = "any"
"#;
    fs::write(folder.path().join("long.toml"), plan).unwrap();
    let program = Command::new(env!("CARGO_BIN_EXE_arena-study"))
        .args(["long.toml", "--quick", "-j", "1"])
        .current_dir(folder.path())
        .output();
    let output = program.unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{text}");
    assert_eq!(
        text.matches(": openings of 1000 plies were asked for, but game 1's has ").count(),
        1,
        "{text}"
    );
}
