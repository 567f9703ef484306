//! New packages outside this repository: their files, their dependencies, where they are written.
//!
//! ```
//! use coppice_scaffold::PackageName;
//!
//! assert!(PackageName::new("connect-four").is_ok());
//! // A word of the language can't be a package.
//! assert!(PackageName::new("match").is_err());
//! ```

#![warn(unreachable_pub)]

mod dependency;
mod heuristic;
mod keywords;
mod name;
mod new_file;
mod own_contest;
mod stub;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use dependency::{Dependency, DependencyError};
pub use heuristic::files as heuristic_files;
pub use name::{NameError, PackageName};
pub use new_file::NewFile;
pub use own_contest::{files as contest_files, Shape};
pub use stub::{files as stub_files, StubError};

/// Why a package wasn't written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScaffoldError {
    /// The package's name can't be used.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The engine isn't where it was looked for.
    #[error(transparent)]
    Dependency(#[from] DependencyError),
    /// The stub can't be read.
    #[error("{}: {source}", .path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The text isn't a stub.
    #[error("{}: {error}; nothing was written", .path.display())]
    Stub {
        /// Path of the file.
        path: PathBuf,
        /// The line that can't be understood.
        error: StubError,
    },
    /// The folder is in use.
    #[error("{} exists and is not an empty folder; nothing was written: choose another name, or --dir", .0.display())]
    Exists(PathBuf),
    /// The file system refuses.
    #[error("{}: {source}; nothing was written", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl ScaffoldError {
    /// Whether the command line is to blame.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Name(_) | Self::Dependency(_) | Self::Exists(_) | Self::Stub { .. })
    }
}

/// Writes all files into a new folder, or nothing.
///
/// # Errors
/// If the folder exists and isn't empty, or a file can't be written.
pub fn write(dir: &Path, files: &[NewFile]) -> Result<(), ScaffoldError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| ScaffoldError::Io { path, source }
    };
    let is_empty = match fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(_) => false,
    };
    if !is_empty {
        return Err(ScaffoldError::Exists(dir.to_owned()));
    }
    let name = dir.file_name().ok_or_else(|| ScaffoldError::Exists(dir.to_owned()))?;
    let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(at(parent))?;
    // Beside the folder, so that it can be renamed.
    let temporary = parent.join(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
    let written = write_files(&temporary, files).and_then(|()| {
        // An empty folder can't be replaced on every system.
        if dir.exists() {
            fs::remove_dir(dir).map_err(at(dir))?;
        }
        fs::rename(&temporary, dir).map_err(at(dir))
    });
    if written.is_err() {
        let _ = fs::remove_dir_all(&temporary);
    }
    written
}

fn write_files(folder: &Path, files: &[NewFile]) -> Result<(), ScaffoldError> {
    for file in files {
        let path = folder.join(&file.path);
        let parent = path.parent().unwrap_or(folder);
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, &file.text));
        written.map_err(|source| ScaffoldError::Io { path, source })?;
    }
    format(folder, files);
    Ok(())
}

/// Formats the sources, where the toolchain has rustfmt; without it they stay as they are.
fn format(folder: &Path, files: &[NewFile]) {
    let sources = files.iter().filter(|file| file.path.ends_with(".rs")).map(|file| folder.join(&file.path));
    let sources: Vec<PathBuf> = sources.collect();
    if !sources.is_empty() {
        let mut rustfmt = Command::new("rustfmt");
        rustfmt.args(["--edition", "2021"]).args(sources);
        let _ = rustfmt.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_written_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("new");
        let files =
            [NewFile::new("Cargo.toml", "[package]\n"), NewFile::new("src/bin/a.rs", "fn main() {}\n")];
        write(&dir, &files).unwrap();
        assert_eq!(fs::read_to_string(dir.join("src/bin/a.rs")).unwrap(), "fn main() {}\n");
        assert!(matches!(write(&dir, &files), Err(ScaffoldError::Exists(_))));
        // A file where a folder is needed: nothing is left behind.
        let wrong = [NewFile::new("a", ""), NewFile::new("a/b", "")];
        let other = folder.path().join("other");
        assert!(matches!(write(&other, &wrong), Err(ScaffoldError::Io { .. })));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // An empty folder is used.
        fs::create_dir(&other).unwrap();
        write(&other, &files).unwrap();
        assert!(other.join("Cargo.toml").is_file());
    }
}
