//! Rewrites older editions to 2021, and 2021 to 2024, as far as tokens allow.

use crate::plan::constants::argument;
use crate::read::strip::str_literal;
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::{Kind, Tokens, Unreadable};
use cargo_metadata::Edition;

/// Rewrites a crate of edition `from` so that it means the same in 2021.
pub fn modernise(text: &Text, from: Edition) -> Result<Text, Unreadable> {
    let (is_2015, is_2018) = (from == Edition::E2015, from == Edition::E2018);
    if !is_2015 && !is_2018 {
        return Ok(text.clone());
    }
    let tokens = Tokens::read(text.as_str())?;
    let mut edits = Edits::default();
    for i in 0..tokens.len() {
        if is_2015 {
            escape_new_keyword(&tokens, i, &mut edits);
        }
        rewrite_fragment(&tokens, i, ("pat", "pat_param"), &mut edits);
        rewrite_dots(&tokens, i, &mut edits);
        mark_fn_object(&tokens, i, &mut edits);
        escape_message(&tokens, i, &mut edits);
        part_prefix(&tokens, i, &mut edits);
    }
    let text = text.edited(edits);
    if is_2015 {
        named_parameters(&text)
    } else {
        Ok(text)
    }
}

/// Rewrites those bytes of a text of edition 2021 for which `is_older` is true, so that they mean the same in 2024.
pub fn for_2024(text: &Text, is_older: impl Fn(usize) -> bool) -> Result<Text, Unreadable> {
    let tokens = Tokens::read(text.as_str())?;
    let mut edits = Edits::default();
    for i in (0..tokens.len()).filter(|&i| tokens.get(i).is_some_and(|t| is_older(t.range.start))) {
        rewrite_fragment(&tokens, i, ("expr", "expr_2021"), &mut edits);
        mark_for_2024(&tokens, i, &mut edits);
        part_hashes(&tokens, i, &mut edits);
    }
    Ok(text.edited(edits))
}

/// Escapes names that are keywords since 2018.
fn escape_new_keyword(tokens: &Tokens<'_>, i: usize, edits: &mut Edits) {
    let is_name = match tokens.text(i) {
        "async" | "await" | "try" => true,
        "dyn" => {
            let next = tokens.get(i + 1).map(|t| t.kind);
            !(tokens.ident(i + 1).is_some_and(|n| n != "as" && n != "in")
                || matches!(next, Some(Kind::Open('('))) && !tokens.is(i.wrapping_sub(1), '.')
                || ['\'', '?', '$', '<'].iter().any(|&c| tokens.is(i + 1, c)))
        }
        _ => false,
    };
    if let (true, Some(token)) =
        (is_name && tokens.get(i).is_some_and(|t| t.kind == Kind::Ident), tokens.get(i))
    {
        edits.insert(token.range.start, "r#");
    }
}

/// Replaces the fragment specifier in `$x:old` by `new`.
fn rewrite_fragment(tokens: &Tokens<'_>, i: usize, (old, new): (&str, &str), edits: &mut Edits) {
    let is = tokens.text(i) == old
        && i >= 3
        && tokens.is(i - 1, ':')
        && tokens.ident(i - 2).is_some()
        && tokens.is(i - 3, '$');
    if let (true, Some(token)) = (is, tokens.get(i)) {
        edits.replace(token.range.clone(), new);
    }
}

/// Rewrites `a...b` as `a..=b`.
fn rewrite_dots(tokens: &Tokens<'_>, i: usize, edits: &mut Edits) {
    let operand = |t: Option<&crate::syntax::tokens::Token>| {
        t.is_some_and(|t| matches!(t.kind, Kind::Ident | Kind::Literal))
    };
    let is = i > 0 && (0..3).all(|k| tokens.is(i + k, '.')) && operand(tokens.get(i - 1));
    if let (true, Some(first), Some(last)) = (is, tokens.get(i), tokens.get(i + 2)) {
        if last.range.end == first.range.start + 3 && (operand(tokens.get(i + 3)) || tokens.is(i + 3, '-')) {
            edits.replace(first.range.start..last.range.end, "..=");
        }
    }
}

/// Adds the `dyn` of a trait object `Fn(A) -> B`, which the parser does not know without.
fn mark_fn_object(tokens: &Tokens<'_>, i: usize, edits: &mut Edits) {
    let is_call = matches!(tokens.get(i + 1).map(|t| t.kind), Some(Kind::Open('(')));
    if !matches!(tokens.text(i), "Fn" | "FnMut" | "FnOnce") || !is_call {
        return;
    }
    // The beginning of the path, and of `for<'a>` before it.
    let mut first = i;
    while first >= 2 && tokens.colons(first - 2) {
        first -= if first >= 3 && tokens.ident(first - 3).is_some() { 3 } else { 2 };
    }
    if first >= 1 && tokens.is(first - 1, '>') {
        let open = (0..first).rev().find(|&n| tokens.is(n, '<'));
        match open.filter(|&n| n > 0 && tokens.text(n - 1) == "for") {
            Some(open) => first = open - 1,
            None => return,
        }
    }
    let Some(before) = first.checked_sub(1) else { return };
    let is_type = match tokens.get(before).map(|t| t.kind) {
        Some(Kind::Punct(c)) => {
            let is_arrow = c == '>' && before > 0 && tokens.is(before - 1, '-');
            ['&', '<', ',', '='].contains(&c) || is_arrow
        }
        Some(Kind::Open(c)) => ['(', '['].contains(&c),
        Some(Kind::Ident) => tokens.text(before) == "mut",
        // `&'a Fn()`
        _ => before > 0 && tokens.is(before - 1, '&'),
    };
    // A variable in a field or parameter list has a colon before its type: `f: Fn(A)` may only be a bound.
    if let (true, Some(token)) = (is_type, tokens.get(first)) {
        edits.insert(token.range.start, "dyn ");
    }
}

/// Escapes braces in a lone message of `panic!` or `assert!`, which is not a format string before 2021.
fn escape_message(tokens: &Tokens<'_>, i: usize, edits: &mut Edits) {
    let before = match tokens.text(i) {
        "panic" | "unreachable" => 0,
        "assert" | "debug_assert" => 1,
        _ => return,
    };
    if !tokens.is(i + 1, '!') || !matches!(tokens.get(i + 2).map(|t| t.kind), Some(Kind::Open(_))) {
        return;
    }
    let (mut start, close) = (i + 3, tokens.close(i + 2));
    for _ in 0..before {
        start = argument(tokens, start, close) + 1;
    }
    let end = argument(tokens, start, close);
    let alone = start < close && (end == close || end + 1 == close);
    let (Some(first), Some(last)) = (tokens.get(start), tokens.get(end.wrapping_sub(1))) else { return };
    if !alone {
        return;
    }
    match syn::parse_str::<syn::LitStr>(tokens.text(start)) {
        Ok(text) if end == start + 1 => {
            let value = text.value();
            if value.contains(['{', '}']) {
                edits.replace(first.range.clone(), str_literal(&value.replace('{', "{{").replace('}', "}}")));
            }
        }
        _ if tokens.text(i) == "panic" && !tokens.is(start, '$') && !tokens.is(start + 1, '!') => {
            let path = tokens.get(i).map_or(0, |t| t.range.start);
            if i == 0 || !tokens.is(i - 1, ':') {
                edits.replace(path..first.range.start, "::std::panic::panic_any(");
                let close = tokens.get(close).map_or(last.range.end, |t| t.range.end);
                edits.replace(last.range.end..close, ")");
            }
        }
        _ => {}
    }
}

/// Parts a name from what follows, where both have been one token since 2021: `name"text"`, `name'c'`, `name#x`.
fn part_prefix(tokens: &Tokens<'_>, i: usize, edits: &mut Edits) {
    let (Some(name), Some(next)) = (tokens.get(i), tokens.get(i + 1)) else { return };
    let adjoins = name.kind == Kind::Ident && name.range.end == next.range.start;
    if adjoins && tokens.text(i + 1).starts_with(['"', '\'', '#']) {
        edits.insert(next.range.start, " ");
    }
}

/// Parts a `#` from a text or another `#` after it, where both have been reserved since 2024.
fn part_hashes(tokens: &Tokens<'_>, i: usize, edits: &mut Edits) {
    let (Some(hash), Some(next)) = (tokens.get(i), tokens.get(i + 1)) else { return };
    if tokens.is(i, '#') && hash.range.end == next.range.start && tokens.text(i + 1).starts_with(['"', '#']) {
        edits.insert(next.range.start, " ");
    }
}

/// Adds the `unsafe` and `r#` that edition 2024 requires and older editions accept.
fn mark_for_2024(tokens: &Tokens<'_>, i: usize, edits: &mut Edits) {
    let Some(token) = tokens.get(i).filter(|t| t.kind == Kind::Ident) else { return };
    match tokens.text(i) {
        "gen" => edits.insert(token.range.start, "r#"),
        "extern" if i == 0 || tokens.text(i - 1) != "unsafe" => {
            let abi = usize::from(tokens.get(i + 1).is_some_and(|t| t.kind == Kind::Literal));
            if tokens.is(i + 1 + abi, '{') {
                edits.insert(token.range.start, "unsafe ");
            }
        }
        "no_mangle" | "export_name" | "link_section"
            if i > 1 && tokens.is(i - 1, '[') && tokens.is(i - 2, '#') =>
        {
            let close = tokens.get(tokens.close(i - 1)).map_or(token.range.end, |t| t.range.start);
            edits.insert(token.range.start, "unsafe(");
            edits.insert(close, ")");
        }
        _ => {}
    }
}

/// Names parameters that have only a type: `fn f(u8);` becomes `fn f(_: u8);`.
pub fn named_parameters(text: &Text) -> Result<Text, Unreadable> {
    let tokens = Tokens::read(text.as_str())?;
    let mut edits = Edits::default();
    for i in 0..tokens.len() {
        // A function pointer type `fn(u8)` needs no names.
        if tokens.ident(i) != Some("fn") || tokens.ident(i + 1).is_none() {
            continue;
        }
        if let Some(open) = parameters(&tokens, i + 2) {
            name_parameters(&tokens, open, &mut edits);
        }
    }
    Ok(text.edited(edits))
}

/// The index of the bracket that opens the parameters, after generics if there are any.
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

fn name_parameters(tokens: &Tokens<'_>, open: usize, edits: &mut Edits) {
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
    fn older_syntax_is_rewritten() {
        let old = |from: &str| modernise(&Text::generated(from), Edition::E2015).unwrap().as_str().to_owned();
        for (from, to) in [
            ("let async = dyn + await;", "let r#async = r#dyn + r#await;"),
            ("x: &dyn Fn(), y: Box<dyn (::T)>", "x: &dyn Fn(), y: Box<dyn (::T)>"),
            ("try!(x)", "r#try!(x)"),
            ("($p:pat, $e:expr) => {}", "($p:pat_param, $e:expr) => {}"),
            ("0...9 => 'a'...'b', (x, ...)", "0..=9 => 'a'..='b', (x, ...)"),
            (
                "panic!(\"{x}\"); panic!(\"{}\", x); assert!(a, \"{\",)",
                "panic!(\"{{x}}\"); panic!(\"{}\", x); assert!(a, \"{{\",)",
            ),
            ("panic!(text)", "::std::panic::panic_any(text)"),
            ("panic!()", "panic!()"),
            ("m!(z\"a\" b\"c\" k#d r#e)", "m!(z \"a\" b\"c\" k #d r#e)"),
        ] {
            assert_eq!(old(from), to);
        }
        let new = |from: &str| for_2024(&Text::generated(from), |_| true).unwrap().as_str().to_owned();
        for (from, to) in [
            ("fn gen() {}", "fn r#gen() {}"),
            (
                "extern \"C\" { fn f(); } extern \"C\" fn g() {}",
                "unsafe extern \"C\" { fn f(); } extern \"C\" fn g() {}",
            ),
            ("#[no_mangle] fn f() {}", "#[unsafe(no_mangle)] fn f() {}"),
            ("($e:expr) => {}", "($e:expr_2021) => {}"),
            ("m!(#\"a\" ##b # [c])", "m!(# \"a\" # #b # [c])"),
        ] {
            assert_eq!(new(from), to);
        }
    }

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
            assert_eq!(named_parameters(&Text::generated(from)).unwrap().as_str(), to);
        }
    }
}
