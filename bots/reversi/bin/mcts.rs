//! Othello by Monte Carlo tree search: an opponent to measure against.

use std::process::ExitCode;

use bots::reversi::player;
use coppice::search::{Mcts, MctsOptions};

fn main() -> ExitCode {
    player::play(|settings| Mcts::new(64 << 20, settings.seed, MctsOptions::default()))
}
