//! Checks a bot before it plays: whether it starts, answers in time and by the rules, and exits when its input ends.

mod end_of_input;
mod game;
mod plan;

use coppice_referee::process::{self, Process};
use coppice_referee::text::millis;

use game::{play, Trial};
pub(crate) use plan::{Item, Plan, Status};

/// An answer that takes this share of its limit is a warning. The engine's clock answers at 94 to 95 %, the platform's best
/// bots at 92 to 96 %.
const CLOSE: f64 = 0.97;

/// More bytes than this on standard error in one game are a warning: the platform slows such bots down.
const MUCH_STDERR_BYTES: u64 = 100_000;

impl Plan<'_> {
    /// Runs all checks, passing each result on as soon as it is known. After a fault in a game no more games are
    /// played.
    ///
    /// # Errors
    /// Those of `tell`.
    pub(crate) fn run<E>(&self, mut tell: impl FnMut(Item) -> Result<(), E>) -> Result<(), E> {
        match Process::start(&self.bot) {
            Ok(process) => drop(process),
            Err(error) => return tell(self.cannot_start(&error)),
        }
        tell(Item::new("start", Status::Ok, "it can be started"))?;
        let mut trials = Vec::new();
        for game in 0..self.games {
            if process::interrupted() {
                return Ok(());
            }
            let trial = match play(self, game) {
                Ok(trial) => trial,
                Err(error) => return tell(self.cannot_start(&error)),
            };
            tell(trial.item(self.contest))?;
            let failed = trial.fault.is_some();
            trials.push(trial);
            if failed {
                break;
            }
        }
        for item in self.times(&trials).into_iter().chain(stderr(&trials)).chain(spelling(&trials)) {
            tell(item)?;
        }
        for item in end_of_input::items(self, &trials) {
            tell(item)?;
        }
        Ok(())
    }

    fn cannot_start(&self, error: &std::io::Error) -> Item {
        let folder = std::env::current_dir().unwrap_or_else(|_| ".".into());
        let detail = format!(
            "can't start `{}` from {}: {error}; check the path, and that it is built and may be executed",
            self.bot,
            folder.display()
        );
        Item::new("start", Status::Fault, detail)
    }

    /// Compares first and later answers with their limits.
    fn times(&self, trials: &[Trial]) -> Vec<Item> {
        let firsts = trials.iter().filter_map(|trial| trial.times.first()).copied().collect();
        let laters = trials.iter().flat_map(|trial| trial.times.iter().skip(1)).copied().collect();
        let item = |name: &str, times: Vec<std::time::Duration>, limit| {
            let slowest = *times.iter().max()?;
            let share = slowest.as_secs_f64() / std::time::Duration::as_secs_f64(&limit);
            let mut detail = format!(
                "{} answers, slowest {:.1} ms of {} ms ({:.0} %)",
                times.len(),
                millis(slowest),
                millis(limit),
                100.0 * share
            );
            let status = if share > 1.0 {
                Status::Fault
            } else if share >= CLOSE {
                detail.push_str(": close to the limit; keep more in reserve");
                Status::Warning
            } else {
                Status::Ok
            };
            Some(Item::new(name, status, detail))
        };
        let items = [
            item("first answers", firsts, self.limits.first),
            item("later answers", laters, self.limits.later),
        ];
        items.into_iter().flatten().collect()
    }
}

/// Warns of an answer that the platform accepts today although it has another form than the documented one.
fn spelling(trials: &[Trial]) -> Option<Item> {
    let (trial, (turn, answer, usual)) =
        trials.iter().find_map(|trial| Some((trial, trial.odd.as_ref()?)))?;
    let detail = format!(
        "game {}, turn {turn}: \"{}\" is accepted, but the usual spelling is \"{usual}\", then nothing or a space and a message",
        trial.number + 1,
        answer.escape_debug()
    );
    Some(Item::new("spelling", Status::Warning, detail))
}

/// Checks the amount of standard error.
fn stderr(trials: &[Trial]) -> Option<Item> {
    let most = trials.iter().map(|trial| trial.stderr_bytes).max()?;
    let detail = format!("at most {most} bytes a game");
    Some(if most > MUCH_STDERR_BYTES {
        Item::new("stderr", Status::Warning, detail + ": writing takes time, and sites cut it off")
    } else {
        Item::new("stderr", Status::Ok, detail)
    })
}
