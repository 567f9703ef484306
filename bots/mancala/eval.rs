//! Evaluations: the store difference, the own store, and weights fitted to each hole's contents.

use coppice::{Evaluation, Game, Player, Score};

use super::board::Board;
use super::sown::MAX_HOLES;

/// Counters in the own store minus those in the opponent's.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoreDifference;

impl Evaluation<Board> for StoreDifference {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        Score::estimate(board.store_difference())
    }
}

/// Counters in a player's own store, during the game and at its end: MiniFrame's evaluation. The opponent's store doesn't
/// count, so a tree needs a value for each player.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnStore;

impl Evaluation<Board> for OwnStore {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        self.evaluate_for(board, board.to_move())
    }

    #[inline(always)]
    fn ended(&self, board: &Board) -> Score {
        self.evaluate(board)
    }

    #[inline(always)]
    fn evaluate_for(&self, board: &Board, player: Player) -> Score {
        Score::estimate(board.store(player) as i32)
    }

    #[inline(always)]
    fn ended_for(&self, board: &Board, player: Player) -> Score {
        self.evaluate_for(board, player)
    }
}

/// The expected final margin: the stores, plus the value of each hole by its number of counters, in 32nds of a
/// counter. A hole whose last counter would fall into the store, and so give another move, is worth two to five
/// counters more than a hole with slightly more or fewer counters.
///
/// The hole values, by distance from the store, were fitted by least squares to the final margins of 6,000 games
/// (86,732 positions) that alpha-beta with [`StoreDifference`] and 4,000 nodes a move played against itself: boards
/// of (6, 3) to (6, 6) and (5, 4), with both capture rules, after 2 to 9 random moves and with one random move in 20.
#[derive(Debug, Clone, Copy, Default)]
pub struct Holes;

/// The value of one counter.
pub(super) const UNIT: i32 = 32;

/// Table size: counts of `COUNTS - 1` or more share an entry.
const COUNTS: usize = 16;

/// Hole values by distance from the store (0 is next to it) and number of counters.
static WORTH: [[i16; COUNTS]; MAX_HOLES] = [
    [-122, -75, -130, -128, -128, -153, -112, -58, 0, 38, 74, 106, 152, 182, 207, 146],
    [-105, -45, -22, -96, -112, -131, -122, -108, -70, -5, 50, 88, 149, 215, 128, 184],
    [-122, -42, -5, 12, -74, -87, -112, -120, -102, -60, 12, 71, 116, 165, 182, 166],
    [-137, -38, 4, 31, 36, -70, -96, -80, -76, -86, -58, 43, 100, 156, 116, 155],
    [-160, -61, -16, 26, 67, 31, -46, -46, -72, -20, 14, 23, 112, 65, 34, 50],
    [-138, -56, 6, 47, 98, 138, 60, -9, 33, 24, 20, -13, -12, -60, -90, -48],
];

/// The value of a decided game, larger than any sum of hole values.
const DECIDED: i32 = 100_000;

impl Evaluation<Board> for Holes {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        let (mine, theirs) = board.stores();
        let left = board.left();
        let difference = (mine as i32 - theirs as i32) * UNIT;
        // The opponent can't catch up with more than half of all counters.
        if mine > theirs + left {
            return Score::estimate(DECIDED + difference);
        }
        if theirs > mine + left {
            return Score::estimate(difference - DECIDED);
        }
        Score::estimate(difference + worth(board))
    }
}

/// Value of the mover's holes minus the opponent's, in 32nds of a counter.
#[inline(always)]
pub(super) fn worth(board: &Board) -> i32 {
    let (own, other) = board.sides();
    let mut worth = 0;
    for (i, counts) in WORTH.iter().enumerate() {
        let place = 8 * (MAX_HOLES - 1 - i);
        let at = |side: u64| (side >> place & 0xff).min(COUNTS as u64 - 1) as usize;
        worth += i32::from(counts[at(own)]) - i32::from(counts[at(other)]);
    }
    worth
}
