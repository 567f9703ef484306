//! The [`Score`] type: estimates, and certain wins and losses with their distance.

use std::fmt;
use std::ops::Neg;

use crate::game::Payoff;

/// A position's value for the player to move in it: an estimate in the evaluation's own units, or a certain win or loss with
/// its distance from the root.
///
/// The point of view is part of the meaning: a child's score becomes its parent's by
/// [`Score::for_parent`], which turns the sign where the move passed to the other player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score(i32);

impl Score {
    /// A draw, or an even position.
    pub const DRAW: Score = Score(0);
    /// No estimate is further from 0 than this.
    pub const MAX_ESTIMATE: i32 = 900_000;
    /// Above every score.
    pub const INFINITY: Score = Score(1_000_001);
    /// A win at zero plies' distance.
    const WIN: i32 = 1_000_000;

    /// An estimate, clamped to ±[`Score::MAX_ESTIMATE`].
    #[inline(always)]
    pub fn estimate(value: i32) -> Score {
        Score(value.clamp(-Self::MAX_ESTIMATE, Self::MAX_ESTIMATE))
    }

    /// The end of a game with this payoff for the player to move: a win, a loss or a draw.
    #[inline(always)]
    pub const fn ended(payoff: Payoff) -> Score {
        Score(payoff.sign() * Self::WIN)
    }

    /// The score with this [`Score::value`].
    #[inline(always)]
    pub(crate) const fn from_value(value: i32) -> Score {
        Score(value)
    }

    /// The number itself.
    #[inline(always)]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// A certain win.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 > Self::MAX_ESTIMATE
    }

    /// A certain loss.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::MAX_ESTIMATE
    }

    /// How far from the root the game ends, of a certain win or loss.
    pub const fn plies_to_end(self) -> Option<u32> {
        if self.is_win() || self.is_loss() {
            Some((Self::WIN - self.0.abs()) as u32)
        } else {
            None
        }
    }

    /// Mate-distance adjustment: the same score, `plies` further from the root. Later wins are worth less and
    /// later losses more, so that quick wins and slow losses are preferred. Estimates don't change.
    #[inline(always)]
    pub const fn add_mate_distance(self, plies: u32) -> Score {
        self.towards_draw(plies as i32)
    }

    /// Undoes [`Score::add_mate_distance`].
    #[inline(always)]
    pub const fn subtract_mate_distance(self, plies: u32) -> Score {
        self.towards_draw(-(plies as i32))
    }

    #[inline(always)]
    const fn towards_draw(self, by: i32) -> Score {
        if self.is_win() {
            Score(self.0 - by)
        } else if self.is_loss() {
            Score(self.0 + by)
        } else {
            self
        }
    }

    /// The score `by` below, or below every score.
    #[inline(always)]
    pub(crate) fn less(self, by: i32) -> Score {
        Score(self.0.saturating_sub(by).max(-Self::INFINITY.0))
    }

    /// The score next above: the smallest step there is.
    #[inline(always)]
    pub const fn next(self) -> Score {
        Score(self.0 + 1)
    }

    /// This score of a child for the player who moved to it, given whether that player is to move
    /// again.
    #[inline(always)]
    pub const fn for_parent(self, same_mover: bool) -> Score {
        if same_mover {
            self
        } else {
            Score(-self.0)
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if self.is_win() => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_wins_and_slow_losses_are_preferred() {
        let (win, loss) = (Score::ended(Payoff(3)), Score::ended(Payoff(-3)));
        assert!(
            win.add_mate_distance(2) > win.add_mate_distance(5)
                && win.add_mate_distance(5) > Score::estimate(i32::MAX)
        );
        assert!(
            loss.add_mate_distance(5) > loss.add_mate_distance(2)
                && loss.add_mate_distance(5) < Score::estimate(i32::MIN)
        );
        assert_eq!(win.add_mate_distance(5).subtract_mate_distance(5), win);
        assert_eq!(loss.add_mate_distance(5).subtract_mate_distance(5), loss);
        assert_eq!(Score::estimate(7).add_mate_distance(5), Score::estimate(7));
        assert_eq!(win.add_mate_distance(3).for_parent(false), loss.add_mate_distance(3));
        assert_eq!(win.add_mate_distance(3).to_string(), "win in 3");
    }
}
