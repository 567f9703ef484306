//! The result of an earlier run, if nothing that it depends on has changed.

use crate::api::bundle::Bundle;
use crate::api::map::Map;
use crate::api::options::Options;
use crate::api::platform;
use crate::plan::cargo::Script;
use crate::plan::Plan;
use crate::prove::replay::Logs;
use crate::rustc::cache::{Cache, Key};
use crate::rustc::session::Session;
use crate::rustc::stage_cache::program_identity;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The kind of its cache entries.
const KIND: &str = "bundle";

/// A bundle and what it was made of.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// The user's own files with their digests. Files of the registry never change.
    files: Vec<(PathBuf, String)>,
    bundle: Bundle,
    text: String,
    map: Map,
}

/// The place of a result in the cache.
pub struct Known<'a> {
    cache: Cache,
    key: Key,
    options: &'a Options,
    /// The folder of the cache.
    folder: PathBuf,
}

impl<'a> Known<'a> {
    /// `None` if the result depends on more than the user's own files, the options and the tools: on build scripts,
    /// the time, other compilers, compiled crates or recorded input.
    pub fn new(session: &Session<'a>, plan: &Plan) -> Option<Known<'a>> {
        let options = session.options;
        let own = || std::iter::once(&plan.bin).chain(&plan.libs).filter(|unit| !unit.foreign);
        let logs = Logs::of(options, plan);
        let is_pure = options.cache
            && options.check
            && !options.stamp
            && !logs.as_ref().is_some_and(Logs::are_asked_for)
            && options.check_with.is_empty()
            && plan.externals.is_empty()
            && own().all(|unit| unit.script == Script::None);
        let options_said = format!("{:?}", Options { progress: false, ..options.clone() });
        let plan_said = plan.identity.as_ref().map_or_else(|| format!("{plan:?}"), Key::to_string);
        let parts = [
            program_identity(),
            crate::rustc::version(),
            options_said,
            plan_said,
            logs.map_or_else(String::new, |logs| logs.key().to_string()),
        ];
        let parts: Vec<&[u8]> = parts.iter().map(String::as_bytes).collect();
        let cache = session.cache.clone();
        is_pure.then(|| Known { cache, key: Key::of(&parts), options, folder: plan.cache.clone() })
    }

    /// The bundle, if its files are still the same.
    pub fn get(&self) -> Option<Bundle> {
        let entry: Entry = serde_json::from_slice(&self.cache.get(KIND, &self.key)?).ok()?;
        let is_same = |(path, digest): &(PathBuf, String)| digest_of(path).as_ref() == Some(digest);
        if !entry.files.iter().all(is_same) || entry.files.iter().any(|(path, _)| rival(path).exists()) {
            return None;
        }
        let mut notes = platform::notes(self.options, &self.folder);
        notes.extend(entry.bundle.notes);
        Some(Bundle { text: entry.text, map: entry.map, notes, ..entry.bundle })
    }

    /// Keeps a bundle for the next run.
    pub fn put(&self, bundle: &Bundle) {
        let Some(files) = bundle.files.iter().map(|path| Some((path.clone(), digest_of(path)?))).collect()
        else {
            return;
        };
        let mut kept = bundle.clone();
        kept.notes.retain(|note| !platform::is_note(note));
        let entry = Entry { files, bundle: kept, text: bundle.text.clone(), map: bundle.map.clone() };
        if let Ok(json) = serde_json::to_vec(&entry) {
            self.cache.put(KIND, &self.key, &json);
        }
    }
}

/// The other file that can be the module of a file: with both, the source doesn't compile.
fn rival(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if file.file_name().is_some_and(|name| name == "mod.rs") => folder.with_extension("rs"),
        _ => file.with_extension("").join("mod.rs"),
    }
}

/// The digest of a file; `None` if it can't be read, or if it reads variables that cargo doesn't set.
fn digest_of(path: &Path) -> Option<String> {
    let bytes = crate::os::files::content(path).ok()?;
    (!reads_variables(&String::from_utf8_lossy(&bytes))).then(|| Key::of(&[&bytes]).to_string())
}

/// Whether the code of a source may read variables of the environment that are not in the plan, or files in a folder
/// that such a variable names.
fn reads_variables(source: &str) -> bool {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut calls =
        code.flat_map(|line| line.match_indices("env!").map(|(at, word)| &line[at + word.len()..]));
    calls.any(|rest| !rest.starts_with("(\"CARGO_PKG_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_others_are_noticed() {
        assert!(!reads_variables("a(env!(\"CARGO_PKG_NAME\")) // environment"));
        assert!(reads_variables("env!(\"CARGO_PKG_NAME\"); option_env!(\"SEED\")"));
        assert!(reads_variables("env! { \"X\" }"));
        assert!(reads_variables("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/x\"))"));
        assert!(!reads_variables("    /// include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/x\"))"));
    }
}
