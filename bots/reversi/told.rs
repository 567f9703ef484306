//! Move notation, and the searches on offer in a session.

use super::board::Board;
use super::cell::Cell;
use super::eval::{Material, Positional};
use super::monte_carlo;
use super::strategy::Strategy;
use crate::notation::Notation;
use crate::session::{self, Offer};

impl Notation for Board {
    fn name(&self, cell: Cell) -> String {
        cell.to_string()
    }
}

/// The submitted bot, the other bots, and the engine's searches.
pub fn offers() -> Vec<Offer<Board>> {
    let about = "the submitted bot: alpha-beta, and exact solving at the end";
    let bot = Offer::tunable("bot", about, |_, settings, numbers| {
        Strategy::with(numbers, settings.bytes_or(Strategy::BYTES))
    });
    let mcts = Offer::tunable("mcts", "Monte Carlo tree search: reversi-mcts", |_, settings, numbers| {
        monte_carlo::search(numbers, settings.bytes_or(monte_carlo::BYTES), settings.seed)
    });
    let others = session::offers(Positional::new).into_iter().filter(|offer| offer.info().name != "mcts");
    let counting = session::offers(|| Material).into_iter().filter_map(|offer| match offer.info().name {
        "alpha-beta" => Some(offer.renamed("alpha-beta-discs", "alpha-beta that only counts discs")),
        "minimax" => Some(offer.renamed("minimax-discs", "minimax that only counts discs")),
        _ => None,
    });
    [bot, mcts].into_iter().chain(others).chain(counting).collect()
}
