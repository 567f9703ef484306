//! Makes the text smaller without changing the program.
//!
//! Every step works on [`pieces`]: tokens with their brackets. [`layout`] makes a readable text, [`space`] one without
//! white space, [`comments`] restores comments, [`names`] shortens names, and [`bisect`] finds those that the proof
//! accepts. [`shorter`] merges and hoists imports ([`imports`], [`hoist`]). [`level`] chooses how far all this goes.

pub mod bisect;
pub mod comments;
pub mod declared;
pub mod hoist;
pub mod imports;
pub mod level;
pub mod marks;
pub mod names;
pub mod shorter;

use crate::api::bundle::{Minified, Stage};
use crate::api::error::Error;
use crate::api::options::Minify;
use crate::merge::ladder::Ladder;
use crate::prove::layout::lay_out;
use crate::prove::proof::smaller_if_same;
use crate::prune::unneeded::Means;
use crate::prune::Trimmer;
use crate::rustc::compilers::Compilers;
use crate::syntax::space::dense;
use crate::syntax::text::Text;
use crate::syntax::visibility::promote;
use bisect::Short;
use names::{renamed, renamed_to, Renamed};

/// A minified text.
pub struct Shrunk {
    /// The text.
    pub text: Text,
    /// New names and the original ones.
    pub renamed: Short,
    /// The level, and why it is that one.
    pub minified: Minified,
}

/// Minifies the forms of one program.
pub struct Minifier<'a> {
    /// The compilers that must accept the bundle.
    pub compilers: &'a Compilers<'a>,
    /// The bundle with a given form of the program in it.
    pub whole: &'a dyn Fn(&Text) -> Text,
    /// Restores the comments.
    pub with_comments: &'a dyn Fn(&Text) -> Text,
    /// Restores the comments, and marks the files.
    pub with_marks: &'a dyn Fn(&Text) -> Text,
}

impl Minifier<'_> {
    /// Minifies a readable text to the level that the user fixed or the limit requires, as far as the program stays the
    /// same.
    ///
    /// # Errors
    /// If the compiler cannot be run.
    pub fn shrink(&self, text: Text) -> Result<Shrunk, Error> {
        let Minifier { compilers, whole, with_comments, with_marks } = *self;
        let options = compilers.session.options;
        let renamed = Short::new();
        if options.minify == Some(Minify::None) {
            let with = with_comments(&text);
            let text = smaller_if_same(text, with, compilers)?;
            return Ok(Shrunk { text, renamed, minified: Minified::fixed(Minify::None) });
        }
        if let Some((readable, minified)) = level::readable(&text, options, with_marks, whole) {
            let text = smaller_if_same(text, readable, compilers)?;
            return Ok(Shrunk { text, renamed, minified });
        }
        let text = shorter::shorter(text, compilers)?;
        let minified = level::choose(&text, options, whole);
        if minified.level == Minify::Names {
            if let Some((text, renamed)) = with_short_names(&text, compilers)? {
                return Ok(Shrunk { text, renamed, minified });
            }
        }
        let dense = shrunk(text.clone(), minified.level);
        let text = smaller_if_same(text, dense, compilers)?;
        Ok(Shrunk { text, renamed, minified })
    }

    /// A form as it will be submitted if nothing goes wrong: visibilities as written, imports shortened, white space removed
    /// as far as the limit requires. Only this last text is compiled, with its code, and nothing is compared. `None` if a
    /// compiler warns, or if the limit requires short names.
    ///
    /// # Errors
    /// If the compiler cannot be run.
    fn at_once(&self, form: &Text) -> Result<Option<Shrunk>, Error> {
        let Minifier { compilers, whole, with_comments, with_marks } = *self;
        let options = compilers.session.options;
        let text = lay_out(&promote(form));
        let (text, minified) = if options.minify == Some(Minify::None) {
            (with_comments(&text), Minified::fixed(Minify::None))
        } else if let Some(readable) = level::readable(&text, options, with_marks, whole) {
            readable
        } else {
            let text = shorter::first(&text, &compilers.own)?.unwrap_or(text);
            let minified = level::choose(&text, options, whole);
            if minified.level == Minify::Names {
                return Ok(None);
            }
            (shrunk(text, minified.level), minified)
        };
        compilers.own.check_and_code(text.as_str())?;
        Ok(compilers.all_silent(&text)?.then(|| Shrunk { text, renamed: Short::new(), minified }))
    }
}

/// A program without unused code.
pub struct Trimmed {
    /// All its forms.
    pub ladder: Ladder,
    /// How the unused code was found.
    pub means: Means,
    /// The last form as it will be submitted if its code is the same.
    pub at_once: Option<Shrunk>,
}

/// Removes unused code: as last time, or else by a search.
///
/// # Errors
/// If the compiler cannot be run, or if no form compiles.
pub fn trimmed(mut ladder: Ladder, trimmer: &Trimmer<'_>, minifier: &Minifier<'_>) -> Result<Trimmed, Error> {
    let mut means = Means::LastTime;
    let mut text = trimmer.trim(&ladder, means)?;
    if text.is_none() {
        means = Means::Code;
        text = trimmer.trim(&ladder, means)?;
    }
    let Some(text) = text else { return Ok(Trimmed { ladder, means, at_once: None }) };
    let at_once = minifier.at_once(&text)?;
    ladder.push(Stage::Trimmed, text);
    Ok(Trimmed { ladder, means, at_once })
}

/// The text without white space and with short names; `None`, and a note, if no set of short names is the same program.
fn with_short_names(text: &Text, compilers: &Compilers<'_>) -> Result<Option<(Text, Short)>, Error> {
    let Some(Renamed { text: short, names }) = renamed(text, &compilers.own)? else {
        compilers
            .session
            .note("no name was shortened: the program prints its names, or no set of short names compiles");
        return Ok(None);
    };
    let (short, names) = provable_names(text, short, names, compilers)?;
    let chosen = smaller_if_same(text.clone(), short.clone(), compilers)?;
    Ok((chosen.as_str() == short.as_str()).then_some((chosen, names)))
}

/// The text with all short names, or with those for which its code stays the same.
fn provable_names(
    text: &Text,
    short: Text,
    names: Short,
    compilers: &Compilers<'_>,
) -> Result<(Text, Short), Error> {
    let short = shrunk(short, Minify::Names);
    let Some(standard) = compilers.own.code(text.as_str())? else { return Ok((short, names)) };
    let holds = |text: &Text| -> Result<bool, Error> {
        Ok(compilers.own.code(text.as_str())?.is_some_and(|code| standard.difference(&code).is_none()))
    };
    if holds(&short)? {
        return Ok((short, names));
    }
    let with = |names: &Short| shrunk(renamed_to(text, names), Minify::Names);
    let kept = bisect::largest_subset(&names, |some| holds(&with(some)))?;
    if kept.is_empty() {
        // `smaller_if_same` notes the reason.
        return Ok((short, names));
    }
    let back = names.len() - kept.len();
    let s = if back == 1 { "" } else { "s" };
    compilers.session.note(format!("{back} name{s} not shortened: the compiled code would have changed"));
    Ok((with(&kept), kept))
}

/// Applies a level's white-space minification to a readable text.
pub fn shrunk(text: Text, level: Minify) -> Text {
    if level < Minify::Space {
        return text;
    }
    dense(&text).unwrap_or(text)
}

#[cfg(test)]
pub(crate) mod tests {
    use proc_macro2::{Spacing, TokenStream, TokenTree};
    use std::path::Path;

    /// The tokens of a source with operators joined as rustc reads them, optionally without trailing commas.
    pub fn as_rustc_reads(source: &str, without_commas: bool) -> Result<Vec<String>, proc_macro2::LexError> {
        let mut out = Vec::new();
        walk(source.parse()?, &mut out);
        if without_commas {
            let closers = [")", "]", "}"];
            let keep = |i: usize| {
                out[i] != "," || !out.get(i + 1).is_some_and(|n: &String| closers.contains(&n.as_str()))
            };
            out = (0..out.len()).filter(|&i| keep(i)).map(|i| out[i].clone()).collect();
        }
        Ok(out)
    }

    const OPERATORS: &[&str] = &[
        "<<=", ">>=", "...", "..=", "==", "<=", ">=", "!=", "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=",
        "%=", "^=", "&=", "|=", "..", "::", "->", "<-", "=>",
    ];

    fn walk(stream: TokenStream, out: &mut Vec<String>) {
        let mut run = String::new();
        for tree in stream {
            if !matches!(tree, TokenTree::Punct(_)) {
                cut(&mut run, out);
            }
            match tree {
                TokenTree::Punct(p) => {
                    run.push(p.as_char());
                    if p.spacing() == Spacing::Joint && p.as_char() != '\'' {
                        continue;
                    }
                }
                TokenTree::Group(g) => {
                    use proc_macro2::Delimiter::{Brace, Bracket, None, Parenthesis};
                    let (open, close) = match g.delimiter() {
                        Parenthesis => ("(", ")"),
                        Brace => ("{", "}"),
                        Bracket => ("[", "]"),
                        None => ("", ""),
                    };
                    out.push(open.into());
                    walk(g.stream(), out);
                    out.push(close.into());
                }
                other => out.push(other.to_string()),
            }
            cut(&mut run, out);
        }
        cut(&mut run, out);
    }

    /// Splits a run of punctuation into operators.
    fn cut(run: &mut String, out: &mut Vec<String>) {
        let mut rest = run.as_str();
        while let Some(first) = rest.chars().next() {
            let length =
                OPERATORS.iter().find(|o| rest.starts_with(**o)).map_or(first.len_utf8(), |o| o.len());
            out.push(rest[..length].to_owned());
            rest = &rest[length..];
        }
        run.clear();
    }

    /// The Rust sources in some folders, sorted.
    pub fn sources(folders: &[&str]) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for folder in folders {
            find(Path::new(folder), &mut out);
        }
        assert!(out.len() > 10, "{folders:?}");
        out.sort();
        out
    }

    fn find(folder: &Path, out: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                find(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                if let Ok(source) = std::fs::read_to_string(&path) {
                    out.push((path.display().to_string(), crate::read::strip::normalise(&source)));
                }
            }
        }
    }

    /// Random tokens with random spaces.
    pub fn soup(seed: u64) -> String {
        const TOKENS: &[&str] = &[
            "a",
            "r",
            "b",
            "_",
            "as",
            "'a",
            "'static",
            "1",
            "1.",
            "0x1f",
            "1e3",
            "2.5f32",
            "\"s\"",
            "b\"s\"",
            "r#\"s\"#",
            "c\"s\"",
            "'c'",
            "b'c'",
            "r#type",
            "é",
            ".",
            "..",
            "...",
            "..=",
            ",",
            ";",
            ":",
            "::",
            "=",
            "==",
            "=>",
            "<",
            "<<",
            "<=",
            "<-",
            ">",
            ">>",
            ">=",
            ">>=",
            "-",
            "->",
            "-=",
            "+",
            "*",
            "/",
            "%",
            "^",
            "!",
            "!=",
            "&",
            "&&",
            "|",
            "||",
            "@",
            "#",
            "$",
            "?",
            "~",
            "stringify",
            "()",
            "[]",
            "{}",
            "(a, b,)",
            "assert!(a!(b | c))",
            "x!{a + b}",
            "\n",
            "\n\n",
            "where",
            "mod",
            "impl",
        ];
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut out = String::new();
        for _ in 0..40 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            out.push_str(TOKENS[(state >> 20) as usize % TOKENS.len()]);
            if state & 3 != 0 {
                out.push(' ');
            }
        }
        out
    }
}
