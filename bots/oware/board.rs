//! The rules of Oware (Abapa), with one byte for each hole.

use std::fmt;

use coppice::bits::nth_one;
use coppice::rng::mix;
use coppice::{Game, List, Payoff, Player, Reversible, Rng};

use super::sown::{sown, ROUND};
use crate::shared::sowing::{self, sum, swept, Rows, HOLES, MAX_HOLES, STORE};

/// Seeds in each hole at the start.
const SEEDS: u64 = 4;

/// More than half of all seeds.
pub const WON: u32 = 25;

/// Moves of both players together after which a game ends.
pub const MAX_PLIES: u8 = 200;

/// The lowest bit of each hole's byte.
const ONES: u64 = HOLES / 255;

/// Rule for a grand slam, a move that would capture all seeds of the opponent's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GrandSlam {
    /// It captures nothing.
    CapturesNothing,
    /// It isn't legal. If it is the only move, the game ends as without a move.
    Forbidden,
    /// It captures them.
    Captures,
}

/// A position, from the point of view of the player to move. A move is the number of a hole, in the order of sowing.
///
/// A game ends early if a position comes round, so the state has the positions since the start. Neither equality nor
/// [`Game::hash`] depend on them, as in chess programs: that makes a search's table and kept tree useful, and a value
/// proved on another way to the same position may then be wrong where that way has a repetition.
#[derive(Clone, Copy)]
pub struct Board {
    /// A side's holes and captured seeds, laid out as in [`crate::shared::sowing`].
    own: u64,
    other: u64,
    grand_slam: GrandSlam,
    is_over: bool,
    /// Moves of both players so far.
    plies: u8,
    /// The plies at which seeds were captured last: no earlier position can come round.
    captured_at: u8,
    /// A hash of the holes after each ply, from the start on.
    seen: [u64; MAX_PLIES as usize + 1],
}

/// What [`Reversible::unmake`] restores.
#[derive(Debug, Clone, Copy)]
pub struct Undo {
    own: u64,
    other: u64,
    captured_at: u8,
}

impl Board {
    /// The starting position: four seeds in each hole.
    pub const fn new(grand_slam: GrandSlam) -> Board {
        Board::of_sides(SEEDS * ONES, SEEDS * ONES, grand_slam)
    }

    /// A position with the first player to move: holes and captured seeds laid out as in [`crate::shared::sowing`].
    pub const fn of_sides(own: u64, other: u64, grand_slam: GrandSlam) -> Board {
        let mut seen = [0; MAX_PLIES as usize + 1];
        seen[0] = key(own, other);
        Board { own, other, grand_slam, is_over: false, plies: 0, captured_at: 0, seen }
    }

    /// The same sides after this many moves, fewer than [`MAX_PLIES`]; the positions before aren't known, and none comes round.
    pub(super) const fn at_ply(mut self, plies: u8) -> Board {
        self.seen[plies as usize] = key(self.own, self.other);
        (self.plies, self.captured_at) = (plies, plies);
        self
    }

    /// The rule of the grand slam.
    pub const fn grand_slam(&self) -> GrandSlam {
        self.grand_slam
    }

    /// Moves of both players so far.
    pub const fn plies(&self) -> u8 {
        self.plies
    }

    /// The seeds in a player's hole.
    pub fn seeds(&self, player: Player, hole: u32) -> u32 {
        (self.side(player) >> (8 * hole)) as u32 & 0xff
    }

    /// The seeds that a player has captured.
    pub fn captured(&self, player: Player) -> u32 {
        (self.side(player) >> (8 * STORE)) as u32
    }

    /// The seeds that the player to move has captured, and those of the opponent.
    #[inline(always)]
    pub const fn stores(&self) -> (u32, u32) {
        ((self.own >> (8 * STORE)) as u32, (self.other >> (8 * STORE)) as u32)
    }

    /// Captured seeds of the player to move minus the opponent's.
    #[inline(always)]
    pub const fn difference(&self) -> i32 {
        let (own, other) = self.stores();
        own as i32 - other as i32
    }

    /// The holes of the player to move and of the opponent, one byte each.
    #[inline(always)]
    pub const fn sides(&self) -> (u64, u64) {
        (self.own & HOLES, self.other & HOLES)
    }

    fn side(&self, player: Player) -> u64 {
        if player == self.to_move() {
            self.own
        } else {
            self.other
        }
    }

    /// The top bit of the byte of each own hole that may be emptied. A byte holds at most 48, so no addition carries.
    #[inline(always)]
    fn playable(&self) -> u64 {
        if self.is_over {
            return 0;
        }
        self.playable_now()
    }

    #[inline(always)]
    fn playable_now(&self) -> u64 {
        // The number of seeds with which a hole reaches the opponent's row: 6 from hole 0, 1 from hole 5.
        const FEEDING: u64 = 0x01_02_03_04_05_06;
        let least = if self.other & HOLES == 0 { FEEDING } else { ONES };
        let playable = ((self.own & HOLES) + (128 * ONES - least)) & (128 * ONES);
        match self.grand_slam {
            GrandSlam::Forbidden => self.without_slams(playable),
            _ => playable,
        }
    }

    /// Leaves out the moves that capture all of the opponent's seeds.
    #[inline(never)]
    fn without_slams(&self, mut playable: u64) -> u64 {
        let mut left = playable;
        while playable != 0 {
            let bit = playable & playable.wrapping_neg();
            playable ^= bit;
            let (_, other, last) = self.sow(bit.trailing_zeros() / 8);
            let taken = captures(other, last);
            if taken != 0 && taken == other & HOLES {
                left ^= bit;
            }
        }
        left
    }

    /// Both sides after sowing from a hole, and where the last seed fell, as in [`Sown::last`](super::sown::Sown::last).
    #[inline(always)]
    fn sow(&self, hole: u32) -> (u64, u64, u32) {
        let mut seeds = (self.own >> (8 * hole)) as usize & 0xff;
        let (mut own, mut other) = (self.own & !(0xff << (8 * hole)), self.other);
        while seeds > ROUND {
            let round = sown(hole as usize, ROUND);
            own += round.own();
            other += round.other;
            seeds -= ROUND;
        }
        let sown = sown(hole as usize, seeds);
        (own + sown.own(), other + sown.other, sown.last())
    }

    /// Whether the position of this ply has been there since the last capture, with the same player to move.
    #[inline(always)]
    fn comes_round(&self) -> bool {
        let (from, now) = (usize::from(self.captured_at), usize::from(self.plies));
        let key = self.seen[now];
        let same_mover = from + (now - from) % 2;
        self.seen[same_mover..now].iter().step_by(2).any(|&seen| seen == key)
    }

    /// Each player takes the seeds of its own row: the end.
    fn end(&mut self) {
        (self.own, self.other) = (swept(self.own), swept(self.other));
        self.seen[usize::from(self.plies)] = key(self.own, self.other);
        self.is_over = true;
    }
}

/// The bytes of the other side's holes that are captured when the last seed falls at `last`: an unbroken run of holes
/// with two or three seeds that ends there.
#[inline(always)]
fn captures(other: u64, last: u32) -> u64 {
    if last < MAX_HOLES as u32 {
        return 0;
    }
    let at = last - MAX_HOLES as u32;
    // Two or three: all bits but the lowest are those of 2. The top bit of each byte for which that isn't so.
    let differs = ((other ^ (2 * ONES)) & (0xfe * ONES)) + 127 * ONES;
    let below = (1u64 << (8 * (at + 1))) - 1;
    let broken = differs & (128 * ONES) & below;
    // The bytes above the last one that breaks the run.
    let run = u64::MAX << (64 - broken.leading_zeros());
    other & below & run
}

/// Folds the product of both sides' holes to 64 bits (Wang Yi's wyhash), then mixes.
#[inline(always)]
const fn key(own: u64, other: u64) -> u64 {
    let (own, other) = (own & HOLES, other & HOLES);
    let product = ((own ^ 0x9e37_79b9_7f4a_7c15) as u128) * ((other ^ 0xc2b2_ae3d_27d4_eb4f) as u128);
    mix(product as u64 ^ (product >> 64) as u64)
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        let key = |board: &Board| (board.own, board.other, board.plies, board.is_over, board.grand_slam);
        key(self) == key(other)
    }
}

impl Eq for Board {}

impl Game for Board {
    type Move = u8;
    type Moves = List<u8, MAX_HOLES>;

    /// A position that comes round ends the game.
    const ENDS_BY_WAY: bool = true;

    #[inline(always)]
    fn to_move(&self) -> Player {
        Player::new(self.plies & 1)
    }

    #[inline(always)]
    fn moves(&self, list: &mut List<u8, MAX_HOLES>) {
        let mut playable = self.playable();
        while playable != 0 {
            list.push((playable.trailing_zeros() / 8) as u8);
            playable &= playable - 1;
        }
    }

    #[inline(always)]
    fn play(&mut self, hole: u8) {
        debug_assert!(self.playable() >> (8 * hole) & 0x80 != 0, "hole {hole} can't be emptied: {self:?}");
        let (mut own, mut other, last) = self.sow(hole.into());
        let mut taken = captures(other, last);
        if taken == other & HOLES && self.grand_slam == GrandSlam::CapturesNothing {
            taken = 0;
        }
        self.plies += 1;
        if taken != 0 {
            other -= taken;
            own += sum(taken) << (8 * STORE);
            self.captured_at = self.plies;
        }
        (self.own, self.other) = (other, own);
        self.seen[usize::from(self.plies)] = key(self.own, self.other);
        if self.stores().1 >= WON {
            self.is_over = true;
        } else if self.plies >= MAX_PLIES || self.playable_now() == 0 || self.comes_round() {
            self.end();
        }
    }

    /// Captured seeds minus the opponent's.
    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        let difference = self.difference();
        Payoff(if player == self.to_move() { difference } else { -difference })
    }

    /// Leaves out how the position was reached.
    #[inline(always)]
    fn hash(&self) -> u64 {
        let (own, other) = self.stores();
        let rest = own << 24 | other << 16 | u32::from(self.plies) << 8 | u32::from(self.is_over);
        mix(self.seen[usize::from(self.plies)] ^ u64::from(rest).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[inline(always)]
    fn move_index(hole: u8) -> u16 {
        u16::from(hole)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.is_over
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        self.playable().count_ones() as usize
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<u8> {
        match self.playable() {
            0 => None,
            playable => Some((nth_one(playable, rng.below(playable.count_ones())) / 8) as u8),
        }
    }
}

impl Reversible for Board {
    type Undo = Undo;

    #[inline(always)]
    fn make(&mut self, hole: u8) -> Undo {
        let undo = Undo { own: self.own, other: self.other, captured_at: self.captured_at };
        self.play(hole);
        undo
    }

    /// Later entries of the positions are overwritten before they are read.
    #[inline(always)]
    fn unmake(&mut self, _: u8, undo: Undo) {
        (self.own, self.other, self.captured_at) = (undo.own, undo.other, undo.captured_at);
        (self.plies, self.is_over) = (self.plies - 1, false);
    }
}

impl Rows for Board {
    fn holes(&self) -> u32 {
        MAX_HOLES as u32
    }

    fn counters(&self, player: Player, hole: u32) -> u32 {
        self.seeds(player, hole)
    }

    fn store(&self, player: Player) -> u32 {
        self.captured(player)
    }

    fn mover(&self) -> Player {
        self.to_move()
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sowing::show(self, f)?;
        write!(f, ", {} moves", self.plies)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
