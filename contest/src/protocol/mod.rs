//! A referee for all games whose moves have a notation.
//!
//! A [`Protocol`] writes the lines of a turn and parses answers; the game defines legal moves, the end of the
//! game and the points of each player. [`GameReferee`] collects the answers of a turn and then plays them.

mod referee;

pub use referee::GameReferee;

use coppice::{Player, Rng};

use crate::history::{player, History};
use crate::kind::Kind;
use crate::notation::{self, one_of, Move, Notation};
use crate::referee::{Fault, Seat};

/// The referee's side of a protocol. Seat i is player i.
///
/// A [`Game`](coppice::Game) has one player to move in each position, so `player` is that one there. The links lead to
/// methods of [`Referee`](crate::Referee).
pub trait Protocol<G: Notation> {
    /// Maximum number of random turns in an opening.
    const MAX_OPENING_PLIES: u32 = u32::MAX;

    /// See [`Referee::init`](crate::Referee::init).
    fn init(&self, _history: &History<G>, _seat: Seat) -> String {
        String::new()
    }

    /// See [`Referee::turn`](crate::Referee::turn). The moves chosen so far in this turn don't belong there.
    fn turn(&self, history: &History<G>, seat: Seat) -> String;

    /// Parses the move of a player's answer, which need not be legal.
    ///
    /// # Errors
    /// If the answer is malformed: `Err("a column, 0 to 6".into())` describes a valid answer.
    fn read(&self, game: &G, player: Player, answer: &str) -> Result<Move<G>, Fault>;

    /// Writes a player's legal move in the protocol's notation.
    fn write(&self, game: &G, player: Player, m: Move<G>) -> String;

    /// See [`Referee::unordered_lines`](crate::Referee::unordered_lines).
    fn unordered_lines(&self, _history: &History<G>, _seat: Seat) -> usize {
        0
    }

    /// See [`Referee::answer_lines`](crate::Referee::answer_lines).
    fn answer_lines(&self, _history: &History<G>, _seat: Seat) -> usize {
        1
    }

    /// See [`Referee::reads_as_platform`](crate::Referee::reads_as_platform).
    fn reads_as_platform(&self) -> bool {
        false
    }

    /// Whether a bot may add `line` to the answer that led to this position. Not asked where the position depends on
    /// others' answers too.
    fn may_follow(&self, _after: &G, _line: &str) -> bool {
        false
    }

    /// See [`Referee::show_to`](crate::Referee::show_to).
    fn show_to(&self, _game: &G, _seat: Seat) -> Option<String> {
        None
    }

    /// See [`Referee::answer_of`](crate::Referee::answer_of).
    fn answer_of(&self, history: &History<G>, seat: Seat, text: &str) -> String {
        self.write_named(history, seat, text)
    }

    /// Translates a move written as in [`Referee::moves`](crate::Referee::moves) to the protocol's notation. Returns an
    /// illegal move unchanged; as an answer it is then rejected.
    fn write_named(&self, history: &History<G>, seat: Seat, text: &str) -> String {
        let (game, player) = (history.game(), player(seat));
        match notation::read(game, player, text) {
            Ok(m) => self.write(game, player, m),
            Err(_) => text.to_owned(),
        }
    }

    /// A player's legal moves in the protocol's notation, for error messages.
    fn expected(&self, game: &G, player: Player) -> String {
        let names: Vec<String> =
            G::Kind::listed(game, player).into_iter().map(|m| self.write(game, player, m)).collect();
        one_of(&names)
    }

    /// A player's part of an opening's next random turn; `None` if there can't be another.
    fn opening_move(&self, game: &G, player: Player, rng: &mut Rng) -> Option<Move<G>> {
        G::Kind::random_move(game, player, rng)
    }

    /// A move that the referee makes for a player without asking the bot, such as a pass. By default none: a bot with a
    /// single legal move is asked too.
    fn forced(&self, _game: &G, _player: Player) -> Option<Move<G>> {
        None
    }

    /// The move that is made from now on for a player whose bot has failed, such as one that puts it out of the game; the
    /// others play on. By default none: the game ends with the turn in which a bot fails.
    fn substitute(&self, _game: &G, _player: Player) -> Option<Move<G>> {
        None
    }

    /// Called after a seat's answer has been accepted and before the referee makes moves of its own. If the answer was the
    /// turn's last, the turn has been played.
    fn answered(&mut self, _history: &History<G>, _seat: Seat, _answer: &str) {}

    /// Points by seat, given which bots have failed. By default the game's points, however the bots' turns were made; if
    /// a failure has ended the game early, 0 for each bot that failed and 1 for the others.
    fn scores(&self, history: &History<G>, failed: &[bool]) -> Vec<i64> {
        if failed.contains(&true) && !history.is_over() {
            return failed.iter().map(|&failed| i64::from(!failed)).collect();
        }
        notation::points(history.game())
    }
}
