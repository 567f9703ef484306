//! The bot's flight: read a turn, plan, order.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use coppice::input::{Input, InputError};
use coppice::{Budget, Clock};

use super::plan::Plan;
use super::planner::{Numbers, Planner};
use super::protocol::{read_init, read_turn, write_answer, FIRST, LATER, RESERVE};
use super::tracked::Tracked;
use crate::bot::{self, Output, Settings};

/// With a budget of nodes the first turn has so many times as many, as it has of time.
const FIRST_NODES: u64 = 12;

/// Flies on standard input and output.
pub fn play() -> ExitCode {
    bot::run(|settings| attend(io::stdin().lock(), io::stdout().lock(), settings))
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
    // A referee may send the init lines long before the first turn, or together with it.
    let mut started = input.wait()?;
    let mut planner = Planner::new(ground, &settings.numbers, settings.seed);
    let mut state = Tracked::default();
    loop {
        let lander = state.check(read_turn(&mut input)?);
        let mut budget = settings.budget(&mut clock, started);
        if clock.turns() == 1 && settings.nodes.is_some() {
            budget = Budget::nodes(budget.max_nodes().saturating_mul(FIRST_NODES));
        }
        let report = planner.think(&lander, budget);
        output.line(write_answer(report.order))?;
        match report.fuel_left {
            Some(fuel) => {
                let (seconds, nodes) = (report.seconds, report.nodes);
                bot::say(format_args!("lands in {seconds} s with {fuel} l, {nodes} nodes"));
            }
            None => bot::say(format_args!("no landing found, {} nodes", report.nodes)),
        }
        bot::say(line_of(planner.plan()));
        state.expect(lander, report.order);
        started = input.wait()?;
    }
}

/// The plan in a line, for whoever draws it.
fn line_of(plan: &Plan) -> String {
    let mut line = String::from("plan");
    for order in &plan.orders[..plan.len] {
        let _ = write!(line, " {},{}", order.rotate, order.power);
    }
    line
}
