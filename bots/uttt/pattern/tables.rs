//! The evaluation: adds up one table row for each small board, by its pattern (3^9 of them).

use coppice::{Evaluation, Game, Score};

use super::code::{self, code_of, codes, open, turned, CODES, SYMMETRIES};
use super::network::{
    Part, ANY, BOARDS, ENDED, FEATURES, FROM, MARKS, NEXT, OUT, START, TURN, UNITS, WEIGHTS,
};
use crate::uttt::{Board, Cell};

/// Length of a row: one number for each unit and symmetry.
pub const ROW: usize = 8 * UNITS;

/// A table row, in units of 1/256.
type Row = [i16; ROW];

/// The largest absolute value in a row, so that the sum of ten rows and the start doesn't overflow.
const WIDEST: i32 = 2_800;

/// The score that counts as three quarters of a win.
pub const SCALE: f32 = 1024.0;

/// The network's contributions of every pattern, expanded from the weights.
#[derive(Debug, Clone)]
pub struct Tables {
    /// By small board and code, followed by the same for the board to play in.
    rows: Vec<Row>,
    /// The start of every sum.
    start: Row,
    /// Used in place of the row of the board to play in if the player may choose it.
    any: Row,
    out: Row,
    turn: i32,
}

impl Tables {
    /// The tables that the bot plays with.
    pub fn trained() -> Tables {
        static BYTES: &[u8] = include_bytes!("weights.bin");
        Tables::expand(BYTES)
    }

    /// The tables for these weights.
    ///
    /// # Panics
    /// If there are not [`WEIGHTS`] of them.
    pub fn expand(weights: &[u8]) -> Tables {
        assert_eq!(weights.len(), WEIGHTS, "weights");
        let part = |part: Part| &weights[part.range()];
        let rows = rows(weights);
        let repeated = |units: &dyn Fn(usize) -> i32| std::array::from_fn(|i| units(i % UNITS) as i16);
        let start = |unit: usize| whole(part(START)[unit]) * (256 / START.one);
        let any = |unit: usize| whole(part(ANY)[unit]) * (256 / ANY.one);
        Tables {
            rows,
            start: repeated(&start),
            any: repeated(&any),
            out: repeated(&|unit| whole(part(OUT)[unit])),
            turn: whole(part(TURN)[0]) * 256,
        }
    }

    /// The row of a small board, or of the board to play in if `board` is 9 or more.
    #[inline(always)]
    fn row(&self, board: u32, code: u16) -> &Row {
        &self.rows[board as usize * CODES + usize::from(code)]
    }

    /// The sum of the rows of the nine small boards.
    #[inline(always)]
    fn sum(&self, codes: &[u16; 9]) -> Row {
        let mut sum = self.start;
        for (b, &code) in codes.iter().enumerate() {
            add(&mut sum, self.row(b as u32, code));
        }
        sum
    }

    /// The score for a sum and the row of the board to play in.
    #[inline(always)]
    fn score(&self, sum: &Row, next: &Row) -> Score {
        let terms = sum.iter().zip(next).zip(&self.out);
        let units = terms.map(|((&x, &next), &out)| i32::from(x.wrapping_add(next).max(0)) * i32::from(out));
        Score::estimate((units.sum::<i32>() + self.turn) / (256 * OUT.one / SCALE as i32))
    }
}

impl Evaluation<Board> for Tables {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        let codes = codes(board, board.to_move());
        let next = board.next().map_or(&self.any, |next| self.row(9 + next, codes[next as usize % 9]));
        self.score(&self.sum(&codes), next)
    }

    /// Updates the parent's sum for the one small board that the move changed.
    #[inline(always)]
    fn below(&self, board: &Board) -> impl Fn(Cell, &Board) -> Score {
        let player = board.to_move().other();
        let codes = codes(board, player);
        let sum = self.sum(&codes);
        move |cell, after| {
            let changed = cell.board();
            let code = code_of(after, player, changed);
            let (old, new) = (self.row(changed, codes[changed as usize % 9]), self.row(changed, code));
            let sum = std::array::from_fn(|i| sum[i].wrapping_sub(old[i]).wrapping_add(new[i]));
            let next = after.next().map_or(&self.any, |next| {
                self.row(9 + next, if next == changed { code } else { codes[next as usize % 9] })
            });
            self.score(&sum, next)
        }
    }
}

#[inline(always)]
fn add(sum: &mut Row, row: &Row) {
    sum.iter_mut().zip(row).for_each(|(sum, &x)| *sum = sum.wrapping_add(x));
}

/// A weight as a signed integer.
fn whole(byte: u8) -> i32 {
    i32::from(byte as i8)
}

fn rows(weights: &[u8]) -> Vec<Row> {
    // By table, board as mapped by a symmetry, and code: the units.
    let units = units(weights);
    let mut rows = vec![[0; ROW]; 18 * CODES];
    for code in 0..CODES as u16 {
        let marks = open(code);
        if marks.is_none() && ![code::WON, code::LOST, code::DRAWN].contains(&code) {
            continue;
        }
        for (i, symmetry) in SYMMETRIES.iter().enumerate() {
            let image =
                marks.map_or(code, |[own, other]| code::code(turned(own, symmetry), turned(other, symmetry)));
            for table in 0..18 {
                let board = table / 9 * 9 + usize::from(symmetry[table % 9]);
                rows[table * CODES + usize::from(code)][i * UNITS..][..UNITS]
                    .copy_from_slice(&units[board * CODES + usize::from(image)]);
            }
        }
    }
    rows
}

fn units(weights: &[u8]) -> Vec<[i16; UNITS]> {
    let mut units = vec![[0; UNITS]; 18 * CODES];
    for code in 0..CODES as u16 {
        let Some(marks) = open(code) else { continue };
        let features = features(&weights[..FROM.range().end], marks);
        for table in 0..18 {
            let part = if table < 9 { BOARDS } else { NEXT };
            let weights = &weights[part.range()][table % 9 * FEATURES * UNITS..][..FEATURES * UNITS];
            let mut sums = [0; UNITS];
            for (&feature, weights) in
                features.iter().zip(weights.chunks_exact(UNITS)).filter(|(&f, _)| f > 0)
            {
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum += feature * whole(weight);
                }
            }
            let one = part.one * MARKS.one / 256;
            units[table * CODES + usize::from(code)] =
                sums.map(|sum| (sum / one).clamp(-WIDEST, WIDEST) as i16);
        }
    }
    for (end, code) in [code::WON, code::LOST, code::DRAWN].into_iter().enumerate() {
        for board in 0..9 {
            let weights = &weights[ENDED.range()][(3 * board + end) * UNITS..][..UNITS];
            units[board * CODES + usize::from(code)] =
                std::array::from_fn(|unit| (whole(weights[unit]) * (256 / ENDED.one)) as i16);
        }
    }
    units
}

/// The features of a small board, none below 0.
fn features(weights: &[u8], marks: [u16; 2]) -> [i32; FEATURES] {
    let mut features: [i32; FEATURES] = std::array::from_fn(|i| whole(weights[FROM.range()][i]));
    for place in 0..9 {
        for (mark, marks) in marks.into_iter().enumerate() {
            if marks >> place & 1 == 1 {
                let weights = &weights[(2 * place + mark) * FEATURES..][..FEATURES];
                features.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += whole(weight));
            }
        }
    }
    features.map(|sum| sum.max(0))
}
