//! The record of a finished game.

pub mod games;
pub mod part;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::bot::data::BotData;
use crate::bot::usage::Usage;
use crate::game::fault::{Ending, FaultReport};
use crate::game::log::Log;
use coppice_stats::Scoring;

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
    /// Further properties of the game as text, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
    /// The seed as the external referee got it, if one played the game: signed, or of fewer bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_text: Option<String>,
    /// The seat of each answer, in order, if an external referee played the game and its dialogues were recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<usize>,
    /// A digest of the case's input, in a heuristic contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The best known score of the seed when the game was played, if scores are relative to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<i64>,
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
    /// The external referee that played the games, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<RefereeRecord>,
    /// `all`, if a group has a game for every order of the bots instead of one for each rotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seating: Option<Seating>,
    /// How scores are compared.
    #[serde(default, skip_serializing_if = "Scoring::is_plain")]
    pub scoring: Scoring,
}

/// The seats of the bots in the games of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Seating {
    /// Each bot once on each seat
    #[default]
    Rotations,
    /// Every order of the bots
    All,
}

/// An external referee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefereeRecord {
    /// The referee's command line, with the options that change a game.
    pub command: String,
    /// A hash of its program and the files that the command line names, if they can be read.
    #[serde(default)]
    pub hash: Option<String>,
}

impl fmt::Display for RefereeRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` (hash {})", self.command, self.hash.as_deref().unwrap_or("unknown"))
    }
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
    /// Name in the run: A, B, …
    pub name: String,
    /// Command line of the bot.
    pub command: String,
    /// A hash of its program and the files that the command line names, if they can be read.
    #[serde(default)]
    pub hash: Option<String>,
}

impl GameRecord {
    /// Points by seat such that more is better; the fewest for a bot that an external referee calls failed.
    pub fn points(&self) -> Vec<i64> {
        let is_outside = self.run.referee.is_some();
        let has_failed =
            |seat| self.faults.iter().any(|f| f.seat == seat && (is_outside || f.ending == Ending::Failed));
        let scores = self.scores.iter().enumerate();
        scores.map(|(seat, &score)| self.run.scoring.points(score, has_failed(seat))).collect()
    }

    /// Points of the best known score.
    pub fn best_points(&self) -> Option<i64> {
        self.best.map(|score| self.run.scoring.points(score, false))
    }

    /// The number of moves, with the opening's; of a game of an external referee that of the answers that were recorded.
    pub fn move_count(&self) -> usize {
        let moves = self.moves.split_whitespace().count();
        let answers = || self.times_ms.iter().map(Vec::len).sum::<usize>();
        [moves, self.turns.len()].into_iter().find(|&count| count > 0).unwrap_or_else(answers)
    }

    /// The number of the opening's moves.
    pub fn opening_plies(&self) -> usize {
        self.opening.split_whitespace().count()
    }

    /// Writes `GAME.pSEAT.log` for each seat and `GAME.json`, each as a whole or not at all. `reports` are the searches'
    /// reports by seat and turn, for games without dialogues.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn write(&self, folder: &Path, dialogues: &[Log], reports: &[Vec<String>]) -> io::Result<()> {
        for (seat, dialogue) in dialogues.iter().enumerate() {
            dialogue.write(folder.join(format!("{}.p{seat}.log", self.game)))?;
        }
        let mut json = serde_json::to_vec_pretty(&Kept { record: self, reports })?;
        json.push(b'\n');
        atomic::write(&folder.join(format!("{}.json", self.game)), &json)
    }
}

/// A record with what would make the file of games too large.
#[derive(Serialize)]
struct Kept<'a> {
    #[serde(flatten)]
    record: &'a GameRecord,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    reports: &'a [Vec<String>],
}

/// A short finished game, for examples and tests: bot A wins, on the first seat in odd games.
pub fn example(game: u32) -> GameRecord {
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
            referee: None,
            seating: None,
            scoring: Scoring::default(),
        },
        seed: 1,
        opening: String::new(),
        bots,
        moves: "a1 b2".to_owned(),
        scores: vec![1, 0],
        ending: Ending::Normal,
        faults: Vec::new(),
        times_ms: vec![vec![9.0, 1.0, 2.0], Vec::new()],
        usage: vec![
            Usage {
                cpu: Some(Duration::from_millis(3)),
                peak_memory_bytes: Some(1 << 20),
                ..Usage::default()
            };
            2
        ],
        data: Vec::new(),
        attributes: BTreeMap::new(),
        seed_text: None,
        turns: Vec::new(),
        input: None,
        best: None,
    }
}
