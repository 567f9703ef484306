//! The compilers that must accept a bundle: the user's own, and those of `--check-with`.

use crate::api::error::Error;
use crate::rustc::session::Session;
use crate::rustc::{Checker, Diagnostic, Flags, Outcome};
use crate::syntax::text::{Files, Text};
use std::collections::BTreeSet;

/// The compilers, and the files for places in their errors.
pub struct Compilers<'a> {
    /// The run that they are part of.
    pub session: &'a Session<'a>,
    /// The user's own compiler.
    pub own: Checker,
    others: Vec<Checker>,
    files: &'a Files,
}

impl<'a> Compilers<'a> {
    /// Asks each compiler for its version. If there are external crates, they are compiled for `own`, so other
    /// compilers cannot check the bundle.
    pub fn new(session: &'a Session<'a>, flags: &Flags, files: &'a Files) -> Result<Compilers<'a>, Error> {
        let (own, others) = (session.checker(flags)?, session.other_checkers(flags)?);
        Ok(Compilers { session, own, others, files })
    }

    /// The names of the compilers that check the bundle, and of those that cannot.
    pub fn names(&self) -> (Vec<String>, Vec<String>) {
        let asked = std::iter::once(&self.own).chain(self.usable()).map(Checker::name).collect();
        let silent = if self.own.flags.externs.is_empty() { &[] } else { self.others.as_slice() };
        (asked, silent.iter().map(Checker::name).collect())
    }

    fn usable(&self) -> std::slice::Iter<'_, Checker> {
        if self.own.flags.externs.is_empty() {
            self.others.iter()
        } else {
            [].iter()
        }
    }

    /// The text with an `allow` attribute that silences all compilers; `None` if `own` rejects the text. Its code is compiled
    /// too.
    ///
    /// # Errors
    /// If another compiler rejects it; the message has the places in the user's source.
    pub fn silenced(&self, text: &Text) -> Result<Option<Text>, Error> {
        let own = self.own.check_and_code(text.as_str())?;
        if !own.ok {
            return Ok(None);
        }
        let mut lints = names(&own);
        for other in self.usable() {
            let outcome = other.check(text.as_str())?;
            if !outcome.ok {
                return Err(self.refused(other, &outcome, text));
            }
            lints.extend(names(&outcome));
        }
        if lints.is_empty() {
            return Ok(Some(text.clone()));
        }
        // The shortest list that no compiler warns about, and that older compilers, which were not asked, accept too.
        let old = |lint: &str| lint.starts_with("unused_") || matches!(lint, "dead_code" | "deprecated");
        let known = lints.iter().all(|lint| old(lint));
        let list = Vec::from_iter(lints).join(", ");
        let lists = [list.clone(), format!("unknown_lints, {list}"), "warnings".into()];
        for list in lists.into_iter().skip(usize::from(!known)) {
            let mut allowed = Text::generated(format!("#![allow({list})]\n"));
            allowed.push(text);
            if self.all_silent(&allowed)? {
                return Ok(Some(allowed));
            }
        }
        Ok(Some(text.clone()))
    }

    /// Whether no compiler reports an error or warning.
    pub fn all_silent(&self, text: &Text) -> Result<bool, Error> {
        for checker in std::iter::once(&self.own).chain(self.usable()) {
            let outcome = checker.check(text.as_str())?;
            if !outcome.ok || outcome.diagnostics.iter().any(|d| d.level == "warning") {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn refused(&self, other: &Checker, outcome: &Outcome, text: &Text) -> Error {
        let said = match errors(&outcome.diagnostics, text, self.files) {
            said if said.is_empty() => "it printed no error".into(),
            said => said,
        };
        Error::Elsewhere { compiler: other.name(), own: self.own.name(), said }
    }
}

fn names(outcome: &Outcome) -> BTreeSet<String> {
    // The one lint that is reported under the number of a former error.
    let name = |lint| if lint == "E0170" { "bindings_with_variant_name" } else { lint };
    outcome.diagnostics.iter().filter_map(Diagnostic::lint).map(|lint| name(lint).to_owned()).collect()
}

/// rustc's errors, with places in the user's source.
pub fn errors(diagnostics: &[Diagnostic], text: &Text, files: &Files) -> String {
    let mut out = String::new();
    for d in diagnostics.iter().filter(|d| d.is_error()).take(5) {
        if let Some(at) = d.at() {
            let place = text.point(at, files).unwrap_or_default();
            out.push_str(&format!("{place}: {}\n", d.message));
        }
        out.push_str(d.rendered.as_deref().unwrap_or(""));
    }
    out.trim_end().to_owned()
}
