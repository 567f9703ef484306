//! The search: null windows with a table, and a full window along the best line.

use coppice::cpu::{Cpu, Task};
use coppice::list::pick;
use coppice::Evaluation;

use super::super::board::{mobility, Board};
use super::super::cell::Cell;
use super::bounds::{hash, Bounds};
use super::last::{ended, Few};
use super::order::{after, rank};
use super::stable::stable;
use super::{bits, Goal, Solver};

/// With fewer empty cells than this, cells are ordered by parity alone.
const SORT_FROM: u32 = 7;
/// With fewer empty cells than this, the table isn't used.
const TABLE_FROM: u32 = 9;
/// Least number of empty cells with which every child is probed in the table before any is searched (enhanced
/// transposition cutoff).
const LOOK_AHEAD_FROM: u32 = 11;

/// A position to search with a null window: is the score above `alpha`? Fail-soft.
struct Node<'a, 'b, E> {
    solver: &'a mut Solver<'b, E>,
    own: u64,
    opponent: u64,
    alpha: i32,
}

impl<E: Evaluation<Board>> Node<'_, '_, E> {
    #[inline(always)]
    fn score<C: Cpu>(self, cpu: C) -> i32 {
        let Node { solver, own, opponent, alpha } = self;
        if (!(own | opponent)).count_ones() < SORT_FROM {
            return Few { clock: &mut solver.clock, own, opponent, alpha }.score(cpu);
        }
        cpu.call(Node { solver, own, opponent, alpha })
    }
}

impl<E: Evaluation<Board>> Task for Node<'_, '_, E> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Node { solver, own, opponent, alpha } = self;
        let empty = !(own | opponent);
        let empties = empty.count_ones();
        // Where the opponent's discs may suffice, those that can't flip any more are counted.
        if alpha >= 2 * empties as i32 - 4 && 2 * opponent.count_ones() as i32 >= 64 - alpha {
            let most = 64 - 2 * stable(opponent, own);
            if most <= alpha {
                return most;
            }
        }
        let cells = mobility(own, opponent);
        if cells == 0 {
            if mobility(opponent, own) == 0 {
                return ended(own, opponent);
            }
            if !solver.clock.take() {
                return 0;
            }
            return -cpu.call(Node { solver, own: opponent, opponent: own, alpha: -alpha - 1 });
        }
        let use_table = empties >= TABLE_FROM;
        let (mut hashed, mut known) = (0, Bounds::UNKNOWN);
        if use_table {
            hashed = hash(own, opponent);
            known = Bounds::probe(solver.table, hashed);
            if known.lower > alpha {
                return known.lower;
            }
            if known.upper <= alpha {
                return known.upper;
            }
        }
        if empties >= LOOK_AHEAD_FROM {
            for cell in bits(cells) {
                let (own, opponent) = after(cell, own, opponent);
                let lower = -Bounds::probe(solver.table, hash(own, opponent)).upper;
                if lower > alpha {
                    return lower;
                }
            }
        }
        let (mut list, mut ranks) = rank(cpu, solver.evaluation, (own, opponent), cells, known.best);
        let (mut best, mut best_cell) = (-65, Cell::PASS);
        for i in 0..list.len() {
            if !solver.clock.take() {
                return 0;
            }
            let cell = pick(&mut list, &mut ranks, i);
            let (own, opponent) = after(cell, own, opponent);
            let next = Node { solver, own, opponent, alpha: -alpha - 1 };
            let score = -next.score(cpu);
            if solver.clock.is_spent() {
                return 0;
            }
            if score > best {
                (best, best_cell) = (score, cell);
                if score > alpha {
                    break;
                }
            }
        }
        if use_table {
            known.after(best, alpha, alpha + 1, best_cell).store(solver.table, hashed, empties);
        }
        best
    }
}

/// A position to search with a full window (principal variation search). The answer has the best move if the score is
/// inside the window.
struct Wide<'a, 'b, E> {
    /// The root is searched even if the table has its score, to know the move.
    is_root: bool,
    solver: &'a mut Solver<'b, E>,
    own: u64,
    opponent: u64,
    alpha: i32,
    beta: i32,
}

impl<E: Evaluation<Board>> Task for Wide<'_, '_, E> {
    type Output = (i32, Cell);

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> (i32, Cell) {
        let Wide { is_root, solver, own, opponent, alpha, beta } = self;
        let empty = !(own | opponent);
        let cells = mobility(own, opponent);
        if cells == 0 {
            if mobility(opponent, own) == 0 {
                return (ended(own, opponent), Cell::PASS);
            }
            if !solver.clock.take() {
                return (0, Cell::PASS);
            }
            let next =
                Wide { is_root: false, solver, own: opponent, opponent: own, alpha: -beta, beta: -alpha };
            return (-cpu.call(next).0, Cell::PASS);
        }
        let hashed = hash(own, opponent);
        let known = Bounds::probe(solver.table, hashed);
        if !is_root && (known.lower >= beta || known.lower == known.upper) {
            return (known.lower, known.best);
        }
        if !is_root && known.upper <= alpha {
            return (known.upper, known.best);
        }
        let (mut list, mut ranks) = rank(cpu, solver.evaluation, (own, opponent), cells, known.best);
        let (mut low, mut best, mut best_cell) = (alpha, -65, Cell::PASS);
        for i in 0..list.len() {
            if !solver.clock.take() {
                return (0, Cell::PASS);
            }
            let cell = pick(&mut list, &mut ranks, i);
            let (own, opponent) = after(cell, own, opponent);
            let mut score = 0;
            if i > 0 {
                score = -Node { solver, own, opponent, alpha: -low - 1 }.score(cpu);
            }
            if i == 0 || low < score && score < beta {
                score = -cpu.call(Wide { is_root: false, solver, own, opponent, alpha: -beta, beta: -low }).0;
            }
            if solver.clock.is_spent() {
                return (0, Cell::PASS);
            }
            if score > best {
                (best, best_cell) = (score, cell);
                low = low.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        known.after(best, alpha, beta, best_cell).store(solver.table, hashed, empty.count_ones());
        (best, best_cell)
    }
}

/// The position to solve. `None` if the budget runs out.
pub(super) struct Root<'a, 'b, E> {
    pub(super) solver: &'a mut Solver<'b, E>,
    pub(super) own: u64,
    pub(super) opponent: u64,
    pub(super) goal: Goal,
}

impl<E: Evaluation<Board>> Task for Root<'_, '_, E> {
    type Output = Option<(Cell, i32)>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Option<(Cell, i32)> {
        let Root { solver, own, opponent, goal } = self;
        let (alpha, beta) = match goal {
            Goal::Winner => (-1, 1),
            Goal::Margin => (-64, 64),
        };
        let (score, best) = cpu.call(Wide { is_root: true, solver, own, opponent, alpha, beta });
        (!solver.clock.is_spent()).then_some((best, score))
    }
}
