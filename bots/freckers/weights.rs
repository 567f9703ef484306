//! The weights of the evaluation.

use super::eval::FEATURES;

/// Hundredths of the logarithm of the odds to win, fitted to games of the bot against itself; the last is the right
/// to move.
pub static WEIGHTS: [i16; FEATURES + 1] = [
    -96, -50, -30, -47, -153, -170, -149, -147, -69, -63, -45, -45, -19, -13, -7, -7, 0, -2, 15, 8, 41, 45,
    42, 41, 47, 67, 74, 81, 150, 151, 162, 150, 9, -10, -78, -53, 10, 47, 112, 0, 4, 22, 34, 4, 6, 160, -7,
    -2, -2, 1, -1, 2, 2, 7, 30,
];
