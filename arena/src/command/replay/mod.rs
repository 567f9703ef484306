//! `arena replay`: checks recorded games against the rules, and a bot against recorded games. A bot is also asked the
//! recorded turns of contests whose rules aren't here.

mod total;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use contest::notation::AT;
use contest::{Contest, Limits, Referee, Seat};
use serde::Serialize;

use crate::command::game_options::by_protocol;
use crate::command::limits::{with_grace, LIMIT_MS};
use crate::command::misuse::NoGames;
use crate::failure::Failure;
use coppice_referee::bot::Bot;
use coppice_referee::contests;
use coppice_referee::game::log::{Direction, Log};
use coppice_referee::game::GameError;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::process::StartError;
use coppice_referee::process::{self, Process};
use coppice_referee::replay::against::{Against, SeatReport};
use coppice_referee::replay::source::{Form, Found, Source};
use coppice_referee::replay::verify::{prepare, Prepared, Problem, Verdict};
use coppice_referee::replay::{without_rules, LastTurn, Next, RecordedTurn};
use coppice_referee::text::readable;
use coppice_referee::text::terminal::position;
use total::Total;

/// The arguments of `arena replay`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Bot logs (GAME.p0.log), game records (GAME.json, games.jsonl), the platform's replays, its runner's results,
    /// or folders of them; - is the standard input; the contest's name may come first
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The contest; default: the record's contest, the one in a folder's name, or the one whose rules accept the
    /// whole game
    #[arg(long, value_name = "NAME")]
    pub contest: Option<String>,
    /// A bot's command line, or a search of this program (in:SEARCH): it is asked every recorded turn; the game follows
    /// the recorded answers, not the bot's
    #[arg(long, value_name = "CMD")]
    pub bot: Option<String>,
    /// The bot's seat; default: each seat in turn
    #[arg(long, value_name = "SEAT", requires = "bot")]
    pub seat: Option<Seat>,
    /// Print every turn in which the bot moves differently, not just the first, and continue after a fault
    #[arg(long, requires = "bot")]
    pub all: bool,
    /// Draw the position before each turn
    #[arg(long, conflicts_with = "json")]
    pub show: bool,
    /// Stop at the game's turn N, counted from 1, and show it; the bot is asked this turn too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub turn: Option<u32>,
    /// Milliseconds for the bot's first answer, 1 to 86400000, instead of the contest's
    #[arg(long, value_name = "MS", requires = "bot", value_parser = clap::value_parser!(u32).range(LIMIT_MS))]
    pub first_ms: Option<u32>,
    /// Milliseconds for its other answers, 1 to 86400000, instead of the contest's
    #[arg(long, value_name = "MS", requires = "bot", value_parser = clap::value_parser!(u32).range(LIMIT_MS))]
    pub later_ms: Option<u32>,
    /// Milliseconds added to each limit
    #[arg(long, value_name = "MS", requires = "bot", default_value_t = 0)]
    pub grace_ms: u32,
    /// Print one JSON object per line: one for each game, then the total
    #[arg(long)]
    pub json: bool,
}

/// Replays each game and prints its result.
///
/// # Errors
/// If a game contradicts the rules or is truncated, or the bot moves differently or fails.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let (said, files) = contest_and_files(args, known);
    let said = said.map(|name| contests::find(known, name)).transpose()?;
    if let Some(bot) = &args.bot {
        // Before the first game.
        CommandLine::parse(bot)?;
    }
    let found = Found::look(files);
    let mut total = Total::default();
    if found.games.is_empty() && found.problems.is_empty() {
        return Err(Failure::new(NoGames::in_files(files)));
    }
    for problem in &found.problems {
        total.add_problem(problem, args.json, out)?;
    }
    for source in &found.games {
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        if let Some((contest, logs)) = without_rules(args, source, known) {
            let line = ask_again(args, source, contest, logs)?;
            total.add(&line);
            line.print(args, out)?;
            continue;
        }
        match prepare(source, said, known) {
            Ok(prepared) => {
                let line = replay(args, source, &prepared, out)?;
                total.add(&line);
                line.print(args, out)?;
            }
            Err(error) => total.add_problem(&error.to_string(), args.json, out)?,
        }
    }
    total.print(args, out)
}

/// The contest, if it is named, and the files. A name may come before them; a file of that name takes precedence.
fn contest_and_files<'a>(args: &'a Args, known: &[&dyn Contest]) -> (Option<&'a str>, &'a [PathBuf]) {
    if let (None, [first, rest @ ..]) = (&args.contest, &args.files[..]) {
        let name = first.to_str().filter(|name| contests::is_named(known, name));
        if name.is_some() && !rest.is_empty() && !first.exists() {
            return (name, rest);
        }
    }
    (args.contest.as_deref(), &args.files)
}

/// The contest's name and the dialogues of a game whose contest isn't one of this program, if a bot is to be asked.
fn without_rules<'a>(
    args: &Args,
    source: &'a Source,
    known: &[&dyn Contest],
) -> Option<(&'a str, &'a [(PathBuf, Log)])> {
    let contest = source.fields.contest.as_deref().unwrap_or("no contest");
    let is_known = source.fields.contest.as_ref().is_none_or(|name| contests::find(known, name).is_ok());
    match &source.form {
        Form::Dialogues(logs) if args.bot.is_some() && !is_known => Some((contest, logs)),
        _ => None,
    }
}

/// Asks a bot the recorded turns of each seat, without rules.
fn ask_again(args: &Args, source: &Source, contest: &str, logs: &[(PathBuf, Log)]) -> Result<Line, Failure> {
    let bot = CommandLine::parse(args.bot.as_deref().unwrap_or_default())?;
    let run = source.fields.run.as_ref();
    // Zero stands for a limit that only the referee knows.
    let limit = |given: Option<u32>, recorded: Option<f64>| match (given, recorded.filter(|&ms| ms > 0.0)) {
        (Some(ms), _) => Duration::from_millis(ms.into()),
        (None, Some(ms)) => Duration::from_secs_f64(ms / 1000.0),
        (None, None) => PATIENCE,
    };
    let limits = Limits {
        first: limit(args.first_ms, run.map(|run| run.first_ms)),
        later: limit(args.later_ms, run.map(|run| run.later_ms)),
    };
    let limits = with_grace(limits, args.grace_ms);
    let mut reports = Vec::new();
    let is_asked = |(seat, (_, log)): &(Seat, &(PathBuf, Log))| {
        let mut input = log.entries().iter().filter(|entry| entry.direction == Direction::ToBot);
        args.seat.is_none_or(|asked| asked == *seat) && input.any(|entry| !entry.text.is_empty())
    };
    for (seat, (path, log)) in logs.iter().enumerate().filter(is_asked) {
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let process =
            Process::start(&bot).map_err(|source| StartError::new("--bot".to_owned(), &bot, source))?;
        reports.push(without_rules::ask_again(log, path, seat, limits, Box::new(process)));
    }
    Ok(Line {
        game: source.name.clone(),
        contest: contest.to_owned(),
        by_rules: false,
        agrees: source.cuts.is_empty(),
        answers: logs
            .iter()
            .map(|(_, log)| log.exchanges().filter(|turn| !turn.answered.is_empty()).count())
            .sum(),
        scores: source.fields.scores.clone().unwrap_or_default(),
        problem: None,
        variants: None,
        cuts: source.cuts.clone(),
        failures: Vec::new(),
        bot: reports,
    })
}

/// The limit of an answer where no limit is known.
const PATIENCE: Duration = Duration::from_secs(10);

/// A game's result.
#[derive(Debug, Serialize)]
struct Line {
    game: String,
    contest: String,
    /// Whether the contest's rules are known.
    by_rules: bool,
    agrees: bool,
    answers: usize,
    scores: Vec<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
    /// How variants of the contest are named, if it isn't one.
    #[serde(skip)]
    variants: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cuts: Vec<String>,
    /// How bots failed in their last turns, where no record tells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bot: Vec<SeatReport>,
}

/// Replays a game through the rules, then with the bot on each seat.
fn replay(
    args: &Args,
    source: &Source,
    prepared: &Prepared<'_>,
    out: &mut dyn Write,
) -> Result<Line, Failure> {
    let Verdict { answers, scores, problem, failures } = through_rules(args, source, prepared, out)?;
    let mut reports = Vec::new();
    if let Some(bot) = &args.bot {
        let line = &by_protocol(prepared.contest, bot)?;
        let seats = args.seat.map_or(0..prepared.seats(), |seat| seat..seat + 1);
        for seat in seats {
            reports.push(through_bot(args, prepared, line, seat)?);
        }
    }
    let contest = prepared.contest;
    Ok(Line {
        game: source.name.clone(),
        contest: contest.name().to_owned(),
        by_rules: true,
        agrees: problem.is_none() && source.cuts.is_empty(),
        answers,
        scores,
        problem,
        variants: contest.variants().filter(|_| !contest.name().contains([':', AT])),
        cuts: source.cuts.clone(),
        failures: failures.iter().map(LastTurn::to_string).collect(),
        bot: reports,
    })
}

fn through_rules(
    args: &Args,
    source: &Source,
    prepared: &Prepared<'_>,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let mut written = Ok(());
    if args.show {
        writeln!(out, "{} ({})", source.name, prepared.contest.name())?;
    }
    let mut is_inside = false;
    let verdict = prepared.verify(|referee, turn| {
        let is_last = args.turn.is_some_and(|last| turn.number >= last as usize);
        is_inside |= is_last;
        if args.show || (is_last && !args.json) {
            written = show(referee, &turn, out);
        }
        if is_last || written.is_err() {
            return Next::Stop;
        }
        Next::GoOn
    });
    written?;
    if args.show && verdict.problem.is_none() && !is_inside {
        writeln!(out, "scores {}\n", numbers(&verdict.scores))?;
    }
    Ok(verdict)
}

/// Prints the position before a turn, and the recorded answer.
fn show(referee: &dyn Referee, turn: &RecordedTurn<'_>, out: &mut dyn Write) -> std::io::Result<()> {
    let RecordedTurn { number, seat, path, line, answer, .. } = turn;
    writeln!(out, "{}", position(referee, None))?;
    let answer = answer.replace('\n', " / ");
    writeln!(out, "turn {number}, seat {seat}: {answer}    ({}:{line})\n", path.display())
}

fn through_bot(
    args: &Args,
    prepared: &Prepared<'_>,
    line: &CommandLine,
    seat: Seat,
) -> Result<SeatReport, Failure> {
    let start = || {
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let process =
            Process::start(line).map_err(|source| StartError::new("--bot".to_owned(), line, source))?;
        Ok(Box::new(process) as Box<dyn Bot>)
    };
    let millis = |given: Option<u32>| given.map(|ms| Duration::from_millis(ms.into()));
    let limits = Limits {
        first: millis(args.first_ms).unwrap_or(prepared.limits.first),
        later: millis(args.later_ms).unwrap_or(prepared.limits.later),
    };
    let mut against = Against::new(prepared.contest, with_grace(limits, args.grace_ms), seat, start);
    let mut failed = None;
    // The contradiction was reported; the bot is asked up to it.
    let _ = prepared.verify(|referee, turn| {
        if let Err(error) = against.look(referee, &turn) {
            failed = Some(error);
            return Next::Stop;
        }
        let is_last = args.turn.is_some_and(|last| turn.number >= last as usize);
        if is_last || (against.has_failed() && !args.all) {
            return Next::Stop;
        }
        Next::GoOn
    });
    match failed {
        Some(error) => Err(error),
        None if process::interrupted() => Err(GameError::Interrupted.into()),
        None => Ok(against.finish()),
    }
}

impl Line {
    fn print(&self, args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
        if args.json {
            return json_line(&serde_json::json!({"type": "game"}), self, out);
        }
        let Self { game, contest, answers, scores, .. } = self;
        match &self.problem {
            Some(problem) => {
                let text = problem.to_string();
                let place = if text.contains(game.as_str()) { String::new() } else { format!("{game}: ") };
                let text = readable(&text);
                write!(out, "{place}{text}; {answers} answers before it agree with {contest}")?;
                match self.variants {
                    Some(words) => writeln!(out, " (a variant: --contest {contest}:{words})")?,
                    None => writeln!(out)?,
                }
            }
            None if !self.by_rules => writeln!(out, "{game}: {contest}, {answers} answers, no rules here")?,
            None if args.turn.is_some_and(|turn| *answers + 1 < turn as usize) => {
                let noun = if *answers == 1 { "turn" } else { "turns" };
                let turn = args.turn.unwrap_or_default();
                writeln!(
                    out,
                    "{game}: {contest} has {answers} {noun}, so there is no turn {turn}; they agree"
                )?
            }
            None if args.turn.is_some() => {
                writeln!(out, "{game}: {contest}, {answers} answers: agrees so far")?
            }
            None => {
                let agrees =
                    if self.cuts.is_empty() { "agrees" } else { "agrees up to where it is truncated" };
                write!(out, "{game}: {contest}, {answers} answers, scores {}: {agrees}", numbers(scores))?;
                self.failures.iter().try_for_each(|failure| write!(out, "; {failure}"))?;
                writeln!(out)?;
            }
        }
        self.cuts.iter().try_for_each(|cut| writeln!(out, "{cut}"))?;
        self.bot.iter().try_for_each(|report| print_seat(report, args.all, out))?;
        Ok(out.flush()?)
    }
}

/// An answer of several lines on one.
fn on_a_line(answer: &str) -> String {
    answer.replace('\n', " / ")
}

fn print_seat(report: &SeatReport, all: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let SeatReport { seat, turns, same, differences, faults, slowest_ms, slowest_turn } = report;
    writeln!(
        out,
        "  seat {seat}: {same} of {turns} turns as recorded, slowest {slowest_ms:.1} ms in turn {slowest_turn}"
    )?;
    let shown = if all { differences.len() } else { 1 };
    for difference in differences.iter().take(shown) {
        let coppice_referee::replay::against::Difference { turn, place, recorded, answered, ms } = difference;
        writeln!(
            out,
            "    turn {turn} ({place}): recorded {}, the bot moves {} in {ms:.1} ms",
            on_a_line(recorded),
            on_a_line(answered)
        )?;
    }
    let hidden = differences.len().saturating_sub(shown);
    if hidden > 0 {
        writeln!(out, "    and {hidden} more; --all prints them")?;
    }
    for fault in faults {
        for line in fault.to_string().lines() {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

/// Writes a value as a line of JSON with its `type`.
fn json_line(kind: &serde_json::Value, value: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let mut line = serde_json::to_value(value).map_err(std::io::Error::from)?;
    line["type"] = kind["type"].clone();
    Ok(writeln!(out, "{line}")?)
}

fn numbers(scores: &[i64]) -> String {
    scores.iter().map(i64::to_string).collect::<Vec<_>>().join("-")
}
