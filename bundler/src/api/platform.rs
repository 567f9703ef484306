//! Limits, compilers and crates of contest sites.

use crate::api::bundle::thousands;
use crate::api::error::Error;
use crate::api::options::{Limit, Options, Unit};
use crate::syntax::text::shown;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The built-in table of sites.
const TABLE: &str = include_str!("platforms.toml");

/// A contest site: its limit, compiler, edition and crates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    name: String,
    limit: Limit,
    rust: String,
    arch: Option<String>,
    takes_2024: bool,
    is_readable: bool,
    crates: BTreeMap<String, String>,
}

/// The tables of sites by their names.
type Table = BTreeMap<String, Row>;

/// A site's entry in a table; what it leaves out keeps its value.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: Option<String>,
    limit: Option<usize>,
    unit: Option<Unit>,
    rust: Option<String>,
    arch: Option<String>,
    edition: Option<String>,
    readable: Option<bool>,
    crates: Option<BTreeMap<String, String>>,
    /// For readers of the table.
    #[allow(dead_code, reason = "it says where a figure comes from, so it may be in the table")]
    sources: Option<BTreeMap<String, String>>,
}

impl Row {
    /// This row where it says something, and `other` elsewhere.
    fn over(self, other: Row) -> Row {
        Row {
            name: self.name.or(other.name),
            limit: self.limit.or(other.limit),
            unit: self.unit.or(other.unit),
            rust: self.rust.or(other.rust),
            arch: self.arch.or(other.arch),
            edition: self.edition.or(other.edition),
            readable: self.readable.or(other.readable),
            crates: self.crates.or(other.crates),
            sources: self.sources.or(other.sources),
        }
    }
}

impl Platform {
    /// A site of the built-in table, by its name there: `codingame`, `atcoder` or `codeforces`.
    ///
    /// # Errors
    /// If it has no such site.
    pub fn named(name: &str) -> Result<Platform, Error> {
        Platform::of(&table(TABLE).map_err(Error::Binary)?, name)
    }

    /// A site by its name in a file, whose rows take precedence over those of the built-in table.
    ///
    /// # Errors
    /// If the file cannot be read or isn't such a table, or if neither table has the site.
    pub fn named_in(file: &Path, name: &str) -> Result<Platform, Error> {
        let wrong = |why: String| Error::Binary(format!("--platforms {}: {why}", shown(file)));
        let text = std::fs::read_to_string(file).map_err(|e| wrong(e.to_string()))?;
        let mut all = table(TABLE).map_err(Error::Binary)?;
        for (site, row) in table(&text).map_err(wrong)? {
            let known = all.remove(&site).unwrap_or_default();
            all.insert(site, row.over(known));
        }
        Platform::of(&all, name)
    }

    fn of(table: &Table, name: &str) -> Result<Platform, Error> {
        let Some(row) = table.get(name).cloned() else {
            let all: Vec<&str> = table.keys().map(String::as_str).collect();
            let all = all.join(", ");
            return Err(Error::Binary(format!("--platform {name}: no such site.\n  There are: {all}.")));
        };
        let size = row.limit.unwrap_or(Limit::default().size);
        Ok(Platform {
            name: row.name.unwrap_or_else(|| name.to_owned()),
            limit: Limit { size, unit: row.unit.unwrap_or_default() },
            rust: row.rust.unwrap_or_default(),
            arch: row.arch,
            takes_2024: row.edition.is_some_and(|edition| edition.as_str() >= "2024"),
            is_readable: row.readable.unwrap_or_default(),
            crates: row.crates.unwrap_or_default(),
        })
    }

    /// The built-in sites, a line each, for the help.
    pub(crate) fn listed() -> String {
        let names: Vec<String> = table(TABLE).unwrap_or_default().into_keys().collect();
        let row = |name: &String| {
            let site = Platform::named(name).ok()?;
            let size = thousands(site.limit.size);
            let (unit, rust) = (site.limit.unit.name(), &site.rust);
            let crates = match site.crates.len() {
                0 => ", std only",
                _ => "; the crates available there are not inlined",
            };
            Some(format!("  {name:<12} {size:>7} {unit}, Rust {rust}{crates}\n"))
        };
        names.iter().filter_map(row).collect()
    }

    /// The site's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The size limit of the site.
    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// The version of the site's compiler; empty if it is not known.
    pub fn rust(&self) -> &str {
        &self.rust
    }

    /// The architecture that the site compiles for, as a value of `target_arch`, if it is known.
    pub fn arch(&self) -> Option<&str> {
        self.arch.as_deref()
    }

    /// Whether the site is known to compile edition 2024.
    pub fn takes_2024(&self) -> bool {
        self.takes_2024
    }

    /// Whether a bundle keeps comments and names if it fits the limit.
    pub fn is_readable(&self) -> bool {
        self.is_readable
    }

    /// The crates available on the site, with their versions.
    pub fn crates(&self) -> &BTreeMap<String, String> {
        &self.crates
    }

    /// Whether the site's version of a crate can replace `version`; `Err` holds the site's version if it cannot.
    pub fn has(&self, name: &str, version: &str) -> Option<Result<(), &str>> {
        let there = self.crates.get(name)?;
        Some(if stands_in(there, version) { Ok(()) } else { Err(there) })
    }
}

fn table(text: &str) -> Result<Table, String> {
    toml::from_str(text).map_err(|e| e.to_string())
}

/// How long a note about the site's compiler is not repeated.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Notes about the site: that its compiler is not installed. `cache` is the folder that remembers when it was noted last.
pub fn notes(options: &Options, cache: &Path) -> Vec<String> {
    let Some(platform) = &options.platform else { return Vec::new() };
    let mut notes = Vec::new();
    let is_missing = options.check && options.check_with.is_empty() && !platform.rust.is_empty();
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
pub fn compiler(platform: &Platform) -> Option<PathBuf> {
    let home = || std::env::home_dir().map(|home| home.join(".rustup"));
    let own = std::env::var_os("RUSTUP_HOME").map(PathBuf::from).or_else(home)?;
    compiler_in(&own.join("toolchains"), platform)
}

fn compiler_in(toolchains: &Path, platform: &Platform) -> Option<PathBuf> {
    let exact = platform.rust();
    if exact.is_empty() {
        return None;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn site(name: &str) -> Platform {
        Platform::named(name).unwrap()
    }

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
        assert_eq!(site("atcoder").has("itertools", "0.13.0"), Some(Err("0.14.0")));
        assert_eq!(site("codingame").has("rand", "0.9.2"), None);
    }

    #[test]
    fn the_compiler_is_found_by_its_version() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(compiler_in(folder.path(), &site("codingame")), None);
        for name in ["stable-x", "1.91.0-x", "1.90.0-x", "1.900.0-x"] {
            let bin = folder.path().join(name).join("bin");
            std::fs::create_dir_all(&bin).unwrap();
            std::fs::write(bin.join(format!("rustc{}", std::env::consts::EXE_SUFFIX)), "").unwrap();
        }
        let found = compiler_in(folder.path(), &site("codingame")).unwrap();
        assert!(found.starts_with(folder.path().join("1.90.0-x")), "{}", found.display());
        assert_eq!(compiler_in(folder.path(), &site("atcoder")), None);
    }

    #[test]
    fn every_figure_has_a_source_with_a_date() {
        let all = table(TABLE).unwrap();
        assert!(all.len() >= 3 && site("atcoder").crates.len() > 60);
        for (name, row) in all {
            let sources = row.sources.unwrap_or_default();
            for figure in ["limit", "rust", "edition", "crates"] {
                assert!(sources.get(figure).is_some_and(|s| s.starts_with("20")), "{name}: {figure}");
            }
            assert!(
                row.name.is_some() && row.limit.is_some() && row.unit.is_some() && row.readable.is_some()
            );
            assert_eq!(row.arch.is_some(), sources.contains_key("arch"), "{name}");
        }
        assert!(Platform::listed().contains("  codeforces    65,536 bytes, Rust 1.89.0, std only\n"));
    }

    #[test]
    fn a_file_overrides_the_table() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sites.toml");
        let text = "[atcoder]\nlimit = 9\nunit = \"chars\"\n[mine]\nrust = \"1.80.0\"\ncrates = { rand = \"0.9.2\" }\n";
        std::fs::write(&file, text).unwrap();
        let atcoder = Platform::named_in(&file, "atcoder").unwrap();
        assert_eq!(atcoder.limit, Limit { size: 9, unit: Unit::Chars });
        assert_eq!((&atcoder.rust, &atcoder.crates), (&site("atcoder").rust, &site("atcoder").crates));
        let mine = Platform::named_in(&file, "mine").unwrap();
        assert_eq!((mine.name(), mine.rust(), mine.limit()), ("mine", "1.80.0", Limit::default()));
        assert_eq!((mine.has("rand", "0.9.1"), mine.takes_2024()), (Some(Ok(())), false));
        let said = Platform::named_in(&file, "yours").unwrap_err().to_string();
        assert!(said.contains("There are: atcoder, codeforces, codingame, mine"), "{said}");
        std::fs::write(&file, "[atcoder]\nlimits = 9\n").unwrap();
        let said = Platform::named_in(&file, "atcoder").unwrap_err().to_string();
        assert!(said.contains("sites.toml") && said.contains("limits"), "{said}");
    }
}
