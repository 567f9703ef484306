//! Where the parts of a merged text come from.

use crate::merge::assemble::Merged;
use crate::plan::{Plan, Unit};
use crate::syntax::text::{Files, Text};

/// A merged program with its plan and its files.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The files.
    pub files: &'a Files,
    /// The merged crates.
    pub merged: &'a Merged,
}

impl<'a> Program<'a> {
    /// The binary and the libraries in the text.
    pub fn units(self) -> impl Iterator<Item = &'a Unit> {
        let libs = self.merged.modules.iter().map(move |(_, i)| &self.plan.libs[*i]);
        std::iter::once(&self.plan.bin).chain(libs)
    }

    /// The crate that a byte of a text comes from.
    pub fn unit_at(self, text: &Text, at: usize) -> Option<&'a Unit> {
        let root = self.files.crate_root(text.origin(at)?.file)?;
        self.units().find(|u| u.root == root)
    }

    /// The place in the source of a byte of a text; empty if it has none.
    pub fn point(self, text: &Text, at: usize) -> String {
        text.point(at, self.files).unwrap_or_default()
    }
}
