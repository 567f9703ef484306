//! Tunes a bot's parameters by playing games.
//!
//! ```text
//!   space      the parameters, and points of the unit cube in their place
//!   method     a way of tuning: rounds of trials, results, an answer
//!     spsa       steps along random diagonals, answer: the mean of the later iterates
//!     evolution  children against parents, answer: the mean of the population
//!   search     a tune from its plan: which pairs are to be played now, what their results lead to
//!   log        the file that it is
//!   fit        what all games say together: a quadratic strength with errors
//!   ask        which parameters a bot has
//! ```
//!
//! Only `ask` starts processes and only `log` reads and writes files: `tests.rs` runs the rest on a simulated game, whose
//! optimum is known.

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
