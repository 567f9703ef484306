//! The evaluation: adds up one table row for each small board, by its pattern (3^9 of them).

use coppice::cpu::{self, Cpu, Task};
use coppice::{Evaluation, Game, Score};

use super::code::{code_of, codes, ended, image, open, CODES, SYMMETRIES};
use super::network::{
    kind, Part, BOARDS, CHOICES, ENDED, FEATURES, FROM, MARKS, NEXT, ONE, OUT, START, TURN, UNITS, WEIGHTS,
};
use super::{interest, FREE};
use crate::uttt::{Board, Cell};

/// Length of a row: one number for each unit and symmetry.
pub const ROW: usize = 8 * UNITS;

/// A table row, in units of 1 / [`ONE`].
type Row = [i8; ROW];
/// A sum of rows.
type Sum = [i16; ROW];

/// The score that counts as three quarters of a win.
pub const SCALE: f32 = 1024.0;

/// The weights that the bot plays with.
pub static PACKED: &[u8] = include_bytes!("weights.bin");

/// The network's contributions of every pattern, expanded from the weights.
#[derive(Debug, Clone)]
pub struct Tables {
    /// By small board and code, followed by the same for the board to play in.
    rows: Vec<Row>,
    /// The terms by board to play in; the last for any.
    choices: [Choice; CHOICES],
    /// The factor on exploration of a move that gives the opponent a free choice of board.
    pub free_exploration: f32,
}

/// The part of the network for a board to play in.
#[derive(Debug, Clone)]
struct Choice {
    /// The start of every sum.
    start: Sum,
    out: Sum,
    turn: i32,
}

impl Tables {
    /// The tables that the bot plays with.
    pub fn trained() -> Tables {
        Tables::expand(PACKED)
    }

    /// Expands weights into tables. Missing weights count as 0.
    pub fn expand(bytes: &[u8]) -> Tables {
        let mut weights = [0; WEIGHTS];
        weights.iter_mut().zip(bytes).for_each(|(weight, &byte)| *weight = byte);
        let choices = std::array::from_fn(|next| {
            let lanes = |part: Part| {
                std::array::from_fn(|i| {
                    let image = SYMMETRIES[i / UNITS].get(next).map_or(next, |&place| usize::from(place));
                    i16::from(weights[part.range()][image * UNITS + i % UNITS] as i8)
                })
            };
            Choice {
                start: lanes(START),
                out: lanes(OUT),
                turn: whole(weights[TURN.range().start + kind(next)]),
            }
        });
        Tables { rows: cpu::dispatch(Rows(&weights)), choices, free_exploration: FREE }
    }

    /// The row of a small board, or of the board to play in if `board` is 9 or more.
    #[inline(always)]
    fn row(&self, board: u32, code: u16) -> &Row {
        &self.rows[board as usize * CODES + usize::from(code)]
    }

    /// The sum of the rows of the nine small boards.
    #[inline(always)]
    fn sum(&self, codes: &[u16; 9]) -> Sum {
        let mut sum = [0; ROW];
        for (b, &code) in codes.iter().enumerate() {
            add(&mut sum, self.row(b as u32, code));
        }
        sum
    }

    /// The score for the sum of all rows, in which `next` is the board to play in.
    #[inline(always)]
    fn score(&self, sum: &Sum, next: Option<u32>) -> Score {
        let choice = &self.choices[next.map_or(CHOICES - 1, |next| next as usize % 9)];
        let mut total = choice.turn * (ONE * ONE);
        for ((&sum, &start), &out) in sum.iter().zip(&choice.start).zip(&choice.out) {
            let unit = (sum + start).clamp(0, ONE as i16);
            total += i32::from(unit.wrapping_mul(out)) * i32::from(unit);
        }
        Score::estimate(total / (ONE * ONE * OUT.one / SCALE as i32))
    }
}

impl Evaluation<Board> for Tables {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        let codes = codes(board, board.to_move());
        let mut sum = self.sum(&codes);
        if let Some(next) = board.next() {
            add(&mut sum, self.row(9 + next, codes[next as usize % 9]));
        }
        self.score(&sum, board.next())
    }

    #[inline(always)]
    fn interest(&self, _: &Board, next: &Board) -> f32 {
        interest(next, self.free_exploration)
    }

    /// Updates the parent's sum for the one small board that the move changed.
    #[inline(always)]
    fn below(&self, board: &Board) -> impl Fn(Cell, &Board) -> Score {
        let player = board.to_move().other();
        let codes = codes(board, player);
        let mut sum = self.sum(&codes);
        let fixed = board.next();
        if let Some(changed) = fixed {
            subtract(&mut sum, self.row(changed, codes[changed as usize % 9]));
        }
        move |cell, after| {
            let changed = cell.board();
            let code = code_of(after, player, changed);
            let mut sum = sum;
            if fixed.is_none() {
                subtract(&mut sum, self.row(changed, codes[changed as usize % 9]));
            }
            add(&mut sum, self.row(changed, code));
            if let Some(next) = after.next() {
                let code = if next == changed { code } else { codes[next as usize % 9] };
                add(&mut sum, self.row(9 + next, code));
            }
            self.score(&sum, after.next())
        }
    }
}

#[inline(always)]
fn add(sum: &mut Sum, row: &Row) {
    sum.iter_mut().zip(row).for_each(|(sum, &x)| *sum += i16::from(x));
}

#[inline(always)]
fn subtract(sum: &mut Sum, row: &Row) {
    sum.iter_mut().zip(row).for_each(|(sum, &x)| *sum -= i16::from(x));
}

/// A weight as a signed integer.
fn whole(byte: u8) -> i32 {
    i32::from(byte as i8)
}

/// Computes all rows.
struct Rows<'a>(&'a [u8]);

impl Task for Rows<'_> {
    type Output = Vec<Row>;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> Vec<Row> {
        // By table, board as mapped by a symmetry, and code: the units.
        let units = units(self.0);
        let mut rows = vec![[0; ROW]; 18 * CODES];
        for code in (0..CODES as u16).filter(|&code| open(code).is_some() || ended(code).is_some()) {
            for (i, symmetry) in SYMMETRIES.iter().enumerate() {
                let image = image(code, symmetry);
                for table in 0..18 {
                    let board = table / 9 * 9 + usize::from(symmetry[table % 9]);
                    rows[table * CODES + usize::from(code)][i * UNITS..][..UNITS]
                        .copy_from_slice(&units[board * CODES + usize::from(image)]);
                }
            }
        }
        rows
    }
}

/// Computes the units' parts of all patterns. The sums are whole numbers below 2^24, so floats are exact.
#[inline(always)]
fn units(weights: &[u8]) -> Vec<[i8; UNITS]> {
    let mut units = vec![[0; UNITS]; 18 * CODES];
    let blocks: Vec<f32> =
        weights[BOARDS.range().start..NEXT.range().end].iter().map(|&byte| whole(byte) as f32).collect();
    for code in 0..CODES as u16 {
        let Some(marks) = open(code) else { continue };
        let features = features(weights, marks);
        for (table, block) in blocks.chunks_exact(FEATURES * UNITS).enumerate() {
            let mut sums = [0.0; UNITS];
            for (&feature, weights) in
                features.iter().zip(block.chunks_exact(UNITS)).filter(|(&f, _)| f > 0.0)
            {
                sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += feature * weight);
            }
            let one = BOARDS.one * MARKS.one / ONE;
            units[table * CODES + usize::from(code)] =
                sums.map(|sum| ((sum as i32 + one / 2).div_euclid(one)).clamp(-127, 127) as i8);
        }
    }
    for code in 0..CODES as u16 {
        let Some(end) = ended(code) else { continue };
        for board in 0..9 {
            let weights = &weights[ENDED.range()][(3 * board + end) * UNITS..][..UNITS];
            units[board * CODES + usize::from(code)] = std::array::from_fn(|unit| weights[unit] as i8);
        }
    }
    units
}

/// The features of a small board, none below 0.
#[inline(always)]
fn features(weights: &[u8], marks: [u16; 2]) -> [f32; FEATURES] {
    let mut features: [i32; FEATURES] = std::array::from_fn(|i| whole(weights[FROM.range()][i]));
    for place in 0..9 {
        for (mark, marks) in marks.into_iter().enumerate() {
            if marks >> place & 1 == 1 {
                let weights = &weights[(2 * place + mark) * FEATURES..][..FEATURES];
                features.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += whole(weight));
            }
        }
    }
    features.map(|sum| sum.max(0) as f32)
}
