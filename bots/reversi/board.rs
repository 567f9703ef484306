//! The rules of Othello on two bitboards.

use std::fmt;

use coppice::{Game, List, Payoff, Player, Rng};

use super::cell::Cell;
pub use super::lines::flips;

/// The legal moves of a position. A game never has more than 33 at once; a board set up by hand may have one on every
/// empty cell.
pub type CellList = List<Cell, 64>;

/// A position, from the point of view of the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    own: u64,
    opponent: u64,
    to_move: Player,
}

impl Board {
    /// The starting position.
    pub const START: Board =
        Board { own: 1 << 28 | 1 << 35, opponent: 1 << 27 | 1 << 36, to_move: Player::FIRST };

    /// A position from the discs of the player to move and of the opponent.
    ///
    /// # Panics
    /// In debug builds if a cell has two discs.
    #[inline]
    pub const fn new(own: u64, opponent: u64, to_move: Player) -> Board {
        debug_assert!(own & opponent == 0, "a cell holds one disc");
        Board { own, opponent, to_move }
    }

    /// The discs of the player to move.
    #[inline(always)]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// The discs of the player who is not to move.
    #[inline(always)]
    pub const fn opponent(&self) -> u64 {
        self.opponent
    }

    /// The cells without a disc.
    #[inline(always)]
    pub const fn empty(&self) -> u64 {
        !(self.own | self.opponent)
    }

    /// The discs of a player.
    #[inline(always)]
    pub fn discs(&self, player: Player) -> u64 {
        if player == self.to_move {
            self.own
        } else {
            self.opponent
        }
    }

    /// Discs of the player to move minus those of the opponent.
    #[inline(always)]
    pub const fn disc_difference(&self) -> i32 {
        self.own.count_ones() as i32 - self.opponent.count_ones() as i32
    }

    /// The legal moves of the player to move.
    #[inline(always)]
    pub fn mobility(&self) -> u64 {
        mobility(self.own, self.opponent)
    }

    /// The legal moves the opponent would have if it were to move.
    #[inline(always)]
    pub fn opponent_mobility(&self) -> u64 {
        mobility(self.opponent, self.own)
    }
}

impl fmt::Display for Board {
    /// Prints the discs as in the protocol, with 0 for black, and a star on each legal move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("  a b c d e f g h\n")?;
        let shown =
            [(self.discs(Player::FIRST), '0'), (self.discs(Player::SECOND), '1'), (self.mobility(), '*')];
        for y in 0..8 {
            write!(f, "{}", y + 1)?;
            for x in 0..8 {
                let mark = shown.iter().find(|(cells, _)| cells >> (8 * y + x) & 1 == 1);
                write!(f, " {}", mark.map_or('.', |&(_, mark)| mark))?;
            }
            f.write_str("\n")?;
        }
        let [black, white] = [Player::FIRST, Player::SECOND].map(|player| self.discs(player).count_ones());
        let mover = ["black (0)", "white (1)"][self.to_move.index() & 1];
        write!(f, "black {black}, white {white}; {mover} to move")
    }
}

impl Game for Board {
    type Move = Cell;
    type Moves = CellList;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline(always)]
    fn moves(&self, list: &mut CellList) {
        let mut cells = self.mobility();
        if cells == 0 && self.opponent_mobility() != 0 {
            list.push(Cell::PASS);
        }
        while cells != 0 {
            list.push(Cell::new(cells.trailing_zeros()));
            cells &= cells - 1;
        }
    }

    #[inline(always)]
    fn play(&mut self, cell: Cell) {
        let (mut own, mut opponent) = (self.own, self.opponent);
        if cell != Cell::PASS {
            let flipped = flips(cell, own, opponent);
            debug_assert!(flipped != 0 && self.empty() & cell.board() != 0, "{cell} is not legal");
            own ^= flipped | cell.board();
            opponent ^= flipped;
        }
        *self = Board { own: opponent, opponent: own, to_move: self.to_move.other() };
    }

    /// Own discs minus the opponent's.
    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        let difference = self.disc_difference();
        Payoff(if player == self.to_move { difference } else { -difference })
    }

    /// Hashes the discs of the player to move and of the opponent, but not their colours: positions that differ only
    /// in colours have the same future.
    #[inline(always)]
    fn hash(&self) -> u64 {
        let a = self.own.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let b = self.opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let x = (a ^ (a >> 32)).wrapping_add(b.rotate_left(29) ^ (b >> 31));
        let x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^ (x >> 32)
    }

    #[inline(always)]
    fn move_index(cell: Cell) -> u16 {
        cell.bit() as u16
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.mobility() == 0 && self.opponent_mobility() == 0
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        match self.mobility() {
            0 => usize::from(self.opponent_mobility() != 0),
            cells => cells.count_ones() as usize,
        }
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<Cell> {
        match self.mobility() {
            0 if self.opponent_mobility() == 0 => None,
            0 => Some(Cell::PASS),
            cells => Some(Cell::new(coppice::bits::nth_one(cells, rng.below(cells.count_ones())))),
        }
    }
}

/// All cells except the columns a and h, so that a line that leaves the board there doesn't re-enter on the other
/// side.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Shifts from a cell to its neighbours in the four directions towards higher bits.
const SHIFTS: [u32; 4] = [1, 7, 8, 9];

/// The discs that a line may pass through, by direction.
#[inline(always)]
fn passable(opponent: u64) -> [u64; 4] {
    let inner = opponent & INNER;
    [inner, inner, opponent, inner]
}

/// The cells on which the owner of `own` may place a disc: Kogge-Stone fills along the eight directions, two at a
/// time.
#[inline(always)]
pub fn mobility(own: u64, opponent: u64) -> u64 {
    let through = passable(opponent);
    let mut found = [0u64; 4];
    for i in 0..4 {
        let s = SHIFTS[i];
        let up = through[i];
        let mut a = up & (own << s);
        let mut b = up & (own >> s);
        a |= up & (a << s);
        b |= up & (b >> s);
        let pairs_up = up & (up << s);
        let pairs_down = up & (up >> s);
        a |= pairs_up & (a << (2 * s));
        b |= pairs_down & (b >> (2 * s));
        a |= pairs_up & (a << (2 * s));
        b |= pairs_down & (b >> (2 * s));
        found[i] = (a << s) | (b >> s);
    }
    (found[0] | found[1] | found[2] | found[3]) & !(own | opponent)
}
