//! Builds the user's program with cargo for a comparison of its code with the bundle's.

use crate::api::error::Error;
use crate::os::children;
use crate::plan::cargo::run_by;
use crate::plan::Plan;
use crate::rustc::{self, NAMED, SILENT, UNOPTIMISED};
use crate::syntax::cfg::BUNDLED;
use cargo_metadata::{Artifact, Message};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the build, inside the cache folder.
const FOLDER: &str = "original";

/// The LLVM assembly of each crate of the program, compiled with the flags of the proof and `cfg(bundled)`.
///
/// # Errors
/// If it does not compile so, or if the user's flags keep cargo from passing ours.
pub fn code(plan: &Plan) -> Result<Vec<String>, Error> {
    let host = rustc::host();
    // Cargo takes the flags of the latter table, if the user has any there, and else those of the former.
    for table in ["build", &format!("target.{host}")] {
        let files = built(plan, &host, table)?;
        if !files.is_empty() {
            let read = |path: PathBuf| {
                let text = std::fs::read_to_string(&path);
                text.map_err(|source| Error::Read { path: plan.shown(&path), asked: String::new(), source })
            };
            return files.into_iter().map(read).collect();
        }
    }
    Err(Error::Source("cargo's configuration has flags for rustc to which none can be added".into()))
}

/// The files with the assembly of each crate, if cargo takes flags from this table of its configuration.
fn built(plan: &Plan, host: &str, table: &str) -> Result<Vec<PathBuf>, Error> {
    let mut flags = vec!["--cfg", BUNDLED, "-Cdebuginfo=0", "-Cpanic=unwind", "-Coverflow-checks=off", NAMED];
    flags.extend(UNOPTIMISED);
    flags.push(SILENT);
    flags.push("--emit=llvm-ir");
    let folder = plan.cache.join(FOLDER).display().to_string();
    // With a target, flags are not passed to build scripts and procedural macros.
    let mut rest = vec!["--target-dir", &folder, "--target", host];
    let configured = format!("{table}.rustflags={flags:?}");
    // A variable comes before all tables.
    let set = |variable: &&str| std::env::var_os(variable).is_some();
    let variable = ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"].into_iter().find(set);
    if variable.is_none() {
        rest.extend(["--config", &configured]);
    }
    let output = run_by(plan, &["build"], &rest, |command: &mut Command| {
        if let Some(variable) = variable {
            let between = if variable == "RUSTFLAGS" { " " } else { "\u{1f}" };
            let mut all = std::env::var_os(variable).unwrap_or_default();
            for flag in &flags {
                all.push(between);
                all.push(flag);
            }
            command.env(variable, all);
        }
        children::output(command.env("CARGO_INCREMENTAL", "0"))
    })?;
    let messages = Message::parse_stream(&output.stdout[..]).map_while(Result::ok);
    let files = messages.filter_map(|message| match message {
        Message::CompilerArtifact(artifact) => assembly(&artifact),
        _ => None,
    });
    Ok(files.collect())
}

/// The file with the assembly of a crate of the program; `None` for a crate that runs in the compiler.
fn assembly(artifact: &Artifact) -> Option<PathBuf> {
    if let Some(program) = &artifact.executable {
        return assembly_of_program(program.as_std_path());
    }
    let library = artifact.filenames.iter().find(|file| file.extension() == Some("rlib"))?;
    let name = library.file_stem()?.strip_prefix("lib")?;
    let path = library.with_file_name(format!("{name}.ll")).into_std_path_buf();
    path.exists().then_some(path)
}

/// The file with the assembly of a program. Cargo names it after a digest of its settings that it doesn't tell, and links the
/// program from a file of that name.
fn assembly_of_program(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let content = std::fs::read(program).ok()?;
    let name = program.file_stem()?.to_string_lossy().replace('-', "_");
    let is_it = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_named = stem == name || stem.rsplit_once('-').is_some_and(|(stem, _)| stem == name);
        let linked = path.with_extension(program.extension().unwrap_or_default());
        path.extension() == Some(OsStr::new("ll"))
            && is_named
            && std::fs::read(linked).is_ok_and(|linked| linked == content)
    };
    let folders = [folder.join("deps"), folder.to_path_buf()];
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    files.filter_map(|entry| Some(entry.ok()?.path())).find(is_it)
}
