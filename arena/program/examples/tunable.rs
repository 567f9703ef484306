//! A tunable Othello bot: everything that `arena tune` requires of a bot, in any language.
//!
//! With `--tunables` it prints one line per parameter and exits; `--param NAME=VALUE` sets a parameter. The
//! first argument makes it misbehave, for tests: `--lie LINES` prints LINES instead of its parameters,
//! `--refuse` rejects `--tunables`, `--hang` prints nothing and never exits, `--crash` exits in its second
//! turn.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// The lines of `--tunables`: name, kind, value, minimum and maximum.
const TUNABLES: &str = "share, float, 0.25, 0, 1\noffset, int, 2, 0, 9";

fn main() -> io::Result<ExitCode> {
    let words = std::env::args().skip(1).collect::<Vec<_>>();
    let words = words.iter().map(String::as_str).collect::<Vec<_>>();
    let is_asked = words.contains(&"--tunables");
    match words.as_slice() {
        ["--lie", lines, ..] if is_asked => println!("{}", lines.replace(';', "\n")),
        ["--refuse", ..] if is_asked => {
            eprintln!("unknown option --tunables");
            return Ok(ExitCode::from(64));
        }
        ["--hang", ..] if is_asked => loop {
            std::thread::park();
        },
        _ if is_asked => println!("{TUNABLES}"),
        _ => return play(numbers(&words), words.first() == Some(&"--crash")),
    }
    Ok(ExitCode::SUCCESS)
}

/// The parameters' values: defaults, changed by the arguments.
fn numbers(words: &[&str]) -> (f64, usize) {
    let mut numbers = (0.25, 2);
    for pair in words.windows(2).filter(|pair| pair[0] == "--param") {
        match pair[1].split_once('=') {
            Some(("share", value)) => numbers.0 = value.parse().unwrap_or(numbers.0),
            Some(("offset", value)) => numbers.1 = value.parse().unwrap_or(numbers.1),
            _ => {}
        }
    }
    numbers
}

/// Plays the move at the fraction `share` of the list, plus `offset`.
fn play((share, offset): (f64, usize), crashes: bool) -> io::Result<ExitCode> {
    let mut lines = io::stdin().lock().lines();
    let mut next = || lines.next().transpose();
    let (_id, _size) = (next()?, next()?);
    for turn in 1.. {
        for _ in 0..8 {
            if next()?.is_none() {
                return Ok(ExitCode::SUCCESS);
            }
        }
        if crashes && turn == 2 {
            return Ok(ExitCode::from(9));
        }
        let count = next()?.and_then(|line| line.parse().ok()).unwrap_or(0);
        let moves = (0..count).map_while(|_| next().transpose()).collect::<io::Result<Vec<_>>>()?;
        let place = (share * moves.len() as f64) as usize + offset;
        writeln!(io::stdout(), "{}", moves.get(place % moves.len().max(1)).map_or("", String::as_str))?;
    }
    Ok(ExitCode::SUCCESS)
}
