//! The normal distribution.

/// Its 97.5 % quantile: two-sided 95 %.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The cumulative distribution function.
pub fn probability_below(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_and_the_distribution_agree() {
        assert!((probability_below(Z_95) - 0.975).abs() < 1e-12);
        assert!((probability_below(-Z_95) - 0.025).abs() < 1e-12);
        assert_eq!(probability_below(0.0), 0.5);
    }
}
