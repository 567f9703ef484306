//! Removes comments, documentation, decided cfg atoms, `include_*!` and `env!` from a file, before all other steps.

use crate::api::error::Error;
use crate::plan::constants::{constant, string, variable, Variable};
use crate::plan::Unit;
use crate::read::docs;
use crate::read::source::Reading;
use crate::syntax::builtin::Scopes;
use crate::syntax::cfg::{element_end, Predicate, Truth};
use crate::syntax::text::{Edits, Files, Text};
use crate::syntax::tokens::{Kind, Tokens, Unreadable};
use std::ops::Range;
use std::path::Path;

/// Removes what rustc ignores: the byte order mark, the shebang, carriage returns before line feeds.
pub fn normalise(raw: &str) -> String {
    let text = raw.strip_prefix('\u{feff}').unwrap_or(raw);
    let mut text = text.replace("\r\n", "\n");
    if text.starts_with("#!") && !text[2..].trim_start().starts_with('[') {
        let end = text.find('\n').unwrap_or(text.len());
        text.replace_range(..end, "");
    }
    text
}

/// Strips one file; `folder` is the folder that contains it.
pub fn strip(text: &Text, reading: &mut Reading<'_>, folder: &Path) -> Result<Text, Error> {
    let source = text.as_str();
    let unit = reading.unit;
    let syntax = |e: Unreadable, files: &Files| Error::Syntax {
        place: text.point(e.at, files).unwrap_or_default(),
        why: e.why,
    };
    let tokens = Tokens::read(source).map_err(|e| syntax(e, reading.files))?;
    let exported = exported(&tokens);
    let scopes = Scopes::read(&tokens);
    let mut edits = Edits::default();
    let patterns = docs::patterns(&tokens);
    // Procedural derives read the comments of their types; [`crate::read::load`] drops those that are left.
    let documented = unit.expander.is_some() && source.contains("derive");
    let excluded = excluded(&tokens, unit);
    let (mut called, mut attribute) = (0, 0);
    let mut calls = docs::arguments(&tokens).into_iter().peekable();
    for i in 0..tokens.len() {
        let Some(token) = tokens.get(i) else { break };
        while let Some((_, call)) = calls.next_if(|(_, call)| call.start <= i) {
            called = called.max(call.end);
        }
        let in_macro = || i < called || patterns.iter().any(|p| p.contains(&i));
        if token.kind == Kind::Doc {
            // A space, so that the tokens around it do not become one.
            let with = if documented || in_macro() { docs::attribute(tokens.text(i)) } else { " ".into() };
            edits.replace(token.range.clone(), with);
        } else if tokens.is(i, '#') {
            let open = if tokens.is(i + 1, '!') { i + 2 } else { i + 1 };
            attribute = if tokens.is(open, '[') { tokens.close(open) } else { attribute };
            strip_attribute(&tokens, i, documented || in_macro(), unit, &mut edits);
        } else if i > attribute && is_attribute_for_macro(&tokens, i) {
            decide_atoms(&tokens, i + 2, unit, &mut edits);
        } else if token.kind == Kind::Ident && tokens.is(i + 1, '!') && scopes.is_builtin_macro(i) {
            // An exported macro is expanded elsewhere, in another folder and with other variables.
            let shared = exported.iter().any(|r| r.contains(&i));
            if tokens.ident(i) == Some("include") {
                // Code that a `cfg` excludes is dropped later, and its file need not exist.
                let there = !shared && !excluded.iter().any(|r| r.contains(&i));
                if let (true, Some(path)) = (there, argument(&tokens, i, unit)) {
                    inline_include(&tokens, i, reading, text, &folder.join(path), &mut edits)?;
                }
            } else if tokens.ident(i) == Some("cfg") || !shared {
                replace_invocation(&tokens, i, unit, folder, &mut edits);
            }
        }
    }
    tidy(&text.edited(edits)).map_err(|e| syntax(e, reading.files))
}

/// The ranges of tokens that a false `#[cfg]` excludes.
fn excluded(tokens: &Tokens<'_>, unit: &Unit) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for i in 0..tokens.len() {
        let is_cfg = tokens.is(i, '#') && tokens.is(i + 1, '[') && tokens.ident(i + 2) == Some("cfg");
        if !is_cfg || !tokens.is(i + 3, '(') || out.last().is_some_and(|r| r.contains(&i)) {
            continue;
        }
        if Predicate::read(tokens, i + 4).0.truth(&unit.cfgs) == Truth::No {
            out.push(i..element_end(tokens, tokens.close(i + 1) + 1));
        }
    }
    out
}

/// The ranges of tokens of exported macros.
fn exported(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
    let defines = |i: &usize| tokens.ident(*i) == Some("macro_rules") && tokens.is(*i + 1, '!');
    let mut out = Vec::new();
    let mut before = 0;
    for i in (0..tokens.len()).filter(defines) {
        // The attributes begin after the previous item.
        let from = (before..i).rev().find(|&j| tokens.is(j, ';') || tokens.is(j, '}')).unwrap_or(before);
        before = tokens.close(i + 3);
        if (from..i).any(|j| tokens.ident(j) == Some("macro_export")) {
            out.push(i..before);
        }
    }
    out
}

/// The constant path that is the argument of the macro at token `i`.
pub fn argument(tokens: &Tokens<'_>, i: usize, unit: &Unit) -> Option<String> {
    let open = i + 2;
    let is_called = matches!(tokens.get(open).map(|t| t.kind), Some(Kind::Open(_)));
    let path = is_called.then(|| constant(tokens, open + 1, tokens.close(open), unit))??;
    // As rustc does: in a resolved path of Windows, to which `concat!` adds more, a slash separates nothing.
    Some(if path.starts_with(r"\\?\") { path.replace('/', r"\") } else { path })
}

/// Replaces the `include!` at token `i` by the file.
fn inline_include(
    tokens: &Tokens<'_>,
    i: usize,
    reading: &mut Reading<'_>,
    text: &Text,
    path: &Path,
    edits: &mut Edits,
) -> Result<(), Error> {
    let (start, close) = (path_start(tokens, i), tokens.close(i + 2));
    let (Some(first), Some(last)) = (tokens.get(start), tokens.get(close)) else { return Ok(()) };
    let mut range = first.range.start..last.range.end;
    let place = text.point(range.start, reading.files);
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let inner = reading.within(path, place.as_deref(), |reading, whole| strip(&whole, reading, &folder))?;
    let with = match syn::parse_str::<syn::Expr>(inner.as_str()) {
        Ok(expr) if needs_brackets(&expr) && !stands_alone(tokens, start, close) => {
            let mut with = Text::generated("(");
            with.push(&inner);
            with.push_str(")");
            with
        }
        Ok(_) => inner,
        Err(_) => {
            // Items are not followed by a semicolon.
            if let (true, Some(semi)) = (tokens.is(close + 1, ';'), tokens.get(close + 1)) {
                range.end = semi.range.end;
            }
            inner
        }
    };
    edits.splice(range, with);
    Ok(())
}

fn needs_brackets(expr: &syn::Expr) -> bool {
    use syn::Expr::{Assign, Binary, Break, Cast, Closure, Let, Range, Return, Unary};
    matches!(
        expr,
        Assign(_) | Binary(_) | Break(_) | Cast(_) | Closure(_) | Let(_) | Range(_) | Return(_) | Unary(_)
    )
}

/// Whether no operator precedes token `start` or follows token `end`.
fn stands_alone(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    let opened = start == 0 || ['=', '>', ',', '(', '[', '{', ';'].iter().any(|&c| tokens.is(start - 1, c));
    let closed = [';', ',', ')', ']', '}'].iter().any(|&c| tokens.is(end + 1, c)) || end + 1 >= tokens.len();
    opened && closed
}

/// The first token of the path to the std macro whose name is at `i`: `::std::env!`.
fn path_start(tokens: &Tokens<'_>, i: usize) -> usize {
    let std = |j: usize| matches!(tokens.ident(j), Some("std" | "core"));
    if i < 3 || !tokens.colons(i - 2) || !std(i - 3) {
        return i;
    }
    if i >= 5 && tokens.colons(i - 5) {
        i - 5
    } else {
        i - 3
    }
}

/// Deletes a doc attribute unless something may read it, and decides the cfgs of the other attributes.
fn strip_attribute(tokens: &Tokens<'_>, i: usize, read: bool, unit: &Unit, edits: &mut Edits) {
    let open = if tokens.is(i + 1, '!') { i + 2 } else { i + 1 };
    if !tokens.is(open, '[') {
        return;
    }
    let close = tokens.close(open);
    match tokens.ident(open + 1) {
        Some("doc") => {
            let from = tokens.get(i).map_or(0, |t| t.range.start);
            let to = tokens.get(close).map_or(from, |t| t.range.end);
            // One with a variable is part of a macro's rule.
            if !read && !(open..close).any(|j| tokens.is(j, '$')) {
                edits.delete(from..to);
            }
        }
        Some("cfg" | "cfg_attr") => {
            for at in open + 1..close {
                if matches!(tokens.ident(at), Some("cfg" | "cfg_attr")) && tokens.is(at + 1, '(') {
                    decide_atoms(tokens, at + 2, unit, edits);
                }
            }
        }
        _ => {}
    }
}

/// Whether a `cfg` with a feature begins at token `i` that is an argument of a macro, which makes an attribute of it.
fn is_attribute_for_macro(tokens: &Tokens<'_>, i: usize) -> bool {
    let is_separator = |c: char| i > 0 && tokens.is(i - 1, c);
    let begins = matches!(tokens.ident(i), Some("cfg" | "cfg_attr")) && tokens.is(i + 1, '(');
    let is_feature = |j: usize| {
        tokens.ident(j) == Some("feature")
            && tokens.is(j + 1, '=')
            && tokens.get(j + 2).is_some_and(|t| t.kind == Kind::Literal)
    };
    begins
        && [',', '(', '{', ';', '>'].into_iter().any(is_separator)
        && (i..tokens.close(i + 1)).any(is_feature)
}

fn decide_atoms(tokens: &Tokens<'_>, at: usize, unit: &Unit, edits: &mut Edits) {
    let mut decided = Vec::new();
    Predicate::read(tokens, at).0.decided(&unit.cfgs, &mut decided);
    for (range, with) in decided {
        // A macro may match on the word; outside macros the predicate is decided later.
        if !tokens.source()[range.clone()].starts_with("target_") {
            edits.replace(range, with);
        }
    }
}

fn replace_invocation(tokens: &Tokens<'_>, i: usize, unit: &Unit, folder: &Path, edits: &mut Edits) {
    let open = i + 2;
    if !matches!(tokens.get(open).map(|t| t.kind), Some(Kind::Open(_))) {
        return;
    }
    let close = tokens.close(open);
    let (Some(first), Some(last)) = (tokens.get(path_start(tokens, i)), tokens.get(close)) else {
        return;
    };
    let whole = first.range.start..last.range.end;
    match tokens.ident(i) {
        Some("cfg") => {
            let (predicate, _) = Predicate::read(tokens, open + 1);
            match predicate.truth(&unit.cfgs) {
                Truth::Yes => edits.replace(whole, "true"),
                Truth::No => edits.replace(whole, "false"),
                Truth::Open => decide_atoms(tokens, open + 1, unit, edits),
            }
        }
        Some("env") => {
            let name = string(tokens, open + 1);
            if let Some(Variable::Is(value)) = name.map(|name| variable(&name, unit)) {
                edits.replace(whole, str_literal(&value));
            }
        }
        Some("option_env") => match string(tokens, open + 1).map(|name| variable(&name, unit)) {
            Some(Variable::Is(value)) => edits.replace(whole, format!("Some({})", str_literal(&value))),
            Some(Variable::Unset) => edits.replace(whole, "None::<&'static str>"),
            _ => {}
        },
        Some(name @ ("include_str" | "include_bytes")) => {
            let Some(path) = argument(tokens, i, unit) else {
                return;
            };
            // An unreadable file stays, and is refused if it is live.
            let file = folder.join(path);
            let Ok(bytes) = crate::os::files::content(&file) else {
                return;
            };
            if name == "include_bytes" {
                // [`crate::assets`] decides how to write it, once it is known whether it is live.
                edits.delete(whole.start..tokens.get(i).map_or(whole.start, |t| t.range.start));
                make_path_absolute(tokens, open, &file, edits);
            } else if let Ok(text) = std::str::from_utf8(&bytes) {
                edits.replace(whole, str_literal(text));
            }
        }
        _ => {}
    }
}

/// A string literal for any text.
pub fn str_literal(text: &str) -> String {
    let awkward =
        |c: char| c == '\r' || c == '\0' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if text.chars().any(awkward) {
        return format!("{text:?}");
    }
    if !text.contains(['"', '\\']) {
        return format!("\"{text}\"");
    }
    let mut hashes = String::new();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// Replaces the argument of an invocation by the absolute path of a file; its bracket is at `open`.
fn make_path_absolute(tokens: &Tokens<'_>, open: usize, file: &Path, edits: &mut Edits) {
    let (Some(from), Some(to)) = (tokens.get(open), tokens.get(tokens.close(open))) else { return };
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
    if let Some(path) = file.to_str() {
        edits.replace(from.range.start..to.range.end, format!("({path:?})"));
    }
}

/// Removes comments, trailing white space and repeated blank lines, outside literals.
pub fn tidy(text: &Text) -> Result<Text, Unreadable> {
    let source = text.as_str();
    let tokens = Tokens::read(source)?;
    let mut edits = Edits::default();
    let mut end = 0;
    let mut opened = true;
    // The indent of the current line, and of the line of each open bracket.
    let mut line = String::new();
    let mut brackets: Vec<String> = Vec::new();
    for token in tokens.iter() {
        let gap = &source[end..token.range.start];
        let closing = matches!(token.kind, Kind::Close(_));
        let mut new = if end == 0 { String::new() } else { spaced(gap, !opened && !closing) };
        let around = if closing { brackets.pop() } else { None };
        if let Some(break_at) = new.rfind('\n') {
            if let Some(around) = around {
                new.replace_range(break_at + 1.., &around);
            }
            line = new[break_at + 1..].to_owned();
        }
        if new != gap {
            edits.replace(end..token.range.start, new);
        }
        end = token.range.end;
        opened = matches!(token.kind, Kind::Open(_));
        if opened {
            brackets.push(line.clone());
        }
    }
    edits.replace(end..source.len(), if end == 0 { "" } else { "\n" });
    Ok(text.edited(edits))
}

/// The white space to leave between two tokens.
fn spaced(gap: &str, may_be_blank: bool) -> String {
    const COMMENT: char = '\u{1}';
    let mut plain = String::new();
    let mut rest = gap;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            plain.push(COMMENT);
        } else if rest.starts_with("/*") {
            rest = after_block(rest);
            plain.push(COMMENT);
        } else {
            rest = &rest[c.len_utf8()..];
            plain.push(c);
        }
    }
    let lines: Vec<&str> = plain.split('\n').collect();
    if lines.len() == 1 {
        return if plain.is_empty() { "" } else { " " }.into();
    }
    let last = lines[lines.len() - 1];
    let indent: String = last.chars().filter(|&c| c != COMMENT).collect();
    let blank = lines[1..lines.len() - 1].iter().any(|l| l.trim().is_empty());
    format!("\n{}{indent}", if blank && may_be_blank { "\n" } else { "" })
}

/// The rest of a text after the block comment that it begins with.
pub fn after_block(text: &str) -> &str {
    let mut depth = 0usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return &text[at..];
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidied(source: &str) -> String {
        tidy(&Text::generated(source)).unwrap().as_str().to_owned()
    }

    #[test]
    fn comments_go_and_literals_stay() {
        assert_eq!(
            tidied(
                "// é\nlet/* a /* b */ */x = \"// no /* no */\\\n\n\n  y\"; // end  \n\n\n\nlet y = '\"';\n"
            ),
            "let x = \"// no /* no */\\\n\n\n  y\";\n\nlet y = '\"';\n"
        );
        assert_eq!(tidied("fn f() {\n\n    // only\n\n}\n"), "fn f() {\n}\n");
        assert_eq!(tidied("a\n// between\nb"), "a\nb\n");
        assert_eq!(tidied("  if x {\n    y;\n        }\n"), "if x {\n    y;\n}\n");
        assert_eq!(tidied("r#\"a // \"#; b'\\''; '/' /'/'"), "r#\"a // \"#; b'\\''; '/' /'/'\n");
    }

    #[test]
    fn string_literals_round_trip() {
        for text in ["plain\nlines", "a \"quoted\" \\ word", "\"#\"##", "cr\r\nlf", "\u{202e}x"] {
            let literal: syn::LitStr = syn::parse_str(&str_literal(text)).unwrap();
            assert_eq!(literal.value(), text);
        }
    }

    #[test]
    fn ignored_characters_are_removed() {
        assert_eq!(normalise("\u{feff}#!/usr/bin/env x\r\nfn a() {}\r\n"), "\nfn a() {}\n");
        assert_eq!(normalise("#![allow(x)]\n"), "#![allow(x)]\n");
    }
}
