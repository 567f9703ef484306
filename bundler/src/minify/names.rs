//! Shortens names that are not visible outside the program.
//!
//! Every token of one spelling gets the same new spelling wherever it stands, so macro bodies, field shorthands and
//! hygiene need no special care; lifetimes and labels follow the same rule. Two names never become one. Names with a
//! meaning outside keep their spelling, as far as the text shows it ([`super::declared`]). For the rest rustc decides:
//! names at the places of its errors get their old spelling back, until it reports no more.

use super::declared::{names, Names};
use crate::api::error::Error;
use crate::rustc::{Checker, Diagnostic};
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::{plain, Kind, Tokens};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of rounds; no known program needs as many.
const ROUNDS: usize = 12;

/// Short names that mean something to std or to the language.
const TAKEN: &str = "as do dyn eq err fn fs ge gt if in io is le ln lt max min mem mod ne new not now ok ops or pow ptr pub ref \
    abs add cmp cos dbg div fmt for get gen i8 i16 i32 i64 iter len let log map mul mut neg net nth out pop raw rc rem rev rt \
    set shl shr sin str sub sum sync tan tap task thread time try u8 u16 u32 u64 f16 f32 f64 use vec zip f128 i128 u128 by at up to on it \
    c b r br cr rb E PI LN_2 MAX MIN TAU Ok Eq Fn Rc OS TYPE";

/// A text with short names, and the original names.
#[derive(Clone, Debug)]
pub struct Renamed {
    /// The text.
    pub text: Text,
    /// New names and the original ones.
    pub names: BTreeMap<String, String>,
}

/// The text with short names; `None` if nothing can be renamed.
///
/// # Errors
/// If the compiler cannot be run.
pub fn renamed(text: &Text, checker: &Checker) -> Result<Option<Renamed>, Error> {
    let foreign: Vec<String> = checker.flags.externs.iter().map(|(name, _)| name.clone()).collect();
    let Some(mut names) = names(text.as_str(), &foreign) else { return Ok(None) };
    for _ in 0..ROUNDS {
        let short = shortened(&names);
        let after = renamed_by(text, &short);
        let outcome = checker.check(after.text.as_str())?;
        let wrong: Vec<&Diagnostic> =
            outcome.diagnostics.iter().filter(|d| d.is_error() || d.level == "warning").collect();
        if outcome.ok && wrong.is_empty() {
            return Ok(Some(after).filter(|a| !a.names.is_empty()));
        }
        let back = blamed(&wrong, &after);
        if back.is_empty() {
            return Ok(None);
        }
        names.fixed.extend(back);
    }
    Ok(None)
}

/// Chooses a new name for each name that can be shortened.
pub fn shortened(names: &Names) -> BTreeMap<String, String> {
    let is_long = |n: &&String| n.len() > 1 && n.is_ascii() && !n.starts_with('_') && !n.starts_with("r#");
    let free = names.declared.iter().filter(is_long).filter(|n| !names.fixed.contains(*n));
    let mut wanted: Vec<(usize, &String)> = free
        .map(|n| (names.counts.get(n).copied().unwrap_or(0), n))
        .filter(|(count, _)| *count > 0)
        .collect();
    // The most frequent names become the shortest.
    wanted.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let mut pools = [Pool::new(false), Pool::new(true)];
    let mut out = BTreeMap::new();
    for (_, old) in wanted {
        let upper = old.starts_with(|c: char| c.is_ascii_uppercase());
        let pool = &mut pools[usize::from(upper)];
        if let Some(new) = pool.next_but(|n| names.counts.contains_key(n) || names.fixed.contains(n)) {
            if new.len() < old.len() {
                out.insert(old.clone(), new);
            }
        }
    }
    out
}

/// Generates names in order of length.
struct Pool {
    upper: bool,
    next: usize,
    taken: BTreeSet<&'static str>,
}

impl Pool {
    fn new(upper: bool) -> Pool {
        Pool { upper, next: 0, taken: TAKEN.split_whitespace().collect() }
    }

    /// The next name that is free.
    fn next_but(&mut self, taken: impl Fn(&str) -> bool) -> Option<String> {
        while self.next < 26 + 26 * 36 + 26 * 36 * 36 {
            let name = self.spelled(self.next);
            self.next += 1;
            if !taken(&name)
                && !self.taken.contains(name.as_str())
                && syn::parse_str::<syn::Ident>(&name).is_ok()
            {
                return Some(name);
            }
        }
        None
    }

    fn spelled(&self, n: usize) -> String {
        const SIGNS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
        let (mut rest, digits) = match n {
            0..26 => (n, 0),
            26..962 => (n - 26, 1),
            _ => (n - 962, 2),
        };
        let mut tail = Vec::new();
        for _ in 0..digits {
            tail.push(char::from(SIGNS[rest % 36]));
            rest /= 36;
        }
        let name: String =
            std::iter::once(char::from(SIGNS[rest % 26])).chain(tail.into_iter().rev()).collect();
        if self.upper {
            name.to_ascii_uppercase()
        } else {
            name
        }
    }
}

fn renamed_by(text: &Text, short: &BTreeMap<String, String>) -> Renamed {
    let mut edits = Edits::default();
    if let Ok(tokens) = Tokens::read(text.as_str()) {
        for token in tokens.iter().filter(|t| t.kind == Kind::Ident) {
            if let Some(new) = short.get(&text.as_str()[token.range.clone()]) {
                edits.splice(token.range.clone(), text.remade(token.range.clone(), new));
            }
        }
    }
    Renamed { text: text.edited(edits), names: inverted(short) }
}

/// The text with the given new names in place of the original ones.
pub fn renamed_to(text: &Text, names: &BTreeMap<String, String>) -> Text {
    renamed_by(text, &inverted(names)).text
}

fn inverted(names: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    names.iter().map(|(a, b)| (b.clone(), a.clone())).collect()
}

/// The original names that rustc's errors are about: those at their places, else those on their lines.
fn blamed(wrong: &[&Diagnostic], after: &Renamed) -> BTreeSet<String> {
    let source = after.text.as_str();
    let Ok(tokens) = Tokens::read(source) else { return BTreeSet::new() };
    let within = |start: usize, end: usize| -> BTreeSet<String> {
        tokens
            .iter()
            .filter(|t| t.kind == Kind::Ident && t.range.start < end && start < t.range.end)
            .filter_map(|t| after.names.get(plain(&source[t.range.clone()])).cloned())
            .collect()
    };
    let mut out = BTreeSet::new();
    for d in wrong {
        let quoted: BTreeSet<String> =
            d.message.split('`').skip(1).step_by(2).filter_map(|w| after.names.get(w).cloned()).collect();
        let primary = d.spans.iter().filter(|s| s.is_primary);
        let at: BTreeSet<String> = primary.clone().flat_map(|s| within(s.byte_start, s.byte_end)).collect();
        let mut found = if quoted.is_empty() { at } else { quoted };
        if found.is_empty() {
            found = d.spans.iter().flat_map(|s| within(s.byte_start, s.byte_end)).collect();
        }
        if found.is_empty() {
            for s in primary {
                let from = source[..s.byte_start.min(source.len())].rfind('\n').unwrap_or(0);
                let to = source[s.byte_end.min(source.len())..]
                    .find('\n')
                    .map_or(source.len(), |n| s.byte_end + n);
                found.extend(within(from, to));
            }
        }
        out.extend(found);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(source: &str) -> String {
        let names = names(source, &["rand".into()]).unwrap();
        renamed_by(&Text::generated(source), &shortened(&names)).text.as_str().to_owned()
    }

    #[test]
    fn declared_names_are_shortened() {
        assert_eq!(
            short("struct Board { cells: u8 } impl Board { const LIMIT: u8 = 1; fn value_of(&self, other: u8) -> u8 { self.cells + other + Self::LIMIT } }"),
            "struct A { a: u8 } impl A { const B: u8 = 1; fn f(&self, d: u8) -> u8 { self.a + d + Self::B } }"
                .replace("fn f", "fn e")
        );
        assert_eq!(
            short("macro_rules! add_up { ($left:expr) => { $left + 1 } } fn main() { add_up!(1); }"),
            "macro_rules! a { ($d:expr) => { $d + 1 } } fn main() { a!(1); }"
        );
        assert_eq!(
            short("fn first<'input>(t: &'input str) -> &'static str { 'outer: loop { break 'outer \"\"; } }"),
            "fn first<'a>(t: &'a str) -> &'static str { 'd: loop { break 'd \"\"; } }"
        );
    }

    #[test]
    fn outside_names_stay() {
        for same in [
            "use std::collections::{HashMap, BTreeMap as Tree}; fn main() {}",
            "use rand::{Rng, rngs::{self, SmallRng}}; fn main() { rand::random::<u8>(); }",
            "struct T; impl Iterator for T { type Item = u8; fn next(&mut self) -> Option<u8> { None } fn size_hint(&self) {} }",
            "#[derive(Debug)] struct Shown { field: u8 } #[derive(Debug)] enum Also { First, Second { inner: u8 } }",
            "extern \"C\" { fn abs_of(x: i32) -> i32; } #[no_mangle] fn exported() {}",
            "fn main() { let (width, x) = (1, 2); println!(\"{x:>width$}\"); }",
            "fn main() { let outer = 1; stringify!(outer); concat!(\"a\"); }",
            "fn main() { let r#type = 1; let é = r#type; }",
            "fn main() { let cond = true; assert!(cond); }",
        ] {
            let names = names(same, &["rand".into()]).unwrap();
            let short = shortened(&names);
            // A derived `Debug` does not print the name of the enum.
            let allowed = ["Tree", "T", "x", "Also"];
            assert!(short.keys().all(|k| allowed.contains(&k.as_str())), "{same}: {short:?}");
        }
        assert!(names("fn main() { std::any::type_name::<u8>(); }", &[]).is_none());
        assert!(names("fn main( {", &[]).is_none());
    }

    #[test]
    fn new_names_are_new() {
        let source = "fn a() {} fn b() {} fn long_one(d: u8) { let number = 1; } struct A; struct Big; fn last_one() {}";
        let names = names(source, &[]).unwrap();
        let short = shortened(&names);
        let new: BTreeSet<&String> = short.values().collect();
        assert_eq!(new.len(), short.len());
        assert!(new.iter().all(|n| !names.counts.contains_key(*n)), "{short:?}");
        let mut pool = Pool::new(false);
        let many: BTreeSet<String> = std::iter::from_fn(|| pool.next_but(|_| false)).collect();
        assert!(many.len() > 30_000 && many.iter().all(|n| n.len() <= 3));
    }
}
