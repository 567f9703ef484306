//! The heuristic of the paper's program: Richoux, *Injecting Combinatorial Optimization into MCTS: Application to the
//! Board Game boop.* (2024). Its numbers appear only in the source code, release 0.6.2 of Pobo.

use coppice::{Evaluation, Score};

use super::board::Board;
use super::lines::{lines, Two, Worth};
use super::side::{Side, BORDER, CENTRE};

/// The largest absolute value. The paper's program divides by it.
pub const MOST: i32 = 400;

/// Values of pieces by ownership and place.
#[derive(Debug, Clone, Copy)]
pub struct Material {
    /// A large piece, on the board or in the pool.
    pub owned: i32,
    /// A large and a small piece on the board.
    pub on_board: [i32; 2],
    /// Bonus for a large and a small piece in the centre; the same amount is subtracted on the border.
    pub place: [i32; 2],
}

const MATERIAL: Material = Material { owned: 25, on_board: [9, 3], place: [3, 1] };

/// Line values of the player who has just moved, by whether that player and the opponent have a large piece in the
/// pool.
#[inline(always)]
fn own(has_large: bool, other_has_large: bool) -> Worth {
    let free = if has_large { 60 } else { 20 };
    Worth {
        three_large: 800,
        three_small: 40,
        mixed: 7,
        two: [
            Two { corner: -1, blocked: -1, border: 0, free: 15 },
            Two { corner: -1, blocked: -1, border: 0, free: 7 },
            Two { corner: -5, blocked: -5, border: if other_has_large { 0 } else { free }, free },
        ],
    }
}

/// Line values of the opponent, who is to move.
#[inline(always)]
fn other(has_large: bool) -> Worth {
    let free = if has_large { -300 } else { -40 };
    Worth {
        three_large: -800,
        three_small: -44,
        mixed: -11,
        two: [
            Two { corner: 5, blocked: 0, border: -22, free: -22 },
            Two { corner: 5, blocked: 0, border: -11, free: -11 },
            Two { corner: 10, blocked: 0, border: free, free },
        ],
    }
}

#[inline(always)]
fn material(side: &Side) -> i32 {
    let Material { owned, on_board, place } = MATERIAL;
    let count = |set: u64| set.count_ones() as i32;
    let worth = |set: u64, i: usize| {
        on_board[i] * count(set) + place[i] * (count(set & CENTRE) - count(set & BORDER))
    };
    owned * side.promoted as i32 + worth(side.large, 0) + worth(side.small, 1)
}

/// The value of a position for `player`, not clamped to [`MOST`]. The numbers assume that `player` has just moved.
#[inline(always)]
pub fn uncut(player: &Side, enemy: &Side) -> i32 {
    let (has_large, enemy_has_large) = (player.large_in_pool() > 0, enemy.large_in_pool() > 0);
    material(player) - material(enemy)
        + lines(player, enemy.all(), &own(has_large, enemy_has_large))
        + lines(enemy, player.all(), &other(enemy_has_large))
}

/// The value of a position for `player`, from -[`MOST`] to [`MOST`].
#[inline(always)]
pub fn heuristic(player: &Side, enemy: &Side) -> i32 {
    uncut(player, enemy).clamp(-MOST, MOST)
}

/// The paper's heuristic as an evaluation: the value for the player who has just moved, negated for the player to
/// move.
#[derive(Debug, Clone, Copy, Default)]
pub struct Published;

impl Evaluation<Board> for Published {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        Score::estimate(-uncut(board.other(), board.own()))
    }
}
