//! Restores the comments and documentation of the code that is left.
//!
//! The earlier stages work on a text without comments. Every remaining token knows its origin, and the comments that
//! belong to it there are restored: those before it, and those after it on its line. A removed attribute passes its
//! comments on to the element it belonged to; anything else that was removed takes its comments with it.

use crate::merge::program::Program;
use crate::syntax::pieces::Pieces;
use crate::syntax::text::{Edits, FileId, Files, Origin, Text};
use crate::syntax::tokens::{Kind, Tokens};
use std::collections::BTreeMap;
use std::ops::Range;

/// A comment in a source file.
struct Comment {
    /// Range in the text.
    range: Range<usize>,
    /// The start of the token that it belongs to.
    owner: usize,
    /// Whether it follows that token.
    behind: bool,
    /// Whether it may be a doc comment.
    documents: bool,
}

impl Program<'_> {
    /// A text with the comments of the user's own crates.
    pub fn with_comments(self, text: &Text) -> Text {
        commented(text, self.files, |file| self.plan.is_own(self.files.path(file)))
    }
}

/// The text with the comments of the user's own files.
fn commented(text: &Text, files: &Files, own: impl Fn(FileId) -> bool) -> Text {
    let source = text.as_str();
    let Ok(tokens) = Tokens::read(source) else { return text.clone() };
    let mut left: BTreeMap<(FileId, usize), Range<usize>> = BTreeMap::new();
    for token in tokens.iter() {
        if let Some(origin) = text.origin(token.range.start).filter(|o| own(o.file)) {
            left.entry((origin.file, origin.offset)).or_insert(token.range.clone());
        }
    }
    let ids: std::collections::BTreeSet<FileId> = left.keys().map(|(file, _)| *file).collect();
    let mut edits = Edits::default();
    for file in ids {
        let there = files.text(file);
        let is_left = |at: usize| left.contains_key(&(file, at));
        for comment in comments(there, is_left) {
            let Some(token) = left.get(&(file, comment.owner)) else { continue };
            let content = Text::at(Origin { file, offset: comment.range.start }, plain(there, &comment));
            let line = content.as_str().starts_with("//");
            let (at, before, after) = around(source, token, comment.behind, line);
            let mut with = Text::generated(before);
            with.push(&content);
            with.push_str(&after);
            edits.splice(at..at, with);
        }
    }
    text.edited(edits)
}

/// A comment in a form that is valid anywhere: an inner doc comment is only valid at the start of its module.
fn plain(source: &str, comment: &Comment) -> String {
    let content = &source[comment.range.clone()];
    let documents_inside = content.starts_with("//!") || content.starts_with("/*!");
    let documents = comment.documents && !documents_inside;
    let doc = |sign: &str| content.starts_with(sign) && !documents;
    if documents_inside || doc("///") || doc("/**") {
        return format!("{}{}", &content[..2], &content[3..]);
    }
    content.trim_end().to_owned()
}

/// Where a comment is inserted, and the white space before and after it.
fn around(source: &str, token: &Range<usize>, behind: bool, line_long: bool) -> (usize, String, String) {
    let line = source[..token.start].rfind('\n').map_or(0, |n| n + 1);
    let indent: String = source[line..].chars().take_while(|&c| c == '\t').collect();
    if behind {
        let rest = &source[token.end..];
        let gap = &rest[..rest.len() - rest.trim_start().len()];
        let after = match gap {
            _ if gap.contains('\n') => String::new(),
            _ if line_long => format!("\n{indent}\t"),
            "" => " ".into(),
            _ => String::new(),
        };
        return (token.end, " ".into(), after);
    }
    if source[line..token.start].trim().is_empty() {
        return (token.start, String::new(), format!("\n{indent}"));
    }
    (token.start, format!("\n{indent}\t"), format!("\n{indent}\t"))
}

/// The comments of a file.
fn comments(source: &str, is_left: impl Fn(usize) -> bool) -> Vec<Comment> {
    let Ok(tokens) = Tokens::read(source) else { return Vec::new() };
    let pieces = Pieces::new(source, &tokens);
    let mut out = Vec::new();
    for i in 0..=pieces.list.len() {
        let mut found = plain_comments(source, pieces.gap(i));
        if let Some(doc) = pieces.list.get(i).filter(|p| p.kind == Kind::Doc) {
            found.push(doc.range.clone());
        }
        let last = (0..i).rev().find(|&k| pieces.list[k].kind != Kind::Doc);
        for range in found {
            let behind = last.filter(|&k| !source[pieces.list[k].range.end..range.start].contains('\n'));
            let owner = behind.or_else(|| next_left(&pieces, i, &is_left));
            let Some(piece) = owner.and_then(|k| pieces.list.get(k)) else { continue };
            out.push(Comment {
                range,
                owner: piece.range.start,
                behind: behind.is_some(),
                documents: behind.is_none() && !piece.in_macro,
            });
        }
    }
    out
}

/// The first token from `i` on that is left, skipping documentation and removed attributes.
fn next_left(pieces: &Pieces<'_>, i: usize, is_left: &impl Fn(usize) -> bool) -> Option<usize> {
    let mut at = i;
    loop {
        let piece = pieces.list.get(at)?;
        let open = if pieces.is(at + 1, '!') { at + 2 } else { at + 1 };
        if piece.kind == Kind::Doc {
            at += 1;
        } else if pieces.is(at, '#') && pieces.is(open, '[') && !is_left(piece.range.start) {
            at = pieces.list[open].partner + 1;
        } else {
            return Some(at);
        }
    }
}

/// The comments between two tokens.
fn plain_comments(source: &str, gap: Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = gap.start;
    while at < gap.end {
        let rest = &source[at..gap.end];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.len() - crate::read::strip::after_block(rest).len()
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        out.push(at..at + length);
        at += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::layout::readable;
    use std::path::Path;

    #[test]
    fn comments_follow_their_tokens() {
        let source = "//! Of the module.\n\n// Of a.\n/// Documents a.\n#[gone]\nfn a() {\n    // Of x.\n    x(); // Behind x.\n    y(/* in y */ 1);\n}\n\n// Of b, and gone with it.\nfn b() {}\n// At the end.\n";
        let mut files = Files::default();
        let id = files.add(Path::new("a.rs"), source);
        let mut edits = Edits::default();
        let whole = Text::of_file(id, source.into());
        for gone in ["#[gone]\n", "fn b() {}\n"] {
            let at = source.find(gone).unwrap();
            edits.delete(at..at + gone.len());
        }
        let bare = readable(&crate::read::strip::tidy(&whole.edited(edits)).unwrap()).unwrap();
        let without = Tokens::read(bare.as_str()).unwrap().iter().filter(|t| t.kind == Kind::Doc).count();
        assert_eq!(without, 2, "documentation is a token of its own");
        let mut edits = Edits::default();
        for token in Tokens::read(bare.as_str()).unwrap().iter().filter(|t| t.kind == Kind::Doc) {
            edits.replace(token.range.clone(), " ");
        }
        let bare = readable(&bare.edited(edits)).unwrap();
        assert_eq!(bare.as_str(), "fn a() {\n\tx();\n\ty( 1);\n}\n");
        let text = commented(&bare, &files, |_| true);
        assert_eq!(
            text.as_str(),
            "// Of the module.\n// Of a.\n/// Documents a.\nfn a() {\n\t// Of x.\n\tx(); // Behind x.\n\ty( /* in y */ 1);\n}\n"
        );
        assert_eq!(commented(&bare, &files, |_| false).as_str(), bare.as_str());
    }
}
