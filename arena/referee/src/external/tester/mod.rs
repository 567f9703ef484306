//! Heuristic contests: one player, many seeds, a score. The bot reads a case's input and writes its output, and the
//! contest's tester prints the score; an interactive tester starts the bot itself.

mod best;
mod places;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::atomic;
use crate::bot::data::BotData;
use crate::game::fault::{last_lines, Ending};
use crate::game::log::{Direction, Log};
use crate::process;
use crate::process::command_line::CommandLine;
use crate::process::to_end::{run_from, run_to_end, Run, KEPT_BYTES};
use crate::text::printable;

use super::error::Printed;
use super::recordings::Recordings;
use super::{Dialogues, ExternalReferee, Game, Order, Reason, RefereeError};
use places::{filled, has, with_seed, Values};

pub use best::{BestError, BestKnown, Ledger, FILE_NAME as BEST_FILE};
pub use places::{takes_seed, NoNumber, Pattern};

/// Bytes of a case's input in its log.
const SHOWN_BYTES: usize = 1 << 16;

/// The settings of a tester.
#[derive(Debug)]
pub struct Tester {
    /// The path of a seed's input, with a place `{seed}`.
    pub inputs: String,
    /// The command that writes the input of a seed, to `{in}` or to its standard output.
    pub generator: Option<CommandLine>,
    /// The score in a line of the tester.
    pub score: Pattern,
    /// A text in the tester's output that says that the bot failed.
    pub failure: Option<String>,
    /// Factor of a score, so that it becomes a whole number.
    pub scale: u32,
    /// Time for a case.
    pub limit: Duration,
    /// Names of the numbers in an input's first line.
    pub sizes: Vec<String>,
    /// Further numbers of a case in the tester's output.
    pub attributes: Vec<Pattern>,
    /// The command that draws an output; without it, the tester does.
    pub drawer: Option<CommandLine>,
    /// The drawing's file: an SVG, or a page that holds one.
    pub picture: String,
    /// The best known scores.
    pub ledger: Ledger,
}

impl Tester {
    /// The path of a seed's input.
    pub fn path(inputs: &str, seed: u64) -> String {
        with_seed(inputs, seed)
    }

    /// The options that change a case's score, as text.
    pub(super) fn identity(&self) -> String {
        let Self { inputs, score, failure, scale, limit, .. } = self;
        let failure = failure.iter().map(|text| format!(", failed: `{text}`")).collect::<String>();
        let scale = if *scale == 1 { String::new() } else { format!(" times {scale}") };
        format!("; inputs {inputs}, `{score}`{scale}{failure}, {} ms", limit.as_millis())
    }

    /// A score as a whole number.
    fn scaled(&self, number: &str) -> Result<i64, String> {
        let whole = number.parse::<i64>().ok().and_then(|whole| whole.checked_mul(self.scale.into()));
        if let Some(whole) = whole {
            return Ok(whole);
        }
        let value = number.parse::<f64>().unwrap_or(f64::NAN) * f64::from(self.scale);
        if self.scale == 1 && value.fract() != 0.0 {
            return Err(format!(
                "its score {number} has a fraction: give a scale, such as 1000000, by which scores are multiplied"
            ));
        }
        // Beyond, not every whole number is a float.
        match value.abs() < 9e15 {
            true => Ok(value.round() as i64),
            false => Err(format!("its score {number} times {} is too large", self.scale)),
        }
    }
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
    pub(super) fn play_case(&self, order: &Order<'_>, tester: &Tester) -> Result<Game, RefereeError> {
        let seed = self.seed_sent(order.seed);
        let input = self.input(tester, seed)?;
        let out = self.scratch.file(&format!("case{}.out", order.game));
        let is_interactive = self.is_interactive();
        let ran = match is_interactive {
            true => self.interact(order, tester, &input, &out),
            false => self.answer(order, tester, &input, &out),
        };
        if process::interrupted() {
            return Err(RefereeError::Interrupted);
        }
        let ran = ran.map_err(|stop| match stop {
            Stop::Error(error) => error,
            Stop::Reason(reason) => self.failed(order, reason),
        })?;
        if let Some(path) = &order.keep_as {
            self.keep(tester, (seed, &input, &out), path, &ran)?;
        }
        let _ = fs::remove_file(&out);
        if let Judged::Score(score, _) = ran.judged {
            tester.ledger.note(seed, score, &order.bots[0].to_string());
        }
        Ok(game(tester, &input, ran, order.records))
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
        let mut command = Command::new(generator.program());
        command.args(filled(generator.arguments(), values));
        let run = run_to_end(&mut command, self.settings.limit);
        let run = run.map_err(|error| wrong(format!("its generator can't be started: {error}")))?;
        match run.exit {
            Some(exit) if !exit.is_crash() => {}
            Some(exit) => return Err(wrong(format!("its generator: {exit}{}", Printed::of(&run)))),
            None => return Err(wrong("its generator does not end".to_owned())),
        }
        if !has(generator.arguments(), "in") {
            atomic::write(&path, &run.stdout).map_err(|error| wrong(error.to_string()))?;
        }
        match path.is_file() {
            true => Ok(path),
            false => Err(wrong(format!("its generator wrote no such file{}", Printed::of(&run)))),
        }
    }

    /// Runs the bot, then the tester on its output.
    fn answer(&self, order: &Order<'_>, tester: &Tester, input: &Path, out: &Path) -> Result<Ran, Stop> {
        let bot = order.bots[0];
        let mut command = Command::new(bot.program());
        command.args(bot.arguments());
        let run = run_from(open(input, order)?, &mut command, tester.limit);
        let run = run.map_err(|source| RefereeError::Start { command: bot.to_string(), source })?;
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
                let kept = |source| RefereeError::Keep { path: out.to_owned(), source };
                fs::write(out, &run.stdout).map_err(kept)?;
                let run = self.test(Stdio::null(), self.words(order, input, out, ""))?;
                self.verdict(tester, &run).map_err(Stop::Reason)?
            }
        };
        Ok(Ran { output: run.stdout, stderr: run.stderr, took, judged })
    }

    /// Has the tester run the bot.
    fn interact(&self, order: &Order<'_>, tester: &Tester, input: &Path, out: &Path) -> Result<Ran, Stop> {
        let bot = self.scratch.one_argument(order.bots[0])?;
        let (first, judged) = self.interact_with(&bot, order, tester, input, out)?;
        let judged = match judged {
            // A recording shows how the bot's process ended.
            Err(reason) => {
                let file = self.scratch.file(&format!("case{}.rec", order.game));
                let recorded = self.scratch.recorded(order.bots[0], &file)?;
                let again = self.interact_with(&recorded, order, tester, input, out)?.1;
                let remarks = Recordings::take(std::slice::from_ref(&file)).remarks();
                match (again, remarks.first()) {
                    (_, Some(remarks)) if remarks.has_crashed || remarks.has_ended_early => {
                        Judged::Failed(Ending::Crash, remarks.of_failure().join("; "))
                    }
                    (Ok(judged), _) => judged,
                    (Err(_), _) => return Err(Stop::Reason(reason)),
                }
            }
            Ok(judged) => judged,
        };
        if !has(self.line().arguments(), "out") {
            let kept = |source| RefereeError::Keep { path: out.to_owned(), source };
            fs::write(out, &first.stdout).map_err(kept)?;
        }
        let output = fs::read(out).unwrap_or_default();
        Ok(Ran { output, stderr: first.stderr, took: first.took, judged })
    }

    fn interact_with(
        &self,
        bot: &str,
        order: &Order<'_>,
        tester: &Tester,
        input: &Path,
        out: &Path,
    ) -> Result<(Run, Result<Judged, Reason>), Stop> {
        let line = self.line().arguments();
        let stdin = if has(line, "in") { Stdio::null() } else { open(input, order)? };
        let mut command = Command::new(self.line().program());
        command.args(self.words(order, input, out, bot));
        let run = run_from(stdin, &mut command, tester.limit);
        let run = run.map_err(|source| RefereeError::Start { command: self.line().to_string(), source })?;
        let late = || {
            let limit = tester.limit.as_millis();
            Judged::Failed(Ending::TimeOutFirst, format!("tester and bot did not end within {limit} ms"))
        };
        let judged = if run.exit.is_none() { Ok(late()) } else { self.verdict(tester, &run) };
        Ok((run, judged))
    }

    fn words(&self, order: &Order<'_>, input: &Path, output: &Path, bot: &str) -> Vec<String> {
        let values = Values { seed: self.seed_sent(order.seed), input, output, bot };
        let mut words = filled(self.line().arguments(), values);
        words.extend(self.settings.arguments.iter().cloned());
        words
    }

    fn test(&self, input: Stdio, words: Vec<String>) -> Result<Run, RefereeError> {
        let run = run_from(input, Command::new(self.line().program()).args(words), self.settings.limit);
        run.map_err(|source| RefereeError::Start { command: self.line().to_string(), source })
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
    fn keep(
        &self,
        tester: &Tester,
        (seed, input, out): (u64, &Path, &Path),
        path: &Path,
        ran: &Ran,
    ) -> Result<(), RefereeError> {
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
        let values = Values { seed, input, output: out, bot: "" };
        if let Some(drawer) = &tester.drawer {
            let mut command = Command::new(drawer.program());
            let run = run_to_end(command.args(filled(drawer.arguments(), values)), self.settings.limit);
            if let Err(source) = run {
                return Err(RefereeError::Start { command: drawer.to_string(), source });
            }
        }
        let picture = PathBuf::from(filled(std::slice::from_ref(&tester.picture), values).concat());
        let Ok(text) = fs::read_to_string(&picture) else { return Ok(()) };
        let _ = fs::remove_file(&picture);
        let svg =
            text.find("<svg").and_then(|from| Some(&text[from..text.rfind("</svg>")? + "</svg>".len()]));
        svg.map_or(Ok(()), |svg| write("svg", svg.as_bytes()))
    }
}

fn open(input: &Path, order: &Order<'_>) -> Result<Stdio, RefereeError> {
    let file = File::open(input);
    let file = file.map_err(|error| {
        let (path, problem) = (input.to_owned(), error.to_string());
        RefereeError::Input { path, seed: order.seed, problem }
    })?;
    Ok(file.into())
}

fn game(tester: &Tester, input: &Path, ran: Ran, records: bool) -> Game {
    let Ran { output, stderr, took, judged } = ran;
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    let mut data = BotData::default();
    stderr.lines().for_each(|line| data.read_line(line.as_bytes()));
    let (mut log, mut attributes) = (Log::default(), BTreeMap::new());
    if records || !tester.sizes.is_empty() {
        let text = fs::read(input).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let numbers = text.lines().next().unwrap_or_default().split_whitespace();
        for (name, number) in tester.sizes.iter().zip(numbers) {
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
