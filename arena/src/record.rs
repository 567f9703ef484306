//! What is kept of a game.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::fault::{Ending, FaultReport};
use crate::log::Log;

/// A finished game, as `GAME.json` and the lines of `--json` hold it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// From 1.
    pub game: u32,
    /// The contest's name.
    pub contest: String,
    /// What the contest made the game from.
    pub seed: u64,
    /// How many random plies were asked for.
    pub opening_plies: u32,
    /// Those that were played, separated by spaces.
    pub opening: String,
    /// The bots by seat.
    pub bots: Vec<BotRecord>,
    /// All moves, the opening's included, separated by spaces.
    pub moves: String,
    /// Points by seat.
    pub scores: Vec<i64>,
    /// How the game ended: by its first fault, if there is one.
    pub ending: Ending,
    /// The faults in order; each names its bot.
    pub faults: Vec<FaultReport>,
    /// How long each answer took in milliseconds, by seat.
    pub times_ms: Vec<Vec<f64>>,
}

/// Who sat on a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotRecord {
    /// Its name in the run: A, B, …
    pub name: String,
    /// Its command line.
    pub command: String,
}

impl GameRecord {
    /// How many moves were made, the opening's included.
    pub fn move_count(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// Writes `GAME.pSEAT.log` for each seat and `GAME.json`, each as a whole or not at all.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn write(&self, folder: &Path, dialogues: &[Log]) -> io::Result<()> {
        for (seat, dialogue) in dialogues.iter().enumerate() {
            dialogue.write(folder.join(format!("{}.p{seat}.log", self.game)))?;
        }
        let mut json = serde_json::to_vec_pretty(self)?;
        json.push(b'\n');
        atomic::write(&folder.join(format!("{}.json", self.game)), &json)
    }
}
