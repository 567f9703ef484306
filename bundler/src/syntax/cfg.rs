//! Conditional compilation: decides what this build determines and leaves the rest to the final compiler.

use crate::syntax::tokens::{Kind, Tokens};
use std::collections::BTreeSet;
use std::ops::Range;

/// Names that only the final compiler can decide.
const LEFT_TO_RUSTC: &[&str] = &[
    "unix",
    "windows",
    "debug_assertions",
    "overflow_checks",
    "panic",
    "relocation_model",
    "sanitize",
    "ub_checks",
];

/// Whether only the final compiler can decide a name.
pub fn is_left_to_rustc(name: &str) -> bool {
    name.starts_with("target_") || LEFT_TO_RUSTC.contains(&name)
}

/// The cfg that is set in a bundle and in no other build, to exclude code from it or to include code only there. It is
/// set in the user's own crates only; registry crates may use the name for something else.
pub const BUNDLED: &str = "bundled";

/// Cfgs with the same value on every site and on every development machine.
const THE_SAME_EVERYWHERE: &[(&str, &str)] = &[("target_pointer_width", "64"), ("target_endian", "little")];

/// The architecture whose compilers have these `target_feature`s by default.
const X86_64: (&str, &[&str]) = ("x86_64", &["fxsr", "sse", "sse2"]);

/// The value of a predicate: true, false, or left to the final compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// True in this build.
    Yes,
    /// False in this build.
    No,
    /// Depends on the target or the flags.
    Open,
}

impl Truth {
    /// That of `not(…)`.
    fn negated(self) -> Truth {
        match self {
            Truth::Yes => Truth::No,
            Truth::No => Truth::Yes,
            Truth::Open => Truth::Open,
        }
    }
}

/// The cfgs of one crate.
#[derive(Clone, Debug, Default)]
pub struct Cfgs {
    /// The features that are enabled.
    pub features: BTreeSet<String>,
    /// Cfgs set by build scripts, by the user's flags and by the bundler ([`BUNDLED`]), as `name` or `name="value"`.
    pub set: BTreeSet<String>,
    /// The target's cfgs as rustc prints them, as `name` or `name="value"`; `None` leaves them to the final compiler.
    pub target: Option<BTreeSet<String>>,
    /// The `target_arch` of every compiler of the bundle, if it is known; it decides nothing else about the target.
    pub arch: Option<String>,
}

impl Cfgs {
    fn decide(&self, name: &str, value: Option<&str>) -> Truth {
        let yes = match (name, value) {
            ("feature", Some(v)) => self.features.contains(v),
            ("true", None) => true,
            (n, Some(v)) if self.target.is_none() && THE_SAME_EVERYWHERE.iter().any(|(k, _)| *k == n) => {
                THE_SAME_EVERYWHERE.contains(&(n, v))
            }
            ("target_arch", Some(v)) if self.arch.is_some() => self.arch.as_deref() == Some(v),
            ("target_feature", Some(v))
                if self.arch.as_deref() == Some(X86_64.0) && X86_64.1.contains(&v) =>
            {
                true
            }
            (n, v) if is_left_to_rustc(n) => match (&self.target, v) {
                (None, _) => return Truth::Open,
                (Some(set), None) => set.contains(n),
                (Some(set), Some(v)) => set.contains(&format!("{n}=\"{v}\"")),
            },
            (n, None) => self.set.contains(n),
            (n, Some(v)) => self.set.contains(&format!("{n}=\"{v}\"")),
        };
        if yes {
            Truth::Yes
        } else {
            Truth::No
        }
    }
}

/// A predicate as written in `cfg(…)`.
#[derive(Debug)]
pub enum Predicate {
    /// `all(…)`
    All(Vec<Predicate>),
    /// `any(…)`
    Any(Vec<Predicate>),
    /// `not(…)`
    Not(Box<Predicate>),
    /// `name` or `name = "value"`, with its range.
    Atom(String, Option<String>, Range<usize>),
    /// A predicate of unknown form.
    Unknown,
}

impl Predicate {
    /// Parses the predicate that starts at token `i`; returns it and the index of the next token.
    pub fn read(tokens: &Tokens<'_>, i: usize) -> (Predicate, usize) {
        let Some(name) = tokens.ident(i) else {
            return (Predicate::Unknown, i + 1);
        };
        let start = tokens.get(i).map_or(0, |t| t.range.start);
        if tokens.is(i + 1, '(') {
            let close = tokens.close(i + 1);
            let mut parts = Vec::new();
            let mut at = i + 2;
            while at < close {
                let (part, next) = Predicate::read(tokens, at);
                parts.push(part);
                at = next;
                while at < close && !tokens.is(at, ',') {
                    at += 1;
                }
                at += 1;
            }
            let predicate = match name {
                "all" => Predicate::All(parts),
                "any" => Predicate::Any(parts),
                "not" => Predicate::Not(Box::new(parts.pop().unwrap_or(Predicate::Unknown))),
                _ => Predicate::Unknown,
            };
            return (predicate, close + 1);
        }
        if tokens.is(i + 1, '=') {
            let Some(token) = tokens.get(i + 2).filter(|t| t.kind == Kind::Literal) else {
                return (Predicate::Unknown, i + 3);
            };
            let value = syn::parse_str::<syn::LitStr>(tokens.text(i + 2)).map(|l| l.value());
            let atom = Predicate::Atom(name.into(), value.ok(), start..token.range.end);
            return (atom, i + 3);
        }
        let end = tokens.get(i).map_or(0, |t| t.range.end);
        (Predicate::Atom(name.into(), None, start..end), i + 1)
    }

    /// Evaluates the predicate in this build.
    pub fn truth(&self, cfgs: &Cfgs) -> Truth {
        match self {
            Predicate::All(parts) => combined(parts, |p| p.truth(cfgs), Truth::No, Truth::Yes),
            Predicate::Any(parts) => combined(parts, |p| p.truth(cfgs), Truth::Yes, Truth::No),
            Predicate::Not(part) => part.truth(cfgs).negated(),
            Predicate::Atom(name, value, _) => cfgs.decide(name, value.as_deref()),
            Predicate::Unknown => Truth::Open,
        }
    }

    /// The value that follows from the form alone, as for `all()` and `not(any())`.
    pub fn constant(&self) -> Truth {
        match self {
            Predicate::All(parts) => combined(parts, Predicate::constant, Truth::No, Truth::Yes),
            Predicate::Any(parts) => combined(parts, Predicate::constant, Truth::Yes, Truth::No),
            Predicate::Not(part) => part.constant().negated(),
            Predicate::Atom(..) | Predicate::Unknown => Truth::Open,
        }
    }

    /// Appends the decided atoms, each with its replacement.
    pub fn decided(&self, cfgs: &Cfgs, out: &mut Vec<(Range<usize>, &'static str)>) {
        match self {
            Predicate::All(parts) | Predicate::Any(parts) => {
                parts.iter().for_each(|p| p.decided(cfgs, out));
            }
            Predicate::Not(part) => part.decided(cfgs, out),
            Predicate::Atom(_, _, range) => match self.truth(cfgs) {
                Truth::Yes => out.push((range.clone(), "all()")),
                Truth::No => out.push((range.clone(), "any()")),
                Truth::Open => {}
            },
            Predicate::Unknown => {}
        }
    }
}

/// The value of `all(…)` or `any(…)`: `stop` if a part has it, else open if a part is open, else `otherwise`.
fn combined(
    parts: &[Predicate],
    truth: impl Fn(&Predicate) -> Truth,
    stop: Truth,
    otherwise: Truth,
) -> Truth {
    let mut result = otherwise;
    for part in parts {
        match truth(part) {
            t if t == stop => return stop,
            Truth::Open => result = Truth::Open,
            _ => {}
        }
    }
    result
}

/// Evaluates a predicate given as text.
pub fn truth_of(predicate: &str, cfgs: &Cfgs) -> Truth {
    match Tokens::read(predicate) {
        Ok(tokens) => Predicate::read(&tokens, 0).0.truth(cfgs),
        Err(_) => Truth::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decides_features_and_leaves_targets() {
        let cfgs = Cfgs {
            features: ["fast".to_owned()].into(),
            set: ["has_i128".to_owned(), "kind=\"a\"".to_owned()].into(),
            ..Cfgs::default()
        };
        for (predicate, truth) in [
            ("feature = \"fast\"", Truth::Yes),
            ("feature = \"slow\"", Truth::No),
            ("test", Truth::No),
            ("target_arch = \"x86_64\"", Truth::Open),
            ("all(feature = \"fast\", unix)", Truth::Open),
            ("all(feature = \"slow\", unix)", Truth::No),
            ("any(feature = \"fast\", unix)", Truth::Yes),
            ("not(any(test, feature = r\"slow\"))", Truth::Yes),
            ("not(debug_assertions)", Truth::Open),
            ("has_i128", Truth::Yes),
            ("has_f16", Truth::No),
            ("kind = \"a\"", Truth::Yes),
            ("any(kind = \"b\", kind)", Truth::No),
            ("all()", Truth::Yes),
            ("any()", Truth::No),
        ] {
            assert_eq!(truth_of(predicate, &cfgs), truth, "{predicate}");
        }
    }

    #[test]
    fn a_known_architecture_decides() {
        let cfgs = Cfgs { arch: Some("x86_64".to_owned()), ..Cfgs::default() };
        for (predicate, truth) in [
            ("target_arch = \"x86_64\"", Truth::Yes),
            ("target_arch = \"aarch64\"", Truth::No),
            (
                "all(target_feature = \"sse2\", any(target_arch = \"x86\", target_arch = \"x86_64\"))",
                Truth::Yes,
            ),
            ("all(target_arch = \"aarch64\", target_feature = \"neon\")", Truth::No),
            // A site may compile for its own processor.
            ("target_feature = \"avx2\"", Truth::Open),
            ("unix", Truth::Open),
            ("target_os = \"linux\"", Truth::Open),
        ] {
            assert_eq!(truth_of(predicate, &cfgs), truth, "{predicate}");
        }
    }

    #[test]
    fn a_form_decides() {
        let constant = |predicate: &str| Predicate::read(&Tokens::read(predicate).unwrap(), 0).0.constant();
        for yes in ["all()", "not(any())", "any(all(), unix)", "all(all(), not(any()))"] {
            assert_eq!(constant(yes), Truth::Yes, "{yes}");
        }
        for no in ["any()", "not(all())", "all(unix, any())", "any(not(all()), any())"] {
            assert_eq!(constant(no), Truth::No, "{no}");
        }
        for open in ["unix", "all(unix)", "not(any(unix))", "$condition"] {
            assert_eq!(constant(open), Truth::Open, "{open}");
        }
    }

    #[test]
    fn a_known_target_decides() {
        let cfgs = Cfgs {
            target: Some(["unix".to_owned(), "target_os=\"linux\"".to_owned()].into()),
            ..Cfgs::default()
        };
        assert_eq!(truth_of("all(unix, target_os = \"linux\")", &cfgs), Truth::Yes);
        assert_eq!(truth_of("any(windows, target_os = \"none\")", &cfgs), Truth::No);
    }
}
