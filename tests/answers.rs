//! The real bundles by the clock. A test program of its own, so that nothing else runs beside it.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use arena::bot::{Bot, Reply};
use arena::command_line::CommandLine;
use arena::entrant::Entrant;
use arena::openings::Openings;
use arena::process::Process;
use arena::replay::{Disagreement, RecordedTurn, Recording};
use arena::series::Series;
use bots::contest::{Limits, Referee};
use coppice_tests::{bundled, recorded};

/// A machine that stands still for a tenth of a second, as virtual ones do at times, makes any bot late. A turn that is late in each of so
/// many attempts is the bot's fault, and so is every tenth.
const ATTEMPTS: usize = 5;

/// No answer of ours takes that long.
const PATIENT: Limits = Limits { first: Duration::from_secs(20), later: Duration::from_secs(20) };

/// One test, so that the bundles don't run beside each other.
#[test]
fn answers_are_legal_and_in_time() {
    in_time(answers_to_recorded_turns);
    in_time(answers_of_a_whole_game);
}

/// What an attempt came to.
#[derive(Default)]
struct Answers {
    count: usize,
    /// The turns with late ones.
    late: BTreeSet<String>,
}

impl Answers {
    fn add(&mut self, turn: String, after: Duration, limit: Duration) {
        self.count += 1;
        if after > limit {
            self.late.insert(turn);
        }
    }
}

/// Makes attempts until no turn was late in all of them.
fn in_time(attempt: impl Fn() -> Answers) {
    let mut always: Option<BTreeSet<String>> = None;
    for _ in 0..ATTEMPTS {
        let Answers { count, late } = attempt();
        assert!(count > 40 && late.len() * 10 < count, "of {count} answers were late: {late:?}");
        let both = always.map_or(late.clone(), |always| &always & &late);
        if both.is_empty() {
            return;
        }
        always = Some(both);
    }
    panic!("late in each of {ATTEMPTS} attempts: {always:?}");
}

/// The limit of a bot's turn.
fn limit(limits: Limits, index: usize) -> Duration {
    if index == 0 {
        limits.first
    } else {
        limits.later
    }
}

/// Ultimate tic-tac-toe's bundle against itself: a bot that is told moves alone can't be sent turns of a game
/// in which it would have moved otherwise.
fn answers_of_a_whole_game() -> Answers {
    let (_, program) = bundled("uttt", Path::new(env!("CARGO_TARGET_TMPDIR")));
    let contest = bots::contest("uttt").expect("uttt");
    let bot = || Entrant::from(CommandLine::new(&program, &[]));
    let series = Series {
        limits: PATIENT,
        seed: 1,
        openings: Openings::Random { plies: 4 },
        ..Series::new(contest, vec![bot(), bot()])
    };
    let finished = series.play(&series.fixture(1)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(finished.record.faults, []);
    let moves = finished.record.moves.split_whitespace().count();
    assert!(moves > 20, "{moves} moves");
    let mut answers = Answers::default();
    for (seat, times) in finished.record.times_ms.iter().enumerate() {
        for (index, &ms) in times.iter().enumerate() {
            let after = Duration::from_secs_f64(ms / 1000.0);
            answers.add(format!("seat {seat}, turn {index}"), after, limit(contest.limits(), index));
        }
    }
    answers
}

/// Sends every recorded turn to Othello's bundle, at the platform's pace.
fn answers_to_recorded_turns() -> Answers {
    let (_, program) = bundled("reversi", Path::new(env!("CARGO_TARGET_TMPDIR")));
    let contest = bots::contest("reversi").expect("reversi");
    let mut answers = Answers::default();
    let line = CommandLine::new(program, &[]);
    // One with a draw, and one with passes.
    for game in recorded("reversi").into_iter().filter(|game| ["7", "11"].contains(&game.name.as_str())) {
        let recording = Recording::read(&game.logs).unwrap_or_else(|error| panic!("{error}"));
        let mut bots: Vec<Process> =
            game.logs.iter().map(|_| Process::start(&line).expect("the bundle starts")).collect();
        let mut turns = vec![0; bots.len()];
        let look = |referee: &dyn Referee, turn: RecordedTurn<'_>| {
            let sent: String = turn.sent.iter().map(|entry| entry.text.clone() + "\n").collect();
            let limit = limit(contest.limits(), turns[turn.seat]);
            turns[turn.seat] += 1;
            let reply = bots[turn.seat].ask(&sent, 1, PATIENT.first);
            let fail = |expected: String| {
                let (path, line) = (turn.path.to_owned(), turn.line);
                Err(Disagreement { path, line, expected, found: format!("{reply:?}") })
            };
            let Reply::Answer { after, bytes, extra: None } = &reply else {
                return fail("one line".into());
            };
            answers.add(format!("{}:{}", turn.path.display(), turn.line), *after, limit);
            match referee.check(turn.seat, &String::from_utf8_lossy(bytes)) {
                Ok(()) => Ok(()),
                Err(fault) => fail(fault.expected),
            }
        };
        recording.replay_with(contest, 0, 0, look).unwrap_or_else(|error| panic!("{error}"));
        assert!(turns.iter().all(|&turns| turns > 20), "{turns:?} turns");
        bots.iter_mut().for_each(|bot| bot.stop(Duration::from_millis(500)));
    }
    answers
}
