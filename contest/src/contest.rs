//! The interface between a contest and the programs that referee it.

#[cfg(feature = "serve")]
use std::io::{BufRead, Write};
use std::time::Duration;

#[cfg(feature = "serve")]
use coppice::input::InputError;
use coppice::Clock;

use crate::bench::{self, BenchResult};
use crate::notation::{Unreadable, NO_POSITIONS};
use crate::perft::{Perft, RefereePerft};
use crate::referee::Referee;
#[cfg(feature = "serve")]
use crate::serve::{refused, ServeSettings};
use crate::session::{SearchInfo, Searches, Session, SessionError, SessionSettings};
use crate::single_player::SinglePlayer;

/// Time limits, measured from the start of sending a turn until the answer has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For a seat's first answer.
    pub first: Duration,
    /// For each answer after it.
    pub later: Duration,
}

impl From<Clock> for Limits {
    fn from(clock: Clock) -> Limits {
        let (first, later) = clock.limits();
        Limits { first, later }
    }
}

/// Resource limits of each bot for a whole game; none by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowance {
    /// User and system processor time over all turns.
    pub cpu: Option<Duration>,
    /// Memory of each of the bot's processes.
    pub memory_bytes: Option<u64>,
}

/// The parameters of a new game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of random legal moves played before the first turn; fewer if the game would end.
    pub opening_plies: u32,
    /// The time limits, which some protocols send to the bots.
    pub limits: Limits,
}

/// A contest: its name, seats and limits, and a constructor of games.
///
/// [`name`](Contest::name), [`seats`](Contest::seats), [`limits`](Contest::limits) and
/// [`new_game`](Contest::new_game) are required. The other methods have defaults; they add perft, searches,
/// benchmarks and players without a protocol.
///
/// # Example
/// A two-player game with its own protocol. A game that uses `init`, `play` and `go` needs less code: see
/// [`CommandContest`](crate::commands::referee::CommandContest). Simultaneous moves are written in the same way.
///
/// ```
/// use std::fmt;
/// use std::time::Duration;
///
/// use contest::history::History;
/// use contest::notation::Notation;
/// use contest::protocol::{GameReferee, Protocol};
/// use contest::{Contest, Fault, Limits, Referee, Seat, Sequential, Setup};
/// use coppice::{Game, List, Moves, Payoff, Player};
///
/// /// The players take 1 to 3 from a pile in turn; taking the last one wins.
/// #[derive(Clone, PartialEq)]
/// struct Nim {
///     pile: u8,
///     mover: Player,
/// }
///
/// impl Game for Nim {
///     type Move = u8;
///     type Moves = List<u8, 3>;
///
///     fn to_move(&self) -> Player {
///         self.mover
///     }
///     fn moves(&self, list: &mut List<u8, 3>) {
///         (1..=self.pile.min(3)).for_each(|count| list.push(count));
///     }
///     fn play(&mut self, count: u8) {
///         *self = Nim { pile: self.pile - count, mover: self.mover.other() };
///     }
///     fn payoff(&self, player: Player) -> Payoff {
///         Payoff(if player == self.mover { -1 } else { 1 })
///     }
///     fn hash(&self) -> u64 {
///         coppice::rng::mix(u64::from(self.pile) << 1 | self.mover.index() as u64)
///     }
///     fn move_index(count: u8) -> u16 {
///         count.into()
///     }
/// }
///
/// impl fmt::Display for Nim {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         write!(f, "{} left", self.pile)
///     }
/// }
///
/// impl Notation for Nim {
///     type Kind = Sequential;
///
///     fn name(&self, _: Player, count: u8) -> String {
///         count.to_string()
///     }
/// }
///
/// /// Each turn sends the size of the pile; the answer is the number taken.
/// struct Lines;
///
/// impl Protocol<Nim> for Lines {
///     fn turn(&self, history: &History<Nim>, _: Seat) -> String {
///         format!("{}\n", history.game().pile)
///     }
///     fn read(&self, _: &Nim, _: Player, answer: &str) -> Result<u8, Fault> {
///         answer.trim().parse().map_err(|_| "a number".into())
///     }
///     fn write(&self, _: &Nim, _: Player, count: u8) -> String {
///         count.to_string()
///     }
/// }
///
/// struct NimContest;
///
/// impl Contest for NimContest {
///     fn name(&self) -> &str {
///         "nim"
///     }
///     fn seats(&self) -> usize {
///         2
///     }
///     fn limits(&self) -> Limits {
///         Limits { first: Duration::from_secs(1), later: Duration::from_millis(100) }
///     }
///     fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
///         Box::new(GameReferee::new(Nim { pile: 10, mover: Player::FIRST }, Lines, setup))
///     }
/// }
///
/// // The calls that a match runner makes.
/// let setup = Setup { seed: 1, opening_plies: 0, limits: NimContest.limits() };
/// let mut game = NimContest.new_game(setup);
/// assert_eq!((game.asked(), game.turn(0)), (vec![0], "10\n".to_owned()));
/// assert_eq!(game.answer(0, "4").unwrap_err().to_string(), "not a legal move; expected one of 1, 2, 3");
/// for answer in ["2", "1", "3", "1", "3"] {
///     let seat = game.asked()[0];
///     game.answer(seat, answer).unwrap();
/// }
/// assert_eq!((game.asked(), game.scores()), (vec![], vec![1, 0]));
/// assert_eq!(game.moves(), "2 1 3 1 3");
/// ```
pub trait Contest: Send + Sync {
    /// The name, used on the command line and for the folder.
    fn name(&self) -> &str;

    /// The number of bots in a game.
    fn seats(&self) -> usize;

    /// The platform's time limits.
    fn limits(&self) -> Limits;

    /// A new game.
    fn new_game(&self, setup: Setup) -> Box<dyn Referee>;

    /// The default number of random plies before each game of a match; 0 if the protocol can't send them to
    /// the bots.
    fn opening_plies(&self) -> u32 {
        0
    }

    /// The platform's limits for a whole game; none by default.
    fn allowance(&self) -> Allowance {
        Allowance::default()
    }

    /// The names of a variant's words, such as `M N K`; `None` if there is only one variant.
    fn variants(&self) -> Option<&'static str> {
        None
    }

    /// The contest in another variant. `words` follow the name and a colon: `7,7,5` in `mnk:7,7,5`.
    ///
    /// # Errors
    /// If the words are invalid.
    fn variant(&self, _words: &str) -> Result<Box<dyn Contest>, Unreadable> {
        Err(format!("{} has no variants", self.name()).into())
    }

    /// The contest whose games begin in the position of a text, in the game's notation
    /// ([`Notation::read_position`](crate::notation::Notation::read_position)). Its name ends with that position:
    /// [`placed`](crate::notation::placed).
    ///
    /// # Errors
    /// If the text isn't a position. By default always.
    fn at_position(&self, _text: &str) -> Result<Box<dyn Contest>, Unreadable> {
        Err(NO_POSITIONS.into())
    }

    /// The contest in the variant of a recorded game, from the lines sent before the first answer to each seat; `None` if
    /// the protocol's lines don't contain the variant.
    fn recorded(&self, _dialogues: &[Vec<&str>]) -> Option<Box<dyn Contest>> {
        None
    }

    /// The contest in the variant of a game that another program recorded, from that game's parameters: lines `NAME=VALUE`,
    /// as in a replay of the platform. `None` if they don't name a variant.
    ///
    /// # Errors
    /// If a parameter of this contest is malformed; the error says what was expected.
    fn parameterised(&self, _parameters: &str) -> Result<Option<Box<dyn Contest>>, Unreadable> {
        Ok(None)
    }

    /// Perft: counts of move sequences from the start, for checking the rules. By default through the referee, which is
    /// slow, where one of several seats moves at a time; otherwise `None`.
    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        let setup = Setup { seed: 0, opening_plies: 0, limits: self.limits() };
        let counted = RefereePerft::new(move || self.new_game(setup));
        (self.seats() > 1 && counted.asks_one()).then(|| Box::new(counted) as Box<dyn Perft>)
    }

    /// Runs the contest's searches on fixed positions with fixed budgets. The results change if and only if a search's
    /// behaviour changes. By default each of [`Contest::searches`] on positions of random games; may be empty.
    fn bench(&self) -> Vec<BenchResult> {
        self.searches().map_or_else(Vec::new, |searches| bench::of_searches(&*searches))
    }

    /// The searches that run inside the calling program: for consoles, servers and games without processes. See
    /// [`GameSearches`](crate::session::GameSearches) where moves can be listed, and
    /// [`Refereed`](crate::session::Refereed) where moves can't be listed.
    fn searches(&self) -> Option<Box<dyn Searches>> {
        None
    }

    /// Players that solve the tasks of a single-player contest without a protocol.
    fn single_player(&self) -> Option<&dyn SinglePlayer> {
        None
    }
}

impl dyn Contest + '_ {
    /// Descriptions of [`Contest::searches`]; may be empty.
    pub fn search_list(&self) -> Vec<SearchInfo> {
        self.searches().map_or_else(Vec::new, |searches| searches.list())
    }

    /// A session from the start position with one of [`Contest::searches`].
    ///
    /// # Errors
    /// If the search or a parameter is unknown, or a value is invalid.
    pub fn session(
        &self,
        search: &str,
        settings: &SessionSettings,
    ) -> Result<Box<dyn Session>, SessionError> {
        match self.searches() {
            Some(searches) => searches.session(search, settings),
            None => Err(self.no_search(search).into()),
        }
    }

    /// Plays the bot's side of the protocol with one of [`Contest::searches`], until the input ends.
    ///
    /// # Errors
    /// If the search is unknown, or a read or write failed.
    #[cfg(feature = "serve")]
    pub fn serve(
        &self,
        search: &str,
        settings: &ServeSettings,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), InputError> {
        match self.searches() {
            Some(searches) => searches.serve(search, settings, input, output),
            None => Err(refused(self.no_search(search))),
        }
    }

    fn no_search(&self, search: &str) -> String {
        format!("no search \"{search}\": {} has none", self.name())
    }
}
