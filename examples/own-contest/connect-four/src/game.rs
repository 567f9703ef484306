//! The rules of connect four: a disc falls to the bottom of one of seven columns, and four in line win.

use std::fmt;

use coppice::rng::mix;
use coppice::{Game, List, Payoff, Player};

/// The number of columns.
pub const COLUMNS: u8 = 7;
/// The number of cells in a column.
pub const ROWS: u8 = 6;

/// A position.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Each player's discs: bit `7 * column + row`, row 0 at the bottom. The bit above each column stays 0.
    pub discs: [u64; 2],
    /// The player to move.
    pub mover: Player,
}

impl State {
    /// The empty board.
    pub const START: State = State { discs: [0; 2], mover: Player::FIRST };

    /// Whether a player has four in line, upwards, sideways or diagonally.
    fn has_four(&self, player: Player) -> bool {
        let discs = self.discs[player.index()];
        [1, 7, 6, 8].iter().any(|step| {
            let pairs = discs & discs >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
}

impl Game for State {
    type Move = u8; // a column, 0 to 6
    type Moves = List<u8, 7>;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn moves(&self, list: &mut List<u8, 7>) {
        if !self.has_four(self.mover.other()) {
            let taken = self.discs[0] | self.discs[1];
            let is_open = |column: &u8| taken >> (7 * column + ROWS - 1) & 1 == 0;
            (0..COLUMNS).filter(is_open).for_each(|column| list.push(column));
        }
    }

    fn play(&mut self, column: u8) {
        let taken = self.discs[0] | self.discs[1];
        // The carry of the addition ends in the lowest free cell.
        let disc = (taken + (1 << (7 * column))) & (0x3f << (7 * column)) & !taken;
        self.discs[self.mover.index()] |= disc;
        self.mover = self.mover.other();
    }

    fn payoff(&self, player: Player) -> Payoff {
        Payoff(i32::from(self.has_four(player)) - i32::from(self.has_four(player.other())))
    }

    fn hash(&self) -> u64 {
        mix(mix(self.discs[0]) ^ self.discs[1] ^ (self.mover.index() as u64) << 63)
    }

    fn move_index(column: u8) -> u16 {
        column.into()
    }
}

/// The drawing for consoles: the top row first.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                let mark = match self.discs.map(|discs| discs >> (7 * column + row) & 1) {
                    [1, _] => 'x',
                    [_, 1] => 'o',
                    _ => '.',
                };
                write!(f, "{mark}")?;
            }
            if row > 0 {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}
