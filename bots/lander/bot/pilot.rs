//! The pilot interface, and the loop that reads a turn, searches and answers.

use std::fmt;
use std::io::{BufRead, Write};
use std::time::Instant;

use coppice::input::{Input, InputError};
use coppice::Budget;
#[cfg(not(bundled))]
use coppice::Score;

use super::exact_state::Tracked;
use super::protocol::{read_init, read_turn, write_answer, FIRST, LATER};
use crate::lander::physics::flight::{Lander, Order};
use crate::lander::physics::ground::Ground;
use contest::bot::{self, Output, Settings};
#[cfg(not(bundled))]
use contest::session::LineTree;
use contest::tunable::Tunables;

/// A player that flies over one ground.
pub trait Pilot: fmt::Display {
    /// The next order. Called once a turn, with the lander's exact state.
    fn order(&mut self, lander: &Lander, budget: Budget) -> Order;

    /// What its last search has seen; `None` before the first.
    #[cfg(not(bundled))]
    fn seen(&self) -> Option<Seen>;

    /// The tree of its search; `None` if it keeps none, as by default.
    #[cfg(not(bundled))]
    fn tree(&self) -> Option<LineTree> {
        None
    }
}

/// What a search has seen.
#[cfg(not(bundled))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// The expected score, in the pilot's own units.
    pub score: Score,
    /// Nodes visited.
    pub nodes: u64,
    /// Seconds of flight looked ahead.
    pub depth: u32,
}

/// Flies over any input and output. After each answer it writes the pilot's `Display` text to standard error.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_on<T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    pilot: impl for<'g> FnOnce(&'g Ground, &Settings<T>) -> Box<dyn Pilot + 'g>,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let mut output = Output(output);
    let mut clock = settings.clock(FIRST, LATER);
    let ground = read_init(&mut input)?;
    // A referee may send the init lines long before the first turn, or together with it.
    let mut started = input.wait()?;
    let mut pilot = pilot(&ground, settings);
    let mut state = Tracked::default();
    loop {
        let lander = state.check(read_turn(&mut input)?);
        let order = pilot.order(&lander, settings.budget(&mut clock, started));
        bot::say(&pilot);
        clock.answered(Instant::now());
        output.line(write_answer(order))?;
        state.expect(lander, order);
        started = input.wait()?;
    }
}
