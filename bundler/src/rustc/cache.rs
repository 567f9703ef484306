//! Caches results in the workspace's target folder, keyed by a digest of their inputs.
//!
//! An entry's name is its kind and a digest of everything it depends on, so an entry is never stale. A damaged entry
//! counts as absent. Errors are ignored: without a cache, bundling only takes longer.

use sha2::{Digest as _, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::SystemTime;

/// Maximum size in bytes; above it the oldest entries are deleted until half of it is left.
const MOST: u64 = 64 << 20;
/// The first bytes of an entry; the number changes when the format does.
const MAGIC: &[u8] = b"bundler cache 1\n";
const CHECKSUM: usize = 32;

/// A digest of an entry's inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Digests the parts; the boundaries between them count.
    pub fn of(parts: &[&[u8]]) -> Key {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Key(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A cache in a folder, or a disabled one; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    folder: Option<PathBuf>,
    /// Whether the size of the folder was already checked.
    bounded: Arc<AtomicBool>,
}

impl Cache {
    /// The cache in a folder, which need not exist.
    pub fn at(folder: &Path) -> Cache {
        Cache { folder: Some(folder.to_path_buf()), ..Cache::default() }
    }

    /// A disabled cache.
    pub fn off() -> Cache {
        Cache::default()
    }

    /// Reads an entry. A kind is a short word of letters.
    pub fn get(&self, kind: &str, key: &Key) -> Option<Vec<u8>> {
        let entry = std::fs::read(self.path(kind, key)?).ok()?;
        let (sum, bytes) = entry.strip_prefix(MAGIC)?.split_at_checked(CHECKSUM)?;
        (Sha256::digest(bytes).as_slice() == sum).then(|| bytes.to_vec())
    }

    /// Writes an entry atomically.
    pub fn put(&self, kind: &str, key: &Key, bytes: &[u8]) {
        if let (Some(folder), Some(path)) = (&self.folder, self.path(kind, key)) {
            if !self.bounded.swap(true, Ordering::Relaxed) {
                bound(folder, MOST);
            }
            // A full disk or a read-only folder must not prevent a bundle.
            let _ = write(folder, &path, bytes);
        }
    }

    fn path(&self, kind: &str, key: &Key) -> Option<PathBuf> {
        self.folder.as_ref().map(|f| f.join(format!("{kind}-{}", key.0)))
    }
}

fn write(folder: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix("new-").tempfile_in(folder)?;
    file.write_all(MAGIC)?;
    file.write_all(&Sha256::digest(bytes))?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Deletes the oldest files if a folder holds more than `most` bytes.
fn bound(folder: &Path, most: u64) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
        .filter_map(|e| {
            let e = e.ok()?;
            let meta = e.metadata().ok().filter(std::fs::Metadata::is_file)?;
            Some((meta.modified().ok()?, meta.len(), e.path()))
        })
        .collect();
    let mut size: u64 = files.iter().map(|f| f.1).sum();
    if size <= most {
        return;
    }
    files.sort();
    for (_, bytes, path) in files {
        if size <= most / 2 {
            break;
        }
        if std::fs::remove_file(path).is_ok() {
            size -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_include_part_boundaries() {
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
        assert_ne!(Key::of(&[b"a"]), Key::of(&[b"a", b""]));
        assert_eq!(Key::of(&[b"a", b"b"]), Key::of(&[b"a", b"b"]));
    }

    #[test]
    fn entries_are_found_unless_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("not/there/yet");
        let key = Key::of(&[b"text"]);
        Cache::at(&inside).put("asm", &key, b"bytes");
        let cache = Cache::at(&inside);
        assert_eq!(cache.get("asm", &key).unwrap(), b"bytes");
        assert_eq!(cache.get("map", &key), None);
        assert_eq!(cache.get("asm", &Key::of(&[b"other"])), None);
        assert_eq!(Cache::off().get("asm", &key), None);
        let path = cache.path("asm", &key).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for damaged in [&flipped[..], &whole[..whole.len() - 1], &whole[..20], &[]] {
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(cache.get("asm", &key), None);
        }
        cache.put("asm", &key, b"again");
        assert_eq!(cache.get("asm", &key).unwrap(), b"again");
    }

    #[test]
    fn the_oldest_are_deleted_first() {
        let folder = tempfile::tempdir().unwrap();
        for i in 0..4u64 {
            let path = folder.path().join(format!("x-{i}"));
            let file = std::fs::File::create(&path).unwrap();
            file.set_len(10).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(i)).unwrap();
        }
        bound(folder.path(), 40);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
        bound(folder.path(), 39);
        let left = |i: u64| folder.path().join(format!("x-{i}")).exists();
        assert_eq!([left(0), left(1), left(2), left(3)], [false, false, false, true]);
    }

    #[test]
    fn a_folder_that_cannot_be_is_no_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache::at(&file.path().join("below/a/file"));
        let key = Key::of(&[]);
        cache.put("asm", &key, b"bytes");
        assert_eq!(cache.get("asm", &key), None);
    }
}
