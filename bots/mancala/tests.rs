//! Tests the referee's lines and its checks.

use std::time::Duration;

use coppice::{Game, Rng};

use contest::commands::referee::{CommandGame, CommandProtocol};
use contest::commands::{start, Commands};
use contest::{Contest, FaultKind, Limits, Referee, Setup};

use super::tools::contest::mancala;
use super::Board;

fn game(seed: u64, opening_plies: u32) -> CommandGame<Board> {
    let limits = Limits { first: Duration::from_millis(200), later: Duration::from_millis(150) };
    let start = start(Board::USUAL).expect("the usual variant");
    let setup = Setup { seed, opening_plies, limits };
    CommandGame::new(start, CommandProtocol::new(Board::USUAL, setup), setup)
}

/// Each seat can follow the game from its lines, including several moves in a row and openings.
#[test]
fn both_seats_know_the_whole_game() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut referee = game(seed, seed as u32 % 5);
        let mut known = [Board::new(6, 4, false); 2];
        let mut asked = [0, 0];
        while let [seat] = referee.asked()[..] {
            let mut text = if asked[seat] == 0 { referee.init(seat) } else { String::new() };
            asked[seat] += 1;
            text.push_str(&referee.turn(seat));
            assert_eq!(text.lines().count(), referee.answer_lines(seat), "{text}");
            for line in text.lines() {
                match line.split_once(' ') {
                    Some(("init", rest)) => assert_eq!(rest, format!("6 4 0 {} 150", 1 - seat)),
                    Some(("play", hole)) => known[seat].play(hole.parse().expect("a hole")),
                    _ => assert_eq!(line, "go"),
                }
            }
            assert_eq!(known[seat], *referee.game(), "{text}");
            let hole = known[seat].random_move(&mut rng).expect("a move");
            known[seat].play(hole);
            let ok = "ok\n".repeat(text.lines().count() - 1);
            assert!(referee.check(1 - seat, &format!("move {hole}")).is_err());
            assert_eq!(
                ["end first", "end second", "end draw", "ok"]
                    .map(|line| referee.may_follow(seat, &format!("{ok}move {hole}"), line))
                    .contains(&true),
                known[seat].is_over()
            );
            referee.answer(seat, &format!("{ok}move {hole}")).expect("a legal move");
        }
        assert!(asked[0] > 5 && asked[1] > 5);
        assert_eq!(referee.scores()[0] == 1, referee.game().payoff(coppice::Player::FIRST).0 > 0);
    }
}

#[test]
fn faults_are_told_apart() {
    let referee = game(1, 0);
    for (answer, kind) in [
        ("ok\nmove 6", FaultKind::Protocol),
        ("ok\nmove x", FaultKind::Protocol),
        ("error what\nmove 1", FaultKind::Protocol),
        ("move1", FaultKind::Protocol),
        ("", FaultKind::Protocol),
    ] {
        assert_eq!(referee.check(0, answer).expect_err(answer).kind, kind, "{answer}");
    }
    assert_eq!(referee.check(1, "ok\nmove 1").expect_err("not its move").kind, FaultKind::Illegal);
    assert!(referee.check(0, "ok\nmove 1").is_ok());
}

#[test]
fn variants_are_read_or_refused() {
    assert_eq!(start::<Board>("3 2 1"), Ok(Board::new(3, 2, true)));
    for (words, error) in [
        ("6 4", "expected M N EMPTY(0|1), found \"6 4\""),
        ("7 4 0", "expected 1 to 6 holes a side, at most 128 counters in all, and 0 or 1"),
        ("6 11 0", "expected 1 to 6 holes a side, at most 128 counters in all, and 0 or 1"),
        ("6 x 0", "expected 1 to 6 holes a side, at most 128 counters in all, and 0 or 1"),
    ] {
        assert_eq!(start::<Board>(words).expect_err(words), error);
    }
}

#[test]
fn a_dialogue_tells_its_position() {
    let (text, mancala) = ("0,3,0,0,0,0,9/0,0,0,0,1,1,34 1", mancala());
    let placed = mancala.at_position(text).expect("a position");
    let game = placed.new_game(Setup { seed: 1, opening_plies: 0, limits: placed.limits() });
    let lines = game.init(0) + &game.turn(0);
    assert_eq!((game.asked(), game.answer_lines(1)), (vec![1], 3));
    let recorded = mancala.recorded(&[lines.lines().collect()]).expect("a position");
    assert_eq!((recorded.name(), placed.name()), ("mancala@0,3,0,0,0,0,9/0,0,0,0,1,1,34_1", recorded.name()));
    assert!(mancala.recorded(&[vec!["init 6 4 0 1 150", "go"]]).is_none());
}
