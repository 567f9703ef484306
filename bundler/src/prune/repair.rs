//! Restores sites that were removed wrongly, as named by rustc's errors.

use crate::prune::missing::{head, idents, names, quoted, Lack, Supertraits};
use crate::prune::probe;
use crate::prune::sites::{Site, SiteId, Sites, What};
use crate::prune::stub;
use crate::rustc::Diagnostic;
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::Tokens;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Replaces sites by spaces, so that everything else keeps its position.
pub fn blanks(source: &str, sites: &Sites, out: &BTreeSet<SiteId>) -> Edits {
    let mut edits = Edits::default();
    let mut lists: BTreeMap<(usize, usize), Vec<(SiteId, &Site)>> = BTreeMap::new();
    for (id, site) in sites.list.iter().enumerate() {
        match site.what {
            What::Derive | What::Bound | What::Element => {
                lists.entry((site.list.start, site.list.end)).or_default().push((id, site));
            }
            What::Body if out.contains(&id) => {
                let rest = " ".repeat(site.range.len().saturating_sub(1));
                edits.replace(site.range.clone(), format!(";{rest}"));
                // Without a body, a parameter may not be `mut`.
                let function = sites.list.get(id.wrapping_sub(1));
                if let Some(function) = function.filter(|f| f.range.start < f.at) {
                    let attributes = source.get(function.range.start..function.at).unwrap_or("");
                    // rustc rejects `inline` on a function without a body.
                    for (at, _) in attributes.match_indices("#[inline") {
                        let length = attributes[at..].find(']').map_or(0, |end| end + 1);
                        let from = function.range.start + at;
                        blank(&mut edits, from..from + length);
                    }
                }
                let head = function.map_or(0, |f| f.at)..site.range.start;
                for (at, word) in source.get(head.clone()).unwrap_or("").match_indices("mut ") {
                    let before = source[..head.start + at].trim_end();
                    if before.ends_with(['(', ',']) {
                        blank(&mut edits, head.start + at..head.start + at + word.len());
                    }
                }
            }
            What::Stub if out.contains(&id) => {
                let at = sites.list.get(id.wrapping_sub(1)).map_or(0, |f| f.at);
                for (range, with) in stub::edits(source, at, &site.range).unwrap_or_default() {
                    edits.replace(range, with);
                }
            }
            What::Stub => {}
            // Removed by name later, so that its imports go too.
            What::Fn if site.within.is_none() => {}
            _ if out.contains(&id) => blank(&mut edits, site.range.clone()),
            _ => {}
        }
    }
    debug_assert!(lists.keys().all(|(_, end)| *end <= source.len()));
    for ((start, end), parts) in lists {
        shorten(&mut edits, start..end, &parts, out);
    }
    edits
}

fn blank(edits: &mut Edits, range: Range<usize>) {
    let spaces = " ".repeat(range.len());
    edits.replace(range, spaces);
}

/// Blanks some parts of a list, and the whole list if none is left.
fn shorten(edits: &mut Edits, list: Range<usize>, parts: &[(SiteId, &Site)], out: &BTreeSet<SiteId>) {
    let Some(last) = parts.iter().filter(|(id, _)| !out.contains(id)).map(|(_, s)| s.range.end).max() else {
        return blank(edits, list);
    };
    // Each removed part takes the separator after it; the last ones take the separator before them.
    for (n, (id, site)) in parts.iter().enumerate() {
        let next = parts.get(n + 1).map(|(_, s)| s.range.start);
        if let (true, Some(next)) = (out.contains(id) && site.range.start < last, next) {
            blank(edits, site.range.start..next);
        }
    }
    if let Some((_, end)) = parts.last().filter(|(_, s)| s.range.end > last) {
        blank(edits, last..end.range.end);
    }
}

/// The context for deciding what to restore.
pub struct Repair<'a> {
    /// The sites of the text before removal.
    pub sites: &'a Sites,
    /// The removed sites.
    pub out: &'a BTreeSet<SiteId>,
    /// The text before removal.
    pub before: &'a str,
    /// The tokens of the text before removal.
    pub tokens: &'a Tokens<'a>,
    /// The text after removal, whose origins are offsets in `before`.
    pub after: &'a Text,
}

impl Repair<'_> {
    /// The functions to remove as well for these errors: those of restored impls whose traits have lost them.
    pub fn also_out(&self, diagnostics: &[Diagnostic]) -> BTreeSet<SiteId> {
        diagnostics.iter().filter_map(|d| self.of_no_trait(d)).collect()
    }

    /// The function of an impl that its trait doesn't have any more, since the trait's function was removed.
    fn of_no_trait(&self, error: &Diagnostic) -> Option<SiteId> {
        let function = self.place(error).filter(|_| error.lint() == Some("E0407"))?;
        let site = &self.sites.list[function];
        let tr = self.sites.list[site.owner?].tr.as_ref()?;
        let is_gone = self.removed_methods(&site.name, Some(tr)).next().is_some();
        (site.what == What::Fn && is_gone).then_some(function)
    }

    /// Whether a function of an impl can't be restored alone, since its trait's function was removed.
    fn is_undeclared(&self, site: &Site) -> bool {
        let tr = site.owner.and_then(|owner| self.sites.list[owner].tr.as_ref());
        tr.is_some_and(|tr| self.removed_methods(&site.name, Some(tr)).next().is_some())
    }

    /// The removed functions of this name in traits, or in the traits of a name.
    fn removed_methods<'s>(
        &'s self,
        name: &'s str,
        tr: Option<&'s str>,
    ) -> impl Iterator<Item = SiteId> + 's {
        let of_trait = move |site: &Site| {
            let owner = site.owner.map(|owner| &self.sites.list[owner]);
            owner.is_some_and(|owner| owner.what == What::Trait && tr.is_none_or(|tr| owner.name == tr))
        };
        let methods = self.sites.named(name).filter(move |(_, site)| site.what == What::Fn && of_trait(site));
        methods.map(|(id, _)| id).filter(|id| self.out.contains(id))
    }

    /// The sites to restore for these errors; never empty if anything was removed and [`Repair::also_out`] is empty.
    pub fn back(&self, diagnostics: &[Diagnostic]) -> BTreeSet<SiteId> {
        let mut back = BTreeSet::new();
        // Ambiguities often disappear once other sites are restored, so they come second.
        let vague = |d: &&Diagnostic| matches!(d.lint(), Some("E0034" | "E0282" | "E0283"));
        for wanted in [false, true] {
            let errors = diagnostics.iter().filter(|d| d.is_error() && self.of_no_trait(d).is_none());
            for error in errors.filter(|d| vague(d) == wanted) {
                back.extend(self.blame(error));
            }
            if !back.is_empty() {
                break;
            }
        }
        let is_done = !back.is_empty() || !self.also_out(diagnostics).is_empty();
        if !is_done {
            let errors = diagnostics.iter().filter(|d| d.is_error());
            back.extend(errors.flat_map(|error| self.around(error)));
        }
        if !is_done && back.is_empty() {
            back.extend(self.out.iter().copied().take(self.out.len().div_ceil(2)));
        }
        // A restored site needs the sites that contain it.
        for id in back.clone() {
            let mut owner = self.sites.list[id].owner;
            while let Some(o) = owner {
                if self.out.contains(&o) {
                    back.insert(o);
                }
                owner = self.sites.list[o].owner;
            }
        }
        // The compiler would name these in its next errors.
        back.extend(back.clone().into_iter().flat_map(|id| self.supertraits(id)));
        back.extend(back.clone().into_iter().flat_map(|id| self.required(id)));
        back
    }

    /// The removed sites of the innermost module around an error that has any.
    fn around(&self, error: &Diagnostic) -> Vec<SiteId> {
        let place = error.at().and_then(|at| self.after.origin(at)).map(|origin| origin.offset);
        let Some(place) = place else { return Vec::new() };
        let modules = self.sites.list.iter().filter(|s| s.what == What::Mod && s.range.contains(&place));
        let mut modules: Vec<&Site> = modules.collect();
        modules.sort_by_key(|module| module.range.len());
        let inside = |module: &Site| {
            let starts = |id: &SiteId| module.range.contains(&self.sites.list[*id].range.start);
            self.out.iter().copied().filter(starts).collect::<Vec<SiteId>>()
        };
        modules.into_iter().map(inside).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The removed impls and derives of what std's traits demand of a restored one.
    fn supertraits(&self, id: SiteId) -> Vec<SiteId> {
        let of = |site: &Site| match site.what {
            What::Derive => Some((site.name.clone(), site.about.first().cloned())),
            What::Impl => site.tr.clone().map(|tr| (tr, Some(site.name.clone()))),
            _ => None,
        };
        let Some((tr, ty)) = of(&self.sites.list[id]) else { return Vec::new() };
        let demanded: &[&str] = match tr.as_str() {
            "Ord" => &["Eq", "PartialEq", "PartialOrd"],
            "Eq" | "PartialOrd" => &["PartialEq"],
            "Copy" => &["Clone"],
            _ => return Vec::new(),
        };
        let is_demanded = |id: &SiteId| {
            of(&self.sites.list[*id]).is_some_and(|(tr, of)| of == ty && demanded.contains(&tr.as_str()))
        };
        self.out.iter().copied().filter(is_demanded).collect()
    }

    /// The removed functions that a restored impl must have.
    fn required(&self, id: SiteId) -> Vec<SiteId> {
        let site = &self.sites.list[id];
        let Some(tr) = site.tr.as_ref().filter(|_| site.what == What::Impl) else { return Vec::new() };
        let functions = |id| self.sites.inside(id).filter(|(_, s)| s.what == What::Fn);
        let declared = self.sites.named(tr).find(|(_, s)| s.what == What::Trait);
        let is_required = |name: &str| match declared {
            Some((of, _)) => {
                functions(of).any(|(i, s)| s.name == name && s.open.is_none() && !self.out.contains(&i))
            }
            // Of most traits of std, the only function of an impl is the one without a default body.
            None => functions(id).count() == 1 && tr != "Error" && !self.is_of_variable(site),
        };
        let removed = functions(id).filter(|(i, s)| self.out.contains(i) && is_required(&s.name));
        removed.map(|(i, _)| i).collect()
    }

    /// The innermost impl, trait, function or macro around an error.
    fn place(&self, error: &Diagnostic) -> Option<SiteId> {
        let at = self.after.origin(error.at()?)?.offset;
        let around = self.sites.list.iter().enumerate().filter(|(_, s)| s.range.contains(&at));
        let around =
            around.filter(|(_, s)| matches!(s.what, What::Impl | What::Trait | What::Fn | What::Macro));
        around.min_by_key(|(_, s)| s.range.len()).map(|(id, _)| id)
    }

    fn blame(&self, error: &Diagnostic) -> Vec<SiteId> {
        let mut said = quoted(&error.message);
        let added: BTreeSet<String> = error.children.iter().flat_map(words).collect();
        let mut all = words(error);
        let place = self.place(error);
        if error.lint() == Some("E0046") {
            let inside = place.map(|i| self.missing_items(i, &all)).unwrap_or_default();
            if !inside.is_empty() {
                return inside;
            }
        }
        let there = self.names_there(error);
        said.extend(there.iter().cloned());
        all.extend(there);
        let around = || place.and_then(|i| self.before.get(self.sites.list[i].range.clone())).unwrap_or("");
        // From the most to the least likely cause.
        let tries: [&dyn Fn() -> Vec<SiteId>; 11] = [
            &|| self.members(error),
            &|| self.unmet(error),
            &|| self.of_parameter(error),
            &|| place.map(|i| self.siblings(i, &said)).unwrap_or_default(),
            &|| self.named(&said, true),
            &|| self.named(&added, true),
            &|| self.named(&all, true),
            &|| place.map(|i| self.demanded_bounds(i)).unwrap_or_default(),
            &|| self.named(&said, false),
            &|| self.named(&all, false),
            &|| self.named(&names(around()), true),
        ];
        tries.iter().map(|t| t()).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The trait methods that an error misses because an impl has them: a macro generates it, so the impl's cannot go.
    fn members(&self, error: &Diagnostic) -> Vec<SiteId> {
        let mut said = error.message.split('`').skip(1).step_by(2);
        match (error.lint(), said.next(), said.next()) {
            (Some("E0407"), Some(name), Some(tr)) => self.removed_methods(name, Some(tr)).collect(),
            _ => Vec::new(),
        }
    }

    /// The bounds that give a type parameter the function or operator that an error doesn't find.
    fn of_parameter(&self, error: &Diagnostic) -> Vec<SiteId> {
        let Some(lack) = Lack::of(error) else { return Vec::new() };
        let mut heads = BTreeSet::new();
        let mut owner = self.place(error);
        while let Some(site) = owner.map(|id| &self.sites.list[id]) {
            heads.extend(idents(head(self.before, site.at)));
            owner = site.owner;
        }
        let found = Supertraits::of(self.before, self.sites).bring(&heads, &lack, self.out);
        match lack {
            Lack::Function(name) if found.is_empty() => self.removed_methods(name, None).collect(),
            _ => found,
        }
    }

    /// The names at the place of an error, if it is a name with the path that it starts, or a call.
    fn names_there(&self, error: &Diagnostic) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        for span in error.spans.iter().filter(|s| s.is_primary) {
            let said = self.after.as_str().get(span.byte_start..).unwrap_or("");
            let length = span.byte_end.saturating_sub(span.byte_start);
            let rest = said.get(length..).unwrap_or("");
            let more = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(0);
            if length < 80 {
                out.extend(names(said.get(..length + more).unwrap_or("")));
            }
        }
        out
    }

    /// Functions of the impl or trait around a place.
    fn siblings(&self, place: SiteId, words: &BTreeSet<String>) -> Vec<SiteId> {
        let mut owner = Some(place);
        while let Some(o) = owner.filter(|&o| !matches!(self.sites.list[o].what, What::Impl | What::Trait)) {
            owner = self.sites.list[o].owner;
        }
        let Some(owner) = owner.filter(|_| words.contains("Self")) else { return Vec::new() };
        let inside = self.sites.inside(owner);
        inside
            .filter(|(i, s)| s.what == What::Fn && self.out.contains(i) && words.contains(&s.name))
            .map(|(i, _)| i)
            .collect()
    }

    /// The bounds of the trait around a place.
    fn demanded_bounds(&self, place: SiteId) -> Vec<SiteId> {
        let mut at = Some(place);
        while let Some(id) = at {
            if self.sites.list[id].what == What::Trait {
                let bounds = self.sites.inside(id).filter(|(_, s)| s.what == What::Bound);
                return bounds.map(|(i, _)| i).filter(|i| self.out.contains(i)).collect();
            }
            at = self.sites.list[id].owner;
        }
        Vec::new()
    }

    /// The missing items of an impl: its own, or those that its trait provided.
    fn missing_items(&self, id: SiteId, words: &BTreeSet<String>) -> Vec<SiteId> {
        let site = &self.sites.list[id];
        let is_out = |i: &SiteId| self.out.contains(i);
        let named = |s: &Site| words.contains(&s.name);
        let own: Vec<SiteId> =
            self.sites.inside(id).filter(|(i, s)| is_out(i) && named(s)).map(|(i, _)| i).collect();
        if !own.is_empty() {
            return own;
        }
        let of_trait = |s: &Site| s.owner.is_some_and(|o| Some(&self.sites.list[o].name) == site.tr.as_ref());
        let bodies = self.sites.list.iter().enumerate();
        bodies
            .filter(|(i, s)| is_out(i) && named(s) && of_trait(s))
            .filter(|(_, s)| matches!(s.what, What::Body | What::Fn))
            .map(|(i, _)| i)
            .collect()
    }

    fn named(&self, words: &BTreeSet<String>, exact: bool) -> Vec<SiteId> {
        let all: Vec<SiteId> =
            self.out.iter().copied().filter(|&id| self.is_named(id, words, exact)).collect();
        // Sites for a specific type take precedence over generic ones from a macro.
        let special = |id: &SiteId| {
            let site = &self.sites.list[*id];
            !site.about.is_empty() && matches!(site.what, What::Impl | What::Derive | What::Call)
        };
        let for_any = |id: &SiteId| {
            let site = &self.sites.list[*id];
            site.what == What::Impl && site.within.is_some() && site.about.is_empty()
        };
        if exact && all.iter().any(|id| special(id) && self.sites.list[*id].what != What::Call) {
            return all.into_iter().filter(|id| !for_any(id)).collect();
        }
        // An impl of no trait is empty without the methods for which it is restored.
        let own = |&id: &SiteId| {
            let is_own = self.sites.list[id].what == What::Impl && self.sites.list[id].tr.is_none();
            self.sites.inside(id).filter(move |(i, s)| {
                is_own && s.what == What::Fn && self.out.contains(i) && words.contains(&s.name)
            })
        };
        let methods: Vec<SiteId> = all.iter().flat_map(own).map(|(i, _)| i).collect();
        [all, methods].concat()
    }

    /// Whether an invocation generates something named by the words.
    pub fn generates(&self, call: &Site, words: &BTreeSet<String>) -> bool {
        let says = |w: &String| words.contains(w);
        probe::meant(self.sites, call).is_some_and(|m| {
            let mut inside = self.sites.in_macro(m).filter(|(_, s)| s.what != What::Derive);
            // The name of an impl for a macro's argument is the variable's.
            let is_said = |s: &Site| says(&s.name) && (s.what != What::Impl || s.about.contains(&s.name));
            inside.any(|(_, s)| is_said(s) || s.tr.as_ref().is_some_and(says))
        })
    }

    /// Whether an invocation defines a trait named by the words; its arguments need not be named then.
    fn defines(&self, call: &Site, words: &BTreeSet<String>) -> bool {
        let of = probe::meant(self.sites, call);
        let mut inside = of.into_iter().flat_map(|of| self.sites.in_macro(of));
        inside.any(|(_, s)| s.what == What::Trait && words.contains(&s.name))
    }

    /// Whether an error's words refer to a site.
    fn is_named(&self, id: SiteId, words: &BTreeSet<String>, exact: bool) -> bool {
        let site = &self.sites.list[id];
        let says = |w: &String| words.contains(w);
        let about = site.about.is_empty() || site.about.iter().any(says);
        match site.what {
            What::Fn => {
                let owner = site.owner.map(|o| (o, &self.sites.list[o]));
                // A function in a removed impl is restored with the impl.
                let alone = owner.is_none_or(|(o, _)| !self.out.contains(&o));
                let of = owner.is_none_or(|(_, o)| {
                    let blanket = !matches!(o.what, What::Impl | What::Trait);
                    let anything = o.what == What::Impl && o.about.is_empty();
                    blanket || anything || says(&o.name) || o.about.iter().any(says)
                });
                alone && says(&site.name) && (of || !exact) && !self.is_undeclared(site)
            }
            What::Impl => {
                let mut methods = self.sites.inside(id).filter(|(_, s)| s.what == What::Fn);
                let tr = site.tr.as_ref().is_some_and(says);
                let of_trait =
                    |s: &Site| s.owner.is_some_and(|o| Some(&self.sites.list[o].name) == site.tr.as_ref());
                let inherited = || {
                    let mut all = words.iter().flat_map(|w| self.sites.named(w));
                    // Constants are items.
                    all.any(|(_, s)| matches!(s.what, What::Fn | What::Other) && of_trait(s))
                };
                let about = about && site.arguments.iter().all(says);
                (about || !exact) && (tr || methods.any(|(_, s)| says(&s.name)) || inherited())
            }
            What::Derive => {
                let said = says(&site.name) || methods(&site.name).iter().any(|m| words.contains(*m));
                said && (about || !exact)
            }
            What::Bound => says(&site.name) && (about || !exact),
            What::Call => {
                let generates = about && self.generates(site, words);
                generates && (site.arguments.iter().all(says) || !exact) || self.defines(site, words)
            }
            What::Element => {
                let call = site.owner.map(|o| &self.sites.list[o]);
                site.about.iter().all(says) && call.is_some_and(|c| self.generates(c, words))
            }
            What::Body | What::Stub => says(&site.name) && !exact,
            _ => false,
        }
    }
}

/// The methods whose absence indicates a missing derive.
fn methods(derive: &str) -> &'static [&'static str] {
    match derive {
        "Clone" => &["clone", "cloned", "clone_from", "to_vec"],
        "PartialEq" => &["eq", "ne"],
        "PartialOrd" => &["partial_cmp", "lt", "gt", "le", "ge"],
        "Ord" => &["cmp", "max", "min", "clamp"],
        "Hash" => &["hash"],
        "Default" => &["default"],
        _ => &[],
    }
}

/// All names in a message, its labels and its notes.
fn words(diagnostic: &Diagnostic) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let labels = diagnostic.spans.iter().filter_map(|s| s.label.as_deref());
    for text in std::iter::once(diagnostic.message.as_str()).chain(labels) {
        out.extend(quoted(text));
    }
    // Lists of alternatives do not help.
    let other = ["the following other types", "there are multiple", "the following trait"];
    let children = diagnostic.children.iter();
    children
        .filter(|c| {
            !other.iter().any(|o| c.message.starts_with(o)) && !c.message.contains("is implemented for")
        })
        .for_each(|c| out.extend(words(c)));
    out
}
