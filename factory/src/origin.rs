//! The game that packed weights were learnt for, by the files next to them: the weights themselves are compiled into bots, where
//! each byte counts, and don't hold it.

use std::path::Path;

use anyhow::{bail, Context, Result};
use clap::ValueEnum;
use serde_json::Value;

use crate::data::manifest::Manifest;
use crate::file;
use crate::options::Name;

/// The folder of what is learnt, in a game's folder.
pub(crate) const LEARNT: &str = "learnt";

/// Reads a file of packed weights for `game`. A file whose game is unknown is taken for one of it.
///
/// # Errors
/// If the file can't be read or is of another game.
pub fn read(path: &Path, game: &str) -> Result<Vec<u8>> {
    let bytes = std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    match game_of(path, &bytes) {
        Some(other) if other != game => {
            bail!("{}: expected weights of {game}, found weights of {other}", path.display())
        }
        _ => Ok(bytes),
    }
}

/// The game of packed weights, if a file says.
fn game_of(path: &Path, bytes: &[u8]) -> Option<String> {
    of_provenance(path, bytes).or_else(|| of_games(path))
}

/// The game in the provenance that the step `pack` wrote next to the weights.
fn of_provenance(path: &Path, bytes: &[u8]) -> Option<String> {
    let text = std::fs::read(path.with_extension("json")).ok()?;
    let provenance = serde_json::from_slice::<Value>(&text).ok()?;
    // It may be left over from other weights.
    if provenance["weights"].as_str() != Some(&file::digest(bytes)) {
        return None;
    }
    let named = provenance["game"].as_str();
    // Older files have the command only.
    let of_command = || {
        let word = provenance["command"].as_str()?.strip_prefix("factory ")?.split(' ').next()?;
        Name::from_str(word, false).ok().map(|_| word)
    };
    named.or_else(of_command).map(str::to_owned)
}

/// The game in the manifest of the games that the weights were learnt from or have played.
fn of_games(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let games =
        if folder.ends_with(LEARNT) { folder.with_file_name("generation-01") } else { folder.to_owned() };
    Some(Manifest::read(&games).ok()??.game)
}
