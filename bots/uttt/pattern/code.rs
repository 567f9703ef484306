//! Encodes small boards as numbers, and applies the eight symmetries to them.

use coppice::Player;

use crate::tictactoe::board::{has_line, ALL};
use crate::uttt::Board;

/// The number of codes: nine cells, each free, the player's, or the opponent's.
pub const CODES: usize = 19_683;

/// The code of a board that the player has won: all nine cells the player's.
pub const WON: u16 = 9_841;
/// The code of a board that the opponent has won: all nine cells the opponent's.
pub const LOST: u16 = 2 * WON;
/// The code of a drawn board: eight cells the player's and one the opponent's, which is impossible without a line.
pub const DRAWN: u16 = WON + 1;

/// A set of cells as a base-3 number with digits 0 and 1; the lowest cell is the lowest digit.
static DIGITS: [u16; 512] = {
    let mut digits = [0; 512];
    let mut marks = 1;
    while marks < 512 {
        digits[marks] = 3 * digits[marks >> 1] + (marks as u16 & 1);
        marks += 1;
    }
    digits
};

/// The code of a small board with these marks of the player and the opponent.
#[inline(always)]
pub fn code(own: u16, other: u16) -> u16 {
    DIGITS[usize::from(own & ALL)] + 2 * DIGITS[usize::from(other & ALL)]
}

/// The codes of the nine small boards from a player's view.
#[inline(always)]
pub fn codes(board: &Board, player: Player) -> [u16; 9] {
    std::array::from_fn(|b| code_of(board, player, b as u32))
}

/// The code of one small board from a player's view.
#[inline(always)]
pub fn code_of(board: &Board, player: Player, b: u32) -> u16 {
    let (me, you) = (player, player.other());
    let all = |boards: u16| (boards >> b & 1).wrapping_neg();
    let drawn = all(board.drawn());
    let own = board.marks(me, b) | all(board.won(me)) | drawn & (ALL - 1);
    let other = board.marks(you, b) | all(board.won(you)) | drawn & 1;
    code(own, other)
}

/// Both players' marks in a small board that is neither won nor full; `None` for every other code.
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

/// The eight symmetries of the square, as the image of each of the nine places. The first is the identity.
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

/// Applies a symmetry to a set of marks.
pub fn turned(marks: u16, symmetry: &[u8; 9]) -> u16 {
    (0..9).filter(|place| marks >> place & 1 == 1).fold(0, |turned, place| turned | 1 << symmetry[place])
}

/// The code of a small board's image under a symmetry.
pub fn image(code: u16, symmetry: &[u8; 9]) -> u16 {
    open(code).map_or(code, |marks| {
        let [own, other] = marks.map(|marks| turned(marks, symmetry));
        self::code(own, other)
    })
}

/// The result that a code stands for: 0 won, 1 lost, 2 drawn; `None` for all others.
pub fn ended(code: u16) -> Option<usize> {
    [WON, LOST, DRAWN].iter().position(|&end| end == code)
}
