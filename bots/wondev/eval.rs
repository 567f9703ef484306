//! Evaluations of a board.

use coppice::{Evaluation, Game, Player, Score};

use super::action::Action;
use super::board::{Board, CLOSED, TOP};
use super::cells::{around, bit, Cells, NOWHERE};
use super::weights::WEIGHTS;

/// The number of features. Each is the player to move's less the other's.
pub const FEATURES: usize = 14;

/// Points.
const POINTS: usize = 0;
/// 3 features: units on height 1, 2 and 3.
const HEIGHTS: usize = POINTS + 1;
/// Steps to a higher cell.
const CLIMBS: usize = HEIGHTS + 3;
/// Steps onto height 3, up to 3 a unit.
const TOPS: usize = CLIMBS + 1;
/// 3 features: units that have no step, one, and two.
const STEPS: usize = TOPS + 1;
/// 4 features: the cells of height 0 to 3 that a player reaches in fewer turns than the other.
const AREAS: usize = STEPS + 3;
/// 1: being to move.
const TURN: usize = AREAS + 4;

/// The weights of a feature: on a level grid, and what is added once all cells are closed, in proportion. In thousandths of
/// the logarithm of the odds to win.
pub type Weight = [i32; 2];

contest::tunables! {
    /// Percentages of the fitted weights.
    pub struct Weights {
        /// Of points.
        points: i32 = 100 in 0..=400,
        /// Of the units' heights, and the steps that lead higher.
        heights: i32 = 100 in 0..=400,
        /// Of units with few steps.
        steps: i32 = 100 in 0..=400,
        /// Of areas.
        areas: i32 = 100 in 0..=400,
    }
}

/// Points, heights, steps, and the part of the grid that each player reaches first.
#[derive(Debug, Clone, Copy)]
pub struct Judge([Weight; FEATURES]);

impl Judge {
    /// The fitted weights, each with its percentage.
    pub fn new(percent: &Weights) -> Judge {
        let Weights { points, heights, steps, areas } = *percent;
        let of = |feature| match feature {
            POINTS => points,
            HEIGHTS..STEPS => heights,
            STEPS..AREAS => steps,
            AREAS..TURN => areas,
            _ => 100,
        };
        Judge(std::array::from_fn(|feature| WEIGHTS[feature].map(|weight| weight * of(feature) / 100)))
    }
}

/// Calls `f` with each feature and its value.
#[inline(always)]
pub fn features(board: &Board, mut f: impl FnMut(usize, i32)) {
    let me = board.to_move();
    let count = |cells: Cells| cells.count_ones() as i32;
    let taken = board.occupied(Player::FIRST) | board.occupied(Player::SECOND);
    for (player, sign) in [(me, 1), (me.other(), -1)] {
        f(POINTS, sign * i32::from(board.points[player.index()]));
        for at in board.units[player.index()].into_iter().filter(|at| *at != NOWHERE) {
            let height = board.height(at);
            let free = around(bit(at)) & board.within_reach_of(height) & !taken;
            if height > 0 {
                f(HEIGHTS + usize::from(height.min(TOP)) - 1, sign);
            }
            if height < TOP {
                f(CLIMBS, sign * count(free & board.at_least(height + 1)));
            }
            f(TOPS, sign * count(free & board.at_least(TOP)).min(3));
            let steps = free.count_ones() as usize;
            if steps < 3 {
                f(STEPS + steps, sign);
            }
        }
    }
    let (mine, theirs) = areas(board);
    for height in 0..CLOSED {
        let level = board.at_least(height) & !board.at_least(height + 1);
        f(AREAS + usize::from(height), count(mine & level) - count(theirs & level));
    }
    f(TURN, 1);
}

/// The share of a board's cells that are closed.
#[inline(always)]
pub fn closed(board: &Board) -> (i32, i32) {
    ((board.at_least(CLOSED) & board.cells).count_ones() as i32, board.cells.count_ones() as i32)
}

impl Evaluation<Board> for Judge {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        let (mut level, mut late) = (0, 0);
        features(board, |feature, count| {
            level += self.0[feature][0] * count;
            late += self.0[feature][1] * count;
        });
        let (closed, cells) = closed(board);
        Score::estimate(level + late * closed / cells)
    }

    /// Points first, then climbing, then pushes.
    #[inline]
    fn rank(&self, board: &Board, action: Action) -> i32 {
        if action.is_push() {
            return 20;
        }
        let from = board.units[board.to_move().index()][action.unit()];
        let to = action.first().from(from);
        let built = board.height(action.second().from(to));
        let (height, before) = (i32::from(board.height(to)), i32::from(board.height(from)));
        // A cell that becomes one step higher than the unit helps; one that becomes closed takes a point away.
        let build = match i32::from(built) + 1 - height {
            0 | 1 if built < TOP => 10,
            _ => 0,
        };
        100 * i32::from(height == i32::from(TOP)) + 20 * (height - before) + build
    }
}

/// The cells that the player to move reaches in fewer turns than the other, and those that the other does, each with the
/// units' own, over the heights as they are.
#[inline(always)]
fn areas(board: &Board) -> (Cells, Cells) {
    let me = board.to_move();
    let (mut mine, mut theirs) = (board.occupied(me), board.occupied(me.other()));
    let (mut new_mine, mut new_theirs) = (mine, theirs);
    let mut free = board.cells & !board.at_least(CLOSED) & !mine & !theirs;
    let [one, two, three] = [1, 2, 3].map(|height| board.at_least(height));
    let steps = |from: Cells| {
        let low = around(from & !one) & !two;
        let middle = around(from & one & !two) & !three;
        let high = around(from & two);
        low | middle | high
    };
    while new_mine | new_theirs != 0 {
        new_mine = steps(new_mine) & free;
        new_theirs = steps(new_theirs) & free;
        free &= !new_mine & !new_theirs;
        mine |= new_mine & !new_theirs;
        theirs |= new_theirs & !new_mine;
    }
    (mine, theirs)
}

/// The rule-based player's: points, heights, and the number of steps.
#[derive(Debug, Clone, Copy, Default)]
pub struct Simple;

impl Evaluation<Board> for Simple {
    fn evaluate(&self, board: &Board) -> Score {
        let taken = board.occupied(Player::FIRST) | board.occupied(Player::SECOND);
        let value = |player: Player| {
            let units = board.units[player.index()].into_iter().filter(|at| *at != NOWHERE);
            let unit = |at: u8| {
                let height = board.height(at);
                let free = around(bit(at)) & board.within_reach_of(height) & !taken;
                let steps = free.count_ones() as i32;
                let blocked = if steps == 0 { -100 } else { 0 };
                [0, 20, 50, 70, 70][usize::from(height)] + 5 * steps + blocked
            };
            100 * i32::from(board.points[player.index()]) + units.map(unit).sum::<i32>()
        };
        let me = board.to_move();
        Score::estimate(value(me) - value(me.other()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wondev::league::League;
    use crate::wondev::map::{start, Kind};
    use coppice::Rng;

    #[test]
    fn areas_are_disjoint() {
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let board = start(League::Fog, Kind::Square, &mut rng);
            let (mine, theirs) = areas(&board);
            assert!(mine & theirs == 0 && (mine | theirs) & !board.cells == 0);
        }
    }

    #[test]
    fn both_players_see_opposite_values_but_for_the_turn() {
        let judge = Judge::new(&Weights::default());
        let mut rng = Rng::new(2);
        for _ in 0..50 {
            let mut board = start(League::Fog, Kind::Diamond, &mut rng);
            for _ in 0..rng.below(40) {
                board.random_move(&mut rng).into_iter().for_each(|action| board.play(action));
            }
            let turned = board.with_mover(board.to_move().other());
            let sum = judge.evaluate(&board).value() + judge.evaluate(&turned).value();
            let (closed, cells) = closed(&board);
            let turn = judge.0[TURN][0] + judge.0[TURN][1] * closed / cells;
            // Both values are rounded.
            assert!((sum - 2 * turn).abs() <= 2, "{sum} {turn}\n{board:?}");
        }
    }
}
