//! A tree from one turn to the next: the position really reached is looked for in it.

use crate::game::Game;
use crate::pool::{NodeId, Pool};

/// How many moves may have been made since the last search for its tree to be found again.
const KEEP_PLIES: u32 = 4;

/// How many positions are made to find it: bounds the time, about a millisecond.
const LOOK_AT: u32 = 20_000;

/// Makes `game` the root of `pool`, whose tree stands for `root` so far: with the subtree that is
/// there, if a few moves lead from `root` to it, or else without any. False if nothing was kept.
///
/// `move_of` tells the move that led to a node.
pub(super) fn keep<T: Copy + Default, G: Game>(
    pool: &mut Pool<T>,
    root: Option<&G>,
    game: &G,
    move_of: impl Fn(&T) -> G::Move + Copy,
) -> bool {
    let mut left = LOOK_AT;
    let mut at_depth = |root| {
        (0..=KEEP_PLIES).find_map(|plies| find(pool, pool.root(), root, game, plies, &mut left, move_of))
    };
    match root.and_then(&mut at_depth) {
        Some(id) => {
            pool.keep(id);
            true
        }
        None => {
            pool.clear();
            false
        }
    }
}

/// The first node exactly `plies` below `id` that stands for `game`.
fn find<T: Copy + Default, G: Game>(
    pool: &Pool<T>,
    id: NodeId,
    at: &G,
    game: &G,
    plies: u32,
    left: &mut u32,
    move_of: impl Fn(&T) -> G::Move + Copy,
) -> Option<NodeId> {
    if plies == 0 {
        return (at == game).then_some(id);
    }
    pool.children(id).iter().find_map(|child| {
        *left = left.checked_sub(1)?;
        find(pool, child, &at.after(move_of(pool.get(child))), game, plies - 1, left, move_of)
    })
}
