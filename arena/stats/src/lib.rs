//! Statistics of results.
//!
//! [`Outcomes`] is a sample of scores: single games, pairs of games with the sides swapped, or other groups
//! that are independent of each other. From it follow the score, [Elo](elo) and normalised Elo with 95 %
//! intervals and the likelihood of superiority, all together in a [`Comparison`]; [`Sprt`] tells when a match
//! is decided. [`Ratings`](rating::Ratings) rank more than two bots. [`Times`] are statistics of
//! answer times, and a [`ClusteredMean`] is one over the moves of games.

#![warn(unreachable_pub)]

pub mod chi_square;
mod clusters;
pub mod elo;
mod estimate;
mod gsprt;
mod likelihood;
pub mod normal;
mod outcomes;
pub mod rating;
pub mod repeats;
mod sample;
mod scoring;
mod student;
mod summary;
mod times;
pub mod tuning;

pub use clusters::{Cluster, ClusteredMean};
pub use estimate::Estimate;
pub use gsprt::{Model, Sprt, SprtError, Verdict};
pub use likelihood::LikelihoodError;
pub use outcomes::Outcomes;
pub use scoring::{Compare, Grouping, Lead, Scoring};
pub use summary::{Comparison, SprtState};
pub use times::{Times, TimesTally};
