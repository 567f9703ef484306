//! Tests the real bundles against the clock. A separate test program, so that nothing else runs at the same
//! time.
//!
//! No answer may be later than the limit, except by a delay that an idle program had as well: that is the machine's.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use contest::{Limits, Referee};
use coppice_arena::{
    Bot, CommandLine, Disagreement, Entrant, Openings, Process, RecordedTurn, Recording, Reply, Series,
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

    /// Checks that each late answer, given by how much it was late, is matched by a delay as long of the idle thread.
    fn excuses(self, mut late: Vec<Duration>) {
        self.is_over.store(true, Ordering::Relaxed);
        let mut delays = self.thread.join().expect("the idle thread ends");
        late.sort_by(|a, b| b.cmp(a));
        delays.sort_by(|a, b| b.cmp(a));
        let longest = &delays[..delays.len().min(late.len())];
        println!("late answers by {late:?}; longest delays of an idle thread {longest:?}");
        assert!(late.iter().zip(longest).all(|(late, delay)| late <= delay), "late by {late:?}, {longest:?}");
    }
}

/// How long a bot is waited for beyond its limit, so that one late answer doesn't end the test.
const PATIENCE: u32 = 10;

/// Plays ultimate tic-tac-toe's bundle against itself. Its turns contain only moves, so recorded turns can't
/// be sent: the bundle might have moved differently.
fn answers_of_a_whole_game() {
    let (_, program) = bundled("uttt", Path::new(env!("CARGO_TARGET_TMPDIR")));
    let contest = bots::contest("uttt").expect("uttt");
    let bot = || Entrant::from(CommandLine::new(&program, &[]));
    let limits = contest.limits();
    let series = Series {
        limits: Limits { first: limits.first * PATIENCE, later: limits.later * PATIENCE },
        seed: 1,
        openings: Openings::Random { plies: 4 },
        ..Series::new(contest, vec![bot(), bot()])
    };
    let idle = Idle::start();
    let finished = series.play(&series.fixture(1)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(finished.record.faults, []);
    let moves = finished.record.moves.split_whitespace().count();
    assert!(moves > 20, "{moves} moves");
    let late = |times: &Vec<f64>| {
        let late = |(turn, &ms): (usize, &f64)| {
            let limit = if turn == 0 { limits.first } else { limits.later };
            Duration::from_secs_f64(ms / 1e3).checked_sub(limit).filter(|late| !late.is_zero())
        };
        times.iter().enumerate().filter_map(late).collect::<Vec<_>>()
    };
    idle.excuses(finished.record.times_ms.iter().flat_map(late).collect());
}

/// Sends every recorded turn to Othello's bundle, at the platform's pace.
fn answers_to_recorded_turns() {
    let (_, program) = bundled("reversi", Path::new(env!("CARGO_TARGET_TMPDIR")));
    let contest = bots::contest("reversi").expect("reversi");
    let limits = contest.limits();
    let line = CommandLine::new(program, &[]);
    let mut late = Vec::new();
    let idle = Idle::start();
    // A game with passes.
    for game in recorded("reversi").into_iter().filter(|game| game.name == "11") {
        let recording = Recording::read(&game.logs).unwrap_or_else(|error| panic!("{error}"));
        let mut bots: Vec<Process> =
            game.logs.iter().map(|_| Process::start(&line).expect("the bundle starts")).collect();
        let mut turns = vec![0; bots.len()];
        let look = |referee: &dyn Referee, turn: RecordedTurn<'_>| {
            let sent: String = turn.sent.iter().map(|entry| entry.text.clone() + "\n").collect();
            turns[turn.seat] += 1;
            let limit = if turns[turn.seat] == 1 { limits.first } else { limits.later };
            let reply = bots[turn.seat].ask(&sent, 1, limit * PATIENCE);
            let fail = |expected: String| {
                let (path, line) = (turn.path.to_owned(), turn.line);
                Err(Disagreement { path, line, expected, found: format!("{reply:?}") })
            };
            let Reply::Answer { after, bytes, extra: None } = &reply else {
                return fail("one line".into());
            };
            late.extend(after.checked_sub(limit).filter(|late| !late.is_zero()));
            match referee.check(turn.seat, &String::from_utf8_lossy(bytes)) {
                Ok(()) => Ok(()),
                Err(fault) => fail(fault.expected),
            }
        };
        recording.replay_with(contest, 0, 0, look).unwrap_or_else(|error| panic!("{error}"));
        assert!(turns.iter().all(|&turns| turns > 20), "{turns:?} turns");
        bots.iter_mut().for_each(|bot| bot.stop(Duration::from_millis(500)));
    }
    idle.excuses(late);
}
