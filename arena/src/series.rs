//! Games in a row between the same bots.

use std::time::Duration;

use bots::contest::{Contest, Limits, Setup};
use coppice::rng::{split_mix, SPLIT_MIX_STEP};

use crate::bot::Bot;
use crate::command_line::CommandLine;
use crate::error::ArenaError;
use crate::game::{self, GameError, Player};
use crate::log::Log;
use crate::process::{self, Process};
use crate::record::{BotRecord, GameRecord};
use crate::text::millis;

/// Who plays what, and by which clock.
pub struct Series<'a> {
    /// The contest.
    pub contest: &'a dyn Contest,
    /// The bots, as many as a game has seats.
    pub bots: Vec<CommandLine>,
    /// The time limits.
    pub limits: Limits,
    /// Added to each limit.
    pub grace: Duration,
    /// Decides every game's seed.
    pub seed: u64,
    /// Random plies before the bots are asked.
    pub opening_plies: u32,
}

/// One game of a series before it is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// The game's number, from 1.
    pub game: u32,
    /// Games with the same opening belong together: a pair, where there are two seats.
    pub group: u32,
    /// What the contest makes the game from.
    pub seed: u64,
    /// The index of the bot on each seat.
    pub seating: Vec<usize>,
}

/// A game that was played.
#[derive(Debug, Clone)]
pub struct Finished {
    /// What is kept of it.
    pub record: GameRecord,
    /// What was said, by seat.
    pub dialogues: Vec<Log>,
}

impl Series<'_> {
    /// Game number `game`, from 1. Each opening is played once in every rotation of the seats.
    pub fn fixture(&self, game: u32) -> Fixture {
        let seats = self.bots.len().max(1);
        let index = game.saturating_sub(1);
        let group = index / seats as u32;
        let rotation = index as usize % seats;
        let seating = (0..seats).map(|seat| (seat + rotation) % seats).collect();
        Fixture { game, group, seed: derived_seed(self.seed, group), seating }
    }

    /// Plays a game with fresh processes.
    ///
    /// # Errors
    /// If a bot can't be started, the program was interrupted, or the contest misbehaves.
    pub fn play(&self, fixture: &Fixture) -> Result<Finished, ArenaError> {
        let players = fixture.seating.iter().map(|&bot| self.start(bot)).collect::<Result<_, _>>()?;
        self.referee(fixture, players)
    }

    /// Plays a game between players who are there already, one a seat.
    ///
    /// # Errors
    /// If the program was interrupted or the contest misbehaves.
    pub fn referee(&self, fixture: &Fixture, mut players: Vec<Player>) -> Result<Finished, ArenaError> {
        let mut referee = self.contest.new_game(Setup {
            seed: fixture.seed,
            opening_plies: self.opening_plies,
            limits: self.limits,
        });
        let played = game::play(referee.as_mut(), &mut players, self.limits, self.grace)?;
        let bots = fixture.seating.iter().map(|&bot| self.bot_record(bot)).collect();
        let times_ms = played.times.iter().map(|times| times.iter().map(|&t| millis(t)).collect());
        let record = GameRecord {
            game: fixture.game,
            contest: self.contest.name().to_owned(),
            seed: fixture.seed,
            opening_plies: self.opening_plies,
            ending: played.ending(),
            times_ms: times_ms.collect(),
            opening: played.opening,
            bots,
            moves: played.moves,
            scores: played.scores,
            faults: played.faults,
        };
        Ok(Finished { record, dialogues: played.dialogues })
    }

    fn start(&self, bot: usize) -> Result<Player, ArenaError> {
        let process = Process::start(&self.bots[bot]).map_err(|source| ArenaError::Start {
            bot: bot_name(bot),
            command: self.bots[bot].to_string(),
            folder: std::env::current_dir().unwrap_or_else(|_| ".".into()),
            source,
        })?;
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        Ok(Player { name: bot_name(bot), bot: Box::new(process) as Box<dyn Bot> })
    }

    /// What is written of a bot.
    pub fn bot_record(&self, bot: usize) -> BotRecord {
        BotRecord { name: bot_name(bot), command: self.bots[bot].to_string() }
    }
}

/// A, B, C, … in the order of the command line.
pub fn bot_name(bot: usize) -> String {
    let letter = u8::try_from(bot).ok().filter(|&i| i < 26).map(|i| char::from(b'A' + i));
    letter.map_or_else(|| format!("bot{}", bot + 1), String::from)
}

/// The seed of a group of games: SplitMix64's output number `group` from the state `seed`.
fn derived_seed(seed: u64, group: u32) -> u64 {
    let mut state = seed.wrapping_add(SPLIT_MIX_STEP.wrapping_mul(u64::from(group)));
    split_mix(&mut state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_those_of_splitmix64() {
        // The first outputs of Vigna's reference implementation from state 0.
        assert_eq!(derived_seed(0, 0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(derived_seed(0, 1), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn bots_have_letters_as_long_as_there_are() {
        assert_eq!((bot_name(1), bot_name(26)), ("B".to_owned(), "bot27".to_owned()));
    }
}
