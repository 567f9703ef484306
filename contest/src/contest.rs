//! What a referee must know of a contest.

#[cfg(feature = "serve")]
use std::io::{BufRead, Write};
use std::time::Duration;

#[cfg(feature = "serve")]
use coppice::input::InputError;

use crate::perft::Perft;
use crate::referee::Referee;
#[cfg(feature = "serve")]
use crate::serve::{refused, ServeSettings};
use crate::session::{SearchInfo, Searches, Session, SessionSettings};
use crate::single_player::SinglePlayer;

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
///
/// These four are required. Everything else has a default: a contest that offers more (move counts, searches,
/// benchmarks, players without a protocol) returns it from the method of that name.
pub trait Contest: Send + Sync {
    /// The name on the command line and of the folder.
    fn name(&self) -> &str;

    /// How many bots play one game.
    fn seats(&self) -> usize;

    /// The platform's time limits.
    fn limits(&self) -> Limits;

    /// A new game.
    fn new_game(&self, setup: Setup) -> Box<dyn Referee>;

    /// The number of random plies at the beginning of a match unless the user chooses another: none where the
    /// platform's protocol can't tell the bots about them.
    fn opening_plies(&self) -> u32 {
        0
    }

    /// The platform's limits for a whole game, if it has any.
    fn allowance(&self) -> Allowance {
        Allowance::default()
    }

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

    /// Counts of the move sequences from the start, which show whether the rules are right.
    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        None
    }

    /// Runs the contest's searches on fixed positions with fixed budgets. The results change when, and only
    /// when, a search behaves otherwise.
    fn bench(&self) -> Vec<BenchResult> {
        Vec::new()
    }

    /// The searches that can think about the contest's positions inside the calling program: for consoles, servers
    /// and games without processes.
    fn searches(&self) -> Option<Box<dyn Searches>> {
        None
    }

    /// Players that do the contest's task without a protocol, if it is for one player.
    fn single_player(&self) -> Option<&dyn SinglePlayer> {
        None
    }
}

impl dyn Contest + '_ {
    /// What [`Contest::searches`] are there.
    pub fn search_list(&self) -> Vec<SearchInfo> {
        self.searches().map_or_else(Vec::new, |searches| searches.list())
    }

    /// A session from the start position with one of [`Contest::searches`].
    ///
    /// # Errors
    /// If there is no such search, or it doesn't have one of the parameters.
    pub fn session(&self, search: &str, settings: &SessionSettings) -> Result<Box<dyn Session>, String> {
        match self.searches() {
            Some(searches) => searches.session(search, settings),
            None => Err(self.no_search(search)),
        }
    }

    /// Plays the bot's side of the protocol with one of [`Contest::searches`], until the input ends.
    ///
    /// # Errors
    /// Why the game ended, or that there is no such search.
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

/// What one search did with a contest's fixed positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchResult {
    /// The search and its settings, in a few words.
    pub search: &'static str,
    /// Nodes visited over all positions.
    pub nodes: u64,
    /// A hash of all moves and scores.
    pub digest: u64,
}
