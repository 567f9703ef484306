//! The tree that a bot inside the process shows of its search.

use coppice::tree::{Memory, Tree};
use coppice::Game;

use super::in_turn::{child, view};
use super::SessionNode;
use crate::notation::listed;

/// The tree of a [`LinePlayer`](super::LinePlayer)'s search: its memory, and the moves of the turn that the bot answered last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineTree {
    /// The memory use.
    pub memory: Memory,
    /// The root, as the search sees it; the session sets its seat.
    pub root: SessionNode,
    /// The moves that the search looked at, each [played](SessionNode::played) as the protocol writes it, without its final
    /// newline. Empty before the first search.
    pub moves: Vec<SessionNode>,
}

impl LineTree {
    /// A tree before its first search.
    pub fn empty(memory: Memory) -> LineTree {
        LineTree { memory, root: SessionNode::unknown(0), moves: Vec::new() }
    }

    /// The tree of a search. `answer` writes a move of the root's position as the protocol does.
    pub fn of<G: Game>(tree: &dyn Tree<G>, answer: impl Fn(&G, G::Move) -> String) -> LineTree {
        let Some((root, game)) = tree.root().zip(tree.position()) else {
            return LineTree::empty(tree.memory());
        };
        let (seat, best) = (game.to_move().index(), tree.best(root));
        let move_view = |&m: &G::Move| {
            let id = child(tree, root, m);
            let node = view(Some(tree), id, seat, id.is_some() && id == best);
            SessionNode { played: Some(answer(game, m)), ..node }
        };
        LineTree {
            memory: tree.memory(),
            root: view(Some(tree), Some(root), seat, false),
            moves: listed(game).iter().map(move_view).collect(),
        }
    }
}
