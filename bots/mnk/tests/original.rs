//! Tests the player MNKGames as published.

use std::time::{Duration, Instant};

use coppice::search::{Selective, SelectiveOptions};
use coppice::{Budget, Game, Rng, Search};

use crate::mnk::heuristic::MoverFirst;
use crate::mnk::tools::original::{Numbers, Original};
use crate::mnk::Board;

const CELLS: usize = 144;

/// Seven cells of a position and ten plies; three cells with ten in a line.
#[test]
fn with_nodes_it_is_the_selective_search() {
    let mut rng = Rng::new(4);
    for (size, width) in [((7, 7, 5), 7), ((10, 10, 5), 7), ((12, 12, 10), 3)] {
        let mut board = Board::<CELLS>::new(size.0, size.1, size.2);
        (0..6).for_each(|_| board.play(board.random_move(&mut rng).expect("a move")));
        let mut plain =
            Selective::new(MoverFirst, SelectiveOptions { width, depth: 10, ..SelectiveOptions::default() });
        let expected = plain.search(&board, Budget::nodes(5_000));
        for (full_sort, each_mark) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let numbers = Numbers { full_sort, each_mark, ..Numbers::default() };
            let mut original = Original::new(numbers, &board);
            let report = original.search(&board, Budget::nodes(5_000));
            assert_eq!((report.best, report.nodes), (expected.best, expected.nodes), "{size:?}");
            assert_eq!((report.score, report.depth), (expected.score, expected.depth), "{size:?}");
        }
    }
}

/// The nodes counted in the first turn are the budget of later turns, whatever their time.
#[test]
fn what_is_counted_at_the_start_is_the_budget() {
    let board = Board::<CELLS>::new(12, 12, 5);
    for before in [0, 1] {
        let mut original = Original::new(Numbers { before, ..Numbers::default() }, &board);
        let turn = Duration::from_millis(40);
        let first = original.search(&board, Budget::until(Instant::now() + turn));
        assert!(first.best.is_some());
        let far = || Budget::until(Instant::now() + Duration::from_secs(100));
        let counted = original.search(&board, far()).nodes;
        assert!(counted > 0);
        assert_eq!(original.search(&board, far()).nodes, counted);
        assert!(first.nodes <= counted);
    }
}

/// A win of one's own comes before the other's, and a double threat before one.
#[test]
fn the_movers_own_threats_come_first() {
    use coppice::Evaluation;

    let mut board = Board::<CELLS>::new(12, 12, 5);
    // Four in a line of each, open on one side; the first player is to move.
    for (row, column) in [(2, 0), (8, 0), (2, 1), (8, 1), (2, 2), (8, 2), (2, 3), (8, 3)] {
        board.play(crate::mnk::cell::Cell::new(row, column));
    }
    let rank = |row| MoverFirst.rank(&board, crate::mnk::cell::Cell::new(row, 4));
    assert_eq!(
        (rank(2), rank(8)),
        (board.counts(crate::mnk::cell::Cell::new(2, 4)).key() + 1_000_000, rank(8))
    );
    assert!(rank(2) > rank(8) && rank(8) >= 1_000_000, "{} {}", rank(2), rank(8));
}
