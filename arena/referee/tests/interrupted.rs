//! An interrupt during the last move of a game between searches. A program of its own, since an interrupt holds for a whole process.

use std::time::Duration;

use contest::session::{SearchInfo, Searches, Session, SessionError, SessionSettings, Thought};
use contest::{Contest, IllegalMove, Limits, Referee, Seat, Setup};
use coppice::{Budget, Score};
use coppice_referee::game::in_process::{play, InProcess};
use coppice_referee::process;

/// A game of one move. Its search is interrupted, and answers at once as searches do then.
struct Short;

struct ShortGame(Vec<String>);

impl Contest for Short {
    fn name(&self) -> &str {
        "short"
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        Limits { first: Duration::from_secs(1), later: Duration::from_secs(1) }
    }

    fn new_game(&self, _: Setup) -> Box<dyn Referee> {
        unreachable!("its searches play without a referee")
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        Some(Box::new(Short))
    }
}

impl Searches for Short {
    fn list(&self) -> Vec<SearchInfo> {
        vec![SearchInfo { name: "interrupted", about: "Is interrupted.", tunables: Vec::new() }]
    }

    fn session(&self, _: &str, _: &SessionSettings) -> Result<Box<dyn Session>, SessionError> {
        Ok(Box::new(ShortGame(Vec::new())))
    }
}

impl Session for ShortGame {
    fn show(&self) -> String {
        self.0.join(" ")
    }

    fn to_move(&self) -> Option<Seat> {
        self.0.is_empty().then_some(0)
    }

    fn moves(&self) -> Vec<String> {
        ["a", "b"].map(str::to_owned).to_vec()
    }

    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        self.0.push(text.to_owned());
        Ok(())
    }

    fn played(&self) -> &[String] {
        &self.0
    }

    fn take_back_to(&mut self, count: usize) {
        self.0.truncate(count);
    }

    fn think(&mut self, _: Budget) -> Thought {
        process::interrupt();
        let best = Some("a".to_owned());
        Thought {
            best,
            score: Score::DRAW,
            nodes: 1,
            depth: 0,
            solved: false,
            line: Vec::new(),
            strategy: Vec::new(),
        }
    }

    fn scores(&self) -> Vec<i64> {
        vec![1, 0]
    }
}

#[test]
fn a_game_whose_last_move_an_interrupt_has_cut_short_does_not_count() {
    let search = InProcess::parse("in:interrupted --nodes 100").unwrap().unwrap();
    assert!(play(&Short, &[&search, &search], "", 1).unwrap().is_none());
}
