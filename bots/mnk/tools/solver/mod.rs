//! Solves boards of up to 64 cells exactly: can a side force a line, and in how many plies?
//!
//! The solver asks two questions, both with a limit on the marks that the attacker may still make. The real question
//! follows the rules of the game: the defender may also win, so its threats must be answered. The relaxed question
//! ignores the defender's lines (a Maker-Breaker game in the literature): if even then no line can be forced, none
//! can. A relaxed position consists only of the attacker's marks and the free cells on lines that can still be
//! completed in time, which many positions share. If the lines' weights, 2^-k for a line that lacks k marks, sum to
//! less than 1 with the defender to move, or 1/2 with the attacker, the defender holds (Erdos and Selfridge, *On a
//! combinatorial game*, 1973).
//!
//! Proving (5, 5, 4) a draw takes 631,064 nodes and (6, 4, 4) 206,477; (8, 8, 4), a win in 11 plies, takes 203,184.

mod table;

use arrayvec::ArrayVec;
use coppice::clock::Meter;
use coppice::{Budget, Game, Payoff, Player, Report, Score, Search};

use crate::mnk::board::Board;
use crate::mnk::cell::Cell;
use table::Table;

/// Maximum number of cells of a solvable board.
pub const MAX_CELLS: usize = 64;

/// Marks beyond a line's length up to which attacks are tried in order of length, before asking whether any attack exists.
const SHORT: u32 = 3;

/// Solves positions of one size of board.
///
/// A search with an unlimited budget ends with the exact value, and unless it is a draw with the plies of the
/// shortest win against the longest resistance. A search that runs out of its budget returns no good move, but its
/// findings stay in the tables and the next search of the position continues from them.
#[derive(Debug, Clone)]
pub struct Solver {
    size: (usize, usize, usize),
    /// The cells of each line, and the lines through each cell.
    lines: Vec<u64>,
    through: Vec<Vec<u64>>,
    /// By symmetry of the board: the images of each byte of a set of cells.
    images: Vec<Vec<[u64; 256]>>,
    forgiving: Table,
    real: Table,
    meter: Meter<1024>,
}

impl Solver {
    /// A solver for boards like `start` that uses about `bytes` bytes; `None` if the board has more than
    /// [`MAX_CELLS`] cells.
    pub fn new<const C: usize>(start: &Board<C>, bytes: usize) -> Option<Solver> {
        let size = start.size();
        let (rows, columns, in_line) = size;
        if rows * columns > MAX_CELLS {
            return None;
        }
        let bit = |row: usize, column: usize| 1_u64 << (row * columns + column);
        let mut lines = Vec::new();
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let (down, right, left) =
                (row + in_line <= rows, column + in_line <= columns, column + 1 >= in_line);
            let directions = [(right, 0, 1), (down, 1, 0), (down && right, 1, 1), (down && left, 1, -1)];
            for (_, by_row, by_column) in directions.into_iter().filter(|&(fits, ..)| fits) {
                let at = |i: usize| bit(row + i * by_row, column.wrapping_add_signed(i as isize * by_column));
                lines.push((0..in_line).map(at).fold(0, |set, bit| set | bit));
            }
        }
        // A line of one cell is the same in every direction.
        lines.sort_unstable();
        lines.dedup();
        let through = (0..rows * columns)
            .map(|at| lines.iter().copied().filter(|line| line >> at & 1 == 1).collect())
            .collect();
        let images = (0..if rows == columns { 8 } else { 4 })
            .map(|kind| {
                let moved = |at: usize| {
                    let (mut row, mut column) = (at / columns, at % columns);
                    row = if kind & 1 == 1 { rows - 1 - row } else { row };
                    column = if kind & 2 == 2 { columns - 1 - column } else { column };
                    if kind & 4 == 4 {
                        bit(column, row)
                    } else {
                        bit(row, column)
                    }
                };
                let cells =
                    |byte: usize| (0..8).map(move |i| (i, 8 * byte + i)).filter(|c| c.1 < rows * columns);
                let image = |byte: usize, set: usize| {
                    cells(byte)
                        .filter(|&(i, _)| set >> i & 1 == 1)
                        .fold(0, |image, (_, at)| image | moved(at))
                };
                (0..(rows * columns).div_ceil(8))
                    .map(|byte| std::array::from_fn(|set| image(byte, set)))
                    .collect()
            })
            .collect();
        let half = || Table::new(bytes / 2);
        let meter = Meter::new(Budget::nodes(0));
        Some(Solver { size, lines, through, images, forgiving: half(), real: half(), meter })
    }

    /// The smallest image of a pair of sets under the board's symmetries.
    fn canonical(&self, one: u64, other: u64) -> (u64, u64) {
        let image = |tables: &[[u64; 256]], set: u64| {
            let bytes = tables.iter().zip(set.to_le_bytes());
            bytes.fold(0, |image, (table, byte)| image | table[usize::from(byte)])
        };
        let images = self.images.iter().map(|tables| (image(tables, one), image(tables, other)));
        images.min().unwrap_or((one, other))
    }

    /// The cells of `free`, heaviest first.
    fn ordered(&self, free: u64, weight: impl Fn(&[u64]) -> u32) -> ArrayVec<(u32, u8), MAX_CELLS> {
        let mut cells: ArrayVec<(u32, u8), MAX_CELLS> = ArrayVec::new();
        let mut rest = free;
        while rest != 0 {
            let at = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            cells.push((weight(&self.through[usize::from(at)]), at));
        }
        cells.sort_unstable_by(|one, other| other.cmp(one));
        cells
    }

    /// Whether `attacker` can complete a line with at most `marks` more marks if the defender's lines don't count;
    /// `None` when the budget is spent.
    fn forgives(&mut self, attacker: u64, defender: u64, attacks: bool, marks: u32) -> Option<bool> {
        if !self.meter.take() {
            return None;
        }
        let in_line = self.size.2 as u32;
        let (mut alive, mut weight, mut threats) = (0, 0_u64, 0);
        for &line in self.lines.iter().filter(|&&line| line & defender == 0) {
            let lacks = in_line - (line & attacker).count_ones();
            match lacks {
                _ if lacks > marks => continue,
                1 if attacks => return Some(true),
                1 => threats |= line & !attacker,
                _ => {}
            }
            alive |= line;
            weight += 1 << (in_line - lacks);
        }
        if weight << u32::from(attacks) < 1 << in_line {
            return Some(false);
        }
        if threats != 0 {
            return match threats.is_power_of_two() {
                true => self.forgives(attacker, defender | threats, true, marks),
                false => Some(true),
            };
        }
        // Cells on no live line count as marked by the defender.
        let (attacker, free, defender) = (attacker & alive, alive & !attacker, !alive);
        let (one, other) = self.canonical(attacker, free);
        // Encodes who is to move: with the attacker to move the sets are disjoint, otherwise the first contains the
        // second.
        let key = (if attacks { one } else { !one }, other);
        if let Some(known) = self.forgiving.get(key, marks) {
            return Some(known);
        }
        let stake = |lines: &[u64]| {
            let alive = lines.iter().filter(|&&line| line & defender == 0);
            alive.map(|line| 1 << (line & attacker).count_ones()).sum()
        };
        let mut is_enough = !attacks;
        for (_, at) in self.ordered(free, stake) {
            let cell = 1 << at;
            let found = match attacks {
                true => self.forgives(attacker | cell, defender, false, marks - 1)?,
                false => self.forgives(attacker, defender | cell, true, marks)?,
            };
            if found == attacks {
                is_enough = attacks;
                break;
            }
        }
        self.forgiving.put(key, marks, is_enough);
        Some(is_enough)
    }

    /// The cells where each side could complete a line now.
    fn threats(&self, one: u64, other: u64) -> [u64; 2] {
        let lacking = |own: u64, enemy: u64| {
            let lines = self.lines.iter().filter(|&&line| line & enemy == 0);
            lines
                .map(|line| line & !own)
                .filter(|cells| cells.is_power_of_two())
                .fold(0, |set, cell| set | cell)
        };
        [lacking(one, other), lacking(other, one)]
    }

    /// The cells to try in a position of the real game, in order.
    fn candidates(&self, attacker: u64, defender: u64) -> ArrayVec<(u32, u8), MAX_CELLS> {
        let stake = |lines: &[u64]| {
            let of = |own: u64, enemy: u64| -> u32 {
                let alive = lines.iter().filter(|&&line| line & enemy == 0);
                alive.map(|line| 1 << (2 * (line & own).count_ones())).sum()
            };
            2 * of(attacker, defender) + of(defender, attacker)
        };
        self.ordered(self.board() & !(attacker | defender), stake)
    }

    fn board(&self) -> u64 {
        u64::MAX >> (MAX_CELLS - self.through.len())
    }

    /// Whether `attacker` can complete a line with at most `marks` more marks by the rules of the game; `None` when
    /// the budget is spent.
    fn wins(&mut self, attacker: u64, defender: u64, attacks: bool, marks: u32) -> Option<bool> {
        if !self.meter.take() {
            return None;
        }
        if marks == 0 || attacker | defender == self.board() {
            return Some(false);
        }
        let [by_attacker, by_defender] = self.threats(attacker, defender);
        let (own, other) = if attacks { (by_attacker, by_defender) } else { (by_defender, by_attacker) };
        if own != 0 {
            return Some(attacks);
        }
        if other != 0 {
            return match (other.is_power_of_two(), attacks) {
                (false, _) => Some(!attacks),
                (true, true) => self.wins(attacker | other, defender, false, marks - 1),
                (true, false) => self.wins(attacker, defender | other, true, marks),
            };
        }
        if !self.forgives(attacker, defender, attacks, marks)? {
            return Some(false);
        }
        let (one, other) = self.canonical(attacker, defender);
        // The players' sets are disjoint, so complementing the first one encodes who is to move.
        let key = if attacks { (one, other) } else { (!one, other) };
        if let Some(known) = self.real.get(key, marks) {
            return Some(known);
        }
        let mut is_enough = !attacks;
        for (_, at) in self.candidates(attacker, defender) {
            let cell = 1 << at;
            let found = match attacks {
                true => self.wins(attacker | cell, defender, false, marks - 1)?,
                false => self.wins(attacker, defender | cell, true, marks)?,
            };
            if found == attacks {
                is_enough = attacks;
                break;
            }
        }
        self.real.put(key, marks, is_enough);
        Some(is_enough)
    }

    /// The fewest marks with which either side wins: the mover's, then the opponent's; `None` when the budget is
    /// spent.
    fn fewest(&mut self, mover: u64, other: u64) -> Option<[Option<u32>; 2]> {
        let free = (self.board() & !(mover | other)).count_ones();
        let most = [free.div_ceil(2), free / 2];
        let short = self.size.2 as u32 + SHORT;
        let mut ask = |side: usize, marks: u32| match side {
            0 => self.wins(mover, other, true, marks),
            _ => self.wins(other, mover, false, marks),
        };
        for marks in 1..=short {
            for side in [0, 1] {
                if marks <= most[side] && ask(side, marks)? {
                    return Some(std::array::from_fn(|i| (i == side).then_some(marks)));
                }
            }
        }
        for side in [0, 1] {
            if most[side] > short && ask(side, most[side])? {
                let mut marks = short + 1;
                while !ask(side, marks)? {
                    marks += 1;
                }
                return Some(std::array::from_fn(|i| (i == side).then_some(marks)));
            }
        }
        Some([None, None])
    }

    /// The value for the mover and a move that keeps it; `None` when the budget is spent.
    fn solve(&mut self, mover: u64, other: u64) -> Option<(Score, u8)> {
        let fewest = self.fewest(mover, other)?;
        let free = (self.board() & !(mover | other)).count_ones();
        let score = match fewest {
            [Some(marks), _] => Score::ended(Payoff(1)).add_mate_distance(2 * marks - 1),
            [_, Some(marks)] => Score::ended(Payoff(-1)).add_mate_distance(2 * marks),
            _ => Score::DRAW,
        };
        let cells = self.candidates(mover, other);
        for &(_, at) in &cells {
            let after = mover | 1 << at;
            let keeps = match fewest {
                [Some(marks), _] => {
                    self.threats(mover, other)[0] >> at & 1 == 1
                        || marks > 1 && self.wins(after, other, false, marks - 1)?
                }
                // The move must hold out as long as possible.
                [_, Some(marks)] => !self.wins(other, after, true, marks - 1)?,
                _ => !self.wins(other, after, true, free / 2)?,
            };
            if keeps {
                return Some((score, at));
            }
        }
        Some((score, cells.first()?.1))
    }
}

impl<const C: usize> Search<Board<C>> for Solver {
    /// # Panics
    /// If the board's size differs from that of `start`.
    fn search(&mut self, board: &Board<C>, budget: Budget) -> Report<Cell> {
        assert!(board.size() == self.size, "made for a board of another size");
        if board.is_over() {
            return Report::ended(Score::ended(board.payoff(board.to_move())));
        }
        let columns = self.size.1;
        let cell = |at: usize| Cell::new((at / columns) as u8, (at % columns) as u8);
        let marked = |player: Player| {
            let cells = (0..self.through.len()).filter(|&at| board.mark(cell(at)) == Some(player));
            cells.fold(0, |set, at| set | 1 << at)
        };
        let (mover, other) = (marked(board.to_move()), marked(board.to_move().other()));
        self.meter = Meter::new(budget);
        let solved = self.solve(mover, other);
        let nodes = self.meter.nodes();
        match solved {
            Some((score, at)) => {
                let depth = score.plies_to_end().unwrap_or(0);
                Report { best: Some(cell(at.into())), score, nodes, depth, solved: true, restarted: false }
            }
            None => {
                let first = self.candidates(mover, other).first().map(|&(_, at)| cell(at.into()));
                Report { best: first, score: Score::DRAW, nodes, depth: 0, solved: false, restarted: false }
            }
        }
    }
}
