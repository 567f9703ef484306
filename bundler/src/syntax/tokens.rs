//! A flat list of tokens with byte ranges, in which macro bodies look like all other code.

use proc_macro2::{token_stream, LineColumn, Span, TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Ident,
    /// One character of punctuation.
    Punct(char),
    /// A literal.
    Literal,
    /// An opening bracket.
    Open(char),
    /// A closing bracket.
    Close(char),
    /// A documentation comment.
    Doc,
}

/// A token: its kind and its range.
#[derive(Clone, Debug)]
pub struct Token {
    /// Kind of token.
    pub kind: Kind,
    /// Range in the text.
    pub range: Range<usize>,
}

/// The tokens of one text; clones share them.
#[derive(Clone)]
pub struct Tokens<'a> {
    source: &'a str,
    read: Read,
}

/// The result of lexing, without the source.
#[derive(Clone)]
pub struct Read {
    list: Arc<Vec<Token>>,
    /// For each opening bracket, the index of its closing one.
    closed_by: Arc<Vec<usize>>,
}

/// An error in a text that cannot be parsed.
#[derive(Debug)]
pub struct Unreadable {
    /// The byte at which reading stopped.
    pub at: usize,
    /// The reason.
    pub why: String,
}

impl<'a> Tokens<'a> {
    /// Reads the tokens of a text.
    pub fn read(source: &'a str) -> Result<Tokens<'a>, Unreadable> {
        match recent(source) {
            Some(read) => Ok(Tokens::again(read, source)),
            None => Tokens::of(lexed(source)?, source),
        }
    }

    /// Reads the tokens of a text and parses its items.
    pub fn with_items(source: &'a str) -> Result<(Tokens<'a>, syn::File), Unreadable> {
        let stream = lexed(source)?;
        // Tokens first: this rejects text that is nested too deep to be parsed.
        let tokens = Tokens::of(stream.clone(), source)?;
        let file = syn::parse2(stream)
            .map_err(|e| Unreadable { at: e.span().byte_range().start, why: e.to_string() })?;
        Ok((tokens, file))
    }

    /// The tokens of `source`, from an earlier result.
    pub fn again(read: Read, source: &'a str) -> Tokens<'a> {
        Tokens { source, read }
    }

    /// The lexing result, to be stored next to the source.
    pub fn read_part(&self) -> Read {
        self.read.clone()
    }

    fn of(stream: TokenStream, source: &'a str) -> Result<Tokens<'a>, Unreadable> {
        let mut list = Vec::new();
        flatten(stream, source, &mut list);
        crate::syntax::depth::check(&list, source)?;
        let closed_by = Arc::new(brackets(&list));
        let read = Read { list: Arc::new(list), closed_by };
        remember(source, &read);
        Ok(Tokens { source, read })
    }

    /// The source.
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.read.list.len()
    }

    /// Whether there are no tokens.
    pub fn is_empty(&self) -> bool {
        self.read.list.is_empty()
    }

    /// The token at `i`.
    pub fn get(&self, i: usize) -> Option<&Token> {
        self.read.list.get(i)
    }

    /// All tokens.
    pub fn iter(&self) -> impl Iterator<Item = &Token> {
        self.read.list.iter()
    }

    /// The index of the first token that begins at or after a byte.
    pub fn first_from(&self, at: usize) -> usize {
        self.read.list.partition_point(|t| t.range.start < at)
    }

    /// The characters of token `i`, empty past the end.
    pub fn text(&self, i: usize) -> &'a str {
        self.read.list.get(i).map_or("", |t| &self.source[t.range.clone()])
    }

    /// The name of token `i`, without `r#`, if it is an identifier.
    pub fn ident(&self, i: usize) -> Option<&'a str> {
        let token = self.read.list.get(i)?;
        (token.kind == Kind::Ident).then(|| plain(&self.source[token.range.clone()]))
    }

    /// Whether token `i` is this punctuation or bracket.
    pub fn is(&self, i: usize, c: char) -> bool {
        self.read
            .list
            .get(i)
            .is_some_and(|t| matches!(t.kind, Kind::Punct(x) | Kind::Open(x) | Kind::Close(x) if x == c))
    }

    /// Whether tokens `i` and `i + 1` are `::`.
    pub fn colons(&self, i: usize) -> bool {
        self.is(i, ':')
            && self.is(i + 1, ':')
            && self.read.list[i].range.end == self.read.list[i + 1].range.start
    }

    /// The closing bracket of the opening one at `i`.
    pub fn close(&self, i: usize) -> usize {
        self.read.closed_by.get(i).copied().unwrap_or(self.read.list.len().saturating_sub(1))
    }
}

/// Several steps in a row read the same large text, which takes a tenth of a second each time in a debug build.
const REMEMBERED: usize = 4;
/// Smaller texts are not remembered.
const LARGE: usize = 10_000;

thread_local! {
    static RECENT: RefCell<VecDeque<(String, Read)>> = const { RefCell::new(VecDeque::new()) };
}

/// The tokens of a text that was read just before.
fn recent(source: &str) -> Option<Read> {
    RECENT.with_borrow(|all| all.iter().find(|(text, _)| text == source).map(|(_, read)| read.clone()))
}

fn remember(source: &str, read: &Read) {
    if source.len() < LARGE || recent(source).is_some() {
        return;
    }
    RECENT.with_borrow_mut(|all| {
        all.truncate(REMEMBERED - 1);
        all.push_front((source.to_owned(), read.clone()));
    });
}

fn lexed(source: &str) -> Result<TokenStream, Unreadable> {
    source.parse().map_err(|e: proc_macro2::LexError| Unreadable {
        at: e.span().byte_range().start,
        why: e.to_string(),
    })
}

fn brackets(list: &[Token]) -> Vec<usize> {
    let mut closed_by: Vec<usize> = (0..list.len()).collect();
    let mut open = Vec::new();
    for (i, token) in list.iter().enumerate() {
        match token.kind {
            Kind::Open(_) => open.push(i),
            Kind::Close(_) => {
                if let Some(at) = open.pop() {
                    closed_by[at] = i;
                }
            }
            _ => {}
        }
    }
    closed_by
}

/// A name without `r#`.
pub fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// A name as it must be written: with `r#` if it is a keyword that can be a raw identifier.
pub fn raw(name: &str) -> String {
    let keyword = syn::parse_str::<syn::Ident>(name).is_err()
        && syn::parse_str::<syn::Ident>(&format!("r#{name}")).is_ok();
    if keyword {
        format!("r#{name}")
    } else {
        name.to_owned()
    }
}

/// The line starts of a text. `Span::byte_range` looks up each place in a map that it fills lazily, which took a fifth
/// of a bundle's time; a line and column are found by bisection.
struct Lines<'a> {
    source: &'a str,
    starts: Vec<usize>,
    /// The byte after each character that is longer than a byte, and how many bytes more than characters there are up to
    /// it.
    wide: Vec<(usize, usize)>,
}

impl<'a> Lines<'a> {
    fn of(source: &'a str) -> Lines<'a> {
        let starts = std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut more = 0;
        let wide = source.char_indices().filter(|(_, c)| c.len_utf8() > 1).map(|(at, c)| {
            more += c.len_utf8() - 1;
            (at + c.len_utf8(), more)
        });
        let wide = if source.is_ascii() { Vec::new() } else { wide.collect() };
        Lines { source, starts, wide }
    }

    /// The byte at a line (from 1) and a column (characters, from 0).
    fn byte(&self, place: LineColumn) -> usize {
        let start = self.starts[place.line - 1];
        let before = self.wide.partition_point(|&(after, _)| after <= start);
        let skipped = before.checked_sub(1).map_or(0, |n| self.wide[n].1);
        // Wide characters whose end, counted in characters from the line's start, is not beyond the column.
        let wide = &self.wide[before..];
        let inside = wide.partition_point(|&(after, more)| after - start - (more - skipped) <= place.column);
        let more = inside.checked_sub(1).map_or(0, |n| wide[n].1 - skipped);
        (start + place.column + more).min(self.source.len())
    }
}

/// Flattens a token stream; iteratively, because its depth is not yet checked.
fn flatten(stream: TokenStream, source: &str, out: &mut Vec<Token>) {
    let lines = Lines::of(source);
    let bracket = |kind, span: Span| {
        let at = lines.byte(span.start());
        Token { kind, range: at..at + 1 }
    };
    let mut around: Vec<(token_stream::IntoIter, Option<Token>)> = Vec::new();
    let mut trees = stream.into_iter();
    let mut comment = None;
    loop {
        let Some(tree) = trees.next() else {
            let Some((outer, close)) = around.pop() else { return };
            out.extend(close);
            trees = outer;
            continue;
        };
        let start = lines.byte(tree.span().start());
        // A doc comment is lexed as `#[doc = "…"]`, where every token has the range of the comment.
        if comment == Some(start) {
            continue;
        }
        let whole = |kind| Token { kind, range: start..lines.byte(tree.span().end()) };
        match &tree {
            TokenTree::Ident(_) => out.push(whole(Kind::Ident)),
            TokenTree::Literal(_) => out.push(whole(Kind::Literal)),
            TokenTree::Punct(p) if p.as_char() == '#' && source[start..].starts_with('/') => {
                comment = Some(start);
                out.push(whole(Kind::Doc));
            }
            TokenTree::Punct(p) => {
                let c = p.as_char();
                out.push(Token { kind: Kind::Punct(c), range: start..start + c.len_utf8() });
            }
            TokenTree::Group(g) => {
                use proc_macro2::Delimiter::{Brace, Bracket, None as Nothing, Parenthesis};
                let brackets = match g.delimiter() {
                    Parenthesis => Some(('(', ')')),
                    Brace => Some(('{', '}')),
                    Bracket => Some(('[', ']')),
                    Nothing => None,
                };
                let close = brackets.map(|(open, close)| {
                    out.push(bracket(Kind::Open(open), g.span_open()));
                    bracket(Kind::Close(close), g.span_close())
                });
                around.push((std::mem::replace(&mut trees, g.stream().into_iter()), close));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters() {
        let source = "aé\n\nxüüy ж\n日本語z";
        let lines = Lines::of(source);
        for (number, line) in (1..).zip(source.lines()) {
            let start = line.as_ptr() as usize - source.as_ptr() as usize;
            for (column, (at, _)) in line.char_indices().enumerate() {
                assert_eq!(lines.byte(LineColumn { line: number, column }), start + at, "{number}:{column}");
            }
            let end = LineColumn { line: number, column: line.chars().count() };
            assert_eq!(lines.byte(end), start + line.len());
        }
    }

    #[test]
    fn ranges_cover_their_tokens() {
        let source = "/// dé\nfn r#if<'a>(x: &'a str) { m!['\\'', r#\"q\"\"#, b\"\\0\", x::y] }";
        let tokens = Tokens::read(source).unwrap();
        assert_eq!(tokens.get(0).unwrap().kind, Kind::Doc);
        assert_eq!(tokens.text(0), "/// dé");
        assert_eq!(tokens.ident(2), Some("if"));
        let all: Vec<&str> = (0..tokens.len()).map(|i| tokens.text(i)).collect();
        assert!(all.contains(&"r#\"q\"\"#") && all.contains(&"'\\''"));
        let bang = (0..tokens.len()).find(|&i| tokens.is(i, '!')).unwrap();
        assert_eq!(tokens.text(tokens.close(bang + 1)), "]");
        assert!((0..tokens.len()).any(|i| tokens.colons(i)));
    }

    /// The ranges equal those of `Span::byte_range` for any line ends and characters.
    #[test]
    fn ranges_equal_those_of_the_spans() {
        fn ranges(stream: TokenStream, out: &mut Vec<Range<usize>>) {
            for tree in stream {
                match tree {
                    TokenTree::Group(g) => {
                        out.push(g.span_open().byte_range());
                        ranges(g.stream(), out);
                        out.push(g.span_close().byte_range());
                    }
                    other => out.push(other.span().byte_range()),
                }
            }
        }
        for source in [
            "fn f() {\r\n\tlet x = [1, 2];\r\n}\r\n",
            "\u{feff}fn é(ü: &str) -> char {\n    'ß' // — \n}",
            "const S: &str = \"zwei\nZeilen ä\";\n\n\nfn last() {}",
            "fn one_line(){}",
            "",
        ] {
            let mut expected = Vec::new();
            ranges(source.parse().unwrap(), &mut expected);
            let tokens = Tokens::read(source).unwrap();
            assert_eq!(tokens.iter().map(|t| t.range.clone()).collect::<Vec<_>>(), expected, "{source:?}");
        }
    }
}
