//! Both sides of the protocol: what the referee writes, and what the bot reads.
//!
//! - Once, one line: the bot's number, 0 or 1.
//! - Each turn six lines, the rows of the board from the top: `x` a disc of player 0, `o` one of player 1, `.` none.
//! - The answer: a column, 0 to 6.

use std::io::BufRead;
use std::time::Duration;

use contest::lines::LineGame;
use coppice::input::{Input, InputError};
use coppice::{Clock, Player};

use crate::game::{State, COLUMNS, ROWS};

impl LineGame<u8> for State {
    const NAME: &'static str = "connect-four";
    const ANSWER: &'static str = "a column, 0 to 6";
    const CLOCK: Clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(100));
    const OPENING_PLIES: u32 = 4;

    fn start(_seed: u64) -> State {
        State::START
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

    fn write_turn(&self, _player: Player, _news: &[u8]) -> String {
        format!("{self}\n")
    }

    fn read_turn<R: BufRead>(&mut self, me: Player, input: &mut Input<R>) -> Result<(), InputError> {
        let mut discs = [0; 2];
        for row in (0..ROWS).rev() {
            let line = input.line()?.trim();
            if line.len() != COLUMNS.into() || line.bytes().any(|cell| !b"xo.".contains(&cell)) {
                return Err(input.malformed("a row of the board, seven of x, o and ."));
            }
            for (column, cell) in (0..COLUMNS).zip(line.bytes()) {
                discs[0] |= u64::from(cell == b'x') << (7 * column + row);
                discs[1] |= u64::from(cell == b'o') << (7 * column + row);
            }
        }
        *self = State { discs, mover: me };
        Ok(())
    }

    fn write_answer(&self, _player: Player, column: u8) -> String {
        column.to_string()
    }

    fn read_answer(&self, player: Player, line: &str) -> Option<u8> {
        (0..COLUMNS).find(|&column| self.write_answer(player, column) == line)
    }
}

/// Moves in records and on the console. Not in the submission.
#[cfg(not(bundled))]
impl contest::notation::Notation for State {
    type Kind = contest::Sequential;

    fn name(&self, player: Player, column: u8) -> String {
        self.write_answer(player, column)
    }
}
