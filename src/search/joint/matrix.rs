//! Solves matrix games exactly, by linear programming.

/// A matrix game's value to the player of the rows, and a strategy of each player that secures it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Solved {
    /// The result of the player of the rows if both play well.
    pub value: f64,
    /// The probability of each row.
    pub rows: Vec<f64>,
    /// The probability of each column.
    pub columns: Vec<f64>,
    /// The players' total gain by other strategies against these: 0 but for rounding. The value is wrong by no more than this.
    pub error: f64,
}

/// Solves the zero-sum matrix game in which the player of row i gets `payoffs[i][j]` from the player of column j.
///
/// By the simplex method on: maximise Σ y where A y ≤ 1, y ≥ 0, with all payoffs made positive (Dantzig, *A Proof of
/// the Equivalence of the Programming Problem and the Game Problem*, 1951), the entering column by Bland's rule, which doesn't
/// cycle. Allocates: an oracle for tests, and for small matrices before the first turn.
///
/// ```
/// use coppice::search::solve_matrix;
///
/// // Rock, paper, scissors, where paper against rock pays 3.
/// let solved = solve_matrix(&[vec![0.0, -3.0, 1.0], vec![3.0, 0.0, -1.0], vec![-1.0, 1.0, 0.0]]);
/// assert!(solved.value.abs() < 1e-9 && solved.error < 1e-9);
/// assert!((solved.rows[2] - 0.6).abs() < 1e-9);
/// ```
///
/// # Panics
/// If the matrix has no row, no column, rows of different lengths, or a payoff that isn't finite.
pub fn solve_matrix(payoffs: &[Vec<f64>]) -> Solved {
    let (height, width) = (payoffs.len(), payoffs.first().map_or(0, Vec::len));
    assert!(height > 0 && width > 0, "a matrix game of {height} x {width} moves");
    let all = || payoffs.iter().flatten().copied();
    assert!(payoffs.iter().all(|row| row.len() == width) && all().all(f64::is_finite), "{payoffs:?}");
    let shift = 1.0 - all().fold(f64::INFINITY, f64::min);
    // Columns 0..width are y, then a slack variable a row, then the right side. The last row is the objective.
    let mut tableau = vec![vec![0.0; width + height + 1]; height + 1];
    let mut basis: Vec<usize> = (width..width + height).collect();
    for (i, row) in payoffs.iter().enumerate() {
        for (cell, &payoff) in tableau[i].iter_mut().zip(row) {
            *cell = payoff + shift;
        }
        tableau[i][width + i] = 1.0;
        tableau[i][width + height] = 1.0;
    }
    tableau[height][..width].fill(-1.0);
    while let Some(entering) = (0..width + height).find(|&j| tableau[height][j] < -1e-11) {
        let ratio = |i: usize| tableau[i][width + height] / tableau[i][entering];
        let rows = (0..height).filter(|&i| tableau[i][entering] > 1e-11);
        // Ties by Bland's rule: the basic variable with the smallest number leaves.
        let leaving = rows.min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(basis[a].cmp(&basis[b])));
        // The polytope is bounded, since all payoffs are positive: without rounding there is always one.
        let Some(leaving) = leaving else { break };
        basis[leaving] = entering;
        let pivot = tableau[leaving][entering];
        tableau[leaving].iter_mut().for_each(|cell| *cell /= pivot);
        let source = tableau[leaving].clone();
        for (_, row) in tableau.iter_mut().enumerate().filter(|&(i, _)| i != leaving) {
            let factor = row[entering];
            row.iter_mut().zip(&source).for_each(|(cell, &from)| *cell -= factor * from);
        }
    }
    let mut columns = vec![0.0; width];
    for (i, &variable) in basis.iter().enumerate().filter(|(_, &variable)| variable < width) {
        columns[variable] = tableau[i][width + height];
    }
    let rows = normal(tableau[height][width..width + height].to_vec());
    let columns = normal(columns);
    let least = (0..width).map(|j| rows.iter().zip(payoffs).map(|(p, row)| p * row[j]).sum::<f64>());
    let most = payoffs.iter().map(|row| columns.iter().zip(row).map(|(q, payoff)| q * payoff).sum::<f64>());
    let (least, most) = (least.fold(f64::INFINITY, f64::min), most.fold(f64::NEG_INFINITY, f64::max));
    Solved { value: (least + most) / 2.0, rows, columns, error: most - least }
}

/// Probabilities in proportion to these weights.
fn normal(mut weights: Vec<f64>) -> Vec<f64> {
    weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn random_matrices_are_solved_to_rounding() {
        let mut rng = Rng::new(3);
        for round in 0..2_000 {
            let (height, width) = (1 + rng.below(9) as usize, 1 + rng.below(9) as usize);
            // Few different payoffs make degenerate bases.
            let most = [3, 10, 1_000_000][round % 3];
            let row = |rng: &mut Rng| {
                (0..width).map(|_| f64::from(rng.below(most)) - f64::from(most / 2)).collect()
            };
            let payoffs: Vec<Vec<f64>> = (0..height).map(|_| row(&mut rng)).collect();
            let solved = solve_matrix(&payoffs);
            assert!((-1e-9..1e-9 * f64::from(most)).contains(&solved.error), "{payoffs:?}: {solved:?}");
        }
    }

    #[test]
    fn pure_equilibria_are_found() {
        let solved = solve_matrix(&[vec![4.0, 2.0, 3.0], vec![1.0, 0.0, 9.0]]);
        assert_eq!((solved.value, solved.rows), (2.0, vec![1.0, 0.0]));
        assert_eq!(solve_matrix(&[vec![-7.0]]).value, -7.0);
    }
}
