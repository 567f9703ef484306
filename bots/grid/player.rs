//! A bot's game: read a turn, think, answer. The board is the bot's own affair: it is told moves only.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::{Clock, Search};

use super::protocol::{read_turn, write_answer};
use super::Grid;
use crate::bot::{self, Output, Settings};
use crate::tunable::Tunables;

/// The platform's limits.
pub const FIRST: Duration = Duration::from_millis(1000);
/// For every answer after the first.
pub const LATER: Duration = Duration::from_millis(100);

/// Kept back of each limit, as in Othello, where it was measured.
const RESERVE: Duration = Duration::from_millis(25);

/// Plays a game on standard input and output with the search that `make` gives.
pub fn play<G: Grid, S: Search<G>, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(|settings| attend(io::stdin().lock(), io::stdout().lock(), settings, make))
}

/// Plays a game for a referee wherever it is.
///
/// # Errors
/// Why it ended; [`InputError::Ended`] if the input did.
pub fn attend<G: Grid, S: Search<G>, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>) -> S,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let mut output = Output(output);
    let mut clock = Clock::new(FIRST, LATER, RESERVE);
    let mut game = G::START;
    let mut started = input.wait()?;
    // Only now: what it takes to get the memory is part of the first turn.
    let mut search = make(settings);
    loop {
        let turn = read_turn::<G, _>(&mut input)?;
        for &m in turn.opening.iter().chain(&turn.opponent) {
            let mut list = G::Moves::default();
            game.moves(&mut list);
            if !list.contains(&m) {
                return Err(input.malformed("a turn after legal moves"));
            }
            game.play(m);
        }
        let best = match turn.actions[..] {
            [only] => only,
            _ => {
                let report = search.search(&game, settings.budget(&mut clock, started));
                bot::say(format_args!(
                    "depth {}, score {}, {} nodes",
                    report.depth, report.score, report.nodes
                ));
                report.best.filter(|best| turn.actions.contains(best)).unwrap_or_else(|| {
                    bot::say("the listed moves are not those of the rules; taking the first");
                    turn.actions[0]
                })
            }
        };
        output.line(write_answer::<G>(best))?;
        game.play(best);
        started = input.wait()?;
    }
}
