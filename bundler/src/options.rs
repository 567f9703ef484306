//! What the user asks for.

use crate::platform::Platform;
use crate::tools::Cargo;
use serde::Serialize;
use std::path::PathBuf;

/// What kind of target a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A binary.
    Bin,
    /// An example.
    Example,
}

/// How much is done to make the text smaller; each level does what the ones before it do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum)]
pub enum Minify {
    /// Comments and documentation stay.
    None,
    /// Without comments and documentation, and with a tab for each level of indentation.
    #[default]
    Comments,
    /// Without the white space that Rust does not need.
    Space,
    /// With short names for what nobody outside can see.
    Names,
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Bytes of UTF-8.
    #[default]
    Bytes,
    /// Unicode characters.
    Chars,
    /// Units of UTF-16, which is what JavaScript's `length` counts.
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

    /// As said to people.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Chars => "characters",
            Unit::Utf16 => "UTF-16 units",
        }
    }
}

/// The most that a bundle may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Limit {
    /// How many.
    pub size: usize,
    /// Of what.
    pub unit: Unit,
}

impl std::str::FromStr for Limit {
    type Err = String;

    /// Reads `100000`, `chars`, or both as `100000chars`; a unit alone keeps the default size.
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

/// What to bundle, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The binary or example; may be left out where there is exactly one binary.
    pub bin: Option<String>,
    /// Which of the two `bin` must be; either may be meant if this is left out.
    pub kind: Option<Kind>,
    /// A manifest other than the one found upwards from the current directory.
    pub manifest_path: Option<PathBuf>,
    /// Package, features and the like, passed on to cargo.
    pub cargo: Cargo,
    /// Crates that the site has, by the names of their packages: they are used, not inlined.
    pub external: Vec<String>,
    /// A site that the bundle is for: what is worth knowing about it is noted.
    pub platform: Option<Platform>,
    /// How small.
    pub minify: Minify,
    /// The most the bundle may have.
    pub limit: Limit,
    /// Whether to compile the result, to let rustc say what else is unused, and to prove that nothing else changed.
    pub check: bool,
    /// Other compilers that must take the result too.
    pub check_with: Vec<PathBuf>,
    /// Recorded input: the binary and the bundle must answer it alike.
    pub replay: Vec<PathBuf>,
    /// What both are started with then.
    pub replay_arguments: Vec<String>,
    /// Whether the header says when, and from which commit, the bundle was made.
    pub stamp: bool,
    /// Whether what was found out may be kept in the workspace's target folder, for the next time.
    pub cache: bool,
    /// Whether to say on stderr what takes time.
    pub progress: bool,
}

impl Options {
    /// Whether the site has a crate, so that it is used and not inlined.
    pub fn is_external(&self, package: &str, version: &str) -> bool {
        self.external.iter().any(|e| e == package)
            || self.platform.is_some_and(|p| p.has(package, version) == Some(Ok(())))
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
            minify: Minify::default(),
            limit: Limit::default(),
            check: true,
            check_with: Vec::new(),
            replay: Vec::new(),
            replay_arguments: Vec::new(),
            stamp: false,
            cache: true,
            progress: false,
        }
    }
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
