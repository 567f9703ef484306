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
//!         // The parts of the bundle: `file:line`, bytes, and the share in percent.
//!         let biggest = &bundle.crates[0];
//!         println!("{} {} {}", biggest.path, biggest.bytes, biggest.share);
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
//! [`bundle`] is the table of contents; each step is a folder, and imports only from the steps before it. Everything is
//! a `Text`: characters that record which file they came from (`syntax`). Source is parsed only to find byte ranges,
//! which are then edited, so the rest keeps its original form.
//!
//! 1. `plan`: asks cargo for the binary, crates, features, editions and files, and for the output of build scripts.
//!    Dependencies are resolved by cargo alone.
//! 2. `read`: reads each file, without comments, documentation and code excluded by `cfg`, and inlines module files.
//!    What depends on the target is left to the final compiler; `cfg(bundled)` is set in the user's own crates. Older
//!    editions are rewritten.
//! 3. `merge`: makes each library a module of the root and rewrites all paths token by token, so that macro bodies are
//!    covered; chooses the edition of the bundle. A `Ladder` holds the forms of the program from here on.
//! 4. `prune`: keeps what `main` reaches by name. A name counts only within modules that a live item names too, so
//!    another contest's `State` is not kept. `assets` embeds the files that live code includes as bytes, with their
//!    decoders. Live code that cannot work in one file is refused, with its place and advice. Then what rustc reports as
//!    unused is removed, until it reports nothing more; what only other targets need is kept. The cache (`rustc`) holds
//!    the result by its input, and every output of a compiler.
//! 5. `prove`: checks that the bundle compiles without a warning wherever it must, and that its code equals that of the
//!    text before removal; otherwise a removal is undone, or repeated with safer means.
//! 6. `minify`: shortens imports, and as far as the limit requires removes white space and shortens names; proved again.
//! 7. `report`: licences, sizes, limit, and the map back to the source. If asked, recorded input is replayed to the
//!    user's own binary and to the bundle.
//!
//! Keeping too much is harmless, since rustc reports it; removing too much does not compile, and is undone.

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
mod syntax;

/// Parts that this package's own tests, benchmarks and fuzz targets look into. Not for others: they change without
/// notice.
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

use merge::assemble::{assemble, Assembled};
use merge::editions;
use merge::ladder::Ladder;
use minify::comments::commented;
use minify::{level, Minifier, Shrunk};
use os::progress::Progress;
use plan::cargo::{self, Built};
use plan::{Compiled, Plan};
use prove::layout::lay_out;
use prove::proof::{self, Standard};
use prove::replay;
use prune::last_time::LastTime;
use prune::unneeded::Means;
use prune::{refuse, Trimmer};
use read::stand_ins;
use report::finish::{finish, whole, Findings};
use report::known::Known;
use rustc::cache::{Cache, Key};
use rustc::compilers::Compilers;
use rustc::stage_cache::program_identity;
use rustc::{both, Checker};
use std::collections::BTreeMap;
use syntax::depth;
use syntax::text::{Files, Text};
use syntax::visibility::{demote, promote};

/// Runs the program `bundler` with the arguments of this process.
pub fn main() -> std::process::ExitCode {
    cli::main(bundle)
}

/// Makes the bundle.
///
/// # Errors
/// Whatever is wrong with the workspace, its source, the tools or the size; see [`Error`].
pub fn bundle(options: &Options) -> Result<Bundle, Error> {
    depth::on_deep_stack(|| all_steps(options))
}

/// The whole way from a workspace to its bundle.
fn all_steps(options: &Options) -> Result<Bundle, Error> {
    let progress = Progress::new(options.progress);
    progress.say("asking cargo");
    let mut plan = make_plan(options, &progress)?;
    let known = Known::new(options, &plan, cache(options, &plan), &rustc::version());
    if let Some(bundle) = known.as_ref().and_then(Known::get) {
        return Ok(bundle);
    }
    let bundle = made(options, &mut plan, &progress).map_err(|e| blame(e, &plan))?;
    if let Some(known) = known {
        known.put(&bundle);
    }
    Ok(bundle)
}

/// The way from the plan to the bundle.
fn made(options: &Options, plan: &mut Plan, progress: &Progress) -> Result<Bundle, Error> {
    progress.say("reading the source");
    let Source { files, assembled, pruned } = read(options, plan, progress)?;
    let Pruned { mut ladder, assets, checker, note } = pruned;

    let mut notes = api::platform::notes(options, &plan.cache);
    notes.extend(plan::notes::notes(options, plan));
    notes.extend(assets.iter().filter_map(Asset::note));
    notes.extend(note);
    let (Shrunk { text, renamed, minified }, proofs) = match checker {
        Some(checker) => {
            progress.say("compiling, to remove unused code");
            let mut tools = Tools { options, checker, progress };
            prune_and_prove(&mut tools, plan, &assembled, &files, &mut ladder, &mut notes)?
        }
        None => minify_unproved(options, plan, &assembled, &files, &ladder, &mut notes),
    };

    notes.extend(stand_ins::notes(plan, &text, &files));

    progress.say("writing the bundle");
    let (plan, assembled, files, ladder) = (&*plan, &assembled, &files, &ladder);
    let findings =
        Findings { options, plan, assembled, files, ladder, renamed, minified, assets, proofs, notes };
    let mut bundle = finish(findings, &text, progress)?;

    if !options.replay.is_empty() {
        progress.say("replaying recorded input");
        bundle.proofs.add_replayed(replay::compare(options, plan, &bundle.text)?);
    }
    Ok(bundle)
}

/// What cargo knows of the program. The source is compiled here if it can't be read before that: for external crates,
/// for expanded derives, and for build scripts if it isn't compiled later.
fn make_plan(options: &Options, progress: &Progress) -> Result<Plan, Error> {
    let mut plan = Plan::make(options)?;
    if !options.check && !options.expand_derives && !plan.has_scripts() {
        return Ok(plan);
    }
    let cache = cache(options, &plan);
    if let Some(built) = Built::known(&plan, &cache).filter(|_| !options.expand_derives) {
        plan.correct(&built, Compiled::Earlier);
    } else if options.expand_derives || !options.check || !plan.externals.is_empty() {
        progress.say("compiling the source");
        let built = Built::checked(&plan, &cache)?;
        plan.correct(&built, Compiled::Now);
        if options.expand_derives {
            plan.expand_derives(&built);
        }
        if options.check {
            plan.flags = built.externals(&plan)?;
        }
    }
    Ok(plan)
}

/// What was read of the program.
struct Source {
    files: Files,
    assembled: Assembled,
    pruned: Pruned,
}

/// Reads the source and removes what `main` cannot reach. Meanwhile cargo compiles the source, if it has not yet: what
/// that shows seldom changes what is read; if it does, the source is read again.
fn read(options: &Options, plan: &mut Plan, progress: &Progress) -> Result<Source, Error> {
    let source = |plan: &Plan| {
        let mut files = Files::default();
        let assembled = assemble(plan, &mut files)?;
        progress.say("removing what main cannot reach");
        let pruned = prune_by_name(options, plan, &assembled, &files)?;
        Ok(Source { files, assembled, pruned })
    };
    if !options.check || plan.compiled != Compiled::Never {
        return source(plan);
    }
    plan.foresee();
    let cache = cache(options, plan);
    let ahead = || {
        let first = source(plan);
        progress.say("compiling the source");
        first
    };
    let (built, first) = both(|| Built::checked(plan, &cache), ahead);
    let built = built?;
    let Ok(first) = first else {
        plan.correct(&built, Compiled::Now);
        return source(plan);
    };
    let libs: Vec<usize> = first.assembled.modules.iter().map(|(_, i)| *i).collect();
    let before = plan.basis(&libs);
    plan.correct(&built, Compiled::Now);
    if plan.basis(&libs) == before {
        Ok(first)
    } else {
        source(plan)
    }
}

/// The program without what `main` doesn't reach by name.
struct Pruned {
    ladder: Ladder,
    /// The files that it embeds.
    assets: Vec<Asset>,
    /// For the steps that compile, if they are wanted.
    checker: Option<Checker>,
    /// A note on messages that may differ.
    note: Option<String>,
}

fn prune_by_name(
    options: &Options,
    plan: &Plan,
    assembled: &Assembled,
    files: &Files,
) -> Result<Pruned, Error> {
    let new_checker = |flags| Checker::new(cache(options, plan), flags);
    let mut whole = demote(&assembled.text);
    let mut checker = None;
    if options.check {
        whole = editions::repair(whole, &new_checker, plan, assembled, files)?;
        checker = Some(new_checker(plan.flags.clone())?);
    }
    let embedded = assets::taken_in(whole, options.limit.unit, checker.as_ref())?;
    let externals = &plan.externals.keys().cloned().collect();
    let rules = refuse::Rules { strict: options.strict, externals, plan: Some(plan) };
    let note = refuse::check(&embedded.reached, assembled, files, rules)?;
    let ladder = Ladder::new(embedded.whole, embedded.reached);
    Ok(Pruned { ladder, assets: embedded.assets, checker, note })
}

/// What the steps that compile work with.
struct Tools<'a> {
    options: &'a Options,
    checker: Checker,
    progress: &'a Progress,
}

/// The smallest form of the program that is proved to be the same, minified.
fn prune_and_prove(
    tools: &mut Tools<'_>,
    plan: &mut Plan,
    assembled: &Assembled,
    files: &Files,
    ladder: &mut Ladder,
    notes: &mut Vec<String>,
) -> Result<(Shrunk, Proofs), Error> {
    let Tools { options, checker, progress } = tools;
    let takes_2024 = options.platform.map(Platform::takes_2024);
    editions::settle(ladder, checker, plan, assembled, files, notes, takes_2024)?;
    plan.flags = checker.flags.clone();
    let cache = cache(options, plan);
    let compilers = Compilers::new(checker, options, &cache, files)?;
    let procedural = plan.procedural();
    let trimmer = Trimmer { checker, files, procedural, last_time: last_time(options, plan, &cache) };
    let plan = &*plan;
    let whole = |body: &Text| whole(options, plan, assembled, files, body);
    let with_comments = with_comments(plan, files);
    let minifier = Minifier { options, compilers: &compilers, whole: &whole, with_comments: &with_comments };
    let untrimmed = ladder.clone();
    let name = program_key(options, plan).to_string();
    let (standard, means) =
        both(|| Standard::of(&untrimmed, checker, &name), || trim(ladder, &trimmer, &minifier, notes));
    let (standard, means) = (standard?, means?);

    progress.say("proving that it is the same program");
    let (text, proofs) = proof::smallest_proved(ladder, means, &standard, &compilers, &trimmer, notes)?;
    trimmer.last_time.keep();
    Ok((minifier.shrink(text, notes)?, proofs))
}

/// Adds the form without unused code: as last time, or else by a search. Returns how it was found.
fn trim(
    ladder: &mut Ladder,
    trimmer: &Trimmer<'_>,
    minifier: &Minifier<'_>,
    notes: &mut Vec<String>,
) -> Result<Means, Error> {
    if let Some(text) = trimmer.trim(ladder, Means::LastTime, notes)? {
        // What the proof and minifying will ask of the compiler, while the standard is being compiled.
        minifier.prepare(&text)?;
        ladder.push(Stage::Trimmed, text);
        return Ok(Means::LastTime);
    }
    if let Some(text) = trimmer.trim(ladder, Means::Code, notes)? {
        ladder.push(Stage::Trimmed, text);
    }
    Ok(Means::Code)
}

/// The removal found last time for this program.
fn last_time(options: &Options, plan: &Plan, cache: &Cache) -> LastTime {
    let program = program_key(options, plan).to_string();
    LastTime::of(cache.clone(), &[program.as_bytes(), program_identity().as_bytes()])
}

/// Identifies the program, whatever its source says, and its compiler.
fn program_key(options: &Options, plan: &Plan) -> Key {
    let said = format!("{:?} {} {:?} {:?}", plan.manifest, plan.target, options.limit, plan.flags);
    Key::of(&[said.as_bytes(), rustc::version().as_bytes()])
}

/// Without a compiler: what `main` reaches by name, without white space if that is asked for or the limit requires it.
fn minify_unproved(
    options: &Options,
    plan: &Plan,
    assembled: &Assembled,
    files: &Files,
    ladder: &Ladder,
    notes: &mut Vec<String>,
) -> (Shrunk, Proofs) {
    notes.extend(editions::unknown(plan, assembled));
    let open = vec!["that the bundle compiles and is the same program: --no-check was given".into()];
    let text = lay_out(&promote(ladder.smallest()));
    let minified = level::choose(&text, options, |body| whole(options, plan, assembled, files, body));
    let text = match minified.level {
        Minify::None => with_comments(plan, files)(&text),
        level => minify::shrunk(text, level),
    };
    if minified.level == Minify::Names {
        notes.push("no name was shortened: that requires the compiler, and --no-check was given".into());
    }
    (Shrunk { text, renamed: BTreeMap::new(), minified }, Proofs { open, ..Proofs::default() })
}

/// Restores the comments of the user's own crates.
fn with_comments<'p>(plan: &'p Plan, files: &'p Files) -> impl Fn(&Text) -> Text + 'p {
    move |text| commented(text, files, |file| plan.is_own(files.path(file)))
}

fn cache(options: &Options, plan: &Plan) -> Cache {
    if options.cache {
        Cache::at(&plan.cache)
    } else {
        Cache::off()
    }
}

/// Replaces an error by the compiler's errors if the source itself does not compile.
fn blame(error: Error, plan: &Plan) -> Error {
    let may_be_the_source = match error {
        Error::Source(_) => false,
        Error::Syntax { .. } | Error::Read { .. } => true,
        _ => plan.compiled == Compiled::Earlier && !interrupted(),
    };
    if !may_be_the_source {
        return error;
    }
    match cargo::source_compiles(plan) {
        Err(source @ Error::Source(_)) => source,
        _ => error,
    }
}
