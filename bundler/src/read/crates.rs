//! The crates of a program, each as one text.

use crate::api::error::Error;
use crate::plan::{Compiled, Dep, Plan, Unit};
use crate::read::load::{load, Ahead};
use crate::read::refusals;
use crate::syntax::parsed::Parsed;
use crate::syntax::scopes::Scopes;
use crate::syntax::text::{shown, Files, Text};
use crate::syntax::tokens::Tokens;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The source of the binary and of every library that it reaches.
pub struct Source {
    /// The files.
    pub files: Files,
    /// The binary.
    pub bin: Parsed,
    /// The libraries by their indices in [`Plan::libs`], dependencies first.
    pub libs: Vec<(usize, Parsed)>,
    /// Libraries that cannot be bundled, with the reason.
    pub refused: BTreeMap<usize, String>,
}

impl Source {
    /// Reads the crates of a plan.
    ///
    /// # Errors
    /// If a file cannot be read or parsed, or if the binary cannot be bundled.
    pub fn read(plan: &Plan) -> Result<Source, Error> {
        let mut files = Files::default();
        let bin = parsed(load(&plan.bin, &mut files)?, &files)?;
        if let Some(why) = refusals::build_script(&plan.bin) {
            return Err(Error::Refused { place: shown(&plan.bin.folder.join("Cargo.toml")), why });
        }
        // Before cargo has compiled the source, the plan has many more libraries than the program.
        let ahead = plan.compiled != Compiled::Never;
        let ahead = if ahead { Ahead::of(plan) } else { Ahead::default() };
        let mut reader = Reader {
            plan,
            files,
            ahead,
            visited: BTreeSet::new(),
            libs: Vec::new(),
            refused: BTreeMap::new(),
        };
        reader.follow(&plan.bin, &bin)?;
        let Reader { files, libs, refused, .. } = reader;
        Ok(Source { files, bin, libs, refused })
    }
}

struct Reader<'p> {
    plan: &'p Plan,
    files: Files,
    ahead: Ahead,
    visited: BTreeSet<usize>,
    libs: Vec<(usize, Parsed)>,
    refused: BTreeMap<usize, String>,
}

impl Reader<'_> {
    /// Reads the libraries that a crate's source names, with those that they name.
    fn follow(&mut self, unit: &Unit, text: &Parsed) -> Result<(), Error> {
        let tokens = text.tokens();
        let scopes = Scopes::read(&text.file, text.source().len());
        let mentioned: HashSet<&str> = (0..tokens.len())
            .filter(|&i| tokens.ident(i).is_some_and(|name| unit.deps.contains_key(name)))
            .filter(|&i| may_be_crate(&tokens, i, &scopes))
            .filter_map(|i| tokens.ident(i))
            .collect();
        for (name, dep) in &unit.deps {
            let Dep::Lib(i) = dep else { continue };
            if !mentioned.contains(name.as_str()) || !self.visited.insert(*i) {
                continue;
            }
            let lib = &self.plan.libs[*i];
            // Only live mentions matter: `refuse` reports this later if one is found.
            if let Some(why) = refusals::build_script(lib) {
                self.refused.insert(*i, why);
                continue;
            }
            let files = &mut self.files;
            let inner = match self.ahead.load(*i, lib, files).and_then(|text| parsed(text, files)) {
                Err(Error::Syntax { place, why }) if lib.foreign => {
                    self.refused.insert(*i, unreadable(lib, &place, &why));
                    continue;
                }
                other => other?,
            };
            self.follow(lib, &inner)?;
            self.libs.push((*i, inner));
        }
        Ok(())
    }
}

fn parsed(text: Text, files: &Files) -> Result<Parsed, Error> {
    let place = |at| text.point(at, files).unwrap_or_default();
    Parsed::of(text.clone()).map_err(|e| Error::Syntax { place: place(e.at), why: e.why })
}

/// Whether the identifier at token `i` may name a crate.
fn may_be_crate(tokens: &Tokens<'_>, i: usize, scopes: &Scopes) -> bool {
    let Some((name, token)) = tokens.ident(i).zip(tokens.get(i)) else { return false };
    let leading = i > 1 && tokens.colons(i - 2);
    let local = || !leading && tokens.colons(i + 1) && scopes.shadows(name, token.range.start);
    let before = i.checked_sub(1).map_or("", |j| tokens.text(j));
    !matches!(before, "mod" | "let" | "fn" | ".") && !tokens.is(i + 1, '(') && !local()
}

fn unreadable(lib: &Unit, place: &str, why: &str) -> String {
    format!(
        "`{}` {} cannot be read: {why} ({place}).\n  Use another version or crate, or copy what you need into your own.",
        lib.package, lib.version
    )
}
