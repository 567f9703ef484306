//! Where a new package finds the engine.

use std::path::{Path, PathBuf};

/// The checkout that built this program.
const OWN_CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The engine's checkout: a folder, or a git repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dependency {
    /// The root folder of a checkout, absolute.
    Path(PathBuf),
    /// A git URL.
    Git(String),
}

/// Why the engine can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DependencyError {
    /// A folder without the engine.
    #[error("{}: not a checkout of coppice (there is no {missing}); give --coppice the folder of one, or a git URL", .folder.display())]
    NotThere {
        /// The folder.
        folder: PathBuf,
        /// The first file that is missing.
        missing: &'static str,
    },
}

impl Dependency {
    /// The engine that `--coppice` names, by default the checkout that built this program.
    ///
    /// # Errors
    /// If a folder isn't a checkout.
    pub fn new(given: Option<&str>) -> Result<Self, DependencyError> {
        match given {
            Some(url) if is_url(url) => Ok(Self::Git(url.to_owned())),
            _ => checkout(Path::new(given.unwrap_or(OWN_CHECKOUT))).map(Self::Path),
        }
    }

    /// The table of a dependency: the package in this folder of the checkout, with features.
    pub fn table(&self, folder: &str, features: &[&str]) -> String {
        let mut table = match self {
            // Forward slashes are understood everywhere and need no escapes.
            Self::Path(root) => {
                let path = root.join(folder).to_string_lossy().replace('\\', "/");
                format!("path = {}", quoted(path.trim_end_matches('/')))
            }
            Self::Git(url) => format!("git = {}", quoted(url)),
        };
        if !features.is_empty() {
            let features: Vec<String> = features.iter().map(|feature| quoted(feature)).collect();
            table += &format!(", features = [{}]", features.join(", "));
        }
        format!("{{ {table} }}")
    }
}

/// A string of TOML, whose escapes are those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn is_url(text: &str) -> bool {
    text.contains("://") || text.starts_with("git@")
}

fn checkout(folder: &Path) -> Result<PathBuf, DependencyError> {
    for missing in ["Cargo.toml", "src/lib.rs", "contest/Cargo.toml", "arena/Cargo.toml"] {
        if !folder.join(missing).is_file() {
            return Err(DependencyError::NotThere { folder: folder.to_owned(), missing });
        }
    }
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    // Without `..`, and without the prefix that Windows' canonical paths have.
    let plain = absolute.components().fold(PathBuf::new(), |path, part| match part {
        std::path::Component::ParentDir => path.parent().map_or(path.clone(), Path::to_owned),
        part => path.join(part),
    });
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_is_a_folder_or_a_url() {
        let own = Dependency::new(None).unwrap();
        let Dependency::Path(root) = &own else { panic!("{own:?}") };
        assert!(root.is_absolute() && root.join("contest/Cargo.toml").is_file());
        assert!(!root.to_string_lossy().contains(".."), "{root:?}");
        let table = own.table("contest", &["serve"]);
        assert!(
            table.starts_with("{ path = \"") && table.ends_with("/contest\", features = [\"serve\"] }"),
            "{table}"
        );
        let url = "https://example.org/coppice.git";
        assert_eq!(Dependency::new(Some(url)).unwrap().table("", &[]), format!("{{ git = \"{url}\" }}"));
        assert!(Dependency::new(Some("/nowhere")).unwrap_err().to_string().contains("no Cargo.toml"));
    }
}
