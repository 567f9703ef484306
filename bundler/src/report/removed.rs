//! Lists removed items with the stage that removed them.

use crate::api::bundle::Stage;
use crate::api::bundle::{Part, Removed};
use crate::merge::ladder::Ladder;
use crate::report::tree::{crates, Library};
use crate::syntax::text::{Files, Origin};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::HashSet;

/// Compares the forms of a program up to the chosen one. `first` has the crates of the first form, `last` those of the chosen
/// one. The result is sorted by size, and omits items inside other removed ones.
pub fn list_removed(
    ladder: &Ladder,
    first: &[Part],
    last: &[Part],
    files: &Files,
    binary: &str,
    libraries: &[Library],
) -> Vec<Removed> {
    let left = keys(last);
    let mut out = Vec::new();
    let mut before = Cow::Borrowed(first);
    for form in ladder.forms.iter().skip(1) {
        let now = crates(&form.text, files, binary, libraries, &BTreeMap::new());
        let after = keys(&now);
        before.iter().for_each(|part| collect_removed(part, &after, &left, form.stage, &mut out));
        before = Cow::Owned(now);
    }
    out.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.path.cmp(&b.path)));
    out
}

/// Identifies a part across forms: by the origin of its name, or as a crate.
#[derive(PartialEq, Eq, Hash)]
enum Key<'p> {
    Crate(&'p str),
    Origin(Origin),
}

fn key(part: &Part) -> Option<Key<'_>> {
    match part.kind {
        "crate" => Some(Key::Crate(&part.path)),
        _ => part.origin.map(Key::Origin),
    }
}

fn keys(parts: &[Part]) -> HashSet<Key<'_>> {
    let mut found = HashSet::new();
    let mut todo: Vec<&Part> = parts.iter().collect();
    while let Some(part) = todo.pop() {
        found.extend(key(part));
        todo.extend(&part.parts);
    }
    found
}

fn collect_removed(
    part: &Part,
    after: &HashSet<Key<'_>>,
    left: &HashSet<Key<'_>>,
    stage: Stage,
    out: &mut Vec<Removed>,
) {
    match key(part) {
        // Items restored by a later form are not removed.
        Some(key) if !after.contains(&key) && !left.contains(&key) => out.push(Removed {
            kind: part.kind,
            path: part.path.clone(),
            place: part.place.clone(),
            bytes: part.bytes,
            stage,
        }),
        _ => part.parts.iter().for_each(|p| collect_removed(p, after, left, stage, out)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge::ladder::Form;
    use crate::syntax::text::{Edits, Text};
    use std::path::Path;

    #[test]
    fn removed_items_are_listed_once_with_place_and_stage() {
        let source = "fn main() {}\nmod m {\n pub fn a() {}\n pub fn b() {}\n}\nfn c() {}\nfn d() {}\n";
        let mut files = Files::default();
        let whole = Text::of_file(files.add(Path::new("x.rs"), source), source.into());
        let without = |text: &Text, what: &[&str]| {
            let mut edits = Edits::default();
            for part in what {
                let at = text.as_str().find(part).unwrap();
                edits.delete(at..at + part.len());
            }
            text.edited(edits)
        };
        let reached = without(&whole, &["mod m {\n pub fn a() {}\n pub fn b() {}\n}\n", "fn d() {}\n"]);
        let trimmed = without(&reached, &["fn c() {}\n"]);
        let forms = [(Stage::Inlined, &whole), (Stage::Reached, &reached), (Stage::Trimmed, &trimmed)];
        let forms = forms.map(|(stage, text)| Form { stage, text: text.clone() });
        let ladder = Ladder { forms: forms.into() };
        let tree = |text: &Text| crates(text, &files, "bot", &[], &BTreeMap::new());
        let found = list_removed(&ladder, &tree(&whole), &tree(&trimmed), &files, "bot", &[]);
        let shown: Vec<(&str, &str, Option<&str>, Stage)> =
            found.iter().map(|r| (r.kind, r.path.as_str(), r.place.as_deref(), r.stage)).collect();
        assert_eq!(
            shown,
            [
                ("mod", "m", Some("x.rs:2"), Stage::Reached),
                ("fn", "c", Some("x.rs:6"), Stage::Trimmed),
                ("fn", "d", Some("x.rs:7"), Stage::Reached),
            ]
        );
        // If the proof chose a larger form, its items were not removed.
        assert_eq!(list_removed(&ladder, &tree(&whole), &tree(&reached), &files, "bot", &[]).len(), 2);
    }
}
