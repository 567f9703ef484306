//! The methods that tune a bot's parameters.
//!
//! ```text
//!   space      the parameters, and the points of the unit cube that stand for their values
//!   method     the interface of methods: rounds of trials, results, an answer
//!     spsa       steps along random diagonals; the answer is the mean of the later iterates
//!     evolution  children against parents; the answer is the mean of the population
//!   fit        a quadratic model of strength, fitted to all games
//! ```
//!
//! None of them plays: `tests.rs` runs them on a simulated game, whose optimum is known.

pub mod evolution;
pub mod fit;
pub mod method;
pub mod space;
pub mod spsa;
#[cfg(test)]
mod tests;
