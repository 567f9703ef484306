//! Tests invariants of the evaluation by patterns.

use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Evaluation, Game, Player, Rng, Search};

use super::nets::Values;
use super::reader::Reader;
use super::shapes::{places, weights, PATTERNS, PLACES, ROWS, STARTS, WEIGHTS};
use super::{shares, Patterns, KNOTS, PHASES};
use crate::reversi::board::CellList;
use crate::reversi::eval::Positional;
use crate::reversi::{Board, Cell};

/// Positions of random games.
fn positions() -> Vec<Board> {
    let mut rng = Rng::new(11);
    let mut boards = Vec::new();
    for _ in 0..30 {
        let mut board = Board::START;
        while let Some(cell) = board.random_move(&mut rng) {
            boards.push(board);
            board.play(cell);
        }
    }
    boards
}

/// The eight images of a position, cell by cell.
fn images(board: &Board) -> [Board; 8] {
    std::array::from_fn(|symmetry| {
        let image = |discs: u64| {
            let at = |cell: u32| {
                let (x, y) = (cell % 8, cell / 8);
                let (x, y) =
                    (if symmetry & 1 == 1 { 7 - x } else { x }, if symmetry & 2 == 2 { 7 - y } else { y });
                if symmetry & 4 == 4 {
                    8 * x + y
                } else {
                    8 * y + x
                }
            };
            (0..64).filter(|cell| discs >> cell & 1 == 1).fold(0, |image, cell| image | 1 << at(cell))
        };
        Board::new(image(board.own()), image(board.opponent()), board.to_move())
    })
}

#[test]
fn the_eight_images_of_a_position_are_worth_the_same() {
    let patterns = Patterns::trained();
    let mut different = std::collections::HashSet::new();
    for board in positions() {
        let worth = patterns.evaluate(&board);
        different.insert(worth.value());
        for image in images(&board) {
            assert_eq!(patterns.evaluate(&image), worth, "{board}");
        }
    }
    assert!(different.len() > 500, "{} estimates", different.len());
}

#[test]
fn estimates_below_a_position_are_those_of_the_positions() {
    let patterns = Patterns::trained();
    let (mut moves, mut passes) = (0, 0);
    for board in positions() {
        let estimate = patterns.below(&board);
        let mut list = CellList::default();
        board.moves(&mut list);
        for &cell in list.iter() {
            let next = board.after(cell);
            assert_eq!(estimate(cell, &next), patterns.evaluate(&next), "{board}: {cell}");
            moves += 1;
            passes += u32::from(cell == Cell::PASS);
        }
    }
    assert!(moves > 5_000 && passes > 10, "{moves} moves, {passes} of them passes");
}

#[test]
fn rows_are_read_digit_by_digit() {
    let reader = Reader::new();
    for board in positions() {
        let rows = reader.rows(board.own(), board.opponent());
        for ((_, cells), &row) in places().iter().zip(&rows) {
            let digit =
                |cell: &u8| (board.own() >> cell & 1) as u16 + 2 * (board.opponent() >> cell & 1) as u16;
            assert_eq!(row, cells.iter().rev().fold(0, |row, cell| 3 * row + digit(cell)));
        }
        assert!(rows[PLACES..].iter().all(|&row| row == 0));
    }
}

#[test]
fn tables_are_where_the_places_say() {
    assert_eq!(places().len(), PLACES);
    for ((pattern, _), start) in places().iter().zip(STARTS) {
        assert_eq!(start, PATTERNS[..*pattern].iter().map(|cells| 3usize.pow(cells.len() as u32)).sum());
    }
    let weights = weights();
    assert_eq!(weights.len(), ROWS);
    assert_eq!(weights.iter().max(), Some(&(WEIGHTS as u32 - 1)));
    // An edge from left to right and from right to left: one disc on either corner.
    assert_eq!(weights[1], weights[3usize.pow(7)]);
    assert_ne!(weights[1], weights[2]);
}

#[test]
fn phases_lie_between_knots() {
    for phase in 0..PHASES {
        let [(a, share_a), (b, share_b)] = shares(phase);
        assert!(b == a + 1 && b < KNOTS && share_a + share_b == 256 && (0..=256).contains(&share_a));
    }
    assert_eq!(shares(0), [(0, 256), (1, 0)]);
    assert_eq!(shares(PHASES - 1), [(KNOTS - 2, 0), (KNOTS - 1, 256)]);
}

#[test]
fn weights_that_are_missing_are_worth_nothing() {
    let patterns = Patterns::expand(&Values::generate(&[]));
    for board in positions() {
        assert_eq!(patterns.evaluate(&board).value(), 0);
    }
}

/// Largest weights: estimates stay estimates.
#[test]
fn extreme_weights_are_no_wins() {
    for byte in [0x7f, 0x80] {
        let patterns = Patterns::expand(&Values::generate(&[byte; 30_000]));
        for board in positions().iter().step_by(7) {
            let worth = patterns.evaluate(board);
            assert!(!worth.is_win() && !worth.is_loss(), "{worth}");
        }
    }
}

#[test]
fn patterns_beat_features_at_the_same_depth() {
    let options = AlphaBetaOptions { memory: 1 << 16, max_depth: 3, ..AlphaBetaOptions::default() };
    let mut rng = Rng::new(2);
    let mut points = 0;
    for game in 0..40 {
        let mut board = Board::START;
        for _ in 0..8 {
            board.random_move(&mut rng).into_iter().for_each(|cell| board.play(cell));
        }
        let seat = Player::new(game % 2);
        let mut ours = AlphaBeta::new(Patterns::trained(), options.clone());
        let mut theirs = AlphaBeta::new(Positional::new(), options.clone());
        while !board.is_over() {
            let budget = Budget::nodes(u64::MAX);
            let best = if board.to_move() == seat {
                ours.search(&board, budget)
            } else {
                theirs.search(&board, budget)
            }
            .best;
            best.into_iter().for_each(|cell| board.play(cell));
        }
        points += board.payoff(seat).sign();
    }
    assert!(points > 15, "{points} of 40");
}
