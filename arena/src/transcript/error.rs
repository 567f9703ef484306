//! Why a file is no transcript.

use std::io;
use std::path::PathBuf;

/// Why a file is no transcript.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// It can't be read at all.
    #[error("{}: can't read it: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The JSON stops in the middle.
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
        /// What the parser says.
        reason: String,
    },
    /// Something isn't as it should be.
    #[error("{}: {field}: expected {expected}, found {found}", .path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// Where in it: `frames[3].stdout`.
        field: String,
        /// What should have stood there.
        expected: String,
        /// What stood there, shortened.
        found: String,
    },
}
