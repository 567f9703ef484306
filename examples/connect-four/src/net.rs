//! The evaluation that the factory has learnt: what its network reads of a position, and its weights.

use coppice::network::{Network, SCALE};
use coppice::{Evaluation, Score};

use crate::board::{ConnectFour, CELLS};
use crate::lines::{starts, STEPS};

/// Words of inputs: discs, cells that would complete four, and for each direction the lines that hold two discs, each for
/// the player and for the opponent.
pub const WORDS: usize = 12;
/// Sums of the first layer, in each view.
pub const UNITS: usize = 32;
/// Units of the second layer.
pub const SECOND: usize = 16;
/// The network.
pub type Weights = Network<WORDS, UNITS, SECOND, 0>;

/// The encoded weights that the evaluation plays with.
pub const BYTES: &[u8] = include_bytes!("weights.bin");

/// The one of a position and its mirror image that stands for both: the network learns and reads no other.
#[inline(always)]
pub fn canonical(own: u64, other: u64) -> (u64, u64) {
    // A column is a byte.
    let mirror = |discs: u64| discs.swap_bytes() >> 8;
    (own, other).min((mirror(own), mirror(other)))
}

/// The inputs of the network for a player with the discs `own`.
#[inline(always)]
pub fn inputs(own: u64, other: u64) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    let free = CELLS & !(own | other);
    words[0] = own;
    words[1] = other;
    words[2] = completing(own) & free;
    words[3] = completing(other) & free;
    for (i, step) in STEPS.into_iter().enumerate() {
        words[4 + i] = pairs(own, CELLS & !other, step);
        words[8 + i] = pairs(other, CELLS & !own, step);
    }
    words
}

/// The cells with which three of these discs are four in line; some of them are taken or off the board.
#[inline(always)]
fn completing(discs: u64) -> u64 {
    let mut cells = discs << 1 & discs << 2 & discs << 3;
    for step in &STEPS[1..] {
        let pairs = discs & discs >> step;
        let three = pairs & discs >> (2 * step);
        cells |= three << (3 * step) | three >> step;
        cells |= (pairs & discs >> (3 * step)) << (2 * step) | (discs & pairs >> (2 * step)) << step;
    }
    cells
}

/// The first cells of lines of four cells among `open` that hold two of these discs.
#[inline(always)]
fn pairs(discs: u64, open: u64, step: u32) -> u64 {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| discs >> (i * step));
    starts(open, step) & !(a ^ b ^ c ^ d) & (a | b | c | d) & !(a & b & c & d)
}

/// The evaluation by a network.
#[derive(Debug, Clone)]
pub struct Net(pub Weights);

impl Net {
    /// The evaluation with the weights of this package.
    pub fn trained() -> Net {
        Net(Weights::decode(BYTES))
    }
}

impl Evaluation<ConnectFour> for Net {
    /// In points; 1024 points are three quarters of a win.
    #[inline(always)]
    fn evaluate(&self, game: &ConnectFour) -> Score {
        let (own, other) = game.discs();
        let (own, other) = canonical(own, other);
        let Net(network) = self;
        let sums = [inputs(own, other), inputs(other, own)].map(|inputs| network.sums(&inputs));
        Score::estimate(network.output(&sums[0], &sums[1]))
    }
}

/// Points of three quarters of a win.
pub const THREE_QUARTERS: f32 = SCALE as f32;

#[cfg(test)]
mod tests {
    use coppice::{Game, Rng};

    use super::*;

    /// The cells of a line, if it is on the board.
    fn line(start: u32, step: u32) -> Option<u64> {
        let line = (0..4).map(|i| 1u128 << (start + i * step)).sum::<u128>();
        u64::try_from(line).ok().filter(|line| line & !CELLS == 0)
    }

    #[test]
    fn mirror_images_are_worth_the_same() {
        let mut numbers = vec![0; Weights::NUMBERS];
        let mut rng = Rng::new(5);
        numbers.iter_mut().for_each(|number| *number = rng.below(61) as i32 - 30);
        let net = Net(Weights::new(&numbers));
        let (mut game, mut mirrored) = (ConnectFour::START, ConnectFour::START);
        let mut largest = 0;
        while let Some(column) = game.random_move(&mut rng) {
            assert_eq!(net.evaluate(&game), net.evaluate(&mirrored), "{game:?}");
            largest = largest.max(net.evaluate(&game).value().abs());
            game.play(column);
            mirrored.play(6 - column);
        }
        assert!(largest > 50, "{largest}");
    }

    #[test]
    fn inputs_are_what_each_line_holds() {
        let mut rng = Rng::new(4);
        for _ in 0..200 {
            let mut game = ConnectFour::START;
            while let Some(column) = game.random_move(&mut rng) {
                let (own, other) = game.discs();
                let mut expected = [0; WORDS];
                (expected[0], expected[1]) = (own, other);
                for (at, (discs, against)) in [(own, other), (other, own)].into_iter().enumerate() {
                    for (i, step) in STEPS.into_iter().enumerate() {
                        for (start, line) in (0..56).filter_map(|start| Some((start, line(start, step)?))) {
                            match (line & against, (line & discs).count_ones()) {
                                (0, 2) => expected[4 + 4 * at + i] |= 1 << start,
                                (0, 3) => expected[2 + at] |= line & !discs,
                                _ => {}
                            }
                        }
                    }
                }
                assert_eq!(inputs(own, other), expected, "{game:?}");
                game.play(column);
            }
        }
    }
}
