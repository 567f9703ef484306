//! Generates puzzles from seeds.

use coppice::rng::split_mix;
use coppice::Rng;

use crate::sudoku::bands::solve;

/// A puzzle with exactly one solution, none of whose clues is redundant.
///
/// Fills the three boxes on the diagonal at random and the rest by the solver, then removes clues in random order
/// while the solution stays unique.
pub fn minimal(seed: u64) -> [u8; 81] {
    let mut seed = seed;
    let mut rng = Rng::new(split_mix(&mut seed));
    let mut clues = full(&mut rng);
    for cell in shuffled::<81>(&mut rng) {
        let clue = std::mem::replace(&mut clues[cell], 0);
        if solve(&clues, 2, u64::MAX).count > 1 {
            clues[cell] = clue;
        }
    }
    clues
}

fn full(rng: &mut Rng) -> [u8; 81] {
    let mut clues = [0; 81];
    for corner in [0, 30, 60] {
        for (i, digit) in shuffled::<9>(rng).into_iter().enumerate() {
            clues[corner + i / 3 * 9 + i % 3] = digit as u8 + 1;
        }
    }
    // Boxes on the diagonal share no row or column, so a solution always exists.
    solve(&clues, 1, u64::MAX).first.unwrap_or(clues)
}

/// The numbers below `N` in random order.
fn shuffled<const N: usize>(rng: &mut Rng) -> [usize; N] {
    let mut numbers = std::array::from_fn(|i| i);
    for i in (1..N).rev() {
        numbers.swap(i, rng.below(i as u32 + 1) as usize);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::Grid;
    use coppice::search::solutions;
    use coppice::Budget;

    #[test]
    fn a_puzzle_has_one_solution_and_needs_each_clue() {
        for seed in 0..5 {
            let clues = minimal(seed);
            let count = |clues: &[u8; 81]| solutions(&Grid::from(clues), 2, Budget::nodes(u64::MAX)).count;
            assert_eq!(count(&clues), 1);
            assert_eq!(minimal(seed), clues);
            for cell in (0..81).filter(|&cell| clues[cell] > 0) {
                let mut fewer = clues;
                fewer[cell] = 0;
                assert_eq!(count(&fewer), 2, "seed {seed}, cell {cell}");
            }
        }
        assert_ne!(minimal(0), minimal(1));
    }
}
