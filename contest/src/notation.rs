//! Human-readable notation of moves, turns and positions, for consoles and game records.

use std::fmt::Display;

use coppice::{Game, Joint, Player};

use crate::drawing::{Drawing, Shape};
use crate::kind::{Kind, Sequential, Simultaneous};
use crate::quantity::Quantity;
use crate::reason::reason;
use crate::referee::IllegalMove;
use crate::sheet::Layout;

reason! {
    /// A text that names no position, variant or parameter. The sentence says what was expected, and what was found.
    Unreadable
}

/// The error of a game without a notation for positions.
pub const NO_POSITIONS: &str =
    "positions of this game have no text form; give the moves that lead there instead";

/// The character between the moves of a turn.
pub const BETWEEN: char = '+';

/// The character in a contest's name before the position in which its games begin.
pub const AT: char = '@';

/// The placeholder in an unfinished turn for the move of a player who made none.
pub const MISSING: &str = "?";

/// One player's move in a game.
pub type Move<G> = <<G as Notation>::Kind as Kind<G>>::Move;

/// The moves of a turn: of a [`Game`] one move, of a [`Joint`] a move of each player who has one
/// ([`Choices`](coppice::Choices)).
pub type Turn<G> = <<G as Notation>::Kind as Kind<G>>::Turn;

/// A game with human-readable moves, whose `Display` draws the position. Referees, records and consoles use
/// it; bot protocols have their own notations.
///
/// A turn is one word: the moves of all players who had one, in the players' order, with `+` between them. `3+5` are two
/// players' moves, `5` a turn in which only one player had a move. Chance isn't written: it follows from the game's seed.
#[diagnostic::on_unimplemented(
    message = "the moves of `{Self}` have no notation",
    note = "write `impl contest::notation::Notation for {Self}`, and `Display` for its positions; \
            if its moves can't be listed, use `contest::session::Refereed`"
)]
pub trait Notation: Clone + PartialEq + Display + Send + Sync + 'static {
    /// [`Sequential`] for a [`Game`], [`Simultaneous`] for a [`Joint`].
    type Kind: Kind<Self>;

    /// Writes a legal move of a player, without spaces; where players move at the same time also without `+`.
    fn name(&self, player: Player, m: Move<Self>) -> String;

    /// A player's legal move in the game's words, for people: `unit 0: move N, build SE`. By default its name.
    fn words(&self, player: Player, m: Move<Self>) -> String {
        self.name(player, m)
    }

    /// A player's legal moves that the rules leave out of their list, because no player gains by them, or because they are
    /// made only in openings. Searches don't see them; referees accept and record them. By default there are none.
    fn unlisted(&self, _player: Player) -> Vec<Move<Self>> {
        Vec::new()
    }

    /// Reads a position from a line of text, in the form that people use for this game. `self` is any position of the same
    /// variant.
    ///
    /// # Errors
    /// If the text isn't a position of this variant; the error says what was expected and found. By default always.
    fn read_position(&self, _text: &str) -> Result<Self, Unreadable> {
        Err(NO_POSITIONS.into())
    }

    /// The position as [`Notation::read_position`] reads it; `None`, the default, if positions of this game have no text form.
    fn position(&self) -> Option<String> {
        None
    }

    /// The position as shapes, with the last turn's moves marked. By default the text that `Display` writes.
    fn draw(&self, _last: Option<Turn<Self>>) -> Drawing {
        Drawing::of_text(&self.to_string())
    }

    /// Where the cells of [`Notation::draw`] are in the text of `Display`, for colours and names at a terminal. By default
    /// nowhere.
    fn layout(&self) -> Layout {
        Layout::default()
    }

    /// Shapes that show what a player's legal move does, for [`Notation::draw`] of the position before it, in
    /// [`Paint::Last`](crate::drawing::Paint::Last). By default those that mark it as the last move in the position after
    /// it; none where that depends on others' moves too: a page then takes what the drawing after the turn marks.
    fn mark(&self, player: Player, m: Move<Self>) -> Vec<Shape> {
        let turn = Self::Kind::turn(&[(player, m)]);
        Self::Kind::after(self, player, m).map_or_else(Vec::new, |after| after.draw(Some(turn)).last_move())
    }

    /// Numbers of the position that charts follow over a game, the same ones in every position. By default none.
    fn quantities(&self) -> Vec<Quantity> {
        Vec::new()
    }

    /// A player's points in a finished game, as the contest's referee counts them. By default of a [`Game`] 1 for a win,
    /// otherwise 0, and of a [`Joint`] its payoff.
    fn points(&self, player: Player) -> i64 {
        Self::Kind::points(self, player)
    }
}

/// A [`Game`] with a notation, as a bound of generic code.
pub trait GameNotation: Game<Move: Send> + Notation<Kind = Sequential> {}

impl<G: Game<Move: Send> + Notation<Kind = Sequential>> GameNotation for G {}

/// A [`Joint`] with a notation, as a bound of generic code.
pub trait JointNotation: Joint<Move: Send, Outcome: Send> + Notation<Kind = Simultaneous> {}

impl<G: Joint<Move: Send, Outcome: Send> + Notation<Kind = Simultaneous>> JointNotation for G {}

/// The legal moves of a position in which one player moves.
pub fn listed<G: Game>(game: &G) -> G::Moves {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    list
}

/// The players who choose now, in order; none when the game is over.
pub fn choosers<G: Notation>(game: &G) -> Vec<Player> {
    G::Kind::choosers(game)
}

/// A player's legal moves in notation.
pub fn names<G: Notation>(game: &G, player: Player) -> Vec<String> {
    G::Kind::listed(game, player).into_iter().map(|m| game.name(player, m)).collect()
}

/// A player's legal moves that aren't listed, in notation.
pub(crate) fn unlisted_names<G: Notation>(game: &G, player: Player) -> Vec<String> {
    game.unlisted(player).into_iter().map(|m| game.name(player, m)).collect()
}

/// Points by seat.
pub(crate) fn points<G: Notation>(game: &G) -> Vec<i64> {
    (0..G::Kind::PLAYERS).map(|i| game.points(Player::new(i as u8))).collect()
}

/// Whether a player's move is legal, listed or not.
pub fn is_legal<G: Notation>(game: &G, player: Player, m: Move<G>) -> bool {
    G::Kind::listed(game, player).contains(&m) || game.unlisted(player).contains(&m)
}

/// Reads a player's legal move.
///
/// # Errors
/// If the move isn't legal. The message lists the legal ones.
pub fn read<G: Notation>(game: &G, player: Player, text: &str) -> Result<Move<G>, IllegalMove> {
    let list = G::Kind::listed(game, player);
    let is_named = |m: &Move<G>| game.name(player, *m) == text;
    match list.iter().copied().find(is_named).or_else(|| game.unlisted(player).into_iter().find(is_named)) {
        Some(m) => Ok(m),
        None => Err(refused(game, player, text, list.is_empty()).into()),
    }
}

/// A player's move by its name in the game's words; the name itself if no legal move has it.
pub(crate) fn words<G: Notation>(game: &G, player: Player, name: &str) -> String {
    read(game, player, name).map_or_else(|_| name.to_owned(), |m| game.words(player, m))
}

/// The message for a text that isn't a legal move of a player.
fn refused<G: Notation>(game: &G, player: Player, text: &str, has_none: bool) -> String {
    let choosers = choosers(game);
    if choosers.is_empty() {
        return format!("\"{text}\" can't be played: the game is over");
    }
    if has_none {
        return format!("\"{text}\" can't be played: player {} has no move now", player.index());
    }
    let whose = if choosers.len() > 1 { format!(" of player {}", player.index()) } else { String::new() };
    format!("\"{text}\" is not a legal move{whose}; expected {}", one_of(&names(game, player)))
}

/// Reads a whole turn: a legal move of each player who has one, with `+` between them. If `may_miss`, a `?` may stand for one,
/// which is then left out.
///
/// # Errors
/// If a move is missing, too many or not legal. The message says which.
pub fn read_turn<G: Notation>(
    game: &G,
    text: &str,
    may_miss: bool,
) -> Result<Vec<(Player, Move<G>)>, IllegalMove> {
    let choosers = choosers(game);
    if let [only] = choosers[..] {
        return Ok(vec![(only, read(game, only, text)?)]);
    }
    let parts: Vec<&str> = text.split(BETWEEN).collect();
    if choosers.is_empty() {
        return Err(format!("\"{text}\" can't be played: the game is over").into());
    }
    if parts.len() != choosers.len() {
        let who: Vec<String> = choosers.iter().map(|player| player.index().to_string()).collect();
        let expected =
            format!("a move of each of the players {}, with {BETWEEN} between them", who.join(", "));
        return Err(format!("\"{text}\" is not a turn here; expected {expected}").into());
    }
    let given = choosers.into_iter().zip(parts).filter(|&(_, part)| !may_miss || part != MISSING);
    given.map(|(player, part)| Ok((player, read(game, player, part)?))).collect()
}

/// Writes a turn in which each player with a move makes one; `?` stands for one that is missing.
pub fn write_turn<G: Notation>(game: &G, turn: Turn<G>) -> String {
    let name = |player: Player| {
        G::Kind::part(game, &turn, player).map_or(MISSING.to_owned(), |m| game.name(player, m))
    };
    let names: Vec<String> = choosers(game).into_iter().map(name).collect();
    word(names.iter().map(String::as_str))
}

/// Joins the names of a turn's moves to its word.
pub(crate) fn word<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(&BETWEEN.to_string())
}

/// The start and the name of a contest whose games begin in the position of a text: `mancala@2,0,1/0,3,0_0` for
/// `mancala`. In a name `_` stands for a space.
///
/// # Errors
/// If the text isn't a position, or the game is over there.
pub fn placed<G: Notation>(name: &str, start: &G, text: &str) -> Result<(String, G), Unreadable> {
    let game = start.read_position(text)?;
    if choosers(&game).is_empty() {
        return Err("the game is over in this position".into());
    }
    let base = name.split(AT).next().unwrap_or(name);
    let text = game.position().unwrap_or_else(|| text.to_owned());
    Ok((format!("{base}{AT}{}", text.replace(' ', "_")), game))
}

/// A list of names for error messages.
pub fn one_of(names: &[String]) -> String {
    let shown = names.iter().take(MOST_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if names.len() > MOST_NAMES { ", …" } else { "" };
    format!("one of {shown}{more}")
}

/// Maximum number of moves listed in a message.
const MOST_NAMES: usize = 30;
