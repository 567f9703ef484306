//! The rules of m,n,k games, with incrementally updated counts for each free cell.

mod long;

use std::fmt;

use arrayvec::ArrayVec;
use coppice::rng::mix;
use coppice::{Game, Payoff, Player, Reversible, Rng};

use super::cell::Cell;
use super::heuristic::{bits, Change, Counts};

/// Maximum side of a board: a move code has 7 bits for each coordinate.
pub const MAX_SIDE: usize = 128;

/// Maximum length of a winning line whose counts are updated in O(K): the cells of a line around one cell fit into 32 bits.
pub const MAX_IN_LINE: usize = 16;

/// A position on a board of up to `C` cells. Its memory depends on `C`: 61 bytes a cell.
///
/// A mark costs O(K) for the counts of the cells around it, O(K²) with more than [`MAX_IN_LINE`] in a line. The board records the counts that the last marks changed,
/// as many counts as it has cells, so taking these marks back only copies; for earlier marks it recomputes the
/// counts. The set of free cells is an array: marking a cell swaps it with the last free one.
///
/// Two positions are equal if the same cells are marked by the same players. The internal order of the free cells
/// doesn't matter: moves are listed by rows.
#[derive(Clone)]
pub struct Board<const C: usize> {
    rows: u8,
    columns: u8,
    in_line: u8,
    to_move: Player,
    /// The player who moved last has a line.
    won: bool,
    free: u16,
    hash: u64,
    /// The sum of the free cells' values for the first player minus those for the second.
    balance: i64,
    /// By row and column: 0 for a free cell, otherwise the player's number plus 1.
    marks: [u8; C],
    /// The counts of each free cell. A marked cell keeps its counts from before the mark.
    counts: [Counts; C],
    /// Free cells first, then the marked ones, the most recent next to the free.
    cells: [Cell; C],
    /// The index in `cells` of each cell.
    places: [u16; C],
    /// Ring buffer of the counts that the last marks changed, as they were before.
    former: [Former; C],
    /// The number of entries written, and the number of the oldest one not overwritten.
    written: u32,
    kept: u32,
}

/// A cell's counts before a mark.
#[derive(Clone, Copy, Default)]
struct Former {
    counts: Counts,
    at: u16,
}

/// The data needed to take a mark back.
#[derive(Debug, Clone, Copy)]
pub struct Undo {
    /// The index of the marked cell among the free ones.
    place: u16,
    /// The number of former counts written before.
    written: u32,
    balance: i64,
}

impl<const C: usize> Board<C> {
    /// An empty board.
    ///
    /// # Panics
    /// If it has no cell or more than `C`, or a side or line is too long.
    pub fn new(rows: usize, columns: usize, in_line: usize) -> Board<C> {
        let free = rows * columns;
        assert!(0 < free && free <= C.min(1 << 14), "{rows} x {columns} cells don't fit into {C}");
        assert!(rows.max(columns) <= MAX_SIDE, "a side is longer than {MAX_SIDE}");
        assert!(0 < in_line && in_line <= MAX_SIDE, "{in_line} in a line");
        let mut board = Board {
            rows: rows as u8,
            columns: columns as u8,
            in_line: in_line as u8,
            to_move: Player::FIRST,
            won: false,
            free: free as u16,
            hash: 0,
            balance: 0,
            marks: [0; C],
            counts: [Counts::default(); C],
            cells: [Cell::default(); C],
            places: [0; C],
            former: [Former::default(); C],
            written: 0,
            kept: 0,
        };
        for i in 0..free {
            let cell = Cell::new((i / columns) as u8, (i % columns) as u8);
            board.cells[i] = cell;
            board.places[i] = i as u16;
            let windows = board
                .lines(cell, 0)
                .map(|(back, forth, _)| (back + forth + 2).saturating_sub(in_line) as u64);
            board.counts[i] = Counts::empty(windows.iter().sum(), in_line);
        }
        board
    }

    /// Rows, columns, and the length of a winning line.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.rows.into(), self.columns.into(), self.in_line.into())
    }

    /// The player who has marked a cell.
    #[inline(always)]
    pub fn mark(&self, cell: Cell) -> Option<Player> {
        self.marks[self.index(cell)].checked_sub(1).map(Player::new)
    }

    /// The player with K in a line.
    #[inline(always)]
    pub fn winner(&self) -> Option<Player> {
        self.won.then_some(self.to_move.other())
    }

    /// The free cells, in unspecified order, except that taking a mark back restores the order.
    #[inline(always)]
    pub fn free_cells(&self) -> &[Cell] {
        &self.cells[..usize::from(self.free)]
    }

    /// The counts of a free cell.
    #[inline(always)]
    pub fn counts(&self, cell: Cell) -> &Counts {
        &self.counts[self.index(cell)]
    }

    /// The sum of the free cells' values for the first player minus those for the second.
    #[inline(always)]
    pub fn balance(&self) -> i64 {
        self.balance
    }

    #[inline(always)]
    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.row) * usize::from(self.columns) + usize::from(cell.column)
    }

    /// For each of the four lines through `cell`: the number of cells backward and forward, up to K - 1, and the
    /// index step between its cells.
    #[inline(always)]
    fn lines(&self, cell: Cell, columns: isize) -> [(usize, usize, isize); 4] {
        let reach = |room: u8| usize::from(room.min(self.in_line - 1));
        let (up, down) = (reach(cell.row), reach(self.rows - 1 - cell.row));
        let (left, right) = (reach(cell.column), reach(self.columns - 1 - cell.column));
        [
            (up, down, columns),
            (left, right, 1),
            (up.min(left), down.min(right), columns + 1),
            (up.min(right), down.min(left), columns - 1),
        ]
    }

    /// Swaps `cell`, at index `place`, with the cell just after the free ones. Doing it again undoes it.
    #[inline(always)]
    fn exchange(&mut self, cell: Cell, place: u16) {
        let (place, end) = (usize::from(place), usize::from(self.free));
        let last = self.cells[end];
        self.cells[place] = last;
        self.cells[end] = cell;
        self.places[self.index(last)] = place as u16;
        self.places[self.index(cell)] = end as u16;
    }

    #[cold]
    #[inline(never)]
    fn reckon_back(&mut self, cell: Cell, player: usize) {
        match usize::from(self.in_line) <= MAX_IN_LINE {
            true => self.shift::<true>(cell, player),
            false => self.count_anew::<true>(cell, player),
        };
    }

    /// Updates the counts of the free cells around `player`'s mark on `cell`, or takes the update back. The cell
    /// itself is marked during both. Returns whether the mark completes a line.
    #[inline(always)]
    fn shift<const TAKE_BACK: bool>(&mut self, cell: Cell, player: usize) -> bool {
        let (index, columns, in_line) = (self.index(cell), isize::from(self.columns), self.in_line.into());
        let (mut line, mut balance, mut slot) = (false, 0, self.written as usize % C);
        let mut written = 0;
        for (back, forth, step) in self.lines(cell, columns) {
            let start = index.wrapping_add_signed(-(back as isize) * step);
            // The first player's marks in the lower half, the second's in the upper.
            let (mut marks, mut at) = (0, start);
            for place in 0..=back + forth {
                let mark = u64::from(self.marks[at]);
                marks |= (mark & 1 | (mark & 2) << 31) << place;
                at = at.wrapping_add_signed(step);
            }
            let mut free = !(marks as u32 | (marks >> 32) as u32) & bits(0, back + forth + 1);
            let [own, other] = [marks, marks.rotate_left(32)].map(|marks| (marks >> (32 * player)) as u32);
            let line_of = [own & !(1 << back), other];
            let (change, is_line) = Change::new(line_of, back, back + forth + 1, in_line, player);
            line |= is_line;
            while free != 0 {
                let place = free.trailing_zeros() as usize;
                free &= free - 1;
                at = start.wrapping_add_signed(place as isize * step);
                let counts = &mut self.counts[at];
                if !TAKE_BACK {
                    self.former[slot] = Former { counts: *counts, at: at as u16 };
                    slot = if slot + 1 == C { 0 } else { slot + 1 };
                    written += 1;
                }
                balance -= counts.balance();
                let (delta, beside) = (change.at(place), u16::from(place.abs_diff(back) == 1));
                if TAKE_BACK {
                    counts.take(delta, beside);
                } else {
                    counts.add(delta, beside);
                }
                balance += counts.balance();
            }
        }
        self.balance += i64::from(balance);
        self.written += written;
        line
    }
}

impl<const C: usize> PartialEq for Board<C> {
    fn eq(&self, other: &Self) -> bool {
        self.size() == other.size() && self.hash == other.hash && self.marks == other.marks
    }
}

impl<const C: usize> fmt::Debug for Board<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns, in_line) = self.size();
        write!(f, "{in_line} in a line, {:?} to move:", self.to_move)?;
        for row in self.marks[..rows * columns].chunks(columns) {
            write!(f, " ")?;
            row.iter().try_for_each(|&mark| write!(f, "{}", [".", "x", "o"][usize::from(mark)]))?;
        }
        Ok(())
    }
}

impl<const C: usize> fmt::Display for Board<C> {
    /// Prints the board with the last digit of each row and column number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns, in_line) = self.size();
        f.write_str(" ")?;
        (0..columns).try_for_each(|column| write!(f, " {}", column % 10))?;
        for (row, marks) in self.marks[..rows * columns].chunks(columns).enumerate() {
            write!(f, "\n{}", row % 10)?;
            marks.iter().try_for_each(|&mark| write!(f, " {}", ['.', 'x', 'o'][usize::from(mark)]))?;
        }
        write!(f, "\n{in_line} in a line; {} to move", ['x', 'o'][self.to_move.index() & 1])
    }
}

impl<const C: usize> Game for Board<C> {
    type Move = Cell;
    /// An `ArrayVec` doesn't clear its room for 4,900 cells: listing 49 takes 0.06 µs, into a `List` 0.14 µs or more.
    type Moves = ArrayVec<Cell, C>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn moves(&self, list: &mut ArrayVec<Cell, C>) {
        if self.won {
            return;
        }
        let columns = usize::from(self.columns);
        for (row, marks) in self.marks[..usize::from(self.rows) * columns].chunks_exact(columns).enumerate() {
            for (column, &mark) in marks.iter().enumerate() {
                if mark == 0 {
                    list.push(Cell::new(row as u8, column as u8));
                }
            }
        }
    }

    #[inline(always)]
    fn play(&mut self, cell: Cell) {
        self.make(cell);
    }

    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(match self.winner() {
            None => 0,
            Some(winner) if winner == player => 1,
            Some(_) => -1,
        })
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        self.hash
    }

    #[inline(always)]
    fn move_index(cell: Cell) -> u16 {
        u16::from(cell.row) << 7 | u16::from(cell.column)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.won || self.free == 0
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        if self.won {
            0
        } else {
            self.free.into()
        }
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<Cell> {
        (!self.is_over()).then(|| self.cells[rng.below(self.free.into()) as usize])
    }
}

impl<const C: usize> Reversible for Board<C> {
    type Undo = Undo;

    #[inline(always)]
    fn make(&mut self, cell: Cell) -> Undo {
        let (index, player) = (self.index(cell), self.to_move.index());
        debug_assert!(self.marks[index] == 0 && !self.won, "{cell:?} is not legal");
        self.free -= 1;
        let place = self.places[index];
        let undo = Undo { place, written: self.written, balance: self.balance };
        self.exchange(cell, place);
        self.balance -= i64::from(self.counts[index].balance());
        self.marks[index] = player as u8 + 1;
        self.hash ^= key(index, player);
        self.won = match usize::from(self.in_line) <= MAX_IN_LINE {
            true => self.shift::<false>(cell, player),
            false => self.count_anew::<false>(cell, player),
        };
        self.kept = self.kept.max(self.written.saturating_sub(C as u32));
        self.to_move = self.to_move.other();
        undo
    }

    #[inline(always)]
    fn unmake(&mut self, cell: Cell, undo: Undo) {
        self.to_move = self.to_move.other();
        let (index, player) = (self.index(cell), self.to_move.index());
        if undo.written >= self.kept {
            let mut slot = undo.written as usize % C;
            for _ in undo.written..self.written {
                let Former { counts, at } = self.former[slot];
                self.counts[usize::from(at)] = counts;
                slot = if slot + 1 == C { 0 } else { slot + 1 };
            }
            self.written = undo.written;
        } else {
            self.reckon_back(cell, player);
            (self.written, self.kept) = (undo.written, undo.written);
        }
        self.won = false;
        self.hash ^= key(index, player);
        self.marks[index] = 0;
        self.balance = undo.balance;
        self.exchange(self.cells[usize::from(undo.place)], undo.place);
        self.free += 1;
    }

    #[inline(always)]
    fn for_each_move(&self, mut f: impl FnMut(Cell)) {
        if !self.won {
            self.free_cells().iter().for_each(|&cell| f(cell));
        }
    }
}

/// Hash key of a mark. The player to move follows from the marks.
#[inline(always)]
fn key(index: usize, player: usize) -> u64 {
    mix((index << 1 | player) as u64 + 1)
}
