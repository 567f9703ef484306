//! Both sides of the protocol: what the referee writes, and what the bot reads.
//!
//! - Once, one line: the bot's number, 0 or 1.
//! - Each turn three lines, the rows of the board: `x` a mark of player 0, `o` one of player 1, `.` none.
//! - The answer: row and column of a cell, 0 to 2 each, such as `1 2`.

use std::io::BufRead;
use std::time::Duration;

use contest::lines::LineGame;
use coppice::input::{Input, InputError};
use coppice::{Clock, Player};

use crate::game::{Board, CELLS};

impl LineGame<u8> for Board {
    const NAME: &'static str = "template";
    const ANSWER: &'static str = "a row and a column, 0 to 2 each";
    const CLOCK: Clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(100));
    const OPENING_PLIES: u32 = 2;

    fn start(_seed: u64) -> Board {
        Board::START
    }

    fn write_init(&self, player: Player) -> String {
        format!("{}\n", player.index())
    }

    fn read_init<R: BufRead>(&mut self, input: &mut Input<R>) -> Result<Player, InputError> {
        match input.line()?.trim() {
            "0" => Ok(Player::FIRST),
            "1" => Ok(Player::SECOND),
            _ => Err(input.malformed("the player's number, 0 or 1")),
        }
    }

    /// `_news` are the moves since the player's last answer, for protocols that send these.
    fn write_turn(&self, _player: Player, _news: &[u8]) -> String {
        format!("{self}\n")
    }

    fn read_turn<R: BufRead>(&mut self, me: Player, input: &mut Input<R>) -> Result<(), InputError> {
        let mut marks = [0; 2];
        for row in 0..3 {
            let line = input.line()?.trim();
            if line.len() != 3 || line.bytes().any(|cell| !b"xo.".contains(&cell)) {
                return Err(input.malformed("a row of the board, three of x, o and ."));
            }
            for (column, cell) in line.bytes().enumerate() {
                marks[0] |= u16::from(cell == b'x') << (3 * row + column);
                marks[1] |= u16::from(cell == b'o') << (3 * row + column);
            }
        }
        *self = Board { marks, mover: me };
        Ok(())
    }

    fn write_answer(&self, _player: Player, cell: u8) -> String {
        format!("{} {}", cell / 3, cell % 3)
    }

    fn read_answer(&self, player: Player, line: &str) -> Option<u8> {
        (0..CELLS).find(|&cell| self.write_answer(player, cell) == line)
    }
}

/// Moves in records and on the console: without blanks. Not in the submission.
#[cfg(not(bundled))]
impl contest::notation::Notation for Board {
    type Kind = contest::Sequential;

    fn name(&self, player: Player, cell: u8) -> String {
        self.write_answer(player, cell).replace(' ', ",")
    }
}
