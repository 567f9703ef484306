//! Stubs trait methods that an impl must have but the program never calls.

use crate::syntax::tokens::{Kind, Tokens};
use std::ops::Range;

/// The stub's body.
const NEVER: &str = "{loop {}}";

/// Replacements of equal length that turn the function whose head starts at `at` into an endless loop; `None` if that
/// would be no shorter, or if a parameter is not a plain name.
pub fn edits(source: &str, at: usize, body: &Range<usize>) -> Option<Vec<(Range<usize>, String)>> {
    let inside = source.get(body.clone())?;
    let solid = inside.bytes().filter(|b| !b.is_ascii_whitespace()).count();
    let head = source.get(at..body.start)?;
    if solid <= NEVER.len() {
        return None;
    }
    let mut out = parameters(head, at)?;
    let padding = " ".repeat(body.len() - NEVER.len());
    out.push((body.clone(), format!("{NEVER}{padding}")));
    Some(out)
}

/// Replacements that rename parameters to `_`, so that rustc reports none as unused.
fn parameters(head: &str, at: usize) -> Option<Vec<(Range<usize>, String)>> {
    let tokens = Tokens::read(head).ok()?;
    let function = (0..tokens.len()).find(|&i| tokens.ident(i) == Some("fn"))?;
    // A loop cannot be the body of an `async` or `const` function or one that returns `impl Trait`.
    let known = |i: usize| !matches!(tokens.ident(i), Some("impl" | "async" | "const"));
    let mut angles = 0usize;
    let open = (function..tokens.len()).find(|&i| {
        if tokens.is(i, '<') {
            angles += 1;
        } else if tokens.is(i, '>') && !tokens.is(i - 1, '-') {
            angles = angles.saturating_sub(1);
        }
        angles == 0 && tokens.is(i, '(')
    })?;
    if !(0..function).all(known) || !(tokens.close(open)..tokens.len()).all(known) {
        return None;
    }
    let mut out = Vec::new();
    let mut start = open + 1;
    while start < tokens.close(open) {
        let mut end = start;
        let mut angles = 0usize;
        while end < tokens.close(open) && !(angles == 0 && tokens.is(end, ',')) {
            if tokens.is(end, '<') {
                angles += 1;
            } else if tokens.is(end, '>') && !tokens.is(end - 1, '-') {
                angles = angles.saturating_sub(1);
            }
            end = match tokens.get(end)?.kind {
                Kind::Open(_) => tokens.close(end) + 1,
                _ => end + 1,
            };
        }
        let name = start + usize::from(tokens.ident(start) == Some("mut"));
        let receiver = (start..end).any(|i| tokens.ident(i) == Some("self"));
        let from = tokens.get(start)?.range.start;
        let to = tokens.get(name)?.range.clone();
        if receiver && name > start {
            out.push((at + from..at + to.start, " ".repeat(to.start - from)));
        } else if !receiver {
            if tokens.ident(name).is_none() || !tokens.is(name + 1, ':') {
                return None;
            }
            let rest = " ".repeat(to.end - from - 1);
            out.push((at + from..at + to.end, format!("{rest}_")));
        }
        start = end + 1;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stubbed(source: &str) -> Option<String> {
        let body = source.find('{')?..source.len();
        let mut out = source.to_owned();
        for (range, with) in edits(source, 0, &body)? {
            assert_eq!(range.len(), with.len());
            out.replace_range(range, &with);
        }
        Some(out.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn bodies_are_stubbed() {
        let said = |s: &str| stubbed(s).unwrap_or_default();
        assert_eq!(
            said("fn f<A: Fn(u8) -> u8>(mut self, a: A, mut b: Map<K, V>) -> u8 { a(b.long_enough()) }"),
            "fn f<A: Fn(u8) -> u8>( self, _: A, _: Map<K, V>) -> u8 {loop {}}"
        );
        assert_eq!(said("fn f(&self) { self.something() }"), "fn f(&self) {loop {}}");
    }

    #[test]
    fn other_bodies_stay() {
        for source in [
            "fn f(&self) -> impl Iterator<Item = u8> { self.something() }",
            "async fn f(&self) { self.something() }",
            "fn f((a, b): (u8, u8)) { a + b + a + b + a }",
            "fn f($name: u8) { something($name, $name) }",
            "fn f(&self) { 1 }",
        ] {
            assert_eq!(stubbed(source), None, "{source}");
        }
    }
}
