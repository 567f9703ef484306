//! Modules that a macro of the same crate declares, and other items that must be seen, so that each can be removed: the
//! invocations of these macros, and of `cfg_if!` and `cfg_select!`, are replaced by what they stand for.

use crate::plan::{Dep, Unit};
use crate::read::expand::expand;
use crate::syntax::attributes::item_attrs;
use crate::syntax::cfg::Predicate;
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::{Kind, Tokens};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The macros that choose among items by their conditions.
const CHOICES: [&str; 2] = ["cfg_if", "cfg_select"];
/// How deep such macros may be nested.
const DEEPEST: usize = 32;

/// The macros of a crate, in the order of the text.
#[derive(Debug, Default)]
pub struct ModuleMacros {
    found: Vec<Found>,
    /// The names of the crates of procedural macros.
    procedural: Vec<String>,
}

#[derive(Debug)]
struct Found {
    name: String,
    definition: Text,
    /// Whether its body has a `mod name;`, defines an exported macro or imports procedural macros.
    declares: bool,
}

impl ModuleMacros {
    /// None yet, in a crate with these dependencies.
    pub fn of(unit: &Unit) -> ModuleMacros {
        let procedural = unit.deps.iter().filter(|(_, dep)| matches!(dep, Dep::ProcMacro(_)));
        ModuleMacros { found: Vec::new(), procedural: procedural.map(|(name, _)| name.clone()).collect() }
    }

    /// Replaces the invocations of these macros, and of those in the text itself.
    pub fn replaced(&mut self, mut text: Text) -> Text {
        if self.found.is_empty()
            && !["macro_rules", "cfg_if", "cfg_select"].iter().any(|word| text.as_str().contains(word))
        {
            return text;
        }
        for _ in 0..DEEPEST {
            let Ok((tokens, file)) = Tokens::with_items(text.as_str()) else { break };
            self.read(&tokens, &text);
            let mut invocations = Invocations { macros: self, tokens: &tokens, found: Vec::new() };
            invocations.visit_file(&file);
            let mut edits = Edits::default();
            for invocation in invocations.found {
                if let Some(with) = invocation.expanded(self, &text) {
                    edits.splice(invocation.whole, with);
                }
            }
            if edits.is_empty() {
                break;
            }
            text = text.edited(edits);
        }
        text
    }

    /// Reads the macros of a file whose macros others use.
    pub fn read_from(&mut self, text: &Text) {
        if text.as_str().contains("macro_rules") {
            if let Ok(tokens) = Tokens::read(text.as_str()) {
                self.read(&tokens, text);
            }
        }
    }

    fn read(&mut self, tokens: &Tokens<'_>, text: &Text) {
        // Others can only pass on an exported macro, and only those of the same file are known for that.
        self.found.retain(|found| found.declares);
        let exports = text.as_str().contains("macro_export");
        for i in 0..tokens.len() {
            let is_definition = tokens.ident(i) == Some("macro_rules") && tokens.is(i + 1, '!');
            let Some(name) = tokens.ident(i + 2).filter(|_| is_definition) else { continue };
            let close = tokens.close(i + 3);
            let declares = (i + 3..close).any(|j| declares(tokens, j) || self.imports(tokens, j));
            if !declares && !exports {
                continue;
            }
            if let (Some(first), Some(last)) = (tokens.get(i), tokens.get(close)) {
                let definition = text.slice(first.range.start..last.range.end);
                self.found.push(Found { name: name.to_owned(), definition, declares });
            }
        }
    }

    /// Whether a `use` of a crate of procedural macros begins at token `i`.
    fn imports(&self, tokens: &Tokens<'_>, i: usize) -> bool {
        let name = tokens.ident(i + 1).filter(|_| tokens.ident(i) == Some("use"));
        name.is_some_and(|name| self.procedural.iter().any(|p| p == name))
    }

    fn get(&self, path: &syn::Path) -> Option<&Found> {
        let name = path.get_ident()?;
        self.found.iter().rfind(|found| *name == found.name)
    }
}

/// The names of the modules in other files that have `#[macro_use]`.
pub fn used(text: &Text) -> Vec<String> {
    if !text.as_str().contains("macro_use") {
        return Vec::new();
    }
    let Ok(tokens) = Tokens::read(text.as_str()) else { return Vec::new() };
    let is_used = |i: &usize| tokens.ident(*i) == Some("macro_use") && tokens.is(i + 1, ']');
    let name = |i: usize| {
        let module = (i + 2..tokens.len()).find(|&j| tokens.ident(j) == Some("mod"))?;
        let name = tokens.ident(module + 1).filter(|_| tokens.is(module + 2, ';'))?;
        // Attributes and a visibility may stand between.
        (module - i < 40).then(|| name.to_owned())
    };
    (0..tokens.len()).filter(is_used).filter_map(name).collect()
}

/// Whether a `mod name;` or the definition of an exported macro begins at token `i`.
fn declares(tokens: &Tokens<'_>, i: usize) -> bool {
    if tokens.ident(i) == Some("macro_export") && tokens.is(i + 1, ']') {
        return true;
    }
    if tokens.ident(i) != Some("mod") {
        return false;
    }
    let name = i + 1 + usize::from(tokens.is(i + 1, '$'));
    tokens.get(name).is_some_and(|t| t.kind == Kind::Ident) && tokens.is(name + 1, ';')
}

/// An invocation, by ranges of bytes.
struct Invocation {
    path: syn::Path,
    whole: Range<usize>,
    attributes: Vec<Range<usize>>,
    arguments: Range<usize>,
}

impl Invocation {
    /// The macro's expansion, with the attributes at each item.
    fn expanded(&self, macros: &ModuleMacros, text: &Text) -> Option<Text> {
        let arguments = text.slice(self.arguments.clone());
        let items = match macros.get(&self.path) {
            Some(found) => expand(&found.definition, &arguments)?,
            None => chosen(&arguments)?,
        };
        if self.attributes.is_empty() {
            return Some(items);
        }
        let mut attributes = Text::default();
        for attribute in &self.attributes {
            attributes.push(&text.slice(attribute.clone()));
            attributes.push_str(" ");
        }
        with_attributes(&items, &attributes)
    }
}

/// Items with more attributes at each.
fn with_attributes(items: &Text, attributes: &Text) -> Option<Text> {
    let mut out = Text::default();
    for item in syn::parse_file(items.as_str()).ok()?.items {
        out.push(attributes);
        out.push(&items.slice(item.span().byte_range()));
        out.push_str("\n");
    }
    Some(out)
}

/// The items of a `cfg_if!` or `cfg_select!`, each with its condition as a `cfg`.
fn chosen(arguments: &Text) -> Option<Text> {
    let tokens = Tokens::read(arguments.as_str()).ok()?;
    let mut out = Text::default();
    let mut before = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let (condition, open) = arm(&tokens, i)?;
        let mut conditions: Vec<String> =
            before.iter().map(|condition| format!("not({condition})")).collect();
        let is_last = condition.is_none();
        conditions.extend(condition.clone());
        before.extend(condition);
        let all =
            if let [one] = &conditions[..] { one.clone() } else { format!("all({})", conditions.join(", ")) };
        let close = tokens.close(open);
        let items = arguments.slice(tokens.get(open)?.range.end..tokens.get(close)?.range.start);
        out.push(&with_attributes(&items, &Text::generated(format!("#[cfg({all})] ")))?);
        i = close + 1;
        i += usize::from(matches!(tokens.ident(i), Some("else")) || tokens.is(i, ','));
        if is_last && i < tokens.len() {
            return None;
        }
    }
    Some(out)
}

/// The condition of the arm at token `i`, unless it is the last, which has none, and its opening brace:
/// `if #[cfg(condition)] {` and `{`, or `condition => {` and `_ => {`.
fn arm(tokens: &Tokens<'_>, i: usize) -> Option<(Option<String>, usize)> {
    let said = |from: usize, to: usize| {
        Some(tokens.source()[tokens.get(from)?.range.start..tokens.get(to)?.range.end].to_owned())
    };
    if i > 0 && tokens.is(i, '{') {
        return Some((None, i));
    }
    if tokens.ident(i) == Some("if") {
        let is_cfg = tokens.is(i + 1, '#') && tokens.ident(i + 3) == Some("cfg") && tokens.is(i + 4, '(');
        let close = tokens.close(i + 4);
        let is_shaped = is_cfg && close > i + 5 && tokens.is(close + 2, '{');
        return is_shaped.then(|| Some((Some(said(i + 5, close - 1)?), close + 2)))?;
    }
    let is_arrow = |at: usize| tokens.is(at, '=') && tokens.is(at + 1, '>');
    let arrow = if is_arrow(i + 1) { i + 1 } else { Predicate::read(tokens, i).1 };
    let is_shaped = is_arrow(arrow) && tokens.is(arrow + 2, '{');
    let is_last = tokens.ident(i) == Some("_");
    is_shaped.then(|| Some((if is_last { None } else { Some(said(i, arrow - 1)?) }, arrow + 2)))?
}

struct Invocations<'a> {
    macros: &'a ModuleMacros,
    tokens: &'a Tokens<'a>,
    found: Vec<Invocation>,
}

impl Invocations<'_> {
    /// Whether the items in a range of bytes, which a macro may pass on, must be seen.
    fn declare(&self, range: &Range<usize>) -> bool {
        let (first, end) = (self.tokens.first_from(range.start), self.tokens.first_from(range.end));
        (first..end).any(|i| declares(self.tokens, i))
    }
}

impl<'ast> Visit<'ast> for Invocations<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let syn::Item::Macro(invocation) = item else {
            if let syn::Item::Mod(module) = item {
                visit::visit_item_mod(self, module);
            }
            return;
        };
        let path = &invocation.mac.path;
        let is_choice =
            path.segments.last().is_some_and(|last| CHOICES.iter().any(|name| last.ident == name));
        let span = invocation.mac.delimiter.span();
        let arguments = span.open().byte_range().end..span.close().byte_range().start;
        let must = || self.macros.get(path).is_some_and(|found| found.declares || self.declare(&arguments));
        if invocation.ident.is_none() && (is_choice || must()) {
            self.found.push(Invocation {
                path: path.clone(),
                whole: item.span().byte_range(),
                attributes: item_attrs(item).iter().map(|a| a.span().byte_range()).collect(),
                arguments,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(source: &str) -> String {
        let text = ModuleMacros::default().replaced(Text::generated(source));
        text.as_str().split_whitespace().collect()
    }

    fn without_space(text: &str) -> String {
        text.split_whitespace().collect()
    }

    #[test]
    fn declared_modules_are_seen() {
        let definition = "macro_rules! all { ($($n:ident)*) => { $(mod $n; use $n::*;)* } }";
        assert_eq!(
            replaced(&format!("{definition} mod m {{ #[cfg(unix)] all!(a b); }} fn f() {{ }}")),
            without_space(&format!(
                "{definition} mod m {{ #[cfg(unix)] mod a; #[cfg(unix)] use a::*; #[cfg(unix)] mod b; \
                 #[cfg(unix)] use b::*; }} fn f() {{ }}"
            ))
        );
        let nested = "macro_rules! inner { ($n:ident) => { mod $n; } }
            macro_rules! outer { ($n:ident { $($c:tt)* }) => { mod $n { $($c)* } mod $n; } }";
        assert!(replaced(&format!("{nested} outer! {{ a {{ inner!(b); }} }}")).ends_with("moda{modb;}moda;"));
        assert_eq!(
            replaced("cfg_if::cfg_if! { if #[cfg(a)] { mod x; use x::*; } else if #[cfg(all(b, c))] { fn f() {} } else { y!(); } }"),
            without_space(
                "#[cfg(a)] mod x; #[cfg(a)] use x::*; #[cfg(all(not(a), all(b, c)))] fn f() {}
                #[cfg(all(not(a), not(all(b, c))))] y!();"
            )
        );
        assert_eq!(
            replaced("crate::cfg_select! { all(a, b) => { mod x; use x::*; } c = \"d\" => { fn f() {} }, _ => { y!(); } }"),
            without_space(
                "#[cfg(all(a, b))] mod x; #[cfg(all(a, b))] use x::*; #[cfg(all(not(all(a, b)), c = \"d\"))] fn f() {}
                #[cfg(all(not(all(a, b)), not(c = \"d\")))] y!();"
            )
        );
        for own in
            ["cfg_if! { if a { b } }", "cfg_select! { a => 1, _ => 2 }", "cfg_select! { _ => {} a => {} }"]
        {
            assert_eq!(replaced(own), without_space(own));
        }
        let other = "macro_rules! id { ($($t:tt)*) => { $($t)* } } id!(mod a {});";
        assert_eq!(replaced(other), without_space(other));
        // A macro can pass on an exported macro.
        let passed = "macro_rules! item { ($i:item) => { #[doc = \"x\"] $i } }";
        let definition = "#[macro_export] macro_rules! m { () => { 1 } }";
        assert!(replaced(&format!("{passed} #[cfg(a)] item![{definition}];"))
            .ends_with(&without_space(&format!("#[cfg(a)] #[doc = \"x\"] {definition}"))));
    }
}
