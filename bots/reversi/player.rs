//! Plays a bot's game: read a turn, search, answer.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::{Clock, Search};

use super::board::Board;
use super::protocol::{read_init, read_turn};
use contest::bot::{self, Settings};
use contest::tunable::Tunables;

/// The clock of a bot, with the platform's time limits.
pub const CLOCK: Clock = Clock::new(Duration::from_millis(2000), Duration::from_millis(150));

/// Plays a game on standard input and output with the search that `make` builds.
pub fn play<S: Search<Board>, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(env::args().skip(1), |settings| play_on(io::stdin().lock(), io::stdout().lock(), settings, make))
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
    let me = read_init(&mut input)?;
    bot::play_turns(
        input,
        output,
        settings,
        CLOCK,
        || make(settings),
        |search, input, budget| {
            let turn = read_turn(input, me)?;
            Ok(bot::choose(&turn.actions, || search.search(&turn.board, budget)).unwrap_or_default())
        },
    )
}
