//! What rustc's errors find missing, and the bounds of traits through which a type parameter had it.
//!
//! `Num` has no function that a program calls, but through `T: Integer` and `Integer: Num` a parameter has `Zero`'s
//! functions and the operators. When such a bound is removed, the errors name the function or the operator, never the
//! bound.

use crate::prune::sites::{SiteId, Sites, What};
use crate::rustc::{Diagnostic, Span};
use std::collections::{BTreeSet, HashMap};

/// Operators as errors name them, and their traits.
const OPERATORS: &[(&str, &str)] = &[
    ("cannot add ", "Add"),
    ("cannot subtract ", "Sub"),
    ("cannot multiply ", "Mul"),
    ("cannot divide ", "Div"),
    ("cannot calculate the remainder of ", "Rem"),
    ("can't compare ", "PartialEq"),
    ("cannot add-assign ", "AddAssign"),
    ("cannot subtract-assign ", "SubAssign"),
    ("cannot multiply-assign ", "MulAssign"),
    ("cannot divide-assign ", "DivAssign"),
    ("cannot calculate and assign the remainder of ", "RemAssign"),
];

/// Operators as errors quote them, and their traits.
const SIGNS: &[(&str, &str)] = &[
    ("==", "PartialEq"),
    ("!=", "PartialEq"),
    ("<", "PartialOrd"),
    ("<=", "PartialOrd"),
    (">", "PartialOrd"),
    (">=", "PartialOrd"),
    ("+=", "AddAssign"),
    ("-=", "SubAssign"),
    ("*=", "MulAssign"),
    ("/=", "DivAssign"),
    ("%=", "RemAssign"),
    ("&", "BitAnd"),
    ("|", "BitOr"),
    ("^", "BitXor"),
    ("<<", "Shl"),
    (">>", "Shr"),
    ("-", "Neg"),
    ("!", "Not"),
];

/// A function or trait that an error finds missing.
#[derive(Debug, PartialEq, Eq)]
pub enum Lack<'a> {
    /// A function of a trait.
    Function(&'a str),
    /// A trait.
    Trait(&'a str),
}

impl<'a> Lack<'a> {
    /// Reads from an error the lack of a type parameter. A name in capitals is taken for one, as in `&T`, and so is any
    /// type of a missing trait.
    pub fn of(error: &'a Diagnostic) -> Option<Lack<'a>> {
        let message = error.message.as_str();
        let mut quoted = message.split('`').skip(1).step_by(2);
        match error.lint()? {
            "E0599" => {
                let function = quoted.next()?;
                let of = quoted.next()?.trim_start_matches('&').trim_start_matches("mut ");
                let is_short = of.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
                let is_parameter = message.contains(" for type parameter ")
                    || message.contains(" for reference ") && is_short;
                is_parameter.then_some(Lack::Function(function))
            }
            "E0277" => {
                let operator = OPERATORS.iter().find(|(begin, _)| message.starts_with(begin));
                if let Some((_, tr)) = operator {
                    return Some(Lack::Trait(tr));
                }
                let bound = message.strip_prefix("the trait bound `")?.split('`').next()?;
                let tr = bound.split_once(": ")?.1.split('<').next()?;
                tr.rsplit("::").next().map(Lack::Trait)
            }
            "E0368" | "E0369" | "E0600" => {
                let operator = OPERATORS.iter().find(|(begin, _)| message.starts_with(begin));
                let sign = |of: &str| SIGNS.iter().find(|(sign, _)| *sign == of).map(|(_, tr)| *tr);
                let said = || quoted.flat_map(str::split_whitespace).find_map(sign);
                operator.map(|(_, tr)| *tr).or_else(said).map(Lack::Trait)
            }
            "E0382" | "E0505" | "E0507" => Some(Lack::Trait("Copy")),
            _ => None,
        }
    }
}

/// The traits of a text and what their heads name.
pub struct Supertraits<'a> {
    sites: &'a Sites,
    /// For each trait, the names in its bounds.
    heads: HashMap<SiteId, BTreeSet<&'a str>>,
}

impl<'a> Supertraits<'a> {
    /// Of the text that the sites were read from.
    pub fn of(source: &'a str, sites: &'a Sites) -> Supertraits<'a> {
        let traits = sites.list.iter().enumerate().filter(|(_, s)| s.what == What::Trait);
        let heads =
            traits.map(|(id, s)| (id, idents(head(source, s.at)).filter(|w| **w != s.name).collect()));
        Supertraits { sites, heads: heads.collect() }
    }

    /// The removed bounds and functions through which something with these names in its head has what is missing.
    pub fn bring(&self, start: &BTreeSet<&str>, lack: &Lack<'_>, out: &BTreeSet<SiteId>) -> Vec<SiteId> {
        let traits = self.all(start);
        let bounds = traits.iter().flat_map(|&id| self.sites.inside(id));
        let bounds = bounds.filter(|(id, s)| s.what == What::Bound && out.contains(id));
        let leads = |name: &str| self.leads(name, lack);
        let mut found: Vec<SiteId> = bounds.filter(|(_, s)| leads(&s.name)).map(|(id, _)| id).collect();
        if let Lack::Function(name) = lack {
            let inside = traits.iter().flat_map(|&id| self.sites.inside(id));
            let own = inside.filter(|(id, s)| s.what == What::Fn && s.name == *name && out.contains(id));
            found.extend(own.map(|(id, _)| id));
        }
        found
    }

    /// The traits that the names refer to, and all their supertraits.
    fn all(&self, start: &BTreeSet<&str>) -> BTreeSet<SiteId> {
        let named = |name: &str| {
            let all = self.sites.named(name).filter(|(_, s)| s.what == What::Trait);
            all.map(|(id, _)| id).collect::<Vec<SiteId>>()
        };
        let mut open: Vec<SiteId> = start.iter().flat_map(|name| named(name)).collect();
        let mut found = BTreeSet::new();
        while let Some(id) = open.pop() {
            if found.insert(id) {
                open.extend(self.heads.get(&id).into_iter().flatten().flat_map(|name| named(name)));
            }
        }
        found
    }

    /// Whether a bound of this name brings what is missing.
    fn leads(&self, name: &str, lack: &Lack<'_>) -> bool {
        let traits = self.all(&BTreeSet::from([name]));
        match lack {
            Lack::Function(function) => {
                let mut inside = traits.iter().flat_map(|&id| self.sites.inside(id));
                inside.any(|(_, s)| s.what == What::Fn && s.name == *function)
            }
            Lack::Trait(tr) => {
                let mut heads = traits.iter().filter_map(|id| self.heads.get(id));
                name == *tr || heads.any(|head| head.contains(tr))
            }
        }
    }
}

/// The part of an item before its body, from the byte at which its definition starts.
pub fn head(source: &str, at: usize) -> &str {
    source.get(at..).and_then(|rest| rest.split(['{', ';']).next()).unwrap_or("")
}

/// A trait that a type lacks.
#[derive(Debug, Default)]
pub struct Unmet {
    /// The trait's name.
    pub tr: String,
    /// The names in the type.
    pub types: BTreeSet<String>,
    /// The type as it is written, if it is known.
    pub of: String,
    /// The trait's arguments with their brackets, if it has any.
    pub arguments: String,
}

/// The traits that an error finds missing.
pub fn unmet_bounds(error: &Diagnostic) -> Vec<Unmet> {
    let message = error.message.as_str();
    let operator = OPERATORS.iter().find(|(begin, _)| message.starts_with(begin));
    match (error.lint(), operator) {
        (Some("E0277" | "E0369"), Some((_, tr))) => {
            // `a < b` is of another trait than `a == b`.
            let ordered = |s: &Span| s.label.as_deref().is_some_and(|l| l.contains(" < "));
            let is_ordered = *tr == "PartialEq" && error.spans.iter().any(ordered);
            let tr = (if is_ordered { "PartialOrd" } else { tr }).to_owned();
            let mut operands = message.split('`').skip(1).step_by(2).take(2).collect::<Vec<&str>>();
            // "cannot add `B` to `A`" is of `A: Add<B>`.
            if message.contains("` to `") || message.contains("` from `") {
                operands.reverse();
            }
            let [of, other] = operands[..] else { return Vec::new() };
            let (of, arguments) = (of.to_owned(), format!("<{other}>"));
            vec![Unmet { tr, types: quoted(message), of, arguments }]
        }
        (Some("E0277"), _) => message.strip_prefix("the trait bound `").and_then(bound).into_iter().collect(),
        (Some("E0599"), _) if message.ends_with("trait bounds were not satisfied") => {
            let lines = error.children.iter().flat_map(|child| child.message.lines());
            let bounds = lines.map(|line| line.strip_prefix("trait bound ").unwrap_or(line));
            bounds.filter_map(|line| bound(line.strip_prefix('`')?)).collect()
        }
        _ => Vec::new(),
    }
}

/// A bound up to the next quote.
fn bound(said: &str) -> Option<Unmet> {
    let (of, bound) = said.split('`').next()?.rsplit_once(": ")?;
    let path = bound.split('<').next()?;
    let (tr, arguments) = (path.rsplit("::").next()?, bound.get(path.len()..)?);
    let types = match of {
        "{float}" => ["f32", "f64"].map(str::to_owned).into(),
        "{integer}" => ["i32", "u8", "u16", "u32", "u64", "usize", "i64"].map(str::to_owned).into(),
        of => names(of),
    };
    Some(Unmet { tr: tr.to_owned(), types, of: of.to_owned(), arguments: arguments.to_owned() })
}

/// The names in the quoted parts of a message.
pub fn quoted(message: &str) -> BTreeSet<String> {
    message.split('`').skip(1).step_by(2).flat_map(names).collect()
}

/// The identifiers in a piece of source.
pub fn names(source: &str) -> BTreeSet<String> {
    idents(source).map(str::to_owned).collect()
}

/// The identifiers in a piece of source, in order.
pub fn idents(source: &str) -> impl Iterator<Item = &str> {
    source.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: &str, message: &str, children: &[&str]) -> Diagnostic {
        let children = children
            .iter()
            .map(|m| serde_json::json!({ "message": m, "level": "help", "spans": [], "children": [] }));
        let said = serde_json::json!({
            "message": message, "level": "error", "code": { "code": code }, "spans": [],
            "children": children.collect::<Vec<_>>(),
        });
        serde_json::from_value(said).unwrap()
    }

    #[test]
    fn bounds_are_read_from_errors() {
        let unmet = |code: &str, message: &str, children: &[&str]| {
            let all = unmet_bounds(&error(code, message, children));
            all.iter()
                .map(|u| {
                    let types: Vec<&str> = u.types.iter().map(String::as_str).collect();
                    format!("{}{} for {}", u.tr, u.arguments, types.join(" "))
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(
            unmet("E0277", "the trait bound `a::B<u8>: c::D<E>` is not satisfied", &[]),
            ["D<E> for B a u8"]
        );
        assert_eq!(unmet("E0369", "cannot add `f32` to `N<f32>`", &[]), ["Add<f32> for N f32"]);
        assert_eq!(unmet("E0277", "cannot divide-assign `A` by `&B`", &[]), ["DivAssign<&B> for A B"]);
        let said = "the following trait bounds were not satisfied:\n`O<f64>: Ord`\nwhich is required by `(O<f64>, u32): Ord`";
        let message =
            "the method `push` exists for struct `H<(O<f64>, u32)>`, but its trait bounds were not satisfied";
        assert_eq!(unmet("E0599", message, &[said, "consider annotating `O<f64>`"]), ["Ord for O f64"]);
        assert_eq!(unmet("E0599", message, &["trait bound `O: Copy` was not satisfied"]), ["Copy for O"]);
    }

    #[test]
    fn what_a_parameter_lacks_is_read_from_errors() {
        let lack = |code: &str, message: &str| format!("{:?}", Lack::of(&error(code, message, &[])));
        let zero =
            "no function or associated item named `zero` found for type parameter `T` in the current scope";
        assert_eq!(lack("E0599", zero), "Some(Function(\"zero\"))");
        assert_eq!(
            lack("E0599", "no method named `go` found for reference `&T` in the"),
            "Some(Function(\"go\"))"
        );
        assert_eq!(lack("E0599", "no method named `go` found for struct `S` in the current scope"), "None");
        assert_eq!(lack("E0369", "cannot divide `T` by `T`"), "Some(Trait(\"Div\"))");
        assert_eq!(
            lack("E0369", "binary operation `>=` cannot be applied to type `T`"),
            "Some(Trait(\"PartialOrd\"))"
        );
        assert_eq!(lack("E0600", "cannot apply unary operator `-` to type `T`"), "Some(Trait(\"Neg\"))");
        assert_eq!(lack("E0277", "the trait bound `T: a::Num<u8>` is not satisfied"), "Some(Trait(\"Num\"))");
        assert_eq!(lack("E0382", "use of moved value: `x`"), "Some(Trait(\"Copy\"))");
    }

    #[test]
    fn bounds_are_found_through_supertraits() {
        let source = "trait Zero { fn zero(); } trait Ops<R>: Sub<R> {} trait Num: Zero + Ops<u8> {} trait Other: Num {}
            trait Integer: Eq + Num {} fn f<T: Integer>() {}";
        let tokens = crate::syntax::tokens::Tokens::read(source).unwrap();
        let sites = Sites::read(&tokens);
        let bounds = sites.list.iter().enumerate().filter(|(_, s)| s.what == What::Bound).map(|(id, _)| id);
        let out = bounds.collect();
        let found = |lack: Lack<'_>| {
            let found = Supertraits::of(source, &sites).bring(&BTreeSet::from(["T", "Integer"]), &lack, &out);
            found.iter().map(|&id| source[sites.list[id].range.clone()].to_owned()).collect::<Vec<String>>()
        };
        // `Num`'s own bounds have an argument, so they are no sites.
        assert_eq!(found(Lack::Function("zero")), ["Num"]);
        assert_eq!(found(Lack::Trait("Sub")), ["Num"]);
        assert_eq!(found(Lack::Trait("Eq")), ["Eq"]);
        assert!(found(Lack::Trait("Mul")).is_empty());
    }
}
