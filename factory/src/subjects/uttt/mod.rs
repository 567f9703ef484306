//! Ultimate tic-tac-toe: the network of small boards, learnt from games of best-first minimax against itself.

pub mod estimate;
pub mod model;
pub mod network;
pub mod play;
pub mod position;

use anyhow::{bail, Result};
use bots::uttt::pattern::network::WEIGHTS;
use bots::uttt::pattern::tables::{self, Tables};
use bots::uttt::strategy::{options, Numbers};
use bots::uttt::Board;
use coppice::search::{BestFirst, JointSearch};
use coppice::{Rng, Turns};

use crate::alternating::Alternating;
use crate::recipe::{Recipe, Stage};
use crate::sample::Sample;
use crate::self_play::random_turns;
use crate::subject::{Players, Subject, Weights};
use estimate::Estimate;
use network::Network;
use play::{SelfPlay, NODES, VISITS};
use position::Boards;

/// Ultimate tic-tac-toe.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uttt;

/// Bytes of the tree of a search that weights are compared with.
const BYTES: usize = 64 << 20;

impl Subject for Uttt {
    type Game = Turns<Board>;
    type Position = Boards;
    type Player = SelfPlay;
    type Evaluation = Estimate;
    type Model = Network;

    const NAME: &'static str = "uttt";
    const GAMES: u64 = 35_000;
    const ROUNDS: u32 = 3;
    const ROUND_GAMES: u64 = 7_000;
    const RIVALS: u32 = 40;
    const WEIGHTS: &'static str = "bots/uttt/pattern/weights.bin";

    fn settings(&self) -> String {
        format!("best-first minimax with about {NODES} nodes a move, first moves drawn, nodes of {VISITS} visits labelled, endings solved")
    }

    fn weights(&self) -> &'static [u8] {
        tables::PACKED
    }

    fn player(&self, players: Players<'_>) -> Result<SelfPlay> {
        let rival = players.rival.map(tables).transpose()?;
        Ok(SelfPlay::new(tables(players.weights)?, rival))
    }

    fn play(&self, player: &mut SelfPlay, rng: &mut Rng, samples: &mut Vec<Sample<Boards>>) {
        player.game(rng, samples);
    }

    /// Points are values from -1 to 1, as the search averages them. First all positions; then those of the games, with a
    /// larger share of their results, and few others, so that what the search sees beside the games isn't forgotten.
    fn recipe(&self) -> Recipe {
        Recipe {
            from: None,
            stages: vec![
                Stage { epochs: 2, batch: 16_384, rate: 0.006, share: 0.3, aside: 1 },
                Stage { epochs: 4, batch: 4_096, rate: 0.0015, share: 0.5, aside: 40 },
                Stage { epochs: 4, batch: 4_096, rate: 0.002, share: 0.6, aside: 60 },
            ],
            scale: None,
            widest: 1.0,
            generations: 4,
            latest: None,
            seed: 1,
        }
    }

    fn again(&self) -> Stage {
        Stage { epochs: 6, batch: 4_096, rate: 0.004, share: 0.6, aside: 40 }
    }

    fn model(&self, seed: u64) -> Network {
        Network::new(seed)
    }

    fn evaluation(&self, weights: Weights<'_, Network>) -> Result<Estimate> {
        match weights {
            Weights::Packed(bytes) => Ok(Estimate::Packed(Box::new(tables(bytes)?))),
            Weights::Learnt(model) => Ok(Estimate::Learnt(Box::new(model.clone()))),
        }
    }

    fn search(&self, estimate: &Estimate, _: u64) -> Box<dyn JointSearch<Turns<Board>>> {
        Box::new(Alternating(BestFirst::new(estimate.clone(), options(&Numbers::default(), BYTES))))
    }

    fn opening(&self, rng: &mut Rng) -> Turns<Board> {
        random_turns(Turns(Board::START), 6, rng)
    }
}

/// The tables for packed weights; no weights are an evaluation that knows nothing.
fn tables(bytes: &[u8]) -> Result<Tables> {
    if !bytes.is_empty() && bytes.len() != WEIGHTS {
        bail!("expected {WEIGHTS} bytes, one a weight, found {}", bytes.len());
    }
    Ok(Tables::expand(bytes))
}
