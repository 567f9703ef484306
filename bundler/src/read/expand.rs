//! Expands an invocation of a `macro_rules!`, to see the modules that it declares.
//!
//! As rustc does it (The Rust Reference, "Macros by example"), with two exceptions that make an expansion fail: `stmt`
//! fragments, and a repetition that has to give back what it took.

use crate::syntax::text::Text;
use crate::syntax::tokens::{Kind, Tokens};
use std::collections::BTreeMap;
use std::ops::Range;
use syn::parse::{Parse, ParseStream, Parser};

/// Punctuation that is one token for a macro.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "^=", "&=", "|=", "<<", ">>", "..",
];

/// The text that an invocation of the macro with these arguments stands for; `None` if no rule matches.
pub fn expand(definition: &Text, arguments: &Text) -> Option<Text> {
    let definition_tokens = Tokens::read(definition.as_str()).ok()?;
    let tokens = Tokens::read(arguments.as_str()).ok()?;
    let rules = rules(&definition_tokens)?;
    let nested = nested(&definition_tokens);
    let expansion = Expansion { rules: &definition_tokens, nested, definition, tokens: &tokens, arguments };
    rules.into_iter().find_map(|(pattern, body)| {
        let mut bound = Bound::new();
        let end = expansion.matched(pattern, 0..tokens.len(), &mut bound)?;
        let mut out = Text::default();
        (end == tokens.len()).then(|| expansion.write(body, &bound, &mut out))??;
        Some(out)
    })
}

/// The patterns and bodies of a `macro_rules!`, as ranges of tokens without their brackets.
fn rules(tokens: &Tokens<'_>) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let open = (0..tokens.len()).find(|&i| matches!(tokens.get(i).map(|t| t.kind), Some(Kind::Open(_))))?;
    let (mut i, end) = (open + 1, tokens.close(open));
    let mut rules = Vec::new();
    while i < end {
        let pattern = i + 1..tokens.close(i);
        let body = pattern.end + 3;
        rules.push((pattern, body + 1..tokens.close(body)));
        i = tokens.close(body) + 1;
        i += usize::from(tokens.is(i, ';'));
    }
    Some(rules)
}

/// The values of a pattern's names.
type Bound = BTreeMap<String, Value>;

/// The value of a name.
#[derive(Clone, Debug)]
enum Value {
    /// A range of bytes of the arguments.
    One(Range<usize>),
    /// One for each turn of a repetition.
    Many(Vec<Value>),
}

/// A `$(…) separator operator`.
struct Repetition<'a> {
    inner: Range<usize>,
    separator: Option<&'a str>,
    operator: &'a str,
    /// The token after it.
    end: usize,
}

/// The tokens of definitions of macros within bodies: a `$crate` there means the same, and stays.
fn nested(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
    let is_definition = |i: &usize| tokens.ident(*i) == Some("macro_rules") && tokens.is(i + 1, '!');
    // The first is the definition itself.
    (0..tokens.len()).filter(is_definition).skip(1).map(|i| i..tokens.close(i + 3)).collect()
}

struct Expansion<'a, 's> {
    rules: &'a Tokens<'s>,
    nested: Vec<Range<usize>>,
    definition: &'a Text,
    tokens: &'a Tokens<'s>,
    arguments: &'a Text,
}

impl<'s> Expansion<'_, 's> {
    /// The repetition whose `$` is at token `i` of the rules.
    fn repetition(&self, i: usize) -> Option<Repetition<'s>> {
        if !self.rules.is(i, '$') || !self.rules.is(i + 1, '(') {
            return None;
        }
        let close = self.rules.close(i + 1);
        let is_operator = |j| ["*", "+", "?"].contains(&self.rules.text(j));
        let (separator, operator) = match is_operator(close + 1) {
            true => (None, close + 1),
            false => (Some(self.rules.text(close + 1)), close + 2),
        };
        let operator_text = self.rules.text(operator);
        is_operator(operator).then(|| Repetition {
            inner: i + 2..close,
            separator,
            operator: operator_text,
            end: operator + 1,
        })
    }

    /// Matches a pattern with tokens of the arguments; returns the first token that it leaves.
    fn matched(&self, pattern: Range<usize>, arguments: Range<usize>, bound: &mut Bound) -> Option<usize> {
        let (mut i, mut at, end) = (pattern.start, arguments.start, arguments.end);
        while i < pattern.end {
            if let Some(repetition) = self.repetition(i) {
                at = self.repeated(&repetition, at..end, bound)?;
                i = repetition.end;
                continue;
            }
            if self.rules.is(i, '$') && self.rules.is(i + 2, ':') {
                let next = self.fragment(self.rules.text(i + 3), at..end)?;
                bound.insert(self.rules.text(i + 1).to_owned(), Value::One(self.bytes(at..next)));
                (i, at) = (i + 4, next);
                continue;
            }
            let (wanted, got) = (self.rules.get(i)?, self.tokens.get(at).filter(|_| at < end)?);
            if wanted.kind != got.kind || self.rules.text(i) != self.tokens.text(at) {
                return None;
            }
            if let Kind::Open(_) = wanted.kind {
                let (inner, close) = (i + 1..self.rules.close(i), self.tokens.close(at));
                let matched = self.matched(inner.clone(), at + 1..close, bound)?;
                (i, at) = (inner.end + 1, close + 1);
                if matched != close {
                    return None;
                }
            } else {
                (i, at) = (i + 1, at + 1);
            }
        }
        Some(at)
    }

    fn repeated(
        &self,
        repetition: &Repetition<'_>,
        arguments: Range<usize>,
        bound: &mut Bound,
    ) -> Option<usize> {
        let (mut at, end) = (arguments.start, arguments.end);
        let mut turns: Vec<Bound> = Vec::new();
        while repetition.operator != "?" || turns.is_empty() {
            let mut from = at;
            if let Some(separator) = repetition.separator.filter(|_| !turns.is_empty()) {
                if self.tokens.text(at) != separator {
                    break;
                }
                from += 1;
            }
            let mut turn = Bound::new();
            match self.matched(repetition.inner.clone(), from..end, &mut turn) {
                Some(next) if next > from => at = next,
                _ => break,
            }
            turns.push(turn);
        }
        if repetition.operator == "+" && turns.is_empty() {
            return None;
        }
        for name in self.names(repetition.inner.clone()) {
            let values = turns.iter_mut().filter_map(|turn| turn.remove(name)).collect();
            bound.insert(name.to_owned(), Value::Many(values));
        }
        Some(at)
    }

    /// The names that a pattern binds, or that a body uses.
    fn names(&self, range: Range<usize>) -> impl Iterator<Item = &'s str> + '_ {
        range.filter(|&i| self.rules.is(i, '$')).filter_map(|i| self.rules.ident(i + 1))
    }

    /// The end of a fragment that begins at the first of these tokens.
    fn fragment(&self, kind: &str, arguments: Range<usize>) -> Option<usize> {
        let (tokens, at, end) = (self.tokens, arguments.start, arguments.end);
        let first = tokens.get(at).filter(|_| at < end);
        if kind == "vis" {
            let scopes = ["crate", "self", "super", "in"];
            return Some(match tokens.ident(at).filter(|_| at < end) {
                Some("pub") if tokens.is(at + 1, '(') && scopes.contains(&tokens.text(at + 2)) => {
                    tokens.close(at + 1) + 1
                }
                Some("pub") => at + 1,
                _ => at,
            });
        }
        let first = first?;
        match kind {
            "ident" => (first.kind == Kind::Ident && tokens.text(at) != "_").then_some(at + 1),
            "lifetime" => tokens.is(at, '\'').then_some(at + 2),
            "block" => tokens.is(at, '{').then(|| tokens.close(at) + 1),
            "literal" => {
                let at = at + usize::from(tokens.is(at, '-'));
                let is_literal =
                    tokens.get(at)?.kind == Kind::Literal || ["true", "false"].contains(&tokens.text(at));
                is_literal.then_some(at + 1)
            }
            "tt" => Some(match first.kind {
                Kind::Open(_) => tokens.close(at) + 1,
                Kind::Punct('\'') => at + 2,
                Kind::Punct(_) => {
                    let rest = &tokens.source()[first.range.start..];
                    at + OPERATORS.iter().find(|o| rest.starts_with(**o)).map_or(1, |o| o.len())
                }
                _ => at + 1,
            }),
            "item" => self.parsed(arguments, <syn::Item as Parse>::parse),
            "ty" => self.parsed(arguments, <syn::Type as Parse>::parse),
            "path" => self.parsed(arguments, <syn::Path as Parse>::parse),
            "expr" | "expr_2021" => self.parsed(arguments, <syn::Expr as Parse>::parse),
            "meta" => self.parsed(arguments, <syn::Meta as Parse>::parse),
            "pat" => self.parsed(arguments, syn::Pat::parse_multi_with_leading_vert),
            "pat_param" => self.parsed(arguments, syn::Pat::parse_single),
            _ => None,
        }
    }

    /// The end of what a parser takes of these tokens.
    fn parsed<T>(
        &self,
        arguments: Range<usize>,
        parse: fn(ParseStream<'_>) -> syn::Result<T>,
    ) -> Option<usize> {
        let bytes = self.bytes(arguments.clone());
        let taken = |input: ParseStream<'_>| {
            parse(input)?;
            let rest = input.parse::<proc_macro2::TokenStream>()?;
            Ok(rest.into_iter().next().map(|token| token.span().byte_range().start))
        };
        let rest = taken.parse_str(&self.tokens.source()[bytes.clone()]).ok()?;
        Some(rest.map_or(arguments.end, |at| self.tokens.first_from(bytes.start + at)))
    }

    /// The bytes of some tokens of the arguments.
    fn bytes(&self, tokens: Range<usize>) -> Range<usize> {
        let start = self.tokens.get(tokens.start).map_or(self.tokens.source().len(), |t| t.range.start);
        let last = tokens.end.checked_sub(1).filter(|_| !tokens.is_empty());
        start..last.and_then(|i| self.tokens.get(i)).map_or(start, |t| t.range.end)
    }

    /// Writes a body with the values of its names.
    fn write(&self, body: Range<usize>, bound: &Bound, out: &mut Text) -> Option<()> {
        let mut i = body.start;
        let mut last_end = None;
        while i < body.end {
            if let Some(repetition) = self.repetition(i) {
                self.write_all(&repetition, bound, out)?;
                (i, last_end) = (repetition.end, None);
                continue;
            }
            let name = self.rules.ident(i + 1).filter(|_| self.rules.is(i, '$'));
            let value = name.and_then(|name| bound.get(name));
            let is_crate = name == Some("crate") && !self.nested.iter().any(|range| range.contains(&i));
            if is_crate || value.is_some() {
                out.push_str(" ");
                match value {
                    Some(Value::One(range)) => self.write_argument(range.clone(), out),
                    Some(Value::Many(_)) => return None,
                    None => out.push_str("crate"),
                }
                (i, last_end) = (i + 2, None);
                continue;
            }
            let token = self.rules.get(i)?;
            if last_end != Some(token.range.start) {
                out.push_str(" ");
            }
            out.push(&self.definition.slice(token.range.clone()));
            last_end = Some(token.range.end);
            if token.kind == Kind::Doc {
                out.push_str("\n");
            }
            i += 1;
        }
        Some(())
    }

    fn write_argument(&self, range: Range<usize>, out: &mut Text) {
        let text = self.arguments.slice(range);
        out.push(&text);
        // The text after it isn't part of a doc comment.
        if text.as_str().contains("//") {
            out.push_str("\n");
        }
    }

    fn write_all(&self, repetition: &Repetition<'_>, bound: &Bound, out: &mut Text) -> Option<()> {
        let many = |name| match bound.get(name) {
            Some(Value::Many(values)) => Some(values.len()),
            _ => None,
        };
        let turns = self.names(repetition.inner.clone()).find_map(many)?;
        for turn in 0..turns {
            if let Some(separator) = repetition.separator.filter(|_| turn > 0) {
                out.push_str(separator);
            }
            let mut inner = bound.clone();
            for name in self.names(repetition.inner.clone()) {
                if let Some(Value::Many(values)) = bound.get(name) {
                    inner.insert(name.to_owned(), values.get(turn)?.clone());
                }
            }
            self.write(repetition.inner.clone(), &inner, out)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_space(text: &str) -> String {
        text.split_whitespace().collect()
    }

    fn expanded(definition: &str, arguments: &str) -> Option<String> {
        let out = expand(&Text::generated(definition), &Text::generated(arguments))?;
        Some(without_space(out.as_str()))
    }

    fn expands(definition: &str, arguments: &str, to: &str) {
        assert_eq!(expanded(definition, arguments), Some(without_space(to)));
    }

    #[test]
    fn invocations_are_expanded_as_rustc_does() {
        let list = "macro_rules! m { ($($n:ident),* $(,)?) => { $(mod $n; pub use $n::*;)* } }";
        expands(list, "a, b,", "mod a; pub use a ::*; mod b; pub use b ::*;");
        expands(list, "", "");
        assert_eq!(expanded(list, "a b"), None);
        let two = "macro_rules! m { ($v:vis $n:ident) => { mod $n; $v use $n::*; };
            ($v:vis $n:ident { $($c:tt)* }) => { mod $n { $($c)* } $v use $n::*; }; }";
        expands(two, "pub(crate) a", "mod a; pub(crate) use a ::*;");
        expands(two, "b { x! { p::q => 1..=2 } }", "mod b { x ! { p :: q => 1 ..= 2 } } use b ::*;");
        let kinds = "macro_rules! m { ($(#[$m:meta])* $n:ident: $t:ty = $e:expr; $l:literal $p:path) => {
            $(#[$m])* mod $n; type T = $t; const C: u8 = $e; const L: u8 = $l; use $p as q; use $crate::z; } }";
        expands(
            kinds,
            "#[cfg(a)] #[b] n: Vec<[u8; 3]> = 1 + f(2); -3 a::b",
            "#[ cfg(a) ] #[ b ] mod n ; type T = Vec<[u8; 3]> ; const C: u8 = 1 + f(2) ; const L: u8 = -3 ; \
             use a::b as q; use crate ::z;",
        );
        let nested = "macro_rules! m { ($($g:ident { $($n:ident)+ })*) => { $(mod $g { $(mod $n;)+ })* } }";
        expands(nested, "a { b c } d { e }", "mod a { mod b ; mod c ; } mod d { mod e ; }");
        assert_eq!(expanded(nested, "a {}"), None);
        let defining = "macro_rules! m { ($($n:tt)*) => { macro_rules! made { $(($x:expr, $n) => { $crate::f($x) };)* } } }";
        expands(defining, "1", "macro_rules! made { ( $x:expr, 1 ) => { $crate::f( $x) }; }");
    }
}
