//! Evaluations of a board.

use coppice::{Evaluation, Game, Player, Score};

use super::action::Action;
use super::board::{Board, CLOSED, TOP};
use super::cells::{around, bit, Cells, NOWHERE};

contest::tunables! {
    /// Weights of the evaluation, in hundredths of a point.
    pub struct Weights {
        /// A point.
        point: i32 = 100 in 0..=1000,
        /// A unit on height 1.
        height_1: i32 = 20 in 0..=300,
        /// On height 2.
        height_2: i32 = 60 in 0..=300,
        /// On height 3.
        height_3: i32 = 90 in 0..=300,
        /// A cell that a unit can step onto.
        step: i32 = 8 in 0..=100,
        /// Such a cell that is higher than the unit's.
        climb: i32 = 8 in 0..=100,
        /// Such a cell of height 3.
        top: i32 = 25 in 0..=200,
        /// A unit that can't move, less than 0.
        stuck: i32 = -120 in -1000..=0,
        /// A cell that a player reaches before the other does.
        area: i32 = 12 in 0..=100,
        /// A cell of height 2 or 3 among them, in addition.
        high_area: i32 = 6 in 0..=100,
        /// Being to move.
        turn: i32 = 10 in -100..=200,
    }
}

/// Points, heights, steps, and the part of the grid that each player reaches first.
#[derive(Debug, Clone, Copy, Default)]
pub struct Judge(pub Weights);

impl Judge {
    fn units(&self, board: &Board, player: Player) -> i32 {
        let Judge(weights) = self;
        let heights = [0, weights.height_1, weights.height_2, weights.height_3, weights.height_3];
        let taken = board.occupied(Player::FIRST) | board.occupied(Player::SECOND);
        let mut sum = weights.point * i32::from(board.points[player.index()]);
        for at in board.units[player.index()].into_iter().filter(|at| *at != NOWHERE) {
            let height = board.height(at);
            let free = around(bit(at)) & board.within_reach_of(height) & !taken;
            let count = |cells: Cells| cells.count_ones() as i32;
            sum += heights[usize::from(height)];
            sum += match count(free) {
                0 => weights.stuck,
                steps => weights.step * steps.min(5),
            };
            if height < TOP {
                sum += weights.climb * count(free & board.at_least(height + 1));
            }
            sum += weights.top * count(free & board.at_least(TOP)).min(3);
        }
        sum
    }
}

impl Evaluation<Board> for Judge {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let me = board.to_move();
        let weights = &self.0;
        let (mine, theirs) = areas(board);
        let count = |cells: Cells| cells.count_ones() as i32;
        let high = |cells: Cells| count(cells & board.at_least(2));
        let area = weights.area * (count(mine) - count(theirs));
        let high_area = weights.high_area * (high(mine) - high(theirs));
        let units = self.units(board, me) - self.units(board, me.other());
        Score::estimate(units + area + high_area + weights.turn)
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

/// The cells that the player to move reaches in fewer turns than the other, or as many, and those that the other reaches
/// first, each with the units' own, over the heights as they are.
fn areas(board: &Board) -> (Cells, Cells) {
    let me = board.to_move();
    let (mut mine, mut theirs) = (board.occupied(me), board.occupied(me.other()));
    let (mut new_mine, mut new_theirs) = (mine, theirs);
    let [one, two, three, four] = [1, 2, 3, CLOSED].map(|height| board.at_least(height));
    let open = board.cells & !four;
    let steps = |from: Cells| {
        let low = around(from & !one) & !two;
        let middle = around(from & one & !two) & !three;
        let high = around(from & two);
        (low | middle | high) & open
    };
    while new_mine | new_theirs != 0 {
        new_mine = steps(new_mine) & !mine & !theirs;
        mine |= new_mine;
        new_theirs = steps(new_theirs) & !mine & !theirs;
        theirs |= new_theirs;
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
    fn areas_are_disjoint_and_cover_a_level_grid() {
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let board = start(League::Fog, Kind::Square, &mut rng);
            let (mine, theirs) = areas(&board);
            assert_eq!((mine & theirs, mine | theirs), (0, board.cells));
        }
    }

    #[test]
    fn both_players_see_opposite_values_but_for_the_turn() {
        let judge = Judge(Weights { area: 0, high_area: 0, ..Weights::default() });
        let mut rng = Rng::new(2);
        for _ in 0..50 {
            let mut board = start(League::Fog, Kind::Diamond, &mut rng);
            for _ in 0..rng.below(40) {
                board.random_move(&mut rng).into_iter().for_each(|action| board.play(action));
            }
            let turned = board.with_mover(board.to_move().other());
            let sum = judge.evaluate(&board).value() + judge.evaluate(&turned).value();
            assert_eq!(sum, 2 * judge.0.turn);
        }
    }
}
