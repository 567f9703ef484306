//! The evaluation that the factory has learnt: what its network reads of a position, and its weights.

use coppice::network::Network;
use coppice::{Evaluation, Score};

use super::board::Board;
use super::eval::Holes;
use crate::shared::sowing::inputs::{self as rows, counters, exchanged, COUNTS};
use crate::shared::sowing::{sum, HOLES, MAX_HOLES, STORE};

/// Words of inputs: the counters in each hole of both players in three, what each lacks to win, and captures.
pub const WORDS: usize = 5;
/// Sums of the first layer, in each view.
pub const UNITS: usize = 32;
/// Units of the second layer.
pub const SECOND: usize = 16;
/// The network.
pub type Weights = Network<WORDS, UNITS, SECOND, 0>;

/// The encoded weights that the bot plays with.
pub const BYTES: &[u8] = include_bytes!("weights.bin");

/// Numbers of counters that a player lacks to win that are told apart.
const LACKS: u64 = 32;

/// The first input of the last word that says how many counters a player can capture at most.
const GREATEST: u32 = 4 * MAX_HOLES as u32;

/// The input of the last word that is the rule of capture.
const RULE: u32 = GREATEST + 2 * COUNTS as u32;

/// The inputs of the network for the player with the side `own`: six holes and the store, a byte each.
#[inline(always)]
pub fn inputs(own: u64, other: u64, empty_capture: bool) -> [u64; WORDS] {
    let store = |side: u64| side >> (8 * STORE);
    let all = sum((own & HOLES) + (other & HOLES)) + store(own) + store(other);
    let lack = |side: u64| 1 << (all / 2 + 1).saturating_sub(store(side)).min(LACKS - 1);
    let captures = |side: u64, opposite: u64, at: u32| {
        let (captures, most) = captures(side, opposite);
        captures << (2 * MAX_HOLES as u32 * at)
            | 1 << (GREATEST + COUNTS as u32 * at + most.min(COUNTS - 1) as u32)
    };
    let [a, b, c] = rows::holes([own, other]);
    let rule = u64::from(empty_capture) << RULE;
    [a, b, c, lack(own) | lack(other) << LACKS, captures(own, other, 0) | captures(other, own, 1) | rule]
}

/// The inputs for the other player.
#[inline(always)]
pub fn turned([a, b, c, lacks, captures]: [u64; WORDS]) -> [u64; WORDS] {
    let [a, b, c] = rows::turned([a, b, c]);
    let holes = exchanged(captures, 0, 2 * MAX_HOLES as u32);
    let greatest = exchanged(captures, GREATEST, COUNTS as u32);
    [a, b, c, exchanged(lacks, 0, LACKS as u32), holes | greatest | captures & 1 << RULE]
}

/// The side's holes whose last counter captures counters of the opposite row, a bit each, above them the holes that it
/// captures, and the most counters of those.
#[inline(always)]
fn captures(side: u64, opposite: u64) -> (u64, u64) {
    let (mut found, mut most) = (0, 0);
    for hole in 0..MAX_HOLES {
        let count = counters(side, hole);
        // One counter for each own hole, the store and each opposing hole bring the last back to the emptied hole.
        let (goal, round) = (hole as u64 + count, 2 * MAX_HOLES as u64 + 1);
        let is_round = goal >= round;
        let last = if is_round { goal - round } else { goal } as usize;
        if count == 0 || count > round || last >= MAX_HOLES || (last != hole && counters(side, last) > 0) {
            continue;
        }
        let taken = counters(opposite, MAX_HOLES - 1 - last) + u64::from(is_round);
        if taken > 0 {
            found |= 1 << hole | 1 << (2 * MAX_HOLES - 1 - last);
            most = most.max(taken);
        }
    }
    (found, most)
}

/// The evaluation by a network of boards with six holes a side, and of smaller ones by [`Holes`].
#[derive(Debug, Clone)]
pub struct Net(pub Weights);

impl Net {
    /// The evaluation with the bot's weights.
    pub fn trained() -> Net {
        Net(Weights::decode(BYTES))
    }

    /// The value of a position that is decided, as the other player can't catch up with more than half of all counters.
    #[inline(always)]
    pub fn decided(board: &Board) -> Option<i32> {
        let ((mine, theirs), left) = (board.stores(), board.left());
        let lead = mine as i32 - theirs as i32;
        (lead.unsigned_abs() > left).then_some(lead.signum() * DECIDED + lead)
    }
}

/// The value of a decided game, larger than that of any estimate.
const DECIDED: i32 = 100_000;

impl Evaluation<Board> for Net {
    /// In points; [`SCALE`](coppice::network::SCALE) points are three quarters of a win.
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        if board.holes() as usize != MAX_HOLES {
            // Two points for a 32nd of a counter.
            return Score::estimate(2 * Holes.evaluate(board).value());
        }
        if let Some(points) = Net::decided(board) {
            return Score::estimate(points);
        }
        let (own, other) = board.rows();
        let inputs = inputs(own, other, board.empty_capture());
        let [mover, opponent] = [inputs, turned(inputs)].map(|inputs| self.0.sums(&inputs));
        Score::estimate(self.0.output(&mover, &opponent))
    }
}

#[cfg(test)]
mod tests {
    use coppice::{Game, List, Rng};

    use super::*;

    #[test]
    fn captures_are_those_of_moves() {
        let (mut rng, mut found) = (Rng::new(2), [0; 2]);
        for _ in 0..200 {
            let mut board = Board::new(6, 4, false);
            while let Some(chosen) = board.random_move(&mut rng) {
                let ((own, other), (mine, _)) = (board.rows(), board.stores());
                let (captures, most) = captures(own, other);
                let mut moves = List::default();
                board.moves(&mut moves);
                let mut largest = 0;
                for &hole in moves.iter().filter(|&&hole| counters(own, hole.into()) <= 13) {
                    let next = board.after(hole);
                    if next.is_over() {
                        largest = most;
                        continue;
                    }
                    // Without a capture the store gains one counter if the sowing passes it.
                    let passes = u64::from(hole) + counters(own, hole.into()) >= 6;
                    let gained = next.store(board.to_move()) - mine - u32::from(passes);
                    assert_eq!(captures >> hole & 1 == 1, gained > 0, "hole {hole} in {board:?}");
                    largest = largest.max(u64::from(gained.saturating_sub(1)));
                    found[usize::from(passes)] += u32::from(gained > 0);
                }
                assert_eq!(most, largest, "{board:?}");
                assert_eq!(turned(inputs(own, other, false)), inputs(other, own, false));
                board.play(chosen);
            }
        }
        assert!(found[0] > 500 && found[1] > 5, "{found:?}");
    }

    #[test]
    fn inputs_are_counters_lacks_and_captures() {
        let own = u64::from_le_bytes([0, 1, 20, 4, 3, 0, 7, 0]);
        let other = u64::from_le_bytes([2, 0, 3, 0, 0, 5, 30, 0]);
        let words = inputs(own, other, true);
        assert_eq!(words[0], 1 | 1 << 17 | 1 << (32 + 15) | 1 << (48 + 4));
        assert_eq!(words[1], 1 << 3 | 1 << 16 | 1 << (32 + 2) | 1 << 48);
        assert_eq!(words[2], 1 << 3 | 1 << 16 | 1 << 32 | 1 << (48 + 5));
        // 75 counters: 38 win.
        assert_eq!(words[3], 1 << 31 | 1 << (32 + 8));
        // No own sowing ends in an empty own hole; of the other's the first one's, in its third hole, isn't empty either.
        assert_eq!(words[4], 1 << 24 | 1 << 40 | 1 << 56, "{:b}", words[4]);
        // With its third hole empty it takes what is in the own fourth one.
        let other = u64::from_le_bytes([2, 0, 0, 0, 0, 5, 30, 0]);
        assert_eq!(inputs(other, own, false)[4], 1 | 1 << (6 + 3) | 1 << (24 + 4) | 1 << 40);
    }
}
