//! The layout of the network's weights.

use std::ops::Range;

/// Features of a small board.
pub const FEATURES: usize = 64;
/// Units of the hidden layer, each applied in all eight symmetries.
pub const UNITS: usize = 16;
/// Choices of the small board to play in: one of nine, or any.
pub const CHOICES: usize = 10;
/// A unit's value of 1 in the tables. A table's entries are between -127 and 127.
pub const ONE: i32 = 64;

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
pub const BOARDS: Part = Part::after(FROM.end, 9 * FEATURES * UNITS, 128);
/// Weights of the board to play in, added to those of [`BOARDS`].
pub const NEXT: Part = Part::after(BOARDS.end, 9 * FEATURES * UNITS, 128);
/// Weights by small board, result (won, lost, drawn) and unit.
pub const ENDED: Part = Part::after(NEXT.end, 9 * 3 * UNITS, 64);
/// Biases of the units, by the board to play in.
pub const START: Part = Part::after(ENDED.end, CHOICES * UNITS, 64);
/// Output weights of the units, by the board to play in.
pub const OUT: Part = Part::after(START.end, CHOICES * UNITS, 32);
/// The value of having the move, by the kind of the board to play in ([`kind`]).
pub const TURN: Part = Part::after(OUT.end, 4, 32);
/// All parts in order.
pub const PARTS: [Part; 8] = [MARKS, FROM, BOARDS, NEXT, ENDED, START, OUT, TURN];
/// The number of weights, one byte each.
pub const WEIGHTS: usize = TURN.end;

/// The kind of a board to play in: images of each other are one kind. 0 a corner, 1 an edge, 2 the centre, 3 any.
pub const fn kind(next: usize) -> usize {
    match next {
        4 => 2,
        0..=8 => next % 2,
        _ => 3,
    }
}
