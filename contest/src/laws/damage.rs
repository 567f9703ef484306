//! Dialogues of random games, and damaged texts.

use coppice::Rng;

use crate::contest::{Contest, Setup};
use crate::referee::Seat;

/// The lines that a random game sends to one seat. The bot's own answers may differ from the game's, which a bot has to
/// bear as well.
pub fn dialogue(contest: &dyn Contest, seed: u64, rng: &mut Rng) -> String {
    let mut referee = contest.new_game(Setup { seed, opening_plies: 0, limits: contest.limits() });
    let (mine, mut text): (Seat, String) = ((seed % contest.seats() as u64) as usize, String::new());
    while let Some(&seat) = referee.asked().first() {
        if seat == mine {
            if text.is_empty() {
                text += &referee.init(seat);
            }
            text += &referee.turn(seat);
        }
        let legal = referee.legal_moves(seat);
        let answer = referee.answer_of(seat, &legal[rng.below(legal.len() as u32) as usize]);
        referee.answer(seat, &answer).expect("a legal move");
    }
    text
}

/// Pieces that parsers stumble over.
const PIECES: [&str; 16] = [
    "",
    " ",
    "-1",
    "0",
    "9",
    "255",
    "256",
    "65536",
    "4294967296",
    "-9223372036854775809",
    "1e9",
    "a1",
    "z9",
    "\0",
    "é",
    "99999999999999999999999",
];

/// A text with one to three random changes; sometimes by chance none.
pub fn damaged(text: &str, rng: &mut Rng) -> String {
    String::from_utf8_lossy(&damaged_text(text, rng)).replace(['\n', '\r'], " ")
}

/// Damages bytes, line ends included.
pub fn damaged_text(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len() as u32 + 1) as usize;
        let end = (at + rng.below(6) as usize).min(bytes.len());
        let piece = PIECES[rng.below(PIECES.len() as u32) as usize].as_bytes();
        match rng.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..end, piece.iter().copied())),
            3 => drop(bytes.splice(at..at, piece.iter().copied())),
            4 => bytes.insert(at, rng.below(256) as u8),
            5 => bytes.extend_from_within(at..end),
            6 => {
                bytes.splice(at..at, std::iter::repeat_n(b'7', 70_000 * rng.below(2) as usize)).for_each(drop)
            }
            _ => {
                // A line twice, or a line less.
                let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
                let line = rng.below(lines.len().max(1) as u32) as usize;
                let count = 2 * rng.below(2) as usize;
                let of = |i: usize| if i == line { count } else { 1 };
                bytes = lines.iter().enumerate().flat_map(|(i, line)| line.repeat(of(i))).collect();
            }
        }
    }
    bytes
}
