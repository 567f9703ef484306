//! Assembles the finished bundle: header, sizes, map and limit.

use crate::api::bundle::{Asset, Bundle, Minified, Proofs};
use crate::api::bundle::{Size, Step, Target};
use crate::api::error::Error;
use crate::api::map::Map;
use crate::api::options::Options;
use crate::merge::assemble::Assembled;
use crate::merge::ladder::Ladder;
use crate::os::progress::Progress;
use crate::plan::Plan;
use crate::report;
use crate::report::header::{header, stamp};
use crate::report::maps::remember;
use crate::report::removed::list_removed;
use crate::report::tree::{crates, Library};
use crate::rustc::cache::Cache;
use crate::syntax::text::{Files, Text};
use crate::syntax::tokens::Tokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The results of the earlier stages.
pub struct Findings<'f> {
    /// The user's options.
    pub options: &'f Options,
    /// The plan.
    pub plan: &'f Plan,
    /// The crates.
    pub assembled: &'f Assembled,
    /// The source files.
    pub files: &'f Files,
    /// The forms of the program.
    pub ladder: &'f Ladder,
    /// New names and the original ones.
    pub renamed: BTreeMap<String, String>,
    /// The level of minification.
    pub minified: Minified,
    /// The embedded files.
    pub assets: Vec<Asset>,
    /// The proofs.
    pub proofs: Proofs,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// Makes the bundle from the last form of the program.
pub fn finish(findings: Findings<'_>, body: &Text, progress: &Progress) -> Result<Bundle, Error> {
    let Findings { options, plan, assembled, files, ladder, renamed, minified, assets, proofs, notes } =
        findings;
    let text = whole(options, plan, assembled, files, body);
    let libraries: Vec<Library> = assembled
        .modules
        .iter()
        .map(|(module, i)| {
            let unit = &plan.libs[*i];
            Library { module: module.clone(), shown: format!("{module} ({} {})", unit.package, unit.version) }
        })
        .collect();
    let steps = ladder.forms.iter().map(|f| Step { stage: f.stage, bytes: f.text.as_str().len() }).collect();
    let crates = crates(&text, files, &plan.target, &libraries, &renamed);
    let map = Map::of(&plan.target, &text, files, |p| plan.shown(p), renamed);
    if options.cache {
        remember(&map, &Cache::at(&plan.cache));
    }
    let bundle = Bundle {
        map,
        target: Target {
            kind: if plan.example { "example" } else { "binary" },
            name: plan.target.clone(),
            package: plan.bin.package.clone(),
            version: plan.bin.version.clone(),
        },
        edition: plan.flags.edition,
        size: Size::of(text.as_str()),
        limit: options.limit,
        minified,
        removed: list_removed(ladder, &crates, files, &plan.target, &libraries),
        crates,
        assets,
        proofs,
        steps,
        files: own_files(plan, files),
        times: progress.times(),
        notes,
        text: text.as_str().to_owned(),
    };
    if bundle.limit.unit.size(&bundle.text) > bundle.limit.size {
        return Err(Error::OverLimit {
            message: report::over(&bundle, options.check),
            bundle: Box::new(bundle),
        });
    }
    Ok(bundle)
}

/// The whole text of a bundle: the header and a form of the program.
pub fn whole(options: &Options, plan: &Plan, assembled: &Assembled, files: &Files, body: &Text) -> Text {
    let stamp = options.stamp.then(|| stamp(&plan.bin.folder));
    let libraries = remaining_libraries(plan, assembled, files, body);
    let mut text = Text::generated(header(plan, &libraries, stamp.as_deref()));
    text.push(body);
    text
}

/// The user's own files that contributed: source, embedded files, manifests and the lock file.
fn own_files(plan: &Plan, files: &Files) -> Vec<PathBuf> {
    let own = || std::iter::once(&plan.bin).chain(plan.libs.iter().filter(|l| !l.foreign));
    let roots: BTreeSet<&Path> = own().map(|u| u.root.as_path()).collect();
    let mut found: BTreeSet<PathBuf> = own().map(|u| u.folder.join("Cargo.toml")).collect();
    for folder in plan.bin.folder.ancestors() {
        let lock = folder.join("Cargo.lock");
        if lock.exists() {
            found.extend([lock, folder.join("Cargo.toml")]);
            break;
        }
    }
    for (id, path, text) in files.all() {
        if files.crate_root(id).is_some_and(|r| roots.contains(r)) {
            found.insert(path.to_path_buf());
            found.extend(included_files(path, text));
        }
    }
    found.into_iter().map(|p| std::path::absolute(&p).unwrap_or(p)).collect()
}

/// The files named in `include_str!`, `include_bytes!` and `include!`.
fn included_files(path: &Path, text: &str) -> Vec<PathBuf> {
    if !text.contains("include") {
        return Vec::new();
    }
    let Ok(tokens) = Tokens::read(text) else { return Vec::new() };
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for i in 0..tokens.len() {
        let takes = matches!(tokens.ident(i), Some("include_str" | "include_bytes" | "include"));
        if takes && tokens.is(i + 1, '!') {
            let literal = syn::parse_str::<syn::LitStr>(tokens.text(i + 3));
            found.extend(literal.map(|l| folder.join(l.value())));
        }
    }
    found
}

/// The libraries of which some code is left.
fn remaining_libraries(plan: &Plan, assembled: &Assembled, files: &Files, body: &Text) -> Vec<usize> {
    let roots: BTreeSet<&Path> = body.files().into_iter().filter_map(|f| files.crate_root(f)).collect();
    let all = assembled.modules.iter().map(|(_, i)| *i);
    all.filter(|&i| roots.contains(plan.libs[i].root.as_path())).collect()
}
