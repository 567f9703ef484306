//! The compiler as an oracle: does a text compile, and what do its lints say?

use crate::cache::{Cache, Key};
use crate::error::Error;
use cargo_metadata::Edition;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The compiler to call.
pub fn program() -> String {
    std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into())
}

/// A diagnostic of rustc.
#[derive(Debug, Deserialize)]
pub struct Diagnostic {
    /// The text.
    pub message: String,
    /// The lint or error.
    pub code: Option<Code>,
    /// `error`, `warning`, …
    pub level: String,
    /// Where.
    pub spans: Vec<Span>,
    /// As shown to people.
    pub rendered: Option<String>,
}

/// The name of a lint or error.
#[derive(Debug, Deserialize)]
pub struct Code {
    /// Such as `dead_code`.
    pub code: String,
}

/// A place in the compiled text.
#[derive(Debug, Deserialize)]
pub struct Span {
    /// The first byte.
    pub byte_start: usize,
    /// The byte after the last.
    pub byte_end: usize,
    /// Whether this is what the message is about.
    pub is_primary: bool,
}

impl Diagnostic {
    /// The lint's name.
    pub fn lint(&self) -> Option<&str> {
        self.code.as_ref().map(|c| c.code.as_str())
    }

    /// Whether the text does not compile.
    pub fn is_error(&self) -> bool {
        self.level.starts_with("error")
    }

    /// The first place that the message is about.
    pub fn at(&self) -> Option<usize> {
        self.spans.iter().find(|s| s.is_primary).map(|s| s.byte_start)
    }
}

/// What came of compiling.
#[derive(Debug)]
pub struct Outcome {
    /// Whether it compiled.
    pub ok: bool,
    /// What was said.
    pub diagnostics: Vec<Diagnostic>,
}

/// What rustc must be told about a bundle besides its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    /// The edition.
    pub edition: Edition,
    /// Crates that are not inlined: the names that the text uses, and their compiled libraries.
    pub externs: Vec<(String, PathBuf)>,
    /// Where those find the libraries that they need in turn.
    pub search: Vec<PathBuf>,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags { edition: Edition::E2021, externs: Vec::new(), search: Vec::new() }
    }
}

impl Flags {
    /// As arguments of rustc.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut out: Vec<OsString> = vec!["--edition".into(), self.edition.as_str().into()];
        for (name, path) in &self.externs {
            let mut value = OsString::from(format!("{name}="));
            value.push(path);
            out.extend(["--extern".into(), value]);
        }
        for path in &self.search {
            let mut value = OsString::from("dependency=");
            value.push(path);
            out.extend(["-L".into(), value]);
        }
        out
    }
}

/// Compiles texts, each in a folder of its own; what it has seen before it knows by heart.
pub struct Checker {
    cache: Cache,
    version: String,
    /// What rustc is told.
    pub flags: Flags,
    /// How often rustc was called.
    runs: AtomicUsize,
}

impl Checker {
    /// Asks rustc for its version.
    pub fn new(cache: Cache, flags: Flags) -> Result<Checker, Error> {
        let output = Command::new(program()).arg("-vV").stdin(Stdio::null()).output().map_err(missing)?;
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(Checker { cache, version, flags, runs: AtomicUsize::new(0) })
    }

    /// How often rustc was called, its cache aside.
    pub fn runs(&self) -> usize {
        self.runs.load(Ordering::Relaxed)
    }

    /// Compiles a text as a binary, without generating code.
    pub fn check(&self, source: &str) -> Result<Outcome, Error> {
        self.check_with(source, &[])
    }

    /// The same with more flags.
    pub fn check_with(&self, source: &str, flags: &[&str]) -> Result<Outcome, Error> {
        let arguments = self.flags.arguments();
        let mut parts = vec![self.version.as_bytes(), source.as_bytes()];
        parts.extend(arguments.iter().map(|a| a.as_encoded_bytes()));
        parts.extend(flags.iter().map(|f| f.as_bytes()));
        let key = Key::of(&parts);
        // What the environment, a file or another crate has to say is not in the text.
        let whole = self.flags.externs.is_empty() && !source.contains("env!") && !source.contains("include");
        let known = if whole { self.cache.get("check", &key) } else { None };
        let entry = match known {
            Some(entry) => entry,
            None => {
                let entry = self.compiled(source, flags)?;
                if whole {
                    self.cache.put("check", &key, &entry);
                }
                entry
            }
        };
        let (status, said) = entry.split_first().unwrap_or((&0, &[]));
        let text = String::from_utf8_lossy(said);
        let diagnostics = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(Outcome { ok: *status == 1, diagnostics })
    }

    /// 1 if it compiles, else 0, and then what rustc said.
    fn compiled(&self, source: &str, flags: &[&str]) -> Result<Vec<u8>, Error> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let folder = tempfile::Builder::new()
            .prefix("bundler-")
            .tempdir()
            .map_err(|source| Error::Write { path: std::env::temp_dir(), source })?;
        let file = folder.path().join("bundle.rs");
        std::fs::write(&file, source).map_err(|e| Error::Write { path: file.clone(), source: e })?;
        let output = Command::new(program())
            .args(["--crate-name", "bundle", "--crate-type", "bin"])
            .args(self.flags.arguments())
            .args(["-O", "--emit=metadata", "--error-format=json", "bundle.rs"])
            .args(flags)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .map_err(missing)?;
        let mut entry = vec![u8::from(output.status.success())];
        entry.extend(output.stderr);
        Ok(entry)
    }
}

fn missing(source: std::io::Error) -> Error {
    Error::Missing { program: program(), hint: ", or set RUSTC to it", source }
}

/// What rustc says of the target that [`Checker`] compiles for.
pub fn target() -> BTreeSet<String> {
    let output = Command::new(program()).args(["-O", "--print", "cfg"]).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    text.unwrap_or_default().lines().map(str::to_owned).collect()
}
