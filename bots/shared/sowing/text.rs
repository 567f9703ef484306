//! Positions as one line of text: `4,4,4,4,4,4,0/4,4,4,4,4,4,0 0`. For each player, the first before the second, the
//! counters of its holes in the order of sowing and of its store; then a number, from which follows who is to move.

use contest::Unreadable;
use coppice::Player;

use super::{Rows, MAX_HOLES};

/// Writes a position.
pub fn write(board: &impl Rows, number: u32) -> String {
    let row = |player| {
        let holes = (0..board.holes()).map(|hole| board.counters(player, hole));
        holes.chain([board.store(player)]).map(|count| count.to_string()).collect::<Vec<_>>().join(",")
    };
    format!("{}/{} {number}", row(Player::FIRST), row(Player::SECOND))
}

/// Reads both sides, laid out as in [`crate::shared::sowing`], and the number. `what` is the number's meaning.
///
/// # Errors
/// If the text is malformed; the error says what was expected.
pub fn read(text: &str, holes: u32, what: &str) -> Result<([u64; 2], u32), Unreadable> {
    let read = || {
        let (rows, number) = text.trim().split_once(' ')?;
        let (first, second) = rows.split_once('/')?;
        Some(([side(first, holes)?, side(second, holes)?], number.trim().parse().ok()?))
    };
    read().ok_or_else(|| {
        let row = "4,".repeat(holes as usize);
        format!(
            "\"{text}\": expected the counters in the {holes} holes of the first player, in the order of sowing, and in its \
             store, the same of the second, and {what}, such as {row}0/{row}0 0"
        )
        .into()
    })
}

/// The counters in a side's holes and store.
pub fn total(side: u64) -> u32 {
    side.to_le_bytes().into_iter().map(u32::from).sum()
}

fn side(text: &str, holes: u32) -> Option<u64> {
    let counts = text.split(',').map(|count| count.trim().parse::<u8>().ok()).collect::<Option<Vec<_>>>()?;
    // The store follows the last hole.
    let first = MAX_HOLES - holes as usize;
    let side = (first..).zip(&counts).map(|(byte, &count)| u64::from(count) << (8 * byte));
    (counts.len() == holes as usize + 1).then(|| side.sum())
}
