//! The bot: evolution of plans, the others' first; reads a turn, follows the race, answers.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use contest::bot::{self, Settings};
use contest::tunable::Tunables;
use coppice::input::{Input, InputError};
use coppice::search::{Evolve, EvolveOptions, JointSearch};
use coppice::{Budget, Clock, Player};

use super::plans::{Numbers, Plans};
use super::pod::{Order, Steer};
use super::protocol::{read_init, read_turn, write_answer, FIRST};
use super::race::Race;
use super::track::Track;
use super::tracked::Tracked;

/// The time that the bot plans with: 6 % less are 93 % of the platform's limit. The usual 6 % of 75 ms, 4.5 ms, are less
/// than the 5.3 ms for which a virtual machine was seen to stand still.
const PLANNED: Duration = Duration::from_millis(74);
/// Factor on a node budget for the first turn, which also has more time.
const FIRST_NODES: u64 = 12;

/// A team's choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The orders of both pods.
    pub orders: [Order; 2],
    /// Value of the race, in units of the map.
    pub value: f64,
    /// Nodes searched.
    pub nodes: u64,
    /// Turns looked ahead.
    pub depth: u32,
}

/// A player of a team, whose pods are 0 and 1.
pub trait Pilot {
    /// The orders of a turn.
    fn choose(&mut self, race: &Race, budget: Budget) -> Choice;
}

/// A pilot that plans by evolution.
#[derive(Debug, Clone)]
pub struct Planner {
    search: Evolve<Race, Plans>,
}

impl Planner {
    /// A pilot for a track, whose random numbers follow from `seed`.
    pub fn new(track: &Track, numbers: &Numbers, seed: u64) -> Planner {
        let options = EvolveOptions {
            seed,
            population: numbers.population as usize,
            horizon: numbers.horizon as usize,
            elite: 2,
            tournament: 3,
            mutation: numbers.mutation as u16,
            discount: 1.0,
            theirs: numbers.theirs,
            their_nodes: numbers.their_nodes.into(),
        };
        Planner { search: Evolve::new(Plans::new(track, *numbers), options) }
    }
}

impl Pilot for Planner {
    fn choose(&mut self, race: &Race, budget: Budget) -> Choice {
        let report = self.search.search(race, Player::FIRST, budget);
        let choices = self.search.choices();
        let steers = [0, 1].map(|i| choices.of(Player::new(i)).unwrap_or_default());
        Choice::new(race, steers, report.value, report.nodes, report.depth)
    }
}

/// Half of a budget, of time or of nodes: for searches that answer for one pod at a time.
pub fn half(budget: Budget) -> Budget {
    budget.share(1, 2)
}

impl Choice {
    /// Orders that follow those of a search.
    pub fn new(race: &Race, steers: [Steer; 2], value: f64, nodes: u64, depth: u32) -> Choice {
        let orders = [0, 1].map(|i: usize| race.pods[i].order(steers[i]));
        Choice { orders, value, nodes, depth }
    }
}

/// A pilot and the race as it follows it.
#[derive(Debug, Clone)]
pub struct Team<P> {
    pilot: P,
    tracked: Tracked,
    has_begun: bool,
}

impl<P: Pilot> Team<P> {
    /// A pilot on a track.
    pub fn new(track: Track, pilot: P) -> Team<P> {
        Team { pilot, tracked: Tracked::new(track), has_begun: false }
    }

    /// Takes in a turn and chooses. A budget of nodes is larger in the first turn.
    ///
    /// # Errors
    /// If the input ends or is malformed.
    pub fn turn<R: BufRead>(&mut self, input: &mut Input<R>, budget: Budget) -> Result<Choice, InputError> {
        let told = read_turn(input, &self.tracked.track())?;
        let budget = match budget.deadline() {
            None if !self.has_begun => budget.with_nodes(budget.max_nodes().saturating_mul(FIRST_NODES)),
            _ => budget,
        };
        self.has_begun = true;
        self.tracked.see(&told);
        let choice = self.pilot.choose(self.tracked.assign(), budget);
        self.tracked.order(choice.orders);
        Ok(choice)
    }
}

impl<P> Team<P> {
    /// Chooses the orders.
    pub fn pilot(&self) -> &P {
        &self.pilot
    }

    /// Takes in a turn in which somebody else chooses.
    ///
    /// # Errors
    /// If the input ends or is malformed.
    pub fn observe<R: BufRead>(&mut self, input: &mut Input<R>) -> Result<(), InputError> {
        let told = read_turn(input, &self.tracked.track())?;
        self.has_begun = true;
        self.tracked.see(&told);
        Ok(())
    }
}

impl<P: Pilot + ?Sized> Pilot for Box<P> {
    fn choose(&mut self, race: &Race, budget: Budget) -> Choice {
        (**self).choose(race, budget)
    }
}

/// Races on standard input and output.
pub fn play() -> ExitCode {
    bot::run(env::args().skip(1), |settings: &Settings<Numbers>| {
        play_on(io::stdin().lock(), io::stdout().lock(), settings, |track, settings| {
            Planner::new(track, &settings.numbers, settings.seed)
        })
    })
}

/// Races over any input and output.
///
/// # Errors
/// The reason the race ended; [`InputError::Ended`] if the input did.
pub fn play_on<T: Tunables, P: Pilot>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    pilot: impl FnOnce(&Track, &Settings<T>) -> P,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let track = read_init(&mut input)?;
    let (clock, make) = (Clock::new(FIRST, PLANNED), || Team::new(track, pilot(&track, settings)));
    bot::play_turns(input, output, settings, clock, make, |team, input, budget| {
        let Choice { orders, value, nodes, depth } = team.turn(input, budget)?;
        bot::say_search(depth, value.round(), nodes);
        Ok(write_answer(orders))
    })
}
