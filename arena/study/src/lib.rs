//! Repeats published comparisons: a study is a file with the pairings, their budgets and the published figures.
//!
//! ```
//! use coppice_study::{check, Mode, Study};
//!
//! let text = "title = 'Random moves'\nclaim = 'A tree beats random moves.'\nsource = 'nobody'\n\
//!             contest = 'tictactoe'\n[games]\nquick = 4\nfull = 100\n";
//! // Without a row there is nothing to measure.
//! let error = Study::read("mine.toml", text).unwrap_err();
//! assert!(error.to_string().starts_with("mine.toml: "));
//! ```

#![warn(unreachable_pub)]

mod behaviour;
mod claim;
mod command;
mod curves;
mod error;
mod family;
mod kind;
mod origin;
mod picture;
mod plan;
mod published;
mod ranking;
mod report;
mod row;
mod run;
mod summary;
mod trial;
mod verdict;
mod work;

pub use command::Studies;
pub use error::StudyError;
pub use family::Family;
pub use plan::{Budgets, Equal, Games, Held, Mode, PlanError, Planned, Study};
pub use row::Row;
pub use run::{check, RunOptions};
