//! The kinds of rows in a study.

/// How a row is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Two entrants play pairs of games; the figure is the first one's share of the points.
    Match,
    /// Several entrants meet in all pairs; the figure is their ratings.
    Ranking,
    /// One entrant plays itself; the figure is the first seat's share of the points.
    Mirror,
    /// The ratio of the nodes that two entrants visit at the same positions.
    Nodes,
    /// The ratio of two entrants' nodes per second at the same positions.
    Speed,
    /// The share of the contest's tasks that one entrant completes.
    Trial,
    /// The time in which one entrant solves the start position.
    Solve,
}
