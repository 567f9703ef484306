//! Merges a binary and the crates it uses into one `main.rs`.
//!
//! ```
//! use bundler::{bundle, Limit, Options, Unit};
//! # let target = tempfile::tempdir()?;
//! # std::env::set_var("CARGO_TARGET_DIR", target.path());
//!
//! let options = Options {
//!     manifest_path: Some("tests/fixtures/modules/Cargo.toml".into()),
//!     bin: Some("modules".into()),
//!     limit: Limit { size: 50_000, unit: Unit::Chars },
//!     ..Options::default()
//! };
//! match bundle(&options) {
//!     Ok(bundle) => {
//!         assert!(bundle.text.contains("fn main()") && bundle.size.chars <= 50_000);
//!         // The parts of the bundle, with their share in percent.
//!         bundle.crates.iter().for_each(|part| println!("{} {}", part.path, part.share));
//!     }
//!     // A stable word for programs, a message for people, and the place in the source, if there is one.
//!     Err(e) => eprintln!("{} {:?}: {e}", e.kind(), e.place()),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # As part of another tool
//!
//! [`bundle`] prints nothing unless [`Options::progress`] is set, writes only into the target folder (by cargo and by
//! its own cache), and runs cargo and rustc as child processes. [`Options`] is built by struct update, so new options
//! do not break callers. [`Bundle`] has everything that `--report` shows, and [`Bundle::json`] is the output of
//! `--json`; an [`Error`] has a [kind](Error::kind), a [place](Error::place) and an [exit status](Error::status), and
//! [`Error::OverLimit`] still holds the bundle. [`Bundle::files`] lists the files to watch for changes. [`interrupt`]
//! stops all work from another thread. [`Platform`] has the limits, compilers and crates of sites.
//!
//! # How it works
//!
//! [`bundle`] is the table of contents; each step is a folder, and imports only from the steps before it. Each makes one
//! value from the one before, which is not changed any more: plan, source, merged text, its reached part, proved program,
//! bundle. A `Text` (`syntax`) records which file its characters came from; source is parsed only to find byte ranges,
//! which are then edited, so the rest keeps its original form, and errors, the report and `explain` point into the source.
//!
//! ```text
//! plan     cargo: which binary, crates, features, cfgs, editions, files
//!  │
//! read     each file without comments and what cfg rules out; module files inlined     one text a crate
//!  │
//! merge    libraries become modules, paths and macros follow                           one text, the first of several forms
//!  │
//! prune    by name from main ─> rustc's lints ─> what the generated code holds         forms, each smaller
//!  │
//! assets   include_bytes! as text, with its decoder
//!  │
//! prove    compiles everywhere; the same code before LLVM as before removal?           the smallest equal form
//!  │
//! minify   white space, names, as far as the limit requires; proved again
//!  │
//! report   header, sizes, limit, map, explain                                          the bundle
//!  │
//! cli      arguments, output, --watch
//!
//! below all steps: syntax (text, tokens, items), api (options, the bundle's data, errors), os (child processes,
//! progress), rustc (compiling, cache, and the session: what all steps of a run work with)
//! ```
//!
//! - Removing too much is cheap, keeping too much is expensive. Each step removes everything it suspects at once and puts
//!   back what rustc's errors name; one at a time would take hundreds of compiles.
//! - rustc decides what the program holds. Lints are silent about impls, derives and macro arms. So unoptimised code is
//!   generated with a line of its own for each function and derive; what has no line in it is not in the program.
//! - The proof compares what rustc hands to LLVM, not the machine code. Everything is numbered by first mention from
//!   `main`, so that names, order and line numbers drop out and nothing else does. It takes a third of the time, and holds
//!   for every target. Of all forms the smallest that is equal to the largest is taken.
//! - That proof begins with the merged text. `--compare-build` begins with the code of cargo's own build, one module a crate, and
//!   compares it with the bundle's in pairs of functions from `main` on.
//! - Short names are given by spelling, to all tokens alike, so that bodies of macros and hygiene need no analysis. If a
//!   spelling also means something outside, the bundle fails to compile, and that spelling is restored.

mod ahead;
mod api;
mod assets;
mod cli;
mod merge;
mod minify;
mod os;
mod plan;
mod prove;
mod prune;
mod read;
mod report;
mod rustc;
mod single;
mod smallest;
mod syntax;

/// For this package's own tests, benchmarks and fuzz targets; it changes without notice.
#[doc(hidden)]
pub mod internals {
    pub use crate::api::map::columns;
    pub use crate::assets::{coder, radix};
    pub use crate::rustc::cache::Cache;
    pub use crate::rustc::normal::Normal;
    pub use crate::rustc::{Checker, Flags};
    pub use crate::single::single;
    pub use crate::syntax::tokens::{Kind, Tokens};
}

pub use api::bundle::{
    Asset, Bundle, LevelSize, Method, Minified, Part, Proofs, Removed, Replayed, Size, Stage, Step, Target,
    Time,
};
pub use api::error::{Error, Place};
pub use api::map::{Map, MapIndex};
pub use api::options::{Cargo, Kind, Limit, Minify, Options, Unit};
pub use api::platform::Platform;
pub use cargo_metadata::Edition;
pub use os::children::{interrupt, interrupted};

use ahead::Reached;
use merge::editions;
use merge::program::Program;
use os::progress::Progress;
use plan::{cargo, Plan};
use prove::original;
use prove::replay::{self, Logs};
use read::stand_ins;
use report::finish::{finish, Findings};
use report::known::Known;
use rustc::session::Session;

/// Runs the program `bundler` with the arguments of this process.
pub fn main() -> std::process::ExitCode {
    cli::main(bundle)
}

/// Makes the bundle.
///
/// # Errors
/// Whatever is wrong with the workspace, its source, the tools or the size; see [`Error`].
pub fn bundle(options: &Options) -> Result<Bundle, Error> {
    syntax::depth::on_deep_stack(|| all_steps(options))
}

/// The whole way from a workspace to its bundle, if it is not known from an earlier run.
fn all_steps(options: &Options) -> Result<Bundle, Error> {
    let progress = Progress::new(options.progress);
    progress.say("asking cargo");
    let plan = Plan::make(options)?;
    let session = &Session::new(options, &progress, &plan.cache);
    let plan = ahead::resolved(session, plan)?;
    let known = Known::new(session, &plan);
    if let Some(bundle) = known.as_ref().and_then(Known::get) {
        return Ok(bundle);
    }
    let read = |functions| ahead::read(session, plan.clone(), functions);
    let made = ahead::tried(session, read, |reached| made(session, reached));
    let bundle = made.map_err(|e| cargo::blame(e, &plan))?;
    if let Some(known) = known {
        known.put(&bundle);
    }
    Ok(bundle)
}

/// The way from the program's text to the bundle.
fn made(session: &Session<'_>, reached: Reached) -> Result<Bundle, Error> {
    let Reached { plan, source, merged, ladder, items, assets, functions, note } = reached;
    let program = Program { plan: &plan, files: &source.files, merged: &merged };
    session.note_all(api::platform::notes(session.options, &plan.cache));
    session.note_all(plan::notes::notes(session.options, &plan));
    session.note_all(assets.iter().filter_map(Asset::note).chain(note).chain(report::own::outside(program)));

    let (flags, findings) = if session.options.check {
        session.progress.say("compiling, to remove unused code");
        let (ladder, flags) = editions::settle(session, program, ladder)?;
        (flags.clone(), smallest::smallest(session, program, &flags, ladder, assets, functions)?)
    } else {
        session.note_all(editions::unknown(program));
        (plan.flags.clone(), Findings::unproved(session, program, ladder, assets))
    };
    session.note_all(stand_ins::notes(&plan, &findings.shrunk.text, &source.files));

    session.progress.say("writing the bundle");
    let mut bundle = finish(session, program, flags.edition, findings, &items)?;
    if let Some(logs) = Logs::of(session.options, &plan) {
        session.progress.say("replaying recorded input");
        replay::compare(session, &plan, &flags, &logs, &mut bundle)?;
    }
    if session.options.compare_build && session.options.check {
        session.progress.say("comparing with cargo's build");
        original::prove(session, &plan, &flags, &mut bundle)?;
    }
    Ok(bundle)
}
