//! The user's own files that a bundle depends on.

use crate::merge::program::Program;
use crate::plan::Unit;
use crate::read::strip::argument;
use crate::syntax::text::shown;
use crate::syntax::tokens::Tokens;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The user's own files that contributed: source, embedded files, manifests and the lock file.
pub fn own_files(program: Program<'_>) -> Vec<PathBuf> {
    let plan = program.plan;
    let mut found: BTreeSet<PathBuf> = own(program).map(|unit| unit.folder.join("Cargo.toml")).collect();
    for folder in plan.bin.folder.ancestors() {
        let lock = folder.join("Cargo.lock");
        if lock.exists() {
            found.extend([lock, folder.join("Cargo.toml")]);
            break;
        }
    }
    found.extend(sources(program));
    found.into_iter().map(|p| std::path::absolute(&p).unwrap_or(p)).collect()
}

/// A note if a file outside of the workspace and of its packages contributed: a workspace of somebody else could put any
/// file of this machine into a bundle.
pub fn outside(program: Program<'_>) -> Option<String> {
    let real = |path: &Path| path.canonicalize().ok();
    let folders = own(program).map(|unit| unit.folder.as_path()).chain([program.plan.workspace.as_path()]);
    let mut inside: Vec<PathBuf> = folders.filter_map(real).collect();
    // The output of build scripts.
    inside.extend(program.plan.cache.parent().and_then(real));
    let is_outside = |path: &PathBuf| inside.iter().all(|folder| !path.starts_with(folder));
    let files: BTreeSet<PathBuf> =
        sources(program).iter().filter_map(|path| real(path)).filter(is_outside).collect();
    let first = files.first()?;
    let more = if files.len() > 1 { format!(" and {} more", files.len() - 1) } else { String::new() };
    Some(format!("the source includes files from outside the workspace: {}{more}", shown(first)))
}

/// The user's own crates that are part of the program.
fn own(program: Program<'_>) -> impl Iterator<Item = &Unit> {
    let plan = program.plan;
    std::iter::once(&plan.bin).chain(plan.libs.iter().filter(|lib| !lib.foreign))
}

/// Source files and the files that they include.
fn sources(program: Program<'_>) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for (id, path, text) in program.files.all() {
        let root = program.files.crate_root(id);
        if let Some(unit) = own(program).find(|unit| root == Some(unit.root.as_path())) {
            found.insert(path.to_path_buf());
            found.extend(included_files(path, text, unit));
        }
    }
    found
}

/// The files named in `include_str!`, `include_bytes!` and `include!`.
fn included_files(path: &Path, text: &str, unit: &Unit) -> Vec<PathBuf> {
    if !text.contains("include") {
        return Vec::new();
    }
    let Ok(tokens) = Tokens::read(text) else { return Vec::new() };
    let folder = path.parent().unwrap_or(Path::new(""));
    let takes = |i: &usize| {
        let is_named = matches!(tokens.ident(*i), Some("include_str" | "include_bytes" | "include"));
        is_named && tokens.is(i + 1, '!')
    };
    let all = (0..tokens.len()).filter(takes);
    all.filter_map(|i| argument(&tokens, i, unit)).map(|path| folder.join(path)).collect()
}
