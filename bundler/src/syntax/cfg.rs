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

/// A system for which a bundle compiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct System {
    /// Its `target_arch`.
    pub arch: &'static str,
    /// Its `target_os`.
    pub os: &'static str,
    /// The `target_feature`s that all its compilers have by default; others stay open.
    features: &'static [&'static str],
}

impl System {
    const fn x86_64(os: &'static str) -> System {
        System { arch: "x86_64", os, features: &["fxsr", "sse", "sse2"] }
    }

    const fn aarch64(os: &'static str) -> System {
        System { arch: "aarch64", os, features: &["neon"] }
    }

    /// Its value of an atom, if it has one.
    fn decide(self, name: &str, value: Option<&str>) -> Option<bool> {
        let family = if self.os == "windows" { "windows" } else { "unix" };
        match (name, value) {
            ("target_arch", Some(v)) => Some(v == self.arch),
            ("target_os", Some(v)) => Some(v == self.os),
            ("target_family", Some(v)) => Some(v == family),
            ("unix" | "windows", None) => Some(name == family),
            ("target_feature", Some(v)) => self.features.contains(&v).then_some(true),
            _ => None,
        }
    }
}

/// The systems on which contest players write and sites compile. A bundle made on one of them compiles on all, unless its
/// site is known better.
pub const DESKTOPS: [System; 6] = [
    System::x86_64("linux"),
    System::x86_64("windows"),
    System::x86_64("macos"),
    System::aarch64("linux"),
    System::aarch64("windows"),
    System::aarch64("macos"),
];

/// The systems that a bundle is for, if it is checked by a compiler with these cfgs: those of the site's architecture, but
/// all if that compiler is for another one, and none if its system is unusual.
pub fn systems(own: &BTreeSet<String>, arch: Option<&str>) -> Vec<System> {
    let has = |name: &str, value: &str| own.contains(&format!("{name}=\"{value}\""));
    let is_own = |system: &&System| has("target_arch", system.arch) && has("target_os", system.os);
    let Some(own) = DESKTOPS.iter().find(is_own) else { return Vec::new() };
    let arch = arch.filter(|arch| *arch == own.arch);
    DESKTOPS.into_iter().filter(|system| arch.is_none_or(|arch| arch == system.arch)).collect()
}

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
    /// The systems of every compiler of the bundle, if they are known: what differs among them stays open.
    pub systems: Vec<System>,
}

impl Cfgs {
    fn decide(&self, name: &str, value: Option<&str>, system: Option<System>) -> Truth {
        let yes = match (name, value) {
            ("feature", Some(v)) => self.features.contains(v),
            ("true", None) => true,
            (n, Some(v)) if self.target.is_none() && THE_SAME_EVERYWHERE.iter().any(|(k, _)| *k == n) => {
                THE_SAME_EVERYWHERE.contains(&(n, v))
            }
            (n, v) if is_left_to_rustc(n) => match (&self.target, v) {
                (None, _) => match system.and_then(|system| system.decide(n, v)) {
                    Some(yes) => yes,
                    None => return Truth::Open,
                },
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
        // Parts that differ among the systems can be a whole that doesn't: `any(unix, windows)`.
        let mut all = cfgs.systems.iter().map(|&system| self.truth_on(cfgs, Some(system)));
        match all.next() {
            None => self.truth_on(cfgs, None),
            Some(first) if all.all(|other| other == first) => first,
            Some(_) => Truth::Open,
        }
    }

    fn truth_on(&self, cfgs: &Cfgs, system: Option<System>) -> Truth {
        let truth = |part: &Predicate| part.truth_on(cfgs, system);
        match self {
            Predicate::All(parts) => combined(parts, truth, Truth::No, Truth::Yes),
            Predicate::Any(parts) => combined(parts, truth, Truth::Yes, Truth::No),
            Predicate::Not(part) => truth(part).negated(),
            Predicate::Atom(name, value, _) => cfgs.decide(name, value.as_deref(), system),
            Predicate::Unknown => Truth::Open,
        }
    }

    /// The value on every target, as for `all()`, `not(any())` and a pointer width.
    pub fn constant(&self) -> Truth {
        match self {
            Predicate::All(parts) => combined(parts, Predicate::constant, Truth::No, Truth::Yes),
            Predicate::Any(parts) => combined(parts, Predicate::constant, Truth::Yes, Truth::No),
            Predicate::Not(part) => part.constant().negated(),
            Predicate::Atom(name, Some(value), _) => {
                let known = THE_SAME_EVERYWHERE.iter().find(|(of, _)| of == name);
                known.map_or(Truth::Open, |(_, is)| if is == value { Truth::Yes } else { Truth::No })
            }
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

/// The end of the item, statement or element whose attributes go on at token `i`.
pub fn element_end(tokens: &Tokens<'_>, mut i: usize) -> usize {
    i = after_attributes(tokens, i);
    let mut first = after_visibility(tokens, i);
    while let Some("const" | "unsafe" | "async" | "extern") = tokens.ident(first) {
        let next = if tokens.get(first + 1).is_some_and(|t| t.kind == Kind::Literal) { 2 } else { 1 };
        if !matches!(
            tokens.ident(first + next),
            Some("fn" | "unsafe" | "async" | "extern" | "impl" | "trait")
        ) {
            break;
        }
        first += next;
    }
    // The braces of these are within an expression or a list.
    let to_semicolon = matches!(tokens.ident(first), Some("use" | "const" | "static" | "let" | "type"));
    // The commas of these are within angle brackets.
    let is_item = to_semicolon
        || matches!(tokens.ident(first), Some("fn" | "impl" | "trait" | "struct" | "enum" | "union" | "mod"));
    while let Some(token) = tokens.get(i) {
        match token.kind {
            Kind::Close(_) => return i,
            Kind::Punct(';') => return i + 1,
            Kind::Punct(',') if !is_item => return i + 1,
            Kind::Open(bracket) => {
                i = tokens.close(i);
                if bracket == '{' && !to_semicolon && tokens.ident(i + 1) != Some("else") {
                    return i + 1;
                }
            }
            _ => {}
        }
        i += 1;
    }
    i
}

/// The first token after the attributes at `i`.
pub fn after_attributes(tokens: &Tokens<'_>, mut i: usize) -> usize {
    while tokens.is(i, '#') && tokens.is(i + 1, '[') {
        i = tokens.close(i + 1) + 1;
    }
    i
}

/// The first token after the visibility at `i`.
pub fn after_visibility(tokens: &Tokens<'_>, i: usize) -> usize {
    match (tokens.ident(i), tokens.is(i + 1, '(')) {
        (Some("pub"), true) => tokens.close(i + 1) + 1,
        (Some("pub"), false) => i + 1,
        _ => i,
    }
}

/// A shorter predicate with the same value on all systems of the bundle, of one given as text.
pub fn shorter(predicate: &str, cfgs: &Cfgs) -> Option<String> {
    let tokens = Tokens::read(predicate).ok()?;
    let predicate_on = |predicate: Predicate| -> Vec<Truth> {
        cfgs.systems.iter().map(|&system| predicate.truth_on(cfgs, Some(system))).collect()
    };
    let wanted = predicate_on(Predicate::read(&tokens, 0).0);
    let values = cfgs.systems.iter().flat_map(|s| [("target_arch", s.arch), ("target_os", s.os)]);
    let atoms = ["unix", "windows"].map(|name| (name.to_owned(), name, None)).into_iter();
    let atoms = atoms.chain(values.map(|(name, v)| (format!("{name} = \"{v}\""), name, Some(v.to_owned()))));
    let mut same = atoms.filter(|(_, name, value)| {
        predicate_on(Predicate::Atom((*name).to_owned(), value.clone(), 0..0)) == wanted
    });
    same.next().map(|(text, ..)| text).filter(|text| !wanted.is_empty() && text.len() < predicate.len())
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
    fn what_differs_among_systems_stays_open() {
        let neon = "all(target_arch = \"aarch64\", target_feature = \"neon\", target_endian = \"little\")";
        let sse2 = "all(target_feature = \"sse2\", any(target_arch = \"x86\", target_arch = \"x86_64\"))";
        let cfgs = Cfgs { systems: DESKTOPS.to_vec(), ..Cfgs::default() };
        for (predicate, truth) in [
            (neon, Truth::Open),
            (sse2, Truth::Open),
            (&format!("not(any({neon}, {sse2}))"), Truth::No),
            ("any(unix, windows)", Truth::Yes),
            ("all(unix, target_family = \"windows\")", Truth::No),
            ("target_os = \"macos\"", Truth::Open),
            ("any(target_os = \"emscripten\", target_arch = \"wasm32\")", Truth::No),
            ("target_env = \"msvc\"", Truth::Open),
        ] {
            assert_eq!(truth_of(predicate, &cfgs), truth, "{predicate}");
        }
        for (long, short) in [
            (neon, Some("target_arch = \"aarch64\"")),
            (sse2, Some("target_arch = \"x86_64\"")),
            ("any(target_os = \"macos\", target_os = \"linux\")", Some("unix")),
            ("target_family = \"windows\"", Some("windows")),
            ("all(target_os = \"macos\", target_arch = \"aarch64\")", None),
            ("any(unix, target_env = \"msvc\")", None),
            ("unix", None),
        ] {
            assert_eq!(shorter(long, &cfgs).as_deref(), short, "{long}");
        }
        assert_eq!(shorter(neon, &Cfgs::default()), None);
    }

    #[test]
    fn the_compilers_system_is_among_those_of_the_bundle() {
        let own = |arch: &str, os: &str| {
            BTreeSet::from([format!("target_arch=\"{arch}\""), format!("target_os=\"{os}\"")])
        };
        assert_eq!(systems(&own("x86_64", "linux"), None), DESKTOPS);
        assert_eq!(systems(&own("x86_64", "windows"), Some("x86_64")), DESKTOPS[..3]);
        assert_eq!(systems(&own("aarch64", "macos"), Some("x86_64")), DESKTOPS);
        assert_eq!(systems(&own("x86_64", "freebsd"), Some("x86_64")), []);
    }

    #[test]
    fn a_known_architecture_decides() {
        let x86_64 = DESKTOPS.into_iter().filter(|system| system.arch == "x86_64");
        let cfgs = Cfgs { systems: x86_64.collect(), ..Cfgs::default() };
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
    fn an_element_ends_where_its_items_do() {
        for element in [
            "fn f<A, B>() -> [A; 2] where A: Into<(B, B)>, { g(); }",
            "pub(crate) const unsafe extern \"C\" fn f<A, B>() {}",
            "const A: HashMap<B, C> = { D };",
            "use a::{b, c};",
            "let Some(a) = b else { return };",
            "if a { b } else { c }",
            "#[inline] a: B,",
            "pub(super) a: [B; 2],",
        ] {
            let tokens = Tokens::read(element).unwrap();
            assert_eq!(element_end(&tokens, 0), tokens.len(), "{element}");
        }
    }

    #[test]
    fn a_form_decides() {
        let constant = |predicate: &str| Predicate::read(&Tokens::read(predicate).unwrap(), 0).0.constant();
        let width = "target_pointer_width = \"64\"";
        for yes in [width, "all()", "not(any())", "any(all(), unix)", "all(all(), not(any()))"] {
            assert_eq!(constant(yes), Truth::Yes, "{yes}");
        }
        let order = "target_endian = \"big\"";
        for no in [order, "any()", "not(all())", "all(unix, any())", "any(not(all()), any())"] {
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
