//! Searches for contests made of [`LineGame`]s, and the bot's side with them.

#[cfg(feature = "serve")]
use std::io::{BufRead, Write};

use coppice::input::InputError;
use coppice::search::{JointRandom, Random};
use coppice::Choices;

use super::{joint_player, player, LineGame};
use crate::bot::Settings;
use crate::kind::{Kind, Sequential, Simultaneous};
use crate::notation::{GameNotation, JointNotation, Move, Notation, Turn};
#[cfg(feature = "serve")]
use crate::session::serve::Served;
use crate::session::{GameSearches, Offer, Searches};

/// Wraps searches for games from [`LineGame::start`]; with the feature `serve` they can be served.
pub fn searches<G>(offers: Vec<Offer<G>>) -> Box<dyn Searches>
where
    G: Notation<Kind: LineKind<G>> + LineGame<Move<G>, Turn<G>>,
{
    let searches = GameSearches::starting(G::start, offers);
    #[cfg(feature = "serve")]
    let searches = searches
        .served_by(|settings, make, input, output| G::Kind::serve(&settings.bot(), make, input, output));
    Box::new(searches)
}

/// The bot's side of a [`LineGame`] of a kind.
pub trait LineKind<G: Notation>: Kind<G> {
    /// Plays a game with a served search.
    ///
    /// # Errors
    /// The reason the game ended; [`InputError::Ended`] if the input did.
    #[cfg(feature = "serve")]
    fn serve(
        settings: &Settings,
        make: &dyn Fn(&G) -> Served<G>,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), InputError>;

    /// Reads a dialogue and answers each turn with any legal move.
    ///
    /// # Errors
    /// The reason the game ended; [`InputError::Ended`] if the input did.
    fn play_randomly(settings: &Settings, input: &[u8]) -> Result<(), InputError>;
}

impl<G: GameNotation + LineGame<<G as coppice::Game>::Move>> LineKind<G> for Sequential {
    #[cfg(feature = "serve")]
    fn serve(
        settings: &Settings,
        make: &dyn Fn(&G) -> Served<G>,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), InputError> {
        player::play_on(input, output, settings, |_| make(&G::start(0)))
    }

    fn play_randomly(settings: &Settings, input: &[u8]) -> Result<(), InputError> {
        player::play_on::<G, _, ()>(input, std::io::sink(), settings, |_| Random::new(settings.seed))
    }
}

impl<G> LineKind<G> for Simultaneous
where
    G: JointNotation + LineGame<<G as coppice::Joint>::Move, Choices<<G as coppice::Joint>::Move>>,
{
    #[cfg(feature = "serve")]
    fn serve(
        settings: &Settings,
        make: &dyn Fn(&G) -> Served<G>,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), InputError> {
        joint_player::play_on(input, output, settings, |_, start: &G| make(start))
    }

    fn play_randomly(settings: &Settings, input: &[u8]) -> Result<(), InputError> {
        let random = |_: &_, _: &G| JointRandom::new(settings.seed);
        joint_player::play_on::<G, _, ()>(input, std::io::sink(), settings, random)
    }
}
