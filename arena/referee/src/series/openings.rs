//! The openings of a run's games.

use std::fmt;
use std::path::Path;

use contest::session::{SessionError, SessionSettings};
use contest::{utf8, Contest, IllegalMove, Referee, Setup};
use coppice::rng::split_mix;
use coppice::Budget;
use sha2::{Digest, Sha256};

use crate::series::SeriesError;

/// The number of random openings from which a balanced one is chosen.
const CANDIDATES: u32 = 8;

/// The nodes with which each of them is judged.
const NODES: u64 = 5_000;

/// How games begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Openings {
    /// Random plies from the game's seed.
    Random {
        /// The number of plies; fewer if the game would end.
        plies: u32,
    },
    /// The most even of eight random openings, as judged by a short search of the contest's bot.
    Balanced {
        /// The number of random plies.
        plies: u32,
    },
    /// The lines of a file, in turn.
    Listed {
        /// The file's name, for messages.
        name: String,
        /// A hash of the lines.
        hash: String,
        /// Moves as in [`Referee::moves`].
        lines: Vec<String>,
    },
}

impl Default for Openings {
    fn default() -> Self {
        Self::Random { plies: 0 }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random { plies } => write!(f, "{plies} random plies"),
            Self::Balanced { plies } => write!(f, "{plies} balanced plies"),
            Self::Listed { name, hash, lines } => {
                write!(f, "{} openings of {name} (hash {hash})", lines.len())
            }
        }
    }
}

impl Openings {
    /// The number of random plies requested; `None` for openings from a file.
    pub fn plies(&self) -> u32 {
        match self {
            Self::Random { plies } | Self::Balanced { plies } => *plies,
            Self::Listed { .. } => 0,
        }
    }

    /// Reads a file with an opening per line: moves as in games.jsonl, separated by spaces. Comments from `#` on and
    /// empty lines are ignored.
    ///
    /// # Errors
    /// If the file can't be read, has no opening, or has an illegal one, with its line.
    pub fn read(path: &Path, contest: &dyn Contest) -> Result<Self, SeriesError> {
        let fail = |line, reason| SeriesError::Openings { path: path.to_owned(), line, reason };
        let text = utf8::read_to_string(path).map_err(|error| fail(0, error.to_string()))?;
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let moves = line.split_once('#').map_or(line, |(moves, _)| moves).trim();
            if moves.is_empty() {
                continue;
            }
            let setup = Setup { seed: 0, opening_plies: 0, limits: contest.limits() };
            begin_with(contest, setup, moves).map_err(|error| fail(number, error.to_string()))?;
            lines.push(moves.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        if lines.is_empty() {
            return Err(fail(
                0,
                "it has no opening; expected one per line, moves separated by spaces".to_owned(),
            ));
        }
        let digest = Sha256::digest(lines.join("\n"));
        let hash = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self::Listed { name, hash, lines })
    }

    /// The game with its opening played; `setup` has its seed and limits, `number` is the opening's number in the run,
    /// from 0.
    ///
    /// # Errors
    /// If the contest can't begin with the opening.
    pub fn begin(
        &self,
        contest: &dyn Contest,
        setup: Setup,
        number: u32,
    ) -> Result<Box<dyn Referee>, SeriesError> {
        let fail = |reason| SeriesError::Opening { contest: contest.name().to_owned(), reason };
        match self {
            Self::Random { plies } => Ok(contest.new_game(Setup { opening_plies: *plies, ..setup })),
            Self::Balanced { plies } => {
                let seed = balanced_seed(contest, setup, *plies).map_err(fail)?;
                Ok(contest.new_game(Setup { seed, opening_plies: *plies, ..setup }))
            }
            Self::Listed { lines, .. } => {
                let line = lines.get(number as usize % lines.len().max(1)).map_or("", String::as_str);
                begin_with(contest, setup, line).map_err(fail)
            }
        }
    }
}

/// The reason that a game can't begin with an opening.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// A move isn't legal.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// No seat has a move left.
    #[error("the game is over after these moves: leave some out")]
    Over,
    /// Openings are balanced by one of the contest's searches.
    #[error("the contest has no search to balance openings with; leave --balance out")]
    NoSearch,
    /// A score is for one seat, and several are to move.
    #[error("openings of simultaneous moves can't be balanced; leave --balance out")]
    Simultaneous,
    /// The search can't start.
    #[error(transparent)]
    Search(#[from] SessionError),
}

/// A game that begins with these moves, separated by spaces.
pub(super) fn begin_with(
    contest: &dyn Contest,
    setup: Setup,
    moves: &str,
) -> Result<Box<dyn Referee>, OpeningError> {
    let mut referee = contest.new_game(Setup { opening_plies: 0, ..setup });
    // A referee may pass by itself; the recorded moves contain that pass.
    while let Some(next) = moves.split_whitespace().nth(referee.moves().split_whitespace().count()) {
        referee.open(next)?;
    }
    match referee.asked().is_empty() {
        true => Err(OpeningError::Over),
        false => Ok(referee),
    }
}

/// The seed whose opening is most even, of several derived from the setup's; ties go to the first.
fn balanced_seed(contest: &dyn Contest, setup: Setup, plies: u32) -> Result<u64, OpeningError> {
    let search = contest.search_list().first().map(|info| info.name);
    let search = search.ok_or(OpeningError::NoSearch)?;
    if contest.new_game(setup).asked().len() > 1 {
        return Err(OpeningError::Simultaneous);
    }
    let mut session = contest.session(search, &SessionSettings::default())?;
    let mut state = setup.seed;
    let mut best = None;
    for _ in 0..CANDIDATES {
        let seed = split_mix(&mut state);
        let game = contest.new_game(Setup { seed, opening_plies: plies, ..setup });
        session.take_back_to(0);
        for name in game.moves().split_whitespace() {
            session.play(name)?;
        }
        let distance = session.think(Budget::nodes(NODES)).score.value().unsigned_abs();
        if best.is_none_or(|(nearest, _)| distance < nearest) {
            best = Some((distance, seed));
        }
    }
    Ok(best.map_or(setup.seed, |(_, seed)| seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reversi() -> &'static dyn Contest {
        bots_searches::contest("reversi").unwrap()
    }

    fn setup(seed: u64) -> Setup {
        Setup { seed, opening_plies: 0, limits: reversi().limits() }
    }

    fn read(text: &str) -> Result<Openings, SeriesError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.txt");
        std::fs::write(&path, text).unwrap();
        Openings::read(&path, reversi())
    }

    #[test]
    fn a_file_s_openings_take_turns() {
        let book = read("\u{feff}# two openings\nd3 c5\n\n  c4   c3 # diagonal\n").unwrap();
        let moves = |number| book.begin(reversi(), setup(1), number).unwrap().moves();
        assert_eq!([0, 1, 2].map(moves), ["d3 c5", "c4 c3", "d3 c5"]);
        assert!(book.to_string().starts_with("2 openings of book.txt (hash "), "{book}");
        let marked = read("\u{feff}d3 c5\n").unwrap();
        assert_eq!(
            marked.to_string(),
            read("d3 c5\n").unwrap().to_string(),
            "a byte order mark doesn't belong to the opening"
        );
    }

    #[test]
    fn a_wrong_file_is_named_with_its_line() {
        let error = read("d3 c5\nd3 d3\n").unwrap_err().to_string();
        assert!(error.contains("book.txt:2: ") && error.contains("d3"), "{error}");
        assert!(read("# nothing\n").unwrap_err().to_string().contains("no opening"));
        assert!(Openings::read(Path::new("no such book"), reversi()).is_err());
    }

    #[test]
    fn balanced_openings_are_the_same_each_time_and_nearer_to_even() {
        let value = |moves: &str| {
            let mut session = reversi().session("alpha-beta", &SessionSettings::default()).unwrap();
            moves.split_whitespace().for_each(|name| session.play(name).unwrap());
            session.think(Budget::nodes(20_000)).score.value().unsigned_abs()
        };
        let (mut random, mut balanced) = (0, 0);
        for seed in 1..=24 {
            let begin = |openings: Openings| openings.begin(reversi(), setup(seed), 0).unwrap().moves();
            let chosen = begin(Openings::Balanced { plies: 8 });
            assert_eq!(chosen, begin(Openings::Balanced { plies: 8 }));
            random += value(&begin(Openings::Random { plies: 8 }));
            balanced += value(&chosen);
        }
        assert!(balanced * 2 < random, "{balanced} and {random}");
    }
}
