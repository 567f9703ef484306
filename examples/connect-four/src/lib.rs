//! Connect four: rules, evaluations by hand, and a network that `coppice-factory` has learnt.

#![forbid(unsafe_code)]

pub mod board;
pub mod lines;
pub mod net;

pub use board::{Centre, ConnectFour};
