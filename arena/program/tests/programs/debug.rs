//! Tests `arena debug` as a program, with scripts through a pipe.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::outside::processes::{interrupt, interruptible};
use serde_json::Value;

fn debug(arguments: &[&str], script: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .arg("debug")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Ignored: the program may exit before it has read the script.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    child.wait_with_output().unwrap()
}

/// The output of a successful script.
fn text(arguments: &[&str], script: &str) -> String {
    let output = debug(arguments, script);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The output of a successful script with `--json`, one object per line.
fn json(arguments: &[&str], script: &str) -> Vec<Value> {
    let text = text(&[arguments, &["--json"]].concat(), script);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Exit code and stderr of a failing script or command line.
fn error(arguments: &[&str], script: &str) -> (Option<i32>, String) {
    let output = debug(arguments, script);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn recorded(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/logs").join(name);
    path.to_str().unwrap().to_owned()
}

const WALK: &str = "\
step
list 3
best
list 2
play 1,1 0,0
undo
quit
nothing is read any more
";

const WALKED: &str = "\
best 1,1, score 4, depth 1, 9 nodes
  # move value visits bounds status
* 5 1,1      4      - -      leaf
  1 0,0      3      - -      leaf
  3 0,2      3      - -      leaf
6 more
...
.x.
...
o to move
1 below the root: 1,1; seat 1 moves
 # move value visits bounds status
 1 0,0      -      - -      not in the tree
 2 0,1      -      - -      not in the tree
6 more
o..
.x.
...
x to move
at the root; seat 0 moves
...
.x.
...
o to move
at the root; seat 1 moves
";

#[test]
fn the_output_of_a_walk_is_stable() {
    assert_eq!(text(&["tictactoe", "--search", "minimax"], WALK), WALKED);
}

/// A search without a tree lists the moves with the value of the best one, and the searches that have a tree.
#[test]
fn a_list_without_a_tree_names_the_searches_that_have_one() {
    let listed =
        text(&["tictactoe", "--search", "alpha-beta", "--moves", "0,0 0,1"], "nodes 100000\nlist 2\n");
    let expected = "\
best 2,0, score win in 5, depth 5, 528 nodes, solved
  # move    value visits bounds status
* 5 2,0  win in 5      - -      not in the tree
  1 0,2         -      - -      not in the tree
5 more
this search keeps no tree; --search NAME with one of these does: minimax, mcts, mcts-graph, best-first, miniframe-mcts, weighted
";
    assert_eq!(listed, expected);
}

/// In the middle of a game no search calls it over: those with a tree list moves in it, the others say what they lack.
#[test]
fn every_search_lists_the_moves_of_a_position() {
    let lines = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_arena")).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (mut searches, mut without_lists) = (0, 0);
    for contest in lines(&["contests"]) {
        let contest = contest.split_whitespace().next().unwrap();
        let offers = lines(&["debug", contest, "--list"]);
        let offers = offers.iter().filter(|line| !line.starts_with(' '));
        for search in offers.filter_map(|line| line.split_once(':')).map(|(name, _)| name) {
            searches += 1;
            let arguments = [contest, "--search", search];
            let script = "list\nnodes 400\nshow\nlist\nmemory\n";
            let replies = json(&arguments, script);
            let [before, _, shown, list, memory] = &replies[..] else { panic!("{replies:?}") };
            assert!(shown["scores"].is_null(), "{contest}, {search}: over at its start");
            let has_tree = memory["tree"] == true;
            assert_eq!(list["tree"] != false, has_tree, "{contest}, {search}: {list}");
            assert_eq!(before["tree"] != false, has_tree, "{contest}, {search}: {before}");
            let moves = list["moves"].as_array().unwrap();
            if has_tree {
                let known = moves.iter().filter(|m| m["status"] != "not in the tree").count();
                assert!(known > 0, "{contest}, {search}: {list}");
                let best = moves.iter().filter(|m| m["best"] == true).count();
                assert_eq!(best, 1, "{contest}, {search}: {list}");
            }
            if moves.is_empty() || before["moves"] == serde_json::json!([]) {
                without_lists += 1;
                let text = text(&arguments, "list\n");
                assert!(text.starts_with("the moves of this contest can't be listed"), "{search}: {text}");
                assert_eq!(text.contains("keeps no tree"), !has_tree, "{contest}, {search}: {text}");
            }
        }
    }
    assert!(searches > 80 && (5..20).contains(&without_lists), "{searches}, {without_lists}");
}

/// MiniFrame's lander: the actions of the second, with the values in its tree, and nothing of it a second later.
#[test]
fn a_tree_behind_a_referee_is_listed_in_the_turn_it_was_searched_in() {
    let arguments = ["lander", "--search", "minimax"];
    let first = json(&arguments, "nodes 2000\n");
    let best = first[0]["best"].as_str().unwrap();
    let script = format!("nodes 2000\nlist\nline\nplay {best}\nlist\nnodes 2000\nlist\n");
    let replies = json(&arguments, &script);
    let [thought, list, line, _, later, _, again] = &replies[..] else { panic!("{replies:?}") };
    let moves = list["moves"].as_array().unwrap();
    assert!(moves.len() > 2 && moves.iter().all(|m| m["score"]["value"].is_i64()), "{list}");
    assert_eq!((&moves[0]["move"], &moves[0]["score"]), (&thought["best"], &thought["score"]));
    assert_eq!(line["line"][0], thought["best"]);
    assert_eq!(later["moves"], serde_json::json!([]));
    assert_ne!(again["moves"], serde_json::json!([]));
    let (code, text) = error(&arguments, "nodes 100\nbest\n");
    assert_eq!(code, Some(1));
    assert!(text.contains("only the moves of the present turn"), "{text}");
}

#[test]
fn tic_tac_toe_is_a_draw_and_its_root_closes() {
    for search in ["minimax", "mcts", "mcts-graph", "best-first"] {
        let replies = json(&["tictactoe", "--search", search], "nodes 3000000\nshow\nlist\nmemory\n");
        assert_eq!(replies[0]["solved"], true, "{search}");
        assert_eq!(replies[0]["score"]["value"], 0);
        assert_eq!(replies[1]["node"]["status"], "closed", "{search}");
        let moves = replies[2]["moves"].as_array().unwrap();
        assert_eq!((moves.len(), moves[0]["best"].as_bool()), (9, Some(true)));
        assert_eq!(moves[0]["score"]["value"], 0);
        assert_eq!(moves[0]["move"], replies[0]["best"]);
        assert!(replies[3]["live"].as_u64() > Some(9), "{search}");
    }
    // A fork: x has 0,0 and 2,2, o has the middle and an edge by mistake.
    let lost = json(&["tictactoe", "--search", "alpha-beta", "--moves", "0,0 0,1"], "nodes 100000\nline\n");
    assert_eq!((&lost[0]["solved"], &lost[0]["score"]["text"]), (&true.into(), &"win in 5".into()));
    assert_eq!(lost[1]["line"], lost[0]["line"]);
}

#[test]
fn here_moves_the_root_and_keeps_the_tree() {
    let script = "nodes 20000\ndown c4\nlist 1\nhere\nnodes 1\nlist 1\ninfo\nup\n";
    let output = debug(&["reversi", "--search", "mcts", "--pool-mb", "16", "--json"], script);
    let replies: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let visits = |reply: &Value| reply["moves"][0]["visits"].as_u64().unwrap();
    assert_eq!(replies[1]["path"], serde_json::json!(["c4"]));
    assert!(visits(&replies[2]) > 100);
    assert_eq!(replies[3]["path"], serde_json::json!([]));
    // The kept visits, plus at most one iteration.
    assert!((visits(&replies[2])..=visits(&replies[2]) + 1).contains(&visits(&replies[5])));
    assert_eq!(replies[6]["moves"], serde_json::json!(["c4"]));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors, "error: line 8: this is the root; undo takes moves back\n");
    assert_eq!(output.status.code(), Some(1));
}

/// Minimax keeps its whole tree, so that a full pool ends it; a search that ends by its budget says nothing.
#[test]
fn a_search_that_a_full_pool_ended_says_so() {
    let output = debug(&["reversi", "--search", "minimax", "--pool-mb", "1"], "nodes 500\nnodes 10000000\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("the pool is full, so the search has ended; --pool-mb N").count(), 1, "{text}");
    let replies = json(&["reversi", "--search", "minimax", "--pool-mb", "1"], "nodes 500\nnodes 10000000\n");
    assert_eq!([&replies[0]["pool_full"], &replies[1]["pool_full"]], [&Value::Null, &true.into()]);
}

#[test]
fn a_narrow_threshold_prunes() {
    let script = "threshold 0\nnodes 3000\nprune\nbest\nlist\nthreshold off\nthreshold\n";
    let replies = json(&["reversi", "--search", "minimax"], script);
    assert!(replies[2]["pruned"].as_u64() > Some(100), "{}", replies[2]);
    let pruned = |reply: &Value| {
        let moves = reply["moves"].as_array().unwrap();
        moves.iter().filter(|m| m["status"] == "pruned").count()
    };
    assert!(pruned(&replies[4]) > 0);
    assert_eq!(replies[6]["threshold"], Value::Null);
    // It contracts with the nodes, and expands where nothing is left to explore.
    let script = "threshold 900 to 100\nthreshold\nnodes 3000\nthreshold\n";
    let replies = json(&["reversi", "--search", "minimax", "--pool-nodes", "40000"], script);
    assert_eq!(replies[0]["contracting_to"], 100);
    // Before the search there is only what will be.
    let next = &replies[1]["next"];
    assert_eq!((&replies[1]["threshold"], &next["contracting_to"]), (&i32::MAX.into(), &100.into()));
    assert!((100..300).contains(&replies[3]["threshold"].as_i64().unwrap()), "{}", replies[3]);
    let script = "threshold 0 expanding\nnodes 3000\nthreshold\n";
    let replies = json(&["reversi", "--search", "minimax", "--param", "depth=3"], script);
    assert!(replies[2]["threshold"].as_i64() > Some(0), "{}", replies[2]);
    let (code, text) = error(&["reversi", "--search", "mcts"], "threshold 3\n");
    assert_eq!(
        (code, text.as_str()),
        (Some(1), "error: line 1: this search doesn't prune siblings; minimax does\n")
    );
}

#[test]
fn seeds_give_the_openings_of_arena_play() {
    let first = json(&["uttt", "--openings", "6", "--seed", "4", "--search", "greedy"], "info\n");
    assert_eq!(first[0]["moves"].as_array().unwrap().len(), 6);
    assert_eq!(first, json(&["uttt", "--openings", "6", "--seed", "4", "--search", "greedy"], "info\n"));
    assert_ne!(first, json(&["uttt", "--openings", "6", "--seed", "5", "--search", "greedy"], "info\n"));
}

#[test]
fn recorded_games_can_be_inspected() {
    let log = recorded("reversi/1.p0.log");
    let all = json(&["reversi", "--search", "greedy", "--replay", &log], "info\nshow\n");
    let moves = all[0]["moves"].as_array().unwrap().clone();
    assert!(moves.len() > 50 && all[1]["scores"].is_null(), "before the last move");
    let other = recorded("reversi/1.p1.log");
    let part = json(&["reversi", "--search", "greedy", "--replay", &other, "--ply", "11"], "info\n");
    assert_eq!(part[0]["moves"].as_array().unwrap()[..], moves[..10]);
    let end = (moves.len() + 2).to_string();
    let ended = json(&["reversi", "--search", "greedy", "--replay", &log, "--turn", &end], "show\n");
    assert_eq!(ended[0]["to_move"], Value::Null);
    assert_eq!(ended[0]["scores"].as_array().map(Vec::len), Some(2));

    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let record = |game: u32, moves: &str| {
        format!(
            r#"{{"game": {game}, "group": 0, "contest": "tictactoe", "seed": 1, "opening": "", "bots": [],
            "run": {{"seed": 1, "openings": "", "first_ms": 1, "later_ms": 1}}, "moves": "{moves}",
            "scores": [0, 0], "ending": "normal", "faults": [], "times_ms": []}}"#
        )
        .replace('\n', " ")
    };
    let json_file = write("1.json", record(1, "0,0 1,1 2,2"));
    let info = json(&["tictactoe", "--replay", &json_file, "--turn", "3"], "info\n");
    assert_eq!(info[0]["moves"], serde_json::json!(["0,0", "1,1"]));
    let games = write("games.jsonl", format!("{}\n{}\n", record(1, "0,0"), record(2, "2,2 1,1")));
    let info = json(&["tictactoe", "--replay", &games, "--game", "2", "--moves", "0,2"], "info\n");
    assert_eq!(info[0]["moves"], serde_json::json!(["2,2", "0,2"]));

    let say = |arguments: &[&str]| error(&[&["tictactoe"], arguments].concat(), "");
    let (code, text) = say(&["--replay", &json_file, "--turn", "5"]);
    assert_eq!(code, Some(1));
    assert!(text.ends_with("1.json: the game has 3 moves, so --ply may be 1 to 4, not 5\n"), "{text}");
    assert!(say(&["--replay", &games]).1.contains("has 2 games: say which with --game N"));
    assert!(say(&["--replay", &games, "--game", "9"]).1.contains("has no game 9; it has games 1 to 2"));
    let cut = write("cut.json", record(1, "")[..40].to_owned());
    assert!(say(&["--replay", &cut]).1.contains("cut.json is not the record of a game"));
    assert!(error(&["uttt", "--replay", &json_file], "").1.contains("is a game of tictactoe, not of uttt"));
}

#[test]
fn errors_name_their_line() {
    let at = |script: &str| error(&["tictactoe"], script);
    let (code, text) = at("show\n\n# fine\nmagic\nshow\n");
    assert_eq!(code, Some(1));
    assert!(
        text.starts_with("error: line 4: unknown command \"magic\"; available: show, position, list"),
        "{text}"
    );
    assert_eq!(at("s").1, "error: line 1: \"s\" could be show, step\n");
    assert!(at("play 0,0 0,0\n")
        .1
        .starts_with("error: line 1: \"0,0\" is not a legal move; expected one of 0,1"));
    assert!(at("down #10\n").1.starts_with("error: line 1: \"#10\" is not a legal move"));
    assert!(at("best\n").1.starts_with("error: line 1: no best child is known"));
    assert!(at("undo\n").1.starts_with("error: line 1: nothing has been played"));
    let (code, text) = error(&["tictactoe", "--search", "magic"], "");
    assert_eq!(code, Some(2));
    assert!(text.starts_with("error: no search \"magic\"; available: bot, alpha-beta"), "{text}");
    let (code, text) = error(&["tictactoe", "--moves", "0,0 9,9"], "");
    assert_eq!(code, Some(2));
    assert!(text.starts_with("error: --moves, move 2: \"9,9\" is not a legal move"), "{text}");
    let script = ["tictactoe", "--script", "no/such/file"];
    assert!(error(&script, "").1.starts_with("error: can't read no/such/file"));
}

#[test]
fn an_interrupt_stops_the_running_search() {
    use std::io::{BufRead, BufReader};
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let mut child = interruptible(&mut command)
        .args(["debug", "reversi", "--search", "alpha-beta"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"info\ntime 3600000\nshow\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "reversi, search alpha-beta");
    lines.next().unwrap().unwrap();
    // An interrupt before the search starts ends the program, which is fine too.
    let pause = || std::thread::sleep(std::time::Duration::from_millis(200));
    pause();
    let status = loop {
        interrupt(&child);
        pause();
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
    };
    assert_eq!(status.code(), Some(130));
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(rest.iter().all(|line| line.ends_with("(interrupted)")) && rest.len() <= 1, "{rest:?}");
}

/// An unfinished solver reports neither a best move nor a line.
#[test]
fn an_unfinished_solver_reports_no_answer() {
    for (contest, nodes) in [("mancala:3,3,0", 1000), ("mancala:6,4,0", 1000), ("mnk:4,4,3", 20)] {
        let script = format!("nodes {nodes}\nline\n");
        let words = [contest, "--search", "solver"];
        let out = text(&words, &script);
        let (first, line) = out.split_once('\n').unwrap();
        assert!(first.starts_with("not solved, depth ") && first.ends_with(" nodes"), "{out}");
        assert_eq!(line, "no line is known from here\n");
        let replies = json(&words, &script);
        let (best, score, solved) = (&replies[0]["best"], &replies[0]["score"], &replies[0]["solved"]);
        assert_eq!((best, score, solved), (&Value::Null, &Value::Null, &false.into()));
    }
    let solved = text(&["mnk:3,3,3", "--search", "solver"], "nodes 1000000\n");
    assert!(solved.starts_with("best ") && solved.ends_with(", solved\n"), "{solved}");
}

/// A move of several words is typed by its name, or as a bot answers it.
#[test]
fn moves_of_several_words_are_played() {
    let output = debug(&["photosynthesis"], "play WAIT\ninfo\nundo\nplay SEED 26 12\ninfo\n");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("SEED_26_12"), "{output:?}");
    let output = debug(&["photosynthesis"], "play SEED 26 99\n");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("is not a legal move of player 0"),
        "{output:?}"
    );
}
