//! Small boards as numbers, and what the eight symmetries make of them.

use coppice::Player;

use crate::tictactoe::board::{has_line, ALL};
use crate::uttt::Board;

/// So many numbers there are: nine cells, each free, the player's, or the other's.
pub const CODES: usize = 19_683;

/// In place of a board's marks once the player has won it: all nine cells are the player's.
pub const WON: u16 = 9_841;
/// Once the other has won it: all nine are the other's.
pub const LOST: u16 = 2 * WON;
/// Once it is full and nobody's: eight are the player's, one the other's, which without a line can't be.
pub const DRAWN: u16 = WON + 1;

/// A set of cells as digits 0 and 1 to the base 3, the lowest cell the lowest digit.
static DIGITS: [u16; 512] = {
    let mut digits = [0; 512];
    let mut marks = 1;
    while marks < 512 {
        digits[marks] = 3 * digits[marks >> 1] + (marks as u16 & 1);
        marks += 1;
    }
    digits
};

/// The number of a small board with these marks of a player and of the other.
#[inline(always)]
pub fn code(own: u16, other: u16) -> u16 {
    DIGITS[usize::from(own & ALL)] + 2 * DIGITS[usize::from(other & ALL)]
}

/// The numbers of the nine small boards, as a player sees them.
#[inline(always)]
pub fn codes(board: &Board, player: Player) -> [u16; 9] {
    std::array::from_fn(|b| code_of(board, player, b as u32))
}

/// The number of one of them.
#[inline(always)]
pub fn code_of(board: &Board, player: Player, b: u32) -> u16 {
    let (me, you) = (player, player.other());
    let all = |boards: u16| (boards >> b & 1).wrapping_neg();
    let drawn = all(board.drawn());
    let own = board.marks(me, b) | all(board.won(me)) | drawn & (ALL - 1);
    let other = board.marks(you, b) | all(board.won(you)) | drawn & 1;
    code(own, other)
}

/// Both players' marks in a small board that is neither won nor full; `None` for every other number.
pub fn open(code: u16) -> Option<[u16; 2]> {
    let mut marks = [0; 2];
    let mut rest = code;
    for place in 0..9 {
        if rest % 3 != 0 {
            marks[usize::from(rest % 3 - 1)] |= 1 << place;
        }
        rest /= 3;
    }
    let [own, other] = marks;
    (!has_line(own) && !has_line(other) && own | other != ALL).then_some(marks)
}

/// The eight symmetries of the square: where each of them brings each of the nine places. The first
/// leaves them where they are.
pub static SYMMETRIES: [[u8; 9]; 8] = {
    let mut all = [[0; 9]; 8];
    let mut i = 0;
    while i < 72 {
        let (symmetry, place) = (i / 9, i % 9);
        let (mut row, mut column) = (place / 3, place % 3);
        if symmetry & 1 != 0 {
            (row, column) = (column, row);
        }
        if symmetry & 2 != 0 {
            row = 2 - row;
        }
        if symmetry & 4 != 0 {
            column = 2 - column;
        }
        all[symmetry][place] = (3 * row + column) as u8;
        i += 1;
    }
    all
};

/// What a symmetry makes of marks.
pub fn turned(marks: u16, symmetry: &[u8; 9]) -> u16 {
    (0..9).filter(|place| marks >> place & 1 == 1).fold(0, |turned, place| turned | 1 << symmetry[place])
}
