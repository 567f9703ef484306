//! What holds for the rules and the referee of every contest.

use contest::{Contest, Referee, Setup};
use coppice::Rng;

/// Plays a random game from a random opening; returns the number of moves that the seats made.
fn random_game(contest: &dyn Contest, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let setup = Setup { seed, opening_plies: (seed % 3) as u32, limits: contest.limits() };
    let mut referee = contest.new_game(setup);
    let mut made = 0;
    while let Some(&seat) = referee.asked().first() {
        let before = referee.moves();
        let legal = referee.legal_moves(seat);
        for text in &legal {
            assert!(!text.is_empty() && !text.contains(char::is_whitespace), "{text}");
            referee.check(seat, &referee.answer_of(seat, text)).unwrap_or_else(|fault| {
                panic!("{}: {text} after {before}: {fault}", contest.name());
            });
        }
        assert!(!referee.show().ends_with('\n') && referee.show().lines().count() > 1);
        let text = &legal[rng.below(legal.len() as u32) as usize];
        referee.answer(seat, &referee.answer_of(seat, text)).expect("a legal move");
        let new = referee.moves().split_off(before.len());
        assert_eq!(new.split_whitespace().next(), Some(text.as_str()), "{}", contest.name());
        made += 1;
        assert_eq!(reopened(contest, seed, &*referee).show(), referee.show());
    }
    made
}

/// Replays all moves of a game as the opening of another with the same seed. A move may trigger further ones.
fn reopened(contest: &dyn Contest, seed: u64, game: &dyn Referee) -> Box<dyn Referee> {
    let mut referee = contest.new_game(Setup { seed, opening_plies: 0, limits: contest.limits() });
    let moves = game.moves();
    while let Some(text) = moves.split_whitespace().nth(referee.moves().split_whitespace().count()) {
        assert!(referee.open("what").is_err());
        referee.open(text).unwrap_or_else(|error| panic!("{}: {error}", contest.name()));
    }
    assert_eq!((referee.moves(), referee.asked()), (moves, game.asked()));
    // A seat that joins only now gets the same position as one that played.
    if let Some(&seat) = referee.asked().first() {
        let answer = referee.answer_of(seat, &referee.legal_moves(seat)[0]);
        assert_eq!(referee.move_of(seat, &answer).as_ref(), Ok(&referee.legal_moves(seat)[0]));
    }
    referee
}

#[test]
fn what_is_listed_as_legal_can_be_answered() {
    for contest in crate::contests() {
        let made: usize = (0..12).map(|seed| random_game(*contest, seed)).sum();
        let shortest = if contest.name() == "sudoku" { 1 } else { 5 };
        assert!(made >= 12 * shortest, "{}: {made}", contest.name());
    }
}

#[test]
fn positions_are_drawn() {
    let drawn = |name: &str| {
        let contest = crate::contest(name).expect("a contest");
        let setup = Setup { seed: 1, opening_plies: 0, limits: contest.limits() };
        contest.new_game(setup).show()
    };
    let reversi = drawn("reversi");
    assert_eq!(reversi.lines().nth(4), Some("4 . . * 1 0 . . ."));
    assert_eq!(reversi.lines().last(), Some("black 2, white 2; black (0) to move"));
    assert_eq!(drawn("tictactoe"), "...\n...\n...\nx to move");
    let mnk = drawn("mnk");
    assert_eq!((mnk.lines().next(), mnk.lines().nth(7)), (Some("  0 1 2 3 4 5 6"), Some("6 . . . . . . .")));
    assert_eq!(mnk.lines().last(), Some("5 in a line; x to move"));
}
