//! Refuses live code that cannot work in one file, with its place and advice.

use crate::api::error::Error;
use crate::api::platform::Platform;
use crate::merge::assemble::Merged;
use crate::plan::Plan;
use crate::read::derives;
use crate::read::refusals::{proc_macro, PATH_DEPENDS};
use crate::read::site;
use crate::syntax::builtin::Scopes;
use crate::syntax::text::{Files, Origin, Text};
use crate::syntax::tokens::{Kind, Tokens};
use std::collections::{BTreeSet, HashMap};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Meta};

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
    ("env", "write the value itself: only cargo's own variables and those of build scripts are known"),
    ("option_env", "write the value itself"),
    ("module_path", "write the name itself: it changes in a bundle"),
    ("file", "write the name itself: it changes in a bundle"),
    ("line", "leave it out, or print it on stderr only: it changes in a bundle"),
    ("column", "leave it out, or print it on stderr only: it changes in a bundle"),
];

/// Macros whose value differs in a bundle, but which may stand in a message.
const PLACES: &[&str] = &["module_path", "file", "line", "column"];

/// The settings, besides the text, that a check depends on.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// Refuse differing values in messages as well.
    pub strict: bool,
    /// The names of the crates that the site provides.
    pub externals: &'a BTreeSet<String>,
    /// Which files are the user's own, and why others are there.
    pub plan: Option<&'a Plan>,
    /// The site, which may have another version of a crate that cannot be put in.
    pub platform: Option<&'a Platform>,
}

/// Checks the text that is left after removal by name. Returns a note if messages of panics or on stderr will differ.
pub fn check(text: &Text, merged: &Merged, files: &Files, rules: Rules<'_>) -> Result<Option<String>, Error> {
    let source = text.as_str();
    let syntax = |at, why| Error::Syntax { place: text.point(at, files).unwrap_or_default(), why };
    let tokens = Tokens::read(source).map_err(|e| syntax(e.at, e.why))?;
    let file = syn::parse_file(source).map_err(|e| syntax(e.span().byte_range().start, e.to_string()))?;
    let external = External::read(&tokens, rules.externals);
    let mut finder = Finder { found: Vec::new(), depth: 0, external };
    finder.visit_file(&file);
    let mut scan =
        Scan { text, tokens: &tokens, scopes: Scopes::read(&tokens), found: finder.found, said: Vec::new() };
    scan.all(merged, rules.strict);
    let Scan { mut found, said, .. } = scan;
    // The user can change what is their own.
    let chain = |at| {
        let path = text.origin_at_or_before(at).map(|origin| files.path(origin.file));
        path.zip(rules.plan).and_then(|(path, plan)| plan.chain(path))
    };
    found.sort_by_key(|(at, why)| (chain(*at).is_some(), *at, why.clone()));
    match found.into_iter().next() {
        None => Ok(said.first().map(|(at, name)| {
            let place = text.place(*at, files).unwrap_or_default();
            let more = if said.len() > 1 { format!(" and {} more", said.len() - 1) } else { String::new() };
            format!("messages of panics and on stderr may differ: {name} at {place}{more} (refused with --strict)")
        })),
        Some((at, why)) => {
            let chain = chain(at).map_or(String::new(), |told| format!("\n  {told}"));
            let path = text.origin_at_or_before(at).map(|origin| files.path(origin.file));
            let hint = path.zip(rules.plan).and_then(|(path, plan)| site::hint(rules.platform, plan, path));
            let hint = hint.map_or(String::new(), |hint| format!("\n  {hint}"));
            Err(Error::Refused { place: text.point(at, files).unwrap_or_default(), why: format!("{why}{chain}{hint}") })
        }
    }
}

/// The search for tokens that mean something else in a bundle.
struct Scan<'a, 's> {
    text: &'a Text,
    tokens: &'a Tokens<'s>,
    scopes: Scopes<'a, 's>,
    /// Reasons for a refusal, with their places.
    found: Vec<(usize, String)>,
    /// Values that differ in messages only, with their places.
    said: Vec<(usize, String)>,
}

impl Scan<'_, '_> {
    fn all(&mut self, merged: &Merged, strict: bool) {
        let refused: HashMap<Origin, &String> = merged.refused.iter().map(|(at, why)| (*at, why)).collect();
        let types = self.imports_from("any", &["type_name", "type_name_of_val"]);
        let places = self.imports_from("panic", &["Location"]);
        let hooks = (0..self.tokens.len())
            .any(|i| matches!(self.tokens.ident(i), Some("set_hook" | "PanicHookInfo" | "PanicInfo")));
        for i in 0..self.tokens.len() {
            let Some(name) = self.tokens.ident(i) else { continue };
            if let Some(why) = self.text.origin(self.at(i)).and_then(|origin| refused.get(&origin)) {
                self.found.push((self.at(i), (*why).clone()));
            }
            self.macros(i, name, strict);
            self.declarations(i, name);
            let is_call = !self.is_definition(i);
            let is_renamed = self.tokens.ident(i + 1) == Some("as") && self.in_use(i);
            match name {
                "type_name" | "type_name_of_val" if is_renamed && self.scopes.is_in(i, "any") => {
                    self.differs(
                        i,
                        true,
                        &format!("`{name}`"),
                        "where types have other paths.\n  Import it by its own name.",
                    );
                }
                "Location" if is_renamed && self.scopes.is_in(i, "panic") => {
                    self.differs(
                        i,
                        true,
                        "`Location`",
                        "where files and lines differ.\n  Import it by its own name.",
                    );
                }
                "type_name" | "type_name_of_val" if is_call && self.means(i, "any", types) => self.differs(
                    i,
                    strict,
                    &format!("`{name}`"),
                    "where types have other paths.\n  Instead, write the name itself.",
                ),
                "caller"
                    if i > 2
                        && self.tokens.colons(i - 2)
                        && self.tokens.ident(i - 3) == Some("Location")
                        && self.means(i - 3, "panic", places) =>
                {
                    let advice = "where files and lines differ.\n  Instead, leave it out.";
                    self.differs(i, strict, "`Location::caller`", advice);
                }
                "location" if hooks && i > 0 && self.tokens.is(i - 1, '.') && self.tokens.is(i + 1, '(') => {
                    let advice =
                        "where files and lines differ.\n  Instead, print it in `eprintln!` directly, or \
                                  leave it out.";
                    self.differs(i, strict, "`PanicHookInfo::location`", advice);
                }
                _ => {}
            }
        }
    }

    fn at(&self, i: usize) -> usize {
        self.tokens.get(i).map_or(0, |token| token.range.start)
    }

    /// Whether the name at token `i` is being defined, imported or is a method's.
    fn is_definition(&self, i: usize) -> bool {
        let t = self.tokens;
        i > 0 && (t.ident(i - 1) == Some("fn") || t.is(i - 1, '.')) || self.in_use(i)
    }

    /// Whether token `i` is part of a `use`.
    fn in_use(&self, i: usize) -> bool {
        let t = self.tokens;
        let part = |j: &usize| t.ident(*j).is_some() || "::{},*".chars().any(|c| t.is(*j, c));
        (0..i).rev().take_while(part).any(|j| t.ident(j) == Some("use"))
    }

    /// Whether one of the names is imported from a module of the standard library, or everything.
    fn imports_from(&self, module: &str, names: &[&str]) -> bool {
        self.scopes.has_glob(module)
            || (0..self.tokens.len()).any(|i| {
                let named = self.tokens.ident(i).is_some_and(|name| names.contains(&name));
                named && self.scopes.is_in(i, module) && self.in_use(i)
            })
    }

    /// Whether the name at token `i` means that of the module: by its path, or bare where it is imported.
    fn means(&self, i: usize, module: &str, imported: bool) -> bool {
        let has_path = i > 1 && self.tokens.colons(i - 2);
        if has_path {
            self.scopes.is_in(i, module)
        } else {
            imported
        }
    }

    /// Notes a value that differs in a bundle: as a message's if it is only that, or else as a reason for a refusal.
    fn differs(&mut self, i: usize, strict: bool, name: &str, advice: &str) {
        if !strict && self.scopes.is_only_said(i) {
            self.said.push((self.at(i), name.to_owned()));
        } else {
            self.found.push((self.at(i), format!("{name} would give another value in a bundle, {advice}")));
        }
    }

    fn macros(&mut self, i: usize, name: &str, strict: bool) {
        let t = self.tokens;
        let called = t.is(i + 1, '!') && matches!(t.get(i + 2).map(|t| t.kind), Some(Kind::Open(_)));
        let Some((_, advice)) = MACROS.iter().find(|(m, _)| called && *m == name) else { return };
        if !self.scopes.is_builtin_macro(i) {
            return;
        }
        if PLACES.contains(&name) && !strict && self.scopes.is_only_said(i) {
            return self.said.push((self.at(i), format!("`{name}!`")));
        }
        let generated =
            name.starts_with("include") && (i + 3..t.close(i + 2)).any(|j| t.text(j) == "\"OUT_DIR\"");
        self.found.push((
            self.at(i),
            if generated {
                format!("`{name}!` includes a file that a build script generates, and the script was not run.\n  \
                         Bundle without --no-check, or put the generated code into your own source.")
            } else {
                format!("`{name}!` would give another value in a bundle.\n  Instead, {advice}.")
            },
        ));
    }

    fn declarations(&mut self, i: usize, name: &str) {
        let t = self.tokens;
        if name == "mod" && t.ident(i + 1).is_some() && t.is(i + 2, ';') {
            self.found.push((
                self.at(i),
                "this module is declared by a macro, so its file cannot be found without expanding the macro.\n  \
                 Instead, declare the module outside of the macro."
                    .into(),
            ));
        }
        if name == "feature" && t.is(i + 1, '=') && t.is(i + 2, '$') {
            self.found.push((
                self.at(i),
                "a macro supplies this feature's name, so it cannot be decided before the macro is expanded.\n  \
                 Instead, write the feature's name where `cfg` is."
                    .into(),
            ));
        }
    }
}

/// The names that a text imports from the crates that the site provides.
#[derive(Debug, Default)]
struct External {
    crates: BTreeSet<String>,
    names: BTreeSet<String>,
    has_glob: bool,
    /// Whether an external derive was met, whose helper attributes have any name.
    derives: bool,
}

impl External {
    fn read(tokens: &Tokens<'_>, crates: &BTreeSet<String>) -> External {
        let mut out = External { crates: crates.clone(), ..External::default() };
        for i in (0..tokens.len()).filter(|&i| tokens.ident(i) == Some("use")) {
            let first = if tokens.colons(i + 1) { i + 3 } else { i + 1 };
            if !tokens.ident(first).is_some_and(|name| crates.contains(name)) {
                continue;
            }
            let end = (i..tokens.len()).find(|&j| tokens.is(j, ';')).unwrap_or(tokens.len());
            for j in first..end {
                out.has_glob |= tokens.is(j, '*');
                let is_leaf = tokens.is(j + 1, ';') || tokens.is(j + 1, ',') || tokens.is(j + 1, '}');
                out.names.extend(tokens.ident(j).filter(|_| is_leaf).map(str::to_owned));
            }
        }
        out
    }

    /// Whether a path in an attribute leads to one of the crates.
    fn has(&self, path: &str) -> bool {
        let first = path.trim_start_matches("::").split("::").next().unwrap_or_default().trim();
        self.crates.contains(first) || self.names.contains(first) || self.has_glob
    }
}

struct Finder {
    found: Vec<(usize, String)>,
    depth: usize,
    external: External,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_mod(&mut self, x: &'ast syn::ItemMod) {
        self.depth += 1;
        visit::visit_item_mod(self, x);
        self.depth -= 1;
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        // A macro may have written the rest of the attribute.
        let at = attr.path().span().byte_range().start;
        let name = attr.path().segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("::");
        let text = match &attr.meta {
            Meta::List(list) => list.tokens.to_string(),
            _ => String::new(),
        };
        match name.as_str() {
            "derive" => {
                for path in text.split(',').filter(|p| !p.trim().is_empty()) {
                    let path = path.split_whitespace().collect::<String>();
                    let last = path.rsplit("::").next().unwrap_or("");
                    if derives::BUILT_IN.contains(&last) {
                        continue;
                    }
                    if self.external.has(&path) {
                        self.external.derives = true;
                    } else {
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
            // Every Rust program on Unix is linked with these.
            "link" if ["name = \"c\"", "name = \"m\""].contains(&text.as_str()) => {}
            "link" => self.found.push((
                at,
                "a system library cannot be part of one file.\n  Instead, use one written in Rust; an attribute for what \
                 the standard library is linked with anyway may be left out."
                    .into(),
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
            // Of the site's crates: the site's compiler runs it.
            other if self.external.has(other) || self.external.derives => {}
            _ => self.found.push((at, proc_macro(&format!("(`#[{name}]`)")))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(source: &str, strict: bool, externals: &[&str]) -> Result<Option<String>, Error> {
        let text = Text::generated(source);
        let merged = Merged { text: text.clone(), modules: Vec::new(), refused: Vec::new() };
        let externals = &externals.iter().map(|&name| name.to_owned()).collect();
        check(&text, &merged, &Files::default(), Rules { strict, externals, plan: None, platform: None })
    }

    #[test]
    fn refusals_name_the_construct() {
        let why = |source: &str| checked(source, false, &[]).err().map(|e| e.to_string()).unwrap_or_default();
        for (source, said) in [
            ("fn f() -> u32 { std::panic::Location::caller().line() }", "`Location::caller`"),
            ("use std::panic::Location; fn f() { Location::caller(); }", "`Location::caller`"),
            ("mod m { #[unsafe(no_mangle)] pub fn f() {} }", "`no_mangle` in a library"),
            ("mod m { #[export_name = \"x\"] pub fn f() {} }", "`export_name` in a library"),
            ("fn f() -> &'static str { std::any::type_name::<u8>() }", "`type_name`"),
            ("use std::any::type_name; fn f() -> &'static str { type_name::<u8>() }", "`type_name`"),
            ("use std::any::{Any, type_name as n}; fn f() -> &'static str { n::<u8>() }", "`type_name`"),
            ("use std::any::*; fn f() -> &'static str { type_name::<u8>() }", "`type_name`"),
            ("fn f() { println!(\"{}\", std::any::type_name_of_val(&1)) }", "`type_name_of_val`"),
            (
                "fn f() { std::panic::set_hook(Box::new(|i| println!(\"{:?}\", i.location()))) }",
                "PanicHookInfo",
            ),
            ("fn f() { println!(\"{}\", line!()) }", "`line!`"),
            ("#[tokio::main] fn f() {}", "a procedural macro"),
            ("#[derive(Serialize)] struct S;", "`derive(Serialize)`"),
        ] {
            assert!(why(source).contains(said), "{source}: {}", why(source));
        }
        for fine in [
            "#[no_mangle] fn f() {}",
            "fn f() { caller(); Place::caller() }",
            "#[track_caller] fn f() {}",
            "struct Location; impl Location { fn caller() {} } fn f() { Location::caller() }",
            "fn type_name<T>() -> u8 { 1 } fn f() { type_name::<u8>(); }",
            "struct S; impl S { fn type_name<T>(&self) {} } fn f() { S.type_name::<u8>(); S::type_name::<u8>(&S) }",
            "macro_rules! line { () => { 1 } } fn f() -> u8 { line!() }",
            "fn f(x: X) { x.location(); }",
        ] {
            assert_eq!(why(fine), "", "{fine}");
        }
    }

    #[test]
    fn values_in_messages_are_noted_or_with_strict_refused() {
        for source in [
            "fn f<T>() { panic!(\"{}\", std::any::type_name::<T>()) }",
            "use std::any::type_name; fn f<T>() { eprintln!(\"{}\", type_name::<T>()) }",
            "fn f() { assert!(true, \"{}:{}\", file!(), line!()) }",
            "fn f() { eprintln!(\"{}\", std::panic::Location::caller()) }",
            "fn f() { std::panic::set_hook(Box::new(|i| eprintln!(\"{:?}\", i.location()))) }",
        ] {
            let note = checked(source, false, &[]).unwrap().expect("a note");
            assert!(note.starts_with("messages of panics and on stderr may differ: `"), "{note}");
            assert!(checked(source, true, &[]).is_err(), "{source}");
        }
    }

    #[test]
    fn attributes_of_the_sites_crates_stay() {
        for source in [
            "use proconio::{fastout, input}; #[fastout] fn main() {}",
            "#[proconio::fastout] fn main() {}",
            "use proconio::*; #[fastout] fn main() {}",
            "use ::proconio::derive_readable; #[derive_readable] struct S(u8);",
            "#[derive(proconio::Readable)] struct S { #[readable(1)] x: u8 }",
        ] {
            assert_eq!(checked(source, true, &["proconio"]).unwrap(), None, "{source}");
            assert!(checked(source, true, &["rand"]).is_err(), "{source}");
        }
    }
}
