//! Checks the laws of [`contest::laws`] on a few seeds.

use bots::{boop, freckers, mancala, mnk, reversi, tictactoe, uttt};
use contest::laws::{
    cases, draws_evenly, keeps_its_promises, random_game, reads_what_it_writes, refuses_garbage, takes_back,
};
use coppice::Game;
use coppice_tests::games::ConnectFour;

#[test]
fn tic_tac_toe() {
    assert!(keeps_its_promises(&tictactoe::Board::START, |board| *board, 11, cases(60)) > cases(100));
    draws_evenly(&tictactoe::Board::START);
}

#[test]
fn ultimate_tic_tac_toe() {
    assert!(keeps_its_promises(&uttt::Board::START, |board| *board, 11, cases(60)) > cases(100));
    draws_evenly(&uttt::Board::START);
}

#[test]
fn mancala() {
    let mut meetings = 0;
    for (holes, counters, empty_capture) in [(6, 4, true), (6, 6, false), (3, 2, true), (4, 16, false)] {
        let start = mancala::Board::new(holes, counters, empty_capture);
        meetings += keeps_its_promises(
            &start,
            |board| {
                let me = board.to_move();
                let side = |player| (0..holes).map(|hole| board.counters(player, hole)).collect::<Vec<_>>();
                (side(me), side(me.other()), board.store_difference())
            },
            11,
            cases(60),
        );
        draws_evenly(&start);
    }
    assert!(meetings > cases(100));
}

#[test]
fn in_a_line() {
    for (rows, columns, in_line) in [(4, 4, 3), (5, 5, 4), (3, 7, 4)] {
        let start = mnk::Board::<25>::new(rows, columns, in_line);
        let meetings = keeps_its_promises(
            &start,
            |board| {
                let cells =
                    (0..rows * columns).map(|i| mnk::Cell::new((i / columns) as u8, (i % columns) as u8));
                cells.map(|cell| board.mark(cell)).collect::<Vec<_>>()
            },
            11,
            cases(60),
        );
        assert!(meetings > cases(100));
        draws_evenly(&start);
    }
}

#[test]
fn reversi() {
    assert!(
        keeps_its_promises(&reversi::Board::START, |board| (board.own(), board.opponent()), 11, cases(60))
            > cases(100)
    );
    draws_evenly(&reversi::Board::START);
}

/// Positions are compared as the side to move sees them.
#[test]
fn freckers() {
    let meetings = keeps_its_promises(
        &freckers::Board::START,
        |board| (board.own(), board.other(), board.pads(), board.actions()),
        11,
        cases(60),
    );
    assert!(meetings > cases(100));
    draws_evenly(&freckers::Board::START);
}

#[test]
fn connect_four() {
    assert!(keeps_its_promises(&ConnectFour::START, |game| *game, 11, cases(60)) > cases(100));
    draws_evenly(&ConnectFour::START);
}

/// In a thread with room for boards of up to 4,900 cells.
#[test]
fn positions_are_read_as_they_are_written() {
    let check = || {
        reads_what_it_writes(&mancala::Board::new(6, 4, false), 5, 60);
        reads_what_it_writes(&mancala::Board::new(2, 9, true), 5, 60);
        reads_what_it_writes(&boop::Board::START, 5, 20);
        reads_what_it_writes(&freckers::Board::START, 5, 20);
        reads_what_it_writes(&reversi::Board::START, 5, 20);
        for (rows, columns, in_line) in [(3, 3, 3), (3, 7, 4)] {
            reads_what_it_writes(&mnk::Board::<{ mnk::protocol::CELLS }>::new(rows, columns, in_line), 5, 20);
        }
    };
    let thread = std::thread::Builder::new().stack_size(contest::session::STACK_BYTES).spawn(check);
    thread.expect("a thread").join().expect("every position is read");
}

#[test]
fn moves_are_taken_back() {
    takes_back(&tictactoe::Board::START, 3, 200);
}

/// Each contest in a thread: Freckers takes as long as all others together.
#[test]
fn every_contest_accepts_the_moves_that_it_lists() {
    let games = cases(12);
    std::thread::scope(|scope| {
        for &contest in bots::contests() {
            scope.spawn(move || {
                let made: usize = (0..games).map(|seed| random_game(contest, seed)).sum();
                let shortest = if contest.name() == "sudoku" { 1 } else { 5 };
                assert!(made >= games as usize * shortest, "{}: {made}", contest.name());
            });
        }
    });
}

#[test]
fn every_contest_refuses_garbage() {
    for contest in bots::contests() {
        let refused: usize = (0..cases(5)).map(|seed| refuses_garbage(*contest, seed)).sum();
        assert!(refused > 2, "{}: {refused}", contest.name());
    }
}
