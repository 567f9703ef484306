//! Constants and statics whose whole value is an embedded file; as functions they can be decoded on first use.
//!
//! `static W: &[u8] = include_bytes!("w.bin");` is the common form, but a static's value must be known at compile time.
//! If every mention of `W` is understood, a function replaces it and the mentions become calls. A mention that is not
//! understood (in a macro, a pattern, or another constant, except `W.len()`) leaves the item unchanged.

use super::places::{arguments, constant_contexts, Place};
use crate::syntax::items::{Items, Kind as Node, ModId};
use crate::syntax::parsed::Parsed;
use crate::syntax::resolve::ROOT;
use crate::syntax::tokens::{plain, Kind, Tokens};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Type};

/// A constant or static whose whole value is an embedded file.
#[derive(Debug)]
pub struct Holder {
    /// The file's `include_bytes!`: an index into the text's places.
    pub place: usize,
    /// Where the item begins.
    pub start: usize,
    /// The item's range without its visibility.
    pub item: Range<usize>,
    /// Name, which the function also gets.
    pub name: String,
    /// Type of the constant.
    pub shape: Shape,
    /// Mentions, in order.
    pub mentions: Vec<(Range<usize>, Mention)>,
}

/// The type of a holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `&[u8]`
    Slice,
    /// `&[u8; N]`
    Reference,
    /// `[u8; N]`
    Array,
}

/// How a holder is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// Used as a value.
    Value,
    /// Indexed.
    Indexed,
    /// Receiver of a method call.
    Receiver,
    /// `W.len()` in a constant context.
    Length,
}

impl Holder {
    /// The function that replaces the item.
    pub fn function(&self, size: usize, call: &str) -> String {
        let name = &self.name;
        match self.shape {
            Shape::Slice => format!("fn {name}() -> &'static [u8] {{ {call} }}"),
            Shape::Reference | Shape::Array => {
                format!("fn {name}() -> &'static [u8; {size}] {{ {call} }}")
            }
        }
    }

    /// The replacement for a mention that is written as `path`.
    pub fn mention(&self, how: Mention, path: &str, size: usize) -> String {
        match (how, self.shape) {
            (Mention::Length, _) => format!("{size}usize"),
            (Mention::Value, Shape::Array) => format!("*{path}()"),
            (Mention::Receiver, Shape::Array) => format!("(*{path}())"),
            _ => format!("{path}()"),
        }
    }
}

/// Finds the holders whose mentions are all understood.
pub fn holders(text: &Parsed, places: &[Place]) -> Vec<Holder> {
    let (tokens, file) = (text.tokens(), &text.file);
    let items = Items::read(file, &tokens);
    let mut found = Vec::new();
    candidates(&file.items, places, &mut found);
    found.retain_mut(|holder| {
        let Some(id) =
            items.nodes.iter().position(|n| n.name == holder.name && holder.item.contains(&n.name_at))
        else {
            return false;
        };
        let mut finder = Finder {
            items: &items,
            target: id,
            name: &items.nodes[id].name,
            shape: holder.shape,
            constant: false,
            explained: HashSet::from([items.nodes[id].name_at]),
            mentions: HashMap::new(),
            refused: false,
        };
        finder.visit_file(file);
        let understood = !finder.refused && finder.explains_all(&tokens);
        holder.mentions = finder.mentions.into_iter().map(|(start, (end, how))| (start..end, how)).collect();
        holder.mentions.sort_by_key(|(range, _)| range.start);
        understood
    });
    found
}

fn candidates(list: &[syn::Item], places: &[Place], out: &mut Vec<Holder>) {
    for item in list {
        let (attrs, keyword, ident, ty, expr) = match item {
            syn::Item::Const(x) => (&x.attrs, x.const_token.span(), &x.ident, &x.ty, &x.expr),
            syn::Item::Static(x) if matches!(x.mutability, syn::StaticMutability::None) => {
                (&x.attrs, x.static_token.span(), &x.ident, &x.ty, &x.expr)
            }
            syn::Item::Mod(module) => {
                if let Some((_, inner)) = &module.content {
                    candidates(inner, places, out);
                }
                continue;
            }
            _ => continue,
        };
        let (deref, mac) = match &**expr {
            Expr::Macro(mac) => (false, mac),
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => match &**expr {
                Expr::Macro(mac) => (true, mac),
                _ => continue,
            },
            _ => continue,
        };
        let at = mac.span().byte_range();
        let shape = shape(ty).filter(|s| deref == (*s == Shape::Array));
        let (Some(shape), Some(place)) = (shape, places.iter().position(|p| p.range == at)) else { continue };
        if attrs.is_empty() && ident != "_" {
            let whole = item.span().byte_range();
            out.push(Holder {
                place,
                start: whole.start,
                item: keyword.byte_range().start..whole.end,
                name: plain(&ident.to_string()).to_owned(),
                shape,
                mentions: Vec::new(),
            });
        }
    }
}

fn shape(ty: &Type) -> Option<Shape> {
    let bytes = |ty: &Type| matches!(ty, Type::Path(p) if p.path.is_ident("u8"));
    match ty {
        Type::Array(x) if bytes(&x.elem) => Some(Shape::Array),
        Type::Reference(x) if x.mutability.is_none() => match &*x.elem {
            Type::Slice(x) if bytes(&x.elem) => Some(Shape::Slice),
            Type::Array(x) if bytes(&x.elem) => Some(Shape::Reference),
            _ => None,
        },
        _ => None,
    }
}

/// Finds the mentions of one item.
struct Finder<'a> {
    items: &'a Items,
    target: usize,
    name: &'a str,
    shape: Shape,
    constant: bool,
    /// Bytes at which the name occurs and is understood.
    explained: HashSet<usize>,
    mentions: HashMap<usize, (usize, Mention)>,
    refused: bool,
}

impl Finder<'_> {
    fn module(&self, at: usize) -> ModId {
        let around = self.items.nodes.iter().rev().find_map(|n| match n.kind {
            Node::Mod(id) if n.range.contains(&at) => Some(id),
            _ => None,
        });
        around.unwrap_or(ROOT)
    }

    /// Records `expr` as a mention if it is a path to the target; returns whether the name matched. `whole` is the
    /// range to replace.
    fn path(&mut self, expr: &Expr, how: Mention, whole: &Expr) -> bool {
        let Expr::Path(syn::ExprPath { qself: None, path, .. }) = expr else { return false };
        let Some(last) = path.segments.last().filter(|s| plain(&s.ident.to_string()) == self.name) else {
            return false;
        };
        let at = last.ident.span().byte_range().start;
        let found = self.items.modules.resolve(self.module(at), &crate::syntax::items::segments(path));
        match (found.nodes.as_slice(), path.segments.len()) {
            ([only], _) if *only == self.target => {
                self.refused |= self.constant && how != Mention::Length;
                let range = whole.span().byte_range();
                self.mentions.insert(range.start, (range.end, how));
            }
            (nodes, _) if nodes.contains(&self.target) => self.refused = true,
            // A local variable, or an import inside a function.
            ([], 1) => self.refused = true,
            _ => {}
        }
        self.explained.insert(at);
        true
    }

    /// Whether every other occurrence of the name is an import or the definition of something else.
    fn explains_all(&self, tokens: &Tokens<'_>) -> bool {
        let captured = format!("{{{}", self.name);
        let uses = |at: usize| self.items.uses.iter().any(|u| u.range.contains(&at));
        let leaf = |n: &crate::syntax::items::Node| matches!(n.kind, Node::UseLeaf(..));
        let defines = |at: usize| self.items.nodes.iter().any(|n| n.name_at == at && !leaf(n));
        (0..tokens.len()).all(|i| match tokens.get(i) {
            Some(t) if t.kind == Kind::Literal => !tokens.text(i).contains(&captured),
            Some(t) if t.kind == Kind::Ident && tokens.ident(i) == Some(self.name) => {
                let at = t.range.start;
                // Mentions under the new name would be missed.
                let renamed = tokens.ident(i + 1) == Some("as");
                self.explained.contains(&at) || uses(at) && !renamed || defines(at)
            }
            _ => true,
        })
    }

    fn within(&mut self, constant: bool, visit: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.constant, constant);
        visit(self);
        self.constant = outside;
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr(&mut self, x: &'ast Expr) {
        match x {
            Expr::MethodCall(call) => {
                let length = self.constant && call.method == "len" && call.args.is_empty();
                let (how, whole) =
                    if length { (Mention::Length, x) } else { (Mention::Receiver, &*call.receiver) };
                if self.path(&call.receiver, how, whole) {
                    call.args.iter().for_each(|a| self.visit_expr(a));
                    return;
                }
            }
            // `&f()` is a temporary, `&W` may have to be `'static`.
            Expr::Reference(reference) if self.shape != Shape::Array => {
                let path = &reference.expr;
                self.refused |= self.path(path, Mention::Value, path);
            }
            Expr::Index(index) if self.path(&index.expr, Mention::Indexed, &index.expr) => {
                self.visit_expr(&index.index);
                return;
            }
            _ => {}
        }
        if !self.path(x, Mention::Value, x) {
            visit::visit_expr(self, x);
        }
    }

    fn visit_field_value(&mut self, x: &'ast syn::FieldValue) {
        // The shorthand `S { W }` cannot become a call.
        if x.colon_token.is_some() {
            visit::visit_field_value(self, x);
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        for argument in arguments(mac) {
            let mut inner = Finder {
                items: self.items,
                target: self.target,
                name: self.name,
                shape: self.shape,
                constant: self.constant,
                explained: HashSet::new(),
                mentions: HashMap::new(),
                refused: false,
            };
            inner.visit_expr(&argument);
            self.explained.extend(inner.explained);
            self.mentions.extend(inner.mentions);
            self.refused |= inner.refused;
        }
    }

    constant_contexts!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::places::places;
    use crate::syntax::text::Text;

    /// The kinds of mention of the first holder, or `None` if one is not understood.
    fn found(rest: &str) -> Option<Vec<Mention>> {
        let file = tempfile::NamedTempFile::new().unwrap();
        let source =
            format!("mod m {{ pub static W: [u8; 0] = *include_bytes!({:?}); }} {rest}", file.path());
        let text = Parsed::of(Text::generated(source)).unwrap();
        let found = holders(&text, &places(&text));
        found.first().map(|h| h.mentions.iter().map(|(_, how)| *how).collect())
    }

    #[test]
    fn mentions_are_understood_or_refused() {
        use Mention::{Indexed, Length, Receiver, Value};
        for (source, expected) in [
            ("use m::W; fn f() { g(W, W[0], W.iter(), &W) }", Some(vec![Value, Indexed, Receiver, Value])),
            ("fn f() { println!(\"{}\", m::W[1]) }", Some(vec![Indexed])),
            ("use m::W; const N: usize = W.len() + 1; fn f() { W.len(); }", Some(vec![Length, Receiver])),
            ("mod o { pub static W: u8 = 0; fn f() { W } } fn f() { m::W; }", Some(vec![Value])),
            ("fn f(x: [u8; m::W.len()]) {}", Some(vec![Length])),
            ("use m::W; const C: u8 = W[0];", None),
            ("use m::W; const fn f() -> u8 { W[0] }", None),
            ("use m::W as V; fn f() { V[0]; }", None),
            ("fn f() { use m::W; W[0]; }", None),
            ("use m::W; fn f() { other!(W) }", None),
            ("use m::W; macro_rules! x { () => { W } }", None),
            ("use m::W; fn f() { println!(\"{W:?}\") }", None),
            ("use m::W; fn f() { match x { W => 1 } }", None),
            ("use m::W; fn f() { S { W } }", None),
        ] {
            assert_eq!(found(source), expected, "{source}");
        }
    }

    #[test]
    fn holders_have_only_a_file_as_value() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (source, shape) in [
            ("static W: &[u8] = $;", Some(Shape::Slice)),
            ("const W: &'static [u8; 0] = $;", Some(Shape::Reference)),
            ("const W: [u8; N] = *$;", Some(Shape::Array)),
            ("const W: &[u8] = &*$;", None),
            ("static W: Aligned = Aligned(*$);", None),
            ("static mut W: &[u8] = $;", None),
            ("#[used] static W: &[u8] = $;", None),
            ("fn f() { static W: &[u8] = $; }", None),
        ] {
            let source = source.replace('$', &format!("include_bytes!({:?})", file.path()));
            let text = Parsed::of(Text::generated(source.as_str())).unwrap();
            let found = holders(&text, &places(&text));
            assert_eq!(found.first().map(|h| h.shape), shape, "{source}");
        }
    }
}
