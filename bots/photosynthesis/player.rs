//! The bot's side: read a turn, search, answer.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Instant;

use contest::bot::{self, Output, Settings};
use contest::tunable::Tunables;
use coppice::input::{Input, InputError};
use coppice::search::JointSearch;
use coppice::Player;

use super::board::{Action, Board};
use super::protocol::{legal, read_init, read_turn, write_answer, FIRST, LATER};

/// Plays a game on standard input and output with the search that `make` builds.
pub fn play<S: JointSearch<Board>, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(|settings| {
        play_on(io::stdin().lock(), io::stdout().lock(), settings, |settings, _| make(settings))
    })
}

/// Plays a game over any input and output. `make` gets the board without trees.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_on<S: JointSearch<Board>, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>, &Board) -> S,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let mut output = Output(output);
    let mut clock = settings.clock(FIRST, LATER);
    let holes = read_init(&mut input)?;
    // A referee may send the first lines long before the first turn, or together with it.
    let mut started = input.wait()?;
    let mut search = make(settings, &Board::empty(holes, 0, 0, [0; 2], [0; 2], [false; 2]));
    loop {
        // The bot is always the first player of the board that it reads.
        let (board, me) = (read_turn(holes, &mut input)?, Player::FIRST);
        // The only action may be to wait.
        let best = match legal(&board, me).len() {
            0 | 1 => Action::Wait,
            _ => {
                let report = search.search(&board, me, settings.budget(&mut clock, started));
                bot::say(format_args!(
                    "depth {}, value {:.2}, {} nodes, {} kept",
                    report.depth, report.value, report.nodes, report.kept
                ));
                report.best.unwrap_or_default()
            }
        };
        clock.answered(Instant::now());
        output.line(write_answer(best))?;
        started = input.wait()?;
    }
}
