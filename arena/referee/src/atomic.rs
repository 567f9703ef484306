//! Atomic file writes: a file appears complete or not at all. Files that one program writes at a time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Advice for a file that Windows keeps from being replaced.
const IN_USE: &str = "\nclose the program that has it open, or give a writable path";

/// A file can't be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {source}{}", .action, .path.display(), if is_in_use(source) { IN_USE } else { .advice })]
pub struct FileError {
    action: &'static str,
    path: PathBuf,
    advice: &'static str,
    source: io::Error,
}

impl FileError {
    /// The error at a place; the system's reason says enough.
    pub fn at(path: &Path, source: io::Error) -> Self {
        Self { action: "", path: path.to_owned(), advice: "", source }
    }

    /// The error of a file that was to be written.
    pub fn write(path: &Path, source: io::Error) -> Self {
        Self { action: "can't write ", path: path.to_owned(), advice: "\ngive a writable path", source }
    }
}

/// Attempts to lock or replace a file, and the time between them.
pub(crate) const ATTEMPTS: u32 = 20;
pub(crate) const BETWEEN: Duration = Duration::from_millis(10);

/// Whether the error may be that another program has the file open, which keeps it from being replaced on Windows:
/// ERROR_ACCESS_DENIED, or ERROR_SHARING_VIOLATION.
fn is_in_use(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32))
}

/// Checks that a file can be written, before hours are spent on its content; an existing file isn't changed.
///
/// # Errors
/// As for [`write()`], as far as they can be foreseen.
pub fn can_write(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let temporary = temporary(path)?;
    fs::File::create(&temporary)?;
    fs::remove_file(&temporary)
}

/// A unique temporary file in the folder of `path`.
fn temporary(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut temporary_name = std::ffi::OsString::from(".");
    temporary_name.push(name);
    temporary_name.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(temporary_name))
}

/// Renames a file onto another, which a program may have open for a moment.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    for _ in 1..ATTEMPTS {
        match fs::rename(from, to) {
            Err(error) if is_in_use(&error) => thread::sleep(BETWEEN),
            renamed => return renamed,
        }
    }
    fs::rename(from, to)
}

/// Writes `bytes` to a temporary file next to `path` and renames it.
///
/// # Errors
/// If the file system refuses; the temporary file is removed then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary(path)?;
    let written = fs::write(&temporary, bytes).and_then(|()| replace(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens a file as programs do that keep others from replacing it, where the system has that.
    fn reader(path: &Path) -> fs::File {
        let mut options = fs::File::options();
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 1);
        options.read(true).open(path).unwrap()
    }

    #[test]
    fn a_file_that_others_read_is_replaced_or_stays_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.csv");
        write(&path, b"old").unwrap();
        let short = reader(&path);
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(3 * BETWEEN);
                drop(short);
            });
            write(&path, b"new").unwrap();
        });
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let _long = reader(&path);
        match write(&path, b"newer") {
            Ok(()) => assert_eq!(fs::read(&path).unwrap(), b"newer"),
            Err(error) => {
                assert_eq!(fs::read(&path).unwrap(), b"new");
                let said = FileError::write(&path, error).to_string();
                assert!(
                    said.ends_with("close the program that has it open, or give a writable path"),
                    "{said}"
                );
            }
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
