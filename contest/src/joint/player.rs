//! The bot's side: read a turn, search, answer.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use coppice::input::{Input, InputError};
use coppice::search::{JointReport, JointSearch};
use coppice::{Joint, Report, Score};

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
        let best = bot::choose(&list, || report(search.search(game, me, budget)));
        let best = best.ok_or_else(|| input.malformed("a turn with a legal move"))?;
        Ok(game.write_answer(me, best))
    })
}

/// The report of a search of a [`Game`](coppice::Game) that says the same.
fn report<G: Joint>(report: JointReport<G>) -> Report<G::Move> {
    let JointReport { best, value, nodes, depth, exact, .. } = report;
    Report { best, score: score::<G>(value), nodes, depth, solved: exact, restarted: false }
}

/// Points as a score: in thousandths, or whole where they are more than 900, the most that a score holds.
pub(super) fn score<G: Joint>(points: f64) -> Score {
    let unit = if G::MAX_POINTS <= Score::MAX_ESTIMATE / 1000 { 1000.0 } else { 1.0 };
    Score::estimate((points * unit).round() as i32)
}
