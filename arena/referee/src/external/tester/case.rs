//! A case: a bot's run on the input of a seed, and the tester's verdict.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::atomic;
use crate::bot::data::BotData;
use crate::bot::exit::Exit;
use crate::external::error::Printed;
use crate::external::recordings::Recordings;
use crate::external::{Dialogues, ExternalReferee, Game, Order, Reason, RefereeError};
use crate::game::fault::{last_lines, Ending};
use crate::game::log::{Direction, Log};
use crate::process;
use crate::process::command_line::CommandLine;
use crate::process::to_end::{run_from, run_to_end, Run, KEPT_BYTES};
use crate::record::GameRecord;
use crate::text::printable;

use super::places::{filled, has, Values};
use super::{BestKnown, Pattern, Tester, USUAL_PICTURE};

/// Bytes of a case's input in its log.
const SHOWN_BYTES: usize = 1 << 16;

/// A bot's case.
struct Case<'a> {
    order: &'a Order<'a>,
    tester: &'a Tester,
    seed: u64,
    input: PathBuf,
    /// The file in which the tester finds the bot's output.
    output: PathBuf,
}

/// A case that was run.
struct Ran {
    /// The bot's output, as far as it is known.
    output: Vec<u8>,
    /// The bot's standard error.
    stderr: Vec<u8>,
    took: Duration,
    judged: Judged,
}

/// The tester's or this program's verdict.
enum Judged {
    Score(i64, Vec<(String, String)>),
    Failed(Ending, String),
}

/// Why a case has no verdict.
enum Stop {
    Error(RefereeError),
    Reason(Reason),
}

impl From<RefereeError> for Stop {
    fn from(error: RefereeError) -> Self {
        Self::Error(error)
    }
}

impl ExternalReferee {
    /// Runs a bot on the case of a seed.
    pub(in crate::external) fn play_case(
        &self,
        order: &Order<'_>,
        tester: &Tester,
    ) -> Result<Game, RefereeError> {
        let seed = self.seed_sent(order.seed);
        let input = self.input(tester, seed)?;
        let output = self.scratch.file(&format!("case{}.out", order.game));
        let case = Case { order, tester, seed, input, output };
        let ran = if self.is_interactive() { self.interact(&case) } else { self.answer(&case) };
        if process::interrupted() {
            return Err(RefereeError::Interrupted);
        }
        let ran = ran.map_err(|stop| match stop {
            Stop::Error(error) => error,
            Stop::Reason(reason) => self.failed(order, reason),
        })?;
        if let Some(path) = &order.keep_as {
            self.keep(&case, path, &ran)?;
        }
        let _ = fs::remove_file(&case.output);
        // A tester draws whether anybody looks or not.
        if has(std::slice::from_ref(&tester.picture), "out") {
            let _ = fs::remove_file(case.picture());
        }
        if let Judged::Score(score, _) = ran.judged {
            tester.ledger.note(seed, score, &order.bots[0].to_string());
        }
        Ok(game(&case, ran))
    }

    /// Why a recorded case isn't one of the inputs that are there now; `None` if it is.
    pub fn foreign_input(&self, record: &GameRecord) -> Option<String> {
        let tester = self.settings.tester.as_ref()?;
        let (then, now) = (record.input.as_ref()?, tester.digest(self.seed_sent(record.seed))?);
        let path = Tester::path(&tester.inputs, record.seed);
        (*then != now).then(|| format!("the input {path} has changed since game {}", record.game))
    }

    /// The scores that were the best known before this run; none of a referee.
    pub fn best_known(&self) -> Option<&BestKnown> {
        self.settings.tester.as_ref().map(|tester| tester.ledger.known())
    }

    /// Whether the tester starts the bot.
    fn is_interactive(&self) -> bool {
        ["bot", "bot..."].iter().any(|place| has(self.line().arguments(), place))
    }

    /// The file of a seed's input; a missing one is generated.
    fn input(&self, tester: &Tester, seed: u64) -> Result<PathBuf, RefereeError> {
        let path = PathBuf::from(Tester::path(&tester.inputs, seed));
        if path.is_file() {
            return Ok(path);
        }
        let wrong = |problem: String| RefereeError::Input { path: path.clone(), seed, problem };
        let Some(generator) = &tester.generator else {
            return Err(wrong("it isn't there".to_owned()));
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| wrong(error.to_string()))?;
        }
        // Another case may be waiting for the same input.
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        if path.is_file() {
            return Ok(path);
        }
        let values = Values { seed, input: &path, output: Path::new(""), bot: "" };
        let words = filled(generator.arguments(), values);
        let run = run_to_end(Command::new(generator.program()).args(words), self.settings.limit);
        let run =
            run.map_err(|error| wrong(format!("its generator `{generator}` can't be started: {error}")))?;
        match run.exit {
            Some(exit) if !exit.is_crash() => {}
            Some(exit) => return Err(wrong(format!("its generator: {exit}{}", Printed::of(&run)))),
            None => return Err(wrong("its generator does not end".to_owned())),
        }
        if !has(generator.arguments(), "in") {
            atomic::write(&path, &run.stdout).map_err(|error| wrong(error.to_string()))?;
        }
        match fs::metadata(&path).map(|file| file.len()) {
            Ok(0) => {
                let _ = fs::remove_file(&path);
                Err(wrong(format!("its generator wrote nothing{}", Printed::of(&run))))
            }
            Ok(_) => Ok(path),
            Err(_) => Err(wrong(format!("its generator wrote no such file{}", Printed::of(&run)))),
        }
    }

    /// Runs the bot, then the tester on its output.
    fn answer(&self, case: &Case<'_>) -> Result<Ran, Stop> {
        let Case { order, tester, .. } = case;
        let run = started(order.bots[0], order.bots[0].arguments(), case.open()?, tester.limit)?;
        let (limit, took) = (tester.limit.as_millis(), run.took);
        let failure = match run.exit {
            None => Some((Ending::TimeOutFirst, format!("it did not end within {limit} ms"))),
            Some(exit) if exit.is_crash() => Some((Ending::Crash, exit.to_string())),
            Some(_) if run.stdout.is_empty() => Some((Ending::NoOutput, "it wrote nothing".to_owned())),
            Some(_) if run.stdout.len() >= KEPT_BYTES => {
                Some((Ending::Protocol, format!("it wrote more than {} MiB", KEPT_BYTES >> 20)))
            }
            Some(_) => None,
        };
        let judged = match failure {
            Some((ending, reason)) => Judged::Failed(ending, reason),
            None => {
                case.write(&run.stdout)?;
                let run = started(self.line(), &self.words(case, ""), Stdio::null(), self.settings.limit)?;
                self.verdict(tester, &run).map_err(Stop::Reason)?
            }
        };
        Ok(Ran { output: run.stdout, stderr: run.stderr, took, judged })
    }

    /// Has the tester run the bot.
    fn interact(&self, case: &Case<'_>) -> Result<Ran, Stop> {
        let bot = case.order.bots[0];
        let (first, judged) = self.interact_with(case, &self.scratch.one_argument(bot)?)?;
        let judged = match judged {
            // A recording shows how the bot's process ended.
            Err(reason) => {
                let file = self.scratch.file(&format!("case{}.rec", case.order.game));
                let again = self.interact_with(case, &self.scratch.recorded(bot, &file)?)?.1;
                let remarks = Recordings::take(std::slice::from_ref(&file)).remarks();
                match (again, remarks.first()) {
                    (_, Some(remarks)) if remarks.has_crashed || remarks.has_ended_early => {
                        Judged::Failed(Ending::Crash, remarks.of_failure().join("; "))
                    }
                    (Ok(judged), _) => judged,
                    (Err(_), remarks) => {
                        // A tester that fails closes the bot's input, and the bot may fail only then.
                        if let Some(end) = remarks.and_then(|remarks| remarks.end.as_ref()) {
                            crate::text::note(format_args!("seed {}, the bot: {end}", case.seed));
                        }
                        return Err(Stop::Reason(reason));
                    }
                }
            }
            Ok(judged) => judged,
        };
        match has(self.line().arguments(), "out") {
            false => case.write(&first.stdout)?,
            true if matches!(judged, Judged::Score(..)) && !case.output.is_file() => {
                let what = "it printed a score and wrote no {out}: leave out {out}, or {bot} if it doesn't start the bot";
                let printed = Printed::of(&first);
                return Err(Stop::Reason(Reason::Output { what: what.to_owned(), printed }));
            }
            true => {}
        }
        let output = fs::read(&case.output).unwrap_or_default();
        Ok(Ran { output, stderr: first.stderr, took: first.took, judged })
    }

    fn interact_with(&self, case: &Case<'_>, bot: &str) -> Result<(Run, Result<Judged, Reason>), Stop> {
        let stdin = if has(self.line().arguments(), "in") { Stdio::null() } else { case.open()? };
        let run = started(self.line(), &self.words(case, bot), stdin, case.tester.limit)?;
        let late = || {
            let limit = case.tester.limit.as_millis();
            Judged::Failed(Ending::TimeOutFirst, format!("tester and bot did not end within {limit} ms"))
        };
        let judged = if run.exit.is_none() { Ok(late()) } else { self.verdict(case.tester, &run) };
        Ok((run, judged))
    }

    /// The tester's arguments.
    fn words(&self, case: &Case<'_>, bot: &str) -> Vec<String> {
        let mut words = filled(self.line().arguments(), Values { bot, ..case.values() });
        words.extend(self.settings.arguments.iter().cloned());
        words
    }

    /// Reads a tester's output.
    fn verdict(&self, tester: &Tester, run: &Run) -> Result<Judged, Reason> {
        let printed = || Printed::of(run);
        let Some(exit) = run.exit else {
            return Err(Reason::TooSlow { limit: self.settings.limit, printed: printed() });
        };
        let texts = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        let lines = || texts.iter().flat_map(|text| text.lines());
        let said = tester.failure.as_ref().and_then(|text| lines().find(|line| line.contains(text)));
        if let Some(line) = said {
            return Ok(Judged::Failed(
                Ending::Failed,
                format!("the tester says: {}", printable(line.as_bytes())),
            ));
        }
        let found = lines().filter_map(|line| tester.score.number(line)).collect::<Vec<_>>();
        let wrong = |what: String| Reason::Output { what, printed: printed() };
        let number = match found[..] {
            [number] => number,
            [] if exit.is_crash() => return Err(Reason::Crash { exit, printed: printed() }),
            [] => return Err(wrong(format!("it printed no score of the form `{}`", tester.score))),
            _ => {
                let count = found.len();
                return Err(wrong(format!("it printed {count} scores of the form `{}`", tester.score)));
            }
        };
        let score = tester.scaled(number).map_err(wrong)?;
        let value = |pattern: &Pattern| {
            let number = lines().find_map(|line| pattern.number(line))?;
            Some((pattern.name().to_owned(), number.to_owned()))
        };
        Ok(Judged::Score(score, tester.attributes.iter().filter_map(value).collect()))
    }

    /// Keeps the output and its drawing next to the case's log: as `GAME.out` and `GAME.svg`.
    fn keep(&self, case: &Case<'_>, path: &Path, ran: &Ran) -> Result<(), RefereeError> {
        // The name has two endings.
        let path = path.with_extension("");
        let write = |end: &str, bytes: &[u8]| {
            let path = path.with_extension(end);
            atomic::write(&path, bytes).map_err(|source| RefereeError::Keep { path, source })
        };
        write("out", &ran.output)?;
        if !matches!(ran.judged, Judged::Score(..)) {
            return Ok(());
        }
        // Drawers write files of fixed names into the working folder.
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(drawer) = &case.tester.drawer {
            let words = filled(drawer.arguments(), case.values());
            let run = started(drawer, &words, Stdio::null(), self.settings.limit)?;
            // A file that is there may be an older one.
            if run.exit.is_none_or(Exit::is_crash) {
                case.tell(format!("the drawer `{drawer}` has failed{}", Printed::of(&run)));
                return Ok(());
            }
        }
        let Ok(text) = fs::read_to_string(case.picture()) else {
            // The usual name is that of a picture which a tester may draw.
            if case.tester.drawer.is_some() || case.tester.picture != USUAL_PICTURE {
                case.tell(format!("there is no picture {}", case.picture().display()));
            }
            return Ok(());
        };
        let svg =
            text.find("<svg").and_then(|from| Some(&text[from..text.rfind("</svg>")? + "</svg>".len()]));
        svg.map_or(Ok(()), |svg| write("svg", svg.as_bytes()))
    }
}

impl Case<'_> {
    /// The values of its places, without a bot.
    fn values(&self) -> Values<'_> {
        Values { seed: self.seed, input: &self.input, output: &self.output, bot: "" }
    }

    /// The file of its drawing.
    fn picture(&self) -> PathBuf {
        PathBuf::from(filled(std::slice::from_ref(&self.tester.picture), self.values()).concat())
    }

    /// Says once which of the numbers that it should have it lacks.
    fn tell_of_missing(&self, sizes: usize, told: &[(String, String)]) {
        let Tester { sizes: names, attributes, .. } = self.tester;
        let mut missing = Vec::new();
        if sizes < names.len() {
            let (path, names) = (self.input.display(), names.join(" "));
            let wanted = self.tester.sizes.len();
            missing.push(format!("the first line of {path} has {sizes} of the {wanted} sizes {names}"));
        }
        let is_missing = |pattern: &&Pattern| told.iter().all(|(name, _)| name != pattern.name());
        let patterns = attributes.iter().filter(is_missing);
        missing.extend(patterns.map(|pattern| format!("the tester printed no attribute `{pattern}`")));
        if !missing.is_empty() {
            self.tell(missing.join("; "));
        }
    }

    /// Says what is wrong in a case that has a score, unless that of another one was said.
    fn tell(&self, text: String) {
        if !self.tester.has_told.swap(true, Ordering::SeqCst) {
            crate::text::note(format_args!("seed {}: {text}", self.seed));
        }
    }

    /// The input, opened for a program that reads it.
    fn open(&self) -> Result<Stdio, RefereeError> {
        let file = File::open(&self.input).map_err(|error| {
            let (path, problem) = (self.input.clone(), error.to_string());
            RefereeError::Input { path, seed: self.seed, problem }
        });
        Ok(file?.into())
    }

    /// Writes the bot's output where the tester finds it.
    fn write(&self, output: &[u8]) -> Result<(), RefereeError> {
        let kept = |source| RefereeError::Keep { path: self.output.clone(), source };
        fs::write(&self.output, output).map_err(kept)
    }
}

/// Runs a program to its end.
fn started(line: &CommandLine, words: &[String], input: Stdio, limit: Duration) -> Result<Run, RefereeError> {
    let run = run_from(input, Command::new(line.program()).args(words), limit);
    run.map_err(|source| RefereeError::StartTool { command: line.to_string(), source })
}

fn game(case: &Case<'_>, ran: Ran) -> Game {
    let (sizes, records) = (&case.tester.sizes, case.order.records);
    let Ran { output, stderr, took, judged } = ran;
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    let mut data = BotData::default();
    stderr.lines().for_each(|line| data.read_line(line.as_bytes()));
    let (mut log, mut attributes) = (Log::default(), BTreeMap::new());
    let mut numbers = 0;
    if records || !sizes.is_empty() {
        let text = fs::read(&case.input).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let first = text.lines().next().unwrap_or_default();
        numbers = first.split_whitespace().count();
        for (name, number) in sizes.iter().zip(first.split_whitespace()) {
            attributes.insert(name.clone(), number.to_owned());
        }
        if records {
            log.push(Direction::ToBot, shortened(&text));
            log.push_bytes(Direction::FromBot, shortened(&String::from_utf8_lossy(&output)).as_bytes());
            log.push_said(last_lines(&stderr).as_bytes());
        }
    }
    let (score, failure) = match judged {
        Judged::Score(score, told) => {
            case.tell_of_missing(numbers, &told);
            attributes.extend(told);
            (score, None)
        }
        Judged::Failed(ending, reason) => (0, Some((ending, reason))),
    };
    Game {
        scores: vec![score],
        failed: vec![failure.is_some()],
        ending: failure.as_ref().map(|(ending, _)| *ending),
        words: vec![failure.map_or_else(String::new, |(_, reason)| reason)],
        stderr: vec![stderr],
        data: vec![data],
        attributes,
        input: case.tester.digest(case.seed),
        dialogues: Dialogues {
            logs: if records { vec![log] } else { Vec::new() },
            times: vec![vec![took]],
            turns: vec![0],
        },
        ..Game::default()
    }
}

/// The first lines of a text.
fn shortened(text: &str) -> &str {
    let end = text.char_indices().map(|(at, _)| at).take_while(|&at| at <= SHOWN_BYTES).last().unwrap_or(0);
    match text.len() <= SHOWN_BYTES {
        true => text,
        false => &text[..end],
    }
}
