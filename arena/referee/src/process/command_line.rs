//! A bot's command line: split as a shell would, run without one.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::text::words;

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    text: String,
    program: OsString,
    arguments: Vec<String>,
}

/// The reasons why a command line is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandLineError {
    /// It is empty.
    #[error("a bot's command line is empty: give the path of a program")]
    Empty,
    /// A quote is left open.
    #[error("the command line `{0}` has a quote that is never closed: close it, or write {ESCAPED}")]
    Quote(String),
}

/// A quote that quotes nothing.
const ESCAPED: &str = if cfg!(windows) { r#"\" for one within a word"# } else { r"\ before it" };

impl CommandLine {
    /// Parses a command line. If all of it names an existing file, that file is the program,
    /// including spaces and backslashes.
    ///
    /// # Errors
    /// If it names no program, or a quote is left open.
    pub fn parse(text: &str) -> Result<Self, CommandLineError> {
        let mut words = if Path::new(text).is_file() { vec![text.to_owned()] } else { split(text)? };
        if words.is_empty() || words[0].is_empty() {
            return Err(CommandLineError::Empty);
        }
        let program = located(&words.remove(0));
        Ok(Self { text: text.to_owned(), program, arguments: words })
    }

    /// A program with arguments that are already split.
    pub fn new(program: impl Into<PathBuf>, arguments: &[&str]) -> Self {
        let program = program.into();
        let name = program.to_string_lossy().into_owned();
        Self {
            text: words::join(std::iter::once(name.as_str()).chain(arguments.iter().copied())),
            program: program.into_os_string(),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        }
    }

    /// Appends arguments.
    pub fn with(&self, more: &[String]) -> Self {
        // A path with spaces is only accepted as a program on its own.
        let is_path = self.arguments.is_empty() && Path::new(&self.text).is_file();
        let text = if is_path { words::quote(&self.text).into_owned() } else { self.text.clone() };
        let mut arguments = self.arguments.clone();
        arguments.extend_from_slice(more);
        // Such words need no quotes.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.=".contains(c);
        let quoted = more.iter().map(|word| match !word.is_empty() && word.chars().all(is_plain) {
            true => word.clone(),
            false => words::quote(word).into_owned(),
        });
        let words = std::iter::once(text).chain(quoted);
        Self { text: words.collect::<Vec<_>>().join(" "), program: self.program.clone(), arguments }
    }

    /// The files that it names: the program, looked up as the system does, and each argument, or word of an
    /// argument (`sh -c 'python3 bot.py'`), that is an existing file, such as a script or weights.
    pub fn files(&self) -> Vec<PathBuf> {
        let program = which::which(&self.program).ok();
        let words = |argument: &str| {
            argument
                .split_whitespace()
                .map(|word| PathBuf::from(word.trim_matches(['\'', '"', ';'])))
                .collect::<Vec<_>>()
        };
        let arguments = self.arguments.iter().flat_map(|argument| {
            let path = PathBuf::from(argument);
            if path.is_file() {
                vec![path]
            } else {
                words(argument)
            }
        });
        program.into_iter().chain(arguments.filter(|path| path.is_file())).collect()
    }

    /// Why its program can't be started, and what to do; `None` if it is there and executable.
    pub fn problem(&self) -> Option<String> {
        if which::which(&self.program).is_ok() {
            return None;
        }
        let path = Path::new(&self.program);
        let shown = path.display();
        let is_bare = path.components().count() == 1 && path.is_relative();
        Some(if path.is_dir() {
            format!("{shown} is a folder: give the path of the program in it")
        } else if path.is_file() {
            let allow = if cfg!(windows) { String::new() } else { format!("chmod +x {shown}, or ") };
            format!("{shown} isn't executable: {allow}name its interpreter, as in 'python3 {shown}'")
        } else if is_bare {
            format!(
                "{shown} is neither a program in PATH nor a file in this folder: check the name, or give a path"
            )
        } else {
            let folder = std::env::current_dir().unwrap_or_else(|_| ".".into());
            format!("there is no file {shown} (relative paths start at {}): check the path", folder.display())
        })
    }

    /// The program, as it is started.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// The arguments after the program.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The command to run.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn split(text: &str) -> Result<Vec<String>, CommandLineError> {
    words::split(text).map_err(|_| CommandLineError::Quote(text.to_owned()))
}

/// A bare name that is a file in the current folder means that file; the system would only search PATH. On Windows, a name
/// without an extension may be that of a batch file, where the system would only look for programs.
fn located(program: &str) -> OsString {
    let path = Path::new(program);
    let is_bare = path.components().count() == 1 && path.is_relative();
    if is_bare && path.is_file() {
        return Path::new(".").join(path).into_os_string();
    }
    let is_batch = |path: &PathBuf| {
        path.extension().is_some_and(|end| end.eq_ignore_ascii_case("bat") || end.eq_ignore_ascii_case("cmd"))
    };
    let batch = if cfg!(windows) { which::which(program).ok().filter(is_batch) } else { None };
    batch.map_or_else(|| program.into(), PathBuf::into_os_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &CommandLine) -> Vec<String> {
        let program = line.program.to_string_lossy().into_owned();
        std::iter::once(program).chain(line.arguments.iter().cloned()).collect()
    }

    #[test]
    fn splits_like_a_shell() {
        let line = CommandLine::parse("java -cp 'a b' \"c d\" Main").unwrap();
        assert_eq!(words(&line), ["java", "-cp", "a b", "c d", "Main"]);
        assert_eq!(line.to_string(), "java -cp 'a b' \"c d\" Main");
    }

    #[test]
    fn an_existing_file_is_taken_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path =
            folder.path().join("my bot's \"best\".exe".replace('"', if cfg!(windows) { "" } else { "\"" }));
        std::fs::write(&path, "").unwrap();
        let text = path.to_str().unwrap();
        assert_eq!(words(&CommandLine::parse(text).unwrap()), [text]);
    }

    #[test]
    fn a_bare_name_of_a_file_here_is_that_file() {
        // Tests run in the package's folder.
        let expected = Path::new(".").join("Cargo.toml").to_string_lossy().into_owned();
        assert_eq!(words(&CommandLine::parse("Cargo.toml x").unwrap()), [expected, "x".to_owned()]);
        assert_eq!(words(&CommandLine::parse("java").unwrap()), ["java"]);
    }

    #[test]
    fn refuses_what_names_no_program() {
        assert_eq!(CommandLine::parse("  "), Err(CommandLineError::Empty));
        assert_eq!(CommandLine::parse("''"), Err(CommandLineError::Empty));
        assert_eq!(CommandLine::parse("a 'b"), Err(CommandLineError::Quote("a 'b".to_owned())));
    }

    #[test]
    fn what_keeps_a_program_from_starting_is_named() {
        let problem = |text: &str| CommandLine::parse(text).unwrap().problem();
        let own = std::env::current_exe().unwrap();
        assert_eq!(problem(&format!("{} --list", words::quote(own.to_str().unwrap()))), None);
        assert!(problem("./nobot 3").unwrap().starts_with("there is no file ./nobot"));
        assert!(problem("no-such-program-here").unwrap().contains("neither a program in PATH"));
        assert!(problem("./src").unwrap().contains("is a folder"));
        if cfg!(unix) {
            let said = problem("./Cargo.toml --fast").unwrap();
            assert!(
                said.contains("isn't executable: chmod +x ./Cargo.toml, or name its interpreter"),
                "{said}"
            );
        }
    }

    #[test]
    fn arguments_are_added_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my bot");
        std::fs::write(&path, "").unwrap();
        for text in [path.to_str().unwrap(), "java -jar 'a b.jar'", "Cargo.toml"] {
            let line = CommandLine::parse(text).unwrap();
            let longer = line.with(&["--param".to_owned(), "x=1".to_owned()]);
            let expected: Vec<String> =
                words(&line).into_iter().chain(["--param".to_owned(), "x=1".to_owned()]).collect();
            assert_eq!(words(&longer), expected);
            assert_eq!(words(&CommandLine::parse(&longer.to_string()).unwrap()), expected);
        }
    }

    #[test]
    fn joined_words_read_back() {
        let line = CommandLine::new("/a b/c", &["d e", "f"]);
        assert_eq!(words(&CommandLine::parse(&line.to_string()).unwrap()), words(&line));
    }
}
