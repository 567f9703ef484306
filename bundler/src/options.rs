//! What the user asks for.

use std::path::PathBuf;

/// What to bundle, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The binary or example; may be left out where there is exactly one binary.
    pub bin: Option<String>,
    /// A manifest other than the one found upwards from the current directory.
    pub manifest_path: Option<PathBuf>,
    /// The most bytes the bundle may have.
    pub limit: usize,
    /// Whether to compile the result and let rustc's lints find what else is unused.
    pub check: bool,
    /// Whether to show progress on a terminal.
    pub progress: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { bin: None, manifest_path: None, limit: 100_000, check: true, progress: false }
    }
}
