//! The rules: a man moves one step forward, straight or diagonally, and captures only diagonally.
//! A player wins by reaching the last row or by capturing all men.

use smallvec::SmallVec;
use std::fmt;
use std::str::FromStr;

/// Columns that a step to the left or right must not wrap around.
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = 0x8080_8080_8080_8080;

/// A square, 0 is a1, 7 is h1, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub u8);

impl Square {
    /// The column, 0 to 7.
    pub fn file(self) -> u8 {
        self.0 % 8
    }

    /// The row, 0 to 7.
    pub fn row(self) -> u8 {
        self.0 / 8
    }

    /// The bit of the square.
    pub fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An error in a written move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadMove {
    /// Not of the form a2a3.
    Form(String),
    /// Not possible in this position.
    Illegal(Move),
}

impl fmt::Display for BadMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadMove::Form(text) => write!(f, "{text:?} is no move"),
            BadMove::Illegal(m) => write!(f, "{m} is not possible"),
        }
    }
}

impl std::error::Error for BadMove {}

impl From<Move> for BadMove {
    fn from(m: Move) -> BadMove {
        BadMove::Illegal(m)
    }
}

/// A move from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The square of the man.
    pub from: Square,
    /// The target square.
    pub to: Square,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl FromStr for Square {
    type Err = BadMove;

    fn from_str(text: &str) -> Result<Square, BadMove> {
        match text.as_bytes() {
            [x @ b'a'..=b'h', y @ b'1'..=b'8'] => Ok(Square((y - b'1') * 8 + (x - b'a'))),
            _ => Err(BadMove::Form(text.to_string())),
        }
    }
}

impl FromStr for Move {
    type Err = BadMove;

    fn from_str(text: &str) -> Result<Move, BadMove> {
        let (Some(from), Some(to)) = (text.get(..2), text.get(2..)) else {
            return Err(BadMove::Form(text.to_string()));
        };
        Ok(Move { from: from.parse()?, to: to.parse()? })
    }
}

/// The moves of a position; few positions have more than 32.
pub type Moves = SmallVec<[Move; 32]>;

/// A position from the point of view of the player to move, whose men move up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The men of the player to move.
    pub own: u64,
    /// The opponent's men.
    pub opponent: u64,
    /// Whether the board was turned: black is to move.
    pub turned: bool,
}

impl Default for Board {
    fn default() -> Board {
        Board { own: 0xffff, opponent: 0xffff << 48, turned: false }
    }
}

impl Board {
    /// All legal moves, starting from a1.
    pub fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        let mut men = self.own;
        while men != 0 {
            let from = Square(men.trailing_zeros() as u8);
            men &= men - 1;
            for to in bits(self.targets(from)) {
                moves.push(Move { from, to });
            }
        }
        moves
    }

    /// The target squares of a man.
    fn targets(&self, from: Square) -> u64 {
        let man = from.bit();
        let straight = man << 8 & !self.opponent;
        let diagonal = (man & !FILE_A) << 7 | (man & !FILE_H) << 9;
        (straight | diagonal) & !self.own
    }

    /// Whether a move is legal.
    pub fn allows(&self, m: Move) -> bool {
        self.own & m.from.bit() != 0 && self.targets(m.from) & m.to.bit() != 0
    }

    /// The position after a move, seen from the other side.
    pub fn after(&self, m: Move) -> Board {
        let own = self.own ^ m.from.bit() | m.to.bit();
        let opponent = self.opponent & !m.to.bit();
        Board { own: opponent.swap_bytes(), opponent: own.swap_bytes(), turned: !self.turned }
    }

    /// The position after a move that may be illegal.
    pub fn try_play(&self, text: &str) -> Result<Board, BadMove> {
        let m: Move = text.parse()?;
        if !self.allows(m) {
            Err(m)?;
        }
        Ok(self.after(m))
    }

    /// Whether the last player to move has won.
    pub fn is_lost(&self) -> bool {
        self.opponent & 0xff != 0 || self.own == 0
    }

    /// Whether a move captures.
    pub fn captures(&self, m: Move) -> bool {
        self.opponent & m.to.bit() != 0
    }

    /// The same position as white would see it, for printing.
    pub fn upright(&self) -> (u64, u64) {
        if self.turned {
            (self.opponent.swap_bytes(), self.own.swap_bytes())
        } else {
            (self.own, self.opponent)
        }
    }

    /// A move as white would write it.
    pub fn spoken(&self, m: Move) -> Move {
        let turn = |s: Square| if self.turned { Square(s.0 ^ 56) } else { s };
        Move { from: turn(m.from), to: turn(m.to) }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (white, black) = self.upright();
        for row in (0..8).rev() {
            write!(f, "{} ", row + 1)?;
            for file in 0..8 {
                let bit = Square(row * 8 + file).bit();
                let sign = match (white & bit != 0, black & bit != 0) {
                    (true, _) => 'w',
                    (_, true) => 'b',
                    _ => '.',
                };
                write!(f, "{sign}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "  abcdefgh")
    }
}

/// The squares of a set of bits.
pub fn bits(set: u64) -> impl Iterator<Item = Square> {
    let mut left = set;
    std::iter::from_fn(move || {
        let square = (left != 0).then(|| Square(left.trailing_zeros() as u8))?;
        left &= left - 1;
        Some(square)
    })
}
