//! A bot of a pool.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::build::{run_build, BuildError};
use super::commit::Commit;
use super::error::PoolError;
use super::files::{Copied, PLACE};
use super::{now, Addition};
use coppice_referee::game::in_process;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::series::entrant;
use coppice_referee::text::note;
use coppice_referee::text::words;

/// The longest name.
const MAX_NAME_BYTES: usize = 64;

/// A bot of a pool, as `pool.json` holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Member {
    /// Name in the pool.
    pub name: String,
    /// The command line with which it was added; of a bundle that was submitted, its origin in arena.toml.
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
    /// The command that makes its program from its files, in words, with `{bot}` for its folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build: Vec<String>,
    /// Whether it was removed, so that it plays no new games.
    #[serde(default)]
    pub retired: bool,
    /// Why it is parked: it failed too often, and plays no new games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parked: Option<String>,
    /// The number of its first games whose failures don't count, as it was let play again after them.
    #[serde(default)]
    pub forgiven: u32,
}

impl Member {
    /// Copies a bot into its folder, and builds it there.
    pub(super) fn copied(addition: Addition<'_>, folder: &Path) -> Result<Self, PoolError> {
        let mut bot = Self {
            name: addition.name.to_owned(),
            given: addition.given.to_owned(),
            words: vec![addition.command.trim().to_owned()],
            files: Vec::new(),
            source: None,
            hash: None,
            commit: Commit::of(Path::new(".")),
            added: now(),
            note: addition.note.map(str::to_owned),
            build: Vec::new(),
            retired: false,
            parked: None,
            forgiven: 0,
        };
        let (line, build) = addition.lines()?;
        if bot.is_search() {
            bot.hash = entrant::own_hash();
            return Ok(bot);
        }
        let mut copied = Copied::into(folder)?;
        if let Some(build) = &build {
            let program = Path::new(line.program());
            addition.sources.iter().try_for_each(|path| copied.copy(path).map(drop))?;
            bot.build = copied.build(build, program)?;
            bot.source = copied.files.first().cloned();
            let program = program.to_string_lossy();
            bot.make(folder)?;
            match copied.made(&program) {
                Some(word) => copied.words.push(word),
                None if program.contains(['/', '\\']) => {
                    let status = format!("it made no {program}, with which CMD begins, in its folder");
                    let (command, said) = (build.to_string(), String::new());
                    let error = BuildError::Failed { command, status, said };
                    return Err(PoolError::Build { bot: bot.name, error });
                }
                None => copied.program(&line)?,
            }
        } else {
            copied.program(&line)?;
        }
        copied.arguments(&line, build.is_some())?;
        let sources = addition.sources.iter().map(|path| copied.copy(path)).collect::<Result<Vec<_>, _>>()?;
        bot.source = sources.first().and_then(|word| in_place(word)).map(str::to_owned).or(bot.source);
        let paths = copied.files.iter().map(|file| folder.join(file)).collect::<Vec<_>>();
        bot.hash = entrant::hash_of(&paths);
        (bot.words, bot.files) = (copied.words, copied.files);
        Ok(bot)
    }

    /// The files in its folder that its command line names and its build makes.
    pub(super) fn products(&self) -> impl Iterator<Item = &str> {
        let names = self.words.iter().filter_map(|word| in_place(word));
        names.filter(|name| !self.files.iter().any(|file| file == name))
    }

    /// Builds it in its folder.
    pub(super) fn make(&self, folder: &Path) -> Result<(), PoolError> {
        // The command runs in the folder, from which a relative path would lead elsewhere.
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let mut command = line_of(&self.build, &folder).command();
        let shown = words::join(self.build.iter().map(|word| in_place(word).unwrap_or(word)));
        note(format_args!("{}: {shown}", self.name));
        let hint = "; install the compiler, or correct the command (--build, --rustc)";
        let made = run_build(&self.name, command.current_dir(&folder), &shown, hint);
        if made.is_err() {
            // Half a program must not be taken for one.
            self.products().for_each(|file| drop(fs::remove_file(folder.join(file))));
        }
        made.map(drop)
    }

    /// Whether it takes part in new games.
    pub(crate) fn plays(&self) -> bool {
        !self.retired && self.parked.is_none()
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

    /// A mark behind the name of a bot that plays no more.
    pub(crate) fn mark(&self) -> &'static str {
        match self.parked {
            _ if self.retired => " (removed)",
            Some(_) => " (parked)",
            None => "",
        }
    }

    /// The command line with which it was added, and why it plays no more.
    pub(crate) fn shown_command(&self) -> String {
        let reason = self.parked.iter().filter(|_| !self.retired).map(|reason| format!(": {reason}"));
        let mark = self.mark().replace(')', &(reason.collect::<String>() + ")"));
        self.given.clone() + &mark
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
        Ok(line_of(&self.words, folder))
    }
}

/// The command line of stored words.
fn line_of(words: &[String], folder: &Path) -> CommandLine {
    let place = folder.to_string_lossy();
    let words = words.iter().map(|word| word.replace(PLACE, &place)).collect::<Vec<_>>();
    let (program, arguments) = match words.split_first() {
        Some((program, arguments)) => (program.as_str(), arguments),
        None => ("", &[][..]),
    };
    CommandLine::new(program, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The name of the file in the bot's folder that a stored word is.
fn in_place(word: &str) -> Option<&str> {
    word.strip_prefix(PLACE)?.strip_prefix('/')
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
