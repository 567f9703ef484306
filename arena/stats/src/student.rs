//! Student's t distribution.

use std::f64::consts::FRAC_2_PI;

use super::normal::Z_95;

/// With more degrees of freedom the quantile is the normal one, to three digits behind the point.
const MOST_DEGREES: u64 = 5_000;

/// The 97.5 % quantile, two-sided 95 %, for `degrees` degrees of freedom, at least 1.
pub(crate) fn t_95(degrees: u64) -> f64 {
    if degrees > MOST_DEGREES {
        return Z_95;
    }
    // The quantile for one degree is 12.7, and it falls to the normal one.
    let (mut low, mut high) = (Z_95, 13.0);
    // Bisection to the last bit that matters.
    for _ in 0..60 {
        let t = (low + high) / 2.0;
        match probability_within(t, degrees) < 0.95 {
            true => low = t,
            false => high = t,
        }
    }
    low
}

/// The probability of a deviation of less than `t` to either side, by the finite series for whole degrees of freedom
/// (Abramowitz and Stegun, *Handbook of Mathematical Functions*, 1964, 26.7.3 and 26.7.4).
fn probability_within(t: f64, degrees: u64) -> f64 {
    let angle = (t / (degrees as f64).sqrt()).atan();
    let (sine, square) = (angle.sin(), angle.cos().powi(2));
    let is_odd = degrees % 2 == 1;
    // Factors k / (k + 1), with k from 1 or from 2.
    let (mut term, mut k) = if is_odd { (angle.cos(), 2) } else { (1.0, 1) };
    let mut series = 0.0;
    while k < degrees {
        series += term;
        term *= square * k as f64 / (k + 1) as f64;
        k += 2;
    }
    match is_odd {
        true => FRAC_2_PI * (angle + sine * series),
        false => sine * series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Upper 2.5 % points, from the same handbook's table 26.10.
    #[test]
    fn tables_are_met() {
        for (degrees, expected) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (10, 2.228),
            (29, 2.045),
            (120, 1.980),
        ] {
            assert!((t_95(degrees) - expected).abs() < 6e-4, "{degrees}: {}", t_95(degrees));
        }
        assert!((t_95(MOST_DEGREES) - Z_95).abs() < 6e-4 && t_95(u64::MAX) == Z_95);
    }
}
