//! The README's bot against every way to answer it: it must never lose.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// The marks of both players, a bit a cell.
type Marks = [u16; 2];

fn has_line(marks: u16) -> bool {
    [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124].iter().any(|line| marks & line == *line)
}

fn free(marks: Marks) -> Vec<u8> {
    (0..9).filter(|cell| (marks[0] | marks[1]) >> cell & 1 == 0).collect()
}

/// One game: the bot sits at `seat`, and the opponent's moves follow from `choices`. Gives both players' marks at the end.
fn game(seat: usize, mut choices: u32) -> Marks {
    let mut bot = Command::new(env!("CARGO_BIN_EXE_mine"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the bot starts");
    let mut input = bot.stdin.take().expect("a pipe");
    let mut output = BufReader::new(bot.stdout.take().expect("a pipe"));
    let (mut marks, mut last) = ([0; 2], "-1 -1".to_owned());
    for turn in 0..9 {
        let cells = free(marks);
        let cell = if turn % 2 == seat {
            let list: String = cells.iter().map(|cell| format!("{} {}\n", cell / 3, cell % 3)).collect();
            write!(input, "{last}\n{}\n{list}", cells.len()).expect("the bot reads");
            let mut answer = String::new();
            output.read_line(&mut answer).expect("the bot answers");
            let numbers: Vec<u8> = answer.split_whitespace().map(|word| word.parse().unwrap()).collect();
            3 * numbers[0] + numbers[1]
        } else {
            let cell = cells[choices as usize % cells.len()];
            choices /= cells.len() as u32;
            last = format!("{} {}", cell / 3, cell % 3);
            cell
        };
        assert!(cells.contains(&cell), "cell {cell} is not free in {marks:?}");
        marks[turn % 2] |= 1 << cell;
        if has_line(marks[turn % 2]) {
            break;
        }
    }
    drop(input);
    assert!(bot.wait().expect("the bot ends").success(), "the end of its input is no failure");
    marks
}

#[test]
fn it_never_loses() {
    for seat in 0..2 {
        for choices in (0..384).step_by(24) {
            let marks = game(seat, choices);
            assert!(!has_line(marks[1 - seat]), "seat {seat}, choices {choices}: lost with {marks:?}");
        }
    }
}
