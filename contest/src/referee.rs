//! The referee's side of a game in progress.

use std::fmt;

/// The index of a bot in a game: 0 moves first or has the first starting place.
pub type Seat = usize;

/// One game in progress, as the referee's side of the protocol.
///
/// The caller repeats: ask every seat of [`Referee::asked`] with [`Referee::turn`], hand each
/// answer to [`Referee::answer`] (or [`Referee::forfeit`] where there was none), until nobody is
/// asked any more.
pub trait Referee {
    /// The lines sent once to `seat`, in front of its first turn. Empty or ends in a newline.
    fn init(&self, seat: Seat) -> String;

    /// The seats to ask now: one, or several where moves are simultaneous; none when the game is
    /// over.
    fn asked(&self) -> Vec<Seat>;

    /// The lines of the turn for a seat that is asked. Ends in a newline.
    fn turn(&self, seat: Seat) -> String;

    /// How many lines at the end of [`Referee::turn`] may come in any order: the published referee
    /// shuffles them.
    fn unordered_lines(&self, _seat: Seat) -> usize {
        0
    }

    /// How many lines the answer to [`Referee::turn`] has, on a seat's first turn with the reply to
    /// [`Referee::init`].
    fn answer_lines(&self, _seat: Seat) -> usize {
        1
    }

    /// Whether `line` may come behind an answer although nobody asked for it: some protocols have bots
    /// say that the game is over.
    fn may_follow(&self, _seat: Seat, _answer: &str, _line: &str) -> bool {
        false
    }

    /// Takes a seat's answer, without its last line end.
    ///
    /// # Errors
    /// A [`Fault`] if the answer can't be read or isn't allowed now; the game has not changed then,
    /// and the caller is expected to [`Referee::forfeit`] the seat.
    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault>;

    /// Whether [`Referee::answer`] would take this answer.
    ///
    /// # Errors
    /// Those of [`Referee::answer`].
    fn check(&self, seat: Seat, line: &str) -> Result<(), Fault> {
        self.move_of(seat, line).map(drop)
    }

    /// The move that an answer makes, written as in [`Referee::moves`].
    ///
    /// # Errors
    /// Those of [`Referee::answer`].
    fn move_of(&self, seat: Seat, line: &str) -> Result<String, Fault>;

    /// Makes a move of the opening, written as in [`Referee::moves`], whoever's it is: only before anybody has
    /// been asked.
    ///
    /// # Errors
    /// If it isn't legal: what would be. The game has not changed then.
    fn open(&mut self, text: &str) -> Result<(), String>;

    /// Takes a seat out of the game: it broke a rule, its time ran out, or its process ended.
    fn forfeit(&mut self, seat: Seat);

    /// Points by seat, higher is better: 1, 0 for a win and 0, 0 for a draw unless the contest
    /// counts something else. Meaningful once nobody is asked any more.
    fn scores(&self) -> Vec<i64>;

    /// The moves so far, the opening's included, separated by spaces; so no move has one in it.
    fn moves(&self) -> String;

    /// The position, drawn for people: some lines, the last without a line end.
    fn show(&self) -> String;

    /// What a seat that is asked may do, in the order of the rules, each move written as in
    /// [`Referee::moves`].
    fn legal_moves(&self, seat: Seat) -> Vec<String>;

    /// The answer by which a seat that is asked makes a move written as in [`Referee::moves`]. Whether the move
    /// is legal is for [`Referee::check`] to say.
    fn answer_of(&self, _seat: Seat, text: &str) -> String {
        text.to_owned()
    }
}

/// Why an answer was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Whether the answer could be read at all.
    pub kind: FaultKind,
    /// What would have been accepted.
    pub expected: String,
}

/// The two ways in which an answer can be wrong.
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
