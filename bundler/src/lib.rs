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
//!     // The parts of the bundle: `file:line`, bytes, and the share in percent.
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
//! [`bundle`] is the table of contents. Everything is a [`text::Text`]: characters that record which file they came
//! from. Source is parsed only to find byte ranges, which are then edited, so the rest keeps its original form.
//!
//! 1. [`plan`], [`choose`], [`mod@cargo`]: ask cargo for the binary, crates, features, editions and files, and for the
//!    output of build scripts. Dependencies are resolved by cargo alone.
//! 2. [`source`], [`strip`], [`constants`], [`load`], [`modules`]: read each file, without comments, documentation and
//!    code excluded by `cfg`, and inline module files. What depends on the target is left to the final compiler;
//!    [`cfg::BUNDLED`] is set in the user's own crates. [`edition`] rewrites older editions; [`editions`] chooses that
//!    of the bundle.
//! 3. [`macros`], [`rewrite`], [`uses`], [`walk`], [`mod@assemble`]: make each library a module of the root and rewrite
//!    all paths token by token, so that macro bodies are covered; [`scopes`] tells crates from modules of the same
//!    name.
//! 4. [`items`], [`resolve`], [`reach`]: keep what `main` reaches by name. A name counts only within modules that a
//!    live item names too, so another contest's `State` is not kept. [`assets`]: embed the files that live code
//!    includes as bytes, with their decoders.
//! 5. [`refuse`]: reject live code that cannot work in one file, with its place and advice.
//! 6. [`visibility`], [`lints`]: compile and remove what rustc reports as unused, until it reports nothing more.
//!    [`unseen`] keeps what only other targets need. [`memo`] caches the result of this step by its input, and
//!    [`cache`] every output of a compiler.
//! 7. [`compilers`], [`proof`]: check that the bundle compiles without a warning wherever it must, and that its code
//!    equals that of the text before removal ([`ir`], [`normal`]); otherwise the step is undone, or repeated with safer
//!    [`Means`].
//! 8. [`minify`]: remove white space, shorten names and imports; proved again.
//! 9. [`replay`], if requested: compare the user's own binary and the bundle on recorded input.
//! 10. [`header`], [`tree`], [`removed`], [`report`]: licences, sizes and limit. [`map`]: the way back to the source,
//!     used by [`explain`].
//!
//! Keeping too much is harmless, since rustc reports it; removing too much does not compile, and is undone.

pub mod assemble;
pub mod assets;
pub mod attributes;
pub mod cache;
pub mod cargo;
pub mod cfg;
pub mod children;
pub mod choose;
pub mod compilers;
pub mod constants;
pub mod depth;
pub mod dialogue;
pub mod docs;
pub mod edition;
pub mod editions;
pub mod elements;
pub mod error;
pub mod explain;
pub mod finish;
pub mod header;
pub mod hollow;
pub mod ir;
pub mod items;
pub mod lints;
pub mod load;
pub mod macros;
pub mod map;
pub mod memo;
pub mod minify;
pub mod modules;
pub mod normal;
pub mod options;
pub mod parsed;
pub mod plan;
pub mod platform;
pub mod probe;
pub mod progress;
pub mod proof;
pub mod reach;
pub mod read;
pub mod refuse;
pub mod removed;
pub mod repair;
pub mod replay;
pub mod report;
pub mod resolve;
pub mod rewrite;
pub mod rustc;
pub mod scopes;
pub mod session;
pub mod sites;
pub mod source;
pub mod spans;
pub mod strip;
pub mod system;
pub mod text;
pub mod tokens;
pub mod tools;
pub mod tree;
pub mod unneeded;
pub mod unseen;
pub mod uses;
pub mod visibility;
pub mod walk;

pub use assets::Asset;
pub use children::{interrupt, interrupted};
pub use error::{Error, Place};
pub use options::{Kind, Limit, Minify, Options, Unit};
pub use platform::Platform;
pub use proof::{Proofs, Replayed};
pub use removed::Removed;
pub use report::{Size, Step, Target, Time};
pub use tools::Cargo;
pub use tree::Part;

use assemble::assemble;
use assets::Embedded;
use cache::Cache;
use cargo::Built;
pub use cargo_metadata::Edition;
use compilers::{errors, Compilers};
use finish::{finished, Findings};
use map::Map;
use plan::Plan;
use progress::Progress;
use proof::Standard;
use rustc::Checker;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use text::{Files, Text};
use unneeded::Means;
use visibility::{demoted, promoted};

/// A finished bundle with its report.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Bundle {
    /// The source.
    #[serde(skip)]
    pub text: String,
    /// The map from its lines to the source.
    #[serde(skip)]
    pub map: Map,
    /// The bundled target.
    pub target: Target,
    /// Its edition: 2021, or 2024 if the program requires it.
    pub edition: Edition,
    /// Its size.
    pub size: Size,
    /// The limit.
    pub limit: Limit,
    /// Crates, modules and items by size.
    pub crates: Vec<Part>,
    /// Removed items, largest first.
    pub removed: Vec<Removed>,
    /// The embedded files.
    pub assets: Vec<Asset>,
    /// What was proved, and what was not.
    pub proofs: Proofs,
    /// The size of the program after each stage.
    pub steps: Vec<Step>,
    /// The user's own files that contributed.
    pub files: Vec<PathBuf>,
    /// The duration of each stage.
    pub times: Vec<Time>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl Bundle {
    /// The report as one JSON object, without the text.
    pub fn json(&self) -> String {
        // Serialising strings and numbers cannot fail.
        let json = serde_json::to_string_pretty(self).unwrap_or_default();
        json + "
"
    }
}

/// Makes the bundle.
///
/// # Errors
/// Whatever is wrong with the workspace, its source, the tools or the size; see [`Error`].
pub fn bundle(options: &Options) -> Result<Bundle, Error> {
    depth::on_deep_stack(|| made(options))
}

fn made(options: &Options) -> Result<Bundle, Error> {
    let progress = Progress::new(options.progress);
    progress.say("asking cargo");
    let mut plan = Plan::make(options)?;
    if options.check || plan.has_scripts() {
        progress.say("compiling the source");
        let built = Built::checked(&plan)?;
        plan.correct(&built);
        if options.check {
            plan.flags = built.externals(&plan)?;
        }
    }
    progress.say("reading the source");
    let mut files = Files::default();
    let assembled = assemble(&plan, &mut files).map_err(|e| blame(e, &plan))?;
    let mut notes = platform::notes(options);
    progress.say("removing what main cannot reach");
    let mut whole = demoted(&assembled.text);
    if options.check {
        whole = editions::mended(
            whole,
            &|flags| Checker::new(cache(options, &plan), flags),
            &plan,
            &assembled,
            &files,
        )?;
    }
    let cache = cache(options, &plan);
    let checker = match options.check {
        true => Some(Checker::new(cache.clone(), plan.flags.clone())?),
        false => None,
    };
    let Embedded { whole, reached, assets, .. } =
        assets::taken_in(whole, options.limit.unit, checker.as_ref())?;
    notes.extend(assets.iter().filter_map(Asset::note));
    refuse::check(&reached, &assembled, &files).map_err(|e| blame(e, &plan))?;
    let mut ladder = Ladder::new(whole, reached);
    let ((text, renamed), proofs) = if let Some(mut checker) = checker {
        progress.say("compiling, to remove unused code");
        editions::settle(&ladder, &mut checker, &plan, &assembled, &files, &mut notes)?;
        plan.flags = checker.flags.clone();
        let compilers = Compilers::new(&checker, options, &cache, &files)?;
        let standard = trimmed_and_standard(&mut ladder, &checker, &files, &mut notes)?;
        progress.say("proving that it is the same program");
        let (text, proofs) = proof::smallest_proved(
            &mut ladder,
            &standard,
            &compilers,
            &mut notes,
            |ladder, means, notes| trimmed(ladder, means, &checker, &files, notes),
        )?;
        (minify::shrink(text, options.minify, with_comments(&plan, &files), &compilers, &mut notes)?, proofs)
    } else {
        notes.extend(editions::unknown(&plan, &assembled));
        let open = vec!["that the bundle compiles and is the same program: --no-check was given".into()];
        let text = minify::shrunk(laid_out(&promoted(ladder.smallest())), options.minify);
        let text = if options.minify == Minify::None { with_comments(&plan, &files)(&text) } else { text };
        if options.minify == Minify::Names {
            notes.push("no name was shortened: that requires the compiler, and --no-check was given".into());
        }
        ((text, BTreeMap::new()), Proofs { open, ..Proofs::default() })
    };
    progress.say("writing the bundle");
    let findings = Findings {
        options,
        plan: &plan,
        assembled: &assembled,
        files: &files,
        ladder: &ladder,
        renamed,
        assets,
        proofs,
        notes,
    };
    let mut bundle = finished(findings, &text, &progress)?;
    if !options.replay.is_empty() {
        progress.say("replaying recorded input");
        bundle.proofs.add_replayed(replay::alike(options, &plan, &bundle.text)?);
    }
    Ok(bundle)
}

/// Restores the comments of the user's own crates.
fn with_comments<'p>(plan: &'p Plan, files: &'p Files) -> impl Fn(&Text) -> Text + 'p {
    move |text| minify::comments::commented(text, files, |file| plan.is_own(files.path(file)))
}

fn cache(options: &Options, plan: &Plan) -> Cache {
    if options.cache {
        Cache::at(&plan.cache)
    } else {
        Cache::off()
    }
}

/// The forms of a program, each smaller than the one before.
///
/// Each removal adds a form and keeps the earlier ones, so that it can be undone.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// The forms, largest first; never empty.
    pub forms: Vec<Form>,
}

/// One form of the program.
#[derive(Clone, Debug)]
pub struct Form {
    /// The stage that produced it.
    pub stage: Stage,
    /// The text.
    pub text: Text,
}

/// The stages that produce a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// All crates are in one text; only comments and code excluded by `cfg` are removed.
    Inlined,
    /// Items that `main` does not reach by name are removed.
    Reached,
    /// Unused code is removed.
    Trimmed,
    /// White space is removed or names are shortened.
    Minified,
}

impl Stage {
    /// The stage, for reports.
    pub fn said(self) -> &'static str {
        match self {
            Stage::Inlined => "joining all crates",
            Stage::Reached => "removing what main does not reach by name",
            Stage::Trimmed => "removing unused code",
            Stage::Minified => "minifying",
        }
    }

    /// The reason why the stage removed an item.
    pub fn because(self) -> &'static str {
        match self {
            Stage::Inlined => "`cfg` excludes it",
            Stage::Reached => "main does not reach it by name",
            Stage::Trimmed => "rustc reports it as unused, or generates the same code without it",
            Stage::Minified => "it was rewritten",
        }
    }
}

impl Ladder {
    /// The two forms that need no compiler, with visibilities as lowered by the caller.
    fn new(whole: Text, reached: Text) -> Ladder {
        let form = |stage, text| Form { stage, text };
        Ladder { forms: vec![form(Stage::Inlined, whole), form(Stage::Reached, reached)] }
    }

    /// Adds a smaller form.
    pub fn push(&mut self, stage: Stage, text: Text) {
        self.forms.push(Form { stage, text });
    }

    /// The text of a stage's form.
    pub fn at(&self, stage: Stage) -> Option<&Text> {
        self.forms.iter().find(|f| f.stage == stage).map(|f| &f.text)
    }

    /// The smallest form.
    pub fn smallest(&self) -> &Text {
        // `new` makes two forms and none is ever removed.
        &self.forms[self.forms.len() - 1].text
    }
}

/// Trims the program and meanwhile compiles the standard that the result must meet.
fn trimmed_and_standard(
    ladder: &mut Ladder,
    checker: &Checker,
    files: &Files,
    notes: &mut Vec<String>,
) -> Result<Standard, Error> {
    let untrimmed = ladder.clone();
    std::thread::scope(|scope| {
        let standard = scope.spawn(|| Standard::of(&untrimmed, checker));
        if let Some(text) = trimmed(ladder, Means::Code, checker, files, notes)? {
            ladder.push(Stage::Trimmed, text);
        }
        standard.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The layout of a bundle.
fn laid_out(text: &Text) -> Text {
    let tidied = strip::tidy(text).unwrap_or_else(|_| text.clone());
    minify::readable(&tidied).unwrap_or(tidied)
}

/// The text without unused code; `None` if the ladder has no form to start from.
fn trimmed(
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
    let trimmed = memo::made(means.word(), &first, checker, notes, |text, notes| {
        unneeded::smallest(text, outcome, means, checker, notes)
    })?;
    Ok(Some(trimmed))
}

/// Replaces an error by the compiler's errors if the source itself does not compile.
fn blame(error: Error, plan: &Plan) -> Error {
    match error {
        Error::Syntax { .. } | Error::Read { .. } => match cargo::source_compiles(plan) {
            Err(source @ Error::Source(_)) => source,
            _ => error,
        },
        other => other,
    }
}
