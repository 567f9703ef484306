//! The last step: header, sizes, limit.

use crate::assemble::Assembled;
use crate::cache::Cache;
use crate::error::Error;
use crate::header::{header, stamp};
use crate::map::Map;
use crate::options::Options;
use crate::plan::Plan;
use crate::progress::Progress;
use crate::report::{self, Size, Step, Target};
use crate::text::{Files, Text};
use crate::tree::{crates, Library};
use crate::{Asset, Bundle, Ladder, Proofs};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What the stages before have found out.
pub struct Findings<'f> {
    /// What was asked for.
    pub options: &'f Options,
    /// What cargo said.
    pub plan: &'f Plan,
    /// The crates.
    pub assembled: &'f Assembled,
    /// Their files.
    pub files: &'f Files,
    /// The forms that the program went through.
    pub ladder: &'f Ladder,
    /// The files in it.
    pub assets: Vec<Asset>,
    /// What was proved.
    pub proofs: Proofs,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Makes the bundle of the program's last form.
pub fn finished(findings: Findings<'_>, body: &Text, progress: &Progress) -> Result<Bundle, Error> {
    let Findings { options, plan, assembled, files, ladder, assets, proofs, notes } = findings;
    let stamp = options.stamp.then(|| stamp(&plan.bin.folder));
    let mut text = Text::made(header(plan, &left(plan, assembled, files, body), stamp.as_deref()));
    text.push(body);
    let libraries: Vec<Library> = assembled
        .modules
        .iter()
        .map(|(module, i)| {
            let unit = &plan.libs[*i];
            Library { module: module.clone(), shown: format!("{module} ({} {})", unit.package, unit.version) }
        })
        .collect();
    let steps = ladder.forms.iter().map(|f| Step { stage: f.stage, bytes: f.text.as_str().len() }).collect();
    let map = Map::of(&plan.target, &text, files, |p| plan.shown(p), BTreeMap::new());
    if options.cache {
        map.remember(&Cache::at(&plan.cache));
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
        crates: crates(&text, files, &plan.target, &libraries),
        assets,
        proofs,
        steps,
        times: progress.times(),
        notes,
        text: text.as_str().to_owned(),
    };
    if bundle.limit.unit.size(&bundle.text) > bundle.limit.size {
        return Err(Error::OverLimit { message: report::over(&bundle), bundle: Box::new(bundle) });
    }
    Ok(bundle)
}

/// The libraries of which something is left.
fn left(plan: &Plan, assembled: &Assembled, files: &Files, body: &Text) -> Vec<usize> {
    let roots: BTreeSet<&Path> = body.files().into_iter().filter_map(|f| files.crate_root(f)).collect();
    let all = assembled.modules.iter().map(|(_, i)| *i);
    all.filter(|&i| roots.contains(plan.libs[i].root.as_path())).collect()
}
