use contest::notation::Notation;
use coppice::search::solutions;
use coppice::{Budget, Evaluation, Game, List, Player, Rng};

use super::grid::ParseError;
use super::tools::puzzle;
use super::{bands, Fill, Filled, Grid};

/// A full grid, by the usual pattern.
fn full() -> [u8; 81] {
    std::array::from_fn(|i| ((i / 9 * 3 + i / 27 + i % 9) % 9) as u8 + 1)
}

fn text(cells: &[u8; 81]) -> String {
    cells.iter().map(|digit| digit.to_string()).collect()
}

/// Whether a digit may stand in a cell, checked against the whole grid.
fn fits(cells: &[u8; 81], cell: usize, digit: u8) -> bool {
    (0..81).all(|other| {
        let same = |of: fn(usize) -> usize| of(cell) == of(other);
        let is_peer = same(|c| c / 9) || same(|c| c % 9) || same(|c| c / 27 * 3 + c % 9 / 3);
        other == cell || !is_peer || cells[other] != digit
    })
}

/// The number of ways to complete a grid, counted cell by cell.
fn count(cells: &mut [u8; 81]) -> u64 {
    let Some(cell) = cells.iter().position(|&digit| digit == 0) else { return 1 };
    let mut sum = 0;
    for digit in 1..=9 {
        if fits(cells, cell, digit) {
            cells[cell] = digit;
            sum += count(cells);
        }
    }
    cells[cell] = 0;
    sum
}

#[test]
fn the_tree_has_every_solution_once() {
    let mut rng = Rng::new(3);
    let mut several = 0;
    for emptied in [10, 30, 40, 45, 50] {
        for _ in 0..20 {
            let mut cells = full();
            (0..emptied).for_each(|_| cells[rng.below(81) as usize] = 0);
            let grid: Grid = text(&cells).parse().expect("a grid");
            let found = solutions(&grid, u64::MAX, Budget::nodes(u64::MAX));
            assert!(found.is_complete);
            assert_eq!(found.count, count(&mut cells), "{grid}");
            several += u32::from(found.count > 1);
        }
    }
    assert!(several > 10);
}

/// A person may write any digit that fits into any cell, whatever a search has found out about it.
#[test]
fn all_that_fits_is_listed_or_not_listed() {
    let mut rng = Rng::new(4);
    let mut unlisted = 0;
    for seed in 0..20 {
        let mut grid = Grid::from(&puzzle::minimal(seed));
        while !grid.is_over() {
            let digits = grid.digits();
            let mut list = List::default();
            grid.moves(&mut list);
            let more = grid.unlisted(Player::FIRST);
            assert!(more.iter().all(|m| !list.contains(m)));
            let mut all = list.iter().chain(&more).map(|m| (m.cell, m.digit)).collect::<Vec<_>>();
            all.sort_unstable();
            let expected = (0..81).filter(|&cell| digits[usize::from(cell)] == 0).flat_map(|cell| {
                (1..=9)
                    .filter(move |&digit| fits(&digits, cell.into(), digit))
                    .map(move |digit| (cell, digit))
            });
            assert_eq!(all, expected.collect::<Vec<_>>(), "{grid}");
            unlisted += more.len();
            let (cell, digit) = all[rng.below(all.len() as u32) as usize];
            grid.play(Fill { cell, digit });
        }
    }
    assert!(unlisted > 1_000, "{unlisted}");
}

/// The band solver finds the same number of solutions, and each is valid.
#[test]
fn bands_find_every_solution_once() {
    let mut rng = Rng::new(8);
    let mut seen = [0; 3];
    for emptied in [10, 30, 40, 45, 50, 60] {
        for _ in 0..40 {
            let mut cells = full();
            (0..emptied).for_each(|_| cells[rng.below(81) as usize] = 0);
            // Add clues that fit locally and usually lead to a dead end.
            for _ in 0..rng.below(6) {
                let (cell, digit) = (rng.below(81) as usize, rng.below(9) as u8 + 1);
                if cells[cell] == 0 && fits(&cells, cell, digit) {
                    cells[cell] = digit;
                }
            }
            let wanted = solutions(&Grid::from(&cells), 2_000, Budget::nodes(u64::MAX));
            let found = bands::solve(&cells, 2_000, u64::MAX);
            assert_eq!((found.count, found.is_complete), (wanted.count, wanted.is_complete), "{cells:?}");
            if let Some(solution) = found.first {
                assert!(Grid::from(&solution).is_solved());
                assert!(cells.iter().zip(solution).all(|(&clue, digit)| clue == 0 || clue == digit));
            }
            seen[found.count.min(2) as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

#[test]
fn bands_refuse_a_digit_twice_and_give_up_when_told() {
    for [a, b] in [[0, 8], [0, 72], [0, 20]] {
        let mut cells = [0; 81];
        (cells[a], cells[b]) = (5, 5);
        let found = bands::solve(&cells, 2, u64::MAX);
        assert_eq!((found.first, found.count, found.is_complete), (None, 0, true));
    }
    let cut = bands::solve(&[0; 81], 1, 3);
    assert_eq!((cut.first, cut.guesses, cut.is_complete), (None, 3, false));
}

#[test]
fn listed_moves_fit_and_ends_are_as_they_say() {
    let mut rng = Rng::new(4);
    let (mut solved, mut dead) = (0, 0);
    for _ in 0..300 {
        let mut grid = Grid::EMPTY;
        let mut cells = [0; 81];
        while let Some(m) = grid.random_move(&mut rng) {
            assert!(cells[usize::from(m.cell)] == 0 && fits(&cells, usize::from(m.cell), m.digit), "{grid}");
            cells[usize::from(m.cell)] = m.digit;
            grid.play(m);
            assert_eq!(grid.digits(), cells);
            assert_eq!(grid.to_string().parse::<Grid>().expect("a grid").digits(), cells);
        }
        let is_full = !cells.contains(&0);
        assert_eq!((grid.is_solved(), grid.payoff(Player::FIRST).0 > 0), (is_full, is_full));
        assert_eq!((Filled.ended(&grid).is_win(), Filled.ended(&grid).is_loss()), (is_full, !is_full));
        solved += u32::from(is_full);
        dead += u32::from(!is_full);
    }
    assert!(solved > 0 && dead > 0, "{solved} solved, {dead} not");
}

#[test]
fn a_digit_twice_in_a_unit_has_no_solution() {
    for [a, b] in [[0, 8], [0, 72], [0, 20]] {
        let mut cells = [0; 81];
        (cells[a], cells[b]) = (5, 5);
        let grid: Grid = text(&cells).parse().expect("a grid");
        assert!(grid.is_over() && !grid.is_solved() && grid.payoff(Player::FIRST).0 < 0);
    }
    let full: Grid = text(&full()).parse().expect("a grid");
    assert!(full.is_over() && full.is_solved());
}

#[test]
fn texts_that_are_no_grids() {
    assert_eq!("12".parse::<Grid>(), Err(ParseError::Cells(2)));
    assert_eq!("1".repeat(82).parse::<Grid>(), Err(ParseError::Cells(82)));
    assert_eq!("x".parse::<Grid>(), Err(ParseError::Character('x')));
    let dots = ".".repeat(81);
    let empty = dots.parse::<Grid>().expect("a grid");
    assert_eq!((empty.digits(), empty.to_string().lines().count()), ([0; 81], 9));
}
