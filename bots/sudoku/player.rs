//! The bot: reads puzzles and prints solutions until the input ends.

use std::env;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::ExitCode;

use coppice::input::{Input, InputError};
use coppice::search::solutions;
use coppice::Budget;

use super::bands;
use super::grid::Grid;
use super::protocol::{rows, Puzzle, Puzzles, Verdict};
use contest::bot::{self, Output, Settings};

contest::tunables! {
    /// Options of the bot.
    pub struct Numbers {
        /// 1 solves by the engine's single-player search, 0 by bands of candidates, which is faster.
        engine: u32 = 0 in 0..=1,
    }
}

/// Default limit on the guesses of the bands, or the moves of the engine's search. The hardest known puzzles take
/// some thousands; twenty million take some seconds.
const MOST: u64 = 20_000_000;

/// Size of the read and write buffers in bytes, so that a list of puzzles needs few system calls.
const AT_ONCE: usize = 1 << 16;

/// Solves puzzles on standard input and output.
pub fn play() -> ExitCode {
    bot::run(env::args().skip(1), |settings| play_on(io::stdin().lock(), io::stdout().lock(), settings))
}

/// Solves each puzzle of an input. Flushes the answers before it waits for more input.
///
/// # Errors
/// If the input ends within a puzzle or is malformed, if an answer can't be written, or if a puzzle in rows has no
/// solution, for which the protocol has no answer.
pub fn play_on(input: impl Read, output: impl Write, settings: &Settings<Numbers>) -> Result<(), InputError> {
    let mut puzzles = Puzzles::new(Input::new(BufReader::with_capacity(AT_ONCE, input)));
    let mut output = Output(BufWriter::with_capacity(AT_ONCE, output));
    loop {
        if !puzzles.has_line() {
            output.flush()?;
        }
        let puzzle = match puzzles.read() {
            Ok(Some(puzzle)) => puzzle,
            Ok(None) => return Ok(()),
            // Flush the earlier answers first.
            Err(error) => return output.flush().and(Err(error)),
        };
        match puzzle {
            Puzzle::Rows(clues) => match solve(&clues, settings) {
                Verdict::None => return output.flush().and(Err(puzzles.unsolvable())),
                Verdict::Unknown => return output.flush().and(Err(puzzles.given_up())),
                Verdict::One(solution) => output.put(rows(&solution))?,
                Verdict::Several(solution) => {
                    bot::say("the puzzle has more than one solution: this is one of them");
                    output.put(rows(&solution))?;
                }
            },
            Puzzle::Line(Ok(clues)) => output.put(solve(&clues, settings))?,
            Puzzle::Line(Err(reason)) => output.put(format_args!("error {reason}"))?,
        }
    }
}

/// Solves a puzzle.
pub fn solve(clues: &[u8; 81], settings: &Settings<Numbers>) -> Verdict {
    let most = settings.nodes.unwrap_or(MOST);
    let (first, count, is_complete) = if settings.numbers.engine == 1 {
        let found = solutions(&Grid::from(clues), 2, Budget::nodes(most));
        (found.first.map(|grid| grid.digits()), found.count, found.is_complete)
    } else {
        let found = bands::solve(clues, 2, most);
        (found.first, found.count, found.is_complete)
    };
    match (first, count) {
        (Some(first), 2) => Verdict::Several(first),
        (Some(first), _) if is_complete => Verdict::One(first),
        (None, _) if is_complete => Verdict::None,
        _ => Verdict::Unknown,
    }
}
