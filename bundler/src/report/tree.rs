//! The crates, modules and items of a bundle, with their sizes.

use crate::api::bundle::Part;
use crate::merge::program::Program;
use crate::syntax::parsed::Parsed;
use crate::syntax::spans;
use crate::syntax::text::{Files, Text};
use std::collections::BTreeMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{Ident, ImplItem, Item, TraitItem};

/// A library in a bundle: its module and its name for reports.
#[derive(Clone, Debug)]
pub struct Library {
    /// The module in the root.
    pub module: String,
    /// Package and version.
    pub shown: String,
}

/// The libraries of a program.
pub fn libraries(program: Program<'_>) -> Vec<Library> {
    let library = |(module, i): &(String, usize)| {
        let unit = &program.plan.libs[*i];
        Library { module: module.clone(), shown: format!("{module} ({} {})", unit.package, unit.version) }
    };
    program.merged.modules.iter().map(library).collect()
}

/// The crates of a program whose text is parsed, as [`crates`].
pub fn parsed_crates(program: Program<'_>, whole: &Parsed) -> Vec<Part> {
    let (binary, libraries) = (&program.plan.target, libraries(program));
    crates_of(whole.text(), &whole.file, program.files, binary, &libraries, &BTreeMap::new())
}

/// The crates of a bundle, largest first; their sizes add up to that of the bundle. `renamed` has the new names and the
/// original ones, which are shown.
pub fn crates(
    text: &Text,
    files: &Files,
    binary: &str,
    libraries: &[Library],
    renamed: &BTreeMap<String, String>,
) -> Vec<Part> {
    let parsed = syn::parse_file(text.as_str());
    parsed.map_or(Vec::new(), |file| crates_of(text, &file, files, binary, libraries, renamed))
}

fn crates_of(
    text: &Text,
    file: &syn::File,
    files: &Files,
    binary: &str,
    libraries: &[Library],
    renamed: &BTreeMap<String, String>,
) -> Vec<Part> {
    let source = text.as_str();
    let reader = Reader { text, files, renamed };
    let mut own = Part { kind: "crate", path: binary.into(), bytes: source.len(), ..Part::new() };
    let mut crates = Vec::new();
    for item in &file.items {
        let mut part = reader.item(item, "");
        match libraries.iter().find(|l| part.kind == "mod" && l.module == part.path) {
            Some(library) => {
                part.kind = "crate";
                part.place = None;
                part.path = library.shown.clone();
                own.bytes = own.bytes.saturating_sub(part.bytes);
                crates.push(part);
            }
            None => own.parts.push(part),
        }
    }
    crates.push(own);
    sort(&mut crates, source.len().max(1));
    crates
}

/// Sorts by size, largest first, and sets the shares.
fn sort(parts: &mut [Part], total: usize) {
    for part in parts.iter_mut() {
        part.share = (10_000.0 * part.bytes as f64 / total as f64).round() / 100.0;
        sort(&mut part.parts, total);
    }
    parts.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.path.cmp(&b.path)));
}

impl Part {
    fn new() -> Part {
        Part {
            kind: "",
            path: String::new(),
            place: None,
            origin: None,
            bytes: 0,
            share: 0.0,
            parts: Vec::new(),
        }
    }
}

struct Reader<'t> {
    text: &'t Text,
    files: &'t Files,
    /// New names and the original ones.
    renamed: &'t BTreeMap<String, String>,
}

impl Reader<'_> {
    fn part(&self, kind: &'static str, within: &str, name: &str, range: Range<usize>) -> Part {
        let path = if within.is_empty() { name.to_owned() } else { format!("{within}::{name}") };
        let place = self.text.origin(range.start).map(|o| self.files.place(o));
        Part { kind, path, place, bytes: range.len(), ..Part::new() }
    }

    /// The part, identified by the origin of the token at `at`.
    fn known(&self, part: Part, at: usize) -> Part {
        Part { origin: self.text.origin(at), ..part }
    }

    fn item(&self, item: &Item, within: &str) -> Part {
        let range = spans::item(item);
        let named = |kind, name: &Ident| self.named(kind, within, name, range.clone());
        let other = |kind, shown: Range<usize>| {
            let part = self.part(kind, within, &self.line(shown.clone()), range.clone());
            self.known(part, shown.start)
        };
        match item {
            Item::Fn(x) => named("fn", &x.sig.ident),
            Item::Const(x) => named("const", &x.ident),
            Item::Static(x) => named("static", &x.ident),
            Item::Struct(x) => named("struct", &x.ident),
            Item::Enum(x) => named("enum", &x.ident),
            Item::Union(x) => named("union", &x.ident),
            Item::Type(x) => named("type", &x.ident),
            Item::TraitAlias(x) => named("trait", &x.ident),
            Item::Use(x) => other("use", x.tree.span().byte_range()),
            Item::Macro(x) => match &x.ident {
                Some(name) => named("macro", name),
                None => other("call", x.mac.path.span().byte_range()),
            },
            Item::Mod(x) => {
                let mut part = named("mod", &x.ident);
                let items = x.content.iter().flat_map(|(_, items)| items);
                part.parts = items.map(|i| self.item(i, &part.path)).collect();
                part
            }
            Item::Trait(x) => {
                let mut part = named("trait", &x.ident);
                part.parts = x.items.iter().map(|i| self.trait_item(i, &part.path)).collect();
                part
            }
            Item::Impl(x) => {
                let open = x.brace_token.span.open().byte_range().start;
                let mut part = other("impl", x.impl_token.span.byte_range().start..open);
                part.parts = x.items.iter().map(|i| self.impl_item(i, &part.path)).collect();
                part
            }
            _ => other("item", range.clone()),
        }
    }

    fn named(&self, kind: &'static str, within: &str, name: &Ident, range: Range<usize>) -> Part {
        let part = self.part(kind, within, &self.own_name(&name.to_string()), range);
        self.known(part, name.span().byte_range().start)
    }

    fn trait_item(&self, item: &TraitItem, within: &str) -> Part {
        let range = spans::trait_item(item);
        match item {
            TraitItem::Fn(x) => self.named("fn", within, &x.sig.ident, range),
            TraitItem::Const(x) => self.named("const", within, &x.ident, range),
            TraitItem::Type(x) => self.named("type", within, &x.ident, range),
            _ => self.part("item", within, &self.line(range.clone()), range),
        }
    }

    fn impl_item(&self, item: &ImplItem, within: &str) -> Part {
        let range = spans::impl_item(item);
        match item {
            ImplItem::Fn(x) => self.named("fn", within, &x.sig.ident, range),
            ImplItem::Const(x) => self.named("const", within, &x.ident, range),
            ImplItem::Type(x) => self.named("type", within, &x.ident, range),
            _ => self.part("item", within, &self.line(range.clone()), range),
        }
    }

    /// The name in the source of a name in the bundle.
    fn own_name(&self, name: &str) -> String {
        self.renamed.get(name).map_or(name, String::as_str).to_owned()
    }

    /// A text with all its names translated.
    fn own_names(&self, text: &str) -> String {
        if self.renamed.is_empty() {
            return text.to_owned();
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut out = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            out += &self.own_name(&rest[..end]);
            let next = rest[end..].find(is_part).map_or(rest.len(), |next| end + next);
            out += &rest[end..next];
            rest = &rest[next..];
        }
        out
    }

    /// The source of a range on one line, cut to [`LONGEST`].
    fn line(&self, range: Range<usize>) -> String {
        let text = self.text.as_str().get(range).unwrap_or_default();
        let line = self.own_names(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        match line.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }
}

/// Maximum length of a shown header, in characters.
const LONGEST: usize = 72;

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(parts: &[Part]) -> usize {
        parts.iter().map(|p| p.bytes).sum()
    }

    #[test]
    fn sizes_add_up() {
        fn check(part: &Part) {
            assert!(sum(&part.parts) <= part.bytes, "{part:?}");
            assert!(part.parts.windows(2).all(|w| w[0].bytes >= w[1].bytes), "{part:?}");
            part.parts.iter().for_each(check);
        }
        let source = "fn main() {}\nmod lib { pub mod b { pub fn f() {} } impl<T> X for Y<T>\n{ fn g() {} } }\nmod own { use a::b; }\n";
        let libraries = [Library { module: "lib".into(), shown: "lib 1.0".into() }];
        let crates = crates(&Text::generated(source), &Files::default(), "bot", &libraries, &BTreeMap::new());
        assert_eq!(sum(&crates), source.len());
        crates.iter().for_each(check);
        assert_eq!((crates[0].path.as_str(), crates[0].kind), ("lib 1.0", "crate"));
        let paths: Vec<&str> = crates[0].parts.iter().map(|p| p.path.as_str()).collect();
        assert_eq!(paths, ["lib::impl<T> X for Y<T>", "lib::b"]);
        assert_eq!(crates[1].parts[0].path, "own");
        assert!((crates[0].share + crates[1].share - 100.0).abs() < 0.02);
    }
}
