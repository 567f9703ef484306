//! Caches results in the workspace's target folder, keyed by a digest of their inputs.
//!
//! An entry's name is its kind and a digest of everything it depends on, so an entry is never stale. A damaged entry
//! counts as absent. Errors are ignored: without a cache, bundling only takes longer.

use sha2::{Digest as _, Sha256};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Maximum size in bytes; above it the oldest entries are deleted until half of it is left.
const MOST: u64 = 64 << 20;
/// The first bytes of an entry; the number changes when the format does.
const MAGIC: &[u8] = b"bundler cache 1\n";
const CHECKSUM: usize = 32;
/// The folder of the folders in which processes work.
const WORKPLACES: &str = "incremental";
/// Maximum number of them; one has some 70 MB for a bot of the usual size.
const MOST_WORKPLACES: usize = 12;
/// After this time a process that works in a folder counts as gone: no compilation takes as long.
const ABANDONED: Duration = Duration::from_secs(600);

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

    /// Whether it keeps anything.
    pub fn is_on(&self) -> bool {
        self.folder.is_some()
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

    /// A folder with a name of its own, in which one process at a time works; `None` if another does, or without a cache.
    pub fn workplace(&self, name: &str) -> Option<Workplace> {
        let all = self.folder.as_ref()?.join(WORKPLACES);
        let folder = all.join(name);
        if !folder.exists() {
            remove_oldest(&all, MOST_WORKPLACES);
        }
        std::fs::create_dir_all(&folder).ok()?;
        let sign = folder.join("in-use");
        let open = || OpenOptions::new().write(true).create_new(true).open(&sign);
        if open().is_err() {
            // The process that made it may be gone.
            let made = std::fs::metadata(&sign).and_then(|m| m.modified()).ok()?;
            made.elapsed().ok().filter(|age| *age > ABANDONED)?;
            std::fs::remove_file(&sign).ok()?;
            open().ok()?;
        }
        Some(Workplace { folder, sign })
    }

    fn path(&self, kind: &str, key: &Key) -> Option<PathBuf> {
        self.folder.as_ref().map(|f| f.join(format!("{kind}-{}", key.0)))
    }
}

/// A folder in which this process works until the value is dropped.
#[derive(Debug)]
pub struct Workplace {
    folder: PathBuf,
    sign: PathBuf,
}

impl Workplace {
    /// The folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // If it cannot be removed, it counts as abandoned after a while.
        let _ = std::fs::remove_file(&self.sign);
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

/// Deletes the folders that were changed longest ago until fewer than `most` are left.
fn remove_oldest(all: &Path, most: usize) {
    let Ok(entries) = std::fs::read_dir(all) else { return };
    let mut found: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|e| e.ok())
        .filter_map(|e| Some((e.metadata().ok()?.modified().ok()?, e.path())))
        .collect();
    found.sort();
    let spare = (found.len() + 1).saturating_sub(most);
    for (_, path) in found.into_iter().take(spare) {
        let _ = std::fs::remove_dir_all(path);
    }
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
    fn one_process_at_a_time_works_in_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let place = cache.workplace("one").unwrap();
        assert!(
            place.path().is_dir() && cache.workplace("one").is_none() && cache.workplace("two").is_some()
        );
        drop(place);
        let sign = cache.workplace("one").unwrap().sign.clone();
        assert!(!sign.exists() && Cache::off().workplace("one").is_none());
        // A sign of a process that was killed.
        let file = std::fs::File::create(&sign).unwrap();
        assert!(cache.workplace("one").is_none());
        file.set_modified(SystemTime::now() - 2 * ABANDONED).unwrap();
        drop(file);
        assert!(cache.workplace("one").is_some());
        for n in 0..2 * MOST_WORKPLACES {
            drop(cache.workplace(&n.to_string()).unwrap());
        }
        assert_eq!(std::fs::read_dir(folder.path().join(WORKPLACES)).unwrap().count(), MOST_WORKPLACES);
    }

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
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(i)).unwrap();
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
