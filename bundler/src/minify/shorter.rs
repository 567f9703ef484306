//! Shortens imports: merges them, hoists them into the root, and removes re-exports that become unused.
//!
//! The hoisted form is tried first, then the one with merged imports; the smaller of them also with shorter visibilities,
//! which a glob import or a method of the same name may rule out.
//!
//! Which imports the compiler accepts in the root, and which it then reports as unused, is remembered for the next run: as
//! long as the modules import, define and mention the same names, the compiler isn't asked again.

use super::hoist::{Imports, Kept};
use super::imports::{module_at, modules, Module};
use crate::api::error::Error;
use crate::prove::proof::smaller_if_same;
use crate::prune::excluded::Excluded;
use crate::prune::last_time::LastTime;
use crate::prune::lints::{kills, Kill};
use crate::prune::reach::{prune, Kills};
use crate::rustc::cache::{Cache, Key};
use crate::rustc::compilers::Compilers;
use crate::rustc::stage_cache::program_identity;
use crate::rustc::{Checker, Diagnostic, Outcome};
use crate::syntax::layout::readable;
use crate::syntax::text::Text;
use crate::syntax::visibility::widen;

/// Maximum number of rounds in which imports are restored before hoisting is given up.
const ROUNDS: usize = 8;

/// Shortens the imports of a readable text, as far as the program stays the same.
///
/// # Errors
/// If the compiler cannot be run.
pub fn shorter(text: Text, compilers: &Compilers<'_>) -> Result<Text, Error> {
    for candidate in candidates(&text, &compilers.own, hoisted)? {
        let after = smaller_if_same(text.clone(), candidate, compilers)?;
        if after.as_str() != text.as_str() {
            return Ok(after);
        }
    }
    Ok(text)
}

/// The first candidate of [`shorter`] for a readable text, without a proof; `None` if nothing gets shorter.
///
/// # Errors
/// If the compiler cannot be run.
pub fn first(text: &Text, checker: &Checker) -> Result<Option<Text>, Error> {
    Ok(candidates(text, checker, hoisted_as_last_time)?.into_iter().next())
}

/// The smaller forms of a readable text, in the order in which they are tried.
fn candidates(
    text: &Text,
    checker: &Checker,
    hoisted: impl Fn(&Imports<'_>, &Checker) -> Result<Option<Text>, Error>,
) -> Result<Vec<Text>, Error> {
    let Some(imports) = Imports::read(text) else { return Ok(Vec::new()) };
    let merged = lay_out(imports.merged());
    let hoisted = hoisted(&imports, checker)?.map(lay_out);
    let smaller = hoisted.filter(|h| h.as_str().len() < merged.as_str().len());
    let forms: Vec<Text> = smaller.into_iter().chain([merged]).collect();
    let wide = forms.first().map(widen).filter(|wide| wide.as_str() != forms[0].as_str()).map(lay_out);
    let all = wide.into_iter().chain(forms);
    Ok(all.filter(|candidate| candidate.as_str().len() < text.as_str().len()).collect())
}

fn lay_out(text: Text) -> Text {
    readable(&text).unwrap_or(text)
}

/// As [`hoisted`], without the compiler if the result for the same imports is known.
fn hoisted_as_last_time(imports: &Imports<'_>, checker: &Checker) -> Result<Option<Text>, Error> {
    let Memory { exceptions, unused } = Memory::of(imports, checker);
    let known = exceptions.get(checker.cache()).and_then(|kept| {
        let next = imports.hoisted(&kept);
        Some(next.behind(unused.applied(&next.itself())?))
    });
    match known {
        Some(text) => Ok(Some(text)),
        None => hoisted(imports, checker),
    }
}

/// The text with imports in the root and without unused re-exports; `None` if it does not compile.
fn hoisted(imports: &Imports<'_>, checker: &Checker) -> Result<Option<Text>, Error> {
    let mut kept = Kept::default();
    for _ in 0..ROUNDS {
        let next = imports.hoisted(&kept);
        let outcome = checker.check(next.as_str())?;
        if outcome.ok {
            let shorter = remove_unused(next.itself(), outcome, checker)?;
            let Memory { exceptions, unused } = Memory::of(imports, checker);
            exceptions.put(checker.cache(), &kept);
            unused.found(next.as_str(), &shorter);
            unused.keep();
            return Ok(Some(next.behind(shorter)));
        }
        let before = kept.clone();
        let modules = modules(next.as_str()).unwrap_or_default();
        for error in outcome.diagnostics.iter().filter(|d| d.is_error()) {
            blame(error, &modules, &mut kept);
        }
        if kept == before {
            return Ok(None);
        }
    }
    Ok(None)
}

/// The cached result of hoisting for the same imports.
struct Memory {
    exceptions: Exceptions,
    /// The removal of unused imports.
    unused: LastTime,
}

/// The place in the cache of the exceptions from hoisting.
struct Exceptions(Key);

impl Memory {
    fn of(imports: &Imports<'_>, checker: &Checker) -> Memory {
        let (version, structure) = (format!("{} {:?}", checker.name(), checker.flags), imports.structure());
        let parts = [program_identity().into_bytes(), version.into_bytes(), structure.into_bytes()];
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        Memory {
            exceptions: Exceptions(Key::of(&parts)),
            unused: LastTime::of(checker.cache().clone(), &parts),
        }
    }
}

impl Exceptions {
    const KIND: &'static str = "hoisted";

    fn get(&self, cache: &Cache) -> Option<Kept> {
        serde_json::from_slice(&cache.get(Exceptions::KIND, &self.0)?).ok()
    }

    fn put(&self, cache: &Cache, kept: &Kept) {
        if let Ok(json) = serde_json::to_vec(kept) {
            cache.put(Exceptions::KIND, &self.0, &json);
        }
    }
}

/// Records the names and modules that an error is about as exceptions.
fn blame(error: &Diagnostic, modules: &[Module], kept: &mut Kept) {
    let names = |quoted: &str| {
        let words = quoted.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|w| !w.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let quoted = error.message.split('`').skip(1).step_by(2).flat_map(names);
    kept.names.extend(quoted);
    // The root cannot be excluded.
    kept.modules.extend(error.at().map(|at| module_at(modules, at)).filter(|&m| m > 0));
}

/// Removes imports that rustc reports as unused.
fn remove_unused(mut text: Text, mut outcome: Outcome, checker: &Checker) -> Result<Text, Error> {
    for _ in 0..ROUNDS {
        let excluded = Excluded::read(&text);
        let mut unused = Kills::default();
        for kill in kills(&outcome.diagnostics) {
            match &kill {
                Kill::Import(range) if !excluded.names(&kill, &text) => unused.imports.push(range.clone()),
                _ => {}
            }
        }
        let Some(next) = prune(&text, &unused).filter(|_| !unused.imports.is_empty()) else { break };
        let after = checker.check(next.as_str())?;
        if !after.ok || next.as_str().len() >= text.as_str().len() {
            break;
        }
        (text, outcome) = (next, after);
    }
    Ok(text)
}
