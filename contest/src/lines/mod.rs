//! A contest from a game and four texts: how a turn and an answer are written, and how they are read. Referee and player
//! are here, and with them all that is built on playing games.

#[cfg(not(bundled))]
mod contest;
pub mod joint_player;
pub mod player;
#[cfg(not(bundled))]
mod searches;

#[cfg(not(bundled))]
pub use contest::{LineContest, LineProtocol, LineReferee, Variants};
#[cfg(not(bundled))]
pub use searches::{searches, LineKind};

use std::io::BufRead;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::{Clock, Game, Player, Rng};

/// A game in which each player who is to move receives a turn of some lines and answers with one line. Seat i of the contest
/// is player i.
///
/// `M` is a player's move. `T` is a turn: of a [`Game`] the move itself, of a [`Joint`](coppice::Joint) the moves of all
/// players who had one ([`Choices`](coppice::Choices)). Both sides of the protocol are here, so that one test can send a
/// position through both (`contest::laws::check_lines`).
///
/// # Example
/// Each turn sends the size of a pile, the answer is the number taken. A game with simultaneous moves is in the arena's
/// example `simultaneous`.
///
/// ```
/// use std::fmt;
/// use std::io::BufRead;
///
/// use contest::lines::{LineContest, LineGame};
/// use contest::notation::Notation;
/// use contest::{laws, Contest, Sequential, Setup};
/// use coppice::input::{Input, InputError};
/// use coppice::{Game, List, Payoff, Player};
///
/// # /// The players take 1 to 3 from a pile in turn; taking the last one wins.
/// # #[derive(Debug, Clone, PartialEq)]
/// # struct Nim {
/// #     pile: u8,
/// #     mover: Player,
/// # }
/// #
/// # impl Game for Nim {
/// #     type Move = u8;
/// #     type Moves = List<u8, 3>;
/// #
/// #     fn to_move(&self) -> Player {
/// #         self.mover
/// #     }
/// #     fn moves(&self, list: &mut List<u8, 3>) {
/// #         (1..=self.pile.min(3)).for_each(|count| list.push(count));
/// #     }
/// #     fn play(&mut self, count: u8) {
/// #         *self = Nim { pile: self.pile - count, mover: self.mover.other() };
/// #     }
/// #     fn payoff(&self, player: Player) -> Payoff {
/// #         Payoff(if player == self.mover { -1 } else { 1 })
/// #     }
/// #     fn hash(&self) -> u64 {
/// #         coppice::rng::mix(u64::from(self.pile) << 1 | self.mover.index() as u64)
/// #     }
/// #     fn move_index(count: u8) -> u16 {
/// #         count.into()
/// #     }
/// # }
/// #
/// # impl fmt::Display for Nim {
/// #     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
/// #         write!(f, "{:?} takes from\n{}", self.mover, self.pile)
/// #     }
/// # }
/// #
/// # impl Notation for Nim {
/// #     type Kind = Sequential;
/// #
/// #     fn name(&self, _: Player, count: u8) -> String {
/// #         count.to_string()
/// #     }
/// # }
/// #
/// impl LineGame<u8> for Nim {
///     const NAME: &'static str = "nim";
///     const ANSWER: &'static str = "a number from 1 to 3";
///
///     fn start(_seed: u64) -> Nim {
///         Nim { pile: 21, mover: Player::FIRST }
///     }
///     fn write_init(&self, player: Player) -> String {
///         format!("{}\n", player.index())
///     }
///     fn read_init<R: BufRead>(&mut self, input: &mut Input<R>) -> Result<Player, InputError> {
///         match input.line()?.trim() {
///             "0" => Ok(Player::FIRST),
///             "1" => Ok(Player::SECOND),
///             _ => Err(input.malformed("the player's number, 0 or 1")),
///         }
///     }
///     fn write_turn(&self, _: Player, _: &[u8]) -> String {
///         format!("{}\n", self.pile)
///     }
///     fn read_turn<R: BufRead>(&mut self, me: Player, input: &mut Input<R>) -> Result<(), InputError> {
///         *self = Nim { pile: input.value("the size of the pile")?, mover: me };
///         Ok(())
///     }
///     fn write_answer(&self, _: Player, count: u8) -> String {
///         count.to_string()
///     }
///     fn read_answer(&self, _: Player, line: &str) -> Option<u8> {
///         line.parse().ok()
///     }
/// }
///
/// let nim = LineContest::<Nim>::new();
/// let mut game = nim.new_game(Setup { seed: 1, opening_plies: 0, limits: nim.limits() });
/// assert_eq!((game.init(0), game.turn(0)), ("0\n".to_owned(), "21\n".to_owned()));
/// assert_eq!(game.answer(0, "4").unwrap_err().to_string(), "not a legal move; expected one of 1, 2, 3");
/// // The laws of rules, referee and protocol, in random games.
/// laws::check_lines::<Nim>();
/// ```
pub trait LineGame<M, T = M>: Sized + 'static {
    /// The contest's name on the command line.
    const NAME: &'static str;

    /// The form of an answer, for error messages: `a column, 0 to 6`.
    const ANSWER: &'static str;

    /// The clock of a bot, with the contest's time limits.
    const CLOCK: Clock = Clock::new(Duration::from_secs(1), Duration::from_millis(100));

    /// The number of random turns with which a match's games begin; 0, the default, where starts differ by their seed or a
    /// bot can't be told of them.
    const OPENING_PLIES: u32 = 0;

    /// The most random turns of an opening.
    const MAX_OPENING_PLIES: u32 = u32::MAX;

    /// The position in which the game of a seed begins: a map drawn by it, for example. Where chance decides first, the
    /// referee lets it.
    fn start(seed: u64) -> Self;

    /// A player's move in an opening; `None`, the default, for any legal one.
    fn opening_move(&self, _player: Player, _rng: &mut Rng) -> Option<M> {
        None
    }

    /// The move that the referee makes from now on for a player whose bot has failed, such as one that puts it out of the
    /// game; the others play on. `None`: the game ends, and all but that player win.
    fn forfeit(&self, _player: Player) -> Option<M> {
        None
    }

    /// The lines that a player receives once, before its first turn; `self` is the start, after chance. Empty, or ends in a
    /// newline.
    fn write_init(&self, _player: Player) -> String {
        String::new()
    }

    /// Reads the output of [`LineGame::write_init`]: returns which player the bot is, any if the lines don't say it. May
    /// change `self`, the start of seed 0, to the start as far as the lines tell it.
    ///
    /// # Errors
    /// If the input ends or is malformed.
    fn read_init<R: BufRead>(&mut self, _input: &mut Input<R>) -> Result<Player, InputError> {
        Ok(Player::FIRST)
    }

    /// The lines of a turn for a player who is to move. `news` are the turns since the player last answered; before the
    /// first answer all turns of the game. Of a [`Joint`](coppice::Joint) the turn of that answer is the first of them:
    /// the player hasn't seen the others' choices in it. Ends in a newline.
    fn write_turn(&self, player: Player, news: &[T]) -> String;

    /// Reads the output of [`LineGame::write_turn`], which makes `self` the position of the turn. Before, it is the start,
    /// or the position of the bot's last answer, for a [`Game`] with that answer played. `me` is what
    /// [`LineGame::read_init`] returned.
    ///
    /// # Errors
    /// If the input ends or is malformed, or a move in it isn't legal ([`play_read`]).
    fn read_turn<R: BufRead>(&mut self, me: Player, input: &mut Input<R>) -> Result<(), InputError>;

    /// Writes a player's legal move as an answer, without a newline.
    fn write_answer(&self, player: Player, m: M) -> String;

    /// Reads the output of [`LineGame::write_answer`]. The move need not be legal; `None` if the line is malformed.
    fn read_answer(&self, player: Player, line: &str) -> Option<M>;
}

/// Plays a move that was read, if it is legal.
///
/// # Errors
/// [`InputError::Malformed`] with the last line of `input` otherwise.
pub fn play_read<G: Game, R: BufRead>(game: &mut G, m: G::Move, input: &Input<R>) -> Result<(), InputError> {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    if !list.contains(&m) {
        return Err(input.malformed("a legal move"));
    }
    game.play(m);
    Ok(())
}
