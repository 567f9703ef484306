//! The referee's side of a game in progress.

use std::fmt;

use crate::drawing::{Drawing, Shape};
use crate::quantity::Quantity;
use crate::reason::reason;
use crate::sheet::Sheet;

/// The index of a bot in a game. Seat 0 moves first or has the first starting place.
pub type Seat = usize;

/// One game in progress, as the referee's side of the protocol.
///
/// The caller sends [`Referee::turn`] to every seat in [`Referee::asked`] and passes each answer to
/// [`Referee::answer`], or calls [`Referee::forfeit`] if there was none, until that list is empty. For games with
/// simultaneous moves [`GameReferee`](crate::protocol::GameReferee) does all of this.
pub trait Referee {
    /// The lines sent once to `seat`, before its first turn. Either empty or ends in a newline.
    fn init(&self, seat: Seat) -> String;

    /// The seats to move: one, or several if moves are simultaneous; none when the game is over.
    fn asked(&self) -> Vec<Seat>;

    /// The lines of a turn, for a seat in [`Referee::asked`]. Ends in a newline.
    fn turn(&self, seat: Seat) -> String;

    /// The number of lines at the end of [`Referee::turn`] whose order is arbitrary, because the published
    /// referee shuffles them.
    fn unordered_lines(&self, _seat: Seat) -> usize {
        0
    }

    /// The number of lines in the answer to [`Referee::turn`]. On a seat's first turn it includes the reply
    /// to [`Referee::init`].
    fn answer_lines(&self, _seat: Seat) -> usize {
        1
    }

    /// Whether the bot may send `line` after its answer: in some protocols bots announce the end of the game.
    fn may_follow(&self, _seat: Seat, _answer: &str, _line: &str) -> bool {
        false
    }

    /// Whether the contest is one of the site: there bytes that are no UTF-8 become replacement characters, as they do here,
    /// and a line too many is taken for the answer of the next turn, which a fault's report says. Elsewhere such bytes are a
    /// fault.
    fn reads_as_platform(&self) -> bool {
        false
    }

    /// Processes a seat's answer, given without its final newline.
    ///
    /// # Errors
    /// A [`Fault`] if the answer can't be parsed or isn't allowed now. The game is then unchanged, and the
    /// caller should [`Referee::forfeit`] the seat.
    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault>;

    /// Checks whether [`Referee::answer`] would accept this answer.
    ///
    /// # Errors
    /// As for [`Referee::answer`].
    fn check(&self, seat: Seat, line: &str) -> Result<(), Fault> {
        self.move_of(seat, line).map(drop)
    }

    /// The move of an answer, written as in [`Referee::moves`].
    ///
    /// # Errors
    /// As for [`Referee::answer`].
    fn move_of(&self, seat: Seat, line: &str) -> Result<String, Fault>;

    /// A legal move of a seat in [`Referee::asked`] in the game's words, for people; `text` is written as in
    /// [`Referee::moves`]. By default as it is written.
    fn words(&self, _seat: Seat, text: &str) -> String {
        text.to_owned()
    }

    /// Plays an opening move for the seat to move, written as in [`Referee::moves`]. Call it only before the
    /// first turn.
    ///
    /// # Errors
    /// If the move isn't legal. The message lists the legal moves; the game is unchanged.
    fn open(&mut self, text: &str) -> Result<(), IllegalMove>;

    /// Makes a seat lose: it broke a rule, ran out of time, or its process ended.
    fn forfeit(&mut self, seat: Seat);

    /// Points by seat, higher is better: 1 and 0 for a win, 0 and 0 for a draw, unless the contest counts
    /// differently. Meaningful once the game is over.
    fn scores(&self) -> Vec<i64>;

    /// The moves so far, including the opening, separated by spaces. No move contains a space. Where several seats move at
    /// the same time, a turn is one word: the seats' moves with `+` between them, and none before all have answered.
    fn moves(&self) -> String;

    /// A seat's part of a turn as written in [`Referee::moves`]; `None` if it has none. By default the parts between `+`
    /// belong to [`Referee::asked`], in its order.
    fn part_of<'a>(&self, seat: Seat, word: &'a str) -> Option<&'a str> {
        let asked = self.asked();
        let at = asked.iter().position(|&other| other == seat)?;
        match asked.len() {
            1 => Some(word),
            count => word.split('+').nth(at).filter(|_| word.split('+').count() == count),
        }
    }

    /// A drawing of the position in several lines, without a final newline.
    fn show(&self) -> String;

    /// The drawing for a seat that doesn't see everything; others' moves aren't shown to it either. By default `None`:
    /// [`Referee::show`] is for all.
    fn show_to(&self, _seat: Seat) -> Option<String> {
        None
    }

    /// The position for people at a terminal: what [`Referee::show`] draws, or [`Referee::show_to`] for a seat, with names of
    /// rows and columns, and colours. By default the text alone.
    fn sheet(&self, seat: Option<Seat>) -> Sheet {
        seat.and_then(|seat| self.show_to(seat)).unwrap_or_else(|| self.show()).into()
    }

    /// The position as shapes. By default the text of [`Referee::show`].
    fn draw(&self) -> Drawing {
        Drawing::of_text(&self.show())
    }

    /// Numbers of the position that charts follow over a game, the same ones in every position. By default none.
    fn quantities(&self) -> Vec<Quantity> {
        Vec::new()
    }

    /// Shapes that show what an answer does, for [`Referee::draw`] of the position before it: a page draws their outlines.
    /// Empty if the answer isn't accepted; by default always.
    fn mark(&self, _seat: Seat, _line: &str) -> Vec<Shape> {
        Vec::new()
    }

    /// The legal moves of a seat in [`Referee::asked`], in the order of move generation, written as in
    /// [`Referee::moves`]. Where moves can't be listed (an angle, a target), some that are always legal: `check` plays
    /// them at random.
    fn legal_moves(&self, seat: Seat) -> Vec<String>;

    /// Whether [`Referee::legal_moves`] are all, but for [`Referee::unlisted_moves`]. By default they are.
    fn lists_moves(&self) -> bool {
        true
    }

    /// The legal moves of a seat in [`Referee::asked`] that [`Referee::legal_moves`] leaves out. By default there are
    /// none.
    fn unlisted_moves(&self, _seat: Seat) -> Vec<String> {
        Vec::new()
    }

    /// The answer that plays a move written as in [`Referee::moves`], for a seat in [`Referee::asked`]. Use
    /// [`Referee::check`] to check that the move is legal.
    fn answer_of(&self, _seat: Seat, text: &str) -> String {
        text.to_owned()
    }
}

/// The reason an answer was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// A description of the accepted answers.
    pub expected: String,
}

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A line that the protocol can't parse.
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

/// An answer that the protocol can't parse, given what it accepts.
impl<T: Into<String>> From<T> for Fault {
    fn from(expected: T) -> Fault {
        Fault { kind: FaultKind::Protocol, expected: expected.into() }
    }
}

reason! {
    /// A move that can't be played or looked at. The sentence names it and, where there are some, the legal ones.
    IllegalMove
}

impl From<Fault> for IllegalMove {
    fn from(fault: Fault) -> IllegalMove {
        fault.to_string().into()
    }
}
