//! The interface of every search of a [`Joint`] game, [`JointSearch`], and its answer, [`JointReport`].

use std::fmt;

use crate::clock::Budget;
use crate::game::Player;
use crate::joint::Joint;
use crate::tree::Memory;

use super::strategy::Strategy;

/// How a search with a mixed strategy chooses its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// A move drawn from the strategy, by the search's own generator: an opponent can't predict it.
    Drawn,
    /// The most probable move, the first listed of equals.
    Mode,
}

/// Finds a player's move in a [`Joint`] game. Memory is allocated at construction: a search allocates nothing.
pub trait JointSearch<G: Joint> {
    /// Looks for `player`'s best move, or best mixture of moves, within a budget. With a node budget the answer is
    /// determined by the game, the search's options and seed, and the earlier searches.
    ///
    /// Where chance is to decide, there is no move yet: let it happen first.
    fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G>;

    /// The last searches' knowledge of a state: to walk through the tree, play moves and outcomes on a copy of the game. `None`
    /// if the search has nothing stored for the state, or keeps no tree.
    fn seen(&self, _game: &G, _player: Player) -> Option<Seen<G>> {
        None
    }

    /// The memory that the tree takes of its pool; `None` if the search keeps no tree.
    fn memory(&self) -> Option<Memory> {
        None
    }
}

/// The result of a search for one player.
#[must_use = "the report holds the move to make"]
#[derive(Clone)]
pub struct JointReport<G: Joint> {
    /// The move to make; `None` if and only if the player has none.
    pub best: Option<G::Move>,
    /// With which probability each move should be made. A search without mixed strategies gives `best` all of it.
    pub strategy: Strategy<G>,
    /// The state's value for the player, in points: exact, a bound, or an estimate, as the search says.
    pub value: f64,
    /// Nodes visited: iterations of a Monte Carlo search, or else moves made and outcomes that happened.
    pub nodes: u64,
    /// Plies that were searched in full, or the length of the longest path of a Monte Carlo search.
    pub depth: u32,
    /// The value is that of the game itself: no estimate went into it, and no player was assumed to see a hidden choice.
    /// In a search of a reduced game it is always false.
    pub exact: bool,
    /// Visits of this state that were kept from earlier searches.
    pub kept: u64,
}

impl<G: Joint> JointReport<G> {
    /// The report for a player without moves.
    pub(super) fn without_moves(value: f64, exact: bool) -> JointReport<G> {
        let strategy = Strategy::none();
        JointReport { best: None, strategy, value, nodes: 0, depth: 0, exact, kept: 0 }
    }
}

impl<G: Joint> fmt::Debug for JointReport<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JointReport")
            .field("best", &self.best)
            .field("strategy", &self.strategy)
            .field("value", &self.value)
            .field("nodes", &self.nodes)
            .field("depth", &self.depth)
            .field("exact", &self.exact)
            .field("kept", &self.kept)
            .finish()
    }
}

/// A search's data of a state.
#[derive(Debug, Clone)]
pub struct Seen<G: Joint> {
    /// How often the search was there.
    pub visits: u64,
    /// The player's strategy there, as a search would answer with.
    pub strategy: Strategy<G>,
    /// The mean points that the player had from there on.
    pub value: f64,
}

/// A player's legal moves.
pub(super) fn listed<G: Joint>(game: &G, player: Player) -> G::Moves {
    let mut list = G::Moves::default();
    game.moves(player, &mut list);
    list
}
