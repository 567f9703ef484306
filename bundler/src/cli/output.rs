//! Writes output completely or not at all.

use crate::api::error::Error;
use crate::os::system;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Writes to standard output.
pub fn print(text: &str) -> Result<(), Error> {
    if system::stdout_was_closed() {
        return Err(Error::Print(std::io::Error::other("it is closed")));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::Print)
}

/// Prints a text. That a reader closes the pipe early, such as `head`, isn't an error.
pub fn print_or_part(text: &str) -> Result<(), Error> {
    match print(text) {
        Err(Error::Print(e)) if system::is_closed_pipe(&e) => Ok(()),
        printed => printed,
    }
}

/// Prefix of a file's name while it is written.
const PREFIX: &str = ".bundle-";

/// Whether a file is a temporary one of [`replace`].
pub fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(PREFIX))
}

/// Like [`replace`], but leaves a file with the same content untouched; returns whether it was written.
pub fn replace_if_changed(path: &Path, text: &str) -> Result<bool, Error> {
    if std::fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(false);
    }
    replace(path, text).map(|()| true)
}

/// A lock held while a file is written, so that the program does not exit in between.
pub fn writing() -> MutexGuard<'static, ()> {
    static WRITING: Mutex<()> = Mutex::new(());
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a temporary file in the same folder and renames it, so that on failure the old file stays.
pub fn replace(path: &Path, text: &str) -> Result<(), Error> {
    let _writing = writing();
    let failed = |source| Error::Write { path: path.to_path_buf(), source };
    if path.is_dir() {
        return Err(failed(std::io::Error::other("it is a folder; name a file in it")));
    }
    // A device or pipe is written directly: it has no old content to keep, and must not become a file.
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return std::fs::write(path, text).map_err(failed);
    }
    // A symbolic link stays one.
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(Error::NoFolder { path: path.to_path_buf(), folder: folder.to_path_buf() });
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(".rs");
    if let Some(permissions) = system::new_file() {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    for _ in 1..ATTEMPTS {
        file = match file.persist(path) {
            Err(refused) if system::is_in_use(&refused.error) => refused.file,
            done => return done.map(drop).map_err(|e| failed(e.error)),
        };
        std::thread::sleep(BETWEEN);
    }
    file.persist(path).map(drop).map_err(|e| failed(e.error))
}

/// Attempts to replace a file that another program reads, and the time between them.
const ATTEMPTS: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(10);

/// Longest line of an error, and what is kept of the beginning of a longer one, in characters: parts of a source are in it.
const LINE: [usize; 2] = [600, 400];
/// The most lines of an error: a compiler may have hundreds of them.
const LINES: usize = 150;

/// An error for a terminal: of very long lines the beginning is kept, and of very many lines the first.
pub fn shortened(error: &str) -> String {
    let [most, first] = LINE;
    let mut lines = error.split('\n').map(|line| match line.char_indices().nth(first) {
        Some((end, _)) if line.chars().nth(most).is_some() => {
            format!("{}… ({} bytes)", &line[..end], line.len())
        }
        _ => line.to_owned(),
    });
    let mut text = lines.by_ref().take(LINES).collect::<Vec<_>>().join("\n");
    let more = lines.count();
    if more > 0 {
        text += &format!("\n… {more} more lines: `cargo check` prints them");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_read_for_a_moment_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ß (1).rs");
        replace(&path, "old").unwrap();
        let reader = system::reader_that_excludes_others(&path).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(3 * BETWEEN);
                drop(reader);
            });
            replace(&path, "new").unwrap();
        });
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        // One that keeps it is reported, and the file is whole.
        let _reader = system::reader_that_excludes_others(&path).unwrap();
        if let Err(error) = replace(&path, "newer") {
            assert!(error.to_string().contains("cannot write "), "{error}");
            assert!(error.to_string().contains("An existing file is unchanged"), "{error}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        }
        let expected = if cfg!(windows) { "new" } else { "newer" };
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    }

    #[test]
    fn errors_are_short_enough_to_read() {
        let plain = "error: é\n  --> a.rs:1:2\n";
        assert_eq!(shortened(plain), plain);
        let long = shortened(&format!("{}\nend", "é".repeat(601)));
        assert_eq!(long, format!("{}… (1202 bytes)\nend", "é".repeat(400)));
        let many = shortened(&"line\n".repeat(151));
        assert!(many.ends_with("line\n… 2 more lines: `cargo check` prints them"), "{many}");
    }
}
