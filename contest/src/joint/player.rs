//! The bot's side: read a turn, search, answer.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Instant;

use coppice::input::{Input, InputError};
use coppice::search::JointSearch;
use coppice::{Joint, Player};

use super::JointTurns;
use crate::bot::{self, Output, Settings};
use crate::tunable::Tunables;

/// Plays a game on standard input and output with the search that `make` builds.
pub fn play<G: JointTurns, S: JointSearch<G>, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(|settings| {
        play_on(io::stdin().lock(), io::stdout().lock(), settings, |settings, _| make(settings))
    })
}

/// Plays a game over any input and output. `make` builds the search once the first lines have been read; it gets the
/// position as far as they tell it.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_on<G: JointTurns, S: JointSearch<G>, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>, &G) -> S,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let mut output = Output(output);
    let mut clock = settings.clock(G::FIRST, G::LATER);
    let mut game = G::start(0);
    let me = game.read_init(&mut input)?;
    // A referee may send the first lines long before the first turn, or together with it.
    let mut started = input.wait()?;
    // Build the search only now, so that allocating its memory counts as part of the first turn.
    let mut search = make(settings, &game);
    loop {
        game.read_turn(me, &mut input)?;
        let best = match listed(&game, me)[..] {
            [] => return Err(input.malformed("a turn with a legal move")),
            [only] => only,
            [first, ..] => {
                let report = search.search(&game, me, settings.budget(&mut clock, started));
                bot::say(format_args!(
                    "depth {}, value {:.3}, {} nodes",
                    report.depth, report.value, report.nodes
                ));
                report.best.unwrap_or(first)
            }
        };
        clock.answered(Instant::now());
        output.line(game.write_answer(me, best))?;
        started = input.wait()?;
    }
}

fn listed<G: Joint>(game: &G, player: Player) -> G::Moves {
    let mut list = G::Moves::default();
    game.moves(player, &mut list);
    list
}
