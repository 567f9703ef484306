//! An entrant in a run of games.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use crate::game::in_process;
use crate::process::command_line::{CommandLine, CommandLineError};

/// A bot that isn't started: its command line and build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    /// The given name; `None` for a letter.
    pub name: Option<String>,
    /// Command line of the bot.
    pub line: CommandLine,
    /// A hash of the files that the command line names, or of this program for an `in:` search; `None` if one of
    /// them can't be read.
    pub hash: Option<String>,
}

impl Entrant {
    /// Parses a command line and hashes its program and the files among its arguments.
    ///
    /// # Errors
    /// As for [`CommandLine::parse`].
    pub fn parse(text: &str) -> Result<Self, CommandLineError> {
        Ok(Self::from(CommandLine::parse(text)?))
    }
}

impl From<CommandLine> for Entrant {
    fn from(line: CommandLine) -> Self {
        let hash = if line.to_string().trim_start().starts_with(in_process::PREFIX) {
            own_hash()
        } else {
            hash_of(&line.files())
        };
        Self { name: None, line, hash }
    }
}

/// The hash of this program; `None` if its file can't be read.
pub fn own_hash() -> Option<String> {
    static OWN: OnceLock<Option<String>> = OnceLock::new();
    OWN.get_or_init(|| hash(&[std::env::current_exe().ok()?]).ok()).clone()
}

/// Hashes files; `None` without files, or if one can't be read.
pub fn hash_of(files: &[PathBuf]) -> Option<String> {
    Some(files).filter(|files| !files.is_empty()).and_then(|files| hash(files).ok())
}

/// 64 bits of SHA-256 over the files, in hexadecimal: enough to distinguish builds.
fn hash(files: &[PathBuf]) -> io::Result<String> {
    let mut hasher = Sha256::new();
    for path in files {
        hasher.update(fs::read(path)?);
    }
    let digest = hasher.finalize();
    Ok(digest[..8].iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_build_or_script_has_another_hash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.py");
        let text = format!("cargo {}", shell_words::quote(path.to_str().unwrap()));
        let hash = |content: &str| {
            fs::write(&path, content).unwrap();
            Entrant::parse(&text).unwrap().hash.unwrap()
        };
        let (first, second) = (hash("print(1)"), hash("print(2)"));
        assert_eq!(first.len(), 16);
        assert_ne!(first, second);
        assert_eq!(first, hash("print(1)"));
        assert_eq!(Entrant::parse("./no/such/bot").unwrap().hash, None);
    }
}
