//! The searches, one a file, all over the same [`Game`](crate::Game).
//!
//! `X::new(judge, XOptions)` makes one: first what it judges by, if it has an evaluation, estimate or inner search, then
//! its options. Their fields `memory` and `seed` mean the same in all: the bytes that `new` allocates, and the seed of the
//! random numbers. A search with nothing to set but a seed takes it in place of options.

mod alpha_beta;
mod beam;
mod best_first;
#[cfg(test)]
mod deadline;
mod each_move;
mod evolution;
mod flat;
mod greedy;
mod joint;
mod keep;
mod mcts;
mod minimax;
mod negamax;
mod plan;
mod random;
mod random_paths;
mod rates;
mod report;
mod sampled;
mod selective;
mod shuffled;
mod solutions;
mod window;

pub use alpha_beta::{AlphaBeta, AlphaBetaOptions};
pub use beam::{Beam, BeamOptions};
pub use best_first::{BestFirst, BestFirstOptions};
pub use each_move::EachMove;
pub use evolution::{Evolution, EvolutionOptions};
pub use flat::{Flat, FlatOptions};
pub use greedy::Greedy;
pub use joint::{
    solve_matrix, Answer, Cuts, Decoupled, DecoupledOptions, Estimated, Evolve, EvolveOptions, Expectimax,
    ExpectimaxOptions, Genes, JointGreedy, JointRandom, JointReport, JointSearch, Oracle, Paranoid,
    ParanoidOptions, Playout, Regret, RegretOptions, Replies, Seen, Solved, Strategy, Units, UnitsOptions,
    Widening,
};
pub use mcts::{
    Evaluated, Jump, McGraph, Mcts, MctsOptions, Optimised, OptimisedOptions, Policy, Rewards, Uniform,
};
pub use minimax::{Minimax, MinimaxOptions, Order, Threshold};
pub use negamax::{max_n, negamax};
pub use plan::Planning;
pub use random::Random;
pub use random_paths::{RandomPaths, RandomPathsOptions};
pub use report::{Report, Search};
pub use sampled::{Sampled, SampledOptions};
pub use selective::{Selective, SelectiveOptions};
pub use shuffled::Shuffled;
pub use solutions::{solutions, Solutions};

pub use crate::tree::LINE;
