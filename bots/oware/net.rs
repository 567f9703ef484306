//! The evaluation that the factory has learnt: what its network reads of a position, and its weights.

use coppice::network::Network;
use coppice::{Evaluation, Score};

use super::board::Board;
use crate::shared::sowing::inputs::{self as rows, counters, exchanged};
use crate::shared::sowing::MAX_HOLES;

/// Words of inputs: the seeds in each hole of both players in three, the captured seeds, and the captures that are threatened.
pub const WORDS: usize = 5;
/// Sums of the first layer, in each view.
pub const UNITS: usize = 32;
/// Units of the second layer.
pub const SECOND: usize = 16;
/// The network.
pub type Weights = Network<WORDS, UNITS, SECOND, 0>;

/// The encoded weights that the bot plays with.
pub const BYTES: &[u8] = include_bytes!("weights.bin");

/// Numbers of captured seeds that are told apart: more decide the game.
const CAPTURES: u32 = 25;

/// The inputs of the network for the player whose holes, and captured seeds, are `own`.
#[inline(always)]
pub fn inputs(own: (u64, u32), other: (u64, u32)) -> [u64; WORDS] {
    let [a, b, c] = rows::holes([own.0, other.0]);
    let captured = |captured: u32| 1 << captured.min(CAPTURES - 1);
    let captures = captured(own.1) | captured(other.1) << CAPTURES;
    let threats = threats(own.0, other.0) | threats(other.0, own.0) << (2 * MAX_HOLES);
    [a, b, c, captures, threats]
}

/// The inputs for the other player.
#[inline(always)]
pub fn turned([a, b, c, captures, threats]: [u64; WORDS]) -> [u64; WORDS] {
    let [a, b, c] = rows::turned([a, b, c]);
    [a, b, c, exchanged(captures, 0, CAPTURES), exchanged(threats, 0, 2 * MAX_HOLES as u32)]
}

/// The attacker's holes whose last seed falls into a hole with one or two seeds, a bit each, and above them those holes. Only
/// sowings that don't go round count.
#[inline(always)]
fn threats(attacker: u64, attacked: u64) -> u64 {
    let mut light = 0;
    for hole in 0..MAX_HOLES {
        light |= u64::from((1..=2).contains(&counters(attacked, hole))) << hole;
    }
    let mut found = 0;
    for hole in 0..MAX_HOLES {
        // The attacked row follows that of the attacker.
        let last = hole as u64 + counters(attacker, hole);
        if last < 2 * MAX_HOLES as u64 {
            let target = light << MAX_HOLES >> last & 1;
            found |= target << hole | target << last;
        }
    }
    found
}

/// The evaluation by a network, for the player to move.
#[derive(Debug, Clone)]
pub struct Net(pub Weights);

impl Net {
    /// The evaluation with the bot's weights.
    pub fn trained() -> Net {
        Net(Weights::decode(BYTES))
    }
}

impl Evaluation<Board> for Net {
    /// In points; [`SCALE`](coppice::network::SCALE) points are three quarters of a win.
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        let ((own, other), (mine, theirs)) = (board.sides(), board.stores());
        let inputs = inputs((own, mine), (other, theirs));
        let [mover, opponent] = [inputs, turned(inputs)].map(|inputs| self.0.sums(&inputs));
        Score::estimate(self.0.output(&mover, &opponent))
    }
}

#[cfg(test)]
mod tests {
    use coppice::{Game, List, Rng};

    use super::*;
    use crate::oware::GrandSlam;

    #[test]
    fn threats_are_the_captures_of_moves() {
        let (mut rng, mut captures) = (Rng::new(2), 0);
        for _ in 0..50 {
            let mut board = Board::new(GrandSlam::Captures);
            while let Some(chosen) = board.random_move(&mut rng) {
                let ((own, other), (mine, theirs)) = (board.sides(), board.stores());
                let (own_side, other_side) = ((own, mine), (other, theirs));
                let seen = inputs(own_side, other_side);
                assert_eq!(turned(seen), inputs(other_side, own_side), "{board:?}");
                let threats = seen[4];
                let mut moves = List::default();
                board.moves(&mut moves);
                for &hole in moves.iter().filter(|&&hole| counters(own, hole as usize) + u64::from(hole) < 12)
                {
                    let next = board.after(hole);
                    let captured = if next.is_over() { continue } else { next.stores().1 > mine };
                    assert_eq!(threats >> hole & 1 == 1, captured, "hole {hole} in {board:?}");
                    captures += u32::from(captured);
                }
                board.play(chosen);
            }
        }
        assert!(captures > 500, "{captures}");
    }

    #[test]
    fn inputs_are_seeds_captures_and_threats() {
        // Holes in the order of sowing; the attacked row follows.
        let own = (u64::from_le_bytes([0, 1, 20, 4, 3, 1, 0, 0]), 7);
        let other = (u64::from_le_bytes([2, 1, 3, 0, 0, 5, 0, 0]), 30);
        let words = inputs(own, other);
        assert_eq!(words[0], 1 | 1 << 17 | 1 << (32 + 15) | 1 << (48 + 4));
        assert_eq!(words[1], 1 << 3 | 1 << 17 | 1 << (32 + 2) | 1 << (48 + 1));
        assert_eq!(words[2], 1 << 3 | 1 << 16 | 1 << 32 | 1 << (48 + 5));
        assert_eq!(words[3], 1 << 7 | 1 << (25 + 24));
        // Own holes 3 and 4 reach the other's second hole, own hole 5 the first one. The other's hole 0 has 2 seeds and ends in its
        // own row; its hole 5 ends in own hole 4, which has three.
        let mine = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7;
        assert_eq!(words[4], mine, "{:b}", words[4]);
        // Seen from the other side, with a seed that can be taken.
        let own = (u64::from_le_bytes([0, 1, 20, 4, 2, 1, 0, 0]), 7);
        let turned = inputs(other, own);
        assert_eq!(turned[4] & 0xfff, 1 << 5 | 1 << 10, "{:b}", turned[4]);
    }
}
