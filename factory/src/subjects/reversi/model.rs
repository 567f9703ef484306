//! The bot's patterns as tables that learn.

use bots::reversi::eval::patterns::nets::{SCALES, WIDTHS};
use bots::reversi::eval::patterns::numbers::{numbers, NUMBERS};
use bots::reversi::eval::patterns::reader::Reader;
use bots::reversi::eval::patterns::shapes::{weights, PATTERNS, PLACES, STARTS};
use bots::reversi::eval::patterns::{phase, shares, KNOTS, PHASES};

use super::position::Discs;
use crate::model::generated::Generating;
use crate::model::tables::{Layout, Tabled};

/// Reads positions as the bot does.
#[derive(Debug, Clone, Default)]
pub struct PatternTables {
    reader: Reader,
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
            places: STARTS.to_vec(),
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
}

impl Generating for PatternTables {
    fn digits() -> Vec<usize> {
        PATTERNS.iter().map(|cells| cells.len()).collect()
    }

    fn widths() -> Vec<usize> {
        WIDTHS.to_vec()
    }

    const UNITS: [f32; 6] = SCALES;
}
