//! Merges the binary and every library it reaches into one text.

use crate::api::error::Error;
use crate::merge::job::Job;
use crate::merge::macros::Macros;
use crate::merge::rewrite::rewrite_crate;
use crate::plan::{Compiled, Dep, Plan, Unit};
use crate::read::load::{load, Ahead};
use crate::read::refusals;
use crate::syntax::parsed::Parsed;
use crate::syntax::scopes::Scopes;
use crate::syntax::text::{Files, Origin, Text};
use crate::syntax::tokens::{raw, Tokens};
use cargo_metadata::Edition;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// All crates in one text, before removal.
#[derive(Debug)]
pub struct Assembled {
    /// The text.
    pub text: Text,
    /// The module of each inlined library: its name and its index in [`Plan::libs`].
    pub modules: Vec<(String, usize)>,
    /// Constructs that one file cannot express, refused only if they are live: the place and the reason.
    pub refused: Vec<(Origin, String)>,
}

/// Loads the crates, rewrites their paths and joins them.
pub fn assemble(plan: &Plan, files: &mut Files) -> Result<Assembled, Error> {
    let bin = parsed(load(&plan.bin, files)?, files)?;
    if let Some(why) = refusals::build_script(&plan.bin) {
        let place = crate::syntax::text::shown(&plan.bin.folder.join("Cargo.toml"));
        return Err(Error::Refused { place, why });
    }
    // Before cargo has compiled the source, the plan has many more libraries than the program.
    let ahead = plan.compiled != Compiled::Never;
    let ahead = if ahead { Ahead::of(plan) } else { Ahead::default() };
    let mut reached = Reached { ahead, ..Reached::default() };
    reached.from(plan, &plan.bin, &bin, files)?;
    let names = modules(plan, &bin, &reached.order);
    let known = known(&bin, &reached, &names);
    let mut exported: HashMap<String, Vec<String>> = HashMap::new();
    let mut libs = Text::default();
    let mut all = Vec::new();
    for &i in &reached.order {
        let Some(text) = &reached.texts[&i] else { continue };
        let unit = &plan.libs[i];
        let module = raw(&names[&i]);
        let new = rewrite_crate(text, &job(unit, Some(&names[&i]), &reached, &names, &exported, &known));
        libs.push_str(&format!("\npub mod {module} {{\n"));
        libs.push(&new.text);
        libs.push_str("}\n");
        exported.insert(format!("crate::{module}"), new.macros.clone());
        all.push(new);
    }
    let new = rewrite_crate(&bin, &job(&plan.bin, None, &reached, &names, &exported, &known));
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
    let text = crate::read::docs::remove(&text)
        .map_err(|e| Error::Syntax { place: text.place(e.at, files).unwrap_or_default(), why: e.why })?;
    let refused = all.iter().flat_map(|r| r.refused.iter().cloned()).collect();
    Ok(Assembled { text, modules: reached.order.iter().map(|i| (names[i].clone(), *i)).collect(), refused })
}

/// Collects the macros of all crates.
fn known(bin: &Parsed, reached: &Reached, names: &HashMap<usize, String>) -> Macros {
    let mut known = Macros::default();
    let libs = reached
        .order
        .iter()
        .filter_map(|i| Some((reached.texts[i].as_ref()?, names.get(i).map(String::as_str))));
    for (text, module) in libs.chain([(bin, None)]) {
        known.read(&text.tokens(), module);
    }
    known.finish();
    known
}

fn parsed(text: Text, files: &Files) -> Result<Parsed, Error> {
    let place = |at| text.place(at, files).unwrap_or_default();
    Parsed::of(text.clone()).map_err(|e| Error::Syntax { place: place(e.at), why: e.why })
}

/// The rewriting job for one crate.
fn job<'a>(
    unit: &Unit,
    module: Option<&'a str>,
    reached: &Reached,
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
                } else if let Some(why) = reached.refused.get(i) {
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

/// The libraries that reachable source names, dependencies first.
#[derive(Default)]
struct Reached {
    order: Vec<usize>,
    texts: HashMap<usize, Option<Parsed>>,
    /// Libraries that cannot be bundled, with the reason.
    refused: BTreeMap<usize, String>,
    ahead: Ahead,
}

impl Reached {
    fn from(&mut self, plan: &Plan, unit: &Unit, text: &Parsed, files: &mut Files) -> Result<(), Error> {
        let tokens = text.tokens();
        let scopes = Scopes::read(&text.file, text.source().len());
        let mentioned: HashSet<&str> = (0..tokens.len())
            .filter(|&i| tokens.ident(i).is_some_and(|name| unit.deps.contains_key(name)))
            .filter(|&i| may_be_crate(&tokens, i, &scopes))
            .filter_map(|i| tokens.ident(i))
            .collect();
        for (name, dep) in &unit.deps {
            let Dep::Lib(i) = dep else { continue };
            if !mentioned.contains(name.as_str()) || self.texts.contains_key(i) {
                continue;
            }
            self.texts.insert(*i, None);
            let lib = &plan.libs[*i];
            // Only live mentions matter: `refuse` reports this later if one is found.
            if let Some(why) = refusals::build_script(lib) {
                self.refused.insert(*i, why);
                continue;
            }
            let inner = match self.ahead.load(*i, lib, files).and_then(|text| parsed(text, files)) {
                Err(Error::Syntax { place, why }) if lib.foreign => {
                    self.refused.insert(*i, unreadable(lib, &place, &why));
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

/// Whether the identifier at token `i` may name a crate.
fn may_be_crate(tokens: &Tokens<'_>, i: usize, scopes: &Scopes) -> bool {
    let Some((name, token)) = tokens.ident(i).zip(tokens.get(i)) else { return false };
    let leading = i > 1 && tokens.colons(i - 2);
    let local = || !leading && tokens.colons(i + 1) && scopes.shadows(name, token.range.start);
    let before = i.checked_sub(1).map_or("", |j| tokens.text(j));
    !matches!(before, "mod" | "let" | "fn" | ".") && !tokens.is(i + 1, '(') && !local()
}

fn unreadable(lib: &Unit, place: &str, why: &str) -> String {
    format!(
        "`{}` {} cannot be read: {why} ({place}).\n  Use another version or crate, or copy what you need into your own.",
        lib.package, lib.version
    )
}

/// A module name for each library: its own name unless the binary's root already uses it.
fn modules(plan: &Plan, bin: &Parsed, order: &[usize]) -> HashMap<usize, String> {
    let mut taken: HashSet<String> = Scopes::read(&bin.file, bin.source().len()).root_names().clone();
    taken.extend(["std", "core", "alloc", "test", "proc_macro"].map(str::to_owned));
    taken.extend(plan.externals.keys().cloned());
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
    names
}
