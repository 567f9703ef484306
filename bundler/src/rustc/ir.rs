//! Parses LLVM's textual assembly into functions, constants and attributes, and the names that each mentions.
//!
//! The language is the same for every target and object format. Every name starts with one of `@ % $ # !`, so names are
//! recognised without knowledge of the instructions.

use std::collections::HashMap;

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Characters that are not a name.
    Text(&'t str),
    /// A name with its sigil (one of `@%$#!`).
    Name(&'t str),
}

/// A named definition or declaration.
#[derive(Debug)]
pub struct Unit<'t> {
    /// Name with the sigil.
    pub name: &'t str,
    /// Lines without comments.
    pub lines: Vec<&'t str>,
    /// Readable name, from the compiler's comment.
    pub known_as: Option<&'t str>,
    /// Function, constant or other.
    pub kind: Kind,
}

/// The kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function with a body, internal to the program.
    Function,
    /// A constant or variable, internal to the program.
    Data,
    /// A function or variable that is visible to the linker by name.
    Exported,
    /// A declaration of a symbol from another library.
    External,
    /// A type, an attribute group or metadata.
    Detail,
}

/// All units of a program.
#[derive(Debug, Default)]
pub struct Module<'t> {
    /// The units.
    pub units: Vec<Unit<'t>>,
    /// The index of each name's unit.
    pub index: HashMap<&'t str, usize>,
    /// Lines outside all units that affect the program.
    pub global: Vec<&'t str>,
}

impl<'t> Module<'t> {
    /// Parses a program's module; `None` if it has an unknown form, or no function.
    pub fn read(text: &'t str) -> Option<Module<'t>> {
        Module::parse(text).filter(|module| module.units.iter().any(|u| u.lines.len() > 1))
    }

    /// Parses a module; `None` if it has an unknown form.
    pub fn parse(text: &'t str) -> Option<Module<'t>> {
        let mut module = Module::default();
        let mut known_as = None;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(comment) = line.strip_prefix(';') {
                if !comment.starts_with(" Function Attrs") {
                    known_as = Some(comment.trim());
                }
                continue;
            }
            if line.is_empty() || line.starts_with("source_filename") {
                continue;
            }
            let about = known_as.take();
            if line.starts_with("define ") {
                let mut body = vec![line];
                loop {
                    let line = lines.next()?;
                    body.push(line);
                    if line == "}" {
                        break;
                    }
                }
                module.add(first_global(line)?, body, about, function_kind(line));
            } else if line.starts_with("declare ") {
                module.add(first_global(line)?, vec![line], None, Kind::External);
            } else if line.starts_with("attributes ") || line.starts_with(['@', '%', '$', '!']) {
                let Some((name, kind)) = defined(line) else {
                    module.global.push(line);
                    continue;
                };
                module.add(name, vec![line], None, kind);
            } else if line.starts_with("target ") || line.starts_with("module asm ") {
                module.global.push(line);
            } else {
                return None;
            }
        }
        Some(module)
    }

    fn add(&mut self, name: &'t str, lines: Vec<&'t str>, known_as: Option<&'t str>, kind: Kind) {
        self.index.insert(name, self.units.len());
        self.units.push(Unit { name, lines, known_as, kind });
    }
}

fn first_global(line: &str) -> Option<&str> {
    Pieces::of(line).find_map(|p| match p {
        Piece::Name(name) if name.starts_with('@') => Some(name),
        _ => None,
    })
}

fn function_kind(line: &str) -> Kind {
    let linkage = line.split(' ').nth(1).unwrap_or("");
    match linkage {
        "internal" | "private" => Kind::Function,
        _ if first_global(line).is_some_and(mangled) => Kind::Function,
        _ => Kind::Exported,
    }
}

/// Whether a name is mangled, so that only the linker sees it.
fn mangled(name: &str) -> bool {
    // std calls the program's allocator by such a name.
    if name.contains("7___rustc") {
        return false;
    }
    let name = name.trim_start_matches(['@', '"']);
    name.starts_with("_R") || name.starts_with("_ZN") || name.starts_with("__ZN") || name.starts_with("__R")
}

/// The name that a line defines, with its kind.
fn defined(line: &str) -> Option<(&str, Kind)> {
    let line = line.strip_prefix("attributes ").unwrap_or(line);
    let Some(Piece::Name(name)) = Pieces::of(line).next() else { return None };
    let (_, value) = line.split_once(" = ")?;
    if !name.starts_with('@') {
        // Named metadata describes the whole module.
        let word = name.starts_with('!') && !name[1..].starts_with(|c: char| c.is_ascii_digit());
        return (!word).then_some((name, Kind::Detail));
    }
    let words = || value.split(' ').take_while(|w| !matches!(*w, "global" | "constant" | "alias" | "ifunc"));
    let kind = if words().any(|w| matches!(w, "external" | "extern_weak" | "available_externally")) {
        Kind::External
    } else if words().any(|w| matches!(w, "internal" | "private")) || mangled(name) {
        Kind::Data
    } else {
        Kind::Exported
    };
    Some((name, kind))
}

/// Iterates over the pieces of a line without comments.
pub struct Pieces<'t> {
    line: &'t str,
    at: usize,
}

impl<'t> Pieces<'t> {
    /// The pieces of this line.
    pub fn of(line: &'t str) -> Pieces<'t> {
        Pieces { line, at: 0 }
    }

    /// The end of the name whose sigil is at `at`, or `at` if no name is there.
    fn name_end(&self, at: usize) -> usize {
        let bytes = self.line.as_bytes();
        let mark = bytes[at];
        if !matches!(mark, b'@' | b'%' | b'$' | b'#' | b'!') {
            return at;
        }
        // `!"…"` is a string.
        if mark != b'!' && bytes.get(at + 1) == Some(&b'"') {
            return self.string_end(at + 1);
        }
        let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'$' | b'.' | b'_' | b'\\');
        let length = bytes[at + 1..].iter().take_while(|b| word(b)).count();
        if length == 0 {
            at
        } else {
            at + 1 + length
        }
    }

    /// The end of the string that starts at `at`; quotation marks inside are written `\22`.
    fn string_end(&self, at: usize) -> usize {
        let rest = &self.line.as_bytes()[at + 1..];
        at + 1 + rest.iter().position(|&b| b == b'"').map_or(rest.len(), |n| n + 1)
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        let bytes = self.line.as_bytes();
        let start = self.at;
        let mut at = start;
        while at < bytes.len() {
            let end = self.name_end(at);
            if end > at && at == start {
                self.at = end;
                return Some(Piece::Name(&self.line[start..end]));
            }
            if end > at {
                break;
            }
            match bytes[at] {
                b'"' => at = self.string_end(at),
                b';' => {
                    self.at = bytes.len();
                    let text = self.line[start..at].trim_end();
                    return (!text.is_empty()).then_some(Piece::Text(text));
                }
                _ => at += 1,
            }
        }
        self.at = at;
        (at > start).then(|| Piece::Text(&self.line[start..at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_text() {
        let line = r#"  %_3 = call ptr @"a\22;$b"(i64 7, ptr @c.1) #24, !srcloc !4 ; %no"#;
        let pieces: Vec<Piece<'_>> = Pieces::of(line).collect();
        use Piece::{Name, Text};
        assert_eq!(
            pieces,
            [
                Text("  "),
                Name("%_3"),
                Text(" = call ptr "),
                Name(r#"@"a\22;$b""#),
                Text("(i64 7, ptr "),
                Name("@c.1"),
                Text(") "),
                Name("#24"),
                Text(", "),
                Name("!srcloc"),
                Text(" "),
                Name("!4"),
            ]
        );
        assert_eq!(Pieces::of(r#"c"@a ; b", !"x""#).collect::<Vec<_>>(), [Text(r#"c"@a ; b", !"x""#)]);
        assert_eq!(Pieces::of("").next(), None);
        // Malformed input neither loops nor panics.
        for odd in ["\"", "@", "@\"", "%", "é@é", "!\"é", "#é\"", ";"] {
            assert!(Pieces::of(odd).count() < 4, "{odd}");
        }
    }

    #[test]
    fn kinds() {
        let text = "; ModuleID\nsource_filename = \"x\"\ntarget triple = \"t\"\n\
            %\"a::b\" = type { i64 }\n$c = comdat any\n@d = private unnamed_addr constant [1 x i8] c\"\\00\"\n\
            @_ZN1e = external global i8\n@f = global i8 0\n@_ZN1g = hidden thread_local global i8 0\n\
            ; bundle::h\n; Function Attrs: cold\ndefine internal void @_ZN1h() {\nstart:\n  ret void\n}\n\
            define i32 @main() {\n  ret i32 0\n}\n\
            define hidden ptr @_RNvCsa_7___rustc12___rust_alloc() {\n  ret ptr null\n}\ndeclare void @_Ri() #0\nattributes #0 = { cold }\n\
            !llvm.ident = !{!0}\n!0 = !{!\"x\"}\n";
        let module = Module::read(text).unwrap();
        let kinds: Vec<(&str, Kind)> = module.units.iter().map(|u| (u.name, u.kind)).collect();
        use Kind::{Data, Detail, Exported, External, Function};
        assert_eq!(
            kinds,
            [
                ("%\"a::b\"", Detail),
                ("$c", Detail),
                ("@d", Data),
                ("@_ZN1e", External),
                ("@f", Exported),
                ("@_ZN1g", Data),
                ("@_ZN1h", Function),
                ("@main", Exported),
                ("@_RNvCsa_7___rustc12___rust_alloc", Exported),
                ("@_Ri", External),
                ("#0", Detail),
                ("!0", Detail),
            ]
        );
        assert_eq!(module.units[6].known_as, Some("bundle::h"));
        assert_eq!(module.global, ["target triple = \"t\"", "!llvm.ident = !{!0}"]);
        assert!(Module::read("").is_none() && Module::read(".text\nmain:\n").is_none());
        assert!(Module::read("define void @f() {\n").is_none());
    }
}
