//! Monte Carlo tree search: UCT with proven results, in the static pool.

mod bounds;
mod choice;
mod graph;
#[cfg(test)]
mod laws;
mod optimised;
mod options;
mod policy;
mod result;
mod solo;
mod store;
mod uct;
mod walk;

pub use graph::McGraph;
pub use optimised::{Optimised, OptimisedOptions};
pub use options::{Jump, MctsOptions};
pub use policy::{Evaluated, Policy, Rewards, Uniform};
pub use uct::Mcts;
