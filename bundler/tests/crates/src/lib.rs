//! Breakthrough on a board of eight by eight: rules, a tree search and an alpha-beta search, and games between them.

pub mod alpha_beta;
pub mod board;
pub mod book;
pub mod dice;
pub mod eval;
pub mod mcts;
pub mod referee;
