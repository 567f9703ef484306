//! Implements [`Session`] for any game and search.

use coppice::pool::NodeId;
use coppice::search::Threshold;
use coppice::tree::{Memory, Status};
use coppice::{Budget, Game, Player, Search, Tree};

use super::{Counts, Look, NotPruning, Session, SessionNode, Thought};
use crate::drawing::Shape;
use crate::notation::{self, listed, Notation};
use crate::referee::{IllegalMove, Seat};

/// A search, with optional access to siblings pruning.
pub trait Searcher<G: Game>: Send {
    /// The search.
    fn search(&mut self) -> &mut dyn Search<G>;

    /// The search, for inspection.
    fn inspect(&self) -> &dyn Search<G>;

    /// The siblings threshold, if pruning is on.
    fn threshold(&self) -> Option<i32> {
        None
    }

    /// Sets the threshold; returns false if the search doesn't prune siblings.
    fn set_threshold(&mut self, _threshold: Threshold) -> bool {
        false
    }
}

/// Maximum number of nodes counted.
const MOST_COUNTED: u64 = 10_000_000;

/// A game and a search on it.
pub struct Played<G: Notation> {
    /// Boxed because states may be large.
    start: Box<G>,
    game: Box<G>,
    /// The position searched last.
    thought: Option<Box<G>>,
    /// The best line of that search.
    last_line: Vec<G::Move>,
    moves: Vec<G::Move>,
    names: Vec<String>,
    search: Box<dyn Searcher<G>>,
}

impl<G: Notation> Played<G> {
    /// A session before the first move.
    pub fn new(start: Box<G>, search: Box<dyn Searcher<G>>) -> Played<G> {
        let game = start.clone();
        Played {
            start,
            game,
            thought: None,
            last_line: Vec::new(),
            moves: Vec::new(),
            names: Vec::new(),
            search,
        }
    }

    /// The tree, if its root is the current position.
    fn tree(&self) -> Option<&dyn Tree<G>> {
        self.thought.as_ref().filter(|thought| **thought == self.game)?;
        self.search.inspect().tree()
    }

    /// The position at the end of a path, its node if it is in the tree, and the seat that chose it; at the
    /// root, the seat to move.
    fn walk(&self, path: &[String]) -> Result<(Box<G>, Option<NodeId>, Seat), IllegalMove> {
        let tree = self.tree();
        let mut game = self.game.clone();
        let mut at = tree.and_then(|tree| tree.root());
        let mut chooser = game.to_move().index();
        for text in path {
            let m = notation::read(&*game, text)?;
            at = tree.zip(at).and_then(|(tree, id)| child(tree, id, m));
            chooser = game.to_move().index();
            game.play(m);
        }
        Ok((game, at, chooser))
    }

    /// For a search without a tree: the rest of its line after a path, if the line starts with that path.
    fn last_line_from(&self, path: &[String]) -> Vec<G::Move> {
        let is_current = self.thought.as_ref().is_some_and(|thought| *thought == self.game);
        if !is_current || self.search.inspect().tree().is_some() {
            return Vec::new();
        }
        match self.line_names(&self.game, &self.last_line).starts_with(path) {
            true => self.last_line[path.len()..].to_vec(),
            false => Vec::new(),
        }
    }

    fn line_names(&self, game: &G, line: &[G::Move]) -> Vec<String> {
        let mut game = Box::new(game.clone());
        let name = |&m: &G::Move| {
            let name = game.name(m);
            game.play(m);
            name
        };
        line.iter().map(name).collect()
    }
}

/// The child reached by a move.
pub(super) fn child<G: Game>(tree: &dyn Tree<G>, id: NodeId, m: G::Move) -> Option<NodeId> {
    let mut children = (0..tree.node(id).children).map(|i| tree.child(id, i));
    children.find(|&child| tree.node(child).played == Some(m))
}

fn mover<G: Game>(game: &G) -> Option<Seat> {
    (!game.is_over()).then(|| game.to_move().index())
}

fn points<G: Notation>(game: &G) -> Vec<i64> {
    (0..G::PLAYERS).map(|i| game.points(Player::new(i as u8))).collect()
}

/// A node of a tree; what is unknown if there is none.
pub(super) fn view<G: Game>(
    tree: Option<&dyn Tree<G>>,
    id: Option<NodeId>,
    seat: Seat,
    played: Option<String>,
    is_best: bool,
) -> SessionNode {
    match tree.zip(id).map(|(tree, id)| tree.node(id)) {
        None => SessionNode { played, is_best, ..SessionNode::unknown(seat) },
        Some(node) => SessionNode {
            played,
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

impl<G: Notation> Session for Played<G> {
    fn show(&self) -> String {
        self.game.to_string()
    }

    fn mark(&self, _seat: Seat, text: &str) -> Vec<Shape> {
        notation::read(&*self.game, text).map_or_else(|_| Vec::new(), |m| self.game.mark(m))
    }

    fn to_move(&self) -> Option<Seat> {
        mover(&*self.game)
    }

    fn moves(&self) -> Vec<String> {
        notation::names(&*self.game)
    }

    /// Names no other moves.
    fn only_move(&self) -> Option<String> {
        match listed(&*self.game).as_ref() {
            &[only] => Some(self.game.name(only)),
            _ => None,
        }
    }

    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        let m = notation::read(&*self.game, text)?;
        self.names.push(self.game.name(m));
        self.moves.push(m);
        self.game.play(m);
        Ok(())
    }

    fn played(&self) -> &[String] {
        &self.names
    }

    fn take_back_to(&mut self, count: usize) {
        self.names.truncate(count);
        self.moves.truncate(count);
        self.game = self.start.clone();
        self.moves.iter().for_each(|&m| self.game.play(m));
    }

    fn think(&mut self, budget: Budget) -> Thought {
        let report = self.search.search().search(&self.game, budget);
        self.thought = Some(self.game.clone());
        let line = report.best.map(|best| self.search.inspect().line(&self.game, best));
        self.last_line = line.map_or_else(Vec::new, |line| line.to_vec());
        Thought {
            best: report.best.map(|best| self.game.name(best)),
            score: report.score,
            nodes: report.nodes,
            depth: report.depth,
            solved: report.solved,
            line: self.line_names(&self.game, &self.last_line),
            strategy: Vec::new(),
        }
    }

    fn scores(&self) -> Vec<i64> {
        points(&*self.game)
    }

    fn look(&self, path: &[String]) -> Result<Look, IllegalMove> {
        let (game, at, chooser) = self.walk(path)?;
        let tree = self.tree();
        let best = tree.zip(at).and_then(|(tree, id)| tree.best(id));
        let line = match tree.zip(at) {
            Some((tree, id)) => tree.best_line(id).to_vec(),
            None => self.last_line_from(path),
        };
        let mover_there = game.to_move().index();
        let child_view = |&m: &G::Move| {
            let id = tree.zip(at).and_then(|(tree, id)| child(tree, id, m));
            view(
                tree,
                id,
                mover_there,
                Some(game.name(m)),
                id.map_or(line.first() == Some(&m), |id| Some(id) == best),
            )
        };
        Ok(Look {
            shown: game.to_string(),
            to_move: mover(&*game),
            scores: game.is_over().then(|| points(&*game)),
            node: view(tree, at, chooser, path.last().cloned(), false),
            children: listed(&*game).iter().map(child_view).collect(),
            line: self.line_names(&game, &line),
        })
    }

    fn memory(&self) -> Option<Memory> {
        self.search.inspect().tree().map(|tree| tree.memory())
    }

    fn count(&self) -> Option<Counts> {
        let tree = self.tree()?;
        let mut counts = Counts::default();
        let mut open = vec![tree.root()?];
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

    fn threshold(&self) -> Option<i32> {
        self.search.threshold()
    }

    fn set_threshold(&mut self, threshold: Threshold) -> Result<(), NotPruning> {
        self.search.set_threshold(threshold).then_some(()).ok_or(NotPruning)
    }
}
