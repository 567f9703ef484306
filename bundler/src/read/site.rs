//! Compares the program's crates with those of its site before anything is compiled.

use crate::api::error::Error;
use crate::api::platform::Platform;
use crate::plan::{Dep, Plan, Unit};
use crate::read::load::load;
use crate::syntax::text::Files;
use crate::syntax::tokens::Tokens;
use std::collections::BTreeSet;
use std::path::Path;

/// Refuses the user's own source if it uses a procedural macro of a crate that the site has in another version: such a macro
/// cannot be put in.
///
/// # Errors
/// The refusal, with both versions.
pub fn check(platform: Option<&Platform>, plan: &Plan) -> Result<(), Error> {
    let Some(site) = platform else { return Ok(()) };
    for (unit, there) in plan.outdated(platform) {
        let names = macros(plan, unit);
        if names.is_empty() {
            continue;
        }
        for own in [&plan.bin].into_iter().chain(plan.libs.iter().filter(|lib| !lib.foreign)) {
            if let Some((place, shown)) = first_use(own, &names) {
                let (name, version) = (&unit.package, &unit.version);
                let why = format!(
                    "{shown} is a procedural macro of {name} {version}, which cannot be put into one file.\n  {}",
                    advice(site, unit, there)
                );
                return Err(Error::Refused { place, why });
            }
        }
    }
    Ok(())
}

/// Advice for code of a file that cannot be put in, if it is part of a crate that the site has in another version.
pub fn hint(platform: Option<&Platform>, plan: &Plan, path: &Path) -> Option<String> {
    let refused = plan.libs.iter().find(|lib| path.starts_with(&lib.folder))?;
    let outdated = plan.outdated(platform).find(|(unit, _)| needs(plan, unit, refused));
    outdated.zip(platform).map(|((unit, there), site)| advice(site, unit, there))
}

fn advice(site: &Platform, unit: &Unit, there: &str) -> String {
    let (name, version, site) = (&unit.package, &unit.version, site.name());
    format!(
        "{site} has {name} {there}, and this workspace has {version}: with `{name} = \"{there}\"` in Cargo.toml the site's \
         own is used and nothing of it is put in."
    )
}

/// Whether a crate depends on another, or is it.
fn needs(plan: &Plan, from: &Unit, to: &Unit) -> bool {
    let mut open = vec![from];
    let mut seen = BTreeSet::new();
    while let Some(unit) = open.pop() {
        if unit.id == to.id {
            return true;
        }
        let deps = unit.deps.values().filter_map(|dep| match dep {
            Dep::Lib(i) if seen.insert(*i) => Some(&plan.libs[*i]),
            _ => None,
        });
        open.extend(deps.collect::<Vec<_>>());
    }
    false
}

/// The names of the attributes and macros that a crate's procedural dependencies define.
fn macros(plan: &Plan, unit: &Unit) -> BTreeSet<String> {
    let packages = unit.deps.values().filter_map(|dep| match dep {
        Dep::ProcMacro(package) => Some(package),
        _ => None,
    });
    let sources = packages.filter_map(|p| std::fs::read_to_string(plan.macro_roots.get(p)?).ok());
    sources.flat_map(|source| defined(&source)).collect()
}

/// The names of the procedural macros that a source defines, without derives, which may be expanded.
fn defined(source: &str) -> Vec<String> {
    let Ok(file) = syn::parse_file(source) else { return Vec::new() };
    let functions = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Fn(function) => Some(function),
        _ => None,
    });
    let is_macro = |f: &syn::ItemFn| {
        f.attrs.iter().any(|a| a.path().is_ident("proc_macro_attribute") || a.path().is_ident("proc_macro"))
    };
    functions.filter(is_macro).map(|f| f.sig.ident.to_string()).collect()
}

/// The place of the first use of one of these macros in a crate, and how it is used. Unreadable code is reported later.
fn first_use(unit: &Unit, names: &BTreeSet<String>) -> Option<(String, String)> {
    let mut files = Files::default();
    let text = load(unit, &mut files).ok()?;
    let tokens = Tokens::read(text.as_str()).ok()?;
    let found = (0..tokens.len()).find_map(|i| {
        let name = tokens.ident(i).filter(|name| names.contains(*name))?;
        let path_start = (1..=i).rev().find(|&j| !(tokens.is(j, ':') || tokens.ident(j).is_some()));
        let is_attribute = path_start.is_some_and(|j| tokens.is(j, '[') && tokens.is(j.wrapping_sub(1), '#'));
        let shown = match () {
            () if is_attribute => format!("`#[{name}]`"),
            () if tokens.is(i + 1, '!') => format!("`{name}!`"),
            () => return None,
        };
        Some((tokens.get(i)?.range.start, shown))
    });
    found.map(|(at, shown)| (text.point(at, &files).unwrap_or_default(), shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn procedural_macros_are_found_by_their_attributes() {
        let source = "#[proc_macro_attribute] pub fn fastout(a: T, b: T) -> T { b }\n\
            #[proc_macro] pub fn memo(a: T) -> T { a }\n#[proc_macro_derive(D)] pub fn d(a: T) -> T { a }\nfn f() {}";
        assert_eq!(defined(source), ["fastout", "memo"]);
    }
}
