//! Errors of external referees.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::bot::exit::Exit;
use crate::failure::FailureKind;
use crate::game::fault::last_lines;
use crate::process::to_end::Run;
use crate::process::StartError;
use crate::text::printable;

use super::recordings::Difference;

/// Lines of the output in a message.
const SHOWN_LINES: usize = 10;

/// Why a game has no result. A bot's failure is a result, not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefereeError {
    /// The program was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The folder for temporary files can't be made.
    #[error("can't make a folder for the referee's files: {0}\nset TMPDIR to a writable folder")]
    Scratch(#[source] io::Error),
    /// The command line has places for other bots than a game has.
    #[error(
        "the referee's command line has the places {found}, but a game has {seats} players: give --players, or a place \
         from {{P1}} to {{P{seats}}} for each of them"
    )]
    Places {
        /// The places.
        found: String,
        /// The bots of a game.
        seats: usize,
    },
    /// `{PLAYERS}` stands for several words.
    #[error(
        "in the referee's command line, {{PLAYERS}} stands for several words and can't be part of `{word}`"
    )]
    AllBotsInWord {
        /// The word that contains it.
        word: String,
    },
    /// A bot's command line can't be passed on as one argument.
    #[error(
        "the referee splits a bot's command line at blanks, and `{command}` can't be written so: {reason}\n\
         put it into a script whose path has no blanks"
    )]
    Bot {
        /// The bot's command line.
        command: String,
        /// Why not.
        reason: String,
    },
    /// A bot can't be started, which this program runs for a referee of the old protocol.
    #[error(transparent)]
    StartBot(#[from] StartError),
    /// The referee can't be started.
    #[error("can't start the referee `{command}`: {source}\ncheck the path; relative paths start at the current folder")]
    Start {
        /// The referee's command line.
        command: String,
        /// The system's reason.
        source: io::Error,
    },
    /// A bot, a tester or a drawer can't be started.
    #[error("can't start `{command}`: {source}\ncheck the path; relative paths start at the current folder")]
    StartTool {
        /// The command line.
        command: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The program is missing or can't be run.
    #[error("the referee `{command}` can't be started: {problem}")]
    Program {
        /// The referee's command line.
        command: String,
        /// Fault and advice, as a sentence.
        problem: String,
    },
    /// The referee's file can't be kept.
    #[error("can't keep the referee's file as {}: {source}\ngive --log-dir a writable folder", .path.display())]
    Keep {
        /// The copy.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It plays other games in a kept virtual machine, found out in the course of a run.
    #[error(
        "game {game} (seed {seed}) isn't the same in a kept virtual machine (--keep-jvm) as in one of its own: \
         {difference}\nthe referee keeps state in the machine from game to game, so the games before may differ too: \
         play all of them again without --keep-jvm, and with another --dir if they are stored"
    )]
    KeptDiffers {
        /// The game's number.
        game: u32,
        /// The seed.
        seed: String,
        /// The first line that differs: in a machine of its own, and in the kept one.
        difference: Box<Difference>,
    },
    /// A case's input can't be had.
    #[error(
        "the input {} of seed {seed}: {problem}\nname seeds that have an input (--seeds), or a command that makes them \
         (--generator)",
        .path.display()
    )]
    Input {
        /// The file.
        path: PathBuf,
        /// The seed.
        seed: u64,
        /// Fault, as a clause.
        problem: String,
    },
    /// A bot has a negative score, and nothing tells whether it is one.
    #[error(
        "the referee gave the bot on seat {seat} {score} points in game {game} (seed {seed}), and neither the referee nor \
         the bot's process says that it failed: give --negative-scores if such scores are scores, or \
         --negative-scores=failures if they say that a bot has failed"
    )]
    NegativeScore {
        /// The game's number.
        game: u32,
        /// The seed that it got.
        seed: String,
        /// The bot's seat.
        seat: usize,
        /// The score.
        score: i64,
    },
    /// A tester has failed.
    #[error(
        "the tester `{command}` has no score for seed {seed}: {reason}\n\
         such a case isn't counted, and the run stops"
    )]
    NoScore {
        /// The tester's command line.
        command: String,
        /// The seed.
        seed: String,
        /// How the tester's process ended.
        reason: Box<Reason>,
    },
    /// The referee has failed.
    #[error(
        "the referee `{command}` has no result for game {game} (seed {seed}): {reason}\n\
         such a game is no draw and no win: it isn't counted, and the run stops"
    )]
    Failed {
        /// The referee's command line.
        command: String,
        /// The game's number.
        game: u32,
        /// The seed that it got.
        seed: String,
        /// How the referee's process ended.
        reason: Box<Reason>,
    },
}

impl RefereeError {
    /// The kind of failure, which decides the exit status.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Interrupted => FailureKind::Interrupt,
            Self::Places { .. } | Self::AllBotsInWord { .. } => FailureKind::Usage,
            _ => FailureKind::Other,
        }
    }
}

/// How a referee has failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// It doesn't end.
    #[error("it did not end within {} s (--referee-limit){printed}", .limit.as_secs_f64())]
    TooSlow {
        /// The limit.
        limit: Duration,
        /// The referee's output until then.
        printed: Printed,
    },
    /// It ended with an exit code other than 0 or by a signal.
    #[error("{exit}{printed}")]
    Crash {
        /// How it ended.
        exit: Exit,
        /// The referee's output until then.
        printed: Printed,
    },
    /// The output isn't the result of a game.
    #[error("{what}{printed}")]
    Output {
        /// Expected and found, as a sentence.
        what: String,
        /// The referee's output.
        printed: Printed,
    },
    /// It has played with another seed.
    #[error("it says that it played another seed than the one it got: give --seed-as")]
    OtherSeed,
    /// It plays with other seeds, in whichever way they are passed.
    #[error(
        "it says that it played another seed than the one it got, with `-d seed=N` and with `-seed N`: its games would be \
         on random maps. Give its own option by --referee-arg and places: -r 'COMMAND {{PLAYERS}} OPTION {{SEED}}'; or \
         --seed-as none, if its games have no seed"
    )]
    IgnoresSeeds,
}

/// The output of a referee, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    stdout: String,
    stderr: String,
}

impl Printed {
    /// The first lines of its standard output and the last ones of its standard error.
    pub fn of(run: &Run) -> Self {
        let lines = run.stdout.split(|&byte| byte == b'\n').map(|line| printable(line.trim_ascii_end()));
        let mut lines = lines.collect::<Vec<_>>();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        let more = lines.len().saturating_sub(SHOWN_LINES);
        lines.truncate(SHOWN_LINES);
        if more > 0 {
            lines.push(format!("... and {more} lines more"));
        }
        Self { stdout: lines.join("\n"), stderr: last_lines(&String::from_utf8_lossy(&run.stderr)) }
    }
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, text) in [("standard output", &self.stdout), ("standard error", &self.stderr)] {
            if text.is_empty() {
                write!(f, "\n  its {name} is empty")?;
            } else {
                write!(f, "\n  its {name}:")?;
                text.lines().try_for_each(|line| write!(f, "\n    {line}"))?;
            }
        }
        Ok(())
    }
}
