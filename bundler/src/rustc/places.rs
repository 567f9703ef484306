//! Source whose compiled code does not depend on its own lines and columns.
//!
//! `line!()`, `column!()` and `dbg!` are allowed in messages, whose numbers may differ in a bundle. So that the proof
//! compares everything else, they are the same number wherever they stand in the compared texts.

use crate::api::error::Error;
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::Tokens;
use std::borrow::Cow;

/// `dbg!` of the standard library without its line and column.
const DBG: &str = "#[allow(unused_macros)] macro_rules! dbg { \
    () => { ::std::eprintln!(\"[{}]\", ::std::file!()) }; \
    ($value:expr $(,)?) => { match $value { value => { \
    ::std::eprintln!(\"[{}] {} = {:#?}\", ::std::file!(), ::std::stringify!($value), &value); value } } }; \
    ($($value:expr),+ $(,)?) => { ($(dbg!($value)),+,) }; }\n";

/// The code of a source without its own lines and columns, or of the source itself if that does not compile.
pub fn placeless(
    source: &str,
    code: impl Fn(&str) -> Result<Option<String>, Error>,
) -> Result<Option<String>, Error> {
    let changed = without_places(source);
    match code(&changed)? {
        None if changed != source => code(source),
        compiled => Ok(compiled),
    }
}

/// Whether the code of a source may depend on its lines and columns.
pub fn has_places(source: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = ["line!", "column!", "dbg!"].into_iter().flat_map(|name| source.match_indices(name));
    found.any(|(at, _)| !source[..at].ends_with(is_name))
}

/// The source without its own lines and columns; the source itself if it has none, or if it defines such a macro.
fn without_places(source: &str) -> Cow<'_, str> {
    if !has_places(source) {
        return Cow::Borrowed(source);
    }
    let Ok(tokens) = Tokens::read(source) else { return Cow::Borrowed(source) };
    let mut edits = Edits::default();
    let mut i = 0;
    // The macro must stand after the attributes of the whole program.
    while tokens.is(i, '#') && tokens.is(i + 1, '!') {
        i = tokens.close(i + 2) + 1;
    }
    let start = tokens.get(i).map_or(source.len(), |t| t.range.start);
    edits.insert(start, DBG);
    for i in 0..tokens.len() {
        let Some(name @ ("line" | "column" | "dbg")) = tokens.ident(i) else { continue };
        let before = i.checked_sub(1).map_or("", |b| tokens.text(b));
        let is_defined = tokens.is(i.wrapping_sub(1), '!') || matches!(before, "macro" | "as");
        if is_defined {
            return Cow::Borrowed(source);
        }
        if name == "dbg" || !tokens.is(i + 1, '!') {
            continue;
        }
        let mut first = i;
        while first > 1 && tokens.colons(first - 2) {
            first -= 2;
            let is_name = |j: usize| tokens.ident(j).is_some();
            if first > 0 && is_name(first - 1) {
                first -= 1;
            }
            if first > 0 && tokens.is(first - 1, '$') {
                first -= 1;
            }
        }
        let end = tokens.get(tokens.close(i + 2)).map(|t| t.range.end);
        if let Some((from, to)) = tokens.get(first).map(|t| t.range.start).zip(end) {
            edits.replace(from..to, "0u32");
        }
    }
    Cow::Owned(Text::generated(source).edited(edits).as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_are_replaced() {
        let shown = |source: &str| without_places(source).replace(DBG, "D ");
        assert_eq!(shown("fn main() { f(3) }"), "fn main() { f(3) }");
        assert_eq!(
            shown("#![allow(dead_code)]\nfn f() { (line!(), std::column![], $crate::line!{}, ::core::line!()) }"),
            "#![allow(dead_code)]\nD fn f() { (0u32, 0u32, 0u32, 0u32) }"
        );
        assert_eq!(shown("fn f(line: u8) { dbg!(line, 2); }"), "D fn f(line: u8) { dbg!(line, 2); }");
        for own in
            ["macro_rules! line { () => { 1 } } fn f() { line!() }", "use a::b as dbg; fn f() { dbg!() }"]
        {
            assert_eq!(shown(own), own);
        }
    }
}
