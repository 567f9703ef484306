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
//!         // What it is made of: `file:line`, bytes, and the share in percent.
//!         let biggest = &bundle.crates[0];
//!         println!("{} {} {}", biggest.path, biggest.bytes, biggest.share);
//!     }
//!     // A word for programs, a sentence for people, and a place in the source where there is one.
//!     Err(e) => eprintln!("{} {:?}: {e}", e.kind(), e.place()),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # As part of another tool
//!
//! [`bundle`] prints nothing unless [`Options::progress`] is set, writes nothing but what cargo and its own cache put
//! into the target folder, and runs cargo and rustc as its children. [`Options`] is built by struct update, so that new
//! options break nobody. [`Bundle`] has everything that `--report` shows and [`Bundle::json`] is what `--json` prints; an
//! [`Error`] has a [kind](Error::kind), a [place](Error::place) and an [exit status](Error::status), and
//! [`Error::OverLimit`] holds the bundle all the same. [`Bundle::files`] are the files to watch for changes.
//! [`interrupt`] ends what is going on from another thread. [`Platform`] knows the limits, compilers and crates of sites.
//!
//! # How it works
//!
//! [`bundle`] is the table of contents. Everything is a [`text::Text`]: characters that remember which file they came
//! from. Source is parsed only to find byte ranges; the ranges are then edited, so what stays looks as it was written.
//!
//! 1. [`plan`], [`choose`], [`mod@cargo`]: cargo says which binary, which crates, features, editions and files, and what
//!    build scripts told it. Nothing is resolved here.
//! 2. [`source`], [`strip`], [`constants`], [`load`], [`modules`]: each file without comments, documentation and what `cfg` rules out; module files inlined.
//!    Whatever depends on the target is left for the last compiler; [`cfg::BUNDLED`] holds, in the user's own crates.
//!    [`edition`] says in today's words what edition 2015 says otherwise; [`editions`] decides what the bundle is written in.
//! 3. [`macros`], [`rewrite`], [`uses`], [`walk`], [`mod@assemble`]: each library becomes a module of the root and all paths follow, token by token, so that
//!    bodies of macros are covered; [`scopes`] tells a crate's name from a module that is called the same.
//! 4. [`items`], [`resolve`], [`reach`]: what `main` can reach by name stays. A name counts only within modules that a
//!    live item names too, so that another contest's `State` does not come along.
//!    [`assets`]: files that live code takes in as bytes become text, and their decoders source like any other.
//! 5. [`refuse`]: what is still there and cannot be right stops everything, with the place and the way out.
//! 6. [`visibility`], [`lints`]: rustc compiles the result and says what else is unused, until it has nothing to say. What only another
//!    target compiles is [`unseen`], and what it needs stays.
//!    What all this left of a text is kept by [`memo`], as is in the [`cache`] whatever a compiler said.
//! 7. [`compilers`], [`proof`]: it compiles without a warning wherever it must, and its code is that of the text before
//!    removal ([`ir`], [`normal`]); where it is not, the step is taken back, or done with
//!    [`Means`] that find less.
//! 8. [`minify`]: no white space, and what else makes it smaller; proved again.
//! 9. [`replay`], if asked for: the user's own binary and the bundle answer recorded input alike.
//! 10. [`header`], [`tree`], [`removed`], [`report`]: whose code it is, sizes, limit. [`map`]: the way back to the source, which [`explain`] goes.
//!
//! Over-keeping is harmless, since rustc finds it; over-removing does not compile, and then the step is taken back.

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

/// A finished bundle, with all that is known of it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Bundle {
    /// The source.
    #[serde(skip)]
    pub text: String,
    /// From each of its lines back to the source.
    #[serde(skip)]
    pub map: Map,
    /// Which program it is.
    pub target: Target,
    /// The edition that it is written in: 2021, or 2024 where it cannot be otherwise.
    pub edition: Edition,
    /// How big it is.
    pub size: Size,
    /// How big it may be.
    pub limit: Limit,
    /// Crates, modules and items by size.
    pub crates: Vec<Part>,
    /// What is not in it, biggest first.
    pub removed: Vec<Removed>,
    /// The files that it holds as text.
    pub assets: Vec<Asset>,
    /// What was proved, and what not.
    pub proofs: Proofs,
    /// How big the program was after each stage.
    pub steps: Vec<Step>,
    /// The files of the user's own that took part.
    pub files: Vec<PathBuf>,
    /// How long things took.
    pub times: Vec<Time>,
    /// What the user should know although it worked.
    pub notes: Vec<String>,
}

impl Bundle {
    /// All but the text, as one JSON object.
    pub fn json(&self) -> String {
        // A structure of strings and numbers alone is always JSON.
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
        progress.say("compiling the source as it is");
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
        progress.say("compiling, to remove what rustc calls unused");
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
            notes.push("no name was shortened: only the compiler can say which may be".into());
        }
        ((text, BTreeMap::new()), Proofs { open, ..Proofs::default() })
    };
    progress.say("writing down");
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

/// Puts back the comments of the user's own crates.
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

/// The same program in ever smaller forms.
///
/// Whatever makes it smaller adds a form and forgets none, so that there is always a larger one to go back to.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// The forms, largest first; never empty.
    pub forms: Vec<Form>,
}

/// One form of the program.
#[derive(Clone, Debug)]
pub struct Form {
    /// What was done last.
    pub stage: Stage,
    /// The text.
    pub text: Text,
}

/// What may be done to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// All crates in one text; nothing was removed but comments and what `cfg` rules out.
    Inlined,
    /// What `main` does not reach by name was removed.
    Reached,
    /// What rustc calls unused was removed.
    Trimmed,
    /// White space or names were shortened.
    Minified,
}

impl Stage {
    /// As said to people.
    pub fn said(self) -> &'static str {
        match self {
            Stage::Inlined => "all crates were in one text",
            Stage::Reached => "what main does not reach by name went",
            Stage::Trimmed => "what rustc calls unused went",
            Stage::Minified => "it was minified",
        }
    }

    /// Why something is not there any more after it.
    pub fn because(self) -> &'static str {
        match self {
            Stage::Inlined => "`cfg` rules it out",
            Stage::Reached => "main does not reach it by name",
            Stage::Trimmed => "rustc calls it unused, or compiles the same without it",
            Stage::Minified => "it is written in another way",
        }
    }
}

impl Ladder {
    /// The two forms that need no compiler, each with its visibilities as written.
    fn new(whole: Text, reached: Text) -> Ladder {
        let form = |stage, text| Form { stage, text };
        Ladder { forms: vec![form(Stage::Inlined, whole), form(Stage::Reached, reached)] }
    }

    /// Adds a smaller form.
    pub fn push(&mut self, stage: Stage, text: Text) {
        self.forms.push(Form { stage, text });
    }

    /// The form of a stage.
    pub fn at(&self, stage: Stage) -> Option<&Text> {
        self.forms.iter().find(|f| f.stage == stage).map(|f| &f.text)
    }

    /// The smallest form.
    pub fn smallest(&self) -> &Text {
        // `new` makes two forms and nothing takes one away.
        &self.forms[self.forms.len() - 1].text
    }
}

/// Trims; meanwhile the standard is compiled that the result must meet.
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

/// Without what is unused; nothing if the ladder has no form to start from.
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
        notes.push(format!("kept everything at first: what was unused by name was needed after all: {why}"));
        first = whole.clone();
    }
    let trimmed = memo::made(means.word(), &first, checker, notes, |text, notes| {
        unneeded::smallest(text, outcome, means, checker, notes)
    })?;
    Ok(Some(trimmed))
}

/// If the source itself does not compile, that is what the user must hear.
fn blame(error: Error, plan: &Plan) -> Error {
    match error {
        Error::Syntax { .. } | Error::Read { .. } => match cargo::source_compiles(plan) {
            Err(source @ Error::Source(_)) => source,
            _ => error,
        },
        other => other,
    }
}
