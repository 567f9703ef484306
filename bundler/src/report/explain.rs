//! Translates places in a bundle, as compilers and panics print them, to places in the source.

use crate::api::map::{MapIndex, Place};
use std::ops::RangeInclusive;

/// A place to explain: `submit.rs:12`, `submit.rs:12:7` or `submit.rs:12-20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The bundle.
    pub file: String,
    /// The lines.
    pub lines: RangeInclusive<usize>,
    /// The column, if there is one.
    pub column: Option<usize>,
}

impl std::str::FromStr for Question {
    type Err = String;

    fn from_str(s: &str) -> Result<Question, String> {
        let advice = "write FILE:LINE, FILE:LINE:COLUMN or FILE:FIRST-LAST; lines count from 1";
        let mut parts: Vec<&str> = s.split(':').collect();
        let number = |s: &str| s.parse::<usize>().ok().filter(|&n| n > 0);
        let last = parts.pop().unwrap_or_default();
        // With two numbers, the second is the column; the file name may contain colons too.
        let before = parts.last().and_then(|s| number(s)).filter(|_| parts.len() > 1);
        let (lines, column) = match (before, number(last)) {
            (Some(line), Some(column)) => {
                parts.pop();
                (line..=line, Some(column))
            }
            (_, Some(line)) => (line..=line, None),
            (_, None) => {
                let (a, b) = last.split_once('-').ok_or(advice)?;
                (number(a).ok_or(advice)?..=number(b).ok_or(advice)?, None)
            }
        };
        let file = parts.join(":");
        if file.is_empty() || lines.is_empty() {
            return Err(advice.into());
        }
        Ok(Question { file, lines, column })
    }
}

impl MapIndex {
    /// The answer to a question, one line per file.
    ///
    /// # Errors
    /// If the bundle has no such line.
    pub fn answer(&self, question: &Question) -> Result<Vec<String>, String> {
        let (first, last) = (*question.lines.start(), *question.lines.end());
        if first > self.map.lines {
            return Err(format!("{}:{first}: the bundle has only {} lines", question.file, self.map.lines));
        }
        if let Some(column) = question.column {
            return Ok(self.at(first, column).map(|p| shown(&p, true)).into_iter().collect());
        }
        let span = |(file, a, b): (String, usize, usize)| {
            if a == b {
                format!("{file}:{a}")
            } else {
                format!("{file}:{a}-{b}")
            }
        };
        Ok(self.span(first, last).into_iter().map(span).collect())
    }

    /// A line of output with places and renamed names translated to those of the source; the rest is unchanged.
    pub fn translate(&self, line: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(line.len());
        let mut done = 0;
        while let Some(found) = find(line, done) {
            let place = (found.line <= self.map.lines && !is_foreign(&line[found.start..found.name_end]))
                .then(|| self.at(found.line, found.column.unwrap_or(1)))
                .flatten();
            if let Some(place) = place {
                out.extend_from_slice(&line[done..found.start]);
                let between = &line[found.name_end..found.digits];
                out.extend_from_slice(place.file.as_bytes());
                out.extend_from_slice(between);
                let tail = found.column.map_or(String::new(), |_| format!(":{}", place.column));
                out.extend_from_slice(format!("{}{tail}", place.line).as_bytes());
            } else {
                out.extend_from_slice(&line[done..found.end]);
            }
            done = found.end;
        }
        out.extend_from_slice(&line[done..]);
        if self.map.renamed.is_empty() {
            out
        } else {
            self.renamed_back(&out)
        }
    }

    /// Restores the original names between backticks and in paths.
    fn renamed_back(&self, line: &[u8]) -> Vec<u8> {
        let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
        let mut out = Vec::with_capacity(line.len());
        let mut quoted = false;
        let mut at = 0;
        while at < line.len() {
            let end = at + line[at..].iter().take_while(|&&b| is_name(b)).count();
            if end == at {
                quoted ^= line[at] == b'`';
                out.push(line[at]);
                at += 1;
                continue;
            }
            let in_path = line[end..].starts_with(b"::") || line[..at].ends_with(b"::");
            let outside = in_path && starts_outside(&line[..at], is_name);
            let old = std::str::from_utf8(&line[at..end]).ok().and_then(|n| self.map.renamed.get(n));
            match old.filter(|_| (quoted || in_path) && !outside) {
                Some(old) => out.extend_from_slice(old.as_bytes()),
                None => out.extend_from_slice(&line[at..end]),
            }
            at = end;
        }
        out
    }
}

/// `file:line:column`
pub fn shown(place: &Place, column: bool) -> String {
    let Place { file, line, .. } = place;
    if column {
        format!("{file}:{line}:{}", place.column)
    } else {
        format!("{file}:{line}")
    }
}

/// Whether the path that continues here begins in the standard library.
fn starts_outside(before: &[u8], is_name: impl Fn(u8) -> bool) -> bool {
    let length = before.iter().rev().take_while(|&&b| is_name(b) || b == b':').count();
    let path = &before[before.len() - length..];
    ["std::", "core::", "alloc::"].iter().any(|s| path.starts_with(s.as_bytes()))
}

/// A place in a line of output.
struct Found {
    /// Start and end of the file name.
    start: usize,
    name_end: usize,
    /// Start of the line number.
    digits: usize,
    /// End of the place.
    end: usize,
    line: usize,
    column: Option<usize>,
}

const BETWEEN: &[&[u8]] = &[b":", b". on line ", b" on line ", b", line ", b" line "];

/// The next place at or after `from`.
fn find(line: &[u8], from: usize) -> Option<Found> {
    let mut at = from;
    while let Some(next) = line.get(at..)?.windows(3).position(|w| w == b".rs") {
        let name_end = at + next + 3;
        at = name_end;
        let start = name_start(line, from, name_end);
        let Some(between) = BETWEEN.iter().find(|b| line[name_end..].starts_with(b)) else { continue };
        let digits = name_end + between.len();
        let Some((number, mut end)) = number(line, digits).filter(|_| start < name_end - 3) else { continue };
        let mut column = None;
        if line.get(end) == Some(&b':') {
            if let Some((n, after)) = self::number(line, end + 1) {
                (column, end) = (Some(n), after);
            }
        }
        return Some(Found { start, name_end, digits, end, line: number, column });
    }
    None
}

/// The start of the file name that ends at `end`. A name that contains white space is cut short.
fn name_start(line: &[u8], from: usize, end: usize) -> usize {
    let stops = |b: u8| {
        b.is_ascii_whitespace()
            || matches!(b, b'"' | b'\'' | b'`' | b'(' | b'<' | b'>' | b'[' | b'|' | b',' | b'=')
    };
    let start = (from..end).rev().find(|&i| stops(line[i])).map_or(from, |i| i + 1);
    // A colour escape sequence ends with a letter.
    let escape = line[start..end].iter().rposition(|&b| b == 0x1b).map(|i| start + i);
    let after = |e: usize| line[e..end].iter().position(|&b| b == b'm').map(|i| e + i + 1);
    escape.and_then(after).unwrap_or_else(|| {
        // `[`, at which the search above stops, may be part of a colour escape sequence.
        let code = start > 1 && line[start - 1] == b'[' && line[start - 2] == 0x1b;
        let letter = line[start..end].iter().position(|&b| b == b'm').filter(|_| code);
        letter.map_or(start, |i| start + i + 1)
    })
}

fn number(line: &[u8], at: usize) -> Option<(usize, usize)> {
    let digits = line.get(at..)?.iter().take_while(|b| b.is_ascii_digit()).count();
    let n = std::str::from_utf8(&line[at..at + digits]).ok()?.parse().ok()?;
    (n > 0).then_some((n, at + digits))
}

/// The file of the first place in a line of output, unless it belongs to the standard library or to a registry crate.
pub fn file_named(line: &[u8]) -> Option<String> {
    let found = find(line, 0)?;
    let name = &line[found.start..found.name_end];
    (!is_foreign(name)).then(|| String::from_utf8_lossy(name).into_owned())
}

/// Whether a file belongs to the standard library or to a registry crate.
fn is_foreign(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).replace('\\', "/");
    name.starts_with("/rustc/")
        || ["/library/", "/.rustup/", "/.cargo/registry/"].iter().any(|p| name.contains(p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::map::Map;
    use crate::syntax::text::{Files, Text};
    use std::collections::BTreeMap;
    use std::path::Path;

    fn ways() -> MapIndex {
        let source = "fn a() {\n    b();\n}\n";
        let mut files = Files::default();
        let id = files.add(Path::new("src/a.rs"), source);
        let mut text = Text::generated("// head\n");
        text.push(&Text::of_file(id, source.into()));
        let renamed = BTreeMap::from([("q".to_owned(), "queue".to_owned()), ("C".into(), "Cell".into())]);
        let map = Map::of("x", &text, &files, |p| p.display().to_string(), renamed);
        Map::read(map.json().as_bytes()).unwrap()
    }

    #[test]
    fn questions_are_read() {
        let read = |s: &str| s.parse::<Question>().map(|q| (q.file, q.lines, q.column));
        assert_eq!(read("a.rs:12"), Ok(("a.rs".into(), 12..=12, None)));
        assert_eq!(read("a.rs:12:7"), Ok(("a.rs".into(), 12..=12, Some(7))));
        assert_eq!(read("C:\\a.rs:12-15"), Ok(("C:\\a.rs".into(), 12..=15, None)));
        for wrong in ["a.rs", "a.rs:", "a.rs:0", ":5", "5", "a.rs:5-4", "a.rs:x", ""] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn places_in_output_are_translated() {
        let ways = ways();
        let translated = |s: &str| String::from_utf8(ways.translate(s.as_bytes())).unwrap();
        for (said, want) in [
            ("  --> submit.rs:3:5\n", "  --> src/a.rs:2:5\n"),
            ("thread 'main' panicked at src/main.rs:3:5:", "thread 'main' panicked at src/a.rs:2:5:"),
            ("at main.rs. on line 3", "at src/a.rs. on line 2"),
            ("at ./submit.rs:3:6 and (answer.rs:2)", "at src/a.rs:2:6 and (src/a.rs:1)"),
            ("\u{1b}[94m--> \u{1b}[0msubmit.rs:3:5", "\u{1b}[94m--> \u{1b}[0msrc/a.rs:2:5"),
            ("at /rustc/59/library/core/src/x.rs:3:5", "at /rustc/59/library/core/src/x.rs:3:5"),
            ("submit.rs:99:1 x.rs: .rs:3 a.rs:0", "submit.rs:99:1 x.rs: .rs:3 a.rs:0"),
            ("3 |     b(); q", "3 |     b(); q"),
            ("no `q` in `Vec<C>`, q", "no `queue` in `Vec<Cell>`, q"),
            ("1: submit::q::C::new", "1: submit::queue::Cell::new"),
            ("1: core::q::C", "1: core::q::C"),
        ] {
            assert_eq!(translated(said), want);
        }
        let bytes = b"\xff\xfe.rs:\xff submit.rs:3\xff";
        assert_eq!(ways.translate(bytes), b"\xff\xfe.rs:\xff src/a.rs:2\xff");
    }

    #[test]
    fn answers() {
        let ways = ways();
        let answer = |s: &str| ways.answer(&s.parse().unwrap());
        assert_eq!(answer("x.rs:3"), Ok(vec!["src/a.rs:2".into()]));
        assert_eq!(answer("x.rs:3:6"), Ok(vec!["src/a.rs:2:6".into()]));
        assert_eq!(answer("x.rs:1-4"), Ok(vec!["src/a.rs:1-3".into()]));
        assert!(answer("x.rs:5").unwrap_err().contains("only 4 lines"));
    }
}
