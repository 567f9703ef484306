//! The nodes of a graph, found by hash, with their edges; nodes that a turn leaves unreachable are collected
//! incrementally during the next turns.

use crate::game::Player;
use crate::pool::{Block, NodeId, Pool};

use super::bounds::Bounds;
use super::policy::Rewards;

/// No node.
pub(super) const NONE: u32 = u32::MAX;
/// Edges there are room for, a node. (The tree makes 1.8 nodes an iteration in tic-tac-toe, 2.8 in Kalah,
/// 3.9 in connect four, 4.1 in reversi, 4.9 in ultimate tic-tac-toe; a graph as many edges, and one node.)
const EDGES: usize = 4;
/// Nodes marked or swept in each step of the collection.
const STEP: usize = 16;

/// A position: what has been found out of it on every way there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<const V: usize> {
    key: u64,
    /// The sums of rewards: of each player, or for one or two players of the first alone.
    pub(super) sums: [i64; V],
    pub(super) visits: u32,
    /// The next node with the same head.
    chain: u32,
    /// The next free node, or the next to be marked.
    link: u32,
    first: u32,
    count: u16,
    /// The collection that has last found it to be of use; 0 if it's free.
    epoch: u16,
    /// As the first of two players sees them.
    pub(super) bounds: Bounds,
    /// The game is over there.
    pub(super) is_over: bool,
}

impl<const V: usize> Node<V> {
    #[cfg(test)]
    pub(super) fn is_valid<M, X>(&self, store: &Store<M, X, V>) -> bool {
        self.epoch != 0 && self.epoch >= store.valid
    }

    pub(super) fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    pub(super) fn edges(&self) -> Block {
        Block { first: self.first, len: self.count }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, rewards: &Rewards) {
        self.visits += 1;
        for (sum, reward) in self.sums.iter_mut().zip(rewards.all()) {
            *sum += i64::from(*reward);
        }
    }
}

/// A move of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge<M, X> {
    /// The node it leads to, once it was visited and there was room.
    pub(super) target: u32,
    pub(super) visits: u32,
    /// The sum of the mover's rewards, an `i64` in two halves.
    pub(super) sum: [u32; 2],
    pub(super) m: M,
    /// The player to move.
    pub(super) by: Player,
    /// The policy excludes it.
    pub(super) is_absent: bool,
    pub(super) prior: X,
}

impl<M: Default, X: Default> Default for Edge<M, X> {
    fn default() -> Edge<M, X> {
        let (m, prior) = (M::default(), X::default());
        Edge { target: NONE, visits: 0, sum: [0; 2], m, by: Player::FIRST, is_absent: false, prior }
    }
}

impl<M, X> Edge<M, X> {
    #[inline(always)]
    pub(super) fn sum(&self) -> i64 {
        (u64::from(self.sum[0]) | u64::from(self.sum[1]) << 32) as i64
    }

    #[inline(always)]
    pub(super) fn add(&mut self, reward: i32) {
        let sum = (self.sum() + i64::from(reward)) as u64;
        self.sum = [sum as u32, (sum >> 32) as u32];
        self.visits += 1;
    }
}

/// The phase of the collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Idle: nothing to collect.
    Idle,
    /// Marking the nodes below the root.
    Mark,
    /// Freeing the nodes without a mark, in order of their index.
    Sweep { next: u32 },
}

/// Nodes and edges in a fixed number of bytes.
///
/// The collection is incremental mark and sweep (Dijkstra et al., *On-the-Fly Garbage Collection*, 1978):
/// new nodes are marked, and so is a node that an edge is led to while marking goes on.
#[derive(Debug, Clone)]
pub(super) struct Store<M, X, const V: usize> {
    pub(super) nodes: Vec<Node<V>>,
    capacity: usize,
    pub(super) edges: Pool<Edge<M, X>>,
    /// The first node of each chain, by the hash's low bits; its complement, so that a new table is
    /// pages of zeros that the system hands out when they are first used.
    heads: Vec<u32>,
    free: u32,
    gray: u32,
    epoch: u16,
    /// Marks as old as this are of use; older ones are not.
    valid: u16,
    phase: Phase,
    live: usize,
}

impl<M: Copy + Default, X: Copy + Default, const V: usize> Store<M, X, V> {
    /// The bytes of a node with its share of edges and of the table.
    pub(super) const UNIT_BYTES: usize =
        size_of::<Node<V>>() + EDGES * Pool::<Edge<M, X>>::NODE_BYTES + size_of::<u32>();

    pub(super) fn with_bytes(bytes: usize) -> Self {
        let capacity = (bytes / Self::UNIT_BYTES).clamp(1, NONE as usize - 1);
        // The largest power of two up to the capacity: chains have two nodes at most on average.
        let heads = 1 << capacity.ilog2();
        Store {
            nodes: Vec::with_capacity(capacity),
            capacity,
            edges: Pool::with_nodes(EDGES * capacity),
            heads: vec![!NONE; heads],
            free: NONE,
            gray: NONE,
            epoch: 1,
            valid: 1,
            phase: Phase::Idle,
            live: 0,
        }
    }

    pub(super) fn live(&self) -> usize {
        self.live
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.heads.fill(!NONE);
        (self.free, self.gray, self.epoch, self.valid, self.live) = (NONE, NONE, 1, 1, 0);
        self.phase = Phase::Idle;
    }

    #[inline(always)]
    fn head(&mut self, key: u64) -> &mut u32 {
        let mask = self.heads.len() - 1;
        &mut self.heads[key as usize & mask]
    }

    /// The node with this key, if neither it nor anything reachable from it is being collected.
    #[inline(always)]
    pub(super) fn find(&mut self, key: u64) -> Option<u32> {
        let mut at = !*self.head(key);
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.key == key && node.epoch >= self.valid {
                return Some(at);
            }
            at = node.chain;
        }
        None
    }

    /// Finds a node, or makes one; `None` if the store is full.
    #[inline(always)]
    pub(super) fn find_or_make(&mut self, key: u64) -> Option<u32> {
        if self.phase != Phase::Idle {
            self.collect();
        }
        if let Some(found) = self.find(key) {
            if self.phase == Phase::Mark {
                self.shade(found);
            }
            return Some(found);
        }
        let at = if self.free != NONE {
            let at = self.free;
            self.free = self.nodes[at as usize].link;
            at
        } else if self.nodes.len() < self.capacity {
            self.nodes.len() as u32
        } else {
            return None;
        };
        let epoch = self.epoch;
        let head = self.head(key);
        let chain = !std::mem::replace(head, !at);
        let node = Node {
            key,
            sums: [0; V],
            visits: 0,
            chain,
            link: NONE,
            first: 0,
            count: 0,
            epoch,
            bounds: Bounds::OPEN,
            is_over: false,
        };
        if at as usize == self.nodes.len() {
            self.nodes.push(node);
        } else {
            self.nodes[at as usize] = node;
        }
        self.live += 1;
        Some(at)
    }

    /// Gives a node without edges `count` edges; `None` if the store is full.
    #[inline(always)]
    pub(super) fn expand(&mut self, at: u32, count: usize) -> Option<Block> {
        if self.phase != Phase::Idle {
            self.collect();
        }
        let block = self.edges.reserve(count)?;
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (block.first, block.len);
        Some(block)
    }

    /// Takes a node's edges away again.
    #[cold]
    pub(super) fn fold(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        let edges = node.edges();
        node.count = 0;
        self.edges.release(edges);
    }

    /// From here on only what can be reached from `root` is of use.
    pub(super) fn keep(&mut self, root: u32) {
        if self.epoch == u16::MAX {
            // Once in 65,534 turns: all marks are made the same.
            self.nodes.iter_mut().filter(|node| node.epoch != 0).for_each(|node| {
                node.epoch = if node.epoch >= self.valid { 2 } else { 1 };
            });
            (self.epoch, self.valid) = (2, 2);
        }
        self.epoch += 1;
        (self.phase, self.gray) = (Phase::Mark, NONE);
        self.shade(root);
    }

    fn shade(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        if node.epoch < self.epoch {
            node.epoch = self.epoch;
            node.link = std::mem::replace(&mut self.gray, at);
        }
    }

    /// A step of the collection.
    #[cold]
    fn collect(&mut self) {
        for _ in 0..STEP {
            match self.phase {
                Phase::Idle => return,
                Phase::Mark if self.gray == NONE => {
                    self.valid = self.epoch;
                    self.phase = Phase::Sweep { next: 0 };
                }
                Phase::Mark => {
                    let node = self.nodes[self.gray as usize];
                    self.gray = node.link;
                    for edge in node.edges().iter() {
                        let target = self.edges.get(edge).target;
                        if target != NONE {
                            self.shade(target);
                        }
                    }
                }
                Phase::Sweep { next } if next as usize == self.nodes.len() => self.phase = Phase::Idle,
                Phase::Sweep { next } => {
                    self.phase = Phase::Sweep { next: next + 1 };
                    let node = self.nodes[next as usize];
                    if 0 < node.epoch && node.epoch < self.valid {
                        self.drop(next, node);
                    }
                }
            }
        }
    }

    fn drop(&mut self, at: u32, node: Node<V>) {
        self.edges.release(node.edges());
        let head = self.head(node.key);
        if *head == !at {
            *head = !node.chain;
        } else {
            let mut before = !*head;
            while self.nodes[before as usize].chain != at {
                before = self.nodes[before as usize].chain;
            }
            self.nodes[before as usize].chain = node.chain;
        }
        let free = self.free;
        let node = &mut self.nodes[at as usize];
        (node.epoch, node.link, node.first, node.count) = (0, free, 0, 0);
        self.free = at;
        self.live -= 1;
    }

    /// The node that an edge leads to.
    pub(super) fn target(&self, edge: NodeId) -> Option<&Node<V>> {
        self.nodes.get(self.edges.get(edge).target as usize)
    }

    /// Checks the lists of nodes by walking all of them.
    ///
    /// # Panics
    /// If a node is lost, or in two of them.
    #[cfg(test)]
    pub(super) fn audit(&self) {
        let mut found = vec![0; self.nodes.len()];
        let mut walk = |mut at: u32, next: fn(&Node<V>) -> u32| {
            while at != NONE {
                found[at as usize] += 1;
                at = next(&self.nodes[at as usize]);
            }
        };
        walk(self.free, |node| node.link);
        self.heads.iter().for_each(|&head| walk(!head, |node| node.chain));
        assert!(found.iter().all(|&times| times == 1), "a node is lost or in two lists");
        assert_eq!(self.nodes.iter().filter(|node| node.epoch != 0).count(), self.live);
        assert!(self.nodes.len() <= self.capacity);
        let edges: usize = self.nodes.iter().map(|node| usize::from(node.count)).sum();
        assert_eq!(edges + 1, self.edges.live(), "an edge is lost");
    }
}
