//! Human-readable notation of moves and positions, for consoles and game records.

use std::fmt::Display;

use coppice::{Game, Player};

use crate::drawing::{Drawing, Shape};
use crate::reason::reason;
use crate::referee::IllegalMove;

reason! {
    /// A text that names no position, variant or parameter. The sentence says what was expected, and what was found.
    Unreadable
}

/// The reason that a position can't be read where there is no form for it.
pub(crate) const NO_POSITIONS: &str =
    "positions of this game have no text form; give the moves that lead there instead";

/// A game with human-readable moves, whose `Display` draws the position. Referees, records and consoles use
/// it; bot protocols have their own notations.
pub trait Notation: Game<Move: Send> + Display + Send + Sync + 'static {
    /// Writes a legal move, without spaces.
    fn name(&self, m: Self::Move) -> String;

    /// Legal moves that [`Game::moves`] leaves out, because no player gains by them, or because they are made only in
    /// openings. Searches don't see them; referees accept and record them. By default there are none.
    fn unlisted(&self) -> Vec<Self::Move> {
        Vec::new()
    }

    /// Reads a position from a line of text, in the form that people use for this game.
    ///
    /// # Errors
    /// What was expected, and what was found; by default that there is no such form.
    fn read_position(_text: &str) -> Result<Self, Unreadable> {
        Err(NO_POSITIONS.into())
    }

    /// The position as shapes, with the last move marked. By default the text that `Display` writes.
    fn draw(&self, _last: Option<Self::Move>) -> Drawing {
        Drawing::of_text(&self.to_string())
    }

    /// Shapes that show where a legal move plays, for [`Notation::draw`] of the position before it. By default those that
    /// mark it as the last move in the position after it.
    fn mark(&self, m: Self::Move) -> Vec<Shape> {
        self.after(m).draw(Some(m)).last_move()
    }

    /// A player's points in a finished game, as the published referee counts them. By default 1 for a win,
    /// otherwise 0.
    fn points(&self, player: Player) -> i64 {
        i64::from(self.payoff(player).0 > 0)
    }
}

/// The legal moves of a position.
pub fn listed<G: Game>(game: &G) -> G::Moves {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    list
}

/// The legal moves in notation.
pub fn names<G: Notation>(game: &G) -> Vec<String> {
    listed(game).iter().map(|&m| game.name(m)).collect()
}

/// Whether a move is legal, listed or not.
pub fn is_legal<G: Notation>(game: &G, m: G::Move) -> bool {
    listed(game).contains(&m) || game.unlisted().contains(&m)
}

/// Parses a legal move.
///
/// # Errors
/// If the move isn't legal. The message lists the legal ones.
pub fn read<G: Notation>(game: &G, text: &str) -> Result<G::Move, IllegalMove> {
    let list = listed(game);
    let is_named = |m: &G::Move| game.name(*m) == text;
    match list.iter().copied().find(is_named).or_else(|| game.unlisted().into_iter().find(is_named)) {
        Some(m) => Ok(m),
        None if list.is_empty() => Err(format!("\"{text}\" can't be played: the game is over").into()),
        None => Err(format!("\"{text}\" is not a legal move; expected {}", one_of(&names(game))).into()),
    }
}

/// A list of names for error messages.
pub fn one_of(names: &[String]) -> String {
    let shown = names.iter().take(MOST_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if names.len() > MOST_NAMES { ", …" } else { "" };
    format!("one of {shown}{more}")
}

/// Maximum number of moves listed in a message.
const MOST_NAMES: usize = 30;
