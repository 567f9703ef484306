//! Shared by every bot: command line, the loop from turn to turn, reports, output and exit status.

use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
#[cfg(not(bundled))]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use coppice::input::{Input, InputError};
use coppice::{Budget, Clock, Report};

#[cfg(not(bundled))]
use crate::tunable;
use crate::tunable::Tunables;

/// The options, for error messages.
#[cfg(bundled)]
const OPTIONS: &str = "--nodes N, --seed N and --reserve MS";
#[cfg(not(bundled))]
const OPTIONS: &str = "--nodes N, --seed N, --reserve MS, --param NAME=VALUE and --tunables";

/// A bot's command-line settings. The platform passes none, so the defaults apply there.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings<T = ()> {
    /// Nodes to search per turn, instead of the clock: the same answers on every machine.
    pub nodes: Option<u64>,
    /// Seed of the random numbers.
    pub seed: u64,
    /// The reserve of every turn, instead of the clock's default: more for a machine that runs other processes.
    pub reserve: Option<Duration>,
    /// The tunable parameters.
    pub numbers: T,
    /// Print the tunable parameters instead of playing.
    #[cfg(not(bundled))]
    pub tunables: bool,
    /// The position in which games begin, where a protocol tells the bot moves alone.
    #[cfg(not(bundled))]
    pub position: Option<String>,
}

impl<T: Tunables> Settings<T> {
    /// Parses `--nodes N`, `--seed N` and `--reserve MS`, and outside of bundles `--param NAME=VALUE` and `--tunables`.
    ///
    /// # Errors
    /// A message for the user if the command line is invalid.
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Settings<T>, String> {
        let mut settings = Settings {
            nodes: None,
            seed: 1,
            reserve: None,
            numbers: T::default(),
            #[cfg(not(bundled))]
            tunables: false,
            #[cfg(not(bundled))]
            position: None,
        };
        while let Some(word) = words.next() {
            #[cfg(not(bundled))]
            match word.as_str() {
                "--param" => {
                    let given = words.next().unwrap_or_default();
                    let (name, value) = tunable::pair(&given).map_err(|why| format!("--param {why}"))?;
                    settings.numbers.set(name, value).map_err(|why| why.to_string())?;
                    continue;
                }
                "--tunables" => {
                    settings.tunables = true;
                    continue;
                }
                _ => {}
            }
            let mut number = || {
                let value = words.next().and_then(|value| value.parse().ok());
                value.ok_or_else(|| format!("{word} needs a whole number"))
            };
            match word.as_str() {
                "--nodes" => settings.nodes = Some(number()?),
                "--seed" => settings.seed = number()?,
                "--reserve" => settings.reserve = Some(Duration::from_millis(number()?)),
                _ => return Err(format!("unknown option {word}; available: {OPTIONS}")),
            }
        }
        Ok(settings)
    }

    /// A contest's clock, with the reserve of the settings if they have one.
    pub fn clock(&self, clock: Clock) -> Clock {
        match self.reserve {
            Some(reserve) => clock.with_reserve(reserve),
            None => clock,
        }
    }

    /// The budget of a turn that began at `started`.
    pub fn budget(&self, clock: &mut Clock, started: Instant) -> Budget {
        let deadline = clock.turn(started);
        self.nodes.map_or(Budget::until(deadline), Budget::nodes)
    }
}

/// The destination of answers, usually the standard output.
pub struct Output<W>(pub W);

impl<W: Write> Output<W> {
    /// Sends a line.
    ///
    /// # Errors
    /// [`InputError::Ended`] if the reader closed the pipe: the game is over for the bot. [`InputError::Io`]
    /// for any other failure.
    pub fn line(&mut self, line: impl Display) -> Result<(), InputError> {
        writeln!(self.0, "{line}").and_then(|()| self.0.flush()).map_err(unsent)
    }

    /// Buffers a line; [`Output::flush`] sends it.
    ///
    /// # Errors
    /// As for [`Output::line`].
    pub fn put(&mut self, line: impl Display) -> Result<(), InputError> {
        writeln!(self.0, "{line}").map_err(unsent)
    }

    /// Sends the buffered lines.
    ///
    /// # Errors
    /// As for [`Output::line`].
    pub fn flush(&mut self) -> Result<(), InputError> {
        self.0.flush().map_err(unsent)
    }
}

fn unsent(error: io::Error) -> InputError {
    match error.kind() {
        io::ErrorKind::BrokenPipe => InputError::Ended,
        _ => InputError::Io(error),
    }
}

/// Runs a bot: `play` handles turns until its input ends. `words` are those of the command line, usually
/// `env::args().skip(1)`; a bot with options of its own takes these out. The exit status is 0 at the end of the input, 1
/// after a malformed line or a failed write, and 2 for an invalid command line; errors are explained in one
/// line on stderr.
pub fn run<T: Tunables>(
    words: impl Iterator<Item = String>,
    play: impl FnOnce(&Settings<T>) -> Result<(), InputError>,
) -> ExitCode {
    match Settings::<T>::read(words) {
        #[cfg(not(bundled))]
        Ok(settings) if settings.tunables => {
            let mut output = Output(io::stdout().lock());
            // A closed pipe here is not an error.
            let _ = settings.numbers.list().iter().try_for_each(|tunable| output.line(tunable));
            ExitCode::SUCCESS
        }
        Err(message) => {
            say(format_args!("error: {message}"));
            ExitCode::from(2)
        }
        Ok(settings) => match play(&settings) {
            Ok(()) | Err(InputError::Ended) => ExitCode::SUCCESS,
            Err(error) => {
                say(format_args!("error: {error}"));
                ExitCode::from(1)
            }
        },
    }
}

/// Plays a game whose lines before the first turn have been read: waits for each turn, lets `answer` read and answer it,
/// and sends the answer. The budget of a turn counts from the arrival of its first byte.
///
/// `make` makes what `answer` keeps from turn to turn, such as a search. It is called within the first turn, so that
/// allocating memory counts as a part of it: a referee may send the first lines long before the first turn, or together
/// with it.
///
/// ```
/// use std::time::Duration;
///
/// use contest::bot::{self, Settings};
/// use coppice::input::Input;
/// use coppice::Clock;
///
/// // Each turn is a number; the answer is the sum so far.
/// let (input, mut output) = (Input::new(&b"2\n3\n"[..]), Vec::new());
/// let settings = Settings::<()>::read(std::iter::empty()).unwrap();
/// let clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(100));
/// let ended = bot::play_turns(input, &mut output, &settings, clock, || 0, |sum, input, _budget| {
///     *sum += input.value::<u32>("a number")?;
///     Ok(*sum)
/// });
/// assert_eq!((ended.unwrap_err().to_string(), output), ("the input ended".to_owned(), b"2\n5\n".to_vec()));
/// ```
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_turns<R: BufRead, T: Tunables, S, A: Display>(
    mut input: Input<R>,
    mut output: impl Write,
    settings: &Settings<T>,
    clock: Clock,
    make: impl FnOnce() -> S,
    mut answer: impl FnMut(&mut S, &mut Input<R>, Budget) -> Result<A, InputError>,
) -> Result<(), InputError> {
    let mut clock = settings.clock(clock);
    let mut started = input.wait()?;
    let mut state = make();
    loop {
        let line = answer(&mut state, &mut input, settings.budget(&mut clock, started))?;
        clock.answered(Instant::now());
        writeln!(output, "{line}").and_then(|()| output.flush()).map_err(unsent)?;
        started = input.wait()?;
    }
}

/// Chooses one of the legal `moves` by a search, and reports the search; `None` without a move. A forced move is played
/// without a search. If the search's move isn't listed, the first is chosen.
pub fn choose<M: Copy + PartialEq>(moves: &[M], search: impl FnOnce() -> Report<M>) -> Option<M> {
    if moves.len() < 2 {
        return moves.first().copied();
    }
    let report = search();
    if report.restarted {
        say("the position doesn't follow from the last one: searched afresh");
    }
    say_search(report.depth, report.score, report.nodes);
    report.best.filter(|best| moves.contains(best)).or_else(|| {
        say("the listed moves differ from the rules; playing the first");
        moves.first().copied()
    })
}

/// Writes a search's numbers to stderr, in the form that the arena's pages read.
pub fn say_search(depth: u32, score: impl Display, nodes: u64) {
    say(format_args!("depth {depth}, score {score}, {nodes} nodes"));
}

/// Whether [`silence`] was called.
#[cfg(not(bundled))]
static IS_SILENT: AtomicBool = AtomicBool::new(false);

/// Keeps the bots of this process from writing to stderr: for programs that play many games with them.
#[cfg(not(bundled))]
pub fn silence() {
    IS_SILENT.store(true, Ordering::Relaxed);
}

/// Writes a line to stderr, for the bot's author, in one piece. Ignores errors. Say it before the answer: what comes later
/// may be taken for a part of the next turn.
pub fn say(line: impl Display) {
    #[cfg(not(bundled))]
    if IS_SILENT.load(Ordering::Relaxed) {
        return;
    }
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: Tunables>(line: &str) -> Result<Settings<T>, String> {
        Settings::read(line.split_whitespace().map(String::from))
    }

    crate::tunables! {
        /// One number.
        struct Numbers {
            /// A width.
            width: u32 = 7 in 1..=20,
        }
    }

    #[test]
    fn settings_are_read_or_refused() {
        let usual =
            Settings { nodes: None, seed: 1, reserve: None, numbers: (), tunables: false, position: None };
        assert_eq!(read(""), Ok(usual.clone()));
        assert_eq!(read("--nodes 500 --seed 7"), Ok(Settings { nodes: Some(500), seed: 7, ..usual.clone() }));
        let reserve = Some(Duration::from_millis(30));
        assert_eq!(read("--reserve 30"), Ok(Settings { reserve, ..usual }));
        for line in [
            "--nodes",
            "--nodes x",
            "--seed -1",
            "--reserve",
            "--what",
            "reversi",
            "--param",
            "--param width=3",
        ] {
            assert!(read::<()>(line).is_err(), "{line}");
        }
    }

    #[test]
    fn tunables_are_set_or_refused() {
        let settings = read::<Numbers>("--param width=3 --tunables --seed 2").unwrap();
        let width = settings.numbers.width;
        assert_eq!((width, settings.seed, settings.tunables), (3, 2, true));
        for line in ["--param", "--param width", "--param width=0", "--param height=3"] {
            assert!(read::<Numbers>(line).is_err(), "{line}");
        }
    }
}
