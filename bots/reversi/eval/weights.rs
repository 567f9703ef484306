//! The weights of the positional evaluation.
//!
//! Fitted by least squares to the final margins of 10000 games of the bot against itself.

use super::features::FEATURES;

/// Rows of weights: from 0 empty cells to 60, evenly spread.
pub const KNOTS: usize = 5;

/// By row and feature, in hundredths of a disc of the final margin.
pub static WEIGHTS: [[i32; FEATURES]; KNOTS] = [
    [157, 204, -116, -62, -40, -100, -157, 26, -59, 72, 146, 190],
    [110, 102, 121, -14, 144, -166, -73, 71, -32, 2, -66, 5],
    [67, 108, 226, 27, 479, -249, -23, 138, 20, -30, -112, 35],
    [56, 102, 103, 17, 718, -783, -140, 313, 78, -62, -116, 36],
    [-1, 174, 94, 81, 278, -788, -460, 565, -120, 100, -0, -33],
];
