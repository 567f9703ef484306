//! The rules. Here of tic-tac-toe: put your game in its place.

use std::fmt;

use coppice::rng::mix;
use coppice::{Game, List, Payoff, Player};

/// The number of cells.
pub const CELLS: u8 = 9;

/// The lines that win.
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// A position: small, and cheap to copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    /// Each player's marks, a bit a cell.
    pub marks: [u16; 2],
    /// The player to move.
    pub mover: Player,
}

impl Board {
    /// The position in which games begin.
    pub const START: Board = Board { marks: [0; 2], mover: Player::FIRST };

    /// Whether a player has a line.
    fn has_line(&self, player: Player) -> bool {
        LINES.iter().any(|line| self.marks[player.index()] & line == *line)
    }
}

impl Game for Board {
    type Move = u8; // a cell, 0 to 8
    type Moves = List<u8, 9>; // the most moves that a position can have

    fn to_move(&self) -> Player {
        self.mover
    }

    /// An empty list ends the game.
    fn moves(&self, list: &mut List<u8, 9>) {
        if !self.has_line(self.mover.other()) {
            let taken = self.marks[0] | self.marks[1];
            (0..CELLS).filter(|cell| taken >> cell & 1 == 0).for_each(|cell| list.push(cell));
        }
    }

    fn play(&mut self, cell: u8) {
        self.marks[self.mover.index()] |= 1 << cell;
        self.mover = self.mover.other();
    }

    /// The result of a finished game: above 0 for a win, 0 for a draw, below 0 for a loss.
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(i32::from(self.has_line(player)) - i32::from(self.has_line(player.other())))
    }

    /// A hash of all that decides the rest of the game.
    fn hash(&self) -> u64 {
        let [first, second] = self.marks.map(u64::from);
        mix(first | second << 16 | (self.mover.index() as u64) << 32)
    }

    /// A number that no other move of a position has.
    fn move_index(cell: u8) -> u16 {
        cell.into()
    }
}

/// The drawing for consoles.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..CELLS {
            let mark = match self.marks.map(|marks| marks >> cell & 1) {
                [1, _] => 'x',
                [_, 1] => 'o',
                _ => '.',
            };
            let row_ends = cell % 3 == 2 && cell + 1 < CELLS;
            write!(f, "{mark}{}", if row_ends { "\n" } else { "" })?;
        }
        Ok(())
    }
}
