//! Static evaluation.

use crate::board::{bits, Board};

/// More than any estimate.
pub const WIN: i32 = 10_000;

/// The value of a man by its row.
const ROWS: [i32; 8] = [12, 10, 11, 13, 17, 24, 40, 90];

/// The terms of the evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Men by their rows.
    pub men: i32,
    /// Men that another man covers.
    pub covered: i32,
    /// Men that cannot be stopped.
    pub free: i32,
    /// Men at home, where two of them guard the row.
    pub guards: i32,
}

impl Terms {
    /// All terms with their weights.
    pub fn sum(self) -> i32 {
        self.men + 3 * self.covered + 25 * self.free + 4 * self.guards
    }
}

impl std::ops::Sub for Terms {
    type Output = Terms;

    fn sub(self, other: Terms) -> Terms {
        Terms {
            men: self.men - other.men,
            covered: self.covered - other.covered,
            free: self.free - other.free,
            guards: self.guards - other.guards,
        }
    }
}

/// The terms of one side, whose men go up.
fn terms(own: u64, opponent: u64) -> Terms {
    let men: i32 = bits(own).map(|s| ROWS[usize::from(s.row())]).sum();
    let covers = spread(own) << 8;
    let free = bits(own).filter(|s| ahead(s.row(), s.file()) & opponent == 0).count();
    Terms {
        men,
        covered: (own & covers).count_ones() as i32,
        free: free as i32,
        guards: (own & 0b0110_0110).count_ones() as i32,
    }
}

/// The adjacent columns.
fn spread(men: u64) -> u64 {
    (men & 0x7f7f_7f7f_7f7f_7f7f) << 1 | (men & 0xfefe_fefe_fefe_fefe) >> 1
}

/// All squares from which an opponent could still stop a man.
fn ahead(row: u8, file: u8) -> u64 {
    let mut set = 0;
    let mut reach = 1u64 << file;
    for r in row + 1..8 {
        reach |= spread(reach) & 0xff;
        set |= reach << (8 * r);
    }
    set
}

/// The evaluation for the player to move.
pub fn estimate(board: &Board) -> i32 {
    let own = terms(board.own, board.opponent);
    let other = terms(board.opponent.swap_bytes(), board.own.swap_bytes());
    (own - other).sum()
}
