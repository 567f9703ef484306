//! Searches for contests made of [`Turns`].

use super::Turns;
use crate::notation::Notation;
use crate::session::{GameSearches, Offer, Searches};

/// Wraps searches for games from `start`; with the feature `serve` they can be served.
pub fn searches<G: Turns + Notation>(start: &G, offers: Vec<Offer<G>>) -> Box<dyn Searches> {
    let searches = GameSearches::new(start, offers);
    #[cfg(feature = "serve")]
    let searches = searches.served_by(|settings, make, input, output| {
        super::player::play_on(input, output, &settings.bot(), |_| make(&G::start()))
    });
    Box::new(searches)
}
