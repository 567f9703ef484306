//! What a rule of choosing moves sees of a state, and what it must say.

use crate::joint::MAX_PLAYERS;
use crate::pool::{Block, Pool};
use crate::rng::Rng;

use super::playout::Points;

/// No arm: the player takes no part.
pub(super) const NO_ARM: u16 = u16::MAX;

/// The player of a cell: of none.
pub(super) const CELL: u8 = u8::MAX;

/// A player's move in a state, or a cell in which a rule stores what it needs for a pair of moves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arm<M> {
    pub(super) m: M,
    pub(super) player: u8,
    /// In the first of a player's arms, how many they are.
    pub(super) run: u16,
    pub(super) visits: u32,
    /// The mean points of the player after this move.
    pub(super) mean: f32,
    /// By regret matching, the sum of regrets; in a cell, the mean points of the second player.
    pub(super) regret: f32,
    /// By regret matching, the mean probability.
    pub(super) share: f32,
}

impl<M> Arm<M> {
    #[inline(always)]
    pub(super) fn add(&mut self, points: f32) {
        self.visits += 1;
        self.mean += (points - self.mean) / self.visits as f32;
    }
}

/// One player's arms: those from `first` to `first + len` of a state's.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Range {
    pub(super) player: u8,
    pub(super) first: u16,
    pub(super) len: u16,
}

/// The arms of a state, player by player, and then its cells.
#[derive(Clone, Copy)]
pub(super) struct Ranges {
    all: [Range; MAX_PLAYERS],
    count: usize,
    /// The index of the first cell.
    pub(super) cells: usize,
}

impl Ranges {
    #[inline(always)]
    pub(super) fn of<M: Copy + Default>(pool: &Pool<Arm<M>>, block: Block) -> Ranges {
        let mut ranges = Ranges { all: [Range::default(); MAX_PLAYERS], count: 0, cells: 0 };
        while ranges.cells < block.len() {
            let arm = pool.get(block.get(ranges.cells));
            if arm.player == CELL {
                break;
            }
            ranges.all[ranges.count] = Range { player: arm.player, first: ranges.cells as u16, len: arm.run };
            ranges.count += 1;
            ranges.cells += usize::from(arm.run);
        }
        ranges
    }

    /// Each player's, of those who have moves.
    #[inline(always)]
    pub(super) fn each(&self) -> &[Range] {
        &self.all[..self.count]
    }
}

/// The arm of each player, and the bits of those who chose to explore.
pub(super) type JointArms<'a> = (&'a [u16], u8);

/// A player's choice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// The arm: an index into the state's.
    pub(super) arm: usize,
    /// It was made to explore, and not by the player's strategy.
    pub(super) explores: bool,
}

/// A rule's view of a state.
pub(super) struct Node<'a, M> {
    pub(super) pool: &'a mut Pool<Arm<M>>,
    pub(super) block: Block,
    pub(super) visits: u32,
    /// The least and the most points of all playouts so far.
    pub(super) span: (f32, f32),
}

impl<M: Copy + Default> Node<'_, M> {
    /// The ranges of the players' arms.
    #[inline(always)]
    pub(super) fn ranges(&self) -> Ranges {
        Ranges::of(self.pool, self.block)
    }

    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> &Arm<M> {
        self.pool.get(self.block.get(i))
    }

    /// Some of a player's arms, in order.
    #[inline(always)]
    pub(super) fn arms(&self, range: Range) -> impl Iterator<Item = &Arm<M>> {
        self.pool.each(Block { first: self.block.first + u32::from(range.first), len: range.len })
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, i: usize) -> &mut Arm<M> {
        self.pool.get_mut(self.block.get(i))
    }
}

/// A read-only view of a state.
pub(super) struct View<'a, M> {
    pub(super) pool: &'a Pool<Arm<M>>,
    pub(super) block: Block,
}

impl<M: Copy + Default> View<'_, M> {
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> &Arm<M> {
        self.pool.get(self.block.get(i))
    }
}

/// How players choose among their arms, and what they learn.
pub(super) trait Rule {
    /// Whether all that is learnt is the mean points after each arm.
    const BY_ARM: bool = false;

    /// The number of cells that a state needs, given the number of each player's arms.
    fn cells(&self, _arms: &[usize]) -> usize {
        0
    }

    /// The arm that a player takes in an iteration.
    fn choose<M: Copy + Default>(&self, node: &Node<'_, M>, range: Range, rng: &mut Rng) -> Choice;

    /// Learns from an iteration: what each player did, and what each got. Not called if it learns by arms.
    fn learn<M: Copy + Default>(&self, _node: &mut Node<'_, M>, _taken: JointArms<'_>, _points: &Points) {}

    /// An arm's part in the strategy that the search answers with.
    fn weight<M>(&self, arm: &Arm<M>) -> f64;

    /// The state's value for one of its players.
    fn value<M: Copy + Default>(&self, node: &View<'_, M>, ranges: &Ranges, range: Range) -> f64;

    /// Whether an iteration in which a player explored counts in the states before with the state's value in place of what
    /// the players got.
    fn hides_exploration(&self) -> bool {
        false
    }
}

/// The mean points of a player in a state.
pub(super) fn mean<M: Copy + Default>(node: &View<'_, M>, range: Range) -> f64 {
    let arms = || (0..range.len).map(|i| node.get(usize::from(range.first + i)));
    let visits: f64 = arms().map(|arm| f64::from(arm.visits)).sum();
    arms().map(|arm| f64::from(arm.visits) * f64::from(arm.mean)).sum::<f64>() / visits.max(1.0)
}
