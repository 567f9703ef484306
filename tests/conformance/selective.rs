//! Tests selective alpha-beta: with all moves it equals negamax, with fewer, negamax over those.

use std::cmp::Reverse;
use std::fmt::Debug;
use std::time::{Duration, Instant};

use bots::mnk::{Board, Heuristic};
use coppice::search::{AlphaBeta, AlphaBetaOptions, Selective, SelectiveOptions};
use coppice::{Budget, Evaluation, Game, Reversible, Score, Search};
use coppice_tests::games::{Noise, OpenLines};

use super::{assert_best, moves, positions, tic_tac_toe, trees, NO_LIMIT};

/// The value of a position if only the best `width` moves by rank are searched at each node: a slow version
/// that copies and sorts every move.
fn narrow<G: Game, E: Evaluation<G>>(game: &G, evaluation: &E, options: &SelectiveOptions) -> Score {
    let mut list = moves(game);
    if list.is_empty() {
        return evaluation.ended(game);
    }
    if options.depth == 0 {
        return evaluation.evaluate(game);
    }
    list.sort_by_key(|&m| (Reverse(evaluation.rank(game, m)), G::move_index(m)));
    let below =
        SelectiveOptions { root_width: Some(options.width), depth: options.depth - 1, ..options.clone() };
    let value = |&m: &G::Move| {
        let next = game.after(m);
        narrow(&next, evaluation, &below).add_mate_distance(1).for_parent(next.to_move() == game.to_move())
    };
    list.iter().take(options.root_width.unwrap_or(3 * options.width)).map(value).max().unwrap_or_default()
}

fn is_negamax<G: Reversible + Debug, E: Evaluation<G> + Clone>(
    games: impl Iterator<Item = G>,
    evaluation: E,
    depths: &[u32],
) {
    for game in games {
        for &depth in depths {
            let mut search = Selective::new(
                evaluation.clone(),
                SelectiveOptions { width: 99, depth, ..SelectiveOptions::default() },
            );
            let report = search.search(&game, NO_LIMIT);
            assert_best(&game, &evaluation, depth, &report);
            assert_eq!(report.depth, depth);
            // With fewer moves the score is the narrow search's.
            for (width, root_width) in [(1, 1), (1, 3), (2, 2), (2, 6), (3, 1), (5, 40)] {
                let options = SelectiveOptions {
                    width,
                    root_width: Some(root_width),
                    depth,
                    ..SelectiveOptions::default()
                };
                let report = Selective::new(evaluation.clone(), options.clone()).search(&game, NO_LIMIT);
                let sorting = SelectiveOptions { full_sort: true, ..options.clone() };
                let sorted = Selective::new(evaluation.clone(), sorting).search(&game, NO_LIMIT);
                assert_eq!(
                    (sorted.best, sorted.score, sorted.nodes, sorted.solved),
                    (report.best, report.score, report.nodes, report.solved)
                );
                assert_eq!(report.score, narrow(&game, &evaluation, &options), "{game:?} with {options:?}");
                assert!(!report.solved || report.score == coppice::search::negamax(&game, &evaluation, 99));
            }
        }
    }
}

#[test]
fn with_all_moves_it_is_negamax() {
    is_negamax(trees(), Noise, &[1, 3, 6]);
    is_negamax(tic_tac_toe().step_by(25), OpenLines, &[1, 4]);
    for (rows, columns, in_line) in [(3, 3, 3), (4, 3, 3), (2, 5, 2), (4, 4, 4)] {
        let boards = positions(&Board::<16>::new(rows, columns, in_line), 1, 6, 10);
        is_negamax(boards.into_iter(), Heuristic, &[1, 3]);
    }
}

/// Searching to the end with all moves, it solves and agrees with alpha-beta on copies.
#[test]
fn it_solves_small_boards() {
    for (rows, columns, in_line, value) in [(3, 3, 3, 0), (4, 3, 3, 1), (2, 5, 2, 1), (1, 9, 3, 0)] {
        let board = Board::<12>::new(rows, columns, in_line);
        let report = Selective::new(
            Heuristic,
            SelectiveOptions { width: 12, depth: 12, ..SelectiveOptions::default() },
        )
        .search(&board, NO_LIMIT);
        let other =
            AlphaBeta::new(Heuristic, AlphaBetaOptions { memory: 1 << 20, ..AlphaBetaOptions::default() })
                .search(&board, NO_LIMIT);
        assert_eq!((report.score, report.score.value().signum()), (other.score, value), "{board:?}");
        assert!(report.solved && other.solved);
    }
}

/// A node budget is respected and used, and the answer depends only on it.
#[test]
fn a_budget_is_shared_among_the_moves() {
    for board in positions(&Board::<49>::new(7, 7, 5), 2, 20, 5) {
        for nodes in [0, 1, 2, 5, 21, 22, 100, 1_000, 30_000] {
            let search = || {
                Selective::new(
                    Heuristic,
                    SelectiveOptions { width: 7, depth: 10, ..SelectiveOptions::default() },
                )
                .search(&board, Budget::nodes(nodes))
            };
            let (report, again) = (search(), search());
            assert!(report.nodes <= nodes);
            assert_eq!((report.best, report.score, report.nodes), (again.best, again.score, again.nodes));
            assert!(moves(&board).contains(&report.best.expect("a move")));
            assert!(!report.solved || report.score.is_win());
        }
    }
    // Unused budget passes to the next move, so none remains while there is something to search.
    let board = Board::<49>::new(7, 7, 5);
    let of = |root_width, nodes| {
        let options =
            SelectiveOptions { root_width: Some(root_width), depth: 10, ..SelectiveOptions::default() };
        Selective::new(Heuristic, options).search(&board, Budget::nodes(nodes)).nodes
    };
    assert_eq!(of(1, 1_000), 1_000, "alone it has all");
    assert_eq!(of(21, 1_000), 1_000, "together they use all");
    let shallow = SelectiveOptions { width: 7, depth: 2, ..SelectiveOptions::default() };
    let report = Selective::new(Heuristic, shallow.clone()).search(&board, Budget::nodes(1_000_000));
    let free = Selective::new(Heuristic, shallow).search(&board, NO_LIMIT);
    assert_eq!((report.best, report.score, report.nodes), (free.best, free.score, free.nodes));
    assert_eq!(report.depth, 2);
}

/// It plays on the largest board, in time.
#[test]
fn it_plays_on_the_largest_board() {
    let start = Box::new(Board::<4900>::new(70, 70, 10));
    let mut search =
        Selective::new(Heuristic, SelectiveOptions { width: 3, depth: 10, ..SelectiveOptions::default() });
    let nodes = search.calibrate(&start, Budget::until(Instant::now() + Duration::from_millis(20)));
    assert!(nodes > 0);
    let mut board = start;
    for _ in 0..3 {
        let report = search.search(&board, Budget::nodes(2_000));
        assert!(report.nodes <= 2_000 && report.depth >= 1);
        board.play(report.best.expect("a move"));
    }
}

#[test]
fn the_quickest_win_is_played() {
    let mut board = Board::<49>::new(7, 7, 5);
    for (row, column) in [(3, 1), (0, 0), (3, 2), (0, 6), (3, 3), (6, 0), (3, 4), (6, 6)] {
        board.play(bots::mnk::Cell::new(row, column));
    }
    let report =
        Selective::new(Heuristic, SelectiveOptions { width: 7, depth: 10, ..SelectiveOptions::default() })
            .search(&board, NO_LIMIT);
    assert_eq!((report.score.plies_to_end(), report.nodes, report.solved), (Some(1), 1, true));
}
