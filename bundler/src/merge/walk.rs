//! Rewrites a crate's paths in one pass over all its tokens, macro bodies included.

use crate::merge::macros::User;
use crate::merge::uses::{Body, Reader, STARTS};
use crate::syntax::scopes::Scopes;
use crate::syntax::tokens::{raw, Kind, Tokens};
use std::collections::BTreeSet;
use std::ops::Range;

const SHOWN: &str = "a macro turns this path into text, which would show a module of the bundle.
  Instead, import the name with `use` and pass only the name to the macro.";
const SEVERAL: &str =
    "`crate` in an exported macro refers to the crate that uses it, but several crates use it.
  Instead, write `$crate` for the macro's own crate, or pass the path to the macro as an argument.";

/// Keywords after which `::x` starts a path.
const BEFORE_A_PATH: &[&str] = &[
    "as", "use", "return", "in", "dyn", "impl", "mut", "else", "match", "if", "where", "for", "let", "ref",
    "move", "while", "break", "const", "unsafe", "pub",
];

/// The pass over all tokens.
pub struct Walk<'a, 'b> {
    tokens: &'a Tokens<'a>,
    /// The ranges of macro arguments that the macro turns into text.
    shown: Vec<Range<usize>>,
    /// Crate names already imported, with the module.
    imported: BTreeSet<(usize, String)>,
    scopes: &'a Scopes,
    reader: &'a mut Reader<'b>,
}

impl<'a, 'b> Walk<'a, 'b> {
    /// Prepares the pass.
    pub fn new(tokens: &'a Tokens<'a>, scopes: &'a Scopes, reader: &'a mut Reader<'b>) -> Walk<'a, 'b> {
        let shown = reader.job.known.shown(tokens);
        Walk { tokens, shown, imported: BTreeSet::new(), scopes, reader }
    }

    /// Rewrites all paths.
    pub fn paths(mut self) {
        let mut verbatim = 0;
        for i in 0..self.tokens.len() {
            if i < verbatim {
                continue;
            }
            if self.tokens.text(i) == "stringify" && self.tokens.is(i + 1, '!') {
                verbatim = self.tokens.close(i + 2);
            }
            let Some(name) = self.tokens.ident(i) else {
                continue;
            };
            let declared = self.tokens.text(self.before(i, 1)) == "extern";
            if declared && self.tokens.text(i) == "crate" {
                // A crate that cannot be bundled; refused if live code needs it.
            } else if self.tokens.text(i) == "crate" {
                self.rewrite_crate(i);
            } else if self.is_own_name(i, name) {
                let root = self.reader.root();
                let root = root.trim_end_matches("::");
                self.reader.edits.replace(self.start(i - 2)..self.end(i), root);
            } else if self.tokens.colons(i + 1) && self.is_crate(name) {
                self.rewrite_dependency(i, name);
            } else if self.tokens.is(i + 1, '!') {
                self.rewrite_invocation(i, name);
            } else if self.reader.job.from_root {
                self.rewrite_leading(i, name);
            }
        }
    }

    /// Whether a macro of the library names the library itself as its users would: `::lib::f`.
    fn is_own_name(&self, i: usize, name: &str) -> bool {
        self.reader.job.own.as_deref() == Some(name)
            && self.tokens.colons(i + 1)
            && self.tokens.colons(self.before(i, 2))
            && !self.continues(i)
            && !self.is_crate(name)
            && self.body(self.start(i)).is_some()
    }

    fn is_crate(&self, name: &str) -> bool {
        self.reader.aliases.contains_key(name) || self.reader.job.refused.contains_key(name)
    }

    fn start(&self, i: usize) -> usize {
        self.tokens.get(i).map_or(0, |t| t.range.start)
    }

    fn end(&self, i: usize) -> usize {
        self.tokens.get(i).map_or(0, |t| t.range.end)
    }

    fn before(&self, i: usize, back: usize) -> usize {
        // An index past the end stands for no token.
        i.checked_sub(back).unwrap_or(usize::MAX - 8)
    }

    fn body(&self, at: usize) -> Option<&Body> {
        self.reader.bodies.iter().find(|b| b.range.contains(&at))
    }

    fn rewrite_crate(&mut self, i: usize) {
        let (start, end) = (self.start(i), self.end(i));
        let dollar = self.tokens.is(self.before(i, 1), '$');
        let exported = self.body(start).filter(|b| b.exported).map(|b| b.name.clone());
        if let (Some(name), false) = (exported, dollar) {
            self.rewrite_user_crate(i, &name);
            return;
        }
        let Some(module) = self.reader.job.module else {
            return;
        };
        let path = format!("crate::{}", raw(module));
        let restricted = self.tokens.is(self.before(i, 1), '(')
            && self.tokens.is(i + 1, ')')
            && self.tokens.text(self.before(i, 2)) == "pub";
        if !restricted {
            if !dollar && self.is_shown(start) {
                // The replaced token loses its origin, so the refusal points to the next segment.
                self.reader.refused.push((self.start(i + 3), SHOWN.into()));
            }
            self.reader.edits.replace(start..end, path);
        } else if self.body(start).is_some() || self.reader.calls.iter().any(|c| c.contains(&start)) {
            // The module in which the macro is expanded is unknown.
            self.reader.edits.replace(start..end, format!("in {path}"));
        } else {
            self.rewrite_visibility(i, &path);
        }
    }

    /// Rewrites `pub(crate)` to the shortest visibility of the crate's module.
    fn rewrite_visibility(&mut self, i: usize, path: &str) {
        let (start, end) = (self.start(i), self.end(i));
        match self.scopes.depth(start) {
            0 => {
                let next = self.tokens.get(i + 2).map_or(end, |t| t.range.start);
                self.reader.edits.delete(self.start(i - 2)..next);
            }
            1 => self.reader.edits.replace(start..end, "super"),
            _ => self.reader.edits.replace(start..end, format!("in {path}")),
        }
    }

    /// Rewrites `crate` in an exported macro, which refers to the crate that uses the macro.
    fn rewrite_user_crate(&mut self, i: usize, name: &str) {
        let (start, end) = (self.start(i), self.end(i));
        match self.reader.job.known.user(name) {
            User::One(Some(module)) => {
                self.reader.edits.replace(start..end, format!("crate::{}", raw(module)))
            }
            User::One(None) | User::Nobody => {}
            User::Several => self.reader.refused.push((start, SEVERAL.into())),
        }
    }

    fn is_shown(&self, at: usize) -> bool {
        self.shown.iter().any(|r| r.contains(&at))
    }

    fn rewrite_dependency(&mut self, i: usize, name: &str) {
        let at = self.start(i);
        let prev = self.before(i, 1);
        if ['.', '$', '\''].iter().any(|&c| self.tokens.is(prev, c)) {
            return;
        }
        let in_use = self.reader.uses.iter().any(|u| u.contains(&at));
        let leading = self.tokens.colons(self.before(i, 2));
        if leading && self.continues(i) {
            return;
        }
        if in_use && !self.reader.roots.contains(&at) {
            return;
        }
        if !leading && self.scopes.shadows(name, at) {
            return;
        }
        let from = if leading { self.start(i - 2) } else { at };
        let to = self.end(i);
        let Some(target) = self.reader.aliases.get(name).cloned() else {
            if let Some(why) = self.reader.job.refused.get(name) {
                self.reader.refused.push((at, why.clone()));
            }
            return;
        };
        if self.is_shown(at) && !in_use {
            self.import(name, at, leading, &target);
        } else if target != format!("::{}", raw(name)) || self.reader.job.from_root {
            self.reader.edits.replace(from..to, target);
        }
    }

    /// Imports a crate's name into the module around the byte `at`, so that the path there can stay.
    fn import(&mut self, name: &str, at: usize, leading: bool, target: &str) {
        let name = raw(name);
        let (module, body) = self.scopes.module_at(at);
        if leading {
            self.reader.refused.push((at, SHOWN.into()));
        } else if (module == 0 && self.reader.job.module.is_none() && *target == format!("crate::{name}"))
            || !self.imported.insert((module, name.clone()))
        {
            // It is already imported.
        } else {
            let from =
                if target.ends_with(&format!("::{name}")) { String::new() } else { format!(" as {name}") };
            self.reader.edits.insert(body, format!("use {target}{from};\n"));
        }
    }

    /// Whether the `::` before token `i` continues a path.
    fn continues(&self, i: usize) -> bool {
        let before = self.before(i, 3);
        match self.tokens.get(before).map(|t| t.kind) {
            Some(Kind::Ident) => !BEFORE_A_PATH.contains(&self.tokens.text(before)),
            Some(Kind::Punct('>')) => {
                let is_arrow = ['-', '='].iter().any(|&c| {
                    let arrow = self.before(i, 4);
                    self.tokens.is(arrow, c) && self.end(arrow) == self.start(before)
                });
                !is_arrow && !self.closes_parameters(before)
            }
            _ => false,
        }
    }

    /// Whether the `>` at token `i` ends the parameters of `impl<T>` or `for<'a>`.
    fn closes_parameters(&self, i: usize) -> bool {
        let mut depth = 0_usize;
        for n in (0..=i).rev() {
            let is_arrow = |n: usize| n > 0 && (self.tokens.is(n - 1, '-') || self.tokens.is(n - 1, '='));
            if self.tokens.is(n, '>') && !is_arrow(n) {
                depth += 1;
            } else if self.tokens.is(n, '<') {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return n > 0 && matches!(self.tokens.text(n - 1), "impl" | "for");
                }
            }
            if matches!(self.tokens.get(n).map(|t| t.kind), Some(Kind::Punct(';') | Kind::Open('{'))) {
                break;
            }
        }
        false
    }

    /// Rewrites a leading `::name` of edition 2015, outside `use`.
    fn rewrite_leading(&mut self, i: usize, name: &str) {
        let at = self.start(i);
        let in_use = self.reader.uses.iter().any(|u| u.contains(&at));
        if !in_use && self.tokens.colons(self.before(i, 2)) && !self.continues(i) && !STARTS.contains(&name) {
            let root = self.reader.root();
            self.reader.edits.replace(self.start(i - 2)..at, root);
        }
    }

    fn rewrite_invocation(&mut self, i: usize, name: &str) {
        let at = self.start(i);
        let prev = self.before(i, 1);
        if self.tokens.is(prev, ':') || self.tokens.is(prev, '$') {
            return;
        }
        if !matches!(self.tokens.get(i + 2).map(|t| t.kind), Some(Kind::Open(_))) {
            return;
        }
        if let Some(target) = self.reader.macro_use.get(name) {
            if !self.reader.local_macros.contains(name) {
                let (range, target) = (at..self.end(i), target.clone());
                self.reader.edits.replace(range, target);
            }
        } else if let Some(module) = self.reader.job.module {
            let body = self.body(at);
            let is_sibling = || self.reader.macros.iter().any(|m| m == name);
            let inner = body.is_some_and(|b| b.inner);
            // Otherwise the name is looked up where the macro is used; `#[macro_use]` finds the sibling there.
            let by_users =
                || body.is_some_and(|b| b.exported) && self.reader.job.known.is_seen_by_users(name);
            if is_sibling() && (inner || by_users()) {
                self.reader.edits.insert(at, format!("$crate::{}::", raw(module)));
            }
        }
    }
}
