//! Solves endings: who wins after best play.
//!
//! A depth-first search answers whether the result is better than a bound. Results are loss, draw and win, so at most two
//! such searches find it. The table keeps bounds of all positions from turn to turn; replies are looked up there before
//! any of them is searched (enhanced transposition cutoff: Plaat, Schaeffer, Pijls and de Bruin, *Exploiting Graph
//! Properties of Game Trees*, 1996).

use coppice::clock::Meter;
use coppice::cpu::{self, Cpu, Task};
use coppice::table::{Bound, Entry, Table};
use coppice::{Budget, Evaluation, Game, List, Score};

use super::board::Board;
use super::cell::Cell;

/// A sort key's points for each reply that a move leaves.
const REPLY: i32 = 60;
/// The sort key of a move that the opponent answers by winning at once.
const LOST: i32 = i32::MIN / 2;

/// A solver's table.
#[derive(Debug, Clone)]
pub struct Ending {
    table: Table,
}

/// A solved position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// A best move.
    pub best: Cell,
    /// 1 if the player to move wins, 0 for a draw, -1 for a loss.
    pub result: i32,
}

impl Ending {
    /// A solver whose table takes `bytes` bytes.
    pub fn new(bytes: usize) -> Ending {
        Ending { table: Table::with_bytes(bytes) }
    }

    /// Forgets all results.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Solves a position that isn't over. Returns its result, and the number of nodes. `None` if the budget runs out;
    /// the table keeps what was found for the next attempt. The evaluation only orders moves.
    pub fn solve<E: Evaluation<Board>>(
        &mut self,
        evaluation: &E,
        board: &Board,
        budget: Budget,
    ) -> (Option<Solved>, u64) {
        self.table.age();
        let mut solver = Solver { table: &mut self.table, meter: Meter::new(budget), evaluation };
        let solved = cpu::dispatch(Root { solver: &mut solver, board });
        (solved, solver.meter.nodes())
    }
}

/// A search on its way.
struct Solver<'a, E> {
    table: &'a mut Table,
    meter: Meter<256>,
    evaluation: &'a E,
}

/// Finds the result.
struct Root<'a, 'b, E> {
    solver: &'a mut Solver<'b, E>,
    board: &'a Board,
}

impl<E: Evaluation<Board>> Task for Root<'_, '_, E> {
    type Output = Option<Solved>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Option<Solved> {
        let Root { solver, board } = self;
        let (wins, best) = cpu.call(Exceeds { solver, board, bound: 0 })?;
        if wins {
            return Some(Solved { best, result: 1 });
        }
        let (draws, best) = cpu.call(Exceeds { solver, board, bound: -1 })?;
        Some(Solved { best, result: if draws { 0 } else { -1 } })
    }
}

/// Whether the result of a position that isn't over is better than `bound`, -1 or 0, and if so by which move; otherwise
/// any move. `None` if the budget runs out.
struct Exceeds<'a, 'b, E> {
    solver: &'a mut Solver<'b, E>,
    board: &'a Board,
    bound: i32,
}

impl<E: Evaluation<Board>> Task for Exceeds<'_, '_, E> {
    type Output = Option<(bool, Cell)>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Option<(bool, Cell)> {
        let Exceeds { solver, board, bound } = self;
        if !solver.meter.take() {
            return None;
        }
        if let Some(cell) = board.winning_cell() {
            return Some((true, cell));
        }
        let hash = board.hash();
        let entry = solver.table.probe(hash);
        let mut list = List::<Cell, 81>::default();
        board.moves(&mut list);
        let stored = entry.and_then(|entry| list.iter().copied().find(|cell| cell.code() == entry.best));
        let first = stored.or(list.first().copied())?;
        if let Some(exceeds) = entry.and_then(|entry| known(&entry, bound)) {
            return Some((exceeds, first));
        }
        let mut keys = [0; 81];
        if list.len() > 1 {
            for &cell in list.iter() {
                let next = solver.table.probe(board.after(cell).hash());
                if next.and_then(|entry| known(&entry, -bound - 1)) == Some(false) {
                    return Some((true, cell));
                }
            }
            solver.rank(board, &list, stored, &mut keys);
        }
        let begun = solver.meter.nodes();
        let mut found = (false, first);
        for i in 0..list.len() {
            let next = (i..list.len()).max_by_key(|&j| keys[j]).unwrap_or(i);
            list.swap(i, next);
            keys.swap(i, next);
            let after = board.after(list[i]);
            let exceeds = if after.is_over() {
                after.payoff(board.to_move()).sign() > bound
            } else {
                keys[i] != LOST
                    && !cpu.call(Exceeds { solver: &mut *solver, board: &after, bound: -bound - 1 })?.0
            };
            if exceeds {
                found = (true, list[i]);
                break;
            }
        }
        let (bound, score) = if found.0 { (Bound::Lower, bound + 1) } else { (Bound::Upper, bound) };
        let nodes = solver.meter.nodes() - begun;
        // Entries that took more nodes are replaced later.
        let depth = (u64::BITS - nodes.leading_zeros()) as u8;
        let entry = Entry { score: Score::estimate(score), bound, depth, solved: true, best: found.1.code() };
        solver.table.store(hash, entry);
        Some(found)
    }
}

impl<E: Evaluation<Board>> Solver<'_, E> {
    /// Sort keys: the move stored before, then those that the evaluation prefers and that leave few replies.
    #[inline(always)]
    fn rank(&self, board: &Board, list: &[Cell], stored: Option<Cell>, keys: &mut [i32; 81]) {
        let below = self.evaluation.below(board);
        for (key, &cell) in keys.iter_mut().zip(list) {
            let next = board.after(cell);
            *key = match () {
                () if next.is_over() => (Score::MAX_ESTIMATE + 1) * next.payoff(board.to_move()).sign(),
                () if next.winning_cell().is_some() => LOST,
                () if Some(cell) == stored => Score::MAX_ESTIMATE,
                () => -below(cell, &next).value() - REPLY * next.count_moves() as i32,
            };
        }
    }
}

/// Whether a stored result says that a position's is better than `bound`, or that it isn't.
#[inline(always)]
fn known(entry: &Entry, bound: i32) -> Option<bool> {
    let result = entry.score.value();
    match entry.bound {
        Bound::Lower if result > bound => Some(true),
        Bound::Upper if result <= bound => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use coppice::search::negamax;
    use coppice::Rng;

    use super::*;
    use crate::uttt::eval::WonBoards;
    use crate::uttt::pattern::tables::Tables;

    /// The sign of the result, for the oracle.
    struct Result;

    impl Evaluation<Board> for Result {
        fn evaluate(&self, _: &Board) -> Score {
            unreachable!("the oracle looks to the end")
        }

        fn ended(&self, board: &Board) -> Score {
            Score::estimate(board.payoff(board.to_move()).sign())
        }
    }

    /// A position of each of some random games, the first with at most `free` free cells.
    fn endings(free: u32, count: u64) -> impl Iterator<Item = Board> {
        (0..count).filter_map(move |game| {
            let (mut rng, mut board) = (Rng::new(game), Board::START);
            while board.count_free() > free {
                board.play(board.random_move(&mut rng)?);
            }
            Some(board).filter(|board| !board.is_over())
        })
    }

    #[test]
    fn agrees_with_plain_negamax() {
        let mut ending = Ending::new(1 << 20);
        let mut seen = [0; 3];
        for (free, count) in [(1, 60), (3, 60), (5, 60), (7, 60), (9, 30)] {
            for board in endings(free, count) {
                let solved = ending.solve(&WonBoards, &board, Budget::nodes(u64::MAX)).0.unwrap();
                assert_eq!(solved.result, negamax(&board, &Result, 99).value(), "{board}");
                let next = board.after(solved.best);
                assert_eq!(-negamax(&next, &Result, 99).value(), solved.result, "{} on {board}", solved.best);
                seen[(solved.result + 1) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    }

    #[test]
    fn stops_at_its_budget_and_learns_from_it() {
        let tables = Tables::trained();
        let mut unsolved = 0;
        for board in endings(28, 40) {
            let (expected, whole) = Ending::new(1 << 20).solve(&tables, &board, Budget::nodes(u64::MAX));
            if whole < 300 {
                continue;
            }
            let (mut ending, mut tries) = (Ending::new(1 << 20), 0);
            loop {
                let (solved, nodes) = ending.solve(&tables, &board, Budget::nodes(whole / 3 + 1));
                assert!(nodes <= whole / 3 + 1);
                if let Some(solved) = solved {
                    assert_eq!(solved.result, expected.unwrap().result, "{board}");
                    break;
                }
                tries += 1;
                assert!(tries < 100, "no try got any further");
            }
            unsolved += u32::from(tries > 0);
        }
        assert!(unsolved > 10, "a third of the nodes can't do");
    }
}
