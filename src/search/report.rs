//! The interface of every search, [`Search`], and its answer, [`Report`].

use crate::clock::Budget;
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::list::List;
use crate::score::Score;
use crate::tree::{Tree, LINE};

/// Finds a move. Memory is allocated at construction: a search allocates nothing.
pub trait Search<G: Game> {
    /// Looks for the best move of `game` within a budget. With a node budget the answer is determined by the
    /// game, the search's options and seed, and the earlier searches.
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move>;

    /// The best line from `game` on that begins with `best`, the answer of the last search, as far as the
    /// search has seen it: at least `best`.
    fn line(&self, _game: &G, best: G::Move) -> List<G::Move, LINE> {
        let mut line = List::default();
        line.push(best);
        line
    }

    /// A view of the last search's tree, if it keeps one.
    fn tree(&self) -> Option<&dyn Tree<G>> {
        None
    }
}

/// The report where the deadline had passed before the search: the first listed move. The search's tree stays as it is.
#[cold]
pub(super) fn unsearched<G: Game, E: Evaluation<G>>(game: &G, evaluation: &E) -> Report<G::Move> {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    match list.first() {
        None => Report::ended(evaluation.ended(game)),
        best => Report { best: best.copied(), solved: false, ..Report::ended(Score::DRAW) },
    }
}

/// The best line of a search's tree that begins with `best`: `best` alone where the tree is of another position.
pub(super) fn line_of<G: Game, T: Tree<G>>(tree: &T, game: &G, best: G::Move) -> List<G::Move, LINE> {
    let root = tree.root().filter(|_| tree.position() == Some(game));
    or_only(root.map_or_else(List::default, |root| tree.best_line(root)), best)
}

/// A line, or `best` alone if the line begins otherwise.
pub(super) fn or_only<M: Copy + Default + PartialEq>(mut line: List<M, LINE>, best: M) -> List<M, LINE> {
    if line.first() != Some(&best) {
        line = List::default();
        line.push(best);
    }
    line
}

/// The result of a search.
#[must_use = "the report holds the move to make"]
#[derive(Debug, Clone)]
pub struct Report<M> {
    /// The move to make; `None` if and only if the game is over.
    pub best: Option<M>,
    /// The position's value for the player to move. Of a Monte Carlo search an estimate is the mean result in thousandths, from
    /// -1000 to 1000.
    pub score: Score,
    /// Nodes visited: for a tree of moves the moves made, for a Monte Carlo search its iterations.
    pub nodes: u64,
    /// Plies that were searched in full, or the length of the best line of a best-first search; where positions have thousands
    /// of moves, [`Mcts`](super::Mcts) and [`McGraph`](super::McGraph) don't follow it to its end.
    pub depth: u32,
    /// The score is certain: no estimate went into it. Among three players and more it is so for one way of
    /// breaking ties, which is the search's own.
    pub solved: bool,
    /// The search keeps its tree from turn to turn, and this position can't follow from the last one: no sequence of
    /// legal moves leads from there to the same player's next choice here. It was searched without the old tree.
    /// False wherever that isn't certain, on a first search, and of searches that keep no tree.
    pub restarted: bool,
}

impl<M> Report<M> {
    /// Of a game that is over, with its value.
    pub const fn ended(score: Score) -> Report<M> {
        Report { best: None, score, nodes: 0, depth: 0, solved: true, restarted: false }
    }
}
