//! The greatest log-likelihood under a hypothesis, slowly: by the dual problem, without the equations of the production code.
//!
//! With linear constraints, the greatest mean log-likelihood relative to that of the observation is the minimum of
//! -Σ p ln(1 + Σ x d) over the multipliers x (Lagrange duality; Boyd and Vandenberghe, *Convex Optimization*, section 5.2):
//! found by Newton's method with step halving. A given t-value is a mean m above one half and a second moment m² (1 + 1/t²)
//! about one half for some m: the maximum over m is found by a fine scan and a golden section.
//!
//! Before it has converged the dual is too high, without bound where no distribution meets the constraints: such an m is
//! left out, and a search that doesn't converge is a panic.

/// The points of the scan over m.
const SCANNED: u32 = 120;
/// Limit of Newton's steps.
const MOST_STEPS: u32 = 500;

/// The greatest mean log-likelihood with this mean, relative to the observation's.
pub(in super::super) fn with_mean(observed: &[(f64, f64)], mean: f64) -> f64 {
    let cells = observed.iter().map(|&(score, p)| (p, [score - mean, 0.0])).collect::<Vec<_>>();
    converged(&cells, [0.0; 2]).0
}

/// The greatest mean log-likelihood with this t-value, relative to the observation's, which has the scores 0 and 1.
pub(in super::super) fn with_t_value(observed: &[(f64, f64)], t_value: f64) -> f64 {
    if t_value == 0.0 {
        return with_mean(observed, 0.5);
    }
    let k = 1.0 + t_value.powi(-2);
    // The multipliers of one m are near those of the next.
    let mut multipliers = [0.0; 2];
    let mut at = |log: f64| {
        let m = log.exp().copysign(t_value);
        if !is_possible(observed, m, t_value) {
            return f64::NEG_INFINITY;
        }
        let cell = |&(score, p): &(f64, f64)| (p, [score - 0.5 - m, (score - 0.5).powi(2) - k * m * m]);
        let (height, found) = converged(&observed.iter().map(cell).collect::<Vec<_>>(), multipliers);
        multipliers = found;
        height
    };
    // u² is at least |u| times the smallest of them, and at most 1/4: so are the second moments.
    let smallest =
        observed.iter().map(|(score, _)| (score - 0.5).abs()).filter(|&u| u > 0.0).fold(0.5, f64::min);
    let (low, high) = ((smallest / k).ln(), (0.5 / k.sqrt()).ln());
    let step = (high - low) / f64::from(SCANNED);
    let heights = (0..=SCANNED).map(|i| at(low + step * f64::from(i))).collect::<Vec<_>>();
    let peaks = (1..SCANNED as usize)
        .filter(|&i| heights[i].is_finite() && heights[i] >= heights[i - 1] && heights[i] >= heights[i + 1]);
    peaks
        .map(|i| peak(&mut at, low + step * (i as f64 - 1.0), low + step * (i as f64 + 1.0)))
        .max_by(f64::total_cmp)
        .unwrap_or_else(|| panic!("no maximum with the t-value {t_value}: {observed:?}"))
}

/// Whether distributions with the mean `m` above one half have this t-value. The smallest variance is that of the two
/// scores next to the mean, the greatest second moment about one half that of 0 and 1.
fn is_possible(observed: &[(f64, f64)], m: f64, t_value: f64) -> bool {
    let scores = || observed.iter().map(|(score, _)| score - 0.5);
    let below = scores().filter(|&u| u <= m).fold(-0.5, f64::max);
    let above = scores().filter(|&u| u > m).fold(0.5, f64::min);
    let variance = (m / t_value).powi(2);
    // The multipliers grow without bound towards the smallest variance.
    variance > (1.0 + 1e-10) * (m - below) * (above - m) && m * m + variance < 0.25 * (1.0 - 1e-10)
}

/// The maximum between two points, by golden section. Cells with the least weight make a peak narrow.
fn peak(mut at: impl FnMut(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (at(left), at(right));
    let mut most = at_left.max(at_right);
    while high - low > 1e-9 {
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = at(right);
        }
        most = most.max(at_left).max(at_right);
    }
    most
}

/// The dual's minimum and where it is, searched for from `start` and, if that leads nowhere, from no multipliers at all.
fn converged(cells: &[(f64, [f64; 2])], start: [f64; 2]) -> (f64, [f64; 2]) {
    dual(cells, start)
        .or_else(|| dual(cells, [0.0; 2]))
        .unwrap_or_else(|| panic!("the dual problem did not converge: {cells:?}"))
}

/// The minimum of -Σ p ln(1 + x d) over both multipliers, and where it is; `None` if it isn't reached. The search begins at
/// `start` if that is lower than no multipliers at all.
fn dual(cells: &[(f64, [f64; 2])], start: [f64; 2]) -> Option<(f64, [f64; 2])> {
    let value = |x: [f64; 2]| {
        let term = |&(p, d): &(f64, [f64; 2])| {
            let more = x[0] * d[0] + x[1] * d[1];
            if more > -1.0 {
                -p * more.ln_1p()
            } else {
                f64::INFINITY
            }
        };
        cells.iter().map(term).sum::<f64>()
    };
    let least = cells.iter().map(|(p, _)| *p).fold(1.0, f64::min);
    let at_start = value(start);
    let (mut x, mut height) = if at_start < 0.0 { (start, at_start) } else { ([0.0; 2], 0.0) };
    for _ in 0..MOST_STEPS {
        let (step, decrement) = newton(cells, x);
        if decrement < 1e-16 {
            return Some((height, x));
        }
        let after = |share: f64| [x[0] + share * step[0], x[1] + share * step[1]];
        let mut share = 1.0;
        // Near the minimum whole steps converge, as the function is self-concordant (section 9.6), and the values are
        // too much rounded to be compared.
        while decrement > least / 16.0 && value(after(share)) > height - 1e-4 * share * decrement {
            share /= 2.0;
            if share < 1e-12 {
                return None;
            }
        }
        x = after(share);
        height = value(x);
    }
    None
}

/// Newton's step from `x`, and the square of Newton's decrement: about twice the height above the minimum when near it.
///
/// The step is the solution of a least squares problem, with a row √p d / (1 + x d) and a right side √p for each cell. By
/// orthogonal columns: the normal equations have twice the digits, and more than there are where few cells decide.
fn newton(cells: &[(f64, [f64; 2])], x: [f64; 2]) -> ([f64; 2], f64) {
    let rows = || {
        cells.iter().map(|&(p, d)| {
            let root = p.sqrt();
            let scale = root / (1.0 + x[0] * d[0] + x[1] * d[1]);
            (scale * d[0], scale * d[1], root)
        })
    };
    let aa = rows().map(|(a, ..)| a * a).sum::<f64>();
    let along = rows().map(|(a, b, _)| a * b).sum::<f64>() / aa;
    let bb = rows().map(|(a, b, _)| (b - along * a).powi(2)).sum::<f64>();
    let first = rows().map(|(a, _, right)| a * right).sum::<f64>() / aa;
    // There is one constraint only where the second column is 0.
    let second =
        if bb > 0.0 { rows().map(|(a, b, right)| (b - along * a) * right).sum::<f64>() / bb } else { 0.0 };
    ([first - along * second, second], first * first * aa + second * second * bb)
}
