//! The rules of tic-tac-toe on two bitboards.

use std::fmt;

use coppice::bits::nth_one;
use coppice::rng::mix;
use coppice::{Game, List, Payoff, Player, Reversible, Rng};

/// All nine cells: bit `3 * row + column`.
pub const ALL: u16 = 0o777;

/// The eight lines.
pub const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Bit `marks` is set if those marks contain a line.
static HAS_LINE: [u64; 8] = {
    let mut table = [0; 8];
    let mut i = 0;
    while i < 8 * 512 {
        let (line, marks) = (LINES[i / 512], i % 512);
        table[marks / 64] |= ((line & !(marks as u16) == 0) as u64) << (marks % 64);
        i += 1;
    }
    table
};

/// Whether the marks on a 3x3 board contain a line.
#[inline(always)]
pub fn has_line(marks: u16) -> bool {
    HAS_LINE[usize::from(marks >> 6 & 7)] >> (marks & 63) & 1 != 0
}

/// By marks, the cells that would complete a line of them, whether free or not.
static COMPLETING: [u16; 512] = {
    let mut table = [0; 512];
    let mut i = 0;
    while i < 8 * 512 {
        let (line, marks) = (LINES[i / 512], i % 512);
        let missing = line & !(marks as u16);
        if missing.count_ones() == 1 {
            table[marks] |= missing;
        }
        i += 1;
    }
    table
};

/// The cells of a 3x3 board that would complete a line of these marks, whether free or not.
#[inline(always)]
pub fn completing(marks: u16) -> u16 {
    COMPLETING[usize::from(marks & ALL)]
}

/// A position. A move is a cell's number, `3 * row + column`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// The marks of the player to move, then of the opponent.
    own: u16,
    other: u16,
    to_move: Player,
}

impl Board {
    /// The empty board.
    pub const START: Board = Board { own: 0, other: 0, to_move: Player::FIRST };

    /// The marks of the player to move.
    #[inline(always)]
    pub const fn own(&self) -> u16 {
        self.own
    }

    /// The marks of the opponent.
    #[inline(always)]
    pub const fn other(&self) -> u16 {
        self.other
    }

    /// Makes a move that breaks the rules; see [`Grid::force`](crate::shared::grid::Grid::force).
    pub fn force(&mut self, cell: Option<u8>) {
        match cell {
            Some(cell) if self.free() >> cell & 1 == 1 => self.play(cell),
            _ => *self = Board { own: self.other, other: self.own, to_move: self.to_move.other() },
        }
    }

    /// The cells that can be marked; none once there is a line.
    #[inline(always)]
    fn free(&self) -> u16 {
        if has_line(self.other) {
            0
        } else {
            ALL & !(self.own | self.other)
        }
    }
}

impl Game for Board {
    type Move = u8;
    type Moves = List<u8, 9>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline(always)]
    fn moves(&self, list: &mut List<u8, 9>) {
        let mut free = self.free();
        while free != 0 {
            list.push(free.trailing_zeros() as u8);
            free &= free - 1;
        }
    }

    #[inline(always)]
    fn play(&mut self, cell: u8) {
        debug_assert!(self.free() >> cell & 1 == 1, "cell {cell} is not legal");
        *self = Board { own: self.other, other: self.own | 1 << cell, to_move: self.to_move.other() };
    }

    /// 1 for a line.
    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        let just_moved = i32::from(has_line(self.other));
        Payoff(if player == self.to_move { -just_moved } else { just_moved })
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        mix(u64::from(self.own) | u64::from(self.other) << 16)
    }

    #[inline(always)]
    fn move_index(cell: u8) -> u16 {
        u16::from(cell)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.free() == 0
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        self.free().count_ones() as usize
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<u8> {
        match self.free() {
            0 => None,
            free => Some(nth_one(u64::from(free), rng.below(free.count_ones())) as u8),
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, o) =
            if self.to_move == Player::FIRST { (self.own, self.other) } else { (self.other, self.own) };
        for cell in 0..9 {
            let mark = if x >> cell & 1 == 1 {
                'x'
            } else if o >> cell & 1 == 1 {
                'o'
            } else {
                '.'
            };
            write!(f, "{mark}{}", if cell % 3 == 2 { "\n" } else { "" })?;
        }
        write!(f, "{} to move", ['x', 'o'][self.to_move.index()])
    }
}

impl Reversible for Board {
    type Undo = ();

    #[inline(always)]
    fn make(&mut self, cell: u8) {
        self.play(cell);
    }

    #[inline(always)]
    fn unmake(&mut self, cell: u8, _: ()) {
        *self = Board { own: self.other & !(1 << cell), other: self.own, to_move: self.to_move.other() };
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
