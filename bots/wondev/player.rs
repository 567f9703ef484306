//! Plays a bot's game: read a turn, take in what is seen, search, answer.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::{Budget, Clock, Game, Report};

use super::action::Action;
use super::belief::Belief;
use super::board::Board;
use super::position::View;
use super::protocol::{read_init, read_turn, Turn};
use contest::bot::{self, Settings};
use contest::tunable::Tunables;

/// The clock of a bot, with the platform's time limits.
pub const CLOCK: Clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(50));

/// A search over what the player to move knows.
pub trait Thinker {
    /// The best action.
    fn think(&mut self, view: &View, budget: Budget) -> Report<Action>;
}

/// Plays a game on standard input and output with what `make` builds.
pub fn play<S: Thinker, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(env::args().skip(1), |settings| play_on(io::stdin().lock(), io::stdout().lock(), settings, make))
}

/// Plays a game over any input and output.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_on<S: Thinker, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>) -> S,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let init = read_init(&mut input)?;
    let make = || (make(settings), Known { view: None });
    bot::play_turns(input, output, settings, CLOCK, make, |(thinker, known), input, budget| {
        Ok(known.choose(thinker, &read_turn(input, init)?, budget))
    })
}

/// The bot's knowledge of the game.
struct Known {
    /// At its last turn, with its action in the belief.
    view: Option<View>,
}

impl Known {
    /// Takes in a turn and answers it. If the referee lists other actions than the rules do, the bot follows the referee.
    fn choose<S: Thinker>(&mut self, thinker: &mut S, turn: &Turn, budget: Budget) -> Action {
        let mut view = self.next(&turn.seen);
        let action = bot::choose(&turn.actions, || thinker.think(&view, budget)).unwrap_or(Action::ACCEPT);
        let seen = view.seen;
        view.belief.act(&seen, action);
        let mut after = seen;
        after.act(action);
        view.seen.points = after.points;
        self.view = Some(view);
        action
    }

    /// The view at a turn: own points and the round are carried on.
    fn next(&mut self, seen: &Board) -> View {
        let mut seen = *seen;
        let mut belief = Belief::new();
        if let Some(last) = self.view.take() {
            seen.points = last.seen.points;
            seen.round = last.seen.round + 1;
            belief = last.belief;
            if last.seen.cells != seen.cells {
                bot::say("the grid has changed; starting afresh");
                belief = Belief::new();
            }
        }
        debug_assert_eq!(seen.to_move().index(), 0);
        belief.observe(&seen);
        View { seen, belief }
    }
}
