//! Tests the real bundles against the clock. A separate test program, so that nothing else runs at the same
//! time.

use std::path::Path;
use std::time::Duration;

use arena::{
    stolen_time, Bot, CommandLine, Disagreement, Entrant, Openings, Process, RecordedTurn, Recording, Reply,
    Series,
};
use contest::Referee;
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

/// Plays ultimate tic-tac-toe's bundle against itself. Its turns contain only moves, so recorded turns can't
/// be sent: the bundle might have moved differently.
fn answers_of_a_whole_game() {
    let (_, program) = bundled("uttt", Path::new(env!("CARGO_TARGET_TMPDIR")));
    let contest = bots::contest("uttt").expect("uttt");
    let bot = || Entrant::from(CommandLine::new(&program, &[]));
    let series = Series {
        limits: contest.limits(),
        seed: 1,
        openings: Openings::Random { plies: 4 },
        ..Series::new(contest, vec![bot(), bot()])
    };
    let finished = series.play(&series.fixture(1)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(finished.record.faults, []);
    let moves = finished.record.moves.split_whitespace().count();
    assert!(moves > 20, "{moves} moves");
}

/// Sends every recorded turn to Othello's bundle, at the platform's pace.
fn answers_to_recorded_turns() {
    let (_, program) = bundled("reversi", Path::new(env!("CARGO_TARGET_TMPDIR")));
    let contest = bots::contest("reversi").expect("reversi");
    let limits = contest.limits();
    let line = CommandLine::new(program, &[]);
    // One game with a draw, one with passes.
    for game in recorded("reversi").into_iter().filter(|game| ["7", "11"].contains(&game.name.as_str())) {
        let recording = Recording::read(&game.logs).unwrap_or_else(|error| panic!("{error}"));
        let mut bots: Vec<Process> =
            game.logs.iter().map(|_| Process::start(&line).expect("the bundle starts")).collect();
        let mut turns = vec![0; bots.len()];
        let look = |referee: &dyn Referee, turn: RecordedTurn<'_>| {
            let sent: String = turn.sent.iter().map(|entry| entry.text.clone() + "\n").collect();
            turns[turn.seat] += 1;
            let limit = if turns[turn.seat] == 1 { limits.first } else { limits.later };
            let stolen = stolen_time();
            let reply = bots[turn.seat].ask(&sent, 1, limit);
            let stolen = stolen_time().zip(stolen).map(|(after, before)| after.saturating_sub(before));
            let fail = |expected: String| {
                let (path, line) = (turn.path.to_owned(), turn.line);
                let host = format!("the host took {stolen:?} of processor time meanwhile");
                Err(Disagreement { path, line, expected, found: format!("{reply:?} ({host})") })
            };
            let Reply::Answer { after, bytes, extra: None } = &reply else {
                return fail("one line".into());
            };
            if *after > limit {
                return fail(format!("an answer within {limit:?}"));
            }
            match referee.check(turn.seat, &String::from_utf8_lossy(bytes)) {
                Ok(()) => Ok(()),
                Err(fault) => fail(fault.expected),
            }
        };
        recording.replay_with(contest, 0, 0, look).unwrap_or_else(|error| panic!("{error}"));
        assert!(turns.iter().all(|&turns| turns > 20), "{turns:?} turns");
        bots.iter_mut().for_each(|bot| bot.stop(Duration::from_millis(500)));
    }
}
