//! Tests the movement of pods against recorded races whose angles are known to a ten-thousandth of a degree.

use std::fs;

use bots::podracing::pod::Pod;
use bots::podracing::protocol::read_order;
use bots::podracing::race::{Race, PODS};
use bots::podracing::tools::contest::POD_RACING;
use bots::podracing::track::Track;
use contest::{Contest, FaultKind, Setup};
use coppice_tests::workspace;

/// A recorded number may be off by half of its last digit.
const ANGLE_ERROR: f64 = 0.000_1;

/// The numbers of a line that begins with `words`.
fn numbers<T: std::str::FromStr>(line: &str, words: &str) -> Vec<T> {
    let rest = line.strip_prefix(words).unwrap_or_else(|| panic!("`{line}` begins with `{words}`"));
    rest.split_whitespace()
        .map(|word| word.parse().unwrap_or_else(|_| panic!("a number in `{line}`")))
        .collect()
}

fn agrees(pod: &Pod, track: &Track, recorded: &str, place: &str) {
    let recorded: Vec<f64> = numbers(recorded, "");
    let angle = if pod.has_turned { pod.angle.to_degrees().rem_euclid(360.0) } else { -1.0 };
    let next = track.next(pod.passed) as f64;
    let told = [pod.x, pod.y, pod.vx, pod.vy, angle, next];
    let off = told.iter().zip(&recorded).map(|(told, recorded)| (told - recorded).abs());
    let is_same = off.enumerate().all(|(i, off)| off <= if i == 4 { ANGLE_ERROR } else { 0.0 });
    assert!(is_same && recorded.len() == 6, "{place}: {told:?}, recorded {recorded:?}");
}

/// Replays a trace; returns the number of turns.
fn replay(name: &str) -> usize {
    let text = fs::read_to_string(workspace().join("tests/logs/podracing").join(name)).expect("a trace");
    let mut lines = text.lines().filter(|line| !line.is_empty());
    let mut line = || lines.next();
    let laps = numbers(line().expect("laps"), "laps ")[0];
    let count: usize = numbers(line().expect("checkpoints"), "checkpoints ")[0];
    let points: Vec<[i16; 2]> =
        (0..count).map(|_| numbers(line().expect("a checkpoint"), "").try_into().expect("x and y")).collect();
    let track = Track::new(&points, laps).expect("a track");
    let mut race = Race::new(track);
    let start = line().expect("the start").strip_prefix("start ").expect("the start");
    for (pod, recorded) in race.pods.iter().zip(start.split('|')) {
        agrees(pod, &track, recorded, name);
    }
    let mut turns = 0;
    while let Some(heading) = line() {
        let recorded: Vec<(&str, &str)> =
            (0..PODS).map(|_| line().and_then(|line| line.split_once(" => ")).expect("a pod")).collect();
        for (pod, (answer, _)) in race.pods.iter_mut().zip(&recorded) {
            pod.follow(read_order(answer).expect("an order"));
        }
        race.advance();
        for (pod, (_, after)) in race.pods.iter().zip(&recorded) {
            agrees(pod, &track, after, &format!("{name}, {heading}"));
        }
        turns += 1;
    }
    turns
}

#[test]
fn traces_agree_in_every_number() {
    for (name, turns) in
        [("trace4.txt", 14), ("trace5.txt", 14), ("trace8.txt", 14), ("trace9.txt", 14), ("live1.txt", 8)]
    {
        assert_eq!(replay(name), turns, "{name}");
    }
}

/// In the recorded game's last turn seat 0 answers with a thrust of 201; what was sent until then is the same.
#[test]
fn a_recorded_race_ends_with_a_wrong_answer() {
    let read = |seat| fs::read_to_string(workspace().join(format!("tests/logs/podracing/5.p{seat}.log")));
    let logs = [0, 1].map(|seat| read(seat).expect("a log"));
    let mut entries = logs.each_ref().map(|log| log.lines());
    let init: Vec<&str> = logs[0].lines().take(5).map(|line| &line[2..]).collect();
    let contest = POD_RACING.recorded(&[init]).expect("a track");
    let mut referee = contest.new_game(Setup { seed: 0, opening_plies: 0, limits: contest.limits() });
    for turn in 1..=40 {
        for (seat, entries) in entries.iter_mut().enumerate() {
            let init = if turn == 1 { referee.init(seat) } else { String::new() };
            for sent in (init + &referee.turn(seat)).lines() {
                assert_eq!(entries.next(), Some(format!("> {sent}").as_str()), "turn {turn}, seat {seat}");
            }
        }
        for (seat, entries) in entries.iter_mut().enumerate() {
            let lines =
                [0, 1].map(|_| entries.next().and_then(|line| line.strip_prefix("< ")).expect("an answer"));
            let judged = referee.answer(seat, &lines.join("\n"));
            match (turn, seat) {
                (40, 0) => {
                    assert_eq!(judged.expect_err("a wrong answer").kind, FaultKind::Protocol);
                    referee.forfeit(seat);
                }
                _ => judged.expect("an answer"),
            }
        }
    }
    assert!(entries.iter_mut().all(|entries| entries.next().is_none()));
    assert_eq!((referee.asked(), referee.scores()), (vec![], vec![0, 2]));
}
