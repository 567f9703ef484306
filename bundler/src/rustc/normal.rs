//! The normal form of a program's code: independent of names and of the order of its parts.
//!
//! Starting from the symbols that the linker sees, `main` above all, every name is followed and numbered by its first
//! mention, and so are labels and variables within a function. Two programs have the same normal form exactly if one
//! equals the other up to names, order, and additional parts that nothing mentions.

use crate::rustc::ir::{Kind, Module, Piece, Pieces};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fmt::Write;

/// The digests of a program's parts, ordered by first mention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Normal {
    /// One for the lines outside all parts, then one for each part.
    parts: Vec<Part>,
    /// The number of functions with a body.
    pub functions: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Part {
    digest: String,
    known_as: String,
}

impl Normal {
    /// Reads LLVM assembly; `None` if it cannot be parsed. Source locations within files called `file` do not count.
    pub fn of(text: &str, file: &str) -> Option<Normal> {
        let module = Module::read(text)?;
        let mut walk = Walk::new(&module, file);
        walk.whole()?;
        Some(Normal { parts: walk.parts, functions: walk.functions })
    }

    /// The normal form in full, for people who compare two programs; `None` if it cannot be parsed.
    pub fn written(text: &str, file: &str) -> Option<String> {
        let module = Module::read(text)?;
        let mut walk = Walk::new(&module, file);
        walk.written = Some(String::new());
        walk.whole()?;
        walk.written
    }

    /// The name of the first function or constant that differs; `None` if all are equal.
    pub fn difference(&self, other: &Normal) -> Option<String> {
        let count = self.parts.len().max(other.parts.len());
        let different =
            |i: &usize| self.parts.get(*i).map(|p| &p.digest) != other.parts.get(*i).map(|p| &p.digest);
        let first = (0..count).find(different)?;
        let named =
            [self, other].into_iter().filter_map(|n| n.parts.get(first)).find(|p| !p.known_as.is_empty());
        Some(named.map_or("code outside functions", |p| p.known_as.as_str()).to_owned())
    }
}

/// Precedes a number that is used as an address.
pub const ADDRESS: &str = "inttoptr (i64 ";

/// Numbers names by first mention.
#[derive(Default)]
struct Numbers<'t>(HashMap<&'t str, usize>);

impl<'t> Numbers<'t> {
    /// The number of a name, and whether this is its first mention.
    fn of(&mut self, name: &'t str) -> (usize, bool) {
        let next = self.0.len();
        let number = *self.0.entry(name).or_insert(next);
        (number, number == next)
    }
}

struct Walk<'m, 't> {
    module: &'m Module<'t>,
    /// Whether each unit is a source location in the file.
    place: Vec<bool>,
    numbers: Numbers<'t>,
    /// Numbers of type identities.
    types: Numbers<'t>,
    /// Units in order of first mention, each with the function that mentioned it; the walk follows them.
    queue: Vec<(usize, &'t str)>,
    /// The current function, or the one that mentioned the current constant.
    within: &'t str,
    parts: Vec<Part>,
    functions: usize,
    /// The normal form in full, if requested.
    written: Option<String>,
}

impl<'m, 't> Walk<'m, 't> {
    fn new(module: &'m Module<'t>, file: &str) -> Walk<'m, 't> {
        let place = places(module, file);
        Walk {
            module,
            place,
            numbers: Numbers::default(),
            types: Numbers::default(),
            queue: Vec::new(),
            within: "",
            parts: Vec::new(),
            functions: 0,
            written: None,
        }
    }

    fn part(&mut self, content: &str, known_as: String) {
        if let Some(written) = &mut self.written {
            let _ = writeln!(written, "; {known_as}\n{content}");
        }
        self.parts.push(Part { digest: digest(content), known_as });
    }

    /// Starts from the exported symbols, ordered by name, and follows every mention.
    fn whole(&mut self) -> Option<()> {
        let module = self.module;
        let mut out = String::new();
        let mut roots: Vec<usize> =
            (0..module.units.len()).filter(|&i| module.units[i].kind == Kind::Exported).collect();
        roots.sort_by_key(|&i| module.units[i].name);
        for i in roots {
            self.mention(module.units[i].name, i, &mut out);
        }
        for line in &module.global {
            self.line(line, &mut Numbers::default(), &mut out);
            out.push('\n');
        }
        self.part(&out, String::new());
        let mut next = 0;
        while let Some(&(i, by)) = self.queue.get(next) {
            self.unit(i, by)?;
            next += 1;
        }
        Some(())
    }

    fn unit(&mut self, i: usize, by: &'t str) -> Option<()> {
        let unit = self.module.units.get(i)?;
        self.within = unit.known_as.unwrap_or(by);
        let mut out = format!("{:?}\n", unit.kind);
        // Exported and external symbols are compared by name.
        if matches!(unit.kind, Kind::Exported | Kind::External) {
            out.push_str(unit.name);
        }
        let mut locals = Numbers::default();
        for line in &unit.lines {
            self.line(line, &mut locals, &mut out);
            out.push('\n');
        }
        self.functions += usize::from(unit.lines.len() > 1);
        let known_as = match unit.known_as {
            Some(name) => name.to_owned(),
            None if by.is_empty() => String::new(),
            None => format!("an item that {by} uses"),
        };
        self.part(&out, known_as);
        Some(())
    }

    fn line(&mut self, line: &'t str, locals: &mut Numbers<'t>, out: &mut String) {
        let mut rest = line;
        if let Some((label, comment)) = label(line) {
            let _ = write!(out, "%{}:", locals.of(label).0);
            rest = comment;
        }
        let mut source = false;
        for piece in Pieces::of(rest) {
            match piece {
                Piece::Text(text) => self.text(text, out),
                // The source location of an `asm!`.
                Piece::Name("!srcloc") => source = true,
                Piece::Name(name) if source && name.starts_with('!') => source = false,
                Piece::Name(name) => match self.module.index.get(name) {
                    Some(&i) => self.mention(name, i, out),
                    None if name.starts_with('%') => {
                        let _ = write!(out, "%{}", locals.of(bare(name)).0);
                    }
                    None => out.push_str(name),
                },
            }
        }
    }

    /// A type's identity is a digest of its path, written as an impossible address; it is replaced by a number.
    fn text(&mut self, text: &'t str, out: &mut String) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(ADDRESS) {
            out.push_str(before);
            out.push_str(ADDRESS);
            let end = after.find(' ').unwrap_or(after.len());
            let (value, tail) = after.split_at(end);
            rest = tail;
            if value.parse().is_ok_and(|n: i64| n.unsigned_abs() > 1 << 47) {
                let _ = write!(out, "#{}", self.types.of(value).0);
            } else {
                out.push_str(value);
            }
        }
        out.push_str(rest);
    }

    fn mention(&mut self, name: &'t str, unit: usize, out: &mut String) {
        if self.place[unit] {
            out.push_str("@place");
            return;
        }
        let (number, first) = self.numbers.of(name);
        if first {
            self.queue.push((unit, self.within));
        }
        let _ = write!(out, "@{number}");
    }
}

/// A label at the start of a line, and the rest after its colon.
pub fn label(line: &str) -> Option<(&str, &str)> {
    let first = line.chars().next()?;
    if first == '"' {
        let end = line[1..].find('"')? + 1;
        return Some((&line[1..end], line[end + 1..].strip_prefix(':')?));
    }
    let (name, rest) = line.split_once(':')?;
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '$' | '.' | '_');
    name.chars().all(word).then_some((name, rest))
}

/// A variable's name in the form of a label.
pub fn bare(name: &str) -> &str {
    name.trim_start_matches('%').trim_matches('"')
}

fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|b| format!("{b:02x}")).collect()
}

/// Whether each unit is a `core::panic::Location` in the file, or in any if it has no name: file name, length, line and column.
pub fn places(module: &Module<'_>, file: &str) -> Vec<bool> {
    // The file, or one of its name in a folder.
    let contents = [format!("{file}\""), format!("{file}\\00\"")];
    let constant = |i: usize| {
        let unit = module.units.get(i).filter(|u| u.kind == Kind::Data && u.lines.len() == 1)?;
        let (head, value) = unit.lines[0].split_once(" = ")?.1.split_once(" constant ")?;
        head.contains("private").then_some(value)
    };
    let is_file = |name: &str| {
        let value = module.index.get(name).and_then(|&i| constant(i));
        value.is_some_and(|v| contents.iter().any(|c| v.contains(c.as_str())))
    };
    let is_place = |i: usize| {
        // Pointers of 64 or 32 bits.
        let shapes = ["<{ ptr, [16 x i8] }> <{ ptr ", "<{ ptr, [12 x i8] }> <{ ptr "];
        let value = constant(i)?;
        let rest = shapes.iter().find_map(|s| value.strip_prefix(s))?;
        match Pieces::of(rest).next()? {
            Piece::Name(name) => Some(is_file(name)),
            Piece::Text(_) => None,
        }
    };
    (0..module.units.len()).map(|i| is_place(i) == Some(true)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "@a = private constant [2 x i8] c\"hi\"\n@v = internal global i32 0\n@w = internal global i32 0\n\
        @file = private constant [4 x i8] c\"f.rs\"\n\
        @at = private constant <{ ptr, [16 x i8] }> <{ ptr @file, [16 x i8] c\"one line\" }>, align 8\n\
        ; bundle::one\ndefine internal void @one(i32 %n) {\nstart:\n  %x = add i32 %n, 1 ; comment\n  br label %end\n\n\
        end:                   ; preds = %start\n  store i32 %x, ptr @v\n  call void @two(ptr @a, ptr @at)\n  ret void\n}\n\
        ; bundle::two\ndefine internal void @two() #0 {\nstart:\n  store i32 1, ptr @w, !srcloc !1\n  ret void\n}\n\
        ; bundle::never\ndefine internal void @never() {\n  ret void\n}\n\
        define i32 @main() {\n  call void @one(i32 7), call void @puts()\n}\n\
        declare void @puts()\nattributes #0 = { cold }\n!1 = !{i64 5}\n";

    fn difference(from: &str, to: &str) -> Option<String> {
        assert!(SMALL.contains(from), "{from}");
        let normal = |text: &str| Normal::of(text, "f.rs").unwrap();
        normal(SMALL).difference(&normal(&SMALL.replace(from, to)))
    }

    #[test]
    fn irrelevant_changes_are_ignored() {
        for (from, to) in [
            ("@two", "@\"_ZN$3\""),
            ("@v", "@anon.1"),
            ("%x", "%y.1"),
            ("bundle::one", "bundle::other"),
            ("comment", "remark"),
            ("one line", "no. line"),
            ("i64 5", "i64 6"),
            ("#0", "#9"),
            ("; bundle::never\ndefine internal void @never() {\n  ret void\n}\n", ""),
        ] {
            assert_eq!(difference(from, to), None, "{from} and {to}");
        }
        assert!(difference("%end", "%\"e e\"").is_some(), "a label that is nowhere");
        let functions: Vec<&str> = SMALL.split_inclusive("}\n").collect();
        let turned: String = functions.iter().rev().copied().collect();
        let normal = Normal::of(&turned, "f.rs").unwrap();
        assert_eq!(normal.difference(&Normal::of(SMALL, "f.rs").unwrap()), None);
        assert_eq!(normal.functions, 3);
    }

    #[test]
    fn relevant_changes_are_found() {
        for (from, to, function) in [
            ("i32 %n, 1", "i32 %n, 2", "bundle::one"),
            ("i32 %n, 1", "i32 1, %n", "bundle::one"),
            ("c\"hi\"", "c\"ho\"", ""),
            ("f.rs", "g.rs", ""),
            ("puts", "gets", ""),
            ("{ cold }", "{ hot }", ""),
            ("@w, ", "@v, ", "bundle::two"),
            ("i32 7", "i32 8", ""),
            ("i32 @main", "i32 @start", ""),
            ("br label %end", "br label %start", "bundle::one"),
        ] {
            let found =
                difference(from, to).unwrap_or_else(|| panic!("{from} and {to} are not distinguished"));
            assert!(found.contains(function), "{from}: {found}");
        }
    }

    #[test]
    fn identities_of_types_are_numbered() {
        let ids = |a: &str, b: &str, c: &str| {
            let id = |n: &str| format!("ptr inttoptr (i64 {n} to ptr)");
            let text = format!(
                "@i = private constant <{{ ptr, ptr, ptr }}> <{{ {}, {}, {} }}>, align 8\n\
                define i32 @main() {{\n  ret ptr @i\n}}\n",
                id(a),
                id(b),
                id(c)
            );
            Normal::of(&text, "f.rs").unwrap()
        };
        let (one, two, three) = ("825956037400770499", "-5031720322257128136", "6330420626943664223");
        assert_eq!(ids(one, two, one).difference(&ids(three, one, three)), None);
        // It matters which identities are equal, and so does every number that may be an address.
        for (a, b) in [
            (ids(one, two, one), ids(one, two, two)),
            (ids(one, two, one), ids(one, two, three)),
            (ids("1", two, one), ids("2", two, one)),
            (ids("1", two, one), ids(three, two, one)),
        ] {
            assert!(a.difference(&b).is_some());
        }
    }

    #[test]
    fn constants_are_attributed_to_their_users() {
        assert_eq!(difference("c\"hi\"", "c\"ho\"").unwrap(), "an item that bundle::one uses");
        assert_eq!(difference("puts", "gets").unwrap(), "code outside functions");
    }

    #[test]
    fn labels() {
        assert_eq!(label("bb1:  ; preds = %start"), Some(("bb1", "  ; preds = %start")));
        assert_eq!(label("\"a b\":"), Some(("a b", "")));
        assert_eq!(label("  %x = add i32 1: 2"), None);
        assert_eq!(label(""), None);
        assert_eq!(label("\"open"), None);
    }
}
