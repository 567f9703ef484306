//! The submitted bot: decoupled UCT over candidates, with playouts by habits.

use coppice::search::{Decoupled, DecoupledOptions, JointReport, JointSearch, Playout, Strategy as Mixed};
use coppice::{Budget, Joint, Player, Rng};

use super::board::{Action, Board};
use super::candidates::Candidates;
use super::habits::Habits;
use super::protocol::legal;

/// Memory of the bot's tree, in bytes.
pub const BYTES: usize = 64 << 20;

contest::tunables! {
    /// The bot's numbers.
    pub struct Numbers {
        /// The constant C of UCB1, for points scaled to 0 to 1.
        exploration: f32 = 0.5 in 0.02..=2.5,
        /// One in this many rules is skipped in playouts.
        skips: u32 = 10 in 0..=1000,
    }
}

/// Playouts in which both players follow their habits.
#[derive(Debug, Clone)]
pub struct Customs(Habits);

impl Playout<Candidates> for Customs {
    #[inline(always)]
    fn next(&mut self, game: &Candidates, player: Player, rng: &mut Rng) -> Option<Action> {
        let is_up = !game.board.is_over() && !game.board.is_asleep(player);
        is_up.then(|| self.0.action(&game.board, player, rng))
    }
}

/// The bot.
#[derive(Debug, Clone)]
pub struct Strategy(Decoupled<Candidates, Customs>);

impl Strategy {
    /// A bot with a tree of `bytes` bytes, whose random numbers follow from `seed`.
    pub fn new(numbers: &Numbers, bytes: usize, seed: u64) -> Strategy {
        let options = DecoupledOptions { exploration: numbers.exploration, ..DecoupledOptions::default() };
        let customs = Customs(Habits { skips: numbers.skips, ..Habits::default() });
        Strategy(Decoupled::with_playout(bytes, seed, options, customs))
    }
}

impl JointSearch<Board> for Strategy {
    fn search(&mut self, board: &Board, player: Player, budget: Budget) -> JointReport<Board> {
        let report = self.0.search(&Candidates::new(*board), player, budget);
        let strategy = Mixed::new(&legal(board, player), |_| 0.0);
        JointReport {
            best: report.best,
            strategy,
            value: report.value,
            nodes: report.nodes,
            depth: report.depth,
            exact: report.exact,
            kept: report.kept,
        }
    }
}
