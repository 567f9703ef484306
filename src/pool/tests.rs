//! Laws of the pool.

use super::*;
use crate::rng::Rng;

/// Expands random leaves until the pool is full.
fn grow(pool: &mut Pool<u64>, rng: &mut Rng, widest: u32) {
    let mut refused = 0;
    while refused < 20 {
        let mut id = pool.root();
        while !pool.children(id).is_empty() {
            let children = pool.children(id);
            id = children.get(rng.below(children.len() as u32) as usize);
        }
        let data = *pool.get(id);
        match pool.expand(id, 1 + rng.below(widest) as usize) {
            None => refused += 1,
            Some(block) => {
                for (i, child) in block.iter().enumerate() {
                    *pool.get_mut(child) = crate::rng::mix(data ^ i as u64);
                }
            }
        }
    }
}

/// A tree's shape and data, independent of ids.
fn describe(pool: &Pool<u64>, id: NodeId) -> Vec<u64> {
    let mut all = vec![*pool.get(id), pool.children(id).len() as u64];
    for child in pool.children(id).iter() {
        all.extend(describe(pool, child));
    }
    all
}

#[test]
fn kept_subtrees_stay_as_they_are_over_many_turns() {
    for (nodes, widest) in [(1, 3), (10, 3), (2_000, 5), (5_000, 40), (20_000, 300)] {
        let mut pool = Pool::with_nodes(nodes);
        let mut rng = Rng::new(nodes as u64);
        for turn in 0..100 {
            grow(&mut pool, &mut rng, widest);
            pool.audit();
            let children = pool.children(pool.root());
            if children.is_empty() {
                pool.clear();
                continue;
            }
            // A child or a grandchild.
            let mut id = children.get(rng.below(children.len() as u32) as usize);
            if turn % 2 == 0 && !pool.children(id).is_empty() {
                id = pool.children(id).get(0);
            }
            let before = describe(&pool, id);
            let root = pool.keep(id);
            assert_eq!((root, pool.parent(root)), (pool.root(), None));
            assert_eq!(describe(&pool, root), before);
            pool.audit();
            grow(&mut pool, &mut rng, widest);
        }
        assert!(pool.live() * 10 >= nodes * 6, "{} of {nodes} nodes can be used", pool.live());
    }
}

/// Ten thousand turns in pools of many sizes: every node has one owner, none is lost, a full pool
/// refuses, and what is kept stays as it was.
#[test]
fn nothing_leaks_over_ten_thousand_turns() {
    // Miri is a thousand times slower.
    let turns = if cfg!(miri) { 40 } else { 10_000 };
    for (nodes, widest) in [(1, 2), (7, 3), (64, 4), (150, 90), (400, 9)] {
        let mut pool = Pool::with_nodes(nodes);
        let mut rng = Rng::new(nodes as u64);
        let mut most = 0;
        for turn in 0..turns {
            grow(&mut pool, &mut rng, widest);
            most = most.max(pool.live());
            assert!(pool.live() <= pool.capacity());
            // Down to a child or further, or to nothing.
            let mut id = pool.root();
            for _ in 0..rng.below(4) {
                let children = pool.children(id);
                if !children.is_empty() {
                    id = children.get(rng.below(children.len() as u32) as usize);
                }
            }
            let before = describe(&pool, id);
            let root = pool.keep(id);
            assert_eq!(describe(&pool, root), before);
            pool.audit();
            if pool.children(root).is_empty() && rng.below(2) == 0 {
                pool.clear();
                assert_eq!(pool.live(), 1);
            }
            // No nodes are lost over many turns.
            if turn % 1000 == 999 {
                assert!(most * 2 >= nodes, "{most} of {nodes} nodes were used");
                most = 0;
            }
        }
        // The whole pool is free again.
        pool.clear();
        let all = nodes - 1;
        assert!(all == 0 || pool.expand(pool.root(), all).is_some());
        pool.audit();
    }
}

#[test]
fn the_pool_is_never_allocated_again() {
    let mut pool = Pool::<u64>::with_nodes(1000);
    let (place, capacity) = (pool.nodes.as_ptr(), pool.nodes.capacity());
    let mut rng = Rng::new(1);
    for _ in 0..50 {
        grow(&mut pool, &mut rng, 9);
        let children = pool.children(pool.root());
        pool.keep(children.get(0));
    }
    assert_eq!((pool.nodes.as_ptr(), pool.nodes.capacity()), (place, capacity));
}

#[test]
fn a_full_pool_refuses_and_changes_nothing() {
    let mut pool = Pool::<u64>::with_nodes(4);
    assert!(pool.expand(pool.root(), 4).is_none());
    assert!(pool.expand(pool.root(), 70_000).is_none());
    let block = pool.expand(pool.root(), 3).unwrap();
    assert!(pool.expand(block.get(1), 1).is_none());
    assert_eq!(pool.live(), 4);
    let root = pool.keep(block.get(1));
    assert!(pool.expand(root, 3).is_some(), "what was condemned is used again");
}

/// Several trees below one root, each of which moves on by a node of its own or ends.
#[test]
fn trees_below_the_root_move_on_one_by_one() {
    for (nodes, widest) in [(30, 3), (2_000, 5), (5_000, 40)] {
        let mut pool = Pool::with_nodes(nodes);
        let mut rng = Rng::new(nodes as u64);
        for turn in 0..100 {
            grow(&mut pool, &mut rng, widest);
            for top in pool.children(pool.root()).iter() {
                let children = pool.children(top);
                match rng.below(4) {
                    _ if children.is_empty() => {}
                    0 => pool.prune(top),
                    n => {
                        let mut id = children.get(rng.below(children.len() as u32) as usize);
                        if n == 1 && !pool.children(id).is_empty() {
                            id = pool.children(id).get(0);
                        }
                        let before = describe(&pool, id);
                        pool.lift(top, id);
                        assert_eq!((describe(&pool, top), pool.parent(top)), (before, Some(pool.root())));
                    }
                }
                pool.audit();
            }
            if turn % 20 == 19 {
                pool.prune(pool.root());
                pool.audit();
            }
        }
        assert!(pool.live() * 10 >= nodes * 6, "{} of {nodes} nodes can be used", pool.live());
    }
}
