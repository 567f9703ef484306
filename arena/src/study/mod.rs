//! Repeats published comparisons: a study is a file with the pairings, their budgets and the published figures.

mod made;
mod picture;
mod plan;
mod published;
mod report;
mod row;
mod run;
mod trial;
mod verdict;
mod work;

pub use made::Made;
pub use picture::draw;
pub use plan::{Kind, Mode, PlanError, Planned, Study};
pub use published::Published;
pub use report::{holds_full, replace_section, section, table};
pub use row::{Figure, Row};
pub use run::{check, run, How, RESULTS};
pub use verdict::Verdict;

/// The studies' files, by name.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/studies.rs"));

/// The studies that come with the arena.
///
/// # Errors
/// If one of them is none: a test holds that they all are.
pub fn all() -> Result<Vec<Study>, PlanError> {
    FILES.iter().map(|(name, text)| Study::read(name, text)).collect()
}

/// The file of a study that comes with the arena.
pub fn text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(file, _)| file.trim_end_matches(".toml") == name).map(|(_, text)| *text)
}
