//! `arena sprt`: plays until a sequential test decides whether a change is better.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;

use contest::Contest;
use serde::Serialize;

use crate::command::brutal::Players;
use crate::command::finished::Finished;
use crate::command::host::HostArgs;
use crate::command::judge::Judge;
use crate::command::live;
use crate::command::options::{
    open, print_resume_hint, warn_of_repeats, warn_of_short_openings, whole_groups, RunOptions,
};
use crate::command::run_notes::{Playing, Purpose};
use crate::failure::Failure;
use coppice_referee::report::progress::Progress;
use coppice_referee::report::summary::Summary;
use coppice_stats::{LikelihoodError, Model, Sprt, SprtState, Verdict};

use crate::program::Outcome;

/// The width of the live bar in cells.
const BAR_CELLS: usize = 21;

/// The default maximum number of games.
const GAMES: u32 = 20_000;

/// The arguments of `arena sprt`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    host: HostArgs,
    /// The new bot's command line and the old one's, each quoted as one argument
    #[arg(value_name = "CMD")]
    bots: Vec<String>,
    #[command(flatten)]
    players: Players,
    #[command(flatten)]
    test: TestOptions,
    /// Maximum number of games; the test stays undecided if they don't suffice [default: 20000]
    #[arg(short = 'n', long = "games", value_name = "N", 
          value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    #[command(flatten)]
    run: RunOptions,
}

/// The options of the test.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct TestOptions {
    /// H0: the new bot is better by at most this much
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// H1: the new bot is better by at least this much
    #[arg(long, value_name = "ELO", default_value_t = 10.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Type I error rate: the probability of accepting a wrong H1
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    alpha: f64,
    /// Type II error rate: the probability of accepting a wrong H0
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    beta: f64,
    /// The Elo model
    #[arg(long, value_enum, default_value_t = Model::Normalised)]
    model: Model,
}

impl TestOptions {
    /// The test.
    ///
    /// # Errors
    /// If the options contradict each other.
    pub(crate) fn test(&self) -> Result<Sprt, Failure> {
        Ok(Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, self.model)?)
    }
}

/// The result of a test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct SprtReport {
    #[serde(flatten)]
    test: SprtState,
    /// The number of judged pairs (or larger groups).
    judged: u64,
    /// The summary of all games.
    games: Summary,
    /// The number of judged pairs all of whose games were played before.
    repeats: u64,
    /// Whether games mostly repeat where they begin the same, so that repeats are no evidence.
    #[serde(skip)]
    are_alike: bool,
    /// Why the test ended, if neither a verdict nor the number of games ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stopped>,
    /// Advice for an undecided test.
    #[serde(skip)]
    advice: Advice,
}

/// Why a test is undecided, other than by too few games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stopped {
    /// The games repeat, so that they can't decide.
    GamesRepeat,
}

/// Advice for an undecided test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Advice {
    /// Option that adds games.
    pub more: &'static str,
    /// Advice that makes games differ.
    pub vary: String,
}

impl Advice {
    /// Advice on games whose contest and bots aren't known.
    pub(crate) fn general(more: &'static str) -> Self {
        let vary = "play games that differ: from more openings, where the bots' protocol has openings, or by bots that vary \
                    their play";
        Self { more, vary: vary.to_owned() }
    }
}

/// Plays until the test or the plan ends, and prints the result.
///
/// # Errors
/// If a bot can't be started, the games can't be stored, or after an interrupt; the result so far is printed then too.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<Outcome, Failure> {
    let test = args.test.test()?;
    let (opened, bots) = open(known, &args.host, &args.bots, &args.players)?;
    let run = args.run.for_test(&args.host)?;
    let Some((mut tournament, mut machines)) = run.open(&args.host, opened.host(), &bots, None)? else {
        return Ok(Outcome::Done);
    };
    let last = whole_groups(args.games, GAMES, tournament.series())?;
    let names = tournament.series().names();
    let playing = Playing::begin(&tournament, last, Purpose::Sprt(test));
    let mut progress = Progress::new();
    let mut judge = Judge::new(Some(test), tournament.series().grouping());
    let file = tournament.file().to_owned();
    let play = || {
        tournament.play(last, machines.as_mut(), &mut progress, |games, progress| {
            judge.update(games);
            if let Some(state) = progress.is_due().then(|| judge.state(test).ok()).flatten() {
                progress.update(format_args!("{}  {}", Bar(state), judge.score_text(&names)));
            }
            match judge.is_over() {
                false => ControlFlow::Continue(()),
                true => ControlFlow::Break(()),
            }
        })
    };
    let played = live::during(args.run.report.live, &file, known, play)?;
    progress.end();
    let more = match args.run.names_seeds() {
        true => "repeat the same command with more --seeds",
        false => "repeat the same command with a larger -n",
    };
    let advice = Advice { more, vary: tournament.series().advice_against_repeats() };
    let report = SprtReport::new(test, &judge, tournament.summary(last)?, advice)?;
    playing.end(&tournament, &report.games, &played);
    report.print(args.run.json, out)?;
    Finished::write_run((&tournament, last), &args.run.report, known, played.as_ref().err())?;
    warn_of_short_openings(&tournament, last);
    match &played {
        // The verdict says it.
        Ok(()) if report.stopped.is_some() => {}
        Ok(()) => warn_of_repeats(&tournament, last),
        Err(error) => print_resume_hint(&tournament, last, error),
    }
    played?;
    Ok(report.outcome())
}

impl SprtReport {
    /// The report of a test and its games.
    ///
    /// # Errors
    /// As for [`Sprt::llr`].
    pub(crate) fn new(
        test: Sprt,
        judge: &Judge,
        games: Summary,
        advice: Advice,
    ) -> Result<Self, LikelihoodError> {
        let (judged, repeats) = (judge.samples().all().len() as u64, judge.samples().repeats());
        let stopped = judge.is_held_back(test)?.then_some(Stopped::GamesRepeat);
        let are_alike = judge.samples().are_alike();
        Ok(Self { test: judge.state(test)?, judged, games, repeats, are_alike, stopped, advice })
    }

    /// The program's outcome.
    pub(crate) fn outcome(&self) -> Outcome {
        match self.test.verdict {
            Verdict::AcceptH1 => Outcome::Done,
            Verdict::AcceptH0 | Verdict::Undecided => Outcome::NotProved,
        }
    }

    /// Prints the games and the verdict.
    ///
    /// # Errors
    /// If `out` can't be written.
    pub(crate) fn print(&self, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
        if json {
            let text = serde_json::to_string(self).map_err(std::io::Error::from)?;
            writeln!(out, "{text}")?;
        } else {
            if self.games.games > 0 {
                write!(out, "{}", self.games)?;
            }
            writeln!(out, "{self}")?;
        }
        Ok(out.flush()?)
    }
}

/// The verdict as a sentence.
impl fmt::Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtState { test, llr, lower, upper, verdict } = self.test;
        let (elo0, elo1) = test.hypotheses();
        let unit = match test.model() {
            Model::Normalised => "normalised Elo",
            Model::Logistic => "Elo",
        };
        let (alpha, beta) = test.error_rates();
        let judged = self.judged;
        let comparison = self.games.comparison.as_ref();
        let name = |bot: usize| self.games.bots.get(bot).map_or("the bot", |bot| bot.name.as_str());
        let (first, second) = (name(0), name(1));
        let alone = comparison.is_some_and(|comparison| comparison.games_per_sample == 1);
        let pairs = if alone { "seed" } else { "pair" };
        let pairs = if judged == 1 { pairs.to_owned() } else { format!("{pairs}s") };
        match verdict {
            Verdict::AcceptH1 => write!(
                f,
                "H1 accepted: {first} is better than {second}, by {elo1} {unit} rather than {elo0} (wrong in at most {:.0} % of such tests); ",
                alpha * 100.0
            ),
            Verdict::AcceptH0 => write!(
                f,
                "H0 accepted: {first} is not better than {second} by {elo1} {unit}, {elo0} is likelier (wrong in at most {:.0} % of such tests); ",
                beta * 100.0
            ),
            Verdict::Undecided if self.stopped.is_some() => write!(
                f,
                "Undecided between {elo0} and {elo1} {unit}, because the games repeat: {} of {judged} {pairs} have no game \
                 that wasn't played before, move by move. More of them would decide nothing; {}; ",
                self.repeats, self.advice.vary
            ),
            Verdict::Undecided => {
                let (noun, each) = if alone { ("seeds", 1.0) } else { ("games", 2.0) };
                write!(f, "Undecided between {elo0} and {elo1} {unit}: more {noun} are needed")?;
                // Extrapolates the ratio linearly; close to 0 that is meaningless.
                let share = if llr > 0.0 { llr / upper } else { llr / lower };
                if share > 0.05 {
                    let games = (each * judged as f64 / share / 100.0).ceil() * 100.0;
                    write!(f, ", about {games:.0} in total at the present rate ({})", self.advice.more)?;
                }
                write!(f, "; ")
            }
        }?;
        write!(f, "LLR {llr:.2} ({lower:.2} to {upper:.2}) after {judged} {pairs}.")?;
        if self.repeats > 0 && self.stopped.is_none() {
            let how = if self.are_alike {
                "the LLR holds with and without repeats"
            } else {
                "by chance, as it seems"
            };
            let (count, verb) = (self.repeats, if self.repeats == 1 { "repeats" } else { "repeat" });
            write!(f, " {count} of them {verb} others, move by move: {how}.")?;
        }
        // A sample of two bots has two games.
        let more = u64::from(self.games.games).saturating_sub(2 * judged);
        match (verdict, more) {
            (Verdict::Undecided, _) | (_, 0) => Ok(()),
            (_, 1) => write!(f, " One game more had begun before."),
            (_, more) => write!(f, " {more} games more had begun before."),
        }
    }
}

/// The log-likelihood ratio between its bounds.
struct Bar(SprtState);

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtState { llr, lower, upper, .. } = self.0;
        let share = ((llr - lower) / (upper - lower)).clamp(0.0, 1.0);
        let at = (share * (BAR_CELLS - 1) as f64).round() as usize;
        let cells = (0..BAR_CELLS).map(|cell| if cell == at { '|' } else { '-' }).collect::<String>();
        write!(f, "H0 {cells} H1  LLR {llr:+.2} ({lower:.2} to {upper:.2})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice_stats::Outcomes;

    fn state(cells: [u64; 5]) -> SprtState {
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalised).unwrap();
        SprtState::of(test, &Outcomes::pentanomial(&cells)).unwrap()
    }

    #[test]
    fn the_bar_stands_where_the_ratio_is() {
        assert!(Bar(state([0; 5])).to_string().starts_with("H0 ----------|---------- H1  LLR +0.00"));
        assert!(Bar(state([0, 0, 10, 400, 500])).to_string().starts_with("H0 --------------------| H1"));
        assert!(Bar(state([500, 400, 10, 0, 0])).to_string().starts_with("H0 |-------------------- H1"));
    }
}
