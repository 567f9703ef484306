//! A search as sessions and servers use it, whatever the kind of its game.

use coppice::search::Threshold;
use coppice::tree::Memory;
use coppice::{Budget, Player, Score};

use super::{Counts, SessionNode};
use crate::kind::Kind;
use crate::notation::{Move, Notation, Turn};
use crate::referee::Seat;

/// A search of a game.
pub trait Searcher<G: Notation>: Send {
    /// Searches for the move of a player who chooses.
    fn think(&mut self, game: &G, player: Player, budget: Budget) -> Found<Move<G>>;

    /// The last search's knowledge of a position.
    fn known(&self, place: &Place<'_, G>) -> Known<Move<G>>;

    /// The memory use of the search's tree; `None` without a tree.
    fn memory(&self) -> Option<Memory>;

    /// See [`Session::count`](super::Session::count).
    fn count(&self, _game: &G) -> Option<Counts> {
        None
    }

    /// See [`Session::threshold`](super::Session::threshold).
    fn threshold(&self) -> Option<i32> {
        None
    }

    /// Sets the threshold; returns false if the search doesn't prune siblings.
    fn set_threshold(&mut self, _threshold: Threshold) -> bool {
        false
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<M> {
    /// The move to make; `None` if the player has no move.
    pub best: Option<M>,
    /// The score for the player.
    pub score: Score,
    /// Nodes visited.
    pub nodes: u64,
    /// Plies searched in full, or the length of the best line.
    pub depth: u32,
    /// Whether the score is proved.
    pub solved: bool,
    /// See [`Report::restarted`](coppice::Report::restarted).
    pub restarted: bool,
    /// The best line as far as it is known, starting with `best`.
    pub line: Vec<M>,
    /// With which probability each move should be made; empty for searches that don't mix moves.
    pub strategy: Vec<(M, f64)>,
}

/// A position at the end of a path.
pub struct Place<'a, G: Notation> {
    /// The position where the path begins.
    pub root: &'a G,
    /// The whole turns of the path.
    pub turns: &'a [Turn<G>],
    /// The position at the end of the path.
    pub game: &'a G,
    /// The seat to move there; `None` if the game is over.
    pub to_move: Option<Seat>,
    /// The seat that made the path's last move; `None` at the root.
    pub last: Option<Seat>,
}

/// A search's knowledge of a position.
pub struct Known<M> {
    /// The position's node. The session names its move.
    pub node: SessionNode,
    /// A node for each legal move of the seat to move, in the order of move generation.
    pub children: Vec<(M, SessionNode)>,
    /// The best line from there.
    pub line: Vec<M>,
}

/// A kind of games that `S` can search: [`Search`](coppice::Search) for a [`Game`](coppice::Game),
/// [`JointSearch`](coppice::search::JointSearch) for a [`Joint`](coppice::Joint).
#[diagnostic::on_unimplemented(
    message = "`{S}` is not a search of `{G}` that a session can hold",
    note = "it must be `Send`, and implement `coppice::Search` for a `Game`, `coppice::search::JointSearch` for a `Joint`"
)]
pub trait SearchedBy<G, S>: Kind<G> {
    /// The search, with its type erased.
    fn searcher(search: S) -> Box<dyn Searcher<G>>;
}
