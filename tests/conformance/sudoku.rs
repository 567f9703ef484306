//! Tests the single-player searches on Sudoku puzzles.

use bots::sudoku::{Filled, Grid};
use coppice::search::{solutions, Minimax, MinimaxOptions, Order};
use coppice::{Budget, Game, Search};
use coppice_tests::workspace;

use super::NO_LIMIT;

/// The puzzles of a file in `tests/data`, each of which has one solution.
fn puzzles(file: &str) -> Vec<Grid> {
    let text = std::fs::read_to_string(workspace().join("tests/data").join(file)).expect("puzzles");
    text.lines().map(|line| line.parse().expect("a grid")).collect()
}

fn all() -> Vec<Grid> {
    let all = [puzzles("sudoku_17_clues.txt"), puzzles("sudoku_hardest.txt")].concat();
    assert_eq!(all.len(), 50);
    all
}

/// Plays a search's answers until the grid is over.
fn solve(search: &mut Minimax<Grid, Filled>, puzzle: &Grid) -> Grid {
    let mut grid = puzzle.clone();
    while let Some(best) = search.search(&grid, NO_LIMIT).best {
        grid.play(best);
    }
    grid
}

#[test]
fn depth_first_search_finds_the_only_solution() {
    for puzzle in all() {
        let found = solutions(&puzzle, 2, NO_LIMIT);
        assert_eq!((found.count, found.is_complete), (1, true), "{puzzle}");
        let solution = found.first.expect("a solution");
        assert!(solution.is_solved() && extends(&solution, &puzzle));

        let one = solutions(&puzzle, 1, NO_LIMIT);
        assert!(one.count == 1 && one.nodes <= found.nodes);
        let cut = solutions(&puzzle, 2, Budget::nodes(found.nodes - 1));
        assert_eq!((cut.is_complete, cut.nodes), (false, found.nodes - 1));
    }
}

fn extends(solution: &Grid, puzzle: &Grid) -> bool {
    (0..81).all(|cell| puzzle.digit(cell).is_none_or(|digit| solution.digit(cell) == Some(digit)))
}

/// In ten megabytes and in either order, the search proves a win, and its moves lead there.
#[test]
fn minimax_solves_puzzles() {
    for order in [Order::BestFirst { shallow_every: 0 }, Order::BreadthFirst] {
        let options = MinimaxOptions { order, quickest_win: false, ..MinimaxOptions::default() };
        let mut search = Minimax::new(Filled, MinimaxOptions { memory: 10_000_000, ..options });
        for puzzle in all() {
            let report = search.search(&puzzle, NO_LIMIT);
            assert!(report.solved && report.score.is_win(), "{order:?}, {puzzle}");
            assert_eq!(report.score.plies_to_end(), Some(81 - puzzle.filled()));
            let solution = solve(&mut search, &puzzle);
            assert!(solution.is_solved() && extends(&solution, &puzzle), "{solution}");
        }
    }
}

/// Both searches detect a clue that contradicts the solution but no other clue.
#[test]
fn contradictory_and_ambiguous_puzzles_are_detected() {
    let options = MinimaxOptions { quickest_win: false, ..MinimaxOptions::default() };
    let mut search = Minimax::new(Filled, MinimaxOptions { memory: 10_000_000, ..options });
    for puzzle in puzzles("sudoku_17_clues.txt") {
        let solution = solutions(&puzzle, 1, NO_LIMIT).first.expect("a solution");
        let digits = puzzle.digits();
        let set = |cell: usize, digit: u8| {
            let mut digits = digits;
            digits[cell] = digit;
            Grid::from(&digits)
        };
        let cell = digits.iter().position(|&digit| digit == 0).expect("an empty cell");
        let wrong = set(cell, solution.digit(cell).expect("a digit") % 9 + 1);
        let report = search.search(&wrong, NO_LIMIT);
        assert!(report.solved && report.score.is_loss(), "{wrong}");
        let none = solutions(&wrong, 2, NO_LIMIT);
        assert_eq!((none.count, none.is_complete, none.first), (0, true, None), "{wrong}");

        // With 16 clues there is always more than one solution.
        let clue = digits.iter().position(|&digit| digit > 0).expect("a clue");
        let open = set(clue, 0);
        let found = solutions(&open, 2, NO_LIMIT);
        assert_eq!((found.count, found.is_complete), (2, false), "{open}");
    }
}
