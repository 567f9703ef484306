//! Pilots whose searches consoles show.

use contest::session::LineTree;
use coppice::{Report, Score};

use crate::lander::bot::pilot::Pilot;
use crate::lander::bot::player::Navigator;
use crate::lander::bot::protocol::write_answer;
use crate::lander::miniframe::minimax::Descender;
use crate::lander::physics::flight::LOST;

/// A pilot in a console.
pub trait Watched: Pilot {
    /// The report of its last search, with the seconds of flight looked ahead as its depth and the score in the pilot's own
    /// units; `None` before the first.
    fn report(&self) -> Option<Report<()>>;

    /// The tree of its search; `None` if it keeps none, as by default.
    fn tree(&self) -> Option<LineTree> {
        None
    }
}

/// The score is the litres left, or that of a lost flight.
impl Watched for Navigator {
    fn report(&self) -> Option<Report<()>> {
        let report = Navigator::report(self)?;
        let score = Score::estimate(report.fuel_left.unwrap_or(LOST as i32));
        let (nodes, depth) = (report.nodes, report.seconds as u32);
        Some(Report { best: None, score, nodes, depth, solved: false, restarted: false })
    }
}

impl Watched for Descender<'_> {
    fn report(&self) -> Option<Report<()>> {
        let Report { score, nodes, depth, solved, restarted, .. } = Descender::report(self)?;
        Some(Report { best: None, score, nodes, depth, solved, restarted })
    }

    fn tree(&self) -> Option<LineTree> {
        let tree = Descender::tree(self)?;
        Some(LineTree::of(tree, |descent, action| write_answer(descent.order(action))))
    }
}
