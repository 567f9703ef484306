//! A bot of a pool.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::commit::Commit;
use super::compile::compile;
use super::error::PoolError;
use super::files::{Copied, PLACE};
use super::{now, Addition};
use coppice_referee::game::in_process;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::series::entrant;

/// The longest name.
const MAX_NAME_BYTES: usize = 64;

/// A bot of a pool, as `pool.json` holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Member {
    /// Name in the pool.
    pub name: String,
    /// The command line with which it was added.
    pub given: String,
    /// The command line that starts its copy, in words, with `{bot}` for its folder.
    pub words: Vec<String>,
    /// The files in its folder.
    pub files: Vec<String>,
    /// The file among them that is its source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// A hash of the files, or of this program for a search of it.
    pub hash: Option<String>,
    /// The commit of the repository that it was added from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Commit>,
    /// When it was added, in RFC 3339.
    pub added: String,
    /// The user's note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether it plays no new games.
    #[serde(default)]
    pub retired: bool,
}

impl Member {
    /// Copies or compiles a bot into its folder.
    pub(super) fn copied(addition: Addition<'_>, folder: &Path) -> Result<Self, PoolError> {
        let line = CommandLine::parse(addition.command)?;
        let is_search = addition.command.trim_start().starts_with(in_process::PREFIX);
        let mut copied = Copied::default();
        let mut source = None;
        if is_search {
            copied.words = vec![addition.command.trim().to_owned()];
        } else {
            copied = Copied::into(folder)?;
            let program = Path::new(line.program());
            if program.extension().is_some_and(|extension| extension == "rs") {
                if !program.is_file() {
                    return Err(PoolError::NoProgram { program: program.display().to_string() });
                }
                copied.copy(program)?;
                source = copied.files.first().cloned();
                let name = format!("bot{}", std::env::consts::EXE_SUFFIX);
                compile(
                    &folder.join(source.as_deref().unwrap_or_default()),
                    &folder.join(&name),
                    addition.rustc,
                )?;
                let word = copied.register(name);
                copied.words.push(word);
            } else {
                copied.program(&line)?;
            }
            copied.arguments(&line)?;
        }
        if let (Some(path), false) = (addition.source, is_search) {
            copied.copy(path)?;
            source = copied.files.last().cloned();
        }
        let paths = copied.files.iter().map(|file| folder.join(file)).collect::<Vec<_>>();
        Ok(Self {
            name: addition.name.to_owned(),
            given: addition.command.to_owned(),
            words: copied.words,
            files: copied.files,
            source,
            hash: if is_search { entrant::own_hash() } else { entrant::hash_of(&paths) },
            commit: Commit::of(Path::new(".")),
            added: now(),
            note: addition.note.map(str::to_owned),
            retired: false,
        })
    }

    /// The file that is its source: that which was named, or the only one, if a program of the system runs it.
    pub(crate) fn own_source(&self) -> Option<&str> {
        let is_run = self.words.first().is_some_and(|word| !word.starts_with(PLACE));
        let script = match &self.files[..] {
            [only] if is_run => Some(only.as_str()),
            _ => None,
        };
        self.source.as_deref().or(script)
    }

    /// The command line with which it was added, and whether it plays no more.
    pub(crate) fn shown_command(&self) -> String {
        format!("{}{}", self.given, if self.retired { " (removed)" } else { "" })
    }

    /// Whether it is a search of this program.
    pub(crate) fn is_search(&self) -> bool {
        self.words.first().is_some_and(|word| word.starts_with(in_process::PREFIX))
    }

    /// The command line that starts the copy in this folder.
    pub(super) fn line(&self, folder: &Path) -> Result<CommandLine, PoolError> {
        if self.is_search() {
            return Ok(CommandLine::parse(&self.words.concat())?);
        }
        let place = folder.to_string_lossy();
        let words = self.words.iter().map(|word| word.replace(PLACE, &place)).collect::<Vec<_>>();
        let (program, arguments) = match words.split_first() {
            Some((program, arguments)) => (program.as_str(), arguments),
            None => ("", &[][..]),
        };
        Ok(CommandLine::new(program, &arguments.iter().map(String::as_str).collect::<Vec<_>>()))
    }
}

/// A name that no bot can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` can't be a bot's name: it begins with a letter or digit, has up to {MAX_NAME_BYTES} letters, digits, - _ + or ., \
     and ends without a dot"
)]
pub struct InvalidName(String);

/// Checks that a name can be that of a folder on any system.
pub(super) fn check_name(name: &str) -> Result<(), InvalidName> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if starts_well && !name.ends_with('.') && name.len() <= MAX_NAME_BYTES && name.chars().all(is_plain) {
        return Ok(());
    }
    Err(InvalidName(name.to_owned()))
}
