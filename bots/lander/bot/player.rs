//! The submitted bot: plans, orders, and replans every turn.

use std::io;
use std::process::ExitCode;

use coppice::Budget;

use super::pilot::{play_on, Pilot};
use crate::lander::physics::flight::{Judging, Lander, Order, LOST};
use crate::lander::physics::ground::Ground;
use crate::lander::solver::planner::{Numbers, Planner, Report};
use contest::bot;

/// Factor on a node budget for the first turn, which also has more time.
const FIRST_NODES: u64 = 12;

/// Plans for landings that are judged by exact speeds.
const STRICT: &str = "--strict";

/// Flies on standard input and output. `--strict` keeps landings within the speed limits before rounding.
pub fn play() -> ExitCode {
    let words = || std::env::args().skip(1);
    let judging = if words().any(|word| word == STRICT) { Judging::Strict } else { Judging::Rounded };
    bot::run(words().filter(|word| word != STRICT), |settings| {
        play_on(io::stdin().lock(), io::stdout().lock(), settings, |ground, settings| {
            let ground = ground.clone().judged(judging);
            Box::new(Navigator::new(&ground, &settings.numbers, settings.seed))
        })
    })
}

/// A planner and its last report.
#[derive(Debug)]
pub struct Navigator {
    planner: Planner,
    report: Option<Report>,
}

impl Navigator {
    /// A navigator that has not seen the lander yet.
    pub fn new(ground: &Ground, numbers: &Numbers, seed: u64) -> Navigator {
        Navigator { planner: Planner::new(ground.clone(), numbers, seed), report: None }
    }

    /// The report of its last search; `None` before the first.
    pub fn report(&self) -> Option<Report> {
        self.report
    }
}

impl Pilot for Navigator {
    fn order(&mut self, lander: &Lander, budget: Budget) -> Order {
        let budget = match (self.report, budget.deadline()) {
            (None, None) => budget.with_nodes(budget.max_nodes().saturating_mul(FIRST_NODES)),
            _ => budget,
        };
        let report = self.planner.think(lander, budget);
        self.report = Some(report);
        report.order
    }

    /// The report, and the plan on a line for viewers that draw it.
    fn say(&self) {
        let Some(Report { seconds, nodes, fuel_left, .. }) = self.report else { return };
        bot::say_search(seconds as u32, fuel_left.unwrap_or(LOST as i32), nodes);
        let plan = self.planner.plan();
        let order = |order: &Order| format!(" {},{}", order.rotate, order.power);
        bot::say("plan".to_owned() + &plan.orders[..plan.len].iter().map(order).collect::<String>());
    }
}
