//! The submitted bot: decoupled UCT over candidates, with playouts by habits.

use std::cell::Cell;

use coppice::cpu::{dispatch, Cpu, Task};
use coppice::search::{Decoupled, DecoupledOptions, JointReport, JointSearch, Playout, Strategy as Mixed};
use coppice::{Budget, Joint, Player};

use super::board::Board;
use super::candidates::{worth, Candidates};
use super::habits::{play_out, Habits};
use super::protocol::legal;

/// Memory of the bot's tree, in bytes.
pub const BYTES: usize = 64 << 20;

contest::tunables! {
    /// The bot's numbers.
    pub struct Numbers {
        /// The constant C of UCB1, for points scaled to 0 to 1.
        exploration: f32 = 0.5 in 0.02..=2.5,
    }
}

/// Playouts in which both players follow their habits: a state where the tree ends is worth what they make of it.
#[derive(Debug, Clone)]
pub struct Customs {
    habits: Habits,
    /// The state estimated last, and its worth to the first player: a search asks about both players in turn.
    last: Cell<(u64, f64)>,
}

impl Customs {
    /// Playouts by these habits.
    pub fn new(habits: Habits) -> Customs {
        Customs { habits, last: Cell::new((0, 0.0)) }
    }

    /// What a state is worth to the first player.
    #[inline(always)]
    pub fn worth(&self, board: &Board) -> f64 {
        let end = dispatch(Rest { board: *board, habits: &self.habits });
        worth(end.payoff(Player::FIRST).0).into()
    }
}

/// The rest of a game, in which both players follow their habits. It counts many bits, for which newer processors have
/// an instruction: three times as fast.
struct Rest<'a> {
    board: Board,
    habits: &'a Habits,
}

impl Task for Rest<'_> {
    type Output = Board;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> Board {
        play_out(self.board, [self.habits; 2])
    }
}

impl Playout<Candidates> for Customs {
    fn limit(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn estimate(&self, game: &Candidates, player: Player) -> f64 {
        let key = game.board.hash();
        if self.last.get().0 != key {
            self.last.set((key, self.worth(&game.board)));
        }
        let first = self.last.get().1;
        if player == Player::FIRST {
            first
        } else {
            -first
        }
    }
}

/// The bot.
#[derive(Debug, Clone)]
pub struct Strategy(Decoupled<Candidates, Customs>);

impl Strategy {
    /// A bot with a tree of `bytes` bytes, whose random numbers follow from `seed`.
    pub fn new(numbers: &Numbers, bytes: usize, seed: u64) -> Strategy {
        let options = DecoupledOptions { exploration: numbers.exploration, ..DecoupledOptions::default() };
        Strategy(Decoupled::with_playout(bytes, seed, options, Customs::new(Habits::USUAL)))
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
