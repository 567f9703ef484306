//! Atomic file writes: a file appears complete or not at all. Files that one program writes at a time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// A file can't be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {source}{}", .action, .path.display(), .advice)]
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

/// Attempts to lock or replace a file, and the time between them. A child process that has begun and not yet run its program holds
/// a copy of its parent's locks for a moment.
const ATTEMPTS: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(10);

/// Locks a file for this program, unless another has locked it. Without file locks, the user is responsible.
pub fn is_locked_by_another(file: &fs::File) -> bool {
    let is_locked = || matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
    (0..ATTEMPTS).all(|attempt| {
        if attempt > 0 {
            thread::sleep(BETWEEN);
        }
        is_locked()
    })
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

/// Renames a file onto another. Windows refuses that for the moment in which a program has the other open.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    let attempts = if cfg!(windows) { ATTEMPTS } else { 1 };
    let mut renamed = fs::rename(from, to);
    for _ in 1..attempts {
        match &renamed {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => thread::sleep(BETWEEN),
            _ => break,
        }
        renamed = fs::rename(from, to);
    }
    renamed
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
