//! Type-erased sessions: a position of a contest and a search on it. For consoles, servers and games without
//! processes.

mod at_once;
mod error;
mod in_turn;
mod joint_offers;
mod line_tree;
mod offer;
mod offers;
mod played;
mod refereed;
mod searcher;
mod searches;
#[cfg(feature = "serve")]
pub mod serve;

pub use error::{NotPruning, SessionError};
pub use joint_offers::{joint_offers, joint_offers_in_turns};
pub use line_tree::LineTree;
pub use offer::Offer;
pub use offers::{miniframe_mcts, minimax_own, offers, offers_for_several};
pub use played::GameSession;
pub use refereed::{LineAnswer, LinePlayer, Refereed, RefereedOffer, RefereedSearches};
pub use searcher::{Found, Known, Place, SearchedBy, Searcher};
pub use searches::{GameSearches, MakeSearches, Searches};
#[cfg(feature = "serve")]
pub use searches::{Serve, ServeByName, ServedByName};

use coppice::search::Threshold;
use coppice::tree::{Memory, Status};
use coppice::{Budget, Score};

use crate::drawing::{Drawing, Shape};
use crate::referee::{IllegalMove, Seat};
use crate::sheet::Sheet;
use crate::tunable::{Tunable, TunableError, Tunables};

/// Required stack size, in bytes, of a thread that runs a session's search: an m,n,k position takes 300 kB,
/// and searches hold several.
pub const STACK_BYTES: usize = 32 << 20;

/// Default memory of the engine's searches in bytes.
const USUAL_BYTES: usize = 64 << 20;

/// A search that a contest offers.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// A one-sentence description.
    pub about: &'static str,
    /// The parameters that [`SessionSettings::parameters`] may set, with their defaults.
    pub tunables: Vec<Tunable>,
}

/// The settings of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSettings {
    /// Seed of the search's random numbers.
    pub seed: u64,
    /// Size in bytes of the search's pool of nodes or its table. `None`: the submitted bot's size; otherwise
    /// 64 MB.
    pub pool_bytes: Option<usize>,
    /// The size of the pool in nodes instead, for searches whose memory is one.
    pub pool_nodes: Option<usize>,
    /// Values for the search's tunables, by name.
    pub parameters: Vec<(String, String)>,
    /// Seed of the game, as in [`Setup::seed`](crate::Setup): in some contests starts and chance follow from it.
    pub game_seed: u64,
}

impl Default for SessionSettings {
    fn default() -> SessionSettings {
        SessionSettings { seed: 1, pool_bytes: None, pool_nodes: None, parameters: Vec::new(), game_seed: 0 }
    }
}

impl SessionSettings {
    /// The requested size, or `usual`.
    pub fn bytes_or(&self, usual: usize) -> usize {
        self.pool_bytes.unwrap_or(usual)
    }

    /// The tunable parameters with the requested values.
    ///
    /// # Errors
    /// If a parameter is unknown or its value invalid.
    pub fn numbers<T: Tunables>(&self) -> Result<T, TunableError> {
        let mut numbers = T::default();
        self.parameters.iter().try_for_each(|(name, value)| numbers.set(name, value))?;
        Ok(numbers)
    }
}

/// The result of a search, in the contest's notation.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought {
    /// The move to make; `None` if and only if the game is over.
    pub best: Option<String>,
    /// The score for the seat to move.
    pub score: Score,
    /// Nodes visited.
    pub nodes: u64,
    /// Plies searched in full, or the length of the best line.
    pub depth: u32,
    /// Whether the score is proved.
    pub solved: bool,
    /// The best line as far as it is known, starting with `best`.
    pub line: Vec<String>,
    /// With which probability each move should be made, in the order of move generation; empty for searches that don't
    /// mix moves.
    pub strategy: Vec<Share>,
}

/// A move's part in a mixed strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// The move.
    pub played: String,
    /// Probability, 0 to 1.
    pub probability: f64,
}

/// A snapshot of a node in the search's tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionNode {
    /// The move that led there; `None` at the root.
    pub played: Option<String>,
    /// The seat that made it; at the root, the seat to move. `score` and `bounds` are from its point of view.
    pub seat: Seat,
    /// The node's score; `None` if it is unknown.
    pub score: Option<Score>,
    /// Lower and upper bounds on the final score.
    pub bounds: Option<(Score, Score)>,
    /// The number of visits; 0 if the search doesn't count them.
    pub visits: u64,
    /// Whether the search continues there; `None` if the node isn't in the tree.
    pub status: Option<Status>,
    /// The number of children in the tree.
    pub children: usize,
    /// Whether the search would choose it among its siblings.
    pub is_best: bool,
}

impl SessionNode {
    /// A node that isn't in the tree.
    fn unknown(seat: Seat) -> SessionNode {
        SessionNode {
            played: None,
            seat,
            score: None,
            bounds: None,
            visits: 0,
            status: None,
            children: 0,
            is_best: false,
        }
    }
}

/// A position of a contest and a search on it.
///
/// A `path` is a sequence of legal moves from the position, which is the root of the search. It may lead out
/// of the search's tree.
///
/// Where players move at the same time, a session plays one seat after the other: [`Session::to_move`] is the first that
/// hasn't chosen this turn, and nothing happens until all have. [`Session::play`] also takes whole turns as written in
/// [`Referee::moves`](crate::Referee::moves), and so does a path.
///
/// Contests whose moves can be listed get their sessions from [`GameSearches`]. Others, such as simulations that take an angle, use [`Refereed`],
/// which plays through their referee, or write this trait by hand: [`Session::moves`] may then be empty although a seat is
/// to move. The methods from [`Session::look`] on have defaults.
pub trait Session: Send {
    /// A drawing of the position in several lines.
    fn show(&self) -> String;

    /// The seat to move; `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// The legal moves of the seat to move, written as in [`Referee::moves`](crate::Referee::moves); empty if they can't
    /// be listed. A single move is made without [`Session::think`].
    fn moves(&self) -> Vec<String>;

    /// The legal moves of the seat to move that [`Session::moves`] leaves out, as in
    /// [`Referee::unlisted_moves`](crate::Referee::unlisted_moves). By default there are none.
    fn unlisted_moves(&self) -> Vec<String> {
        Vec::new()
    }

    /// The legal move, if there is exactly one.
    fn only_move(&self) -> Option<String> {
        <[String; 1]>::try_from(self.moves()).ok().map(|[only]| only)
    }

    /// Makes a legal move. The search keeps what it knows about the resulting position.
    ///
    /// # Errors
    /// If the move isn't legal. The message lists the legal moves; nothing changes.
    fn play(&mut self, text: &str) -> Result<(), IllegalMove>;

    /// The moves made so far, from the contest's start position.
    fn played(&self) -> &[String];

    /// Returns to the position after the first `count` moves and discards the later ones. Does nothing if
    /// there are fewer.
    fn take_back_to(&mut self, count: usize);

    /// Searches the position for the seat to move.
    fn think(&mut self, budget: Budget) -> Thought;

    /// Searches the position for a seat that is to move, also if others move at the same time and before it in order.
    fn think_for(&mut self, _seat: Seat, budget: Budget) -> Thought {
        self.think(budget)
    }

    /// Points by seat, as the referee would give them for a finished game.
    fn scores(&self) -> Vec<i64>;

    /// Shapes that show the effect of a move by a seat that is to move, for the position's drawing, as
    /// [`Referee::mark`](crate::Referee::mark) returns them. Empty by default.
    fn mark(&self, _seat: Seat, _text: &str) -> Vec<Shape> {
        Vec::new()
    }

    /// A move by its name in the game's words, as [`Referee::words`](crate::Referee::words) returns them. By default its name.
    fn words(&self, _seat: Seat, text: &str) -> String {
        text.to_owned()
    }

    /// The position at the end of a path.
    ///
    /// # Errors
    /// If a move of the path isn't legal. By default for any path but the empty one, where the legal moves are listed.
    fn look(&self, path: &[String]) -> Result<Look, IllegalMove> {
        if !path.is_empty() {
            return Err("this contest's searches keep no tree to walk; play MOVE plays a move".into());
        }
        let to_move = self.to_move();
        let seat = to_move.unwrap_or(0);
        let node = |played| SessionNode { played, ..SessionNode::unknown(seat) };
        Ok(Look {
            shown: self.show(),
            sheet: self.show().into(),
            drawing: Drawing::of_text(&self.show()),
            words: None,
            text: None,
            to_move,
            scores: to_move.is_none().then(|| self.scores()),
            node: node(None),
            children: self.moves().into_iter().map(|played| node(Some(played))).collect(),
            line: Vec::new(),
        })
    }

    /// The memory use of the search's tree; `None` without a tree.
    fn memory(&self) -> Option<Memory> {
        None
    }

    /// The number of nodes of each status in the position's tree, including the root; `None` if there is no
    /// tree. Counts at most ten million; in a graph, a position counts once for each path to it.
    fn count(&self) -> Option<Counts> {
        None
    }

    /// Maximum score difference to the best sibling at which a node is still explored, as the last search ended with it;
    /// `None` if siblings pruning is off.
    fn threshold(&self) -> Option<i32> {
        None
    }

    /// Sets how the next search prunes siblings.
    ///
    /// # Errors
    /// If the search doesn't prune siblings.
    fn set_threshold(&mut self, _threshold: Threshold) -> Result<(), NotPruning> {
        Err(NotPruning)
    }
}

/// Nodes by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Nodes without children.
    pub leaf: u64,
    /// Nodes with children, to be searched further.
    pub open: u64,
    /// Nodes where the game is over.
    pub ended: u64,
    /// Proved nodes.
    pub closed: u64,
    /// Pruned nodes: too far from the best sibling.
    pub pruned: u64,
}

/// A position at the end of a path, with the search's results for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// A drawing of the position.
    pub shown: String,
    /// The drawing for people at a terminal.
    pub sheet: Sheet,
    /// The position as shapes.
    pub drawing: Drawing,
    /// The path's last move in the game's words; `None` without one.
    pub words: Option<String>,
    /// The position as a line of text; `None` if positions of this game have none.
    pub text: Option<String>,
    /// The seat to move there; `None` if the game is over.
    pub to_move: Option<Seat>,
    /// Points by seat, if the game is over there.
    pub scores: Option<Vec<i64>>,
    /// The node itself.
    pub node: SessionNode,
    /// One node per legal move, in the order of move generation, including nodes missing from the tree.
    pub children: Vec<SessionNode>,
    /// The best line from there, as far as the tree goes.
    pub line: Vec<String>,
}
