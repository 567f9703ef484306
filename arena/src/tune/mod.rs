//! Tunes a bot's parameters by playing games.
//!
//! ```text
//!   space      the parameters, and the points of the unit cube that stand for their values
//!   method     the interface of methods: rounds of trials, results, an answer
//!     spsa       steps along random diagonals; the answer is the mean of the later iterates
//!     evolution  children against parents; the answer is the mean of the population
//!   search     a run derived from its plan: the pairs to be played, their results
//!   log        the run's file
//!   fit        a quadratic model of strength, fitted to all games
//!   ask        asks a bot for its parameters
//! ```
//!
//! Only `ask` starts processes and only `log` reads and writes files: `tests.rs` runs the rest on a simulated
//! game, whose optimum is known.

pub mod ask;
pub mod evolution;
pub mod fit;
pub mod log;
pub mod method;
pub mod search;
pub mod space;
pub mod spsa;
#[cfg(test)]
mod tests;
