//! The chi-square distribution.

use std::f64::consts::PI;

/// The upper tail of the chi-square distribution with `degrees` degrees of freedom: P(X >= `sum`), by the finite series for
/// whole degrees (Abramowitz and Stegun, *Handbook of Mathematical Functions*, 1964, 26.4.4 and 26.4.5).
pub fn probability_above(sum: f64, degrees: u32) -> f64 {
    if degrees == 0 || sum <= 0.0 {
        return 1.0;
    }
    let half = sum / 2.0;
    // Terms half^k / Γ(k + 1), with k from 0 or from 1/2.
    let is_odd = degrees % 2 == 1;
    // Times e^-half, as logarithms: the factors overflow and underflow.
    let (first, mut k) = if is_odd { ((4.0 * half / PI).ln() / 2.0, 0.5) } else { (0.0, 0.0) };
    let (mut log_term, mut series) = (first - half, 0.0);
    while 2.0 * k + 1.0 < f64::from(degrees) {
        series += log_term.exp();
        k += 1.0;
        log_term += (half / k).ln();
    }
    let tail = if is_odd { libm::erfc(half.sqrt()) } else { 0.0 };
    (tail + series).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_met() {
        // Upper 5 % points for 1, 2, 3, 10 and 19 degrees, from the same handbook's table 26.8.
        for (degrees, sum) in
            [(1, 3.841_459), (2, 5.991_465), (3, 7.814_728), (10, 18.307_038), (19, 30.143_527)]
        {
            let above = probability_above(sum, degrees);
            assert!((above - 0.05).abs() < 1e-7, "{degrees}: {above}");
        }
        // 0.1 %, and nothing.
        assert!((probability_above(59.703, 30) - 0.001).abs() < 1e-6);
        assert_eq!((probability_above(0.0, 5), probability_above(3.0, 0)), (1.0, 1.0));
        assert!(probability_above(2000.0, 7) < 1e-300);
        // By Wilson and Hilferty's normal approximation (1931).
        for (degrees, sum) in [(1600, 1650.0), (1601, 1500.0), (20_000, 20_400.0), (50, 1e308)] {
            let count = f64::from(degrees);
            let normal = ((sum / count).cbrt() - 1.0 + 2.0 / (9.0 * count)) / (2.0 / (9.0 * count)).sqrt();
            let expected = super::super::normal::probability_below(-normal);
            let above = probability_above(sum, degrees);
            assert!((above - expected).abs() < 1e-4, "{degrees}: {above} and {expected}");
        }
    }
}
