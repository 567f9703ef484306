//! Strings known before compilation: literals, `concat!`, and cargo's environment variables.

use crate::plan::cargo::Script;
use crate::plan::Unit;
use crate::syntax::tokens::{Kind, Tokens};
use cargo_metadata::{Package, Target};
use std::collections::BTreeMap;

/// The value of an environment variable while a crate is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// The value.
    Is(String),
    /// It is not set.
    Unset,
    /// It may be set, but its value is not reproducible in a bundle.
    Unknown,
}

/// The variables that cargo sets while it compiles a crate and that are the same on every machine.
pub fn of_cargo(package: &Package, target: &Target) -> BTreeMap<String, String> {
    let v = &package.version;
    let path = |p: &Option<_>| p.as_ref().map_or(String::new(), ToString::to_string);
    let text = |s: &Option<String>| s.clone().unwrap_or_default();
    let mut env: BTreeMap<&str, String> = [
        ("CARGO_PKG_NAME", package.name.to_string()),
        ("CARGO_PKG_VERSION", v.to_string()),
        ("CARGO_PKG_VERSION_MAJOR", v.major.to_string()),
        ("CARGO_PKG_VERSION_MINOR", v.minor.to_string()),
        ("CARGO_PKG_VERSION_PATCH", v.patch.to_string()),
        ("CARGO_PKG_VERSION_PRE", v.pre.to_string()),
        ("CARGO_PKG_AUTHORS", package.authors.join(":")),
        ("CARGO_PKG_DESCRIPTION", text(&package.description)),
        ("CARGO_PKG_HOMEPAGE", text(&package.homepage)),
        ("CARGO_PKG_REPOSITORY", text(&package.repository)),
        ("CARGO_PKG_LICENSE", text(&package.license)),
        ("CARGO_PKG_LICENSE_FILE", path(&package.license_file)),
        ("CARGO_PKG_README", path(&package.readme)),
        ("CARGO_CRATE_NAME", target.name.replace('-', "_")),
    ]
    .into();
    if package.rust_version.is_none() {
        // If the manifest sets it, metadata does not show whether with two numbers or with three.
        env.insert("CARGO_PKG_RUST_VERSION", String::new());
    }
    if target.is_bin() || target.is_example() {
        env.insert("CARGO_BIN_NAME", target.name.clone());
    }
    env.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The value of `env!(name)` in a crate.
pub fn variable(name: &str, unit: &Unit) -> Variable {
    if let Some(value) = unit.env.get(name) {
        return Variable::Is(value.clone());
    }
    if name == "CARGO_BIN_NAME" {
        return Variable::Unset;
    }
    if name.starts_with("CARGO") || name == "OUT_DIR" || crate::plan::cargo::may_set_variables(&unit.folder) {
        return Variable::Unknown;
    }
    match std::env::var(name) {
        Ok(value) => Variable::Is(value),
        Err(std::env::VarError::NotPresent) => Variable::Unset,
        Err(_) => Variable::Unknown,
    }
}

/// The value of the string literal at token `i`.
pub fn string(tokens: &Tokens<'_>, i: usize) -> Option<String> {
    let literal: syn::LitStr = syn::parse_str(tokens.text(i)).ok()?;
    Some(literal.value())
}

/// The constant string of the tokens from `from` to `to`, with or without a trailing comma.
///
/// `CARGO_MANIFEST_DIR` and `OUT_DIR` are resolved only here: a path that begins with one is read at once and not kept in
/// the bundle.
pub fn constant(tokens: &Tokens<'_>, from: usize, to: usize, unit: &Unit) -> Option<String> {
    let to = if to > from + 1 && tokens.is(to - 1, ',') { to - 1 } else { to };
    if to == from + 1 {
        return literal(tokens, from);
    }
    let name = (from..to).find(|&i| tokens.is(i + 1, '!'))?;
    if tokens.close(name + 2) + 1 != to {
        return None;
    }
    match tokens.ident(name)? {
        "env" => match (string(tokens, name + 3)?.as_str(), unit) {
            ("CARGO_MANIFEST_DIR", unit) => Some(unit.folder.to_str()?.to_owned()),
            ("OUT_DIR", Unit { script: Script::Ran(output), .. }) => Some(output.folder.to_str()?.to_owned()),
            (name, unit) => match variable(name, unit) {
                Variable::Is(value) => Some(value),
                _ => None,
            },
        },
        "concat" => {
            let mut out = String::new();
            let mut start = name + 3;
            while start < to - 1 {
                let end = argument(tokens, start, to - 1);
                out.push_str(&constant(tokens, start, end, unit)?);
                start = end + 1;
            }
            Some(out)
        }
        _ => None,
    }
}

/// The index of the token after the argument that starts at `start`: a comma, or `to`.
pub fn argument(tokens: &Tokens<'_>, start: usize, to: usize) -> usize {
    let mut i = start;
    while i < to && !tokens.is(i, ',') {
        if matches!(tokens.get(i).map(|t| t.kind), Some(Kind::Open(_))) {
            i = tokens.close(i);
        }
        i += 1;
    }
    i.min(to)
}

/// The value of a literal as `concat!` writes it.
fn literal(tokens: &Tokens<'_>, i: usize) -> Option<String> {
    match syn::parse_str(tokens.text(i)).ok()? {
        syn::Lit::Str(s) => Some(s.value()),
        syn::Lit::Char(c) => Some(c.value().to_string()),
        syn::Lit::Int(n) if n.suffix().is_empty() => Some(n.base10_digits().to_owned()),
        syn::Lit::Bool(b) => Some(b.value().to_string()),
        _ => None,
    }
}
