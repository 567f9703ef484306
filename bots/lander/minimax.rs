//! MiniFrame's player: minimax with siblings pruning, one action a turn.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use coppice::input::{Input, InputError};
use coppice::search::{Minimax, MinimaxOptions, Threshold};
use coppice::{Clock, Search};

use super::descent::{Descent, Grain, ThreeParts};
use super::flight::Order;
use super::protocol::{read_init, read_turn, write_answer, FIRST, LATER, RESERVE};
use super::tracked::Tracked;
use crate::bot::{self, Output, Settings};
use crate::tunables;

/// The original's memory.
pub const BYTES: usize = 10_000_000;

tunables! {
    /// What can be tuned: see [`Grain`] and [`Threshold`].
    pub struct Numbers {
        /// Degrees by which an action changes the lean. With the original's 1 the platform's lander, which has but a
        /// second a turn, takes too long to get upright.
        degrees: u32 = 15 in 1..=15,
        /// Seconds for which the search holds an action.
        seconds: u32 = 1 in 1..=5,
        /// How much worse than its best sibling a position is still explored, in tenths of the evaluation's units.
        threshold: u32 = 300 in 0..=1_000_000,
    }
}

/// Flies on standard input and output.
pub fn play() -> ExitCode {
    bot::run(|settings| attend(io::stdin().lock(), io::stdout().lock(), settings))
}

/// The search with these numbers.
pub fn search<'g>(numbers: &Numbers) -> Minimax<Descent<'g>, ThreeParts> {
    let options = MinimaxOptions {
        threshold: Threshold::Fixed(numbers.threshold as i32),
        // A turn is a second: what was held for longer isn't a position of this search any more.
        keep_tree: numbers.seconds == 1,
        ..MinimaxOptions::default()
    };
    Minimax::new(ThreeParts, BYTES, options)
}

impl Numbers {
    /// How coarse the game is.
    pub fn grain(&self) -> Grain {
        Grain { degrees: self.degrees as i32, seconds: self.seconds }
    }
}

/// Flies for a referee wherever it is.
///
/// # Errors
/// Why it ended; [`InputError::Ended`] if the input did.
pub fn attend(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<Numbers>,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let mut output = Output(output);
    let mut clock = Clock::new(FIRST, LATER, RESERVE);
    let ground = read_init(&mut input)?;
    let mut started = input.wait()?;
    let mut search = search(&settings.numbers);
    let mut state = Tracked::default();
    let mut asked: Option<Order> = None;
    loop {
        let lander = state.check(read_turn(&mut input)?);
        let mut descent = Descent::new(&ground, lander, settings.numbers.grain());
        descent.asked = asked.unwrap_or(descent.asked);
        let report = search.search(&descent, settings.budget(&mut clock, started));
        // Without an action the flight is over by our own reckoning: it goes on as it is.
        let order = report.best.map_or(descent.asked, |action| descent.order(action));
        output.line(write_answer(order))?;
        bot::say(format_args!("depth {}, score {}, {} nodes", report.depth, report.score, report.nodes));
        asked = Some(order);
        state.expect(lander, order);
        started = input.wait()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::case::{Case, Flight};
    use crate::lander::ground::Fate;
    use crate::lander::terrain::Terrain;
    use coppice::Budget;

    fn fly(case: &Case, nodes: u64) -> Flight {
        let numbers = Numbers::default();
        let mut search = search(&numbers);
        let mut flight = Flight::new(case);
        let mut descent = Descent::new(&case.ground, *flight.now(), numbers.grain());
        while flight.fate == Fate::Flying {
            let action = search.search(&descent, Budget::nodes(nodes)).best.expect("an action");
            let order = descent.order(action);
            descent.fly(order);
            flight.fly(&case.ground, order);
        }
        flight
    }

    #[test]
    fn it_lands_on_gentle_terrains() {
        for seed in 1000..1003 {
            assert_eq!(fly(&Terrain::Gentle.case(seed), 2000).fate, Fate::Landed, "{seed}");
        }
    }

    /// MiniFrame's table: 100 of 100.
    #[test]
    #[ignore = "half a minute in release"]
    fn it_lands_on_a_hundred_gentle_terrains() {
        let landed = (1000..1100).filter(|&seed| fly(&Terrain::Gentle.case(seed), 5000).fate == Fate::Landed);
        assert_eq!(landed.count(), 100);
    }
}
