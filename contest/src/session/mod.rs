//! A position of a contest and a search over it, with their types hidden: for consoles, servers and
//! games without processes.

mod offer;
mod played;
mod searches;

#[cfg(feature = "serve")]
pub(crate) use offer::find;
pub use offer::{offers, Offer};
#[cfg(feature = "serve")]
pub(crate) use played::Searcher;
#[cfg(feature = "serve")]
pub use searches::Serve;
pub use searches::{GameSearches, MakeSearches, Searches};

use coppice::tree::{Memory, Status};
use coppice::{Budget, Score};

use crate::referee::Seat;
use crate::tunable::{Tunable, Tunables};

/// The stack that a thread should have in which a session thinks, in bytes: a position of the m,n,k games takes
/// 300 kB, and searches hold several.
pub const STACK_BYTES: usize = 32 << 20;

/// A search that a contest offers.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchInfo {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// The numbers that [`SessionSettings::parameters`] may set, with their defaults.
    pub tunables: Vec<Tunable>,
}

/// What a session is made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSettings {
    /// Where the search's random numbers come from.
    pub seed: u64,
    /// Bytes for the search's pool of nodes or its table; `None` for as many as it usually has: what is submitted,
    /// those that it is submitted with, the others 64 MB.
    pub pool_bytes: Option<usize>,
    /// Values for the search's tunables, by name.
    pub parameters: Vec<(String, String)>,
}

impl Default for SessionSettings {
    fn default() -> SessionSettings {
        SessionSettings { seed: 1, pool_bytes: None, parameters: Vec::new() }
    }
}

impl SessionSettings {
    /// The bytes that were asked for, or the usual ones.
    pub fn bytes_or(&self, usual: usize) -> usize {
        self.pool_bytes.unwrap_or(usual)
    }

    /// The tunables with the values that were asked for.
    ///
    /// # Errors
    /// Which parameter is wrong.
    pub fn numbers<T: Tunables>(&self) -> Result<T, String> {
        let mut numbers = T::default();
        self.parameters.iter().try_for_each(|(name, value)| numbers.set(name, value))?;
        Ok(numbers)
    }
}

/// What a search found out, in the contest's notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought {
    /// The move to make; `None` if and only if the game is over.
    pub best: Option<String>,
    /// What the position is worth to the seat that moves.
    pub score: Score,
    /// Nodes visited.
    pub nodes: u64,
    /// Plies that were searched in full, or the length of the best line.
    pub depth: u32,
    /// The score is certain.
    pub solved: bool,
    /// The best line, as far as it is known: `best` first.
    pub line: Vec<String>,
}

/// A node of the search's tree, from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionNode {
    /// The move that led there; `None` at the root.
    pub played: Option<String>,
    /// Who made it; at the root, who is to move there. `score` and `bounds` are theirs.
    pub seat: Seat,
    /// What the node is worth; `None` if the search knows nothing of it.
    pub score: Option<Score>,
    /// What it can still turn out to be worth: at least, at most.
    pub bounds: Option<(Score, Score)>,
    /// How often the search has come by; 0 where it doesn't count.
    pub visits: u64,
    /// Whether the search goes on there; `None` if it has no such node.
    pub status: Option<Status>,
    /// How many children the node has in the tree.
    pub children: usize,
    /// The search would choose it among its siblings.
    pub is_best: bool,
}

/// A position of a contest and a search over it.
///
/// A `path` leads from the position, the root of the search, to another by legal moves; it may lead out of
/// the search's tree.
pub trait Session: Send {
    /// The position, drawn for people, several lines.
    fn show(&self) -> String;

    /// The seat that moves; `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// The legal moves, written as in [`Referee::moves`](crate::Referee::moves).
    fn moves(&self) -> Vec<String>;

    /// Makes a legal move. What the search knows of the position after it is kept.
    ///
    /// # Errors
    /// What is wrong with it, and what would be right; nothing has changed then.
    fn play(&mut self, text: &str) -> Result<(), String>;

    /// The moves made so far, from the contest's start position.
    fn played(&self) -> &[String];

    /// Goes back to the position after the first `count` moves; later ones are forgotten. With more than
    /// there are nothing changes.
    fn take_back_to(&mut self, count: usize);

    /// Thinks about the position.
    fn think(&mut self, budget: Budget) -> Thought;

    /// Points by seat as the referee would give them when the game is over.
    fn scores(&self) -> Vec<i64>;

    /// The position at the end of a path.
    ///
    /// # Errors
    /// The first move of the path that isn't legal.
    fn look(&self, path: &[String]) -> Result<Look, String>;

    /// What the search's tree takes of its pool; `None` if it has none.
    fn memory(&self) -> Option<Memory>;

    /// How many nodes of each status the tree of the position has, the root included; `None` if there is no
    /// tree. At most ten million are counted: in a graph, positions count once for every way there.
    fn count(&self) -> Option<Counts>;

    /// How much worse than its best sibling a node may look and still be explored; `None` if the search
    /// doesn't prune siblings, or not now.
    fn threshold(&self) -> Option<i32>;

    /// Sets the threshold for the next time that it thinks; `None` switches it off.
    ///
    /// # Errors
    /// If the search doesn't prune siblings.
    fn set_threshold(&mut self, threshold: Option<i32>) -> Result<(), String>;
}

/// Nodes by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Without children.
    pub leaf: u64,
    /// With children, below which the search may go on.
    pub open: u64,
    /// Where the game is over.
    pub ended: u64,
    /// Certain.
    pub closed: u64,
    /// Too far from the best sibling.
    pub pruned: u64,
}

/// A position that can be reached, and what the search knows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// The position, drawn.
    pub shown: String,
    /// The seat that moves there; `None` if the game is over.
    pub to_move: Option<Seat>,
    /// Points by seat, if the game is over there.
    pub scores: Option<Vec<i64>>,
    /// The node itself.
    pub node: SessionNode,
    /// A node for each legal move, in the order of the rules, whether the search has it or not.
    pub children: Vec<SessionNode>,
    /// The best line from there on, as far as the tree goes.
    pub line: Vec<String>,
}
