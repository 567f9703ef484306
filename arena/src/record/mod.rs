//! The record of a finished game.

pub mod games;

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::bot::data::BotData;
use crate::bot::usage::Usage;
use crate::game::fault::{Ending, FaultReport};
use crate::game::log::Log;

/// A finished game, as `GAME.json` and the lines of `--json` hold it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number, from 1.
    pub game: u32,
    /// The group, from 0: games with the same opening and the same bots.
    pub group: u32,
    /// The contest's name.
    pub contest: String,
    /// The run's settings.
    pub run: RunRecord,
    /// The contest's seed for this game.
    pub seed: u64,
    /// The opening's moves, separated by spaces.
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
    /// The time of each answer in milliseconds, by seat.
    pub times_ms: Vec<Vec<f64>>,
    /// Each bot's resource usage, by seat.
    #[serde(default)]
    pub usage: Vec<Usage>,
    /// The numbers that each bot reported, by seat; empty if none did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<BotData>,
}

/// The settings that all games of a run share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The seed from which all games' seeds are derived.
    pub seed: u64,
    /// The kind of openings, as text.
    pub openings: String,
    /// The limit for a first answer in milliseconds.
    pub first_ms: f64,
    /// The limit for every other answer in milliseconds.
    pub later_ms: f64,
    /// The processor time limit of a bot for a game in milliseconds, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_limit_ms: Option<f64>,
    /// The memory limit of a bot, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_limit_bytes: Option<u64>,
}

impl RunRecord {
    /// The resource limits, as text.
    pub fn allowed(&self) -> String {
        let cpu = self.cpu_limit_ms.map_or("any processor time".to_owned(), |ms| format!("{ms} ms"));
        let memory = self.memory_limit_bytes.map_or("any memory".to_owned(), |n| format!("{n} bytes"));
        format!("{cpu} and {memory}")
    }
}

/// The bot on a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotRecord {
    /// Its name in the run: A, B, …
    pub name: String,
    /// Its command line.
    pub command: String,
    /// A hash of its program and the files that the command line names, if they can be read.
    #[serde(default)]
    pub hash: Option<String>,
}

impl GameRecord {
    /// The number of moves, with the opening's.
    pub fn move_count(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The number of the opening's moves.
    pub fn opening_plies(&self) -> usize {
        self.opening.split_whitespace().count()
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

/// A game for tests.
#[cfg(test)]
pub(crate) fn example(game: u32) -> GameRecord {
    use std::time::Duration;

    let bot = |name: &str| BotRecord {
        name: name.to_owned(),
        command: format!("./{name}"),
        hash: Some(format!("hash of {name}")),
    };
    let mut bots = vec![bot("A"), bot("B")];
    if game.is_multiple_of(2) {
        bots.reverse();
    }
    GameRecord {
        game,
        group: (game - 1) / 2,
        contest: "toy".to_owned(),
        run: RunRecord {
            seed: 1,
            openings: "0 random plies".to_owned(),
            first_ms: 1000.0,
            later_ms: 100.0,
            cpu_limit_ms: None,
            memory_limit_bytes: None,
        },
        seed: 1,
        opening: String::new(),
        bots,
        moves: "a1 b2".to_owned(),
        scores: vec![1, 0],
        ending: Ending::Normal,
        faults: Vec::new(),
        times_ms: vec![vec![9.0, 1.0, 2.0], Vec::new()],
        usage: vec![Usage { cpu: Some(Duration::from_millis(3)), peak_memory_bytes: Some(1 << 20) }; 2],
        data: Vec::new(),
    }
}
