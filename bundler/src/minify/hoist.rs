//! Hoists imports into the root, from where `use crate::*` brings them into each module.
//!
//! A name is hoisted only if it means the same in every module that would see it: the module imports it from the same
//! place, defines it, or does not mention it. What the text does not show, such as macros that mention the name, the
//! compiler reports.

use super::imports::{modules_of, Leaf, Module, Tree, Use};
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::{Kind, Tokens};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum length of a chain of re-exports; longer than in any known program.
const LINKS: usize = 16;
const DEFINING: &[&str] = &["fn", "struct", "enum", "trait", "type", "mod", "union", "static"];

/// The imports of a text.
pub struct Imports<'t> {
    text: &'t Text,
    modules: Vec<Module>,
    index: BTreeMap<Vec<String>, usize>,
    /// For each module, the names that its code mentions outside plain imports.
    mentioned: Vec<BTreeSet<String>>,
}

/// The origin of each hoisted name.
type Homes = BTreeMap<String, Home>;

/// The origin of an import.
#[derive(Clone, Debug)]
struct Home {
    /// The path of its definition.
    of: Vec<String>,
    /// The import that the root needs.
    leaf: Leaf,
}

/// Exceptions that the compiler's errors required.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Names that are not hoisted.
    pub names: BTreeSet<String>,
    /// Modules, by index, that are not changed.
    pub modules: BTreeSet<usize>,
}

impl<'t> Imports<'t> {
    /// Reads a text; `None` if it cannot be parsed.
    pub fn read(text: &'t Text) -> Option<Imports<'t>> {
        let (tokens, file) = Tokens::with_items(text.as_str()).ok()?;
        let modules = modules_of(text.as_str(), &file);
        let index = modules.iter().enumerate().map(|(i, m)| (m.path.clone(), i)).collect();
        let mentioned = mentioned(&modules, &tokens);
        Some(Imports { text, modules, index, mentioned })
    }

    /// Everything that decides which imports are hoisted: what each module imports, defines and mentions.
    pub fn structure(&self) -> String {
        let of = |(module, mentioned): (&Module, &BTreeSet<String>)| {
            let uses: Vec<&str> = module.uses.iter().map(|u| &self.text.as_str()[u.range.clone()]).collect();
            let Module { path, defined, closed, conditional, private, .. } = module;
            format!("{:?}\n", (path, uses, defined, closed, conditional, private, mentioned))
        };
        self.modules.iter().zip(&self.mentioned).map(of).collect()
    }

    /// The text with each module's imports merged.
    pub fn merged(&self) -> Text {
        self.rewrite_all(&Homes::new(), &BTreeSet::new())
    }

    /// The text with imports hoisted into the root.
    pub fn hoisted(&self, kept: &Kept) -> Text {
        let (homes, seeing) = self.homes(kept);
        self.rewrite_all(&homes, &seeing)
    }

    /// The names to hoist, and the modules that will see them.
    fn homes(&self, kept: &Kept) -> (Homes, BTreeSet<usize>) {
        let mut out = kept.names.clone();
        if let Some(module) = self.modules.first() {
            out.extend(module.defined.iter().cloned());
            let fixed = module.uses.iter().filter(|u| !movable(u)).flat_map(|u| &u.leaves);
            out.extend(fixed.map(|l| l.name().to_owned()));
        }
        loop {
            let homes = self.candidates(&out, kept);
            let seeing: BTreeSet<usize> =
                (0..self.modules.len()).filter(|&m| m == 0 || self.moves(m, &homes, kept)).collect();
            let unclear: Vec<&String> = homes.keys().filter(|n| self.is_unclear(n, &seeing)).collect();
            if unclear.is_empty() {
                return (homes, seeing);
            }
            out.extend(unclear.into_iter().cloned());
        }
    }

    /// For each name, the origin from which most modules import it.
    fn candidates(&self, out: &BTreeSet<String>, kept: &Kept) -> Homes {
        let mut places: BTreeMap<String, BTreeMap<Vec<String>, (usize, Home)>> = BTreeMap::new();
        for m in (0..self.modules.len()).filter(|&m| self.may_see(m, kept)) {
            for leaf in self.modules[m].uses.iter().filter(|u| movable(u)).flat_map(|u| &u.leaves) {
                let Some(home) = self.home(m, leaf).filter(|_| !out.contains(leaf.name())) else { continue };
                let place = places.entry(leaf.name().to_owned()).or_default();
                place.entry(home.of.clone()).or_insert((0, home)).0 += 1;
            }
        }
        let most = |places: BTreeMap<Vec<String>, (usize, Home)>| {
            // `max_by_key` returns the last maximum; reversed, ties keep the first.
            places.into_values().rev().max_by_key(|(count, _)| *count).map(|(_, home)| home)
        };
        places.into_iter().filter_map(|(name, places)| Some((name, most(places)?))).collect()
    }

    fn may_see(&self, m: usize, kept: &Kept) -> bool {
        let module = &self.modules[m];
        let glob =
            module.uses.iter().any(|u| u.leaves.is_empty() || u.leaves.iter().any(|l| l.name() == "*"));
        !module.conditional && !glob && !kept.modules.contains(&m)
    }

    fn moves(&self, m: usize, homes: &Homes, kept: &Kept) -> bool {
        let mut leaves = self.modules[m].uses.iter().filter(|u| movable(u)).flat_map(|u| &u.leaves);
        self.may_see(m, kept) && leaves.any(|l| self.is_hoisted(m, l, homes))
    }

    /// Whether a module's import is replaced by the root's.
    fn is_hoisted(&self, m: usize, leaf: &Leaf, homes: &Homes) -> bool {
        let home = homes.get(leaf.name());
        home.is_some_and(|home| self.home(m, leaf).is_some_and(|own| own.of == home.of))
    }

    /// Whether a name would change its meaning in a module that sees the root.
    fn is_unclear(&self, name: &str, seeing: &BTreeSet<usize>) -> bool {
        seeing.iter().any(|&m| {
            let module = &self.modules[m];
            let plain = || module.uses.iter().filter(|u| u.plain).flat_map(|u| &u.leaves);
            self.mentioned[m].contains(name)
                && !module.defined.contains(name)
                && !plain().any(|l| l.name() == name)
        })
    }

    /// The origin of an import, with re-exports followed; `None` if it cannot be determined.
    fn home(&self, m: usize, leaf: &Leaf) -> Option<Home> {
        if leaf.name() == "_" || leaf.name() == "*" {
            return None;
        }
        let mut path = self.absolute(m, &leaf.path)?;
        let mut open = None;
        for _ in 0..LINKS {
            if self.is_open(&path) {
                open = Some(path.clone());
            }
            let Some(next) = self.link(&path) else {
                let of = path.into_iter().map(|s| s.0).collect();
                let path = open?;
                let alias = (leaf.name().to_owned(), leaf.alias.as_ref().or(leaf.path.last())?.1);
                // An origin of another name needs an alias.
                let alias = Some(alias).filter(|a| path.last().is_some_and(|s| s.0 != a.0));
                return Some(Home { of, leaf: Leaf { path, alias } });
            };
            path = next;
        }
        None
    }

    /// Whether a path is visible from the root: all its modules and the item.
    fn is_open(&self, path: &[(String, usize)]) -> bool {
        let names: Vec<String> = path.iter().skip(1).map(|s| s.0.clone()).collect();
        let module = |n: usize| self.index.get(&names[..n]).map(|&m| &self.modules[m]);
        let is_closed = |name| module(names.len() - 1).is_some_and(|m| m.closed.contains(name));
        path[0].0 != "crate"
            || !(1..names.len()).filter_map(module).any(|m| m.private) && !names.last().is_some_and(is_closed)
    }

    /// A path as written from the root.
    fn absolute(&self, m: usize, path: &[(String, usize)]) -> Option<Vec<(String, usize)>> {
        let module = &self.modules[m];
        let (first, at) = path.first()?;
        let below = |names: &[String]| {
            let start = std::iter::once("crate".to_owned()).chain(names.iter().cloned());
            start.map(|n| (n, *at)).collect::<Vec<_>>()
        };
        match first.as_str() {
            "crate" => Some(path.to_vec()),
            "self" => Some([below(&module.path), path[1..].to_vec()].concat()),
            "super" => {
                let ups = path.iter().take_while(|s| s.0 == "super").count();
                let names = module.path.get(..module.path.len().checked_sub(ups)?)?;
                Some([below(names), path[ups..].to_vec()].concat())
            }
            _ if module.defined.contains(first) => Some([below(&module.path), path.to_vec()].concat()),
            _ if module.uses.iter().flat_map(|u| &u.leaves).any(|l| l.name() == first) => None,
            "std" | "core" | "alloc" => Some(path.to_vec()),
            _ => None,
        }
    }

    /// The path that a re-export on the way resolves to, if there is one.
    fn link(&self, path: &[(String, usize)]) -> Option<Vec<(String, usize)>> {
        let mut names: Vec<String> = Vec::new();
        for (i, (name, _)) in path.iter().enumerate().skip(1) {
            if path[0].0 != "crate" {
                return None;
            }
            let m = *self.index.get(&names)?;
            let module = &self.modules[m];
            if !module.defined.contains(name) {
                let plain = module.uses.iter().filter(|u| u.plain).flat_map(|u| &u.leaves);
                let mut found = plain.filter(|l| l.name() == name);
                let (leaf, None) = (found.next()?, found.next()) else { return None };
                let start = self.absolute(m, &leaf.path)?;
                return Some([start, path[i + 1..].to_vec()].concat());
            }
            names.push(name.clone());
        }
        None
    }

    fn rewrite_all(&self, homes: &Homes, seeing: &BTreeSet<usize>) -> Text {
        let mut edits = Edits::default();
        for m in 0..self.modules.len() {
            self.rewrite(m, homes, seeing.contains(&m), &mut edits);
        }
        self.text.edited(edits)
    }

    /// Merges a module's imports.
    fn rewrite(&self, m: usize, homes: &Homes, sees: bool, edits: &mut Edits) {
        let module = &self.modules[m];
        let mut groups: BTreeMap<&str, Vec<&Use>> = BTreeMap::new();
        if m == 0 && !homes.is_empty() {
            groups.insert("", Vec::new());
        }
        for item in module.uses.iter().filter(|u| u.plain) {
            groups.entry(&item.visibility).or_default().push(item);
        }
        for (visibility, items) in groups {
            let mut tree = Tree::default();
            let leaves = items.iter().flat_map(|u| &u.leaves);
            let moves = visibility.is_empty() && sees;
            leaves.filter(|l| !(moves && self.is_hoisted(m, l, homes))).for_each(|l| tree.add(l));
            if m == 0 && moves {
                // The root needs no import of its own items.
                let there = |l: &&Leaf| l.alias.is_none() && l.path.len() == 2 && l.path[0].0 == "crate";
                homes.values().map(|h| &h.leaf).filter(|l| !there(l)).for_each(|l| tree.add(l));
            }
            let mut new = Text::default();
            if moves && m > 0 {
                new.push_str("use crate::*;\n");
            }
            new.push(&tree.items(self.text, visibility));
            let old: usize = items.iter().map(|u| u.range.len() + 1).sum();
            if !moves && new.as_str().len() >= old {
                continue;
            }
            let at = items.first().map_or(module.first, |u| u.range.start);
            edits.splice(at..at, new);
            for item in items {
                let rest = &self.text.as_str()[item.range.end..];
                edits.delete(item.range.start..item.range.end + usize::from(rest.starts_with('\n')));
            }
        }
    }
}

/// Whether an import may be replaced by one in the root.
fn movable(item: &Use) -> bool {
    item.plain && item.visibility.is_empty()
}

fn mentioned(modules: &[Module], tokens: &Tokens<'_>) -> Vec<BTreeSet<String>> {
    let mut out = vec![BTreeSet::new(); modules.len()];
    for (m, module) in modules.iter().enumerate() {
        let plain: Vec<_> = module.uses.iter().filter(|u| u.plain).map(|u| u.range.clone()).collect();
        let skipped = |at: usize| plain.iter().chain(&module.inner).any(|r| r.contains(&at));
        let from = tokens.first_from(module.body.start);
        for i in from..tokens.len() {
            let Some(token) = tokens.get(i).filter(|t| t.range.start < module.body.end) else { break };
            if token.kind != Kind::Ident || skipped(token.range.start) {
                continue;
            }
            let behind = i.checked_sub(1).is_some_and(|b| {
                // After `..` an identifier is not a field.
                let dot = tokens.is(b, '.') && !(b > 0 && tokens.is(b - 1, '.'));
                dot || b > 0 && tokens.colons(b - 1) || DEFINING.contains(&tokens.text(b))
            });
            if !behind {
                out[m].insert(tokens.text(i).to_owned());
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hoisted(source: &str) -> String {
        let text = Text::generated(source);
        Imports::read(&text).unwrap().hoisted(&Kept::default()).as_str().to_owned()
    }

    #[test]
    fn imports_of_a_module_are_merged() {
        let merged = |source: &str| {
            let text = Text::generated(source);
            Imports::read(&text).unwrap().merged().as_str().to_owned()
        };
        assert_eq!(
            merged("use std::fmt;\nuse std::fmt::Debug as D;\nuse std::io::{self, Write as _};\nfn f() {}\n"),
            "use std::{fmt::{self, Debug as D}, io::{self, Write as _}};\nfn f() {}\n"
        );
        assert_eq!(
            merged("mod a { use super::b::X;\nuse super::b::*;\nuse super::b::X;\npub(crate) use super::b::Y;\n}"),
            "mod a { use super::b::{*, X};\npub(crate) use super::b::Y;\n}"
        );
        // A macro is imported behind its definition.
        let macros =
            "macro_rules! m { () => {} }\npub(crate) use m;\npub(crate) use self::first_module::A;\n\
            pub(crate) use self::first_module::B;\n";
        assert_eq!(
            merged(macros),
            "macro_rules! m { () => {} }\npub(crate) use m;\npub(crate) use self::first_module::{A, B};\n"
        );
        // Conditional imports, imports that start with `::`, and imports that are shorter unmerged.
        for same in [
            "#[cfg(x)]\nuse std::a;\nuse std::b;\n",
            "use ::std::a;\nuse ::std::b;\n",
            "use a::b;\nuse c::d;\n",
        ] {
            assert_eq!(merged(same), same);
        }
    }

    #[test]
    fn a_name_of_two_items_is_visible_if_one_of_them_is() {
        let out = hoisted(
            "fn main() {}\nmod a {\nmod q {\npub fn q() {}\n}\npub(crate) use q::q;\n}\nmod b {\nuse crate::a::q;\n}\n",
        );
        assert!(out.starts_with("use crate::a::q;\n") && out.contains("mod b {\nuse crate::*;\n}"), "{out}");
    }

    #[test]
    fn imports_go_to_the_root() {
        assert_eq!(
            hoisted(
                "fn main() {}\nmod a {\npub use self::c::C;\npub mod c {\npub struct C;\n}\n}\n\
                 mod b {\nuse crate::a::C;\nuse std::fmt;\n}\nmod d {\nuse super::a::c::C as D;\nuse std::fmt::{self, Debug};\n}\n"
            ),
            "use crate::a::c::{C, C as D};\nuse std::fmt::{self, Debug};\nfn main() {}\nmod a {\n\
             pub use self::c::C;\npub mod c {\npub struct C;\n}\n}\nmod b {\nuse crate::*;\n}\nmod d {\nuse crate::*;\n}\n"
        );
    }

    #[test]
    fn ambiguous_names_stay() {
        // In `b`, `Result` is the prelude's, so `a`'s import must stay.
        let source = "fn main() {}\nmod a {\nuse std::fmt::Result;\n}\nmod b {\nuse std::fmt;\nfn f() -> Result<(), ()> {}\n}\n";
        let out = hoisted(source);
        assert!(
            out.starts_with("use std::fmt;\nfn main") && out.contains("mod a {\nuse std::fmt::Result;\n}"),
            "{out}"
        );
        let two = "fn main() {}\nmod a {\nuse std::fmt::Write;\n}\nmod b {\nuse std::io::Write;\n}\nmod c {\nuse std::io::Write;\n}\n";
        let out = hoisted(two);
        assert!(out.starts_with("use std::io::Write;\n") && out.contains("use std::fmt::Write;\n}"), "{out}");
    }

    #[test]
    fn other_imports_stay() {
        for same in [
            "fn main() {}\n#[cfg(x)]\nmod a {\nuse std::fmt;\n}\n",
            "fn main() {}\nmod a {\nuse super::*;\nuse std::fmt;\n}\n",
            "fn main() {}\nmod a {\npub use std::fmt;\nuse std::io::Write as _;\n}\n",
            "fn main() {}\nstruct fmt;\nmod a {\nuse std::fmt;\n}\n",
            "fn main() {}\nmod a {\nmod p {\npub(super) mod q {\npub struct Q;\n}\n}\nuse p::q::Q;\n}\n",
            // Private items and modules.
            "fn main() {}\nmod a {\nstruct P;\nmod b {\nuse super::P;\n}\n}\n",
            "fn main() {}\nmod a {\nmod p {\npub fn q() {}\n}\nmod b {\nuse super::p;\n}\n}\n",
            "fn main() {}\nmod a {\n#[cfg(x)]\nuse std::fmt;\n#[cfg(y)]\nuse core::fmt;\n}\n",
        ] {
            assert_eq!(hoisted(same), same);
        }
        // A method or field of the same name does not count.
        let out = hoisted("fn main() { x.fmt(); }\nmod a {\nuse std::fmt;\n}\n");
        assert!(out.starts_with("use std::fmt;"), "{out}");
    }
}
