//! The searches of a contest in commands.

use super::Commands;
use crate::notation::Notation;
use crate::session::{GameSearches, Offer, Searches};

/// These searches, for games from `start`, which can be served by the protocol in commands.
pub fn searches<G: Commands + Notation>(start: &G, offers: Vec<Offer<G>>) -> Box<dyn Searches> {
    let searches = GameSearches::new(start, offers);
    #[cfg(feature = "serve")]
    let searches = searches.served_by(|settings, make, input, output| {
        super::player::play_on(input, output, &settings.bot(), |_, start: &G, _| make(start))
    });
    Box::new(searches)
}
