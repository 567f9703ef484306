//! A node of the tree, and the best of a node's children.

use crate::game::Payoff;
use crate::score::Score;

/// Values of a node's `state` other than the number of the search in which it became unexpandable.
///
/// Numbers repeat after 254 searches: a node not visited for that long may be skipped in one more search.
pub(super) const OPEN: u8 = 0;
pub(super) const CLOSED: u8 = u8::MAX;
/// A win or a loss that is no longer possible.
pub(super) const NEVER: u8 = u8::MAX;

/// A node's data, from the point of view of the player who chose it; distances to wins and losses are in plies from
/// the node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Data<M> {
    pub(super) value: Score,
    /// The average of `value` over all visits, from 0 to 1.
    pub(super) average: f32,
    pub(super) visits: u32,
    /// 1 / sqrt(visits): cached, since it is read far more often than it changes.
    pub(super) spread: f32,
    /// The factor on exploration.
    pub(super) interest: f32,
    pub(super) m: M,
    /// The fewest plies in which the game may still be won, and lost.
    pub(super) win: u8,
    pub(super) loss: u8,
    pub(super) state: u8,
}

impl<M: Default> Default for Data<M> {
    fn default() -> Data<M> {
        let (value, m) = (Score::DRAW, M::default());
        Data { value, average: 0.5, visits: 0, spread: 1.0, interest: 1.0, m, win: 1, loss: 1, state: OPEN }
    }
}

impl<M> Data<M> {
    #[inline(always)]
    pub(super) fn is_closed(&self) -> bool {
        self.state == CLOSED
    }

    /// Lower bound of the node's value.
    #[inline(always)]
    pub(super) fn lower(&self) -> Score {
        if self.is_closed() || self.value.is_win() {
            self.value
        } else if self.loss == NEVER {
            Score::estimate(i32::MIN)
        } else {
            Score::ended(Payoff(-1)).add_mate_distance(u32::from(self.loss))
        }
    }

    /// Upper bound of the node's value.
    #[inline(always)]
    pub(super) fn upper(&self) -> Score {
        if self.is_closed() || self.value.is_loss() {
            self.value
        } else if self.win == NEVER {
            Score::estimate(i32::MAX)
        } else {
            Score::ended(Payoff(1)).add_mate_distance(u32::from(self.win))
        }
    }
}

/// The best of a node's children, for the player to move there.
#[derive(Clone, Copy)]
pub(super) struct Best {
    pub(super) value: Score,
    pub(super) lower: Score,
    pub(super) upper: Score,
}

impl Best {
    pub(super) const NONE: Best = Best { value: MINUS, lower: MINUS, upper: MINUS };

    #[inline(always)]
    pub(super) fn or<M>(self, data: &Data<M>) -> Best {
        Best {
            value: self.value.max(data.value),
            lower: self.lower.max(data.lower()),
            upper: self.upper.max(data.upper()),
        }
    }
}

pub(super) const MINUS: Score = Score::from_value(-Score::INFINITY.value());
