//! Tells uses of built-in macros and functions from items of the same name in the source, and finds out whether a value
//! is used in a message only.

use crate::syntax::tokens::{Kind, Tokens};
use std::collections::HashMap;
use std::ops::Range;

/// Macros whose whole argument ends in a panic's message or on stderr.
const MESSAGES: &[&str] = &["panic", "unreachable", "todo", "unimplemented", "eprint", "eprintln"];

/// Macros whose arguments from the given one on end in a panic's message.
const ASSERTIONS: &[(&str, usize)] = &[
    ("assert", 1),
    ("debug_assert", 1),
    ("assert_eq", 2),
    ("assert_ne", 2),
    ("debug_assert_eq", 2),
    ("debug_assert_ne", 2),
];

/// Macros that only make a text of their arguments.
const TEXTS: &[&str] = &["concat", "format", "format_args", "stringify"];

/// Macros and their scopes in a text.
pub struct Scopes<'t, 's> {
    tokens: &'t Tokens<'s>,
    /// For each token the bracket that encloses it.
    parents: Vec<Option<usize>>,
    /// For each name the ranges of tokens in which it means a macro of the source.
    macros: HashMap<&'s str, Vec<Range<usize>>>,
}

impl<'t, 's> Scopes<'t, 's> {
    /// Reads the scopes of a text.
    pub fn read(tokens: &'t Tokens<'s>) -> Scopes<'t, 's> {
        let mut scopes = Scopes { tokens, parents: parents(tokens), macros: HashMap::new() };
        for i in 0..tokens.len() {
            if tokens.ident(i) == Some("macro_rules") && tokens.is(i + 1, '!') {
                let Some(name) = tokens.ident(i + 2) else { continue };
                let range = scopes.textual(i);
                scopes.macros.entry(name).or_default().push(range);
            }
        }
        if scopes.macros.is_empty() {
            return scopes;
        }
        let imports = || (0..tokens.len()).filter(|&i| tokens.ident(i) == Some("use"));
        imports().for_each(|i| scopes.name_aliases(i));
        imports().for_each(|i| scopes.import(i));
        scopes
    }

    /// The scope of the `macro_rules!` at token `i`: from there to the end of the enclosing block or module, and on to the
    /// end of the module around it if that is marked `#[macro_use]`.
    fn textual(&self, i: usize) -> Range<usize> {
        let mut open = self.parents[i];
        while let Some(at) = open.filter(|&at| self.passes_macros_on(at)) {
            open = self.parents[at];
        }
        i..open.map_or(self.tokens.len(), |open| self.tokens.close(open))
    }

    /// Whether the brace at `open` belongs to a module with `#[macro_use]`.
    fn passes_macros_on(&self, open: usize) -> bool {
        let t = self.tokens;
        if open < 2 || t.ident(open - 2) != Some("mod") {
            return false;
        }
        let mut at = open - 2;
        // Visibility and attributes precede.
        while at > 0 {
            let before = at - 1;
            if t.ident(before) == Some("pub") {
                at = before;
            } else if t.is(before, ')') {
                match self.opening(before) {
                    Some(bracket) if bracket > 0 && t.ident(bracket - 1) == Some("pub") => at = bracket - 1,
                    _ => return false,
                }
            } else if t.is(before, ']') {
                let Some(bracket) = self.opening(before).filter(|&b| b > 0 && t.is(b - 1, '#')) else {
                    return false;
                };
                if t.ident(bracket + 1) == Some("macro_use") {
                    return true;
                }
                at = bracket - 1;
            } else {
                return false;
            }
        }
        false
    }

    fn opening(&self, close: usize) -> Option<usize> {
        (0..close).rev().find(|&i| {
            matches!(self.tokens.get(i).map(|t| t.kind), Some(Kind::Open(_))) && self.tokens.close(i) == close
        })
    }

    /// Adds the names that the `use` at token `i` gives to macros of the source, still without their scopes.
    fn name_aliases(&mut self, i: usize) {
        let t = self.tokens;
        let Some(end) = (i..t.len()).find(|&j| t.is(j, ';')) else { return };
        for j in i + 3..end {
            let is_own = t.ident(j - 2).is_some_and(|name| self.macros.contains_key(name));
            if let Some(alias) = t.ident(j).filter(|_| is_own && t.ident(j - 1) == Some("as")) {
                self.macros.entry(alias).or_default();
            }
        }
    }

    /// Adds what the `use` at token `i` imports under the name of a macro of the source.
    fn import(&mut self, i: usize) {
        let t = self.tokens;
        let Some(end) = (i..t.len()).find(|&j| t.is(j, ';')) else { return };
        if matches!(t.ident(i + 1), Some("std" | "core" | "alloc")) {
            return;
        }
        let scope = self.parents[i].map_or(0..t.len(), |open| open..t.close(open));
        for j in i + 1..end {
            let Some(name) = t.ident(j) else { continue };
            let is_leaf = t.is(j + 1, ';') || t.is(j + 1, ',') || t.is(j + 1, '}');
            if is_leaf {
                if let Some(ranges) = self.macros.get_mut(name) {
                    ranges.push(scope.clone());
                }
            }
        }
    }

    /// Whether the macro invoked by name at token `i` is the built-in one.
    pub fn is_builtin_macro(&self, i: usize) -> bool {
        let (t, Some(name)) = (self.tokens, self.tokens.ident(i)) else { return false };
        let Some(ranges) = self.macros.get(name) else { return true };
        if i > 2 && t.colons(i - 2) {
            return matches!(t.ident(i - 3), Some("std" | "core"));
        }
        !ranges.iter().any(|range| range.contains(&i))
    }

    /// Whether token `i` is the last part of a path or an import whose part before it is `module`: `any::type_name`,
    /// `use std::any::{TypeId, type_name}`.
    pub fn is_in(&self, i: usize, module: &str) -> bool {
        let t = self.tokens;
        let follows = |at: usize| at > 2 && t.colons(at - 2) && t.ident(at - 3) == Some(module);
        follows(i) || self.parents[i].is_some_and(|open| t.is(open, '{') && follows(open))
    }

    /// Whether anything is imported from a module by `*`.
    pub fn has_glob(&self, module: &str) -> bool {
        (0..self.tokens.len()).any(|i| self.tokens.is(i, '*') && self.is_in(i, module))
    }

    /// Whether the value at token `i` can end only in a panic's message or on stderr: it is an argument of `panic!`,
    /// `eprintln!`, an assertion's message or `expect`, with nothing between them but parentheses and `format!`.
    pub fn is_only_said(&self, i: usize) -> bool {
        let t = self.tokens;
        let mut at = i;
        while let Some(open) = self.parents[at] {
            let invoked = (open > 1 && t.is(open - 1, '!')).then(|| t.ident(open - 2)).flatten();
            match invoked {
                Some(name) => {
                    if !self.is_builtin_macro(open - 2) {
                        return false;
                    }
                    if MESSAGES.contains(&name) {
                        return true;
                    }
                    if let Some((_, first)) = ASSERTIONS.iter().find(|(assertion, _)| *assertion == name) {
                        return self.commas(open, at) >= *first;
                    }
                    if !TEXTS.contains(&name) {
                        return false;
                    }
                }
                None if !t.is(open, '(') => return false,
                None if open > 0 && t.ident(open - 1).is_some() => {
                    return open > 1 && t.ident(open - 1) == Some("expect") && t.is(open - 2, '.');
                }
                // A closure or another call could do anything with it.
                None if open > 0 && (t.is(open - 1, '>') || t.is(open - 1, ')') || t.is(open - 1, ']')) => {
                    return false
                }
                None => {}
            }
            at = open;
        }
        false
    }

    /// The commas directly in the bracket at `open`, before token `end`.
    fn commas(&self, open: usize, end: usize) -> usize {
        (open + 1..end).filter(|&j| self.tokens.is(j, ',') && self.parents[j] == Some(open)).count()
    }
}

fn parents(tokens: &Tokens<'_>) -> Vec<Option<usize>> {
    let (mut out, mut open) = (Vec::with_capacity(tokens.len()), Vec::new());
    for i in 0..tokens.len() {
        if matches!(tokens.get(i).map(|t| t.kind), Some(Kind::Close(_))) {
            open.pop();
        }
        out.push(open.last().copied());
        if matches!(tokens.get(i).map(|t| t.kind), Some(Kind::Open(_))) {
            open.push(i);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether each `line!` of a text is the built-in one.
    fn builtin(source: &str) -> Vec<bool> {
        let tokens = Tokens::read(source).unwrap();
        let scopes = Scopes::read(&tokens);
        let invoked = |&i: &usize| {
            tokens.ident(i) == Some("line") && tokens.is(i + 1, '!') && !tokens.is(i.wrapping_sub(1), '!')
        };
        (0..tokens.len()).filter(invoked).map(|i| scopes.is_builtin_macro(i)).collect()
    }

    #[test]
    fn macros_of_the_source_have_scopes() {
        for (source, expected) in [
            ("fn f() { line!() }", vec![true]),
            ("fn f() { line!() } macro_rules! line { () => {1} } fn g() { line!() }", vec![true, false]),
            ("mod m { macro_rules! line { () => {1} } fn g() { line!() } } fn f() { line!() }", vec![false, true]),
            ("#[macro_use] pub(crate) mod m { macro_rules! line { () => {1} } } fn f() { line!() }", vec![false]),
            ("#[macro_use] mod m { mod n { macro_rules! line { () => {1} } } } fn f() { line!() }", vec![true]),
            ("fn f() { { macro_rules! line { () => {1} } line!(); } line!() }", vec![false, true]),
            ("macro_rules! line { () => {1} } fn f() { std::line!(); core::line!(); crate::line!() }", vec![true, true, false]),
            ("mod m { macro_rules! line { () => {1} } pub(crate) use line; } mod n { use crate::m::line; fn f() { line!() } }", vec![false]),
        ] {
            assert_eq!(builtin(source), expected, "{source}");
        }
    }

    /// Whether each `line!` of a function's body is only said.
    fn said(body: &str) -> Vec<bool> {
        let source = format!("fn f() {{ {body} }}");
        let tokens = Tokens::read(&source).unwrap();
        let scopes = Scopes::read(&tokens);
        let invoked = |&i: &usize| tokens.ident(i) == Some("line") && tokens.is(i + 1, '!');
        (0..tokens.len()).filter(invoked).map(|i| scopes.is_only_said(i)).collect()
    }

    #[test]
    fn messages_are_told_from_values() {
        for (body, expected) in [
            ("panic!(\"{}\", line!())", vec![true]),
            ("std::panic!(\"{}\", line!())", vec![true]),
            ("x.unwrap_or_else(|e| panic!(\"{} {e}\", line!()))", vec![true]),
            ("eprintln!(\"{}\", format!(\"{}\", (line!() + 1)))", vec![true]),
            ("x.expect(concat!(\"at \", line!()))", vec![true]),
            ("assert!(line!() > 3, \"{}\", line!())", vec![false, true]),
            ("assert_eq!(1, line!(), \"{}\", line!())", vec![false, true]),
            ("println!(\"{}\", line!())", vec![false]),
            ("let x = line!();", vec![false]),
            ("eprintln!(\"{}\", keep(line!()))", vec![false]),
            ("eprintln!(\"{}\", { X = line!(); 1 })", vec![false]),
            ("eprintln!(\"{}\", [1, 2][line!()])", vec![false]),
            ("expect(line!())", vec![false]),
            ("panic!(\"{}\", x.get::<u8>(line!()))", vec![false]),
        ] {
            assert_eq!(said(body), expected, "{body}");
        }
    }
}
