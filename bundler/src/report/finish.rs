//! Assembles the finished bundle: header, sizes, map and limit.

use crate::api::bundle::{Asset, Bundle, Part, Proofs};
use crate::api::bundle::{Size, Step, Target};
use crate::api::error::Error;
use crate::api::map::Map;
use crate::api::options::Minify;
use crate::merge::ladder::Ladder;
use crate::merge::program::Program;
use crate::minify::{self, level, Shrunk};
use crate::prove::layout::lay_out;
use crate::report;
use crate::report::header::{header, stamp};
use crate::report::maps::remember;
use crate::report::own::own_files;
use crate::report::removed::list_removed;
use crate::report::tree::{crates, libraries};
use crate::rustc::session::Session;
use crate::syntax::text::Text;
use crate::syntax::visibility::promote;
use cargo_metadata::Edition;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A proved and minified program.
pub struct Findings {
    /// Forms of the text.
    pub ladder: Ladder,
    /// The last one, minified.
    pub shrunk: Shrunk,
    /// The embedded files.
    pub assets: Vec<Asset>,
    /// The proofs.
    pub proofs: Proofs,
}

impl Findings {
    /// Without a compiler: what `main` reaches by name, without white space if that is asked for or the limit requires
    /// it.
    pub fn unproved(
        session: &Session<'_>,
        program: Program<'_>,
        ladder: Ladder,
        assets: Vec<Asset>,
    ) -> Findings {
        let open = vec!["that the bundle compiles and is the same program: --no-check was given".into()];
        let text = lay_out(&promote(ladder.smallest()));
        let edition = program.plan.flags.edition;
        let whole = |body: &Text| whole(session, program, edition, body);
        let with_marks = |text: &Text| program.with_comments_and_marks(text);
        let proofs = Proofs { open, ..Proofs::default() };
        if let Some((text, minified)) = level::readable(&text, session.options, with_marks, whole) {
            let shrunk = Shrunk { text, renamed: BTreeMap::new(), minified };
            return Findings { ladder, shrunk, assets, proofs };
        }
        let minified = level::choose(&text, session.options, whole);
        let text = match minified.level {
            Minify::None => program.with_comments(&text),
            level => minify::shrunk(text, level),
        };
        if minified.level == Minify::Names {
            session.note("no name was shortened: that requires the compiler, and --no-check was given");
        }
        let shrunk = Shrunk { text, renamed: BTreeMap::new(), minified };
        Findings { ladder, shrunk, assets, proofs }
    }
}

/// Makes the bundle from the last form of the program; `items` are those of all its crates.
///
/// # Errors
/// If it is over the limit.
pub fn finish(
    session: &Session<'_>,
    program: Program<'_>,
    edition: Edition,
    findings: Findings,
    items: &[Part],
) -> Result<Bundle, Error> {
    let (options, Program { plan, files, .. }) = (session.options, program);
    let Findings { ladder, shrunk: Shrunk { text, renamed, minified }, assets, proofs } = findings;
    let text = whole(session, program, edition, &text);
    let libraries = libraries(program);
    let steps = ladder.forms.iter().map(|f| Step { stage: f.stage, bytes: f.text.as_str().len() }).collect();
    let crates = crates(&text, files, &plan.target, &libraries, &renamed);
    let map = Map::of(&plan.target, &text, files, |p| plan.shown(p), renamed);
    remember(&map, &session.cache);
    let bundle = Bundle {
        map,
        target: Target {
            kind: if plan.example { "example" } else { "binary" },
            name: plan.target.clone(),
            package: plan.bin.package.clone(),
            version: plan.bin.version.clone(),
        },
        edition,
        size: Size::of(text.as_str()),
        limit: options.limit,
        minified,
        removed: list_removed(&ladder, items, &crates, files, &plan.target, &libraries),
        crates,
        assets,
        proofs,
        steps,
        files: own_files(program),
        times: session.progress.times(),
        notes: session.notes(),
        text: text.as_str().to_owned(),
    };
    if bundle.limit.unit.size(&bundle.text) > bundle.limit.size {
        return Err(Error::OverLimit {
            message: report::over(&bundle, options.check),
            bundle: Box::new(bundle),
        });
    }
    Ok(bundle)
}

/// The whole text of a bundle: the header and a form of the program.
pub fn whole(session: &Session<'_>, program: Program<'_>, edition: Edition, body: &Text) -> Text {
    let stamp = session.options.stamp.then(|| stamp(&program.plan.bin.folder));
    let libraries = remaining_libraries(program, body);
    let mut text = Text::generated(header(program.plan, edition, &libraries, stamp.as_deref()));
    text.push(body);
    text
}

/// The libraries that some code is left of.
fn remaining_libraries(program: Program<'_>, body: &Text) -> Vec<usize> {
    let Program { plan, files, merged } = program;
    let roots: BTreeSet<&Path> = body.files().into_iter().filter_map(|f| files.crate_root(f)).collect();
    let all = merged.modules.iter().map(|(_, i)| *i);
    all.filter(|&i| roots.contains(plan.libs[i].root.as_path())).collect()
}
