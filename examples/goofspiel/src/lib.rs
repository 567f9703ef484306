//! Goofspiel, a game in which both players bid at once and chance turns up the prizes: rules, an estimate by hand, and a network
//! that `coppice-factory` has learnt.

#![forbid(unsafe_code)]

pub mod cards;
pub mod net;
pub mod outlook;

pub use cards::Goofspiel;
