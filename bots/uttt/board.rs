//! The rules of ultimate tic-tac-toe on bitboards.

use std::fmt;

use coppice::bits::nth_one;
use coppice::rng::mix;
use coppice::{Game, List, Payoff, Player, Rng};

use super::cell::Cell;
use crate::tictactoe::board::{completing, has_line, ALL};

/// Nine sets of nine cells in three words, 16 bits each, four to a word: bit `16 * (b % 4) + place` of word `b / 4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Nine([u64; 3]);

impl Nine {
    const EMPTY: Nine = Nine([0; 3]);
    const FULL: Nine =
        Nine([ALL as u64 * 0x0001_0001_0001_0001, ALL as u64 * 0x0001_0001_0001_0001, ALL as u64]);

    #[inline(always)]
    fn get(&self, board: u32) -> u16 {
        (self.0[(board >> 2) as usize] >> (16 * (board & 3))) as u16
    }

    #[inline(always)]
    fn add(&mut self, board: u32, cells: u16) {
        self.0[(board >> 2) as usize] |= u64::from(cells) << (16 * (board & 3));
    }

    #[inline(always)]
    fn remove(&mut self, board: u32, cells: u16) {
        self.0[(board >> 2) as usize] &= !(u64::from(cells) << (16 * (board & 3)));
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// The `n`-th cell over all nine sets.
    #[inline(always)]
    fn nth(&self, n: u32) -> Cell {
        let (first, second) = (self.0[0].count_ones(), self.0[1].count_ones());
        let (word, n) = match n {
            n if n < first => (0, n),
            n if n < first + second => (1, n - first),
            n => (2, n - first - second),
        };
        let bit = nth_one(self.0[word], n);
        Cell::new(4 * word as u32 + bit / 16, bit % 16)
    }
}

/// In place of a small board's number: the player may choose the board.
const ANY: u8 = 9;

/// A position. For a small board that is won or full only the result is kept: the marks that led there don't affect
/// the rest of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    marks: [Nine; 2],
    /// The cells that can still be marked at some point; none once the game is over.
    free: Nine,
    /// The small boards that each player has won.
    won: [u16; 2],
    /// The drawn small boards: full, and won by neither player.
    drawn: u16,
    /// The small board to play in.
    next: u8,
    to_move: Player,
}

impl Board {
    /// The empty board.
    pub const START: Board = Board {
        marks: [Nine::EMPTY; 2],
        free: Nine::FULL,
        won: [0; 2],
        drawn: 0,
        next: ANY,
        to_move: Player::FIRST,
    };

    /// A player's marks in a small board that is neither won nor full: bit `3 * row + column`.
    #[inline(always)]
    pub fn marks(&self, player: Player, board: u32) -> u16 {
        self.marks[player.index() & 1].get(board)
    }

    /// The small boards that a player has won.
    #[inline(always)]
    pub fn won(&self, player: Player) -> u16 {
        self.won[player.index() & 1]
    }

    /// The drawn small boards: full, and won by neither player.
    #[inline(always)]
    pub fn drawn(&self) -> u16 {
        self.drawn
    }

    /// The small board to play in; `None` if the player may choose.
    #[inline(always)]
    pub fn next(&self) -> Option<u32> {
        (self.next != ANY).then_some(u32::from(self.next))
    }

    /// The cells that can still be marked.
    #[inline(always)]
    pub fn count_free(&self) -> u32 {
        self.free.count()
    }

    /// Small boards won by the player minus those won by the opponent.
    #[inline(always)]
    pub fn won_difference(&self, player: Player) -> i32 {
        self.won(player).count_ones() as i32 - self.won(player.other()).count_ones() as i32
    }

    /// The small boards that would complete a line of small boards for a player.
    #[inline(always)]
    fn missing(&self, player: Player) -> u16 {
        completing(self.won(player)) & ALL & !(self.won(player.other()) | self.drawn)
    }

    /// The cells with which a player would win a small board.
    #[inline(always)]
    fn completing(&self, player: Player, board: u32) -> u16 {
        completing(self.marks(player, board)) & self.free.get(board)
    }

    /// A cell that wins one of these small boards for a player.
    #[inline(always)]
    fn winning_of(&self, player: Player, boards: u16) -> Option<Cell> {
        let mut boards = boards;
        while boards != 0 {
            let board = boards.trailing_zeros();
            let cells = self.completing(player, board);
            if cells != 0 {
                return Some(Cell::new(board, cells.trailing_zeros()));
            }
            boards &= boards - 1;
        }
        None
    }

    /// A move that wins the game at once, if there is one.
    #[inline(always)]
    pub fn winning_cell(&self) -> Option<Cell> {
        let missing = self.missing(self.to_move);
        if missing == 0 {
            return None;
        }
        let there = if self.next == ANY { missing } else { missing & 1 << self.next };
        self.winning_of(self.to_move, there)
    }

    /// Whether a legal move wins the game.
    #[inline(always)]
    pub fn wins(&self, cell: Cell) -> bool {
        let (board, me) = (cell.board(), self.to_move);
        self.missing(me) >> board & 1 != 0 && self.completing(me, board) >> cell.place() & 1 != 0
    }

    /// Whether the opponent can win the game immediately after a legal move.
    #[inline(always)]
    pub fn lets_win(&self, cell: Cell) -> bool {
        self.missing(self.to_move.other()) != 0 && self.after(cell).winning_cell().is_some()
    }

    /// Whether a legal move that doesn't win the game lets the opponent choose the board.
    #[inline(always)]
    pub fn frees(&self, cell: Cell) -> bool {
        let (board, place) = (cell.board(), cell.place());
        let free = self.free.get(place);
        free == 0
            || place == board
                && (free == 1 << place || self.completing(self.to_move, board) >> place & 1 == 1)
    }

    /// Makes a move that breaks the rules; see [`Grid::force`](crate::shared::grid::Grid::force). The cell's position decides
    /// where the opponent plays next, whether or not the cell could be marked.
    pub fn force(&mut self, cell: Option<Cell>) {
        self.next = ANY;
        match cell {
            Some(cell) if self.free.get(cell.board()) >> cell.place() & 1 == 1 => return self.play(cell),
            Some(cell) if self.free.get(cell.place()) != 0 => self.next = cell.place() as u8,
            _ => {}
        }
        self.to_move = self.to_move.other();
    }

    /// Closes a small board, and ends the game if that completes a line of small boards.
    #[inline(always)]
    fn close(&mut self, board: u32, line: bool) {
        let me = self.to_move.index() & 1;
        self.free.remove(board, ALL);
        self.marks[0].remove(board, ALL);
        self.marks[1].remove(board, ALL);
        if !line {
            self.drawn |= 1 << board;
            return;
        }
        self.won[me] |= 1 << board;
        if has_line(self.won[me]) {
            self.free = Nine::EMPTY;
        }
    }
}

impl Game for Board {
    type Move = Cell;
    type Moves = List<Cell, 81>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline(always)]
    fn moves(&self, list: &mut List<Cell, 81>) {
        if self.next != ANY {
            let board = u32::from(self.next);
            let mut free = self.free.get(board);
            while free != 0 {
                list.push(Cell::new(board, free.trailing_zeros()));
                free &= free - 1;
            }
            return;
        }
        for (word, &cells) in self.free.0.iter().enumerate() {
            let mut free = cells;
            while free != 0 {
                let bit = free.trailing_zeros();
                list.push(Cell::new(4 * word as u32 + bit / 16, bit % 16));
                free &= free - 1;
            }
        }
    }

    #[inline(always)]
    fn play(&mut self, cell: Cell) {
        let (board, place) = (cell.board(), cell.place());
        debug_assert!(self.free.get(board) >> place & 1 == 1, "{cell} is not free");
        debug_assert!(self.next().is_none_or(|next| next == board), "{cell} is in the wrong board");
        let marks = &mut self.marks[self.to_move.index() & 1];
        marks.add(board, 1 << place);
        self.free.remove(board, 1 << place);
        let line = has_line(marks.get(board));
        if line || self.free.get(board) == 0 {
            self.close(board, line);
        }
        self.next = if self.free.get(place) == 0 { ANY } else { place as u8 };
        self.to_move = self.to_move.other();
    }

    /// Small boards won minus the opponent's; 10 for three of them in a line, as the platform counts.
    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(match (has_line(self.won(player)), has_line(self.won(player.other()))) {
            (true, _) => 10,
            (_, true) => -10,
            _ => self.won_difference(player),
        })
    }

    /// Multiplies pairs of words and folds the products to 64 bits (Wang Yi's wyhash), then mixes.
    #[inline(always)]
    fn hash(&self) -> u64 {
        let fold = |a: u64, b: u64| {
            let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xc2b2_ae3d_27d4_eb4f);
            product as u64 ^ (product >> 64) as u64
        };
        let [a, b] = &self.marks;
        let boards = u64::from(self.won[0]) | u64::from(self.won[1]) << 9 | u64::from(self.drawn) << 18;
        let rest = boards | u64::from(self.next) << 27 | (self.to_move.index() as u64) << 31;
        let words = fold(a.0[0], b.0[0]) ^ fold(a.0[1], b.0[1]).rotate_left(21);
        mix(words ^ fold(a.0[2] | rest << 32, b.0[2]).rotate_left(42))
    }

    #[inline(always)]
    fn move_index(cell: Cell) -> u16 {
        cell.code()
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.next == ANY && self.free.is_empty()
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        let count = if self.next == ANY {
            self.free.count()
        } else {
            self.free.get(u32::from(self.next)).count_ones()
        };
        count as usize
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<Cell> {
        if self.next != ANY {
            let board = u32::from(self.next);
            let free = self.free.get(board);
            return Some(Cell::new(board, nth_one(u64::from(free), rng.below(free.count_ones()))));
        }
        match self.free.count() {
            0 => None,
            count => Some(self.free.nth(rng.below(count))),
        }
    }
}

impl fmt::Display for Board {
    /// Prints nine rows. A small board that is won is filled with its winner's capital letter, a drawn one with `=`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..9 {
            for column in 0..9 {
                let cell = Cell::at(row, column);
                let in_board = |nine: &Nine| nine.get(cell.board()) >> cell.place() & 1 == 1;
                let is_won = |player: usize| self.won[player] >> cell.board() & 1 == 1;
                let shown = match () {
                    () if is_won(0) => 'X',
                    () if is_won(1) => 'O',
                    () if in_board(&self.marks[0]) => 'x',
                    () if in_board(&self.marks[1]) => 'o',
                    () if self.drawn >> cell.board() & 1 == 1 => '=',
                    () => '.',
                };
                write!(f, "{shown}{}", if column == 2 || column == 5 { " " } else { "" })?;
            }
            f.write_str(if row == 2 || row == 5 { "\n\n" } else { "\n" })?;
        }
        let mark = ['x', 'o'][self.to_move.index() & 1];
        match self.next() {
            Some(next) => write!(f, "{mark} to move in board {next}"),
            None => write!(f, "{mark} to move in any board"),
        }
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
