//! The parts of a transcript: players, answers, parameters.

use std::path::PathBuf;

/// More players than any game has: numbers above are no players'.
pub(super) const MOST_PLAYERS: usize = 64;

/// A game as other programs write it down.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// The file it was read from.
    pub path: PathBuf,
    /// What it was made from.
    pub parameters: Parameters,
    /// The number that the platform gave the game.
    pub id: Option<u64>,
    /// Who played, by the file's own numbers, from 0.
    pub players: Vec<Player>,
    /// All answers in order.
    pub answers: Vec<Answer>,
}

/// Somebody who played.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// What the file calls them.
    pub name: String,
    /// The points that the file gives them.
    pub score: Option<f64>,
}

/// What one player said in one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The player's number in the file.
    pub player: usize,
    /// The lines, without the last line end.
    pub text: String,
    /// Where in the file it stands: `frames[3].stdout`.
    pub place: String,
}

/// The lines `name=value` that games are made from; names that are not known are passed over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters {
    /// Decides everything random.
    pub seed: Option<u64>,
    /// Random plies before anybody is asked: only games of this program have them.
    pub opening_plies: Option<u32>,
    /// The contest: only games of this program say it.
    pub contest: Option<String>,
}

impl Parameters {
    /// Reads `name=value` words or lines.
    ///
    /// # Errors
    /// The word with a known name whose value is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parameters = Self::default();
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            match name {
                // Java's seeds may be negative: the same 64 bits.
                "seed" => {
                    let seed = value.parse::<u64>().ok().or_else(|| Some(value.parse::<i64>().ok()? as u64));
                    parameters.seed = Some(seed.ok_or_else(|| word.to_owned())?);
                }
                "opening" => {
                    parameters.opening_plies = Some(value.parse().map_err(|_| word.to_owned())?);
                }
                "contest" => parameters.contest = Some(value.to_owned()),
                _ => {}
            }
        }
        Ok(parameters)
    }
}

/// An answer's lines, without the last line end.
pub(super) fn trimmed(text: &str) -> String {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text).to_owned()
}
