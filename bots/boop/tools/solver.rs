//! The paper's solver: tries every piece on every cell, each with the promotion that the rule chooses, and picks the
//! best by the heuristic.

use coppice::bits::nth_one;
use coppice::{Game, Rng};

use crate::boop::board::Board;
use crate::boop::heuristic::heuristic;
use crate::boop::promotion::choose;
use crate::boop::turn::Turn;

/// Cells excluded for a small and for a large piece.
#[derive(Debug, Clone, Copy, Default)]
pub struct Masked([u64; 2]);

impl Masked {
    /// Masks a piece on a cell.
    #[inline(always)]
    pub fn add(&mut self, turn: Turn) {
        self.0[usize::from(turn.is_large())] |= 1 << turn.cell();
    }

    /// Whether a piece on a cell is masked.
    #[inline(always)]
    pub fn has(&self, is_large: bool, cell: u32) -> bool {
        self.0[usize::from(is_large)] >> cell & 1 == 1
    }
}

/// The turn that places a piece on a cell with the promotion that the rule chooses, and its value for the mover.
#[inline(always)]
pub fn objective(board: &Board, is_large: bool, cell: u32, rng: &mut Rng) -> (Turn, i32) {
    let placed = board.placed(is_large, cell);
    let group = choose(&placed, rng);
    let own = placed.own.promoting(group.cells());
    (Turn::new(is_large, cell, group), heuristic(&own, &placed.other))
}

/// Whether a turn allows the opponent no immediate win.
#[inline(always)]
pub fn is_safe(board: &Board, turn: Turn) -> bool {
    let next = board.after(turn);
    let mut can_win = false;
    // Three large pieces are needed for a line.
    if !next.is_over() && next.own().promoted >= 3 {
        next.each_placing(|is_large, cell| can_win |= next.placed(is_large, cell).own.has_won());
    }
    !can_win
}

/// The best turn that isn't masked, ties broken at random. With 2 `stages` the best that [`is_safe`], if there is one
/// (section VII of the paper, future work).
#[inline(always)]
pub fn best(board: &Board, masked: Masked, stages: u32, rng: &mut Rng) -> Option<Turn> {
    let first = best_of(board, masked, rng, |_| true);
    match first {
        Some(turn) if stages == 2 && !is_safe(board, turn) => {
            best_of(board, masked, rng, |turn| is_safe(board, turn)).or(first)
        }
        _ => first,
    }
}

/// The best turn that isn't masked and that is `allowed`, ties broken at random.
#[inline(always)]
fn best_of(board: &Board, masked: Masked, rng: &mut Rng, allowed: impl Fn(Turn) -> bool) -> Option<Turn> {
    let (mut best, mut most, mut ties) = (None, i32::MIN, 0);
    board.each_placing(|is_large, cell| {
        if masked.has(is_large, cell) {
            return;
        }
        let (turn, worth) = objective(board, is_large, cell, rng);
        if worth < most || !allowed(turn) {
            return;
        }
        if worth > most {
            (best, most, ties) = (Some(turn), worth, 1);
        } else {
            ties += 1;
            if rng.below(ties) == 0 {
                best = Some(turn);
            }
        }
    });
    best
}

/// A random piece of the pool on a random cell that isn't masked, with the promotion that the rule chooses.
#[inline(always)]
pub fn random(board: &Board, masked: Masked, rng: &mut Rng) -> Option<Turn> {
    let pool = [board.own().small_in_pool(), board.own().large_in_pool()];
    let is_large = rng.below(pool[0] + pool[1]) >= pool[0];
    let free = |is_large: bool| board.empty() & !masked.0[usize::from(is_large)];
    // Use the other kind of piece if no cell is left for this one.
    let other = pool[usize::from(!is_large)] > 0 && free(is_large) == 0;
    let is_large = is_large != other;
    let cells = free(is_large);
    if cells == 0 {
        return None;
    }
    let cell = nth_one(cells, rng.below(cells.count_ones()));
    let group = choose(&board.placed(is_large, cell), rng);
    Some(Turn::new(is_large, cell, group))
}
