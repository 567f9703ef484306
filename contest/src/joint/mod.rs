//! Contests in which players move at the same time, from a [`Joint`] game: referee, both sides of a protocol, sessions,
//! searches.
//!
//! - [`JointTurns`] makes a whole contest of a game and the texts of its protocol: [`JointContest`], and
//!   [`player::play`] for the bot. Start here.
//! - [`JointPlayers`] is the referee alone, with a [`JointProtocol`] for what `JointTurns` doesn't cover: init lines to each
//!   seat, answers of several lines, games that go on when a bot fails.
//! - [`JointSearches`] with [`offers`] makes the engine's searches available as `in:SEARCH` and in `debug`.
//! - A simulation whose moves can't be listed writes its own [`Referee`](crate::Referee), and offers its bot with
//!   [`Refereed`](crate::session::Refereed).

#[cfg(not(bundled))]
mod contest;
#[cfg(not(bundled))]
pub mod notation;
#[cfg(not(bundled))]
mod offer;
#[cfg(not(bundled))]
mod perft;
pub mod player;
#[cfg(not(bundled))]
mod referee;
#[cfg(not(bundled))]
mod searches;
#[cfg(all(feature = "serve", not(bundled)))]
mod served;
#[cfg(not(bundled))]
mod session;
#[cfg(not(bundled))]
mod table;

#[cfg(not(bundled))]
pub use contest::{JointContest, JointTurnProtocol};
#[cfg(not(bundled))]
pub use notation::JointNotation;
#[cfg(not(bundled))]
pub use offer::{offers, offers_in_turns, JointOffer};
#[cfg(not(bundled))]
pub use perft::JointPerft;
#[cfg(not(bundled))]
pub use referee::{JointPlayers, JointProtocol};
#[cfg(all(feature = "serve", not(bundled)))]
pub use searches::ServeJoint;
#[cfg(not(bundled))]
pub use searches::{JointSearches, MakeJointSearches};
#[cfg(all(feature = "serve", not(bundled)))]
pub use served::ServedJoint;
#[cfg(not(bundled))]
pub use session::{BoxedSearch, JointPlayed};
#[cfg(not(bundled))]
pub use table::{PlayedTurn, Table};

use std::io::BufRead;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::{Choices, Clock, Joint, Player};

/// A game with simultaneous moves in which each player with a move receives a turn of some lines and answers with one
/// line. Seat i of the contest is player i.
///
/// Both sides of the protocol are here, so that one test can send a position through both
/// (`contest::laws::check_joint_turns`).
///
/// # Example
/// Two players hold the cards 1 to 3 and play one each at the same time, three times; the higher card takes the round's
/// prize, which is the round's number.
///
/// ```
/// use std::fmt;
/// use std::io::BufRead;
///
/// use contest::joint::{offers, JointContest, JointNotation, JointSearches, JointTurns};
/// use contest::{laws, Contest, Setup};
/// use coppice::input::{Input, InputError};
/// use coppice::{Choices, Joint, List, Payoff, Player};
///
/// #[derive(Debug, Clone, Default, PartialEq)]
/// struct Cards {
///     played: [[bool; 3]; 2],
///     round: i32,
///     lead: i32,
/// }
///
/// impl Joint for Cards {
///     type Move = u8;
///     type Moves = List<u8, 3>;
///     type Outcome = ();
///     const MAX_POINTS: i32 = 6;
///
///     fn moves(&self, player: Player, list: &mut List<u8, 3>) {
///         (1..=3).filter(|&card| !self.played[player.index()][card as usize - 1]).for_each(|card| list.push(card));
///     }
///     fn play(&mut self, choices: &Choices<u8>) {
///         let cards = [Player::FIRST, Player::SECOND].map(|player| choices.of(player).unwrap_or(1));
///         for (played, card) in self.played.iter_mut().zip(cards) {
///             played[card as usize - 1] = true;
///         }
///         self.round += 1;
///         self.lead += self.round * i32::from(cards[0].cmp(&cards[1]) as i8);
///     }
///     fn payoff(&self, player: Player) -> Payoff {
///         Payoff(if player == Player::FIRST { self.lead } else { -self.lead })
///     }
///     fn hash(&self) -> u64 {
///         let bits = self.played.as_flattened().iter().fold(1, |bits, &played| 2 * bits + u64::from(played));
///         coppice::rng::mix(bits << 8 | (self.lead + 99) as u64)
///     }
/// }
///
/// impl fmt::Display for Cards {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         write!(f, "round {}, lead {}, played {:?}", self.round + 1, self.lead, self.played)
///     }
/// }
///
/// impl JointNotation for Cards {
///     fn name(&self, _: Player, card: u8) -> String {
///         card.to_string()
///     }
/// }
///
/// /// Each turn sends both cards of the last round, or 0 0 before the first.
/// impl JointTurns for Cards {
///     const NAME: &'static str = "cards";
///     const ANSWER: &'static str = "a card, 1 to 3";
///
///     fn start(_seed: u64) -> Cards {
///         Cards::default()
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
///     fn write_turn(&self, _: Player, news: &[Choices<u8>]) -> String {
///         let card = |player| news.last().and_then(|choices| choices.of(player)).unwrap_or(0);
///         format!("{} {}\n", card(Player::FIRST), card(Player::SECOND))
///     }
///     fn read_turn<R: BufRead>(&mut self, _: Player, input: &mut Input<R>) -> Result<(), InputError> {
///         let cards: Vec<u8> = input.line()?.split_whitespace().filter_map(|word| word.parse().ok()).collect();
///         match cards[..] {
///             [0, 0] if self.round == 0 => Ok(()),
///             [a @ 1..=3, b @ 1..=3] if !self.played[0][a as usize - 1] && !self.played[1][b as usize - 1] => {
///                 self.play(&Choices::NONE.with(Player::FIRST, a).with(Player::SECOND, b));
///                 Ok(())
///             }
///             _ => Err(input.malformed("two cards that have not been played")),
///         }
///     }
///     fn write_answer(&self, _: Player, card: u8) -> String {
///         card.to_string()
///     }
///     fn read_answer(&self, _: Player, line: &str) -> Option<u8> {
///         line.parse().ok()
///     }
/// }
///
/// let cards = JointContest::<Cards>::new().with_searches(|start| {
///     let even = || |_: &Cards, _: Player| 0.0; // an estimate of unfinished games
///     contest::joint::searches(start, offers(even))
/// });
/// let mut game = cards.new_game(Setup { seed: 1, opening_plies: 0, limits: cards.limits() });
/// assert_eq!((game.asked(), game.turn(1)), (vec![0, 1], "0 0\n".to_owned()));
/// game.answer(0, "3").unwrap();
/// assert_eq!((game.asked(), game.moves()), (vec![1], String::new())); // nothing happens before all have answered
/// game.answer(1, "1").unwrap();
/// assert_eq!((game.turn(1), game.moves()), ("3 1\n".to_owned(), "3+1".to_owned()));
/// // The laws of rules, referee and protocol, in random games.
/// laws::check_joint_turns::<Cards>();
/// ```
pub trait JointTurns: Joint + 'static {
    /// The contest's name on the command line.
    const NAME: &'static str;

    /// What an answer is, for error messages: `a card, 1 to 13`.
    const ANSWER: &'static str;

    /// The clock of a bot, with the contest's time limits.
    const CLOCK: Clock = Clock::new(Duration::from_secs(1), Duration::from_millis(100));

    /// The number of random turns with which a match's games begin; 0, the default, where starts differ by their seed
    /// or a bot can't be told of them.
    const OPENING_TURNS: u32 = 0;

    /// The position in which the game of a seed begins: a map drawn by it, for example. Where chance decides first
    /// ([`Joint::outcome`]), the referee lets it.
    fn start(seed: u64) -> Self;

    /// The lines that a player receives once, before its first turn; `self` is the start, after chance. Empty, or ends in a
    /// newline.
    fn write_init(&self, _player: Player) -> String {
        String::new()
    }

    /// Reads the output of [`JointTurns::write_init`]: returns which player the bot is, the first if the lines don't say
    /// it. Makes `self`, which is the start of seed 0, the position as far as the lines tell it.
    ///
    /// # Errors
    /// If the input ends or is malformed.
    fn read_init<R: BufRead>(&mut self, _input: &mut Input<R>) -> Result<Player, InputError> {
        Ok(Player::FIRST)
    }

    /// The lines of a turn for a player who has a move. `news` are the turns since the player last answered, that one
    /// included; before the first answer all turns of the game. Ends in a newline.
    fn write_turn(&self, player: Player, news: &[Choices<Self::Move>]) -> String;

    /// Reads the output of [`JointTurns::write_turn`], which makes `self` the position of the turn. Before, it is the
    /// start, or the position of the last turn in which the bot was asked. `me` is what [`JointTurns::read_init`] returned.
    ///
    /// # Errors
    /// If the input ends or is malformed.
    fn read_turn<R: BufRead>(&mut self, me: Player, input: &mut Input<R>) -> Result<(), InputError>;

    /// Writes a player's legal move as an answer, without a newline.
    fn write_answer(&self, player: Player, m: Self::Move) -> String;

    /// Reads the output of [`JointTurns::write_answer`]. The move need not be legal; `None` if the line is malformed.
    fn read_answer(&self, player: Player, line: &str) -> Option<Self::Move>;
}

/// Searches for contests made of [`JointTurns`]; with the feature `serve` they can be served.
#[cfg(not(bundled))]
pub fn searches<G: JointTurns + JointNotation>(
    start: fn(u64) -> G,
    offers: Vec<JointOffer<G>>,
) -> Box<dyn crate::session::Searches> {
    let searches = JointSearches::new(start, offers);
    #[cfg(feature = "serve")]
    let searches = searches.served_by(|settings, make, input, output| {
        player::play_on(input, output, &settings.bot(), |_, start: &G| make(start))
    });
    Box::new(searches)
}
