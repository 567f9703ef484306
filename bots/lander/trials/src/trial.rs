//! Runs one flight with a bot.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bots::lander::physics::flight::{Judging, Order};
use bots::lander::physics::ground::Fate;
use bots::lander::tools::cases::case::{Case, Flight};
use bots::lander::tools::contest::{read_moves, LanderContest};
use contest::{Allowance, Contest, Limits, Setup};

use super::bound::{bound, Bound};
use coppice_arena::subcommand::interrupted;
use coppice_arena::{
    play, Bot, CommandLine, FaultReport, GameError, Log, Player, Process, SeriesError, StartError, Usage,
};

/// Placeholder for the number of the run in a bot's command line.
const SEED: &str = "{seed}";

/// A case with its bound, which is worked out once and only if somebody asks.
#[derive(Debug)]
pub struct Course {
    /// The case.
    pub case: Case,
    bound: OnceLock<Option<Bound>>,
}

impl Course {
    /// A case to be flown.
    pub fn new(case: Case) -> Self {
        Self { case, bound: OnceLock::new() }
    }

    /// The least fuel a landing takes, if that is known.
    pub fn bound(&self) -> Option<Bound> {
        *self.bound.get_or_init(|| bound(&self.case))
    }
}

/// How flights are refereed.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The time for answers.
    pub limits: Limits,
    /// Limits of a flight.
    pub allowance: Allowance,
}

/// A flight to be made: bot, case and run.
#[derive(Debug, Clone)]
pub struct Task {
    /// The case.
    pub course: Arc<Course>,
    /// The bot's letter.
    pub bot: String,
    /// Command line; `{seed}` stands for the run's number.
    pub command: String,
    /// The run's number, from 1.
    pub run: u32,
}

/// The result of a flight.
#[derive(Debug)]
pub struct FlightResult {
    /// Bot, case and run.
    pub task: Task,
    /// The way.
    pub flight: Flight,
    /// The bot's fault, if any.
    pub fault: Option<FaultReport>,
    /// How long its answers took.
    pub times: Vec<Duration>,
    /// Processor time and memory used.
    pub usage: Usage,
    /// The bot's plans, one a turn, as far as it printed them.
    pub plans: Vec<Vec<Order>>,
    /// The dialogue with the bot.
    pub dialogue: Log,
    /// The least fuel a landing takes.
    pub bound: Option<Bound>,
}

impl Task {
    /// The bot's command line in this run.
    ///
    /// # Errors
    /// If it can't be split.
    pub fn line(&self) -> Result<CommandLine, SeriesError> {
        Ok(CommandLine::parse(&self.command.replace(SEED, &self.run.to_string()))?)
    }

    /// Flies with a fresh process.
    ///
    /// # Errors
    /// If the bot can't be started, or after an interrupt.
    pub fn fly(self, rules: &Rules) -> Result<FlightResult, SeriesError> {
        if interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let line = self.line()?;
        let process = Process::start_within(&line, rules.allowance)
            .map_err(|source| StartError::new(self.bot.clone(), &line, source))?;
        self.fly_with(Box::new(process), rules)
    }

    /// Flies with a bot that is there already.
    ///
    /// # Errors
    /// After an interrupt.
    pub fn fly_with(self, bot: Box<dyn Bot>, rules: &Rules) -> Result<FlightResult, SeriesError> {
        let case = &self.course.case;
        let setup = Setup { seed: 0, opening_plies: 0, limits: rules.limits };
        let mut referee = LanderContest::of(case.clone()).new_game(setup);
        let mut players = [Player { name: self.bot.clone(), bot }];
        let played = play(referee.as_mut(), &mut players, rules.limits, Duration::ZERO)?;
        let flight = case.fly(read_moves(&played.moves).unwrap_or_default());
        let plans = players[0].bot.plans().iter().map(|plan| read_moves(plan).unwrap_or_default()).collect();
        Ok(FlightResult {
            bound: self.course.bound(),
            flight,
            fault: played.faults.into_iter().next(),
            times: played.times.into_iter().next().unwrap_or_default(),
            usage: played.usage.into_iter().next().unwrap_or_default(),
            dialogue: played.dialogues.into_iter().next().unwrap_or_default(),
            plans,
            task: self,
        })
    }
}

impl FlightResult {
    /// Whether it stands on the flat.
    pub fn has_landed(&self) -> bool {
        self.fault.is_none() && self.flight.fate == Fate::Landed
    }

    /// Whether it stands on the flat, and would if speeds were judged before rounding.
    pub fn is_strict_landing(&self) -> bool {
        self.has_landed() && self.flight.now().is_soft(Judging::Strict)
    }

    /// Whether a landing is proved to be impossible.
    pub fn is_hopeless(&self) -> bool {
        self.bound == Some(Bound::Impossible)
    }

    /// Seconds of flight.
    pub fn turns(&self) -> usize {
        self.flight.states.len() - 1
    }

    /// Litres used.
    pub fn fuel_used(&self) -> i32 {
        self.task.course.case.start.fuel - self.flight.now().fuel
    }

    /// The least that a landing would have used.
    pub fn least_fuel(&self) -> Option<i32> {
        match self.bound {
            Some(Bound::Litres(litres)) => Some(litres),
            _ => None,
        }
    }

    /// How it ended, where, and why, in words.
    pub fn ending(&self) -> String {
        if let Some(fault) = &self.fault {
            return format!("{}, turn {}", fault.ending, fault.turn);
        }
        let now = self.flight.now();
        let place = format!("{:.0}, {:.0}", now.x, now.y);
        match self.flight.fate {
            Fate::Landed => format!("landed at {:.0}", now.x),
            Fate::Flying => format!("still flying at {place}"),
            Fate::Lost => format!("left the zone at {place}"),
            Fate::Crashed => match self.what_was_wrong_on_the_flat() {
                Some(wrong) => format!("crashed on the flat at {:.0}: {wrong}", now.x),
                None => format!("crashed into the ground at {place}"),
            },
        }
    }

    /// Why it couldn't land, if it came down on the flat.
    fn what_was_wrong_on_the_flat(&self) -> Option<String> {
        let (left, right, height) = self.task.course.case.ground.flat();
        let now = self.flight.now();
        let before = self.flight.states.iter().rev().nth(1)?;
        let share = (before.y - height) / (before.y - now.y);
        let x = before.x + share * (now.x - before.x);
        if !(0.0..=1.0).contains(&share) || !(left..=right).contains(&x) {
            return None;
        }
        let mut wrong = Vec::new();
        if now.rotate != 0 {
            wrong.push(format!("rotate {}", now.rotate));
        }
        let judging = self.task.course.case.ground.judging();
        if !judging.is_slow(0.0, now.v_speed) {
            wrong.push(format!("vSpeed {:.2}", now.v_speed));
        }
        if !judging.is_slow(now.h_speed, 0.0) {
            wrong.push(format!("hSpeed {:.2}", now.h_speed));
        }
        (!wrong.is_empty()).then(|| wrong.join(", "))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use coppice_arena::{Reply, ScriptedBot};

    /// A flight of a bot that gives these answers, 150 m above a plain.
    pub fn flown(answers: &[&str]) -> FlightResult {
        let case = Case::read("low", "2\n0 100\n6999 100\n2500 250 0 0 50 0 0\n").unwrap();
        let course = Arc::new(Course::new(case));
        let command = "bot --seed {seed}".to_owned();
        let task = Task { course, bot: "A".to_owned(), command, run: 3 };
        assert_eq!(task.line().unwrap().to_string(), "bot --seed 3");
        let second = Duration::from_secs(1);
        let limits = Limits { first: second, later: second };
        let rules = Rules { limits, allowance: Allowance::default() };
        let replies = answers.iter().map(|line| Reply::line(Duration::from_millis(2), line));
        task.fly_with(Box::new(ScriptedBot::new(replies)), &rules).unwrap()
    }

    #[test]
    fn a_landing_is_reported() {
        let flown = flown(&["0 2"; 20]);
        assert!(flown.has_landed() && !flown.is_hopeless());
        assert_eq!((flown.ending().as_str(), flown.turns(), flown.fuel_used()), ("landed at 2500", 13, 25));
        assert!(flown.least_fuel().unwrap() <= 25 && flown.times.len() == 13);
    }

    #[test]
    fn what_went_wrong_is_reported() {
        let fast = Case::read("fast", "2\n0 100\n6999 100\n2500 150 30 -60 50 15 0\n").unwrap();
        let flight = fast.fly([Order { rotate: 15, power: 0 }; 3]);
        let mut crashed = flown(&["15 0"]);
        crashed.fault = None;
        crashed.flight = flight;
        assert_eq!(crashed.ending(), "crashed on the flat at 2530: rotate 15, vSpeed -63.71, hSpeed 30.00");
        let silent = flown(&["0 2"; 5]);
        assert!(
            !silent.has_landed() && silent.ending().starts_with("no output, turn 6"),
            "{}",
            silent.ending()
        );
        let nonsense = flown(&["0 2", "up"]);
        assert_eq!(nonsense.ending(), "protocol, turn 2");
    }
}
