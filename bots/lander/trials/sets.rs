//! Flies our bot over sets of random terrains by nodes, without processes, and compares the fuel with both lower bounds.
//!
//! `cargo run --release -p lander-trials --example sets -- walls 0 300 10000`: the kind, the first seed, how many, and the
//! nodes a turn; a fifth word is the bot's own seed, 1 by default. Each terrain is [`Terrain::case`] of its seed.
//!
//! `plan` as the first word makes only the first turn's plan, with those nodes, and flies it:
//! `sets -- plan walls 0 300 15000000`. The bot's state is exact, so it flies a plan that lands, or a better one.

use std::io::{self, Write};
use std::process::ExitCode;

use bots::lander::bot::pilot::Pilot;
use bots::lander::bot::player::Navigator;
use bots::lander::physics::flight::Lander;
use bots::lander::physics::ground::Fate;
use bots::lander::solver::planner::{Numbers, Planner};
use bots::lander::tools::cases::case::{Case, Flight};
use bots::lander::tools::cases::terrain::Terrain;
use coppice::Budget;
use lander_trials::bound::{bound, bound_over_ground, Bound};

const USAGE: &str = "expected [plan] KIND FIRST COUNT NODES [SEED], such as: walls 0 300 10000";

/// Which terrains are flown, and how.
struct Set {
    terrain: Terrain,
    first: u64,
    count: u64,
    nodes: u64,
    seed: u64,
    /// Whether the first turn's plan is flown as it is.
    is_plan: bool,
}

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let Some(set) = Set::read(&words) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match set.fly() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("can't write: {error}");
            ExitCode::FAILURE
        }
    }
}

impl Set {
    fn read(words: &[String]) -> Option<Set> {
        let is_plan = words.first()? == "plan";
        let words = &words[usize::from(is_plan)..];
        let terrain = Terrain::named(words.first()?)?;
        let number = |i: usize| words.get(i).and_then(|word| word.parse::<u64>().ok());
        let seed = if words.len() > 4 { number(4)? } else { 1 };
        let (first, count, nodes) = (number(1)?, number(2)?, number(3)?);
        Some(Set { terrain, first, count, nodes, seed, is_plan })
    }

    /// Prints a line for each terrain, then the counts.
    fn fly(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let (mut landed, mut ratios) = (0_u32, [0.0; 2]);
        for seed in self.first..self.first + self.count {
            let case = self.terrain.case(seed);
            let flight = match self.is_plan {
                true => planned(&case, self.nodes, self.seed),
                false => flown(&case, self.nodes, self.seed),
            };
            let used = case.start.fuel - flight.now().fuel;
            let seconds = flight.states.len() - 1;
            if flight.fate == Fate::Landed {
                // A litre more than are used: the bound would show if it were wrong.
                let least = [bound(&case), bound_over_ground(&case, Some(used + 1))].map(litres);
                landed += 1;
                ratios
                    .iter_mut()
                    .zip(least)
                    .for_each(|(sum, least)| *sum += f64::from(used) / f64::from(least));
                writeln!(
                    out,
                    "{}: {seconds} s, used {used}, bounds {} and {}",
                    case.name, least[0], least[1]
                )?;
            } else {
                let is_possible = bound_over_ground(&case, None) != Some(Bound::Impossible);
                let why = if is_possible { "" } else { ", impossible" };
                writeln!(out, "{}: lost after {seconds} s{why}", case.name)?;
            }
        }
        let [free, over_ground] = ratios.map(|sum| sum / f64::from(landed.max(1)));
        writeln!(
            out,
            "{} {} to {}, {} nodes {}, seed {}: landed {landed} of {}; used / bound {free:.3} in the mean, over the \
             ground {over_ground:.3}",
            self.terrain.name(),
            self.first,
            self.first + self.count - 1,
            self.nodes,
            if self.is_plan { "for the first turn's plan" } else { "a turn" },
            self.seed,
            self.count,
        )
    }
}

/// The litres of a bound; 1 without a bound, which no generated terrain has.
fn litres(bound: Option<Bound>) -> i32 {
    match bound {
        Some(Bound::Litres(litres)) => litres.max(1),
        _ => 1,
    }
}

/// The flight by the plan that our bot makes with `nodes` nodes in its first turn.
fn planned(case: &Case, nodes: u64, seed: u64) -> Flight {
    let mut planner = Planner::new(case.ground.clone(), &Numbers::default(), seed);
    planner.think(&Lander::from(case.start), Budget::nodes(nodes));
    case.fly(planner.plan().orders)
}

/// The flight of our bot with `nodes` nodes a turn.
fn flown(case: &Case, nodes: u64, seed: u64) -> Flight {
    let mut pilot = Navigator::new(&case.ground, &Numbers::default(), seed);
    let mut flight = Flight::new(case);
    while flight.fate == Fate::Flying {
        let order = pilot.order(flight.now(), Budget::nodes(nodes));
        flight.fly(&case.ground, order);
    }
    flight
}
