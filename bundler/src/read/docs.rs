//! Removes doc comments in macro arguments, unless the macro's rules require them.
//!
//! `m! { /// text \n A }` matches `(#[$doc:meta] $name:ident)`; without the comment it would not. A macro's rules are
//! known only when all crates are joined, so until then each such comment is replaced by a [`MARK`].

use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::{Kind, Tokens, Unreadable};
use std::collections::HashSet;
use std::ops::Range;

/// The placeholder for a doc comment in macro arguments.
pub const MARK: &str = "#[doc=\"\"]";

/// For each macro call, the macro's name and the tokens between the brackets; definitions are not included.
pub fn arguments<'a>(tokens: &Tokens<'a>) -> Vec<(&'a str, Range<usize>)> {
    calls(tokens).filter(|(name, _)| *name != "macro_rules").collect()
}

fn calls<'t, 'a>(tokens: &'t Tokens<'a>) -> impl Iterator<Item = (&'a str, Range<usize>)> + 't {
    (0..tokens.len()).filter_map(|i| {
        let name = tokens.ident(i).filter(|_| tokens.is(i + 1, '!'))?;
        let open = if name == "macro_rules" { i + 3 } else { i + 2 };
        let opens = matches!(tokens.get(open)?.kind, Kind::Open(_));
        opens.then(|| (name, open + 1..tokens.close(open)))
    })
}

/// Removes the marks that no macro requires.
pub fn remove(text: &Text) -> Result<Text, Unreadable> {
    if !text.as_str().contains(MARK) {
        return Ok(text.clone());
    }
    let tokens = Tokens::read(text.as_str())?;
    let requiring = requiring(&tokens);
    let kept: Vec<Range<usize>> =
        arguments(&tokens).into_iter().filter(|(name, _)| requiring.contains(name)).map(|(_, r)| r).collect();
    let mut edits = Edits::default();
    let mut next = 0;
    for i in 0..tokens.len() {
        // Calls may be nested, so the last one that starts before `i` need not contain it.
        while next < kept.len() && kept[next].end <= i {
            next += 1;
        }
        let wanted = kept[next..].iter().take_while(|r| r.start <= i).any(|r| r.contains(&i));
        if let (false, Some(range)) = (wanted, mark(&tokens, i)) {
            edits.delete(crate::syntax::spans::with_space(text.as_str(), range));
        }
    }
    Ok(text.edited(edits))
}

fn mark(tokens: &Tokens<'_>, i: usize) -> Option<Range<usize>> {
    if !(tokens.is(i, '#') && tokens.is(i + 1, '[') && tokens.ident(i + 2) == Some("doc")) {
        return None;
    }
    let range = tokens.get(i)?.range.start..tokens.get(tokens.close(i + 1))?.range.end;
    (range.len() == MARK.len() && tokens.text(i + 4) == "\"\"").then_some(range)
}

/// The macros with a rule that requires an attribute, and those that call such a macro.
fn requiring<'a>(tokens: &Tokens<'a>) -> HashSet<&'a str> {
    let definitions: Vec<(&str, Range<usize>)> = calls(tokens)
        .filter(|(name, _)| *name == "macro_rules")
        .filter_map(|(_, body)| Some((tokens.ident(body.start.checked_sub(2)?)?, body)))
        .collect();
    let mut requiring: HashSet<&str> = definitions
        .iter()
        .filter(|(_, body)| body.clone().any(|i| requires(tokens, i)))
        .map(|(name, _)| *name)
        .collect();
    loop {
        let before = requiring.len();
        for (name, body) in &definitions {
            let mut called = body.clone().filter(|&i| tokens.is(i + 1, '!')).filter_map(|i| tokens.ident(i));
            if called.any(|called| requiring.contains(called)) {
                requiring.insert(name);
            }
        }
        if requiring.len() == before {
            return requiring;
        }
    }
}

/// Whether the tokens at `i` are `#[$x:meta]` or `#[doc = $x:expr]` in a rule, outside `$(…)*` and `$(…)?`.
fn requires(tokens: &Tokens<'_>, i: usize) -> bool {
    if !(tokens.is(i, '#') && tokens.is(i + 1, '[') && takes(tokens, i)) {
        return false;
    }
    let close = tokens.close(i + 1);
    let repeated = i >= 2 && tokens.is(i - 1, '(') && tokens.is(i - 2, '$') && tokens.is(close + 1, ')');
    let optional = |at| tokens.is(at, '*') || tokens.is(at, '?');
    !(repeated && (optional(close + 2) || optional(close + 3)))
}

/// Whether the attribute at `i` is part of a rule: it contains a `$name:kind`.
pub fn takes(tokens: &Tokens<'_>, i: usize) -> bool {
    let close = tokens.close(i + 1);
    (i..close).any(|j| {
        tokens.is(j, '$') && tokens.ident(j + 1).is_some() && tokens.is(j + 2, ':') && !tokens.is(j + 3, ':')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_required_docs_stay() {
        let rules = "macro_rules! a { ($(#[$m:meta])* $n:ident) => { $(#[$m])* fn $n() {} } } \
                     macro_rules! b { ($(#[$m:meta] $n:ident,)+) => { } } macro_rules! c { ($($t:tt)*) => { b! { $($t)* } } }";
        for (from, to) in [
            ("a! { #[doc=\"\"] x }", "a! { x }"),
            ("b! { #[doc=\"\"] x, }", "b! { #[doc=\"\"] x, }"),
            ("c! { #[doc=\"\"] x, } a!(#[doc=\"\"] y);", "c! { #[doc=\"\"] x, } a!(y);"),
        ] {
            let new = remove(&Text::generated(format!("{rules} {from}"))).unwrap();
            assert_eq!(new.as_str(), format!("{rules} {to}"));
        }
    }
}
