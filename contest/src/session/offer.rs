//! A search that a contest offers, and its constructor.

use super::searcher::{SearchedBy, Searcher};
use super::{SearchInfo, SessionError, SessionSettings};
use crate::notation::Notation;
use crate::tunable::{TunableError, Tunables};

/// Makes a search for a game from a start position, or reports an invalid parameter.
type Make<G> = Box<dyn Fn(&G, &SessionSettings) -> Result<Box<dyn Searcher<G>>, TunableError>>;

/// A search and its constructor.
pub struct Offer<G> {
    info: SearchInfo,
    make: Make<G>,
    /// The bytes of a node, if the memory is a pool of nodes.
    node_bytes: Option<usize>,
}

impl<G: Notation> Offer<G> {
    /// A named search without tunable parameters.
    pub fn new<S>(
        name: &'static str,
        about: &'static str,
        make: impl Fn(&G, &SessionSettings) -> S + 'static,
    ) -> Offer<G>
    where
        G::Kind: SearchedBy<G, S>,
    {
        Offer::tunable(name, about, move |start, settings, (): &()| make(start, settings))
    }

    /// A named search with tunable parameters.
    pub fn tunable<T: Tunables, S>(
        name: &'static str,
        about: &'static str,
        make: impl Fn(&G, &SessionSettings, &T) -> S + 'static,
    ) -> Offer<G>
    where
        G::Kind: SearchedBy<G, S>,
    {
        let made = move |start: &G, settings: &SessionSettings, numbers: &T| {
            G::Kind::searcher(make(start, settings, numbers))
        };
        Offer::boxed(name, about, made)
    }

    pub(super) fn boxed<T: Tunables>(
        name: &'static str,
        about: &'static str,
        make: impl Fn(&G, &SessionSettings, &T) -> Box<dyn Searcher<G>> + 'static,
    ) -> Offer<G> {
        let make: Make<G> =
            Box::new(move |start, settings| Ok(make(start, settings, &settings.numbers::<T>()?)));
        let info = SearchInfo { name, about, tunables: T::default().list() };
        Offer { info, make, node_bytes: None }
    }

    /// Says that the search's memory is a pool of nodes of `node_bytes` bytes: [`SessionSettings::pool_nodes`] applies.
    pub fn of_nodes(self, node_bytes: usize) -> Offer<G> {
        Offer { node_bytes: Some(node_bytes), ..self }
    }

    /// Offers the search under another name.
    pub fn renamed(mut self, name: &'static str, about: &'static str) -> Offer<G> {
        self.info.name = name;
        self.info.about = about;
        self
    }

    /// The search's name, description and parameters.
    pub fn info(&self) -> SearchInfo {
        self.info.clone()
    }
}

/// The search called `name`, for a game from `start`.
///
/// # Errors
/// If the search or a parameter is unknown, or a value is invalid.
pub(super) fn find<G: Notation>(
    offers: &[Offer<G>],
    start: &G,
    name: &str,
    settings: &SessionSettings,
) -> Result<Box<dyn Searcher<G>>, SessionError> {
    let Some(offer) = offers.iter().find(|offer| offer.info.name == name) else {
        return Err(SessionError::unknown("search", name, offers.iter().map(|offer| offer.info.name)));
    };
    let settings = match (settings.pool_nodes, offer.node_bytes) {
        (None, _) => settings.clone(),
        (Some(nodes), Some(bytes)) => {
            let pool_bytes = nodes.checked_mul(bytes).filter(|&bytes| has_room(bytes));
            let pool_bytes = pool_bytes
                .ok_or_else(|| format!("no memory for a pool of {nodes} nodes of {bytes} bytes"))?;
            SessionSettings { pool_bytes: Some(pool_bytes), ..settings.clone() }
        }
        (Some(_), None) => return Err(SessionError::no_pool(name)),
    };
    (offer.make)(start, &settings).map_err(|error| SessionError::parameter(name, error))
}

/// Whether the system provides this much memory.
fn has_room(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}
