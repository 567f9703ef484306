//! Removes what rustc's lints report as unused, until they report nothing more.

use crate::api::error::Error;
use crate::prune::excluded::{self, Excluded};
use crate::prune::reach::{prune, Kills};
use crate::rustc::{Checker, Diagnostic, Outcome};
use crate::syntax::text::Text;

/// Maximum number of rounds; no known program needs as many.
const ROUNDS: usize = 16;
/// Maximum number of compilations per round to find the removals that fail.
const ATTEMPTS: usize = 10;

/// A removal that a lint suggests.
#[derive(Clone, Debug)]
pub enum Kill {
    /// The item whose name stands at this byte.
    Name(usize),
    /// The names in this range of a `use`.
    Import(std::ops::Range<usize>),
}

/// A text without what rustc's lints report.
pub struct Linted {
    /// The text.
    pub text: Text,
    /// The number of items that are reported, but needed to compile.
    kept: usize,
}

impl Linted {
    /// A note on the items that are kept.
    pub fn note(&self) -> Option<String> {
        let said = "items that rustc reports as unused, because the program does not compile without them";
        (self.kept > 0).then(|| format!("kept {} {said}", self.kept))
    }
}

/// Removes what `outcome`, the result of compiling `text`, reports, and allows what is unused only on this target.
/// Every step compiles.
pub fn remove_reported(mut text: Text, mut outcome: Outcome, checker: &Checker) -> Result<Linted, Error> {
    let excluded = Excluded::read(&text);
    for _ in 0..ROUNDS {
        let mut kills = kills(&outcome.diagnostics);
        kills.retain(|k| !excluded.names(k, &text));
        let mut attempts = ATTEMPTS;
        match step(&text, &kills, checker, &mut attempts)? {
            Some((next, after)) if next.as_str() != text.as_str() => {
                text = next;
                outcome = after;
            }
            Some(_) => break,
            None => return Ok(Linted { text: excluded.allowed(text, &outcome), kept: kills.len() }),
        }
    }
    Ok(Linted { text: excluded.allowed(text, &outcome), kept: 0 })
}

/// Allows what only a build without debug assertions uses: the removal of other code may have left it unused in a debug build.
pub fn allow_in_debug_builds(text: Text, checker: &Checker) -> Result<Text, Error> {
    if !text.as_str().contains("debug_assertions") {
        return Ok(text);
    }
    let outcome = checker.check_with(text.as_str(), &["-Cdebug-assertions=on"])?;
    Ok(if outcome.ok { excluded::allow(text, kills(&outcome.diagnostics)) } else { text })
}

/// Applies as many of the removals as compile; on failure it tries each half.
fn step(
    text: &Text,
    kills: &[Kill],
    checker: &Checker,
    attempts: &mut usize,
) -> Result<Option<(Text, Outcome)>, Error> {
    let mut all = Kills::default();
    for kill in kills {
        match kill {
            Kill::Name(at) => {
                all.names.insert(*at);
            }
            Kill::Import(range) => all.imports.push(range.clone()),
        }
    }
    let Some(next) = prune(text, &all) else {
        return Ok(None);
    };
    if next.as_str() == text.as_str() {
        let outcome = Outcome { ok: true, diagnostics: Vec::new() };
        return Ok(Some((next, outcome)));
    }
    if *attempts == 0 {
        return Ok(None);
    }
    *attempts -= 1;
    let outcome = checker.check(next.as_str())?;
    if outcome.ok {
        return Ok(Some((next, outcome)));
    }
    if kills.len() < 2 {
        return Ok(None);
    }
    let (first, second) = kills.split_at(kills.len() / 2);
    match step(text, first, checker, attempts)? {
        Some(done) => Ok(Some(done)),
        None => step(text, second, checker, attempts),
    }
}

/// The removals that the diagnostics suggest.
pub fn kills(diagnostics: &[Diagnostic]) -> Vec<Kill> {
    let mut out = Vec::new();
    for d in diagnostics {
        let primary = d.spans.iter().filter(|s| s.is_primary);
        match d.lint() {
            Some("dead_code" | "unused_macros") => out.extend(primary.map(|s| Kill::Name(s.byte_start))),
            Some("unused_imports") => {
                out.extend(primary.map(|s| Kill::Import(s.byte_start..s.byte_end)));
            }
            _ => {}
        }
    }
    out
}
