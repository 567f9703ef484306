//! The rules of connect four on bitboards.

use std::fmt;

use coppice::bits::nth_one;
use coppice::{Evaluation, Game, List, Payoff, Player, Rng, Score};

/// The cells of six rows and seven columns: bit `8 * column + row`, row 0 at the bottom. The two bits above
/// each column stay 0.
pub const CELLS: u64 = 0x3f_3f3f_3f3f_3f3f;
const BOTTOM: u64 = CELLS / 63;

/// A position, from the point of view of the player to move. A move is a column, 0 to 6.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    own: u64,
    other: u64,
    to_move: Player,
}

/// Whether four discs are in line, by shifting and masking in each direction.
#[inline(always)]
fn has_four(discs: u64) -> bool {
    let in_line = |step: u32| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step)
    };
    in_line(1) | in_line(7) | in_line(8) | in_line(9) != 0
}

impl ConnectFour {
    /// The discs of the player to move and of the opponent, bit `8 * column + row`, row 0 at the bottom.
    pub fn discs(&self) -> (u64, u64) {
        (self.own, self.other)
    }

    /// The empty board.
    pub const START: ConnectFour = ConnectFour { own: 0, other: 0, to_move: Player::FIRST };

    /// The cells that a disc can fall into; none once four are in line.
    #[inline(always)]
    fn open(&self) -> u64 {
        if has_four(self.other) {
            0
        } else {
            ((self.own | self.other) + BOTTOM) & CELLS
        }
    }
}

impl Game for ConnectFour {
    type Move = u8;
    type Moves = List<u8, 7>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline(always)]
    fn moves(&self, list: &mut List<u8, 7>) {
        let mut open = self.open();
        while open != 0 {
            list.push((open.trailing_zeros() / 8) as u8);
            open &= open - 1;
        }
    }

    #[inline(always)]
    fn play(&mut self, column: u8) {
        debug_assert!(self.open() >> (8 * column) & 0x3f != 0, "column {column} is not legal");
        let disc = ((self.own | self.other) + (1 << (8 * column))) & 0x3f << (8 * column);
        *self = ConnectFour { own: self.other, other: self.own | disc, to_move: self.to_move.other() };
    }

    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        let just_moved = i32::from(has_four(self.other));
        Payoff(if player == self.to_move { -just_moved } else { just_moved })
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        // Setting the bit above each column's discs marks the taken cells; together with the own discs this
        // encodes the position in 56 bits, so no two positions collide.
        coppice::rng::mix(self.own + (self.own | self.other) + BOTTOM)
    }

    #[inline(always)]
    fn move_index(column: u8) -> u16 {
        u16::from(column)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.open() == 0
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        self.open().count_ones() as usize
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<u8> {
        match self.open() {
            0 => None,
            open => Some((nth_one(open, rng.below(open.count_ones())) / 8) as u8),
        }
    }
}

impl fmt::Debug for ConnectFour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, o) =
            if self.to_move == Player::FIRST { (self.own, self.other) } else { (self.other, self.own) };
        for row in (0..6).rev() {
            f.write_str("\n")?;
            for bit in (0..7).map(|column| 8 * column + row) {
                f.write_str(if x >> bit & 1 == 1 {
                    "x"
                } else if o >> bit & 1 == 1 {
                    "o"
                } else {
                    "."
                })?;
            }
        }
        write!(f, "\n{} to move", ["x", "o"][self.to_move.index() & 1])
    }
}

/// Discs weighted by closeness to the middle column, own minus the opponent's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Centre;

impl Evaluation<ConnectFour> for Centre {
    #[inline(always)]
    fn evaluate(&self, game: &ConnectFour) -> Score {
        const MIDDLE: u64 = 0x3f << 24;
        const INNER: u64 = MIDDLE << 8 | MIDDLE | MIDDLE >> 8;
        let worth = |discs: u64| (discs & MIDDLE).count_ones() + (discs & INNER).count_ones();
        Score::estimate(worth(game.own) as i32 - worth(game.other) as i32)
    }
}
