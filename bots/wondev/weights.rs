//! The weights of the evaluation.
//!
//! Fitted by the example `wondev-fit` to 2500 games of a search that sees everything against itself, with weights from an
//! earlier 3000 games.

use super::eval::{Weight, FEATURES};

/// By feature; the unit is in [`Weight`].
pub static WEIGHTS: [Weight; FEATURES] = [
    [-98, 1279],
    [232, -468],
    [128, 772],
    [446, 190],
    [53, -339],
    [249, -802],
    [-821, 147],
    [-37, -724],
    [20, -428],
    [44, 2845],
    [-19, 2627],
    [14, 1944],
    [-17, 1338],
    [234, 131],
];
