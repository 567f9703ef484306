//! What can keep the arena from its work, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use crate::command_line::CommandLineError;
use crate::game::GameError;
use crate::games::GamesError;
use crate::in_process::InProcessError;
use crate::stats::SprtError;
use crate::study::PlanError;
use crate::tune::ask::AskError;
use crate::tune::log::LogError;

/// An error of the arena itself; what bots do wrong is a result.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// There is no such contest.
    #[error("there is no contest `{name}`; there are: {}", .known.join(", "))]
    UnknownContest {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The words behind a contest's name are no variant of it.
    #[error("no such variant of {contest}: {reason}")]
    Variant {
        /// The contest.
        contest: String,
        /// What is wrong.
        reason: String,
    },
    /// There is no such study.
    #[error("there is no study `{name}`; there are: {}, and any TOML file of that form", .known.join(", "))]
    UnknownStudy {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A file is no study.
    #[error(transparent)]
    Study(#[from] PlanError),
    /// A search ended without a proof.
    #[error("{0}")]
    Unsolved(String),
    /// A row of a study can't be measured.
    #[error("{place}: {error}")]
    StudyRow {
        /// The study and the row.
        place: String,
        /// Why.
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
        "a game of {contest} has {seats} bots, but {given} command lines were given; put quotes around each"
    )]
    WrongBots {
        /// The contest.
        contest: String,
        /// Its seats.
        seats: usize,
        /// The bots on the command line.
        given: usize,
    },
    /// Too few bots to put in order.
    #[error("of {contest}, at least {needed} bots can be rated, but {given} command line{} given; put quotes around each",
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
    #[error("{games} games for each of {lineups} line-ups are more than can be counted: give a smaller -n")]
    TooManyGames {
        /// Games for each.
        games: u32,
        /// How many play so many.
        lineups: usize,
    },
    /// The bots are given in two ways.
    #[error("give the bots either one after the other or as -p1, -p2, ..., not both")]
    BotsTwice,
    /// Openings of two kinds.
    #[error("--opening-file has its own openings: leave --openings and --balance out")]
    OpeningsTwice,
    /// A number of games that leaves an opening with too few.
    #[error("{games} games are no whole number of groups: each opening is played {size} times, so -n {more} would be")]
    NotWholeGroups {
        /// What was asked for.
        games: u32,
        /// Games of an opening.
        size: u32,
        /// The next whole number.
        more: u32,
    },
    /// A sequential test that makes no sense.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// A bot that is broken.
    #[error(
        "stopped: bot {bot} failed in {failures} of its first {games} games, the last time in game {game}, {fault}\n\
         `arena check {contest} {command}` tries it out; --keep-going plays on"
    )]
    KeepsFailing {
        /// Its name.
        bot: String,
        /// The contest.
        contest: String,
        /// Its command line, quoted.
        command: String,
        /// How often it failed.
        failures: u32,
        /// In how many games.
        games: u32,
        /// The number of the last of them.
        game: u32,
        /// What happened there.
        fault: String,
    },
    /// A bot's command line can't be split.
    #[error(transparent)]
    CommandLine(#[from] CommandLineError),
    /// A bot can't be started.
    #[error(
        "can't start bot {bot}, `{command}`, from {}: {source}\n\
         check the path, build the bot if that hasn't been done, and see that it may be executed; what only a \
         shell understands (variables, ~, pipes) goes into sh -c '...'",
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
    /// The bot doesn't say what can be tuned.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The log of a tune is of no use.
    #[error(transparent)]
    TuneLog(#[from] LogError),
    /// The bot that is tuned keeps failing.
    #[error(
        "stopped: the bot failed {failures} times in the first {games} games, the last time by {fault}\n\
         `arena check {contest} {command}` tries it out"
    )]
    TuneFails {
        /// How often.
        failures: usize,
        /// In how many games.
        games: u32,
        /// What happened last.
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
    /// The file of games is of no use.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// A file of openings is of no use.
    #[error("{}: {reason}", place(.path, *.line))]
    Openings {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1; 0 if it is about the whole file.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A contest can't begin as it should.
    #[error("can't begin a game of {contest}: {reason}")]
    Opening {
        /// The contest.
        contest: String,
        /// Why.
        reason: String,
    },
    /// The logs can't be written.
    #[error("can't write to the log folder {}: {source}\ngive --log-dir a folder that can be written to", .path.display())]
    LogDir {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Some files of several are no good; each was named already.
    #[error("{failed} of {of} files could not be {done}; the reasons are above")]
    Files {
        /// How many.
        failed: usize,
        /// Of how many.
        of: usize,
        /// What was to be done with them: "imported".
        done: &'static str,
    },
    /// A bot that was tried loses games; the list was printed.
    #[error("{faults} faults: games will be lost by them")]
    Check {
        /// How many points came out as faults.
        faults: usize,
    },
    /// Nothing to replay.
    #[error("there are no games in {}: give dialogues, records, replays or folders that hold some", .0.join(", "))]
    NoGames(Vec<String>),
    /// Recorded games aren't what the rules or the bot say; what differs was printed.
    #[error("{}", disagreement(*.disagreeing, *.otherwise))]
    Disagreement {
        /// Games that disagree with the rules, and files that hold none.
        disagreeing: usize,
        /// Turns of the bot that aren't as recorded.
        otherwise: usize,
    },
    /// What a game is to be made from can't be read.
    #[error("-d {word}: expected words NAME=VALUE, whose seed and opening are whole numbers, as in seed=7")]
    Data {
        /// The word that is wrong.
        word: String,
    },
    /// The command line asks for what there isn't.
    #[error("{0}")]
    Usage(String),
    /// What was read from a file, a script or a socket is of no use.
    #[error("{reason}")]
    Script {
        /// Where, and why.
        reason: String,
    },
    /// A file can't be written.
    #[error("can't write {}: {source}\ngive a path that can be written to", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// No thread for another game.
    #[error("can't start another game at the same time: {0}\ngive a smaller -j")]
    Thread(io::Error),
    /// The results can't be written.
    #[error("can't write the results to the standard output: {0}")]
    Output(#[from] io::Error),
    /// Ctrl-C can't be caught.
    #[error("can't catch interrupts, so bots might be left behind: {0}")]
    Handler(#[from] ctrlc::Error),
}

/// A place in a file, for people.
fn place(path: &Path, line: usize) -> String {
    match line {
        0 => path.display().to_string(),
        _ => format!("{}:{line}", path.display()),
    }
}

/// What recorded games came to, as far as it applies.
fn disagreement(disagreeing: usize, otherwise: usize) -> String {
    let games = (disagreeing > 0).then(|| format!("games or files that disagree: {disagreeing}"));
    let turns =
        (otherwise > 0).then(|| format!("turns in which the bot moved otherwise or failed: {otherwise}"));
    games.into_iter().chain(turns).collect::<Vec<_>>().join("; ")
}

impl ArenaError {
    /// The program's exit code, as `--help` documents it.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::StudyRow { error, .. } => error.exit_code(),
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
            | Self::Sprt(_)
            | Self::Usage(_)
            | Self::Ask(AskError::InProcess(_))
            | Self::InProcess(
                InProcessError::Words { .. } | InProcessError::Contest { .. } | InProcessError::Mixed(_),
            )
            | Self::CommandLine(_) => 2,
            _ => 1,
        }
    }
}
