//! Collects facts about the macros of all crates, before any crate is rewritten.

use crate::syntax::tokens::{Kind, Tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The crates that use an exported macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum User<'a> {
    /// None, as far as tokens tell.
    Nobody,
    /// The crate with this module, or the binary.
    One(Option<&'a str>),
    /// More than one.
    Several,
}

/// The macros of all crates.
#[derive(Debug, Default)]
pub struct Macros {
    /// The macros that each macro's body invokes; macros of the same name are merged.
    bodies: BTreeMap<String, BTreeSet<String>>,
    /// Macros that turn their arguments into text.
    showing: BTreeSet<String>,
    /// Whether a crate imports the macros of another by `#[macro_use] extern crate`.
    by_macro_use: bool,
    /// The number of definitions of each name.
    definitions: BTreeMap<String, usize>,
    /// For each macro name, the modules of the crates that invoke it.
    users: BTreeMap<String, BTreeSet<Option<String>>>,
}

impl Macros {
    /// Reads the macros of a crate; `module` is its module in the bundle.
    pub fn read(&mut self, tokens: &Tokens<'_>, module: Option<&str>) {
        let mut i = 0;
        while i < tokens.len() {
            if let Some((name, open)) = definition(tokens, i) {
                let close = tokens.close(open);
                self.body(name, tokens, open..close);
                *self.definitions.entry(name.to_owned()).or_default() += 1;
                i = close;
            } else if tokens.ident(i) == Some("crate") && tokens.ident(i.wrapping_sub(1)) == Some("extern") {
                self.by_macro_use |= (i.saturating_sub(8)..i).any(|j| tokens.ident(j) == Some("macro_use"));
            } else if let Some(name) = invoked(tokens, i) {
                let users = self.users.entry(name.to_owned()).or_default();
                users.insert(module.map(str::to_owned));
            }
            i += 1;
        }
    }

    fn body(&mut self, name: &str, tokens: &Tokens<'_>, range: Range<usize>) {
        let calls: BTreeSet<String> =
            range.clone().filter_map(|i| invoked(tokens, i)).map(str::to_owned).collect();
        let shows = range.filter(|&i| invoked(tokens, i) == Some("stringify")).any(|i| {
            let open = i + 2;
            (open..tokens.close(open)).any(|j| tokens.is(j, '$'))
        });
        if shows {
            self.showing.insert(name.to_owned());
        }
        self.bodies.entry(name.to_owned()).or_default().extend(calls);
    }

    /// Whether users of an exported macro may see this sibling of it without a path, and no other macro of its name.
    pub fn is_seen_by_users(&self, name: &str) -> bool {
        self.by_macro_use && self.definitions.get(name) == Some(&1)
    }

    /// Propagates stringification through macros that call macros.
    pub fn finish(&mut self) {
        loop {
            let more: Vec<String> = self
                .bodies
                .iter()
                .filter(|(name, calls)| !self.showing.contains(*name) && !calls.is_disjoint(&self.showing))
                .map(|(name, _)| name.clone())
                .collect();
            if more.is_empty() {
                return;
            }
            self.showing.extend(more);
        }
    }

    /// The ranges of arguments that macros turn into text.
    pub fn shown(&self, tokens: &Tokens<'_>) -> Vec<Range<usize>> {
        (0..tokens.len())
            .filter(|&i| invoked(tokens, i).is_some_and(|name| self.showing.contains(name)))
            .filter_map(|i| {
                let (open, close) = (tokens.get(i + 2)?, tokens.get(tokens.close(i + 2))?);
                Some(open.range.end..close.range.start)
            })
            .collect()
    }

    /// The user of a macro, directly or through other macros.
    pub fn user(&self, name: &str) -> User<'_> {
        let mut names = BTreeSet::from([name]);
        loop {
            let more: Vec<&str> = self
                .bodies
                .iter()
                .filter(|(caller, calls)| {
                    !names.contains(caller.as_str()) && calls.iter().any(|c| names.contains(c.as_str()))
                })
                .map(|(caller, _)| caller.as_str())
                .collect();
            if more.is_empty() {
                break;
            }
            names.extend(more);
        }
        let users: BTreeSet<&Option<String>> =
            names.iter().filter_map(|n| self.users.get(*n)).flatten().collect();
        let mut users = users.into_iter();
        match (users.next(), users.next()) {
            (None, _) => User::Nobody,
            (Some(one), None) => User::One(one.as_deref()),
            _ => User::Several,
        }
    }
}

/// The name that a `macro_rules!` at token `i` defines, and its body's opening bracket.
fn definition<'a>(tokens: &Tokens<'a>, i: usize) -> Option<(&'a str, usize)> {
    let is = tokens.ident(i) == Some("macro_rules") && tokens.is(i + 1, '!');
    let name = tokens.ident(i + 2).filter(|_| is)?;
    matches!(tokens.get(i + 3)?.kind, Kind::Open(_)).then_some((name, i + 3))
}

/// The name of the macro invoked at token `i`.
fn invoked<'a>(tokens: &Tokens<'a>, i: usize) -> Option<&'a str> {
    let name = tokens.ident(i).filter(|_| tokens.is(i + 1, '!'))?;
    matches!(tokens.get(i + 2)?.kind, Kind::Open(_)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stringification_and_users_are_found() {
        let mut macros = Macros::default();
        let lib = "macro_rules! a { ($x:expr) => { stringify!($x) } } macro_rules! b { ($x:expr) => { $crate::a!($x) } }
            macro_rules! c { () => { stringify!(x) } } fn f() { c!() }";
        macros.read(&Tokens::read(lib).unwrap(), Some("lib"));
        let bin = "fn main() { b!(p::q); c!(); d!(r) }";
        let tokens = Tokens::read(bin).unwrap();
        macros.read(&tokens, None);
        macros.finish();
        let shown: Vec<&str> = macros.shown(&tokens).into_iter().map(|r| &bin[r]).collect();
        assert_eq!(shown, ["p::q"]);
        assert_eq!(macros.user("a"), User::One(None));
        assert_eq!(macros.user("c"), User::Several);
        assert_eq!(macros.user("e"), User::Nobody);
    }
}
