//! Finds the names that a crate declares in each scope, so that they are not taken for crates.

use crate::syntax::spans;
use crate::syntax::tokens::plain;
use std::collections::HashSet;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Item, UseTree};

/// A module or a block.
#[derive(Debug, Default)]
struct Scope {
    range: Range<usize>,
    parent: Option<usize>,
    module: Option<String>,
    /// The byte from which items may begin.
    body: usize,
    names: HashSet<String>,
    globs: Vec<Vec<String>>,
}

/// The scopes of one crate; the first is its root module.
#[derive(Debug)]
pub struct Scopes {
    list: Vec<Scope>,
}

impl Scopes {
    /// Collects the scopes of a crate of `len` bytes.
    pub fn read(file: &syn::File, len: usize) -> Scopes {
        let body = file.items.first().map_or(len, |i| spans::item(i).start);
        let mut reader = Reader {
            list: vec![Scope { range: 0..len, module: Some(String::new()), body, ..Scope::default() }],
            at: 0,
        };
        reader.visit_file(file);
        Scopes { list: reader.list }
    }

    /// The names declared in the root module.
    pub fn root_names(&self) -> &HashSet<String> {
        &self.list[0].names
    }

    /// Whether `name`, written at the byte `at`, refers to something declared in the crate itself.
    pub fn shadows(&self, name: &str, at: usize) -> bool {
        let mut scope = self.innermost(at);
        loop {
            if self.has(scope, name, 0) {
                return true;
            }
            if self.list[scope].module.is_some() {
                return false;
            }
            match self.list[scope].parent {
                Some(parent) => scope = parent,
                None => return false,
            }
        }
    }

    /// The number of modules around the byte `at`, without the root.
    pub fn depth(&self, at: usize) -> usize {
        let mut module = self.module_of(self.innermost(at));
        let mut depth = 0;
        while let Some(parent) = self.list[module].parent {
            module = self.module_of(parent);
            depth += 1;
        }
        depth
    }

    /// The module around the byte `at`, and the byte from which its items begin.
    pub fn module_at(&self, at: usize) -> (usize, usize) {
        let module = self.module_of(self.innermost(at));
        (module, self.list[module].body)
    }

    fn innermost(&self, at: usize) -> usize {
        (0..self.list.len())
            .filter(|&i| self.list[i].range.contains(&at))
            .min_by_key(|&i| self.list[i].range.len())
            .unwrap_or(0)
    }

    fn module_of(&self, mut scope: usize) -> usize {
        while self.list[scope].module.is_none() {
            match self.list[scope].parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        scope
    }

    fn has(&self, scope: usize, name: &str, depth: usize) -> bool {
        self.list[scope].names.contains(name)
            || depth < 4
                && self.list[scope].globs.iter().any(|path| {
                    self.find(self.module_of(scope), path)
                        .is_some_and(|m| m != scope && self.has(m, name, depth + 1))
                })
    }

    fn find(&self, mut module: usize, path: &[String]) -> Option<usize> {
        for segment in path {
            module = match segment.as_str() {
                "crate" => 0,
                "self" => module,
                "super" => self.module_of(self.list[module].parent?),
                name => (0..self.list.len()).find(|&i| {
                    self.list[i].parent == Some(module) && self.list[i].module.as_deref() == Some(name)
                })?,
            };
        }
        Some(module)
    }
}

struct Reader {
    list: Vec<Scope>,
    at: usize,
}

impl Reader {
    fn declare(&mut self, ident: &syn::Ident) {
        let name = plain(&ident.to_string()).to_owned();
        self.list[self.at].names.insert(name);
    }

    fn inside(&mut self, range: Range<usize>, module: Option<String>, work: impl FnOnce(&mut Self)) {
        let outside = self.at;
        self.list.push(Scope { range, parent: Some(outside), module, ..Scope::default() });
        self.at = self.list.len() - 1;
        work(self);
        self.at = outside;
    }

    fn tree(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(p) => {
                path.push(plain(&p.ident.to_string()).to_owned());
                self.tree(&p.tree, path);
                path.pop();
            }
            UseTree::Name(n) => {
                // `use dep::dep` cannot be a module or type, which would be ambiguous; `use dep` is the crate itself.
                let name = plain(&n.ident.to_string()).to_owned();
                if name == "self" {
                    if path.len() > 1 {
                        self.list[self.at].names.extend(path.last().cloned());
                    }
                } else if !path.is_empty() && path[0] != name {
                    self.list[self.at].names.insert(name);
                }
            }
            UseTree::Rename(r) => {
                let itself = path.is_empty() && r.ident == r.rename;
                if !itself {
                    self.declare(&r.rename);
                }
            }
            UseTree::Glob(_) => {
                let path = path.clone();
                self.list[self.at].globs.push(path);
            }
            UseTree::Group(g) => g.items.iter().for_each(|t| self.tree(t, path)),
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Struct(x) => self.declare(&x.ident),
            Item::Enum(x) => self.declare(&x.ident),
            Item::Union(x) => self.declare(&x.ident),
            Item::Trait(x) => self.declare(&x.ident),
            Item::Type(x) => self.declare(&x.ident),
            Item::Use(x) => self.tree(&x.tree, &mut Vec::new()),
            Item::Mod(x) => {
                self.declare(&x.ident);
                let name = plain(&x.ident.to_string()).to_owned();
                let range = spans::item(item);
                let body = match &x.content {
                    Some((brace, items)) => {
                        items.first().map_or_else(|| brace.span.close().byte_range(), spans::item).start
                    }
                    None => range.end,
                };
                self.inside(range, Some(name), |me| {
                    me.list[me.at].body = body;
                    visit::visit_item_mod(me, x);
                });
                return;
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        let range = spans::block(block);
        self.inside(range, None, |me| visit::visit_block(me, block));
    }
}
