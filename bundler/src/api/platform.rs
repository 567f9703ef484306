//! Limits, compilers and crates of contest sites.

use crate::api::options::{Limit, Options, Unit};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A site for which there are presets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Platform {
    /// 100,000 bytes, Rust 1.90.0, std only
    Codingame,
    /// 524,288 bytes, Rust 1.89.0; crates available there are not inlined
    Atcoder,
    /// 65,536 bytes, Rust 1.89.0, std only
    Codeforces,
}

impl Platform {
    /// The site's name.
    pub fn name(self) -> &'static str {
        match self {
            Platform::Codingame => "CodinGame",
            Platform::Atcoder => "AtCoder",
            Platform::Codeforces => "Codeforces",
        }
    }

    /// The size limit of the site.
    pub fn limit(self) -> Limit {
        let size = match self {
            Platform::Codingame => 100_000,
            Platform::Atcoder => 512 << 10,
            Platform::Codeforces => 64 << 10,
        };
        Limit { size, unit: Unit::Bytes }
    }

    /// The version of the site's compiler.
    pub fn rust(self) -> &'static str {
        match self {
            Platform::Codingame => "1.90.0",
            Platform::Atcoder | Platform::Codeforces => "1.89.0",
        }
    }

    /// Whether the site is known to compile edition 2024.
    pub fn takes_2024(self) -> bool {
        self == Platform::Atcoder
    }

    /// The crates available on the site, with their versions.
    pub fn crates(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Platform::Atcoder => ATCODER,
            // CodinGame lists some, but users report that they cannot be used.
            Platform::Codingame | Platform::Codeforces => &[],
        }
    }

    /// Whether the site's version of a crate can replace `version`; `Err` holds the site's version if it cannot.
    pub fn has(self, name: &str, version: &str) -> Option<Result<(), &'static str>> {
        let (_, there) = self.crates().iter().find(|(n, _)| *n == name)?;
        Some(if stands_in(there, version) { Ok(()) } else { Err(there) })
    }
}

/// How long a note about the site's compiler is not repeated.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Notes about the site: that its compiler is not installed. `cache` is the folder that remembers when it was noted last.
pub fn notes(options: &Options, cache: &Path) -> Vec<String> {
    let Some(platform) = options.platform else { return Vec::new() };
    let mut notes = Vec::new();
    let is_missing = options.check && options.check_with.is_empty();
    if is_missing && (!options.cache || is_due(&cache.join(format!("noted-{}", platform.rust())))) {
        notes.push(format!(
            "{UNCHECKED} {0}, the compiler of {1}, which is not installed; run `rustup toolchain install {0}`",
            platform.rust(),
            platform.name()
        ));
    }
    notes
}

/// The beginning of the note on a compiler that is not installed.
const UNCHECKED: &str = "the bundle was not checked with Rust";

/// Whether a note is one of [`notes`].
pub fn is_note(note: &str) -> bool {
    note.starts_with(UNCHECKED)
}

/// Whether a file was written more than a day ago or never; if so, it is written.
fn is_due(path: &Path) -> bool {
    let written = std::fs::metadata(path).and_then(|file| file.modified());
    if written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age < DAY)) {
        return false;
    }
    // If it can't be written, the note is repeated.
    let _ = path.parent().map(std::fs::create_dir_all).and_then(|_| std::fs::write(path, "").ok());
    true
}

/// The site's compiler, if rustup has it installed.
pub fn compiler(platform: Platform) -> Option<PathBuf> {
    let home = std::env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let user = || std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
    let toolchains = home.or_else(|| Some(PathBuf::from(user()?).join(".rustup")))?.join("toolchains");
    compiler_in(&toolchains, platform)
}

fn compiler_in(toolchains: &Path, platform: Platform) -> Option<PathBuf> {
    let exact = platform.rust();
    let minor = exact.rsplit_once('.').map_or(exact, |(minor, _)| minor);
    let mut found: Vec<PathBuf> = std::fs::read_dir(toolchains)
        .ok()?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| {
            let name = p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            [exact, minor].iter().any(|v| name == *v || name.starts_with(&format!("{v}-")))
        })
        .map(|p| p.join("bin").join(format!("rustc{}", std::env::consts::EXE_SUFFIX)))
        .filter(|p| p.is_file())
        .collect();
    found.sort();
    found.pop()
}

/// Whether a version can replace an older one, by cargo's caret rule.
fn stands_in(there: &str, wanted: &str) -> bool {
    let numbers = |v: &str| -> Option<Vec<u64>> {
        // Pre-releases and build metadata only match exactly.
        v.split('.').map(|n| n.parse().ok()).collect::<Option<Vec<u64>>>().filter(|n| n.len() == 3)
    };
    let (Some(there), Some(wanted)) = (numbers(there), numbers(wanted)) else {
        return there == wanted;
    };
    let leading = there.iter().take_while(|n| **n == 0).count().min(2);
    there[..=leading] == wanted[..=leading] && there >= wanted
}

/// The plain library crates from AtCoder's list for Rust 1.89.0 that bots may use.
const ATCODER: &[(&str, &str)] = &[
    ("ac-library-rs", "0.2.0"),
    ("alga", "0.9.3"),
    ("amplify", "4.9.0"),
    ("amplify_derive", "4.0.1"),
    ("amplify_num", "0.5.3"),
    ("argio", "0.2.0"),
    ("ascii", "1.1.0"),
    ("az", "1.2.1"),
    ("bitset-fixed", "0.1.0"),
    ("bitvec", "1.0.1"),
    ("bstr", "1.12.0"),
    ("btreemultimap", "0.1.1"),
    ("counter", "0.7.0"),
    ("easy-ext", "1.0.2"),
    ("either", "1.15.0"),
    ("fixedbitset", "0.5.7"),
    ("getrandom", "0.3.3"),
    ("glidesort", "0.1.2"),
    ("hashbag", "0.1.12"),
    ("im-rc", "15.1.0"),
    ("indexing", "0.4.1"),
    ("indexmap", "2.11.0"),
    ("itertools", "0.14.0"),
    ("itertools-num", "0.1.3"),
    ("lazy_static", "1.5.0"),
    ("libm", "0.2.15"),
    ("maplit", "1.0.2"),
    ("memoise", "0.3.2"),
    ("multimap", "0.10.1"),
    ("multiversion", "0.8.0"),
    ("nalgebra", "0.34.0"),
    ("ndarray", "0.16.1"),
    ("num", "0.4.3"),
    ("num-bigint", "0.4.6"),
    ("num-complex", "0.4.6"),
    ("num-derive", "0.4.2"),
    ("num-integer", "0.1.46"),
    ("num-iter", "0.1.45"),
    ("num-rational", "0.4.2"),
    ("num-traits", "0.2.19"),
    ("omniswap", "0.1.0"),
    ("once_cell", "1.21.3"),
    ("ordered-float", "5.0.0"),
    ("pathfinding", "4.14.0"),
    ("permutohedron", "0.2.4"),
    ("petgraph", "0.8.2"),
    ("primal", "0.3.3"),
    ("proconio", "0.5.0"),
    ("rand", "0.9.2"),
    ("rand_chacha", "0.9.0"),
    ("rand_core", "0.9.3"),
    ("rand_distr", "0.5.1"),
    ("rand_hc", "0.4.0"),
    ("rand_pcg", "0.9.0"),
    ("rand_xorshift", "0.4.0"),
    ("rand_xoshiro", "0.7.0"),
    ("recur-fn", "2.2.0"),
    ("regex", "1.11.2"),
    ("rpds", "1.1.1"),
    ("rustc-hash", "2.1.1"),
    ("smallvec", "1.15.1"),
    ("static_assertions", "1.1.0"),
    ("statrs", "0.18.0"),
    ("superslice", "1.0.0"),
    ("tap", "1.0.1"),
    ("text_io", "0.1.13"),
    ("thiserror", "2.0.16"),
    ("varisat", "0.2.2"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_due_once_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache/noted");
        assert_eq!([is_due(&path), is_due(&path), is_due(&path)], [true, false, false]);
        let two_days_ago = std::time::SystemTime::now() - 2 * DAY;
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(two_days_ago).unwrap();
        assert_eq!([is_due(&path), is_due(&path)], [true, false]);
    }

    #[test]
    fn versions_follow_the_caret_rule() {
        for (there, wanted, fits) in [
            ("1.15.1", "1.15.1", true),
            ("1.15.1", "1.9.0", true),
            ("1.15.1", "1.16.0", false),
            ("2.1.1", "1.1.0", false),
            ("0.14.0", "0.14.0", true),
            ("0.14.0", "0.13.0", false),
            ("0.9.2", "0.9.0", true),
            ("0.0.2", "0.0.1", false),
            ("1.0.0", "1.0.0-rc.1", false),
            ("1.0.0", "", false),
        ] {
            assert_eq!(stands_in(there, wanted), fits, "{there} for {wanted}");
        }
        assert_eq!(Platform::Atcoder.has("itertools", "0.13.0"), Some(Err("0.14.0")));
        assert_eq!(Platform::Codingame.has("rand", "0.9.2"), None);
    }

    #[test]
    fn the_compiler_is_found_by_its_version() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(compiler_in(folder.path(), Platform::Codingame), None);
        for name in ["stable-x", "1.91.0-x", "1.90.0-x", "1.900.0-x"] {
            let bin = folder.path().join(name).join("bin");
            std::fs::create_dir_all(&bin).unwrap();
            std::fs::write(bin.join(format!("rustc{}", std::env::consts::EXE_SUFFIX)), "").unwrap();
        }
        let found = compiler_in(folder.path(), Platform::Codingame).unwrap();
        assert!(found.starts_with(folder.path().join("1.90.0-x")), "{}", found.display());
        assert_eq!(compiler_in(folder.path(), Platform::Atcoder), None);
    }

    #[test]
    fn crates_are_sorted_and_unique() {
        assert!(ATCODER.windows(2).all(|w| w[0].0 < w[1].0));
    }
}
