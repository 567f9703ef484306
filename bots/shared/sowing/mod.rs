//! Common parts of Kalah and Oware: two rows of up to six holes, a byte for each hole, and how a position is shown.
//!
//! A side is one word. The hole next to the end of the row is byte 5; with fewer than six holes the lowest bytes stay
//! 0. Byte 6 counts what the side has captured.

#[cfg(not(bundled))]
pub mod drawing;
pub mod inputs;
#[cfg(not(bundled))]
pub mod text;

use std::fmt;

use coppice::Player;

/// The maximum number of holes a side.
pub const MAX_HOLES: usize = 6;

/// Byte index of the store.
pub const STORE: u32 = 6;

/// Mask of the bytes that hold holes.
pub const HOLES: u64 = 0xffff_ffff_ffff;

/// The sum of the bytes of a word, at most 255.
#[inline(always)]
pub const fn sum(bytes: u64) -> u64 {
    bytes.wrapping_mul(u64::MAX / 255) >> 56
}

/// The side with all of its counters moved into its store.
#[inline(always)]
pub const fn swept(side: u64) -> u64 {
    (side & !HOLES) + (sum(side & HOLES) << (8 * STORE))
}

/// A position as it is shown: for each player a row of holes, numbered along the way of sowing, and a store.
pub trait Rows {
    /// The number of holes a side.
    fn holes(&self) -> u32;

    /// The counters in a player's hole.
    fn counters(&self, player: Player, hole: u32) -> u32;

    /// The counters in a player's store.
    fn store(&self, player: Player) -> u32;

    /// The player to move.
    fn mover(&self) -> Player;
}

/// Prints the second player's side at the top, with hole 0 at the right, and the stores at the sides.
///
/// # Errors
/// If `f` can't be written.
pub fn show(board: &impl Rows, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let counters =
        |f: &mut fmt::Formatter<'_>, player, hole| write!(f, " {:>2}", board.counters(player, hole));
    f.write_str("   ")?;
    (0..board.holes()).rev().try_for_each(|hole| counters(f, Player::SECOND, hole))?;
    let width = 3 * board.holes() as usize;
    write!(f, "\n{:>3}{:width$} {:>2}\n   ", board.store(Player::SECOND), "", board.store(Player::FIRST))?;
    (0..board.holes()).try_for_each(|hole| counters(f, Player::FIRST, hole))?;
    write!(f, "\n{} to move", ["first", "second"][board.mover().index() & 1])
}
