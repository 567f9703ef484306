//! Atomic file writes: a file appears complete or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Checks that a file can be written, before hours are spent on its content; an existing file isn't changed.
///
/// # Errors
/// Those that [`write()`] would have, as far as they can be foreseen.
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

/// Writes `bytes` to a temporary file beside `path` and renames it.
///
/// # Errors
/// Those of the file system; the temporary file is removed then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary(path)?;
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
