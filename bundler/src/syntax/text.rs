//! Source text that records the origin of every byte, and edits to it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Index of a file in [`Files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(usize);

/// A place in a source file: a byte offset in its normalised text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The file.
    pub file: FileId,
    /// The byte offset in the file's normalised text.
    pub offset: usize,
}

/// All files that were read, to map an [`Origin`] to `path:line`.
#[derive(Debug, Default)]
pub struct Files {
    read: Vec<SourceFile>,
    roots: BTreeMap<usize, PathBuf>,
}

#[derive(Debug)]
struct SourceFile {
    path: PathBuf,
    text: String,
    /// The bytes at which its lines end.
    ends: Vec<usize>,
    /// The path for messages, when it was asked for.
    shown: OnceLock<String>,
}

impl Files {
    /// Registers a file and its normalised text.
    pub fn add(&mut self, path: &Path, text: &str) -> FileId {
        let ends = text.match_indices('\n').map(|(at, _)| at).collect();
        let shown = OnceLock::new();
        self.read.push(SourceFile { path: path.to_path_buf(), text: text.to_owned(), ends, shown });
        FileId(self.read.len() - 1)
    }

    /// Records the crate that a file is part of, by its root file.
    pub fn belongs(&mut self, file: FileId, root: &Path) {
        self.roots.insert(file.0, root.to_path_buf());
    }

    /// The root file of the crate that a file is part of.
    pub fn crate_root(&self, file: FileId) -> Option<&Path> {
        self.roots.get(&file.0).map(PathBuf::as_path)
    }

    /// Takes in the files of a text that was read apart; returns the text with their new indices.
    pub fn take_in(&mut self, other: Files, mut text: Text) -> Text {
        let offset = self.read.len();
        self.read.extend(other.read);
        self.roots.extend(other.roots.into_iter().map(|(file, root)| (file + offset, root)));
        for origin in text.runs.iter_mut().filter_map(|run| run.origin.as_mut()) {
            origin.file.0 += offset;
        }
        text
    }

    /// Every file with its path and normalised text.
    pub fn all(&self) -> impl Iterator<Item = (FileId, &Path, &str)> {
        self.read.iter().enumerate().map(|(i, f)| (FileId(i), f.path.as_path(), f.text.as_str()))
    }

    /// The path of a file.
    pub fn path(&self, file: FileId) -> &Path {
        &self.read[file.0].path
    }

    /// The normalised text of a file.
    pub fn text(&self, file: FileId) -> &str {
        &self.read[file.0].text
    }

    /// `path:line` for an origin.
    pub fn place(&self, origin: Origin) -> String {
        let file = &self.read[origin.file.0];
        let line = 1 + file.ends.partition_point(|&end| end < origin.offset);
        format!("{}:{line}", file.shown.get_or_init(|| shown(&file.path)))
    }

    /// `path:line:column` for an origin; the column counts characters from 1.
    pub fn point(&self, origin: Origin) -> String {
        let file = &self.read[origin.file.0];
        let before = file.text.get(..origin.offset).unwrap_or("");
        let column = 1 + before.rsplit('\n').next().unwrap_or("").chars().count();
        format!("{}:{column}", self.place(origin))
    }
}

/// A path for messages: relative to the current directory if it lies below.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    familiar(&path.strip_prefix(&here).unwrap_or(path).display().to_string())
}

/// A path of Windows as people write it: a resolved one begins with `\\?\`.
fn familiar(path: &str) -> String {
    let Some(plain) = path.strip_prefix(r"\\?\") else { return path.to_owned() };
    plain.strip_prefix(r"UNC\").map_or(plain.to_owned(), |share| format!(r"\\{share}"))
}

#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    origin: Option<Origin>,
}

/// Source text with its origins.
#[derive(Clone, Debug, Default)]
pub struct Text {
    body: String,
    runs: Vec<Run>,
}

impl Text {
    /// The text of a whole file.
    pub fn of_file(file: FileId, body: String) -> Text {
        let origin = Some(Origin { file, offset: 0 });
        Text { body, runs: vec![Run { start: 0, origin }] }
    }

    /// Generated text without an origin.
    pub fn generated(body: impl Into<String>) -> Text {
        let body = body.into();
        Text { body, runs: vec![Run { start: 0, origin: None }] }
    }

    /// Generated text with a single origin.
    pub fn at(origin: Origin, body: impl Into<String>) -> Text {
        Text { body: body.into(), runs: vec![Run { start: 0, origin: Some(origin) }] }
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        &self.body
    }

    /// The files from which any part of it comes.
    pub fn files(&self) -> BTreeSet<FileId> {
        self.runs.iter().filter_map(|r| r.origin).map(|o| o.file).collect()
    }

    /// Appends another text with its origins.
    pub fn push(&mut self, other: &Text) {
        let base = self.body.len();
        self.body.push_str(&other.body);
        self.runs.extend(other.runs.iter().map(|r| Run { start: r.start + base, origin: r.origin }));
    }

    /// Appends generated text without an origin.
    pub fn push_str(&mut self, s: &str) {
        self.push(&Text::generated(s));
    }

    /// The origin of the byte at `at`.
    pub fn origin(&self, at: usize) -> Option<Origin> {
        let next = self.runs.partition_point(|r| r.start <= at);
        let run = self.runs.get(next.checked_sub(1)?)?;
        run.origin.map(|o| Origin { file: o.file, offset: o.offset + (at - run.start) })
    }

    /// The origin of the byte at `at`, or of the nearest byte before it that has one.
    pub fn origin_at_or_before(&self, at: usize) -> Option<Origin> {
        self.origin(at).or_else(|| {
            let before = self.runs.partition_point(|r| r.start <= at);
            self.runs[..before].iter().rev().find_map(|r| r.origin)
        })
    }

    /// `path:line` of the byte at `at`, or of the nearest byte before it that has an origin.
    pub fn place(&self, at: usize, files: &Files) -> Option<String> {
        self.origin_at_or_before(at).map(|o| files.place(o))
    }

    /// `path:line:column` of the same byte.
    pub fn point(&self, at: usize, files: &Files) -> Option<String> {
        self.origin_at_or_before(at).map(|o| files.point(o))
    }

    /// The runs of contiguous origin, in order, each with the origin of its first byte.
    pub fn runs(&self) -> impl Iterator<Item = (Range<usize>, Option<Origin>)> + '_ {
        let ends = self.runs.iter().skip(1).map(|r| r.start).chain([self.body.len()]);
        self.runs.iter().zip(ends).map(|(r, end)| (r.start..end, r.origin))
    }

    /// Replacement text for a range, with the origin of the range's start.
    pub fn remade(&self, range: Range<usize>, with: impl Into<String>) -> Text {
        Text { body: with.into(), runs: vec![Run { start: 0, origin: self.origin(range.start) }] }
    }

    /// A part of the text with its origins.
    pub fn slice(&self, range: Range<usize>) -> Text {
        if range.is_empty() {
            return Text::default();
        }
        Text { runs: self.runs_of(range.clone()).collect(), body: self.body[range].to_owned() }
    }

    /// The runs of a part, relative to its start.
    fn runs_of(&self, range: Range<usize>) -> impl Iterator<Item = Run> + '_ {
        let first = Run { start: 0, origin: self.origin(range.start) };
        let from = self.runs.partition_point(|r| r.start <= range.start);
        let rest = self.runs[from..].iter().take_while(move |r| r.start < range.end);
        let rest = rest.map(move |r| Run { start: r.start - range.start, origin: r.origin });
        std::iter::once(first).chain(rest)
    }

    /// A copy whose origins are the offsets in this text.
    pub fn itself(&self) -> Text {
        Text::of_file(FileId(0), self.body.clone())
    }

    /// Translates a text made from [`Text::itself`] to the origins of this text.
    pub fn behind(&self, made: Text) -> Text {
        let mut runs = Vec::new();
        for (range, origin) in made.runs() {
            let Some(origin) = origin else {
                runs.push(Run { start: range.start, origin: None });
                continue;
            };
            let here = origin.offset..origin.offset + range.len();
            runs.extend(self.runs_of(here).map(|r| Run { start: range.start + r.start, ..r }));
        }
        Text { body: made.body, runs }
    }

    /// Builds a text from its characters and run starts, each with an offset in another text; `None` if the runs are
    /// not valid.
    pub fn of_runs(body: String, runs: &[(usize, Option<usize>)]) -> Option<Text> {
        let starts = || runs.iter().map(|r| r.0);
        let whole = starts().next() == Some(0) && starts().zip(starts().skip(1)).all(|(a, b)| a <= b);
        let origin = |offset: Option<usize>| offset.map(|offset| Origin { file: FileId(0), offset });
        let runs = runs.iter().map(|&(start, o)| Run { start, origin: origin(o) });
        (whole && starts().next_back().is_some_and(|s| s <= body.len()))
            .then(|| Text { runs: runs.collect(), body })
    }

    /// Applies the edits. An edit inside the range of a larger one is dropped.
    pub fn edited(&self, mut edits: Edits) -> Text {
        edits.list.sort_by_key(|(r, _)| (r.start, !r.is_empty(), std::cmp::Reverse(r.end)));
        let mut out = Text::default();
        let mut at = 0;
        for (range, with) in &edits.list {
            if range.start < at {
                continue;
            }
            out.push(&self.slice(at..range.start));
            out.push(with);
            at = range.end;
        }
        out.push(&self.slice(at..self.body.len()));
        out
    }
}

/// Replacements of byte ranges, in any order.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    list: Vec<(Range<usize>, Text)>,
}

impl Edits {
    /// Removes a range.
    pub fn delete(&mut self, range: Range<usize>) {
        self.list.push((range, Text::default()));
    }

    /// Replaces a range by new characters.
    pub fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.list.push((range, Text::generated(with)));
    }

    /// Inserts new characters before the byte at `at`.
    pub fn insert(&mut self, at: usize, with: impl Into<String>) {
        self.replace(at..at, with);
    }

    /// Replaces a range by a text with its origins.
    pub fn splice(&mut self, range: Range<usize>, with: Text) {
        self.list.push((range, with));
    }

    /// Whether there are no edits.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Translates the edits to a part of the text, which was made from [`Text::itself`] by deletions. Edits of deleted ranges
    /// are left out; `None` if a range is only partly deleted.
    pub fn of_part(&self, part: &Text) -> Option<Edits> {
        let runs: Vec<(usize, Range<usize>)> =
            part.runs().filter_map(|(here, origin)| Some((origin?.offset, here))).collect();
        let mut list = Vec::new();
        for (range, with) in &self.list {
            let i = runs.partition_point(|(there, _)| *there <= range.start);
            let holds = |(there, here): &(usize, Range<usize>)| range.start < there + here.len();
            match i.checked_sub(1).map(|i| &runs[i]).filter(|run| holds(run)) {
                Some((there, here)) if range.end <= there + here.len() => {
                    list.push((
                        here.start + range.start - there..here.start + range.end - there,
                        with.clone(),
                    ));
                }
                None if runs.get(i).is_none_or(|(there, _)| range.end <= *there) => {}
                _ => return None,
            }
        }
        Some(Edits { list })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolved_paths_of_windows_are_shown_as_people_write_them() {
        for (resolved, expected) in [
            (r"\\?\C:\Users\J Müller\a.txt", r"C:\Users\J Müller\a.txt"),
            (r"\\?\UNC\server\share\a.txt", r"\\server\share\a.txt"),
            (r"\\server\share\a.txt", r"\\server\share\a.txt"),
            ("/home/a.txt", "/home/a.txt"),
        ] {
            assert_eq!(familiar(resolved), expected);
        }
    }

    #[test]
    fn edits_keep_the_origins_of_the_rest() {
        let mut files = Files::default();
        let id = files.add(Path::new("a.rs"), "one\ntwo\nthree\n");
        let text = Text::of_file(id, "one\ntwo\nthree\n".into());
        let mut edits = Edits::default();
        edits.delete(0..4);
        edits.replace(4..7, "2 and a bit");
        edits.delete(5..6); // inside the one before
        let new = text.edited(edits);
        assert_eq!(new.as_str(), "2 and a bit\nthree\n");
        let at = new.as_str().find("three").unwrap();
        assert_eq!(new.place(at, &files).unwrap(), "a.rs:3");
        assert_eq!(new.origin(0), None);
    }

    #[test]
    fn edits_of_a_text_are_those_of_its_parts() {
        let whole = Text::generated("one two three four");
        let mut deleted = Edits::default();
        deleted.delete(4..8);
        let part = whole.itself().edited(deleted);
        let edited = |ranges: &[Range<usize>]| {
            let mut edits = Edits::default();
            ranges.iter().for_each(|range| edits.replace(range.clone(), "-"));
            Some(part.edited(edits.of_part(&part)?).as_str().to_owned())
        };
        assert_eq!(edited(&[0..3, 4..7, 5..5, 8..8, 14..18]).as_deref(), Some("- -three -"));
        assert_eq!(edited(&[4..8, 4..7]).as_deref(), Some("one three four"));
        for across in [2..5, 2..10, 6..9] {
            assert_eq!(edited(&[across]), None);
        }
    }

    #[test]
    fn origins_survive_the_detour_through_itself() {
        let mut files = Files::default();
        let (a, b) =
            (files.add(Path::new("a.rs"), "one two three"), files.add(Path::new("b.rs"), "four five"));
        let mut text = Text::of_file(a, "one two three".into());
        text.push_str(" and ");
        text.push(&Text::of_file(b, "four five".into()));
        let change = |text: &Text| {
            let mut edits = Edits::default();
            edits.delete(4..8);
            edits.insert(10, "new");
            edits.delete(15..20);
            text.edited(edits)
        };
        let (direct, behind) = (change(&text), text.behind(change(&text.itself())));
        assert_eq!(direct.as_str(), behind.as_str());
        for at in 0..direct.as_str().len() {
            assert_eq!(direct.origin(at), behind.origin(at), "{at}");
        }
        assert!(Text::of_runs("ab".into(), &[(0, None), (1, Some(7))]).is_some());
        for wrong in [&[][..], &[(1, None)], &[(0, None), (2, None), (1, None)], &[(0, None), (3, None)]] {
            assert!(Text::of_runs("ab".into(), wrong).is_none(), "{wrong:?}");
        }
    }
}
