//! The pilot interface; reads a turn, searches, reports and answers.

use std::io::{BufRead, Write};

use coppice::input::{Input, InputError};
use coppice::Budget;

use super::exact_state::Tracked;
use super::protocol::{read_init, read_turn, write_answer, CLOCK};
use crate::lander::physics::flight::{Lander, Order};
use crate::lander::physics::ground::Ground;
use contest::bot::{self, Settings};
use contest::tunable::Tunables;

/// A player that flies over one ground.
pub trait Pilot {
    /// The next order. Called once a turn, with the lander's exact state.
    fn order(&mut self, lander: &Lander, budget: Budget) -> Order;

    /// Reports its last search on stderr.
    fn say(&self);
}

/// Flies over any input and output.
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
    let ground = read_init(&mut input)?;
    let make = || (pilot(&ground, settings), Tracked::default());
    bot::play_turns(input, output, settings, CLOCK, make, |(pilot, state), input, budget| {
        let lander = state.check(read_turn(input)?);
        let order = pilot.order(&lander, budget);
        pilot.say();
        state.expect(lander, order);
        Ok(write_answer(order))
    })
}
