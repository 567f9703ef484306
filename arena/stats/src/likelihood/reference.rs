//! The greatest log-likelihood under a hypothesis, slowly: by the dual problem, without the equations of the production code.
//!
//! With linear constraints, the greatest mean log-likelihood relative to that of the observation is the minimum of
//! -Σ p ln(1 + Σ x d) over the multipliers x (Lagrange duality; Boyd and Vandenberghe, *Convex Optimization*, section 5.2):
//! found by Newton's method with step halving. A given t-value is a mean m above one half and a second moment m² (1 + 1/t²)
//! about one half for some m: the maximum over m is found by a fine scan and a golden section.

/// The points of the scan over m.
const SCANNED: u32 = 120;
/// A likelihood this low is that of an impossible constraint.
const IMPOSSIBLE: f64 = -20.0;

/// The greatest mean log-likelihood with this mean, relative to the observation's.
pub(in super::super) fn with_mean(observed: &[(f64, f64)], mean: f64) -> f64 {
    let cells = observed.iter().map(|&(score, p)| (p, [score - mean, 0.0])).collect::<Vec<_>>();
    dual(&cells, [0.0; 2]).0
}

/// The greatest mean log-likelihood with this t-value, relative to the observation's.
pub(in super::super) fn with_t_value(observed: &[(f64, f64)], t_value: f64) -> f64 {
    if t_value == 0.0 {
        return with_mean(observed, 0.5);
    }
    let k = 1.0 + t_value.powi(-2);
    // The multipliers of one m are near those of the next.
    let mut multipliers = [0.0; 2];
    let mut at = |log: f64| {
        let m = log.exp().copysign(t_value);
        let cell = |&(score, p): &(f64, f64)| (p, [score - 0.5 - m, (score - 0.5).powi(2) - k * m * m]);
        let (height, found) = dual(&observed.iter().map(cell).collect::<Vec<_>>(), multipliers);
        multipliers = found;
        height
    };
    let smallest =
        observed.iter().map(|(score, _)| (score - 0.5).abs()).filter(|&u| u > 0.0).fold(0.5, f64::min);
    let (low, high) = ((smallest / (2.0 * k)).ln(), 0.5f64.ln());
    let step = (high - low) / f64::from(SCANNED);
    let heights = (0..=SCANNED).map(|i| at(low + step * f64::from(i))).collect::<Vec<_>>();
    let peaks =
        (1..SCANNED as usize).filter(|&i| heights[i] >= heights[i - 1] && heights[i] >= heights[i + 1]);
    peaks
        .map(|i| peak(&mut at, low + step * (i as f64 - 1.0), low + step * (i as f64 + 1.0)))
        .fold(IMPOSSIBLE, f64::max)
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

/// The minimum of -Σ p ln(1 + x d) over both multipliers, and where it is. The search begins at `start` if that is lower than
/// no multipliers at all.
fn dual(cells: &[(f64, [f64; 2])], start: [f64; 2]) -> (f64, [f64; 2]) {
    let value = |x: [f64; 2]| {
        let term = |&(p, d): &(f64, [f64; 2])| {
            let inside = 1.0 + x[0] * d[0] + x[1] * d[1];
            if inside > 0.0 {
                -p * inside.ln()
            } else {
                f64::INFINITY
            }
        };
        cells.iter().map(term).sum::<f64>()
    };
    let at_start = value(start);
    let (mut x, mut height) = if at_start < 0.0 { (start, at_start) } else { ([0.0; 2], 0.0) };
    for _ in 0..150 {
        let (mut gradient, mut hessian) = ([0.0; 2], [0.0; 3]);
        for &(p, d) in cells {
            let inside = 1.0 + x[0] * d[0] + x[1] * d[1];
            let [a, b] = d.map(|d| d / inside);
            gradient = [gradient[0] - p * a, gradient[1] - p * b];
            hessian = [hessian[0] + p * a * a, hessian[1] + p * a * b, hessian[2] + p * b * b];
        }
        let [aa, ab, bb] = hessian;
        let determinant = aa * bb - ab * ab;
        let [ga, gb] = gradient;
        let step = if cells.iter().all(|(_, d)| d[1] == 0.0) {
            [-ga / aa, 0.0]
        } else if determinant > 1e-14 * aa * bb {
            [(ab * gb - bb * ga) / determinant, (ab * ga - aa * gb) / determinant]
        } else {
            [-ga / (aa + bb), -gb / (aa + bb)]
        };
        let promised = ga * step[0] + gb * step[1];
        let mut share = 1.0;
        let next = loop {
            let next = [x[0] + share * step[0], x[1] + share * step[1]];
            if value(next) <= height + 1e-4 * share * promised || share < 1e-12 {
                break next;
            }
            share /= 2.0;
        };
        if share < 1e-12 || -promised < 1e-18 {
            break;
        }
        (x, height) = (next, value(next));
        if height < IMPOSSIBLE {
            return (IMPOSSIBLE, x);
        }
    }
    (height, x)
}
