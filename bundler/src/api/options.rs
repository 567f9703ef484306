//! The user's options.

use crate::api::platform::Platform;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The kind of target to bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A binary.
    Bin,
    /// An example.
    Example,
}

/// How much the text is minified; each level includes the ones before it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Minify {
    /// Keeps comments and documentation.
    None,
    /// Removes comments and documentation, and indents with tabs.
    Comments,
    /// Removes white space that Rust does not need.
    Space,
    /// Shortens names that are not visible outside the program.
    Names,
}

impl Minify {
    /// Name as an argument of `--minify`.
    pub fn name(self) -> &'static str {
        match self {
            Minify::None => "none",
            Minify::Comments => "comments",
            Minify::Space => "space",
            Minify::Names => "names",
        }
    }
}

/// The unit of a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Bytes of UTF-8.
    #[default]
    Bytes,
    /// Unicode characters.
    Chars,
    /// UTF-16 units, as counted by JavaScript's `length`.
    Utf16,
}

impl Unit {
    /// The size of a text.
    pub fn size(self, text: &str) -> usize {
        match self {
            Unit::Bytes => text.len(),
            Unit::Chars => text.chars().count(),
            Unit::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }

    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Chars => "characters",
            Unit::Utf16 => "UTF-16 units",
        }
    }
}

/// The maximum size of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limit {
    /// The number of units.
    pub size: usize,
    /// The unit.
    pub unit: Unit,
}

impl std::str::FromStr for Limit {
    type Err = String;

    /// Parses `100000`, `chars`, or both as `100000chars`; a unit alone keeps the default size.
    fn from_str(s: &str) -> Result<Limit, String> {
        let digits = s.find(|c: char| !c.is_ascii_digit()).unwrap_or(s.len());
        let (size, unit) = s.split_at(digits);
        let advice = "write a number, `bytes`, `chars` or `utf16`, or both as `100000chars`";
        let size = match size {
            "" => Limit::default().size,
            n => n.parse().map_err(|_| format!("the number is too big; {advice}"))?,
        };
        let unit = match unit {
            "" if digits > 0 => Unit::Bytes,
            "bytes" => Unit::Bytes,
            "chars" => Unit::Chars,
            "utf16" => Unit::Utf16,
            _ => return Err(advice.into()),
        };
        Ok(Limit { size, unit })
    }
}

impl Default for Limit {
    fn default() -> Limit {
        Limit { size: 100_000, unit: Unit::Bytes }
    }
}

/// Program to bundle, and options.
#[derive(Clone, Debug)]
pub struct Options {
    /// The binary or example; optional if there is exactly one binary.
    pub bin: Option<String>,
    /// The kind of `bin`; `None` accepts both.
    pub kind: Option<Kind>,
    /// The manifest; `None` searches from the current directory upwards.
    pub manifest_path: Option<PathBuf>,
    /// Package, features and other options that are passed to cargo.
    pub cargo: Cargo,
    /// Packages that the site provides and that are not inlined.
    pub external: Vec<String>,
    /// The site that the bundle is for; notes mention what matters there.
    pub platform: Option<Platform>,
    /// The level of minification; `None` takes the least one from [`Minify::Comments`] on that fits the limit.
    pub minify: Option<Minify>,
    /// The maximum size.
    pub limit: Limit,
    /// Whether to compile the bundle, remove what rustc reports as unused, and prove that the program stays the same.
    pub check: bool,
    /// Other compilers that must accept the bundle.
    pub check_with: Vec<PathBuf>,
    /// Recorded input to which the binary and the bundle must give the same output.
    pub replay: Vec<PathBuf>,
    /// Arguments for both programs during replay.
    pub replay_arguments: Vec<String>,
    /// Whether to replay what is recorded in the package's folder `tests/logs`, if `replay` is empty.
    pub replay_found: bool,
    /// Whether to compare the bundle's code, function by function, with that of cargo's own build.
    pub compare_build: bool,
    /// Whether the header has the date and the commit.
    pub stamp: bool,
    /// Whether to refuse code whose panic or stderr messages may differ in the bundle (default: only a note).
    pub strict: bool,
    /// Whether to replace the procedural derives of the user's own types by what they generate.
    pub expand_derives: bool,
    /// Whether results may be cached in the workspace's target folder.
    pub cache: bool,
    /// Whether to show progress on stderr.
    pub progress: bool,
}

impl Options {
    /// Whether the site provides a crate, so that it is not inlined.
    pub fn is_external(&self, package: &str, version: &str) -> bool {
        self.external.iter().any(|e| e == package)
            || self.platform.as_ref().is_some_and(|p| p.has(package, version) == Some(Ok(())))
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            bin: None,
            kind: None,
            manifest_path: None,
            cargo: Cargo::default(),
            external: Vec::new(),
            platform: None,
            minify: None,
            limit: Limit::default(),
            check: true,
            check_with: Vec::new(),
            replay: Vec::new(),
            replay_arguments: Vec::new(),
            replay_found: true,
            compare_build: false,
            stamp: false,
            strict: false,
            expand_derives: false,
            cache: true,
            progress: false,
        }
    }
}

/// Options passed to cargo; each means the same as in `cargo build`.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "As in cargo build")]
pub struct Cargo {
    /// The package that contains the binary
    #[arg(short, long, value_name = "NAME")]
    pub package: Option<String>,
    /// Features to enable, separated by commas or spaces
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Enable all features
    #[arg(long)]
    pub all_features: bool,
    /// Disable the default features
    #[arg(long)]
    pub no_default_features: bool,
    /// Do not use the network
    #[arg(long)]
    pub offline: bool,
    /// Fail if Cargo.lock would change
    #[arg(long)]
    pub locked: bool,
    /// Both --offline and --locked
    #[arg(long)]
    pub frozen: bool,
    /// Whether cargo and rustc colour their output.
    #[arg(skip)]
    pub color: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let limit = |s: &str| s.parse::<Limit>().map(|l| (l.size, l.unit));
        assert_eq!(limit("65000"), Ok((65_000, Unit::Bytes)));
        assert_eq!(limit("chars"), Ok((100_000, Unit::Chars)));
        assert_eq!(limit("50000utf16"), Ok((50_000, Unit::Utf16)));
        for wrong in ["", "-1", "12x", "chars5", "99999999999999999999999"] {
            assert!(limit(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn units_count() {
        let text = "aé漢🎲";
        assert_eq!([Unit::Bytes, Unit::Chars, Unit::Utf16].map(|u| u.size(text)), [10, 4, 5]);
    }
}
