//! The removal found last time, applied to a program that has changed since.
//!
//! Searching for unused code compiles the program some twenty times. A small change seldom makes other code unused, so
//! the search's result of the last run is carried over: code that was removed then is removed again, and new code stays.
//! The proof decides whether that is the same program; if not, the search starts over.

use crate::prune::excluded::conditional;
use crate::rustc::cache::{Cache, Key};
use crate::syntax::text::Text;
use serde::{Deserialize, Serialize};
use similar::{capture_diff_slices, Algorithm, DiffOp};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The kind of its cache entry.
const KIND: &str = "removal";

/// A text before and after removal.
#[derive(Debug, Serialize, Deserialize)]
struct Removal {
    before: String,
    after: String,
    /// Where the parts of `after` begin, and where they stand in `before`; parts without a place were added.
    runs: Vec<(usize, Option<usize>)>,
}

/// The place in the cache for the removal of one program.
#[derive(Debug)]
pub struct LastTime {
    cache: Cache,
    key: Key,
    found: Mutex<Option<Removal>>,
}

impl LastTime {
    /// For the program that these parts identify.
    pub fn of(cache: Cache, program: &[&[u8]]) -> LastTime {
        LastTime { cache, key: Key::of(program), found: Mutex::default() }
    }

    /// Remembers a removal until [`LastTime::keep`]; the origins of `after` are offsets in `before`.
    pub fn found(&self, before: &str, after: &Text) {
        let runs = after.runs().map(|(range, origin)| (range.start, origin.map(|o| o.offset))).collect();
        let removal = Removal { before: before.to_owned(), after: after.as_str().to_owned(), runs };
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(removal);
    }

    /// Keeps the removal that was found last, now that it is proved.
    pub fn keep(&self) {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(json) = found.and_then(|removal| serde_json::to_vec(&removal).ok()) {
            self.cache.put(KIND, &self.key, &json);
        }
    }

    /// The text without what the previous run removed. `None` if no such run is recorded, or if the text has changed
    /// where it removed a part of an item, or in code that another build compiles, which no compilation would show.
    pub fn applied(&self, text: &Text) -> Option<Text> {
        let removal: Removal = serde_json::from_slice(&self.cache.get(KIND, &self.key)?).ok()?;
        removal.applied(text)
    }
}

/// The bytes `was` of the text before are the bytes `is` of the new text.
struct Change {
    was: Range<usize>,
    is: Range<usize>,
    equal: bool,
}

impl Removal {
    fn applied(&self, text: &Text) -> Option<Text> {
        if conditional(&self.before) != conditional(text.as_str()) {
            return None;
        }
        let kept = self.kept()?;
        let changes = changes(&self.before, text.as_str());
        let is_kept = |was: &Range<usize>| kept.iter().any(|k| k.start <= was.start && was.end <= k.end);
        let is_gone = |was: &Range<usize>| !kept.iter().any(|k| k.start < was.end && was.start < k.end);
        if changes.iter().any(|c| !c.equal && !c.was.is_empty() && !is_kept(&c.was) && !is_gone(&c.was)) {
            return None;
        }
        let mut out = Text::default();
        // Changes before this one were copied.
        let mut next = 0;
        for (start, end, place) in self.runs() {
            let Some(place) = place else {
                out.push_str(self.after.get(start..end)?);
                continue;
            };
            let run = place..place + (end - start);
            next += changes[next..].iter().take_while(|c| c.was.end < run.start).count();
            for (n, change) in changes.iter().enumerate().skip(next) {
                if change.was.start > run.end {
                    break;
                }
                if change.equal {
                    let (from, to) = (change.was.start.max(run.start), change.was.end.min(run.end));
                    if from < to {
                        let at = change.is.start + (from - change.was.start);
                        out.push(&text.slice(at..at + (to - from)));
                    }
                } else if n >= next && run.start <= change.was.start && change.was.end <= run.end {
                    out.push(&text.slice(change.is.clone()));
                    next = n + 1;
                }
            }
        }
        Some(out)
    }

    /// The parts of `after`, each with its place in `before`.
    fn runs(&self) -> impl Iterator<Item = (usize, usize, Option<usize>)> + '_ {
        let ends = self.runs.iter().skip(1).map(|r| r.0).chain([self.after.len()]);
        self.runs.iter().zip(ends).map(|(&(start, place), end)| (start, end, place))
    }

    /// The parts of `before` that were kept, adjoining parts joined; `None` if the order was changed.
    fn kept(&self) -> Option<Vec<Range<usize>>> {
        let mut kept: Vec<Range<usize>> = Vec::new();
        for (start, end, place) in self.runs().filter(|(start, end, _)| start < end) {
            let Some(place) = place else { continue };
            let run = place..place + (end - start);
            match kept.last_mut() {
                Some(last) if last.end > run.start => return None,
                Some(last) if last.end == run.start => last.end = run.end,
                _ => kept.push(run),
            }
        }
        Some(kept)
    }
}

/// How one text became the other.
fn changes(before: &str, after: &str) -> Vec<Change> {
    let (old, new) = (words(before), words(after));
    let a: Vec<&str> = old.iter().map(|r| &before[r.clone()]).collect();
    let b: Vec<&str> = new.iter().map(|r| &after[r.clone()]).collect();
    let bytes = |words: &[Range<usize>], from: usize, count: usize, whole: &str| {
        let start = words.get(from).map_or(whole.len(), |w| w.start);
        let end = if count == 0 { start } else { words[from + count - 1].end };
        start..end
    };
    capture_diff_slices(Algorithm::Myers, &a, &b)
        .into_iter()
        .map(|op| {
            let (was, is) = (op.old_range(), op.new_range());
            Change {
                was: bytes(&old, was.start, was.len(), before),
                is: bytes(&new, is.start, is.len(), after),
                equal: matches!(op, DiffOp::Equal { .. }),
            }
        })
        .collect()
}

/// The words, single signs and white space of a text.
fn words(text: &str) -> Vec<Range<usize>> {
    let kind = |c: char| match c {
        c if c.is_whitespace() => 0,
        c if c.is_alphanumeric() || c == '_' => 1,
        _ => 2,
    };
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut last = 2;
    for (at, c) in text.char_indices() {
        let (now, end) = (kind(c), at + c.len_utf8());
        match out.last_mut() {
            Some(word) if now == last && now != 2 => word.end = end,
            _ => out.push(at..end),
        }
        last = now;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::text::{Edits, Files};
    use std::path::Path;

    const BEFORE: &str =
        "const A: u8 = 1;\nfn gone() { x(); y(); }\nfn main() { a(A); b(); }\nstruct S { p: u8, q: u8 }\n";

    /// The removal of `gone` and of the field `q`.
    fn removal(folder: &Path) -> LastTime {
        let file = Files::default().add(Path::new(""), "");
        let mut edits = Edits::default();
        let range = |part: &str| {
            let at = BEFORE.find(part).unwrap();
            at..at + part.len()
        };
        edits.delete(range("fn gone() { x(); y(); }\n"));
        edits.replace(range(", q: u8"), " /* less */");
        let after = Text::of_file(file, BEFORE.to_owned()).edited(edits);
        let last = LastTime::of(Cache::at(folder), &[b"program"]);
        last.found(BEFORE, &after);
        last.keep();
        LastTime::of(Cache::at(folder), &[b"program"])
    }

    fn applied(to: &str) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let file = Files::default().add(Path::new(""), "");
        let text = Text::of_file(file, to.to_owned());
        removal(folder.path()).applied(&text).map(|text| text.as_str().to_owned())
    }

    #[test]
    fn what_was_removed_stays_removed_and_what_is_new_stays() {
        let after = "const A: u8 = 1;\nfn main() { a(A); b(); }\nstruct S { p: u8 /* less */ }\n";
        assert_eq!(applied(BEFORE).as_deref(), Some(after));
        for (from, to) in [
            ("= 1;", "= 20;"),
            ("b();", "b(); c(3);"),
            ("fn main", "fn new() { n() }\nfn main"),
            ("a(A);", ""),
        ] {
            assert_eq!(applied(&BEFORE.replace(from, to)), Some(after.replace(from, to)), "{to}");
        }
        // A change in what was removed changes nothing.
        assert_eq!(applied(&BEFORE.replace("y();", "z();")).as_deref(), Some(after));
        let end = "fn more() {}\n";
        assert_eq!(applied(&format!("{BEFORE}{end}")), Some(format!("{after}{end}")));
        let start = "use a::b;\n";
        assert_eq!(applied(&format!("{start}{BEFORE}")), Some(format!("{start}{after}")));
    }

    #[test]
    fn a_change_across_a_removal_is_not_carried_over() {
        assert_eq!(applied(&BEFORE.replace("p: u8, q: u8", "r: u16")), None);
    }

    #[test]
    fn code_of_other_builds_is_looked_at_anew() {
        for new in ["#[cfg(debug_assertions)]\n", "#[cfg_attr(test, inline)]\n"] {
            assert_eq!(applied(&BEFORE.replace("fn main", &format!("{new}fn main"))), None);
        }
    }

    #[test]
    fn nothing_is_known_of_another_program() {
        let folder = tempfile::tempdir().unwrap();
        let _ = removal(folder.path());
        let file = Files::default().add(Path::new(""), "");
        let text = Text::of_file(file, BEFORE.to_owned());
        let other = |cache| LastTime::of(cache, &[b"another"]).applied(&text).is_none();
        assert!(other(Cache::at(folder.path())) && other(Cache::off()));
    }
}
