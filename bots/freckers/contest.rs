//! The Freckers contest: move notation, the searches on offer, and the positions that check their behaviour.

use std::time::Duration;

use coppice::rng::mix;
use coppice::search::{Mcts, MctsOptions, Minimax, MinimaxOptions, Order, Random};
use coppice::{Budget, Game, Rng, Search};

use super::board::Board;
use super::busy::{Inside, Without};
use super::greedy::{Greedy, GreedyPlayouts};
use super::original::{Original, Parts, Plain};
use super::row_weights::RowWeights;
use super::strategy::{Strategy, TABLE_BYTES};
use crate::commands::referee::CommandContest;
use crate::contest::{Allowance, Behaviour};
use crate::notation::Notation;
use crate::session::Offer;

/// The course's limits for a game.
const ALLOWANCE: Allowance =
    Allowance { cpu: Some(Duration::from_secs(180)), memory_bytes: Some(250_000_000) };

/// Default memory of Monte Carlo tree search and minimax, in bytes.
const POOL_BYTES: usize = 64 << 20;

/// Freckers with 1 s for each answer, so that a game's 75 answers take less than the processor time that the course
/// allows.
pub fn freckers() -> CommandContest<Board> {
    CommandContest::new(Duration::from_secs(1), behaviour, offers).allowing(ALLOWANCE)
}

impl Notation for Board {
    fn name(&self, m: super::cell::Move) -> String {
        self.write(m, "-")
    }
}

crate::tunables! {
    /// Tunable parameters of the original's Monte Carlo search.
    pub struct MonteCarlo {
        /// The constant C of UCB1, for rewards in 0 to 1.
        exploration: f32 = 0.01 in 0.0..=2.0,
    }
}

crate::tunables! {
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
            Strategy::with_table(settings.bytes_or(TABLE_BYTES))
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
                    order: Order::BreadthFirst,
                    max_depth: levels.depth,
                    keep_tree: false,
                    ..MinimaxOptions::default()
                };
                Without(Minimax::new(Inside(RowWeights), settings.bytes_or(POOL_BYTES), options))
            },
        ),
        Offer::tunable(
            "mcts",
            "the original's Monte Carlo search, with greedy playouts to the end",
            |_, settings, numbers: &MonteCarlo| {
                let options = MctsOptions {
                    exploration: numbers.exploration,
                    first_play_urgency: f32::INFINITY,
                    ..MctsOptions::default()
                };
                let bytes = settings.bytes_or(POOL_BYTES);
                Without(Mcts::with_policy(bytes, settings.seed, options, GreedyPlayouts))
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

/// Searches positions of random games after 0 to 60 actions.
fn behaviour() -> Vec<Behaviour> {
    let mut rng = Rng::new(1);
    let mut search = Strategy::with_table(1 << 20);
    let (mut nodes, mut digest) = (0, 0);
    for plies in (0..=60).step_by(6) {
        let mut board = Board::START;
        for _ in 0..plies {
            board.random_move(&mut rng).into_iter().for_each(|m| board.play(m));
        }
        let report = search.search(&board, Budget::nodes(20_000));
        nodes += report.nodes;
        let best = report.best.map_or(u64::MAX, |m| u64::from(Board::code(m)));
        digest = mix(digest ^ mix(best) ^ report.score.value() as u64);
    }
    vec![Behaviour { search: "alpha-beta, 20000 nodes", nodes, digest }]
}
