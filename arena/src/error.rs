//! The arena's error type: its messages and exit codes.

use std::io;
use std::path::{Path, PathBuf};

use crate::external::RefereeError;
use crate::game::in_process::InProcessError;
use crate::game::GameError;
use crate::process::command_line::CommandLineError;
use crate::record::games::GamesError;
use crate::scaffold::ScaffoldError;
use crate::stats::{LikelihoodError, SprtError};
use crate::tune::ask::AskError;
use crate::tune::log::LogError;

/// An error of the arena itself. A bot's fault is a result, not an error.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// There is no such contest.
    #[error("unknown contest `{name}`; available: {}", .known.join(", "))]
    UnknownContest {
        /// The requested name.
        name: String,
        /// The available names.
        known: Vec<String>,
    },
    /// The words after a contest's name don't name a variant of it.
    #[error("no such variant of {contest}: {reason}")]
    Variant {
        /// The contest.
        contest: String,
        /// The mistake.
        reason: String,
    },
    /// There is no such study.
    #[error("unknown study `{name}`; available: {}, or the path of a study's TOML file", .known.join(", "))]
    UnknownStudy {
        /// The requested name.
        name: String,
        /// The available names.
        known: Vec<String>,
    },
    /// A file is not a valid study.
    #[error(transparent)]
    Study(Box<dyn std::error::Error + Send + Sync>),
    /// A search ended without a proof.
    #[error("{0}")]
    Unsolved(String),
    /// A row of a study can't be measured.
    #[error("{place}: {error}")]
    StudyRow {
        /// The study and the row.
        place: String,
        /// The error.
        error: Box<ArenaError>,
    },
    /// A study's file, document or picture can't be read or written.
    #[error("{}: {source}", .path.display())]
    StudyFile {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Too few or too many bots.
    #[error(
        "a game of {contest} has {seats} bot{}, but {given} command line{} given; put quotes around each",
        if *.seats == 1 { "" } else { "s" }, if *.given == 1 { " was" } else { "s were" }
    )]
    WrongBots {
        /// The contest.
        contest: String,
        /// Its seats.
        seats: usize,
        /// The bots on the command line.
        given: usize,
    },
    /// Too few bots to rate.
    #[error("rating {contest} needs at least {needed} bots, but {given} command line{} given; put quotes around each",
            if *.given == 1 { " was" } else { "s were" })]
    TooFewBots {
        /// The contest.
        contest: String,
        /// The fewest.
        needed: usize,
        /// The bots on the command line.
        given: usize,
    },
    /// More games than can be counted.
    #[error("{games} games for each of {lineups} line-ups are too many to count: give a smaller -n")]
    TooManyGames {
        /// Games for each.
        games: u32,
        /// The number of line-ups.
        lineups: usize,
    },
    /// The bots are given in two ways.
    #[error("give the bots either one after the other or as -p1, -p2, ..., not both")]
    BotsTwice,
    /// An external referee can't play against searches of this program.
    #[error(
        "an external referee starts its bots itself: give programs in place of in: searches; if its protocol is that of a \
         contest here, 'arena as-bot CONTEST in:SEARCH' is one"
    )]
    SearchesOutside,
    /// People can't play through an external referee, nor in runs.
    #[error("a human plays contests of this program, with `arena play CONTEST human BOT`; an external referee starts its bots itself")]
    PeopleOutside,
    /// Options that an external referee can't follow.
    #[error("{options} are for contests of this program; an external referee has its own (--referee-arg)")]
    Outside {
        /// The options.
        options: &'static str,
    },
    /// An external referee can't be used.
    #[error(transparent)]
    Referee(RefereeError),
    /// A new package can't be written.
    #[error(transparent)]
    Scaffold(#[from] ScaffoldError),
    /// A page can't be written.
    #[error(transparent)]
    Page(Box<dyn std::error::Error + Send + Sync>),
    /// Openings of two kinds.
    #[error("--opening-file has its own openings: leave --openings and --balance out")]
    OpeningsTwice,
    /// The number of games is not a multiple of the group size.
    #[error("{games} games are not a whole number of groups: each opening is played {size} times, so give -n {more}")]
    NotWholeGroups {
        /// The requested number.
        games: u32,
        /// Games per opening.
        size: u32,
        /// The next multiple of `size`.
        more: u32,
    },
    /// Invalid parameters of a sequential test.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// A likelihood ratio could not be computed.
    #[error(transparent)]
    Likelihood(#[from] LikelihoodError),
    /// A bot failed repeatedly in its first games.
    #[error(
        "stopped: bot {bot} failed in {failures} of its first {games} games, the last time in game {game}, {fault}\n\
         run `arena check {contest} {command}` to test it; --keep-going plays on regardless"
    )]
    KeepsFailing {
        /// Its name.
        bot: String,
        /// The contest.
        contest: String,
        /// Its command line, quoted.
        command: String,
        /// The number of failures.
        failures: u32,
        /// The number of games played.
        games: u32,
        /// The number of the last failed game.
        game: u32,
        /// The fault in that game.
        fault: String,
    },
    /// A bot's command line can't be split.
    #[error(transparent)]
    CommandLine(#[from] CommandLineError),
    /// A bot can't be started.
    #[error(
        "can't start bot {bot}, `{command}`, from {}: {source}\n\
         check the path, build the bot if necessary, and make sure that it is executable; put shell syntax \
         (variables, ~, pipes) into sh -c '...'",
        .folder.display()
    )]
    Start {
        /// The bot's name.
        bot: String,
        /// Its command line.
        command: String,
        /// The current folder.
        folder: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A bot's program isn't there or can't be run.
    #[error("bot {bot}, `{command}`, can't be started: {problem}")]
    Program {
        /// The bot's name.
        bot: String,
        /// Its command line.
        command: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The bot doesn't list its tunable parameters.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// A tuning log can't be used.
    #[error(transparent)]
    TuneLog(#[from] LogError),
    /// The tuned bot keeps failing.
    #[error(
        "stopped: the bot failed {failures} times in the first {games} games, the last time by {fault}\n\
         run `arena check {contest} {command}` to test it"
    )]
    TuneFails {
        /// The number of failures.
        failures: usize,
        /// The number of games played.
        games: u32,
        /// The last fault.
        fault: String,
        /// The contest.
        contest: String,
        /// Its command line, quoted.
        command: String,
    },
    /// A search of this program can't play.
    #[error(transparent)]
    InProcess(#[from] InProcessError),
    /// A game has no result.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The file of games can't be used.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// A file of finished games can't be used.
    #[error(transparent)]
    Results(Box<dyn std::error::Error + Send + Sync>),
    /// A pool can't be used.
    #[error("{error}")]
    Pool {
        /// The reason.
        error: Box<dyn std::error::Error + Send + Sync>,
        /// Whether the command line is to blame.
        is_usage: bool,
    },
    /// An opening file can't be used.
    #[error("{}: {reason}", place(.path, *.line))]
    Openings {
        /// The file.
        path: PathBuf,
        /// The line number, from 1; 0 if the error concerns the whole file.
        line: usize,
        /// The mistake.
        reason: String,
    },
    /// A game's opening can't be set up.
    #[error("can't begin a game of {contest}: {reason}")]
    Opening {
        /// The contest.
        contest: String,
        /// The reason.
        reason: String,
    },
    /// The logs can't be written.
    #[error("can't write to the log folder {}: {source}\ngive --log-dir a writable folder", .path.display())]
    LogDir {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Some of several files failed; each was reported already.
    #[error("{failed} of {of} files could not be {done}; the reasons are above")]
    Files {
        /// The number of failed files.
        failed: usize,
        /// The number of files.
        of: usize,
        /// The operation, as a participle: "imported".
        done: &'static str,
    },
    /// A checked bot has faults that lose games; the list was printed.
    #[error("{faults} faults: the bot will lose games")]
    Check {
        /// The number of checks with a fault.
        faults: usize,
    },
    /// Nothing to replay.
    #[error("no games found in {}: give bot logs, game records, replays or folders that contain them", .0.join(", "))]
    NoGames(Vec<String>),
    /// Recorded games contradict the rules, or the bot answers differently; the differences were printed.
    #[error("{}", disagreement(*.disagreeing, *.otherwise))]
    Disagreement {
        /// Games that contradict the rules, and files without a game.
        disagreeing: usize,
        /// Turns in which the bot's answer differs from the record.
        otherwise: usize,
    },
    /// The game's parameters (`-d`) can't be parsed.
    #[error("-d {word}: expected words NAME=VALUE, with whole numbers for seed and opening, as in seed=7")]
    Data {
        /// The invalid word.
        word: String,
    },
    /// The command line is invalid.
    #[error("{0}")]
    Usage(String),
    /// Invalid input from a file, a script or a socket.
    #[error("{reason}")]
    Script {
        /// The place and the reason.
        reason: String,
    },
    /// A file can't be written.
    #[error("can't write {}: {source}\ngive a writable path", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The machines of a cluster can't play.
    #[error("{0}")]
    Cluster(String),
    /// A worker thread can't be started.
    #[error("can't start a thread for another game: {0}\ngive a smaller -j")]
    Thread(io::Error),
    /// The results can't be written.
    #[error("can't write the results to the standard output: {0}")]
    Output(#[from] io::Error),
    /// Ctrl-C can't be caught.
    #[error("can't install the interrupt handler, so bots might be left running: {0}")]
    Handler(#[from] ctrlc::Error),
}

impl From<RefereeError> for ArenaError {
    fn from(error: RefereeError) -> Self {
        match error {
            RefereeError::Interrupted => Self::Game(GameError::Interrupted),
            error => Self::Referee(error),
        }
    }
}

/// Formats a place in a file as `path:line`.
fn place(path: &Path, line: usize) -> String {
    match line {
        0 => path.display().to_string(),
        _ => format!("{}:{line}", path.display()),
    }
}

/// The counts of [`ArenaError::Disagreement`] that aren't zero.
fn disagreement(disagreeing: usize, otherwise: usize) -> String {
    let games =
        (disagreeing > 0).then(|| format!("games or files that disagree with the rules: {disagreeing}"));
    let turns =
        (otherwise > 0).then(|| format!("turns in which the bot moved differently or failed: {otherwise}"));
    games.into_iter().chain(turns).collect::<Vec<_>>().join("; ")
}

/// The exit code after an interrupt: 128 and the number of SIGINT, as shells report it.
pub const INTERRUPTED: u8 = 130;

impl ArenaError {
    /// The program's exit code, as `--help` documents it.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::StudyRow { error, .. } => error.exit_code(),
            Self::Pool { is_usage: true, .. } => 2,
            Self::Game(GameError::Interrupted) => INTERRUPTED,
            Self::UnknownContest { .. }
            | Self::UnknownStudy { .. }
            | Self::Study(_)
            | Self::Variant { .. }
            | Self::WrongBots { .. }
            | Self::TooFewBots { .. }
            | Self::TooManyGames { .. }
            | Self::Data { .. }
            | Self::BotsTwice
            | Self::Openings { .. }
            | Self::OpeningsTwice
            | Self::NotWholeGroups { .. }
            | Self::SearchesOutside
            | Self::PeopleOutside
            | Self::Outside { .. }
            | Self::Referee(RefereeError::Places { .. } | RefereeError::AllBotsInWord { .. })
            | Self::Scaffold(
                ScaffoldError::Name(_)
                | ScaffoldError::Dependency(_)
                | ScaffoldError::Exists(_)
                | ScaffoldError::Stub { .. },
            )
            | Self::Sprt(_)
            | Self::Usage(_)
            | Self::Ask(AskError::InProcess(_))
            | Self::InProcess(InProcessError::Words { .. } | InProcessError::Contest { .. })
            | Self::CommandLine(_) => 2,
            _ => 1,
        }
    }
}
