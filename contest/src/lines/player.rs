//! The bot's side of a [`Game`]: read a turn, search, answer.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use coppice::input::{Input, InputError};
use coppice::{Game, Search};

use super::LineGame;
use crate::bot::{self, Settings};
use crate::tunable::Tunables;

/// Plays a game on standard input and output with the search that `make` builds.
pub fn play<G: Game + LineGame<G::Move>, S: Search<G>, T: Tunables>(
    make: impl FnOnce(&Settings<T>) -> S,
) -> ExitCode {
    bot::run(env::args().skip(1), |settings| play_on(io::stdin().lock(), io::stdout().lock(), settings, make))
}

/// Plays a game over any input and output.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_on<G: Game + LineGame<G::Move>, S: Search<G>, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>) -> S,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let mut game = G::start(0);
    let me = game.read_init(&mut input)?;
    bot::play_turns(
        input,
        output,
        settings,
        G::CLOCK,
        || make(settings),
        |search, input, budget| {
            game.read_turn(me, input)?;
            let mut list = G::Moves::default();
            game.moves(&mut list);
            let best = bot::choose(&list, || search.search(&game, budget));
            let best = best.ok_or_else(|| input.malformed("a turn with a legal move"))?;
            let answer = game.write_answer(me, best);
            game.play(best);
            Ok(answer)
        },
    )
}
