//! Removes the items that the binary cannot reach by name.

use crate::syntax::items::{Items, Kind, ModId, NodeId};
use crate::syntax::parsed::Parsed;
use crate::syntax::resolve::{Found, ROOT};
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::Tokens;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::UseTree;

/// Items to remove even if something mentions them.
#[derive(Clone, Debug, Default)]
pub struct Kills {
    /// The bytes of the items' names.
    pub names: HashSet<usize>,
    /// Ranges in which every imported name is removed.
    pub imports: Vec<Range<usize>>,
}

/// Removes what `main` cannot reach, and the given items.
/// `None` if the text cannot be parsed.
pub fn prune(text: &Text, kills: &Kills) -> Option<Text> {
    let (tokens, file) = Tokens::with_items(text.as_str()).ok()?;
    Some(without(text, &tokens, &file, kills))
}

/// A parsed text without what its `main` cannot reach; the origins are offsets in it.
pub fn reached(whole: &Parsed) -> Text {
    without(&whole.text().itself(), &whole.tokens(), &whole.file, &Kills::default())
}

fn without(text: &Text, tokens: &Tokens<'_>, file: &syn::File, kills: &Kills) -> Text {
    let items = Items::read(file, tokens);
    let mut reach = Reach::new(&items, kills);
    reach.run();
    text.edited(reach.edits(text.as_str()))
}

struct Reach<'a> {
    items: &'a Items,
    live: Vec<bool>,
    killed: Vec<bool>,
    mentioned: HashSet<&'a str>,
    /// Modules whose name a live item mentions, or that hold a live item.
    open: Vec<bool>,
    /// For each impl, the items that each type in its header may refer to; and its trait.
    headers: Vec<Vec<Found>>,
    traits: Vec<Option<Found>>,
    leaves: Vec<Option<Found>>,
    children: Vec<Vec<NodeId>>,
    /// For each invocation that generates impls, the items that it and its macro mention.
    generated: Vec<Vec<NodeId>>,
}

/// The items that an invocation and its macros mention, if they contain an `impl`.
fn generated_mentions(items: &Items, id: NodeId) -> Vec<NodeId> {
    let node = &items.nodes[id];
    if node.kind != Kind::Invocation {
        return Vec::new();
    }
    let macros = items.nodes.iter().filter(|n| n.kind == Kind::Macro && node.mentions.contains(&n.name));
    let sources: Vec<_> = std::iter::once(node).chain(macros).collect();
    if !sources.iter().any(|n| n.mentions.contains("impl")) {
        return Vec::new();
    }
    sources
        .iter()
        .flat_map(|n| n.mentions.iter().map(|name| (n.module, name)))
        .flat_map(|(module, name)| items.modules.resolve(module, std::slice::from_ref(name)).nodes)
        .collect()
}

impl<'a> Reach<'a> {
    fn new(items: &'a Items, kills: &Kills) -> Reach<'a> {
        let nodes = &items.nodes;
        // Many headers mention the same few names.
        let mut resolved: HashMap<(ModId, &[String]), Found> = HashMap::new();
        let mut resolve = |module: ModId, path: &'a Vec<String>| {
            let known = resolved.entry((module, path.as_slice()));
            known.or_insert_with(|| items.modules.resolve(module, path)).clone()
        };
        let mut children = vec![Vec::new(); nodes.len()];
        for (id, node) in nodes.iter().enumerate() {
            if let Some(owner) = node.owner {
                children[owner].push(id);
            }
        }
        let mut open = vec![false; items.modules.count()];
        open[ROOT] = true;
        Reach {
            items,
            live: vec![false; nodes.len()],
            killed: nodes
                .iter()
                .map(|n| match n.kind {
                    Kind::UseLeaf(..) => kills.imports.iter().any(|r| r.contains(&n.name_at)),
                    _ => kills.names.contains(&n.name_at),
                })
                .collect(),
            mentioned: HashSet::new(),
            open,
            headers: nodes.iter().map(|n| n.header.iter().map(|p| resolve(n.module, p)).collect()).collect(),
            traits: nodes
                .iter()
                .map(|n| match &n.kind {
                    Kind::Impl(Some(path)) => Some(resolve(n.module, path)),
                    _ => None,
                })
                .collect(),
            leaves: nodes
                .iter()
                .map(|n| match &n.kind {
                    Kind::UseLeaf(path, _) => Some(resolve(n.module, path)),
                    _ => None,
                })
                .collect(),
            children,
            generated: (0..nodes.len()).map(|id| generated_mentions(items, id)).collect(),
        }
    }

    fn run(&mut self) {
        if let Some(main) = self.items.main {
            self.mark_live(main);
        }
        loop {
            let mut changed = self.open_modules();
            for id in 0..self.live.len() {
                if !self.live[id] && !self.killed[id] && self.ready(id) {
                    self.mark_live(id);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        while self.remove_dangling() {}
    }

    fn mark_live(&mut self, id: NodeId) {
        self.live[id] = true;
        let node = &self.items.nodes[id];
        self.mentioned.extend(node.mentions.iter().map(String::as_str));
        // A `use` alone does not keep its module.
        if !matches!(node.kind, Kind::UseLeaf(..)) {
            let mut module = Some(node.module);
            while let Some(m) = module {
                self.open[m] = true;
                module = self.items.modules.parent(m);
            }
        }
    }

    fn open_modules(&mut self) -> bool {
        let mut changed = false;
        for module in 0..self.open.len() {
            let parent_open = self.items.modules.parent(module).is_none_or(|p| self.open[p]);
            if !self.open[module] && parent_open && self.mentioned.contains(self.items.modules.name(module)) {
                self.open[module] = true;
                changed = true;
            }
        }
        changed
    }

    fn is_mentioned(&self, name: &str) -> bool {
        self.mentioned.contains(name)
    }

    /// Whether one of the items found is live; finding none means that the path leads outside, which counts as live.
    fn is_alive(&self, found: &Found) -> bool {
        self.is_alive_within(found, 0)
    }

    fn is_alive_within(&self, found: &Found, depth: usize) -> bool {
        found.nodes.is_empty()
            || found.nodes.iter().any(|&n| {
                // An alias is live if its types are: `impl Drop for Alias`.
                let aliased = &self.headers[n];
                self.live[n]
                    || !self.killed[n]
                        && depth < 8
                        && !aliased.is_empty()
                        && aliased.iter().all(|f| self.is_alive_within(f, depth + 1))
                        && aliased.iter().any(|f| !f.nodes.is_empty())
            })
    }

    fn ready(&self, id: NodeId) -> bool {
        let node = &self.items.nodes[id];
        let open = self.open[node.module];
        match &node.kind {
            Kind::Value | Kind::Type => open && self.is_mentioned(&node.name),
            Kind::Macro => self.is_mentioned(&node.name) && self.open[self.macro_scope(node.module)],
            Kind::Trait => {
                open && (self.is_mentioned(&node.name)
                    || self.children[id].iter().any(|&c| self.is_mentioned(&self.items.nodes[c].name)))
            }
            Kind::TraitItem => node.owner.is_some_and(|o| self.live[o]) && self.is_mentioned(&node.name),
            Kind::Impl(tr) => {
                self.headers[id].iter().all(|f| self.is_alive(f))
                    && match (tr, &self.traits[id]) {
                        (Some(_), Some(found)) => self.is_alive(found) && self.local_impl_matters(id, found),
                        _ => {
                            self.children[id]
                                .iter()
                                .any(|&c| !self.killed[c] && self.is_mentioned(&self.items.nodes[c].name))
                                || self.children[id].is_empty()
                                    && self.headers[id].iter().any(|f| !f.nodes.is_empty())
                        }
                    }
            }
            Kind::ImplItem => node.owner.is_some_and(|o| self.live[o] && self.impl_item(o, &node.name)),
            Kind::UseLeaf(path, glob) => open && self.leaf(id, path, *glob),
            Kind::Invocation => open || self.implements(id),
            Kind::Always => open,
            Kind::Symbol => self.open[self.items.modules.krate(node.module)],
            Kind::Mod(_) => false,
        }
    }

    /// Whether an impl concerns local items or an open module. With only foreign types and traits it comes from a
    /// macro's arguments and is kept with its module.
    fn local_impl_matters(&self, id: NodeId, tr: &Found) -> bool {
        let local = !tr.nodes.is_empty() || self.headers[id].iter().any(|f| !f.nodes.is_empty());
        local || self.open[self.items.nodes[id].module]
    }

    /// Whether an item of an impl is needed: always for foreign traits, by name otherwise.
    fn impl_item(&self, owner: NodeId, name: &str) -> bool {
        match &self.traits[owner] {
            Some(tr) if tr.nodes.is_empty() => true,
            Some(tr) => tr.nodes.iter().any(|&t| {
                let mut declared =
                    self.children[t].iter().filter(|&&c| self.items.nodes[c].name == name).peekable();
                // A declaration that is not visible may come from a macro inside the trait.
                declared.peek().is_none() || declared.any(|&c| self.live[c])
            }),
            None => self.is_mentioned(name),
        }
    }

    fn leaf(&self, id: NodeId, path: &[String], glob: bool) -> bool {
        let node = &self.items.nodes[id];
        let Some(found) = &self.leaves[id] else {
            return false;
        };
        if found.is_nothing() {
            // From std or from a macro. A lower-case name is no trait, so it is used only if it is mentioned.
            let small = node.name.starts_with(|c: char| c.is_lowercase() || c == '_') && node.name != "_";
            if small && !glob {
                return self.is_mentioned(&node.name);
            }
            let local = matches!(path.first().map(String::as_str), Some("crate" | "self" | "super"));
            return glob || !local || self.is_mentioned(&node.name);
        }
        glob || self.is_mentioned(&node.name) || found.nodes.iter().any(|&n| self.trait_wanted(n))
    }

    /// Whether a trait is live, or would be once in scope because a method of that name is called.
    fn trait_wanted(&self, id: NodeId) -> bool {
        self.items.nodes[id].kind == Kind::Trait
            && !self.killed[id]
            && (self.live[id]
                || self.children[id].iter().any(|&c| self.is_mentioned(&self.items.nodes[c].name)))
    }

    /// Whether a macro invocation may implement a live trait, or something for a live type.
    fn implements(&self, id: NodeId) -> bool {
        self.generated[id]
            .iter()
            .any(|&n| self.live[n] && matches!(self.items.nodes[n].kind, Kind::Trait | Kind::Type))
    }

    /// The outermost module in which a macro defined in `module` is visible by its bare name.
    fn macro_scope(&self, mut module: ModId) -> ModId {
        loop {
            let is_macro_use = self.items.nodes.iter().any(|n| n.macro_use && n.kind == Kind::Mod(module));
            match self.items.modules.parent(module) {
                Some(parent) if is_macro_use => module = parent,
                _ => return module,
            }
        }
    }

    /// Whether each module holds anything live.
    fn reachable(&self) -> Vec<bool> {
        let mut kept = vec![false; self.open.len()];
        kept[ROOT] = true;
        for (id, node) in self.items.nodes.iter().enumerate() {
            let mut module = self.live[id].then_some(node.module);
            while let Some(m) = module {
                kept[m] = true;
                module = self.items.modules.parent(m);
            }
        }
        kept
    }

    /// Removes imports of items that are removed; returns whether there were any.
    fn remove_dangling(&mut self) -> bool {
        let kept = self.reachable();
        let mut changed = false;
        for id in 0..self.live.len() {
            let Some(found) = &self.leaves[id] else { continue };
            if !self.live[id] || found.is_nothing() {
                continue;
            }
            let there = found.nodes.iter().any(|&n| self.live[n]) || found.modules.iter().any(|&m| kept[m]);
            if !there {
                self.live[id] = false;
                changed = true;
            }
        }
        changed
    }

    fn edits(&self, source: &str) -> Edits {
        let kept = self.reachable();
        let mut edits = Edits::default();
        let mut delete = |range: Range<usize>| edits.delete(crate::syntax::spans::with_space(source, range));
        for (id, node) in self.items.nodes.iter().enumerate() {
            let gone = match node.kind {
                Kind::UseLeaf(..) => false,
                Kind::Mod(m) => !kept[m],
                _ => !self.live[id],
            };
            if gone {
                delete(node.range.clone());
            }
        }
        let dead: HashSet<usize> = self
            .items
            .nodes
            .iter()
            .enumerate()
            .filter(|(id, n)| matches!(n.kind, Kind::UseLeaf(..)) && !self.live[*id])
            .map(|(_, n)| n.range.start)
            .collect();
        for item in &self.items.uses {
            let all = leaf_count(&item.parsed, &|_| true);
            let left = leaf_count(&item.parsed, &|at| !dead.contains(&at));
            if left == 0 && all > 0 {
                edits.delete(crate::syntax::spans::with_space(source, item.range.clone()));
            } else if left < all {
                edits.replace(item.tree.clone(), tree_text(&item.parsed, &dead).unwrap_or_default());
            }
        }
        edits
    }
}

fn leaf_at(tree: &UseTree) -> usize {
    use syn::spanned::Spanned;
    match tree {
        UseTree::Name(n) => n.ident.span().byte_range().start,
        _ => tree.span().byte_range().start,
    }
}

fn leaf_count(tree: &UseTree, counts: &dyn Fn(usize) -> bool) -> usize {
    match tree {
        UseTree::Path(p) => leaf_count(&p.tree, counts),
        UseTree::Group(g) => g.items.iter().map(|t| leaf_count(t, counts)).sum(),
        _ => usize::from(counts(leaf_at(tree))),
    }
}

/// The source of a use tree without its dead leaves.
fn tree_text(tree: &UseTree, dead: &HashSet<usize>) -> Option<String> {
    let text = match tree {
        UseTree::Path(p) => format!("{}::{}", p.ident, tree_text(&p.tree, dead)?),
        UseTree::Group(g) => {
            let left: Vec<String> = g.items.iter().filter_map(|t| tree_text(t, dead)).collect();
            match &left[..] {
                [] => return None,
                [one] if one != "self" => one.clone(),
                _ => format!("{{{}}}", left.join(", ")),
            }
        }
        _ if dead.contains(&leaf_at(tree)) => return None,
        UseTree::Name(n) => n.ident.to_string(),
        UseTree::Rename(r) => format!("{} as {}", r.ident, r.rename),
        UseTree::Glob(_) => "*".into(),
    };
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prune(source: &str) -> String {
        let text = super::prune(&Text::generated(source), &Kills::default()).unwrap();
        text.as_str().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn another_contest_with_the_same_names_is_removed() {
        let new = prune(
            "fn main() { crate::bots::a::run(); }
            mod bots {
                pub mod a { pub struct State; impl Default for State { fn default() -> State { State } } pub fn run() { State::default(); } }
                pub mod b { pub struct State; impl Default for State { fn default() -> State { State } } pub fn run() { State::default(); } }
            }",
        );
        assert!(new.contains("mod a") && !new.contains("mod b {"), "{new}");
    }

    #[test]
    fn a_function_may_have_the_name_of_a_module() {
        let new = prune(
            "mod m { pub mod t { pub trait T { fn x(&self); fn y(&self); } } pub fn t() {} }
            use m::t::T; struct A; impl T for A { fn x(&self) {} fn y(&self) {} }
            fn main() { m::t(); A.x(); }",
        );
        assert!(new.contains("impl T for A { fn x(&self) {} }"), "{new}");
    }

    #[test]
    fn impls_follow_their_types_and_traits() {
        let new = prune(
            "struct A; struct B; trait T { fn t(&self); fn u(&self) {} } trait U { fn v(&self); }
            impl T for A { fn t(&self) {} fn u(&self) {} } impl T for B { fn t(&self) {} } impl U for A { fn v(&self) {} }
            impl Drop for A { fn drop(&mut self) {} } impl Drop for B { fn drop(&mut self) {} }
            fn main() { A.t(); }",
        );
        assert_eq!(
            new,
            "struct A; trait T { fn t(&self); } impl T for A { fn t(&self) {} } impl Drop for A { fn drop(&mut self) {} } fn main() { A.t(); }"
        );
    }

    #[test]
    fn unused_imports_are_removed() {
        let new = prune(
            "mod m { pub fn a() {} pub fn b() {} pub mod n { pub fn c() {} } pub trait T { fn x(&self) {} } impl T for u8 {} }
            use m::{a, b, n::{c as d, self}}; use m::T; use std::io::{Read, Write};
            fn main() { a(); 1u8.x(); }",
        );
        assert!(new.contains("use m::a; use m::T; use std::io::{Read, Write};"), "{new}");
        assert!(!new.contains("mod n") && !new.contains("fn b"), "{new}");
    }

    #[test]
    fn names_in_strings_and_macros_count() {
        let new = prune(
            "const A: u8 = 1; const B: u8 = 2; const W: usize = 3; const Z: u8 = 0; macro_rules! m { () => { B } } macro_rules! n { () => {} }
            fn main() { println!(\"{A} {:W$}\", m!()); }",
        );
        assert!(new.contains("const A") && new.contains("const B") && new.contains("const W"), "{new}");
        assert!(!new.contains("const Z") && !new.contains("! n"), "{new}");
    }
}
