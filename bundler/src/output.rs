//! Output that is whole or not there.

use crate::system;
use bundler::Error;
use std::io::Write;
use std::path::Path;

/// Writes to standard output.
pub fn print(text: &str) -> Result<(), Error> {
    if system::stdout_was_closed() {
        return Err(Error::Print(std::io::Error::other("it is closed")));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::Print)
}

/// Writes beside the file and renames, so that the old one stays whatever happens.
pub fn replace(path: &Path, text: &str) -> Result<(), Error> {
    let failed = |source| Error::Write { path: path.to_path_buf(), source };
    // A device or pipe has no old content to keep, and must not become a file.
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return std::fs::write(path, text).map_err(failed);
    }
    // A link stays a link.
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(Error::NoFolder { path: path.to_path_buf(), folder: folder.to_path_buf() });
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bundle-").suffix(".rs");
    if let Some(permissions) = system::new_file() {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}
