//! Finds the elements of lists from which a macro generates one impl each: `impl_array!(1, 2, 4)`.

use crate::prune::probe;
use crate::prune::sites::{Site, SiteId, Sites, What};
use crate::syntax::tokens::{Kind, Tokens};
use std::collections::BTreeSet;

/// The elements in all invocations of macros that treat each element alike and do nothing else.
pub fn elements(tokens: &Tokens<'_>, sites: &Sites) -> Vec<Site> {
    let calls = sites.list.iter().enumerate().filter(|(_, s)| s.what == What::Call && s.within.is_none());
    let listed = calls.filter(|(_, s)| probe::meant(sites, s).is_some_and(|m| is_list(tokens, sites, m)));
    listed.flat_map(|(id, call)| of_call(tokens, id, call)).collect()
}

/// Whether a macro has the form `($(…),+) => { $(impl …)+ }`.
fn is_list(t: &Tokens<'_>, sites: &Sites, of: SiteId) -> bool {
    let Some(open) = sites.list[of].open else { return false };
    let pattern = open + 1;
    let separated = t.is(pattern + 1, '$') && t.is(pattern + 2, '(') && {
        let close = t.close(pattern + 2);
        let op = t.is(close + 2, '+') || t.is(close + 2, '*');
        let rest = close + 3;
        // A trailing comma may follow.
        let comma = t.is(rest, '$') && t.is(rest + 1, '(') && t.is(rest + 2, ',') && t.is(rest + 3, ')');
        let end = if comma { rest + 5 } else { rest };
        t.is(close + 1, ',') && op && t.close(pattern) == end
    };
    let Some(body) = Some(t.close(pattern) + 3).filter(|_| separated) else { return false };
    let last = t.close(body);
    let alone = last + 1 == t.close(open) || t.is(last + 1, ';') && last + 2 == t.close(open);
    let byte = |n: usize| t.get(n).map(|x| x.range.clone());
    let mut inside = sites.inside(of);
    let (Some((repeat, site)), None) = (inside.next(), inside.next()) else { return false };
    let whole = byte(body + 1).map(|r| r.start) == Some(site.range.start)
        && byte(last - 1).map(|r| r.end) == Some(site.range.end);
    let mut made = sites.inside(repeat).peekable();
    alone && whole && made.peek().is_some() && made.all(|(_, s)| s.what == What::Impl)
}

fn of_call(t: &Tokens<'_>, id: SiteId, call: &Site) -> Vec<Site> {
    let Some(open) = call.open else { return Vec::new() };
    let close = t.close(open);
    let mut out = Vec::new();
    let mut start = open + 1;
    let mut n = start;
    while n <= close {
        if n == close || t.is(n, ',') {
            if n > start {
                out.extend(element(t, start, n, id));
            }
            start = n + 1;
        }
        n = if n < close && matches!(t.get(n).map(|x| x.kind), Some(Kind::Open(_))) {
            t.close(n) + 1
        } else {
            n + 1
        };
    }
    let list = out.first().map_or(0, |s: &Site| s.range.start)..out.last().map_or(0, |s| s.range.end);
    out.iter_mut().for_each(|s| s.list = list.clone());
    out
}

fn element(t: &Tokens<'_>, start: usize, end: usize, owner: SiteId) -> Option<Site> {
    let range = t.get(start)?.range.start..t.get(end - 1)?.range.end;
    let word = (start..end).find_map(|n| t.ident(n).map(str::to_owned));
    let name = word.unwrap_or_else(|| as_printed(t.text(start)));
    Some(Site {
        what: What::Element,
        about: BTreeSet::from([name.clone()]),
        name,
        tr: None,
        arguments: BTreeSet::new(),
        at: range.start,
        range,
        owner: Some(owner),
        list: 0..0,
        name_at: usize::MAX,
        open: None,
        within: None,
    })
}

/// A number as rustc prints it in messages.
fn as_printed(literal: &str) -> String {
    let plain = literal.replace('_', "");
    let hexadecimal = plain.strip_prefix("0x").and_then(|digits| u128::from_str_radix(digits, 16).ok());
    hexadecimal.map_or(plain, |n| n.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> Vec<String> {
        let tokens = Tokens::read(source).unwrap();
        let sites = Sites::read(&tokens);
        let elements = sites.list.iter().filter(|s| s.what == What::Element);
        elements.map(|s| format!("{} {}", s.name, &source[s.range.clone()])).collect()
    }

    #[test]
    fn lists_of_impls_are_found() {
        let list = "macro_rules! m { ($($t:ty = $e:expr),+ $(,)?) => ( $( impl T for $t {} impl U<$t> for X {} )* ); }";
        assert_eq!(
            shown(&format!("{list} m!(u8 = f(1, 2), Vec = [3, 4],); m!(0x1_0, 7);")),
            ["u8 u8 = f(1, 2)", "Vec Vec = [3, 4]", "16 0x1_0", "7 7"]
        );
    }

    #[test]
    fn other_macros_are_ignored() {
        for of in [
            "($($t:ty),*) => { $(impl T for $t {})* const N: usize = 0 $(+ <$t>::N)*; }",
            "($a:ty, $($t:ty),*) => { $(impl T<$a> for $t {})* }",
            "($($t:ty),*) => { $(impl T for $t {})* }; (a) => {}",
            "($($t:ty),*) => { impl T for ($($t),*) {} }",
        ] {
            assert!(shown(&format!("macro_rules! m {{ {of} }} m!(u8, u16);")).is_empty(), "{of}");
        }
    }
}
