//! The layout of the network's weights.

use std::ops::Range;

/// Features of a small board.
pub const FEATURES: usize = 32;
/// Units of the hidden layer, each applied in all eight symmetries.
pub const UNITS: usize = 8;

/// A range of the weights and its scale.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    start: usize,
    end: usize,
    /// The byte value that represents 1.
    pub one: i32,
}

impl Part {
    const fn after(start: usize, len: usize, one: i32) -> Part {
        Part { start, end: start + len, one }
    }

    /// The indices of the weights.
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Weights by place, mark (the mover's, the opponent's) and feature.
pub const MARKS: Part = Part::after(0, 9 * 2 * FEATURES, 64);
/// Biases of the features.
pub const FROM: Part = Part::after(MARKS.end, FEATURES, 64);
/// Weights by small board, feature and unit.
pub const BOARDS: Part = Part::after(FROM.end, 9 * FEATURES * UNITS, 64);
/// The same for the board to play in, added to those of [`BOARDS`].
pub const NEXT: Part = Part::after(BOARDS.end, 9 * FEATURES * UNITS, 64);
/// Weights by small board, result (won, lost, drawn) and unit.
pub const ENDED: Part = Part::after(NEXT.end, 9 * 3 * UNITS, 16);
/// Biases of the units.
pub const START: Part = Part::after(ENDED.end, UNITS, 16);
/// Added to each unit if the player may choose the board.
pub const ANY: Part = Part::after(START.end, UNITS, 16);
/// Output weights of the units.
pub const OUT: Part = Part::after(ANY.end, UNITS, 32);
/// The value of having the move.
pub const TURN: Part = Part::after(OUT.end, 1, 32);
/// All parts in order.
pub const PARTS: [Part; 9] = [MARKS, FROM, BOARDS, NEXT, ENDED, START, ANY, OUT, TURN];
/// The number of weights, one byte each.
pub const WEIGHTS: usize = TURN.end;
