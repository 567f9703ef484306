//! Refuses live code that cannot work in one file, with its place and advice.

use crate::api::error::Error;
use crate::merge::assemble::Assembled;
use crate::read::refusals::{proc_macro, PATH_DEPENDS};
use crate::syntax::text::{Files, Origin, Text};
use crate::syntax::tokens::{Kind, Tokens};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Meta};

/// Derives built into rustc.
const DERIVES: &[&str] =
    &["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// Attributes built into rustc that mean the same in a bundle.
const ATTRIBUTES: &[&str] = &[
    "allow",
    "cfg",
    "cfg_attr",
    "cold",
    "default",
    "derive",
    "global_allocator",
    "inline",
    "instruction_set",
    "link_name",
    "link_section",
    "macro_export",
    "macro_use",
    "no_implicit_prelude",
    "no_mangle",
    "export_name",
    "panic_handler",
    "recursion_limit",
    "repr",
    "target_feature",
    "track_caller",
    "type_length_limit",
    "unsafe",
    "used",
    "windows_subsystem",
];

/// Macros whose value would change in a bundle, with advice.
const MACROS: &[(&str, &str)] = &[
    ("include", "paste the file's content, or make it a module"),
    ("include_str", "give it the path of a readable UTF-8 file as a plain string"),
    ("include_bytes", "give it the path of a readable file as a plain string"),
    ("env", "write the value itself: only CARGO_PKG_* variables are known"),
    ("option_env", "write the value itself"),
    ("module_path", "write the name itself: it changes in a bundle"),
    ("file", "write the name itself: it changes in a bundle"),
    ("line", "leave it out: it changes in a bundle"),
    ("column", "leave it out: it changes in a bundle"),
];

/// Checks the text that is left after removal by name.
pub fn check(text: &Text, assembled: &Assembled, files: &Files) -> Result<(), Error> {
    let source = text.as_str();
    let syntax = |at, why| Error::Syntax { place: text.place(at, files).unwrap_or_default(), why };
    let tokens = Tokens::read(source).map_err(|e| syntax(e.at, e.why))?;
    let file = syn::parse_file(source).map_err(|e| syntax(e.span().byte_range().start, e.to_string()))?;
    let mut finder = Finder { found: Vec::new(), depth: 0 };
    finder.visit_file(&file);
    let mut found = finder.found;
    scan(text, &tokens, assembled, &mut found);
    found.sort();
    match found.into_iter().next() {
        None => Ok(()),
        Some((at, why)) => Err(Error::Refused { place: text.place(at, files).unwrap_or_default(), why }),
    }
}

fn scan(text: &Text, tokens: &Tokens<'_>, assembled: &Assembled, found: &mut Vec<(usize, String)>) {
    let refused: HashMap<Origin, &String> = assembled.refused.iter().map(|(at, why)| (*at, why)).collect();
    for i in 0..tokens.len() {
        let Some(name) = tokens.ident(i) else { continue };
        let at = tokens.get(i).map_or(0, |t| t.range.start);
        let called =
            tokens.is(i + 1, '!') && matches!(tokens.get(i + 2).map(|t| t.kind), Some(Kind::Open(_)));
        if called {
            if let Some((_, advice)) = MACROS.iter().find(|(m, _)| *m == name) {
                let generated = (i + 3..tokens.close(i + 2)).any(|j| tokens.text(j) == "\"OUT_DIR\"");
                found.push((
                    at,
                    if generated {
                        format!("`{name}!` includes a file that a build script generates, which one file cannot do.\n  \
                         Use a version or a crate without one, or put the generated code into your own source.")
                    } else {
                        format!("`{name}!` would give another value in a bundle.\n  Instead, {advice}.")
                    },
                ));
            }
        }
        if let Some(why) = text.origin(at).and_then(|o| refused.get(&o)) {
            found.push((at, (*why).clone()));
        }
        if name == "mod" && tokens.ident(i + 1).is_some() && tokens.is(i + 2, ';') {
            found.push((
                at,
                "this module is declared by a macro, so its file cannot be found without expanding the macro.\n  \
                 Instead, declare the module outside of the macro."
                    .into(),
            ));
        }
        if name == "type_name" && (tokens.colons(i + 1) || i > 1 && tokens.ident(i - 3) == Some("any")) {
            found.push((
                at,
                "`type_name` would give another value in a bundle, where types have other paths.\n  \
                 Instead, write the name itself."
                    .into(),
            ));
        }
        if name == "caller" && i > 2 && tokens.colons(i - 2) && tokens.ident(i - 3) == Some("Location") {
            found.push((
                at,
                "`Location::caller` would give another value in a bundle, where files and lines differ.\n  \
                 Instead, leave it out."
                    .into(),
            ));
        }
        if name == "feature" && tokens.is(i + 1, '=') && tokens.is(i + 2, '$') {
            found.push((
                at,
                "a macro supplies this feature's name, so it cannot be decided before the macro is expanded.\n  \
                 Instead, write the feature's name where `cfg` is."
                    .into(),
            ));
        }
    }
}

struct Finder {
    found: Vec<(usize, String)>,
    depth: usize,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_mod(&mut self, x: &'ast syn::ItemMod) {
        self.depth += 1;
        visit::visit_item_mod(self, x);
        self.depth -= 1;
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        let at = attr.span().byte_range().start;
        let name = attr.path().segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("::");
        let text = match &attr.meta {
            Meta::List(list) => list.tokens.to_string(),
            _ => String::new(),
        };
        match name.as_str() {
            "derive" => {
                for path in text.split(',').filter(|p| !p.trim().is_empty()) {
                    let last = path.rsplit("::").next().unwrap_or("").trim();
                    if !DERIVES.contains(&last) {
                        self.found.push((at, proc_macro(&format!("(`derive({last})`)"))));
                    }
                }
            }
            "feature" => self.found.push((
                at,
                "an unstable feature of the compiler does not compile on a stable one.\n  \
                 Instead, disable the code that uses it."
                    .into(),
            )),
            "link" => self.found.push((
                at,
                "a system library cannot be part of one file.\n  Instead, use one written in Rust.".into(),
            )),
            "no_mangle" | "export_name" | "unsafe" if self.depth > 0 => {
                // `unsafe(no_mangle)`
                let name = if name == "unsafe" { text } else { name };
                self.found.push((
                    at,
                    format!(
                        "`{name}` in a library gives a symbol a fixed name, which may clash in one file.\n  \
                         Instead, remove the attribute."
                    ),
                ));
            }
            "path" => self.found.push((at, PATH_DEPENDS.into())),
            known if ATTRIBUTES.contains(&known) => {}
            _ => self.found.push((at, proc_macro(&format!("(`#[{name}]`)")))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_the_construct() {
        let why = |source: &str| {
            let text = Text::generated(source);
            let assembled = Assembled { text: text.clone(), modules: Vec::new(), refused: Vec::new() };
            check(&text, &assembled, &Files::default()).err().map(|e| e.to_string()).unwrap_or_default()
        };
        for (source, said) in [
            ("fn f() -> u32 { std::panic::Location::caller().line() }", "`Location::caller`"),
            ("use std::panic::Location; fn f() { Location::caller(); }", "`Location::caller`"),
            ("mod m { #[unsafe(no_mangle)] pub fn f() {} }", "`no_mangle` in a library"),
            ("mod m { #[export_name = \"x\"] pub fn f() {} }", "`export_name` in a library"),
        ] {
            assert!(why(source).contains(said), "{source}: {}", why(source));
        }
        for fine in
            ["#[no_mangle] fn f() {}", "fn f() { caller(); Place::caller() }", "#[track_caller] fn f() {}"]
        {
            assert_eq!(why(fine), "", "{fine}");
        }
    }
}
