//! Rewrites a crate's paths for the bundle, where each library is a module of the root.

use crate::merge::job::Job;
use crate::merge::uses::Reader;
use crate::merge::walk::Walk;
use crate::syntax::parsed::Parsed;
use crate::syntax::scopes::Scopes;
use crate::syntax::text::{Origin, Text};
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::Visit;

/// A rewritten crate.
#[derive(Debug)]
pub struct Rewritten {
    /// The text.
    pub text: Text,
    /// The macros that it exports.
    pub macros: Vec<String>,
    /// Whether the root needs `extern crate alloc`.
    pub alloc: bool,
    /// External crates whose macros must be in scope everywhere.
    pub macro_crates: BTreeSet<String>,
    /// Constructs that one file cannot express, refused only if they are live: the place and the reason.
    pub refused: Vec<(Origin, String)>,
    /// The compiler's limits that the crate sets, which are taken out of its text: only the root can set them.
    pub limits: BTreeMap<&'static str, u64>,
}

/// Attributes of a crate that set limits of the compiler.
const LIMITS: &[&str] = &["recursion_limit", "type_length_limit"];

/// Removes the attributes that set limits, and returns these.
fn limits(file: &syn::File, reader: &mut Reader<'_>) -> BTreeMap<&'static str, u64> {
    let mut limits = BTreeMap::new();
    for attr in &file.attrs {
        let Some(name) = LIMITS.iter().find(|name| attr.path().is_ident(name)) else { continue };
        let syn::Meta::NameValue(syn::MetaNameValue { value: syn::Expr::Lit(literal), .. }) = &attr.meta
        else {
            continue;
        };
        let syn::Lit::Str(text) = &literal.lit else { continue };
        let Ok(limit) = text.value().parse() else { continue };
        limits.insert(*name, limit);
        reader.edits.delete(attr.span().byte_range());
    }
    limits
}

/// Rewrites a loaded crate.
pub fn rewrite_crate(read: &Parsed, job: &Job<'_>) -> Rewritten {
    let (text, source) = (read.text(), read.source());
    let mut reader = Reader::new(job, source);
    reader.visit_file(&read.file);
    reader.reexports(source.len());
    if job.module.is_some() {
        publish_modules(&read.file, &mut reader);
    }
    let scopes = Scopes::read(&read.file, source.len());
    Walk::new(&read.tokens(), &scopes, &mut reader).paths();
    let limits = limits(&read.file, &mut reader);
    let refused =
        reader.refused.iter().filter_map(|(at, why)| Some((text.origin(*at)?, why.clone()))).collect();
    Rewritten {
        text: text.edited(reader.edits),
        macros: reader.macros,
        alloc: reader.alloc,
        macro_crates: reader.macro_crates,
        refused,
        limits,
    }
}

/// Makes private modules visible in the crate, as far as the imports of exported macros need it. Those beside a macro of
/// their name: other crates do not see such a module, but in the bundle an import of the macro would find both. And
/// those within another module that hold an exported macro, which can be named from everywhere.
fn publish_modules(file: &syn::File, reader: &mut Reader<'_>) {
    let nested = std::mem::take(&mut reader.nested);
    publish_in(&file.items, &[], &nested, reader);
}

fn publish_in(items: &[syn::Item], path: &[String], nested: &BTreeSet<Vec<String>>, reader: &mut Reader<'_>) {
    for item in items {
        let syn::Item::Mod(module) = item else { continue };
        let name = module.ident.unraw().to_string();
        let path = [path, std::slice::from_ref(&name)].concat();
        let is_private = matches!(module.vis, syn::Visibility::Inherited);
        let is_named = path.len() == 1 && reader.macros.contains(&name);
        if is_private && (is_named || path.len() > 1 && nested.contains(&path)) {
            let at = module.mod_token.span.byte_range().start;
            reader.edits.insert(at, "pub(crate) ");
        }
        if let Some((_, items)) = &module.content {
            publish_in(items, &path, nested, reader);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge::macros::Macros;
    use crate::syntax::text::Files;
    use std::collections::HashMap;

    fn rewrite(source: &str, module: Option<&str>) -> String {
        let id = Files::default().add(std::path::Path::new("x.rs"), source);
        let job = Job {
            module,
            own: module.map(str::to_owned),
            foreign: false,
            deps: [
                ("dep".to_owned(), "crate::dep".to_owned()),
                ("other".to_owned(), "crate::real".to_owned()),
                ("given".to_owned(), "::given".to_owned()),
                ("taken".to_owned(), "::given".to_owned()),
            ]
            .into(),
            refused: BTreeMap::new(),
            procedural: BTreeSet::new(),
            exported: &HashMap::new(),
            known: &Macros::default(),
            from_root: false,
        };
        let text = Parsed::of(Text::of_file(id, source.into())).unwrap();
        rewrite_crate(&text, &job).text.as_str().to_owned()
    }

    #[test]
    fn paths_are_anchored() {
        for (from, to) in [
            ("use crate::a;", "use crate::lib::a;"),
            ("pub(crate) fn f() {}", "fn f() {}"),
            (
                "mod a { pub(crate) fn f() {} mod b { struct S(pub(crate) u8); } } m! { pub(crate) x }",
                "mod a { pub(super) fn f() {} mod b { struct S(pub(in crate::lib) u8); } } m! { pub(in crate::lib) x }",
            ),
            ("use dep::x;", "use crate::dep::x;"),
            ("use ::dep::x;", "use crate::dep::x;"),
            ("use a::{dep::x};", "use a::{dep::x};"),
            ("use {dep::x, other::y};", "use {crate::dep::x, crate::real::y};"),
            ("use other;", "use crate::real as other;"),
            ("use other as o;", "use crate::real as o;"),
            (
                "fn f() -> ::dep::X { a.dep::<u8>(); a::dep::b() }",
                "fn f() -> crate::dep::X { a.dep::<u8>(); a::dep::b() }",
            ),
            ("mod dep {} fn f() { dep::x(); ::dep::y() }", "mod dep {} fn f() { dep::x(); crate::dep::y() }"),
            (
                "mod dep {} mod a { use super::*; fn f() { dep::x() } } mod b { fn f() { dep::x() } }",
                "mod dep {} mod a { use super::*; fn f() { dep::x() } } mod b { fn f() { crate::dep::x() } }",
            ),
            (
                "fn f() { { use z as dep; dep::x(); } dep::x() }",
                "fn f() { { use z as dep; dep::x(); } crate::dep::x() }",
            ),
            (
                "use given::x; use given; fn f() { ::given::y() }",
                "use given::x; use ::given; fn f() { ::given::y() }",
            ),
            (
                "use taken::x; use taken; fn f() { taken::y() }",
                "use ::given::x; use ::given as taken; fn f() { ::given::y() }",
            ),
            ("use ::other as o;", "use crate::real as o;"),
            ("use ::{dep::x, std::y, given::z};", "use {crate::dep::x, ::std::y, ::given::z};"),
            (
                "macro_rules! m { () => { ::lib::f(); a::lib::f() } }",
                "macro_rules! m { () => { crate::lib::f(); a::lib::f() } }",
            ),
            ("impl<V> ::dep::T<V> for X<V> {}", "impl<V> crate::dep::T<V> for X<V> {}"),
            ("fn f() { <X as Y<u8>>::dep::z() }", "fn f() { <X as Y<u8>>::dep::z() }"),
            ("const S: &str = \"crate::dep::x\";", "const S: &str = \"crate::dep::x\";"),
            ("m!(dep::x, $crate::y, crate::z);", "m!(crate::dep::x, $crate::lib::y, crate::lib::z);"),
            (
                "extern crate other as o; fn f() { o::x() }",
                "use crate::real as o; fn f() { crate::real::x() }",
            ),
        ] {
            assert_eq!(rewrite(from, Some("lib")), to);
        }
    }

    #[test]
    fn edition_2015_starts_at_the_root() {
        let source = "extern crate dep; use a::b; use dep::c; use std::d; use ::e; mod a { fn f() -> ::a::B { ::dep::x() } }";
        let job = Job {
            module: Some("lib"),
            own: Some("lib".into()),
            foreign: false,
            deps: [("dep".to_owned(), "crate::dep".to_owned())].into(),
            refused: BTreeMap::new(),
            procedural: BTreeSet::new(),
            exported: &HashMap::new(),
            known: &Macros::default(),
            from_root: true,
        };
        let new = rewrite_crate(&Parsed::of(Text::generated(source)).unwrap(), &job);
        assert_eq!(
            new.text.as_str(),
            "use crate::dep; use crate::lib::a::b; use crate::dep::c; use std::d; use crate::lib::e; \
             mod a { fn f() -> crate::lib::a::B { crate::dep::x() } }"
        );
    }

    #[test]
    fn the_binary_stays_at_the_root() {
        assert_eq!(rewrite("extern crate dep; use crate::a;", None), " use crate::a;");
        assert_eq!(rewrite("use dep; mod m { use dep; }", None), " mod m { use crate::dep; }");
    }

    #[test]
    fn exported_macros_can_be_named_from_the_root() {
        let new =
            rewrite("pub mod a { #[macro_export] macro_rules! m { () => { $crate::f() } } }", Some("lib"));
        assert_eq!(
            new,
            "pub mod a { macro_rules! m { () => { $crate::lib::f() } }\npub(crate) use m; }pub(crate) use self::a::m;\n"
        );
    }
    #[test]
    fn an_exported_macro_beside_an_item_of_its_name_gets_a_module() {
        let new = rewrite("mod a { pub fn m() {} #[macro_export] macro_rules! m { () => {} } }", Some("lib"));
        assert_eq!(
            new,
            "mod a { pub fn m() {} #[macro_use]\npub(crate) mod m_macro {\nmacro_rules! m { () => {} }\n\
             pub(crate) use m;\n} }pub(crate) use self::a::m_macro::m;\n"
        );
    }

    #[test]
    fn a_module_named_like_an_exported_macro_can_be_imported_with_it() {
        let source = "mod m { #[macro_export] macro_rules! m { () => {} } } mod n {}";
        let new = rewrite(source, Some("lib"));
        assert!(
            new.starts_with("pub(crate) mod m {")
                && new.contains(" mod n {}")
                && !new.contains("pub(crate) mod n"),
            "{new}"
        );
        assert!(!rewrite(source, None).contains("pub(crate) mod"));
    }
}
