//! The binary and every library it reaches, as one text.

use crate::error::Error;
use crate::load::{load, parse};
use crate::plan::{Dep, Plan, Unit};
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
    /// Names of procedural macro crates, by the names that source uses, with the packages.
    pub proc_macros: BTreeMap<String, String>,
}

/// Loads, rewrites and joins.
pub fn assemble(plan: &Plan, files: &mut Files) -> Result<Assembled, Error> {
    let bin = load(&plan.bin, files)?;
    let mut reached = Reached::default();
    reached.from(plan, &plan.bin, &bin, files)?;
    let names = modules(plan, &bin, &reached.order, files)?;
    let mut exported: HashMap<String, Vec<String>> = HashMap::new();
    let mut libs = Text::default();
    let mut alloc = false;
    let mut proc_macros = BTreeMap::new();
    for &i in &reached.order {
        let Some(text) = &reached.texts[&i] else { continue };
        let job = Job {
            module: Some(&names[&i]),
            deps: deps(&plan.libs[i], &names, &mut proc_macros),
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
        deps: deps(&plan.bin, &names, &mut proc_macros),
        exported: &exported,
        from_root: plan.bin.edition == Edition::E2015,
    };
    let new = rewritten(&bin, &job, files)?;
    let mut text = new.text;
    if alloc || new.alloc {
        text.push_str("\nextern crate alloc;\n");
    }
    text.push(&libs);
    Ok(Assembled {
        text,
        modules: reached.order.iter().map(|i| (names[i].clone(), *i)).collect(),
        proc_macros,
    })
}

fn deps(
    unit: &Unit,
    names: &HashMap<usize, String>,
    proc_macros: &mut BTreeMap<String, String>,
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
                proc_macros.insert(name.clone(), package.clone());
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
            refuse_whole(lib, text, &tokens, name, files)?;
            let inner = load(lib, files)?;
            self.from(plan, lib, &inner, files)?;
            self.texts.insert(*i, Some(inner));
            self.order.push(*i);
        }
        Ok(())
    }
}

/// Refuses a library for what is known without reading it.
fn refuse_whole(
    lib: &Unit,
    text: &Text,
    tokens: &Tokens<'_>,
    name: &str,
    files: &Files,
) -> Result<(), Error> {
    let at = (0..tokens.len())
        .find(|&i| tokens.ident(i) == Some(name))
        .and_then(|i| tokens.get(i))
        .map_or(0, |t| t.range.start);
    let place = text.place(at, files).unwrap_or_default();
    if lib.build_script {
        return Err(Error::Refused {
            place,
            why: format!(
                "`{}` {} has a build script, and what it generates or sets cannot be seen in its source.\n  \
                 Use a version or a crate without one, or copy what you need into your own crate.",
                lib.package, lib.version
            ),
        });
    }
    Ok(())
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
