//! The map of a bundle: the source location of each of its lines.
//!
//! It is a source map of revision 3, which many tools read, with columns counted as rustc shows them and three extra
//! fields: the digest of the bundle, its number of lines, and the shortened names.

use crate::syntax::text::{FileId, Files, Origin, Text};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// A source map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Map {
    version: u32,
    /// The name of the binary.
    pub file: String,
    /// The source files.
    pub sources: Vec<String>,
    names: Vec<String>,
    mappings: String,
    /// The SHA-256 of the bundle.
    #[serde(rename = "x_sha256")]
    pub sha256: String,
    /// The number of lines of the bundle.
    #[serde(rename = "x_lines")]
    pub lines: usize,
    /// New names and the original ones.
    #[serde(rename = "x_renamed")]
    pub renamed: BTreeMap<String, String>,
}

/// A line and a column, both from 0.
type Spot = (usize, usize);

/// The origin of the characters from a column on; `None` if the bundler wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    column: usize,
    source: Option<(usize, Spot)>,
}

/// A place in the source; line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A parsed map, ready for look-ups.
#[derive(Debug)]
pub struct MapIndex {
    /// The map.
    pub map: Map,
    lines: Vec<Vec<Segment>>,
}

/// The SHA-256 digest that identifies a bundle.
pub fn digest(bundle: &[u8]) -> String {
    Sha256::digest(bundle).iter().map(|b| format!("{b:02x}")).collect()
}

impl Map {
    /// The map of a finished bundle. `shown` formats the path of a file.
    pub fn of(
        name: &str,
        bundle: &Text,
        files: &Files,
        shown: impl Fn(&Path) -> String,
        renamed: BTreeMap<String, String>,
    ) -> Map {
        let mut sources: Vec<String> = Vec::new();
        let mut known: BTreeMap<FileId, (usize, Vec<usize>)> = BTreeMap::new();
        let mut locate = |origin: Origin| {
            let text = files.text(origin.file);
            let (index, starts) = known.entry(origin.file).or_insert_with(|| {
                sources.push(shown(files.path(origin.file)));
                (sources.len() - 1, line_starts(text))
            });
            (*index, spot(text, starts, origin.offset))
        };
        let lines = segments(bundle, &mut locate);
        Map {
            version: 3,
            file: name.to_owned(),
            names: Vec::new(),
            mappings: encoded(&lines),
            sha256: digest(bundle.as_str().as_bytes()),
            lines: bundle.as_str().lines().count(),
            renamed,
            sources,
        }
    }

    /// The map as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// A message, if it is not a valid map.
    pub fn read(json: &[u8]) -> Result<MapIndex, String> {
        let map: Map = serde_json::from_slice(json).map_err(|e| e.to_string())?;
        if map.version != 3 {
            return Err(format!("version {} is not supported", map.version));
        }
        let lines = decoded(&map.mappings).ok_or("its mappings are malformed")?;
        if lines.iter().flatten().any(|s| s.source.is_some_and(|(file, _)| file >= map.sources.len())) {
            return Err("it refers to a file that it does not list".into());
        }
        Ok(MapIndex { map, lines })
    }
}

impl MapIndex {
    /// The origin of the character at a line and column, both from 1; `None` if the bundler wrote it.
    pub fn exactly_at(&self, line: usize, column: usize) -> Option<Place> {
        let column = column.checked_sub(1)?;
        let here = self.lines.get(line.checked_sub(1)?)?;
        let segment = here[..here.partition_point(|s| s.column <= column)].last()?;
        self.place(segment, column - segment.column)
    }

    /// The origin of a place, or of the nearest place that has one.
    pub fn at(&self, line: usize, column: usize) -> Option<Place> {
        self.exactly_at(line, column).or_else(|| {
            let line = line.checked_sub(1)?.min(self.lines.len());
            let from_source = |s: &&Segment| s.source.is_some();
            let here = self.lines.get(line).map_or(&[][..], Vec::as_slice);
            let before = here.iter().rev().find(|s| s.column < column && s.source.is_some());
            let after = || here.iter().find(from_source);
            let above = || self.lines[..line].iter().rev().flat_map(|l| l.iter().rev()).find(from_source);
            let below = || self.lines[line..].iter().flatten().find(from_source);
            self.place(before.or_else(after).or_else(above).or_else(below)?, 0)
        })
    }

    /// The origin of the lines from `first` to `last`: for each file, in order, its first and last line.
    pub fn span(&self, first: usize, last: usize) -> Vec<(String, usize, usize)> {
        let mut out: Vec<(usize, usize, usize)> = Vec::new();
        let lines = self.lines.iter().skip(first.saturating_sub(1)).take((last + 1).saturating_sub(first));
        for (file, (line, _)) in lines.flatten().filter_map(|s| s.source) {
            match out.iter_mut().find(|o| o.0 == file) {
                Some(o) => *o = (file, o.1.min(line + 1), o.2.max(line + 1)),
                None => out.push((file, line + 1, line + 1)),
            }
        }
        if out.is_empty() {
            return self.at(first, 1).map(|p| (p.file, p.line, p.line)).into_iter().collect();
        }
        out.into_iter().map(|(file, a, b)| (self.map.sources[file].clone(), a, b)).collect()
    }

    fn place(&self, segment: &Segment, further: usize) -> Option<Place> {
        let (file, (line, column)) = segment.source?;
        let file = self.map.sources.get(file)?.clone();
        Some(Place { file, line: line + 1, column: column + further + 1 })
    }
}

/// The width of a text as rustc counts columns: a tab counts as four.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

fn spot(text: &str, starts: &[usize], offset: usize) -> Spot {
    let line = starts.partition_point(|&s| s <= offset).saturating_sub(1);
    let start = starts.get(line).copied().unwrap_or(0);
    (line, text.get(start..offset.min(text.len())).map_or(0, columns))
}

fn segments(bundle: &Text, locate: &mut impl FnMut(Origin) -> (usize, Spot)) -> Vec<Vec<Segment>> {
    let text = bundle.as_str();
    let mut lines: Vec<Vec<Segment>> = vec![Vec::new()];
    let mut column = 0;
    for (range, origin) in bundle.runs() {
        let mut at = range.start;
        for part in text[range.clone()].split_inclusive('\n') {
            let source = origin.map(|o| locate(Origin { offset: o.offset + (at - range.start), ..o }));
            if source.is_some() || !part.trim().is_empty() {
                note(&mut lines, Segment { column, source });
            }
            at += part.len();
            column += columns(part);
            if part.ends_with('\n') {
                lines.push(Vec::new());
                column = 0;
            }
        }
    }
    lines
}

/// Adds a segment to the last line, unless the one before it implies it.
fn note(lines: &mut [Vec<Segment>], new: Segment) {
    let Some(line) = lines.last_mut() else { return };
    if line.last().is_some_and(|s| s.column == new.column) {
        line.pop();
    }
    let implied = line.last().is_some_and(|last| match (last.source, new.source) {
        (Some((a, (x, from))), Some((b, (y, to)))) => {
            a == b && x == y && from + (new.column - last.column) == to
        }
        (None, None) => true,
        _ => false,
    });
    if !implied {
        line.push(new);
    }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encoded(lines: &[Vec<Segment>]) -> String {
    let mut out = String::new();
    // File, line and column of the previous segment; the format stores differences.
    let mut last = [0usize; 3];
    for (i, line) in lines.iter().enumerate() {
        if i > 0 {
            out.push(';');
        }
        let mut column = 0;
        for (k, segment) in line.iter().enumerate() {
            if k > 0 {
                out.push(',');
            }
            put(&mut out, column, segment.column);
            column = segment.column;
            if let Some((file, (line, col))) = segment.source {
                for (slot, new) in last.iter_mut().zip([file, line, col]) {
                    put(&mut out, *slot, new);
                    *slot = new;
                }
            }
        }
    }
    out
}

fn put(out: &mut String, old: usize, new: usize) {
    let mut rest = (old.abs_diff(new) << 1) | usize::from(new < old);
    loop {
        let more = rest > 31;
        out.push(char::from(DIGITS[(rest & 31) | if more { 32 } else { 0 }]));
        rest >>= 5;
        if !more {
            break;
        }
    }
}

fn decoded(mappings: &str) -> Option<Vec<Vec<Segment>>> {
    let mut last = [0usize; 3];
    let line = |line: &str| {
        let mut column = 0usize;
        let parts = line.split(',').filter(|s| !s.is_empty());
        let read = |part: &str| {
            let numbers = numbers(part)?;
            column = column.checked_add_signed(*numbers.first()?)?;
            let mut source = None;
            if let Some(moves) = numbers.get(1..4) {
                for (slot, by) in last.iter_mut().zip(moves) {
                    *slot = slot.checked_add_signed(*by)?;
                }
                source = Some((last[0], (last[1], last[2])));
            }
            Some(Segment { column, source })
        };
        parts.map(read).collect::<Option<Vec<Segment>>>()
    };
    mappings.split(';').map(line).collect()
}

fn numbers(part: &str) -> Option<Vec<isize>> {
    let mut out = Vec::new();
    let (mut value, mut shift) = (0usize, 0u32);
    for byte in part.bytes() {
        let digit = DIGITS.iter().position(|&d| d == byte)?;
        value |= (digit & 31).checked_shl(shift).filter(|_| shift < 40)?;
        shift += 5;
        if digit < 32 {
            let size = isize::try_from(value >> 1).ok()?;
            out.push(if value & 1 == 1 { -size } else { size });
            (value, shift) = (0, 0);
        }
    }
    (shift == 0).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::layout::readable;
    use crate::syntax::space::dense;

    fn mapped() -> (MapIndex, String) {
        let source = "fn a() {\n    é(1);\n    let x = \"two\n lines\";\n}\n";
        let mut files = Files::default();
        let id = files.add(Path::new("/w/src/a.rs"), source);
        let mut text = Text::generated("// head\nmod a {\n");
        text.push(&Text::of_file(id, source.into()));
        text.push_str("}\n");
        let renamed = BTreeMap::from([("b".to_owned(), "beta".to_owned())]);
        let map = Map::of("x", &text, &files, |p| p.display().to_string().replace("/w/", ""), renamed);
        (Map::read(map.json().as_bytes()).unwrap(), text.as_str().into())
    }

    #[test]
    fn every_line_has_a_source() {
        let (ways, bundle) = mapped();
        assert_eq!(ways.map.sha256, digest(bundle.as_bytes()));
        let place = |line, column| ways.at(line, column).map(|p| (p.line, p.column));
        assert_eq!(place(3, 4), Some((1, 4)));
        assert_eq!(place(4, 7), Some((2, 7)));
        assert_eq!(place(6, 2), Some((4, 2)));
        // A place without an origin gets the nearest one.
        assert_eq!(place(1, 1), Some((1, 1)));
        assert_eq!(place(8, 1), Some((5, 1)));
        assert_eq!(place(0, 1), None);
        assert_eq!(ways.span(4, 5), [("src/a.rs".to_owned(), 2, 3)]);
    }

    #[test]
    fn mappings_round_trip() {
        let spots = [(0, 0), (5, 40), (2, 1_000_000), (70_000, 3)];
        let line = |k: usize| -> Vec<Segment> {
            let segment = |(i, s): (usize, &Spot)| Segment {
                column: i * 17 + k,
                source: (i != 2).then_some((i % 3, *s)),
            };
            spots.iter().enumerate().map(segment).collect()
        };
        let lines = vec![line(0), Vec::new(), line(3)];
        assert_eq!(decoded(&encoded(&lines)).unwrap(), lines);
        for wrong in ["é", "A", "g", "AAAA,D", "ggggggggggggggggggggggB"] {
            let _ = decoded(wrong);
        }
        assert!(decoded("g").is_none() && decoded("D").is_none() && decoded("?").is_none());
    }

    #[test]
    fn tokens_keep_their_source_after_minifying() {
        let source = include_str!("map.rs");
        let mut files = Files::default();
        let id = files.add(Path::new("map.rs"), source);
        let text = Text::of_file(id, source.into());
        for made in [readable(&text).unwrap(), dense(&text).unwrap()] {
            let map = Map::of("x", &made, &files, |p| p.display().to_string(), BTreeMap::new());
            let ways = Map::read(map.json().as_bytes()).unwrap();
            let lines: Vec<&str> = source.lines().collect();
            let starts = line_starts(made.as_str());
            for token in crate::syntax::tokens::Tokens::read(made.as_str()).unwrap().iter() {
                let (line, column) = spot(made.as_str(), &starts, token.range.start);
                let place = ways.at(line + 1, column + 1).unwrap();
                let there: String = lines[place.line - 1].chars().skip(place.column - 1).collect();
                let first = made.as_str()[token.range.clone()].lines().next().unwrap();
                assert!(there.starts_with(first), "{first:?} leads to {there:?}");
            }
        }
    }
}
