//! The parts of a transcript: players, answers, parameters.

use std::path::PathBuf;

/// Maximum number of players: larger numbers aren't players'.
pub(super) const MOST_PLAYERS: usize = 64;

/// A game recorded by another program.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// The file.
    pub path: PathBuf,
    /// The game's parameters.
    pub parameters: Parameters,
    /// The platform's number of the game.
    pub id: Option<u64>,
    /// The players, in the file's order, from 0.
    pub players: Vec<Player>,
    /// All answers in order.
    pub answers: Vec<Answer>,
}

/// A player.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// Name in the file.
    pub name: String,
    /// Points in the file.
    pub score: Option<f64>,
    /// Rank in the file: less is better.
    pub rank: Option<f64>,
}

/// One player's answer to one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The player's number in the file.
    pub player: usize,
    /// The lines, without the last line end.
    pub text: String,
    /// Standard error of the turn, if the file has it: the platform shows a player's own.
    pub said: String,
    /// Path in the file: `frames[3].stdout`.
    pub place: String,
}

/// The game's parameters, from lines `name=value`; unknown names are ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters {
    /// The seed.
    pub seed: Option<u64>,
    /// The number of random plies; only this program's games have it.
    pub opening_plies: Option<u32>,
    /// The contest; only this program's games have it.
    pub contest: Option<String>,
    /// All parameters, as the file has them.
    pub text: String,
}

/// A word with a known name and an invalid value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` needs a whole number as its value")]
pub struct InvalidParameter(pub String);

impl Parameters {
    /// Parses `name=value` words or lines.
    ///
    /// # Errors
    /// The word with a known name and an invalid value.
    pub fn parse(text: &str) -> Result<Self, InvalidParameter> {
        let mut parameters = Self { text: text.to_owned(), ..Self::default() };
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            match name {
                // Java's seeds may be negative: the same 64 bits.
                "seed" => {
                    let seed = value.parse::<u64>().ok().or_else(|| Some(value.parse::<i64>().ok()? as u64));
                    parameters.seed = Some(seed.ok_or_else(|| InvalidParameter(word.to_owned()))?);
                }
                "opening" => {
                    parameters.opening_plies =
                        Some(value.parse().map_err(|_| InvalidParameter(word.to_owned()))?);
                }
                "contest" => parameters.contest = Some(value.to_owned()),
                _ => {}
            }
        }
        Ok(parameters)
    }
}

/// Splits an answer into lines, without the last line end.
pub(super) fn trimmed(text: &str) -> String {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text).to_owned()
}
