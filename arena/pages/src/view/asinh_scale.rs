//! A scale of evaluations on which a lost lead counts more than the size of a certain win.

use super::numbers::most_estimate;
use crate::svg::Scale;

/// How far a certain win is above the best estimate.
const BEYOND: f64 = 0.5;

/// The share of an axis between two of its numbers.
const LEAST_GAP: f64 = 0.13;

/// The scale: the area hyperbolic sine, which is linear for small values and logarithmic for large ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bend {
    /// The middle of all sizes.
    pub middle: f64,
    /// The largest size.
    pub largest: f64,
    /// The size beyond which a value isn't an estimate: a certain win or loss, or a place.
    most: f64,
}

impl Bend {
    /// The scale for evaluations; values above `most` aren't estimates.
    pub(super) fn of(values: impl Iterator<Item = f64>, most: f64) -> Self {
        let mut sizes = values.map(f64::abs).filter(|&size| size > 0.0 && size <= most).collect::<Vec<_>>();
        sizes.sort_by(f64::total_cmp);
        Self {
            middle: sizes.get(sizes.len() / 2).copied().unwrap_or(1.0),
            largest: sizes.last().copied().unwrap_or(1.0),
            most,
        }
    }

    /// Whether a value isn't an estimate.
    fn is_beyond(self, value: f64) -> bool {
        value.abs() > self.most
    }

    /// Whether large values are drawn visibly closer together than small ones.
    pub(super) fn is_bent(self) -> bool {
        self.largest > 2.0 * self.middle
    }

    /// The place of an evaluation.
    pub(super) fn at(self, value: f64) -> f64 {
        if self.is_beyond(value) {
            value.signum() * ((self.largest / self.middle).asinh() + BEYOND)
        } else {
            (value / self.middle).asinh()
        }
    }

    /// An axis for these evaluations, with their numbers at their places.
    pub(super) fn axis(self, values: &[f64]) -> Scale {
        let most = values.iter().map(|&value| self.at(value).abs()).fold(1.0, f64::max);
        let low = if values.iter().any(|&value| value < 0.0) { -most } else { 0.0 };
        let gap = LEAST_GAP * (most - low);
        let mut ticks = vec![(0.0, "0".to_owned())];
        let mut above = most + 0.4 * gap;
        let sign = [1.0, -1.0].into_iter().filter(|&sign| sign > 0.0 || low < 0.0);
        let signs = sign.collect::<Vec<_>>();
        if values.iter().any(|&value| self.is_beyond(value)) {
            above = self.at(f64::MAX);
            // Of more than two players one who is out is worth less than all estimates.
            let lowest = if self.most < most_estimate(2) { "out" } else { "loss" };
            let word = |sign: f64| if sign > 0.0 { "win" } else { lowest };
            ticks.extend(signs.iter().map(|&sign| (sign * above, word(sign).to_owned())));
        }
        let powers = (-6..=9).rev().flat_map(|power| [5.0, 2.0, 1.0].map(|digit| digit * 10f64.powi(power)));
        for value in powers.filter(|&value| !self.is_beyond(value)) {
            let place = self.at(value);
            if place <= above - gap && place >= gap {
                above = place;
                ticks.extend(signs.iter().map(|&sign| (sign * place, (sign * value).to_string())));
            }
        }
        Scale { low, high: most, ticks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Bend {
        Bend::of(values.iter().copied(), most_estimate(2))
    }

    #[test]
    fn a_lost_lead_is_larger_than_the_growth_of_a_loss() {
        let values = [50.0, -60.0, -400.0, -999_990.0];
        let bend = of(&values);
        let fall = |from: f64, to: f64| bend.at(from) - bend.at(to);
        assert!(fall(50.0, -60.0) > fall(-400.0, -999_990.0));
        assert_eq!(bend.at(999_990.0), bend.at(999_999.0));
    }

    #[test]
    fn an_axis_has_numbers_apart_from_each_other() {
        let values = [3.0, -391.0, -1832.0, 120.0, 999_995.0];
        let axis = of(&values).axis(&values);
        let names = axis.ticks.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>();
        assert_eq!(names, ["0", "win", "loss", "1000", "-1000"]);
        assert!(axis.ticks.iter().all(|(at, _)| (axis.low..=axis.high).contains(at)), "{axis:?}");
        let of_many = Bend::of([10.0, -899_800.0].into_iter(), most_estimate(4)).axis(&[10.0, -899_800.0]);
        assert!(of_many.ticks.iter().any(|(_, name)| name == "out"), "{of_many:?}");
        let small = [0.2, 0.9];
        let axis = of(&small).axis(&small);
        assert!(axis.low == 0.0 && axis.ticks.len() > 2, "{axis:?}");
    }
}
