//! Tests the solver against plain minimax, and its tables.

use coppice::clock::Meter;
use coppice::{Budget, Game, Rng, Search};

use super::few::Few;
use super::Solver;
use crate::mancala::Board;

/// A random position.
fn position(rng: &mut Rng, holes: u32, counters: u32) -> Board {
    let mut board = Board::new(holes, counters, rng.below(2) == 1);
    for _ in 0..rng.below(8) {
        let next = board.random_move(rng).map(|hole| board.after(hole));
        board = next.filter(|next| !next.is_over()).unwrap_or(board);
    }
    board
}

/// The mover's margin at the end.
fn minimax(board: &Board) -> i32 {
    let mut list = <Board as Game>::Moves::default();
    board.moves(&mut list);
    let value = |&hole: &u8| {
        let next = board.after(hole);
        if next.to_move() == board.to_move() {
            minimax(&next)
        } else {
            -minimax(&next)
        }
    };
    list.iter().map(value).max().unwrap_or(board.store_difference())
}

#[test]
fn values_are_those_of_minimax() {
    let mut rng = Rng::new(3);
    for _ in 0..300 {
        let (holes, counters) = (1 + rng.below(3), 1 + rng.below(3));
        let board = position(&mut rng, holes, counters.min(7 - 2 * holes));
        let mut solver = Solver::new([0, 4 << 20][rng.below(2) as usize]);
        let report = solver.search(&board, Budget::nodes(u64::MAX));
        assert_eq!((report.score.value(), report.solved), (minimax(&board), true), "{board:?}");
        let best = board.after(report.best.expect("a move"));
        let after = if best.to_move() == board.to_move() { minimax(&best) } else { -minimax(&best) };
        assert_eq!(after, report.score.value(), "{board:?}");
    }
}

/// A search split into runs of a few thousand nodes finds the same value, and one solver serves all variants.
#[test]
fn a_search_goes_on_where_the_last_one_ended() {
    let mut solver = Solver::new(4 << 20);
    for (holes, counters, empty_capture, margin) in
        [(3, 4, false, 2), (3, 6, false, -8), (3, 6, true, -10), (4, 3, true, 8), (4, 3, false, 6)]
    {
        let board = Board::new(holes, counters, empty_capture);
        let mut attempts = 0;
        let report = loop {
            let report = solver.search(&board, Budget::nodes(3_000));
            assert!(report.nodes <= 3_000 && report.best.is_some());
            attempts += 1;
            if report.solved {
                break report;
            }
            assert!(attempts < 1_000, "no end");
        };
        assert_eq!(report.score.value(), margin);
        assert!(attempts > 1);
    }
}

#[test]
fn positions_with_few_counters_have_numbers_of_their_own() {
    for holes in 1..=6 {
        let few = Few::new(holes, false, 0);
        let mut count = 0;
        for_each_position(holes, 5, &mut |_, _| count += 1);
        let mut seen = vec![false; count];
        for_each_position(holes, 5, &mut |own, other| {
            assert!(!std::mem::replace(&mut seen[few.number(own, other)], true), "{own:x} {other:x}");
        });
    }
}

/// Skips positions with an empty side: the game is over there.
#[test]
fn values_of_few_counters_are_those_of_minimax() {
    for (holes, empty_capture) in
        [(1, false), (2, true), (3, false), (3, true), (5, false), (6, false), (6, true)]
    {
        let most = if holes > 3 { 4 } else { 6 };
        let mut few = Few::new(holes, empty_capture, 1 << 20);
        let mut meter = Meter::<64>::new(Budget::nodes(u64::MAX));
        (0..=most).for_each(|_| few.grow(&mut meter));
        assert_eq!(few.levels(), most as u32 + 1);
        for_each_position(holes, most, &mut |own, other| {
            if own > 0 && other > 0 {
                let board = Board::of_sides(own, other, holes, empty_capture);
                let gets = (minimax(&board) + board.left() as i32) / 2;
                assert_eq!(few.get(own, other) as i32, gets, "{board:?}");
            }
        });
    }
}

/// A level that exceeds the budget is left out and computed later.
#[test]
fn a_level_is_whole_or_not_there() {
    let mut few = Few::new(4, false, 100_000);
    let sizes = (0..12).map(|_| {
        let (levels, next) = (few.levels(), few.next().expect("room"));
        few.grow(&mut Meter::<64>::new(Budget::nodes(next as u64 - 1)));
        assert_eq!((few.levels(), few.next()), (levels, Some(next)));
        few.grow(&mut Meter::<64>::new(Budget::nodes(next as u64)));
        assert_eq!(few.levels(), levels + 1);
        next
    });
    // All distributions of up to eleven counters over eight holes: binomial(19, 8).
    assert_eq!(sizes.sum::<usize>(), 75_582);
    assert_eq!(few.next(), None);
}

/// Calls `then` with every distribution of up to `most` counters over the holes.
fn for_each_position(holes: u32, most: u64, then: &mut dyn FnMut(u64, u64)) {
    let holes = holes as usize;
    fill(&mut [0; 12], 0, 2 * holes, most, &mut |all| {
        let side = |side: &[u64]| (6 - holes..).zip(side).map(|(i, &n)| n << (8 * i)).sum();
        then(side(&all[..holes]), side(&all[holes..2 * holes]));
    });
}

fn fill(holes: &mut [u64; 12], at: usize, end: usize, left: u64, then: &mut dyn FnMut(&[u64; 12])) {
    if at == end {
        return then(holes);
    }
    for n in 0..=left {
        holes[at] = n;
        fill(holes, at + 1, end, left - n, then);
    }
    holes[at] = 0;
}
