//! Implements the command-line protocol for Oware.

use super::board::{Board, GrandSlam};
use crate::shared::sowing::MAX_HOLES;
use contest::commands::Commands;

impl Commands for Board {
    const NAME: &'static str = "oware";
    const VARIANT: &'static str = "SLAM(0|1|2)";
    const USUAL: &'static str = "0";

    fn start(words: &[&str]) -> Result<Board, String> {
        let rule = match words[0] {
            "0" => GrandSlam::CapturesNothing,
            "1" => GrandSlam::Forbidden,
            "2" => GrandSlam::Captures,
            _ => return Err(
                "expected the grand slam's rule: 0, it captures nothing; 1, it isn't legal; 2, it captures"
                    .to_owned(),
            ),
        };
        Ok(Board::new(rule))
    }

    fn read_move(&self, text: &str) -> Option<u8> {
        text.parse().ok().filter(|&hole| usize::from(hole) < MAX_HOLES)
    }

    fn write_move(&self, hole: u8) -> String {
        hole.to_string()
    }
}
