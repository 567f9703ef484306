//! The modules of a package and the paths between them, read from its source.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, UseTree};

/// A module's path below the crate's root, which is empty.
pub type ModulePath = Vec<String>;

/// Reads a source file; `None` if there is none.
pub type Reader<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// A path in the source of one module that leads to an item of another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    pub from: ModulePath,
    pub to: ModulePath,
    pub file: PathBuf,
    pub line: usize,
    /// The path as written in the source, possibly in an import.
    pub path: String,
}

impl fmt::Display for Import {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.path)
    }
}

/// A path as written in the source.
#[derive(Debug, Clone)]
struct Mention {
    segments: Vec<String>,
    line: usize,
}

#[derive(Debug, Default)]
struct Module {
    file: PathBuf,
    items: BTreeSet<String>,
    /// The path of each imported name.
    names: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    mentions: Vec<Mention>,
}

/// The modules of one crate.
#[derive(Debug, Default)]
pub struct Crate {
    modules: BTreeMap<ModulePath, Module>,
    /// The macros with `#[macro_export]`, by the path of the module that defines them.
    exported: BTreeMap<String, Vec<String>>,
}

impl Crate {
    /// Reads a crate from its root file, such as `src/lib.rs`. Code under `#[cfg(test)]` is left out.
    ///
    /// # Errors
    /// If a file is missing or isn't Rust.
    pub fn read(root: &Path, reader: Reader<'_>) -> Result<Crate, String> {
        let mut all = Crate::default();
        let folder = root.parent().unwrap_or(Path::new("")).to_owned();
        all.file(Vec::new(), root, &folder, reader)?;
        if let Some(root) = all.modules.get_mut(&Vec::new()) {
            root.names.append(&mut all.exported);
        }
        Ok(all)
    }

    /// Every path that leads from one module to another.
    pub fn imports(&self) -> Vec<Import> {
        let mut imports = BTreeSet::new();
        for (from, module) in &self.modules {
            for mention in &module.mentions {
                let Some(to) = self.target(from, &mention.segments, 0) else { continue };
                if to != *from {
                    let (file, path) = (module.file.clone(), mention.segments.join("::"));
                    imports.insert(Import { from: from.clone(), to, file, line: mention.line, path });
                }
            }
        }
        imports.into_iter().collect()
    }

    /// Reads the module at `path` from a file; its child modules' files are in `folder`.
    fn file(
        &mut self,
        path: ModulePath,
        file: &Path,
        folder: &Path,
        reader: Reader<'_>,
    ) -> Result<(), String> {
        let source = reader(file).ok_or_else(|| format!("{}: no such file", file.display()))?;
        let parsed = syn::parse_file(&source)
            .map_err(|e| format!("{}:{}: {e}", file.display(), e.span().start().line))?;
        self.items(path, &parsed.items, file, folder, reader)
    }

    fn items(
        &mut self,
        path: ModulePath,
        items: &[Item],
        file: &Path,
        folder: &Path,
        reader: Reader<'_>,
    ) -> Result<(), String> {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        let mut children = Vec::new();
        for item in items.iter().filter(|item| !is_test(attributes(item))) {
            match item {
                Item::Mod(child) => children.push(child),
                Item::Use(item) => module.import(&item.tree, Vec::new()),
                other => {
                    if let Some(name) = exported_macro(other) {
                        // Exported macros are named by the root.
                        let path = [&["crate".to_owned()], &path[..], std::slice::from_ref(&name)].concat();
                        self.exported.insert(name, path);
                    }
                    module.items.extend(name_of(other));
                    Mentions(&mut module.mentions).visit_item(other);
                }
            }
        }
        self.modules.insert(path.clone(), module);
        for child in children {
            self.child(&path, child, file, folder, reader)?;
        }
        Ok(())
    }

    fn child(
        &mut self,
        parent: &[String],
        child: &ItemMod,
        file: &Path,
        folder: &Path,
        reader: Reader<'_>,
    ) -> Result<(), String> {
        let name = child.ident.to_string();
        let path = [parent, std::slice::from_ref(&name)].concat();
        let below = folder.join(&name);
        if let Some((_, items)) = &child.content {
            return self.items(path, items, file, &below, reader);
        }
        if let Some(place) = path_attribute(&child.attrs) {
            let place = file.parent().unwrap_or(Path::new("")).join(place);
            let folder = place.parent().unwrap_or(Path::new("")).to_owned();
            return self.file(path, &place, &folder, reader);
        }
        let places = [folder.join(format!("{name}.rs")), below.join("mod.rs")];
        let place = places.iter().find(|place| reader(place).is_some());
        let place = place.ok_or_else(|| format!("{}: no file for `mod {name};`", file.display()))?;
        self.file(path, place, &below, reader)
    }

    /// The module that defines what a path in module `from` names; `None` for other crates, locals and the
    /// like.
    fn target(&self, from: &[String], segments: &[String], depth: usize) -> Option<ModulePath> {
        let (first, rest) = segments.split_first()?;
        match first.as_str() {
            "crate" => self.descend(Vec::new(), rest, depth),
            "self" => self.descend(from.to_vec(), rest, depth),
            "super" => self.target_above(from, rest, depth),
            name => {
                let module = self.modules.get(from)?;
                let child = [from, &[name.to_owned()]].concat();
                if self.modules.contains_key(&child) {
                    self.descend(child, rest, depth)
                } else if let Some(path) = module.names.get(name) {
                    let path: Vec<String> = path.iter().chain(rest).cloned().collect();
                    self.guarded(from, &path, depth)
                } else if module.items.contains(name) {
                    Some(from.to_vec())
                } else {
                    module.globs.iter().find_map(|glob| {
                        let to = self.guarded(from, glob, depth)?;
                        self.has(&to, name, depth).then(|| self.descend(to, segments, depth))?
                    })
                }
            }
        }
    }

    fn target_above(&self, from: &[String], rest: &[String], depth: usize) -> Option<ModulePath> {
        let (_, parent) = from.split_last()?;
        match rest.first().map(String::as_str) {
            Some("super") => self.target_above(parent, &rest[1..], depth),
            _ => self.descend(parent.to_vec(), rest, depth),
        }
    }

    /// Resolves the rest of a path from a module, following imports.
    fn descend(&self, at: ModulePath, rest: &[String], depth: usize) -> Option<ModulePath> {
        let module = self.modules.get(&at)?;
        let Some((name, after)) = rest.split_first() else { return Some(at) };
        let child = [&at[..], std::slice::from_ref(name)].concat();
        if self.modules.contains_key(&child) {
            return self.descend(child, after, depth);
        }
        if let Some(path) = module.names.get(name).filter(|_| !module.items.contains(name)) {
            let path: Vec<String> = path.iter().chain(after).cloned().collect();
            return Some(self.guarded(&at, &path, depth).unwrap_or(at));
        }
        if !module.items.contains(name) {
            let through = module.globs.iter().find_map(|glob| {
                let to = self.guarded(&at, glob, depth)?;
                self.has(&to, name, depth).then(|| self.descend(to, rest, depth))?
            });
            return Some(through.unwrap_or(at));
        }
        Some(at)
    }

    fn has(&self, at: &[String], name: &str, depth: usize) -> bool {
        depth < 20
            && self.modules.get(at).is_some_and(|module| {
                let child = [at, &[name.to_owned()]].concat();
                module.items.contains(name)
                    || module.names.contains_key(name)
                    || self.modules.contains_key(&child)
            })
    }

    /// Resolves a path with limited recursion, since imports can form cycles.
    fn guarded(&self, from: &[String], path: &[String], depth: usize) -> Option<ModulePath> {
        if depth < 20 {
            self.target(from, path, depth + 1)
        } else {
            None
        }
    }
}

impl Module {
    fn import(&mut self, tree: &UseTree, mut path: Vec<String>) {
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.import(&part.tree, path);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, path.clone())),
            UseTree::Glob(star) => {
                self.mentions.push(Mention { segments: path.clone(), line: line(star.star_token.spans[0]) });
                self.globs.push(path);
            }
            UseTree::Name(name) => self.name(path, &name.ident, &name.ident),
            UseTree::Rename(name) => self.name(path, &name.ident, &name.rename),
        }
    }

    fn name(&mut self, mut path: Vec<String>, ident: &syn::Ident, name: &syn::Ident) {
        // `use a::{self}` imports the module itself.
        let named = match (ident == "self", path.last()) {
            (true, Some(last)) if ident == name => last.clone(),
            _ => name.to_string(),
        };
        if ident != "self" {
            path.push(ident.to_string());
        }
        self.mentions.push(Mention { segments: path.clone(), line: line(ident.span()) });
        self.names.insert(named, path);
    }
}

/// Collects the paths of an item, including those in macros' tokens.
struct Mentions<'a>(&'a mut Vec<Mention>);

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_test(attributes(item)) {
            return;
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    /// Treats imports within functions as paths.
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut module = Module::default();
        module.import(&item.tree, Vec::new());
        self.0.append(&mut module.mentions);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
            let line = path.segments.first().map_or(0, |s| line(s.ident.span()));
            self.0.push(Mention { segments, line });
        }
        visit::visit_path(self, path);
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.visit_path(&item.path);
        tokens(item.tokens.clone(), self.0);
    }
}

/// The paths in a macro's tokens: identifiers joined by `::`.
fn tokens(stream: TokenStream, mentions: &mut Vec<Mention>) {
    let mut path: Vec<String> = Vec::new();
    let (mut start, mut colons, mut is_open) = (0, 0, false);
    let mut end = |path: &mut Vec<String>, start: usize| {
        if path.len() > 1 {
            mentions.push(Mention { segments: std::mem::take(path), line: start });
        }
        path.clear();
    };
    let mut groups = Vec::new();
    for token in stream {
        match token {
            TokenTree::Ident(ident) => {
                if !is_open {
                    end(&mut path, start);
                    start = line(ident.span());
                }
                path.push(ident.to_string());
                (colons, is_open) = (0, false);
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                colons += 1;
                is_open = colons == 2;
            }
            other => {
                if let TokenTree::Group(group) = other {
                    groups.push(group.stream());
                }
                end(&mut path, start);
                (colons, is_open) = (0, false);
            }
        }
    }
    end(&mut path, start);
    groups.into_iter().for_each(|group| tokens(group, mentions));
}

fn line(span: Span) -> usize {
    span.start().line
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find(|attribute| attribute.path().is_ident("path")).and_then(|attribute| {
        let value = &attribute.meta.require_name_value().ok()?.value;
        match value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        }
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(x) => &x.attrs,
        Item::Enum(x) => &x.attrs,
        Item::Fn(x) => &x.attrs,
        Item::Impl(x) => &x.attrs,
        Item::Macro(x) => &x.attrs,
        Item::Mod(x) => &x.attrs,
        Item::Static(x) => &x.attrs,
        Item::Struct(x) => &x.attrs,
        Item::Trait(x) => &x.attrs,
        Item::Type(x) => &x.attrs,
        Item::Use(x) => &x.attrs,
        _ => &[],
    }
}

fn exported_macro(item: &Item) -> Option<String> {
    let Item::Macro(item) = item else { return None };
    let is_exported = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
    item.ident.as_ref().filter(|_| is_exported).map(ToString::to_string)
}

fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(x) => &x.ident,
        Item::Enum(x) => &x.ident,
        Item::Fn(x) => &x.sig.ident,
        Item::Macro(x) => x.ident.as_ref()?,
        Item::Static(x) => &x.ident,
        Item::Struct(x) => &x.ident,
        Item::Trait(x) => &x.ident,
        Item::Type(x) => &x.ident,
        _ => return None,
    };
    Some(ident.to_string())
}
