//! Finds the games to import: files, files of folders, and files of zip archives.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

/// Longest file of a game.
const MOST_BYTES: u64 = 256 << 20;

/// A file that may be a game.
pub(super) struct Input {
    /// The path; within an archive `ARCHIVE/NAME`.
    pub path: PathBuf,
    /// The content.
    pub bytes: Vec<u8>,
    /// Whether the user named it, and not only its folder or archive.
    pub is_named: bool,
}

/// A file, folder or archive can't be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    #[error("{}: can't read it: {source}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: can't read the archive: {problem}; save it again", .path.display())]
    Archive { path: PathBuf, problem: String },
    #[error("{}: more than {} MB: not a game", .0.display(), MOST_BYTES >> 20)]
    Large(PathBuf),
}

/// Reads a file, or each file `*.json` of a folder and its subfolders or of an archive, and passes it on. `take` may
/// fail: the rest is read all the same by the caller's choice.
pub(super) fn each(path: &Path, take: &mut dyn FnMut(Result<Input, InputError>)) {
    let has_extension = |path: &Path, wanted: &str| {
        path.extension().and_then(OsStr::to_str).is_some_and(|found| found.eq_ignore_ascii_case(wanted))
    };
    if path.is_dir() {
        match listed(path) {
            Ok(paths) => {
                for path in paths {
                    if path.is_dir() || has_extension(&path, "zip") {
                        each(&path, take);
                    } else if has_extension(&path, "json") {
                        take(file(&path, false));
                    }
                }
            }
            Err(source) => take(Err(InputError::Read { path: path.to_owned(), source })),
        }
    } else if has_extension(path, "zip") {
        if let Err(error) = each_of_archive(path, take) {
            take(Err(error));
        }
    } else {
        take(file(path, true));
    }
}

/// The entries of a folder, without links to folders; numbers in numeric order.
fn listed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !(path.is_symlink() && path.is_dir()) {
            paths.push(path);
        }
    }
    paths.sort_by_cached_key(|path| order(&path.to_string_lossy()));
    Ok(paths)
}

/// Sorts names by the number that they are, if they are one.
fn order(name: &str) -> (bool, Option<u64>, String) {
    let number = Path::new(name).file_stem().and_then(|stem| stem.to_str()?.parse().ok());
    (number.is_none(), number, name.to_owned())
}

fn file(path: &Path, is_named: bool) -> Result<Input, InputError> {
    let failed = |source| InputError::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    Ok(Input { path: path.to_owned(), bytes: limited(file, path)?, is_named })
}

/// Reads to the end, but no more than a game has: an archive's entry may be a thousand times as large as the archive.
fn limited(input: impl Read, path: &Path) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let read = input.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    let read = read.map_err(|source| InputError::Read { path: path.to_owned(), source })?;
    if read as u64 > MOST_BYTES {
        return Err(InputError::Large(path.to_owned()));
    }
    Ok(bytes)
}

fn each_of_archive(path: &Path, take: &mut dyn FnMut(Result<Input, InputError>)) -> Result<(), InputError> {
    let failed = |problem: &dyn std::fmt::Display| InputError::Archive {
        path: path.to_owned(),
        problem: problem.to_string(),
    };
    let file = File::open(path).map_err(|error| failed(&error))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| failed(&error))?;
    let mut names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    names.retain(|name| name.to_ascii_lowercase().ends_with(".json"));
    names.sort_by_cached_key(|name| order(name));
    for name in names {
        let place = path.join(&name);
        take(match archive.by_name(&name) {
            Ok(entry) => limited(entry, &place).map(|bytes| Input { path: place, bytes, is_named: false }),
            Err(error) => Err(InputError::Archive { path: place, problem: error.to_string() }),
        });
    }
    Ok(())
}
