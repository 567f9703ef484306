//! Files, with a limit on their size.

use std::path::Path;

/// Maximum size of a file in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// Reads a file; refuses folders, devices and files larger than 64 MiB.
pub fn content(path: &Path) -> std::io::Result<Vec<u8>> {
    let other = |why: &str| Err(std::io::Error::other(why));
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return other("it is a folder");
    }
    if !about.is_file() {
        return other("it is not a regular file");
    }
    if about.len() > MOST_BYTES {
        return other("it is larger than 64 MiB");
    }
    std::fs::read(path)
}
