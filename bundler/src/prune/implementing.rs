//! Finds the removed impls that can be the one which an error misses.
//!
//! For `u8: Tr<u16>` that is `impl<T> Tr<u16> for T`, but neither `impl Tr<u32> for u8` nor `tr!(u16)` with a macro that
//! implements `Tr<u16>` for its first argument.

use crate::prune::missing::{idents, unmet_bounds, Unmet};
use crate::prune::probe;
use crate::prune::repair::Repair;
use crate::prune::sites::{Site, SiteId, Sites, What};
use crate::rustc::Diagnostic;
use crate::syntax::tokens::Tokens;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

impl Repair<'_> {
    /// The impls of the traits that an error finds missing, for the types that lack them.
    pub fn unmet(&self, error: &Diagnostic) -> Vec<SiteId> {
        unmet_bounds(error).iter().flat_map(|unmet| self.implementing(unmet)).collect()
    }

    /// The impls of a trait for a type that lacks it.
    fn implementing(&self, unmet: &Unmet) -> Vec<SiteId> {
        let only = BTreeSet::from([unmet.tr.clone()]);
        let types = &unmet.types;
        let of_type = |site: &Site| site.about.is_empty() || !site.about.is_disjoint(types);
        let implements = |site: &Site| match site.what {
            What::Impl => of_type(site) && self.is_of(site, &only),
            What::Derive => only.contains(&site.name) && of_type(site),
            // The trait may be an argument: `number_impl!(Num for f32 f64)`.
            What::Call => of_type(site) && (!site.about.is_disjoint(&only) || self.generates(site, &only)),
            What::Element => {
                let call = site.owner.map(|o| &self.sites.list[o]);
                site.about.is_subset(types) && call.is_some_and(|c| self.generates(c, &only))
            }
            _ => false,
        };
        let fits = |site: &Site| match site.what {
            What::Impl => self.fits(site, unmet),
            What::Call => self.makes_fitting(site, unmet),
            _ => implements(site),
        };
        let all = |of: &dyn Fn(&Site) -> bool| {
            let all = self.out.iter().copied().filter(|&id| of(&self.sites.list[id]));
            all.collect::<Vec<SiteId>>()
        };
        let fitting = all(&|site| fits(site) && (implements(site) || site.what == What::Call));
        let all = if fitting.is_empty() { all(&implements) } else { fitting };
        // Impls for the type itself take precedence over generic ones.
        let mut special: Vec<SiteId> =
            all.iter().copied().filter(|&id| !self.sites.list[id].about.is_empty()).collect();
        let named: Vec<SiteId> =
            special.iter().copied().filter(|&id| !self.sites.list[id].about.is_disjoint(&only)).collect();
        if !named.is_empty() && special.iter().all(|&id| self.sites.list[id].what == What::Call) {
            special = named;
        }
        if special.is_empty() {
            all
        } else {
            special
        }
    }

    /// Whether an impl is of one of the traits; the invocations of its macro may name the trait.
    fn is_of(&self, site: &Site, traits: &BTreeSet<String>) -> bool {
        let Some(tr) = &site.tr else { return false };
        let given = |of: SiteId| {
            let name = &self.sites.list[of].name;
            let mut calls = self.sites.named(name).filter(|(_, s)| s.what == What::Call);
            calls.any(|(_, call)| !call.about.is_disjoint(traits))
        };
        traits.contains(tr) || self.is_of_variable(site) && site.within.is_some_and(given)
    }

    /// Whether an impl in a macro is of a trait that the invocations name.
    pub fn is_of_variable(&self, site: &Site) -> bool {
        let tr = site.tr.as_ref().map(|tr| format!("${tr}"));
        tr.is_some_and(|tr| Header::of(self.tokens, site).tr.contains(&tr.as_str()))
    }

    /// Whether an impl fits a bound; in a macro, with the arguments of an invocation.
    fn fits(&self, site: &Site, unmet: &Unmet) -> bool {
        let header = Header::of(self.tokens, site);
        let Some(of) = site.within else { return header.fits(unmet, &HashMap::new()) };
        let calls = self.sites.named(&self.sites.list[of].name).filter(|(_, s)| s.what == What::Call);
        let calls = calls.filter(|(_, call)| probe::meant(self.sites, call) == Some(of));
        let mut bound =
            calls.map(|(_, call)| bindings(self.tokens, self.sites, of, call, site.at)).peekable();
        bound.peek().is_none() || bound.any(|bound| header.fits(unmet, &bound))
    }

    /// Whether an invocation is known to generate an impl that fits a bound.
    fn makes_fitting(&self, call: &Site, unmet: &Unmet) -> bool {
        let Some(of) = probe::meant(self.sites, call) else { return false };
        self.sites.in_macro(of).any(|(_, site)| {
            let bound = bindings(self.tokens, self.sites, of, call, site.at);
            site.what == What::Impl
                && site.tr.as_ref() == Some(&unmet.tr)
                && !bound.is_empty()
                && Header::of(self.tokens, site).fits(unmet, &bound)
        })
    }
}

/// The arguments of a macro's invocation by the variables of the arm around a byte, as far as they are one each between
/// commas.
fn bindings<'t>(
    tokens: &Tokens<'t>,
    sites: &Sites,
    of: SiteId,
    call: &Site,
    at: usize,
) -> HashMap<&'t str, Vec<&'t str>> {
    let mut bound = HashMap::new();
    let (Some(open), Some(arguments)) = (sites.list[of].open, call.open) else { return bound };
    let at = tokens.first_from(at);
    let mut pattern = open + 1;
    while pattern < tokens.close(open) && at > tokens.close(tokens.close(pattern) + 3) {
        pattern = tokens.close(tokens.close(pattern) + 3) + 1;
        pattern += usize::from(tokens.is(pattern, ';'));
    }
    let (variables, arguments) = (parts(tokens, pattern), parts(tokens, arguments));
    let repeats = |part: &Range<usize>| {
        part.clone().any(|i| tokens.is(i, '$') && tokens.is(i + 1, '('))
            && (tokens.is(part.end - 1, '*') || tokens.is(part.end - 1, '+'))
    };
    if variables.len() != arguments.len() || variables.iter().any(repeats) {
        return bound;
    }
    for (variable, argument) in variables.iter().zip(arguments) {
        let i = variable.start;
        if let (true, 4, Some(name)) = (tokens.is(i, '$'), variable.len(), tokens.ident(i + 1)) {
            let text = |n: usize| tokens.get(n).map_or(0..0, |t| t.range.clone());
            let range = text(argument.start).start..text(argument.end - 1).end;
            bound.insert(name, pieces(tokens.source().get(range).unwrap_or("")));
        }
    }
    bound
}

/// The parts between commas of the brackets that open at a token.
fn parts(tokens: &Tokens<'_>, open: usize) -> Vec<Range<usize>> {
    let close = tokens.close(open);
    let mut parts = Vec::new();
    let (mut from, mut i) = (open + 1, open + 1);
    while i < close {
        if tokens.is(i, ',') {
            parts.push(from..i);
            from = i + 1;
        }
        // A bracket that isn't opened closes itself.
        i = tokens.close(i) + 1;
    }
    if from < close {
        parts.push(from..close);
    }
    parts
}

/// The header of an impl in pieces.
struct Header<'a> {
    variables: Vec<&'a str>,
    tr: Vec<&'a str>,
    of: Vec<&'a str>,
}

impl<'a> Header<'a> {
    fn of(tokens: &Tokens<'a>, site: &Site) -> Header<'a> {
        let end = site.open.and_then(|open| tokens.get(open)).map_or(site.at, |t| t.range.start);
        Header::read(tokens.source().get(site.at..end).unwrap_or(""))
    }

    fn read(source: &'a str) -> Header<'a> {
        let all = pieces(source);
        let start = all.iter().position(|piece| *piece == "impl").map_or(0, |at| at + 1);
        let rest = &all[start..];
        let generics = if rest.first() == Some(&"<") { after_angles(rest) } else { 0 };
        let mut variables = Vec::new();
        let mut depth = 0usize;
        for (i, piece) in rest[..generics].iter().enumerate() {
            depth = deeper(depth, piece);
            if depth == 1 && matches!(*piece, "<" | ",") {
                let name = rest[i + 1..].iter().find(|piece| **piece != "const");
                variables.extend(name.copied());
            }
        }
        let rest = &rest[generics..];
        let end = rest.iter().position(|piece| *piece == "where").unwrap_or(rest.len());
        let is_for = |i: &usize| rest[*i] == "for" && rest.get(i + 1) != Some(&"<");
        let at = (0..end).find(is_for).unwrap_or(0);
        Header { variables, tr: rest[..at].to_vec(), of: rest[(at + 1).min(end)..end].to_vec() }
    }

    /// Whether the impl can be the one for a bound, with the arguments of the macro that contains it.
    fn fits(&self, unmet: &Unmet, bound: &HashMap<&str, Vec<&str>>) -> bool {
        let filled = |pattern: &[&'a str]| {
            let fill = |piece: &&'a str| match piece.strip_prefix('$').and_then(|name| bound.get(name)) {
                Some(argument) => argument.iter().map(|piece| (*piece).to_owned()).collect(),
                None => vec![(*piece).to_owned()],
            };
            pattern.iter().flat_map(fill).collect::<Vec<String>>()
        };
        let matches = |pattern: &[&'a str], said: &str| {
            let (pattern, said) = (filled(pattern), pieces(said));
            let pattern: Vec<&str> = pattern.iter().map(String::as_str).collect();
            // A type of literals and an associated type can be any.
            let is_unknown = |p: &[&str]| p.contains(&"as") || p.contains(&"{");
            is_unknown(&pattern) || is_unknown(&said) || self.unifies(&plain(&pattern), &plain(&said))
        };
        // An operator's other operand is of the same type by default.
        let itself = [&["<"], &self.of[..], &[">"]].concat();
        let arguments =
            self.tr.iter().position(|piece| *piece == "<").map_or(&itself[..], |at| &self.tr[at..]);
        let same_trait = unmet.arguments.is_empty() || matches(arguments, &unmet.arguments);
        unmet.of.is_empty() || matches(&self.of, &unmet.of) && same_trait
    }

    /// Whether a type with variables can be another one.
    fn unifies(&self, pattern: &[&str], said: &[&str]) -> bool {
        match (pattern, said) {
            ([], []) => true,
            ([p, rest @ ..], [_, ..]) if p.starts_with('$') || self.variables.contains(p) => {
                self.unifies(rest, &said[after_type(said)..])
            }
            ([_, ..], ["_", rest @ ..]) => self.unifies(&pattern[after_type(pattern)..], rest),
            ([p, after @ ..], [s, rest @ ..]) => p == s && self.unifies(after, rest),
            _ => false,
        }
    }
}

/// The names, variables and single characters of a piece of source, without lifetimes.
fn pieces(source: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = source.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let begin = first.len_utf8();
        let name = rest[begin..].find(|c| !is_name(c)).map_or(rest.len(), |end| begin + end);
        let length = match first {
            '-' if rest.starts_with("->") => 2,
            '\'' | '$' => name,
            _ if is_name(first) => name,
            _ => begin,
        };
        if first != '\'' {
            out.push(&rest[..length]);
        }
        rest = rest[length..].trim_start();
    }
    out
}

/// The pieces with only the last name of each path.
fn plain<'p>(pieces: &[&'p str]) -> Vec<&'p str> {
    let mut out: Vec<&str> = Vec::new();
    for piece in pieces {
        let is_path = out.ends_with(&[":", ":"]);
        if is_path {
            out.truncate(out.len() - 2);
            if out.last().is_some_and(|last| idents(last).next().is_some()) {
                out.pop();
            }
        }
        out.push(piece);
    }
    out
}

fn deeper(depth: usize, piece: &str) -> usize {
    match piece {
        "<" | "(" | "[" | "{" => depth + 1,
        ">" | ")" | "]" | "}" => depth.saturating_sub(1),
        _ => depth,
    }
}

/// The index after the angle brackets at the start.
fn after_angles(pieces: &[&str]) -> usize {
    let mut depth = 0;
    let closes = |piece: &&str| {
        depth = deeper(depth, piece);
        depth == 0
    };
    pieces.iter().position(closes).map_or(pieces.len(), |at| at + 1)
}

/// The index after the type at the start.
fn after_type(pieces: &[&str]) -> usize {
    let mut depth = 0usize;
    for (i, piece) in pieces.iter().enumerate() {
        if depth == 0 && matches!(*piece, "," | ";" | ">" | ")" | "]") {
            return i;
        }
        depth = deeper(depth, piece);
    }
    pieces.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unmet(of: &str, arguments: &str) -> Unmet {
        let (of, arguments) = (of.to_owned(), arguments.to_owned());
        Unmet { tr: "Tr".to_owned(), types: BTreeSet::new(), of, arguments }
    }

    #[test]
    fn headers_fit_bounds() {
        for (header, of, arguments, fits) in [
            ("impl Tr<u8> for S", "S", "<u8>", true),
            ("impl Tr<u8> for S", "S", "<u16>", false),
            ("impl a::Tr<u8> for b::S", "c::S", "", true),
            ("impl<T> Tr<T> for S", "S", "<(u8, u16)>", true),
            ("impl<T, const N: usize> Tr<[T; N]> for S where T: A", "S", "<u8>", false),
            ("impl<T, const N: usize> Tr<[T; N]> for S where T: A", "S", "<[Vec<u8>; 2]>", true),
            ("impl<'a, T: A<B>> Tr for &'a T", "T", "", false),
            ("impl<'a, T: A<B>> Tr for &'a T", "&X<Y, Z>", "", true),
            ("impl<T> Tr for Vec<T>", "Vec<_>", "", true),
            ("impl Tr for u8", "{integer}", "", true),
            ("impl Tr for S", "S", "<&S>", false),
            ("impl Tr for S", "S", "<S>", true),
            ("impl Tr for <A as B>::C", "u8", "", true),
            ("impl Tr for $t", "u8", "", true),
            ("impl Tr for S<$t>", "u8", "", false),
        ] {
            let header = Header::read(header);
            assert_eq!(header.fits(&unmet(of, arguments), &HashMap::new()), fits, "{:?} {of}", header.of);
        }
    }

    #[test]
    fn arguments_of_macros_are_bound() {
        let source =
            "macro_rules! m { (@ $t:ty) => {}; ($($a:meta)?, $t:ty, $u:ty) => { impl Tr<$u> for $t {} };
            ($($t:ty),*) => { $(impl Tr for $t {})* } } m! { , u8, S<u16> } m!(u32);";
        let tokens = Tokens::read(source).unwrap();
        let sites = Sites::read(&tokens);
        let of = sites.named("m").find(|(_, s)| s.what == What::Macro).unwrap().0;
        let calls: Vec<&Site> = sites.list.iter().filter(|s| s.what == What::Call).collect();
        let impls: Vec<&Site> = sites.list.iter().filter(|s| s.what == What::Impl).collect();
        let bound = bindings(&tokens, &sites, of, calls[0], impls[0].at);
        assert_eq!((bound["t"].join(""), bound["u"].join("")), ("u8".to_owned(), "S<u16>".to_owned()));
        let header = Header::of(&tokens, impls[0]);
        assert!(header.fits(&unmet("u8", "<S<u16>>"), &bound));
        assert!(
            !header.fits(&unmet("u16", "<S<u16>>"), &bound) && !header.fits(&unmet("u8", "<u16>"), &bound)
        );
        assert!(bindings(&tokens, &sites, of, calls[1], impls[0].at).is_empty());
        assert!(bindings(&tokens, &sites, of, calls[1], impls[1].at).is_empty());
    }
}
