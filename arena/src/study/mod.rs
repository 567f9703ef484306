//! Repeats published comparisons: a study is a file with the pairings, their budgets and the published figures.

mod family;
mod kind;
mod origin;
mod picture;
mod plan;
mod published;
mod report;
mod row;
mod run;
mod trial;
mod verdict;
mod work;

pub use family::Family;
pub use picture::draw;
pub use plan::{Mode, Study};
pub use report::{holds_full, replace_section, section, table};
pub use row::Row;
pub use run::{check, run, How};
