//! Referees that are programs of their own: how they are called, what they print, and when they have failed.
//!
//! Two ways of calling are known. A plain command line gets the arguments of cg-brutaltester: `-p1 CMD -p2 CMD ...
//! -d seed=N -l FILE`. One with places such as `{P1}` and `{SEED}` gets the values there, as in cgarena and psyleague.
//! The output may be a score a line, or JSON; see [`output`].

mod arguments;
mod dialogue;
mod error;
mod game_file;
mod jvm;
mod kept;
mod output;
mod scratch;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bot::data::BotData;
use crate::process;
use crate::process::command_line::CommandLine;
use crate::process::to_end::{run_to_end, Run};

pub use arguments::Template;
pub use dialogue::Dialogues;
pub use error::{Reason, RefereeError};

use jvm::Jvm;
use kept::Kept;
use output::Output;
use scratch::Scratch;

/// The program that a bot's command line is wrapped with if the referee can't pass it on: this program with this
/// subcommand and a file of words.
pub const RUN_BOT_COMMAND: &str = "run-bot";

/// How a referee with the arguments of cg-brutaltester takes the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum SeedOption {
    /// `-d seed=N`
    D,
    /// `-seed N`
    Seed,
    /// Not at all: its games can't be repeated
    None,
}

/// The settings of an external referee.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The contest's name in results.
    pub name: String,
    /// The number of bots in a game, 1 to 8.
    pub seats: usize,
    /// How the seed is passed; `None` finds out.
    pub seed: Option<SeedOption>,
    /// Seeds are numbers of so many bits: with 64 any signed one, with fewer never negative.
    pub seed_bits: u32,
    /// The league, for referees with `-league N`.
    pub league: Option<u32>,
    /// Further arguments.
    pub arguments: Vec<String>,
    /// Maximum duration of a game.
    pub limit: Duration,
    /// Whether a Java virtual machine gets no flags but those of the command line.
    pub plain_jvm: bool,
    /// Whether Java virtual machines are kept from game to game.
    pub keep_jvm: bool,
    /// Whether a negative score is a score. Otherwise it says that the bot has failed.
    pub negative_scores: bool,
}

/// A referee that is a program of its own.
#[derive(Debug)]
pub struct ExternalReferee {
    line: CommandLine,
    template: Option<Template>,
    settings: Settings,
    /// Before the folder, so that its machines end before that is removed.
    kept: Option<Kept>,
    scratch: Scratch,
    jvm: Option<Jvm>,
    /// How the seed is passed, once that is known. The lock is held while it is found out.
    dialect: Mutex<Option<SeedOption>>,
    has_told_of_text: AtomicBool,
    has_told_of_blanks: AtomicBool,
}

/// Where a game of a Java referee is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Machine {
    /// In a kept machine, if there are such.
    Kept,
    /// In a process of its own.
    Own,
}

/// A game to be played.
#[derive(Debug, Clone)]
pub struct Order<'a> {
    /// The game's number, for messages.
    pub game: u32,
    /// The seed.
    pub seed: u64,
    /// The bot on each seat.
    pub bots: Vec<&'a CommandLine>,
    /// Where the referee's own file of the game is kept. With it the dialogues are recorded.
    pub keep_as: Option<PathBuf>,
}

/// A game that was played.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Game {
    /// Points by seat.
    pub scores: Vec<i64>,
    /// Whether the bot on each seat has failed.
    pub failed: Vec<bool>,
    /// What the referee says of the game's end, in its own words.
    pub words: String,
    /// What each bot wrote to its standard error, as far as the referee hands it on.
    pub stderr: Vec<String>,
    /// The numbers that each bot reported.
    pub data: Vec<BotData>,
    /// What it says of the game in other words than numbers, by name.
    pub attributes: BTreeMap<String, String>,
    /// What was recorded of the bots' dialogues; empty if that was not asked for.
    pub dialogues: Dialogues,
}

impl ExternalReferee {
    /// A referee by its command line.
    ///
    /// # Errors
    /// If it has places of which one is unknown or missing, or there is no folder for temporary files.
    pub fn new(line: CommandLine, settings: Settings) -> Result<Self, RefereeError> {
        let template = Template::of(&line, settings.seats)?;
        let scratch = Scratch::new().map_err(RefereeError::Scratch)?;
        let jvm = Jvm::of(&line, scratch.folder()).filter(|_| !settings.plain_jvm);
        let kept = settings.keep_jvm.then(|| jvm::is_java(&line).then(|| Kept::new(&line, scratch.folder())));
        if kept.as_ref().is_some_and(Option::is_none) {
            crate::text::note("--keep-jvm is for referees whose command is `java`; it changes nothing here");
        }
        Ok(Self {
            kept: kept.flatten(),
            line,
            template,
            settings,
            scratch,
            jvm,
            dialect: Mutex::new(None),
            has_told_of_text: AtomicBool::new(false),
            has_told_of_blanks: AtomicBool::new(false),
        })
    }

    /// The contest's name in results.
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// The number of bots in a game.
    pub fn seats(&self) -> usize {
        self.settings.seats
    }

    /// Its command line.
    pub fn line(&self) -> &CommandLine {
        &self.line
    }

    /// What distinguishes games of this referee from those of another: the command line with the options that change a
    /// game.
    pub fn identity(&self) -> String {
        let Settings { league, arguments, seed_bits, seed, negative_scores, .. } = &self.settings;
        let mut text = self.line.to_string();
        text.extend(league.map(|league| format!(" -league {league}")));
        text.extend(arguments.iter().map(|word| format!(" {word}")));
        if *seed_bits != 64 {
            text += &format!("; seeds of {seed_bits} bits");
        }
        if *seed == Some(SeedOption::None) {
            text += "; without seeds";
        }
        if *negative_scores {
            text += "; negative scores are scores";
        }
        text
    }

    /// Plays a game. If the referee fails, it is played again once.
    ///
    /// # Errors
    /// If the referee can't be started, has failed twice, or plays with other seeds than those it is given. Failed bots
    /// are no errors.
    pub fn play(&self, order: &Order<'_>) -> Result<Game, RefereeError> {
        if let Some(problem) = self.line.problem() {
            return Err(RefereeError::Program { command: self.line.to_string(), problem });
        }
        let mut dialect = self.dialect.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = *dialect {
            drop(dialect);
            return self.twice(order, known);
        }
        if self.template.is_some() {
            *dialect = Some(SeedOption::None);
        } else if self.settings.seed.is_some() {
            *dialect = self.settings.seed;
        } else {
            // The other games wait until it is known how the seed is passed.
            let (known, game) = self.detect(order)?;
            *dialect = Some(known);
            return Ok(game);
        }
        let known = dialect.unwrap_or(SeedOption::None);
        drop(dialect);
        self.twice(order, known)
    }

    /// Plays the first game, and finds out with it how the referee takes the seed: it must repeat the one it got.
    fn detect(&self, order: &Order<'_>) -> Result<(SeedOption, Game), RefereeError> {
        let first = self.attempt(order, SeedOption::D, Machine::Own)?;
        match first {
            Ok((game, Some(true))) => return Ok((SeedOption::D, game)),
            Ok((game, None)) => {
                crate::text::note(
                    "the referee prints no seed=N after the scores, so it can't be checked that it uses the seeds it is \
                     given; if two games with the same --seed differ, see --seed-as",
                );
                return Ok((SeedOption::D, game));
            }
            Ok((_, Some(false))) | Err(_) => {}
        }
        match (self.attempt(order, SeedOption::Seed, Machine::Own)?, first) {
            (Ok((game, Some(true))), _) => Ok((SeedOption::Seed, game)),
            // Another option made it work.
            (Ok((game, None)), Err(_)) => Ok((SeedOption::Seed, game)),
            (_, Err(reason)) => Err(self.failed(order, reason)),
            (_, Ok(_)) => Err(self.failed(order, Reason::IgnoresSeeds)),
        }
    }

    /// Plays a game, and again if the referee fails.
    fn twice(&self, order: &Order<'_>, dialect: SeedOption) -> Result<Game, RefereeError> {
        let checked = |result: Result<(Game, Option<bool>), Reason>| match result {
            Ok((_, Some(false))) => Err(Reason::OtherSeed),
            Ok((game, _)) => Ok(game),
            Err(reason) => Err(reason),
        };
        let reason = match checked(self.attempt(order, dialect, Machine::Kept)?) {
            Ok(game) => return Ok(game),
            Err(reason) => reason,
        };
        crate::text::note(format_args!("game {}: {reason}; it is played again", order.game));
        let again = checked(self.attempt(order, dialect, Machine::Own)?);
        if let (Some(kept), true) = (&self.kept, again.is_ok()) {
            kept.only_alone();
        }
        again.map_err(|again| self.failed(order, again))
    }

    /// Plays a game; also returns whether the referee has repeated the seed, if it has printed one.
    fn attempt(
        &self,
        order: &Order<'_>,
        dialect: SeedOption,
        machine: Machine,
    ) -> Result<Result<(Game, Option<bool>), Reason>, RefereeError> {
        let seed = self.seed_text(order.seed);
        let file = self.scratch.file(&format!("game{}.json", order.game));
        let recordings = self.recordings(order);
        let arguments = self.arguments(order, dialect, &seed, &file, &recordings)?;
        let kept = self.kept.as_ref().filter(|_| machine == Machine::Kept);
        let run = match kept.and_then(|kept| kept.play(&arguments, self.settings.limit)) {
            Some(run) => run,
            None => self.run(&arguments)?,
        };
        if process::interrupted() {
            return Err(RefereeError::Interrupted);
        }
        let result = self.result(&run, &seed, &file);
        let dialogues = Dialogues::take(&recordings);
        if let (Some(path), true) = (&order.keep_as, file.exists()) {
            let kept = fs::copy(&file, path);
            kept.map_err(|source| RefereeError::Keep { path: path.clone(), source })?;
        }
        let _ = fs::remove_file(&file);
        Ok(result.map(|(game, repeated)| (Game { dialogues, ..game }, repeated)))
    }

    /// The files in which the bots' dialogues are recorded, by seat; none if they aren't.
    fn recordings(&self, order: &Order<'_>) -> Vec<PathBuf> {
        let file = |seat: usize| self.scratch.file(&format!("game{}.p{seat}.rec", order.game));
        match order.keep_as {
            Some(_) => (0..order.bots.len()).map(file).collect(),
            None => Vec::new(),
        }
    }

    /// A bot's command line as one argument.
    fn bot(&self, bot: &CommandLine, recording: Option<&PathBuf>) -> Result<String, RefereeError> {
        let recorded = recording.map(|file| self.scratch.recorded(bot, file));
        match recorded {
            Some(Ok(line)) => Ok(line),
            Some(Err(error)) => {
                if !self.has_told_of_blanks.swap(true, Ordering::SeqCst) {
                    crate::text::note(format_args!("dialogues aren't recorded: {error}"));
                }
                self.scratch.one_argument(bot)
            }
            None => self.scratch.one_argument(bot),
        }
    }

    /// Runs the referee as a process of its own.
    fn run(&self, arguments: &[String]) -> Result<Run, RefereeError> {
        let flags = self.jvm.as_ref().map(|jvm| jvm.flags(&self.line));
        let mut command = Command::new(self.line.program());
        command.args(flags.iter().flat_map(|(flags, _)| flags)).args(arguments);
        let run = run_to_end(&mut command, self.settings.limit);
        if let (Some(jvm), Some((_, part)), Ok(run)) = (&self.jvm, &flags, &run) {
            jvm.ended(*part, run.exit);
        }
        run.map_err(|source| RefereeError::Start { command: self.line.to_string(), source })
    }

    /// The arguments of a game, after those of the command line.
    fn arguments(
        &self,
        order: &Order<'_>,
        dialect: SeedOption,
        seed: &str,
        file: &Path,
        recordings: &[PathBuf],
    ) -> Result<Vec<String>, RefereeError> {
        let bots = order.bots.iter().enumerate().map(|(seat, bot)| self.bot(bot, recordings.get(seat)));
        let bots = bots.collect::<Result<Vec<_>, _>>()?;
        let file = file.to_string_lossy();
        let mut words = match &self.template {
            Some(template) => template.filled(&bots, seed, &file),
            None => {
                let mut words = self.line.arguments().to_vec();
                words.extend(arguments::numbered(&bots, dialect, seed, &file));
                words
            }
        };
        if let Some(league) = self.settings.league {
            words.extend(["-league".to_owned(), league.to_string()]);
        }
        words.extend(self.settings.arguments.iter().cloned());
        Ok(words)
    }

    /// Reads a game's output.
    fn result(&self, run: &Run, seed: &str, file: &Path) -> Result<(Game, Option<bool>), Reason> {
        let printed = || error::Printed::of(run);
        match run.exit {
            None => return Err(Reason::TooSlow { limit: self.settings.limit, printed: printed() }),
            Some(exit) if exit.is_crash() => return Err(Reason::Crash { exit, printed: printed() }),
            Some(_) => {}
        }
        let output = Output::read(&run.stdout, self.settings.seats);
        let output = output.map_err(|what| Reason::Output { what, printed: printed() })?;
        if let Some(text) = output.skipped.filter(|_| !self.has_told_of_text.swap(true, Ordering::SeqCst)) {
            crate::text::note(format_args!(
                "the referee prints text before the scores, which is skipped: {text}"
            ));
        }
        let repeated = output.seed.map(|text| is_same_seed(&text, seed));
        let found = fs::read(file).ok().map(|bytes| game_file::read(&bytes, self.settings.seats));
        let found = found.unwrap_or_default();
        let failed = output.errors.unwrap_or_else(|| {
            output.scores.iter().map(|&score| score < 0 && !self.settings.negative_scores).collect()
        });
        let mut data = output.data;
        data.resize(self.settings.seats, BotData::default());
        for (data, text) in data.iter_mut().zip(&found.stderr) {
            text.lines().for_each(|line| data.read_line(line.as_bytes()));
        }
        let (scores, attributes) = (output.scores, output.attributes);
        let game = Game {
            scores,
            failed,
            words: found.words,
            stderr: found.stderr,
            data,
            attributes,
            dialogues: Dialogues::default(),
        };
        Ok((game, repeated))
    }

    /// The seed as it is passed. The platform's are signed.
    pub fn seed_text(&self, seed: u64) -> String {
        match self.settings.seed_bits {
            64.. => seed.cast_signed().to_string(),
            bits => (seed & ((1 << bits) - 1)).to_string(),
        }
    }

    fn failed(&self, order: &Order<'_>, reason: Reason) -> RefereeError {
        let (command, seed) = (self.line.to_string(), self.seed_text(order.seed));
        RefereeError::Failed { command, game: order.game, seed, reason: Box::new(reason) }
    }
}

/// Whether two texts are the same 64-bit number, signed or not.
fn is_same_seed(a: &str, b: &str) -> bool {
    let number = |text: &str| text.parse::<u64>().or_else(|_| text.parse::<i64>().map(i64::cast_unsigned));
    matches!((number(a), number(b)), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_equal_as_signed_and_as_unsigned_numbers() {
        assert!(is_same_seed("-1", "18446744073709551615"));
        assert!(is_same_seed("007", "7"));
        for (a, b) in [("1", "2"), ("x", "x"), ("", "0"), ("1.0", "1")] {
            assert!(!is_same_seed(a, b), "{a} {b}");
        }
    }
}
