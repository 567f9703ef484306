//! A folder of temporary files, and the wrapping of command lines with it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::process::command_line::CommandLine;

use super::{RefereeError, RUN_BOT_COMMAND};

/// A folder that is removed with its files at the end.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Makes a new folder.
    ///
    /// # Errors
    /// If the file system refuses.
    pub(super) fn new() -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::SeqCst);
        let folder = std::env::temp_dir().join(format!("arena-{}-{count}", std::process::id()));
        // A killed program with the same number may have left this folder.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder)?;
        Ok(Self { folder })
    }

    /// The folder's path.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A bot's command line as one argument that a referee splits at single blanks, without quotes. One that can't be
    /// written so is put into a file, which this program runs.
    ///
    /// # Errors
    /// If not even that can be written without blanks.
    pub(super) fn one_argument(&self, bot: &CommandLine) -> Result<String, RefereeError> {
        let words = words(bot);
        match words.iter().all(|word| is_plain(word)) {
            true => Ok(words.join(" ")),
            false => self.wrapped(bot),
        }
    }

    /// Quotes a bot that only the referee finds, as in a container: no file of this machine can wrap it.
    ///
    /// # Errors
    /// If the command can't be written without quotes.
    pub(super) fn unwrapped(&self, bot: &CommandLine) -> Result<String, RefereeError> {
        let words = words(bot);
        match words.iter().find(|word| !is_plain(word)) {
            None => Ok(words.join(" ")),
            Some(word) => Err(failure(bot, format!("the word {word:?} has blanks or quotes, or is empty"))),
        }
    }

    /// Wraps a bot so that this program records the dialogue in a file.
    ///
    /// # Errors
    /// If the command can't be written without blanks.
    pub(super) fn recorded(&self, bot: &CommandLine, record: &Path) -> Result<String, RefereeError> {
        Ok(format!("{} --record {}", self.wrapped(bot)?, plain_path(bot, record)?))
    }

    /// The command that runs a bot from a file of its words.
    fn wrapped(&self, bot: &CommandLine) -> Result<String, RefereeError> {
        let text = serde_json::to_string(&words(bot)).map_err(|error| failure(bot, error.to_string()))?;
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let file = self.file(&format!("bot-{hash:016x}.json"));
        if !file.exists() {
            crate::atomic::write(&file, text.as_bytes()).map_err(|error| failure(bot, error.to_string()))?;
        }
        let program = std::env::current_exe().map_err(|error| failure(bot, error.to_string()))?;
        Ok(format!("{} {RUN_BOT_COMMAND} {}", plain_path(bot, &program)?, plain_path(bot, &file)?))
    }
}

fn words(bot: &CommandLine) -> Vec<String> {
    let program = bot.program().to_string_lossy().into_owned();
    std::iter::once(program).chain(bot.arguments().iter().cloned()).collect()
}

fn plain_path(bot: &CommandLine, path: &Path) -> Result<String, RefereeError> {
    match path.to_str() {
        Some(text) if is_plain(text) => Ok(text.to_owned()),
        _ => Err(failure(bot, format!("the path {} has blanks", path.display()))),
    }
}

fn failure(bot: &CommandLine, reason: String) -> RefereeError {
    RefereeError::Bot { command: bot.to_string(), reason }
}

/// Whether a word can be part of a line that is split at blanks. Quotes would stay, but some referees take them off.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '"' || c == '\'')
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_command_lines_are_passed_on_and_others_wrapped() {
        let scratch = Scratch::new().unwrap();
        let argument = |text: &str| scratch.one_argument(&CommandLine::parse(text).unwrap()).unwrap();
        assert_eq!(argument("./bot   --nodes  500"), "./bot --nodes 500");
        for text in ["python3 'my bot.py'", "sh -c 'exec ./bot'", "./bot ''", "./bot \"it's\""] {
            let wrapped = argument(text);
            let words = wrapped.split(' ').collect::<Vec<_>>();
            assert_eq!((words.len(), words[1]), (3, RUN_BOT_COMMAND), "{wrapped}");
            let kept = serde_json::from_slice::<Vec<String>>(&fs::read(words[2]).unwrap()).unwrap();
            assert_eq!(kept[1..], shell_words::split(text).unwrap()[1..]);
        }
        let elsewhere = |text: &str| scratch.unwrapped(&CommandLine::parse(text).unwrap());
        assert_eq!(elsewhere("/bots/new  -t 5").unwrap(), "/bots/new -t 5");
        assert!(elsewhere("/bots/new 'a b'").unwrap_err().to_string().contains("\"a b\" has blanks"));
        let folder = scratch.folder.clone();
        drop(scratch);
        assert!(!folder.exists());
    }
}
