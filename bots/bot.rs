//! What every bot's `main` needs: its command line, its answers, its way to stop.

use std::io::{self, StdoutLock, Write};
use std::process::ExitCode;
use std::time::Instant;

use coppice::input::InputError;
use coppice::{Budget, Clock};

/// What a bot may be told on its command line. The platform tells it nothing, so the defaults are
/// what plays there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Think for so many nodes a turn instead of by the clock: the same answers on every machine.
    pub nodes: Option<u64>,
    /// Where random numbers come from.
    pub seed: u64,
}

impl Settings {
    /// Reads `--nodes N` and `--seed N`.
    ///
    /// # Errors
    /// What is wrong with the command line, for the user.
    pub fn read(words: impl Iterator<Item = String>) -> Result<Settings, String> {
        let mut settings = Settings { nodes: None, seed: 1 };
        let mut words = words;
        while let Some(word) = words.next() {
            let mut number = || {
                let value = words.next();
                let value = value.as_deref().map(str::parse::<u64>);
                value.and_then(Result::ok).ok_or_else(|| format!("{word} needs a whole number"))
            };
            match word.as_str() {
                "--nodes" => settings.nodes = Some(number()?),
                "--seed" => settings.seed = number()?,
                _ => return Err(format!("unknown option {word}; there are --nodes N and --seed N")),
            }
        }
        Ok(settings)
    }

    /// The budget of a turn that began at `started`.
    pub fn budget(&self, clock: &mut Clock, started: Instant) -> Budget {
        let deadline = clock.turn(started);
        self.nodes.map_or(Budget::until(deadline), Budget::nodes)
    }
}

/// Where answers go.
pub struct Output(StdoutLock<'static>);

impl Output {
    /// Standard output.
    pub fn new() -> Output {
        Output(io::stdout().lock())
    }

    /// Sends a line.
    ///
    /// # Errors
    /// [`InputError::Ended`] if nobody reads any more: the game is over for us. Another reason why it
    /// can't be written is an [`InputError::Io`].
    pub fn line(&mut self, line: impl std::fmt::Display) -> Result<(), InputError> {
        writeln!(self.0, "{line}").and_then(|()| self.0.flush()).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => InputError::Ended,
            _ => InputError::Io(error),
        })
    }
}

impl Default for Output {
    fn default() -> Output {
        Output::new()
    }
}

/// Runs a bot: `play` goes from turn to turn until its input ends. Exit status 0 when it did, 1
/// after a line that makes no sense or an answer that can't be written, 2 for a wrong command line; one
/// line on stderr says what.
pub fn run(play: impl FnOnce(&Settings) -> Result<(), InputError>) -> ExitCode {
    match Settings::read(std::env::args().skip(1)) {
        Err(message) => {
            say(message);
            ExitCode::from(2)
        }
        Ok(settings) => match play(&settings) {
            Ok(()) | Err(InputError::Ended) => ExitCode::SUCCESS,
            Err(error) => {
                say(error);
                ExitCode::from(1)
            }
        },
    }
}

/// Writes a line for the bot's author. One that can't be written is no reason to stop.
pub fn say(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_or_refused() {
        let read = |line: &str| Settings::read(line.split_whitespace().map(String::from));
        assert_eq!(read(""), Ok(Settings { nodes: None, seed: 1 }));
        assert_eq!(read("--nodes 500 --seed 7"), Ok(Settings { nodes: Some(500), seed: 7 }));
        for line in ["--nodes", "--nodes x", "--seed -1", "--what", "reversi"] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
