//! Both sides of the protocol, as the stub has it.
//!
//! - Once, one line: the bot's number, 0 or 1.
//! - Each turn: the number of turns that follow; a line for each player with its row, its column and its apples; the rows
//!   of the field, `o` for an apple, else `.`.
//! - The answer: `WAIT`, `UP`, `DOWN`, `LEFT` or `RIGHT`.

use std::io::BufRead;
use std::time::Duration;

use contest::lines::LineGame;
use coppice::input::{Input, InputError};
use coppice::{Choices, Clock, Player};

use crate::game::{State, Step, SIZE, TURNS};

impl LineGame<Step, Choices<Step>> for State {
    const NAME: &'static str = "orchard";
    const ANSWER: &'static str = "WAIT, UP, DOWN, LEFT or RIGHT";
    const CLOCK: Clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(50));

    fn start(seed: u64) -> State {
        State::new(seed)
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

    fn write_turn(&self, _player: Player, _news: &[Choices<Step>]) -> String {
        let mut text = format!("{}\n", self.turns);
        for (cell, picked) in self.cells.into_iter().zip(self.picked) {
            text += &format!("{} {} {picked}\n", cell / SIZE, cell % SIZE);
        }
        for row in 0..SIZE {
            let apple = |cell: u8| if self.apples >> cell & 1 == 1 { 'o' } else { '.' };
            text.extend((SIZE * row..SIZE * (row + 1)).map(apple));
            text.push('\n');
        }
        text
    }

    fn read_turn<R: BufRead>(&mut self, _me: Player, input: &mut Input<R>) -> Result<(), InputError> {
        self.turns = input.value("the number of turns that follow")?;
        if self.turns > TURNS {
            return Err(input.malformed("the number of turns that follow, at most 20"));
        }
        for player in 0..2 {
            let mut words = input.words()?;
            let (row, column): (u8, u8) = (words.next("a row")?, words.next("a column")?);
            self.picked[player] = words.next("the player's apples")?;
            if row >= SIZE || column >= SIZE {
                return Err(input.malformed("a row and a column, 0 to 7 each"));
            }
            self.cells[player] = SIZE * row + column;
        }
        self.apples = 0;
        for row in 0..SIZE {
            let line = input.line()?.trim();
            if line.len() != SIZE.into() || line.bytes().any(|cell| !b"o.".contains(&cell)) {
                return Err(input.malformed("a row of the field, eight of o and ."));
            }
            let cells = (SIZE * row..).zip(line.bytes());
            self.apples |= cells.map(|(cell, mark)| u64::from(mark == b'o') << cell).sum::<u64>();
        }
        if self.apples.count_ones() + self.picked.map(u32::from).iter().sum::<u32>() > 64 {
            return Err(input.malformed("no more apples than cells, the picked ones included"));
        }
        Ok(())
    }

    fn write_answer(&self, _player: Player, step: Step) -> String {
        format!("{step:?}").to_uppercase()
    }

    fn read_answer(&self, player: Player, line: &str) -> Option<Step> {
        Step::ALL.into_iter().find(|&step| self.write_answer(player, step) == line)
    }
}

/// Moves in records and on the console. Not in the submission.
#[cfg(not(bundled))]
impl contest::notation::Notation for State {
    type Kind = contest::Simultaneous;

    fn name(&self, player: Player, step: Step) -> String {
        self.write_answer(player, step).to_lowercase()
    }

    /// The apples, as the referee counts them.
    fn points(&self, player: Player) -> i64 {
        self.picked[player.index()].into()
    }
}
