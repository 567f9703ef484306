//! Where the lander really is.

use super::flight::{Lander, Order, Told};
use crate::bot;

/// The lander's exact state, which nobody tells: it follows from the start, whose numbers are whole, and the orders.
#[derive(Debug, Default)]
pub struct Tracked(Option<Lander>);

impl Tracked {
    /// The lander that is told of: exactly if it is the expected one, else as it is told, which is said.
    pub fn check(&self, told: Told) -> Lander {
        match self.0 {
            Some(expected) if expected.told() == told => expected,
            Some(expected) => {
                bot::say(format_args!("expected {:?}, told {told:?}", expected.told()));
                told.into()
            }
            None => told.into(),
        }
    }

    /// What comes next.
    pub fn expect(&mut self, lander: Lander, order: Order) {
        self.0 = Some(lander.after(order));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_believed_only_where_it_is_news() {
        let start = Told { x: 2500, y: 2700, h_speed: 0, v_speed: 0, fuel: 500, rotate: 0, power: 0 };
        let order = Order { rotate: -15, power: 1 };
        let mut tracked = Tracked::default();
        let lander = tracked.check(start);
        tracked.expect(lander, order);
        let exact = lander.after(order);
        assert!(exact.x.fract() != 0.0 && tracked.check(exact.told()) == exact);
        let other = Told { rotate: 90, ..exact.told() };
        assert_eq!(tracked.check(other), Lander::from(other));
    }
}
