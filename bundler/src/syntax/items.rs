//! The items of a text: the name each defines, the names it mentions, and its owner.

use crate::syntax::attributes::item_attrs;
use crate::syntax::resolve::{Def, Modules, ROOT};
use crate::syntax::spans;
use crate::syntax::tokens::{plain, Kind as Token, Tokens};
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// Index of an item in [`Items`].
pub type NodeId = usize;
/// Index of a module in [`Modules`].
pub type ModId = usize;

/// The kind of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function, constant or static.
    Value,
    /// A struct, enum, union or type alias.
    Type,
    /// A trait.
    Trait,
    /// `macro_rules!`
    Macro,
    /// An item of a trait.
    TraitItem,
    /// An impl, with the path of its trait if it has one.
    Impl(Option<Vec<String>>),
    /// An item of an impl.
    ImplItem,
    /// One name that a `use` imports: its path, and whether it is a glob.
    UseLeaf(Vec<String>, bool),
    /// A module.
    Mod(ModId),
    /// An invocation of a macro as an item.
    Invocation,
    /// An item that is kept whenever its module is kept.
    Always,
    /// A symbol that the linker or the runtime needs, whether it is mentioned or not.
    Symbol,
}

/// An item.
#[derive(Debug)]
pub struct Node {
    /// Kind of item.
    pub kind: Kind,
    /// The name it defines.
    pub name: String,
    /// The byte at which the name stands.
    pub name_at: usize,
    /// Range, attributes included.
    pub range: Range<usize>,
    /// Module that it is in.
    pub module: ModId,
    /// The trait or impl that contains it.
    pub owner: Option<NodeId>,
    /// The identifiers in its tokens, without those of items inside it.
    pub mentions: BTreeSet<String>,
    /// The types in the header of an impl, or on the right-hand side of a type alias.
    pub header: Vec<Vec<String>>,
    /// For a module: whether it has `#[macro_use]`.
    pub macro_use: bool,
}

/// A `use` item.
pub struct Use {
    /// Range in the text.
    pub range: Range<usize>,
    /// The range between `use` and `;`.
    pub tree: Range<usize>,
    /// The parsed tree.
    pub parsed: UseTree,
}

/// The items of one text.
pub struct Items {
    /// All items; owners come before their items.
    pub nodes: Vec<Node>,
    /// All `use` items.
    pub uses: Vec<Use>,
    /// The modules and their declarations.
    pub modules: Modules,
    /// The binary's `fn main`.
    pub main: Option<NodeId>,
}

impl Items {
    /// Collects the items of a text.
    pub fn read(file: &syn::File, tokens: &Tokens<'_>) -> Items {
        let mut reader =
            Reader { nodes: Vec::new(), uses: Vec::new(), modules: Modules::new(), module: ROOT };
        file.items.iter().for_each(|i| reader.item(i));
        let Reader { mut nodes, uses, modules, .. } = reader;
        mention(&mut nodes, &uses, tokens);
        let main = nodes.iter().position(|n| n.module == ROOT && n.name == "main" && n.kind == Kind::Value);
        let main = main.or_else(|| {
            nodes
                .iter()
                .position(|n| n.module == ROOT && n.name == "main" && matches!(n.kind, Kind::UseLeaf(..)))
        });
        Items { nodes, uses, modules, main }
    }
}

/// Assigns every identifier to the innermost item around it.
fn mention(nodes: &mut [Node], uses: &[Use], tokens: &Tokens<'_>) {
    let mut order: Vec<NodeId> =
        (0..nodes.len()).filter(|&i| !matches!(nodes[i].kind, Kind::UseLeaf(..))).collect();
    order.sort_by_key(|&i| (nodes[i].range.start, std::cmp::Reverse(nodes[i].range.end)));
    let mut stack: Vec<NodeId> = Vec::new();
    let mut next = 0;
    let mut within_use = uses.iter().map(|u| u.range.clone()).peekable();
    for i in 0..tokens.len() {
        let Some(token) = tokens.get(i) else { break };
        let at = token.range.start;
        while next < order.len() && nodes[order[next]].range.start <= at {
            stack.push(order[next]);
            next += 1;
        }
        while stack.last().is_some_and(|&n| nodes[n].range.end <= at) {
            stack.pop();
        }
        while within_use.next_if(|u| u.end <= at).is_some() {}
        let Some(&top) = stack.last() else { continue };
        let in_use = within_use.peek().is_some_and(|u| u.contains(&at));
        if in_use && matches!(nodes[top].kind, Kind::Mod(_)) {
            continue;
        }
        match token.kind {
            Token::Ident if at != nodes[top].name_at => {
                if let Some(name) = tokens.ident(i).filter(|name| !nodes[top].mentions.contains(*name)) {
                    nodes[top].mentions.insert(name.to_owned());
                }
            }
            Token::Literal => captured(tokens.text(i), &mut nodes[top].mentions),
            _ => {}
        }
    }
}

/// Adds the names in a format string's `{name}`.
fn captured(literal: &str, out: &mut BTreeSet<String>) {
    for part in literal.split('{').skip(1) {
        let name: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if !name.is_empty() {
            out.insert(name);
        }
    }
    // Width and precision: `{:width$}`, `{:.prec$}`.
    for part in literal.split('$') {
        let name: String = part.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if !name.is_empty() {
            out.insert(name.chars().rev().collect());
        }
    }
}

struct Reader {
    nodes: Vec<Node>,
    uses: Vec<Use>,
    modules: Modules,
    module: ModId,
}

fn has_attribute(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|a| a.path().is_ident(name))
}

fn is_symbol(attrs: &[Attribute]) -> bool {
    ["global_allocator", "panic_handler", "no_mangle", "used", "export_name", "link_section"]
        .iter()
        .any(|name| has_attribute(attrs, name))
}

impl Reader {
    fn node(
        &mut self,
        kind: Kind,
        ident: Option<&syn::Ident>,
        range: Range<usize>,
        owner: Option<NodeId>,
    ) -> NodeId {
        let name = ident.map_or(String::new(), |i| plain(&i.to_string()).to_owned());
        let name_at = ident.map_or(usize::MAX, |i| i.span().byte_range().start);
        self.nodes.push(Node {
            kind,
            name,
            name_at,
            range,
            module: self.module,
            owner,
            mentions: BTreeSet::new(),
            header: Vec::new(),
            macro_use: false,
        });
        self.nodes.len() - 1
    }

    fn named(&mut self, kind: Kind, ident: &syn::Ident, range: Range<usize>, attrs: &[Attribute]) {
        let kind = if is_symbol(attrs) { Kind::Symbol } else { kind };
        let id = self.node(kind, Some(ident), range, None);
        let name = self.nodes[id].name.clone();
        self.modules.declare(self.module, &name, Def::Node(id));
    }

    fn item(&mut self, item: &Item) {
        let range = spans::item(item);
        let attrs = item_attrs(item);
        match item {
            Item::Fn(x) => self.named(Kind::Value, &x.sig.ident, range, attrs),
            Item::Const(x) if x.ident == "_" => {
                self.node(Kind::Always, None, range, None);
            }
            Item::Const(x) => self.named(Kind::Value, &x.ident, range, attrs),
            Item::Static(x) => self.named(Kind::Value, &x.ident, range, attrs),
            Item::Struct(x) => self.named(Kind::Type, &x.ident, range, attrs),
            Item::Enum(x) => self.named(Kind::Type, &x.ident, range, attrs),
            Item::Union(x) => self.named(Kind::Type, &x.ident, range, attrs),
            Item::Type(x) => {
                self.named(Kind::Type, &x.ident, range, attrs);
                let mut header = Header::new(&x.generics);
                header.visit_type(&x.ty);
                if let Some(node) = self.nodes.last_mut() {
                    node.header = header.paths;
                }
            }
            Item::TraitAlias(x) => self.named(Kind::Type, &x.ident, range, attrs),
            Item::Trait(x) => self.tr(x, range),
            Item::Impl(x) => self.imp(x, range),
            Item::Macro(x) => match &x.ident {
                Some(ident) => {
                    let id = self.node(Kind::Macro, Some(ident), range, None);
                    let name = self.nodes[id].name.clone();
                    self.modules.declare(self.module, &name, Def::Node(id));
                }
                None => {
                    self.node(Kind::Invocation, None, range, None);
                }
            },
            Item::Mod(x) => self.module(x, range),
            Item::Use(x) => {
                self.leaves(&x.tree, &mut Vec::new());
                self.uses.push(Use { range, tree: x.tree.span().byte_range(), parsed: x.tree.clone() });
            }
            _ => {
                self.node(Kind::Always, None, range, None);
            }
        }
    }

    fn module(&mut self, x: &syn::ItemMod, range: Range<usize>) {
        let Some((_, items)) = &x.content else {
            self.node(Kind::Always, None, range, None);
            return;
        };
        let name = plain(&x.ident.to_string()).to_owned();
        let inner = self.modules.add(self.module, &name);
        let id = self.node(Kind::Mod(inner), Some(&x.ident), range, None);
        self.nodes[id].macro_use = has_attribute(&x.attrs, "macro_use");
        let outside = std::mem::replace(&mut self.module, inner);
        items.iter().for_each(|i| self.item(i));
        self.module = outside;
    }

    fn tr(&mut self, x: &syn::ItemTrait, range: Range<usize>) {
        self.named(Kind::Trait, &x.ident, range, &x.attrs);
        let owner = self.nodes.len() - 1;
        for item in &x.items {
            let range = spans::trait_item(item);
            let ident = match item {
                syn::TraitItem::Fn(f) => &f.sig.ident,
                syn::TraitItem::Const(c) => &c.ident,
                syn::TraitItem::Type(t) => &t.ident,
                _ => continue,
            };
            self.node(Kind::TraitItem, Some(ident), range, Some(owner));
        }
    }

    fn imp(&mut self, x: &syn::ItemImpl, range: Range<usize>) {
        let tr = x.trait_.as_ref().map(|(_, path, _)| segments(path));
        let owner = self.node(Kind::Impl(tr), None, range, None);
        let mut header = Header::new(&x.generics);
        header.visit_type(&x.self_ty);
        if let Some((_, path, _)) = &x.trait_ {
            path.segments.iter().for_each(|s| header.visit_path_segment(s));
        }
        self.nodes[owner].header = header.paths;
        for item in &x.items {
            let range = spans::impl_item(item);
            let ident = match item {
                syn::ImplItem::Fn(f) => &f.sig.ident,
                syn::ImplItem::Const(c) => &c.ident,
                syn::ImplItem::Type(t) => &t.ident,
                _ => continue,
            };
            self.node(Kind::ImplItem, Some(ident), range, Some(owner));
        }
    }

    fn leaves(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(p) => {
                path.push(plain(&p.ident.to_string()).to_owned());
                self.leaves(&p.tree, path);
                path.pop();
            }
            UseTree::Name(n) if n.ident == "self" => {
                let name = path.last().cloned().unwrap_or_default();
                self.leaf(name, n.ident.span().byte_range(), path.clone(), false);
            }
            UseTree::Name(n) => {
                let name = plain(&n.ident.to_string()).to_owned();
                path.push(name.clone());
                self.leaf(name, n.ident.span().byte_range(), path.clone(), false);
                path.pop();
            }
            UseTree::Rename(r) => {
                let from = plain(&r.ident.to_string()).to_owned();
                let to = plain(&r.rename.to_string()).to_owned();
                let mut whole = path.clone();
                if from != "self" {
                    whole.push(from);
                } else if path.is_empty() {
                    whole.push("self".into());
                }
                self.leaf(to, tree.span().byte_range(), whole, false);
            }
            UseTree::Glob(g) => self.leaf(String::new(), g.span().byte_range(), path.clone(), true),
            UseTree::Group(g) => g.items.iter().for_each(|t| self.leaves(t, path)),
        }
    }

    fn leaf(&mut self, name: String, range: Range<usize>, path: Vec<String>, glob: bool) {
        let id = self.node(Kind::UseLeaf(path.clone(), glob), None, range.clone(), None);
        self.nodes[id].mentions = path.iter().cloned().collect();
        self.nodes[id].name_at = range.start;
        if glob {
            self.modules.glob(self.module, path);
        } else {
            if name != "_" {
                self.modules.declare(self.module, &name, Def::Use(path));
            }
            self.nodes[id].name = name;
        }
    }
}

/// The names of a path's segments.
pub fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|s| plain(&s.ident.to_string()).to_owned()).collect()
}

/// Collects the types named in an impl's header.
struct Header {
    paths: Vec<Vec<String>>,
    generics: HashSet<String>,
}

impl Header {
    fn new(generics: &syn::Generics) -> Header {
        Header { paths: Vec::new(), generics: generics.type_params().map(|p| p.ident.to_string()).collect() }
    }
}

impl<'ast> Visit<'ast> for Header {
    fn visit_type_path(&mut self, x: &'ast syn::TypePath) {
        let path = segments(&x.path);
        if x.qself.is_none() && !path.first().is_some_and(|p| self.generics.contains(p)) {
            self.paths.push(path);
        }
        visit::visit_type_path(self, x);
    }

    fn visit_trait_bound(&mut self, x: &'ast syn::TraitBound) {
        self.paths.push(segments(&x.path));
        visit::visit_trait_bound(self, x);
    }

    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
}
