//! The bot's side: read a turn, search, answer.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Instant;

use coppice::input::{Input, InputError};
use coppice::Search;

use super::Turns;
use crate::bot::{self, Output, Settings};
use crate::tunable::Tunables;

/// Plays a game on standard input and output with the search that `make` builds.
pub fn play<G: Turns, S: Search<G>, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(|settings| play_on(io::stdin().lock(), io::stdout().lock(), settings, make))
}

/// Plays a game over any input and output.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_on<G: Turns, S: Search<G>, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>) -> S,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let mut output = Output(output);
    let mut clock = settings.clock(G::FIRST, G::LATER);
    let mut game = G::start();
    let me = game.read_init(&mut input)?;
    // A referee may send the first lines long before the first turn, or together with it.
    let mut started = input.wait()?;
    // Build the search only now, so that allocating its memory counts as part of the first turn.
    let mut search = make(settings);
    loop {
        game.read_turn(me, &mut input)?;
        let mut list = G::Moves::default();
        game.moves(&mut list);
        let best = match list[..] {
            [] => return Err(input.malformed("a turn with a legal move")),
            [only] => only,
            [first, ..] => {
                let report = search.search(&game, settings.budget(&mut clock, started));
                bot::say_report(&report);
                report.best.unwrap_or(first)
            }
        };
        clock.answered(Instant::now());
        output.line(game.write_answer(best))?;
        game.play(best);
        started = input.wait()?;
    }
}
