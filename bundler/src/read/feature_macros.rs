//! Decides the features that a macro is given by name.
//!
//! A macro with `#[cfg(feature = $feature)]` in its body tests another feature in each invocation. A bundle has no
//! features, so the macro is written twice: as it is where the feature is on, and as it is where it is off; each invocation
//! calls the right one.

use crate::syntax::cfg::Cfgs;
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::{Kind, Tokens};
use std::ops::Range;

/// Suffix of the name of a macro for features that are off.
const OFF: &str = "_without";

/// Decides such macros in the text of a file. Macros that are exported, have several arms, or are invoked without a literal
/// are left as they are.
pub fn decided(text: Text, cfgs: &Cfgs) -> Text {
    if !text.as_str().contains("macro_rules") || !text.as_str().contains("feature") {
        return text;
    }
    let Ok(tokens) = Tokens::read(text.as_str()) else { return text };
    let mut edits = Edits::default();
    for i in 0..tokens.len() {
        if tokens.ident(i) == Some("macro_rules") && tokens.is(i + 1, '!') {
            if let Some(found) = Asking::of(&tokens, i) {
                found.decide(&text, cfgs, &mut edits);
            }
        }
    }
    if edits.is_empty() {
        text
    } else {
        text.edited(edits)
    }
}

/// A macro that tests the feature named by its first argument.
struct Asking<'s> {
    name: &'s str,
    /// Range of the name.
    name_at: Range<usize>,
    whole: Range<usize>,
    /// The tests, `feature = $name`.
    tests: Vec<Range<usize>>,
    /// The names in its invocations, with their literal arguments.
    invocations: Vec<(Range<usize>, String)>,
}

impl<'s> Asking<'s> {
    /// Reads the macro at token `at`.
    fn of(tokens: &Tokens<'s>, at: usize) -> Option<Asking<'s>> {
        let name = tokens.ident(at + 2)?;
        let (body, end) = (at + 3, tokens.close(at + 3));
        // `( matcher ) => { … }` with an optional semicolon: a single arm.
        let matcher = body + 1;
        let is_open = |i: usize| matches!(tokens.get(i).map(|t| t.kind), Some(Kind::Open(_)));
        let arrow = tokens.close(matcher) + 1;
        let arm = arrow + 2;
        if !is_open(matcher) || !tokens.is(arrow, '=') || !is_open(arm) {
            return None;
        }
        let after = tokens.close(arm) + 1;
        if after != end && !(tokens.is(after, ';') && after + 1 == end) {
            return None;
        }
        // `$feature:literal` comes first.
        let (variable, kind) = (tokens.ident(matcher + 2)?, tokens.ident(matcher + 4)?);
        if !tokens.is(matcher + 1, '$') || !matches!(kind, "literal" | "tt" | "expr") {
            return None;
        }
        let range = |from: usize, to: usize| Some(tokens.get(from)?.range.start..tokens.get(to)?.range.end);
        let is_test = |i: &usize| {
            tokens.ident(*i) == Some("feature")
                && tokens.is(i + 1, '=')
                && tokens.is(i + 2, '$')
                && tokens.ident(i + 3) == Some(variable)
        };
        let tests: Vec<_> = (arm..after).filter(is_test).filter_map(|i| range(i, i + 3)).collect();
        let mut invocations = Vec::new();
        for i in (0..tokens.len()).filter(|i| !(at..=end).contains(i) && tokens.ident(*i) == Some(name)) {
            let literal = syn::parse_str::<syn::LitStr>(tokens.text(i + 3)).ok();
            let is_call = tokens.is(i + 1, '!') && is_open(i + 2);
            invocations.push((range(i, i)?, literal.filter(|_| is_call)?.value()));
        }
        let whole = range(at, end)?;
        (!tests.is_empty() && !invocations.is_empty()).then_some(Asking {
            name,
            name_at: range(at + 2, at + 2)?,
            whole,
            tests,
            invocations,
        })
    }

    fn decide(&self, text: &Text, cfgs: &Cfgs, edits: &mut Edits) {
        let is_on = |feature: &String| cfgs.features.contains(feature);
        let (on, off): (Vec<_>, Vec<_>) = self.invocations.iter().partition(|(_, f)| is_on(f));
        let outcome = if on.is_empty() { "any()" } else { "all()" };
        for test in &self.tests {
            edits.replace(test.clone(), outcome);
        }
        if on.is_empty() || off.is_empty() {
            return;
        }
        let other = format!("{}{OFF}", self.name);
        let start = self.whole.start;
        let within = |range: &Range<usize>| range.start - start..range.end - start;
        let mut changes = Edits::default();
        changes.replace(within(&self.name_at), other.clone());
        self.tests.iter().for_each(|test| changes.replace(within(test), "any()"));
        let mut copy = text.slice(self.whole.clone()).edited(changes);
        copy.push_str(if copy.as_str().ends_with('}') { " " } else { "; " });
        edits.splice(start..start, copy);
        off.iter().for_each(|(at, _)| edits.replace(at.clone(), other.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_invocation_calls_the_macro_of_its_feature() {
        let cfgs = Cfgs { features: ["a".to_owned()].into(), ..Cfgs::default() };
        let shown = |source: &str| decided(Text::generated(source), &cfgs).as_str().to_owned();
        let call =
            |first: &str, second: &str| format!(" {first}!(\"a\", x); mod n {{ {second}!(\"b\", y); }}");
        let of = |name: &str, test: &str| {
            format!("macro_rules! {name} (($f:literal, $m:ident) => {{ #[cfg(all(unix, {test}))] mod $m {{}} }});")
        };
        assert_eq!(
            shown(&(of("m", "feature = $f") + &call("m", "m"))),
            format!("{} {}{}", of("m_without", "any()"), of("m", "all()"), call("m", "m_without"))
        );
        let only = |feature: &str| format!("{} m!({feature:?}, x);", of("m", "feature = $f"));
        assert!(shown(&only("a")).starts_with(&of("m", "all()")));
        assert!(shown(&only("b")).starts_with(&of("m", "any()")));
        for unknown in [of("m", "feature = $f") + " m!(x, y);", of("m", "feature = $f") + " pub use m;"] {
            assert_eq!(shown(&unknown), unknown);
        }
    }
}
