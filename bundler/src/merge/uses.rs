//! Collects a crate's links to other crates from its syntax tree: uses, extern crates, exported macros.

use crate::merge::job::Job;
use crate::syntax::text::Edits;
use crate::syntax::tokens::{plain, raw};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Item, UseTree};

/// Names that start a path in every edition.
pub const STARTS: &[&str] = &["crate", "self", "super", "std", "core", "alloc"];

/// A macro definition.
pub struct Body {
    /// Its range.
    pub range: Range<usize>,
    /// Its name.
    pub name: String,
    /// Whether it has `#[macro_export]`.
    pub exported: bool,
    /// Whether it has `local_inner_macros`.
    pub inner: bool,
}

/// A module around an item.
#[derive(Clone)]
struct Around {
    name: String,
    /// The byte of its closing brace.
    close: usize,
    /// Its `cfg` attributes, each with a space after it.
    cfgs: String,
}

/// A visitor that collects uses, extern crates and exported macros, and edits them.
pub struct Reader<'a> {
    /// The rewriting job.
    pub job: &'a Job<'a>,
    source: &'a str,
    /// The edits so far.
    pub edits: Edits,
    /// The paths of crates by the names that this one uses.
    pub aliases: BTreeMap<String, String>,
    /// The bytes of the first segments of `use` paths.
    pub roots: HashSet<usize>,
    /// The ranges of `use` items.
    pub uses: Vec<Range<usize>>,
    /// Macros that `#[macro_use]` imports, with their paths.
    pub macro_use: HashMap<String, String>,
    /// The ranges of macro invocations.
    pub calls: Vec<Range<usize>>,
    /// The macro definitions.
    pub bodies: Vec<Body>,
    /// The macros that the crate defines.
    pub local_macros: HashSet<String>,
    /// The macros that the crate exports.
    pub macros: Vec<String>,
    /// External crates whose macros must be in scope everywhere.
    pub macro_crates: BTreeSet<String>,
    /// Constructs that are refused if they are live: the byte and the reason.
    pub refused: Vec<(usize, String)>,
    /// Exported macros, each with its own `cfg`s and the modules around it.
    chain: Vec<(String, String, Vec<Around>)>,
    /// The paths of the modules around exported macros.
    pub nested: BTreeSet<Vec<String>>,
    modules: Vec<Around>,
    /// The names of other items in the modules around, the crate's root first.
    names: Vec<HashSet<String>>,
    /// Whether the root needs `extern crate alloc`.
    pub alloc: bool,
}

impl<'a> Reader<'a> {
    /// An empty reader.
    pub fn new(job: &'a Job<'a>, source: &'a str) -> Reader<'a> {
        Reader {
            job,
            source,
            edits: Edits::default(),
            aliases: job.deps.clone(),
            roots: HashSet::new(),
            uses: Vec::new(),
            macro_use: HashMap::new(),
            calls: Vec::new(),
            bodies: Vec::new(),
            local_macros: HashSet::new(),
            macros: Vec::new(),
            macro_crates: BTreeSet::new(),
            refused: Vec::new(),
            chain: Vec::new(),
            nested: BTreeSet::new(),
            modules: Vec::new(),
            names: Vec::new(),
            alloc: false,
        }
    }

    /// Re-exports exported macros up to the root of a crate of `end` bytes.
    pub fn reexports(&mut self, end: usize) {
        for (name, cfgs, path) in std::mem::take(&mut self.chain) {
            self.reexport(&name, &cfgs, &path, end);
        }
    }

    /// Re-exports an exported macro from every module up to the crate's root, where these exist.
    fn reexport(&mut self, name: &str, cfgs: &str, path: &[Around], end: usize) {
        for (depth, module) in path.iter().enumerate() {
            let at = if depth == 0 { end } else { path[depth - 1].close };
            let around: String = path[depth..].iter().map(|m| m.cfgs.as_str()).collect();
            let (mut module, name) = (raw(&module.name), raw(name));
            // An import beside an item of that name, or from there, would be of both.
            let own = format!("{}_macro", plain(&name));
            match &path[depth..] {
                [last] if depth > 0 && last.name == own => continue,
                [_, last] if last.name == own => module = format!("{module}::{own}"),
                _ => {}
            }
            self.edits.insert(at, format!("{around}{cfgs}pub(crate) use self::{module}::{name};\n"));
        }
    }

    /// The `cfg`s among some attributes, each with a space after it.
    fn cfgs(&self, attrs: &[syn::Attribute]) -> String {
        let cfgs = attrs.iter().filter(|a| a.path().is_ident("cfg"));
        // `#![cfg(…)]` in a module's own file is the same as `#[cfg(…)]` before the module.
        cfgs.map(|a| format!("{} ", self.source[a.span().byte_range()].replacen("#!", "#", 1))).collect()
    }

    fn rewrite_extern_crate(&mut self, item: &syn::ItemExternCrate) {
        let name = plain(&item.ident.to_string()).to_owned();
        let alias = item.rename.as_ref().map_or(name.clone(), |(_, r)| plain(&r.to_string()).to_owned());
        let range = item.span().byte_range();
        let at_root = self.modules.is_empty();
        let target = match (name.as_str(), self.job.module) {
            ("self", Some(module)) => format!("crate::{}", raw(module)),
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
                Some(path) => path.clone(),
                None if self.job.foreign && self.job.procedural.contains(&name) => {
                    self.edits.delete(range);
                    return;
                }
                None => {
                    if let Some(why) = self.job.refused.get(&name) {
                        self.refused.push((item.ident.span().byte_range().start, why.clone()));
                    }
                    return;
                }
            },
        };
        if item.attrs.iter().any(|a| a.path().is_ident("macro_use")) {
            match target.strip_prefix("::") {
                Some(external) => self.macro_crates.extend([external.to_owned()]),
                None => self.import_macros(&name, &target),
            }
        }
        if at_root && target != format!("::{alias}") {
            self.aliases.insert(alias.clone(), target.clone());
        }
        let alias = raw(&alias);
        let at_root_of_bundle = self.job.module.is_none() && at_root;
        // Another version of the crate may be the module of that name; paths are rewritten to the right one.
        let is_renumbered = item.rename.is_none() && target.starts_with("crate::");
        if at_root_of_bundle && (target == format!("crate::{alias}") || is_renumbered) {
            self.edits.delete(range);
            return;
        }
        let vis = &self.source[item.vis.span().byte_range()];
        let space = if vis.is_empty() { "" } else { " " };
        let rename =
            if target.ends_with(&format!("::{alias}")) { String::new() } else { format!(" as {alias}") };
        self.edits.replace(range, format!("{vis}{space}use {target}{rename};"));
    }

    fn import_macros(&mut self, name: &str, target: &str) {
        for m in self.job.deps.get(name).and_then(|path| self.job.exported.get(path)).into_iter().flatten() {
            self.macro_use.insert(m.clone(), format!("{target}::{}", raw(m)));
        }
    }

    fn rewrite_tree_roots(&mut self, tree: &UseTree) {
        let first = match tree {
            UseTree::Path(p) => {
                self.roots.insert(p.ident.span().byte_range().start);
                self.import_self(p);
                &p.ident
            }
            UseTree::Group(g) => {
                g.items.iter().for_each(|t| self.rewrite_tree_roots(t));
                return;
            }
            UseTree::Name(n) => {
                self.rewrite_whole_crate(&n.ident, false);
                &n.ident
            }
            UseTree::Rename(r) => {
                self.rewrite_whole_crate(&r.ident, true);
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

    /// Handles `use dep::{self, …}` in the root of the binary, where the module of that name is.
    fn import_self(&mut self, path: &syn::UsePath) {
        let name = raw(plain(&path.ident.to_string()));
        let there = self.aliases.get(plain(&name)).is_some_and(|target| *target == format!("crate::{name}"));
        if !there || self.job.module.is_some() || !self.modules.is_empty() {
            return;
        }
        let UseTree::Group(group) = &*path.tree else { return };
        for tree in &group.items {
            if let UseTree::Name(n) = tree {
                if n.ident == "self" {
                    self.edits.insert(n.ident.span().byte_range().end, " as _");
                }
            }
        }
    }

    /// Whether a tree imports all of a crate of procedural macros, or re-exports some from a registry crate. Then who
    /// uses one is refused at the use.
    fn is_of_macros(&self, tree: &UseTree) -> bool {
        let UseTree::Path(path) = tree else { return false };
        let name = plain(&path.ident.to_string()).to_owned();
        (self.job.foreign || matches!(*path.tree, UseTree::Glob(_))) && self.job.procedural.contains(&name)
    }

    /// The start of a path from the crate's root.
    pub fn root(&self) -> String {
        match self.job.module {
            Some(module) => format!("crate::{}::", raw(module)),
            None => "crate::".into(),
        }
    }

    /// The name with which a path of a `use` begins; `None` for a group or a glob.
    fn first(tree: &UseTree) -> Option<&syn::Ident> {
        match tree {
            UseTree::Path(p) => Some(&p.ident),
            UseTree::Name(n) => Some(&n.ident),
            UseTree::Rename(r) => Some(&r.ident),
            UseTree::Group(_) | UseTree::Glob(_) => None,
        }
    }

    /// Whether a path of a tree after `use ::` begins with a crate that becomes a module.
    fn is_bundled(&self, tree: &UseTree) -> bool {
        match (tree, Self::first(tree)) {
            (UseTree::Group(group), _) => group.items.iter().any(|tree| self.is_bundled(tree)),
            (_, Some(name)) => self.aliases.contains_key(plain(&name.to_string())),
            (_, None) => false,
        }
    }

    /// Writes the colons of `use ::{...}` before each path that needs them.
    fn mark_external(&mut self, tree: &UseTree) {
        match (tree, Self::first(tree)) {
            (UseTree::Group(group), _) => group.items.iter().for_each(|tree| self.mark_external(tree)),
            (_, Some(name)) if !self.job.from_root => {
                let text = plain(&name.to_string()).to_owned();
                let target = self.aliases.get(&text);
                // What is rewritten gets its colons from that.
                let stays = matches!(tree, UseTree::Path(_)) && target == Some(&format!("::{}", raw(&text)));
                if target.is_none() || stays {
                    self.edits.insert(name.span().byte_range().start, "::");
                }
            }
            _ => {}
        }
    }

    /// Rewrites `use dep;` and `use dep as x;`.
    fn rewrite_whole_crate(&mut self, ident: &syn::Ident, renamed: bool) {
        let name = plain(&ident.to_string()).to_owned();
        if let Some(target) = self.aliases.get(&name) {
            let rename = if renamed || target.ends_with(&format!("::{}", raw(&name))) {
                String::new()
            } else {
                format!(" as {}", raw(&name))
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
            name: name.clone(),
            exported: export.is_some(),
            inner: export.is_some_and(|a| self.source[a.span().byte_range()].contains("local_inner_macros")),
        });
        self.local_macros.insert(name.clone());
        let (Some(export), Some(_)) = (export, self.job.module) else {
            return;
        };
        let attr = crate::syntax::spans::with_space(self.source, export.span().byte_range());
        self.edits.delete(attr);
        let cfgs = self.cfgs(&item.attrs);
        let mut around = self.modules.clone();
        let path: Vec<String> = around.iter().map(|module| module.name.clone()).collect();
        self.nested.extend((1..=path.len()).map(|n| path[..n].to_vec()));
        let import = format!("\n{cfgs}pub(crate) use {};", raw(&name));
        if self.names.last().is_some_and(|names| names.contains(&name)) {
            // The import would be of the other item too, so the macro gets a module of its own.
            let module = format!("{name}_macro");
            self.edits.insert(range.start, format!("#[macro_use]\npub(crate) mod {module} {{\n"));
            self.edits.insert(range.end, format!("{import}\n}}"));
            around.push(Around { name: module, close: range.end, cfgs: String::new() });
        } else {
            self.edits.insert(range.end, import);
        }
        self.macros.push(name.clone());
        self.chain.push((name, cfgs, around));
    }
}

/// The names of items that are no macros.
fn names_of<'i>(items: impl Iterator<Item = &'i Item>) -> HashSet<String> {
    let name = |item: &Item| match item {
        Item::Fn(x) => Some(x.sig.ident.to_string()),
        Item::Mod(x) => Some(x.ident.to_string()),
        Item::Struct(x) => Some(x.ident.to_string()),
        Item::Enum(x) => Some(x.ident.to_string()),
        Item::Trait(x) => Some(x.ident.to_string()),
        Item::Type(x) => Some(x.ident.to_string()),
        Item::Const(x) => Some(x.ident.to_string()),
        Item::Static(x) => Some(x.ident.to_string()),
        _ => None,
    };
    items.filter_map(name).map(|name| plain(&name).to_owned()).collect()
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_file(&mut self, file: &'ast syn::File) {
        self.names.push(names_of(file.items.iter()));
        visit::visit_file(self, file);
        self.names.pop();
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.calls.push(mac.span().byte_range());
    }

    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::ExternCrate(x) => self.rewrite_extern_crate(x),
            Item::Use(x) => {
                let only_itself = matches!(&x.tree, UseTree::Name(n)
                    if self.aliases.get(plain(&n.ident.to_string())) == Some(&format!("crate::{}", raw(plain(&n.ident.to_string())))));
                self.uses.push(x.span().byte_range());
                let is_itself = only_itself && self.modules.is_empty() && self.job.module.is_none();
                if is_itself || self.is_of_macros(&x.tree) {
                    self.edits.delete(x.span().byte_range());
                } else {
                    if let Some(colons) = &x.leading_colon {
                        let is_path = matches!(x.tree, UseTree::Path(_));
                        if self.job.from_root || !is_path && self.is_bundled(&x.tree) {
                            self.edits.delete(colons.span().byte_range());
                            self.mark_external(&x.tree);
                        }
                    }
                    self.rewrite_tree_roots(&x.tree);
                }
            }
            Item::Macro(x) => self.macro_rules(x),
            Item::Mod(x) => {
                if let Some((brace, _)) = &x.content {
                    let close = brace.span.close().byte_range().start;
                    let name = plain(&x.ident.to_string()).to_owned();
                    self.modules.push(Around { name, close, cfgs: self.cfgs(&x.attrs) });
                    self.names.push(names_of(x.content.iter().flat_map(|(_, items)| items)));
                    visit::visit_item(self, item);
                    self.names.pop();
                    self.modules.pop();
                    return;
                }
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }
}
