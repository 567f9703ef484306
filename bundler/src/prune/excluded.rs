//! Code excluded by cfg on this target: rustc's lints cannot see it, so what it names is kept.

use crate::prune::lints::{kills, Kill};
use crate::prune::sites::{Site, What};
use crate::rustc::{target, Outcome};
use crate::syntax::cfg::{after_attributes, after_visibility, element_end, Cfgs, Predicate, Truth};
use crate::syntax::items::Items;
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::Tokens;
use std::collections::HashSet;
use std::ops::Range;

/// The names in code that this target does not compile.
#[derive(Debug, Default)]
pub struct Excluded {
    names: HashSet<String>,
    ranges: Vec<Range<usize>>,
    /// Whether any of it that can call functions is for another target; conditions from macro variables and of debug builds
    /// do not count.
    is_for_others: bool,
}

impl Excluded {
    /// Finds the excluded code of a text; asks rustc for the target's cfgs only if there is a cfg attribute.
    pub fn read(text: &Text) -> Excluded {
        let Ok(tokens) = Tokens::read(text.as_str()) else {
            return Excluded::default();
        };
        let attributes: Vec<usize> = (0..tokens.len())
            .filter(|&i| tokens.is(i, '#') && tokens.is(i + 1, '[') && tokens.ident(i + 2) == Some("cfg"))
            .collect();
        if attributes.is_empty() {
            return Excluded::default();
        }
        Excluded::for_target(&tokens, &attributes, &Cfgs { target: Some(target()), ..Cfgs::default() })
    }

    fn for_target(tokens: &Tokens<'_>, attributes: &[usize], cfgs: &Cfgs) -> Excluded {
        let mut excluded = Excluded::default();
        // The probe has compiled debug builds too.
        let mut probed = cfgs.clone();
        probed.target.iter_mut().for_each(|set| set.extend(["debug_assertions".to_owned()]));
        for &i in attributes {
            let predicate = Predicate::read(tokens, i + 4).0;
            if predicate.truth(cfgs) == Truth::No {
                let first = after_attributes(tokens, i);
                let end = element_end(tokens, first);
                // No target compiles code under `any()`, so it needs nothing.
                if predicate.constant() == Truth::Open {
                    let names = (first..end).filter_map(|n| tokens.ident(n)).filter(|name| *name != "self");
                    excluded.names.extend(names.map(str::to_owned));
                    // An import needs only what it names.
                    let is_import = tokens.ident(after_visibility(tokens, first)) == Some("use");
                    let is_probed = predicate.truth(&probed) == Truth::Yes;
                    excluded.is_for_others |= !tokens.is(i + 4, '$') && !is_import && !is_probed;
                }
                let byte = |n: usize| tokens.get(n).map_or(usize::MAX, |t| t.range.end);
                excluded.ranges.push(tokens.get(i).map_or(0, |t| t.range.start)..byte(end - 1));
            }
        }
        excluded
    }

    /// Whether code for other targets may call any function.
    pub fn is_for_others(&self) -> bool {
        self.is_for_others
    }

    /// Whether the byte at `at` is in excluded code.
    pub fn hides(&self, at: usize) -> bool {
        self.ranges.iter().any(|r| r.contains(&at))
    }

    /// Whether excluded code may need a site.
    pub fn may_need(&self, site: &Site) -> bool {
        let says = |w: &String| self.names.contains(w);
        match site.what {
            What::Impl => site.tr.as_ref().is_some_and(says) && site.about.iter().any(says),
            What::Derive => says(&site.name) && site.about.iter().any(says),
            What::Call => !site.about.is_empty() && site.about.iter().all(says),
            // A number is not a name, and an operator calls its method without naming it.
            What::Element if site.name.starts_with(|c: char| c.is_ascii_digit()) => self.is_for_others,
            What::Stub => self.is_for_others || says(&site.name),
            _ => says(&site.name),
        }
    }

    /// Whether excluded code names something that is to be removed.
    pub fn names(&self, kill: &Kill, text: &Text) -> bool {
        let source = text.as_str();
        let range = match kill {
            Kill::Name(at) => {
                let rest = source.get(*at..).unwrap_or("");
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '#');
                *at..*at + end.unwrap_or(rest.len())
            }
            Kill::Import(range) => range.clone(),
        };
        // For an import, only the imported name counts, not its path; `a::b::{self}` imports `b`.
        let named = source.get(range.clone()).unwrap_or("");
        let named = if named == "self" { path_of_group(&source[..range.start]) } else { named };
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        named.rsplit(|c: char| !is_name(c)).next().is_some_and(|last| self.names.contains(last))
    }

    /// Adds `allow` attributes for items that rustc reports although excluded code names them.
    pub fn allowed(&self, text: Text, outcome: &Outcome) -> Text {
        let spared = kills(&outcome.diagnostics).into_iter().filter(|k| self.names(k, &text)).collect();
        allow(text, spared)
    }
}

/// Adds `allow` attributes for items that stay although rustc reports them.
pub fn allow(text: Text, spared: Vec<Kill>) -> Text {
    if spared.is_empty() {
        return text;
    }
    let Ok((tokens, file)) = Tokens::with_items(text.as_str()) else {
        return text;
    };
    let items = Items::read(&file, &tokens);
    let mut edits = Edits::default();
    for kill in spared {
        match kill {
            Kill::Name(at) => {
                if let Some(node) = items.nodes.iter().find(|n| n.name_at == at) {
                    edits.insert(node.range.start, "#[allow(dead_code)] ");
                }
            }
            Kill::Import(range) => {
                if let Some(item) = items.uses.iter().find(|u| u.range.contains(&range.start)) {
                    if !text.as_str()[item.range.clone()].starts_with("#[allow(unused_imports)]") {
                        edits.insert(item.range.start, "#[allow(unused_imports)] ");
                    }
                }
            }
        }
    }
    text.edited(edits)
}

/// The text before a `::{` that is still open.
fn path_of_group(before: &str) -> &str {
    let mut depth = 0usize;
    let opens = |(_, c): &(usize, char)| {
        depth = depth.saturating_add(usize::from(*c == '}'));
        let is_open = *c == '{' && depth == 0;
        depth = depth.saturating_sub(usize::from(*c == '{'));
        is_open
    };
    let open = before.char_indices().rev().find(opens).map_or(0, |(at, _)| at);
    before[..open].trim_end_matches(|c: char| c == ':' || c.is_whitespace())
}

/// The code under conditions, which another build may decide in another way.
pub fn conditional(source: &str) -> Vec<&str> {
    let Ok(tokens) = Tokens::read(source) else { return Vec::new() };
    let is_condition = |i: &usize| {
        tokens.is(*i, '#')
            && tokens.is(*i + 1, '[')
            && tokens.ident(*i + 2).is_some_and(|n| n.starts_with("cfg"))
    };
    let element = |i: usize| {
        let end = element_end(&tokens, after_attributes(&tokens, i));
        Some(&source[tokens.get(i)?.range.start..tokens.get(end - 1)?.range.end])
    };
    (0..tokens.len()).filter(is_condition).filter_map(element).collect()
}

/// The text without code under `#[cfg(any())]`, without `#[cfg(all())]`, and so on; `None` if it has no such attribute.
pub fn decided(text: &Text) -> Option<Text> {
    let tokens = Tokens::read(text.as_str()).ok()?;
    let mut removed: Vec<Range<usize>> = Vec::new();
    let mut after = 0;
    // The attributes of one element so far.
    let mut before = 0..0;
    for i in 0..tokens.len() {
        if i < after || !(tokens.is(i, '#') && tokens.is(i + 1, '[')) {
            continue;
        }
        let close = tokens.close(i + 1);
        before = if before.end == i { before.start..close + 1 } else { i..close + 1 };
        if tokens.ident(i + 2) != Some("cfg") {
            continue;
        }
        let (first, next) = match Predicate::read(&tokens, i + 4).0.constant() {
            Truth::Yes => (i, close + 1),
            Truth::No => (before.start, element_end(&tokens, close + 1)),
            Truth::Open => continue,
        };
        let range = tokens.get(first)?.range.start..tokens.get(next - 1)?.range.end;
        removed.retain(|r| r.end <= range.start);
        removed.push(range);
        after = next;
    }
    let mut edits = Edits::default();
    removed.iter().for_each(|range| edits.replace(range.clone(), ""));
    (!removed.is_empty()).then(|| text.edited(edits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decided_cfgs_are_removed() {
        let source = "fn a() { #[cfg(any())] b(c, d); #[cfg(not(any()))] e(); #[cfg(any())] { f } g(#[cfg(any())] h, i, #[cfg(any())] j) }
            #[doc = \"\"] #[cfg(all())] #[cfg(not(all()))] #[inline] fn k() {} #[cfg(all())] #[cfg(unix)] fn l() {}";
        let text = Text::of_file(
            crate::syntax::text::Files::default().add(std::path::Path::new(""), ""),
            source.to_owned(),
        );
        let words: Vec<String> =
            decided(&text).unwrap().as_str().split_whitespace().map(str::to_owned).collect();
        assert_eq!(words.join(" "), "fn a() { e(); g( i, ) } #[cfg(unix)] fn l() {}");
        assert!(decided(&decided(&text).unwrap()).is_none());
    }

    #[test]
    fn names_in_excluded_code_are_found() {
        let source = "fn a() { #[cfg(windows)] { b(c) } #[cfg(unix)] d(); #[cfg(windows)] let e = f; g() } #[cfg(any())] mod k {}
            #[cfg(windows)] #[inline] fn h(x: Y) -> Z { i() } fn j() {}";
        let tokens = Tokens::read(source).unwrap();
        let attributes: Vec<usize> = (0..tokens.len()).filter(|&i| tokens.is(i, '#')).collect();
        let cfgs = Cfgs { target: Some(["unix".to_owned()].into()), ..Cfgs::default() };
        let only_cfg: Vec<usize> =
            attributes.into_iter().filter(|&i| tokens.ident(i + 2) == Some("cfg")).collect();
        let excluded = Excluded::for_target(&tokens, &only_cfg, &cfgs);
        let mut names: Vec<&str> = excluded.names.iter().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["Y", "Z", "b", "c", "e", "f", "fn", "h", "i", "let", "x"]);
        assert!(excluded.is_for_others);
    }

    #[test]
    fn imports_and_debug_builds_call_nothing_unknown() {
        let source = "#[cfg(windows)] pub(crate) use a::b; fn c() { #[cfg(debug_assertions)] d(); }";
        let tokens = Tokens::read(source).unwrap();
        let attributes: Vec<usize> = (0..tokens.len()).filter(|&i| tokens.is(i, '#')).collect();
        let cfgs = Cfgs { target: Some(["unix".to_owned()].into()), ..Cfgs::default() };
        let excluded = Excluded::for_target(&tokens, &attributes, &cfgs);
        assert!(excluded.names.contains("b") && excluded.names.contains("d") && !excluded.is_for_others);
        let text = "use b::{e::{f}, self}; use g::{b::h, self};";
        let text = Text::of_file(
            crate::syntax::text::Files::default().add(std::path::Path::new(""), ""),
            text.to_owned(),
        );
        let named = |(at, part): (usize, &str)| excluded.names(&Kill::Import(at..at + part.len()), &text);
        let named: Vec<bool> = text.as_str().match_indices("self").map(named).collect();
        assert_eq!(named, [true, false]);
    }
}
