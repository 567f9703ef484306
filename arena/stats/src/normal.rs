//! The normal distribution.

/// The 97.5 % quantile of the standard normal distribution: two-sided 95 %.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The cumulative distribution function.
pub fn probability_below(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

/// The deviation that a normal value exceeds, to either side, with a probability of `alpha`.
pub fn two_sided(alpha: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    // Bisection to the last bit that matters.
    for _ in 0..60 {
        let z = (low + high) / 2.0;
        match 2.0 * probability_below(-z) > alpha {
            true => low = z,
            false => high = z,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_and_the_distribution_agree() {
        assert!((probability_below(Z_95) - 0.975).abs() < 1e-12);
        assert!((probability_below(-Z_95) - 0.025).abs() < 1e-12);
        assert_eq!(probability_below(0.0), 0.5);
        assert!((two_sided(0.05) - Z_95).abs() < 1e-9);
        assert!((two_sided(0.0027) - 3.0).abs() < 1e-3);
    }
}
