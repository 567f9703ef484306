//! `arena view`: pages of games that were played, imported, or refereed by another program.

use std::fs;
use std::path::Path;

use contest::Contest;

use crate::outside::arena;

/// The standard output of a command that succeeds.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = arena(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// A page that was written.
fn page(folder: &Path, arguments: &[&str]) -> String {
    let name = printed(folder, arguments);
    fs::read_to_string(folder.join(name.trim())).expect("the page")
}

/// A game of tic-tac-toe between two searches, as logs.
fn played(folder: &Path) {
    let output = arena(
        folder,
        &["play", "tictactoe", "in:alpha-beta --nodes 50", "in:random", "--games", "1", "--log-dir", "games"],
    );
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_game_is_shown_turn_by_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    played(folder.path());
    let page = page(folder.path(), &["view", "games/1.json", "--compare", "in:alpha-beta --nodes 50"]);
    let turns = page.matches("<li class=\"turn\" id=\"turn=").count();
    assert!((5..=9).contains(&turns), "{turns} turns");
    assert!(
        page.contains("arena debug tictactoe --search alpha-beta --pool-mb 8 --replay &#x2f;"),
        "a command for each turn, with the search that was asked"
    );
    // Marked turns have lines, each of whose moves leads to its position.
    let lengths = page.split("\"lines\":[").nth(1).and_then(|rest| rest.split("]],").next());
    let numbers = lengths.expect("lines").split(|c: char| !c.is_ascii_digit());
    let steps = numbers.filter_map(|number| number.parse::<usize>().ok()).sum::<usize>();
    assert!(steps > 0 && page.contains("<b>better:</b>"), "{page}");
    assert_eq!(page.matches("&amp;step=").count(), steps);
    assert!(page.contains("\\nlist 5\\nline\\n&#x27; | arena debug"), "{page}");
    assert!(page.contains("depth ") && page.contains("nodes "), "what the searches themselves said");
    assert!(page.contains("[\"l\","), "the marks are drawn");
    assert!(page.trim_end().ends_with("</html>"));
}

#[test]
fn a_game_is_printed_as_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = r#"{"format": 1, "contest": "tictactoe", "bots": [{"name": "old", "command": "./old"},
        {"name": "new", "command": "./new"}], "seed": 1, "moves": "1,1 0,0 2,1 0,2 0,1", "scores": [1, 0]}"#;
    fs::write(folder.path().join("7.json"), record).expect("a record");
    let text = |more: &[&str]| printed(folder.path(), &[&["view", "7.json", "--text"], more].concat());
    let expected = "old beat new, 1 to 0: 7.json
seat 0 is old (./old)
seat 1 is new (./new)

...
...
...
x to move
turn 1, old: 1,1

...
.x.
...
o to move
turn 2, new: 0,0

o..
.x.
...
x to move
turn 3, old: 2,1

o..
.x.
.x.
o to move
turn 4, new: 0,2

o.o
.x.
.x.
x to move
turn 5, old: 0,1

oxo
.x.
.x.
o to move
old 1 point, new 0 points
";
    assert_eq!(text(&[]), expected);
    assert_eq!(text(&["--turn", "2"]), "...\n.x.\n...\no to move\nturn 2, new: 0,0\n");
}

#[test]
fn the_text_of_a_turn_has_the_moves_of_its_round_in_words() {
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/logs/photosynthesis/1.p0.log");
    let text = |turn: &str| printed(Path::new("."), &["view", log, "--text", "--turn", turn]);
    let moves = "turn 3 (round 2), seat 0: seed from 21 to 9\nturn 4 (round 2), seat 1: seed from 30 to 29\n";
    let third = text("3");
    assert!(third.ends_with(moves) && third.starts_with("      .1  ##  .1  .1\n"), "{third}");
    assert_eq!(text("4"), third);
}

#[test]
fn standard_error_is_shown_at_its_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a log");
    fs::create_dir(folder.path().join("tictactoe")).expect("a folder");
    let (first, second) = ("-1 -1", "1 1");
    let list = |cells: &[(u8, u8)]| cells.iter().map(|(r, c)| format!("> {r} {c}\n")).collect::<String>();
    let all: Vec<(u8, u8)> = (0..3).flat_map(|row| (0..3).map(move |column| (row, column))).collect();
    let rest: Vec<(u8, u8)> = all.iter().copied().filter(|&cell| cell != (1, 1)).collect();
    log(
        "tictactoe/1.p0.log",
        &format!(
            "> {first}\n> 9\n{}< 1 1\n! depth 3, score 7, 90 nodes\n! @fc red 1 2 3\n! </script>\n",
            list(&all)
        ),
    );
    log("tictactoe/1.p1.log", &format!("> {second}\n> 8\n{}< 0 0\n", list(&rest)));
    let page = page(folder.path(), &["view", "tictactoe/1.p0.log", "-o", "page.html"]);
    assert!(page.contains("depth 3, nodes 90, score 7"), "the numbers of the turn");
    assert!(page.contains("[\"C\",1,2,3,\"red\",1]"), "what it drew");
    assert!(page.contains("cut off"), "the game isn't over, which is said");
    assert_eq!(page.matches("</script>").count(), 2, "what bots write is text");
}

#[test]
fn a_game_of_another_contest_is_shown_from_its_referees_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = r#"{"outputs": {"0": ["MOVE 1\n", null], "1": [null, "WAIT\n"]}, "errors": {"0": ["[TDATA] size = 4\n", null],
        "1": [null, "thinking"]}, "summaries": ["", "B waits"], "scores": {"0": 3, "1": 5}}"#;
    fs::write(folder.path().join("7.referee.json"), file).expect("a file");
    let page = page(folder.path(), &["view", "7.referee.json"]);
    for text in ["MOVE 1", "size 4", "thinking", "B waits", "seat 1 5 points"] {
        assert!(page.contains(text), "{text}");
    }
}

/// The command of the losing turn, run, says what the page says that the search said.
/// The example of docs/referees.md, with dialogues of a contest that nobody has.
#[test]
fn a_template_draws_boards_from_what_bots_were_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let document = include_str!("../../../../docs/referees.md");
    let (_, example) = document.split_once("### A board\n").expect("the section");
    let (_, example) = example.split_once("```toml\n").expect("the example");
    let (example, _) = example.split_once("```").expect("its end");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("arena.toml", example);
    write(
        "1.p0.log",
        "> 4 2\n> #...\n> ..#.\n> 2\n> 7 1 1 0 A\n> 8 0 3 1 B\n< EAST\n> #...\n> ..#.\n> 0\n< WAIT\n",
    );
    write("1.p1.log", "> 4 2\n> #...\n> ..#.\n> 1\n> 7 0 1 zero A\n< WEST\n");
    let shown = page(folder.path(), &["view", "1.p0.log"]);
    let discs = |colour: &str| shown.matches(&format!(",0.38,\"{colour}\"]")).count();
    assert_eq!((discs("s0"), discs("s1")), (1, 1), "{shown}");
    assert_eq!(shown.matches(",0.96,0.96,\"shade\"]").count(), 2, "{shown}");
    let note = "turn 2 has no board: its input doesn&#x27;t fit [board] of arena.toml: line 5: expected a number `y`, found `zero`";
    assert!(shown.contains(note), "{shown}");
    write("arena.toml", &example.replace("\"units\", ", ""));
    let output = arena(folder.path(), &["view", "1.p0.log"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    let expected = "arena.toml, line 3: board.turn: `units * _ owner x y text`: `units` is neither a number nor a name read before";
    assert!(!output.status.success() && errors.contains(expected), "{errors}");
}

#[test]
fn the_command_of_the_losing_turn_agrees_with_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let bots = ["in:random", "in:alpha-beta --nodes 200"];
    let play = [&["play", "mnk:5,5,4"], &bots[..], &["--games", "1", "--log-dir", "games"]].concat();
    assert!(arena(folder.path(), &play).status.success());
    let page = page(folder.path(), &["view", "games/1.json", "--compare", "in:alpha-beta --nodes 100"]);
    let said = page.split("with 800 nodes the search would play ").nth(1).expect("it was asked again");
    let (best, rest) = said.split_once(" (").expect("a move");
    let score = rest.split(')').next().expect("a score");
    let opens: usize = page.split("\"opens\":").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    let turn = format!("games&#x2f;1.json --ply {opens}<");
    let command = page.lines().find(|line| line.contains(&turn)).expect("its command");
    assert!(
        command.contains("nodes 800") && command.contains("--search alpha-beta --pool-mb 8"),
        "{command}"
    );
    fs::write(folder.path().join("script"), "nodes 800\n").expect("a script");
    let debug = ["debug", "mnk:5,5,4", "--search", "alpha-beta", "--pool-mb", "8", "--script", "script"];
    let at = opens.to_string();
    let output = arena(folder.path(), &[&debug[..], &["--replay", "games/1.json", "--ply", &at]].concat());
    let told = String::from_utf8(output.stdout).expect("text");
    assert!(told.contains(best) && told.contains(score), "{told} / {best} {score}");
}

/// Every contest's bot, as a process, says on stderr what the page draws and judges by.
#[test]
fn what_every_bot_reports_has_a_curve() {
    let folder = tempfile::tempdir().expect("a folder");
    let with_bot = |contest: &&dyn Contest| {
        contest.seats() > 1 && contest.search_list().iter().any(|search| search.name == "bot")
    };
    let contests: Vec<&str> =
        bots_searches::contests().iter().copied().filter(with_bot).map(|contest| contest.name()).collect();
    assert!(["photosynthesis", "podracing"].iter().all(|name| contests.contains(name)), "{contests:?}");
    for name in contests {
        let bot = format!("{} as-bot {name} bot --nodes 20", env!("CARGO_BIN_EXE_arena"));
        let play = ["play", name, &bot, &bot, "--games", "1", "--log-dir", name, "--first-ms", "60000"];
        let output = arena(folder.path(), &[&play[..], &["--later-ms", "60000"]].concat());
        assert!(output.status.success(), "{name}: {output:?}");
        let page = page(folder.path(), &["view", &format!("{name}/1.json")]);
        let numbers = page.matches("score ").count();
        assert!(numbers > 10, "{name}: {numbers} turns with a score");
        assert!(page.contains("<details class=\"chart\""), "{name}: a curve of them");
    }
}

#[test]
fn errors_say_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    played(folder.path());
    for (arguments, reason) in [
        (&["view", "nothing.json"][..], "can't read it"),
        (&["view", "games/1.json", "--compare", "./bot"], "found `./bot`; arena replay GAME --bot CMD"),
        (&["view", "games/1.json", "--compare", "in:nobody"], "no search \"nobody\""),
        (&["view", "games/1.json", "--game", "9"], "no game"),
        (&["view", "games/1.json", "--text", "--turn", "0"], "no turn 0: the last one is "),
        (&["view", "games/1.json", "--turn", "1"], "--text"),
        (&["view", "games/1.json", "-o", "nowhere/page.html"], "nowhere/page.html"),
    ] {
        let output = arena(folder.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(reason), "{arguments:?}: {errors}");
    }
}
