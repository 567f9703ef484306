//! A referee as a program: how it is called for a game, and the reading of its result.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::bot::data::BotData;
use crate::game::fault::Ending;
use crate::process;
use crate::process::command_line::CommandLine;
use crate::process::to_end::{run_to_end, Run};

use super::error::Printed;
use super::failures::{self, Undecided};
use super::game_file::GameFile;
use super::jvm::{self, Jvm};
use super::kept::JvmPool;
use super::output::Output;
use super::recordings::Recordings;
use super::sample::Sample;
use super::scratch::Scratch;
use super::settings::is_same_seed;
use super::{arguments, game_file, Dialogues, Reason, RefereeError, Remarks, SeedOption, Settings, Template};

/// A referee that is a program of its own.
#[derive(Debug)]
pub struct ExternalReferee {
    line: CommandLine,
    template: Option<Template>,
    pub(super) settings: Settings,
    /// Before the folder, so that its machines end before that is removed.
    pub(super) kept: Option<JvmPool>,
    pub(super) scratch: Scratch,
    jvm: Option<Jvm>,
    /// How the seed is passed, once that is known. The lock is held while it is found out.
    dialect: Mutex<Option<SeedOption>>,
    /// Whether all machines are plain: the referee's games depend on the identity of objects.
    pub(super) is_plain: AtomicBool,
    /// Which games of kept machines are compared with plain ones; `None` before the first one was.
    pub(super) sample: Mutex<Option<Sample>>,
    pub(super) has_told_of_chance: AtomicBool,
    has_told_of_text: AtomicBool,
    has_told_of_bots: AtomicBool,
    has_told_of_blanks: AtomicBool,
}

/// Where a game of a Java referee is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Machine {
    /// In a kept machine, if there are such.
    Kept,
    /// In a process of its own, with flags that make it start faster.
    Own,
    /// In a process of its own without such flags. Objects have other identities with them.
    Plain,
}

/// How a game is played.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlayOptions {
    pub dialect: SeedOption,
    pub machine: Machine,
    /// Whether the bots' dialogues are recorded.
    pub records: bool,
}

/// A game as it was played once.
#[derive(Debug)]
pub(super) struct Attempt {
    pub game: Game,
    /// Whether the referee has repeated the seed, if it has printed one.
    pub has_repeated: Option<bool>,
    pub recordings: Recordings,
}

impl Attempt {
    /// Refuses a game of another seed.
    pub(super) fn checked(result: Result<Self, Reason>) -> Result<Self, Reason> {
        match result {
            Ok(Self { has_repeated: Some(false), .. }) => Err(Reason::OtherSeed),
            result => result,
        }
    }

    /// The game with its dialogues.
    pub(super) fn into_game(self) -> Game {
        let remarks = self.recordings.remarks();
        Game { remarks, dialogues: self.recordings.dialogues(), ..self.game }
    }
}

/// A game to be played.
#[derive(Debug, Clone)]
pub struct Order<'a> {
    /// The game's number, for messages.
    pub game: u32,
    /// The seed.
    pub seed: u64,
    /// The seed of another game of the run, with which kept machines are compared.
    pub other_seed: u64,
    /// The bot on each seat.
    pub bots: Vec<&'a CommandLine>,
    /// Where the referee's own file of the game is kept.
    pub keep_as: Option<PathBuf>,
    /// Whether the bots' dialogues are recorded.
    pub records: bool,
}

/// The output and the file of a referee for a game.
struct Reported {
    output: Output,
    file: GameFile,
    /// Whether it has repeated the seed, if it has printed one.
    has_repeated: Option<bool>,
}

/// A game that was played.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Game {
    /// Points by seat.
    pub scores: Vec<i64>,
    /// Whether the bot on each seat has failed.
    pub failed: Vec<bool>,
    /// The ending of a case whose bot failed.
    pub ending: Option<Ending>,
    /// The referee's own words about each bot that has failed, by seat; empty for the others.
    pub words: Vec<String>,
    /// Each bot's standard error, as far as the referee hands it on.
    pub stderr: Vec<String>,
    /// The numbers that each bot reported.
    pub data: Vec<BotData>,
    /// Attributes of the game that are text, by name.
    pub attributes: BTreeMap<String, String>,
    /// A digest of the case's input, in a heuristic contest.
    pub input: Option<String>,
    /// The bots' dialogues; empty unless recording was asked for.
    pub dialogues: Dialogues,
    /// Remarks about each bot from the recordings; empty without them.
    pub remarks: Vec<Remarks>,
}

impl ExternalReferee {
    /// Starts a referee from a command line.
    ///
    /// # Errors
    /// If a placeholder is unknown or missing, or the folder for temporary files can't be made.
    pub fn new(line: CommandLine, settings: Settings) -> Result<Self, RefereeError> {
        let template = Template::of(&line, settings.seats)?;
        if template.as_ref().is_some_and(|template| !template.takes_seed()) && settings.seed.is_none() {
            crate::text::note(
                "the referee's command line has no place {SEED}: it plays on maps of its own choice, another in each game of a \
                 pair. Add the place; or give --seed-as none, if its games have no seed",
            );
        }
        let scratch = Scratch::new().map_err(RefereeError::Scratch)?;
        let jvm = Jvm::of(&line, scratch.folder()).filter(|_| !settings.plain_jvm);
        let kept =
            settings.keep_jvm.then(|| jvm::is_java(&line).then(|| JvmPool::new(&line, scratch.folder())));
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
            is_plain: AtomicBool::new(false),
            sample: Mutex::new(None),
            has_told_of_chance: AtomicBool::new(false),
            has_told_of_text: AtomicBool::new(false),
            has_told_of_bots: AtomicBool::new(false),
            has_told_of_blanks: AtomicBool::new(false),
        })
    }

    /// The settings.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The contest's name in results.
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// The number of bots in a game.
    pub fn seats(&self) -> usize {
        self.settings.seats
    }

    /// The command line, with its placeholders.
    pub fn line(&self) -> &CommandLine {
        &self.line
    }

    /// The command line with the options that change a game: games of another identity are of another run.
    pub fn identity(&self) -> String {
        format!("{}{}", self.line, self.settings.identity())
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
        if let Some(tester) = &self.settings.tester {
            return self.play_case(order, tester);
        }
        if let Some(limits) = self.settings.old_protocol {
            return self.play_by_old_protocol(order, limits);
        }
        let mut dialect = self.dialect.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = *dialect {
            drop(dialect);
            return self.play_as(order, known);
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
        self.play_as(order, known)
    }

    /// Plays a game of a referee whose seed option is known.
    fn play_as(&self, order: &Order<'_>, dialect: SeedOption) -> Result<Game, RefereeError> {
        if let Some(game) = self.compare(order, dialect)? {
            return Ok(game);
        }
        let how = PlayOptions { dialect, machine: Machine::Kept, records: order.records };
        Ok(self.twice(order, how)?.into_game())
    }

    /// Plays a game, and again if the referee fails; not in a kept machine then.
    pub(super) fn twice(&self, order: &Order<'_>, how: PlayOptions) -> Result<Attempt, RefereeError> {
        let reason = match Attempt::checked(self.attempt(order, how)?) {
            Ok(played) => return Ok(played),
            Err(reason) => reason,
        };
        crate::text::note(format_args!("game {}: {reason}; it is played again", order.game));
        let machine = if how.machine == Machine::Kept { Machine::Own } else { how.machine };
        let again = Attempt::checked(self.attempt(order, PlayOptions { machine, ..how })?);
        if let (Some(kept), Machine::Kept, true) = (&self.kept, how.machine, again.is_ok()) {
            kept.only_alone();
        }
        again.map_err(|again| self.failed(order, again))
    }

    /// Plays a game once.
    pub(super) fn attempt(
        &self,
        order: &Order<'_>,
        how: PlayOptions,
    ) -> Result<Result<Attempt, Reason>, RefereeError> {
        let seed = self.seed_text(order.seed);
        let file = self.scratch.file(&format!("game{}.json", order.game));
        let recordings = if how.records { self.recordings(order) } else { Vec::new() };
        let arguments = self.arguments(order, how.dialect, &seed, &file, &recordings)?;
        let kept = self.kept.as_ref().filter(|_| how.machine == Machine::Kept);
        let run = match kept.and_then(|kept| kept.play(&arguments, self.settings.limit)) {
            Some(run) => run,
            None => self.run(&arguments, how.machine)?,
        };
        if process::interrupted() {
            return Err(RefereeError::Interrupted);
        }
        let result = self.result(&run, &seed, &file);
        let recordings = Recordings::take(&recordings);
        if let (Some(path), true) = (&order.keep_as, file.exists()) {
            let kept = fs::copy(&file, path);
            kept.map_err(|source| RefereeError::Keep { path: path.clone(), source })?;
        }
        let _ = fs::remove_file(&file);
        let reported = match result {
            Ok(reported) => reported,
            Err(reason) => return Ok(Err(reason)),
        };
        let has_repeated = reported.has_repeated;
        match self.judged(reported, &recordings.remarks()) {
            Ok(game) => Ok(Ok(Attempt { game, has_repeated, recordings })),
            // How the bots' processes ended is seen where they are recorded.
            Err(_) if !how.records && self.settings.checks_bots => {
                self.attempt(order, PlayOptions { records: true, ..how })
            }
            Err(Undecided { seat, score }) => {
                Err(RefereeError::NegativeScore { game: order.game, seed, seat, score })
            }
        }
    }

    /// The game, with the bots that have failed.
    fn judged(&self, reported: Reported, remarks: &[Remarks]) -> Result<Game, Undecided> {
        let Reported { output, file, .. } = reported;
        let seats = self.settings.seats;
        let words = (0..seats).map(|seat| file.about(seat)).collect::<Vec<_>>();
        let negative = self.settings.negative_scores;
        let failed = failures::judge(
            &output.scores,
            output.errors,
            (&words, file.tells_of_some_failure()),
            remarks,
            negative,
        )?;
        let mut data = output.data;
        data.resize(seats, BotData::default());
        for (data, text) in data.iter_mut().zip(&file.stderr) {
            text.lines().for_each(|line| data.read_line(line.as_bytes()));
        }
        let words = |(seat, &has_failed)| if has_failed { file.words(seat) } else { String::new() };
        let words = failed.iter().enumerate().map(words).collect();
        Ok(Game {
            scores: output.scores,
            failed,
            ending: None,
            words,
            stderr: file.stderr,
            data,
            attributes: output.attributes,
            input: None,
            dialogues: Dialogues::default(),
            remarks: Vec::new(),
        })
    }

    /// The files in which the bots' dialogues are recorded, by seat; none if the bots aren't on this machine.
    fn recordings(&self, order: &Order<'_>) -> Vec<PathBuf> {
        let file = |seat: usize| self.scratch.file(&format!("game{}.p{seat}.rec", order.game));
        let seats = if self.settings.checks_bots { order.bots.len() } else { 0 };
        (0..seats).map(file).collect()
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
            // A program of this machine can't wrap a bot that is elsewhere.
            None if !self.settings.checks_bots => self.scratch.unwrapped(bot),
            None => self.scratch.one_argument(bot),
        }
    }

    /// Runs the referee as a process of its own.
    fn run(&self, arguments: &[String], machine: Machine) -> Result<Run, RefereeError> {
        let is_plain = machine == Machine::Plain || self.is_plain.load(Ordering::SeqCst);
        let jvm = self.jvm.as_ref().filter(|_| !is_plain);
        let flags = jvm.map(|jvm| jvm.flags(&self.line));
        let mut command = Command::new(self.line.program());
        command.args(flags.iter().flat_map(|(flags, _)| flags)).args(arguments);
        let run = run_to_end(&mut command, self.settings.limit);
        if let (Some(jvm), Some((_, part)), Ok(run)) = (jvm, &flags, &run) {
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

    /// Reads what the referee printed, and its file.
    fn result(&self, run: &Run, seed: &str, file: &Path) -> Result<Reported, Reason> {
        let printed = || Printed::of(run);
        match run.exit {
            None => return Err(Reason::TooSlow { limit: self.settings.limit, printed: printed() }),
            Some(exit) if exit.is_crash() => return Err(Reason::Crash { exit, printed: printed() }),
            Some(_) => {}
        }
        let output = Output::read(&run.stdout, self.settings.seats);
        let mut output =
            output.map_err(|error| Reason::Output { what: error.to_string(), printed: printed() })?;
        let skipped = output.skipped.take();
        if let Some(text) = skipped.filter(|_| !self.has_told_of_text.swap(true, Ordering::SeqCst)) {
            crate::text::note(format_args!(
                "the referee prints text before the scores, which is skipped: {text}"
            ));
        }
        let has_repeated = output.seed.take().map(|text| is_same_seed(&text, seed));
        let file = fs::read(file).ok().map(|bytes| game_file::read(&bytes, self.settings.seats));
        Ok(Reported { output, file: file.unwrap_or_default(), has_repeated })
    }

    /// Prints a note on a bot with which something is wrong although the referee doesn't say so; once a run.
    pub fn tell_of_bot(&self, order: &Order<'_>, bot: &str, remarks: &[&str]) {
        if !remarks.is_empty() && !self.has_told_of_bots.swap(true, Ordering::SeqCst) {
            let (game, remarks) = (order.game, remarks.join("; "));
            crate::text::note(format_args!(
                "game {game}, bot {bot}: {remarks}; the referee doesn't call it a failure"
            ));
        }
    }

    /// Time for a case of a heuristic contest.
    pub fn case_limit(&self) -> Option<Duration> {
        self.settings.tester.as_ref().map(|tester| tester.limit)
    }

    /// Whether the bots' programs are on this machine, so that it can be checked that they are there.
    pub fn checks_bots(&self) -> bool {
        self.settings.checks_bots
    }

    /// Whether bots weren't recorded although that was asked for, since their command lines can't be wrapped.
    pub fn has_unrecorded_bots(&self) -> bool {
        self.has_told_of_blanks.load(Ordering::SeqCst)
    }

    /// Whether this program runs the bots: the referee speaks the old protocol, or is the tester of cases.
    pub fn runs_bots(&self) -> bool {
        self.settings.old_protocol.is_some() || self.settings.tester.is_some()
    }

    /// The seed that the referee gets: as many of its bits as it takes.
    pub fn seed_sent(&self, seed: u64) -> u64 {
        self.settings.seed_sent(seed)
    }

    /// The seed as it is passed.
    pub fn seed_text(&self, seed: u64) -> String {
        self.settings.seed_text(seed)
    }

    pub(super) fn failed(&self, order: &Order<'_>, reason: Reason) -> RefereeError {
        let (command, seed) = (self.line.to_string(), self.seed_text(order.seed));
        let reason = Box::new(reason);
        match self.settings.tester {
            Some(_) => RefereeError::NoScore { command, seed, reason },
            None => RefereeError::Failed { command, game: order.game, seed, reason },
        }
    }
}
