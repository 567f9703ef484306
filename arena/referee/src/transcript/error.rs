//! The reasons why a file isn't a transcript.

use std::io;
use std::path::PathBuf;

/// The reasons why a file isn't a transcript.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// It can't be read.
    #[error("{}: can't read it: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The JSON is truncated.
    #[error(
        "{}:{line}:{column}: the file ends in the middle of its JSON: it was cut off; save the replay again",
        .path.display()
    )]
    Cut {
        /// The file.
        path: PathBuf,
        /// The last line's number, from 1.
        line: usize,
        /// The column in it, from 1.
        column: usize,
    },
    /// It isn't JSON.
    #[error(
        "{}:{line}:{column}: not JSON: {reason}; give a replay saved from the platform or the runner's result",
        .path.display()
    )]
    Json {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// The column in it, from 1.
        column: usize,
        /// The parser's message.
        reason: String,
    },
    /// A value is missing or invalid.
    #[error("{}: {field}: expected {expected}, found {found}", .path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The path of the value: `frames[3].stdout`.
        field: String,
        /// The expected value.
        expected: String,
        /// The value found, shortened.
        found: String,
    },
}

impl TranscriptError {
    /// Whether the file is whole JSON, but of another kind than transcripts.
    pub fn is_other_file(&self) -> bool {
        matches!(self, Self::Field { field, .. } if field == WHOLE)
    }
}

/// The path of a file's whole value, in messages.
pub(super) const WHOLE: &str = "the whole file";
