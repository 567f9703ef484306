//! Edition 2015 in the words of 2018, as far as that is certain.

use crate::text::{Edits, Text};
use crate::tokens::{Kind, Tokens, Unreadable};

/// Gives names to the parameters that have only a type: `fn f(u8);` becomes `fn f(_: u8);`.
pub fn named_parameters(text: &Text) -> Result<Text, Unreadable> {
    let tokens = Tokens::read(text.as_str())?;
    let mut edits = Edits::default();
    for i in 0..tokens.len() {
        // A type `fn(u8)` has no name.
        if tokens.ident(i) != Some("fn") || tokens.ident(i + 1).is_none() {
            continue;
        }
        if let Some(open) = parameters(&tokens, i + 2) {
            name(&tokens, open, &mut edits);
        }
    }
    Ok(text.edited(edits))
}

/// The bracket that opens the parameters, after `<…>` if there are generics.
fn parameters(tokens: &Tokens<'_>, mut i: usize) -> Option<usize> {
    let mut depth = 0i32;
    loop {
        match tokens.get(i)?.kind {
            Kind::Open('(') if depth == 0 => return Some(i),
            Kind::Open(_) => i = tokens.close(i),
            Kind::Punct('<') => depth += 1,
            Kind::Punct('>') if !tokens.is(i - 1, '-') => depth -= 1,
            Kind::Punct(';') => return None,
            _ => {}
        }
        i += 1;
    }
}

fn name(tokens: &Tokens<'_>, open: usize, edits: &mut Edits) {
    let close = tokens.close(open);
    let mut start = open + 1;
    while start < close {
        let (mut end, mut angles, mut named) = (start, 0i32, false);
        while end < close && !(angles == 0 && tokens.is(end, ',')) {
            match tokens.get(end).map(|t| t.kind) {
                Some(Kind::Open(_)) => end = tokens.close(end),
                Some(Kind::Punct('<')) => angles += 1,
                Some(Kind::Punct('>')) if !tokens.is(end - 1, '-') => angles -= 1,
                Some(Kind::Punct(':')) if tokens.colons(end) => end += 1,
                Some(Kind::Punct(':' | '$')) => named = true,
                Some(Kind::Ident) if tokens.ident(end) == Some("self") => named = true,
                _ => {}
            }
            end += 1;
        }
        if !named && end > start {
            if let Some(token) = tokens.get(start) {
                edits.insert(token.range.start, "_: ");
            }
        }
        start = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_get_names() {
        for (from, to) in [
            ("fn f(&mut self, Self);", "fn f(&mut self, _: Self);"),
            (
                "fn f<T: Fn(u8) -> u8>(T, a::B<u8, u8>) -> u8;",
                "fn f<T: Fn(u8) -> u8>(_: T, _: a::B<u8, u8>) -> u8;",
            ),
            ("fn f(self, x: u8, (a, b): (u8, u8)) {}", "fn f(self, x: u8, (a, b): (u8, u8)) {}"),
            ("type F = fn(u8); fn f() {}", "type F = fn(u8); fn f() {}"),
        ] {
            assert_eq!(named_parameters(&Text::made(from)).unwrap().as_str(), to);
        }
    }
}
