//! The position used by the bot's search: the marks in every window of K cells and the resulting value of each cell,
//! updated in O(K) per mark.

use super::cell::Cell;

/// Maximum length of a window: two counts of marks share a byte.
pub const MAX_IN_LINE: usize = 15;

/// Sums for a cell, by player, over the windows through it that have no opposing mark: their weights in bits 0 to 31,
/// the number that lack one mark in 32 to 39, and the number that lack two in 40 to 47. A marked cell has sums too,
/// so that marks can be taken back in any order.
type Sums = [u64; 2];

const LACK_ONE: u32 = 32;
const LACK_TWO: u32 = 40;

/// The bits that decide whether a cell is [hot](Field::hot).
const HOT: u64 = 0xffff << LACK_ONE;

/// The changes from one more mark in a window.
#[derive(Clone, Copy, Default)]
struct Delta {
    /// Change of each of the window's cells.
    cells: Sums,
    /// Change of the total weight of all windows, by player.
    weights: [i32; 2],
    /// The opponent can no longer fill the window.
    closes: bool,
    /// The window is full.
    is_line: bool,
}

/// The threat of a cell: how many marks a window through it lacks, including this cell's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// A mark here wins.
    One = 0,
    /// A mark here must be answered.
    Two = 1,
}

/// A set of cells by their numbers, 64 to a word.
pub type Bits = Vec<u64>;

/// A position on a board of M rows and N columns. Its memory is linear in M x N: 40 bytes a cell.
///
/// Cells are identified by number, row by row from 0. The field doesn't store the player to move.
#[derive(Debug, Clone)]
pub struct Field {
    rows: usize,
    columns: usize,
    in_line: usize,
    /// By direction and first cell: the first player's number of marks in the lower half, the second's in the upper.
    windows: Vec<u8>,
    cells: Vec<Sums>,
    /// 0 for a free cell, otherwise the player's number plus 1.
    marks: Vec<u8>,
    places: Vec<Cell>,
    free: Bits,
    /// By player and by [`Lack`].
    hot: [[Bits; 2]; 2],
    /// The number of hot cells that are free: usually 0 on a large board.
    hot_cells: [[u32; 2]; 2],
    free_cells: usize,
    hash: u64,
    /// The number of windows each player can still fill, and their weight.
    open: [u32; 2],
    weights: [i32; 2],
    /// By a window's state, then by the player who marks.
    deltas: Vec<[Delta; 2]>,
}

impl std::fmt::Debug for Delta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.cells)
    }
}

/// The weight of a window by the marks it lacks, used in the total of a board: four times as much for each mark.
fn weight(lacks: usize) -> i32 {
    [0, 1024, 256, 64, 16, 4, 2].get(lacks).copied().unwrap_or(1)
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

fn deltas(in_line: usize) -> Vec<[Delta; 2]> {
    let of = |player: usize, state: usize| {
        let marks = [state & 15, state >> 4];
        let (own, other) = (marks[player], marks[1 - player]);
        let mut delta = Delta::default();
        if own >= in_line || other > in_line {
            return delta;
        }
        let before = in_line - own;
        if other == 0 {
            delta.is_line = before == 1;
            let after = if before == 1 { 0 } else { of_cell(before - 1) };
            delta.cells[player] = after.wrapping_sub(of_cell(before));
            // An empty window weighs the same for both players.
            delta.weights[player] = if before == 1 { 0 } else { weight(before - 1) } - weight(before);
        }
        if own == 0 && other < in_line {
            delta.closes = true;
            delta.cells[1 - player] = of_cell(in_line - other).wrapping_neg();
            delta.weights[1 - player] = -weight(in_line - other);
        }
        delta
    };
    (0..256).map(|state| [of(0, state), of(1, state)]).collect()
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
        let mut field = Field {
            rows,
            columns,
            in_line,
            windows: vec![0; 4 * count],
            cells: vec![[0; 2]; count],
            marks: vec![0; count],
            places: (0..count).map(|i| Cell::new((i / columns) as u8, (i % columns) as u8)).collect(),
            free: vec![0; words],
            hot: [[vec![0; words], vec![0; words]], [vec![0; words], vec![0; words]]],
            hot_cells: [[0; 2]; 2],
            free_cells: count,
            hash: 0,
            open: [0; 2],
            weights: [0; 2],
            deltas: deltas(in_line),
        };
        for at in 0..count {
            field.free[at / 64] |= 1 << (at % 64);
            let lines = field.lines(at);
            let windows: u64 =
                lines.iter().map(|&(back, forth, _)| (back + forth + 2).saturating_sub(in_line) as u64).sum();
            let sums = windows * of_cell(in_line);
            field.cells[at] = [sums; 2];
            field.heat(at);
            // Each window is counted at its first cell.
            let begin = lines.iter().filter(|line| line.1 + 1 == in_line).count();
            field.open = field.open.map(|open| open + begin as u32);
            field.weights = field.weights.map(|sum| sum + begin as i32 * weight(in_line));
        }
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

    /// The value that a mark on a cell would add for a player.
    #[inline(always)]
    pub fn gain(&self, at: usize, player: usize) -> i32 {
        self.cells[at][player] as i32
    }

    /// The number of windows through a cell that lack `lack` marks of a player.
    #[inline(always)]
    pub fn lacking(&self, at: usize, player: usize, lack: Lack) -> u32 {
        (self.cells[at][player] >> (LACK_ONE + 8 * lack as u32) & 255) as u32
    }

    /// The free cells with a window through them that lacks `lack` marks of a player, one word of 64 cells.
    #[inline(always)]
    pub fn hot(&self, word: usize, player: usize, lack: Lack) -> u64 {
        self.hot[player][lack as usize][word] & self.free[word]
    }

    /// Whether any free cell is [hot](Field::hot).
    #[inline(always)]
    pub fn is_hot(&self, player: usize, lack: Lack) -> bool {
        self.hot_cells[player][lack as usize] > 0
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

    /// For each of the four lines through a cell: the number of cells backward and forward, up to K - 1, and the
    /// index step between its cells.
    #[inline(always)]
    fn lines(&self, at: usize) -> [(usize, usize, usize); 4] {
        let Cell { row, column } = self.places[at];
        let (row, column, most) = (usize::from(row), usize::from(column), self.in_line - 1);
        let (up, down) = (row.min(most), (self.rows - 1 - row).min(most));
        let (left, right) = (column.min(most), (self.columns - 1 - column).min(most));
        [
            (up, down, self.columns),
            (left, right, 1),
            (up.min(left), down.min(right), self.columns + 1),
            (up.min(right), down.min(left), self.columns - 1),
        ]
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
        self.shift::<true>(at, player)
    }

    /// Removes a mark of this player.
    #[inline]
    pub fn take(&mut self, at: usize, player: usize) {
        debug_assert!(self.marks[at] == player as u8 + 1);
        self.hash ^= key(at, player);
        self.shift::<false>(at, player);
        self.marks[at] = 0;
        self.free[at / 64] |= 1 << (at % 64);
        self.free_cells += 1;
        self.count_hot::<true>(at);
    }

    /// Adds a cell to the counts of hot cells, or removes it.
    #[inline(always)]
    fn count_hot<const ADD: bool>(&mut self, at: usize) {
        for player in 0..2 {
            for lack in [Lack::One, Lack::Two] {
                let is_hot = (self.hot[player][lack as usize][at / 64] >> (at % 64) & 1) as u32;
                let count = &mut self.hot_cells[player][lack as usize];
                *count = if ADD { *count + is_hot } else { *count - is_hot };
            }
        }
    }

    #[inline(always)]
    fn shift<const PUT: bool>(&mut self, at: usize, player: usize) -> bool {
        let (in_line, mut line) = (self.in_line, false);
        let (mut open, mut weights) = (0, [0; 2]);
        for (direction, (back, forth, step)) in self.lines(at).into_iter().enumerate() {
            let length = back + forth + 1;
            if length < in_line {
                continue;
            }
            let (start, count) = (at - back * step, length + 1 - in_line);
            let windows = &mut self.windows[direction * self.marks.len()..];
            let mut sums = [[0u64; 2]; MAX_IN_LINE + 1];
            let mut sum = [0u64; 2];
            for i in 0..count {
                let state = &mut windows[start + i * step];
                if !PUT {
                    *state -= 1 << (4 * player);
                }
                let delta = &self.deltas[usize::from(*state)][player];
                if PUT {
                    *state += 1 << (4 * player);
                }
                sum = [sum[0].wrapping_add(delta.cells[0]), sum[1].wrapping_add(delta.cells[1])];
                sums[i + 1] = sum;
                weights = [weights[0] + delta.weights[0], weights[1] + delta.weights[1]];
                open += u32::from(delta.closes);
                line |= delta.is_line;
            }
            for i in 0..length {
                let (first, end) = ((i + 1).saturating_sub(in_line), (i + 1).min(count));
                let cell = start + i * step;
                let old = self.cells[cell];
                let change = [0, 1].map(|p| sums[end][p].wrapping_sub(sums[first][p]));
                let new = [0, 1].map(|p| {
                    if PUT {
                        old[p].wrapping_add(change[p])
                    } else {
                        old[p].wrapping_sub(change[p])
                    }
                });
                self.cells[cell] = new;
                if ((old[0] ^ new[0]) | (old[1] ^ new[1])) & HOT != 0 {
                    self.heat(cell);
                }
            }
        }
        let sign = if PUT { 1 } else { -1 };
        self.weights = [0, 1].map(|p| self.weights[p] + sign * weights[p]);
        let other = &mut self.open[1 - player];
        *other = if PUT { *other - open } else { *other + open };
        line
    }

    /// Updates a cell's membership in the hot sets.
    #[inline(always)]
    fn heat(&mut self, at: usize) {
        let (word, bit) = (at / 64, at % 64);
        let is_free = (self.free[word] >> bit & 1) as u32;
        for player in 0..2 {
            for lack in [Lack::One, Lack::Two] {
                let is_hot = u64::from(self.lacking(at, player, lack) != 0);
                let set = &mut self.hot[player][lack as usize][word];
                let count = &mut self.hot_cells[player][lack as usize];
                *count = *count + is_free * is_hot as u32 - is_free * (*set >> bit & 1) as u32;
                *set = *set & !(1 << bit) | is_hot << bit;
            }
        }
    }
}

/// Hash key of a mark.
#[inline(always)]
fn key(at: usize, player: usize) -> u64 {
    coppice::rng::mix((at << 1 | player) as u64 + 1)
}
