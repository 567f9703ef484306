//! Plays Oware with best-first minimax, by the platform's protocol or by commands.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use bots::oware::strategy::{search, Numbers, BYTES};
use bots::oware::Board;
use contest::bot::{self, Settings};
use contest::{commands, lines};
use coppice::input::InputError;

fn play(mut input: impl BufRead, output: impl Write, settings: &Settings<Numbers>) -> Result<(), InputError> {
    // The first byte stays in the buffer: counts begin with a digit, commands don't.
    let first = input.fill_buf().map_err(InputError::Io)?.first().copied();
    match first.is_some_and(|byte| byte.is_ascii_digit()) {
        true => lines::player::play_on(input, output, settings, |_| search(&settings.numbers, BYTES)),
        false => commands::player::play_on(input, output, settings, |settings, _: &Board, _| {
            search(&settings.numbers, BYTES)
        }),
    }
}

fn main() -> ExitCode {
    bot::run(env::args().skip(1), |settings| play(io::stdin().lock(), io::stdout().lock(), settings))
}
