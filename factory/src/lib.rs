//! Makes the weights of evaluations: games of a bot against itself, learning, rounding, packing, and the proof that the
//! new weights are better.
//!
//! A game of your own implements [`Subject`](subject::Subject) in a package of its own, whose `main` is
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     factory::cli::of(&MyGame)
//! }
//! ```
//!
//! with all steps and options of the program `factory`. `examples/connect-four/factory` is such a package, and
//! `examples/goofspiel/factory` for a game in which both players move at once.

pub mod alternating;
pub mod cli;
pub mod data;
pub mod encoder;
pub mod file;
pub mod judge;
pub mod learn;
pub mod loss;
pub mod model;
pub mod options;
pub mod origin;
pub mod parallel;
pub mod progress;
pub mod proof;
pub mod recipe;
pub mod sample;
pub mod self_play;
pub mod steps;
pub mod subject;
pub mod subjects;
pub mod vectors;
