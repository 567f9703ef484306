//! Values each free cell for both players, by the lines through it.
//!
//! The heuristic of the player MNKGames (Flecart, 2022), after Hayes and Loge, *Developing a Memory Efficient
//! Algorithm for Playing m, n, k Games* (2016). For each of the four directions it counts the windows of K cells
//! through the cell that have no opposing mark, and adds 10 for each own mark within K - 1 cells with no opposing
//! mark between. Cells that make a double threat rank above these, and cells that end the game above all. In the
//! original a mark costs O(K^2) to count; here it costs O(K).

use coppice::{Evaluation, Game, Player, Score};

use super::board::{Board, MAX_IN_LINE};
use super::cell::Cell;

/// Value of an own mark in line with the cell.
const OWN_MARK: i32 = 10;
/// Value of two or more windows that lack two marks: with a mark on the cell, each lacks one.
const DOUBLE_GAME: i32 = 10_000;
/// Value of a window that lacks one mark.
const END_GAME: i32 = 1_000_000;
/// Added to a cell's sort key for each marked neighbour.
const NEIGHBOUR: i32 = 5;

/// Values up to this enter a score unchanged. The excess is divided by [`SQUEEZE`], so that the score of a board with
/// several game-ending cells stays an estimate.
const PLAIN: i64 = 500_000;
const SQUEEZE: i64 = 16;

/// Bits of each packed number. Each player has 32 bits with four numbers: windows without opposing marks, those of
/// them that lack one mark, those that lack two, own marks in line. An intermediate overflow into the neighbouring
/// number is harmless, because no final value overflows: with K up to 16 they are at most 64, 64, 64 and 120. Longer lines
/// are counted anew, and stop at 255.
const BITS: u32 = 8;
const PLAYER_BITS: u32 = 32;
const LACK_ONE: u32 = BITS;
const LACK_TWO: u32 = 2 * BITS;
const OWN: u32 = 3 * BITS;

/// A window's contribution to each of its cells, by the marks it lacks.
#[inline(always)]
const fn window(lacks: usize) -> u64 {
    1 + ((lacks == 1) as u64) * (1 << LACK_ONE) + ((lacks == 2) as u64) * (1 << LACK_TWO)
}

/// The counts of a free cell for both players, and the resulting values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    packed: u64,
    values: [i32; 2],
    neighbours: u16,
}

impl Counts {
    /// The counts of a cell on an empty board with `windows` windows through it.
    pub(super) fn empty(windows: u64, in_line: usize) -> Counts {
        let packed = windows.min(u64::from(u8::MAX)) * window(in_line);
        Counts::new(packed << PLAYER_BITS | packed, 0)
    }

    #[inline(always)]
    fn new(packed: u64, neighbours: u16) -> Counts {
        let values = [0, PLAYER_BITS].map(|shift| value((packed >> shift) as u32));
        Counts { packed, values, neighbours }
    }

    /// The counts of a cell, by player: windows without opposing marks, those of them that lack one mark, those that lack
    /// two, own marks in line.
    pub(super) fn of(numbers: [[u32; 4]; 2], neighbours: u16) -> Counts {
        let packed = numbers.map(|numbers| {
            let most = numbers.map(|number| number.min(u8::MAX.into()));
            u64::from(most[0] | most[1] << LACK_ONE | most[2] << LACK_TWO | most[3] << OWN)
        });
        Counts::new(packed[0] | packed[1] << PLAYER_BITS, neighbours)
    }

    #[inline(always)]
    pub(super) fn add(&mut self, delta: u64, neighbours: u16) {
        *self = Counts::new(self.packed.wrapping_add(delta), self.neighbours + neighbours);
    }

    #[inline(always)]
    pub(super) fn take(&mut self, delta: u64, neighbours: u16) {
        *self = Counts::new(self.packed.wrapping_sub(delta), self.neighbours - neighbours);
    }

    /// The cell's value for a player.
    #[inline(always)]
    pub fn value(&self, player: Player) -> i32 {
        self.values[player.index() & 1]
    }

    /// The cell's value for the first player minus that for the second.
    #[inline(always)]
    pub fn balance(&self) -> i32 {
        self.values[0] - self.values[1]
    }

    /// Sort key of the cell: its value for both players, plus a little for each of its eight neighbours that is
    /// marked.
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

/// The changes that a mark makes to the other cells of one line through it: O(K) for all of them.
pub(super) struct Change {
    /// Prefix sums of the changes over the windows through the marked cell.
    sums: [u64; MAX_IN_LINE + 1],
    count: usize,
    in_line: usize,
    /// The index of the marked cell in the line.
    centre: usize,
    /// Cells for which the mark counts as an own one in line.
    seen: u32,
    /// Cells from which the mark hides opposing marks beyond it, and those marks, below and above it.
    hidden: u32,
    below: u32,
    above: u32,
    /// Bit offset of the numbers of the player who marks, and of the opponent.
    own_shift: u32,
    other_shift: u32,
}

/// By the marks a window lacks: its contribution to each of its cells, and the change from one more mark.
static WINDOW: [(u64, u64); MAX_IN_LINE + 1] = {
    let mut table = [(0, 0); MAX_IN_LINE + 1];
    let mut lacks = 1;
    while lacks <= MAX_IN_LINE {
        table[lacks] = (window(lacks), window(lacks - 1).wrapping_sub(window(lacks)));
        lacks += 1;
    }
    table
};

/// The bits from index `from` up to but excluding `to`.
#[inline(always)]
pub(super) fn bits(from: usize, to: usize) -> u32 {
    ((1u64 << to) - (1u64 << from)) as u32
}

/// The cells of a line of `len` that are connected to `centre` without a wall between, including `centre`.
#[inline(always)]
fn run(walls: u32, centre: usize, len: usize) -> u32 {
    let below = 32 - (walls & bits(0, centre)).leading_zeros() as usize;
    let above = (walls >> centre).trailing_zeros() as usize + centre;
    bits(below, above.min(len))
}

impl Change {
    /// The change from a mark by `player` at index `centre` of a line of `len` cells, where `own` are the player's
    /// other marks and `other` the opponent's; and whether a window is now full.
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

    /// The change for the cell at this index of the line.
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

/// The order of cells as MNKGames has it: the mover's own value counts twice where it is that of a double threat or more, so
/// that its own win comes before the other's. Otherwise [`Heuristic`].
#[derive(Debug, Clone, Copy)]
pub struct MoverFirst;

impl<const C: usize> Evaluation<Board<C>> for MoverFirst {
    #[inline(always)]
    fn evaluate(&self, board: &Board<C>) -> Score {
        Heuristic.evaluate(board)
    }

    #[inline(always)]
    fn rank(&self, board: &Board<C>, cell: Cell) -> i32 {
        let counts = board.counts(cell);
        let own = counts.value(board.to_move());
        counts.key() + if own >= DOUBLE_GAME { own } else { 0 }
    }
}

/// The sum of the free cells' values for the player to move minus those for the opponent. Cells are tried in the
/// order of their [`Counts::key`].
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
