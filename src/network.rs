//! Evaluates positions by a small neural network over sparse inputs, in whole numbers.
//!
//! An input is 0 or 1, and few of them are 1: a disc on a cell, a line that lacks one disc. Inputs are the bits of
//! words, so a bitboard is 64 of them. The first layer's sums of weights exist twice, as seen by the player to move
//! and by the opponent, with the same weights. A sum follows a move by the rows of the inputs that changed. Such
//! networks: Nasu, *Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi* (2018).
//!
//! ```text
//! inputs of the mover    ──> UNITS sums ──┐
//!                                         ├──> SECOND units ──> THIRD units ──> output
//! inputs of the opponent ──> UNITS sums ──┘    (0: no such layer)
//! ```
//!
//! Each sum is cut to 0 to 1 and squared before the next layer reads it. The bot decodes the weights once;
//! `coppice-factory` learns and encodes them.

use crate::range_coder::{Coder, Decoder, Odds, EVEN};

/// The number that stands for 1 in the first layer: its weights and sums.
pub const ONE: i32 = 128;
/// The largest weight of the first layer: 128 inputs don't overflow a sum.
pub const MAX_ROW: i32 = 255;
/// The number that stands for 1 in the weights of the later layers.
pub const LATER_ONE: i32 = 64;
/// The largest weight of the later layers: 256 units don't overflow a sum.
pub const MAX_LATER: i32 = 511;
/// What [`Network::output`] returns for an output of 1.
pub const SCALE: i32 = 1024;

/// A unit of 1, squared.
const SQUARE: i32 = ONE * ONE;

/// The first layer's sums in one view.
pub type Sums<const UNITS: usize> = [i16; UNITS];

/// A network over the inputs of `WORDS` words. Its memory is 128 `WORDS` `UNITS` bytes and a little more.
///
/// ```
/// use coppice::network::{Network, ONE};
///
/// // One word of inputs and one unit: input 5 weighs -½, the mover's unit counts 1 and the opponent's -1.
/// type Small = Network<1, 1, 0, 0>;
/// let mut numbers = vec![0; Small::NUMBERS];
/// (numbers[5], numbers[64]) = (-ONE / 2, ONE);
/// numbers[65..67].copy_from_slice(&[64, -64]);
/// let network = Small::new(&numbers);
/// let (with, without) = (network.sums(&[1 << 5]), network.sums(&[0]));
/// assert_eq!(network.output(&without, &with), 1024 - 256);
/// let mut moved = with;
/// network.shift(&mut moved, &[1 << 5], &[0]);
/// assert_eq!(moved, without);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network<const WORDS: usize, const UNITS: usize, const SECOND: usize, const THIRD: usize> {
    rows: Vec<Sums<UNITS>>,
    start: Sums<UNITS>,
    layers: [Layer; 3],
}

/// A later layer: for each of its units, the weights of what it reads and the number from which its sum starts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Layer {
    rows: Vec<i16>,
    starts: Vec<i32>,
}

impl<const WORDS: usize, const UNITS: usize, const SECOND: usize, const THIRD: usize>
    Network<WORDS, UNITS, SECOND, THIRD>
{
    /// The inputs and units of each later layer; zeros for a layer that isn't there.
    pub const LAYERS: [(usize, usize); 3] = [
        (2 * UNITS, if SECOND > 0 { SECOND } else { 1 }),
        if SECOND == 0 { (0, 0) } else { (SECOND, if THIRD > 0 { THIRD } else { 1 }) },
        if SECOND == 0 || THIRD == 0 { (0, 0) } else { (THIRD, 1) },
    ];

    /// The number of weights.
    pub const NUMBERS: usize = {
        let [(a, b), (c, d), (e, f)] = Self::LAYERS;
        (64 * WORDS + 1) * UNITS + (a + 1) * b + (c + 1) * d + (e + 1) * f
    };

    /// The network with these weights: the first layer by input and unit, the starts of its sums, then each later
    /// layer by unit and input, and the starts of its sums.
    ///
    /// # Panics
    /// If there aren't [`Network::NUMBERS`] of them.
    pub fn new(numbers: &[i32]) -> Self {
        const { assert!(UNITS <= 128 && SECOND <= 256 && THIRD <= 256, "sums of more units overflow") };
        assert_eq!(numbers.len(), Self::NUMBERS, "the number of weights");
        let (rows, rest) = numbers.split_at(64 * WORDS * UNITS);
        let (start, mut rest) = rest.split_at(UNITS);
        let sums = |row: &[i32]| std::array::from_fn(|unit| row[unit] as i16);
        let layers = Self::LAYERS.map(|(inputs, units)| {
            let (rows, after) = rest.split_at(inputs * units);
            let (starts, after) = after.split_at(units);
            rest = after;
            Layer {
                rows: rows.iter().map(|&x| x as i16).collect(),
                starts: starts.iter().map(|x| x * SQUARE).collect(),
            }
        });
        Network { rows: rows.chunks_exact(UNITS).map(sums).collect(), start: sums(start), layers }
    }

    /// The network that was encoded in these bytes.
    pub fn decode(bytes: &[u8]) -> Self {
        let mut numbers = vec![0; Self::NUMBERS];
        Self::code(&mut Decoder::new(bytes), &mut numbers);
        Network::new(&numbers)
    }

    /// Encodes or decodes the weights, in the order of [`Network::new`].
    pub fn code<C: Coder>(coder: &mut C, numbers: &mut [i32]) {
        let (rows, mut rest) = numbers.split_at_mut(64 * WORDS * UNITS);
        let (mut used, mut odds) = (Odds::EVEN, EVEN);
        for row in rows.chunks_exact_mut(UNITS) {
            if coder.bit(&mut used, row.iter().any(|&number| number != 0)) {
                row.iter_mut().for_each(|number| *number = coder.number(&mut odds, *number));
            }
        }
        let parts = Self::LAYERS.into_iter().flat_map(|(inputs, units)| [inputs * units, units]);
        for len in [UNITS].into_iter().chain(parts) {
            let (part, after) = rest.split_at_mut(len);
            let mut odds = EVEN;
            part.iter_mut().for_each(|number| *number = coder.number(&mut odds, *number));
            rest = after;
        }
    }

    /// The first layer's sums for these inputs. At most 128 of them are 1.
    #[inline(always)]
    pub fn sums(&self, inputs: &[u64; WORDS]) -> Sums<UNITS> {
        let mut sums = self.start;
        self.shift(&mut sums, &[0; WORDS], inputs);
        sums
    }

    /// Moves sums from the inputs that they were computed for to others.
    #[inline(always)]
    pub fn shift(&self, sums: &mut Sums<UNITS>, from: &[u64; WORDS], to: &[u64; WORDS]) {
        for (word, rows) in self.rows.chunks_exact(64).enumerate().take(WORDS) {
            let (mut gone, mut new) = (from[word] & !to[word], to[word] & !from[word]);
            while new != 0 {
                let row = &rows[new.trailing_zeros() as usize & 63];
                sums.iter_mut().zip(row).for_each(|(sum, x)| *sum = sum.wrapping_add(*x));
                new &= new - 1;
            }
            while gone != 0 {
                let row = &rows[gone.trailing_zeros() as usize & 63];
                sums.iter_mut().zip(row).for_each(|(sum, x)| *sum = sum.wrapping_sub(*x));
                gone &= gone - 1;
            }
        }
    }

    /// The output for the sums of the mover and of the opponent, in units of 1 / [`SCALE`].
    #[inline(always)]
    pub fn output(&self, mover: &Sums<UNITS>, opponent: &Sums<UNITS>) -> i32 {
        let mut squares = [*mover, *opponent];
        squares.as_flattened_mut().iter_mut().for_each(|sum| *sum = square(*sum));
        let squares = squares.as_flattened();
        let [first, second, third] = &self.layers;
        let output = if SECOND == 0 {
            first.sum(0, squares)
        } else {
            let squares: [i16; SECOND] = first.units(squares);
            if THIRD == 0 {
                second.sum(0, &squares)
            } else {
                third.sum(0, &second.units::<THIRD>(&squares))
            }
        };
        output / (SQUARE * LATER_ONE / SCALE)
    }
}

impl Layer {
    /// A unit's sum, in units of 1 / (`SQUARE` · [`LATER_ONE`]).
    #[inline(always)]
    fn sum(&self, unit: usize, squares: &[i16]) -> i32 {
        let row = &self.rows[unit * squares.len()..][..squares.len()];
        let mut sum = self.starts[unit];
        for (&weight, &square) in row.iter().zip(squares) {
            sum += i32::from(weight) * i32::from(square);
        }
        sum
    }

    /// The next layer's inputs from this one. Loops, not closures: these are compiled for the newer instructions.
    #[inline(always)]
    fn units<const N: usize>(&self, squares: &[i16]) -> [i16; N] {
        let mut units = [0; N];
        for (unit, square_of) in units.iter_mut().enumerate() {
            *square_of = square((self.sum(unit, squares) / (ONE * LATER_ONE)).clamp(0, ONE) as i16);
        }
        units
    }
}

/// A sum cut to 0 to 1 and squared, in units of 1 / `SQUARE`.
#[inline(always)]
fn square(sum: i16) -> i16 {
    let x = sum.clamp(0, ONE as i16);
    x * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    type Deep = Network<2, 8, 4, 3>;

    fn numbers(rng: &mut Rng, most: u32) -> Vec<i32> {
        (0..Deep::NUMBERS).map(|_| rng.below(2 * most + 1) as i32 - most as i32).collect()
    }

    #[test]
    fn sums_follow_inputs_from_anywhere() {
        let mut rng = Rng::new(1);
        let network = Deep::new(&numbers(&mut rng, 255));
        let mut draw = || [0; 2].map(|_| u64::from(rng.below(u32::MAX)) * u64::from(rng.below(u32::MAX)));
        let mut inputs = draw();
        let mut sums = network.sums(&inputs);
        for _ in 0..50 {
            let next = draw();
            network.shift(&mut sums, &inputs, &next);
            inputs = next;
            assert_eq!(sums, network.sums(&inputs));
        }
    }

    /// All layers against the same in floating point.
    #[test]
    fn outputs_are_those_of_the_network_in_floating_point() {
        let mut rng = Rng::new(2);
        let (mut largest, mut inner) = (0, 0);
        for _ in 0..200 {
            let numbers = numbers(&mut rng, 60);
            let network = Deep::new(&numbers);
            let inputs = [0; 2].map(|_| [0; 2].map(|_| 1u64 << rng.below(64) | 1 << rng.below(64)));
            let mut units = Vec::new();
            for view in inputs {
                let on = (0..128).filter(|i| view[i / 64] >> (i % 64) & 1 == 1);
                let sums = on.fold(numbers[1024..1032].to_vec(), |sums, i| {
                    sums.iter().zip(&numbers[8 * i..]).map(|(sum, x)| sum + x).collect()
                });
                units.extend(sums.iter().map(|&sum| f64::from(sum) / f64::from(ONE)));
            }
            let mut rest = &numbers[1032..];
            for (inputs, outputs) in Deep::LAYERS {
                let squares: Vec<f64> = units.iter().map(|x| x.clamp(0.0, 1.0).powi(2)).collect();
                let (rows, after) = rest.split_at(inputs * outputs);
                let sums = rows.chunks_exact(inputs).zip(after).map(|(row, &start)| {
                    let terms = row.iter().zip(&squares).map(|(&x, square)| f64::from(x) * square);
                    (f64::from(start) + terms.sum::<f64>()) / f64::from(LATER_ONE)
                });
                units = sums.collect();
                inner += units.iter().filter(|&&x| outputs > 1 && x > 0.0 && x < 1.0).count();
                rest = &after[outputs..];
            }
            assert!(rest.is_empty());
            let output = network.output(&network.sums(&inputs[0]), &network.sums(&inputs[1]));
            let expected = f64::from(SCALE) * units[0];
            assert!((f64::from(output) - expected).abs() < 60.0, "{output} {expected}");
            largest = largest.max(output.abs());
        }
        assert!(largest > 500 && inner > 300, "{largest} {inner}");
    }

    /// No bytes are a network whose weights are 0.
    #[test]
    fn nothing_decodes_to_nothing() {
        assert_eq!(Deep::decode(&[]), Deep::new(&[0; Deep::NUMBERS]));
    }
}
