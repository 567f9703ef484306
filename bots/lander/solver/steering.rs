//! Steering laws: flights described by five numbers, a search space a thousandth the size of the orders'.

use coppice::Rng;

use crate::lander::physics::flight::{sin_cos, Order, LEAN, THRUST};

/// Seconds between a law's two directions.
const SPAN: f64 = 60.0;

/// The shape of fuel-optimal flights when no ground is in the way (Lawden, *Optimal Trajectories for Space
/// Navigation*, 1963): thrust is all or nothing, on except for one stretch of free flight, and its direction follows
/// a vector that changes linearly, so that its tangent is a quotient of two linear functions of time.
///
/// All numbers are between 0 and 1, so that laws are easy to vary.
#[derive(Debug, Clone, Copy, Default)]
pub struct Law([f64; 5]);

impl Law {
    /// A random law.
    pub fn random(rng: &mut Rng) -> Law {
        Law([(); 5].map(|()| unit(rng)))
    }

    /// A nearby law: one or two numbers change by at most `width`, usually by much less.
    pub fn near(&self, rng: &mut Rng, width: f64) -> Law {
        let mut law = *self;
        for _ in 0..=rng.below(2) {
            let number = &mut law.0[rng.below(5) as usize];
            let width = width / f64::from(1 << rng.below(8));
            *number = (*number + (unit(rng) - unit(rng)) * width).clamp(0.0, 1.0);
        }
        law
    }

    /// The orders, second by second.
    pub fn orders(&self, orders: &mut [Order]) {
        let [first, last, length, off, on] = self.0;
        let (first, last) = (direction((first - 0.5) * 230.0), direction((last - 0.5) * 180.0));
        // The vector's length at the other end: 1/32 to 32 times as long.
        let length = (0.03 + 0.94 * length) / (0.97 - 0.94 * length);
        let last = (last.0 * length, last.1 * length);
        let (off, on) = (off * 60.0 - 15.0, on * 60.0);
        let mut lean = 0;
        for (second, order) in orders.iter_mut().enumerate() {
            let time = second as f64;
            let part = time / SPAN;
            let vector = (first.0 + (last.0 - first.0) * part, first.1 + (last.1 - first.1) * part);
            lean = lean_along(vector, lean);
            let power = if time < off || time >= on { THRUST } else { 0 };
            *order = Order { rotate: lean, power };
        }
    }
}

/// A random number from 0 up to but excluding 1.
pub fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// The left and upward parts of the thrust at a lean in degrees, which may exceed 90.
fn direction(degrees: f64) -> (f64, f64) {
    let whole = degrees as i32;
    let (sin, cos) = sin_cos(whole.clamp(-LEAN, LEAN));
    // Beyond a right angle it points down by the excess.
    let excess = (f64::from(whole.abs()) - f64::from(LEAN)).max(0.0) / 57.3;
    (sin, cos - excess)
}

/// The lean within 90 degrees whose thrust points along `vector`. The search starts at `lean`.
fn lean_along(vector: (f64, f64), mut lean: i32) -> i32 {
    // Positive if the vector points further left than the lean.
    let beyond = |lean: i32| {
        let (sin, cos) = sin_cos(lean);
        vector.0 * cos - vector.1 * sin
    };
    while lean < LEAN && beyond(lean + 1) >= 0.0 {
        lean += 1;
    }
    while lean > -LEAN && beyond(lean - 1) <= 0.0 {
        lean -= 1;
    }
    lean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lean_points_along_its_vector() {
        for lean in -LEAN..=LEAN {
            for from in [-LEAN, 0, LEAN] {
                let (sin, cos) = sin_cos(lean);
                assert!((lean_along((sin * 3.0, cos * 3.0), from) - lean).abs() <= 1, "{lean} from {from}");
            }
        }
        assert_eq!((lean_along((1.0, -0.2), 0), lean_along((-1.0, -0.2), 0)), (90, -90));
    }

    #[test]
    fn thrust_is_all_or_nothing_but_for_one_pause() {
        let mut rng = Rng::new(1);
        let mut law = Law::random(&mut rng);
        let mut orders = [Order::default(); 120];
        for _ in 0..1000 {
            law.orders(&mut orders);
            assert!(orders.iter().all(|o| o.rotate.abs() <= LEAN && (o.power == 0 || o.power == THRUST)));
            assert!(orders.windows(2).filter(|pair| pair[0].power != pair[1].power).count() <= 2);
            assert_eq!(orders[119].power, THRUST);
            law = law.near(&mut rng, 0.3);
            assert!(law.0.iter().all(|number| (0.0..=1.0).contains(number)));
        }
    }
}
