//! Plays a bot's game: read a turn, search, answer.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use coppice::input::{Input, InputError};
use coppice::{Budget, Search};

use super::board::Board;
use super::cell::Cell;
use super::protocol::{read_init, read_turn};
use contest::bot::{self, Output, Settings};
use contest::tunable::Tunables;

/// The platform's time limit for the first answer.
pub const FIRST: Duration = Duration::from_millis(2000);
/// The platform's time limit for every later answer.
pub const LATER: Duration = Duration::from_millis(150);

/// Plays a game on standard input and output with the search that `make` builds.
pub fn play<S: Search<Board>, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(|settings| play_on(io::stdin().lock(), io::stdout().lock(), settings, make))
}

/// Plays a game over any input and output.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_on<S: Search<Board>, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>) -> S,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let mut output = Output(output);
    let mut clock = settings.clock(FIRST, LATER);
    let me = read_init(&mut input)?;
    // A referee may send the init lines long before the first turn, or together with it.
    let mut started = input.wait()?;
    // Build the search only now, so that allocating its memory counts as part of the first turn.
    let mut search = make(settings);
    loop {
        let turn = read_turn(&mut input, me)?;
        let budget = settings.budget(&mut clock, started);
        let best = choose(&mut search, &turn.board, &turn.actions, budget);
        clock.answered(Instant::now());
        output.line(best)?;
        started = input.wait()?;
    }
}

/// The search's move if the referee lists it, otherwise the first listed move.
fn choose<S: Search<Board>>(search: &mut S, board: &Board, actions: &[Cell], budget: Budget) -> Cell {
    if let [only] = actions {
        return *only;
    }
    let report = search.search(board, budget);
    bot::say_report(&report);
    match report.best.filter(|best| actions.contains(best)) {
        Some(best) => best,
        None => {
            bot::say("the listed moves differ from the rules; playing the first");
            actions[0]
        }
    }
}
