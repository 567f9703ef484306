//! Collects the names that a text declares, and those that must keep their spelling.

use crate::syntax::pieces::Pieces;
use crate::syntax::space::{called, SILENT};
use crate::syntax::tokens::{Kind, Tokens};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// Names that occur so often in std's types that renaming them would fail, and names that every program has.
const COMMON: &str = "main self Self crate super abs and_then any all append as_bytes as_mut as_mut_slice as_ptr as_mut_ptr as_ref \
    as_slice as_str borrow borrow_mut bytes ceil chain chars checked_add checked_div checked_mul checked_sub chunks clamp clear clone \
    clone_from cloned cmp collect concat contains contains_key copied copy_from_slice count count_ones count_zeros dedup default deref \
    deref_mut description downcast drain drop elapsed end ends_with entry enumerate eq err expect extend extend_from_slice fill filter \
    filter_map find find_map first flat_map flatten floor flush fmt fold from from_iter from_str ge get get_mut gt hash index index_mut insert \
    into into_inner into_iter is_ascii is_empty is_err is_none is_ok is_some iter iter_mut join keys kind last le leading_zeros len lines \
    lock lt map map_err map_or map_or_else max max_by max_by_key min min_by min_by_key mul ne neg new next next_back not now nth ok ok_or \
    ok_or_else or or_default or_else or_insert or_insert_with parse partial_cmp partition peek peekable pop pop_back pop_front position \
    pow powf powi product push push_back push_front push_str read read_line recv remove repeat replace reserve resize retain rev \
    reverse rotate_left rotate_right round saturating_add saturating_sub send set signum size_hint skip skip_while sort sort_by \
    sort_by_key sort_unstable sort_unstable_by sort_unstable_by_key source spawn split split_at split_at_mut split_whitespace sqrt start \
    starts_with step_by sub sum swap take take_while then then_some to_ascii_lowercase to_owned to_string to_vec trailing_zeros trim \
    trim_end trim_start truncate try_from try_into unwrap unwrap_or unwrap_or_default unwrap_or_else update values windows with_capacity \
    wrapping_add wrapping_mul wrapping_sub write write_all write_fmt write_str zip try_fold sin cos tan exp ln log2 log10 rem_euclid \
    Some None Ok Err Option Result Vec String Box Rc Arc Iterator IntoIterator DoubleEndedIterator ExactSizeIterator Extend \
    Default Clone Copy Send Sync Sized Drop Fn FnMut FnOnce From Into TryFrom TryInto AsRef AsMut ToOwned ToString PartialEq Eq PartialOrd Ord \
    Debug Display Item Output Target Error IntoIter Hash";

/// Fragment specifiers, which follow the names of a macro's variables.
const FRAGMENTS: &str =
    "block expr expr_2021 ident item lifetime literal meta pat pat_param path stmt tt ty vis";

/// The names of a text.
#[derive(Debug, Default)]
pub struct Names {
    /// Names declared somewhere in the text.
    pub declared: BTreeSet<String>,
    /// Names that must not change.
    pub fixed: BTreeSet<String>,
    /// The number of occurrences of each name.
    pub counts: BTreeMap<String, usize>,
    /// The traits declared in the text.
    traits: BTreeSet<String>,
    /// Implemented traits, each with the names of the items in the impl.
    implemented: Vec<(String, Vec<String>)>,
}

/// Collects the names of a text; `None` if it cannot be parsed, or if the program may print its own names.
pub fn names(source: &str, foreign: &[String]) -> Option<Names> {
    let tokens = Tokens::read(source).ok()?;
    let file = syn::parse_file(source).ok()?;
    let pieces = Pieces::new(source, &tokens);
    let mut names = Names::default();
    for (i, piece) in pieces.list.iter().enumerate() {
        if piece.kind == Kind::Ident {
            *names.counts.entry(pieces.text(i).to_owned()).or_default() += 1;
            // A lifetime or label.
            if i.checked_sub(1).is_some_and(|k| pieces.is(k, '\'')) && pieces.text(i) != "static" {
                names.declared.insert(pieces.text(i).to_owned());
            }
        }
    }
    if ["type_name", "type_name_of_val", "module_path"].iter().any(|n| names.counts.contains_key(*n)) {
        return None;
    }
    names.visit_file(&file);
    names.of_macros(&pieces);
    for (name, items) in std::mem::take(&mut names.implemented) {
        if !names.traits.contains(&name) {
            names.fixed.extend(items);
        }
    }
    names.fixed.extend(COMMON.split_whitespace().chain(FRAGMENTS.split_whitespace()).map(str::to_owned));
    names.outside(&pieces, foreign);
    names.shown(&pieces);
    Some(names)
}

impl Names {
    fn declare(&mut self, name: &syn::Ident) {
        self.declared.insert(name.to_string());
    }

    fn fix(&mut self, name: &str) {
        self.fixed.insert(name.to_owned());
    }

    /// Adds a macro's variables and the names that its body declares.
    fn of_macros(&mut self, pieces: &Pieces<'_>) {
        let introduces = ["fn", "struct", "enum", "trait", "type", "const", "static", "mod", "let", "mut"];
        for (i, piece) in pieces.list.iter().enumerate().filter(|(_, p)| p.kind == Kind::Ident && p.in_macro)
        {
            let before = i.checked_sub(1).map_or("", |k| pieces.text(k));
            let field = pieces.is(i + 1, ':') && !pieces.is(i + 2, ':') && before != ":";
            if introduces.contains(&before) || before == "$" || field {
                self.declared.insert(pieces.source[piece.range.clone()].to_owned());
            }
        }
    }

    /// Fixes names in paths that begin outside the text, as in `std::mem::swap` and `u32::from`.
    fn outside(&mut self, pieces: &Pieces<'_>, foreign: &[String]) {
        let roots = ["std", "core", "alloc"];
        let ours = ["self", "Self", "super", "crate"];
        for i in 0..pieces.list.len() {
            let name = pieces.text(i);
            let colons = pieces.is(i + 1, ':') && pieces.is(i + 2, ':');
            if pieces.list[i].kind != Kind::Ident || !colons {
                continue;
            }
            let root = roots.contains(&name) || foreign.iter().any(|f| f == name);
            if root || !self.declared.contains(name) && !ours.contains(&name) {
                self.path(pieces, i, root);
            }
        }
    }

    /// Fixes the rest of the path or use tree that begins at piece `i`.
    fn path(&mut self, pieces: &Pieces<'_>, i: usize, whole: bool) {
        let mut at = i + 3;
        self.fix(pieces.text(i));
        loop {
            match pieces.list.get(at).map(|p| p.kind) {
                Some(Kind::Ident) => self.fix(pieces.text(at)),
                Some(Kind::Open('{')) if whole => {
                    for k in at..pieces.list[at].partner {
                        self.fix(pieces.text(k));
                    }
                    return;
                }
                _ => return,
            }
            if !(whole && pieces.is(at + 1, ':') && pieces.is(at + 2, ':')) {
                return;
            }
            at += 3;
        }
    }

    /// Fixes names that a running program may print, and those in attributes, assembly and strings.
    fn shown(&mut self, pieces: &Pieces<'_>) {
        let stringify = self.counts.contains_key("stringify");
        for i in 0..pieces.list.len() {
            let text = pieces.text(i);
            if pieces.list[i].kind == Kind::Literal && text.contains('"') {
                in_braces(text).for_each(|n| self.fix(n));
            }
            if text.starts_with("r#") || !text.is_ascii() {
                self.fix(text.trim_start_matches("r#"));
            }
            if pieces.opens(i) && self.shows(pieces, i, stringify) {
                for k in i..pieces.list[i].partner {
                    self.fix(pieces.text(k));
                }
            }
        }
    }

    fn shows(&self, pieces: &Pieces<'_>, open: usize, stringify: bool) -> bool {
        let close = pieces.list[open].partner;
        if pieces.ends_attribute(close) {
            return true;
        }
        match called(pieces, open) {
            Some(
                "stringify" | "concat" | "asm" | "global_asm" | "naked_asm" | "dbg" | "cfg" | "env"
                | "option_env",
            ) => true,
            // Without a message, an assertion prints its condition.
            Some("assert" | "debug_assert") => {
                let comma = |k: &usize| pieces.list[*k].around == open && pieces.is(*k, ',');
                !(open + 1..close).filter(comma).any(|k| k + 1 < close)
            }
            Some("macro_rules") | None => false,
            Some(name) => stringify && !SILENT.contains(&name),
        }
    }
}

/// The words between braces in a literal: the names in a format string.
fn in_braces(literal: &str) -> impl Iterator<Item = &str> {
    let inner = literal.split('{').skip(1).filter_map(|s| s.split('}').next());
    inner.flat_map(|s| s.split(|c: char| !c.is_alphanumeric() && c != '_')).filter(|s| !s.is_empty())
}

fn has_word(attrs: &[syn::Attribute], words: &[&str]) -> bool {
    attrs.iter().any(|a| {
        let mut text = String::new();
        if let syn::Meta::List(list) = &a.meta {
            text = list.tokens.to_string();
        }
        let path = a.path().get_ident().map(ToString::to_string).unwrap_or_default();
        words
            .iter()
            .any(|w| path == *w || text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|t| t == *w))
    })
}

/// Attributes that make a symbol's name visible to the linker.
const SYMBOL: &[&str] = &["no_mangle", "export_name", "link_section", "used"];

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        use syn::Item;
        if has_word(crate::syntax::attributes::item_attrs(item), SYMBOL) {
            if let Item::Fn(syn::ItemFn { sig: syn::Signature { ident, .. }, .. })
            | Item::Static(syn::ItemStatic { ident, .. }) = item
            {
                self.fix(&ident.to_string());
            }
        }
        match item {
            Item::Const(x) => self.declare(&x.ident),
            Item::Enum(x) => self.declare(&x.ident),
            Item::Mod(x) => self.declare(&x.ident),
            Item::Static(x) => self.declare(&x.ident),
            Item::Struct(x) => self.declare(&x.ident),
            Item::Trait(x) => {
                self.declare(&x.ident);
                self.traits.insert(x.ident.to_string());
            }
            Item::Type(x) => self.declare(&x.ident),
            Item::Union(x) => self.declare(&x.ident),
            Item::Macro(x) => x.ident.iter().for_each(|n| self.declare(n)),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_struct(&mut self, x: &'ast syn::ItemStruct) {
        if has_word(&x.attrs, &["Debug"]) {
            self.fix(&x.ident.to_string());
            let names: Vec<String> =
                x.fields.iter().filter_map(|f| f.ident.as_ref()).map(ToString::to_string).collect();
            self.fixed.extend(names);
        }
        visit::visit_item_struct(self, x);
    }

    fn visit_item_enum(&mut self, x: &'ast syn::ItemEnum) {
        if has_word(&x.attrs, &["Debug"]) {
            for variant in &x.variants {
                self.fix(&variant.ident.to_string());
                let names: Vec<String> =
                    variant.fields.iter().filter_map(|f| f.ident.as_ref()).map(ToString::to_string).collect();
                self.fixed.extend(names);
            }
        }
        visit::visit_item_enum(self, x);
    }

    fn visit_item_foreign_mod(&mut self, x: &'ast syn::ItemForeignMod) {
        for item in &x.items {
            match item {
                syn::ForeignItem::Fn(f) => self.fix(&f.sig.ident.to_string()),
                syn::ForeignItem::Static(s) => self.fix(&s.ident.to_string()),
                syn::ForeignItem::Type(t) => self.fix(&t.ident.to_string()),
                _ => {}
            }
        }
    }

    fn visit_item_impl(&mut self, x: &'ast syn::ItemImpl) {
        let last = x.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        if let Some(last) = last {
            let name = |item: &syn::ImplItem| match item {
                syn::ImplItem::Const(x) => Some(x.ident.to_string()),
                syn::ImplItem::Fn(x) => Some(x.sig.ident.to_string()),
                syn::ImplItem::Type(x) => Some(x.ident.to_string()),
                _ => None,
            };
            self.implemented.push((last.ident.to_string(), x.items.iter().filter_map(name).collect()));
        }
        visit::visit_item_impl(self, x);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        match item {
            syn::ImplItem::Const(x) => self.declare(&x.ident),
            syn::ImplItem::Fn(x) if has_word(&x.attrs, SYMBOL) => self.fix(&x.sig.ident.to_string()),
            syn::ImplItem::Type(x) => self.declare(&x.ident),
            _ => {}
        }
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        match item {
            syn::TraitItem::Const(x) => self.declare(&x.ident),
            syn::TraitItem::Type(x) => self.declare(&x.ident),
            _ => {}
        }
        visit::visit_trait_item(self, item);
    }

    fn visit_signature(&mut self, x: &'ast syn::Signature) {
        self.declare(&x.ident);
        visit::visit_signature(self, x);
    }

    fn visit_field(&mut self, x: &'ast syn::Field) {
        x.ident.iter().for_each(|n| self.declare(n));
        visit::visit_field(self, x);
    }

    fn visit_variant(&mut self, x: &'ast syn::Variant) {
        self.declare(&x.ident);
        visit::visit_variant(self, x);
    }

    fn visit_pat_ident(&mut self, x: &'ast syn::PatIdent) {
        // `None` is not a binding.
        if x.ident.to_string().starts_with(|c: char| c.is_lowercase()) {
            self.declare(&x.ident);
        }
        visit::visit_pat_ident(self, x);
    }

    fn visit_type_param(&mut self, x: &'ast syn::TypeParam) {
        self.declare(&x.ident);
        visit::visit_type_param(self, x);
    }

    fn visit_const_param(&mut self, x: &'ast syn::ConstParam) {
        self.declare(&x.ident);
        visit::visit_const_param(self, x);
    }

    fn visit_use_rename(&mut self, x: &'ast syn::UseRename) {
        self.declare(&x.rename);
    }
}
