//! The evaluation that the factory has learnt: what its network reads of a position, and its weights.

use coppice::network::Network;
use coppice::{Evaluation, Score};

use super::board::Board;
use super::side::{Side, DIRECTIONS};
use super::turn::Turn;

/// Words of inputs: small and large pieces of both players, numbers of pieces, and, for each direction, pairs of neighbours,
/// of any size and both large, of the player and of the opponent.
pub const WORDS: usize = 21;
/// Sums of the first layer, in each view.
pub const UNITS: usize = 32;
/// Units of the second layer.
pub const SECOND: usize = 16;
/// The network.
pub type Weights = Network<WORDS, UNITS, SECOND, 0>;

/// The encoded weights that the bot plays with.
pub const BYTES: &[u8] = include_bytes!("weights.bin");

/// The inputs of the network for the player with the pieces `own`.
#[inline(always)]
pub fn inputs(own: &Side, other: &Side) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (i, side) in [own, other].into_iter().enumerate() {
        let (all, large) = (side.all(), side.large);
        (words[2 * i], words[2 * i + 1]) = (side.small, large);
        // One bit each: large pieces owned, pieces on the board, large pieces in the pool (3: three or more).
        let numbers =
            1 << side.promoted | 1 << (9 + all.count_ones()) | 1 << (18 + side.large_in_pool().min(3));
        words[4] |= numbers << (22 * i);
        for (direction, shift) in DIRECTIONS.into_iter().enumerate() {
            words[5 + 8 * i + direction] = all & all >> shift;
            words[9 + 8 * i + direction] = large & large >> shift;
        }
    }
    words
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
        let (Net(network), own, other) = (self, board.own(), board.other());
        let sums = [inputs(own, other), inputs(other, own)].map(|inputs| network.sums(&inputs));
        Score::estimate(network.output(&sums[0], &sums[1]))
    }

    #[inline(always)]
    fn below(&self, board: &Board) -> impl Fn(Turn, &Board) -> Score {
        let (Net(network), own, other) = (self, board.own(), board.other());
        // By the view of the next player to move, then of this one.
        let from = [inputs(other, own), inputs(own, other)];
        let sums = from.map(|inputs| network.sums(&inputs));
        move |_, next| {
            let mut sums = sums;
            network.shift(&mut sums[0], &from[0], &inputs(next.own(), next.other()));
            network.shift(&mut sums[1], &from[1], &inputs(next.other(), next.own()));
            Score::estimate(network.output(&sums[0], &sums[1]))
        }
    }
}

#[cfg(test)]
mod tests {
    use coppice::{Game, Rng};

    use super::*;

    #[test]
    fn estimates_below_a_position_are_those_of_the_positions() {
        let mut rng = Rng::new(5);
        let numbers: Vec<i32> = (0..Weights::NUMBERS).map(|_| rng.below(61) as i32 - 30).collect();
        let net = Net(Weights::new(&numbers));
        let mut largest = 0;
        for _ in 0..20 {
            let mut board = Board::START;
            while let Some(turn) = board.random_move(&mut rng) {
                let next = board.after(turn);
                let score = net.evaluate(&next);
                assert_eq!(net.below(&board)(turn, &next), score, "{board:?}");
                largest = largest.max(score.value().abs());
                board = next;
            }
        }
        assert!(largest > 100, "{largest}");
    }

    #[test]
    fn inputs_are_pieces_numbers_and_pairs() {
        let side = |small: &[u32], large: &[u32], promoted| {
            let set = |cells: &[u32]| cells.iter().map(|cell| 1u64 << cell).sum();
            Side { small: set(small), large: set(large), promoted }
        };
        let own = side(&[9, 10], &[18, 19], 4);
        let other = side(&[54], &[], 0);
        let mut expected = [0; WORDS];
        (expected[0], expected[1], expected[2]) = (own.small, own.large, other.small);
        expected[4] = 1 << 4 | 1 << 13 | 1 << 20 | (1 << 0 | 1 << 10 | 1 << 18) << 22;
        expected[5] = 1 << 9 | 1 << 18;
        expected[6] = 1 << 10;
        expected[7] = 1 << 9 | 1 << 10;
        expected[9] = 1 << 18;
        assert_eq!(inputs(&own, &other), expected);
        let turned = inputs(&other, &own);
        assert_eq!((turned[2], turned[3], turned[13]), (own.small, own.large, expected[5]));
    }
}
