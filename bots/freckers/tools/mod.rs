//! For referees, consoles and tuners only: left out of bundles.

pub mod busy;
pub mod contest;
mod drawing;
pub mod greedy;
pub mod original;
pub mod row_weights;
mod text;
