//! The static node pool: every tree of a search grows in one array that is allocated once.
//!
//! A node's children are adjacent in a *block*. Blocks are allocated and freed in any order, so the pool
//! keeps the free ones in lists by length and joins neighbours (boundary tags: Knuth, *The Art of Computer
//! Programming* 1, section 2.5, algorithm C, with segregated lists).
//!
//! When the game moves on, [`Pool::keep`] makes a node the root and condemns the rest. A condemned subtree
//! isn't freed at once: its blocks are freed one at a time as new blocks are requested, so that no turn pays
//! for freeing the whole tree of the last one.

use std::fmt;

/// A node's index in the pool. Valid until the node is condemned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    const NONE: NodeId = NodeId(u32::MAX);

    #[inline(always)]
    fn at(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The children of a node: adjacent in the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub(crate) first: u32,
    pub(crate) len: u16,
}

impl Block {
    /// The number of nodes.
    #[inline(always)]
    pub fn len(self) -> usize {
        usize::from(self.len)
    }

    /// Whether the block is empty.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The `i`-th node.
    ///
    /// # Panics
    /// In debug builds if there are no more than `i`.
    #[inline(always)]
    pub fn get(self, i: usize) -> NodeId {
        debug_assert!(i < self.len(), "child {i} of {}", self.len);
        NodeId(self.first + i as u32)
    }

    /// The nodes in order.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = NodeId> + Clone {
        (self.first..self.first + u32::from(self.len)).map(NodeId)
    }
}

/// A node: 12 bytes of links, then the search's own data.
///
/// In a live node, `first` and `count` are its block of children, and `tag` is 0. The ends of a
/// free block have the tag `FREE` and the block's length in `count`; its head has the next free
/// block of its list in `first` and the one before in `parent`. The head of a condemned block has
/// the next one in `parent` and the block's length in `tag`.
#[derive(Debug, Clone, Copy)]
struct Node<T> {
    first: u32,
    parent: u32,
    count: u16,
    tag: u16,
    data: T,
}

const FREE: u16 = u16::MAX;
/// The longest block: room for the tag `FREE` above it.
const MAX_BLOCK: u16 = u16::MAX - 1;
/// The most children of a node: with more moves in a position, a search in a pool doesn't compile.
///
/// ```compile_fail
/// use coppice::search::{Mcts, MctsOptions};
/// use coppice::{Game, List, Payoff, Player};
///
/// #[derive(Clone, PartialEq)]
/// struct Wide;
///
/// impl Game for Wide {
///     type Move = u16;
///     type Moves = List<u16, { coppice::pool::MAX_CHILDREN + 1 }>; // without `+ 1` it compiles
///     fn to_move(&self) -> Player { Player::FIRST }
///     fn moves(&self, _: &mut Self::Moves) {}
///     fn play(&mut self, _: u16) {}
///     fn payoff(&self, _: Player) -> Payoff { Payoff(0) }
///     fn hash(&self) -> u64 { 0 }
///     fn move_index(m: u16) -> u16 { m }
/// }
///
/// let search = Mcts::<Wide>::new(MctsOptions::default());
/// ```
pub const MAX_CHILDREN: usize = MAX_BLOCK as usize;

/// Refuses to compile a search whose lists of moves, with these sort keys, are too long for a pool.
#[inline(always)]
pub(crate) fn check_moves<R>() {
    const { assert!(size_of::<R>() <= 4 * MAX_CHILDREN, "in a pool a position has at most 65,534 moves") };
}

/// Free blocks of this length or more share the last list.
const LISTS: usize = 64;
/// The maximum number of blocks of the last list that are searched for one that is long enough.
const PROBES: usize = 32;
/// The maximum number of condemned blocks that one request frees: bounds the time of a request.
const DISMANTLE: usize = 64;

/// A tree in a fixed number of nodes.
///
/// ```
/// use coppice::pool::Pool;
///
/// let mut pool = Pool::<u32>::with_nodes(100);
/// let children = pool.expand(pool.root(), 3).expect("the pool has room");
/// for (number, child) in (1..).zip(children.iter()) {
///     *pool.get_mut(child) = number;
/// }
/// // The game moves on: the second child becomes the root, and the rest is freed.
/// let root = pool.keep(children.get(1));
/// assert_eq!((*pool.get(root), pool.parent(root)), (2, None));
/// ```
#[derive(Debug, Clone)]
pub struct Pool<T> {
    /// The length is the largest number of nodes ever in use; the capacity never changes.
    nodes: Vec<Node<T>>,
    capacity: usize,
    /// The first free block of each length.
    free: [u32; LISTS],
    /// Bit `n` is set when list `n` has a block.
    filled: u64,
    /// The first condemned block.
    condemned: u32,
    root: NodeId,
    live: usize,
}

impl<T: Copy + Default> Pool<T> {
    /// A pool of `nodes` nodes, which must be at least 1 and is at most 2^32 - 2.
    pub fn with_nodes(nodes: usize) -> Pool<T> {
        let capacity = nodes.clamp(1, u32::MAX as usize - 1);
        let mut pool = Pool {
            nodes: Vec::with_capacity(capacity),
            capacity,
            free: [NodeId::NONE.0; LISTS],
            filled: 0,
            condemned: NodeId::NONE.0,
            root: NodeId(0),
            live: 0,
        };
        pool.clear();
        pool
    }

    /// A pool of at most `bytes` bytes.
    pub fn with_bytes(bytes: usize) -> Pool<T> {
        Pool::with_nodes(bytes / Self::NODE_BYTES)
    }

    /// The bytes of one node.
    pub const NODE_BYTES: usize = size_of::<Node<T>>();

    /// The maximum number of nodes.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Nodes in use, including condemned nodes that haven't been freed yet.
    pub fn live(&self) -> usize {
        self.live
    }

    /// Removes the tree and leaves a root without children.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.free = [NodeId::NONE.0; LISTS];
        self.filled = 0;
        self.condemned = NodeId::NONE.0;
        self.nodes.push(Node { first: 0, parent: NodeId::NONE.0, count: 0, tag: 0, data: T::default() });
        self.root = NodeId(0);
        self.live = 1;
    }

    /// The root of the tree.
    #[inline(always)]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A node's children.
    #[inline(always)]
    pub fn children(&self, id: NodeId) -> Block {
        let node = &self.nodes[id.at()];
        Block { first: node.first, len: node.count }
    }

    /// A node's parent; `None` at the root.
    #[inline(always)]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = NodeId(self.nodes[id.at()].parent);
        (parent != NodeId::NONE).then_some(parent)
    }

    /// A node's data.
    #[inline(always)]
    pub fn get(&self, id: NodeId) -> &T {
        &self.nodes[id.at()].data
    }

    /// The data of a block's nodes in order.
    #[inline(always)]
    pub fn each(&self, block: Block) -> impl Iterator<Item = &T> {
        self.nodes[block.first as usize..][..block.len()].iter().map(|node| &node.data)
    }

    /// A node's data, mutable.
    #[inline(always)]
    pub fn get_mut(&mut self, id: NodeId) -> &mut T {
        &mut self.nodes[id.at()].data
    }

    /// Gives a node without children `count` children with default data. Returns `None` if the pool has no
    /// room for them, and leaves the tree as it was.
    ///
    /// # Panics
    /// In debug builds if the node has children.
    #[must_use = "`None`: the pool is full and the node has no children"]
    pub fn expand(&mut self, id: NodeId, count: usize) -> Option<Block> {
        debug_assert!(self.children(id).is_empty(), "{id:?} has children already");
        let len = u16::try_from(count).ok().filter(|&len| 0 < len && len <= MAX_BLOCK)?;
        let first = self.take(len, id)?;
        let parent = &mut self.nodes[id.at()];
        (parent.first, parent.count) = (first, len);
        self.live += count;
        Some(Block { first, len })
    }

    /// Allocates `count` adjacent nodes without a parent, with default data. The caller owns the block and
    /// returns it with [`Pool::release`]. `None` if the pool is full.
    pub(crate) fn reserve(&mut self, count: usize) -> Option<Block> {
        let len = u16::try_from(count).ok().filter(|&len| 0 < len && len <= MAX_BLOCK)?;
        let first = self.take(len, NodeId::NONE)?;
        self.live += count;
        Some(Block { first, len })
    }

    /// Frees a block allocated by [`Pool::reserve`].
    pub(crate) fn release(&mut self, block: Block) {
        if !block.is_empty() {
            self.live -= block.len();
            self.give_back(block.first, block.len);
        }
    }

    /// Makes a node the root and condemns everything that isn't below it. Takes time in proportion to the
    /// number of the node's children. The node's own id changes, to the one returned; those of the nodes
    /// below it stay.
    pub fn keep(&mut self, id: NodeId) -> NodeId {
        if id != self.root {
            self.lift(self.root, id);
        }
        self.root
    }

    /// Puts a node, with all below it, into the place of one above it, and condemns what else is below that one.
    pub(crate) fn lift(&mut self, old: NodeId, id: NodeId) {
        // The node can't stay in a block with its condemned siblings: it moves, and its children get a new parent.
        let mut kept = self.nodes[id.at()];
        kept.parent = self.nodes[old.at()].parent;
        let children = Block { first: kept.first, len: kept.count };
        self.nodes[id.at()].count = 0;
        self.prune(old);
        self.nodes[old.at()] = kept;
        for child in children.iter() {
            self.nodes[child.at()].parent = old.0;
        }
    }

    /// Condemns all below a node.
    pub(crate) fn prune(&mut self, id: NodeId) {
        let children = self.children(id);
        self.condemn(children);
        self.nodes[id.at()].count = 0;
    }

    /// Whether nodes of earlier trees are still to be freed: if so, repeating a refused request may succeed.
    pub fn has_condemned(&self) -> bool {
        self.condemned != NodeId::NONE.0
    }

    fn condemn(&mut self, block: Block) {
        if !block.is_empty() {
            let head = &mut self.nodes[block.first as usize];
            head.parent = self.condemned;
            head.tag = block.len;
            self.condemned = block.first;
        }
    }

    /// Frees one condemned block, and condemns its nodes' children.
    fn dismantle(&mut self) -> bool {
        let first = self.condemned;
        if first == NodeId::NONE.0 {
            return false;
        }
        let head = self.nodes[first as usize];
        self.condemned = head.parent;
        let block = Block { first, len: head.tag };
        for id in block.iter() {
            self.condemn(self.children(id));
        }
        self.live -= block.len();
        self.give_back(first, block.len);
        true
    }

    /// Allocates `len` adjacent nodes and resets them.
    fn take(&mut self, len: u16, parent: NodeId) -> Option<u32> {
        let node = Node { first: 0, parent: parent.0, count: 0, tag: 0, data: T::default() };
        let mut attempts = 0;
        let first = loop {
            if let Some(first) = self.take_free(len) {
                break first;
            }
            let end = self.nodes.len();
            if end + usize::from(len) <= self.capacity {
                self.nodes.resize(end + usize::from(len), node);
                return Some(end as u32);
            }
            if attempts == DISMANTLE || !self.dismantle() {
                return None;
            }
            attempts += 1;
        };
        self.nodes[first as usize..][..usize::from(len)].fill(node);
        Some(first)
    }

    /// Allocates from the free lists: takes the shortest block that is long enough and returns the rest to
    /// its list.
    fn take_free(&mut self, len: u16) -> Option<u32> {
        let exact = usize::from(len).min(LISTS - 1);
        let filled = self.filled >> exact << exact;
        if filled == 0 {
            return None;
        }
        let list = filled.trailing_zeros() as usize;
        let mut first = self.free[list];
        if list == LISTS - 1 {
            let mut probes = 0;
            while self.nodes[first as usize].count < len {
                first = self.nodes[first as usize].first;
                probes += 1;
                if first == NodeId::NONE.0 || probes == PROBES {
                    return None;
                }
            }
        }
        let rest = self.nodes[first as usize].count - len;
        self.unlink(first);
        if rest > 0 {
            self.link(first + u32::from(len), rest);
        }
        Some(first)
    }

    /// Frees adjacent nodes, merged with the free blocks before and after them.
    fn give_back(&mut self, first: u32, len: u16) {
        let (mut first, mut len) = (first, len);
        let after = first as usize + usize::from(len);
        if let Some(next) = self.nodes.get(after).filter(|node| node.tag == FREE) {
            if let Some(sum) = len.checked_add(next.count).filter(|&sum| sum <= MAX_BLOCK) {
                self.unlink(after as u32);
                len = sum;
            }
        }
        if let Some(before) =
            first.checked_sub(1).map(|i| self.nodes[i as usize]).filter(|node| node.tag == FREE)
        {
            if let Some(sum) = len.checked_add(before.count).filter(|&sum| sum <= MAX_BLOCK) {
                first -= u32::from(before.count);
                self.unlink(first);
                len = sum;
            }
        }
        self.link(first, len);
    }

    fn link(&mut self, first: u32, len: u16) {
        let list = usize::from(len).min(LISTS - 1);
        let next = self.free[list];
        if next != NodeId::NONE.0 {
            self.nodes[next as usize].parent = first;
        }
        let tail = first as usize + usize::from(len) - 1;
        (self.nodes[tail].tag, self.nodes[tail].count) = (FREE, len);
        let head = &mut self.nodes[first as usize];
        (head.first, head.parent, head.count, head.tag) = (next, NodeId::NONE.0, len, FREE);
        self.free[list] = first;
        self.filled |= 1 << list;
    }

    fn unlink(&mut self, first: u32) {
        let Node { first: next, parent: previous, count: len, .. } = self.nodes[first as usize];
        let list = usize::from(len).min(LISTS - 1);
        if next != NodeId::NONE.0 {
            self.nodes[next as usize].parent = previous;
        }
        if previous != NodeId::NONE.0 {
            self.nodes[previous as usize].first = next;
        } else {
            self.free[list] = next;
            if next == NodeId::NONE.0 {
                self.filled &= !(1 << list);
            }
        }
        let tail = first as usize + usize::from(len) - 1;
        self.nodes[first as usize].tag = 0;
        self.nodes[tail].tag = 0;
    }

    /// Checks every invariant by traversing the whole pool.
    ///
    /// # Panics
    /// If one is broken.
    #[cfg(test)]
    fn audit(&self) {
        let mut owner = vec![0u8; self.nodes.len()];
        let mut claim = |first: u32, len: usize, who: u8| {
            for slot in &mut owner[first as usize..][..len] {
                assert_eq!(*slot, 0, "a node has two owners");
                *slot = who;
            }
        };
        let mut stack = vec![(self.root.0, 1u16, 1u8)];
        let mut next = self.condemned;
        while next != NodeId::NONE.0 {
            stack.push((next, self.nodes[next as usize].tag, 2));
            next = self.nodes[next as usize].parent;
        }
        while let Some((first, len, who)) = stack.pop() {
            claim(first, usize::from(len), who);
            for id in (Block { first, len }).iter() {
                let children = self.children(id);
                if !children.is_empty() {
                    stack.push((children.first, children.len, who));
                }
                if who == 1 {
                    assert!(children.iter().all(|child| self.parent(child) == Some(id)));
                    assert_eq!(self.nodes[id.at()].tag, 0);
                }
            }
        }
        for list in 0..LISTS {
            let mut at = self.free[list];
            assert_eq!(self.filled >> list & 1 == 1, at != NodeId::NONE.0);
            while at != NodeId::NONE.0 {
                let node = self.nodes[at as usize];
                assert_eq!(usize::from(node.count).min(LISTS - 1), list);
                claim(at, usize::from(node.count), 3);
                at = node.first;
            }
        }
        assert!(owner.iter().all(|&who| who != 0), "a node has no owner");
        assert_eq!(owner.iter().filter(|&&who| who != 3).count(), self.live);
        assert!(self.nodes.len() <= self.capacity);
    }
}

#[cfg(test)]
mod tests;
