//! Loads a crate as one text: inlines module files and removes cfg'd-out code, tests and tool attributes.

use crate::api::error::Error;
use crate::plan::{Dep, Plan, Unit};
use crate::read::derives;
use crate::read::edition::modernise;
use crate::read::feature_macros;
use crate::read::macro_modules;
use crate::read::modules::ModuleFile;
use crate::read::source::Reading;
use crate::read::strip;
use crate::rustc::both;
use crate::syntax::attributes::{attributes, expr_attrs, item_attrs};
use crate::syntax::cfg::{shorter, truth_of, Truth};
use crate::syntax::depth::on_deep_stack;
use crate::syntax::spans::with_space;
use crate::syntax::text::{Edits, Files, Text};
use crate::syntax::tokens::{plain, Tokens};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Meta};

/// Procedural macros that leave their item as it is, since other tools read them from the source: the package, and its
/// attributes.
const ANNOTATIONS: &[(&str, &[&str])] = &[("cargo-snippet", &["snippet"])];

/// Attributes that do not affect the compiled program.
const DROPPED: &[&str] = &[
    "doc",
    "allow",
    "warn",
    "deny",
    "forbid",
    "expect",
    "must_use",
    "deprecated",
    // A procedural macro of that crate, which adds `deprecated`.
    "deprecate_until",
    "non_exhaustive",
    "rustfmt",
    "clippy",
    "diagnostic",
    "automatically_derived",
    "should_panic",
    "ignore",
    "no_std",
    "crate_type",
    "crate_name",
    "debugger_visualizer",
];

/// Loads a crate from its root file.
pub fn load(unit: &Unit, files: &mut Files) -> Result<Text, Error> {
    let folder = unit.root.parent().unwrap_or(Path::new("")).to_path_buf();
    load_file(&mut Reading::new(unit, files), &unit.root, folder, None)
}

/// The crates that were loaded ahead, by their indices in the plan.
#[derive(Default)]
pub struct Ahead(Mutex<Loaded>);

type Loaded = BTreeMap<usize, (Result<Text, Error>, Files)>;

impl Ahead {
    /// Loads the libraries that the binary may use, on two threads.
    pub fn of(plan: &Plan) -> Ahead {
        let ahead = Ahead::default();
        let libs = plan.reachable_libs();
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(&i) = libs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut files = Files::default();
                let text = load(&plan.libs[i], &mut files);
                ahead.lock().insert(i, (text, files));
            }
        };
        both(|| on_deep_stack(work), || on_deep_stack(work));
        ahead
    }

    /// The crate with this index, from what was loaded ahead or from its files.
    pub fn load(&self, i: usize, unit: &Unit, files: &mut Files) -> Result<Text, Error> {
        let known = self.lock().remove(&i);
        match known {
            Some((text, read)) => Ok(files.take_in(read, text?)),
            None => load(unit, files),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Loaded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Loads a file; `children` is the folder of its modules without `#[path]`.
fn load_file(
    reading: &mut Reading<'_>,
    path: &Path,
    children: PathBuf,
    asked: Option<&str>,
) -> Result<Text, Error> {
    reading.within(path, asked, |reading, whole| clean(reading, path, children, &whole))
}

/// Loads a text as if it were a crate's root file in `folder`.
pub fn load_text(unit: &Unit, files: &mut Files, source: &str, folder: &Path) -> Result<Text, Error> {
    let mut reading = Reading::new(unit, files);
    let whole = reading.given(&unit.root, strip::normalise(source));
    clean(&mut reading, &unit.root, folder.to_path_buf(), &whole)
}

/// The clean text of a file, with its modules inlined.
fn clean(reading: &mut Reading<'_>, path: &Path, children: PathBuf, whole: &Text) -> Result<Text, Error> {
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let text = strip::strip(whole, reading, &folder)?;
    let text = feature_macros::decided(text, &reading.unit.cfgs);
    read_used_macros(&text, reading, &children);
    let text = reading.module_macros.replaced(text);
    let text = derives::expanded(text, reading)?;
    let text = modernise(&text, reading.unit.edition).unwrap_or(text);
    let parsed = parse(&text, reading.files)?;
    let (unit, edits) = (reading.unit, Edits::default());
    let place = Place { file: path, text: &text, files: reading.files };
    let mut cleaner = Cleaner {
        source: text.as_str(),
        unit,
        edits,
        place,
        folder,
        children,
        inline: 0,
        wanted: Vec::new(),
    };
    cleaner.keep(&parsed.attrs, 0..0, false);
    visit::visit_file(&mut cleaner, &parsed);
    let (mut edits, wanted) = (cleaner.edits, cleaner.wanted);
    for module in wanted {
        if module.is_elsewhere() {
            edits.replace(module.semi, " {}");
            continue;
        }
        let place = text.point(module.semi.start, reading.files).unwrap_or_default();
        let (file, children) = module.find(&place)?;
        let inner = load_file(reading, &file, children, Some(&place))?;
        let mut with = Text::generated(" {\n");
        with.push(&inner);
        with.push_str("}");
        edits.splice(module.semi, with);
    }
    Ok(text.edited(edits))
}

/// Reads the macros of the modules with `#[macro_use]`, since the rest of the file may declare modules by them.
fn read_used_macros(text: &Text, reading: &mut Reading<'_>, children: &Path) {
    for name in macro_modules::used(text) {
        let file = children.join(format!("{name}.rs"));
        let file = if file.exists() { file } else { children.join(name).join("mod.rs") };
        let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        // An error is reported when the module itself is read.
        let read = reading.within(&file, None, |reading, whole| strip::strip(&whole, reading, &folder));
        if let Ok(read) = read {
            reading.module_macros.read_from(&read);
        }
    }
}

/// Parses a text; an error has its place in the source.
pub fn parse(text: &Text, files: &Files) -> Result<syn::File, Error> {
    syn::parse_file(text.as_str()).map_err(|e| Error::Syntax {
        place: text.point(e.span().byte_range().start, files).unwrap_or_else(|| "bundle".into()),
        why: e.to_string(),
    })
}

/// Finds the file from which a byte was included.
struct Place<'a> {
    file: &'a Path,
    text: &'a Text,
    files: &'a Files,
}

impl Place<'_> {
    /// The folder of the included file that contains the byte; `None` if the byte is the file's own.
    fn included(&self, at: usize) -> Option<PathBuf> {
        let path = self.files.path(self.text.origin(at)?.file);
        (path != self.file).then(|| path.parent().unwrap_or(Path::new("")).to_path_buf())
    }
}

struct Cleaner<'a> {
    source: &'a str,
    unit: &'a Unit,
    edits: Edits,
    place: Place<'a>,
    /// The folder of this file.
    folder: PathBuf,
    /// The folder of the current module's files.
    children: PathBuf,
    /// Nesting depth of inline modules.
    inline: usize,
    wanted: Vec<ModuleFile>,
}

fn bytes(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

fn first_segment(meta: &Meta) -> String {
    let first = meta.path().segments.first();
    first.map_or(String::new(), |s| s.ident.to_string())
}

impl Cleaner<'_> {
    fn delete(&mut self, range: Range<usize>, with_comma: bool) {
        let mut range = with_space(self.source, range);
        if with_comma && self.source[range.end..].starts_with(',') {
            range = with_space(self.source, range.start..range.end + 1);
        }
        self.edits.delete(range);
    }

    /// The attributes of a crate that only annotate, by its name in this one.
    fn annotations(&self, name: &str) -> Option<&'static [&'static str]> {
        let Some(Dep::ProcMacro(package)) = self.unit.deps.get(name) else { return None };
        ANNOTATIONS.iter().find(|(known, _)| known == package).map(|(_, attributes)| *attributes)
    }

    /// Whether an attribute whose path begins with this name only annotates.
    fn annotates(&self, first: &str) -> bool {
        let imported = || self.unit.deps.keys().filter_map(|name| self.annotations(name)).flatten();
        self.annotations(first).is_some() || imported().any(|name| *name == first)
    }

    /// Whether an item only imports such attributes.
    fn imports_annotations(&self, item: &Item) -> bool {
        let first = match item {
            Item::Use(item) => match &item.tree {
                syn::UseTree::Path(path) => &path.ident,
                _ => return false,
            },
            Item::ExternCrate(item) => &item.ident,
            _ => return false,
        };
        self.annotations(plain(&first.to_string())).is_some()
    }

    /// Handles the attributes of an element; returns false if the element itself is removed.
    fn keep(&mut self, attrs: &[Attribute], whole: Range<usize>, with_comma: bool) -> bool {
        for attr in attrs {
            let name = first_segment(&attr.meta);
            match (name.as_str(), &attr.meta) {
                ("cfg", Meta::List(list)) => match truth_of(&list.tokens.to_string(), &self.unit.cfgs) {
                    Truth::No => {
                        self.delete(whole, with_comma);
                        return false;
                    }
                    Truth::Yes => self.delete(bytes(attr), false),
                    Truth::Open => {
                        if let Some(short) = shorter(&list.tokens.to_string(), &self.unit.cfgs) {
                            self.edits.replace(bytes(&list.tokens), short);
                        }
                    }
                },
                ("cfg_attr", Meta::List(_)) => {
                    if let Some(metas) = self.resolved(&attr.meta) {
                        let bang = matches!(attr.style, syn::AttrStyle::Inner(_));
                        let text: String = metas
                            .iter()
                            .filter(|m| !DROPPED.contains(&first_segment(m).as_str()))
                            .filter(|m| !m.path().is_ident("path"))
                            .map(|m| {
                                let inner = &self.source[bytes(m)];
                                format!("#{}[{inner}] ", if bang { "!" } else { "" })
                            })
                            .collect();
                        let range = with_space(self.source, bytes(attr));
                        self.edits.replace(range, text);
                    }
                }
                ("test" | "bench", Meta::Path(_)) => {
                    self.delete(whole, with_comma);
                    return false;
                }
                (name, _) if DROPPED.contains(&name) || self.annotates(name) => {
                    self.delete(bytes(attr), false);
                }
                _ => {}
            }
        }
        true
    }

    /// The attributes that a `cfg_attr` expands to; `None` if the final compiler decides.
    fn resolved(&self, meta: &Meta) -> Option<Vec<Meta>> {
        let Meta::List(list) = meta else {
            return Some(vec![meta.clone()]);
        };
        if !list.path.is_ident("cfg_attr") {
            return Some(vec![meta.clone()]);
        }
        let parts = list
            .parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated)
            .ok()?;
        let mut parts = parts.into_iter();
        let predicate = &self.source[bytes(&parts.next()?)];
        match truth_of(predicate, &self.unit.cfgs) {
            Truth::No => Some(Vec::new()),
            Truth::Open => None,
            Truth::Yes => {
                let all: Option<Vec<Vec<Meta>>> = parts.map(|m| self.resolved(&m)).collect();
                all.map(|v| v.into_iter().flatten().collect())
            }
        }
    }

    /// The value of a module's `#[path]`, and the attribute's range.
    fn path(&self, attrs: &[Attribute]) -> Option<(String, Option<Range<usize>>)> {
        attrs.iter().find_map(|attr| {
            let metas = self.resolved(&attr.meta)?;
            metas.iter().find_map(|meta| match meta {
                Meta::NameValue(nv) if nv.path.is_ident("path") => match &nv.value {
                    Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }) => {
                        let plain = attr.path().is_ident("path").then(|| bytes(attr));
                        Some((s.value(), plain))
                    }
                    _ => None,
                },
                _ => None,
            })
        })
    }

    /// Finds modules declared in macro arguments, as in `cfg_if!`.
    fn modules_within(&mut self, range: Range<usize>) {
        let Ok(tokens) = Tokens::read(&self.source[range.clone()]) else { return };
        for i in 0..tokens.len() {
            let (Some("mod"), Some(name)) = (tokens.ident(i), tokens.ident(i + 1)) else { continue };
            let Some(semi) = tokens.get(i + 2).filter(|_| tokens.is(i + 2, ';')) else { continue };
            let wanted = ModuleFile {
                semi: range.start + semi.range.start..range.start + semi.range.end,
                name: name.to_owned(),
                path: None,
                depends: false,
                optional: false,
                children: self.children.clone(),
            };
            // The macro may use `mod name;` in another way.
            if wanted.exists() {
                self.wanted.push(wanted);
            }
        }
    }

    fn module(&mut self, module: &syn::ItemMod) {
        let name = plain(&module.ident.to_string()).to_owned();
        let path = self.path(&module.attrs);
        let included = self.place.included(bytes(&module.ident).start);
        let base = if self.inline == 0 { &self.folder } else { &self.children };
        let base = included.as_ref().unwrap_or(base);
        let file = path.as_ref().map(|(p, _)| base.join(p));
        if let Some((_, Some(range))) = path {
            self.delete(range, false);
        }
        if let Some(semi) = &module.semi {
            let depends = module.attrs.iter().any(|attr| self.resolved(&attr.meta).is_none());
            let children = included.unwrap_or_else(|| self.children.clone());
            let optional = module.attrs.iter().any(|attr| attr.path().is_ident("cfg"));
            self.wanted.push(ModuleFile { semi: bytes(semi), name, path: file, depends, optional, children });
            return;
        }
        let outside = self.children.clone();
        self.children = file.unwrap_or_else(|| included.unwrap_or_else(|| outside.clone()).join(&name));
        self.inline += 1;
        visit::visit_item_mod(self, module);
        self.inline -= 1;
        self.children = outside;
    }
}

impl<'ast> Visit<'ast> for Cleaner<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !self.keep(item_attrs(item), bytes(item), false) {
            return;
        }
        if self.imports_annotations(item) {
            return self.delete(bytes(item), false);
        }
        match item {
            Item::Mod(module) => self.module(module),
            Item::Macro(x) if x.ident.is_none() => self.modules_within(bytes(x)),
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        use syn::ImplItem;
        let attrs = attributes!(item, ImplItem: Const Fn Type Macro);
        if self.keep(attrs, bytes(item), false) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        use syn::TraitItem;
        let attrs = attributes!(item, TraitItem: Const Fn Type Macro);
        if self.keep(attrs, bytes(item), false) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_foreign_item(&mut self, item: &'ast syn::ForeignItem) {
        use syn::ForeignItem;
        let attrs = attributes!(item, ForeignItem: Fn Static Type Macro);
        if self.keep(attrs, bytes(item), false) {
            visit::visit_foreign_item(self, item);
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        let keep = match stmt {
            syn::Stmt::Local(local) => self.keep(&local.attrs, bytes(stmt), false),
            syn::Stmt::Macro(mac) => self.keep(&mac.attrs, bytes(stmt), false),
            syn::Stmt::Expr(expr, _) => {
                if self.keep(expr_attrs(expr), bytes(stmt), false) {
                    visit::visit_expr(self, expr);
                }
                return;
            }
            syn::Stmt::Item(_) => true,
        };
        if keep {
            visit::visit_stmt(self, stmt);
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        // Computing every expression's span would take quadratic time.
        if expr_attrs(expr).is_empty() || self.keep(expr_attrs(expr), bytes(expr), true) {
            visit::visit_expr(self, expr);
        }
    }

    fn visit_field(&mut self, x: &'ast syn::Field) {
        if self.keep(&x.attrs, bytes(x), true) {
            visit::visit_field(self, x);
        }
    }

    fn visit_variant(&mut self, x: &'ast syn::Variant) {
        if self.keep(&x.attrs, bytes(x), true) {
            visit::visit_variant(self, x);
        }
    }

    fn visit_arm(&mut self, x: &'ast syn::Arm) {
        if self.keep(&x.attrs, bytes(x), false) {
            visit::visit_arm(self, x);
        }
    }

    fn visit_field_value(&mut self, x: &'ast syn::FieldValue) {
        if self.keep(&x.attrs, bytes(x), true) {
            visit::visit_field_value(self, x);
        }
    }

    fn visit_field_pat(&mut self, x: &'ast syn::FieldPat) {
        if self.keep(&x.attrs, bytes(x), true) {
            visit::visit_field_pat(self, x);
        }
    }

    fn visit_fn_arg(&mut self, x: &'ast syn::FnArg) {
        let attrs = match x {
            syn::FnArg::Receiver(r) => &r.attrs,
            syn::FnArg::Typed(t) => &t.attrs,
        };
        if self.keep(attrs, bytes(x), true) {
            visit::visit_fn_arg(self, x);
        }
    }

    fn visit_generic_param(&mut self, x: &'ast syn::GenericParam) {
        let attrs = match x {
            syn::GenericParam::Lifetime(p) => &p.attrs,
            syn::GenericParam::Type(p) => &p.attrs,
            syn::GenericParam::Const(p) => &p.attrs,
        };
        if self.keep(attrs, bytes(x), true) {
            visit::visit_generic_param(self, x);
        }
    }
}
