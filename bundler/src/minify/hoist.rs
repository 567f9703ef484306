//! Imports said once: what modules import goes to the root, from where `use crate::*` brings it into each of them.
//!
//! A name goes there only if it means the same in every module that would see it: it is imported there from the same
//! place, defined there, or not said at all. What nobody can tell, such as macros that name it, the compiler tells.

use super::imports::{modules_of, Leaf, Module, Tree, Use};
use crate::text::{Edits, Text};
use crate::tokens::{Kind, Tokens};
use std::collections::{BTreeMap, BTreeSet};

/// More links from one re-export to the next than there are in any program.
const LINKS: usize = 16;
const DEFINING: &[&str] = &["fn", "struct", "enum", "trait", "type", "mod", "union", "static"];

/// The imports of a text.
pub struct Imports<'t> {
    text: &'t Text,
    modules: Vec<Module>,
    index: BTreeMap<Vec<String>, usize>,
    /// For each module the names that its own code says, those in plain imports aside.
    said: Vec<BTreeSet<String>>,
}

/// Where a name that goes to the root comes from.
type Homes = BTreeMap<String, Home>;

/// Where something is from.
#[derive(Clone, Debug)]
struct Home {
    /// The path to where it is defined.
    of: Vec<String>,
    /// What the root must say to have it.
    leaf: Leaf,
}

/// What must not be changed, as the compiler found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Names that stay where they are imported.
    pub names: BTreeSet<String>,
    /// Modules, by their place in the list, that stay as they are.
    pub modules: BTreeSet<usize>,
}

impl<'t> Imports<'t> {
    /// Reads a text; nothing if it is not Rust.
    pub fn read(text: &'t Text) -> Option<Imports<'t>> {
        let (tokens, file) = Tokens::with_items(text.as_str()).ok()?;
        let modules = modules_of(text.as_str(), &file);
        let index = modules.iter().enumerate().map(|(i, m)| (m.path.clone(), i)).collect();
        let said = said(&modules, &tokens);
        Some(Imports { text, modules, index, said })
    }

    /// The text with the imports of each module put together.
    pub fn merged(&self) -> Text {
        self.rewritten(&Homes::new(), &BTreeSet::new())
    }

    /// The text with imports in the root.
    pub fn hoisted(&self, kept: &Kept) -> Text {
        let (homes, seeing) = self.homes(kept);
        self.rewritten(&homes, &seeing)
    }

    /// The names that go to the root, and the modules that get to see them.
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

    /// For each name the place from which most modules import it.
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
            // The first of those that are equal.
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
        self.may_see(m, kept) && leaves.any(|l| self.goes(m, l, homes))
    }

    /// Whether what a module imports comes from the root now.
    fn goes(&self, m: usize, leaf: &Leaf, homes: &Homes) -> bool {
        let home = homes.get(leaf.name());
        home.is_some_and(|home| self.home(m, leaf).is_some_and(|own| own.of == home.of))
    }

    /// Whether a name would mean something else in a module that sees the root.
    fn is_unclear(&self, name: &str, seeing: &BTreeSet<usize>) -> bool {
        seeing.iter().any(|&m| {
            let module = &self.modules[m];
            let plain = || module.uses.iter().filter(|u| u.plain).flat_map(|u| &u.leaves);
            self.said[m].contains(name)
                && !module.defined.contains(name)
                && !plain().any(|l| l.name() == name)
        })
    }

    /// A leaf with its path from the root, re-exports followed; nothing if that cannot be told.
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
                // What has another name where it is from has it here by an alias.
                let alias = Some(alias).filter(|a| path.last().is_some_and(|s| s.0 != a.0));
                return Some(Home { of, leaf: Leaf { path, alias } });
            };
            path = next;
        }
        None
    }

    /// Whether the root may go through all modules of a path.
    fn is_open(&self, path: &[(String, usize)]) -> bool {
        let names: Vec<String> = path.iter().skip(1).map(|s| s.0.clone()).collect();
        let mut modules = (1..names.len()).filter_map(|n| self.index.get(&names[..n]));
        path[0].0 != "crate" || modules.all(|&m| !self.modules[m].private)
    }

    /// A path as seen from the root.
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

    /// What a path means if some module on it only imports the next segment.
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

    fn rewritten(&self, homes: &Homes, seeing: &BTreeSet<usize>) -> Text {
        let mut edits = Edits::default();
        for m in 0..self.modules.len() {
            self.rewrite(m, homes, seeing.contains(&m), &mut edits);
        }
        self.text.edited(edits)
    }

    /// Puts together what a module imports.
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
            leaves.filter(|l| !(moves && self.goes(m, l, homes))).for_each(|l| tree.add(l));
            if m == 0 && moves {
                // What the root itself has needs no import there.
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

/// Whether what it brings in may come from elsewhere instead.
fn movable(item: &Use) -> bool {
    item.plain && item.visibility.is_empty()
}

fn said(modules: &[Module], tokens: &Tokens<'_>) -> Vec<BTreeSet<String>> {
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
                // Not after `..`, which is no field's.
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
        let text = Text::made(source);
        Imports::read(&text).unwrap().hoisted(&Kept::default()).as_str().to_owned()
    }

    #[test]
    fn imports_of_a_module_are_put_together() {
        let merged = |source: &str| {
            let text = Text::made(source);
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
        // Under a condition, from outside, or shorter as it is.
        for same in [
            "#[cfg(x)]\nuse std::a;\nuse std::b;\n",
            "use ::std::a;\nuse ::std::b;\n",
            "use a::b;\nuse c::d;\n",
        ] {
            assert_eq!(merged(same), same);
        }
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
    fn a_name_that_means_two_things_stays() {
        // `Result` is the prelude's in `b`, and so is what a condition may bring in.
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
    fn what_stays_as_it_is() {
        for same in [
            "fn main() {}\n#[cfg(x)]\nmod a {\nuse std::fmt;\n}\n",
            "fn main() {}\nmod a {\nuse super::*;\nuse std::fmt;\n}\n",
            "fn main() {}\nmod a {\npub use std::fmt;\nuse std::io::Write as _;\n}\n",
            "fn main() {}\nstruct fmt;\nmod a {\nuse std::fmt;\n}\n",
            "fn main() {}\nmod a {\nmod p {\npub(super) mod q {\npub struct Q;\n}\n}\nuse p::q::Q;\n}\n",
            "fn main() {}\nmod a {\n#[cfg(x)]\nuse std::fmt;\n#[cfg(y)]\nuse core::fmt;\n}\n",
        ] {
            assert_eq!(hoisted(same), same);
        }
        // A method or a field of that name is another thing.
        let out = hoisted("fn main() { x.fmt(); }\nmod a {\nuse std::fmt;\n}\n");
        assert!(out.starts_with("use std::fmt;"), "{out}");
    }
}
