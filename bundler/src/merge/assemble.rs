//! Merges the binary and every library it reaches into one text.

use crate::api::error::Error;
use crate::merge::job::Job;
use crate::merge::macros::Macros;
use crate::merge::rewrite::rewrite_crate;
use crate::plan::{Dep, Plan, Unit};
use crate::read::crates::Source;
use crate::read::refusals;
use crate::syntax::scopes::Scopes;
use crate::syntax::text::{Origin, Text};
use crate::syntax::tokens::raw;
use cargo_metadata::Edition;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// All crates in one text, before removal.
#[derive(Debug)]
pub struct Merged {
    /// The text.
    pub text: Text,
    /// The module of each inlined library: its name and its index in [`Plan::libs`], dependencies first.
    pub modules: Vec<(String, usize)>,
    /// Constructs that one file cannot express, refused only if they are live: the place and the reason.
    pub refused: Vec<(Origin, String)>,
}

impl Merged {
    /// Rewrites the paths of the crates and joins them.
    ///
    /// # Errors
    /// If the joined text cannot be parsed.
    pub fn of(plan: &Plan, source: &Source) -> Result<Merged, Error> {
        let names = modules(plan, source);
        let known = known(source, &names);
        let mut exported: HashMap<String, Vec<String>> = HashMap::new();
        let mut libs = Text::default();
        let mut all = Vec::new();
        for (i, text) in &source.libs {
            let unit = &plan.libs[*i];
            let module = raw(&names[i]);
            let new = rewrite_crate(text, &job(unit, Some(&names[i]), source, &names, &exported, &known));
            libs.push_str(&format!("\npub mod {module} {{\n"));
            libs.push(&new.text);
            libs.push_str("}\n");
            exported.insert(format!("crate::{module}"), new.macros.clone());
            all.push(new);
        }
        let new = rewrite_crate(&source.bin, &job(&plan.bin, None, source, &names, &exported, &known));
        let bin_text = new.text.clone();
        all.push(new);
        let mut limits: BTreeMap<&str, u64> = BTreeMap::new();
        for (name, limit) in all.iter().flat_map(|r| &r.limits) {
            limits.entry(name).and_modify(|most| *most = (*most).max(*limit)).or_insert(*limit);
        }
        let limits = limits.iter().map(|(name, limit)| format!("#![{name} = \"{limit}\"]\n"));
        let mut text = Text::generated(limits.collect::<String>());
        text.push(&bin_text);
        let macro_crates: BTreeSet<&String> = all.iter().flat_map(|r| &r.macro_crates).collect();
        if all.iter().any(|r| r.alloc) && !macro_crates.iter().any(|name| *name == "alloc") {
            text.push_str("\nextern crate alloc;\n");
        }
        for name in macro_crates {
            text.push_str(&format!("\n#[macro_use]\nextern crate {name};\n"));
        }
        text.push(&libs);
        let text = crate::read::docs::remove(&text).map_err(|e| Error::Syntax {
            place: text.point(e.at, &source.files).unwrap_or_default(),
            why: e.why,
        })?;
        let refused = all.iter().flat_map(|r| r.refused.iter().cloned()).collect();
        let modules = source.libs.iter().map(|(i, _)| (names[i].clone(), *i)).collect();
        Ok(Merged { text, modules, refused })
    }
}

/// Collects the macros of all crates.
fn known(source: &Source, names: &HashMap<usize, String>) -> Macros {
    let mut known = Macros::default();
    let libs = source.libs.iter().map(|(i, text)| (text, names.get(i).map(String::as_str)));
    for (text, module) in libs.chain([(&source.bin, None)]) {
        known.read(&text.tokens(), module);
    }
    known.finish();
    known
}

/// The rewriting job for one crate.
fn job<'a>(
    unit: &Unit,
    module: Option<&'a str>,
    source: &Source,
    names: &HashMap<usize, String>,
    exported: &'a HashMap<String, Vec<String>>,
    known: &'a Macros,
) -> Job<'a> {
    let (mut deps, mut refused, mut procedural) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
    for (name, dep) in &unit.deps {
        match dep {
            Dep::Lib(i) => {
                if let Some(module) = names.get(i) {
                    deps.insert(name.clone(), format!("crate::{}", raw(module)));
                } else if let Some(why) = source.refused.get(i) {
                    refused.insert(name.clone(), why.clone());
                }
            }
            Dep::External(crate_name) => {
                deps.insert(name.clone(), format!("::{}", raw(crate_name)));
            }
            Dep::ProcMacro(package) => {
                refused.insert(name.clone(), refusals::proc_macro(&format!("of crate `{package}`")));
                procedural.insert(name.clone());
            }
        }
    }
    Job {
        module,
        own: module.map(|_| unit.name.clone()),
        foreign: unit.foreign,
        deps,
        refused,
        procedural,
        exported,
        known,
        from_root: unit.edition == Edition::E2015,
    }
}

/// A module name for each library: its own name unless the binary's root already uses it.
fn modules(plan: &Plan, source: &Source) -> HashMap<usize, String> {
    let bin = &source.bin;
    let mut taken: HashSet<String> = Scopes::read(&bin.file, bin.source().len()).root_names().clone();
    taken.extend(["std", "core", "alloc", "test", "proc_macro"].map(str::to_owned));
    taken.extend(plan.externals.keys().cloned());
    let mut sorted: Vec<usize> = source.libs.iter().map(|(i, _)| *i).collect();
    sorted.sort_by(|a, b| {
        let key = |i: usize| (&plan.libs[i].name, &plan.libs[i].version);
        key(*a).cmp(&key(*b))
    });
    let mut names = HashMap::new();
    for i in sorted {
        let base = &plan.libs[i].name;
        let mut name = base.clone();
        let mut n = 1;
        while taken.contains(&name) {
            n += 1;
            name = format!("{base}_{n}");
        }
        taken.insert(name.clone());
        names.insert(i, name);
    }
    names
}
