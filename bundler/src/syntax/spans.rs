//! Byte ranges of items.
//!
//! `syn`'s own `span()` rebuilds all tokens of an item, and again for every module around it.

use proc_macro2::Span;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{AttrStyle, Attribute, ImplItem, Item, Signature, TraitItem, Visibility};

/// The range of an item, attributes included.
pub fn item(item: &Item) -> Range<usize> {
    let (attrs, vis, first, last) = match item {
        Item::Fn(x) => (&x.attrs, Some(&x.vis), signature(&x.sig), x.block.brace_token.span.close()),
        Item::Mod(x) => match &x.content {
            Some((brace, _)) => {
                let first = x.unsafety.map_or(x.mod_token.span, |u| u.span);
                (&x.attrs, Some(&x.vis), first, brace.span.close())
            }
            None => return x.span().byte_range(),
        },
        Item::Impl(x) => {
            let unsafety = x.unsafety.map_or(x.impl_token.span, |u| u.span);
            let first = x.defaultness.map_or(unsafety, |d| d.span);
            (&x.attrs, None, first, x.brace_token.span.close())
        }
        other => return other.span().byte_range(),
    };
    whole(attrs, vis, first, last)
}

/// The range of an item of an impl, attributes included.
pub fn impl_item(item: &ImplItem) -> Range<usize> {
    match item {
        ImplItem::Fn(x) => {
            let first = x.defaultness.map_or_else(|| signature(&x.sig), |d| d.span);
            whole(&x.attrs, Some(&x.vis), first, x.block.brace_token.span.close())
        }
        other => other.span().byte_range(),
    }
}

/// The range of an item of a trait, attributes included.
pub fn trait_item(item: &TraitItem) -> Range<usize> {
    match item {
        TraitItem::Fn(x) => match (&x.default, &x.semi_token) {
            (Some(body), None) => whole(&x.attrs, None, signature(&x.sig), body.brace_token.span.close()),
            _ => x.span().byte_range(),
        },
        other => other.span().byte_range(),
    }
}

/// The range of a block, braces included.
pub fn block(block: &syn::Block) -> Range<usize> {
    let brace = block.brace_token.span;
    brace.open().byte_range().start..brace.close().byte_range().end
}

fn whole(attrs: &[Attribute], vis: Option<&Visibility>, first: Span, last: Span) -> Range<usize> {
    let attr = attrs.iter().find(|a| matches!(a.style, AttrStyle::Outer)).map(|a| a.pound_token.span);
    let vis = match vis {
        Some(Visibility::Public(x)) => Some(x.span),
        Some(Visibility::Restricted(x)) => Some(x.pub_token.span),
        _ => None,
    };
    attr.or(vis).unwrap_or(first).byte_range().start..last.byte_range().end
}

/// The first token of a signature.
fn signature(x: &Signature) -> Span {
    let modifiers = [
        x.constness.map(|t| t.span),
        x.asyncness.map(|t| t.span),
        x.unsafety.map(|t| t.span),
        x.abi.as_ref().map(|a| a.extern_token.span),
    ];
    modifiers.into_iter().flatten().next().unwrap_or(x.fn_token.span)
}

/// Extends a range by the white space after it.
pub fn with_space(source: &str, range: Range<usize>) -> Range<usize> {
    let rest = &source[range.end..];
    range.start..range.end + (rest.len() - rest.trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::visit::{self, Visit};

    #[derive(Default)]
    struct All(usize);

    impl<'a> Visit<'a> for All {
        fn visit_item(&mut self, x: &'a Item) {
            self.0 += 1;
            assert_eq!(item(x), x.span().byte_range());
            visit::visit_item(self, x);
        }
        fn visit_impl_item(&mut self, x: &'a ImplItem) {
            assert_eq!(impl_item(x), x.span().byte_range());
            visit::visit_impl_item(self, x);
        }
        fn visit_block(&mut self, x: &'a syn::Block) {
            assert_eq!(block(x), x.span().byte_range());
            visit::visit_block(self, x);
        }
        fn visit_trait_item(&mut self, x: &'a TraitItem) {
            assert_eq!(trait_item(x), x.span().byte_range());
            visit::visit_trait_item(self, x);
        }
    }

    #[test]
    fn ranges_equal_those_of_syn() {
        let kinds = "/// d\n#[a] #[b] pub(crate) const unsafe fn f() {}\n extern \"C\" fn g() {} pub async fn h() {}
            #[a] mod m { #![b] } pub mod n { fn f() {} } unsafe impl<T> X for Y<T> { default fn f() { a! {} }
            pub const fn g() {} const A: B = c; type D = E; } mod empty {}
            pub trait T { #[a] fn f(); fn g() {} const A: B; type C; } impl Z { #![b] } unsafe fn é() { /* é */ }";
        let mut all = All::default();
        all.visit_file(&syn::parse_file(kinds).unwrap());
        for (_, source) in crate::minify::tests::sources(&["src", "tests/fixtures", "tests/corpus"]) {
            if let Ok(file) = syn::parse_file(&source) {
                all.visit_file(&file);
            }
        }
        assert!(all.0 > 1000, "{}", all.0);
    }
}
