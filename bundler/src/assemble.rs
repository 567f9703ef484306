//! The binary and every library it reaches, as one text.

use crate::error::Error;
use crate::load::{load, parse};
use crate::plan::{Dep, Plan, Unit};
use crate::refuse;
use crate::rewrite::{rewritten, Job};
use crate::scopes::Scopes;
use crate::text::{Files, Text};
use crate::tokens::Tokens;
use cargo_metadata::Edition;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Everything in one text, nothing removed yet.
#[derive(Debug)]
pub struct Assembled {
    /// The text.
    pub text: Text,
    /// The module of each library that is in it: name and index in [`Plan::libs`].
    pub modules: Vec<(String, usize)>,
    /// Why crates cannot be in a bundle, by the names that source uses for them.
    pub refused: BTreeMap<String, String>,
}

/// Loads, rewrites and joins.
pub fn assemble(plan: &Plan, files: &mut Files) -> Result<Assembled, Error> {
    let bin = load(&plan.bin, files)?;
    if let Some(why) = refuse::build_script(&plan.bin) {
        let place = crate::text::shown(&plan.bin.folder.join("Cargo.toml"));
        return Err(Error::Refused { place, why });
    }
    let mut reached = Reached::default();
    reached.from(plan, &plan.bin, &bin, files)?;
    let names = modules(plan, &bin, &reached.order, files)?;
    let mut exported: HashMap<String, Vec<String>> = HashMap::new();
    let mut libs = Text::default();
    let mut alloc = false;
    let mut refused = std::mem::take(&mut reached.refused);
    for &i in &reached.order {
        let Some(text) = &reached.texts[&i] else { continue };
        let job = Job {
            module: Some(&names[&i]),
            deps: deps(&plan.libs[i], &names, &mut refused),
            exported: &exported,
            from_root: plan.libs[i].edition == Edition::E2015,
        };
        let new = rewritten(text, &job, files)?;
        alloc |= new.alloc;
        libs.push_str(&format!("\npub mod {} {{\n", names[&i]));
        libs.push(&new.text);
        libs.push_str("}\n");
        exported.insert(names[&i].clone(), new.macros);
    }
    let job = Job {
        module: None,
        deps: deps(&plan.bin, &names, &mut refused),
        exported: &exported,
        from_root: plan.bin.edition == Edition::E2015,
    };
    let new = rewritten(&bin, &job, files)?;
    let mut text = new.text;
    if alloc || new.alloc {
        text.push_str("\nextern crate alloc;\n");
    }
    text.push(&libs);
    let text = crate::docs::removed(&text)
        .map_err(|e| Error::Syntax { place: text.place(e.at, files).unwrap_or_default(), why: e.why })?;
    Ok(Assembled { text, modules: reached.order.iter().map(|i| (names[i].clone(), *i)).collect(), refused })
}

fn deps(
    unit: &Unit,
    names: &HashMap<usize, String>,
    refused: &mut BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    for (name, dep) in &unit.deps {
        match dep {
            Dep::Lib(i) => {
                if let Some(module) = names.get(i) {
                    out.insert(name.clone(), module.clone());
                }
            }
            Dep::ProcMacro(package) => {
                refused.insert(name.clone(), refuse::proc_macro(&format!("of crate `{package}`")));
            }
        }
    }
    out
}

/// The libraries that are named by source that is itself reached, dependencies first.
#[derive(Default)]
struct Reached {
    order: Vec<usize>,
    texts: HashMap<usize, Option<Text>>,
    refused: BTreeMap<String, String>,
}

impl Reached {
    fn from(&mut self, plan: &Plan, unit: &Unit, text: &Text, files: &mut Files) -> Result<(), Error> {
        let tokens = Tokens::read(text.as_str())
            .map_err(|e| Error::Syntax { place: text.place(e.at, files).unwrap_or_default(), why: e.why })?;
        let mentioned: HashSet<&str> = (0..tokens.len()).filter_map(|i| tokens.ident(i)).collect();
        for (name, dep) in &unit.deps {
            let Dep::Lib(i) = dep else { continue };
            if !mentioned.contains(name.as_str()) || self.texts.contains_key(i) {
                continue;
            }
            self.texts.insert(*i, None);
            let lib = &plan.libs[*i];
            // What nothing live names is no obstacle, so the user hears of it later, if at all.
            if let Some(why) = refuse::build_script(lib) {
                self.refused.insert(name.clone(), why);
                continue;
            }
            let inner = match load(lib, files) {
                Err(Error::Syntax { place, why }) if lib.foreign => {
                    self.refused.insert(name.clone(), unreadable(lib, &place, &why));
                    continue;
                }
                other => other?,
            };
            self.from(plan, lib, &inner, files)?;
            self.texts.insert(*i, Some(inner));
            self.order.push(*i);
        }
        Ok(())
    }
}

fn unreadable(lib: &Unit, place: &str, why: &str) -> String {
    format!(
        "`{}` {} cannot be read: {why} ({place}).\n  Use another version or crate, or copy what you need into your own.",
        lib.package, lib.version
    )
}

/// A module name for each library: its own if nothing in the binary's root is called that.
fn modules(plan: &Plan, bin: &Text, order: &[usize], files: &Files) -> Result<HashMap<usize, String>, Error> {
    let parsed = parse(bin, files)?;
    let mut taken: HashSet<String> = Scopes::read(&parsed, bin.as_str().len()).root_names().clone();
    taken.extend(["std", "core", "alloc", "test", "proc_macro"].map(str::to_owned));
    let mut sorted = order.to_vec();
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
    Ok(names)
}
