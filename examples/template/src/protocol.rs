//! Both sides of the protocol: what the referee writes, and what the bot reads.
//!
//! - Once, one line: the bot's number, from 0 on.
//! - Each turn seven lines, the rows of the drawing: `+` a dot, `-` and `|` lines, a player's number in its boxes, `.` where
//!   there is no line or a box is open.
//! - The answer: row and column of a line, 0 to 6 each, such as `0 1`.

use std::io::BufRead;
use std::time::Duration;

use contest::lines::LineGame;
use coppice::input::{Input, InputError};
use coppice::{Clock, Player};

use crate::game::{State, PLAYERS, SIZE};

impl LineGame<u8> for State {
    const NAME: &'static str = "template";
    const ANSWER: &'static str = "the row and the column of a line, 0 to 6 each";
    const CLOCK: Clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(100));
    /// Matches begin with as many random moves. A bot has to learn of them: where a turn sends only the last moves, 0.
    const OPENING_PLIES: u32 = 4;

    fn start(_seed: u64) -> State {
        State::START
    }

    fn write_init(&self, player: Player) -> String {
        format!("{}\n", player.index())
    }

    fn read_init<R: BufRead>(&mut self, input: &mut Input<R>) -> Result<Player, InputError> {
        match input.value("the player's number")? {
            number if usize::from(number) < PLAYERS => Ok(Player::new(number)),
            _ => Err(input.malformed("the player's number, less than that of the players")),
        }
    }

    /// `_news` are the moves since the player's last answer, for protocols that send these.
    fn write_turn(&self, _player: Player, _news: &[u8]) -> String {
        format!("{self}\n")
    }

    fn read_turn<R: BufRead>(&mut self, me: Player, input: &mut Input<R>) -> Result<(), InputError> {
        let mut state = State { mover: me, ..State::START };
        for row in 0..SIZE {
            let line = input.line()?.trim();
            for (place, mark) in (SIZE * row..SIZE * SIZE).zip(line.bytes()) {
                match mark {
                    b'-' | b'|' => state.lines |= 1 << place,
                    b'0'..=b'7' if usize::from(mark - b'0') < PLAYERS => {
                        state.boxes[usize::from(mark - b'0')] |= 1 << place;
                    }
                    _ => {}
                }
            }
            if !line.chars().eq((SIZE * row..SIZE * (row + 1)).map(|place| state.mark(place))) {
                return Err(input.malformed("a row of the drawing: +, -, |, . and the numbers of players"));
            }
        }
        *self = state;
        Ok(())
    }

    fn write_answer(&self, _player: Player, place: u8) -> String {
        format!("{} {}", place / SIZE, place % SIZE)
    }

    fn read_answer(&self, player: Player, line: &str) -> Option<u8> {
        (0..SIZE * SIZE).find(|&place| self.write_answer(player, place) == line)
    }
}

/// Moves in records and on the console: without blanks. Not in the submission.
#[cfg(not(bundled))]
impl contest::notation::Notation for State {
    type Kind = contest::Sequential;

    fn name(&self, player: Player, place: u8) -> String {
        self.write_answer(player, place).replace(' ', ",")
    }
}
