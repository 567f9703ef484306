//! Pilots whose trees consoles show.

use contest::session::LineTree;

use super::rules::{Random, Rules};
use crate::podracing::player::{Pilot, Planner};

/// A pilot in a console.
pub trait Watched: Pilot {
    /// The tree of its search, with the team's answers as moves; `None` if it keeps none, as by default.
    fn tree(&self) -> Option<LineTree> {
        None
    }
}

impl Watched for Planner {}
impl Watched for Rules {}
impl Watched for Random {}
