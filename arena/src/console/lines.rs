//! Reads the lines of a console or of people who play, from a terminal with a history, or from a pipe or file.

use std::fs;
use std::io::{self, BufRead};
use std::path::PathBuf;

use contest::utf8;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};

/// A source of command lines.
pub(crate) enum Lines {
    /// A user at a terminal.
    Terminal(Box<Terminal>),
    /// A script.
    Script {
        /// The lines not read yet.
        reader: Box<dyn BufRead>,
        /// The number of lines read.
        read: usize,
    },
}

/// The terminal's line editor.
pub(crate) struct Terminal {
    editor: Editor<Names, DefaultHistory>,
    history: Option<PathBuf>,
}

/// The words that can be completed.
#[derive(Default)]
struct Names {
    first: Vec<String>,
    others: Vec<String>,
}

impl Names {
    /// Where the last word of a line begins, and the words that it can become.
    fn of(&self, line: &str) -> (usize, Vec<String>) {
        let start = line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let is_first = line[..start].trim().is_empty();
        let words = if is_first { &self.first } else { &self.others };
        let fits = |word: &&String| word.starts_with(&line[start..]);
        (start, words.iter().filter(fits).cloned().collect())
    }
}

impl Completer for Names {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.of(&line[..at]))
    }
}

impl Helper for Names {}
impl Hinter for Names {
    type Hint = String;
}
impl Highlighter for Names {}
impl Validator for Names {}

/// Maximum length of a script's line, in bytes.
const MOST_BYTES: u64 = 1 << 16;

impl Lines {
    /// A terminal; with a name, it has the history of earlier sessions of that name if there is a folder for it.
    ///
    /// # Errors
    /// If the terminal can't be used.
    pub(crate) fn terminal(history: Option<&str>) -> io::Result<Lines> {
        let mut editor = Editor::new().map_err(io::Error::other)?;
        editor.set_helper(Some(Names::default()));
        let file = |name: &str| Some(dirs::data_dir()?.join("coppice").join(name));
        let history = history.and_then(file);
        // The history is optional.
        history.iter().for_each(|path| drop(editor.load_history(path)));
        Ok(Lines::Terminal(Box::new(Terminal { editor, history })))
    }

    /// A script.
    pub(crate) fn script(reader: impl BufRead + 'static) -> Lines {
        Lines::Script { reader: Box::new(reader), read: 0 }
    }

    /// The words that a terminal completes: at the beginning of a line, and behind its first word.
    pub(crate) fn complete(&mut self, first: Vec<String>, others: Vec<String>) {
        if let Lines::Terminal(terminal) = self {
            terminal.editor.set_helper(Some(Names { first, others }));
        }
    }

    /// Whether a user can correct mistakes.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Lines::Terminal(_))
    }

    /// The number of the line read last.
    pub(crate) fn number(&self) -> usize {
        match self {
            Lines::Terminal(_) => 0,
            Lines::Script { read, .. } => *read,
        }
    }

    /// The next line; `None` at the end.
    ///
    /// # Errors
    /// If it can't be read, isn't text, or is too long.
    pub(crate) fn read(&mut self) -> io::Result<Option<String>> {
        match self {
            Lines::Terminal(terminal) => terminal.read(),
            Lines::Script { reader, read: count } => {
                let mut line = Vec::new();
                io::Read::take(&mut *reader, MOST_BYTES).read_until(b'\n', &mut line)?;
                if *count == 0 && line.len() > utf8::without_mark(&line).len() {
                    line = utf8::without_mark(&line).to_vec();
                }
                *count += 1;
                let is_long = line.len() as u64 == MOST_BYTES && line.last() != Some(&b'\n');
                match String::from_utf8(line) {
                    _ if is_long => Err(io::Error::other(format!("line {count} is longer than any order"))),
                    Err(_) => Err(io::Error::other(format!("line {count} is not text in UTF-8"))),
                    Ok(line) => Ok((!line.is_empty()).then_some(line)),
                }
            }
        }
    }
}

impl Terminal {
    fn read(&mut self) -> io::Result<Option<String>> {
        loop {
            match self.editor.readline("> ") {
                Ok(line) => {
                    if self.history.is_some() {
                        let _ = self.editor.add_history_entry(line.as_str());
                    }
                    return Ok(Some(line));
                }
                // Ctrl-C discards the line.
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let Some(path) = &self.history else { return };
        let _ = path.parent().map(fs::create_dir_all);
        // Failing to save the history doesn't matter.
        let _ = self.editor.save_history(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_completed_by_commands_and_then_by_moves() {
        let texts = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let names = Names { first: texts(&["show", "step", "play"]), others: texts(&["d3", "d4"]) };
        assert_eq!(names.of("s"), (0, texts(&["show", "step"])));
        assert_eq!(names.of("play d"), (5, texts(&["d3", "d4"])));
        assert_eq!(names.of("play d3 "), (8, texts(&["d3", "d4"])));
        assert_eq!(names.of("  pl"), (2, texts(&["play"])));
        assert_eq!(names.of("x"), (0, Vec::new()));
    }

    #[test]
    fn a_script_is_read_to_its_end_or_to_what_is_no_text() {
        let mut lines = Lines::script(&b"\xef\xbb\xbfshow\n\nquit"[..]);
        let mut next = || lines.read().unwrap();
        assert_eq!(next().as_deref(), Some("show\n"));
        assert_eq!(next().as_deref(), Some("\n"));
        assert_eq!(next().as_deref(), Some("quit"));
        assert_eq!(next(), None);
        let mut lines = Lines::script(&b"show\n\xff\n"[..]);
        lines.read().unwrap();
        assert_eq!(lines.read().unwrap_err().to_string(), "line 2 is not text in UTF-8");
        let mut lines = Lines::script(io::BufReader::new(io::repeat(b'a')));
        assert_eq!(lines.read().unwrap_err().to_string(), "line 1 is longer than any order");
    }
}
