//! The bot's side: read a turn, search, answer.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use contest::bot::{self, Settings};
use contest::tunable::Tunables;
use coppice::input::{Input, InputError};
use coppice::search::JointSearch;
use coppice::Player;

use super::board::{Action, Board};
use super::protocol::{legal, read_init, read_turn, write_answer, CLOCK};

/// Plays a game on standard input and output with the search that `make` builds.
pub fn play<S: JointSearch<Board>, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(env::args().skip(1), |settings| {
        play_on(io::stdin().lock(), io::stdout().lock(), settings, |settings, _| make(settings))
    })
}

/// Plays a game over any input and output. `make` gets the board without trees.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_on<S: JointSearch<Board>, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>, &Board) -> S,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let holes = read_init(&mut input)?;
    let make = || make(settings, &Board::empty(holes, 0, 0, [0; 2], [0; 2], [false; 2]));
    bot::play_turns(input, output, settings, CLOCK, make, |search, input, budget| {
        // The bot is always the first player of the board that it reads.
        let (board, me) = (read_turn(holes, input)?, Player::FIRST);
        // The only action may be to wait.
        if legal(&board, me).len() < 2 {
            return Ok(write_answer(Action::Wait));
        }
        let report = search.search(&board, me, budget);
        // In thousandths of a point.
        bot::say_search(report.depth, (1000.0 * report.value).round(), report.nodes);
        Ok(write_answer(report.best.unwrap_or_default()))
    })
}
