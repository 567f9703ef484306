//! The most likely distribution under a linear constraint (Van den Bergh, *Comments on normalized Elo*, proposition 1.1).

use super::Distribution;

/// Limit of steps; bisection alone ends earlier.
const MOST_STEPS: u32 = 200;
/// Residuals below this are rounding.
const EXACT: f64 = 1e-15;

/// The most likely distribution under which `directions` have the mean 0: p / (1 + x d) with the x that
/// solves the secular equation, the sum of p d / (1 + x d) being 0. `None` if the directions don't lie on both sides
/// of 0.
///
/// The sum falls from infinity to minus infinity between two poles, where the outermost directions' denominators are 0.
/// With probabilities of 1e-9 the root is so near to one of them that x itself has too few digits. So the unknown is e,
/// the denominator of that direction: with r = d / d_outermost the others' are 1 - r + e r, never small by cancellation,
/// and e lies between a positive bound and 1.
pub(super) fn tilted(observed: &[(f64, f64)], directions: &[f64]) -> Option<Distribution> {
    let lowest = directions.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = directions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(lowest < 0.0 && highest > 0.0) {
        return None;
    }
    let mean = observed.iter().zip(directions).map(|(&(_, p), d)| p * d).sum::<f64>();
    // The outermost direction on the side of the mean that has to lose weight is far from its pole.
    let outermost = if mean <= 0.0 { highest } else { lowest };
    let terms = || {
        observed.iter().zip(directions).map(|(&(_, p), &d)| (p, d / outermost, (outermost - d) / outermost))
    };
    let e = root(terms)?;
    let weighted =
        observed.iter().zip(terms()).map(|(&(score, _), (p, r, rest))| (score, p / (rest + e * r)));
    Some(weighted.collect())
}

/// The zero of the sum of p r / (1 - r + e r), which falls as e grows to 1; terms are p, r and 1 - r.
///
/// Newton's step in e, if it stays inside the bracket and the last two steps made the residual a quarter; else the bracket's
/// geometric mean. Ends when the residual is rounding or the bracket has closed; the caller checks what it is for.
fn root<Terms: Iterator<Item = (f64, f64, f64)>>(terms: impl Fn() -> Terms) -> Option<f64> {
    let top = terms().filter(|&(_, _, rest)| rest == 0.0).map(|(p, ..)| p).sum::<f64>();
    let below = terms().filter(|&(_, r, _)| r < 0.0).map(|(p, r, _)| -p * r).sum::<f64>();
    let (mut low, mut high) = (top / below, 1.0);
    if low >= high {
        return (low.is_finite() && low < 1.0 + 1e-9).then_some(1.0);
    }
    let mut e = high;
    let mut older = [f64::INFINITY; 2];
    for _ in 0..MOST_STEPS {
        let (mut value, mut slope) = (0.0, 0.0);
        for (p, r, rest) in terms() {
            let share = r / (rest + e * r);
            value += p * share;
            slope -= p * share * share;
        }
        if value.abs() <= EXACT {
            break;
        }
        if value > 0.0 {
            low = e;
        } else {
            high = e;
        }
        // In ln e: the sum is nearly a hyperbola in e where the outermost direction decides.
        let newton = e * (-value / (slope * e)).clamp(-50.0, 50.0).exp();
        let converges = value.abs() <= older[0] / 4.0;
        older = [older[1], value.abs()];
        let next = if newton > low && newton < high && converges { newton } else { (low * high).sqrt() };
        if next <= low || next >= high {
            break;
        }
        e = next;
    }
    Some(e)
}
