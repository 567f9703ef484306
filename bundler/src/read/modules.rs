//! Finds the file of a `mod name;`.

use crate::api::error::Error;
use crate::syntax::text::shown;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A `mod name;` and the candidates for its file.
pub struct ModuleFile {
    /// The range of the semicolon.
    pub semi: Range<usize>,
    /// The module's name.
    pub name: String,
    /// The path from `#[path]`.
    pub path: Option<PathBuf>,
    /// Whether a `cfg_attr` that only the final compiler can decide may set another path.
    pub depends: bool,
    /// Whether a `cfg` that only the final compiler can decide may exclude it: then rustc reads no file.
    pub optional: bool,
    /// The folder of modules without `#[path]`.
    pub children: PathBuf,
}

impl ModuleFile {
    /// Whether a file exists.
    pub fn exists(&self) -> bool {
        self.children.join(format!("{}.rs", self.name)).exists()
            || self.children.join(&self.name).join("mod.rs").exists()
    }

    /// Whether it has no file and needs none here.
    pub fn is_elsewhere(&self) -> bool {
        self.optional && !self.path.as_ref().map_or_else(|| self.exists(), |path| path.exists())
    }

    /// The file, and the folder of its modules.
    pub fn find(&self, place: &str) -> Result<(PathBuf, PathBuf), Error> {
        if let Some(path) = &self.path {
            let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
            return Ok((path.clone(), folder));
        }
        let folder = self.children.join(&self.name);
        let file = self.children.join(format!("{}.rs", self.name));
        let mod_rs = folder.join("mod.rs");
        match (file.exists(), mod_rs.exists()) {
            (true, true) => Err(Error::Refused {
                place: place.into(),
                why: format!(
                    "module `{}` has two files, {} and {}; remove one",
                    self.name,
                    shown(&file),
                    shown(&mod_rs)
                ),
            }),
            (false, true) => Ok((mod_rs, folder)),
            (false, false) if self.depends => {
                Err(Error::Refused { place: place.into(), why: crate::read::refusals::PATH_DEPENDS.into() })
            }
            _ => Ok((file, folder)),
        }
    }
}
