//! Evaluates by patterns: the contents of edges, corners, rows and diagonals, each worth what a table says.
//!
//! A pattern has one table for all places that the symmetries of the board give it. The tables are learnt at a few
//! numbers of empty cells, the knots, and interpolated between them. The factory (`factory/`) learns and packs them.

pub mod nets;
pub mod numbers;
pub mod reader;
pub mod shapes;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use coppice::{Evaluation, Score};

use super::ranks::RANKS;
use crate::reversi::{Board, Cell};
use nets::Values;
use numbers::{numbers, NUMBERS};
use reader::{Reader, LANES};
use shapes::{weights, ROWS, STARTS};

/// Numbers of empty cells with weights of their own.
pub const KNOTS: usize = 8;
/// Empty cells at the first knot.
const FIRST: i32 = 10;
/// Empty cells from one knot to the next.
const SPAN: i32 = 6;
/// Phases: every two numbers of empty cells have tables.
pub const PHASES: usize = 31;

/// The tables' unit in fractions of a disc.
const STEPS_PER_DISC: f32 = 512.0;

/// The phase of a position with `empties` empty cells.
#[inline(always)]
pub fn phase(empties: u32) -> usize {
    (empties as usize / 2).min(PHASES - 1)
}

/// The two knots that a phase lies between, and the share of each in 256ths.
pub fn shares(phase: usize) -> [(usize, i32); 2] {
    let empties = (2 * phase as i32 + 1 - FIRST).clamp(0, SPAN * (KNOTS as i32 - 1));
    let knot = (empties / SPAN).min(KNOTS as i32 - 2);
    let share = (empties - knot * SPAN) * 256 / SPAN;
    [(knot as usize, 256 - share), (knot as usize + 1, share)]
}

/// The weights that the bot plays with, packed.
pub static PACKED: &[u8] = include_bytes!("weights.bin");

/// Rows that are stored: a power of two, so that no index has to be checked.
const SIZE: usize = ROWS.next_power_of_two();

/// A phase's tables.
#[derive(Debug, Clone)]
struct Phase {
    rows: Box<[i16; SIZE]>,
    numbers: [i32; NUMBERS],
}

/// The evaluation, expanded to tables for every phase. 100 is one disc of the final margin.
#[derive(Debug, Clone)]
pub struct Patterns {
    reader: Reader,
    phases: Arc<[Phase]>,
}

impl Patterns {
    /// The evaluation that the bot plays with. Tables are generated once for the program.
    pub fn trained() -> Patterns {
        static TRAINED: OnceLock<Patterns> = OnceLock::new();
        TRAINED.get_or_init(|| Patterns::expand(&Values::generate(PACKED))).clone()
    }

    /// The tables of these values.
    pub fn expand(values: &Values) -> Patterns {
        let weights = weights();
        let phases = (0..PHASES).map(|phase| {
            let [(a, share_a), (b, share_b)] = shares(phase);
            let between = |of: &[f32; KNOTS]| {
                (of[a] * share_a as f32 + of[b] * share_b as f32) * (STEPS_PER_DISC / 256.0)
            };
            let mut rows = zeros();
            for (row, &weight) in rows.iter_mut().zip(&weights) {
                *row = between(&values.rows[weight as usize]) as i16;
            }
            Phase { rows, numbers: values.numbers.map(|number| between(&number) as i32) }
        });
        Patterns { reader: Reader::new(), phases: phases.collect() }
    }
}

/// On the heap from the start: a table doesn't fit on every stack.
fn zeros() -> Box<[i16; SIZE]> {
    vec![0; SIZE].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("a table has its size"))
}

impl Patterns {
    /// The value to the player whose discs `own` are, from the row of each place.
    #[inline(always)]
    fn score(&self, own: u64, opponent: u64, rows: &[u16; LANES]) -> Score {
        let phase = &self.phases[phase((!(own | opponent)).count_ones())];
        let mut sum = 0;
        for (number, weight) in numbers(own, opponent).into_iter().zip(phase.numbers) {
            sum += number * weight;
        }
        // From memory: the compiler would add the starts in vectors, and taking those apart costs more.
        let rows = std::hint::black_box(*rows);
        for (row, start) in rows.iter().zip(STARTS) {
            sum += i32::from(phase.rows[(start + usize::from(*row)) % SIZE]);
        }
        Score::estimate((sum * 25) >> 7)
    }
}

impl Evaluation<Board> for Patterns {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        let (own, opponent) = (board.own(), board.opponent());
        self.score(own, opponent, &self.reader.rows(own, opponent))
    }

    /// A move changes the rows by the discs that it turns, and its own.
    #[inline(always)]
    fn below(&self, board: &Board) -> impl Fn(Cell, &Board) -> Score {
        let (own, opponent) = (board.own(), board.opponent());
        let before = self.reader.rows(opponent, own);
        move |_, next| {
            let turned = opponent & !next.own();
            let placed = next.opponent() & !(own | opponent);
            let rows = self.reader.after(&before, turned, placed);
            self.score(next.own(), next.opponent(), &rows)
        }
    }

    #[inline(always)]
    fn rank(&self, _board: &Board, cell: Cell) -> i32 {
        i32::from(RANKS[cell.bit() as usize & 63])
    }
}
