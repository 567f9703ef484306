//! The report and the best line of a search, for the tree and the graph.

use crate::clock::Meter;
use crate::game::{Game, Payoff, Player};
use crate::list::List;
use crate::pool::NodeId;
use crate::score::Score;
use crate::search::report::{or_only, Report};
use crate::tree::{Tree, LINE};

use super::options::MAX_PATH;
use super::solo::Solo;

/// A tree of moves below a root, walked along the answers.
pub(super) trait Answers<G: Game> {
    /// The root's place.
    fn top(&self) -> NodeId;

    /// The child of `id` that would be the answer if `mover` is to move there. It matters to three players and more.
    fn answer(&self, id: NodeId, mover: Player) -> Option<NodeId>;

    /// The number of children.
    fn width(&self, id: NodeId) -> usize;

    /// The move that leads to a child.
    fn move_to(&self, id: NodeId) -> G::Move;
}

/// Statistics of the root's best child.
pub(super) struct Found {
    /// The least that the payoff's sign can be for the player to move.
    pub(super) lower: i8,
    /// The mean reward.
    pub(super) mean: f64,
    /// Nothing below the root can change its value.
    pub(super) settled: bool,
    /// The policy excludes some of the root's moves.
    pub(super) is_partial: bool,
}

/// Children that are compared for a report's depth: 0.1 ms, after the deadline.
const MOST_SEEN: usize = 1 << 14;

/// The report of a search; `found` returns a child's statistics. `first` is the first move of the root, where it has no
/// children.
pub(super) fn report<G: Game, A: Answers<G>>(
    tree: &A,
    solo: &Solo<G::Move>,
    game: &G,
    first: Option<G::Move>,
    mut meter: Meter<16>,
    found: impl FnOnce(NodeId) -> Found,
) -> Report<G::Move> {
    let nodes = meter.nodes();
    let Some(best) = tree.answer(tree.top(), game.to_move()) else {
        return without_children(game, solo.line.first().copied().or(first), nodes);
    };
    let (mut depth, mut at, mut state, mut seen) = (0, Some(best), game.clone(), 0);
    while let Some(id) = at.filter(|_| depth < MAX_PATH as u32) {
        depth += 1;
        seen += tree.width(id);
        if seen > MOST_SEEN {
            break;
        }
        // The answers of three players and more depend on who is to move.
        if G::PLAYERS > 2 {
            if !meter.is_in_time() {
                break;
            }
            state.play(tree.move_to(id));
        }
        at = tree.answer(id, state.to_move());
    }
    let Found { lower, mean, settled, is_partial } = found(best);
    // A win is certain, whatever the excluded moves are worth.
    let solved = settled && (!is_partial || G::PLAYERS > 1 && lower > 0);
    let score = match solo.best {
        Some(best) => Score::estimate(best),
        None if settled && G::PLAYERS > 1 => Score::ended(Payoff(i32::from(lower))),
        None => Score::estimate(mean as i32),
    };
    Report { best: Some(tree.move_to(best)), score, nodes, depth, solved, restarted: false }
}

/// The report where the deadline had passed before the search: the first listed move. The tree stays as it is.
#[cold]
pub(super) fn unsearched<G: Game>(game: &G) -> Report<G::Move> {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    without_children(game, list.first().copied(), 0)
}

/// The report where the game is over, or where not even the root's children fit into the pool.
fn without_children<G: Game>(game: &G, best: Option<G::Move>, nodes: u64) -> Report<G::Move> {
    let score = match best {
        Some(_) => Score::DRAW,
        None if G::PLAYERS == 1 => Score::estimate(game.payoff(game.to_move()).0),
        None => Score::ended(game.payoff(game.to_move())),
    };
    Report { best, score, nodes, depth: 0, solved: best.is_none(), restarted: false }
}

/// The best line from the root on that begins with `best`: `best` alone where the tree is of another position.
pub(super) fn line<G: Game, A: Answers<G> + Tree<G>>(
    tree: &A,
    solo: &Solo<G::Move>,
    game: &G,
    best: G::Move,
) -> List<G::Move, LINE> {
    let mut line = List::default();
    if tree.position() != Some(game) {
        return or_only(line, best);
    }
    if G::PLAYERS == 1 && !solo.line.is_empty() {
        solo.line.iter().take(LINE).for_each(|&m| line.push(m));
        return or_only(line, best);
    }
    let mut state = game.clone();
    let mut at = tree.answer(tree.top(), state.to_move());
    while let Some(id) = at.filter(|_| line.len() < LINE) {
        let m = tree.move_to(id);
        line.push(m);
        state.play(m);
        at = tree.answer(id, state.to_move());
    }
    or_only(line, best)
}
