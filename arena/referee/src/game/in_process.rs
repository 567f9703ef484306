//! Games without processes: searches of this program play each other under node budgets or at equal time. Against programs
//! they play as processes: `child.rs`.
//!
//! The command line is `in:SEARCH --nodes N`, with `--seed N` and `--param NAME=VALUE` as for the bots of the
//! workspace, and `--pool-mb N` or `--pool-nodes N`; the contest lists its searches. No text is written or parsed and
//! no clock decides, so a machine plays thousands of games an hour, and every machine plays the same games. With
//! `--ms N` instead, each move takes that many milliseconds; no time-out can occur, since the search itself stops by
//! the same clock. With `--cpu-ms N` it takes that much processor time, whatever else the machine does.

use std::cell::Cell;
use std::fmt;
use std::mem;
use std::thread;
use std::time::{Duration, Instant};

use contest::session::{Session, SessionError, SessionSettings, STACK_BYTES};
use contest::tunable::Tunable;
use contest::{Contest, Seat};

use crate::bot::usage::Usage;
use crate::failure::FailureKind;
use crate::game::limit::MOST_MS;
use crate::game::single_player::{self, Alone};
use crate::game::Played;
use crate::process;
use crate::text::words;

pub use crate::game::limit::Limit;

/// The prefix of a command line that names a search of this program.
pub const PREFIX: &str = "in:";

/// The options after a search's name, each with a value.
const OPTIONS: [&str; 7] = ["--nodes", "--ms", "--cpu-ms", "--seed", "--pool-mb", "--pool-nodes", "--param"];

/// The default budget of a move, in nodes.
const USUAL_NODES: u64 = 2_000;

/// The default pool with a node budget: large enough for a few thousand nodes a move. A larger one would slow
/// down short games, since memory touched for the first time costs a page fault. By time a search has its own default.
const USUAL_POOL_MB: usize = 8;

/// A search of this program that takes part in games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InProcess {
    /// The search's name in the contest.
    pub search: String,
    /// The budget of each move.
    pub limit: Limit,
    /// The search's settings.
    pub settings: SessionSettings,
}

/// The reasons why a search can't be created or can't play.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InProcessError {
    /// The words after `in:` are invalid.
    #[error(
        "`{text}`: {why}\nexpected in:SEARCH with --nodes N, --ms N or --cpu-ms N, --seed N, --pool-mb N or --pool-nodes N, \
         --param NAME=VALUE"
    )]
    Words {
        /// The words.
        text: String,
        /// The mistake.
        why: String,
    },
    /// The contest has no such search, or the search no such parameter.
    #[error("{contest} has {why}")]
    Contest {
        /// The contest.
        contest: String,
        /// The mistake.
        why: SessionError,
    },
    /// The system doesn't provide that much memory.
    #[error("the system does not provide {megabytes} MB of memory; choose a smaller --mb or --pool-mb", megabytes = .0 / 1_000_000)]
    Room(usize),
    /// The system doesn't say where this program is.
    #[error(
        "can't start this program as a bot: {0}; play searches against each other only, or give a program"
    )]
    Child(String),
    /// No thread can be started.
    #[error("can't start a thread with a stack of {megabytes} MB for a search: {0}", megabytes = STACK_BYTES >> 20)]
    Thread(String),
    /// A search made an illegal move or none, or the game doesn't end.
    #[error("the search {search} of {contest} went wrong after \"{moves}\": {why}; a bug of the contest")]
    Bug {
        /// The search.
        search: String,
        /// The contest.
        contest: String,
        /// The moves so far.
        moves: String,
        /// The reason.
        why: String,
    },
}

impl InProcessError {
    /// The kind of failure, which decides the exit status.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Words { .. } | Self::Contest { .. } => FailureKind::Usage,
            _ => FailureKind::Other,
        }
    }
}

impl fmt::Display for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { search, limit, settings } = self;
        write!(f, "{PREFIX}{search} {limit}")?;
        settings.parameters.iter().try_for_each(|(name, value)| write!(f, " --param {name}={value}"))
    }
}

impl InProcess {
    /// The options of `arena debug` and `arena serve` for the same search with the same settings.
    pub fn options(&self) -> String {
        let SessionSettings { seed, pool_bytes, parameters, .. } = &self.settings;
        let mut options = format!("--search {}", words::quote(&self.search));
        if let Some(bytes) = pool_bytes {
            options += &format!(" --pool-mb {}", bytes >> 20);
        }
        if *seed != SessionSettings::default().seed {
            options += &format!(" --seed {seed}");
        }
        for (name, value) in parameters {
            options += &format!(" --param {}", words::quote(&format!("{name}={value}")));
        }
        options
    }

    /// Parses a command line, if it begins with `in:`.
    ///
    /// # Errors
    /// If the rest is invalid.
    pub fn parse(text: &str) -> Result<Option<Self>, InProcessError> {
        let Some(rest) = text.trim_start().strip_prefix(PREFIX) else { return Ok(None) };
        let fail = |why: String| InProcessError::Words { text: text.to_owned(), why };
        let words = words::split(rest).map_err(|error| fail(error.to_string()))?;
        let mut words = words.into_iter();
        let search = words.next().filter(|name| !name.is_empty());
        let search = search.ok_or_else(|| fail("the search's name is missing".to_owned()))?;
        let settings = SessionSettings { pool_bytes: None, ..SessionSettings::default() };
        let mut found = Self { search, limit: Limit::Nodes(USUAL_NODES), settings };
        let (mut is_limited, mut is_sized) = (false, false);
        while let Some(word) = words.next() {
            if !OPTIONS.contains(&word.as_str()) {
                return Err(fail(format!("unknown option {word}; available: {}", OPTIONS.join(", "))));
            }
            let value = words.next().ok_or_else(|| fail(format!("{word} needs a value")))?;
            let number = |most: u64| {
                let number = value.parse::<u64>().ok().filter(|number| (1..=most).contains(number));
                number
                    .ok_or_else(|| fail(format!("{word} {value}: expected a whole number from 1 to {most}")))
            };
            match word.as_str() {
                "--nodes" | "--ms" | "--cpu-ms" if mem::replace(&mut is_limited, true) => {
                    return Err(fail("a move has one limit: --nodes N, --ms N or --cpu-ms N".to_owned()));
                }
                "--nodes" => found.limit = Limit::Nodes(number(u64::MAX)?),
                "--ms" => found.limit = Limit::Milliseconds(number(MOST_MS)?),
                "--cpu-ms" => found.limit = Limit::Processor(number(MOST_MS)?),
                "--seed" => found.settings.seed = number(u64::MAX)?,
                "--pool-mb" | "--pool-nodes" if mem::replace(&mut is_sized, true) => {
                    return Err(fail("a pool has one size: --pool-mb N or --pool-nodes N".to_owned()));
                }
                "--pool-mb" => found.settings.pool_bytes = Some((number(1 << 20)? as usize) << 20),
                "--pool-nodes" => found.settings.pool_nodes = Some(number(u32::MAX.into())? as usize),
                _ => {
                    let (name, value) =
                        contest::tunable::pair(&value).map_err(|why| fail(why.to_string()))?;
                    found.settings.parameters.push((name.to_owned(), value.to_owned()));
                }
            }
        }
        if matches!(found.limit, Limit::Nodes(_)) && found.settings.pool_nodes.is_none() {
            found.settings.pool_bytes.get_or_insert(USUAL_POOL_MB << 20);
        }
        Ok(Some(found))
    }

    /// The tunable parameters of the search, with their values here.
    ///
    /// # Errors
    /// If the contest has no such search, or the search no such parameters.
    pub fn tunables(&self, contest: &dyn Contest) -> Result<Vec<Tunable>, InProcessError> {
        on_large_stack(|| self.session(contest, 0).map(drop))??;
        let info = contest.search_list().into_iter().find(|info| info.name == self.search);
        let mut tunables = info.map_or_else(Vec::new, |info| info.tunables);
        for tunable in &mut tunables {
            let given = self.settings.parameters.iter().rev().find(|(name, _)| name == tunable.name);
            // The search has checked it.
            tunable.value = given.and_then(|(_, text)| text.parse().ok()).unwrap_or(tunable.value);
        }
        Ok(tunables)
    }

    /// A session for the game of a seed.
    pub fn session(&self, contest: &dyn Contest, seed: u64) -> Result<Box<dyn Session>, InProcessError> {
        Self { settings: self.seeded(seed), ..self.clone() }.session_in(contest, seed)
    }

    /// The settings for the game of a seed.
    fn seeded(&self, seed: u64) -> SessionSettings {
        SessionSettings { seed: self.settings.seed ^ seed, ..self.settings.clone() }
    }

    /// A session for the game of a seed, whose random numbers don't depend on it.
    pub fn session_in(
        &self,
        contest: &dyn Contest,
        game_seed: u64,
    ) -> Result<Box<dyn Session>, InProcessError> {
        let settings = SessionSettings { game_seed, ..self.settings.clone() };
        settings.pool_bytes.map_or(Ok(()), has_room)?;
        let made = contest.session(&self.search, &settings);
        made.map_err(|why| InProcessError::Contest { contest: contest.name().to_owned(), why })
    }
}

/// Plays a game from the opening's moves, with a search per seat; `None` after an interrupt. Each seat's random numbers
/// are derived from its own seed and the game's.
///
/// # Errors
/// If a search can't be made or misbehaves.
pub fn play(
    contest: &dyn Contest,
    seats: &[&InProcess],
    opening: &str,
    seed: u64,
) -> Result<Option<Played>, InProcessError> {
    on_large_stack(|| {
        if let ([player], "") = (seats, opening) {
            if let Some(tasks) = single_player::tasks(contest, &player.search) {
                let budget = || player.limit.budget().unless(process::interrupt_flag());
                let settings = player.seeded(seed);
                let alone = Alone { player: &player.search, settings, budget: &budget };
                let wrong = |why| InProcessError::Contest { contest: contest.name().to_owned(), why };
                return alone.play(tasks, seed).map_err(wrong);
            }
        }
        think_in_turn(contest, seats, opening, seed)
    })?
}

/// Checks whether the system provides this much memory: a search that can't allocate its own aborts the program.
///
/// # Errors
/// If it doesn't.
pub fn has_room(bytes: usize) -> Result<(), InProcessError> {
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| InProcessError::Room(bytes))
}

thread_local! {
    /// Whether this thread's stack has the size that a session needs.
    static IS_LARGE: Cell<bool> = const { Cell::new(false) };
}

/// Runs a closure in a thread with the stack size that a session needs: this one, if it is known to have that.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, InProcessError> {
    if IS_LARGE.get() {
        return Ok(work());
    }
    thread::scope(|scope| {
        let started = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || in_thread_with_large_stack(work));
        let ended = started.map_err(|source| InProcessError::Thread(source.to_string()))?.join();
        Ok(ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Runs a closure in this thread, which was started with the stack size that a session needs, for its whole life: a thread for
/// each game would take a tenth of the time of short ones.
pub fn in_thread_with_large_stack<T>(work: impl FnOnce() -> T) -> T {
    IS_LARGE.set(true);
    work()
}

fn think_in_turn(
    contest: &dyn Contest,
    seats: &[&InProcess],
    opening: &str,
    seed: u64,
) -> Result<Option<Played>, InProcessError> {
    let made = seats.iter().map(|player| player.session(contest, seed)).collect::<Result<Vec<_>, _>>();
    let mut table = Table {
        contest,
        seats,
        sessions: made?,
        cpu: vec![Duration::ZERO; seats.len()],
        times: vec![Vec::new(); seats.len()],
        reports: vec![Vec::new(); seats.len()],
    };
    for text in opening.split_whitespace() {
        table.play(0, text)?;
    }
    while let Some(seat) = table.sessions[0].to_move() {
        let thought = table.think(seat);
        // Asked after each move, also the last: a search that the interrupt has ended may have chosen another one.
        if process::interrupted() {
            return Ok(None);
        }
        table.play(seat, &thought?)?;
    }
    Ok(Some(Played {
        opening: opening.to_owned(),
        moves: table.sessions[0].played().join(" "),
        scores: table.sessions[0].scores(),
        faults: Vec::new(),
        times: table.times,
        dialogues: Vec::new(),
        usage: table.cpu.into_iter().map(|cpu| Usage { cpu: Some(cpu), ..Usage::default() }).collect(),
        data: Vec::new(),
        reports: table.reports,
    }))
}

/// The searches among these command lines.
///
/// # Errors
/// If one is invalid.
pub fn searches(lines: &[String]) -> Result<Vec<InProcess>, InProcessError> {
    let found = lines.iter().map(|line| InProcess::parse(line)).collect::<Result<Vec<_>, _>>()?;
    Ok(found.into_iter().flatten().collect())
}

struct Table<'a> {
    contest: &'a dyn Contest,
    seats: &'a [&'a InProcess],
    sessions: Vec<Box<dyn Session>>,
    /// Processor time.
    cpu: Vec<Duration>,
    times: Vec<Vec<Duration>>,
    /// Each search's reports on its moves; empty for a forced move.
    reports: Vec<Vec<String>>,
}

impl Table<'_> {
    /// A seat's move. A single legal move is made without a search, as the bots do.
    fn think(&mut self, seat: Seat) -> Result<String, InProcessError> {
        let (start, cpu) = (Instant::now(), process::thread_time());
        let Some(session) = self.sessions.get_mut(seat) else {
            return Err(self.bug(0, format!("seat {seat} is to move, and it doesn't exist")));
        };
        let (text, report) = match session.only_move() {
            Some(only) => (Some(only), String::new()),
            None => {
                let thought =
                    session.think(self.seats[seat].limit.budget().unless(process::interrupt_flag()));
                let report =
                    format!("depth {}, score {}, {} nodes", thought.depth, thought.score, thought.nodes);
                (thought.best, report)
            }
        };
        self.times[seat].push(start.elapsed());
        self.cpu[seat] += process::thread_time().saturating_sub(cpu);
        self.reports[seat].push(report);
        text.ok_or_else(|| self.bug(seat, "it found no move".to_owned()))
    }

    /// Makes a move in all sessions.
    fn play(&mut self, seat: Seat, text: &str) -> Result<(), InProcessError> {
        let played = self.sessions.iter_mut().try_for_each(|session| session.play(text));
        played.map_err(|why| self.bug(seat, why.to_string()))
    }

    fn bug(&self, seat: Seat, why: String) -> InProcessError {
        InProcessError::Bug {
            search: self.seats[seat].search.clone(),
            contest: self.contest.name().to_owned(),
            moves: self.sessions.first().map_or_else(String::new, |session| session.played().join(" ")),
            why,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> InProcess {
        InProcess::parse(text).unwrap().unwrap()
    }

    #[test]
    fn words_are_read_or_refused() {
        assert_eq!(InProcess::parse("./bot in:x"), Ok(None));
        let found = parse("in:mcts --nodes 300 --param exploration=1.5 --seed 4 --pool-mb 2");
        assert_eq!((found.search.as_str(), found.limit), ("mcts", Limit::Nodes(300)));
        let parameters = vec![("exploration".to_owned(), "1.5".to_owned())];
        assert_eq!(
            found.settings,
            SessionSettings { seed: 4, pool_bytes: Some(2 << 20), parameters, ..SessionSettings::default() }
        );
        let pool = parse("in:mcts --pool-nodes 5000").settings;
        assert_eq!((pool.pool_bytes, pool.pool_nodes), (None, Some(5000)));
        let timed = parse("in:bot --ms 100");
        assert_eq!((timed.limit, timed.settings.pool_bytes), (Limit::Milliseconds(100), None));
        assert_eq!(timed.to_string(), "in:bot --ms 100");
        assert_eq!(parse("in:bot --cpu-ms 7").to_string(), "in:bot --cpu-ms 7");
        assert_eq!(timed.limit.times(8).command(), "time 800");
        let parameter = words::quote("exploration=1.5");
        assert_eq!(found.options(), format!("--search mcts --pool-mb 2 --seed 4 --param {parameter}"));
        assert_eq!(timed.options(), "--search bot");
        let both = InProcess::parse("in:bot --ms 100 --nodes 5").unwrap_err().to_string();
        assert!(both.contains("a move has one limit"), "{both}");
        for text in [
            "in:",
            "in:bot --nodes",
            "in:bot --nodes 0",
            "in:bot --ms 0",
            "in:bot --ms 99999999999",
            "in:bot --what 1",
            "in:bot --param x",
            "in:minimax --pool-mb 1 --pool-nodes 1000",
        ] {
            assert!(InProcess::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn searches_are_told_from_programs() {
        let count = |text: &[&str]| {
            let lines = text.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
            searches(&lines).map(|searches| searches.len())
        };
        assert_eq!((count(&["./a", "./b"]), count(&["./a", "in:bot"])), (Ok(0), Ok(1)));
        assert_eq!(count(&["in:mcts", "in:bot"]), Ok(2));
        assert!(count(&["./a", "in:bot --what"]).is_err());
    }

    #[test]
    fn a_contest_is_asked() {
        let contest = bots_searches::contest("uttt").unwrap();
        let tunables = parse("in:playouts --param exploration=1.25").tunables(contest).unwrap();
        assert_eq!(tunables[0].to_string(), "exploration, float, 1.25, 0.05, 2.5");
        let said = parse("in:bit").tunables(contest).unwrap_err().to_string();
        assert!(said.starts_with("uttt has no search \"bit\"; available: bot, "), "{said}");
        let said = parse("in:playouts --param exploration=99").tunables(contest).unwrap_err().to_string();
        assert!(said.contains("exploration=99: expected a number from 0.05 to 2.5"), "{said}");
    }

    #[test]
    fn a_game_repeats_itself_and_passes_too() {
        for name in ["reversi", "mancala", "tictactoe"] {
            let contest = bots_searches::contest(name).unwrap();
            let players = [parse("in:mcts --nodes 60 --pool-mb 1"), parse("in:greedy")];
            let opening = if name == "reversi" { "d3 c5" } else { "" };
            let game = |seed| play(contest, &[&players[0], &players[1]], opening, seed).unwrap().unwrap();
            let (first, again) = (game(1), game(1));
            assert_eq!((&first.moves, &first.scores), (&again.moves, &again.scores), "{name}");
            assert_eq!(first.scores.len(), 2);
            assert!(first.moves.starts_with(opening));
            let told = |seat: usize| (first.reports[seat].len(), first.times[seat].len());
            assert!((0..2).all(|seat| told(seat).0 == told(seat).1), "one for each answer");
            assert!(first.reports[0][0].starts_with("depth "), "{:?}", first.reports);
        }
    }
}
