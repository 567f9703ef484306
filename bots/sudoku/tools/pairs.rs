//! Sudoku as MiniFrame publishes it, whose moves are pairs of a cell and a digit.

use std::fmt;

use coppice::search::{Minimax, MinimaxOptions, Order};
use coppice::{Budget, Evaluation, Game, List, Payoff, Player, Score, Search};

use crate::sudoku::grid::{Fill, Grid};
use crate::sudoku::Filled;

/// A partly filled grid. If a cell has one digit left, that is the only move; otherwise the moves are all digits of all
/// cells that fit. Neither a digit with one place left nor a cell without any is looked for, so a grid is over only when
/// nothing fits: its points are its filled cells.
#[derive(Clone, PartialEq, Eq)]
pub struct Pairs(Grid);

impl From<&[u8; 81]> for Pairs {
    fn from(digits: &[u8; 81]) -> Pairs {
        let mut pairs = Pairs(Grid::EMPTY);
        (0..)
            .zip(digits)
            .filter(|(_, &digit)| digit > 0)
            .for_each(|(cell, &digit)| pairs.play(Fill { cell, digit }));
        pairs
    }
}

impl Game for Pairs {
    type Move = Fill;
    type Moves = List<Fill, 729>;
    const PLAYERS: usize = 1;

    fn to_move(&self) -> Player {
        Player::FIRST
    }

    #[inline(always)]
    fn moves(&self, list: &mut Self::Moves) {
        let candidates = |cell: u8| self.0.candidates(usize::from(cell));
        let single = (0..81).find(|&cell| candidates(cell).count_ones() == 1);
        for cell in single.map_or(0..81, |cell| cell..cell + 1) {
            let mut candidates = candidates(cell);
            while candidates != 0 {
                list.push(Fill { cell, digit: candidates.trailing_zeros() as u8 + 1 });
                candidates &= candidates - 1;
            }
        }
    }

    #[inline(always)]
    fn play(&mut self, m: Fill) {
        self.0.fill(m);
    }

    fn payoff(&self, _: Player) -> Payoff {
        Payoff(self.0.filled() as i32)
    }

    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn move_index(m: Fill) -> u16 {
        Grid::move_index(m)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        (0..81).all(|cell| self.0.candidates(cell) == 0)
    }
}

impl fmt::Debug for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.0)
    }
}

/// A full grid is a win, so that a search that has found one may stop.
impl Evaluation<Pairs> for Filled {
    #[inline(always)]
    fn evaluate(&self, pairs: &Pairs) -> Score {
        Score::estimate(pairs.0.filled() as i32)
    }

    #[inline(always)]
    fn ended(&self, pairs: &Pairs) -> Score {
        match pairs.payoff(Player::FIRST) {
            full @ Payoff(81) => Score::ended(full),
            Payoff(filled) => Score::estimate(filled),
        }
    }
}

/// Solves a puzzle move by move, by minimax without pruning in `memory` bytes, whose tree grows breadth-first. Returns the
/// solution, if one is found, and the nodes of all moves.
pub fn solve(clues: &[u8; 81], memory: usize, budget: Budget) -> (Option<[u8; 81]>, u64) {
    let order = Order::BreadthFirst;
    let options = MinimaxOptions { memory, order, quickest_win: false, ..MinimaxOptions::default() };
    let mut minimax = Minimax::<Pairs, Filled>::new(Filled, options);
    let (mut pairs, mut nodes) = (Pairs::from(clues), 0);
    loop {
        let report = minimax.search(&pairs, budget.and_nodes(budget.max_nodes() - nodes));
        nodes += report.nodes;
        match report.best {
            Some(fill) => pairs.play(fill),
            None => return (Some(pairs.0.digits()).filter(|_| pairs.0.filled() == 81), nodes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::bands;
    use crate::sudoku::grid::read_digits;
    use crate::sudoku::tools::puzzle;
    use coppice::Rng;

    /// Whether a digit isn't in the cell's row, column or box.
    fn fits(digits: &[u8; 81], cell: usize, digit: u8) -> bool {
        (0..81).all(|other| {
            let same = |of: fn(usize) -> usize| of(cell) == of(other);
            let sees = same(|c| c / 9) || same(|c| c % 9) || same(|c| c / 27 * 3 + c % 9 / 3);
            !sees || digits[other] != digit
        })
    }

    /// In an easy puzzle some cell has one digit left throughout.
    #[test]
    fn it_solves_an_easy_puzzle_with_a_node_for_each_empty_cell() {
        let easy = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
        let clues = read_digits(easy).expect("a grid");
        let empty = clues.iter().filter(|&&digit| digit == 0).count() as u64;
        let (solution, nodes) = solve(&clues, 10_000_000, Budget::nodes(100_000));
        assert_eq!((solution, nodes), (bands::solve(&clues, 2, 100).first, empty));
        assert_eq!(solve(&clues, 10_000_000, Budget::nodes(0)).1, 0);
        // The search ends at a grid that can't be filled, or when the nodes are spent.
        let (_, nodes) = solve(&puzzle::minimal(1), 10_000_000, Budget::nodes(5_000));
        assert!(nodes <= 5_000, "{nodes}");
    }

    #[test]
    fn moves_are_one_cells_only_digit_or_all_pairs_that_fit() {
        let mut rng = Rng::new(5);
        let (mut single, mut all) = (0, 0);
        for seed in 0..30 {
            let mut digits = puzzle::minimal(seed);
            let mut pairs = Pairs::from(&digits);
            loop {
                let mut list = List::default();
                pairs.moves(&mut list);
                let fitting = |cell: usize| {
                    (1..=9).filter(move |_| digits[cell] == 0).filter(move |&d| fits(&digits, cell, d))
                };
                let expected: Vec<Fill> = match (0..81).find(|&cell| fitting(cell).count() == 1) {
                    Some(cell) => fitting(cell).map(|digit| Fill { cell: cell as u8, digit }).collect(),
                    None => (0..81)
                        .flat_map(|cell| fitting(cell).map(move |digit| Fill { cell: cell as u8, digit }))
                        .collect(),
                };
                assert_eq!(list.to_vec(), expected, "{pairs:?}");
                assert_eq!(pairs.is_over(), expected.is_empty(), "{pairs:?}");
                let Some(m) = pairs.random_move(&mut rng) else { break };
                digits[usize::from(m.cell)] = m.digit;
                pairs.play(m);
                single += usize::from(expected.len() == 1);
                all += usize::from(expected.len() > 1);
            }
            let filled = digits.iter().filter(|&&digit| digit > 0).count();
            assert_eq!(pairs.payoff(Player::FIRST).0, filled as i32);
            assert_eq!(Evaluation::<Pairs>::ended(&Filled, &pairs).is_win(), filled == 81);
        }
        assert!(single > 100 && all > 100, "{single} {all}");
    }
}
