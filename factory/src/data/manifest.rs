//! The settings with which a generation of games was played.

use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::file;
use crate::subject::{Players, Subject};

/// The file's name.
const NAME: &str = "manifest.json";
/// The version of the shards' form.
const FORM: u32 = 1;

/// How a generation's games were played. Shards depend on nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the shards' form.
    pub form: u32,
    /// The game.
    pub game: String,
    /// The seed of the first game; each other's follows from it and its number.
    pub seed: u64,
    /// How the games are played and labelled.
    pub settings: String,
    /// The SHA-256 digest of the weights that played, or `none`.
    pub weights: String,
    /// The digest of the weights that they met in a part of the games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rival: Option<String>,
    /// The commit that the program was built from, as far as it is known. Not compared.
    pub commit: String,
    /// The games in a shard.
    pub games_per_shard: u64,
}

impl Manifest {
    /// The manifest of games that this program plays.
    pub fn new<S: Subject>(subject: &S, seed: u64, players: Players<'_>, games_per_shard: u64) -> Manifest {
        let digest =
            |weights: &[u8]| if weights.is_empty() { "none".to_owned() } else { file::digest(weights) };
        Manifest {
            form: FORM,
            game: S::NAME.to_owned(),
            seed,
            settings: subject.settings(),
            weights: digest(players.weights),
            rival: players.rival.map(digest),
            commit: file::commit(),
            games_per_shard,
        }
    }

    /// Reads a generation's manifest; `None` if the folder has no manifest.
    ///
    /// # Errors
    /// If the file is there and isn't a manifest of this form.
    pub fn read(folder: &Path) -> Result<Option<Manifest>> {
        let path = folder.join(NAME);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("{}: cannot be read", path.display())),
        };
        let manifest: Manifest = serde_json::from_str(&text)
            .with_context(|| format!("{}: expected a manifest of games", path.display()))?;
        if manifest.form != FORM {
            anyhow::bail!(
                "{}: the shards have form {}, this program reads form {FORM}; play new games in another folder (--data)",
                path.display(),
                manifest.form
            );
        }
        Ok(Some(manifest))
    }

    /// Writes it into a generation's folder.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self).context("a manifest has a form in JSON")? + "\n";
        file::write(&folder.join(NAME), text.as_bytes())
    }

    /// Whether games of the two can be in one generation.
    pub fn continues(&self, other: &Manifest) -> bool {
        let without_commit = |manifest: &Manifest| Manifest { commit: String::new(), ..manifest.clone() };
        without_commit(self) == without_commit(other)
    }
}
