//! Errors, with messages that tell the user what to do.

use crate::api::bundle::Bundle;
use serde::Serialize;
use std::path::PathBuf;

/// Why no bundle was made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `cargo` or `rustc` could not be started.
    #[error("cannot run `{program}`: {source}\n  Install Rust, or put `{program}` on the PATH{hint}.")]
    Missing {
        /// The program.
        program: String,
        /// How to specify another path to it.
        hint: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
    /// `cargo metadata` failed.
    #[error("cargo cannot read the workspace:\n{0}")]
    Workspace(String),
    /// No binary of that name, or several binaries and no choice.
    #[error("{0}")]
    Binary(String),
    /// A file could not be read.
    #[error("cannot read {path}: {source}{asked}\n  Check that the file exists and may be read.")]
    Read {
        /// The file.
        path: String,
        /// The place that refers to it.
        asked: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file or the output could not be written.
    #[error("cannot write {}: {source}\n  An existing file is unchanged.", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The folder of the output does not exist.
    #[error("cannot write {}: the folder {} does not exist\n  Create it, or write to another folder.", path.display(), folder.display())]
    NoFolder {
        /// The requested file.
        path: PathBuf,
        /// The missing folder.
        folder: PathBuf,
    },
    /// Standard output could not be written.
    #[error("cannot write to standard output: {0}\n  The output is incomplete; -o FILE writes the whole bundle or nothing.")]
    Print(std::io::Error),
    /// The clipboard could not be written.
    #[error(
        "cannot copy the bundle: {0}\n  Leave --copy out, and redirect the bundle into a file: > submit.rs"
    )]
    Copy(String),
    /// Watching for changes failed.
    #[error("cannot watch for changes: {0}")]
    Watch(String),
    /// The source cannot be parsed.
    #[error("{place}: cannot be parsed: {why}")]
    Syntax {
        /// `path:line`.
        place: String,
        /// The parser's message.
        why: String,
    },
    /// The source uses something that a single file cannot express.
    #[error("{place}: {why}")]
    Refused {
        /// `path:line`, or the package.
        place: String,
        /// The problem, its cause, and what to do instead.
        why: String,
    },
    /// The user's own source does not compile.
    #[error("the source does not compile, so there is nothing to bundle:\n{0}")]
    Source(String),
    /// The source compiles and the bundle does not.
    #[error(
        "the source compiles, but the bundle does not. This is a bug in the bundler, please report it.\n  \
         Until then, rewrite the code at the first place below, or exclude it by `#[cfg(not(bundled))]`; if it is a \
         crate's, use another version of the crate, or copy what you need into your own.\n{0}"
    )]
    Bundle(String),
    /// A compiler of `--check-with` rejects the bundle.
    #[error(
        "{own} accepts the bundle, but {compiler} does not. Its errors, with places in the source:\n{said}"
    )]
    Elsewhere {
        /// The compiler that rejects it.
        compiler: String,
        /// The user's own compiler.
        own: String,
        /// The errors.
        said: String,
    },
    /// A place in a bundle cannot be mapped to the source.
    #[error("{0}")]
    Unexplained(String),
    /// The binary and the bundle answer recorded input differently, or the comparison failed.
    #[error("{place}: {why}")]
    Replay {
        /// `path:line` of the log, or its path.
        place: String,
        /// The observation, as a sentence.
        why: String,
    },
    /// The bundle exceeds the limit.
    #[error("{message}")]
    OverLimit {
        /// The excess, and the largest parts.
        message: String,
        /// The bundle.
        bundle: Box<Bundle>,
    },
}

/// A place in the user's source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, if one is known.
    pub line: Option<usize>,
    /// The column, if one is known.
    pub column: Option<usize>,
}

impl Place {
    /// Reads `file`, `file:line` or `file:line:column`.
    fn read(text: &str) -> Place {
        let (mut file, mut numbers) = (text, Vec::new());
        while let Some((rest, number)) = file.rsplit_once(':') {
            match number.parse() {
                Ok(n) if numbers.len() < 2 => numbers.insert(0, n),
                _ => break,
            }
            file = rest;
        }
        Place { file: file.to_owned(), line: numbers.first().copied(), column: numbers.get(1).copied() }
    }

    /// The place before the first message, in the user's source.
    fn of_first_message(text: &str) -> Option<Place> {
        let place = Place::read(text.lines().next()?.split_once(": ")?.0);
        place.line.is_some().then_some(place)
    }

    /// The place of rustc's first error in its output.
    fn of_first_error(text: &str) -> Option<Place> {
        let plain: Vec<String> = text.lines().map(colourless).collect();
        let mut lines = plain.iter().skip_while(|l| !l.contains("error"));
        lines.find_map(|l| l.trim_start().strip_prefix("--> ")).map(Place::read)
    }
}

/// A line without colour escape sequences.
fn colourless(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|p| p.split_once('m').map_or("", |(_, text)| text));
    std::iter::once(first).chain(rest).collect()
}

impl Error {
    /// The exit status: 1 failure, 2 usage, 3 over the limit.
    pub fn status(&self) -> u8 {
        match self {
            Error::Binary(_) => 2,
            Error::OverLimit { .. } => 3,
            _ => 1,
        }
    }

    /// The kind of error, as a stable word for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Missing { .. } => "tool-missing",
            Error::Workspace(_) => "workspace",
            Error::Binary(_) => "usage",
            Error::Read { .. } => "read",
            Error::Write { .. } | Error::NoFolder { .. } | Error::Print(_) | Error::Copy(_) => "write",
            Error::Watch(_) => "watch",
            Error::Syntax { .. } => "syntax",
            Error::Refused { .. } => "refused",
            Error::Source(_) => "source",
            Error::Bundle(_) => "bundle",
            Error::Elsewhere { .. } => "other-compiler",
            Error::Unexplained(_) => "unexplained",
            Error::Replay { .. } => "replay",
            Error::OverLimit { .. } => "over-limit",
        }
    }

    /// The error's place in the source, if it has one.
    pub fn place(&self) -> Option<Place> {
        match self {
            Error::Read { path, .. } => Some(Place::read(path)),
            Error::Syntax { place, .. } | Error::Refused { place, .. } => Some(Place::read(place)),
            // An answer is a whole line.
            Error::Replay { place, .. } => {
                let place = Place::read(place);
                Some(Place { column: place.column.or(place.line.map(|_| 1)), ..place })
            }
            Error::Elsewhere { said, .. } | Error::Bundle(said) => Place::of_first_message(said),
            Error::Source(said) | Error::Workspace(said) => Place::of_first_error(said),
            _ => None,
        }
    }

    /// The error as one JSON object: `error`, `message`, `place`, `status`, and `bundle` if it is over the limit.
    pub fn json(&self) -> String {
        let mut value = serde_json::json!({
            "error": self.kind(),
            "message": self.to_string(),
            "place": self.place(),
            "status": self.status(),
        });
        if let Error::OverLimit { bundle, .. } = self {
            value["bundle"] = serde_json::json!(bundle);
        }
        format!("{value:#}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_that_does_not_compile_has_a_place_and_a_way_round() {
        let error =
            Error::Bundle("src/a.rs:3:7: mismatched types\nerror[E0308]: …\n --> bundle.rs:1:1\n".into());
        assert_eq!(
            error.place().map(|p| (p.file, p.line, p.column)),
            Some(("src/a.rs".into(), Some(3), Some(7)))
        );
        let said = error.to_string();
        assert!(
            said.contains("cfg(not(bundled))") && said.contains("another version of the crate"),
            "{said}"
        );
        assert_eq!(Error::Bundle("No form of it: compiled".into()).place(), None);
    }

    #[test]
    fn places_are_read() {
        let place = |s: &str| {
            let p = Place::read(s);
            (p.file, p.line, p.column)
        };
        assert_eq!(place("src/a b.rs"), ("src/a b.rs".into(), None, None));
        assert_eq!(place("src/a.rs:12"), ("src/a.rs".into(), Some(12), None));
        assert_eq!(place(r"C:\x\a.rs:12:3"), (r"C:\x\a.rs".into(), Some(12), Some(3)));
        let said = "warning: w\n  --> src/w.rs:1:1\nerror[E0308]: mismatched types\n --> src/main.rs:2:23\n";
        assert_eq!(Place::of_first_error(said).map(|p| p.line), Some(Some(2)));
        let said =
            "\u{1b}[1m\u{1b}[91merror\u{1b}[0m: no\n \u{1b}[1m\u{1b}[94m--> \u{1b}[0msrc/main.rs:7:23\n";
        assert_eq!(
            Place::of_first_error(said).map(|p| (p.file, p.line)),
            Some(("src/main.rs".into(), Some(7)))
        );
    }
}
