//! Tests the real bot as a process: puzzles in both formats, and malformed input.

use crate::piped::{run, Ended};

const PUZZLE: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn solve(arguments: &[&str], input: &[u8]) -> Ended {
    run(env!("CARGO_BIN_EXE_sudoku"), arguments, input)
}

fn rows_of(grid: &str) -> [&str; 9] {
    std::array::from_fn(|row| &grid[9 * row..9 * row + 9])
}

fn rows(grid: &str) -> String {
    rows_of(grid).map(|row| row.to_owned() + "\n").concat()
}

#[test]
fn rows_are_answered_by_rows() {
    for engine in ["engine=0", "engine=1"] {
        let given = rows(PUZZLE) + &rows(PUZZLE).replace('0', ".").replace('\n', "\r\n");
        let Ended { answers, said, status } = solve(&["--param", engine], given.as_bytes());
        assert_eq!(answers, [rows_of(SOLUTION); 2].concat());
        assert_eq!((said.as_str(), status), ("", Some(0)));
    }
    // The last line may lack a newline.
    assert_eq!(solve(&[], rows(PUZZLE).trim_end().as_bytes()).answers, rows_of(SOLUTION));
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
        let Ended { answers: lines, status, .. } = solve(&["--param", engine], list.as_bytes());
        let (one, others) = lines[1].split_at(81);
        assert!(!one.contains('0') && others == " not the only one", "{}", lines[1]);
        assert_eq!([&*lines[0], &*lines[6]], [SOLUTION; 2]);
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
    let list = format!("{PUZZLE}\n53007000a\n123456789\n{PUZZLE}\n");
    let Ended { answers, status, .. } = solve(&[], list.as_bytes());
    let no_puzzles = ["error 'a' is neither a digit nor a dot", "error a grid has 81 cells, not 9"];
    assert_eq!(answers, [SOLUTION, no_puzzles[0], no_puzzles[1], SOLUTION]);
    assert_eq!(status, Some(0));
    let given_up = solve(&["--nodes", "1"], (".".repeat(81) + "\n").as_bytes());
    assert_eq!(given_up.answers, ["given up"]);
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
        let Ended { answers, said, status } = solve(&[], (rows(PUZZLE) + input).as_bytes());
        assert!(said.contains(&reason.replace("line 9", "line 18").replace("line 2", "line 11")), "{said}");
        assert_eq!(answers, rows_of(SOLUTION), "what was solved before is not lost");
        assert_eq!(status, Some(1));
    }
    assert_eq!(solve(&[], b"").status, Some(0), "no puzzles are no fault");
    assert_eq!(solve(&[], b"\xff\xfe\n").status, Some(1));
}
