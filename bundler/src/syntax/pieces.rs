//! Tokens with their brackets, and whether they are part of a macro.

use crate::syntax::tokens::{Kind, Tokens};
use std::ops::Range;

/// The index that stands for "outside all brackets".
pub const OUTSIDE: usize = usize::MAX;

/// A token with its brackets.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Kind of piece.
    pub kind: Kind,
    /// Range in the text.
    pub range: Range<usize>,
    /// The opening bracket around it, or [`OUTSIDE`]; for a bracket, the one around the pair.
    pub around: usize,
    /// For a bracket its partner, otherwise the token itself.
    pub partner: usize,
    /// Whether it is in a macro's arguments or definition, or in an attribute.
    pub in_macro: bool,
}

/// The pieces of a text.
pub struct Pieces<'a> {
    /// The text.
    pub source: &'a str,
    /// Tokens in order.
    pub list: Vec<Piece>,
}

/// Keywords after which `!` is an operator, not part of a macro call.
const OPERATORS_FOLLOW: &[&str] = &["if", "while", "return", "match", "in", "else", "break", "move", "as"];

impl<'a> Pieces<'a> {
    /// Matches the brackets of a text.
    pub fn new(source: &'a str, tokens: &Tokens<'a>) -> Pieces<'a> {
        let mut list: Vec<Piece> = Vec::with_capacity(tokens.len());
        let mut open: Vec<usize> = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            let closed = if matches!(token.kind, Kind::Close(_)) { open.pop() } else { None };
            let around = open.last().copied().unwrap_or(OUTSIDE);
            let inherited = list.get(around).is_some_and(|p| p.in_macro);
            let in_macro = inherited || matches!(token.kind, Kind::Open(_)) && is_macro(tokens, i);
            list.push(Piece { kind: token.kind, range: token.range.clone(), around, partner: i, in_macro });
            if let Some(o) = closed {
                list[i].partner = o;
                list[i].in_macro = list[o].in_macro;
                list[o].partner = i;
            }
            if matches!(token.kind, Kind::Open(_)) {
                open.push(i);
            }
        }
        Pieces { source, list }
    }

    /// The characters of piece `i`; empty past the end.
    pub fn text(&self, i: usize) -> &'a str {
        self.list.get(i).map_or("", |p| &self.source[p.range.clone()])
    }

    /// Whether piece `i` is this punctuation or bracket.
    pub fn is(&self, i: usize, c: char) -> bool {
        self.list
            .get(i)
            .is_some_and(|p| matches!(p.kind, Kind::Punct(x) | Kind::Open(x) | Kind::Close(x) if x == c))
    }

    /// Whether piece `i` opens a bracket.
    pub fn opens(&self, i: usize) -> bool {
        self.list.get(i).is_some_and(|p| matches!(p.kind, Kind::Open(_)))
    }

    /// Whether piece `i` closes a bracket.
    pub fn closes(&self, i: usize) -> bool {
        self.list.get(i).is_some_and(|p| matches!(p.kind, Kind::Close(_)))
    }

    /// Whether piece `i` is the closing bracket of an attribute.
    pub fn ends_attribute(&self, i: usize) -> bool {
        let Some(open) = self.list.get(i).filter(|_| self.is(i, ']')).map(|p| p.partner) else {
            return false;
        };
        let before = |k: usize, c| open.checked_sub(k).is_some_and(|j| self.is(j, c));
        before(1, '#') || before(1, '!') && before(2, '#')
    }

    /// Whether the bracket at `i` holds the body of a module.
    pub fn is_module(&self, i: usize) -> bool {
        self.is(i, '{') && i >= 2 && self.text(i - 2) == "mod"
    }

    /// The range between piece `i` and the one before.
    pub fn gap(&self, i: usize) -> Range<usize> {
        let start = i.checked_sub(1).and_then(|j| self.list.get(j)).map_or(0, |p| p.range.end);
        let end = self.list.get(i).map_or(self.source.len(), |p| p.range.start);
        start..end
    }
}

/// Whether the bracket at `i` holds a macro's arguments or rules, or an attribute.
fn is_macro(tokens: &Tokens<'_>, i: usize) -> bool {
    let before = |k: usize| i.checked_sub(k);
    let is = |k, c| before(k).is_some_and(|j| tokens.is(j, c));
    let name = |k| before(k).and_then(|j| tokens.ident(j)).filter(|n| !OPERATORS_FOLLOW.contains(n));
    is(1, '#')
        || is(1, '!') && (is(2, '#') || name(2).is_some())
        || name(1).is_some() && is(2, '!') && name(3) == Some("macro_rules")
}
