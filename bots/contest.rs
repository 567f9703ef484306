//! The interface between a contest and the programs that run it.
//!
//! Each contest's folder implements [`Contest`] once. A program that runs matches, such as the arena, needs nothing
//! else: it moves lines between processes and this trait, and knows no rule of any game.

use std::fmt;
use std::time::Duration;

#[cfg(feature = "serve")]
use crate::attend::Attendance;
use crate::session::{SearchInfo, Session, SessionSettings};
#[cfg(feature = "serve")]
use coppice::input::InputError;
use coppice::Budget;
#[cfg(feature = "serve")]
use std::io::{BufRead, Write};

/// The index of a bot in a game. Seat 0 moves first or has the first starting place.
pub type Seat = usize;

/// Time limits, from the moment the referee begins to send a turn until it has read the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For a seat's first answer.
    pub first: Duration,
    /// For each answer after it.
    pub later: Duration,
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
    /// Determines everything that is random.
    pub seed: u64,
    /// Number of random legal moves before the first turn; fewer if the game would end.
    pub opening_plies: u32,
    /// The time limits, which some protocols send to the bots.
    pub limits: Limits,
}

/// A contest: its name, its seats, its limits, and its games.
pub trait Contest: Send + Sync {
    /// The name on the command line and of the folder.
    fn name(&self) -> &str;

    /// The words of a variant, such as `M N K`; `None` if there is only one variant.
    fn variants(&self) -> Option<&'static str> {
        None
    }

    /// The contest in another variant, whose words follow the name, as in `mnk:7,7,5`.
    ///
    /// # Errors
    /// If the words are invalid.
    fn variant(&self, _words: &str) -> Result<Box<dyn Contest>, String> {
        Err(format!("{} has no variants", self.name()))
    }

    /// The contest in the variant of a recorded game, from the first lines sent to a seat; `None` if the protocol's
    /// lines don't contain the variant.
    fn recorded(&self, _lines: &[&str]) -> Option<Box<dyn Contest>> {
        None
    }

    /// The number of bots in a game.
    fn seats(&self) -> usize;

    /// The platform's time limits.
    fn limits(&self) -> Limits;

    /// The default number of random plies at the start of a match; 0 if the platform's protocol can't tell the bots
    /// about them.
    fn opening_plies(&self) -> u32 {
        0
    }

    /// The platform's limits for a whole game, if it has any.
    fn allowance(&self) -> Allowance {
        Allowance::default()
    }

    /// A new game.
    fn new_game(&self, setup: Setup) -> Box<dyn Referee>;

    /// The number of move sequences of `depth` plies from the start. The contest decides how passes and finished
    /// games count.
    fn perft(&self, depth: u32) -> u64;

    /// [`Contest::perft`] split by first move, in the order of the rules.
    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// The results of the contest's searches on fixed positions with fixed budgets. They change if and only if
    /// behaviour changes.
    fn behaviour(&self) -> Vec<Behaviour>;

    /// The searches available in a session, the submitted bot first.
    fn searches(&self) -> Vec<SearchInfo> {
        Vec::new()
    }

    /// A session from the start position with one of [`Contest::searches`].
    ///
    /// # Errors
    /// If there is no such search, or it lacks one of the parameters.
    fn session(&self, search: &str, _settings: &SessionSettings) -> Result<Box<dyn Session>, String> {
        Err(format!("no search \"{search}\": {} has none", self.name()))
    }

    /// The players of [`Contest::attempt`], for a single-player contest.
    fn ways(&self) -> Vec<SearchInfo> {
        Vec::new()
    }

    /// Solves the task of a seed, such as a terrain or a puzzle, with one of [`Contest::ways`] and without a
    /// protocol. `budget` is called at the start of each turn.
    ///
    /// # Errors
    /// If there is no such player, or it lacks one of the parameters.
    fn attempt(
        &self,
        way: &str,
        _settings: &SessionSettings,
        _seed: u64,
        _budget: &dyn Fn() -> Budget,
    ) -> Result<Attempt, String> {
        Err(format!("no player \"{way}\": {} is not for one", self.name()))
    }

    /// Plays the bot's side of the protocol with one of [`Contest::searches`], until the input ends.
    ///
    /// # Errors
    /// The reason the game ended, or that there is no such search.
    #[cfg(feature = "serve")]
    fn attend(
        &self,
        search: &str,
        _attendance: &Attendance,
        _input: &mut dyn BufRead,
        _output: &mut dyn Write,
    ) -> Result<(), InputError> {
        Err(crate::attend::refused(format!("no search \"{search}\": {} has none", self.name())))
    }
}

/// The result of a single-player task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Whether the task was solved.
    pub is_done: bool,
    /// The score that a referee would give.
    pub score: i64,
    /// The duration of the slowest turn.
    pub slowest: Duration,
}

/// The result of one search on a contest's fixed positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behaviour {
    /// The search and its settings, in a few words.
    pub search: &'static str,
    /// Nodes visited over all positions.
    pub nodes: u64,
    /// A hash of all moves and scores.
    pub digest: u64,
}

/// One game in progress, as the referee's side of the protocol.
///
/// The caller sends [`Referee::turn`] to every seat of [`Referee::asked`] and passes each answer to
/// [`Referee::answer`], or calls [`Referee::forfeit`] if there was none, until no seat is asked.
pub trait Referee {
    /// The lines sent once to `seat`, before its first turn. Empty or ends in a newline.
    fn init(&self, seat: Seat) -> String;

    /// The seats to ask now: one, or several if moves are simultaneous; none when the game is over.
    fn asked(&self) -> Vec<Seat>;

    /// The lines of a turn for a seat that is asked. Ends in a newline.
    fn turn(&self, seat: Seat) -> String;

    /// The number of lines at the end of [`Referee::turn`] that may come in any order, because the published referee
    /// shuffles them.
    fn unordered_lines(&self, _seat: Seat) -> usize {
        0
    }

    /// The number of lines in the answer to [`Referee::turn`], including on a seat's first turn the reply to
    /// [`Referee::init`].
    fn answer_lines(&self, _seat: Seat) -> usize {
        1
    }

    /// Whether `line` may follow an answer unasked: in some protocols bots announce the end of the game.
    fn may_follow(&self, _seat: Seat, _answer: &str, _line: &str) -> bool {
        false
    }

    /// Processes a seat's answer, given without its final newline.
    ///
    /// # Errors
    /// A [`Fault`] if the answer can't be parsed or isn't allowed now. The game is then unchanged, and the caller
    /// should [`Referee::forfeit`] the seat.
    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault>;

    /// Checks whether [`Referee::answer`] would accept this answer.
    ///
    /// # Errors
    /// Those of [`Referee::answer`].
    fn check(&self, seat: Seat, line: &str) -> Result<(), Fault> {
        self.move_of(seat, line).map(drop)
    }

    /// The move of an answer, written as in [`Referee::moves`].
    ///
    /// # Errors
    /// Those of [`Referee::answer`].
    fn move_of(&self, seat: Seat, line: &str) -> Result<String, Fault>;

    /// Makes a move of the opening, of either player, written as in [`Referee::moves`]. Only before any seat has been
    /// asked.
    ///
    /// # Errors
    /// If the move isn't legal: what would be. The game is then unchanged.
    fn open(&mut self, text: &str) -> Result<(), String>;

    /// Makes a seat lose: it broke a rule, ran out of time, or its process ended.
    fn forfeit(&mut self, seat: Seat);

    /// Points by seat, higher is better: 1 and 0 for a win, 0 and 0 for a draw, unless the contest counts
    /// differently. Meaningful once no seat is asked.
    fn scores(&self) -> Vec<i64>;

    /// The moves so far, including the opening, separated by spaces. So no move contains a space.
    fn moves(&self) -> String;

    /// A drawing of the position in several lines, without a final newline.
    fn show(&self) -> String;

    /// The legal moves of a seat that is asked, in the order of the rules, each written as in [`Referee::moves`].
    fn legal_moves(&self, seat: Seat) -> Vec<String>;

    /// The answer that makes a move written as in [`Referee::moves`], for a seat that is asked. [`Referee::check`]
    /// tells whether the move is legal.
    fn answer_of(&self, _seat: Seat, text: &str) -> String {
        text.to_owned()
    }
}

/// The reason an answer was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// A description of what would have been accepted.
    pub expected: String,
}

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// Not a line of this protocol.
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

#[cfg(test)]
mod tests {
    use super::*;
    use coppice::Rng;

    /// Plays a random game from a random opening; returns the number of moves that the seats made.
    fn random_game(contest: &dyn Contest, seed: u64) -> usize {
        let mut rng = Rng::new(seed);
        let setup = Setup { seed, opening_plies: (seed % 3) as u32, limits: contest.limits() };
        let mut referee = contest.new_game(setup);
        let mut made = 0;
        while let Some(&seat) = referee.asked().first() {
            let before = referee.moves();
            let legal = referee.legal_moves(seat);
            for text in &legal {
                assert!(!text.is_empty() && !text.contains(char::is_whitespace), "{text}");
                referee.check(seat, &referee.answer_of(seat, text)).unwrap_or_else(|fault| {
                    panic!("{}: {text} after {before}: {fault}", contest.name());
                });
            }
            assert!(!referee.show().ends_with('\n') && referee.show().lines().count() > 1);
            let text = &legal[rng.below(legal.len() as u32) as usize];
            referee.answer(seat, &referee.answer_of(seat, text)).expect("a legal move");
            let new = referee.moves().split_off(before.len());
            assert_eq!(new.split_whitespace().next(), Some(text.as_str()), "{}", contest.name());
            made += 1;
            assert_eq!(reopened(contest, seed, &*referee).show(), referee.show());
        }
        made
    }

    /// Replays all moves of a game as the opening of another with the same seed. A move may trigger further ones.
    fn reopened(contest: &dyn Contest, seed: u64, game: &dyn Referee) -> Box<dyn Referee> {
        let mut referee = contest.new_game(Setup { seed, opening_plies: 0, limits: contest.limits() });
        let moves = game.moves();
        while let Some(text) = moves.split_whitespace().nth(referee.moves().split_whitespace().count()) {
            assert!(referee.open("what").is_err());
            referee.open(text).unwrap_or_else(|error| panic!("{}: {error}", contest.name()));
        }
        assert_eq!((referee.moves(), referee.asked()), (moves, game.asked()));
        // A seat that joins only now gets the same position as one that played.
        if let Some(&seat) = referee.asked().first() {
            let answer = referee.answer_of(seat, &referee.legal_moves(seat)[0]);
            assert_eq!(referee.move_of(seat, &answer).as_ref(), Ok(&referee.legal_moves(seat)[0]));
        }
        referee
    }

    #[test]
    fn what_is_listed_as_legal_can_be_answered() {
        for contest in crate::contests() {
            let made: usize = (0..12).map(|seed| random_game(*contest, seed)).sum();
            let shortest = if contest.name() == "sudoku" { 1 } else { 5 };
            assert!(made >= 12 * shortest, "{}: {made}", contest.name());
        }
    }

    #[test]
    fn positions_are_drawn() {
        let drawn = |name: &str| {
            let contest = crate::contest(name).expect("a contest");
            let setup = Setup { seed: 1, opening_plies: 0, limits: contest.limits() };
            contest.new_game(setup).show()
        };
        let reversi = drawn("reversi");
        assert_eq!(reversi.lines().nth(4), Some("4 . . * 1 0 . . ."));
        assert_eq!(reversi.lines().last(), Some("black 2, white 2; black (0) to move"));
        assert_eq!(drawn("tictactoe"), "...\n...\n...\nx to move");
        let mnk = drawn("mnk");
        assert_eq!(
            (mnk.lines().next(), mnk.lines().nth(7)),
            (Some("  0 1 2 3 4 5 6"), Some("6 . . . . . . ."))
        );
        assert_eq!(mnk.lines().last(), Some("5 in a line; x to move"));
    }
}
