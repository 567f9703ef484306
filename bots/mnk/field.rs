//! The position used by the bot's search: the marks in every window of K cells and the resulting value of each cell,
//! updated in O(K) per mark.

use super::cell::Cell;

/// Maximum length of a window: two counts of marks share a byte.
pub const MAX_IN_LINE: usize = 15;

/// Sums for a cell over the windows through it that have no opposing mark, 32 bits a player: their weights in bits 0 to 17,
/// the number that lack one mark in 18 to 23, and the number that lack two in 24 to 29. At most 4 x [`MAX_IN_LINE`] windows
/// of weight 4,096 fit. A marked cell has sums too, so that marks can be taken back in any order.
type Sums = u64;

const PLAYER: usize = 32;
const LACK_ONE: usize = 18;
const LACK_TWO: usize = 24;
const COUNT: u64 = 63;

/// The bits that decide whether a cell is [hot](Field::hot).
const HOT: u64 = (COUNT << LACK_ONE | COUNT << LACK_TWO) * (1 << PLAYER | 1);

/// The changes from one more mark in a window.
#[derive(Clone, Copy, Default)]
struct Delta {
    /// Change of each of the window's cells.
    cells: Sums,
    /// Change of the total weight of all windows, the second player's times 2^32.
    weights: i64,
    /// 1 if the opponent can no longer fill the window, and [`LINE`] more if it is full.
    flags: u64,
}

/// In [`Delta::flags`]: the window is full.
const LINE: u64 = 1 << 32;

/// A window with a mark of each player: neither can fill it, and another mark changes nothing.
const CLOSED: u8 = 0x11;

/// The length of lines for which the update is compiled of its own, with loops of known length.
const USUAL: usize = 5;

/// The threat of a cell: how many marks a window through it lacks, including this cell's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// A mark here wins.
    One = 0,
    /// A mark here must be answered.
    Two = 1,
}

/// The place of a player's cells with a [`Lack`] among the hot ones.
#[inline(always)]
fn lane(player: usize, lack: Lack) -> usize {
    2 * player + lack as usize
}

/// A set of cells by their numbers, 64 to a word.
pub type Bits = Vec<u64>;

/// A position on a board of M rows and N columns. Its memory is linear in the cells of the board with K - 1 more on every side:
/// 14 bytes each, and 10 a cell.
///
/// Cells are identified by number, row by row from 0. The field doesn't store the player to move.
#[derive(Debug, Clone)]
pub struct Field {
    in_line: usize,
    /// By direction and first cell's slot: the first player's number of marks in the lower half, the second's in the upper;
    /// [`CLOSED`] where the window leaves the board, so that the same windows and cells surround every cell.
    windows: [Vec<u8>; 4],
    /// By slot.
    cells: Vec<Sums>,
    /// 0 for a free cell, otherwise the player's number plus 1.
    marks: Vec<u8>,
    places: Vec<Cell>,
    /// The cell's index on the board with its edges, and the cell of a slot.
    slots: Vec<u32>,
    numbers: Vec<u16>,
    /// From a cell to the next, by direction, in slots.
    steps: [usize; 4],
    free: Bits,
    /// By 64 cells, then by [`lane`].
    hot: Vec<[u64; 4]>,
    /// The number of hot cells that are free, 16 bits a [`lane`]: usually 0 on a large board.
    hot_cells: u64,
    free_cells: usize,
    hash: u64,
    /// The number of windows each player can still fill, and their weight.
    open: [u32; 2],
    weights: [i32; 2],
    /// By a window's state, then by the player who marks.
    deltas: Box<[[Delta; 2]; 256]>,
}

impl std::fmt::Debug for Delta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.cells)
    }
}

/// The weight of a window by the marks it lacks, used in the total of a board: tuned by games on 15x15 with five in a line.
fn weight(lacks: usize) -> i32 {
    [0, 1024, 770, 284, 26, 4, 2].get(lacks).copied().unwrap_or(1)
}

/// A window's contribution to each of its cells: a mark there would make it lack one fewer.
fn of_cell(lacks: usize) -> u64 {
    let hot = match lacks {
        1 => 1 << LACK_ONE,
        2 => 1 << LACK_TWO,
        _ => 0,
    };
    let marked = if lacks == 1 { 1 << 12 } else { weight(lacks - 1) as u64 };
    marked | hot
}

fn deltas(in_line: usize) -> Box<[[Delta; 2]; 256]> {
    let of = |player: usize, state: usize| {
        let marks = [state & 15, state >> 4];
        let (own, other) = (marks[player], marks[1 - player]);
        let mut delta = Delta::default();
        if own >= in_line || other > in_line {
            return delta;
        }
        let before = in_line - own;
        let mut weights = [0; 2];
        if other == 0 {
            delta.flags = if before == 1 { LINE } else { 0 };
            let after = if before == 1 { 0 } else { of_cell(before - 1) };
            delta.cells = after.wrapping_sub(of_cell(before)) << (PLAYER * player);
            // An empty window weighs the same for both players.
            weights[player] = if before == 1 { 0 } else { weight(before - 1) } - weight(before);
        }
        if own == 0 && other < in_line {
            delta.flags += 1;
            let of_other = of_cell(in_line - other) << (PLAYER * (1 - player));
            delta.cells = delta.cells.wrapping_sub(of_other);
            weights[1 - player] = -weight(in_line - other);
        }
        delta.weights = i64::from(weights[0]) + (i64::from(weights[1]) << 32);
        delta
    };
    Box::new(std::array::from_fn(|state| [of(0, state), of(1, state)]))
}

impl Field {
    /// An empty field.
    ///
    /// # Panics
    /// If a side is longer than 255 or a line than [`MAX_IN_LINE`].
    pub fn new(rows: usize, columns: usize, in_line: usize) -> Field {
        assert!(rows.max(columns) <= 255 && (1..=MAX_IN_LINE).contains(&in_line));
        let count = rows * columns;
        let words = count.div_ceil(64);
        let edge = in_line - 1;
        let across = columns + edge;
        let size = (rows + 2 * edge) * across + 2 * edge;
        let places: Vec<Cell> =
            (0..count).map(|i| Cell::new((i / columns) as u8, (i % columns) as u8)).collect();
        let slots: Vec<u32> =
            (0..count).map(|i| ((i / columns + edge) * across + i % columns + edge) as u32).collect();
        let mut numbers = vec![0; size];
        for (at, &slot) in slots.iter().enumerate() {
            numbers[slot as usize] = at as u16;
        }
        let mut field = Field {
            in_line,
            windows: [(); 4].map(|()| vec![CLOSED; size]),
            cells: vec![0; size],
            marks: vec![0; count],
            places,
            slots,
            numbers,
            steps: [across, 1, across + 1, across - 1],
            free: vec![0; words],
            hot: vec![[0; 4]; words],
            hot_cells: 0,
            free_cells: count,
            hash: 0,
            open: [0; 2],
            weights: [0; 2],
            deltas: deltas(in_line),
        };
        for at in 0..count {
            field.free[at / 64] |= 1 << (at % 64);
            let Cell { row, column } = field.places[at];
            let fits = usize::from(row) + edge < rows;
            let [left, right] = [usize::from(column) >= edge, usize::from(column) + edge < columns];
            for (direction, fits) in [fits, right, fits && right, fits && left].into_iter().enumerate() {
                if fits {
                    let slot = field.slots[at] as usize;
                    field.windows[direction][slot] = 0;
                    for i in 0..in_line {
                        field.cells[slot + i * field.steps[direction]] +=
                            of_cell(in_line) * (1 << PLAYER | 1);
                    }
                    field.open = field.open.map(|open| open + 1);
                    field.weights = field.weights.map(|sum| sum + weight(in_line));
                }
            }
        }
        (0..count).for_each(|at| field.heat(at));
        field
    }

    /// The number of cells.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether the field has no cells.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The cell with this number.
    #[inline(always)]
    pub fn place(&self, at: usize) -> Cell {
        self.places[at]
    }

    /// The mark on a cell: 0 for none, otherwise the player's number plus 1.
    #[inline(always)]
    pub fn mark(&self, at: usize) -> u8 {
        self.marks[at]
    }

    /// The free cells, and their number.
    #[inline(always)]
    pub fn free(&self) -> (&Bits, usize) {
        (&self.free, self.free_cells)
    }

    /// The hash of the marks.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The number of windows a player can still fill.
    #[inline(always)]
    pub fn open(&self, player: usize) -> u32 {
        self.open[player]
    }

    /// The weight of the windows a player can still fill.
    #[inline(always)]
    pub fn weight(&self, player: usize) -> i32 {
        self.weights[player]
    }

    #[inline(always)]
    fn sums(&self, at: usize) -> Sums {
        self.cells[self.slots[at] as usize]
    }

    /// The value that a mark on a cell would add for a player.
    #[inline(always)]
    pub fn gain(&self, at: usize, player: usize) -> i32 {
        (self.sums(at) >> (PLAYER * player)) as i32 & ((1 << LACK_ONE) - 1)
    }

    /// The number of windows through a cell that lack `lack` marks of a player.
    #[inline(always)]
    pub fn lacking(&self, at: usize, player: usize, lack: Lack) -> u32 {
        let lack = if lack == Lack::One { LACK_ONE } else { LACK_TWO };
        (self.sums(at) >> (PLAYER * player + lack) & COUNT) as u32
    }

    /// The free cells with a window through them that lacks `lack` marks of a player, one word of 64 cells.
    #[inline(always)]
    pub fn hot(&self, word: usize, player: usize, lack: Lack) -> u64 {
        self.hot[word][lane(player, lack)] & self.free[word]
    }

    /// Whether any free cell is [hot](Field::hot).
    #[inline(always)]
    pub fn is_hot(&self, player: usize, lack: Lack) -> bool {
        self.hot_cells >> (16 * lane(player, lack)) & 0xffff != 0
    }

    /// The number of words of a set.
    #[inline(always)]
    pub fn words(&self) -> usize {
        self.free.len()
    }

    /// The cells where a player wins at once: their number, counted up to two, and the first.
    #[inline(always)]
    pub fn wins(&self, player: usize) -> (u32, usize) {
        let (mut count, mut first) = (0, 0);
        if !self.is_hot(player, Lack::One) {
            return (0, 0);
        }
        for word in 0..self.words() {
            let hot = self.hot(word, player, Lack::One);
            if hot != 0 {
                if count == 0 {
                    first = 64 * word + hot.trailing_zeros() as usize;
                }
                count += hot.count_ones();
                if count > 1 {
                    return (2, first);
                }
            }
        }
        (count, first)
    }

    /// Marks a free cell. Returns whether that completes a line.
    #[inline]
    pub fn put(&mut self, at: usize, player: usize) -> bool {
        debug_assert!(self.marks[at] == 0);
        self.marks[at] = player as u8 + 1;
        self.free[at / 64] &= !(1 << (at % 64));
        self.free_cells -= 1;
        self.count_hot::<false>(at);
        self.hash ^= key(at, player);
        self.shift_any::<true>(at, player)
    }

    /// Removes a mark of this player.
    #[inline]
    pub fn take(&mut self, at: usize, player: usize) {
        debug_assert!(self.marks[at] == player as u8 + 1);
        self.hash ^= key(at, player);
        self.shift_any::<false>(at, player);
        self.marks[at] = 0;
        self.free[at / 64] |= 1 << (at % 64);
        self.free_cells += 1;
        self.count_hot::<true>(at);
    }

    /// Adds a cell to the counts of hot cells, or removes it.
    #[inline(always)]
    fn count_hot<const ADD: bool>(&mut self, at: usize) {
        for (lane, set) in self.hot[at / 64].iter().enumerate() {
            let is_hot = (set >> (at % 64) & 1) << (16 * lane);
            self.hot_cells = if ADD { self.hot_cells + is_hot } else { self.hot_cells - is_hot };
        }
    }

    #[inline(always)]
    fn shift_any<const PUT: bool>(&mut self, at: usize, player: usize) -> bool {
        match self.in_line {
            USUAL => self.shift::<PUT, USUAL>(at, player),
            _ => self.shift::<PUT, 0>(at, player),
        }
    }

    /// Updates the windows and cells around a cell. `K` is the length of a line, 0 where it is known only now.
    #[inline(always)]
    fn shift<const PUT: bool, const K: usize>(&mut self, at: usize, player: usize) -> bool {
        let in_line = if K == 0 { self.in_line } else { K };
        let slot = self.slots[at] as usize;
        let (mut weights, mut flags) = (0, 0);
        for (direction, step) in self.steps.into_iter().enumerate() {
            let start = slot - (in_line - 1) * step;
            let (windows, cells) = (&mut self.windows[direction][..], &mut self.cells[..]);
            // Prefix sums of the windows' changes.
            let mut sums = [0; MAX_IN_LINE];
            let (mut sum, mut changed) = (0u64, 0);
            for i in 0..in_line {
                sums[i] = sum;
                let state = &mut windows[start + i * step];
                if !PUT {
                    *state -= 1 << (4 * player);
                }
                let delta = &self.deltas[usize::from(*state)][player];
                if PUT {
                    *state += 1 << (4 * player);
                }
                sum = sum.wrapping_add(delta.cells);
                changed |= delta.cells;
                weights += delta.weights;
                flags += delta.flags;
            }
            if changed == 0 {
                continue;
            }
            // The cells whose membership in the hot sets may change, by their index in the line.
            let mut heated = 0u32;
            let mut add = |i: usize, change: Sums| {
                let cell = &mut cells[start + i * step];
                let new = if PUT { cell.wrapping_add(change) } else { cell.wrapping_sub(change) };
                heated |= u32::from((*cell ^ new) & HOT != 0) << i;
                *cell = new;
            };
            for (i, &before) in sums[..in_line].iter().enumerate() {
                if i > 0 {
                    add(i - 1, before);
                }
                add(in_line - 1 + i, sum.wrapping_sub(before));
            }
            while heated != 0 {
                let slot = start + heated.trailing_zeros() as usize * step;
                heated &= heated - 1;
                self.heat(usize::from(self.numbers[slot]));
            }
        }
        let first = weights as i32;
        let second = ((weights - i64::from(first)) >> 32) as i32;
        let sign = if PUT { 1 } else { -1 };
        self.weights = [self.weights[0] + sign * first, self.weights[1] + sign * second];
        let (open, other) = (flags as u32, &mut self.open[1 - player]);
        *other = if PUT { *other - open } else { *other + open };
        flags >= LINE
    }

    /// Updates a cell's membership in the hot sets.
    #[inline(always)]
    fn heat(&mut self, at: usize) {
        let (word, bit, sums) = (at / 64, at % 64, self.sums(at));
        let is_free = self.free[word] >> bit & 1;
        let counts = [LACK_ONE, LACK_TWO, PLAYER + LACK_ONE, PLAYER + LACK_TWO];
        for (lane, (set, count)) in self.hot[word].iter_mut().zip(counts).enumerate() {
            let (is_hot, was_hot) = (u64::from(sums >> count & COUNT != 0), *set >> bit & 1);
            *set ^= (is_hot ^ was_hot) << bit;
            let change = is_hot.wrapping_sub(was_hot).wrapping_mul(is_free);
            self.hot_cells = self.hot_cells.wrapping_add(change << (16 * lane));
        }
    }
}

/// Hash key of a mark.
#[inline(always)]
fn key(at: usize, player: usize) -> u64 {
    coppice::rng::mix((at << 1 | player) as u64 + 1)
}
