//! Arbitrary text is bundled or refused: no panic, no stack overflow, and the output can be parsed again.
//!
//! The fuzz target `single` does the same without end; these are a few thousand fixed cases.

mod common;

use bundler::internals::single;
use bundler::internals::Tokens;
use bundler::Edition;
use common::Random;
use std::path::Path;

/// Whether the text was accepted; checks that the output can be parsed.
fn reads(source: &str, edition: Edition) -> bool {
    let Ok(text) = single(source, edition) else { return false };
    assert!(Tokens::read(&text).is_ok(), "{source:?} became {text:?}, which cannot be parsed");
    true
}

/// The bundler's own files that declare no module files.
fn sources() -> Vec<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let texts = paths.iter().map(|p| std::fs::read_to_string(p).unwrap());
    texts
        .filter(|s| {
            !s.lines()
                .any(|l| l.trim_end().ends_with(';') && (l.starts_with("mod ") || l.starts_with("pub mod ")))
        })
        .collect()
}

const PIECES: &[&str] = &[
    "fn",
    "main",
    "x",
    "r#x",
    "'a",
    "'a'",
    "\"s\"",
    "r#\"s\"#",
    "b\"\\0\"",
    "1",
    "1.",
    ".",
    "..=",
    "::",
    ":",
    ";",
    ",",
    "->",
    "=>",
    "=",
    "==",
    "!",
    "?",
    "#",
    "#!",
    "$",
    "$crate",
    "&",
    "&&",
    "|",
    "<",
    ">",
    ">>",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "mod",
    "use",
    "pub",
    "pub(crate)",
    "pub(in a::b)",
    "crate",
    "self",
    "super",
    "extern crate",
    "dep",
    "as",
    "_",
    "*",
    "impl",
    "for",
    "trait",
    "struct",
    "enum",
    "union",
    "const",
    "static",
    "type",
    "where",
    "let",
    "match",
    "if",
    "else",
    "macro_rules!",
    "m!",
    "cfg!(a)",
    "#[cfg(a)]",
    "#[cfg(not(all(a, feature = \"b\")))]",
    "#[cfg_attr(a, b)]",
    "#![a]",
    "#[doc = \"d\"]",
    "#[macro_export]",
    "#[derive(Clone)]",
    "/// d\n",
    "//! d\n",
    "/* c */",
    "// c\n",
    "é",
    "include_str!(\"x\")",
    "include_bytes!",
    "env!(\"A\")",
    "option_env!",
    "stringify!",
    "unsafe",
    "async",
    "dyn",
    "\r\n",
];

#[test]
fn token_soup() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for case in 0..3000 {
        let mut source = String::new();
        for _ in 0..random.below(40) {
            source.push_str(PIECES[random.below(PIECES.len())]);
            if random.below(3) > 0 {
                source.push(' ');
            }
        }
        reads(&source, if case % 3 == 0 { Edition::E2015 } else { Edition::E2021 });
    }
}

#[test]
fn mutated_sources() {
    let sources = sources();
    assert!(
        sources.iter().filter(|s| reads(s, Edition::E2021)).count() > 10,
        "the bundler's own source cannot be parsed"
    );
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..300 {
        let mut tokens = words(&sources[random.below(sources.len())]);
        for _ in 0..1 + random.below(3) {
            let at = random.below(tokens.len());
            match random.below(4) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, PIECES[random.below(PIECES.len())].to_owned()),
                2 => tokens[at] = PIECES[random.below(PIECES.len())].to_owned(),
                _ => {
                    let other = random.below(tokens.len());
                    tokens.swap(at, other);
                }
            }
        }
        reads(&tokens.concat(), if random.below(3) == 0 { Edition::E2015 } else { Edition::E2021 });
    }
}

/// Splits a text into words and the characters between them.
fn words(source: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut last = None;
    for c in source.chars() {
        let kind = (c.is_alphanumeric() || c == '_', c.is_whitespace());
        match out.last_mut() {
            Some(word) if last == Some(kind) && kind != (false, false) => word.push(c),
            _ => out.push(c.to_string()),
        }
        last = Some(kind);
    }
    out
}

#[test]
fn nested_source_is_accepted_or_refused() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("!", ""),
        ("-", ""),
        ("&", ""),
        ("|x|", ""),
        ("|x, y|", ""),
        ("x+", ""),
        ("x=", ""),
        ("x.y", ""),
        ("if x {} else ", ""),
        ("return ", ""),
        ("x as ", ""),
        ("Some(", ")"),
        ("f::<[u8; ", "]>()"),
    ] {
        for n in [50, 300, 10_000] {
            for (before, middle, after) in
                [("fn main() { ", "x", "; }"), ("const X: u8 = ", "", ";"), ("m! { ", "", " }")]
            {
                reads(
                    &format!("{before}{}{middle}{}{after}", open.repeat(n), close.repeat(n)),
                    Edition::E2021,
                );
            }
        }
    }
    for (open, close) in [
        ("mod m { ", "}"),
        ("fn f() { ", "}"),
        ("impl X { fn f() { ", "} }"),
        ("&", ""),
        ("(", ")"),
        ("X<", ">"),
    ] {
        for n in [300, 10_000] {
            reads(&format!("{}{}", open.repeat(n), close.repeat(n)), Edition::E2021);
            reads(&format!("type X = {}u8{};", open.repeat(n), close.repeat(n)), Edition::E2021);
            reads(
                &format!("fn main() {{ let {}x{} = 1; }}", open.repeat(n), close.repeat(n)),
                Edition::E2021,
            );
            reads(&format!("use {}x{};", "a::{".repeat(n), "}".repeat(n)), Edition::E2021);
            reads(&format!("#[cfg({}a{})] fn main() {{}}", "not(".repeat(n), ")".repeat(n)), Edition::E2021);
        }
    }
}

#[test]
fn odd_source_is_accepted_or_refused() {
    let long = "x".repeat(10 << 20);
    assert!(reads(&format!("fn main() {{ print!(\"{long}\") }}"), Edition::E2021));
    for odd in [
        "",
        "\0",
        "fn main() { \0 }",
        "\u{feff}",
        "#!",
        "#!/bin/sh",
        "#![",
        "/*",
        "r#\"",
        "'",
        "\"\\",
        "/*/**/",
        "b'\u{e9}'",
    ] {
        reads(odd, Edition::E2021);
        reads(&format!("fn main() {{}} {odd}"), Edition::E2021);
    }
}
