//! Tracks the lander's exact state.

use super::protocol::write_turn;
use crate::lander::physics::flight::{Lander, Observation, Order};
use contest::bot;

/// The lander's exact state. The protocol sends rounded numbers; the exact ones follow from the start, which is
/// whole, and the orders.
#[derive(Debug, Default)]
pub struct Tracked(Option<Lander>);

impl Tracked {
    /// The exact lander, if it is expected and matches the rounded state.
    pub fn exact(&self, told: &Observation) -> Option<Lander> {
        self.0.filter(|expected| is_told(expected, told))
    }

    /// The exact lander if it matches the rounded state; otherwise the rounded state, reported on stderr.
    pub fn check(&self, told: Observation) -> Lander {
        if let Some(exact) = self.exact(&told) {
            return exact;
        }
        if let Some(expected) = self.0 {
            let [expected, told_of] = [expected.observation(), told].map(|told| write_turn(&told));
            let (expected, told_of) = (expected.trim_end(), told_of.trim_end());
            bot::say(format_args!(
                "told {told_of} where {expected} should follow; continuing from the state told"
            ));
        }
        told.into()
    }

    /// Sets the expected next state.
    pub fn expect(&mut self, lander: Lander, order: Order) {
        self.0 = Some(lander.after(order));
    }
}

/// Whether `told` is the lander, rounded. Halves may go either way, since a referee's last digit may differ.
fn is_told(lander: &Lander, told: &Observation) -> bool {
    let near = |exact: f64, told: i32| (exact - f64::from(told)).abs() <= 0.5 + 1e-6;
    near(lander.x, told.x)
        && near(lander.y, told.y)
        && near(lander.h_speed, told.h_speed)
        && near(lander.v_speed, told.v_speed)
        && (lander.fuel, lander.rotate, lander.power) == (told.fuel, told.rotate, told.power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_believed_only_where_it_is_news() {
        let start = Observation { x: 2500, y: 2700, h_speed: 0, v_speed: 0, fuel: 500, rotate: 0, power: 0 };
        let order = Order { rotate: -15, power: 1 };
        let mut tracked = Tracked::default();
        let lander = tracked.check(start);
        tracked.expect(lander, order);
        let exact = lander.after(order);
        assert!(exact.x.fract() != 0.0 && tracked.check(exact.observation()) == exact);
        // A half may be rounded either way.
        let half = Tracked(Some(Lander { y: 2697.5, ..exact }));
        for y in [2697, 2698] {
            assert_eq!(half.check(Observation { y, ..exact.observation() }).y, 2697.5);
        }
        assert_eq!(half.check(Observation { y: 2699, ..exact.observation() }).y, 2699.0);
        let other = Observation { rotate: 90, ..exact.observation() };
        assert_eq!(tracked.check(other), Lander::from(other));
    }
}
