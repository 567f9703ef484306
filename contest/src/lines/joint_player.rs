//! The bot's side of a [`Joint`]: read a turn, search, answer. Apart from [`player`](super::player), so that no bundle
//! contains both engine traits.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use coppice::input::{Input, InputError};
use coppice::search::{JointReport, JointSearch};
use coppice::{Choices, Joint, Report};

use super::LineGame;
use crate::bot::{self, Settings};
use crate::points::score;
use crate::tunable::Tunables;

/// Plays a game on standard input and output with the search that `make` builds.
pub fn play<G, S, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode
where
    G: Joint + LineGame<G::Move, Choices<G::Move>>,
    S: JointSearch<G>,
{
    bot::run(env::args().skip(1), |settings| {
        play_on(io::stdin().lock(), io::stdout().lock(), settings, |settings, _| make(settings))
    })
}

/// Plays a game over any input and output. `make` builds the search once the first lines have been read; it gets the
/// position as far as they tell it.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_on<G, S, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>, &G) -> S,
) -> Result<(), InputError>
where
    G: Joint + LineGame<G::Move, Choices<G::Move>>,
    S: JointSearch<G>,
{
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
