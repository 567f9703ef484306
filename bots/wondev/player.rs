//! Plays a bot's game: read a turn, take in what is seen, search, answer.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use coppice::input::{Input, InputError};
use coppice::{Budget, Game, Report};

use super::action::Action;
use super::belief::Belief;
use super::board::Board;
use super::position::View;
use super::protocol::{read_init, read_turn, Turn};
use contest::bot::{self, Output, Settings};
use contest::tunable::Tunables;

/// The platform's time limit for the first answer.
pub const FIRST: Duration = Duration::from_millis(1000);
/// The platform's time limit for every later answer.
pub const LATER: Duration = Duration::from_millis(50);

/// A search over what the player to move knows.
pub trait Thinker {
    /// The best action.
    fn think(&mut self, view: &View, budget: Budget) -> Report<Action>;
}

/// Plays a game on standard input and output with what `make` builds.
pub fn play<S: Thinker, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(|settings| play_on(io::stdin().lock(), io::stdout().lock(), settings, make))
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
    let mut output = Output(output);
    let mut clock = settings.clock(FIRST, LATER);
    let init = read_init(&mut input)?;
    // A referee may send the init lines long before the first turn, or together with it.
    let mut started = input.wait()?;
    let mut known = Known { view: None };
    let mut thinker = make(settings);
    loop {
        let turn = read_turn(&mut input, init)?;
        let action = known.choose(&mut thinker, &turn, || settings.budget(&mut clock, started));
        clock.answered(Instant::now());
        output.line(action)?;
        started = input.wait()?;
    }
}

/// What the bot knows of the game.
struct Known {
    /// At its last turn, with its action in the belief.
    view: Option<View>,
}

impl Known {
    /// Takes in a turn and answers it. If the referee lists other actions than the rules do, the bot follows the referee.
    fn choose<S: Thinker>(
        &mut self,
        thinker: &mut S,
        turn: &Turn,
        budget: impl FnOnce() -> Budget,
    ) -> Action {
        let mut view = self.next(&turn.seen);
        let action = match turn.actions[..] {
            [] => Action::ACCEPT,
            [only] => only,
            _ => {
                let report = thinker.think(&view, budget());
                bot::say_report(&report);
                let best = report.best.filter(|best| turn.actions.contains(best));
                best.unwrap_or_else(|| {
                    bot::say("the listed actions differ from the rules; playing the first");
                    turn.actions[0]
                })
            }
        };
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
