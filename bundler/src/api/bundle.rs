//! A finished bundle and its report, as data.

use super::map::Map;
use super::options::{Limit, Minify, Unit};
use crate::syntax::text::Origin;
use cargo_metadata::Edition;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::path::PathBuf;

/// A finished bundle with its report.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Bundle {
    /// The source.
    #[serde(skip)]
    pub text: String,
    /// The map from its lines to the source.
    #[serde(skip)]
    pub map: Map,
    /// The bundled target.
    pub target: Target,
    /// Edition: 2021, or 2024 if the program requires it.
    pub edition: Edition,
    /// Size in the limit's unit.
    pub size: Size,
    /// The limit.
    pub limit: Limit,
    /// The level of minification.
    pub minified: Minified,
    /// Crates, modules and items by size.
    pub crates: Vec<Part>,
    /// Removed items, largest first.
    pub removed: Vec<Removed>,
    /// The embedded files.
    pub assets: Vec<Asset>,
    /// The proofs, and the open points.
    pub proofs: Proofs,
    /// The size of the program after each stage.
    pub steps: Vec<Step>,
    /// The user's own files that contributed.
    pub files: Vec<PathBuf>,
    /// The duration of each stage.
    pub times: Vec<Time>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl Bundle {
    /// The report as one JSON object, without the text.
    pub fn json(&self) -> String {
        // Serialising strings and numbers cannot fail.
        let json = serde_json::to_string_pretty(self).unwrap_or_default();
        json + "
"
    }
}

/// One of a few words. As a plain reference, serde would want to borrow it from its input.
pub type Word = &'static str;

/// One of a few words, read back from a cache.
fn word<'de, D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
    String::deserialize(from).map(|word| &*word.leak())
}

/// The bundled target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// `binary` or `example`.
    #[serde(deserialize_with = "word")]
    pub kind: Word,
    /// Name in the manifest.
    pub name: String,
    /// Package of the crate.
    pub package: String,
    /// The package's version.
    pub version: String,
}

/// The size of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Bytes of UTF-8.
    pub bytes: usize,
    /// Unicode characters.
    pub chars: usize,
    /// UTF-16 units.
    pub utf16: usize,
    /// Lines.
    pub lines: usize,
}

impl Size {
    /// Measures a text.
    pub fn of(text: &str) -> Size {
        use Unit::{Bytes, Chars, Utf16};
        let [bytes, chars, utf16] = [Bytes, Chars, Utf16].map(|u| u.size(text));
        Size { bytes, chars, utf16, lines: text.lines().count() }
    }

    /// The size in bytes, and in the other units if they differ.
    pub fn shown(&self) -> String {
        let mut out = format!("{} bytes", thousands(self.bytes));
        if self.chars != self.bytes || self.utf16 != self.bytes {
            out.push_str(&format!(
                ", {} characters, {} UTF-16 units",
                thousands(self.chars),
                thousands(self.utf16)
            ));
        }
        out
    }
}

/// The level of minification of a bundle, and why it is that one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Minified {
    /// The level.
    pub level: Minify,
    /// Whether the user fixed the level; otherwise it is the least that fits the limit, or the highest if none fits.
    pub fixed: bool,
    /// The lower levels, at which the bundle would be over the limit, in order; empty if the level was fixed.
    pub over: Vec<LevelSize>,
}

/// The size of a bundle at a level of minification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelSize {
    /// The level.
    pub level: Minify,
    /// The size in the limit's unit.
    pub size: usize,
}

impl Minified {
    /// A level that the user fixed.
    pub(crate) fn fixed(level: Minify) -> Minified {
        Minified { level, fixed: true, over: Vec::new() }
    }

    /// The level and the reason for it, given the unit of the limit.
    pub fn shown(&self, unit: Unit) -> String {
        let level = self.level.name();
        let why = match self.over.last() {
            _ if self.fixed => "as given".to_owned(),
            None => "which fits the limit".to_owned(),
            Some(last) => {
                let (lower, size) = (last.level.name(), thousands(last.size));
                format!("because `{lower}` would have {size} {}", unit.name())
            }
        };
        format!("minified: `{level}`, {why}")
    }
}

/// The stages that produce a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// All crates are in one text; only comments and code excluded by `cfg` are removed.
    Inlined,
    /// Items that `main` does not reach by name are removed.
    Reached,
    /// Unused code is removed.
    Trimmed,
    /// White space is removed or names are shortened.
    Minified,
}

impl Stage {
    /// The stage, for reports.
    pub fn said(self) -> &'static str {
        match self {
            Stage::Inlined => "joining all crates",
            Stage::Reached => "removing what main does not reach by name",
            Stage::Trimmed => "removing unused code",
            Stage::Minified => "minifying",
        }
    }

    /// The reason why the stage removed an item.
    pub fn because(self) -> &'static str {
        match self {
            Stage::Inlined => "`cfg` excludes it",
            Stage::Reached => "main does not reach it by name",
            Stage::Trimmed => "rustc reports it as unused, or generates the same code without it",
            Stage::Minified => "it was rewritten",
        }
    }
}

/// The size of the program after a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The stage.
    pub stage: Stage,
    /// Size in bytes.
    pub bytes: usize,
}

/// The duration of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Time {
    /// The stage.
    #[serde(deserialize_with = "word")]
    pub what: Word,
    /// Duration in seconds.
    pub seconds: f64,
}

/// A crate, module or item of a bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// `crate`, `mod`, `fn`, `struct`, `impl` and so on.
    #[serde(deserialize_with = "word")]
    pub kind: Word,
    /// Path in the bundle; for an `impl` it ends with the header.
    pub path: String,
    /// `file:line` of its source.
    pub place: Option<String>,
    /// The origin of its name.
    #[serde(skip)]
    pub origin: Option<Origin>,
    /// Size in bytes, with everything in it.
    pub bytes: usize,
    /// Size in percent of the whole bundle.
    pub share: f64,
    /// The parts in it, largest first.
    pub parts: Vec<Part>,
}

/// A crate, module or item that is not in the bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// `crate`, `mod`, `fn`, `struct`, `impl` and so on.
    #[serde(deserialize_with = "word")]
    pub kind: Word,
    /// Path in the text of all crates.
    pub path: String,
    /// `file:line` of its source.
    pub place: Option<String>,
    /// Size in bytes, with everything in it.
    pub bytes: usize,
    /// The stage that removed it: `reached` because `main` does not reach it by name, `trimmed` because rustc reports
    /// it as unused or because the program compiles to the same code without it.
    pub stage: Stage,
}

/// An embedded file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    /// The file's path as shown to the user.
    pub path: String,
    /// Size in bytes.
    pub raw: usize,
    /// Size in the bundle, in the limit's unit, without the decoder.
    pub bundled: usize,
    /// Encoding in the bundle.
    pub method: Method,
}

impl Asset {
    /// A note for the user, if its encoding slows compilation.
    pub fn note(&self) -> Option<String> {
        (self.method == Method::Constant && self.raw >= NOTED).then(|| {
            format!(
                "{}: it is used in a constant, so the compiler decodes it on every build, about a second for 60,000 bytes; \
                 in a `static` of type `&[u8]` that only functions use, it would be decoded on first use and take less space",
                self.path
            )
        })
    }
}

/// Size in bytes from which a note mentions that the compiler decodes a file.
const NOTED: usize = 20_000;

/// The encoding of an embedded file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// A byte string.
    Literal,
    /// Packed characters, decoded by the compiler.
    Constant,
    /// Packed characters, decoded on first use.
    Packed,
    /// Entropy-coded, decoded on first use.
    Coded,
}

impl Method {
    /// Whether it is decoded at run time.
    pub(crate) fn at_run_time(self) -> bool {
        matches!(self, Method::Packed | Method::Coded)
    }

    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Method::Literal => "byte string",
            Method::Constant => "packed, decoded by the compiler",
            Method::Packed => "packed, decoded on first use",
            Method::Coded => "entropy-coded, decoded on first use",
        }
    }
}

/// The results of the proofs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proofs {
    /// The compilers that accept the bundle without a warning.
    pub compilers: Vec<String>,
    /// The number of functions with the same instructions as in the merged text, before removal and minifying, if all
    /// have. Reading and merging are not compared.
    pub same_functions: Option<usize>,
    /// The number of functions with the same instructions as in cargo's own build, if that was asked for and all have.
    pub same_as_built: Option<usize>,
    /// The recorded input to which binary and bundle gave the same answers.
    pub replayed: Option<Replayed>,
    /// Points that were not proved, with the reason.
    pub open: Vec<String>,
}

/// The amount of recorded input that was replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replayed {
    /// Number of files.
    pub logs: usize,
    /// Number of answer lines.
    pub answers: usize,
}

impl Proofs {
    /// Records a replay; without any answer it proves nothing.
    pub(crate) fn add_replayed(&mut self, replayed: Replayed) {
        if replayed.answers > 0 {
            self.replayed = Some(replayed);
        } else {
            self.open.push(
                "that binary and bundle give the same answers: neither prints anything for the recorded input".into(),
            );
        }
    }
}

impl fmt::Display for Proofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut facts = Vec::new();
        if !self.compilers.is_empty() {
            facts.push(format!("compiles without a warning on {}", listed(&self.compilers)));
        }
        if let Some(n) = self.same_functions {
            let n = thousands(n);
            facts.push(format!("{n} functions, the same since merging"));
        }
        if let Some(n) = self.same_as_built.map(thousands) {
            facts.push(format!("{n} of {n} functions the same as in cargo's build"));
        }
        if let Some(Replayed { logs, answers }) = self.replayed {
            let (s, n) = (if logs == 1 { "" } else { "s" }, thousands(answers));
            facts.push(format!("{logs} log{s}, {n} answer lines identical in binary and bundle"));
        }
        let mut lines = Vec::new();
        if !facts.is_empty() {
            lines.push(format!("proved: {}", facts.join("; ")));
        }
        lines.extend(self.open.iter().map(|o| format!("not proved: {o}")));
        f.write_str(&lines.join("\n"))
    }
}

/// Joins names with commas and "and".
pub fn listed(names: &[String]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => names.concat(),
    }
}

/// Formats a number as `12,345`.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(d);
    }
    out
}
