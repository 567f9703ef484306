//! Solves endgames exactly: who wins, and with which move.
//!
//! Alpha-beta down to the last disc, without an evaluation. It is fast because it tries moves that leave the opponent
//! few replies first (fastest-first), then moves in regions with an odd number of empty cells (parity); it looks
//! positions up in a table; and near the end it uses neither lists nor hashes.

use coppice::clock::Meter;
use coppice::cpu::{self, Cpu, Task};
use coppice::list::pick;
use coppice::table::{Bound, Entry, Table};
use coppice::{Budget, Game, List, Score};

use super::board::{flips, mobility, Board};
use super::cell::Cell;

/// With more empty cells than this, solving isn't attempted: no machine would finish.
pub const MOST_EMPTY: u32 = 40;
/// With fewer empty cells than this, cells are ordered by parity alone.
const SORT_FROM: u32 = 7;
/// With fewer empty cells than this, the table isn't used.
const TABLE_FROM: u32 = 9;
/// From this many empty cells up, every child is probed in the table before any is searched (enhanced transposition
/// cutoff).
const LOOK_AHEAD_FROM: u32 = 11;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// A solver with its table.
#[derive(Debug, Clone)]
pub struct Endgame {
    table: Table,
    meter: Meter<2048>,
    best: Cell,
}

/// A solved position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// A best move.
    pub best: Cell,
    /// 1, 0 or -1: the player to move wins, draws or loses.
    pub sign: i32,
}

impl Endgame {
    /// A solver whose table takes `table_bytes` bytes.
    pub fn new(table_bytes: usize) -> Endgame {
        Endgame {
            table: Table::with_bytes(table_bytes),
            meter: Meter::new(Budget::nodes(0)),
            best: Cell::PASS,
        }
    }

    /// Solves `board`, which must not be over. `None` if the budget runs out or more than [`MOST_EMPTY`] cells are
    /// empty. The table keeps partial results for the next attempt. `nodes` is set to the number of moves made if a
    /// search started.
    pub fn solve(&mut self, board: &Board, budget: Budget, nodes: &mut u64) -> Option<Solved> {
        self.meter = Meter::new(budget);
        if board.empty().count_ones() > MOST_EMPTY {
            return None;
        }
        self.table.age();
        let passes = board.mobility() == 0;
        let (mut own, mut opponent) = (board.own(), board.opponent());
        if passes {
            let _ = self.meter.take();
            (own, opponent) = (opponent, own);
        }
        let root = Node::<true> { solver: self, own, opponent, alpha: -1, beta: 1 };
        let sign = cpu::dispatch(root).signum();
        *nodes = self.meter.nodes();
        let (best, sign) = if passes { (Cell::PASS, -sign) } else { (self.best, sign) };
        (!self.meter.is_spent()).then_some(Solved { best, sign })
    }

    #[inline(always)]
    fn store(&mut self, hash: u64, value: i32, bound: Bound, empties: u32, best: Cell) {
        let score = Score::estimate(value);
        let entry = Entry { score, bound, depth: empties as u8, solved: true, best: best.bit() as u16 };
        self.table.store(hash, entry);
    }

    /// A value of at least `beta` that the table has for one of the moves.
    #[inline(always)]
    fn look_ahead(&self, own: u64, opponent: u64, moves: u64, beta: i32) -> Option<i32> {
        bits(moves).find_map(|cell| {
            let flipped = flips(cell, own, opponent);
            let entry = self.table.probe(hash(opponent & !flipped, own | flipped | cell.board()))?;
            let value = -entry.score.value();
            (entry.bound != Bound::Lower && value >= beta).then_some(value)
        })
    }
}

/// The disc difference when one cell is empty.
#[inline(always)]
fn last_cell(empty: u64, own: u64, opponent: u64) -> i32 {
    let cell = Cell::new(empty.trailing_zeros());
    let before = difference(own, opponent);
    match flips(cell, own, opponent) {
        0 => match flips(cell, opponent, own) {
            0 => before,
            flipped => before - 2 * flipped.count_ones() as i32 - 1,
        },
        flipped => before + 2 * flipped.count_ones() as i32 + 1,
    }
}

/// The quadrants with an odd number of empty cells: the player who moves there first also moves there last.
#[inline(always)]
fn odd_regions(empty: u64) -> u64 {
    QUADRANTS.iter().filter(|&q| (empty & q).count_ones() % 2 == 1).fold(0, |odd, q| odd | q)
}

#[inline(always)]
fn difference(own: u64, opponent: u64) -> i32 {
    own.count_ones() as i32 - opponent.count_ones() as i32
}

#[inline(always)]
fn hash(own: u64, opponent: u64) -> u64 {
    Board::new(own, opponent, coppice::Player::FIRST).hash()
}

/// The cells of a bitboard, from the lowest bit up.
#[inline(always)]
fn bits(cells: u64) -> impl Iterator<Item = Cell> {
    let mut left = cells;
    std::iter::from_fn(move || {
        let cell = (left != 0).then(|| Cell::new(left.trailing_zeros()))?;
        left &= left - 1;
        Some(cell)
    })
}

/// Each move with the discs of the next player and of the mover after it, and its rank.
type Moved = (List<(Cell, u64, u64), { MOST_EMPTY as usize }>, [i32; MOST_EMPTY as usize]);

#[inline(always)]
fn ranked(own: u64, opponent: u64, known: Option<u16>) -> Moved {
    let odd = odd_regions(!(own | opponent));
    let (mut moves, mut ranks) = (List::default(), [0; MOST_EMPTY as usize]);
    for (cell, rank) in bits(mobility(own, opponent)).zip(&mut ranks) {
        let flipped = flips(cell, own, opponent);
        let (own, opponent) = (opponent & !flipped, own | flipped | cell.board());
        let answers = mobility(own, opponent);
        // In units of opponent's replies: replies, with corners counted twice; corners taken; and a bonus for odd
        // regions.
        *rank = -8 * (answers.count_ones() + (answers & CORNERS).count_ones()) as i32;
        *rank += if cell.board() & CORNERS != 0 { 16 } else { 0 };
        *rank += if cell.board() & odd != 0 { 4 } else { 0 };
        if known == Some(cell.bit() as u16) {
            *rank = i32::MAX;
        }
        moves.push((cell, own, opponent));
    }
    (moves, ranks)
}

/// A position to solve within a window: the disc difference after best play, fail-soft. The root is searched even if
/// the table has its value, and stores its best move in the solver.
struct Node<'a, const ROOT: bool> {
    solver: &'a mut Endgame,
    own: u64,
    opponent: u64,
    alpha: i32,
    beta: i32,
}

impl<const ROOT: bool> Task for Node<'_, ROOT> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Node { solver, own, opponent, alpha, beta } = self;
        let empty = !(own | opponent);
        let empties = empty.count_ones();
        if empties < SORT_FROM && !ROOT {
            return cpu.call(Last { solver, own, opponent, alpha, beta, passed: false });
        }
        let moves = mobility(own, opponent);
        if moves == 0 {
            if mobility(opponent, own) == 0 {
                return difference(own, opponent);
            }
            if !solver.meter.take() {
                return 0;
            }
            return -cpu.call(Node::<false> {
                solver,
                own: opponent,
                opponent: own,
                alpha: -beta,
                beta: -alpha,
            });
        }
        let use_table = empties >= TABLE_FROM;
        let hash = if use_table { hash(own, opponent) } else { 0 };
        let mut known = None;
        if use_table {
            if let Some(entry) = solver.table.probe(hash) {
                let value = entry.score.value();
                match entry.bound {
                    _ if ROOT => {}
                    Bound::Exact => return value,
                    Bound::Lower if value >= beta => return value,
                    Bound::Upper if value <= alpha => return value,
                    _ => {}
                }
                known = Some(entry.best);
            }
            if empties >= LOOK_AHEAD_FROM && !ROOT {
                if let Some(value) = solver.look_ahead(own, opponent, moves, beta) {
                    return value;
                }
            }
        }
        let (mut list, mut ranks) = ranked(own, opponent, known);
        let (mut low, mut best, mut best_cell) = (alpha, i32::MIN, Cell::PASS);
        for i in 0..list.len() {
            if !solver.meter.take() {
                return 0;
            }
            let (cell, own, opponent) = pick(&mut list, &mut ranks, i);
            let value = -cpu.call(Node::<false> { solver, own, opponent, alpha: -beta, beta: -low });
            if solver.meter.is_spent() {
                return 0;
            }
            if value > best {
                (best, best_cell) = (value, cell);
                low = low.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        if ROOT {
            solver.best = best_cell;
        }
        if use_table {
            let bound = match best {
                best if best >= beta => Bound::Lower,
                best if best > alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            solver.store(hash, best, bound, empties, best_cell);
        }
        best
    }
}

/// The same for the last empty cells: tries each cell without generating moves, odd regions first.
struct Last<'a> {
    solver: &'a mut Endgame,
    own: u64,
    opponent: u64,
    alpha: i32,
    beta: i32,
    passed: bool,
}

impl Task for Last<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Last { solver, own, opponent, alpha, beta, passed } = self;
        let empty = !(own | opponent);
        if empty.count_ones() == 1 {
            return last_cell(empty, own, opponent);
        }
        let odd = odd_regions(empty);
        let (mut low, mut best) = (alpha, i32::MIN);
        for cells in [empty & odd, empty & !odd] {
            for cell in bits(cells) {
                let flipped = flips(cell, own, opponent);
                if flipped == 0 {
                    continue;
                }
                if !solver.meter.take() {
                    return 0;
                }
                let (own, opponent) = (opponent & !flipped, own | flipped | cell.board());
                let next = Last { solver, own, opponent, alpha: -beta, beta: -low, passed: false };
                let value = -cpu.call(next);
                if solver.meter.is_spent() {
                    return 0;
                }
                if value > best {
                    best = value;
                    low = low.max(value);
                    if value >= beta {
                        return value;
                    }
                }
            }
        }
        match best {
            i32::MIN if passed => difference(own, opponent),
            i32::MIN if !solver.meter.take() => 0,
            i32::MIN => {
                let (own, opponent) = (opponent, own);
                -cpu.call(Last { solver, own, opponent, alpha: -beta, beta: -alpha, passed: true })
            }
            best => best,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice::search::negamax;
    use coppice::{Evaluation, Rng};

    /// The disc difference as a score, for the oracle.
    struct Discs;

    impl Evaluation<Board> for Discs {
        fn evaluate(&self, _: &Board) -> Score {
            unreachable!("the oracle looks to the end")
        }

        fn ended(&self, board: &Board) -> Score {
            Score::estimate(board.disc_difference())
        }
    }

    fn ends(empties: u32, count: usize) -> Vec<Board> {
        let mut rng = Rng::new(u64::from(empties));
        let mut boards = Vec::new();
        while boards.len() < count {
            let mut board = Board::START;
            while board.empty().count_ones() > empties {
                match board.random_move(&mut rng) {
                    Some(cell) => board.play(cell),
                    None => break,
                }
            }
            if !board.is_over() {
                boards.push(board);
            }
        }
        boards
    }

    #[test]
    fn agrees_with_plain_negamax() {
        let mut solver = Endgame::new(1 << 20);
        for (empties, count) in
            [(1, 50), (2, 50), (3, 50), (4, 50), (5, 50), (6, 40), (7, 40), (8, 30), (9, 10)]
        {
            for board in ends(empties, count) {
                let value = |board: &Board| negamax(board, &Discs, 99).value();
                let mut nodes = 0;
                let solved = solver.solve(&board, Budget::nodes(u64::MAX), &mut nodes).unwrap();
                assert_eq!(solved.sign, value(&board).signum(), "{board:?}");
                let next = board.after(solved.best);
                assert_eq!(-value(&next).signum(), solved.sign, "{} on {board:?}", solved.best);
            }
        }
    }

    #[test]
    fn stops_at_its_budget_and_learns_from_it() {
        let board = ends(16, 1)[0];
        let mut solver = Endgame::new(1 << 20);
        let mut whole = 0;
        let expected = solver.clone().solve(&board, Budget::nodes(u64::MAX), &mut whole).unwrap();
        let mut tries = 0;
        loop {
            let mut nodes = 0;
            let solved = solver.solve(&board, Budget::nodes(whole / 4), &mut nodes);
            assert!(nodes <= whole / 4);
            tries += 1;
            if let Some(solved) = solved {
                assert_eq!(solved.sign, expected.sign);
                break;
            }
            assert!(tries < 100, "no try got any further");
        }
        assert!(tries > 1, "a quarter of the nodes can't do");
    }
}
