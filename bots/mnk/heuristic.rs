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
    neighbours: u32,
}

impl Counts {
    /// Those of a cell with so many windows through it, on an empty board.
    pub(super) fn empty(windows: u64, in_line: usize) -> Counts {
        let packed = windows * window(in_line);
        Counts::new(packed << PLAYER_BITS | packed, 0)
    }

    #[inline(always)]
    fn new(packed: u64, neighbours: u32) -> Counts {
        let values = [0, PLAYER_BITS].map(|shift| value((packed >> shift) as u32));
        Counts { packed, values, neighbours }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, delta: u64, neighbours: u32) {
        *self = Counts::new(self.packed.wrapping_add(delta), self.neighbours + neighbours);
    }

    #[inline(always)]
    pub(super) fn take(&mut self, delta: u64, neighbours: u32) {
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
        self.values[0] + self.values[1] + NEIGHBOUR * self.neighbours as i32
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

/// What a mark changes for the cells of one line through it, cell by cell: O(K) for all of them.
pub(super) struct Change {
    /// What changes with each window through the marked cell, the first window first.
    windows: [u64; MAX_IN_LINE],
    count: usize,
    in_line: usize,
    /// The marked cell's place in the line.
    centre: usize,
    /// The sum over the windows through the last cell that was asked for.
    sum: u64,
    /// Cells that see the mark as an own one.
    seen: u32,
    /// Cells from which the mark hides enemy marks beyond it, and those marks, below and above it.
    hidden: u32,
    below: u32,
    above: u32,
    player: u32,
    /// A window is full now.
    pub(super) line: bool,
}

/// The bits from place `from` up to, not including, `to`.
#[inline(always)]
fn bits(from: usize, to: usize) -> u32 {
    ((1u64 << to) - (1u64 << from)) as u32
}

/// The cells around `centre` in a line of `len` that no wall stands before; the centre not included.
#[inline(always)]
fn run(walls: u32, centre: usize, len: usize) -> (u32, u32) {
    let below = 32 - (walls & bits(0, centre)).leading_zeros() as usize;
    let above = (walls >> (centre + 1)).trailing_zeros() as usize + centre + 1;
    (bits(below, centre), bits(centre + 1, above.min(len)))
}

impl Change {
    /// That of a mark by `player` in a line that goes on for `back` and `forth` cells, in which the
    /// player's other marks are `own` and the other's `other`.
    #[inline(always)]
    pub(super) fn new(
        own: u32,
        other: u32,
        back: usize,
        forth: usize,
        in_line: usize,
        player: usize,
    ) -> Change {
        let (len, shift) = (back + forth + 1, PLAYER_BITS * player as u32);
        let count = (len + 1).saturating_sub(in_line);
        let (mut windows, mut line) = ([0; MAX_IN_LINE], false);
        for (i, change) in windows[..count].iter_mut().enumerate() {
            let cells = bits(i, i + in_line);
            let (a, b) = ((own & cells).count_ones() as usize, (other & cells).count_ones() as usize);
            if b == 0 {
                let gain = window(in_line - a - 1).wrapping_sub(window(in_line - a));
                *change = gain << shift;
                line |= a + 1 == in_line;
            }
            if a == 0 {
                *change = change.wrapping_sub(window(in_line - b) << (PLAYER_BITS - shift));
            }
        }
        let (seen_below, seen_above) = run(other, back, len);
        let (open_below, open_above) = run(own, back, len);
        let (below, above) = (other & open_below, other & open_above);
        let hidden = if above != 0 { open_below } else { 0 } | if below != 0 { open_above } else { 0 };
        let seen = seen_below | seen_above;
        let player = player as u32;
        Change { windows, count, in_line, centre: back, sum: 0, seen, hidden, below, above, player, line }
    }

    /// What changes for the cell at this place of the line. The places must be asked for in order.
    #[inline(always)]
    pub(super) fn next(&mut self, place: usize) -> u64 {
        if place < self.count {
            self.sum = self.sum.wrapping_add(self.windows[place]);
        }
        if let Some(past) = place.checked_sub(self.in_line).filter(|&past| past < self.count) {
            self.sum = self.sum.wrapping_sub(self.windows[past]);
        }
        let seen = u64::from(self.seen >> place & 1) << (OWN + PLAYER_BITS * self.player);
        let mut change = self.sum.wrapping_add(seen);
        if self.hidden >> place & 1 != 0 {
            let marks = if place < self.centre {
                self.above & bits(0, place + self.in_line)
            } else {
                self.below >> (place + 1).saturating_sub(self.in_line)
            };
            let hidden = u64::from(marks.count_ones()) << (OWN + PLAYER_BITS * (1 - self.player));
            change = change.wrapping_sub(hidden);
        }
        change
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
