//! A contest from a game and four texts: how a turn and an answer are written, and how they are read. Referee and player
//! are here, and with them all that is built on playing games.

pub mod player;
#[cfg(not(bundled))]
mod referee;
#[cfg(not(bundled))]
mod searches;

#[cfg(not(bundled))]
pub use referee::{TurnContest, TurnGame, TurnProtocol, Variants};
#[cfg(not(bundled))]
pub use searches::searches;

use std::io::BufRead;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::{Clock, Game, Player, Rng};

/// A game of two or more players in which the player to move receives a turn of some lines and answers with one line.
///
/// Both sides of the protocol are here, so that one test can send a position through both
/// (`contest::laws::check_turns`).
///
/// # Example
/// Each turn sends the size of a pile, the answer is the number taken.
///
/// ```
/// use std::fmt;
/// use std::io::BufRead;
///
/// use contest::notation::Notation;
/// use contest::turns::{TurnContest, Turns};
/// use contest::{laws, Contest, Setup};
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
/// #     fn name(&self, count: u8) -> String {
/// #         count.to_string()
/// #     }
/// # }
/// #
/// impl Turns for Nim {
///     const NAME: &'static str = "nim";
///     const ANSWER: &'static str = "a number from 1 to 3";
///
///     fn start() -> Nim {
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
///     fn write_turn(&self, _: &[u8]) -> String {
///         format!("{}\n", self.pile)
///     }
///     fn read_turn<R: BufRead>(&mut self, me: Player, input: &mut Input<R>) -> Result<(), InputError> {
///         *self = Nim { pile: input.value("the size of the pile")?, mover: me };
///         Ok(())
///     }
///     fn write_answer(&self, count: u8) -> String {
///         count.to_string()
///     }
///     fn read_answer(&self, line: &str) -> Option<u8> {
///         line.parse().ok()
///     }
/// }
///
/// let nim = TurnContest::<Nim>::new();
/// let mut game = nim.new_game(Setup { seed: 1, opening_plies: 0, limits: nim.limits() });
/// assert_eq!((game.init(0), game.turn(0)), ("0\n".to_owned(), "21\n".to_owned()));
/// assert_eq!(game.answer(0, "4").unwrap_err().to_string(), "not a legal move; expected one of 1, 2, 3");
/// // The laws of rules, referee and protocol, in random games.
/// laws::check_turns::<Nim>();
/// ```
pub trait Turns: Game + 'static {
    /// The contest's name on the command line.
    const NAME: &'static str;

    /// What an answer is, for error messages: `a column, 0 to 6`.
    const ANSWER: &'static str;

    /// The clock of a bot, with the contest's time limits.
    const CLOCK: Clock = Clock::new(Duration::from_secs(1), Duration::from_millis(100));

    /// The number of random plies with which a match's games begin; 0 if a bot can't be told of them.
    const OPENING_PLIES: u32 = 4;

    /// The most random plies of an opening.
    const MAX_OPENING_PLIES: u32 = u32::MAX;

    /// The position in which games begin.
    fn start() -> Self;

    /// The next random ply of an opening; `None` if there can't be another.
    fn opening_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        self.random_move(rng)
    }

    /// The move that the referee makes for the player to move when it forfeits, such as one that puts it out of the
    /// game; the others play on. `None`: the game ends, and all but that player win.
    fn forfeit(&self) -> Option<Self::Move> {
        None
    }

    /// The lines that a player receives once, before its first turn; `self` is the start. Empty, or ends in a newline.
    fn write_init(&self, _player: Player) -> String {
        String::new()
    }

    /// Reads the output of [`Turns::write_init`]: returns which player the bot is, any if the lines don't say it. May
    /// change `self`, the start as far as the bot knows it.
    ///
    /// # Errors
    /// If the input ends or is malformed.
    fn read_init<R: BufRead>(&mut self, _input: &mut Input<R>) -> Result<Player, InputError> {
        Ok(Player::FIRST)
    }

    /// The lines of a turn for the player to move. `news` are the moves since its last answer, made by the others;
    /// before the first answer all moves of the game. Ends in a newline.
    fn write_turn(&self, news: &[Self::Move]) -> String;

    /// Reads the output of [`Turns::write_turn`], which makes `self` the position of the turn. Before, it is the start,
    /// or the position after the bot's last answer. `me` is what [`Turns::read_init`] returned.
    ///
    /// # Errors
    /// If the input ends or is malformed, or a move in it isn't legal ([`play_read`]).
    fn read_turn<R: BufRead>(&mut self, me: Player, input: &mut Input<R>) -> Result<(), InputError>;

    /// Writes a legal move as an answer, without a newline.
    fn write_answer(&self, m: Self::Move) -> String;

    /// Reads the output of [`Turns::write_answer`]. The move need not be legal; `None` if the line is malformed.
    fn read_answer(&self, line: &str) -> Option<Self::Move>;
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
