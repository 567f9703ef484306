//! Tests the solver against known values and plain negamax.

use contest::laws::cases;
use coppice::search::negamax;
use coppice::{Budget, Game, Rng, Search};

use crate::mnk::tools::solver::Solver;
use crate::mnk::{Board, Heuristic};

const CELLS: usize = 64;

/// The value of the empty board for the first player, and the plies of a win.
fn value(rows: usize, columns: usize, in_line: usize, bytes: usize) -> (i32, Option<u32>) {
    let start = Board::<CELLS>::new(rows, columns, in_line);
    let mut solver = Solver::new(&start, bytes).expect("a small board");
    let report = solver.search(&start, Budget::nodes(u64::MAX));
    assert!(report.solved && report.best.is_some());
    (report.score.value().signum(), report.score.plies_to_end())
}

#[test]
fn known_boards() {
    for (rows, columns, in_line) in
        [(3, 3, 3), (4, 4, 4), (5, 4, 4), (5, 5, 5), (6, 6, 6), (7, 7, 6), (7, 7, 7), (1, 9, 3), (3, 3, 5)]
    {
        assert_eq!(value(rows, columns, in_line, 8 << 20), (0, None), "{rows},{columns},{in_line}");
    }
    // The shortest wins agree with plain search, where plain search finishes.
    for (rows, columns, in_line, plies) in
        [(4, 3, 3, 7), (4, 4, 3, 5), (2, 5, 2, 3), (1, 1, 1, 1), (6, 5, 4, 11), (7, 5, 4, 11), (7, 7, 4, 11)]
    {
        let solved = value(rows, columns, in_line, 8 << 20);
        assert_eq!(solved, (1, Some(plies)), "{rows},{columns},{in_line}");
    }
    assert!(Solver::new(&Board::<72>::new(8, 9, 4), 1 << 20).is_none());
}

#[test]
#[ignore = "half a minute in a release build"]
fn known_larger_boards() {
    for (rows, columns, in_line) in [(5, 5, 4), (6, 4, 4), (7, 4, 4), (6, 6, 5), (7, 5, 5), (7, 6, 5)] {
        assert_eq!(value(rows, columns, in_line, 256 << 20), (0, None), "{rows},{columns},{in_line}");
    }
    for (rows, columns, in_line) in [(6, 6, 4), (7, 6, 4), (8, 8, 4)] {
        assert_eq!(value(rows, columns, in_line, 256 << 20), (1, Some(11)), "{rows},{columns},{in_line}");
    }
}

/// Values and distances match negamax to the end, however small the tables, and the move keeps them.
#[test]
fn it_agrees_with_negamax() {
    let mut rng = Rng::new(3);
    let mut seen = [0; 3];
    for (rows, columns, in_line, from) in
        [(3, 3, 3, 0), (4, 3, 3, 4), (4, 4, 3, 8), (4, 4, 4, 8), (2, 7, 3, 6), (3, 5, 4, 7), (3, 4, 2, 3)]
    {
        let start = Board::<CELLS>::new(rows, columns, in_line);
        let mut solver = Solver::new(&start, 1 << 10).expect("a small board");
        for i in 0..cases(60) {
            let mut board = start.clone();
            for _ in 0..from + i % 3 {
                board.random_move(&mut rng).into_iter().for_each(|cell| board.play(cell));
            }
            let expected = negamax(&board, &Heuristic, 99);
            let report = solver.search(&board, Budget::nodes(u64::MAX));
            assert!(report.solved);
            assert_eq!(report.score, expected, "{board:?}");
            seen[(expected.value().signum() + 1) as usize] += 1;
            assert_eq!(report.best.is_none(), board.is_over());
            if let Some(best) = report.best {
                let after = negamax(&board.after(best), &Heuristic, 99);
                assert_eq!((-after).add_mate_distance(1), expected, "{best:?} in {board:?}");
            }
        }
    }
    assert!(seen.iter().all(|&count| count > cases(20)), "{seen:?}");
}

/// A search that is stopped repeatedly finds the same value.
#[test]
fn it_goes_on_where_it_stopped() {
    let start = Board::<CELLS>::new(6, 5, 4);
    let mut solver = Solver::new(&start, 8 << 20).expect("a small board");
    let mut searches = 0;
    let report = loop {
        searches += 1;
        let report = solver.search(&start, Budget::nodes(2_000));
        assert!(report.nodes <= 2_000 && report.best.is_some());
        if report.solved {
            break report;
        }
    };
    assert!(searches > 2, "{searches}");
    assert_eq!(report.score.plies_to_end(), Some(11));
}
