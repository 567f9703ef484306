//! Marks which file each part of a bundle comes from.

use crate::merge::program::Program;
use crate::syntax::text::{Edits, FileId, Text};
use crate::syntax::tokens::Tokens;

impl Program<'_> {
    /// A text with its comments, and with a line `// from src/graph.rs` wherever code of another of the user's own files
    /// begins.
    pub fn with_comments_and_marks(self, text: &Text) -> Text {
        let own = |file| self.plan.is_own(self.files.path(file));
        marked(&self.with_comments(text), own, |file| self.plan.shown(self.files.path(file)))
    }
}

fn marked(text: &Text, own: impl Fn(FileId) -> bool, shown: impl Fn(FileId) -> String) -> Text {
    let source = text.as_str();
    let Ok(tokens) = Tokens::read(source) else { return text.clone() };
    let mut edits = Edits::default();
    let mut current = None;
    let mut line_end = 0;
    for token in tokens.iter() {
        // Only the first token of a line counts, and only that can have a line before it.
        let start = token.range.start;
        if start < line_end {
            continue;
        }
        line_end = source[start..].find('\n').map_or(source.len(), |n| start + n);
        // A literal of several lines has no line of its own in it.
        line_end = line_end.max(token.range.end);
        let Some(file) = text.origin(start).map(|origin| origin.file) else { continue };
        if current.replace(file) == Some(file) || !own(file) {
            continue;
        }
        let begin = source[..start].rfind('\n').map_or(0, |n| n + 1);
        let indent = &source[begin..start];
        // Comments and attributes before the item belong to it.
        let before = comments_before(source, begin);
        edits.insert(before, format!("{indent}// from {}\n", shown(file)));
    }
    if edits.is_empty() {
        text.clone()
    } else {
        text.edited(edits)
    }
}

/// The beginning of the lines of comments that end before `at`, the beginning of a line.
fn comments_before(source: &str, mut at: usize) -> usize {
    while at > 0 {
        let begin = source[..at - 1].rfind('\n').map_or(0, |n| n + 1);
        if !source[begin..at].trim_start().starts_with("//") {
            break;
        }
        at = begin;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::text::Files;
    use std::path::Path;

    #[test]
    fn each_file_is_marked_where_its_code_begins() {
        let mut files = Files::default();
        let mut part =
            |path: &str, text: &str| Text::of_file(files.add(Path::new(path), text), text.to_owned());
        let mut text = part("main.rs", "fn main() {\n\tf(\"a\nb\");\n}\nmod graph {\n");
        text.push(&part("graph.rs", "\t// A comment.\n\tpub fn f() {}\n\tpub fn g() {}\n"));
        text.push_str("}\n");
        text.push(&part("crate.rs", "mod theirs {}\n"));
        let shown = |file: FileId| files.path(file).display().to_string();
        let own = |file: FileId| shown(file) != "crate.rs";
        assert_eq!(
            marked(&text, own, shown).as_str(),
            "// from main.rs\nfn main() {\n\tf(\"a\nb\");\n}\nmod graph {\n\t// from graph.rs\n\t// A comment.\n\t\
             pub fn f() {}\n\tpub fn g() {}\n}\nmod theirs {}\n"
        );
    }
}
