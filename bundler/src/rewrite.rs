//! A crate's paths as they must be in the bundle, where each library is a module of the root.

use crate::error::Error;
use crate::load::{item_attrs, parse};
use crate::scopes::Scopes;
use crate::text::{Edits, Files, Text};
use crate::tokens::{plain, Kind, Tokens};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Item, UseTree};

/// Keywords after which `::x` starts a path.
const BEFORE_A_PATH: &[&str] = &[
    "as", "use", "return", "in", "dyn", "impl", "mut", "else", "match", "if", "where", "for", "let", "ref",
    "move", "while", "break", "const", "unsafe", "pub",
];

/// Names that start a path in every edition alike.
const STARTS: &[&str] = &["crate", "self", "super", "std", "core", "alloc"];

/// What a crate's rewriting needs to know.
pub struct Job<'a> {
    /// The module that the crate becomes; none for the binary.
    pub module: Option<&'a str>,
    /// The modules of the crates it can name, by the names it uses.
    pub deps: BTreeMap<String, String>,
    /// Exported macros by module.
    pub exported: &'a HashMap<String, Vec<String>>,
    /// Whether paths of `use` and those with leading colons start at the crate's root, as in edition 2015.
    pub from_root: bool,
}

/// A rewritten crate.
#[derive(Debug)]
pub struct Rewritten {
    /// The text.
    pub text: Text,
    /// The macros that it exports.
    pub macros: Vec<String>,
    /// Whether the root must say `extern crate alloc`.
    pub alloc: bool,
}

/// Rewrites a crate that has been loaded.
pub fn rewritten(text: &Text, job: &Job<'_>, files: &Files) -> Result<Rewritten, Error> {
    let file = parse(text, files)?;
    let source = text.as_str();
    let tokens = Tokens::read(source)
        .map_err(|e| Error::Syntax { place: text.place(e.at, files).unwrap_or_default(), why: e.why })?;
    let mut reader = Reader {
        job,
        source,
        edits: Edits::default(),
        aliases: job.deps.iter().map(|(name, module)| (name.clone(), format!("crate::{module}"))).collect(),
        roots: HashSet::new(),
        uses: Vec::new(),
        macro_use: HashMap::new(),
        bodies: Vec::new(),
        local_macros: HashSet::new(),
        macros: Vec::new(),
        chain: Vec::new(),
        modules: Vec::new(),
        alloc: false,
    };
    reader.visit_file(&file);
    let end = source.len();
    for (name, path) in std::mem::take(&mut reader.chain) {
        let at = path.last().map_or(end, |(_, close)| *close);
        debug_assert!(at <= end);
        reader.reexport(&name, &path, end);
    }
    let scopes = Scopes::read(&file, source.len());
    Walk { tokens: &tokens, scopes: &scopes, reader: &mut reader }.paths();
    Ok(Rewritten { text: text.edited(reader.edits), macros: reader.macros, alloc: reader.alloc })
}

/// A macro's body, and what its attribute says.
struct Body {
    range: Range<usize>,
    exported: bool,
    inner: bool,
}

/// What is found by parsing: uses, extern crates, exported macros.
struct Reader<'a> {
    job: &'a Job<'a>,
    source: &'a str,
    edits: Edits,
    aliases: BTreeMap<String, String>,
    /// Where a `use` names its first segment.
    roots: HashSet<usize>,
    /// The ranges of `use` items.
    uses: Vec<Range<usize>>,
    macro_use: HashMap<String, String>,
    bodies: Vec<Body>,
    local_macros: HashSet<String>,
    macros: Vec<String>,
    /// Exported macros with the modules around them: name and the byte of the closing brace.
    chain: Vec<(String, Vec<(String, usize)>)>,
    modules: Vec<(String, usize)>,
    alloc: bool,
}

impl Reader<'_> {
    /// Makes an exported macro visible in every module up to the crate's root.
    fn reexport(&mut self, name: &str, path: &[(String, usize)], end: usize) {
        for (depth, (module, _)) in path.iter().enumerate() {
            let at = if depth == 0 { end } else { path[depth - 1].1 };
            self.edits.insert(at, format!("pub(crate) use self::{module}::{name};\n"));
        }
    }

    fn extern_crate(&mut self, item: &syn::ItemExternCrate) {
        let name = plain(&item.ident.to_string()).to_owned();
        let alias = item.rename.as_ref().map_or(name.clone(), |(_, r)| plain(&r.to_string()).to_owned());
        let range = item.span().byte_range();
        let at_root = self.modules.is_empty();
        let target = match (name.as_str(), self.job.module) {
            ("self", Some(module)) => format!("crate::{module}"),
            ("self", None) => "crate".into(),
            ("core", _) if alias == "std" => {
                self.edits.delete(range);
                return;
            }
            ("std" | "core" | "alloc", module) => {
                self.alloc |= name == "alloc";
                if module.is_none() && at_root && alias == name {
                    self.edits.delete(range);
                    return;
                }
                format!("::{name}")
            }
            _ => match self.job.deps.get(&name) {
                Some(module) => format!("crate::{module}"),
                None => return,
            },
        };
        if item.attrs.iter().any(|a| a.path().is_ident("macro_use")) {
            for m in self.job.deps.get(&name).and_then(|d| self.job.exported.get(d)).into_iter().flatten() {
                self.macro_use.insert(m.clone(), format!("{target}::{m}"));
            }
        }
        if at_root && target != format!("::{alias}") {
            self.aliases.insert(alias.clone(), target.clone());
        }
        if self.job.module.is_none() && at_root && target == format!("crate::{alias}") {
            self.edits.delete(range);
            return;
        }
        let vis = &self.source[item.vis.span().byte_range()];
        let space = if vis.is_empty() { "" } else { " " };
        let rename =
            if target.ends_with(&format!("::{alias}")) { String::new() } else { format!(" as {alias}") };
        self.edits.replace(range, format!("{vis}{space}use {target}{rename};"));
    }

    fn tree_roots(&mut self, tree: &UseTree) {
        let first = match tree {
            UseTree::Path(p) => {
                self.roots.insert(p.ident.span().byte_range().start);
                &p.ident
            }
            UseTree::Group(g) => {
                g.items.iter().for_each(|t| self.tree_roots(t));
                return;
            }
            UseTree::Name(n) => {
                self.whole_crate(&n.ident, false);
                &n.ident
            }
            UseTree::Rename(r) => {
                self.whole_crate(&r.ident, true);
                &r.ident
            }
            UseTree::Glob(_) => return,
        };
        let name = plain(&first.to_string()).to_owned();
        if self.job.from_root && !self.aliases.contains_key(&name) && !STARTS.contains(&name.as_str()) {
            let at = first.span().byte_range().start;
            self.edits.insert(at, self.root());
        }
    }

    /// What a path from the crate's root starts with.
    fn root(&self) -> String {
        match self.job.module {
            Some(module) => format!("crate::{module}::"),
            None => "crate::".into(),
        }
    }

    /// `use dep;` and `use dep as x;`
    fn whole_crate(&mut self, ident: &syn::Ident, renamed: bool) {
        let name = plain(&ident.to_string()).to_owned();
        if let Some(target) = self.aliases.get(&name) {
            let rename = if renamed || target.ends_with(&format!("::{name}")) {
                String::new()
            } else {
                format!(" as {name}")
            };
            self.edits.replace(ident.span().byte_range(), format!("{target}{rename}"));
        }
    }

    fn macro_rules(&mut self, item: &syn::ItemMacro) {
        let Some(ident) = &item.ident else { return };
        let name = plain(&ident.to_string()).to_owned();
        let range = item.span().byte_range();
        let export = item.attrs.iter().find(|a| a.path().is_ident("macro_export"));
        self.bodies.push(Body {
            range: range.clone(),
            exported: export.is_some(),
            inner: export.is_some_and(|a| self.source[a.span().byte_range()].contains("local_inner_macros")),
        });
        self.local_macros.insert(name.clone());
        let (Some(export), Some(_)) = (export, self.job.module) else {
            return;
        };
        let attr = crate::load::with_space(self.source, export.span().byte_range());
        self.edits.delete(attr);
        self.edits.insert(range.end, format!("\npub(crate) use {name};"));
        self.macros.push(name.clone());
        self.chain.push((name, self.modules.clone()));
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::ExternCrate(x) => self.extern_crate(x),
            Item::Use(x) => {
                let only_itself = matches!(&x.tree, UseTree::Name(n)
                    if self.aliases.get(plain(&n.ident.to_string())) == Some(&format!("crate::{}", plain(&n.ident.to_string()))));
                self.uses.push(x.span().byte_range());
                if only_itself && self.modules.is_empty() && self.job.module.is_none() {
                    self.edits.delete(x.span().byte_range());
                } else {
                    if let (true, Some(colons)) = (self.job.from_root, &x.leading_colon) {
                        self.edits.delete(colons.span().byte_range());
                    }
                    self.tree_roots(&x.tree);
                }
            }
            Item::Macro(x) => self.macro_rules(x),
            Item::Mod(x) => {
                if let Some((brace, _)) = &x.content {
                    let close = brace.span.close().byte_range().start;
                    self.modules.push((plain(&x.ident.to_string()).to_owned(), close));
                    visit::visit_item(self, item);
                    self.modules.pop();
                    return;
                }
            }
            _ => {}
        }
        let _ = item_attrs(item);
        visit::visit_item(self, item);
    }
}

/// The pass over all tokens.
struct Walk<'a, 'b> {
    tokens: &'a Tokens<'a>,
    scopes: &'a Scopes,
    reader: &'a mut Reader<'b>,
}

impl Walk<'_, '_> {
    fn paths(mut self) {
        let mut verbatim = 0;
        for i in 0..self.tokens.len() {
            if i < verbatim {
                continue;
            }
            if self.tokens.text(i) == "stringify" && self.tokens.is(i + 1, '!') {
                verbatim = self.tokens.close(i + 2);
            }
            let Some(name) = self.tokens.ident(i) else {
                continue;
            };
            let declared = self.tokens.text(self.before(i, 1)) == "extern";
            if declared && self.tokens.text(i) == "crate" {
                // A crate that cannot be here, which is refused if anything live needs it.
            } else if self.tokens.text(i) == "crate" {
                self.krate(i);
            } else if self.tokens.colons(i + 1) && self.reader.aliases.contains_key(name) {
                self.dep(i, name);
            } else if self.tokens.is(i + 1, '!') {
                self.invocation(i, name);
            } else if self.reader.job.from_root {
                self.leading(i, name);
            }
        }
    }

    fn start(&self, i: usize) -> usize {
        self.tokens.get(i).map_or(0, |t| t.range.start)
    }

    fn end(&self, i: usize) -> usize {
        self.tokens.get(i).map_or(0, |t| t.range.end)
    }

    fn before(&self, i: usize, back: usize) -> usize {
        // Past the end is no token at all.
        i.checked_sub(back).unwrap_or(usize::MAX - 8)
    }

    fn body(&self, at: usize) -> Option<&Body> {
        self.reader.bodies.iter().find(|b| b.range.contains(&at))
    }

    fn krate(&mut self, i: usize) {
        let Some(module) = self.reader.job.module else {
            return;
        };
        let (start, end) = (self.start(i), self.end(i));
        let restricted = self.tokens.is(self.before(i, 1), '(')
            && self.tokens.is(i + 1, ')')
            && self.tokens.text(self.before(i, 2)) == "pub";
        if !restricted {
            self.reader.edits.insert(end, format!("::{module}"));
        } else if !self.body(start).is_some_and(|b| b.exported) {
            self.reader.edits.replace(start..end, format!("in crate::{module}"));
        }
    }

    fn dep(&mut self, i: usize, name: &str) {
        let at = self.start(i);
        let prev = self.before(i, 1);
        if ['.', '$', '\''].iter().any(|&c| self.tokens.is(prev, c)) {
            return;
        }
        let in_use = self.reader.uses.iter().any(|u| u.contains(&at));
        let leading = self.tokens.colons(self.before(i, 2));
        if leading && self.continues(i) {
            return;
        }
        if in_use && !self.reader.roots.contains(&at) {
            return;
        }
        if !leading && self.scopes.shadows(name, at) {
            return;
        }
        let from = if leading { self.start(i - 2) } else { at };
        let to = self.end(i);
        let target = self.reader.aliases[name].clone();
        self.reader.edits.replace(from..to, target);
    }

    /// Whether the `::` before token `i` goes on with a path.
    fn continues(&self, i: usize) -> bool {
        let before = self.before(i, 3);
        match self.tokens.get(before).map(|t| t.kind) {
            Some(Kind::Ident) => !BEFORE_A_PATH.contains(&self.tokens.text(before)),
            Some(Kind::Punct('>')) => !['-', '='].iter().any(|&c| {
                let arrow = self.before(i, 4);
                self.tokens.is(arrow, c) && self.end(arrow) == self.start(before)
            }),
            _ => false,
        }
    }

    /// `::name` of edition 2015, outside `use`.
    fn leading(&mut self, i: usize, name: &str) {
        let at = self.start(i);
        let in_use = self.reader.uses.iter().any(|u| u.contains(&at));
        if !in_use && self.tokens.colons(self.before(i, 2)) && !self.continues(i) && !STARTS.contains(&name) {
            let root = self.reader.root();
            self.reader.edits.replace(self.start(i - 2)..at, root);
        }
    }

    fn invocation(&mut self, i: usize, name: &str) {
        let at = self.start(i);
        let prev = self.before(i, 1);
        if self.tokens.is(prev, ':') || self.tokens.is(prev, '$') {
            return;
        }
        if !matches!(self.tokens.get(i + 2).map(|t| t.kind), Some(Kind::Open(_))) {
            return;
        }
        if let Some(target) = self.reader.macro_use.get(name) {
            if !self.reader.local_macros.contains(name) {
                let (range, target) = (at..self.end(i), target.clone());
                self.reader.edits.replace(range, target);
            }
        } else if let Some(module) = self.reader.job.module {
            if self.body(at).is_some_and(|b| b.inner) && self.reader.macros.iter().any(|m| m == name) {
                self.reader.edits.insert(at, format!("$crate::{module}::"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewrite(source: &str, module: Option<&str>) -> String {
        let mut files = Files::default();
        let id = files.add(std::path::Path::new("x.rs"), source);
        let job = Job {
            module,
            deps: [("dep".to_owned(), "dep".to_owned()), ("other".to_owned(), "real".to_owned())].into(),
            exported: &HashMap::new(),
            from_root: false,
        };
        let text = Text::of_file(id, source.into());
        rewritten(&text, &job, &files).unwrap().text.as_str().to_owned()
    }

    #[test]
    fn paths_are_anchored() {
        for (from, to) in [
            ("use crate::a;", "use crate::lib::a;"),
            ("pub(crate) fn f() {}", "pub(in crate::lib) fn f() {}"),
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
            ("extern crate lost; use lost::x;", "extern crate lost; use lost::x;"),
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
            deps: [("dep".to_owned(), "dep".to_owned())].into(),
            exported: &HashMap::new(),
            from_root: true,
        };
        let new = rewritten(&Text::made(source), &job, &Files::default()).unwrap();
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
}
