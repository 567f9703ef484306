//! The referee's side of a game in progress.

use std::fmt;

/// The index of a bot in a game. Seat 0 moves first or has the first starting place.
pub type Seat = usize;

/// One game in progress, as the referee's side of the protocol.
///
/// The caller sends [`Referee::turn`] to every seat of [`Referee::asked`] and passes each answer to
/// [`Referee::answer`], or calls [`Referee::forfeit`] if there was none, until no seat is asked.
pub trait Referee {
    /// The lines sent once to `seat`, before its first turn. Empty or ends in a newline.
    fn init(&self, seat: Seat) -> String;

    /// The seats to ask now: one, or several if moves are simultaneous; none when the game is over.
    fn asked(&self) -> Vec<Seat>;

    /// The lines of a turn for a seat that is asked. Ends in a newline.
    fn turn(&self, seat: Seat) -> String;

    /// The number of lines at the end of [`Referee::turn`] that may come in any order, because the published referee
    /// shuffles them.
    fn unordered_lines(&self, _seat: Seat) -> usize {
        0
    }

    /// The number of lines in the answer to [`Referee::turn`], including on a seat's first turn the reply to
    /// [`Referee::init`].
    fn answer_lines(&self, _seat: Seat) -> usize {
        1
    }

    /// Whether `line` may follow an answer unasked: in some protocols bots announce the end of the game.
    fn may_follow(&self, _seat: Seat, _answer: &str, _line: &str) -> bool {
        false
    }

    /// Processes a seat's answer, given without its final newline.
    ///
    /// # Errors
    /// A [`Fault`] if the answer can't be parsed or isn't allowed now. The game is then unchanged, and the caller
    /// should [`Referee::forfeit`] the seat.
    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault>;

    /// Checks whether [`Referee::answer`] would accept this answer.
    ///
    /// # Errors
    /// Those of [`Referee::answer`].
    fn check(&self, seat: Seat, line: &str) -> Result<(), Fault> {
        self.move_of(seat, line).map(drop)
    }

    /// The move of an answer, written as in [`Referee::moves`].
    ///
    /// # Errors
    /// Those of [`Referee::answer`].
    fn move_of(&self, seat: Seat, line: &str) -> Result<String, Fault>;

    /// Makes a move of the opening, of either player, written as in [`Referee::moves`]. Only before any seat has been
    /// asked.
    ///
    /// # Errors
    /// If the move isn't legal: what would be. The game is then unchanged.
    fn open(&mut self, text: &str) -> Result<(), String>;

    /// Makes a seat lose: it broke a rule, ran out of time, or its process ended.
    fn forfeit(&mut self, seat: Seat);

    /// Points by seat, higher is better: 1 and 0 for a win, 0 and 0 for a draw, unless the contest counts
    /// differently. Meaningful once no seat is asked.
    fn scores(&self) -> Vec<i64>;

    /// The moves so far, including the opening, separated by spaces. So no move contains a space.
    fn moves(&self) -> String;

    /// A drawing of the position in several lines, without a final newline.
    fn show(&self) -> String;

    /// The legal moves of a seat that is asked, in the order of the rules, each written as in [`Referee::moves`].
    fn legal_moves(&self, seat: Seat) -> Vec<String>;

    /// The answer that makes a move written as in [`Referee::moves`], for a seat that is asked. [`Referee::check`]
    /// tells whether the move is legal.
    fn answer_of(&self, _seat: Seat, text: &str) -> String {
        text.to_owned()
    }
}

/// The reason an answer was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// A description of what would have been accepted.
    pub expected: String,
}

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// Not a line of this protocol.
    Protocol,
    /// A well-formed move that the rules don't allow now.
    Illegal,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FaultKind::Protocol => write!(f, "not an answer of this protocol; expected {}", self.expected),
            FaultKind::Illegal => write!(f, "not a legal move; expected {}", self.expected),
        }
    }
}

impl std::error::Error for Fault {}
