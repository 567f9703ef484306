//! Removes what the program doesn't use.

pub mod elements;
pub mod excluded;
pub mod implementing;
pub mod kept;
pub mod last_time;
pub mod lints;
pub mod missing;
pub mod probe;
pub mod reach;
pub mod refuse;
pub mod repair;
pub mod site_reader;
pub mod sites;
pub mod stub;
pub mod unneeded;

use crate::api::bundle::{listed, Stage};
use crate::api::error::Error;
use crate::merge::ladder::Ladder;
use crate::plan::Plan;
use crate::read::refusals;
use crate::rustc::compilers::errors;
use crate::rustc::session::Session;
use crate::rustc::stage_cache::{self, program_identity};
use crate::rustc::{Checker, Outcome};
use crate::syntax::text::{Files, Text};
use last_time::LastTime;
use std::collections::BTreeSet;
use unneeded::Means;

/// The tools of the search for unused code.
pub struct Trimmer<'a> {
    /// For the cache and the notes.
    pub session: &'a Session<'a>,
    /// The compiler.
    pub checker: &'a Checker,
    /// For places in errors.
    files: &'a Files,
    /// Whether statics that hold a file are functions, which may be why a text does not compile.
    functions: bool,
    /// The packages of procedural macros that the program's crates use.
    procedural: BTreeSet<String>,
    /// The removal found last time.
    pub last_time: LastTime,
}

impl<'a> Trimmer<'a> {
    /// For a program, which is compiled by `checker`.
    pub fn new(
        session: &'a Session<'a>,
        checker: &'a Checker,
        plan: &Plan,
        files: &'a Files,
        functions: bool,
    ) -> Trimmer<'a> {
        let program = plan.key(session.options, &checker.flags).to_string();
        let last_time =
            LastTime::of(session.cache.clone(), &[program.as_bytes(), program_identity().as_bytes()]);
        Trimmer { session, checker, files, functions, procedural: plan.procedural(), last_time }
    }

    /// The text without unused code; `None` if the ladder has no form to start from, or if the removal of the previous
    /// run is not recorded or cannot be applied.
    pub fn trim(&self, ladder: &Ladder, means: Means) -> Result<Option<Text>, Error> {
        let (Some(whole), Some(reached)) = (ladder.at(Stage::Inlined), ladder.at(Stage::Reached)) else {
            return Ok(None);
        };
        if means == Means::LastTime {
            return self.as_last_time(reached);
        }
        let mut first = reached.clone();
        // The search starts with this text; `reached` compiles exactly if it does.
        let decided = excluded::decided(reached).unwrap_or(reached.clone());
        let mut outcome = self.checker.check(decided.as_str())?;
        if !outcome.ok {
            outcome = self.checker.check(first.as_str())?;
        }
        if !outcome.ok {
            let complaint = errors(&outcome.diagnostics, &first, self.files);
            if self.functions {
                return Err(Error::Bundle(complaint));
            }
            outcome = self.checker.check(whole.as_str())?;
            if !outcome.ok {
                return Err(self.missing_macro(&outcome, whole).unwrap_or(Error::Bundle(complaint)));
            }
            let why = complaint.lines().next().unwrap_or_default();
            self.session.note(format!("started from the whole program, because the part that main reaches by name does not compile: {why}"));
            first = whole.clone();
        }
        let trimmed =
            stage_cache::cached(means.word(), &first.itself(), self.checker, self.session, |text| {
                unneeded::remove_unused(text, outcome, means, self.checker, self.session)
            })?;
        self.last_time.found(first.as_str(), &trimmed);
        Ok(Some(first.behind(trimmed)))
    }

    /// The refusal if the text uses a macro that only a procedural one can be: it came by a re-export, which names no crate.
    fn missing_macro(&self, outcome: &Outcome, text: &Text) -> Option<Error> {
        let kinds = ["macro", "derive macro", "attribute"].map(|kind| format!("cannot find {kind} `"));
        let found = outcome.diagnostics.iter().find_map(|d| {
            let rest = kinds.iter().find_map(|kind| d.message.strip_prefix(kind))?;
            Some((d.at()?, rest.split('`').next()?))
        });
        let (at, name) = found.filter(|_| !self.procedural.is_empty())?;
        let all: Vec<String> = self.procedural.iter().map(|name| format!("`{name}`")).collect();
        let which = format!("`{name}` (of {})", listed(&all));
        let place = text.point(at, self.files).unwrap_or_default();
        Some(Error::Refused { place, why: refusals::proc_macro(&which) })
    }

    /// The text without what was removed last time, and without what rustc now reports as unused.
    fn as_last_time(&self, reached: &Text) -> Result<Option<Text>, Error> {
        // A search's own result is better than one carried over from an older search.
        if stage_cache::is_cached(Means::Code.word(), reached, self.checker) {
            return Ok(None);
        }
        let Some(text) = self.last_time.applied(&reached.itself()) else { return Ok(None) };
        let outcome = self.checker.check(text.as_str())?;
        if !outcome.ok {
            return Ok(None);
        }
        let linted = lints::remove_reported(text, outcome, self.checker)?;
        self.session.note_all(linted.note());
        let text = lints::allow_in_debug_builds(linted.text, self.checker)?;
        self.last_time.found(reached.as_str(), &text);
        Ok(Some(reached.behind(text)))
    }
}
