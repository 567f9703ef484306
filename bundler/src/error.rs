//! What can go wrong, and what to tell the user about it.

use crate::Bundle;
use serde::Serialize;
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
    /// Changes cannot be watched for.
    #[error("cannot watch for changes: {0}")]
    Watch(String),
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
    /// A compiler of `--check-with` does not take the bundle.
    #[error("{own} takes the bundle, but {compiler} does not; it says, with places in the source in front:\n{said}")]
    Elsewhere {
        /// That compiler.
        compiler: String,
        /// The user's own.
        own: String,
        /// Its words.
        said: String,
    },
    /// A place in a bundle cannot be told as one of the source.
    #[error("{0}")]
    Unexplained(String),
    /// The binary and the bundle do not answer recorded input alike, or nothing can be said of it.
    #[error("{place}: {why}")]
    Replay {
        /// `path:line` of the log, or its path.
        place: String,
        /// What was heard.
        why: String,
    },
    /// The bundle is too big.
    #[error("{message}")]
    OverLimit {
        /// By how much, and what is biggest.
        message: String,
        /// The bundle all the same.
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

    /// Where rustc's first error in what it said is.
    fn said(text: &str) -> Option<Place> {
        let plain: Vec<String> = text.lines().map(colourless).collect();
        let mut lines = plain.iter().skip_while(|l| !l.contains("error"));
        lines.find_map(|l| l.trim_start().strip_prefix("--> ")).map(Place::read)
    }
}

/// A line without the sequences that make colours.
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

    /// What kind of error it is, in one word that stays the same.
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Missing { .. } => "tool-missing",
            Error::Workspace(_) => "workspace",
            Error::Binary(_) => "usage",
            Error::Read { .. } => "read",
            Error::Write { .. } | Error::NoFolder { .. } | Error::Print(_) => "write",
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

    /// Where in the source it is, if it is anywhere.
    pub fn place(&self) -> Option<Place> {
        match self {
            Error::Read { path, .. } => Some(Place::read(path)),
            Error::Syntax { place, .. } | Error::Refused { place, .. } | Error::Replay { place, .. } => {
                Some(Place::read(place))
            }
            Error::Elsewhere { said, .. } => Place::said(said),
            Error::Source(said) | Error::Bundle(said) | Error::Workspace(said) => Place::said(said),
            _ => None,
        }
    }

    /// As one JSON object: `error`, `message`, `place`, `status`, and over the limit `bundle`.
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
    fn places_are_read() {
        let place = |s: &str| {
            let p = Place::read(s);
            (p.file, p.line, p.column)
        };
        assert_eq!(place("src/a b.rs"), ("src/a b.rs".into(), None, None));
        assert_eq!(place("src/a.rs:12"), ("src/a.rs".into(), Some(12), None));
        assert_eq!(place(r"C:\x\a.rs:12:3"), (r"C:\x\a.rs".into(), Some(12), Some(3)));
        let said = "warning: w\n  --> src/w.rs:1:1\nerror[E0308]: mismatched types\n --> src/main.rs:2:23\n";
        assert_eq!(Place::said(said).map(|p| p.line), Some(Some(2)));
        let said =
            "\u{1b}[1m\u{1b}[91merror\u{1b}[0m: no\n \u{1b}[1m\u{1b}[94m--> \u{1b}[0msrc/main.rs:7:23\n";
        assert_eq!(Place::said(said).map(|p| (p.file, p.line)), Some(("src/main.rs".into(), Some(7))));
    }
}
