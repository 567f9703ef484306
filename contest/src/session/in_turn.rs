//! Searches of games in which one player moves at a time, as [`Searcher`]s.

use coppice::pool::NodeId;
use coppice::search::{Minimax, Threshold};
use coppice::tree::{Memory, Status};
use coppice::{Budget, Evaluation, Game, Player, Report, Search, Tree};

use super::searcher::{Found, Known, Place, SearchedBy, Searcher};
use super::{Counts, SessionNode};
use crate::kind::Sequential;
use crate::notation::{listed, GameNotation};
use crate::referee::Seat;

impl<G: GameNotation, S: Search<G> + Send + 'static> SearchedBy<G, S> for Sequential {
    fn searcher(search: S) -> Box<dyn Searcher<G>> {
        Box::new(Plain { search, kept: Kept::new() })
    }
}

/// Maximum number of nodes counted.
const MOST_COUNTED: u64 = 10_000_000;

/// The position that a search searched last. Of the game alone: a contest has it once, not once a search.
struct Kept<G: Game> {
    /// Boxed because states may be large.
    root: Option<Box<G>>,
    /// The best line of that search.
    line: Vec<G::Move>,
}

impl<G: GameNotation> Kept<G> {
    fn new() -> Kept<G> {
        Kept { root: None, line: Vec::new() }
    }

    fn think<S: Search<G>>(&mut self, search: &mut S, game: &G, budget: Budget) -> Found<G::Move> {
        let report = search.search(game, budget);
        let line = report.best.map(|best| search.line(game, best));
        self.keep(game, report, line.as_ref().map_or(&[], |line| line))
    }

    fn keep(&mut self, game: &G, report: Report<G::Move>, line: &[G::Move]) -> Found<G::Move> {
        self.root = Some(Box::new(game.clone()));
        self.line = line.to_vec();
        Found {
            best: report.best,
            score: report.score,
            nodes: report.nodes,
            depth: report.depth,
            solved: report.solved,
            restarted: report.restarted,
            line: self.line.clone(),
            strategy: Vec::new(),
        }
    }

    /// `any` is the search's tree, of whatever position: a search that didn't come to its tree has kept an older one.
    fn known(&self, any: Option<&dyn Tree<G>>, place: &Place<'_, G>) -> Known<G::Move> {
        let tree = any.filter(|tree| tree.position() == Some(place.root));
        let root = tree.and_then(|tree| tree.root());
        let step = |at: Option<NodeId>, &m: &G::Move| tree.zip(at).and_then(|(tree, id)| child(tree, id, m));
        let at = place.turns.iter().fold(root, step);
        let best = tree.zip(at).and_then(|(tree, id)| tree.best(id));
        let line: Vec<G::Move> = match tree {
            Some(tree) => at.map_or_else(Vec::new, |id| tree.best_line(id).to_vec()),
            None => self.line_after(place),
        };
        let seat = place.game.to_move().index();
        let child_view = |&m: &G::Move| {
            let id = step(at, &m);
            (m, view(tree, id, seat, id.map_or(line.first() == Some(&m), |id| Some(id) == best)))
        };
        Known {
            node: view(tree, at, place.last.unwrap_or(seat), false),
            children: listed(place.game).iter().map(child_view).collect(),
            line,
        }
    }

    /// Without a tree of the path's root: the rest of its line after a path, if the line starts with that path.
    fn line_after(&self, place: &Place<'_, G>) -> Vec<G::Move> {
        if self.root.as_ref().is_none_or(|root| **root != *place.root) {
            return Vec::new();
        }
        self.line.strip_prefix(place.turns).map_or_else(Vec::new, <[G::Move]>::to_vec)
    }
}

/// The nodes of a search's tree, if it is of `game`.
fn count<G: Game>(tree: &dyn Tree<G>, game: &G) -> Option<Counts> {
    let root = tree.root().filter(|_| tree.position() == Some(game))?;
    let (mut counts, mut open) = (Counts::default(), vec![root]);
    let mut left = MOST_COUNTED;
    while let Some(id) = open.pop().filter(|_| left > 0) {
        left -= 1;
        let node = tree.node(id);
        *match node.status {
            Status::Leaf => &mut counts.leaf,
            Status::Open => &mut counts.open,
            Status::Ended => &mut counts.ended,
            Status::Closed => &mut counts.closed,
            Status::Pruned => &mut counts.pruned,
        } += 1;
        open.extend((0..node.children).map(|i| tree.child(id, i)));
    }
    Some(counts)
}

/// The child reached by a move.
pub(super) fn child<G: Game>(tree: &dyn Tree<G>, id: NodeId, m: G::Move) -> Option<NodeId> {
    let mut children = (0..tree.node(id).children).map(|i| tree.child(id, i));
    children.find(|&child| tree.node(child).played == Some(m))
}

/// A node of a tree; without a tree its figures are unknown.
pub(super) fn view<G: Game>(
    tree: Option<&dyn Tree<G>>,
    id: Option<NodeId>,
    seat: Seat,
    is_best: bool,
) -> SessionNode {
    match tree.zip(id).map(|(tree, id)| tree.node(id)) {
        None => SessionNode { is_best, ..SessionNode::unknown(seat) },
        Some(node) => SessionNode {
            played: None,
            seat: node.player.index(),
            score: Some(node.score),
            bounds: node.bounds,
            visits: node.visits,
            status: Some(node.status),
            children: node.children,
            is_best,
        },
    }
}

/// A search that doesn't prune siblings.
struct Plain<G: Game, S> {
    search: S,
    kept: Kept<G>,
}

impl<G: GameNotation, S: Search<G> + Send> Searcher<G> for Plain<G, S> {
    fn think(&mut self, game: &G, _: Player, budget: Budget) -> Found<G::Move> {
        self.kept.think(&mut self.search, game, budget)
    }

    fn known(&self, place: &Place<'_, G>) -> Known<G::Move> {
        self.kept.known(self.search.tree(), place)
    }

    fn memory(&self) -> Option<Memory> {
        self.search.tree().map(|tree| tree.memory())
    }

    fn count(&self, game: &G) -> Option<Counts> {
        count(self.search.tree()?, game)
    }
}

/// A search that prunes siblings.
pub(super) struct Pruning<G: Game, E, const V: usize> {
    search: Minimax<G, E, V>,
    kept: Kept<G>,
    is_off: bool,
}

impl<G: GameNotation, E: Evaluation<G>, const V: usize> Pruning<G, E, V> {
    pub(super) fn new(search: Minimax<G, E, V>, is_off: bool) -> Pruning<G, E, V> {
        Pruning { search, kept: Kept::new(), is_off }
    }
}

impl<G: GameNotation, E: Evaluation<G> + Send, const V: usize> Searcher<G> for Pruning<G, E, V> {
    fn think(&mut self, game: &G, _: Player, budget: Budget) -> Found<G::Move> {
        self.kept.think(&mut self.search, game, budget)
    }

    fn known(&self, place: &Place<'_, G>) -> Known<G::Move> {
        self.kept.known(self.search.tree(), place)
    }

    fn memory(&self) -> Option<Memory> {
        Search::<G>::tree(&self.search).map(|tree| tree.memory())
    }

    fn count(&self, game: &G) -> Option<Counts> {
        count(self.search.tree()?, game)
    }

    fn threshold(&self) -> Option<i32> {
        (!self.is_off).then(|| self.search.threshold())
    }

    fn set_threshold(&mut self, threshold: Threshold) -> bool {
        self.is_off = threshold == Threshold::OFF;
        self.search.set_threshold(threshold);
        true
    }
}
