//! What a referee needs to know of a contest.
//!
//! A contest's folder implements [`Contest`] once; whoever runs matches (the arena) needs nothing
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

/// The index of a bot in a game: 0 moves first or has the first starting place.
pub type Seat = usize;

/// Time from the moment the referee begins to send a turn to the moment the answer has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For a seat's first answer.
    pub first: Duration,
    /// For each answer after it.
    pub later: Duration,
}

/// What each bot may use of the machine in a whole game; nothing is limited by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Processor time over all turns, user and system.
    pub cpu: Option<Duration>,
    /// Memory of each of its processes.
    pub memory_bytes: Option<u64>,
}

/// What a game is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// Decides everything that is random.
    pub seed: u64,
    /// Random legal moves in front of the first that a bot is asked for: fewer if the game would end.
    pub opening_plies: u32,
    /// The limits it is played by, which some protocols tell the bots.
    pub limits: Limits,
}

/// A contest: its name, its seats, its limits, and how a game of it begins.
pub trait Contest: Send + Sync {
    /// The name on the command line and of the folder.
    fn name(&self) -> &str;

    /// What the words of a variant stand for, as `M N K`; `None` if there is one variant alone.
    fn variants(&self) -> Option<&'static str> {
        None
    }

    /// The contest in another variant, whose words stand behind the name, as in `mnk:7,7,5`.
    ///
    /// # Errors
    /// What is wrong with them.
    fn variant(&self, _words: &str) -> Result<Box<dyn Contest>, String> {
        Err(format!("{} has no variants", self.name()))
    }

    /// The contest in the variant of a recorded game, from the lines that a seat was sent first; `None` where a
    /// protocol's lines don't tell it.
    fn recorded(&self, _lines: &[&str]) -> Option<Box<dyn Contest>> {
        None
    }

    /// How many bots play one game.
    fn seats(&self) -> usize;

    /// The platform's time limits.
    fn limits(&self) -> Limits;

    /// The random plies that a match begins with if nobody says how many: none where the platform's protocol can't
    /// tell the bots about them.
    fn opening_plies(&self) -> u32 {
        0
    }

    /// The platform's limits for a whole game, if it has any.
    fn allowance(&self) -> Allowance {
        Allowance::default()
    }

    /// A new game.
    fn new_game(&self, setup: Setup) -> Box<dyn Referee>;

    /// The number of move sequences of `depth` plies from the start, by the contest's custom in
    /// counting passes and games that ended earlier.
    fn perft(&self, depth: u32) -> u64;

    /// [`Contest::perft`] split by first move, in the order in which the rules list them.
    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// What the contest's searches do with fixed positions under fixed budgets: it changes when, and
    /// only when, behaviour changes.
    fn behaviour(&self) -> Vec<Behaviour>;

    /// The searches that a session can be had with: what the contest's bot submits first.
    fn searches(&self) -> Vec<SearchInfo> {
        Vec::new()
    }

    /// A session from the start position with one of [`Contest::searches`].
    ///
    /// # Errors
    /// If there is no such search, or it doesn't have one of the parameters.
    fn session(&self, search: &str, _settings: &SessionSettings) -> Result<Box<dyn Session>, String> {
        Err(format!("no search \"{search}\": {} has none", self.name()))
    }

    /// The players that [`Contest::attempt`] knows, if this is a contest for one.
    fn ways(&self) -> Vec<SearchInfo> {
        Vec::new()
    }

    /// Does the task of a seed, a terrain or a puzzle, with one of [`Contest::ways`] and no protocol in between;
    /// `budget` is asked at the beginning of each turn.
    ///
    /// # Errors
    /// If there is no such way, or it doesn't have one of the parameters.
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
    /// Why the game ended, or that there is no such search.
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

/// What came of the task of a contest for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Whether it was done at all.
    pub is_done: bool,
    /// The points that a referee would give.
    pub score: i64,
    /// The longest that a turn took.
    pub slowest: Duration,
}

/// What one search did with a contest's fixed positions.
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
/// The caller repeats: ask every seat of [`Referee::asked`] with [`Referee::turn`], hand each
/// answer to [`Referee::answer`] (or [`Referee::forfeit`] where there was none), until nobody is
/// asked any more.
pub trait Referee {
    /// The lines sent once to `seat`, in front of its first turn. Empty or ends in a newline.
    fn init(&self, seat: Seat) -> String;

    /// The seats to ask now: one, or several where moves are simultaneous; none when the game is
    /// over.
    fn asked(&self) -> Vec<Seat>;

    /// The lines of the turn for a seat that is asked. Ends in a newline.
    fn turn(&self, seat: Seat) -> String;

    /// How many lines at the end of [`Referee::turn`] may come in any order: the published referee
    /// shuffles them.
    fn unordered_lines(&self, _seat: Seat) -> usize {
        0
    }

    /// How many lines the answer to [`Referee::turn`] has, on a seat's first turn with the reply to
    /// [`Referee::init`].
    fn answer_lines(&self, _seat: Seat) -> usize {
        1
    }

    /// Whether `line` may come behind an answer although nobody asked for it: some protocols have bots
    /// say that the game is over.
    fn may_follow(&self, _seat: Seat, _answer: &str, _line: &str) -> bool {
        false
    }

    /// Takes a seat's answer, without its last line end.
    ///
    /// # Errors
    /// A [`Fault`] if the answer can't be read or isn't allowed now; the game has not changed then,
    /// and the caller is expected to [`Referee::forfeit`] the seat.
    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault>;

    /// Whether [`Referee::answer`] would take this answer.
    ///
    /// # Errors
    /// Those of [`Referee::answer`].
    fn check(&self, seat: Seat, line: &str) -> Result<(), Fault> {
        self.move_of(seat, line).map(drop)
    }

    /// The move that an answer makes, written as in [`Referee::moves`].
    ///
    /// # Errors
    /// Those of [`Referee::answer`].
    fn move_of(&self, seat: Seat, line: &str) -> Result<String, Fault>;

    /// Makes a move of the opening, written as in [`Referee::moves`], whoever's it is: only before anybody has
    /// been asked.
    ///
    /// # Errors
    /// If it isn't legal: what would be. The game has not changed then.
    fn open(&mut self, text: &str) -> Result<(), String>;

    /// Takes a seat out of the game: it broke a rule, its time ran out, or its process ended.
    fn forfeit(&mut self, seat: Seat);

    /// Points by seat, higher is better: 1, 0 for a win and 0, 0 for a draw unless the contest
    /// counts something else. Meaningful once nobody is asked any more.
    fn scores(&self) -> Vec<i64>;

    /// The moves so far, the opening's included, separated by spaces; so no move has one in it.
    fn moves(&self) -> String;

    /// The position, drawn for people: some lines, the last without a line end.
    fn show(&self) -> String;

    /// What a seat that is asked may do, in the order of the rules, each move written as in
    /// [`Referee::moves`].
    fn legal_moves(&self, seat: Seat) -> Vec<String>;

    /// The answer by which a seat that is asked makes a move written as in [`Referee::moves`]. Whether the move
    /// is legal is for [`Referee::check`] to say.
    fn answer_of(&self, _seat: Seat, text: &str) -> String {
        text.to_owned()
    }
}

/// Why an answer was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Whether the answer could be read at all.
    pub kind: FaultKind,
    /// What would have been accepted.
    pub expected: String,
}

/// The two ways in which an answer can be wrong.
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

    /// A random game from a random opening; says how many moves the seats made.
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

    /// A game whose opening is all of another from the same seed, which may make more than openings.
    fn reopened(contest: &dyn Contest, seed: u64, game: &dyn Referee) -> Box<dyn Referee> {
        let mut referee = contest.new_game(Setup { seed, opening_plies: 0, limits: contest.limits() });
        let moves = game.moves();
        while let Some(text) = moves.split_whitespace().nth(referee.moves().split_whitespace().count()) {
            assert!(referee.open("what").is_err());
            referee.open(text).unwrap_or_else(|error| panic!("{}: {error}", contest.name()));
        }
        assert_eq!((referee.moves(), referee.asked()), (moves, game.asked()));
        // One who hears of the game only now is told the same position as one who played it.
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
