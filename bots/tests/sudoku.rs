//! Tests the real bot as a process: puzzles in both formats, and malformed input.

use std::io::Write;
use std::process::{Command, Stdio};

const SUDOKU: &str = env!("CARGO_BIN_EXE_sudoku");

const PUZZLE: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Runs the bot; returns its answers, its stderr and its exit status.
fn solve(arguments: &[&str], input: &[u8]) -> (String, String, Option<i32>) {
    let mut child = Command::new(SUDOKU)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the bot starts");
    // The bot may exit before it has read all input.
    let _ = child.stdin.take().expect("its input").write_all(input);
    let output = child.wait_with_output().expect("its output");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

fn rows(grid: &str) -> String {
    (0..9).map(|row| grid[9 * row..9 * row + 9].to_owned() + "\n").collect()
}

#[test]
fn rows_are_answered_by_rows() {
    for engine in ["engine=0", "engine=1"] {
        let given = rows(PUZZLE) + &rows(PUZZLE).replace('0', ".").replace('\n', "\r\n");
        let (answers, said, status) = solve(&["--param", engine], given.as_bytes());
        assert_eq!((answers, said.as_str(), status), (rows(SOLUTION) + &rows(SOLUTION), "", Some(0)));
    }
    // The last line may lack a newline.
    assert_eq!(solve(&[], rows(PUZZLE).trim_end().as_bytes()).0, rows(SOLUTION));
}

#[test]
fn a_list_has_a_line_for_each_line() {
    let empty = "0".repeat(81);
    let twice = "11".to_owned() + &"0".repeat(79);
    let list = format!(
        "# a list\n{PUZZLE}\n\n{empty}\n{twice}\n{}\n{PUZZLE}1\nfive\n{}",
        &PUZZLE[..80],
        PUZZLE.replace('0', ".")
    );
    for engine in ["engine=0", "engine=1"] {
        let (answers, _, status) = solve(&["--param", engine], list.as_bytes());
        let lines: Vec<&str> = answers.lines().collect();
        let (one, others) = lines[1].split_at(81);
        assert!(!one.contains('0') && others == " not the only one", "{}", lines[1]);
        assert_eq!((lines[0], lines[6]), (SOLUTION, SOLUTION));
        assert_eq!(
            lines[2..6],
            [
                "no solution",
                "error a grid has 81 cells, not 80",
                "error a grid has 81 cells, not 82",
                "error 'f' is neither a digit nor a dot"
            ]
        );
        assert_eq!((lines.len(), status), (7, Some(0)));
    }
    // In a list a line of nine cells is not a row.
    let (answers, _, status) = solve(&[], format!("{PUZZLE}\n53007000a\n123456789\n{PUZZLE}\n").as_bytes());
    let no_puzzles = ["error 'a' is neither a digit nor a dot", "error a grid has 81 cells, not 9"];
    assert_eq!(answers.lines().collect::<Vec<_>>(), [SOLUTION, no_puzzles[0], no_puzzles[1], SOLUTION]);
    assert_eq!(status, Some(0));
    let (given_up, ..) = solve(&["--nodes", "1"], (".".repeat(81) + "\n").as_bytes());
    assert_eq!(given_up, "given up\n");
}

#[test]
fn rows_that_are_no_puzzle_end_it_with_a_reason() {
    let twice = rows(&("11".to_owned() + &"0".repeat(79)));
    let short = rows(PUZZLE).replacen("600195000", "60019500", 1);
    let letters = rows(PUZZLE).replacen("600195000", "6001x5000", 1);
    for (input, reason) in [
        (twice.as_str(), "input line 9: expected a puzzle with a solution"),
        (
            &short,
            "input line 2: expected a row of nine digits, 0 or . where a cell is empty, found \"60019500\"",
        ),
        (&letters, "expected a row of nine digits"),
        (&rows(PUZZLE)[..30], "eight more rows after the first"),
    ] {
        let (answers, said, status) = solve(&[], (rows(PUZZLE) + input).as_bytes());
        assert!(said.contains(&reason.replace("line 9", "line 18").replace("line 2", "line 11")), "{said}");
        assert_eq!((answers, status), (rows(SOLUTION), Some(1)), "what was solved before is not lost");
    }
    assert_eq!(solve(&[], b"").2, Some(0), "no puzzles are no fault");
    assert_eq!(solve(&[], b"\xff\xfe\n").2, Some(1));
}
