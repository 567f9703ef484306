//! Searches for Freckers: the bot, then the original's six agents.

use std::sync::LazyLock;

use bots::freckers::strategy::Strategy;
use bots::freckers::tools::busy::{Inside, Without};
use bots::freckers::tools::contest::freckers;
use bots::freckers::tools::greedy::{Greedy, Playouts};
use bots::freckers::tools::original::{Original, Parts, Plain};
use bots::freckers::tools::row_weights::RowWeights;
use bots::freckers::Board;
use contest::commands::{self, referee::CommandContest};
use contest::session::{Offer, Searches};
use coppice::search::{Mcts, MctsOptions, Minimax, MinimaxOptions, Order, Random};

/// The contest with its searches.
pub static FRECKERS: LazyLock<CommandContest<Board>> = LazyLock::new(|| freckers().with_searches(searches));

fn searches(start: &Board) -> Box<dyn Searches> {
    commands::searches(start, offers())
}

/// Default memory of Monte Carlo tree search and minimax, in bytes.
const POOL_BYTES: usize = 64 << 20;

contest::tunables! {
    /// Tunable parameters of the original's Monte Carlo search.
    pub struct MonteCarlo {
        /// The constant C of UCB1, for rewards in 0 to 1.
        exploration: f32 = 0.01 in 0.0..=2.0,
        /// 1 as in the program: playouts are greedy. 0 as in the text: random.
        greedy: u32 = 1 in 0..=1,
    }
}

contest::tunables! {
    /// Tunable parameters of the original's minimax.
    pub struct Levels {
        /// Search depth in plies.
        depth: u32 = 3 in 1..=8,
    }
}

/// The bot, then the original's six agents.
fn offers() -> Vec<Offer<Board>> {
    vec![
        Offer::new("bot", "the submitted bot: alpha-beta over a fitted evaluation", |_, settings| {
            Strategy::with_table(settings.bytes_or(POOL_BYTES))
        }),
        Offer::tunable(
            "original",
            "alpha-beta with a table, deepening separately for each root action; its parts can be switched off",
            |_, settings, parts: &Parts| Original::new(parts, settings.pool_bytes),
        ),
        Offer::tunable(
            "alpha-beta",
            "the original's plain alpha-beta to depth 3; its parts can be switched on",
            |_, settings, Plain(parts): &Plain| Original::new(parts, settings.pool_bytes),
        ),
        Offer::tunable(
            "minimax",
            "the original's minimax, expanded breadth-first",
            |_, settings, levels: &Levels| {
                let options = MinimaxOptions {
                    memory: settings.bytes_or(POOL_BYTES),
                    order: Order::BreadthFirst,
                    max_depth: levels.depth,
                    keep_tree: false,
                    ..MinimaxOptions::default()
                };
                Without(Minimax::new(Inside(RowWeights), options))
            },
        ),
        Offer::tunable(
            "mcts",
            "the original's Monte Carlo search, with playouts to the end",
            |_, settings, numbers: &MonteCarlo| {
                let options = MctsOptions {
                    memory: settings.bytes_or(POOL_BYTES),
                    seed: settings.seed,
                    exploration: numbers.exploration,
                    first_play_urgency: f32::INFINITY,
                    ..MctsOptions::default()
                };
                Without(Mcts::with_policy(Playouts { is_greedy: numbers.greedy == 1 }, options))
            },
        ),
        Offer::new(
            "greedy",
            "the original's greedy agent: the longest advance towards a free home cell",
            |_, settings| Greedy::new(settings.seed),
        ),
        Offer::new("random", "any legal action", |_, settings| Random::new(settings.seed)),
    ]
}
