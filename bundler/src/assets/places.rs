//! Finds each `include_bytes!` of a text, and whether it is evaluated only at run time.

use crate::syntax::parsed::Parsed;
use crate::syntax::text::Text;
use crate::syntax::tokens::{Kind, Tokens};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Macro, Token};

/// Macros of std whose arguments are all expressions.
const OF_EXPRESSIONS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "panic",
    "print",
    "println",
    "todo",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Visitor methods that track constant contexts; they call `fn within(&mut self, constant, visit)`.
macro_rules! constant_contexts {
    () => {
        constant_contexts! {
            visit_item_const ItemConst |_| true,
            visit_item_static ItemStatic |_| true,
            visit_impl_item_const ImplItemConst |_| true,
            visit_trait_item_const TraitItemConst |_| true,
            visit_item_fn ItemFn |x: &syn::ItemFn| x.sig.constness.is_some(),
            visit_impl_item_fn ImplItemFn |x: &syn::ImplItemFn| x.sig.constness.is_some(),
            visit_trait_item_fn TraitItemFn |x: &syn::TraitItemFn| x.sig.constness.is_some(),
            // A closure is never called in a constant context.
            visit_expr_closure ExprClosure |_| false,
            visit_expr_const ExprConst |_| true,
            // `[x; n]` with `x` not `Copy` requires a constant.
            visit_expr_repeat ExprRepeat |_| true,
            visit_type Type |_| true,
            visit_generic_argument GenericArgument |_| true,
            visit_variant Variant |_| true,
        }
    };
    ($($method:ident $node:ident $constant:expr,)*) => {
        $(fn $method(&mut self, x: &'ast syn::$node) {
            let constant: fn(&syn::$node) -> bool = $constant;
            self.within(constant(x), |s| visit::$method(s, x));
        })*
    };
}
pub(super) use constant_contexts;

/// An `include_bytes!` whose file can be read.
#[derive(Debug)]
pub struct Place {
    /// The whole invocation.
    pub range: Range<usize>,
    /// The path as written in the text.
    pub path: String,
    /// Content of the file.
    pub bytes: Rc<Vec<u8>>,
    /// Whether it is evaluated only at run time, so that a function call may replace it.
    pub run_time: bool,
}

/// All places of a text, in order; empty if it cannot be parsed.
pub fn places_of(text: &Text) -> Vec<Place> {
    if !text.as_str().contains("include_bytes") {
        return Vec::new();
    }
    Parsed::of(text.clone()).map_or(Vec::new(), |text| places(&text))
}

/// All places of a parsed text, in order.
pub fn places(text: &Parsed) -> Vec<Place> {
    if !text.source().contains("include_bytes") {
        return Vec::new();
    }
    let tokens = text.tokens();
    let mut finder = RunTime { constant: false, found: HashSet::new() };
    finder.visit_file(&text.file);
    let mut read: HashMap<String, Rc<Vec<u8>>> = HashMap::new();
    let mut out = Vec::new();
    for i in 0..tokens.len() {
        let Some((range, path)) = invocation(&tokens, i) else { continue };
        // Relative paths were not resolved by us; if live, they are refused later.
        if !Path::new(&path).is_absolute() {
            continue;
        }
        let bytes = match read.get(&path) {
            Some(bytes) => bytes.clone(),
            None => {
                let Ok(bytes) = crate::os::files::content(Path::new(&path)) else { continue };
                read.entry(path.clone()).or_insert(Rc::new(bytes)).clone()
            }
        };
        let run_time = finder.found.contains(&range.start);
        out.push(Place { range, path, bytes, run_time });
    }
    out
}

/// Parses `include_bytes!("path")` at token `i`.
fn invocation(tokens: &Tokens<'_>, i: usize) -> Option<(Range<usize>, String)> {
    let named = tokens.text(i) == "include_bytes" && tokens.is(i + 1, '!');
    let open = tokens.get(i + 2).filter(|t| named && matches!(t.kind, Kind::Open(_)));
    open?;
    let close = tokens.close(i + 2);
    let literal: syn::LitStr = syn::parse_str(tokens.text(i + 3)).ok()?;
    let range = tokens.get(i)?.range.start..tokens.get(close)?.range.end;
    (close == i + 4 || close == i + 5 && tokens.is(i + 4, ',')).then(|| (range, literal.value()))
}

/// Finds invocations evaluated only at run time; anything not understood counts as constant.
struct RunTime {
    constant: bool,
    found: HashSet<usize>,
}

impl RunTime {
    fn within(&mut self, constant: bool, visit: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.constant, constant);
        visit(self);
        self.constant = outside;
    }
}

/// The expressions in the arguments of a std macro.
pub fn arguments(mac: &Macro) -> Vec<Expr> {
    let known = mac.path.segments.last().is_some_and(|s| OF_EXPRESSIONS.iter().any(|m| s.ident == m));
    if !known {
        return Vec::new();
    }
    let list = Punctuated::<Expr, Token![,]>::parse_terminated;
    if let Ok(list) = list.parse2(mac.tokens.clone()) {
        return list.into_iter().collect();
    }
    // `vec![x; n]`
    let repeated = |input: syn::parse::ParseStream<'_>| {
        let value: Expr = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(vec![value, input.parse()?])
    };
    repeated.parse2(mac.tokens.clone()).unwrap_or_default()
}

impl<'ast> Visit<'ast> for RunTime {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        if mac.path.is_ident("include_bytes") {
            if !self.constant {
                self.found.insert(mac.span().byte_range().start);
            }
            return;
        }
        for argument in arguments(mac) {
            // The parsed arguments do not live for `'ast`.
            let mut inner = RunTime { constant: self.constant, found: HashSet::new() };
            inner.visit_expr(&argument);
            self.found.extend(inner.found);
        }
    }

    constant_contexts!();

    fn visit_pat(&mut self, x: &'ast syn::Pat) {
        self.within(true, |s| visit::visit_pat(s, x));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_time_places() {
        for (source, run_time) in [
            ("fn f() { g(#); }", true),
            ("const fn f() { g(#); }", false),
            ("static W: &[u8] = #;", false),
            ("fn f() { const W: &[u8] = #; }", false),
            ("static W: LazyLock<Vec<u8>> = LazyLock::new(|| #.to_vec());", true),
            ("const C: fn() = { fn f() { g(#) } f };", true),
            ("fn f() { println!(\"{:?} {x}\", #.len(), x = 1) }", true),
            ("fn f() { vec![#; 2]; }", true),
            ("fn f() { other!(#) }", false),
            ("fn f() { let x = [0; #.len()]; }", false),
            ("fn f() { let x: [u8; #.len()]; }", false),
            ("impl A { const W: &[u8] = #; }", false),
            ("fn f() { const { # }; }", false),
            ("enum E { A = #.len() as isize }", false),
            ("macro_rules! m { () => { # } }", false),
            ("fn f() -> B<{ #.len() }> { g() }", false),
        ] {
            let file = tempfile::NamedTempFile::new().unwrap();
            let text = source.replace('#', &format!("include_bytes!({:?})", file.path()));
            let found = places_of(&Text::generated(text.clone()));
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].run_time, run_time, "{text}");
            assert!(text[found[0].range.clone()].starts_with("include_bytes!(") && found[0].bytes.is_empty());
        }
    }

    #[test]
    fn unreadable_files_are_ignored() {
        assert!(places_of(&Text::generated("static W: &[u8] = include_bytes!(\"w.bin\");")).is_empty());
        assert!(
            places_of(&Text::generated("static W: &[u8] = include_bytes!(\"/no/such/file\");")).is_empty()
        );
    }
}
