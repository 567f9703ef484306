//! Games with people at the terminal: the position is drawn, moves are typed, taken back and suggested.

mod game;
mod line;
mod opponent;
mod screen;

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use contest::Contest;

use crate::console::Lines;
use crate::failure::Failure;
use coppice_referee::game::in_process::InProcess;
use coppice_referee::process::{self, INTERRUPTED};
use coppice_referee::series::{Finished, Fixture, Series};

use game::Table;

/// The word that stands for a person in place of a bot's command line.
pub(crate) const HUMAN: &str = "human";

/// How long the suggesting search thinks, where it isn't said otherwise.
const HINT_MS: u64 = 500;

/// Whether the program waits for a person.
static IS_WAITING: AtomicBool = AtomicBool::new(false);

/// Whether a bot's command line is a person.
pub(crate) fn is_human(line: &str) -> bool {
    line.trim() == HUMAN
}

/// Handles an interrupt: ends the bots, and the program if it waits for a line.
pub(crate) fn interrupt() {
    process::interrupt();
    if IS_WAITING.load(Ordering::SeqCst) {
        std::process::exit(INTERRUPTED.into());
    }
}

/// The people at this terminal, and the search that gives them hints.
pub(crate) struct People {
    lines: Lines,
    hint: Option<InProcess>,
    is_terminal: bool,
}

impl People {
    /// People at the standard input. `hint` is an `in:` command line; without one, the contest's first search gives hints.
    ///
    /// # Errors
    /// If the terminal can't be used, or the search is unknown.
    pub(crate) fn new(contest: &dyn Contest, hint: Option<&str>) -> Result<People, Failure> {
        let usual = || Some(format!("in:{} --ms {HINT_MS}", contest.search_list().first()?.name));
        let text = hint.map(str::to_owned).or_else(usual);
        let hint = text.map(|text| suggesting(contest, &text)).transpose()?;
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let lines = match is_terminal {
            true => Lines::terminal(None).map_err(|error| Failure::new(error.to_string()))?,
            false => Lines::script(io::stdin().lock()),
        };
        Ok(People { lines, hint, is_terminal })
    }

    /// Plays a game with people on some seats, which they see on `screen`; `None` if one of them leaves.
    ///
    /// # Errors
    /// If a bot can't be started, the contest misbehaves, or the screen can't be written.
    pub(crate) fn play(
        &mut self,
        series: &Series<'_>,
        contest: &dyn Contest,
        fixture: &Fixture,
        screen: &mut dyn Write,
    ) -> Result<Option<Finished>, Failure> {
        let played = Table::new(series, contest, fixture)?.play(&mut Desk { people: self, screen })?;
        Ok(played.map(|played| series.finished(fixture, played)))
    }
}

/// The search of `--hint`.
fn suggesting(contest: &dyn Contest, text: &str) -> Result<InProcess, Failure> {
    let usage = || format!("--hint {text}: expected a search of this program, in:SEARCH");
    let search = InProcess::parse(text)?.ok_or_else(|| Failure::usage(usage()))?;
    search.tunables(contest)?;
    Ok(search)
}

/// Where people sit in a game: their lines and what they see.
struct Desk<'a> {
    people: &'a mut People,
    screen: &'a mut dyn Write,
}

impl Desk<'_> {
    /// The search that gives hints.
    fn hint(&self) -> Option<&InProcess> {
        self.people.hint.as_ref()
    }

    /// A person's next line; `None` at the end of the input.
    fn read(&mut self) -> Result<Option<String>, Failure> {
        self.screen.flush()?;
        IS_WAITING.store(true, Ordering::SeqCst);
        let line = self.people.lines.read();
        IS_WAITING.store(false, Ordering::SeqCst);
        line.map_err(|error| Failure::new(error.to_string()))
    }

    fn say(&mut self, text: impl std::fmt::Display) -> Result<(), Failure> {
        Ok(writeln!(self.screen, "{text}")?)
    }

    /// Removes a typed line from a terminal, so that the next person doesn't see it.
    fn hide_line(&mut self) -> Result<(), Failure> {
        match self.people.is_terminal {
            true => Ok(write!(self.screen, "\x1b[1A\x1b[2K")?),
            false => Ok(()),
        }
    }
}
