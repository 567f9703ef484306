//! The shape of a program's code: what each function does, regardless of when it drops values.
//!
//! Two editions may compile one text to other code. Where they only drop values at another time, rustc has lints that
//! tell whether that matters. All other differences (another arm of a macro, another type inferred) show in the set of
//! a function's instructions, which does not depend on their order or on drop flags.

use crate::rustc::cache::Key;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// For each function's symbol without its hash, the digests of the instructions of its instances. A hash depends on
/// types, and the type `impl Trait` depends on what it captures, which no instruction does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape(BTreeMap<String, BTreeSet<String>>);

/// Instructions that depend on the order of drops.
const OF_ORDER: &[&str] =
    &["br ", "switch ", "unreachable", "resume ", "cleanupret", "catchswitch", "landingpad", "cleanup"];

impl Shape {
    /// Reads LLVM assembly that rustc has generated without optimisation.
    pub fn of(llvm: &str) -> Shape {
        let mut shape: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut put =
            |name: &str, digest: Key| shape.entry(plain(name)).or_default().insert(digest.to_string());
        let mut function: Option<(String, BTreeSet<String>)> = None;
        for line in llvm.lines() {
            if let Some((name, instructions)) = &mut function {
                if line == "}" {
                    let all: Vec<&[u8]> = instructions.iter().map(|i| i.as_bytes()).collect();
                    put(name, Key::of(&all));
                    function = None;
                } else if let Some(instruction) = instruction(line) {
                    instructions.insert(instruction);
                }
            } else if line.starts_with("define ") {
                function = symbol(line).map(|name| (name, BTreeSet::new()));
            } else if let Some((name, value)) = line.split_once(" = ").filter(|_| line.starts_with('@')) {
                // Constants are named by their content; others by a number that is not theirs.
                if name.starts_with("@alloc_") || name.starts_with("@_") {
                    put(name, Key::of(&[plain(value).as_bytes()]));
                }
            }
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

fn symbol(define: &str) -> Option<String> {
    let at = define.find('@')?;
    let rest = &define[at..];
    Some(rest[..rest.find('(')?].to_owned())
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

/// A line without the names of variables and labels, the numbers of attributes and metadata, and the hashes of symbols.
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
        if let Some(hash) = rest.strip_prefix("17h") {
            let digits =
                hash.bytes().take_while(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase()).count();
            if digits == 16 && hash[16..].starts_with('E') {
                rest = &hash[16..];
                continue;
            }
        }
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
    fn other_instructions_and_constants_count() {
        for (from, to, symbol) in
            [("i64 %x, 5", "i64 %x, 6", "@_f"), ("@_g(", "@_k(", "@_f"), ("abc", "abd", "@alloc_1")]
        {
            let (one, other) = (Shape::of(CODE), Shape::of(&CODE.replace(from, to)));
            assert_eq!(one.differences(&other), [symbol].into());
        }
    }
}
