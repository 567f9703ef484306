//! Procedural derives of the user's own types, replaced by what rustc expands them to.

use crate::api::error::Error;
use crate::os::children;
use crate::plan::Dep;
use crate::read::source::Reading;
use crate::rustc::{self, Flags};
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::Tokens;
use std::collections::BTreeSet;
use std::ops::Range;
use std::process::{Command, Stdio};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// Derives built into rustc.
pub const BUILT_IN: &[&str] =
    &["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// Attributes of types, fields and variants that are no helpers of procedural derives.
const PLAIN: &[&str] =
    &["cfg", "cfg_attr", "default", "derive", "doc", "repr", "allow", "non_exhaustive", "must_use"];

/// Paths in expansions of std's macros that only std may use, and stable ones that do the same.
const STABLE: &[(&str, &str)] = &[
    ("::core::panicking::panic_fmt", "::core::panic_fmt"),
    ("::alloc::__export::must_use", "::core::convert::identity"),
    ("::alloc::fmt::format", "::std::fmt::format"),
    ("::alloc::string::", "::std::string::"),
    ("::alloc::vec::", "::std::vec::"),
    ("::alloc::boxed::", "::std::boxed::"),
];

/// A type with procedural derives.
struct Derived {
    /// The whole item.
    item: Range<usize>,
    name: String,
    /// The `derive` attributes, each with the paths it lists.
    derives: Vec<(Range<usize>, Vec<String>)>,
    /// Helper attributes.
    helpers: Vec<Range<usize>>,
    /// The imports of its module.
    uses: Vec<Range<usize>>,
}

impl Derived {
    /// The paths of its procedural derives.
    fn procedural(&self) -> impl Iterator<Item = &String> {
        self.derives.iter().flat_map(|(_, paths)| paths).filter(|path| is_procedural(path))
    }
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

fn is_procedural(path: &str) -> bool {
    !BUILT_IN.contains(&last(path))
}

/// Replaces the procedural derives of a file by their expansions.
pub fn expanded(text: Text, reading: &Reading<'_>) -> Result<Text, Error> {
    let Some(flags) = reading.unit.expander.as_ref().filter(|_| text.as_str().contains("derive")) else {
        return Ok(text);
    };
    let Ok(file) = syn::parse_file(text.as_str()) else { return Ok(text) };
    let mut finder = Finder { uses: vec![Vec::new()], found: Vec::new() };
    finder.uses = vec![imports(&file.items)];
    finder.visit_file(&file);
    let is_external = |derived: &Derived| {
        let externals: Vec<&String> = reading
            .unit
            .deps
            .iter()
            .filter(|(_, dep)| matches!(dep, Dep::External(_)))
            .map(|(name, _)| name)
            .collect();
        let text = |range: &Range<usize>| &text.as_str()[range.clone()];
        derived.procedural().any(|path| externals.iter().any(|name| path.starts_with(&format!("{name}::"))))
            || derived.uses.iter().any(|range| {
                let tokens = Tokens::read(text(range)).ok();
                tokens.is_some_and(|t| {
                    (0..t.len()).any(|i| t.ident(i).is_some_and(|n| externals.iter().any(|e| *e == n)))
                })
            })
    };
    let found: Vec<Derived> = finder.found.into_iter().filter(|d| !is_external(d)).collect();
    if found.is_empty() {
        return Ok(text);
    }
    let place = |at| text.point(at, reading.files).unwrap_or_default();
    let first = found.first().map_or(0, |d| d.item.start);
    let refused = |why: &str| Error::Refused {
        place: place(first),
        why: format!("{why}\n  Instead, write the code that the derive generates (`cargo expand` shows it)."),
    };
    let (stdout, stderr) = run(&source(&found, text.as_str()), flags)?;
    if let Some(error) =
        stderr.lines().find(|l| l.contains("derive macro") || l.contains("proc-macro derive"))
    {
        return Err(refused(&format!(
            "a derive cannot be expanded alone: {}",
            error.trim_start_matches("error: ")
        )));
    }
    let made =
        syn::parse_file(&stdout).map_err(|e| refused(&format!("rustc's expansion cannot be read: {e}")))?;
    let mut edits = Edits::default();
    for (n, derived) in found.iter().enumerate() {
        let generated = generated(&made, &stdout, n, &derived.name);
        if generated.contains("compile_error!") {
            return Err(refused(&format!("the derive of `{}` reports an error", derived.name)));
        }
        for (range, paths) in &derived.derives {
            let kept: Vec<&str> = paths.iter().map(String::as_str).filter(|p| !is_procedural(p)).collect();
            let with =
                if kept.is_empty() { String::new() } else { format!("#[derive({})]", kept.join(", ")) };
            edits.replace(range.clone(), with);
        }
        for helper in &derived.helpers {
            edits.delete(helper.clone());
        }
        let end = derived.item.end;
        edits.splice(end..end, text.remade(derived.item.start..end, format!("\n{}", stable(&generated))));
    }
    drop_imports(&found, &text, &file, &mut edits);
    Ok(text.edited(edits))
}

/// A crate in which each type stands in a module of its own, with its procedural derives only.
fn source(found: &[Derived], text: &str) -> String {
    let mut out = String::new();
    for (n, derived) in found.iter().enumerate() {
        let paths: Vec<&str> = derived.procedural().map(String::as_str).collect();
        out.push_str(&format!("mod item_{n} {{\n"));
        derived.uses.iter().for_each(|range| out.push_str(&format!("{}\n", &text[range.clone()])));
        out.push_str(&format!("#[derive({})]\n", paths.join(", ")));
        let mut at = derived.item.start;
        for (range, _) in &derived.derives {
            out.push_str(&text[at..range.start]);
            at = range.end;
        }
        out.push_str(&format!("{}\n}}\n", &text[at..derived.item.end]));
    }
    out
}

/// rustc's expansion of a source, and its messages.
fn run(source: &str, flags: &Flags) -> Result<(String, String), Error> {
    let folder = rustc::folder()?;
    let path = folder.path().join("derives.rs");
    std::fs::write(&path, source).map_err(|source| Error::Write { path: path.clone(), source })?;
    let mut command = Command::new(rustc::program());
    command.args(["--crate-type", "lib", "--color", "never", "-Zunpretty=expanded"]).args(flags.arguments());
    // The option is for one look at the expansion; nothing compiled this way is used.
    command.arg(&path).env("RUSTC_BOOTSTRAP", "1").stdin(Stdio::null());
    let output = children::output(&mut command).map_err(rustc::missing)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((text(&output.stdout), text(&output.stderr)))
}

/// The code generated for type `n`: all items of its module but the imports and the type.
fn generated(file: &syn::File, source: &str, n: usize, name: &str) -> String {
    let wanted = format!("item_{n}");
    let module = file.items.iter().find_map(|item| match item {
        Item::Mod(module) if module.ident == wanted => module.content.as_ref().map(|(_, items)| items),
        _ => None,
    });
    let mut out = String::new();
    let mut is_met = false;
    for item in module.into_iter().flatten() {
        let ident = match item {
            Item::Struct(x) => Some(&x.ident),
            Item::Enum(x) => Some(&x.ident),
            Item::Union(x) => Some(&x.ident),
            _ => None,
        };
        if ident.is_some_and(|ident| ident == name) {
            is_met = true;
        } else if is_met {
            out.push_str(&source[item.span().byte_range()]);
            out.push('\n');
        }
    }
    out
}

/// An expansion without what only std itself may use.
fn stable(generated: &str) -> String {
    let mut out = generated.to_owned();
    for (unstable, stable) in STABLE {
        out = out.replace(unstable, stable);
    }
    // `panic_fmt(format_args!(…))` is what `panic!(…)` expands to.
    out = out.replace("::core::panic_fmt(format_args!(", "::core::panic!(\"{}\", format_args!(");
    let quoted = |start: &str, out: String| out.replace(start, "::core::panic!(\"{}\", ");
    quoted("::core::panicking::panic(", out)
}

/// Removes the imports of derives that nothing else names.
fn drop_imports(found: &[Derived], text: &Text, file: &syn::File, edits: &mut Edits) {
    let Ok(tokens) = Tokens::read(text.as_str()) else { return };
    let derives: BTreeSet<&str> = found
        .iter()
        .flat_map(Derived::procedural)
        .filter(|p| !p.contains("::"))
        .map(|p| p.as_str())
        .collect();
    let within = |at: usize, ranges: &[Range<usize>]| ranges.iter().any(|r| r.contains(&at));
    let mut ignored: Vec<Range<usize>> =
        found.iter().flat_map(|d| d.derives.iter().map(|(r, _)| r.clone())).collect();
    let mut uses = Uses::default();
    uses.visit_file(file);
    ignored.extend(uses.found.iter().map(|u| u.span().byte_range()));
    let is_named = |name: &str| {
        (0..tokens.len()).any(|i| {
            tokens.ident(i) == Some(name) && tokens.get(i).is_some_and(|t| !within(t.range.start, &ignored))
        })
    };
    let dropped: BTreeSet<&str> = derives.into_iter().filter(|name| !is_named(name)).collect();
    for import in uses.found {
        match without(&import.tree, &dropped) {
            Kept::All => {}
            Kept::None => edits.delete(import.span().byte_range()),
            Kept::Some(tree) => edits.replace(import.tree.span().byte_range(), tree),
        }
    }
}

/// The rest of an import.
enum Kept {
    All,
    Some(String),
    None,
}

fn without(tree: &UseTree, dropped: &BTreeSet<&str>) -> Kept {
    match tree {
        UseTree::Name(name) if dropped.contains(name.ident.to_string().as_str()) => Kept::None,
        UseTree::Path(path) => match without(&path.tree, dropped) {
            Kept::Some(rest) => Kept::Some(format!("{}::{rest}", path.ident)),
            other => other,
        },
        UseTree::Group(group) => {
            let parts: Vec<(String, Kept)> =
                group.items.iter().map(|t| (written(t), without(t, dropped))).collect();
            if parts.iter().all(|(_, kept)| matches!(kept, Kept::All)) {
                return Kept::All;
            }
            let left: Vec<String> = parts
                .into_iter()
                .filter_map(|(whole, kept)| match kept {
                    Kept::All => Some(whole),
                    Kept::Some(text) => Some(text),
                    Kept::None => None,
                })
                .collect();
            if left.is_empty() {
                Kept::None
            } else {
                Kept::Some(format!("{{{}}}", left.join(", ")))
            }
        }
        _ => Kept::All,
    }
}

fn written(tree: &UseTree) -> String {
    match tree {
        UseTree::Path(path) => format!("{}::{}", path.ident, written(&path.tree)),
        UseTree::Name(name) => name.ident.to_string(),
        UseTree::Rename(rename) => format!("{} as {}", rename.ident, rename.rename),
        UseTree::Glob(_) => "*".into(),
        UseTree::Group(group) => {
            format!("{{{}}}", group.items.iter().map(written).collect::<Vec<_>>().join(", "))
        }
    }
}

#[derive(Default)]
struct Uses {
    found: Vec<syn::ItemUse>,
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item_use(&mut self, x: &'ast syn::ItemUse) {
        self.found.push(x.clone());
    }
}

fn imports(items: &[Item]) -> Vec<Range<usize>> {
    items.iter().filter(|item| matches!(item, Item::Use(_))).map(|item| item.span().byte_range()).collect()
}

struct Finder {
    /// The imports of the modules around, innermost last.
    uses: Vec<Vec<Range<usize>>>,
    found: Vec<Derived>,
}

impl Finder {
    fn item(&mut self, attrs: &[Attribute], item: Range<usize>, name: &syn::Ident, all: Vec<&Attribute>) {
        let mut derives = Vec::new();
        for attr in attrs.iter().filter(|a| a.path().is_ident("derive")) {
            let paths = attr
                .parse_args_with(syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated);
            let written = |path: syn::Path| {
                let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
                format!("{}{}", if path.leading_colon.is_some() { "::" } else { "" }, segments.join("::"))
            };
            let paths = paths.map(|p| p.into_iter().map(written).collect()).unwrap_or_default();
            derives.push((attr.span().byte_range(), paths));
        }
        let is_helper =
            |a: &&&Attribute| !a.path().get_ident().is_some_and(|i| PLAIN.contains(&i.to_string().as_str()));
        let helpers = all.iter().filter(is_helper).map(|a| a.span().byte_range()).collect();
        let uses = self.uses.last().cloned().unwrap_or_default();
        let derived = Derived { item, name: name.to_string(), derives, helpers, uses };
        if derived.procedural().next().is_some() {
            self.found.push(derived);
        }
    }
}

/// The attributes of a type, its fields and variants.
#[derive(Default)]
struct Attributes<'ast> {
    found: Vec<&'ast Attribute>,
}

impl<'ast> Visit<'ast> for Attributes<'ast> {
    fn visit_attribute(&mut self, x: &'ast Attribute) {
        self.found.push(x);
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_mod(&mut self, x: &'ast syn::ItemMod) {
        let items = x.content.as_ref().map_or(&[][..], |(_, items)| items);
        self.uses.push(imports(items));
        visit::visit_item_mod(self, x);
        self.uses.pop();
    }

    fn visit_item_struct(&mut self, x: &'ast syn::ItemStruct) {
        let mut all = Attributes::default();
        all.visit_item_struct(x);
        self.item(&x.attrs, x.span().byte_range(), &x.ident, all.found);
    }

    fn visit_item_enum(&mut self, x: &'ast syn::ItemEnum) {
        let mut all = Attributes::default();
        all.visit_item_enum(x);
        self.item(&x.attrs, x.span().byte_range(), &x.ident, all.found);
    }

    fn visit_item_union(&mut self, x: &'ast syn::ItemUnion) {
        let mut all = Attributes::default();
        all.visit_item_union(x);
        self.item(&x.attrs, x.span().byte_range(), &x.ident, all.found);
    }
}
