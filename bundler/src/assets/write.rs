//! Writes the bundle's module of files and decoders, and chooses each file's encoding.

use super::coder::{Coding, MODEL};
use super::places::Place;
use super::radix::{Alphabet, CODED, PACKED};
use super::Content;
use crate::api::bundle::Method;
use crate::api::options::Unit;
use crate::rustc::cache::Cache;
use crate::syntax::tokens::Tokens;
use std::collections::HashSet;

/// Files below this size stay byte strings.
const SMALL: usize = 64;

/// Size in bytes from which rustc may warn about a long constant evaluation.
const LONG: usize = 50_000;

/// A file in one encoding.
#[derive(Clone, Debug)]
pub struct Form {
    /// The encoding.
    pub method: Method,
    /// The item with the data; for [`Method::Literal`] the literal itself.
    pub item: String,
    /// The item's name.
    pub name: String,
}

impl Form {
    /// Size in a bundle, without decoders.
    pub fn size(&self, content: &Content, unit: Unit) -> usize {
        let copies = if self.method == Method::Literal { content.live } else { 1 };
        unit.size(&self.item) * copies
    }
}

/// Writes the module of files and decoders.
pub struct Library {
    name: String,
    alphabet: Alphabet,
    unit: Unit,
    /// Knows how files are coded best.
    cache: Cache,
}

impl Library {
    /// A library for a text, under a module name that does not occur in it.
    pub fn new(tokens: &Tokens<'_>, alphabet: Alphabet, unit: Unit, cache: Cache) -> Library {
        let taken: HashSet<&str> = (0..tokens.len()).filter_map(|i| tokens.ident(i)).collect();
        let mut name = "assets".to_owned();
        let mut n = 1;
        while taken.contains(name.as_str()) {
            n += 1;
            name = format!("assets_{n}");
        }
        Library { name, alphabet, unit, cache }
    }

    /// Chooses the encodings of all files that minimise the total size, decoders included.
    pub fn choose(&self, contents: &[Content]) -> Vec<Form> {
        let candidates: Vec<Vec<Form>> =
            contents.iter().enumerate().map(|(i, c)| self.candidates(i, c)).collect();
        let mut best: Option<(usize, Vec<Form>)> = None;
        for allowed in [
            &[Method::Literal][..],
            &[Method::Literal, Method::Constant, Method::Packed],
            &[Method::Literal, Method::Coded],
            &[Method::Literal, Method::Constant, Method::Packed, Method::Coded],
        ] {
            let chosen: Vec<Form> = candidates
                .iter()
                .zip(contents)
                .filter_map(|(forms, c)| {
                    let forms = forms.iter().filter(|f| allowed.contains(&f.method));
                    forms.min_by_key(|f| f.size(c, self.unit)).cloned()
                })
                .collect();
            let sizes = chosen.iter().zip(contents).map(|(f, c)| f.size(c, self.unit));
            let size = sizes.sum::<usize>() + self.unit.size(&self.decoders(&chosen));
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, chosen));
            }
        }
        best.map(|(_, forms)| forms).unwrap_or_default()
    }

    /// All encodings of a file; the first is a byte string.
    fn candidates(&self, index: usize, content: &Content) -> Vec<Form> {
        let bytes = &content.bytes[..];
        let literal = Form { method: Method::Literal, item: byte_literal(bytes), name: String::new() };
        if bytes.len() < SMALL {
            return vec![literal];
        }
        let size = bytes.len();
        let text = self.alphabet.packed(bytes);
        if content.constant {
            let name = format!("A{index}");
            let allow = if size > LONG { "#[allow(long_running_const_eval)]\n" } else { "" };
            let item = format!(
                "{allow}pub const {name}: &[u8; {size}] = &{{\n    \
                 let mut out = [0; {size}];\n    packed(r\"{text}\", &mut out);\n    out\n}};\n"
            );
            return vec![literal, Form { method: Method::Constant, item, name }];
        }
        let name = format!("a{index}");
        let packed = once(
            &name,
            size,
            &format!("{{\n        let mut out = vec![0; {size}];\n        packed(r\"{text}\", &mut out);\n        out\n    }}"),
        );
        let coding = Coding::remembered(bytes, &self.cache);
        let text = self.alphabet.written(&coding.digits(bytes, self.alphabet.radix()));
        let masks: Vec<String> = coding.masks.iter().map(|m| format!("{m:#X}")).collect();
        let (stride, rate, masks) = (coding.stride, coding.rate, masks.join(", "));
        let coded = once(&name, size, &format!("coded({size}, {stride}, {rate}, [{masks}], r\"{text}\")"));
        vec![
            literal,
            Form { method: Method::Packed, item: packed, name: name.clone() },
            Form { method: Method::Coded, item: coded, name },
        ]
    }

    /// The replacement for an `include_bytes!`.
    pub fn mention(&self, form: Option<&Form>, place: &Place) -> String {
        match form {
            Some(Form { method: Method::Constant, name, .. }) => format!("crate::{}::{name}", self.name),
            Some(Form { method, name, .. }) if method.at_run_time() && place.run_time => {
                format!("crate::{}::{name}()", self.name)
            }
            _ => byte_literal(&place.bytes),
        }
    }

    /// The module's source; empty if every file is a byte string.
    pub fn module(&self, forms: &[Form]) -> String {
        let items: Vec<&str> =
            forms.iter().filter(|f| f.method != Method::Literal).map(|f| f.item.as_str()).collect();
        if items.is_empty() {
            return String::new();
        }
        format!("\nmod {} {{\n{}{}}}\n", self.name, items.concat(), self.decoders(forms))
    }

    /// The source of the decoders that the forms need.
    fn decoders(&self, forms: &[Form]) -> String {
        let any = |methods: &[Method]| forms.iter().any(|f| methods.contains(&f.method));
        let mut out = String::new();
        if any(&[Method::Constant, Method::Packed]) {
            out.push_str(PACKED);
        }
        if any(&[Method::Coded]) {
            out.push_str(CODED);
            out.push_str(MODEL);
        }
        if out.is_empty() {
            return out;
        }
        let packs = any(&[Method::Constant, Method::Packed]);
        let wanted = |line: &&str| {
            !line.starts_with("//")
                && (packs || !line.starts_with("const GROUP") && !line.starts_with("const BITS"))
        };
        let source = self.alphabet.source().to_owned() + &out;
        let mut source: String = source.lines().filter(wanted).flat_map(|l| [l, "\n"]).collect();
        if !any(&[Method::Constant]) {
            // Older compilers support fewer constructs in `const fn`.
            source = source.replace("const fn", "fn");
        }
        source
    }
}

/// A function that decodes on its first call.
fn once(name: &str, size: usize, decode: &str) -> String {
    format!(
        "pub fn {name}() -> &'static [u8; {size}] {{\n    \
         static ONCE: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();\n    \
         ONCE.get_or_init(|| {decode})[..].try_into().unwrap()\n}}\n"
    )
}

/// A byte string literal.
pub fn byte_literal(bytes: &[u8]) -> String {
    let body: String = bytes.iter().flat_map(|&b| std::ascii::escape_default(b)).map(char::from).collect();
    format!("b\"{}\"", body.replace("\\'", "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_literals_round_trip() {
        let bytes: Vec<u8> = (0..=255).collect();
        let literal: syn::LitByteStr = syn::parse_str(&byte_literal(&bytes)).unwrap();
        assert_eq!(literal.value(), bytes);
    }
}
