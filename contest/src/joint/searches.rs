//! The searches of a contest with simultaneous moves, with the game's type erased.

#[cfg(feature = "serve")]
use std::io::{BufRead, Write};

#[cfg(feature = "serve")]
use coppice::input::InputError;

use super::offer::{find, JointOffer};
#[cfg(feature = "serve")]
use super::served::ServedJoint;
use super::{JointNotation, JointPlayed, Table};
#[cfg(feature = "serve")]
use crate::session::serve::{no_player, refused, ServeSettings};
use crate::session::{SearchInfo, Searches, Session, SessionError, SessionSettings};

/// Makes a contest's searches, given how the game of a seed starts. A function pointer, so that programs without searches
/// don't compile them.
pub type MakeJointSearches<G> = fn(fn(u64) -> G) -> Box<dyn Searches>;

/// The bot's side of a protocol. The function argument makes a search for a game, given its start as far as the bot knows
/// it.
#[cfg(feature = "serve")]
pub type ServeJoint<G> = fn(
    &ServeSettings,
    &dyn Fn(&G) -> ServedJoint<G>,
    &mut dyn BufRead,
    &mut dyn Write,
) -> Result<(), InputError>;

/// Searches over positions of one game with simultaneous moves.
pub struct JointSearches<G: JointNotation> {
    start: Box<dyn Fn(u64) -> G>,
    offers: Vec<JointOffer<G>>,
    #[cfg(feature = "serve")]
    serve: Option<ServeJoint<G>>,
}

impl<G: JointNotation> JointSearches<G> {
    /// Searches for games whose start follows from a seed: the one of [`Setup`](crate::Setup), which a session gets as
    /// [`SessionSettings::game_seed`].
    pub fn new(start: impl Fn(u64) -> G + 'static, offers: Vec<JointOffer<G>>) -> JointSearches<G> {
        JointSearches {
            start: Box::new(start),
            offers,
            #[cfg(feature = "serve")]
            serve: None,
        }
    }

    /// Sets the player that serves these searches.
    #[cfg(feature = "serve")]
    pub fn served_by(self, serve: ServeJoint<G>) -> JointSearches<G> {
        JointSearches { serve: Some(serve), ..self }
    }
}

impl<G: JointNotation> Searches for JointSearches<G> {
    fn list(&self) -> Vec<SearchInfo> {
        self.offers.iter().map(JointOffer::info).collect()
    }

    fn session(&self, search: &str, settings: &SessionSettings) -> Result<Box<dyn Session>, SessionError> {
        let start = match &settings.position {
            None => (self.start)(settings.game_seed),
            Some(text) => G::read_position(text)?,
        };
        let search = find(&self.offers, &start, search, settings)?;
        Ok(Box::new(JointPlayed::new(Table::new(start, settings.game_seed), search)))
    }

    fn can_ponder(&self) -> bool {
        false
    }

    #[cfg(feature = "serve")]
    fn serve(
        &self,
        search: &str,
        settings: &ServeSettings,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), InputError> {
        let serve = self.serve.ok_or_else(|| no_player(search))?;
        let make = |start: &G| find(&self.offers, start, search, &settings.session);
        // An unknown search is an error before the first game.
        make(&(self.start)(0)).map_err(refused)?;
        let make = |start: &G| {
            let made = make(start).expect("the same search was made before");
            ServedJoint::new(made, settings)
        };
        serve(settings, &make, input, output)
    }
}
