//! The bot's evaluation: where the frogs are, their next moves, and the pads ahead of them.

use coppice::{Evaluation, Score};

use super::board::Board;
use super::cell::{Cells, Move, Way, GOAL};
use super::weights::WEIGHTS;

/// The number of features of a side.
pub const FEATURES: usize = PADS + 8;

/// 32 features: frogs by row and by distance from the edge.
const PLACES: usize = 0;
/// 8 features: the row of the last frog.
const LAST: usize = PLACES + 32;
/// Cells that a frog can step forwards to.
const STEPS: usize = LAST + 8;
/// Frogs that can step forwards.
const STEPPERS: usize = STEPS + 1;
/// Frogs that can hop forwards.
const HOPPERS: usize = STEPPERS + 1;
/// Frogs that can hop sideways.
const ASIDE: usize = HOPPERS + 1;
/// Landings of forward hops from which another forward hop is possible.
const DOUBLES: usize = ASIDE + 1;
/// Opposing frogs on the far row.
const BLOCKS: usize = DOUBLES + 1;
/// 8 features: free pads by row.
const PADS: usize = BLOCKS + 1;

const FORWARDS: [Way; 3] = [Way::Forward, Way::ForwardRight, Way::ForwardLeft];

/// Calls `f` with each feature of a side and its count. `own` are its frogs, with row 0 as their home.
#[inline(always)]
pub fn features(own: Cells, other: Cells, pads: Cells, mut f: impl FnMut(usize, i32)) {
    let count = |cells: Cells| cells.count_ones() as i32;
    let all = own | other;
    let mut frogs = own;
    while frogs != 0 {
        let cell = frogs.trailing_zeros() as usize;
        let column = cell & 7;
        f(PLACES + cell / 8 * 4 + column.min(7 - column), 1);
        frogs &= frogs - 1;
    }
    f(LAST + own.trailing_zeros() as usize / 8 % 8, 1);
    let (mut steps, mut steppers, mut landings, mut springs) = (0, 0, 0, 0);
    for way in FORWARDS {
        steps |= way.step(own) & pads;
        steppers |= way.back(pads);
        landings |= way.step(way.step(own) & all) & pads;
        springs |= way.back(way.back(pads) & all);
    }
    let aside = [Way::Right, Way::Left].map(|way| way.back(way.back(pads) & all));
    f(STEPS, count(steps));
    f(STEPPERS, count(own & steppers));
    f(HOPPERS, count(own & springs));
    f(ASIDE, count(own & (aside[0] | aside[1])));
    f(DOUBLES, count(landings & springs));
    f(BLOCKS, count(other & GOAL));
    for row in 0..8 {
        f(PADS + row, count(pads & 0xff << (8 * row)));
    }
}

/// The value of a position for the side to move by these weights: one for each feature, then one for having the move.
#[inline(always)]
pub fn linear(board: &Board, weights: &[i16; FEATURES + 1]) -> i32 {
    let side = |own: Cells, other: Cells, pads: Cells| {
        let mut sum = 0;
        features(own, other, pads, |feature, n| sum += i32::from(weights[feature]) * n);
        sum
    };
    let (own, other, pads) = (board.own(), board.other(), board.pads());
    let turned = [own, other, pads].map(u64::swap_bytes);
    side(own, other, pads) - side(turned[1], turned[0], turned[2]) + i32::from(weights[FEATURES])
}

/// Evaluates by the fitted weights.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fitted;

impl Evaluation<Board> for Fitted {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        Score::estimate(linear(board, &WEIGHTS))
    }

    /// Ranks moves by rows gained, then by hops.
    #[inline(always)]
    fn rank(&self, _: &Board, m: Move) -> i32 {
        100 * m.rows() as i32 + 10 * m.hops() as i32 - i32::from(m.is_grow())
    }
}
