//! The searches of a contest, with the game's type erased.

#[cfg(feature = "serve")]
use std::cell::Cell;
#[cfg(feature = "serve")]
use std::io::{BufRead, Write};

#[cfg(feature = "serve")]
use coppice::input::InputError;

use super::offer::{find, Offer};
use super::played::GameSession;
#[cfg(feature = "serve")]
use super::serve::{no_player, refused, ServeSettings, Served};
use super::{SearchInfo, Session, SessionError, SessionSettings};
use crate::history::History;
use crate::kind::Kind;
use crate::notation::Notation;

/// The searches of a contest, by name.
pub trait Searches {
    /// Descriptions of the searches; the submitted bot's search comes first.
    fn list(&self) -> Vec<SearchInfo>;

    /// A session from the start position with one of [`Searches::list`].
    ///
    /// # Errors
    /// If the search or a parameter is unknown, or a value is invalid.
    fn session(&self, search: &str, settings: &SessionSettings) -> Result<Box<dyn Session>, SessionError>;

    /// Whether a served search can think during the opponent's turn. Simultaneous games have no such turn.
    fn can_ponder(&self) -> bool {
        true
    }

    /// Plays the bot's side of the protocol with one of [`Searches::list`], until the input ends.
    ///
    /// # Errors
    /// If the search is unknown, or a read or write failed.
    #[cfg(feature = "serve")]
    fn serve(
        &self,
        search: &str,
        _settings: &ServeSettings,
        _input: &mut dyn BufRead,
        _output: &mut dyn Write,
    ) -> Result<(), InputError> {
        Err(no_player(search))
    }
}

/// The bot's side of a protocol with the search of a name.
#[cfg(feature = "serve")]
pub type ServeByName = fn(&str, &ServeSettings, &mut dyn BufRead, &mut dyn Write) -> Result<(), InputError>;

/// Searches whose player by the protocol is told a search's name. They don't ponder: for one player, or for moves at the same
/// time.
#[cfg(feature = "serve")]
pub struct ServedByName<S> {
    searches: S,
    serve: ServeByName,
}

#[cfg(feature = "serve")]
impl<S: Searches> ServedByName<S> {
    /// Searches and their player.
    pub fn new(searches: S, serve: ServeByName) -> ServedByName<S> {
        ServedByName { searches, serve }
    }
}

#[cfg(feature = "serve")]
impl<S: Searches> Searches for ServedByName<S> {
    fn list(&self) -> Vec<SearchInfo> {
        self.searches.list()
    }

    fn session(&self, search: &str, settings: &SessionSettings) -> Result<Box<dyn Session>, SessionError> {
        self.searches.session(search, settings)
    }

    fn can_ponder(&self) -> bool {
        false
    }

    fn serve(
        &self,
        search: &str,
        settings: &ServeSettings,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), InputError> {
        // An unknown search or a wrong parameter is an error before the first game.
        drop(self.session(search, &settings.session).map_err(refused)?);
        (self.serve)(search, settings, input, output)
    }
}

/// The bot's side of a protocol. The function argument makes a search for a start position.
#[cfg(feature = "serve")]
pub type Serve<G> =
    fn(&ServeSettings, &dyn Fn(&G) -> Served<G>, &mut dyn BufRead, &mut dyn Write) -> Result<(), InputError>;

/// Makes a contest's searches for games from a start position. A function pointer, so that programs without
/// searches don't compile them.
pub type MakeSearches<G> = fn(&G) -> Box<dyn Searches>;

/// Searches over positions of one game.
pub struct GameSearches<G: Notation> {
    /// The start of a seed's game. Boxed because states may be large.
    start: Box<dyn Fn(u64) -> Box<G>>,
    offers: Vec<Offer<G>>,
    #[cfg(feature = "serve")]
    serve: Option<Serve<G>>,
}

impl<G: Notation> GameSearches<G> {
    /// Searches for games from `start`.
    pub fn new(start: &G, offers: Vec<Offer<G>>) -> GameSearches<G> {
        let start = start.clone();
        GameSearches::starting(move |_| start.clone(), offers)
    }

    /// Searches for games whose start follows from a seed: the one of [`Setup`](crate::Setup), which a session gets as
    /// [`SessionSettings::game_seed`]. Where chance decides first, the session lets it.
    pub fn starting(start: impl Fn(u64) -> G + 'static, offers: Vec<Offer<G>>) -> GameSearches<G> {
        GameSearches {
            start: Box::new(move |seed| Box::new(start(seed))),
            offers,
            #[cfg(feature = "serve")]
            serve: None,
        }
    }

    /// Sets the player that serves these searches.
    #[cfg(feature = "serve")]
    pub fn served_by(self, serve: Serve<G>) -> GameSearches<G> {
        GameSearches { serve: Some(serve), ..self }
    }
}

impl<G: Notation> Searches for GameSearches<G> {
    fn list(&self) -> Vec<SearchInfo> {
        self.offers.iter().map(Offer::info).collect()
    }

    fn session(&self, search: &str, settings: &SessionSettings) -> Result<Box<dyn Session>, SessionError> {
        let start = (self.start)(settings.game_seed);
        let search = find(&self.offers, &*start, search, settings)?;
        Ok(Box::new(GameSession::new(History::new(*start, settings.game_seed), search)))
    }

    fn can_ponder(&self) -> bool {
        !G::Kind::IS_SIMULTANEOUS
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
        let make = |start: &G| {
            let search = find(&self.offers, start, search, &settings.session)?;
            Ok::<_, SessionError>(Served::new(search, settings, start))
        };
        // An unknown search is an error before the first game.
        let usual = (self.start)(0);
        let first = Cell::new(Some(make(&usual).map_err(refused)?));
        let make = |start: &G| {
            let first = first.take().filter(|_| *start == *usual);
            first.unwrap_or_else(|| make(start).expect("the same search was made before"))
        };
        serve(settings, &make, input, output)
    }
}
