//! Files of source: read once, and never from within themselves.

use crate::error::Error;
use crate::plan::Unit;
use crate::strip;
use crate::text::{shown, Files, Text};
use cargo_metadata::Edition;
use std::path::{Path, PathBuf};

/// What is being read.
pub struct Reading<'a> {
    /// The crate.
    pub unit: &'a Unit,
    /// The edition of the binary: the bundle may have to be compiled as that.
    pub newest: Edition,
    /// All files so far.
    pub files: &'a mut Files,
    /// The files around the one at hand.
    chain: Vec<PathBuf>,
}

impl<'a> Reading<'a> {
    /// Starts with a crate.
    pub fn new(unit: &'a Unit, newest: Edition, files: &'a mut Files) -> Reading<'a> {
        Reading { unit, newest, files, chain: Vec::new() }
    }

    /// Reads a file, normalised; what `work` makes of it may read others. `asked` is the place that asks for it.
    pub fn within<T>(
        &mut self,
        path: &Path,
        asked: Option<&str>,
        work: impl FnOnce(&mut Self, Text) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let place = asked.map(str::to_owned).unwrap_or_else(|| shown(path));
        if self.chain.contains(&real) {
            let why =
                format!("{} is asked for from within itself, without end.\n  Break the circle.", shown(path));
            return Err(Error::Refused { place, why });
        }
        let asked = asked.map_or(String::new(), |place| format!(" (asked for at {place})"));
        let raw =
            crate::load::content(path).map_err(|source| Error::Read { path: shown(path), asked, source })?;
        let raw = String::from_utf8(raw).map_err(|e| Error::Syntax {
            place: shown(path),
            why: format!("not UTF-8 at byte {}", e.utf8_error().valid_up_to()),
        })?;
        let body = strip::normalised(&raw);
        let whole = self.given(path, body);
        self.chain.push(real);
        let done = work(self, whole);
        self.chain.pop();
        done
    }

    /// Takes a normalised text for a file of the crate.
    pub fn given(&mut self, path: &Path, body: String) -> Text {
        let id = self.files.add(path, &body);
        self.files.belongs(id, &self.unit.root);
        Text::of_file(id, body)
    }
}
