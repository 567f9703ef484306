//! The weights of the evaluation.
//!
//! Fitted by the example `freckers-fit` to 8000 games of the bot against itself, with weights from an earlier 10000
//! games.

use super::eval::FEATURES;

/// By feature, in hundredths of the logarithm of the odds to win; then the value of having the move.
pub static WEIGHTS: [i16; FEATURES + 1] = [
    -67, -41, -43, -36, -148, -131, -116, -103, -101, -93, -77, -69, -72, -52, -36, -27, -29, -19, -17, -1,
    18, 24, 30, 27, 65, 68, 65, 68, 185, 179, 167, 151, -109, -104, -80, -31, 31, 125, 242, 0, 8, 23, 21, 0,
    30, 114, -7, -6, -4, 3, -3, 4, 6, 7, 31,
];
