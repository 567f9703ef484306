//! Ultimate tic-tac-toe by Monte Carlo tree search.

use std::process::ExitCode;

use bots::grid::player;
use bots::uttt::Board;
use coppice::search::{Mcts, MctsOptions};

fn main() -> ExitCode {
    player::play::<Board, _>(|settings| Mcts::new(128 << 20, settings.seed, MctsOptions::default()))
}
