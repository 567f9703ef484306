//! Plays a game for as many players as its first turn has.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use contest::bot::{self, Settings};
use contest::lines::player::play_on;
use contest::tunable::Tunables;
use coppice::input::InputError;
use coppice::Search;

use super::board::Board;

/// Makes a search for any number of players.
pub trait Make<T> {
    /// The search for `N` players.
    type Made<const N: usize>: Search<Board<N>>;

    /// Makes it.
    fn make<const N: usize>(settings: &Settings<T>) -> Self::Made<N>;
}

/// Plays a game on standard input and output.
pub fn play<T: Tunables, M: Make<T>>() -> ExitCode {
    bot::run(env::args().skip(1), |settings| {
        play_any::<T, M>(io::stdin().lock(), io::stdout().lock(), settings)
    })
}

/// Plays a game over any input and output.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_any<T: Tunables, M: Make<T>>(
    mut input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
) -> Result<(), InputError> {
    // The turn's first byte is its number of players; it stays in the buffer.
    let first = input.fill_buf().map_err(InputError::Io)?.first().copied();
    match first {
        Some(b'3') => play_on(input, output, settings, M::make::<3>),
        Some(b'4') => play_on(input, output, settings, M::make::<4>),
        _ => play_on(input, output, settings, M::make::<2>),
    }
}
