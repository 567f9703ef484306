//! Finds the sites: everything that can be removed by itself, including code in macro bodies.
//!
//! Sites are read from tokens, because a macro's body cannot be parsed: `$(#[$m])* impl Tr for $t { … }`. Code that is
//! not understood isn't a site and stays.

use crate::prune::sites::{Site, SiteId, What};
use crate::syntax::tokens::{Kind, Tokens};
use std::collections::BTreeSet;
use std::ops::Range;

/// Reads all sites of a text, owners before their contents.
pub fn read_sites(tokens: &Tokens<'_>) -> Vec<Site> {
    let mut reader = Reader { tokens, list: Vec::new(), within: None };
    reader.items(0..tokens.len(), None);
    reader.list
}

struct Reader<'t, 's> {
    tokens: &'t Tokens<'s>,
    list: Vec<Site>,
    within: Option<SiteId>,
}

impl Reader<'_, '_> {
    /// Reads items; anything else is a statement and is skipped.
    fn items(&mut self, range: Range<usize>, owner: Option<SiteId>) {
        let mut i = range.start;
        while i < range.end {
            match self.item(i, range.end, owner) {
                Some(next) if next > i => i = next,
                _ => i = self.after_statement(i, range.end),
            }
        }
    }

    fn after_statement(&self, mut i: usize, end: usize) -> usize {
        while i < end && !self.tokens.is(i, ';') {
            if self.tokens.get(i).is_some_and(|t| matches!(t.kind, Kind::Open(_))) {
                i = self.tokens.close(i);
            }
            i += 1;
        }
        i + 1
    }

    /// Reads the item at token `i`; returns the index after it.
    fn item(&mut self, i: usize, end: usize, owner: Option<SiteId>) -> Option<usize> {
        let t = self.tokens;
        let mut at = i;
        let mut derives = Vec::new();
        loop {
            if t.is(at, '#') && t.is(at + 1, '!') {
                // An inner attribute belongs to the enclosing element.
                return Some(t.close(at + 2) + 1);
            } else if t.is(at, '#') && t.is(at + 1, '[') {
                let close = t.close(at + 1);
                if t.ident(at + 2) == Some("derive") && t.is(at + 3, '(') {
                    derives.push(at);
                }
                at = close + 1;
            } else if t.is(at, '$') && t.is(at + 1, '(') && t.is(at + 2, '#') {
                at = self.after_repeat(at);
            } else {
                break;
            }
        }
        if at >= end {
            return None;
        }
        if at == i && t.is(at, '$') && t.is(at + 1, '(') {
            return self.repeat(at, owner);
        }
        let head = at;
        at = self.after_visibility(at);
        while matches!(t.ident(at), Some("default" | "const" | "async" | "unsafe" | "extern" | "safe")) {
            let next = if t.get(at + 1).is_some_and(|x| x.kind == Kind::Literal) { at + 2 } else { at + 1 };
            let keyword = |n: usize| {
                matches!(
                    t.ident(n),
                    Some("fn" | "const" | "unsafe" | "async" | "extern" | "impl" | "trait" | "mod" | "crate")
                ) || t.is(n, '{')
            };
            if !keyword(next) {
                break;
            }
            at = next;
        }
        self.known_item(i, head, at, end, owner, &derives)
    }

    fn known_item(
        &mut self,
        i: usize,
        head: usize,
        at: usize,
        end: usize,
        owner: Option<SiteId>,
        derives: &[usize],
    ) -> Option<usize> {
        let t = self.tokens;
        let what = match t.ident(at)? {
            "fn" => What::Fn,
            "impl" => What::Impl,
            "trait" => What::Trait,
            "mod" => What::Mod,
            "macro_rules" if t.is(at + 1, '!') => What::Macro,
            "struct" | "enum" | "union" | "use" | "type" | "const" | "static" | "extern" | "crate" => {
                What::Other
            }
            _ => return self.call(i, head, at, end, owner),
        };
        let last = self.last(at, end, what, t.ident(at)?)?;
        let body = (t.is(last, '}') || what == What::Macro).then(|| self.opening(at, last)).flatten();
        let id = self.push(what, i, head, last, owner);
        self.list[id].open = body;
        let name_at = if what == What::Macro { at + 2 } else { at + 1 };
        self.list[id].name = t.ident(name_at).unwrap_or_default().to_owned();
        self.list[id].name_at = t.get(name_at).map_or(usize::MAX, |x| x.range.start);
        match what {
            What::Impl => self.header(id, at + 1, body?),
            What::Trait => self.bounds(id, at + 2, body?),
            What::Fn if body.is_some() && owner.is_some_and(|o| self.list[o].what == What::Trait) => {
                let name = self.list[id].name.clone();
                let body = self.push(What::Body, body?, body?, last, owner);
                self.list[body].name = name;
            }
            What::Fn if body.is_some() && owner.is_some_and(|o| self.list[o].tr.is_some()) => {
                let name = self.list[id].name.clone();
                let body = self.push(What::Stub, body?, body?, last, owner);
                self.list[body].name = name;
            }
            What::Other => derives.iter().for_each(|&d| self.derives(d, id)),
            _ => {}
        }
        if let (What::Impl | What::Trait | What::Mod, Some(open)) = (what, body) {
            self.items(open + 1..t.close(open), Some(id));
        }
        if what == What::Other && self.list[id].name == "_" {
            // `const _: () = { impl … };`
            let block = (at..last).rfind(|&n| t.is(n, '{') && t.close(n) + 1 == last);
            if let Some(open) = block {
                self.items(open + 1..last - 1, Some(id));
            }
        }
        if let (What::Macro, Some(open)) = (what, body) {
            let outside = self.within.replace(id);
            self.arms(open, id);
            self.within = outside;
        }
        Some(last + 1)
    }

    /// The last token of an item whose keyword is at `at`.
    fn last(&self, at: usize, end: usize, what: What, keyword: &str) -> Option<usize> {
        let t = self.tokens;
        let braces_end = !matches!(keyword, "use" | "const" | "static" | "type" | "crate");
        let mut j = at;
        while j < end {
            if t.is(j, ';') {
                return Some(j);
            }
            if let Kind::Open(bracket) = t.get(j)?.kind {
                let close = t.close(j);
                if bracket == '{' && braces_end {
                    return Some(close);
                }
                if what == What::Macro {
                    return Some(if t.is(close + 1, ';') { close + 1 } else { close });
                }
                j = close;
            }
            j += 1;
        }
        None
    }

    /// The opening bracket of the body that ends at `last`.
    fn opening(&self, at: usize, last: usize) -> Option<usize> {
        let mut j = at;
        while j < last {
            if matches!(self.tokens.get(j)?.kind, Kind::Open(_)) {
                let close = self.tokens.close(j);
                if close == last || close + 1 == last && self.tokens.is(last, ';') {
                    return Some(j);
                }
                j = close;
            }
            j += 1;
        }
        None
    }

    fn push(&mut self, what: What, i: usize, head: usize, last: usize, owner: Option<SiteId>) -> SiteId {
        let start = |n: usize| self.tokens.get(n).map_or(0, |x| x.range.start);
        let range = start(i)..self.tokens.get(last).map_or(0, |x| x.range.end);
        self.list.push(Site {
            what,
            name: String::new(),
            tr: None,
            about: BTreeSet::new(),
            arguments: BTreeSet::new(),
            range,
            at: start(head),
            owner,
            list: 0..0,
            name_at: usize::MAX,
            open: None,
            within: self.within,
        });
        self.list.len() - 1
    }

    /// Reads a macro invocation, `name! { … }`.
    fn call(&mut self, i: usize, head: usize, at: usize, end: usize, owner: Option<SiteId>) -> Option<usize> {
        let t = self.tokens;
        let mut j = at;
        while t.ident(j).is_some() && t.colons(j + 1) {
            j += 3;
        }
        let name = t.ident(j)?;
        if !t.is(j + 1, '!') || !matches!(t.get(j + 2)?.kind, Kind::Open(_)) {
            return None;
        }
        let close = t.close(j + 2);
        let last = if t.is(close + 1, ';') && close + 1 < end { close + 1 } else { close };
        let id = self.push(What::Call, i, head, last, owner);
        self.list[id].name = name.to_owned();
        self.list[id].arguments =
            (j + 3..close).find_map(|n| t.ident(n)).map(str::to_owned).into_iter().collect();
        self.list[id].about = (j + 3..close).filter_map(|n| t.ident(n)).map(str::to_owned).collect();
        self.list[id].open = Some(j + 2);
        Some(last + 1)
    }

    /// Reads a repetition, `$( items )*`.
    fn repeat(&mut self, at: usize, owner: Option<SiteId>) -> Option<usize> {
        let next = self.after_repeat(at);
        let id = self.push(What::Repeat, at, at, next - 1, owner);
        self.list[id].open = Some(at + 1);
        let close = self.tokens.close(at + 1);
        self.items(at + 2..close, Some(id));
        Some(next)
    }

    /// The index after `$( … ) sep? op`.
    fn after_repeat(&self, at: usize) -> usize {
        let t = self.tokens;
        let close = t.close(at + 1);
        let op = |n: usize| t.is(n, '*') || t.is(n, '+') || t.is(n, '?');
        if op(close + 1) {
            close + 2
        } else if op(close + 2) {
            close + 3
        } else {
            close + 1
        }
    }

    fn after_visibility(&self, at: usize) -> usize {
        let t = self.tokens;
        if t.ident(at) == Some("pub") {
            return if t.is(at + 1, '(') { t.close(at + 1) + 1 } else { at + 1 };
        }
        let keyword = matches!(
            t.ident(at + 2),
            Some("fn" | "struct" | "enum" | "trait" | "mod" | "const" | "static" | "type" | "unsafe")
        );
        if t.is(at, '$') && keyword {
            return at + 2;
        }
        at
    }

    /// Reads the header of an impl: its trait and its type.
    fn header(&mut self, id: SiteId, mut at: usize, open: usize) {
        let t = self.tokens;
        let mut generics = BTreeSet::new();
        if t.is(at, '<') {
            let from = at;
            at = self.after_angles(at);
            for n in from..at {
                if t.is(n, '<') || t.is(n, ',') {
                    let n = if t.ident(n + 1) == Some("const") { n + 2 } else { n + 1 };
                    generics.extend(t.ident(n).map(str::to_owned));
                }
            }
        }
        let (mut tr, mut name, mut about) = (None, None, BTreeSet::new());
        let mut arguments = BTreeSet::new();
        let mut n = at;
        while n < open && t.ident(n) != Some("where") {
            match t.ident(n) {
                Some("for") if tr.is_none() => {
                    tr = name.take();
                    arguments = std::mem::take(&mut about);
                    arguments.retain(|a| Some(a) != tr.as_ref());
                }
                Some(word) => {
                    // Errors do not mention a macro variable, but the argument in its place.
                    let real = !t.is(n.wrapping_sub(1), '$');
                    about.extend(real.then(|| word.to_owned()));
                    name = Some(word.to_owned());
                }
                None if t.is(n, '<') && name.is_some() => {
                    let after = self.after_angles(n);
                    let real = (n..after).filter(|k| !t.is(k - 1, '$'));
                    about.extend(real.filter_map(|k| t.ident(k)).map(str::to_owned));
                    n = after;
                    continue;
                }
                None => {}
            }
            n += 1;
        }
        about.retain(|word| !generics.contains(word));
        arguments.retain(|word| !generics.contains(word));
        let site = &mut self.list[id];
        (site.tr, site.name, site.about) = (tr, name.unwrap_or_default(), about);
        site.arguments = arguments;
    }

    /// The index after `< … >`.
    fn after_angles(&self, at: usize) -> usize {
        let t = self.tokens;
        let mut depth = 0usize;
        for n in at..t.len() {
            if t.is(n, '<') {
                depth += 1;
            } else if t.is(n, '>') && !t.is(n.wrapping_sub(1), '-') {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return n + 1;
                }
            }
        }
        t.len()
    }

    fn derives(&mut self, at: usize, owner: SiteId) {
        let t = self.tokens;
        let (open, close) = (at + 3, t.close(at + 3));
        let attribute = t.get(at).map_or(0, |x| x.range.start)..t.get(close + 1).map_or(0, |x| x.range.end);
        let mut from = open + 1;
        for n in open + 1..=close {
            if n == close || t.is(n, ',') {
                if n > from {
                    let id = self.push(What::Derive, from, from, n - 1, Some(owner));
                    let name = t.ident(n - 1).unwrap_or_default().to_owned();
                    let about = BTreeSet::from([self.list[owner].name.clone()]);
                    let site = &mut self.list[id];
                    (site.name, site.about, site.list) = (name, about, attribute.clone());
                }
                from = n + 1;
            }
        }
    }

    /// Reads a trait's supertraits, if they are all plain paths.
    fn bounds(&mut self, id: SiteId, at: usize, open: usize) {
        let t = self.tokens;
        let end = (at..open).find(|&n| t.ident(n) == Some("where")).unwrap_or(open);
        let plain =
            t.is(at, ':') && (at + 1..end).all(|n| t.ident(n).is_some() || t.is(n, ':') || t.is(n, '+'));
        if !plain {
            return;
        }
        let byte = |n: usize| t.get(n).map_or(0..0, |x| x.range.clone());
        let list = byte(at).start..byte(end - 1).end;
        let mut from = at + 1;
        for n in at + 1..=end {
            if n == end || t.is(n, '+') {
                if n > from {
                    let bound = self.push(What::Bound, from, from, n - 1, Some(id));
                    let about = BTreeSet::from([self.list[id].name.clone()]);
                    let site = &mut self.list[bound];
                    (site.name, site.about) = (t.ident(n - 1).unwrap_or_default().to_owned(), about);
                    site.list = list.clone();
                }
                from = n + 1;
            }
        }
    }

    /// Reads the items in the arms of a macro.
    fn arms(&mut self, open: usize, id: SiteId) {
        let t = self.tokens;
        let mut at = open + 1;
        while at < t.close(open) {
            let pattern = t.close(at);
            if !(t.is(pattern + 1, '=') && t.is(pattern + 2, '>')) {
                return;
            }
            let mut body = pattern + 3;
            let end = t.close(body);
            if t.is(body + 1, '{') && t.close(body + 1) + 1 == end {
                body += 1;
            }
            self.items(body + 1..t.close(body), Some(id));
            body = pattern + 3;
            at = t.close(body) + 1;
            at += usize::from(t.is(at, ';'));
        }
    }
}
