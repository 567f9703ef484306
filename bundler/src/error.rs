//! What can go wrong, and what to tell the user about it.

use std::path::PathBuf;

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `cargo` or `rustc` could not be started.
    #[error("cannot run `{program}`: {source}\n  Install Rust, or put `{program}` on the PATH{hint}.")]
    Missing {
        /// The program.
        program: String,
        /// Another way to name it.
        hint: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// `cargo metadata` failed.
    #[error("cargo cannot read the workspace:\n{0}")]
    Workspace(String),
    /// No binary of that name, or none chosen among several.
    #[error("{0}")]
    Binary(String),
    /// A file could not be read.
    #[error("cannot read {path}: {source}{asked}\n  Check that the file exists and may be read.")]
    Read {
        /// The file.
        path: String,
        /// Where it is asked for.
        asked: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file or the output could not be written.
    #[error("cannot write {}: {source}\n  Whatever was there before is unchanged.", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder of the output does not exist.
    #[error("cannot write {}: there is no folder {}\n  Make it, or write elsewhere.", path.display(), folder.display())]
    NoFolder {
        /// The file that was asked for.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// Standard output could not be written.
    #[error("cannot write to standard output: {0}\n  Whatever came out is not the whole bundle; -o FILE writes all or nothing.")]
    Print(std::io::Error),
    /// The source is not Rust.
    #[error("{place}: cannot be parsed: {why}")]
    Syntax {
        /// `path:line`.
        place: String,
        /// The parser's words.
        why: String,
    },
    /// The source uses something that one file cannot do rightly.
    #[error("{place}: {why}")]
    Refused {
        /// `path:line`, or the package.
        place: String,
        /// What, why, and what to do instead.
        why: String,
    },
    /// The user's own source does not compile.
    #[error("the source does not compile, so there is nothing to bundle:\n{0}")]
    Source(String),
    /// The source compiles and the bundle does not.
    #[error("the source compiles, but the bundle does not. This is a shortcoming of the bundler; rustc says:\n{0}")]
    Bundle(String),
    /// The bundle is too big.
    #[error("{0}")]
    OverLimit(String),
}

impl Error {
    /// The exit status: 1 failure, 2 usage, 3 over the limit.
    pub fn status(&self) -> u8 {
        match self {
            Error::Binary(_) => 2,
            Error::OverLimit(_) => 3,
            _ => 1,
        }
    }
}
