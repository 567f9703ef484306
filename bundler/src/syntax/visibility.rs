//! Lowers visibilities while rustc looks for unused items, restores them, and shortens those of whole crates.
//!
//! rustc does not report most unused `pub` items, even in a binary (rust-lang/rust #74970).

use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::Tokens;

/// Changes every `pub` to `pub(crate)`, so that rustc reports unused items.
pub fn demote(text: &Text) -> Text {
    change_pub(text, true)
}

/// Undoes [`demote`], except for `use`, which may name a macro.
pub fn promote(text: &Text) -> Text {
    change_pub(text, false)
}

/// Changes `pub(in crate::a)`, where `a` is a crate in the bundle, to `pub`, or before a `use`, which may name a macro, to
/// `pub(crate)`.
pub fn widen(text: &Text) -> Text {
    let Ok(tokens) = Tokens::read(text.as_str()) else {
        return text.clone();
    };
    let mut edits = Edits::default();
    for i in (0..tokens.len()).filter(|&i| tokens.text(i) == "pub") {
        let is_of_crate =
            tokens.text(i + 2) == "in" && tokens.text(i + 3) == "crate" && tokens.is(i + 7, ')');
        if let (true, Some(first), Some(last)) = (is_of_crate, tokens.get(i + 1), tokens.get(i + 7)) {
            let with = if tokens.ident(i + 8) == Some("use") { "(crate)" } else { "" };
            edits.replace(first.range.start..last.range.end, with);
        }
    }
    text.edited(edits)
}

fn change_pub(text: &Text, demote: bool) -> Text {
    let Ok(tokens) = Tokens::read(text.as_str()) else {
        return text.clone();
    };
    let mut edits = Edits::default();
    for i in (0..tokens.len()).filter(|&i| tokens.text(i) == "pub") {
        // A macro variable may be named `pub`.
        if i > 0 && tokens.is(i - 1, '$') {
            continue;
        }
        let restricted = tokens.is(i + 1, '(')
            && (tokens.text(i + 2) == "in"
                || matches!(tokens.text(i + 2), "crate" | "self" | "super") && tokens.is(i + 3, ')'));
        let Some(token) = tokens.get(i) else { continue };
        if demote && !restricted {
            edits.insert(token.range.end, "(crate)");
        } else if !demote && restricted && tokens.text(i + 2) == "crate" && tokens.text(i + 4) != "use" {
            if let Some(close) = tokens.get(i + 3) {
                edits.delete(token.range.end..close.range.end);
            }
        }
    }
    text.edited(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visibility_is_lowered_and_restored() {
        let source = "pub struct A(pub (u8, u8), pub(super) u8); pub(in crate::x) fn f() {} pub fn g() {} m!($pub:vis);";
        let text = Text::generated(source);
        let down = demote(&text);
        assert_eq!(
            down.as_str(),
            "pub(crate) struct A(pub(crate) (u8, u8), pub(super) u8); pub(in crate::x) fn f() {} pub(crate) fn g() {} m!($pub:vis);"
        );
        assert_eq!(promote(&down).as_str(), source);
    }

    #[test]
    fn only_visibility_in_a_whole_crate_is_widened() {
        let source = "pub(in crate::a) fn f(); pub(in crate::a::b) fn g(); struct S(pub(in crate::c) u8); pub(in crate::a) use d;";
        assert_eq!(
            widen(&Text::generated(source)).as_str(),
            "pub fn f(); pub(in crate::a::b) fn g(); struct S(pub u8); pub(crate) use d;"
        );
    }
}
