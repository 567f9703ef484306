//! The solver against plain minimax, and its tables.

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
        // Two megabytes' worth of few counters would answer everything.
        let mut solver = Solver::new([0, 4 << 20][rng.below(2) as usize]);
        let report = solver.search(&board, Budget::nodes(u64::MAX));
        assert_eq!((report.score.value(), report.solved), (minimax(&board), true), "{board:?}");
        let best = board.after(report.best.expect("a move"));
        let after = if best.to_move() == board.to_move() { minimax(&best) } else { -minimax(&best) };
        assert_eq!(after, report.score.value(), "{board:?}");
    }
}

/// Cut into pieces of a few thousand nodes it comes to the same, and one solver serves all variants.
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
    let few = Few::with_bytes(6_200);
    let mut seen = vec![false; few.bytes()];
    assert_eq!(few.most(), 5);
    // All ways to put up to five counters into twelve holes: 17 over 12.
    let mut count = 0;
    let mut holes = [0u64; 12];
    fill(&mut holes, 0, 5, &mut |holes| {
        let side = |side: &[u64]| (0..).zip(side).map(|(i, &n)| n << (8 * i)).sum();
        let number = few.number(side(&holes[..6]), side(&holes[6..]));
        assert!(!std::mem::replace(&mut seen[number], true), "{holes:?}");
        count += 1;
    });
    assert_eq!((count, seen.len()), (6188, 6188));
}

fn fill(holes: &mut [u64; 12], at: usize, left: u64, then: &mut dyn FnMut(&[u64; 12])) {
    if at == 12 {
        return then(holes);
    }
    for n in 0..=left {
        holes[at] = n;
        fill(holes, at + 1, left - n, then);
    }
    holes[at] = 0;
}
