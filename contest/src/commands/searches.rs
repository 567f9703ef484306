//! Searches for contests that use the command protocol.

use super::Commands;
use crate::notation::GameNotation;
use crate::session::{GameSearches, Offer, Searches};

/// Wraps searches for games from `start`; with the feature `serve` they can be served by the command
/// protocol.
pub fn searches<G: Commands + GameNotation>(start: &G, offers: Vec<Offer<G>>) -> Box<dyn Searches> {
    let searches = GameSearches::new(start, offers);
    #[cfg(feature = "serve")]
    let searches = searches.served_by(|settings, make, input, output| {
        super::player::play_on(input, output, &settings.bot(), |_, start: &G, _| make(start))
    });
    Box::new(searches)
}
