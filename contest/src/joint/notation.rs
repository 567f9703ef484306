//! Human-readable notation of moves, turns and positions of games with simultaneous moves.

use std::fmt::Display;

use coppice::joint::players;
use coppice::{Choices, Joint, Player};

use crate::drawing::{Drawing, Shape};
use crate::notation::{one_of, Unreadable, NO_POSITIONS};
use crate::referee::IllegalMove;

/// A [`Joint`] game with human-readable moves, whose `Display` draws the position. Referees, records and consoles use
/// it; bot protocols have their own notations.
///
/// A turn is one word: the moves of all players who had one, in the players' order, with `+` between them. `3+5` are two
/// players' moves, `5` a turn in which only one player had a move. Chance isn't written: it follows from the game's seed.
#[diagnostic::on_unimplemented(
    message = "the moves of `{Self}` have no notation",
    note = "write `impl contest::joint::JointNotation for {Self}`, and `Display` for its positions; \
            if its moves can't be listed, use `contest::session::Refereed`"
)]
pub trait JointNotation: Joint<Move: Send, Outcome: Send> + Display + Send + Sync + 'static {
    /// Writes a legal move of a player, without spaces and without `+`.
    fn name(&self, player: Player, m: Self::Move) -> String;

    /// Reads a position from a line of text, in the form that people use for this game.
    ///
    /// # Errors
    /// What was expected, and what was found; by default that there is no such form.
    fn read_position(_text: &str) -> Result<Self, Unreadable> {
        Err(NO_POSITIONS.into())
    }

    /// The position as shapes, with the last turn's moves marked. By default the text that `Display` writes.
    fn drawing(&self, _last: Option<&Choices<Self::Move>>) -> Drawing {
        Drawing::of_text(&self.to_string())
    }

    /// Shapes that show what a player's legal move does, for [`JointNotation::drawing`] of the position before it, in
    /// [`Paint::Last`](crate::drawing::Paint::Last). By default there are none: a page then takes what the drawing after the
    /// turn marks.
    fn mark(&self, _player: Player, _m: Self::Move) -> Vec<Shape> {
        Vec::new()
    }

    /// A player's points in a finished game, as the published referee counts them. By default
    /// [`Joint::payoff`].
    fn points(&self, player: Player) -> i64 {
        self.payoff(player).0.into()
    }
}

/// The character between the moves of a turn.
pub const BETWEEN: char = '+';

/// What stands for the move of a player who made none in an unfinished turn.
pub const MISSING: &str = "?";

/// A player's legal moves.
pub fn listed<G: Joint>(game: &G, player: Player) -> G::Moves {
    let mut list = G::Moves::default();
    if player.index() < G::PLAYERS {
        game.moves(player, &mut list);
    }
    list
}

/// The players who have moves, in order.
pub fn choosers<G: Joint>(game: &G) -> Vec<Player> {
    players::<G>().filter(|&player| !listed(game, player).is_empty()).collect()
}

/// A player's legal moves in notation.
pub fn names<G: JointNotation>(game: &G, player: Player) -> Vec<String> {
    listed(game, player).iter().map(|&m| game.name(player, m)).collect()
}

/// Reads a player's legal move.
///
/// # Errors
/// If the move isn't legal. The message lists the legal ones.
pub fn read<G: JointNotation>(game: &G, player: Player, text: &str) -> Result<G::Move, IllegalMove> {
    let list = listed(game, player);
    match list.iter().find(|&&m| game.name(player, m) == text) {
        Some(&m) => Ok(m),
        None if list.is_empty() => {
            Err(format!("\"{text}\" can't be played: player {} has no move now", player.index()).into())
        }
        None => {
            let expected = one_of(&names(game, player));
            Err(format!("\"{text}\" is not a legal move of player {}; expected {expected}", player.index())
                .into())
        }
    }
}

/// Reads a whole turn: a legal move of each player who has one, with `+` between them. If `may_miss`, a `?` may stand for
/// one.
///
/// # Errors
/// If a move is missing, too many or not legal. The message says which.
pub fn read_turn<G: JointNotation>(
    game: &G,
    text: &str,
    may_miss: bool,
) -> Result<Choices<G::Move>, IllegalMove> {
    let choosers = choosers(game);
    let parts: Vec<&str> = text.split(BETWEEN).collect();
    if choosers.is_empty() {
        return Err(format!("\"{text}\" can't be played: the game is over").into());
    }
    if parts.len() != choosers.len() {
        let who: Vec<String> = choosers.iter().map(|player| player.index().to_string()).collect();
        let expected = match &who[..] {
            [only] => format!("one move, of player {only}"),
            _ => format!("a move of each of the players {}, with {BETWEEN} between them", who.join(", ")),
        };
        return Err(format!("\"{text}\" is not a turn here; expected {expected}").into());
    }
    let mut choices = Choices::NONE;
    for (player, part) in choosers.into_iter().zip(parts).filter(|&(_, part)| !may_miss || part != MISSING) {
        choices.set(player, read(game, player, part)?);
    }
    Ok(choices)
}

/// Writes a turn in which each player with a move makes one; `?` stands for one that is missing.
pub fn write_turn<G: JointNotation>(game: &G, choices: &Choices<G::Move>) -> String {
    let part = |player: Player| choices.of(player).map_or(MISSING.to_owned(), |m| game.name(player, m));
    choosers(game).into_iter().map(part).collect::<Vec<_>>().join(&BETWEEN.to_string())
}
