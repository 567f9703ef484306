//! The bot's patterns as tables that learn.

use bots::reversi::eval::patterns::numbers::{numbers, NUMBERS};
use bots::reversi::eval::patterns::packed::Weights;
use bots::reversi::eval::patterns::reader::Reader;
use bots::reversi::eval::patterns::shapes::{starts, weights, PLACES, WEIGHTS};
use bots::reversi::eval::patterns::{phase, shares, KNOTS, PHASES, STEPS_PER_DISC, UNITS_PER_DISC};

use super::position::Discs;
use crate::encoder::Encoder;
use crate::model::tables::{Layout, Tabled};

/// A unit of a number's weight in fractions of a disc.
const NUMBER_UNITS: f32 = STEPS_PER_DISC as f32;

/// Reads positions as the bot does.
#[derive(Debug, Clone, Default)]
pub struct PatternTables {
    reader: Reader,
}

impl PatternTables {
    /// Weights in points as whole units of a disc's `units`-th part.
    pub fn whole(weights: &[f32], units: i32) -> Weights {
        let whole = |weight: f32, units: f32| (weight * units).round() as i32;
        let (rows, numbers) = weights.split_at(WEIGHTS * KNOTS);
        Weights {
            units,
            rows: rows.iter().map(|&weight| whole(weight, units as f32)).collect(),
            numbers: std::array::from_fn(|knot| {
                std::array::from_fn(|number| whole(numbers[number * KNOTS + knot], NUMBER_UNITS))
            }),
        }
    }
}

impl Tabled for PatternTables {
    type Position = Discs;

    fn layout() -> Layout {
        let phases = (0..PHASES).map(|phase| {
            let [(knot, _), (_, share)] = shares(phase);
            (knot, share as f32 / 256.0)
        });
        Layout {
            weights: weights(),
            places: starts().to_vec(),
            numbers: NUMBERS,
            phases: phases.collect(),
            knots: KNOTS,
        }
    }

    fn rows(&self, position: &Discs, rows: &mut [u16]) {
        rows.copy_from_slice(&self.reader.rows(position.own, position.opponent)[..PLACES]);
    }

    fn numbers(&self, position: &Discs, all: &mut [f32]) {
        let found = numbers(position.own, position.opponent);
        all.iter_mut().zip(found).for_each(|(number, found)| *number = found as f32);
    }

    fn phase(&self, position: &Discs) -> u8 {
        phase((!(position.own | position.opponent)).count_ones()) as u8
    }

    fn pack(&self, weights: &[f32]) -> Vec<u8> {
        let mut encoder = Encoder::default();
        PatternTables::whole(weights, UNITS_PER_DISC).code(&mut encoder);
        encoder.finish()
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Vec<f32>> {
        let weights = Weights::unpack(bytes);
        let numbers =
            (0..NUMBERS * KNOTS).map(|i| weights.numbers[i % KNOTS][i / KNOTS] as f32 / NUMBER_UNITS);
        Some(weights.rows.iter().map(|&units| units as f32 / UNITS_PER_DISC as f32).chain(numbers).collect())
    }
}
