//! Runs rustc on a text: does it compile, and what do its lints report?

mod answers;
pub mod cache;
pub mod compilers;
pub mod debug_lines;
pub mod diagnostic;
pub mod ir;
pub mod modules;
pub mod normal;
pub mod pairs;
pub mod places;
pub mod session;
pub mod shape;
pub mod stage_cache;
#[cfg(test)]
mod tests;

use crate::api::error::Error;
use crate::os::children;
use crate::rustc::answers::answer;
use crate::rustc::cache::{Cache, Key, Workplace};
use crate::rustc::normal::Normal;
use crate::rustc::shape::Shape;
use cargo_metadata::Edition;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

pub use answers::{host, missing, program, target, version};
pub use diagnostic::{Diagnostic, Span};

/// The file name under which a text is compiled for comparison; unlikely to occur in any program.
pub const PROVED: &str = "the-bundle-under-proof.rs";

/// The file name under which a text is checked.
const CHECKED: &str = "bundle.rs";

/// The kinds of the cache entries of [`Checker::check`] and [`Checker::code`].
const CHECK: &str = "check";
const CODE: &str = "code";
/// The form of [`Normal`] that is in the cache.
const NORMAL_FORM: &str = "normal form 4";

/// As cargo does for registry crates: denied lints are only warnings.
const WARN: &str = "--cap-lints=warn";

/// The environment variable with a folder for the compared code, for people who want to see a difference.
pub const WRITTEN: &str = "BUNDLER_PROOF";

/// rustc's flags for code that is compared.
pub const UNOPTIMISED: &[&str] = &[
    "-Copt-level=0",
    // Otherwise `inline(always)` is already applied, which depends on the order of functions.
    "-Cno-prepopulate-passes",
    "-Cdebug-assertions=off",
    "-Ccodegen-units=1",
];

/// For calls whose messages are not read.
pub const SILENT: &str = "--cap-lints=allow";

/// rustc's flag for symbols that name the crate in which generic code was instantiated.
pub const NAMED: &str = "-Csymbol-mangling-version=v0";

/// Number of bundles that keep incremental results when they are made at the same time.
const AT_ONCE: usize = 2;

/// The result of compiling.
#[derive(Debug)]
pub struct Outcome {
    /// Whether it compiled.
    pub ok: bool,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// rustc's flags for a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    /// The edition.
    pub edition: Edition,
    /// Crates that are not inlined: the names that the text uses, and their compiled libraries.
    pub externs: Vec<(String, PathBuf)>,
    /// Folders with the dependencies of those libraries.
    pub search: Vec<PathBuf>,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags { edition: Edition::E2021, externs: Vec::new(), search: Vec::new() }
    }
}

impl Flags {
    /// The flags as arguments of rustc.
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

/// Compiles texts, each in a temporary folder, and caches the results.
pub struct Checker {
    program: PathBuf,
    cache: Cache,
    version: String,
    /// The flags for every call.
    pub flags: Flags,
    /// The number of calls of rustc.
    runs: AtomicUsize,
}

/// The contents of the files that a text includes when it is compiled; `None` if they cannot all be determined.
fn included_files(source: &str) -> Option<Vec<Vec<u8>>> {
    const WORD: &str = "include";
    let within = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in source.match_indices(WORD) {
        let rest = &source[at + WORD.len()..];
        let word = rest.find(|c| !within(c)).map_or(rest, |end| &rest[..end]);
        if source[..at].ends_with(within) || !["", "_str", "_bytes"].contains(&word) {
            continue;
        }
        // The form that `crate::read::strip` writes; any other form is compiled each time.
        let path = rest.strip_prefix("_bytes!(")?;
        let literal = syn::parse_str::<syn::LitStr>(&path[..=path.find("\")")?]).ok()?;
        let path = PathBuf::from(literal.value());
        found.push(path.is_absolute().then(|| crate::os::files::content(&path).ok())??);
    }
    Some(found)
}

impl Checker {
    /// The user's own compiler; asks it for its version.
    pub fn new(cache: Cache, flags: Flags) -> Result<Checker, Error> {
        Checker::of(PathBuf::from(program()), ", or set RUSTC to it", cache, flags)
    }

    /// Another compiler.
    pub fn other(program: &Path, cache: Cache, flags: Flags) -> Result<Checker, Error> {
        // rustc runs in another folder, so a path is made absolute; a bare name is looked up on the PATH.
        let named = program.parent().is_some_and(|p| !p.as_os_str().is_empty());
        let program = if named { std::path::absolute(program).ok() } else { None }.unwrap_or(program.into());
        Checker::of(program, ", or give --check-with another path", cache, flags)
    }

    fn of(program: PathBuf, hint: &'static str, cache: Cache, flags: Flags) -> Result<Checker, Error> {
        let missing = |source| Error::Missing { program: program.display().to_string(), hint, source };
        let version = answer(&program, &["-vV"]).map_err(missing)?;
        if !version.starts_with("rustc ") {
            return Err(missing(std::io::Error::other("its output for `-vV` is not rustc's")));
        }
        Ok(Checker { program, cache, version, flags, runs: AtomicUsize::new(0) })
    }

    /// The compiler's name and version, such as `rustc 1.85.0`.
    pub fn name(&self) -> String {
        self.version.split(' ').take(2).collect::<Vec<_>>().join(" ").trim().to_owned()
    }

    /// The cache of its results.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The number of calls of rustc, without cache hits.
    pub fn runs(&self) -> usize {
        self.runs.load(Ordering::Relaxed)
    }

    /// Compiles a text as a binary, without generating code.
    pub fn check(&self, source: &str) -> Result<Outcome, Error> {
        self.check_with(source, &[])
    }

    /// As [`Checker::check`], for a text whose [`Checker::code`] is asked for next: one call of rustc finds both, if there is a
    /// cache to keep the code.
    pub fn check_and_code(&self, source: &str) -> Result<Outcome, Error> {
        let is_wanted = || {
            let written = std::env::var_os(WRITTEN).is_some_and(|f| !f.is_empty());
            let known = self.is_known(CHECK, source, &[WARN]) || self.is_known(CODE, source, &[NORMAL_FORM]);
            self.cache.is_on() && !written && !known && !places::has_places(source)
        };
        if let Some(key) = self.key(source, &[NORMAL_FORM]).filter(|_| is_wanted()) {
            let folder = folder()?;
            let arguments = [UNOPTIMISED, &["--emit=llvm-ir=code.ll", WARN, "--error-format=json"]].concat();
            let output = self.run(folder.path(), PROVED, source, &arguments)?;
            // A text that does not compile is checked by itself: code may be rejected that is only generated.
            if output.status.success() {
                let llvm = std::fs::read_to_string(folder.path().join("code.ll")).unwrap_or_default();
                let normal = serde_json::to_vec(&Normal::of(&llvm, PROVED)).unwrap_or_default();
                self.cache.put(CODE, &key, &normal);
                let said = String::from_utf8_lossy(&output.stderr).replace(PROVED, CHECKED);
                self.known(CHECK, source, &[WARN], || Ok([&[1], said.as_bytes()].concat()))?;
            }
        }
        self.check(source)
    }

    /// Checks with more flags.
    pub fn check_with(&self, source: &str, flags: &[&str]) -> Result<Outcome, Error> {
        let flags = &[&[WARN], flags].concat();
        let entry = self.known(CHECK, source, flags, || self.compiled(source, flags))?;
        let (status, said) = entry.split_first().unwrap_or((&0, &[]));
        let text = String::from_utf8_lossy(said);
        let diagnostics = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(Outcome { ok: *status == 1, diagnostics })
    }

    /// The lines of the functions that the program contains; `None` if it does not compile.
    pub fn instantiated(&self, source: &str) -> Result<Option<Vec<usize>>, Error> {
        let entry = self.known("lines", source, &["lines 2"], || {
            // Debug assertions may add functions, and may remove some.
            let lines = if source.contains("debug_assertions") {
                let (with, without) = both(|| self.lines(source, "on"), || self.lines(source, "off"));
                with?.zip(without?).map(|(a, b)| [a, b].concat())
            } else {
                self.lines(source, "on")?
            };
            Ok(serde_json::to_vec(&lines).unwrap_or_default())
        })?;
        Ok(serde_json::from_slice(&entry).unwrap_or_default())
    }

    /// Compiles with or without debug assertions.
    fn lines(&self, source: &str, assertions: &str) -> Result<Option<Vec<usize>>, Error> {
        let folder = folder()?;
        let assertions = format!("-Cdebug-assertions={assertions}");
        let arguments = [
            "-Copt-level=0",
            // Otherwise an `inline(always)` function that is folded to a constant at every call leaves no trace.
            "-Cno-prepopulate-passes",
            "-Ccodegen-units=1",
            "-Cdebuginfo=line-tables-only",
            &assertions,
            "--cap-lints=allow",
            "--emit=llvm-ir=lines.ll",
        ];
        let output = self.run(folder.path(), "bundle.rs", source, &arguments)?;
        let llvm = std::fs::read_to_string(folder.path().join("lines.ll")).ok();
        Ok(llvm.filter(|_| output.status.success()).map(|llvm| debug_lines::lines(&llvm)))
    }

    /// The normal form of a text's code; `None` if it does not compile or if the code cannot be parsed.
    pub fn code(&self, source: &str) -> Result<Option<Normal>, Error> {
        if let Some(folder) = std::env::var_os(WRITTEN).filter(|f| !f.is_empty()) {
            self.write_code(source, Path::new(&folder))?;
        }
        let entry = self.known(CODE, source, &[NORMAL_FORM], || {
            let normal = self.normal(source)?;
            Ok(serde_json::to_vec(&normal).unwrap_or_default())
        })?;
        Ok(serde_json::from_slice(&entry).unwrap_or_default())
    }

    /// Compiles as [`Checker::code`] does, incrementally: rustc's state of an earlier text lies in a folder of the cache, and
    /// only the modules that have changed are compiled. Programs that share libraries share the folder.
    pub fn code_again(&self, source: &str) -> Result<Option<Normal>, Error> {
        if std::env::var_os(WRITTEN).is_some_and(|f| !f.is_empty()) {
            return self.code(source);
        }
        let entry = self.known(CODE, source, &[NORMAL_FORM], || {
            let code = match self.workplace() {
                Some(place) => {
                    let again = |source: &str| {
                        let root = modules::written(source, PROVED, place.path())?;
                        self.llvm_in(place.path(), &root, &self.flags, &["-Cincremental=known"])
                    };
                    places::placeless(source, again)?
                }
                None => places::placeless(source, |source| self.llvm(source))?,
            };
            Ok(serde_json::to_vec(&code.and_then(|code| Normal::of(&code, PROVED))).unwrap_or_default())
        })?;
        Ok(serde_json::from_slice(&entry).unwrap_or_default())
    }

    /// A folder for programs that are compiled with these flags.
    fn workplace(&self) -> Option<Workplace> {
        let flags = self.flags.arguments();
        let flags: Vec<&[u8]> = flags.iter().map(|a| a.as_encoded_bytes()).collect();
        let name = Key::of(&flags);
        (0..AT_ONCE).find_map(|n| self.cache.workplace(&format!("{name}-{n}")))
    }

    /// The shape of a text's code in an edition; `None` if it does not compile or if this compiler writes no such code.
    pub fn shape(&self, source: &str, edition: Edition) -> Result<Option<Shape>, Error> {
        let flags = Flags { edition, ..self.flags.clone() };
        let entry = self.known("shape", source, &["shape 2", edition.as_str()], || {
            let llvm = self.llvm_in(folder()?.path(), source, &flags, &[])?;
            let shape = llvm.filter(|llvm| !llvm.is_empty()).map(|llvm| Shape::of(&llvm));
            Ok(serde_json::to_vec(&shape).unwrap_or_default())
        })?;
        Ok(serde_json::from_slice(&entry).unwrap_or_default())
    }

    /// Returns a cached result or computes it; it must depend only on this compiler, the text and the flags.
    pub fn known(
        &self,
        kind: &str,
        source: &str,
        flags: &[&str],
        make: impl FnOnce() -> Result<Vec<u8>, Error>,
    ) -> Result<Vec<u8>, Error> {
        let key = self.key(source, flags);
        if let Some(entry) = key.as_ref().and_then(|key| self.cache.get(kind, key)) {
            return Ok(entry);
        }
        let entry = make()?;
        if let Some(key) = key {
            self.cache.put(kind, &key, &entry);
        }
        Ok(entry)
    }

    /// Whether [`Checker::known`] has a result.
    pub fn is_known(&self, kind: &str, source: &str, flags: &[&str]) -> bool {
        self.key(source, flags).is_some_and(|key| self.cache.get(kind, &key).is_some())
    }

    /// Identifies the result for a text; `None` if it depends on more than this compiler, the text and the flags.
    fn key(&self, source: &str, flags: &[&str]) -> Option<Key> {
        // Values from the environment and from other crates are not part of the key.
        if !self.flags.externs.is_empty() || source.contains("env!") {
            return None;
        }
        let included_files = included_files(source)?;
        let arguments = self.flags.arguments();
        let mut parts = vec![self.version.as_bytes(), source.as_bytes()];
        parts.extend(arguments.iter().map(|a| a.as_encoded_bytes()));
        parts.extend(flags.iter().map(|f| f.as_bytes()));
        parts.extend(included_files.iter().map(Vec::as_slice));
        Some(Key::of(&parts))
    }

    /// A byte that is 1 if it compiles and else 0, followed by rustc's output.
    fn compiled(&self, source: &str, flags: &[&str]) -> Result<Vec<u8>, Error> {
        let folder = folder()?;
        let arguments = ["-O", "--emit=metadata", "--error-format=json"];
        let output = self.run(folder.path(), CHECKED, source, &[&arguments, flags].concat())?;
        let mut entry = vec![u8::from(output.status.success())];
        entry.extend(output.stderr);
        Ok(entry)
    }

    /// The code before optimisation, with the same cfgs as [`Checker::check`]. Optimised code follows from it,
    /// attributes such as `inline` included.
    fn normal(&self, source: &str) -> Result<Option<Normal>, Error> {
        let code = places::placeless(source, |source| self.llvm(source))?;
        Ok(code.and_then(|code| Normal::of(&code, PROVED)))
    }

    /// Writes a text and its normal form into a folder: 1.rs and 1.code, and so on.
    fn write_code(&self, source: &str, folder: &Path) -> Result<(), Error> {
        let code = places::placeless(source, |source| self.llvm(source))?;
        let written = code.and_then(|code| Normal::written(&code, PROVED)).unwrap_or_default();
        let free = |n: &usize| !folder.join(format!("{n}.rs")).exists();
        let n = (1..).find(free).unwrap_or_default();
        for (kind, content) in [("rs", source), ("code", &written)] {
            let path = folder.join(format!("{n}.{kind}"));
            std::fs::write(&path, content).map_err(|e| Error::Write { path, source: e })?;
        }
        Ok(())
    }

    /// The code that rustc hands to LLVM; `None` if the text does not compile.
    fn llvm(&self, source: &str) -> Result<Option<String>, Error> {
        self.llvm_in(folder()?.path(), source, &self.flags, &[])
    }

    /// The code that rustc hands to LLVM, with symbols that name the crate in which generic code was instantiated.
    pub fn named_code(&self, source: &str) -> Result<Option<String>, Error> {
        self.llvm_in(folder()?.path(), source, &self.flags, &[NAMED])
    }

    /// A text's LLVM assembly, compiled in a folder with these flags and more.
    fn llvm_in(
        &self,
        folder: &Path,
        source: &str,
        flags: &Flags,
        more: &[&str],
    ) -> Result<Option<String>, Error> {
        let arguments = [UNOPTIMISED, &["--emit=llvm-ir=code.ll", SILENT]].concat();
        let output = self.run_with(folder, PROVED, source, flags, &[&arguments[..], more].concat())?;
        if !output.status.success() {
            return Ok(None);
        }
        // A compiler with another backend writes no such file.
        Ok(Some(std::fs::read_to_string(folder.join("code.ll")).unwrap_or_default()))
    }

    /// Compiles a text as a site does and returns the program's path in `folder`.
    pub fn program(&self, source: &str, folder: &Path) -> Result<PathBuf, Error> {
        let name = format!("bundle{}", std::env::consts::EXE_SUFFIX);
        let output = self.run(folder, "bundle.rs", source, &["-O", "-o", &name])?;
        if output.status.success() {
            Ok(folder.join(name))
        } else {
            Err(Error::Bundle(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()))
        }
    }

    /// Runs rustc on a text in a folder.
    fn run(&self, folder: &Path, name: &str, source: &str, arguments: &[&str]) -> Result<Output, Error> {
        self.run_with(folder, name, source, &self.flags, arguments)
    }

    /// Runs rustc on a source in a folder with these flags.
    fn run_with(
        &self,
        folder: &Path,
        name: &str,
        source: &str,
        flags: &Flags,
        arguments: &[&str],
    ) -> Result<Output, Error> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let file = folder.join(name);
        std::fs::write(&file, source).map_err(|e| Error::Write { path: file.clone(), source: e })?;
        let mut command = Command::new(&self.program);
        command
            .args(["--crate-name", "bundle", "--crate-type", "bin", name])
            .args(flags.arguments())
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null());
        children::output(&mut command).map_err(|source| Error::Missing {
            program: self.program.display().to_string(),
            hint: "",
            source,
        })
    }
}

/// The results of two functions, which run at the same time.
pub fn both<A: Send, B>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other)
    })
}

/// A temporary folder.
pub fn folder() -> Result<tempfile::TempDir, Error> {
    tempfile::Builder::new()
        .prefix("bundler-")
        .tempdir()
        .map_err(|source| Error::Write { path: std::env::temp_dir(), source })
}
