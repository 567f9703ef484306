//! Loss functions.

/// The cost of an estimate that isn't its target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Loss {
    /// The square of the difference, in points.
    Squared,
    /// The cross entropy of winning chances. An estimate of `scale` points is a chance of 73 %.
    Logistic {
        /// Points.
        scale: f32,
    },
}

impl Loss {
    /// The cost, without what the target alone decides: 0 if the two are equal.
    pub fn cost(self, estimate: f32, target: f32) -> f32 {
        match self {
            Loss::Squared => (estimate - target).powi(2),
            Loss::Logistic { scale } => {
                let (p, q) = (chance(estimate / scale), chance(target / scale));
                let term = |p: f32, q: f32| if q > 0.0 { q * (q / p.max(1e-12)).ln() } else { 0.0 };
                term(p, q) + term(1.0 - p, 1.0 - q)
            }
        }
    }

    /// The slope's own slope where the target is even: the size of slopes, to compare others with.
    pub fn curvature(self) -> f32 {
        match self {
            Loss::Squared => 2.0,
            Loss::Logistic { scale } => 0.25 / scale.powi(2),
        }
    }

    /// The slope of the cost by the estimate.
    pub fn slope(self, estimate: f32, target: f32) -> f32 {
        match self {
            Loss::Squared => 2.0 * (estimate - target),
            Loss::Logistic { scale } => (chance(estimate / scale) - chance(target / scale)) / scale,
        }
    }
}

fn chance(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_costs() {
        for loss in [Loss::Squared, Loss::Logistic { scale: 8.0 }] {
            for (estimate, target) in [(3.0, 5.0), (-20.0, 4.0), (1.0, 1.0), (12.0, -7.5)] {
                let d = 1e-2;
                let rise = (loss.cost(estimate + d, target) - loss.cost(estimate - d, target)) / (2.0 * d);
                assert!((rise - loss.slope(estimate, target)).abs() < 2e-2, "{loss:?} {estimate} {target}");
            }
            assert!(loss.cost(3.0, 3.0).abs() < 1e-6);
            let rise = (loss.slope(0.1, 0.0) - loss.slope(-0.1, 0.0)) / 0.2;
            assert!((rise / loss.curvature() - 1.0).abs() < 1e-2, "{loss:?}");
        }
    }
}
