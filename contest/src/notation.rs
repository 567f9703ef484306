//! How a game is told to people and written down: its moves, its positions, its points.

use std::fmt::Display;

use coppice::{Game, Player};

/// A game that can be told; its text is a drawing of the position. The protocols have notations of their own, which bots need; this one is for
/// referees, records and consoles.
pub trait Notation: Game<Move: Send> + Display + Send + Sync + 'static {
    /// A legal move, without a space in it.
    fn name(&self, m: Self::Move) -> String;

    /// What the published referee writes down for a player of a finished game: 1 for a win unless it
    /// counts something else.
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

/// The legal moves as they are written.
pub fn names<G: Notation>(game: &G) -> Vec<String> {
    listed(game).iter().map(|&m| game.name(m)).collect()
}

/// Reads a legal move.
///
/// # Errors
/// What would have been one.
pub fn read<G: Notation>(game: &G, text: &str) -> Result<G::Move, String> {
    let list = listed(game);
    match list.iter().find(|&&m| game.name(m) == text) {
        Some(&m) => Ok(m),
        None if list.is_empty() => Err(format!("\"{text}\" can't be played: the game is over")),
        None => Err(format!("\"{text}\" is not a legal move; expected {}", one_of(&names(game)))),
    }
}

/// Names in a row, for error messages.
pub fn one_of(names: &[String]) -> String {
    let shown = names.iter().take(MOST_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if names.len() > MOST_NAMES { ", …" } else { "" };
    format!("one of {shown}{more}")
}

/// A message names no more moves than this.
const MOST_NAMES: usize = 30;
