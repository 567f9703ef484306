//! Implements the command-line protocol for Kalah.

use super::board::Board;
use super::sown::MAX_HOLES;
use contest::commands::Commands;

impl Commands for Board {
    const NAME: &'static str = "mancala";
    const VARIANT: &'static str = "M N EMPTY(0|1)";
    const USUAL: &'static str = "6 4 0";

    fn start(words: &[&str]) -> Result<Board, String> {
        let number = |i: usize, most: usize| words[i].parse().ok().filter(|&n| n <= most);
        match (number(0, MAX_HOLES), number(1, 64), number(2, 1)) {
            (Some(m @ 1..), Some(n @ 1..), Some(empty)) if 2 * m * n <= 128 => {
                Ok(Board::new(m as u32, n as u32, empty == 1))
            }
            _ => Err("expected 1 to 6 holes a side, at most 128 counters in all, and 0 or 1".to_owned()),
        }
    }

    fn read_move(&self, text: &str) -> Option<u8> {
        text.parse().ok().filter(|&hole| u32::from(hole) < self.holes())
    }

    fn write_move(&self, hole: u8) -> String {
        hole.to_string()
    }
}
