//! Cargo's metadata, and the folders that it names.

use crate::api::error::Error;
use crate::api::options::Options;
use crate::os::children;
use crate::plan::tools;
use crate::rustc;
use cargo_metadata::Metadata;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The cache folder of the current workspace.
///
/// # Errors
/// Outside of a workspace, or if cargo cannot be run.
pub fn cache_folder(options: &Options) -> Result<PathBuf, Error> {
    Ok(metadata(options)?.target_directory.into_std_path_buf().join("bundler"))
}

/// The folders of the user's own source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// The workspace, and every package without a registry or other remote source.
    pub folders: BTreeSet<PathBuf>,
    /// Cargo's target folder.
    pub target: PathBuf,
}

/// The user's own folders according to cargo's metadata.
pub fn own_folders(options: &Options) -> Result<Own, Error> {
    let metadata = metadata(options)?;
    let own = metadata.packages.iter().filter(|p| p.source.is_none());
    let mut folders: BTreeSet<PathBuf> =
        own.filter_map(|p| p.manifest_path.parent()).map(|p| p.as_std_path().to_path_buf()).collect();
    folders.insert(metadata.workspace_root.clone().into_std_path_buf());
    Ok(Own { folders, target: metadata.target_directory.clone().into_std_path_buf() })
}

/// Cargo's metadata of the user's workspace.
///
/// # Errors
/// Outside of a workspace, or if cargo cannot be run.
pub fn metadata(options: &Options) -> Result<Metadata, Error> {
    let mut command = tools::metadata(options);
    let host = rustc::host();
    if !host.is_empty() {
        command.args(["--filter-platform", &host]);
    }
    let output = children::output(&mut command).map_err(tools::missing)?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::Workspace(format!("{stderr}{}", tools::advice(&stderr))));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|e| Error::Workspace(format!("`cargo metadata` printed unexpected output: {e}")))
}
