//! Copies the files that a command line names.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::PoolError;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::text::note;

/// In a stored word, the folder of the bot's files.
pub(super) const PLACE: &str = "{bot}";

/// Files that were copied, and the words that name the copies.
#[derive(Debug, Default)]
pub(super) struct Copied {
    /// The command line, with [`PLACE`] before the names of copies.
    pub words: Vec<String>,
    /// The copies' names.
    pub files: Vec<String>,
    folder: PathBuf,
}

impl Copied {
    /// Nothing yet, to be copied into `folder`.
    ///
    /// # Errors
    /// If the folder can't be created.
    pub(super) fn into(folder: &Path) -> Result<Self, PoolError> {
        fs::create_dir_all(folder).map_err(|source| PoolError::write(folder, source))?;
        Ok(Self { folder: folder.to_owned(), ..Self::default() })
    }

    /// Copies the program, unless it is one of the system, found on the PATH.
    ///
    /// # Errors
    /// If the program doesn't exist, or can't be copied.
    pub(super) fn program(&mut self, line: &CommandLine) -> Result<(), PoolError> {
        let path = Path::new(line.program());
        let word = match (path.is_file(), which::which(path)) {
            (true, _) => self.copy(path)?,
            (false, Ok(_)) => path.to_string_lossy().into_owned(),
            (false, Err(_)) => {
                return Err(PoolError::NoProgram { program: path.to_string_lossy().into_owned() })
            }
        };
        self.words.push(word);
        Ok(())
    }

    /// Copies the files among the arguments: those that are one, that end in `=FILE`, or that contain one between blanks
    /// (`sh -c 'python3 bot.py'`).
    ///
    /// # Errors
    /// If a file can't be copied.
    pub(super) fn arguments(&mut self, line: &CommandLine) -> Result<(), PoolError> {
        for argument in line.arguments() {
            let word = match argument.split_once('=') {
                _ if Path::new(argument).is_file() => self.copy(Path::new(argument))?,
                Some((name, value)) if Path::new(value).is_file() => {
                    format!("{name}={}", self.copy(Path::new(value))?)
                }
                _ => self.between_blanks(argument)?,
            };
            if Path::new(argument).is_dir() {
                note(format_args!(
                    "{argument} is a folder and isn't copied: the bot will find what is there then"
                ));
            }
            self.words.push(word);
        }
        Ok(())
    }

    fn between_blanks(&mut self, argument: &str) -> Result<String, PoolError> {
        let mut word = String::new();
        for part in argument.split_inclusive(char::is_whitespace) {
            let name = part.trim_end().trim_matches(['\'', '"', ';']);
            match !name.is_empty() && argument.contains(char::is_whitespace) && Path::new(name).is_file() {
                true => word += &part.replace(name, &self.copy(Path::new(name))?),
                false => word += part,
            }
        }
        Ok(word)
    }

    /// Copies a file, under another name if there is one of its name already; returns the word for the copy.
    ///
    /// # Errors
    /// If it can't be copied.
    pub(super) fn copy(&mut self, path: &Path) -> Result<String, PoolError> {
        let own =
            path.file_name().map_or_else(|| "file".to_owned(), |name| name.to_string_lossy().into_owned());
        let name = (1..).map(|n| if n == 1 { own.clone() } else { format!("{n}-{own}") });
        let name = name.into_iter().find(|name| !self.files.contains(name)).unwrap_or(own);
        let to = self.folder.join(&name);
        fs::copy(path, &to).map_err(|source| PoolError::Read { path: path.to_owned(), source })?;
        Ok(self.register(name))
    }

    /// Notes a file that is in the folder; returns the word for it.
    pub(super) fn register(&mut self, name: String) -> String {
        let word = format!("{PLACE}/{name}");
        self.files.push(name);
        word
    }
}
