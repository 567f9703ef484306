//! The tools that all steps of a run share.

use crate::api::error::Error;
use crate::api::options::Options;
use crate::os::progress::Progress;
use crate::rustc::cache::Cache;
use crate::rustc::{Checker, Flags};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The options, the cache, the compilers, the progress and the notes of one run.
pub struct Session<'a> {
    /// The user's options.
    pub options: &'a Options,
    /// The progress shown to the user.
    pub progress: &'a Progress,
    /// The cache; it keeps nothing if the user wants none.
    pub cache: Cache,
    notes: Mutex<Vec<String>>,
}

impl<'a> Session<'a> {
    /// Starts a run whose cache is in `folder`.
    pub fn new(options: &'a Options, progress: &'a Progress, folder: &Path) -> Session<'a> {
        let cache = if options.cache { Cache::at(folder) } else { Cache::off() };
        Session { options, progress, cache, notes: Mutex::default() }
    }

    /// The user's own compiler with these flags.
    pub fn checker(&self, flags: &Flags) -> Result<Checker, Error> {
        Checker::new(self.cache.clone(), flags.clone())
    }

    /// The compilers of `--check-with` with these flags.
    pub fn other_checkers(&self, flags: &Flags) -> Result<Vec<Checker>, Error> {
        let other = |path: &std::path::PathBuf| Checker::other(path, self.cache.clone(), flags.clone());
        self.options.check_with.iter().map(other).collect()
    }

    /// Adds a note for the user.
    pub fn note(&self, note: impl Into<String>) {
        self.lock().push(note.into());
    }

    /// Adds notes for the user.
    pub fn note_all(&self, notes: impl IntoIterator<Item = String>) {
        self.lock().extend(notes);
    }

    /// The notes so far.
    pub fn notes(&self) -> Vec<String> {
        self.lock().clone()
    }

    /// The result of `work` and the notes that it made, which are not added. No other thread may make notes meanwhile.
    pub fn apart<T>(&self, work: impl FnOnce() -> T) -> (T, Vec<String>) {
        let before = std::mem::take(&mut *self.lock());
        let done = work();
        (done, std::mem::replace(&mut *self.lock(), before))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_can_be_made_apart() {
        let (options, progress) = (Options { cache: false, ..Options::default() }, Progress::new(false));
        let session = Session::new(&options, &progress, Path::new(""));
        session.note("before");
        let (done, notes) = session.apart(|| {
            session.note_all(["a".to_owned(), "b".to_owned()]);
            session.notes().len()
        });
        assert_eq!((done, notes), (2, vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(session.notes(), ["before"]);
    }
}
