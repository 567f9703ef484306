//! Repeats published comparisons: a study is a file with the pairings, their budgets and the published figures.

mod kind;
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

pub use kind::Kind;
pub use made::Made;
pub use picture::draw;
pub use plan::{Mode, PlanError, Planned, Study};
pub use published::Published;
pub use report::{holds_full, replace_section, section, table};
pub use row::{Figure, Row};
pub use run::{check, run, How, RESULTS};
pub use verdict::Verdict;
