//! Makes the weights of evaluations: games of a bot against itself, learning, rounding, packing, and the proof that the
//! new weights are better.

pub mod cli;
pub mod data;
pub mod encoder;
pub mod file;
pub mod learn;
pub mod loss;
pub mod model;
pub mod options;
pub mod parallel;
pub mod progress;
pub mod proof;
pub mod recipe;
pub mod sample;
pub mod steps;
pub mod subject;
pub mod subjects;
pub mod vectors;
