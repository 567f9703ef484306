//! The compiler as an oracle: does a text compile, and what do its lints say?

use crate::cache::{Cache, Key};
use crate::error::Error;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
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

/// Compiles texts, each in a folder of its own; what it has seen before it knows by heart.
pub struct Checker {
    cache: Cache,
    version: String,
    /// How often rustc was called.
    runs: AtomicUsize,
}

impl Checker {
    /// Asks rustc for its version.
    pub fn new(cache: Cache) -> Result<Checker, Error> {
        let output = Command::new(program()).arg("-vV").stdin(Stdio::null()).output().map_err(missing)?;
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(Checker { cache, version, runs: AtomicUsize::new(0) })
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
        let mut parts = vec![self.version.as_bytes(), source.as_bytes()];
        parts.extend(flags.iter().map(|f| f.as_bytes()));
        let key = Key::of(&parts);
        // What the environment or a file has to say is not in the text.
        let whole = !source.contains("env!") && !source.contains("include");
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
            .args(["--edition", "2021", "--crate-name", "bundle", "--crate-type", "bin"])
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

/// Whether the user's own source compiles; rustc's words if not.
pub fn source_compiles(manifest: &Path, bin: &str, example: bool) -> Result<(), Error> {
    let program = crate::plan::cargo();
    let output = Command::new(&program)
        .args(["check", "--quiet", "--manifest-path"])
        .arg(manifest)
        .args([if example { "--example" } else { "--bin" }, bin])
        .stdin(Stdio::null())
        .output()
        .map_err(|source| Error::Missing { program, hint: ", or set CARGO to it", source })?;
    if output.status.success() {
        Ok(())
    } else {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(Error::Source(said.trim_end().to_owned()))
    }
}
