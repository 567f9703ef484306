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
    /// The files that were copied, in the same order.
    originals: Vec<PathBuf>,
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
    /// (`sh -c 'python3 bot.py'`). After a build, files that are in the folder already are meant first.
    ///
    /// # Errors
    /// If a file can't be copied.
    pub(super) fn arguments(&mut self, line: &CommandLine, is_built: bool) -> Result<(), PoolError> {
        for argument in line.arguments() {
            if let Some(word) = self.made(argument).filter(|_| is_built) {
                self.words.push(word);
                continue;
            }
            let word = self.argument(argument)?;
            if Path::new(argument).is_dir() {
                note(format_args!(
                    "{argument} is a folder and isn't copied: the bot will find what is there then"
                ));
            }
            self.words.push(word);
        }
        Ok(())
    }

    fn argument(&mut self, argument: &str) -> Result<String, PoolError> {
        match argument.split_once('=') {
            _ if Path::new(argument).is_file() => self.copy(Path::new(argument)),
            Some((name, value)) if Path::new(value).is_file() => {
                Ok(format!("{name}={}", self.copy(Path::new(value))?))
            }
            _ => self.between_blanks(argument),
        }
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

    /// Copies the files that a build's command line names; its words. A copy of the program `made`, from an earlier
    /// build, is dropped.
    ///
    /// # Errors
    /// If a file can't be copied.
    pub(super) fn build(&mut self, line: &CommandLine, made: &Path) -> Result<Vec<String>, PoolError> {
        let arguments = line.arguments().iter().map(|argument| self.argument(argument));
        let mut words = arguments.collect::<Result<Vec<_>, _>>()?;
        let program = Path::new(line.program());
        let program = match program.is_file() {
            true => self.copy(program)?,
            // A compiler that is missing is reported when it is started.
            false => program.to_string_lossy().into_owned(),
        };
        words.insert(0, program);
        if let Some(place) = self.files.iter().position(|file| made.ends_with(file)) {
            let _ = fs::remove_file(self.folder.join(self.files.remove(place)));
            self.originals.remove(place);
        }
        Ok(words)
    }

    /// The word for a file that is in the folder after a build, under the name that a command line has for it.
    pub(super) fn made(&self, name: &str) -> Option<String> {
        let name = name.trim_start_matches("./");
        let names = [name.to_owned(), format!("{name}{}", std::env::consts::EXE_SUFFIX)];
        let is_there = |name: &&String| Path::new(name).is_relative() && self.folder.join(name).is_file();
        names.iter().find(is_there).map(|name| format!("{PLACE}/{name}"))
    }

    /// Copies a file, under another name if there is one of its name already; returns the word for the copy. A file is
    /// copied once.
    ///
    /// # Errors
    /// If it can't be copied.
    pub(super) fn copy(&mut self, path: &Path) -> Result<String, PoolError> {
        let original = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if let Some(place) = self.originals.iter().position(|other| *other == original) {
            return Ok(format!("{PLACE}/{}", self.files[place]));
        }
        let own =
            path.file_name().map_or_else(|| "file".to_owned(), |name| name.to_string_lossy().into_owned());
        let name = (1..).map(|n| if n == 1 { own.clone() } else { format!("{n}-{own}") });
        let name = name.into_iter().find(|name| !self.files.contains(name)).unwrap_or(own);
        let to = self.folder.join(&name);
        fs::copy(path, &to).map_err(|source| PoolError::Read { path: path.to_owned(), source })?;
        let word = format!("{PLACE}/{name}");
        self.files.push(name);
        self.originals.push(original);
        Ok(word)
    }
}
