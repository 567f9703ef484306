//! Bundles a single source text without files, cargo or compiler; used for fuzzing and tests.

use crate::api::error::Error;
use crate::api::options::Minify;
use crate::merge::assemble::Merged;
use crate::merge::job::Job;
use crate::merge::rewrite::rewrite_crate;
use crate::plan::cargo::Script;
use crate::plan::Unit;
use crate::prove::layout::lay_out;
use crate::prune::reach::{prune, Kills};
use crate::prune::{excluded, refuse};
use crate::read::{docs, load};
use crate::report::tree;
use crate::syntax::cfg::Cfgs;
use crate::syntax::depth;
use crate::syntax::parsed::Parsed;
use crate::syntax::text::{Files, Text};
use crate::syntax::visibility::{demote, promote};
use crate::{assets, minify};
use cargo_metadata::Edition;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// A folder that does not exist, so that a text cannot include files.
const NOWHERE: &str = "no such folder, and none within it";

/// Runs every stage that needs neither cargo nor rustc on a program in one text: removes what `main` does not reach and
/// lays out the rest.
///
/// # Errors
/// If it cannot be parsed, includes other files, or cannot be expressed in one file.
pub fn single(source: &str, edition: Edition) -> Result<String, Error> {
    depth::on_deep_stack(|| {
        let mut files = Files::default();
        let unit = unit(edition);
        let text = load::load_text(&unit, &mut files, source, Path::new(NOWHERE))?;
        let reached = reached(&text, edition, &files)?;
        let merged = Merged { text, modules: Vec::new(), refused: Vec::new() };
        let externals = &BTreeSet::new();
        refuse::check(
            &reached,
            &merged,
            &files,
            refuse::Rules { strict: false, externals, plan: None, platform: None },
        )?;
        let text = promote(&reached);
        excluded::Excluded::read(&text);
        assets::places::places_of(&text);
        let text = lay_out(&text);
        minify::shrunk(text.clone(), Minify::Names);
        tree::crates(&text, &files, "single", &[], &BTreeMap::new());
        Ok(text.as_str().to_owned())
    })
}

/// The part that `main` reaches, with the text as a binary; the text is also processed as a library.
fn reached(text: &Text, edition: Edition, files: &Files) -> Result<Text, Error> {
    let exported = HashMap::new();
    let known = crate::merge::macros::Macros::default();
    let job = |module: Option<&'static str>| Job {
        known: &known,
        refused: BTreeMap::new(),
        procedural: BTreeSet::new(),
        module,
        own: module.map(str::to_owned),
        foreign: false,
        deps: [("dep".to_owned(), "crate::dep".to_owned())].into(),
        exported: &exported,
        from_root: edition == Edition::E2015,
    };
    let syntax = |text: &Text, e: crate::syntax::tokens::Unreadable| Error::Syntax {
        place: text.point(e.at, files).unwrap_or_default(),
        why: e.why,
    };
    let read = Parsed::of(text.clone()).map_err(|e| syntax(text, e))?;
    rewrite_crate(&read, &job(Some("lib")));
    let text = rewrite_crate(&read, &job(None)).text;
    let text = docs::remove(&text).map_err(|e| syntax(&text, e))?;
    let whole = demote(&text);
    Ok(prune(&whole, &Kills::default()).unwrap_or(whole))
}

fn unit(edition: Edition) -> Unit {
    Unit {
        id: String::new(),
        package: "single".into(),
        version: "0.0.0".into(),
        license: String::new(),
        name: "single".into(),
        root: Path::new(NOWHERE).join("main.rs"),
        folder: NOWHERE.into(),
        edition,
        cfgs: Cfgs::default(),
        wanted: BTreeSet::new(),
        foreign: false,
        script: Script::None,
        deps: BTreeMap::new(),
        env: BTreeMap::new(),
        expander: None,
    }
}
