//! What a free cell is worth to each player, by the lines through it.
//!
//! The heuristic of the player MNKGames (Flecart, 2022), after Hayes and Loge, *Developing a Memory
//! Efficient Algorithm for Playing m, n, k Games* (2016): for each of the four directions, the number
//! of windows of K cells through the cell that are free of the enemy, and 10 for each own mark within
//! K - 1 cells with no enemy between. Above those stand cells that make a double threat, and above all
//! cells that end the game. There a mark costs O(K^2) to count; here it costs O(K).

use coppice::{Evaluation, Game, Player, Score};

use super::board::{Board, MAX_IN_LINE};
use super::cell::Cell;

/// What an own mark in line with the cell is worth.
const OWN_MARK: i32 = 10;
/// What two or more windows that lack two marks are worth: with the cell, each lacks one.
const DOUBLE_GAME: i32 = 10_000;
/// What a window that lacks one mark is worth.
const END_GAME: i32 = 1_000_000;
/// What a marked neighbour adds to a cell's place in the order.
const NEIGHBOUR: i32 = 5;

/// A value up to this goes into a score as it is; what is beyond, divided by [`SQUEEZE`], so that the
/// score of a board with several cells that end the game stays an estimate.
const PLAIN: i64 = 500_000;
const SQUEEZE: i64 = 16;

/// Bits of the numbers that are packed into one for each player, 32 bits each: windows free of the
/// enemy, those of them that lack one mark, those that lack two, own marks in line. Whether a sum
/// overflows into its neighbour on the way doesn't matter, since none does in the end: with K up to
/// 16 they are at most 64, 64, 64 and 120.
const BITS: u32 = 8;
const PLAYER_BITS: u32 = 32;
const LACK_ONE: u32 = BITS;
const LACK_TWO: u32 = 2 * BITS;
const OWN: u32 = 3 * BITS;

/// What one window adds to each of its cells, by how many marks it lacks.
#[inline(always)]
const fn window(lacks: usize) -> u64 {
    1 + ((lacks == 1) as u64) * (1 << LACK_ONE) + ((lacks == 2) as u64) * (1 << LACK_TWO)
}

/// What is counted of a free cell, for both players, and what it makes the cell worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    packed: u64,
    values: [i32; 2],
    neighbours: u16,
}

impl Counts {
    /// Those of a cell with so many windows through it, on an empty board.
    pub(super) fn empty(windows: u64, in_line: usize) -> Counts {
        let packed = windows * window(in_line);
        Counts::new(packed << PLAYER_BITS | packed, 0)
    }

    #[inline(always)]
    fn new(packed: u64, neighbours: u16) -> Counts {
        let values = [0, PLAYER_BITS].map(|shift| value((packed >> shift) as u32));
        Counts { packed, values, neighbours }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, delta: u64, neighbours: u16) {
        *self = Counts::new(self.packed.wrapping_add(delta), self.neighbours + neighbours);
    }

    #[inline(always)]
    pub(super) fn take(&mut self, delta: u64, neighbours: u16) {
        *self = Counts::new(self.packed.wrapping_sub(delta), self.neighbours - neighbours);
    }

    /// What the cell is worth to a player.
    #[inline(always)]
    pub fn value(&self, player: Player) -> i32 {
        self.values[player.index() & 1]
    }

    /// What it is worth to the first player, less what it is worth to the second.
    #[inline(always)]
    pub fn balance(&self) -> i32 {
        self.values[0] - self.values[1]
    }

    /// How early the cell should be tried: its value to both players, and a little for each of the
    /// eight cells around it that is marked.
    #[inline(always)]
    pub fn key(&self) -> i32 {
        self.values[0] + self.values[1] + NEIGHBOUR * i32::from(self.neighbours)
    }
}

#[inline(always)]
fn value(packed: u32) -> i32 {
    let count = |shift: u32| (packed >> shift & 0xff) as i32;
    if count(LACK_ONE) > 0 {
        END_GAME
    } else if count(LACK_TWO) >= 2 {
        DOUBLE_GAME
    } else {
        count(0) + OWN_MARK * count(OWN)
    }
}

/// What a mark changes for the other cells of one line through it: O(K) for all of them.
pub(super) struct Change {
    /// What changes with the windows through the marked cell, summed up from the first one on.
    sums: [u64; MAX_IN_LINE + 1],
    count: usize,
    in_line: usize,
    /// The marked cell's place in the line.
    centre: usize,
    /// Cells that see the mark as an own one.
    seen: u32,
    /// Cells from which the mark hides enemy marks beyond it, and those marks, below and above it.
    hidden: u32,
    below: u32,
    above: u32,
    /// Where the numbers of the player who marks start, and those of the other.
    own_shift: u32,
    other_shift: u32,
}

/// By how many marks a window lacks: what it adds to each of its cells, and what changes with one more.
static WINDOW: [(u64, u64); MAX_IN_LINE + 1] = {
    let mut table = [(0, 0); MAX_IN_LINE + 1];
    let mut lacks = 1;
    while lacks <= MAX_IN_LINE {
        table[lacks] = (window(lacks), window(lacks - 1).wrapping_sub(window(lacks)));
        lacks += 1;
    }
    table
};

/// The bits from place `from` up to, not including, `to`.
#[inline(always)]
pub(super) fn bits(from: usize, to: usize) -> u32 {
    ((1u64 << to) - (1u64 << from)) as u32
}

/// The cells around `centre` in a line of `len` that no wall stands before, the centre included.
#[inline(always)]
fn run(walls: u32, centre: usize, len: usize) -> u32 {
    let below = 32 - (walls & bits(0, centre)).leading_zeros() as usize;
    let above = (walls >> centre).trailing_zeros() as usize + centre;
    bits(below, above.min(len))
}

impl Change {
    /// That of a mark by `player` at place `centre` of a line of `len` cells, in which the player's
    /// other marks are `own` and the other's `other`; and whether a window is full now.
    #[inline(always)]
    pub(super) fn new(
        [own, other]: [u32; 2],
        centre: usize,
        len: usize,
        in_line: usize,
        player: usize,
    ) -> (Change, bool) {
        let (own_shift, other_shift) = (PLAYER_BITS * player as u32, PLAYER_BITS * (1 - player as u32));
        let count = (len + 1).saturating_sub(in_line).min(MAX_IN_LINE);
        let (mut sums, mut sum, mut line) = ([0; MAX_IN_LINE + 1], 0u64, false);
        let cells = bits(0, in_line);
        for (i, slot) in sums[1..=count].iter_mut().enumerate() {
            let (a, b) =
                ((own >> i & cells).count_ones() as usize, (other >> i & cells).count_ones() as usize);
            let gain = if b == 0 { WINDOW[in_line - a].1 } else { 0 };
            let loss = if a == 0 { WINDOW[in_line - b].0 } else { 0 };
            sum = sum.wrapping_add(gain << own_shift).wrapping_sub(loss << other_shift);
            *slot = sum;
            line |= b == 0 && a + 1 == in_line;
        }
        let (seen, open, lower) = (run(other, centre, len), run(own, centre, len), bits(0, centre));
        let (below, above) = (other & open & lower, other & open & !lower);
        let mut hidden = 0;
        if other & open != 0 {
            hidden = if above != 0 { open & lower } else { 0 } | if below != 0 { open & !lower } else { 0 };
        }
        let change =
            Change { sums, count, in_line, centre, seen, hidden, below, above, own_shift, other_shift };
        (change, line)
    }

    /// What changes for the cell at this place of the line.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> u64 {
        let (first, end) = ((place + 1).saturating_sub(self.in_line), (place + 1).min(self.count));
        let windows = self.sums[end].wrapping_sub(self.sums[first]);
        let change = windows.wrapping_add(u64::from(self.seen >> place & 1) << (OWN + self.own_shift));
        if self.hidden >> place & 1 == 0 {
            return change;
        }
        let marks = if place < self.centre {
            self.above & bits(0, place + self.in_line)
        } else {
            self.below >> (place + 1).saturating_sub(self.in_line)
        };
        change.wrapping_sub(u64::from(marks.count_ones()) << (OWN + self.other_shift))
    }
}

/// The sum of the free cells' values to the player to move, less those to the other; cells are tried
/// in the order of their [`Counts::key`].
#[derive(Debug, Clone, Copy)]
pub struct Heuristic;

impl<const C: usize> Evaluation<Board<C>> for Heuristic {
    #[inline(always)]
    fn evaluate(&self, board: &Board<C>) -> Score {
        let balance = board.balance();
        let own = if board.to_move() == Player::FIRST { balance } else { -balance };
        let beyond = own - own.clamp(-PLAIN, PLAIN);
        Score::estimate((own - beyond + beyond / SQUEEZE).clamp(-(1 << 30), 1 << 30) as i32)
    }

    #[inline(always)]
    fn rank(&self, board: &Board<C>, cell: Cell) -> i32 {
        board.counts(cell).key()
    }
}
