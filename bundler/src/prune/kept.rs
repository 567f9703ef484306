//! Reports functions that stay although the compiled program does not contain them.

use crate::api::bundle::{listed, thousands};
use crate::prune::excluded::Excluded;
use crate::prune::probe::Instantiated;
use crate::prune::sites::{Site, SiteId, Sites, What};
use crate::syntax::text::Text;
use crate::syntax::tokens::Tokens;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Smallest amount that is reported, in bytes without white space: less is what traits demand of any program.
const AT_LEAST: usize = 2_000;
/// Smallest share of the text that is reported: one in this many bytes.
const SHARE: usize = 10;
/// Maximum number of crates that are named.
const NAMED: usize = 3;

/// A note if a large part of a trimmed text is functions that the compiled program does not contain.
pub fn note(text: &Text, instantiated: &Instantiated) -> Option<String> {
    let tokens = Tokens::read(text.as_str()).ok()?;
    let sites = Sites::read(&tokens);
    let live = instantiated.sites(text, &sites);
    let mut crates: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, site) in sites.list.iter().enumerate().filter(|(id, _)| !live.contains(id)) {
        if is_unused(text.as_str(), site) {
            *crates.entry(krate(&sites, id)).or_default() += solid(text.as_str(), site);
        }
    }
    let all = crates.values().sum::<usize>();
    let whole = text.as_str().bytes().filter(|b| !b.is_ascii_whitespace()).count();
    if all < AT_LEAST || all < whole / SHARE {
        return None;
    }
    let mut largest: Vec<(&str, usize)> = crates.into_iter().collect();
    largest.sort_by_key(|(_, bytes)| Reverse(*bytes));
    let named: Vec<String> =
        largest.iter().take(NAMED).map(|(name, bytes)| format!("{name} {}", thousands(*bytes))).collect();
    let why = if Excluded::read(text).is_for_others() {
        "its code for other targets may need them; `--platform` leaves that code out if the site's processor is known"
    } else {
        "without them it does not compile, and rustc's errors do not tell which of them it needs"
    };
    Some(format!(
        "kept {} bytes of functions that the compiled program does not contain ({}): {why}",
        thousands(all),
        listed(&named)
    ))
}

/// Whether a site that is not instantiated is a function with a body that could run.
fn is_unused(source: &str, site: &Site) -> bool {
    let head = source.get(site.at..).and_then(|rest| rest.split("fn ").next()).unwrap_or("");
    // Those evaluated at compile time are not in the compiled program either.
    site.what == What::Fn && site.open.is_some() && !head.contains("const")
}

/// The outermost module around a site.
fn krate(sites: &Sites, id: SiteId) -> &str {
    let owners = std::iter::successors(sites.list[id].owner, |&owner| sites.list[owner].owner);
    let modules = owners.filter(|&owner| sites.list[owner].what == What::Mod);
    modules.last().map_or("main.rs", |module| &sites.list[module].name)
}

/// The bytes of a site without white space.
fn solid(source: &str, site: &Site) -> usize {
    let whole = source.get(site.range.clone()).unwrap_or("");
    whole.bytes().filter(|b| !b.is_ascii_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::probe::Live;
    use crate::syntax::text::Files;
    use std::path::Path;

    #[test]
    fn large_unused_functions_are_reported() {
        let body = "call(1); ".repeat(300);
        let source = format!(
            "mod lib {{ fn unused() {{ {body} }} const fn early() {{ {body} }} trait T {{ fn f(); }} }} fn main() {{}}"
        );
        let text = Text::of_file(Files::default().add(Path::new(""), ""), source.clone());
        let tokens = Tokens::read(&source).unwrap();
        let sites = Sites::read(&tokens);
        let said = |live: &[&str]| {
            let live = live.iter().flat_map(|name| sites.named(name)).map(|(id, _)| id);
            let live = Live { sites: live.collect() };
            note(&text, &Instantiated::new(&text, &sites, &live))
        };
        let note = said(&["main"]).unwrap();
        assert!(note.starts_with("kept 2,412 bytes of functions") && note.contains("(lib 2,412)"), "{note}");
        assert_eq!(said(&["main", "unused"]), None);
    }
}
