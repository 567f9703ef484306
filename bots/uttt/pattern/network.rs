//! The weights: what they stand for, and where they lie.

use std::ops::Range;

/// Features of a small board.
pub const FEATURES: usize = 32;
/// Units of the hidden layer, each of which looks at the grid in all eight ways.
pub const UNITS: usize = 8;

/// Some of the weights: their places, and how much a whole is.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    start: usize,
    end: usize,
    /// The byte that stands for 1.
    pub one: i32,
}

impl Part {
    const fn after(start: usize, len: usize, one: i32) -> Part {
        Part { start, end: start + len, one }
    }

    /// The places.
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// By place, mark (the mover's, the other's) and feature.
pub const MARKS: Part = Part::after(0, 9 * 2 * FEATURES, 64);
/// By feature: what it starts from.
pub const FROM: Part = Part::after(MARKS.end, FEATURES, 64);
/// By small board, feature and unit.
pub const BOARDS: Part = Part::after(FROM.end, 9 * FEATURES * UNITS, 64);
/// The same for the board to play in, in addition.
pub const NEXT: Part = Part::after(BOARDS.end, 9 * FEATURES * UNITS, 64);
/// By small board, by how it ended (won, lost, drawn) and unit.
pub const ENDED: Part = Part::after(NEXT.end, 9 * 3 * UNITS, 16);
/// By unit: what it starts from.
pub const START: Part = Part::after(ENDED.end, UNITS, 16);
/// By unit: what is added where the player may choose the board.
pub const ANY: Part = Part::after(START.end, UNITS, 16);
/// By unit: what it counts.
pub const OUT: Part = Part::after(ANY.end, UNITS, 32);
/// What it is worth to be the one to move.
pub const TURN: Part = Part::after(OUT.end, 1, 32);
/// All of them in their order.
pub const PARTS: [Part; 9] = [MARKS, FROM, BOARDS, NEXT, ENDED, START, ANY, OUT, TURN];
/// How many weights there are, a byte each.
pub const WEIGHTS: usize = TURN.end;
