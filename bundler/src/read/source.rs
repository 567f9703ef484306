//! Reads source files, and detects files that include themselves.

use crate::api::error::Error;
use crate::plan::Unit;
use crate::read::macro_modules::ModuleMacros;
use crate::read::{stand_ins, strip};
use crate::syntax::text::{shown, Files, Text};
use std::path::{Path, PathBuf};

/// The state of reading a crate.
pub struct Reading<'a> {
    /// The crate.
    pub unit: &'a Unit,
    /// All files read so far.
    pub files: &'a mut Files,
    /// The macros read so far that declare modules.
    pub module_macros: ModuleMacros,
    /// The files that are currently being read, outermost first.
    chain: Vec<PathBuf>,
}

impl<'a> Reading<'a> {
    /// Starts reading a crate.
    pub fn new(unit: &'a Unit, files: &'a mut Files) -> Reading<'a> {
        Reading { unit, files, module_macros: ModuleMacros::of(unit), chain: Vec::new() }
    }

    /// Reads and normalises a file, and passes it to `work`, which may read others. `asked` is the place that refers to
    /// it.
    pub fn within<T>(
        &mut self,
        path: &Path,
        asked: Option<&str>,
        work: impl FnOnce(&mut Self, Text) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let place = asked.map(str::to_owned).unwrap_or_else(|| shown(path));
        if self.chain.contains(&real) {
            let why = format!("{} includes itself.\n  Remove one of the inclusions.", shown(path));
            return Err(Error::Refused { place, why });
        }
        let asked = asked.map_or(String::new(), |place| format!(" (referred to at {place})"));
        let raw = crate::os::files::content(path).map_err(|source| Error::Read {
            path: shown(path),
            asked,
            source,
        })?;
        let raw = String::from_utf8(raw).map_err(|e| Error::Syntax {
            place: shown(path),
            why: format!("not UTF-8 at byte {}", e.utf8_error().valid_up_to()),
        })?;
        let body = strip::normalise(&stand_ins::text(self.unit, path, raw));
        let whole = self.given(path, body);
        self.chain.push(real);
        let done = work(self, whole);
        self.chain.pop();
        done
    }

    /// Registers a normalised text as a file of the crate.
    pub fn given(&mut self, path: &Path, body: String) -> Text {
        let id = self.files.add(path, &body);
        self.files.belongs(id, &self.unit.root);
        Text::of_file(id, body)
    }
}
