//! The bot's side: read a turn, search, answer.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use coppice::input::{Input, InputError};
use coppice::search::{JointReport, JointSearch};
use coppice::{Joint, Score};

use super::JointTurns;
use crate::bot::{self, Settings};
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
    let mut game = G::start(0);
    let me = game.read_init(&mut input)?;
    let make = || (make(settings, &game), game);
    bot::play_turns(input, output, settings, G::CLOCK, make, |(search, game), input, budget| {
        game.read_turn(me, input)?;
        let mut list = G::Moves::default();
        game.moves(me, &mut list);
        let best = bot::choose(&list, || reported(search.search(game, me, budget)));
        let best = best.ok_or_else(|| input.malformed("a turn with a legal move"))?;
        Ok(game.write_answer(me, best))
    })
}

/// The move of a search whose report it writes to stderr.
pub fn reported<G: Joint>(report: JointReport<G>) -> Option<G::Move> {
    bot::say_search(report.depth, thousandths::<G>(report.value), report.nodes);
    report.best
}

/// Points in thousandths, or as they are where they can be more than a score holds: a whole number.
pub(super) fn thousandths<G: Joint>(points: f64) -> f64 {
    let unit = if G::MAX_POINTS <= Score::MAX_ESTIMATE / 1000 { 1000.0 } else { 1.0 };
    (points * unit).round()
}
