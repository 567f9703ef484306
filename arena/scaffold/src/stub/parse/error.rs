//! Why a text isn't a stub.

/// Why a text isn't a stub.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StubError {
    /// A line can't be understood.
    #[error("line {line}: expected {expected}, found {found}")]
    Line {
        /// The line's number, from 1.
        line: usize,
        /// The expected form.
        expected: String,
        /// The text that was found.
        found: String,
    },
    /// The stub has no command.
    #[error("the stub is empty: it has no command (read, write, loop, loopline, gameloop)")]
    Empty,
    /// It is a program.
    #[error(
        "line {line}: `{found}`: this is the code that the site generates from a stub, not the stub. A stub describes the \
         input in lines such as `read width:int height:int`, `gameloop` and `write WAIT`. It is in the repository of the \
         contest: config/stub.txt, or config/level1/stub.txt, config/level2/stub.txt and so on for its leagues"
    )]
    GeneratedCode {
        /// The line's number, from 1.
        line: usize,
        /// The line.
        found: String,
    },
}

/// Beginnings of lines of programs in the site's languages.
const CODE: [&str; 16] = [
    "use std::io",
    "macro_rules!",
    "fn main",
    "import java",
    "public static void",
    "class Player",
    "#include",
    "import sys",
    "import math",
    "while (true)",
    "while (1)",
    "while True",
    "while true",
    "using System",
    "package main",
    "<?php",
];

/// Whether a line is one of a program in such a language.
pub(super) fn is_code(line: &str) -> bool {
    CODE.iter().any(|code| line.starts_with(code))
}

/// The error of a line.
pub(super) fn fail(line: usize, expected: impl Into<String>, found: impl Into<String>) -> StubError {
    StubError::Line { line, expected: expected.into(), found: shortened(found.into()) }
}

/// A text of at most 80 characters.
pub(super) fn shortened(found: String) -> String {
    match found.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found,
    }
}
