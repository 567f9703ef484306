//! The modules of a text with their imports, and merging of imports into use trees.

use crate::syntax::spans;
use crate::syntax::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{Item, UseTree, Visibility};

/// One name imported by a `use`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The path as written, with the byte of each segment; for a glob it ends with `*`.
    pub path: Vec<(String, usize)>,
    /// The alias and its byte, if it has one.
    pub alias: Option<(String, usize)>,
}

impl Leaf {
    /// The imported name.
    pub fn name(&self) -> &str {
        let last = self.path.last().map_or("", |s| s.0.as_str());
        self.alias.as_ref().map_or(last, |a| a.0.as_str())
    }
}

/// A `use` item.
#[derive(Clone, Debug)]
pub struct Use {
    /// Range in the text.
    pub range: Range<usize>,
    /// Visibility as written.
    pub visibility: String,
    /// Imported names.
    pub leaves: Vec<Leaf>,
    /// Whether it may be merged with others: no attribute, no leading `::`, no lone keyword.
    pub plain: bool,
}

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Path from the root.
    pub path: Vec<String>,
    /// Range between the braces.
    pub body: Range<usize>,
    /// The start of its first item.
    pub first: usize,
    /// Its `use` items, except those in functions.
    pub uses: Vec<Use>,
    /// The names of its other items, modules included.
    pub defined: BTreeSet<String>,
    /// The ranges of the modules in it.
    pub inner: Vec<Range<usize>>,
    /// Whether it, or a module around it, has attributes such as `cfg`.
    pub conditional: bool,
    /// Whether it is not visible from the root.
    pub private: bool,
    /// The names of its items and imports that are not visible from the root.
    pub closed: BTreeSet<String>,
}

/// All modules of a text, the root first.
pub fn modules(source: &str) -> Option<Vec<Module>> {
    Some(modules_of(source, &syn::parse_file(source).ok()?))
}

/// All modules of a parsed text, the root first.
pub fn modules_of(source: &str, file: &syn::File) -> Vec<Module> {
    let mut out = Vec::new();
    read(source, &file.items, Module { body: 0..source.len(), ..Module::default() }, &mut out);
    out
}

/// The index of the innermost module at a byte.
pub fn module_at(modules: &[Module], at: usize) -> usize {
    let around = modules.iter().enumerate().filter(|(_, m)| m.body.contains(&at));
    around.min_by_key(|(_, m)| m.body.len()).map_or(0, |(i, _)| i)
}

fn read(source: &str, items: &[Item], mut module: Module, out: &mut Vec<Module>) {
    let at = out.len();
    out.push(Module::default());
    let (mut macros, mut seen) = (BTreeSet::new(), Vec::new());
    module.first = items.first().map_or(module.body.end, |i| spans::item(i).start);
    for item in items {
        match item {
            Item::Use(x) => module.uses.push(read_use(source, x)),
            Item::Mod(x) => {
                module.defined.insert(x.ident.to_string());
                let range = spans::item(item);
                module.inner.push(range.clone());
                let Some((brace, items)) = &x.content else { continue };
                let body = brace.span.open().byte_range().end..brace.span.close().byte_range().start;
                let mut path = module.path.clone();
                path.push(x.ident.to_string());
                let conditional = module.conditional || !x.attrs.is_empty();
                let visible = is_visible(written(source, &x.vis), &module);
                seen.push((visible, vec![x.ident.to_string()]));
                let private = !visible || module.private;
                read(source, items, Module { path, body, conditional, private, ..Module::default() }, out);
            }
            other => {
                if let Some((name, visibility)) = named(other) {
                    let visible = visibility.is_none_or(|v| is_visible(written(source, v), &module));
                    seen.push((visible, vec![name.clone()]));
                    module.defined.insert(name);
                }
            }
        }
        if let Item::Macro(syn::ItemMacro { ident: Some(ident), .. }) = item {
            macros.insert(ident.to_string());
        }
    }
    for item in &module.uses {
        let names = item.leaves.iter().map(|leaf| leaf.name().to_owned());
        seen.push((is_visible(&item.visibility, &module), names.collect::<Vec<_>>()));
    }
    // A name may stand for an item and a module: one that is visible is enough.
    let all = |visible| seen.iter().filter(move |s| s.0 == visible).flat_map(|s| s.1.iter().cloned());
    let visible: BTreeSet<String> = all(true).collect();
    module.closed = all(false).filter(|name| !visible.contains(name)).collect();
    // A macro can be imported only behind its definition.
    let of_macro = |l: &Leaf| l.path.len() == 1 && macros.contains(&l.path[0].0);
    for item in &mut module.uses {
        item.plain &= !item.leaves.iter().any(of_macro);
    }
    out[at] = module;
}

/// Whether the root sees an item of a module that has this visibility.
fn is_visible(visibility: &str, module: &Module) -> bool {
    match module.path.len() {
        0 => true,
        1 => ["pub", "pub(crate)", "pub(super)"].contains(&visibility),
        _ => ["pub", "pub(crate)"].contains(&visibility),
    }
}

fn written<'s>(source: &'s str, visibility: &Visibility) -> &'s str {
    source.get(visibility.span().byte_range()).unwrap_or("")
}

/// An item's name and its visibility; macros have none.
fn named(item: &Item) -> Option<(String, Option<&Visibility>)> {
    let (ident, visibility) = match item {
        Item::Const(x) => (&x.ident, &x.vis),
        Item::Enum(x) => (&x.ident, &x.vis),
        Item::Fn(x) => (&x.sig.ident, &x.vis),
        Item::Macro(x) => return Some((x.ident.as_ref()?.to_string(), None)),
        Item::Static(x) => (&x.ident, &x.vis),
        Item::Struct(x) => (&x.ident, &x.vis),
        Item::Trait(x) => (&x.ident, &x.vis),
        Item::TraitAlias(x) => (&x.ident, &x.vis),
        Item::Type(x) => (&x.ident, &x.vis),
        Item::Union(x) => (&x.ident, &x.vis),
        Item::ExternCrate(x) => (x.rename.as_ref().map_or(&x.ident, |(_, name)| name), &x.vis),
        _ => return None,
    };
    Some((ident.to_string(), Some(visibility)))
}

fn read_use(source: &str, item: &syn::ItemUse) -> Use {
    let mut leaves = Vec::new();
    let plain = read_tree(&item.tree, &mut Vec::new(), &mut leaves);
    let keyword =
        |l: &Leaf| l.path.len() < 2 && ["self", "super", "crate", "*"].contains(&l.path[0].0.as_str());
    Use {
        range: item.span().byte_range(),
        visibility: written(source, &item.vis).to_owned(),
        plain: plain
            && item.attrs.is_empty()
            && item.leading_colon.is_none()
            && !leaves.is_empty()
            && !leaves.iter().any(|l| l.path.is_empty() || keyword(l)),
        leaves,
    }
}

/// Collects the names of a use tree; returns false if it has a form that [`Tree`] cannot express.
fn read_tree(tree: &UseTree, path: &mut Vec<(String, usize)>, out: &mut Vec<Leaf>) -> bool {
    let segment = |ident: &syn::Ident| (ident.to_string(), ident.span().byte_range().start);
    let mut leaf = |last: Option<(String, usize)>, alias| {
        let mut path = path.clone();
        path.extend(last);
        let fine = !path.is_empty();
        if fine {
            out.push(Leaf { path, alias });
        }
        fine
    };
    match tree {
        UseTree::Path(p) => {
            path.push(segment(&p.ident));
            let fine = read_tree(&p.tree, path, out);
            path.pop();
            fine
        }
        UseTree::Name(n) if n.ident == "self" => leaf(None, None),
        UseTree::Name(n) => leaf(Some(segment(&n.ident)), None),
        UseTree::Rename(r) => {
            let last = (r.ident != "self").then(|| segment(&r.ident));
            leaf(last, Some(segment(&r.rename)))
        }
        UseTree::Glob(g) => leaf(Some(("*".into(), g.span().byte_range().start)), None),
        UseTree::Group(g) => g.items.iter().all(|t| read_tree(t, path, out)),
    }
}

/// A tree of imports by path segment.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    below: BTreeMap<String, Tree>,
    /// The byte of the segment that leads here.
    at: usize,
    itself: bool,
    aliases: BTreeMap<String, usize>,
}

/// Maximum width of a line.
const WIDTH: usize = 110;

impl Tree {
    /// Adds a leaf.
    pub fn add(&mut self, leaf: &Leaf) {
        let mut here = self;
        for (name, at) in &leaf.path {
            here = here.below.entry(name.clone()).or_insert_with(|| Tree { at: *at, ..Tree::default() });
        }
        match &leaf.alias {
            Some((alias, at)) => {
                here.aliases.insert(alias.clone(), *at);
            }
            None => here.itself = true,
        }
    }

    /// One `use` item for each first segment, each starting a line.
    pub fn items(&self, text: &Text, visibility: &str) -> Text {
        let space = if visibility.is_empty() { "" } else { " " };
        let mut out = Text::default();
        for part in self.parts(text) {
            out.push_str(&format!("{visibility}{space}use "));
            out.push(&part);
            out.push_str(";\n");
        }
        out
    }

    /// The trees below, in order.
    fn parts(&self, text: &Text) -> Vec<Text> {
        self.below.iter().flat_map(|(name, tree)| tree.named(name, text)).collect()
    }

    /// The tree of one name: a single part if it has names below, since then it is a module or type.
    fn named(&self, name: &str, text: &Text) -> Vec<Text> {
        let whole = of_source(text, name, self.at);
        let lone = self.below.is_empty();
        let first = if lone { whole.clone() } else { Text::generated("self") };
        let renamed = self.aliases.iter().map(|(alias, at)| {
            let mut part = first.clone();
            part.push_str(" as ");
            part.push(&of_source(text, alias, *at));
            part
        });
        let mut parts = Vec::from_iter(self.itself.then(|| first.clone()).into_iter().chain(renamed));
        if lone {
            return parts;
        }
        parts.extend(self.parts(text));
        let mut out = whole;
        out.push_str(if parts.len() > 1 { "::{" } else { "::" });
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                let line = out.as_str().rsplit('\n').next().map_or(0, str::len);
                let next = part.as_str().split('\n').next().map_or(0, str::len);
                out.push_str(if line + next + 3 > WIDTH { ",\n\t" } else { ", " });
            }
            out.push(part);
        }
        if parts.len() > 1 {
            out.push_str("}");
        }
        vec![out]
    }
}

fn of_source(text: &Text, name: &str, at: usize) -> Text {
    if text.as_str().get(at..).is_some_and(|s| s.starts_with(name)) {
        text.remade(at..at + name.len(), name)
    } else {
        Text::generated(name)
    }
}
