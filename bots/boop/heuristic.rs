//! The heuristic of the paper's program: Richoux, *Injecting Combinatorial Optimization into MCTS: Application to the
//! Board Game boop.* (2024), whose numbers are in its source alone, release 0.6.2 of Pobo.

use coppice::{Evaluation, Score};

use super::board::Board;
use super::lines::{lines, Two, Worth};
use super::side::{Side, BORDER, CENTRE};

/// Nothing is worth more: the program divides by it.
pub const MOST: i32 = 400;

/// What pieces are worth in the pool and where they stand.
#[derive(Debug, Clone, Copy)]
pub struct Material {
    /// A large piece that is owned.
    pub owned: i32,
    /// A large and a small piece on the board.
    pub on_board: [i32; 2],
    /// The same in the centre; on the border it is the opposite.
    pub place: [i32; 2],
}

const MATERIAL: Material = Material { owned: 25, on_board: [9, 3], place: [3, 1] };

/// What the lines of the player who has moved are worth, by whether that player and the other have a large piece in the
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

/// What those of the other, who is to move, are worth.
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

/// What a position is worth to `player`, not cut to [`MOST`]. The numbers are those of somebody who has just moved.
#[inline(always)]
pub fn uncut(player: &Side, enemy: &Side) -> i32 {
    let (has_large, enemy_has_large) = (player.large_in_pool() > 0, enemy.large_in_pool() > 0);
    material(player) - material(enemy)
        + lines(player, enemy.all(), &own(has_large, enemy_has_large))
        + lines(enemy, player.all(), &other(enemy_has_large))
}

/// What a position is worth to `player`, from -[`MOST`] to [`MOST`].
#[inline(always)]
pub fn heuristic(player: &Side, enemy: &Side) -> i32 {
    uncut(player, enemy).clamp(-MOST, MOST)
}

/// The paper's heuristic for searches: to the player to move what it is worth to the one who has moved, turned round.
#[derive(Debug, Clone, Copy, Default)]
pub struct Published;

impl Evaluation<Board> for Published {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        Score::estimate(-uncut(board.other(), board.own()))
    }
}
