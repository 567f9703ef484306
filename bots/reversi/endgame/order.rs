//! The order of moves: fastest-first, and by the evaluation where much is left to search.

use coppice::cpu::{Cpu, Task};
use coppice::list::pick;
use coppice::{Evaluation, List, Player};

use super::super::board::{mobility, Board};
use super::super::cell::Cell;
use super::super::lines::flips;
use super::last::odd_regions;
use super::{bits, MOST_EMPTY};

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Least number of empty cells with which moves are ranked by the evaluation one ply below too; with [`STEP`] more by the
/// evaluation two plies below, and so on. 24 positions with 22 empty cells take 6.1 s of processor time (winner only,
/// `Patterns`), 7.6 s with 12 and 3; 60 with 20 take 2.4 s, 2.5 with 15 and 4, 2.7 with 13 and 3, 2.8 with 12 and 3, 4.8 with
/// 10 and 3 (the example `reversi-endings`).
const LOOK_FROM: u32 = 14;
/// Empty cells for another ply.
const STEP: u32 = 4;

/// The moves of a position, and their ranks.
pub(super) type Ranked = (List<Cell, { MOST_EMPTY as usize }>, [i32; MOST_EMPTY as usize]);

/// The discs of the next player and of the mover after a move.
#[inline(always)]
pub(super) fn after(cell: Cell, own: u64, opponent: u64) -> (u64, u64) {
    let flipped = flips(cell, own, opponent);
    (opponent ^ flipped, own ^ flipped | cell.board())
}

/// Ranks the moves to `cells`; `first` is the best.
#[inline(always)]
pub(super) fn rank<E: Evaluation<Board>, C: Cpu>(
    cpu: C,
    evaluation: &E,
    (own, opponent): (u64, u64),
    cells: u64,
    first: Cell,
) -> Ranked {
    let (mut list, mut ranks) = (List::default(), [0; MOST_EMPTY as usize]);
    let empty = !(own | opponent);
    let empties = empty.count_ones();
    let odd = odd_regions(empty);
    for (cell, rank) in bits(cells).zip(&mut ranks) {
        list.push(cell);
        if cell == first {
            *rank = i32::MAX;
            continue;
        }
        let (own, opponent) = after(cell, own, opponent);
        // In hundredths of a reply: replies, with corners counted twice, and a bonus for odd regions.
        *rank = -100 * replies(own, opponent);
        *rank += if cell.board() & odd != 0 { 50 } else { 0 };
        if empties < LOOK_FROM {
            *rank += if cell.board() & CORNERS != 0 { 200 } else { 0 };
        } else {
            let depth = (empties - LOOK_FROM) / STEP + 1;
            *rank -= cpu.call(Look { evaluation, own, opponent, alpha: -MOST, beta: MOST, depth });
        }
    }
    (list, ranks)
}

/// The number of replies, corners counted twice.
#[inline(always)]
fn replies(own: u64, opponent: u64) -> i32 {
    let cells = mobility(own, opponent);
    (cells.count_ones() + (cells & CORNERS).count_ones()) as i32
}

/// Above every estimate.
pub(super) const MOST: i32 = 1_000_000;

/// A shallow search with the evaluation, in its units, one ply deep and more: fail-soft, without a table.
pub(super) struct Look<'a, E> {
    pub(super) evaluation: &'a E,
    pub(super) own: u64,
    pub(super) opponent: u64,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: u32,
}

impl<E: Evaluation<Board>> Task for Look<'_, E> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Look { evaluation, own, opponent, mut alpha, beta, depth } = self;
        let cells = mobility(own, opponent);
        if cells == 0 {
            if mobility(opponent, own) == 0 {
                return super::last::ended(own, opponent) * 100;
            }
            let (own, opponent) = (opponent, own);
            return -cpu.call(Look { evaluation, own, opponent, alpha: -beta, beta: -alpha, depth });
        }
        let (mut list, mut ranks): Ranked = (List::default(), [0; MOST_EMPTY as usize]);
        for (cell, rank) in bits(cells).zip(&mut ranks) {
            list.push(cell);
            if depth > 1 {
                let (own, opponent) = after(cell, own, opponent);
                *rank = -replies(own, opponent);
            }
        }
        let board = Board::new(own, opponent, Player::FIRST);
        let estimate = (depth == 1).then(|| evaluation.below(&board));
        let mut best = -MOST;
        for i in 0..list.len() {
            let cell = if depth > 1 { pick(&mut list, &mut ranks, i) } else { list[i] };
            let (own, opponent) = after(cell, own, opponent);
            let score = match &estimate {
                Some(estimate) => estimate(cell, &Board::new(own, opponent, Player::SECOND)).value(),
                None => {
                    cpu.call(Look { evaluation, own, opponent, alpha: -beta, beta: -alpha, depth: depth - 1 })
                }
            };
            best = best.max(-score);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
