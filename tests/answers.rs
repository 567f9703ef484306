//! Tests the real bundles against the clock. A separate test program, so that nothing else runs at the same
//! time.
//!
//! No answer may be later than the limit, except by a delay that is the machine's: the time in which the bot could run and had
//! no processor, where the system tells it, or a delay that an idle program had as well.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, Sender};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use contest::{Limits, Referee};
use coppice_arena::{
    Bot, CommandLine, Disagreement, Entrant, Openings, Player, Process, RecordedTurn, Recording, Reply,
    Series,
};
use coppice_tests::{bundled, recorded};

mod slow {
    /// A single test, so that the bundles don't run concurrently.
    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn answers_are_legal_and_in_time() {
        super::answers_to_recorded_turns();
        super::answers_of_a_whole_game();
    }
}

/// A thread that only sleeps, and notes by how much it was woken too late.
struct Idle {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Vec<Duration>>,
}

impl Idle {
    fn start() -> Idle {
        const NAP: Duration = Duration::from_millis(1);
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            let mut delays = Vec::new();
            while !over.load(Ordering::Relaxed) {
                let start = Instant::now();
                thread::sleep(NAP);
                delays.push(start.elapsed().saturating_sub(NAP));
            }
            delays
        });
        Idle { is_over, thread }
    }

    /// Checks that each delay of an answer is matched by one as long of the idle thread.
    fn excuses(self, late: impl Iterator<Item = Late>) {
        self.is_over.store(true, Ordering::Relaxed);
        let mut delays = self.thread.join().expect("the idle thread ends");
        let late = late.collect::<Vec<_>>();
        // The bot thinks for its whole turn, so the rest of the time it was kept waiting.
        let mut own = late.iter().map(|late| late.by.saturating_sub(late.waited)).collect::<Vec<_>>();
        own.retain(|late| !late.is_zero());
        own.sort_by(|a, b| b.cmp(a));
        delays.sort_by(|a, b| b.cmp(a));
        let longest = &delays[..delays.len().min(own.len())];
        println!("late answers {late:?}; longest delays of an idle thread {longest:?}");
        assert!(own.iter().zip(longest).all(|(late, delay)| late <= delay), "late by {own:?}, {longest:?}");
    }
}

/// A late answer.
#[derive(Debug)]
struct Late {
    /// Time beyond the limit.
    by: Duration,
    /// Time of the turn in which the bot had no processor; zero where that isn't known.
    waited: Duration,
}

/// A bot whose late answers are noted.
struct Watched {
    bot: Process,
    limits: Limits,
    turns: usize,
    late: Sender<Late>,
}

impl Watched {
    fn start(line: &CommandLine, limits: Limits, late: &Sender<Late>) -> Watched {
        let bot = Process::start(line).expect("the bundle starts");
        Watched { bot, limits, turns: 0, late: late.clone() }
    }
}

impl Bot for Watched {
    fn ask(&mut self, text: &str, lines: usize, limit: Duration) -> Reply {
        let reply = self.bot.ask(text, lines, limit);
        self.turns += 1;
        let limit = if self.turns == 1 { self.limits.first } else { self.limits.later };
        let (after, worked) = (reply.after(), self.bot.turn_cpu());
        if after > limit {
            let waited = worked.map_or(Duration::ZERO, |worked| after.saturating_sub(worked));
            let _ = self.late.send(Late { by: after - limit, waited });
        }
        reply
    }

    fn dismiss(&mut self) {
        self.bot.dismiss();
    }

    fn stop(&mut self, grace: Duration) {
        self.bot.stop(grace);
    }

    fn stderr_tail(&mut self) -> String {
        self.bot.stderr_tail()
    }
}

/// How long a bot is waited for beyond its limit, so that one late answer doesn't end the test.
const PATIENCE: u32 = 10;

/// Plays ultimate tic-tac-toe's bundle against itself. Its turns contain only moves, so recorded turns can't
/// be sent: the bundle might have moved differently.
fn answers_of_a_whole_game() {
    let (_, program) = bundled("uttt", Path::new(env!("CARGO_TARGET_TMPDIR")));
    let contest = bots::contest("uttt").expect("uttt");
    let line = CommandLine::new(&program, &[]);
    let limits = contest.limits();
    let series = Series {
        limits: Limits { first: limits.first * PATIENCE, later: limits.later * PATIENCE },
        seed: 1,
        openings: Openings::Random { plies: 4 },
        ..Series::new(contest, vec![Entrant::from(line.clone()), Entrant::from(line.clone())])
    };
    let (late, noted) = channel();
    let idle = Idle::start();
    let player =
        |name: &str| Player { name: name.to_owned(), bot: Box::new(Watched::start(&line, limits, &late)) };
    let finished = series.referee(contest, &series.fixture(1), vec![player("A"), player("B")]);
    let finished = finished.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(finished.record.faults, []);
    let moves = finished.record.moves.split_whitespace().count();
    assert!(moves > 20, "{moves} moves");
    idle.excuses(noted.try_iter());
}

/// Sends every recorded turn to Othello's bundle, at the platform's pace.
fn answers_to_recorded_turns() {
    let (_, program) = bundled("reversi", Path::new(env!("CARGO_TARGET_TMPDIR")));
    let contest = bots::contest("reversi").expect("reversi");
    let limits = contest.limits();
    let line = CommandLine::new(program, &[]);
    let (late, noted) = channel();
    let idle = Idle::start();
    // A game with passes.
    for game in recorded("reversi").into_iter().filter(|game| game.name == "11") {
        let recording = Recording::read(&game.logs).unwrap_or_else(|error| panic!("{error}"));
        let mut bots: Vec<Watched> = game.logs.iter().map(|_| Watched::start(&line, limits, &late)).collect();
        let look = |referee: &dyn Referee, turn: RecordedTurn<'_>| {
            let sent: String = turn.sent.iter().map(|entry| entry.text.clone() + "\n").collect();
            let bot = &mut bots[turn.seat];
            let limit = if bot.turns == 0 { limits.first } else { limits.later };
            let reply = bot.ask(&sent, 1, limit * PATIENCE);
            let fail = |expected: String| {
                let (path, line) = (turn.path.to_owned(), turn.line);
                Err(Disagreement { path, line, expected, found: format!("{reply:?}") })
            };
            let Reply::Answer { bytes, extra: None, .. } = &reply else {
                return fail("one line".into());
            };
            match referee.check(turn.seat, &String::from_utf8_lossy(bytes)) {
                Ok(()) => Ok(()),
                Err(fault) => fail(fault.expected),
            }
        };
        recording.replay_with(contest, 0, 0, look).unwrap_or_else(|error| panic!("{error}"));
        let turns = bots.iter().map(|bot| bot.turns).collect::<Vec<_>>();
        assert!(turns.iter().all(|&turns| turns > 20), "{turns:?} turns");
        bots.iter_mut().for_each(|bot| bot.stop(Duration::from_millis(500)));
    }
    idle.excuses(noted.try_iter());
}
