//! Wondev Woman as the platform plays it: rules, what players see and believe, evaluation, search, contest.

pub mod action;
pub mod belief;
pub mod board;
pub mod cells;
pub mod eval;
pub mod league;
pub mod map;
pub mod player;
pub mod position;
pub mod protocol;
pub mod strategy;
#[cfg(not(bundled))]
pub mod tools;
mod weights;

pub use action::Action;
pub use board::Board;
pub use position::Position;
