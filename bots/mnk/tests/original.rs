//! Tests the player MNKGames as published.

use std::time::{Duration, Instant};

use coppice::search::{Selective, SelectiveOptions};
use coppice::{Budget, Game, Rng, Search};

use crate::mnk::original::{Numbers, Original};
use crate::mnk::{Board, Heuristic};

const CELLS: usize = 144;

/// Seven cells of a position and ten plies; three cells with ten in a line.
#[test]
fn with_nodes_it_is_the_selective_search() {
    let mut rng = Rng::new(4);
    for (size, width) in [((7, 7, 5), 7), ((10, 10, 5), 7), ((12, 12, 10), 3)] {
        let mut board = Board::<CELLS>::new(size.0, size.1, size.2);
        (0..6).for_each(|_| board.play(board.random_move(&mut rng).expect("a move")));
        let mut plain = Selective::new(Heuristic, SelectiveOptions::new(width, 10));
        let expected = plain.search(&board, Budget::nodes(5_000));
        for full_sort in [0, 1] {
            let mut original = Original::new(Numbers { full_sort, ..Numbers::default() }, &board);
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
    let mut original = Original::new(Numbers::default(), &board);
    let turn = Duration::from_millis(40);
    let first = original.search(&board, Budget::until(Instant::now() + turn));
    assert!(first.best.is_some());
    let far = || Budget::until(Instant::now() + Duration::from_secs(100));
    let counted = original.search(&board, far()).nodes;
    assert!(counted > 0);
    assert_eq!(original.search(&board, far()).nodes, counted);
    assert!(first.nodes <= counted);
}
