//! Doc comments in macro arguments, which a macro may read.
//!
//! `m! { /// text \n A }` matches `(#[doc = $text:literal] $name:ident)`; without the comment it would not, and the
//! macro may print the text or count the comments. What a macro does with them is known only when all crates are
//! joined. Until then each such comment is kept as the [attribute](attribute) that rustc makes of it; then [`remove`]
//! drops what no macro reads.

use crate::syntax::space::SILENT;
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::{Kind, Tokens, Unreadable};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

/// Fragments in which doc comments can be passed on unseen.
const OPAQUE: &[&str] = &["item", "block", "stmt", "expr", "expr_2021"];

/// The attribute that rustc makes of a doc comment for macros.
pub fn attribute(comment: &str) -> String {
    let inner = comment.starts_with("//!") || comment.starts_with("/*!");
    let text = comment.get(3..).unwrap_or("");
    let text = if comment.starts_with("/*") { text.strip_suffix("*/").unwrap_or(text) } else { text };
    let after_quotes =
        text.split('"').skip(1).map(|rest| 1 + rest.bytes().take_while(|&b| b == b'#').count());
    let hashes = "#".repeat(after_quotes.max().unwrap_or(0));
    format!("#{}[doc = r{hashes}\"{text}\"{hashes}]", if inner { "!" } else { "" })
}

/// For each macro call, the macro's name and the tokens between the brackets; definitions are not included.
pub fn arguments<'a>(tokens: &Tokens<'a>) -> Vec<(&'a str, Range<usize>)> {
    calls(tokens, 0..tokens.len()).filter(|(name, _)| *name != "macro_rules").collect()
}

/// The tokens of each rule's pattern in all macro definitions.
pub fn patterns(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
    definitions(tokens)
        .into_iter()
        .flat_map(|(_, body)| rules(tokens, body))
        .map(|rule| rule.pattern)
        .collect()
}

/// Calls of a macro that a variable names have the name `$`.
fn calls<'t, 'a>(
    tokens: &'t Tokens<'a>,
    within: Range<usize>,
) -> impl Iterator<Item = (&'a str, Range<usize>)> + 't {
    within.filter_map(|i| {
        let name = tokens.ident(i).filter(|_| tokens.is(i + 1, '!'))?;
        let open = if name == "macro_rules" { i + 3 } else { i + 2 };
        let opens = matches!(tokens.get(open)?.kind, Kind::Open(_));
        let name = if i > 0 && tokens.is(i - 1, '$') { "$" } else { name };
        opens.then(|| (name, open + 1..tokens.close(open)))
    })
}

/// A macro's use of the doc comments in its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// Nothing: it only makes attributes of them.
    None,
    /// The macro's rules count or require them, but it does not read their text.
    Number,
    /// It may read their text.
    Text,
}

/// Removes the doc comments that no macro reads.
pub fn remove(text: &Text) -> Result<Text, Unreadable> {
    if !text.as_str().contains("doc") {
        return Ok(text.clone());
    }
    let tokens = Tokens::read(text.as_str())?;
    let marks: Vec<Range<usize>> = (0..tokens.len()).filter_map(|i| mark(&tokens, i)).collect();
    if marks.is_empty() {
        return Ok(text.clone());
    }
    let uses = Uses::read(&tokens);
    let calls = arguments(&tokens);
    let patterns = patterns(&tokens);
    let mut edits = Edits::default();
    let mut next = 0;
    for mark in marks {
        if patterns.iter().any(|p| p.contains(&mark.start)) {
            continue;
        }
        // Calls may be nested, so the last one that starts before the mark need not contain it.
        while next < calls.len() && calls[next].1.end <= mark.start {
            next += 1;
        }
        let around = calls[next..].iter().take_while(|(_, r)| r.start <= mark.start);
        let around = around.filter(|(_, r)| r.contains(&mark.start));
        let Some(most) = around.map(|(name, _)| uses.of(name)).max() else { continue };
        let (Some(first), Some(last)) = (tokens.get(mark.start), tokens.get(mark.end - 1)) else { continue };
        let range = first.range.start..last.range.end;
        let inner = if tokens.is(mark.start + 1, '!') { "!" } else { "" };
        match most {
            Use::None => edits.delete(crate::syntax::spans::with_space(text.as_str(), range)),
            Use::Number => edits.replace(range, format!("#{inner}[doc=\"\"]")),
            Use::Text => {}
        }
    }
    for pattern in unmatched(&tokens, &uses) {
        edits.delete(crate::syntax::spans::with_space(text.as_str(), pattern));
    }
    Ok(text.edited(edits))
}

/// The `$(#[$name:meta])*` in patterns that only accept what is removed: no call has another attribute, and no body names
/// the variable.
fn unmatched(tokens: &Tokens<'_>, uses: &Uses<'_>) -> Vec<Range<usize>> {
    let all: Vec<_> = calls(tokens, 0..tokens.len()).collect();
    let definitions = definitions(tokens);
    let is_defined = |i: usize| definitions.iter().any(|(_, body)| body.contains(&i));
    let is_other = |i: usize, within: &Range<usize>| {
        tokens.is(i, '#') && !within.clone().any(|j| mark(tokens, j).is_some_and(|mark| mark.contains(&i)))
    };
    let takes_others = |name: &str| {
        all.iter().filter(|(called, _)| [name, "$"].contains(called)).any(|(_, arguments)| {
            arguments.clone().any(|i| is_other(i, arguments) || tokens.is(i, '$') && is_defined(i))
        })
    };
    let is_renamed =
        |name: &str| (1..tokens.len()).any(|i| tokens.text(i) == "as" && tokens.ident(i - 1) == Some(name));
    let mut out = Vec::new();
    for (name, body) in &definitions {
        if uses.of(name) != Use::None || takes_others(name) || is_renamed(name) {
            continue;
        }
        for rule in rules(tokens, body.clone()) {
            for i in rule.pattern.clone() {
                let Some((variable, last)) = optional_attribute(tokens, i) else { continue };
                let is_named =
                    rule.body.clone().any(|j| tokens.is(j, '$') && tokens.ident(j + 1) == Some(variable));
                let ends = (tokens.get(i), tokens.get(last));
                if let ((Some(first), Some(last)), false) = (ends, is_named) {
                    out.push(first.range.start..last.range.end);
                }
            }
        }
    }
    out
}

/// The variable and the last token of the `$(#[$name:meta])*` at `i`.
fn optional_attribute<'a>(tokens: &Tokens<'a>, i: usize) -> Option<(&'a str, usize)> {
    let open = attribute_at(tokens, i + 2).filter(|_| tokens.is(i, '$') && tokens.is(i + 1, '('))?;
    let (variable, fragment) = (tokens.ident(open + 2)?, tokens.ident(open + 4)?);
    let last = i + 10;
    let is_whole = tokens.is(open + 1, '$') && tokens.is(open + 3, ':') && tokens.is(last, '*');
    let closes = tokens.close(open) == last - 2 && tokens.close(i + 1) == last - 1;
    (fragment == "meta" && is_whole && closes).then_some((variable, last))
}

/// The tokens of the doc attribute at `i`, unless it is part of a rule.
fn mark(tokens: &Tokens<'_>, i: usize) -> Option<Range<usize>> {
    let open = attribute_at(tokens, i)?;
    let plain =
        tokens.ident(open + 1) == Some("doc") && !(open..tokens.close(open)).any(|j| tokens.is(j, '$'));
    plain.then(|| i..tokens.close(open) + 1)
}

/// The opening bracket of the attribute at `i`.
fn attribute_at(tokens: &Tokens<'_>, i: usize) -> Option<usize> {
    let open = i + 1 + usize::from(tokens.is(i + 1, '!'));
    (tokens.is(i, '#') && tokens.is(open, '[')).then_some(open)
}

/// The name and the body of each macro definition.
fn definitions<'a>(tokens: &Tokens<'a>) -> Vec<(&'a str, Range<usize>)> {
    calls(tokens, 0..tokens.len())
        .filter(|(name, _)| *name == "macro_rules")
        .filter_map(|(_, body)| Some((tokens.ident(body.start.checked_sub(2)?)?, body)))
        .collect()
}

struct Rule {
    pattern: Range<usize>,
    body: Range<usize>,
}

fn rules(tokens: &Tokens<'_>, of: Range<usize>) -> Vec<Rule> {
    let opens = |i: usize| i < of.end && matches!(tokens.get(i).map(|t| t.kind), Some(Kind::Open(_)));
    let mut out = Vec::new();
    let mut i = of.start;
    while opens(i) {
        let body = tokens.close(i) + 3;
        if !opens(body) {
            break;
        }
        out.push(Rule { pattern: i + 1..tokens.close(i), body: body + 1..tokens.close(body) });
        i = tokens.close(body) + 1;
        i += usize::from(tokens.is(i, ';'));
    }
    out
}

/// Uses of doc comments by all macros of a text; macros of one name are taken together.
struct Uses<'a> {
    known: BTreeMap<&'a str, Use>,
}

impl<'a> Uses<'a> {
    fn read(tokens: &Tokens<'a>) -> Uses<'a> {
        // An assertion prints its condition, comments included.
        let std = SILENT.iter().filter(|name| !name.contains("assert"));
        let mut known: BTreeMap<&str, Use> = std.map(|name| (*name, Use::None)).collect();
        let mut passes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, body) in definitions(tokens) {
            let rules = rules(tokens, body.clone());
            // A macro 2.0 or a form that is not understood may do anything.
            let mut most = if rules.is_empty() { Use::Text } else { dispatch(tokens, &rules) };
            for rule in &rules {
                let mut reader = RuleReader { tokens, most: Use::None, variables: Variables::default() };
                reader.pattern(rule.pattern.clone(), false);
                let called = reader.body(rule.body.clone());
                most = most.max(reader.most);
                passes.entry(name).or_default().extend(called);
            }
            let before = known.entry(name).or_insert(Use::None);
            *before = most.max(*before);
        }
        // A macro under another name is not followed.
        let renamed =
            (1..tokens.len()).filter(|&i| tokens.text(i - 1) == "as").filter_map(|i| tokens.ident(i));
        for name in renamed.collect::<HashSet<_>>() {
            known.insert(name, Use::Text);
        }
        let mut uses = Uses { known };
        loop {
            let more: Vec<(&str, Use)> = passes
                .iter()
                .filter_map(|(name, called)| Some((*name, called.iter().map(|c| uses.of(c)).max()?)))
                .filter(|(name, most)| *most > uses.of(name))
                .collect();
            if more.is_empty() {
                return uses;
            }
            uses.known.extend(more);
        }
    }

    fn of(&self, name: &str) -> Use {
        self.known.get(name).copied().unwrap_or(Use::Text)
    }
}

/// Whether doc comments decide which rule matches: a rule without attributes stands before one with attributes.
fn dispatch(tokens: &Tokens<'_>, rules: &[Rule]) -> Use {
    let takes_attributes = |rule: &Rule| {
        rule.pattern.clone().any(|i| attribute_at(tokens, i).is_some_and(|open| tokens.is(open + 1, '$')))
    };
    // Rules for the macro's own calls.
    let is_internal = |rule: &Rule| tokens.is(rule.pattern.start, '@') || rule.pattern.is_empty();
    let Some(last) = rules.iter().rposition(takes_attributes) else { return Use::None };
    let other = rules[..last].iter().any(|rule| !takes_attributes(rule) && !is_internal(rule));
    if other {
        Use::Number
    } else {
        Use::None
    }
}

/// The variables of a rule that may hold doc comments.
#[derive(Default)]
struct Variables<'a> {
    /// The content of an attribute.
    attributes: HashSet<&'a str>,
    /// One token each.
    trees: HashSet<&'a str>,
    /// Items and expressions, which hold them unseen.
    opaque: HashSet<&'a str>,
}

struct RuleReader<'t, 'a> {
    tokens: &'t Tokens<'a>,
    most: Use,
    variables: Variables<'a>,
}

impl<'a> RuleReader<'_, 'a> {
    fn raise(&mut self, to: Use) {
        self.most = self.most.max(to);
    }

    /// Reads a pattern; `in_attribute` if it stands in the brackets of one.
    fn pattern(&mut self, range: Range<usize>, in_attribute: bool) {
        let t = self.tokens;
        let mut i = range.start;
        while i < range.end {
            if let Some(open) = attribute_at(t, i) {
                let close = t.close(open);
                let doc = t.ident(open + 1) == Some("doc");
                let variable = (open..close).any(|j| t.is(j, '$'));
                if doc && !variable {
                    self.raise(Use::Text);
                } else if variable {
                    let may_be_doc = doc || t.is(open + 1, '$');
                    self.pattern(open + 1..close, may_be_doc);
                    if may_be_doc && !self.is_optional(i, close) {
                        self.raise(Use::Number);
                    }
                }
                i = close + 1;
                continue;
            }
            if t.is(i, '#') {
                self.raise(Use::Text);
            }
            let fragment = (t.is(i, '$') && t.is(i + 2, ':')).then(|| (t.ident(i + 1), t.ident(i + 3)));
            if let Some((Some(name), Some(fragment))) = fragment {
                if in_attribute {
                    self.variables.attributes.insert(name);
                } else if fragment == "tt" {
                    let alone = i >= 2 && t.is(i - 1, '(') && t.is(i - 2, '$') && t.is(i + 4, ')');
                    // One token by itself may be the `#` of a doc comment.
                    if !alone || !(t.is(i + 5, '*') || t.is(i + 5, '+')) {
                        self.raise(Use::Text);
                    }
                    self.variables.trees.insert(name);
                } else if OPAQUE.contains(&fragment) {
                    self.variables.opaque.insert(name);
                }
                i += 4;
                continue;
            }
            if matches!(t.get(i).map(|t| t.kind), Some(Kind::Open(_))) {
                let close = t.close(i);
                self.pattern(i + 1..close, in_attribute);
                i = close;
            }
            i += 1;
        }
    }

    /// Whether the attribute at `i` stands alone in `$(…)*` or `$(…)?`.
    fn is_optional(&self, i: usize, close: usize) -> bool {
        let t = self.tokens;
        let repeated = i >= 2 && t.is(i - 1, '(') && t.is(i - 2, '$') && t.is(close + 1, ')');
        let optional = |at| t.is(at, '*') || t.is(at, '?');
        repeated && (optional(close + 2) || optional(close + 3))
    }

    /// Reads what a rule generates; returns the macros to which it passes doc comments.
    fn body(&mut self, range: Range<usize>) -> BTreeSet<&'a str> {
        let t = self.tokens;
        let calls: Vec<_> = calls(t, range.clone()).collect();
        let attributes: Vec<Range<usize>> =
            range.clone().filter_map(|i| attribute_at(t, i)).map(|open| open..t.close(open)).collect();
        let mut passed = BTreeSet::new();
        for i in range.filter(|&i| t.is(i, '$')) {
            let Some(name) = t.ident(i + 1) else { continue };
            let in_attribute = attributes.iter().any(|a| a.contains(&i));
            if self.variables.attributes.contains(name) {
                if !in_attribute {
                    self.raise(Use::Text);
                }
            } else if self.variables.trees.contains(name) {
                let alone = i >= 2 && t.is(i - 1, '(') && t.is(i - 2, '$') && t.is(i + 2, ')');
                if !alone || !(t.is(i + 3, '*') || t.is(i + 3, '+')) {
                    self.raise(Use::Text);
                }
            } else if !self.variables.opaque.contains(name) {
                continue;
            }
            passed.extend(calls.iter().filter(|(_, r)| r.contains(&i)).map(|(name, _)| *name));
        }
        passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_attributes() {
        for (comment, attribute_of) in [
            ("/// a b", "#[doc = r\" a b\"]"),
            ("/** one */", "#[doc = r\" one \"]"),
            ("//! x", "#![doc = r\" x\"]"),
            ("///\"a\"# b", "#[doc = r##\"\"a\"# b\"##]"),
        ] {
            assert_eq!(attribute(comment), attribute_of);
        }
    }

    #[test]
    fn patterns_that_only_accept_comments_go() {
        let drops = "macro_rules! drops { ($(#[$m:meta])* $n:ident $(#[$k:meta])* $v:expr) => { $(#[$k])* fn $n() { $v } } }";
        let doc = "#[doc=r\" a\"]";
        let without = drops.replacen("$(#[$m:meta])* ", "", 1);
        for (calls, becomes) in [
            ("drops! { DOC x 1 } drops!(y DOC 2);", Some("drops! { x 1 } drops!(y 2);")),
            ("drops! { DOC #[inline] x 1 }", None),
            ("drops! { DOC x #[inline] 1 }", None),
            ("drops! { DOC x 1 } macro_rules! more { ($($t:tt)*) => { drops! { $($t)* } } }", None),
            ("drops! { DOC x 1 } macro_rules! any { ($m:ident $($t:tt)*) => { $m! { $($t)* } } }", None),
            ("drops! { DOC x 1 } use drops as other;", None),
        ] {
            let new = remove(&Text::generated(format!("{drops} {}", calls.replace("DOC", doc)))).unwrap();
            match becomes {
                Some(becomes) => assert_eq!(new.as_str(), format!("{without} {becomes}")),
                None => assert!(new.as_str().starts_with(drops), "{calls}"),
            }
        }
    }

    #[test]
    fn only_what_macros_read_stays() {
        let rules = "macro_rules! plain { ($(#[$m:meta])* $n:ident) => { $(#[$m])* fn $n() {} } } \
            macro_rules! needs { ($(#[$m:meta] $n:ident,)+) => { } } \
            macro_rules! passes { ($($t:tt)*) => { needs! { $($t)* } } } \
            macro_rules! reads { ($(#[doc = $d:expr])* $n:ident) => { const $n: &str = concat!($($d),*); } } \
            macro_rules! hands_on { ($($t:tt)*) => { reads! { $($t)* } } } \
            macro_rules! counts { () => { 0 }; (#$t:tt $($r:tt)*) => { 1 + counts!($($r)*) } } \
            macro_rules! shows { ($i:item) => { stringify!($i) } } \
            macro_rules! keeps { ($i:item) => { $i } } \
            macro_rules! picks { ($n:ident) => { 1 }; ($(#[$m:meta])* $n:ident) => { 2 } } \
            macro_rules! own { ($(#[$m:meta])* $n:ident) => { own!(@x $n) }; (@x $n:ident) => { fn $n() {} } }";
        let doc = "#[doc=r\" a\"]";
        for (from, to) in [
            ("plain! { DOC x }", "plain! { x }"),
            ("needs! { DOC x, }", "needs! { #[doc=\"\"] x, }"),
            ("passes! { DOC x, } plain!(DOC y);", "passes! { #[doc=\"\"] x, } plain!(y);"),
            ("reads! { DOC X }", "reads! { DOC X }"),
            ("hands_on! { DOC X }", "hands_on! { DOC X }"),
            ("counts! { DOC DOC }", "counts! { DOC DOC }"),
            ("shows! { DOC fn f() {} }", "shows! { DOC fn f() {} }"),
            ("keeps! { DOC fn f() {} }", "keeps! { fn f() {} }"),
            ("picks! { DOC x }", "picks! { #[doc=\"\"] x }"),
            ("own! { DOC x }", "own! { x }"),
            ("unknown! { DOC x }", "unknown! { DOC x }"),
            ("thread_local! { DOC static X: u8 = 1; }", "thread_local! { static X: u8 = 1; }"),
            ("use a::plain as other; other! { DOC x }", "use a::plain as other; other! { DOC x }"),
        ] {
            let new = remove(&Text::generated(format!("{rules} {}", from.replace("DOC", doc)))).unwrap();
            assert_eq!(new.as_str(), format!("{rules} {}", to.replace("DOC", doc)));
        }
    }
}
