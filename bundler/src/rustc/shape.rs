//! The shape of a program's code: what each function does, regardless of when it drops values.
//!
//! Two editions may compile one text to other code. Where they only drop values at another time, rustc has lints that
//! tell whether that matters. All other differences (another arm of a macro, another type inferred) show in the set of
//! a function's instructions, which does not depend on their order or on drop flags.

use crate::rustc::cache::Key;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// For each function's symbol without its hash, the digests of the instructions of its instances. A hash depends on
/// types, and the type `impl Trait` depends on what it captures, which no instruction does. What an instance of a library's
/// function does counts as its caller's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape(BTreeMap<String, BTreeSet<String>>);

/// How many functions of libraries a difference may be below the program's own.
const DEPTH: usize = 8;

/// Instructions that depend on the order of drops.
const OF_ORDER: &[&str] =
    &["br ", "switch ", "unreachable", "resume ", "cleanupret", "catchswitch", "landingpad", "cleanup"];

impl Shape {
    /// Reads LLVM assembly that rustc has generated without optimisation.
    pub fn of(llvm: &str) -> Shape {
        let mut parts: Vec<(&str, BTreeSet<String>)> = Vec::new();
        let mut is_open = false;
        for line in llvm.lines() {
            if is_open {
                if line == "}" {
                    is_open = false;
                } else if let (Some(instruction), Some((_, all))) = (instruction(line), parts.last_mut()) {
                    all.insert(instruction);
                }
            } else if line.starts_with("define ") {
                if let Some(name) = symbol(line) {
                    parts.push((name, BTreeSet::new()));
                    is_open = true;
                }
            } else if let Some((name, value)) = line.split_once(" = ").filter(|_| line.starts_with('@')) {
                // Constants are named by their content; others by a number that is not theirs.
                if name.starts_with("@alloc_") || name.starts_with("@_") {
                    parts.push((name, [plain(value)].into()));
                }
            }
        }
        // Of the libraries' functions and constants, by symbols with hashes.
        let mut below: HashMap<&str, String> = HashMap::new();
        for _ in 0..DEPTH {
            let libraries = parts.iter().filter(|(name, _)| !name.contains(OWN));
            below = libraries.map(|(name, all)| (*name, digest(all, &below))).collect();
        }
        let mut shape: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, all) in &parts {
            shape.entry(without_hashes(name, &HashMap::new())).or_default().insert(digest(all, &below));
        }
        Shape(shape)
    }

    /// The symbols of the functions and constants in which two programs differ.
    pub fn differences<'s>(&'s self, other: &'s Shape) -> BTreeSet<&'s str> {
        let differs = |(name, digests): &(&'s String, &BTreeSet<String>), other: &Shape| {
            other.0.get(*name) != Some(*digests)
        };
        let here = self.0.iter().filter(|part| differs(part, other));
        here.chain(other.0.iter().filter(|part| differs(part, self))).map(|(name, _)| name.as_str()).collect()
    }
}

/// The names in a function's symbol, outermost first.
pub fn names(symbol: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(digit) = symbol[at..].find(|c: char| c.is_ascii_digit()).map(|n| at + n) {
        let end = symbol[digit..].find(|c: char| !c.is_ascii_digit()).map_or(symbol.len(), |n| digit + n);
        let length: usize = symbol[digit..end].parse().unwrap_or(0);
        // An underscore separates a name that begins with a digit or an underscore.
        match symbol
            .get(end..end + length)
            .filter(|name| length > 0 && name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        {
            Some(name) => {
                out.push(name);
                at = end + length;
            }
            None => at = end,
        }
    }
    out
}

fn symbol(define: &str) -> Option<&str> {
    let rest = &define[define.find('@')?..];
    Some(&rest[..rest.find('(')?])
}

/// The name of the program's crate, with which symbols of its own functions are told from those of libraries.
const OWN: &str = "bundle";

/// A digest of instructions in which the libraries' functions are known by what they do.
fn digest(instructions: &BTreeSet<String>, below: &HashMap<&str, String>) -> String {
    let all: BTreeSet<String> = instructions.iter().map(|line| without_hashes(line, below)).collect();
    let all: Vec<&[u8]> = all.iter().map(|line| line.as_bytes()).collect();
    Key::of(&all).to_string()
}

/// A text whose symbols have in place of their hashes what `below` has for them.
fn without_hashes(text: &str, below: &HashMap<&str, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let end = rest[at + 1..].find(|c| !is_word(c)).map_or(rest.len(), |end| at + 1 + end);
        let symbol = &rest[at..end];
        let is_hash = |hash: &str| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        let hashed = symbol.strip_suffix('E').and_then(|symbol| symbol.rsplit_once("17h"));
        let name = hashed.filter(|(_, hash)| is_hash(hash)).map_or(symbol, |(name, _)| name);
        out.push_str(&rest[..at]);
        out.push_str(name);
        out.push_str(below.get(symbol).map_or("", |digest| digest));
        rest = &rest[end..];
    }
    out + rest
}

/// An instruction without its variables; `None` if it depends on the order of drops.
fn instruction(line: &str) -> Option<String> {
    let line = line.trim();
    let is_label = line.ends_with(':') || line.contains("; preds");
    if line.is_empty() || line.starts_with([';', ']', '}']) || line.starts_with("to label ") || is_label {
        return None;
    }
    let said = line.split_once(" = ").filter(|_| line.starts_with('%')).map_or(line, |(_, said)| said);
    // Slots for values and drop flags, and the cleaning up itself.
    let of_order = OF_ORDER.iter().any(|word| said.starts_with(word))
        || said.starts_with("alloca ")
        || [
            "store i8 ",
            "load i8,",
            "trunc nuw i8",
            "trunc i8",
            "store ptr %",
            "load ptr,",
            "load i32,",
            "store i32 %",
        ]
        .iter()
        .any(|word| said.starts_with(word))
        || said.contains("drop_in_place")
        || said.contains("insertvalue { ptr, i32 }")
        || said.contains("extractvalue { ptr, i32 }");
    (!of_order).then(|| plain(said))
}

/// A line without the names of variables and labels, and without the numbers of attributes and metadata.
fn plain(line: &str) -> String {
    let line = line.split_once(", !").map_or(line, |(line, _)| line);
    let line = line.split_once(" to label ").map_or(line, |(line, _)| line);
    // An `invoke` is a `call` with a place for cleaning up.
    let line = line.strip_prefix("invoke ").map_or(line.to_owned(), |rest| format!("call {rest}"));
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some(c) = rest.chars().next() {
        let name = |from: usize| {
            let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
            rest[from..].find(|c| !word(c)).map_or(rest.len(), |end| from + end)
        };
        let is_numbered =
            rest.starts_with("@vtable.") || rest.starts_with("@anon.") || rest.starts_with("@switch.");
        let end = match c {
            '%' | '#' => name(1),
            '@' if is_numbered => name(1),
            _ => {
                out.push(c);
                c.len_utf8()
            }
        };
        if end > c.len_utf8() || matches!(c, '%' | '#') {
            out.push(c);
        }
        rest = &rest[end..];
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "@alloc_1 = private constant [3 x i8] c\"abc\"\ndefine void @_f(i64 %x) #0 {\nstart:\n  %y = add i64 %x, 5\n  invoke void @_g(i64 %y) #1 to label %a unwind label %b\na:\n  call void @_drop_in_place_h()\n  ret void\n}\n";

    #[test]
    fn order_and_drops_do_not_count() {
        let other = CODE
            .replace("%y", "%z.7")
            .replace("#1", "#4")
            .replace("  call void @_drop_in_place_h()\n", "")
            .replace("start:\n", "start:\n  %f = alloca [1 x i8], align 1\n  br label %n\nn:\n");
        assert_eq!(Shape::of(CODE), Shape::of(&other));
    }

    #[test]
    fn symbols_have_names() {
        assert_eq!(names("@_ZN6bundle3lib4main17h0123456789abcdefE")[..3], ["bundle", "lib", "main"]);
        assert_eq!(names("@_RNvNtCs1234_6bundle3lib1f"), ["bundle", "lib", "f"]);
    }

    #[test]
    fn an_instance_of_a_library_counts_as_its_callers() {
        let code = |hash: char, size: u8| {
            let hash = hash.to_string().repeat(16);
            format!(
                "define i64 @_ZN4core4size17h{hash}E() {{\n  ret i64 {size}\n}}\n\
                 define i64 @_ZN6bundle1f17h{hash}E() {{\n  %0 = call i64 @_ZN4core4size17h{hash}E()\n}}\n"
            )
        };
        let (one, same, other) = (code('a', 1), code('b', 1), code('b', 0));
        assert_eq!(Shape::of(&one), Shape::of(&same));
        let (one, other) = (Shape::of(&one), Shape::of(&other));
        assert!(one.differences(&other).contains("@_ZN6bundle1f"));
    }

    #[test]
    fn other_instructions_and_constants_count() {
        for (from, to, symbol) in
            [("i64 %x, 5", "i64 %x, 6", "@_f"), ("@_g(", "@_k(", "@_f"), ("abc", "abd", "@alloc_1")]
        {
            let (one, other) = (Shape::of(CODE), Shape::of(&CODE.replace(from, to)));
            assert_eq!(one.differences(&other), [symbol].into());
        }
    }
}
