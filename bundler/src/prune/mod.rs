//! Removes what the program doesn't use.

pub mod builtin;
pub mod elements;
pub mod excluded;
pub mod lints;
pub mod probe;
pub mod reach;
pub mod refuse;
pub mod repair;
pub mod site_reader;
pub mod sites;
pub mod stub;
pub mod unneeded;

use crate::api::bundle::Stage;
use crate::api::error::Error;
use crate::merge::ladder::Ladder;
use crate::rustc::compilers::errors;
use crate::rustc::{stage_cache, Checker};
use crate::syntax::text::{Files, Text};
use unneeded::Means;

/// The text without unused code; `None` if the ladder has no form to start from.
pub fn trim(
    ladder: &Ladder,
    means: Means,
    checker: &Checker,
    files: &Files,
    notes: &mut Vec<String>,
) -> Result<Option<Text>, Error> {
    let (Some(whole), Some(reached)) = (ladder.at(Stage::Inlined), ladder.at(Stage::Reached)) else {
        return Ok(None);
    };
    let mut first = reached.clone();
    let mut outcome = checker.check(first.as_str())?;
    if !outcome.ok {
        let complaint = errors(&outcome.diagnostics, &first, files);
        outcome = checker.check(whole.as_str())?;
        if !outcome.ok {
            return Err(Error::Bundle(complaint));
        }
        let why = complaint.lines().next().unwrap_or_default();
        notes.push(format!("started from the whole program, because the part that main reaches by name does not compile: {why}"));
        first = whole.clone();
    }
    let trimmed = stage_cache::cached(means.word(), &first, checker, notes, |text, notes| {
        unneeded::remove_unused(text, outcome, means, checker, notes)
    })?;
    Ok(Some(trimmed))
}
