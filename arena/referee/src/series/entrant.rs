//! An entrant in a run of games.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use crate::game::in_process;
use crate::process::command_line::{CommandLine, CommandLineError};
use crate::series::bot_name;

/// The most characters of a bot's name that a file's name gives.
const MOST_NAME_CHARS: usize = 30;

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
    /// Parses a command line, or `NAME=CMD`, and hashes its program and the files among its arguments.
    ///
    /// # Errors
    /// As for [`CommandLine::parse`].
    pub fn parse(text: &str) -> Result<Self, CommandLineError> {
        let (name, line) = split_name(text);
        Ok(Self { name: name.map(str::to_owned), ..Self::from(CommandLine::parse(line)?) })
    }

    /// The bot's usual name: that of its program or, behind an interpreter, of the first file; of a search that of the search.
    fn usual_name(&self) -> Option<String> {
        let text = self.line.to_string();
        if let Some(search) = text.trim_start().strip_prefix(in_process::PREFIX) {
            return search.split_whitespace().next().and_then(plain);
        }
        let program = Path::new(self.line.program());
        let is_of_the_path = program.components().count() == 1;
        let mut files = self.line.arguments().iter().map(Path::new).filter(|path| path.is_file());
        let file = files.next().filter(|_| is_of_the_path).unwrap_or(program);
        file.file_stem().and_then(|stem| plain(&stem.to_string_lossy()))
    }
}

/// `NAME=CMD` in its parts; a text without a name is a command line.
pub fn split_name(text: &str) -> (Option<&str>, &str) {
    match text.trim_start().split_once('=') {
        // A file of such a name is a program.
        Some((name, line)) if is_name(name) && !Path::new(text).is_file() => (Some(name), line.trim_start()),
        _ => (None, text),
    }
}

/// Whether a text can be a bot's name: a letter or digit, then letters, digits, `-`, `_`, `+` and `.`.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_of_name)
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_+.".contains(c)
}

/// A name from any text: other characters become `-`.
fn plain(text: &str) -> Option<String> {
    let name = text.chars().map(|c| if is_of_name(c) { c } else { '-' });
    let name = name.skip_while(|c| !c.is_ascii_alphanumeric()).take(MOST_NAME_CHARS).collect::<String>();
    Some(name).filter(|name| !name.is_empty())
}

/// Gives each bot a name: the one that was given, else its usual one; A, B, … where two usual names are the same.
/// A name that was given twice gets a number.
pub fn name_all(bots: &mut [Entrant]) {
    let usual = bots.iter().map(|bot| bot.name.clone().or_else(|| bot.usual_name())).collect::<Vec<_>>();
    let distinct = usual.iter().flatten().collect::<BTreeSet<_>>().len();
    let are_distinct = distinct == bots.len();
    let mut taken = BTreeSet::new();
    for (at, (bot, usual)) in bots.iter_mut().zip(usual).enumerate() {
        let letter = || bot.name.clone().unwrap_or_else(|| bot_name(at));
        let name = if are_distinct { usual.unwrap_or_else(letter) } else { letter() };
        let free = (2..).map(|n| format!("{name}-{n}")).find(|name| !taken.contains(name));
        let name = if taken.contains(&name) { free.unwrap_or(name) } else { name };
        taken.insert(name.clone());
        bot.name = Some(name);
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

    fn names(texts: &[&str]) -> Vec<String> {
        let mut bots = texts.iter().map(|text| Entrant::parse(text).unwrap()).collect::<Vec<_>>();
        name_all(&mut bots);
        bots.into_iter().map(|bot| bot.name.unwrap()).collect()
    }

    #[test]
    fn bots_are_named_by_their_files_unless_that_is_ambiguous() {
        assert_eq!(names(&["./new --nodes 9", "../old/bot.exe"]), ["new", "bot"]);
        assert_eq!(names(&["./a/bot", "./b/bot"]), ["A", "B"]);
        assert_eq!(names(&["in:mcts --nodes 9", "in:mcts-graph"]), ["mcts", "mcts-graph"]);
        assert_eq!(names(&["in:mcts --nodes 9", "in:mcts"]), ["A", "B"]);
        assert_eq!(names(&["new=./a/bot", "./b/bot", "./c/bot"]), ["new", "B", "C"]);
        assert_eq!(names(&["new=./a/bot", "./b/bot"]), ["new", "bot"]);
        assert_eq!(names(&["x=./a", "x=./a", "B=./b", "./b", "./b"]), ["x", "x-2", "B", "D", "E"]);
        assert_eq!(names(&["'./my bot'", "./B\u{202e}"]), ["my-bot", "B-"]);
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("clever.py");
        fs::write(&script, "").unwrap();
        let script = shell_words::quote(script.to_str().unwrap()).into_owned();
        assert_eq!(names(&[&format!("python3 {script}"), &format!("./run {script}")]), ["clever", "run"]);
    }

    #[test]
    fn a_name_stands_before_a_command_line() {
        assert_eq!(split_name("new=./a --x=1"), (Some("new"), "./a --x=1"));
        assert_eq!(split_name("./a --param x=1"), (None, "./a --param x=1"));
        assert_eq!(split_name("v1.2 = ./a"), (None, "v1.2 = ./a"));
        assert_eq!(split_name("./a=b/bot"), (None, "./a=b/bot"));
    }
}
