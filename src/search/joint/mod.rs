//! Searches for games with simultaneous moves and chance, one a file, all over the same [`Joint`](crate::Joint).

mod chance;
mod decoupled;
mod evolution;
mod expectimax;
mod follow;
mod genes;
mod matrix;
mod oracle;
mod paranoid;
mod playout;
mod recursion;
mod regret;
mod report;
mod rule;
mod simple;
mod store;
mod strategy;
mod tree;
mod units;

pub use chance::Widening;
pub use decoupled::{Decoupled, DecoupledOptions};
pub use evolution::{Evolve, EvolveOptions};
pub use expectimax::{Cuts, Expectimax, ExpectimaxOptions};
pub use genes::Genes;
pub use matrix::{solve_matrix, Solved};
pub use oracle::Oracle;
pub use paranoid::{Paranoid, ParanoidOptions, Replies};
pub use playout::{Estimated, Playout};
pub use regret::{Regret, RegretOptions};
pub use report::{Answer, JointReport, JointSearch, Seen};
pub use simple::{JointGreedy, JointRandom};
pub use strategy::Strategy;
pub use units::{Units, UnitsOptions};
