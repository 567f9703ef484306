//! The parameters for rewriting a crate.

use crate::merge::macros::Macros;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The parameters for rewriting a crate.
pub struct Job<'a> {
    /// The module that the crate becomes; `None` for the binary.
    pub module: Option<&'a str>,
    /// The name by which other crates know it; `None` for the binary.
    pub own: Option<String>,
    /// Whether it is a crate of a registry.
    pub foreign: bool,
    /// The paths of the crates it can name, by the names it uses.
    pub deps: BTreeMap<String, String>,
    /// Crates that cannot be bundled, with the reason.
    pub refused: BTreeMap<String, String>,
    /// The names of crates of procedural macros.
    pub procedural: BTreeSet<String>,
    /// Exported macros by the crate's path.
    pub exported: &'a HashMap<String, Vec<String>>,
    /// The macros of all crates.
    pub known: &'a Macros,
    /// Whether paths in `use` and those with leading colons start at the crate's root, as in edition 2015.
    pub from_root: bool,
}
