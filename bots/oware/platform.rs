//! The platform's protocol: each turn twelve counts, answered by the number of a hole.

use std::io::BufRead;
use std::time::Duration;

use contest::lines::LineGame;
use coppice::input::{Input, InputError};
use coppice::{Clock, Game, List, Player};

use super::board::{Board, GrandSlam};
use crate::shared::sowing::{sum, HOLES, MAX_HOLES, STORE};

/// All seeds of the game.
const ALL: u64 = 48;

/// The form of a turn, for messages.
const TURN: &str =
    "twelve counts from 0 to 48, 48 in all at most: the own row, then the other's, in the order of sowing";

/// The counts alone don't tell who has captured what, so the position follows from the moves: the bot finds the
/// opponent's move by what it leads to. If no legal move leads there, by rules that differ from these, the game goes on
/// from the counts.
impl LineGame<u8> for Board {
    const NAME: &'static str = "oware";
    const ANSWER: &'static str = "a hole, 0 to 5";
    const CLOCK: Clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(50));
    const MAX_OPENING_PLIES: u32 = 0;

    fn start(_seed: u64) -> Board {
        Board::new(GrandSlam::CapturesNothing)
    }

    fn write_turn(&self, _: Player, _: &[u8]) -> String {
        let (own, other) = self.sides();
        let counts = own
            .to_le_bytes()
            .into_iter()
            .take(MAX_HOLES)
            .chain(other.to_le_bytes().into_iter().take(MAX_HOLES));
        counts.map(|count| count.to_string()).collect::<Vec<_>>().join(" ") + "\n"
    }

    fn read_turn<R: BufRead>(&mut self, _: Player, input: &mut Input<R>) -> Result<(), InputError> {
        let line = input.line()?;
        let counts: Vec<u8> = line.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
        let has_twelve =
            counts.len() == 2 * MAX_HOLES && line.split_ascii_whitespace().count() == counts.len();
        let seeds = counts.iter().fold(0u64, |sum, &count| sum + u64::from(count));
        if !has_twelve || seeds > ALL {
            return Err(input.malformed(TURN));
        }
        let side =
            |counts: &[u8]| (0..).zip(counts).fold(0, |side, (i, &count)| side | u64::from(count) << (8 * i));
        self.follow(side(&counts[..MAX_HOLES]), side(&counts[MAX_HOLES..]));
        Ok(())
    }

    fn write_answer(&self, _: Player, hole: u8) -> String {
        hole.to_string()
    }

    fn read_answer(&self, _: Player, line: &str) -> Option<u8> {
        line.trim().parse().ok().filter(|&hole| usize::from(hole) < MAX_HOLES)
    }
}

impl Board {
    /// Makes the opponent's move, if there was one, that leads to these holes of the player to move and of the opponent.
    fn follow(&mut self, own: u64, other: u64) {
        if self.plies() == 0 && self.sides() == (own, other) {
            return;
        }
        let mut list = List::default();
        self.moves(&mut list);
        let next = list.iter().map(|&hole| self.after(hole)).find(|next| next.sides() == (own, other));
        *self = next.unwrap_or_else(|| {
            // The bot's own captures are known: it was not to move, so they are the other store.
            let mine = u64::from(self.stores().1).min(ALL - sum(own) - sum(other));
            let theirs = ALL - sum(own) - sum(other) - mine;
            Board::of_sides(
                own & HOLES | mine << (8 * STORE),
                other & HOLES | theirs << (8 * STORE),
                self.grand_slam(),
            )
        });
    }
}
