//! Finds the functions that the program contains, from the debug information of rustc's generated code.
//!
//! Every function and every derived trait starts a line of its own, and every macro invocation gets its own copy of the
//! macro, so the lines in the debug information tell what was instantiated and for which invocation. Code that is not
//! instantiated can never run, whatever mentions it.

use crate::prune::sites::{Site, SiteId, Sites, What};
use crate::syntax::text::{Origin, Text};
use crate::syntax::tokens::Tokens;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

/// A text to compile, with the meaning of its lines.
pub struct Probe {
    /// The text.
    pub text: String,
    /// For each line, the site defined there and the invocation that it was generated for.
    lines: Vec<Option<(SiteId, Option<SiteId>)>>,
}

/// The instantiated sites.
#[derive(Debug, Default)]
pub struct Live {
    /// Functions, derived traits and invocations.
    pub sites: BTreeSet<SiteId>,
}

impl Live {
    /// Adds the invocations in macros of macros that generated something: `forward!(impl $tr for $t)`.
    fn add_calls_in_macros(&mut self, sites: &Sites) {
        let calls = sites.list.iter().enumerate().filter(|(_, s)| s.what == What::Call);
        let calls: Vec<(SiteId, SiteId, SiteId)> =
            calls.filter_map(|(id, call)| Some((id, call.within?, meant(sites, call)?))).collect();
        let mut used: BTreeSet<SiteId> = self.sites.iter().filter_map(|&id| sites.list[id].within).collect();
        loop {
            let before = self.sites.len();
            for &(call, within, of) in &calls {
                if used.contains(&of) && self.sites.insert(call) {
                    used.insert(within);
                }
            }
            if self.sites.len() == before {
                return;
            }
        }
    }
}

/// The instantiated sites of a text, by kind and origin. Removing sites that are not instantiated doesn't change the set, so
/// it holds for all smaller forms of the text.
#[derive(Debug)]
pub struct Instantiated(HashSet<(What, Origin)>);

impl Instantiated {
    /// The sites that a probe found.
    pub fn new(text: &Text, sites: &Sites, live: &Live) -> Instantiated {
        let all = live.sites.iter().map(|&id| &sites.list[id]);
        Instantiated(all.filter_map(|site| Some((site.what, text.origin(site.at)?))).collect())
    }

    /// The instantiated sites of a form of the text. A function without an origin counts as instantiated.
    pub fn sites(&self, text: &Text, sites: &Sites) -> BTreeSet<SiteId> {
        // A stub has no origin.
        let is_body = |site: &Site| matches!(site.what, What::Stub | What::Body);
        let is_live = |site: &Site| {
            !is_body(site) && text.origin(site.at).is_none_or(|at| self.0.contains(&(site.what, at)))
        };
        sites.list.iter().enumerate().filter(|(_, site)| is_live(site)).map(|(id, _)| id).collect()
    }
}

impl Probe {
    /// Rewrites a text for probing.
    pub fn new(source: &str, tokens: &Tokens<'_>, sites: &Sites) -> Probe {
        Writer::new(source, tokens, sites).written()
    }

    /// The sites on the lines of instantiated functions (counted from 1).
    pub fn live(&self, sites: &Sites, instantiated: &[usize]) -> Live {
        let mut live = Live::default();
        let mut in_macros = BTreeSet::new();
        for &line in instantiated {
            let Some(Some((site, call))) = self.lines.get(line.wrapping_sub(1)) else { continue };
            live.sites.insert(*site);
            match call {
                Some(call) => {
                    live.sites.insert(*call);
                    if sites.list[*call].what == What::Element {
                        live.sites.extend(sites.list[*call].owner);
                    }
                }
                None => in_macros.extend(sites.list[*site].within),
            }
        }
        // A macro without copies may have been used by any of its invocations.
        for (id, site) in sites.list.iter().enumerate() {
            let made = |m: &SiteId| sites.list[*m].name == site.name;
            if site.what == What::Call && in_macros.iter().any(made) {
                live.sites.insert(id);
            }
        }
        live.add_calls_in_macros(sites);
        live
    }
}

/// The macro that an invocation refers to: the nearest of that name before it, else any.
pub fn meant(sites: &Sites, call: &Site) -> Option<SiteId> {
    let all = || sites.named(&call.name).filter(|(_, s)| s.what == What::Macro);
    all().rfind(|(_, s)| s.range.end <= call.range.start).or_else(|| all().next()).map(|(id, _)| id)
}

struct Writer<'a> {
    source: &'a str,
    tokens: &'a Tokens<'a>,
    sites: &'a Sites,
    /// The sites that start a line, by their first byte.
    marks: BTreeMap<usize, SiteId>,
    /// Names before a `!`, by their first byte.
    calls: BTreeMap<usize, Range<usize>>,
    probe: Probe,
}

impl<'a> Writer<'a> {
    fn new(source: &'a str, tokens: &'a Tokens<'a>, sites: &'a Sites) -> Writer<'a> {
        let marks = sites.list.iter().enumerate();
        let marks = marks.filter(|(_, s)| matches!(s.what, What::Fn | What::Derive | What::Call));
        let calls = (0..tokens.len()).filter(|&i| tokens.ident(i).is_some() && tokens.is(i + 1, '!'));
        Writer {
            source,
            tokens,
            sites,
            marks: marks.map(|(id, s)| (s.at, id)).collect(),
            calls: calls.filter_map(|i| tokens.get(i)).map(|t| (t.range.start, t.range.clone())).collect(),
            probe: Probe { text: String::new(), lines: vec![None] },
        }
    }

    fn written(mut self) -> Probe {
        // The invocations whose copies go before each item.
        let mut copies: BTreeMap<usize, Vec<SiteId>> = BTreeMap::new();
        let mut copied = BTreeSet::new();
        for (id, site) in self.sites.list.iter().enumerate() {
            if site.what == What::Call && site.within.is_none() && self.is_bare(site) {
                if meant(self.sites, site).is_none() {
                    continue;
                }
                let mut outer = site;
                while let Some(owner) = outer.owner.map(|o| &self.sites.list[o]) {
                    if owner.what == What::Mod {
                        break;
                    }
                    outer = owner;
                }
                let mut elements = self.sites.inside(id).map(|(e, _)| e).peekable();
                let all = copies.entry(outer.range.start).or_default();
                if elements.peek().is_none() {
                    all.push(id);
                }
                all.extend(elements);
                copied.insert(id);
            }
        }
        let mut at = 0;
        for (before, calls) in copies {
            self.emit(at..before, None, &copied);
            for call in calls {
                self.copy(call);
            }
            at = before;
        }
        self.emit(at..self.source.len(), None, &copied);
        self.probe
    }

    fn is_bare(&self, call: &Site) -> bool {
        self.source[call.at..].starts_with(&call.name)
    }

    /// Writes copies of a macro and of those that it calls, for one invocation or one element of its list.
    fn copy(&mut self, call: SiteId) {
        let mut invocation = &self.sites.list[call];
        if let (What::Element, Some(owner)) = (invocation.what, invocation.owner) {
            invocation = &self.sites.list[owner];
        }
        let mut wanted: Vec<SiteId> = meant(self.sites, invocation).into_iter().collect();
        let mut next = 0;
        while let Some(&id) = wanted.get(next) {
            next += 1;
            let range = self.sites.list[id].range.clone();
            for (_, name) in self.calls.range(range) {
                let named =
                    Site { name: self.source[name.clone()].to_owned(), ..self.sites.list[id].clone() };
                // A macro that calls itself means itself, not one of its name in another crate; copies of both would
                // have one name.
                if wanted.iter().any(|&w| self.sites.list[w].name == named.name) {
                    continue;
                }
                wanted.extend(meant(self.sites, &named));
            }
        }
        let names: BTreeSet<&str> = wanted.iter().map(|&m| self.sites.list[m].name.as_str()).collect();
        for &id in &wanted {
            let site = &self.sites.list[id];
            self.line(None);
            self.probe
                .text
                .push_str(&format!("#[allow(unused_macros)] macro_rules! {}", copy_name(&site.name, call)));
            let from = site.open.and_then(|o| self.tokens.get(o)).map_or(site.at, |t| t.range.start);
            self.emit_renamed(from..site.range.end, Some((call, &names)));
            self.line(None);
        }
    }

    fn line(&mut self, owner: Option<(SiteId, Option<SiteId>)>) {
        self.probe.text.push('\n');
        self.probe.lines.push(owner);
    }

    fn emit(&mut self, range: Range<usize>, call: Option<SiteId>, copied: &BTreeSet<SiteId>) {
        debug_assert!(call.is_none());
        let mut at = range.start;
        for &id in copied {
            let site = &self.sites.list[id];
            if range.contains(&site.at) && site.at >= at {
                self.emit_renamed(at..site.at, None);
                at = site.range.end;
                let elements: Vec<SiteId> = self.sites.inside(id).map(|(e, _)| e).collect();
                for &element in &elements {
                    self.line(Some((element, None)));
                    let arguments = self.source[self.sites.list[element].range.clone()].replace('\n', " ");
                    self.probe.text.push_str(&format!("{}!({arguments});", copy_name(&site.name, element)));
                }
                if !elements.is_empty() {
                    continue;
                }
                self.line(Some((id, None)));
                self.probe.text.push_str(&copy_name(&site.name, id));
                let rest = site.at + site.name.len()..site.range.end;
                for c in self.source[rest].chars() {
                    if c == '\n' {
                        self.line(Some((id, None)));
                    } else {
                        self.probe.text.push(c);
                    }
                }
            }
        }
        self.emit_renamed(at..range.end, None);
    }

    /// Writes a range with its marks; for an invocation, renames the macros that have copies.
    fn emit_renamed(&mut self, range: Range<usize>, call: Option<(SiteId, &BTreeSet<&str>)>) {
        let mut at = range.start;
        let marks: Vec<(usize, SiteId)> = self.marks.range(range.clone()).map(|(a, s)| (*a, *s)).collect();
        let mut stops: Vec<(usize, Option<SiteId>)> = marks.into_iter().map(|(a, s)| (a, Some(s))).collect();
        if call.is_some() {
            stops.extend(self.calls.range(range.clone()).map(|(a, _)| (*a, None)));
        }
        stops.sort_unstable_by_key(|(a, site)| (*a, site.is_none()));
        for (stop, site) in stops {
            self.plain(at..stop);
            at = at.max(stop);
            match (site, call) {
                (Some(site), _) => self.line(Some((site, call.map(|c| c.0)))),
                (None, Some((call, names))) => {
                    let name = self.calls.get(&stop).map_or("", |r| &self.source[r.clone()]);
                    if names.contains(name) {
                        self.drop_path();
                        self.probe.text.push_str(&copy_name(name, call));
                        at = stop + name.len();
                    }
                }
                (None, None) => {}
            }
        }
        self.plain(at..range.end);
    }

    /// Drops the path at the end of the text, as in `$crate::m::`: copies are in scope by their names.
    fn drop_path(&mut self) {
        let text = &mut self.probe.text;
        while text.ends_with("::") {
            let path = &text[..text.len() - 2];
            let name = path.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
            let name = if text[..name].ends_with('$') { name - 1 } else { name };
            text.truncate(name);
        }
    }

    fn plain(&mut self, range: Range<usize>) {
        for c in self.source.get(range).unwrap_or("").chars() {
            if c == '\n' {
                self.line(None);
            } else {
                self.probe.text.push(c);
            }
        }
    }
}

/// The name of the copy of a macro for an invocation.
fn copy_name(name: &str, call: SiteId) -> String {
    format!("{name}__for_{call}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rustc::debug_lines::lines;

    #[test]
    fn every_function_starts_a_line() {
        let source = "macro_rules! m { ($t:ty) => { impl T for $t { fn f() { n!() } } } }\nmod a { m!(u8);\nm!(u16); } fn main() { }";
        let tokens = Tokens::read(source).unwrap();
        let sites = Sites::read(&tokens);
        let probe = Probe::new(source, &tokens, &sites);
        let lines: Vec<&str> = probe.text.split('\n').collect();
        assert_eq!(lines.len(), probe.lines.len());
        let of = |id: SiteId| sites.list[id].name.as_str();
        let seen: Vec<(&str, &str)> = lines
            .iter()
            .zip(&probe.lines)
            .filter_map(|(text, owner)| owner.map(|(s, call)| (*text, call.map_or(of(s), |_| "copy"))))
            .collect();
        let body = "fn f() { n!() } } } }";
        let (first, second) = ("m__for_5!(u8);", "m__for_6!(u16); } ");
        assert_eq!(
            seen,
            [
                (body, "f"),
                (body, "copy"),
                (first, "m"),
                (body, "copy"),
                (second, "m"),
                ("fn main() { }", "main")
            ]
        );
    }

    fn probed(source: &str) -> String {
        let tokens = Tokens::read(source).unwrap();
        let sites = Sites::read(&tokens);
        Probe::new(source, &tokens, &sites).text
    }

    #[test]
    fn copies_call_copies() {
        // Of two macros of one name, the second calls itself.
        let one = "macro_rules! m { (@ $t:ty) => { impl A for $t {} }; ($t:ty) => { m!(@ $t); } }";
        let probe = probed(&format!("mod a {{ {one} m!(u8); }} mod b {{ {one} m!(u16); }} fn main() {{}}"));
        let copies: Vec<&str> = probe.split("macro_rules! m__for_").skip(1).collect();
        assert_eq!(copies.len(), 2, "{probe}");
        for copy in copies {
            let number = copy.split(|c: char| !c.is_ascii_digit()).next().unwrap();
            assert!(copy.contains(&format!("m__for_{number}!(@ $t)")), "{probe}");
        }
        // A path leads to the original only.
        let path = "mod a { macro_rules! m { (@ $t:ty) => { impl A for $t {} }; ($t:ty) => { $crate::a::m!(@ $t); } } pub(crate) use m; m!(u8); } fn main() {}";
        let probe = probed(path);
        assert!(probe.contains("{ m__for_") && !probe.contains("::m__for_"), "{probe}");
    }

    #[test]
    fn calls_in_macros_live_by_what_they_generate() {
        let source = "macro_rules! one { ($t:ty) => { impl A for $t { fn f() {} } } }
            macro_rules! other { ($t:ty) => { impl B for $t { fn g() {} } } }
            macro_rules! both { ($t:ty) => { one!($t); other!($t); } }
            macro_rules! all { ($($t:ty)*) => { $(both!($t);)* } }
            all!(u8 u16); fn main() {}";
        let tokens = Tokens::read(source).unwrap();
        let sites = Sites::read(&tokens);
        let mut live = Live { sites: sites.named("f").map(|(id, _)| id).collect() };
        live.add_calls_in_macros(&sites);
        let calls = live.sites.iter().map(|&id| &sites.list[id]).filter(|s| s.what == What::Call);
        let shown: Vec<&str> = calls.map(|s| &source[s.range.clone()]).collect();
        assert_eq!(shown, ["one!($t);", "both!($t);"]);
    }

    #[test]
    fn only_lines_of_the_bundle_count() {
        let llvm = "!9 = !DIFile(filename: \"bundle.rs\", directory: \"x\")\n!8 = distinct !DISubprogram(name: \"a\", scope: !1, file: !9, line: 21, type: !12)\n\
            !7 = distinct !DISubprogram(name: \"b\", scope: !1, file: !5, line: 22, type: !12)";
        assert_eq!(lines(llvm), [21]);
    }
}
