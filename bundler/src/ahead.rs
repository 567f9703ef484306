//! Reads a program and removes what `main` cannot reach by name, while cargo compiles the source if it has not yet.

use crate::api::bundle::{Asset, Bundle, Part};
use crate::api::error::Error;
use crate::assets::{taken_in, Embedded};
use crate::merge::assemble::Merged;
use crate::merge::editions;
use crate::merge::ladder::Ladder;
use crate::merge::program::Program;
use crate::os::children::{interrupted, Stop};
use crate::plan::cargo::{Built, COMPILING};
use crate::plan::{Compiled, Plan};
use crate::prune::refuse;
use crate::read::crates::Source;
use crate::read::site;
use crate::report::tree::parsed_crates;
use crate::rustc::both;
use crate::rustc::session::Session;
use crate::syntax::parsed::Parsed;
use crate::syntax::visibility::demote;

/// Adds the facts of an earlier build by cargo to the plan. The source is compiled here if it can't be read before that:
/// for external crates, for expanded derives, and for build scripts if it isn't compiled later.
///
/// # Errors
/// If the source does not compile, or needs a macro of a crate that the site has in another version.
pub fn resolved(session: &Session<'_>, plan: Plan) -> Result<Plan, Error> {
    let options = session.options;
    site::check(options.platform.as_ref(), &plan)?;
    if !options.check && !options.expand_derives && !plan.has_scripts() {
        return Ok(plan.foreseen());
    }
    if let Some(built) = Built::known(&plan, &session.cache).filter(|_| !options.expand_derives) {
        return Ok(plan.corrected(&built, Compiled::Earlier));
    }
    if !options.expand_derives && options.check && plan.externals.is_empty() {
        return Ok(plan);
    }
    session.progress.say(COMPILING);
    let built = Built::checked(session, &plan, &Stop::default())?;
    let plan = plan.corrected(&built, Compiled::Now);
    let plan = if options.expand_derives { plan.with_expanders(&built) } else { plan };
    if options.check {
        plan.with_externals(&built)
    } else {
        Ok(plan)
    }
}

/// A program as far as it is known without compiling it as one text.
pub struct Reached {
    /// The plan, with the features that cargo has chosen.
    pub plan: Plan,
    /// The crates.
    pub source: Source,
    /// The crates in one text.
    pub merged: Merged,
    /// That text, and what `main` reaches of it by name.
    pub ladder: Ladder,
    /// The items of all crates.
    pub items: Vec<Part>,
    /// The files that it embeds.
    pub assets: Vec<Asset>,
    /// Whether statics that hold a file are functions in these texts, which then may not compile.
    pub functions: bool,
    /// A note on messages that may differ.
    pub note: Option<String>,
}

/// Reads the source. If cargo has not compiled it yet, it does so meanwhile: the result seldom changes what is read; if it
/// does, the source is read again. A refusal that the result cannot change comes at once.
///
/// With `functions`, statics that only hold a file may become functions.
///
/// # Errors
/// If the source does not compile, or cannot be expressed in one file.
pub fn read(session: &Session<'_>, plan: Plan, functions: bool) -> Result<Reached, Error> {
    if !session.options.check || plan.compiled != Compiled::Never {
        return reached(session, plan, functions);
    }
    let plan = plan.foreseen();
    let stop = &Stop::default();
    let ahead = || {
        let first = reached(session, plan.clone(), functions);
        if matches!(first, Err(Error::Refused { .. })) && plan.is_final() {
            stop.stop();
        }
        session.progress.say(COMPILING);
        first
    };
    let (built, first) = both(|| Built::checked(session, &plan, stop), ahead);
    let corrected = match built {
        Err(_) if stop.is_stopped() && first.is_err() => return first,
        built => plan.clone().corrected(&built?, Compiled::Now),
    };
    match first {
        Ok(first) if first.is_same_for(&corrected) => Ok(Reached { plan: corrected, ..first }),
        _ => reached(session, corrected, functions),
    }
}

/// Makes the bundle of a program, whose statics that hold a file are functions unless that does not compile.
///
/// # Errors
/// Those of `read` and `made`.
pub fn tried(
    session: &Session<'_>,
    read: impl Fn(bool) -> Result<Reached, Error>,
    made: impl Fn(Reached) -> Result<Bundle, Error>,
) -> Result<Bundle, Error> {
    session.progress.say("reading the source");
    let reached = read(true)?;
    if !reached.functions {
        return made(reached);
    }
    let (first, notes) = session.apart(|| made(reached));
    if matches!(first, Err(Error::Bundle(_) | Error::Refused { .. })) && !interrupted() {
        return read(false).and_then(made);
    }
    session.note_all(notes);
    first
}

impl Reached {
    /// Whether another plan would give the same text.
    fn is_same_for(&self, plan: &Plan) -> bool {
        let libs: Vec<usize> = self.source.libs.iter().map(|(i, _)| *i).collect();
        self.plan.basis(&libs) == plan.basis(&libs)
    }
}

/// The part of a program that `main` reaches by name.
fn reached(session: &Session<'_>, plan: Plan, functions: bool) -> Result<Reached, Error> {
    let options = session.options;
    let source = Source::read(&plan)?;
    let merged = Merged::of(&plan, &source)?;
    session.progress.say("removing what main cannot reach");
    let program = Program { plan: &plan, files: &source.files, merged: &merged };
    let mut whole = demote(&merged.text);
    // Parsed first: `repair`, which seldom changes anything, then needs no lexing.
    let mut parsed = Parsed::of(whole.clone());
    if options.check {
        whole = editions::repair(session, program, whole)?;
        if parsed.as_ref().is_ok_and(|parsed| parsed.source() != whole.as_str()) {
            parsed = Parsed::of(whole.clone());
        }
    }
    let functions = functions && options.check;
    // If the text cannot be parsed, everything counts as live.
    let (embedded, items) = match parsed {
        Err(_) => (Embedded::without(whole.clone(), whole), Vec::new()),
        Ok(whole) => {
            let embedded = taken_in(&whole, options.limit, &source.files, &session.cache, functions)?;
            (embedded, parsed_crates(program, &whole))
        }
    };
    let externals = &plan.externals.keys().cloned().collect();
    let rules = refuse::Rules {
        strict: options.strict,
        externals,
        plan: Some(&plan),
        platform: options.platform.as_ref(),
    };
    let note = refuse::check(&embedded.reached, &merged, &source.files, rules)?;
    let Embedded { whole, reached, assets, functions } = embedded;
    let ladder = Ladder::new(whole, reached);
    Ok(Reached { plan, source, merged, ladder, items, assets, functions, note })
}
