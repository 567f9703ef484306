//! Finds the position of this turn in the tree of the last one, for all searches that keep trees.

use crate::clock::{Budget, Meter};
use crate::game::{Game, Player};
use crate::pool::{NodeId, Pool};

/// The maximum number of moves since the last search for its tree to be found again.
pub(super) const KEEP_PLIES: usize = 4;

/// The maximum number of positions generated for the lookup: about a millisecond.
const MOST_POSITIONS: u64 = 20_000;

/// Bounds the search for a position, by count and by the turn's deadline.
pub(super) type Bound = Meter<1024>;

/// The bound of a search with this budget: a quarter of its time.
pub(super) fn bound(budget: &Budget) -> Bound {
    Meter::new(budget.share(1, 4).with_nodes(MOST_POSITIONS))
}

/// The result of looking up the position in the last turn's tree.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TreeReuse {
    /// The position's subtree was kept, `plies` below the old root.
    Subtree { plies: usize },
    /// Nothing was kept: the pool has only a root. `restarted` if the position can't follow from the last
    /// one.
    Nothing { restarted: bool },
}

impl TreeReuse {
    /// For [`Report::restarted`](crate::Report::restarted).
    pub(super) fn restarted(self) -> bool {
        self == TreeReuse::Nothing { restarted: true }
    }
}

/// Makes `game` the root of `pool`, whose tree stands for `last` so far: with its subtree, if a few moves
/// lead from `last` to it, or else with an empty tree.
///
/// `enter` returns the move that led to a node at the given number of plies below the root, or `None` to skip
/// it.
pub(super) fn keep<T: Copy + Default, G: Game>(
    pool: &mut Pool<T>,
    last: Option<&G>,
    game: &G,
    budget: &Budget,
    enter: impl Fn(usize, &T) -> Option<G::Move> + Copy,
) -> TreeReuse {
    let Some(last) = last else {
        pool.clear();
        return TreeReuse::Nothing { restarted: false };
    };
    let mut bound = bound(budget);
    // The shallowest first: four plies down there are thousands of positions to compare.
    for plies in 0..=KEEP_PLIES {
        if let Some(id) = find(pool, pool.root(), last, game, (0, plies), &mut bound, enter) {
            pool.keep(id);
            return TreeReuse::Subtree { plies };
        }
    }
    pool.clear();
    TreeReuse::Nothing { restarted: !may_follow(last, game, &mut bound) }
}

/// The first node exactly `to` plies below the root that stands for `game`; `id` is `from` plies below it.
fn find<T: Copy + Default, G: Game>(
    pool: &Pool<T>,
    id: NodeId,
    at: &G,
    game: &G,
    (from, to): (usize, usize),
    bound: &mut Bound,
    enter: impl Fn(usize, &T) -> Option<G::Move> + Copy,
) -> Option<NodeId> {
    if from == to {
        return (at == game).then_some(id);
    }
    pool.children(id).iter().find_map(|child| {
        let m = enter(from, pool.get(child))?;
        let next = bound.take().then(|| at.after(m))?;
        find(pool, child, &next, game, (from + 1, to), bound, enter)
    })
}

/// Whether `game` can be the next position in which the player to move at `last` has a choice. True as well where the
/// bound or the depth ended the enumeration.
pub(super) fn may_follow<G: Game>(last: &G, game: &G, bound: &mut Bound) -> bool {
    last == game || leads_to(last, game, last.to_move(), 0, bound)
}

/// Plies that [`may_follow`] looks ahead.
const FOLLOW_PLIES: usize = 2 * KEEP_PLIES;

#[cold]
fn leads_to<G: Game>(at: &G, game: &G, player: Player, plies: usize, bound: &mut Bound) -> bool {
    if !bound.is_in_time() {
        return true;
    }
    let mut list = G::Moves::default();
    at.moves(&mut list);
    list.iter().any(|&m| {
        if !bound.take() || plies == FOLLOW_PLIES {
            return true;
        }
        let next = at.after(m);
        // A bot may skip the search where there is only one move.
        next == *game
            || !bound.is_in_time()
            || (next.to_move() != player || next.count_moves() == 1)
                && leads_to(&next, game, player, plies + 1, bound)
    })
}
