//! Labelled positions: how they are stored, generated and read.
//!
//! ```text
//!   <data>/generation-01/manifest.json    how the games were played, with which weights
//!                        shard-00000.bin  the positions of 64 games, complete or absent
//!                        shard-00001.bin  ...
//! ```
//!
//! A shard is a function of the manifest and its number. So a run that is interrupted, at any point, goes on with the
//! shards that are missing, on any number of threads or machines, and the outcome is that of an uninterrupted run.

pub mod generation;
pub mod manifest;
pub mod set;
pub mod shared;
