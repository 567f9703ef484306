//! `arena rate`: rates several bots.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;

use contest::Contest;
use coppice::rng::mix;
use serde::Serialize;

use crate::command::finished::Finished;
use crate::command::host::HostArgs;
use crate::command::live;
use crate::command::misuse::{InvalidValue, Misuse};
use crate::command::options::{
    print_resume_hint, warn_of_best, warn_of_repeats, warn_of_short_openings, whole_groups, RunOptions,
};
use crate::command::pool::rate::{self as pool, PoolOptions, Requested};
use crate::command::run_notes::{Playing, Purpose};
use crate::command::sprt::Stopped;
use crate::failure::Failure;
use crate::program::Outcome;
use coppice_referee::game::fault::Ending;
use coppice_referee::record::BotRecord;
use coppice_referee::report::progress::Progress;
use coppice_referee::report::standings::{add_tables, Standings};
use coppice_referee::report::summary::Summary;
use coppice_referee::series::host::Host;
use coppice_referee::series::tournament::{Games, Tournament};
use coppice_referee::series::Series;
use coppice_stats::rating::{Meetings, Ratings};
use coppice_stats::repeats::Samples;

/// The default number of games for each line-up.
const GAMES: u32 = 100;

/// The arguments of `arena rate`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("contest", |contest| {
    contest.index(1).required(false).required_unless_present_any(["referee", "pool"])
}))]
pub(crate) struct Args {
    #[command(flatten)]
    host: HostArgs,
    /// The bots' command lines, each quoted as one argument
    #[arg(value_name = "CMD", index = 2)]
    bots: Vec<String>,
    /// Play only the first bot against each of the others, instead of a round robin
    #[arg(long, conflicts_with = "pool")]
    gauntlet: bool,
    /// Number of games for each pair of bots (or larger line-up), a multiple of two, as each opening is played from
    /// both sides [default: 100]; for single-player contests, the number of seeds
    #[arg(short = 'n', long = "games", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Stop once one bot is significantly more than ELO stronger than every other; 0 stops when the best is known
    #[arg(long, value_name = "ELO", value_parser = threshold, conflicts_with = "pool")]
    stop_threshold: Option<f64>,
    #[command(flatten)]
    pool: PoolOptions,
    #[command(flatten)]
    run: RunOptions,
}

fn threshold(text: &str) -> Result<f64, InvalidValue> {
    match text.parse() {
        Ok(elo) if (0.0..=1000.0).contains(&elo) => Ok(elo),
        _ => Err("expected a number from 0 to 1000".into()),
    }
}

/// Plays the remaining games and prints the standings.
///
/// # Errors
/// If there are too few bots, one can't be started, the games can't be written, or after an interrupt; the standings
/// are printed then too.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<Outcome, Failure> {
    if args.pool.pool.is_some() {
        args.host.check_none(&args.bots)?;
        let how = Requested { games: args.games, json: args.run.json, report: &args.run.report };
        pool::run(&args.pool, &args.host.referee_words(), &args.run.for_pool()?, &how, known, out)?;
        return Ok(Outcome::Done);
    }
    let bots = args.host.bots(&args.bots);
    let opened = args.host.open(known, |_| 2, bots.len())?;
    let lineups = lineups(opened.host(), bots.len(), args.gauntlet)?;
    let Some((mut tournament, mut machines)) =
        args.run.open(&args.host, opened.host(), &bots, Some(lineups))?
    else {
        return Ok(Outcome::Done);
    };
    let last = last_game(args.games, tournament.series())?;
    let mut rounds = Rounds::new(tournament.series());
    let names = tournament.series().names();
    let playing = Playing::begin(&tournament, last, Purpose::Rate);
    let mut progress = Progress::new();
    let file = tournament.file().to_owned();
    let play = || {
        tournament.play(last, machines.as_mut(), &mut progress, |games, progress| {
            if !rounds.look(games) {
                return ControlFlow::Continue(());
            }
            progress.update(Leader(&Ratings::of(&rounds.meetings), &names));
            match args.stop_threshold.is_some_and(|elo| rounds.best(elo).is_some() || rounds.are_exhausted())
            {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    };
    let played = live::during(args.run.report.live, &file, known, play)?;
    progress.end();
    let stop = args.stop_threshold.map(|elo| Stop::new(elo, &rounds, tournament.series()));
    let report = Report::new(&tournament, last, stop)?;
    playing.end(&tournament, &report.summary, &played);
    report.print(args.run.json, out)?;
    Finished::write_run((&tournament, last), &args.run.report, known, played.as_ref().err())?;
    warn_of_short_openings(&tournament, last);
    warn_of_best(&report.summary);
    match &played {
        // The verdict says it.
        Ok(()) if report.stop.as_ref().is_some_and(|stop| stop.stopped.is_some()) => {}
        Ok(()) => warn_of_repeats(&tournament, last),
        Err(error) => print_resume_hint(&tournament, last, error),
    }
    played?;
    Ok(report.outcome())
}

/// The line-ups: all combinations of as many bots as a game has seats, or those that include the first bot. For
/// single-player contests, all bots are compared on each seed.
fn lineups(host: Host<'_>, bots: usize, gauntlet: bool) -> Result<Vec<Vec<usize>>, Failure> {
    let seats = host.seats();
    if bots < seats.max(2) {
        return Err(Misuse::TooFewBots {
            contest: host.name().to_owned(),
            needed: seats.max(2),
            given: bots,
        }
        .into());
    }
    if seats == 1 {
        return Ok(vec![(0..bots).collect()]);
    }
    let all = combinations(0, bots, seats);
    Ok(all.into_iter().filter(|lineup| !gauntlet || lineup[0] == 0).collect())
}

/// The ways to take `count` of the numbers from `first` up to `end`, ascending.
fn combinations(first: usize, end: usize, count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let beginning_with = |number: usize| {
        let rests = combinations(number + 1, end, count - 1);
        rests.into_iter().map(move |rest| [vec![number], rest].concat())
    };
    (first..end).flat_map(beginning_with).collect()
}

/// The number of the last game: `given` counts games per line-up, or seeds for single-player contests.
fn last_game(given: Option<u32>, series: &Series<'_>) -> Result<u32, Failure> {
    let (games, factor) = match series.host.seats() {
        1 => {
            let most = series.seeds.as_ref().map(|seeds| seeds.all().len() as u32);
            (given.or(most).unwrap_or(GAMES).min(most.unwrap_or(u32::MAX)), series.bots.len())
        }
        _ => (whole_groups(given, GAMES, series)?, series.lineups.len()),
    };
    let last = u32::try_from(factor).ok().and_then(|factor| games.checked_mul(factor));
    Ok(last.ok_or(Misuse::TooManyGames { games, lineups: factor })?)
}

/// Completed rounds, in the order of the plan: each line-up has played the same openings. A run therefore stops at the
/// same game regardless of the durations of games and of interruptions.
struct Rounds {
    size: u32,
    group_size: u32,
    whole: u32,
    meetings: Meetings,
    /// The meetings of groups with a game that wasn't played before.
    new_meetings: Meetings,
    /// All groups, and which of them repeat.
    groups: Samples,
}

impl Rounds {
    fn new(series: &Series<'_>) -> Self {
        let group_size = series.group_size();
        let meetings = Meetings::new(series.bots.len(), series.host.seats());
        Self {
            size: group_size * series.lineups.len() as u32,
            group_size,
            whole: 0,
            new_meetings: meetings.clone(),
            meetings,
            groups: Samples::new(series.grouping()),
        }
    }

    /// The bot that is surely the best by `elo`. Where games mostly repeat, it must be so without the repeats too.
    fn best(&self, elo: f64) -> Option<usize> {
        let best = |meetings: &Meetings| Ratings::of(meetings).surely_best(meetings, elo);
        let counts_all = self.groups.repeats() == 0 || !self.groups.are_alike();
        let found = best(&self.meetings)?;
        (counts_all || best(&self.new_meetings) == Some(found)).then_some(found)
    }

    /// Whether the games repeat, so that more of them tell nothing.
    fn are_exhausted(&self) -> bool {
        self.groups.are_exhausted()
    }

    /// Adds the newly completed rounds; returns whether there were any.
    fn look(&mut self, games: &Games<'_>) -> bool {
        let before = self.whole;
        loop {
            let first = self.whole * self.size + 1;
            let round = (first..first + self.size).map(|game| games.get(game)).collect::<Option<Vec<_>>>();
            let Some(round) = round else { return self.whole > before };
            for (lineup, group) in (0..).zip(round.chunks(self.group_size as usize)) {
                let tables = || group.iter().map(|game| game.played()).collect();
                add_tables(tables(), &mut self.meetings);
                let moves = group.iter().map(|game| game.moves()).collect::<Option<Vec<_>>>();
                let opening = group.first().map_or(0, |game| game.opening()) ^ mix(lineup);
                let repeats = self.groups.repeats();
                // Only whether it repeats an earlier group counts here, not its result.
                self.groups.push(0.5, moves.as_ref().map(|moves| (opening, moves.as_slice())));
                if self.groups.repeats() == repeats {
                    add_tables(tables(), &mut self.new_meetings);
                }
            }
            self.whole += 1;
        }
    }
}

fn bot_records(series: &Series<'_>) -> Vec<BotRecord> {
    (0..series.bots.len()).map(|bot| series.bot_record(bot)).collect()
}

/// The leader and its lead, for the progress line; and the bots' names.
struct Leader<'a>(&'a Ratings, &'a [String]);

impl fmt::Display for Leader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.0.order();
        let [first, second, ..] = order.as_slice() else { return Ok(()) };
        let lead = self.0.difference(*first, *second);
        write!(
            f,
            "{} leads {} by {:.0} +- {:.0} Elo",
            self.1[*first],
            self.1[*second],
            lead.mean,
            lead.error()
        )
    }
}

/// Whether `--stop-threshold` was reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Stop {
    threshold_elo: f64,
    /// The bot that is significantly better than all others by the threshold.
    best: Option<String>,
    /// The number of complete rounds judged.
    rounds: u32,
    /// Why more games can't tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stopped>,
    /// Advice that makes games differ.
    #[serde(skip)]
    vary: String,
}

impl Stop {
    fn new(threshold_elo: f64, rounds: &Rounds, series: &Series<'_>) -> Self {
        let best = rounds.best(threshold_elo).map(|bot| series.name_of(bot));
        let all = Ratings::of(&rounds.meetings).surely_best(&rounds.meetings, threshold_elo);
        let is_held_back = best.is_none() && (rounds.are_exhausted() || all.is_some());
        let stopped = is_held_back.then_some(Stopped::GamesRepeat);
        let vary = series.advice_against_repeats();
        Self { threshold_elo, best, rounds: rounds.whole, stopped, vary }
    }
}

/// One sentence.
impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threshold_elo, best, rounds, stopped, vary } = self;
        let noun = if *rounds == 1 { "round" } else { "rounds" };
        match best {
            Some(name) => write!(
                f,
                "{name} is more than {threshold_elo} Elo better than every other bot, known after {rounds} {noun} (wrong in \
                 at most 5 % of such runs)."
            ),
            None if stopped.is_some() => write!(
                f,
                "After {rounds} {noun} no bot is surely more than {threshold_elo} Elo better than every other, because the \
                 games repeat, move by move. More of them would decide nothing; {vary}."
            ),
            None => write!(
                f,
                "After {rounds} {noun} no bot is surely more than {threshold_elo} Elo better than every other: more games \
                 are needed."
            ),
        }
    }
}

/// The final report.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    standings: Standings,
    stop: Option<Stop>,
    /// Endings and answer times.
    summary: Summary,
}

impl Report {
    /// The report on games that were played elsewhere.
    pub(crate) fn of_games(standings: Standings, summary: Summary) -> Self {
        Self { standings, stop: None, summary }
    }

    fn new(tournament: &Tournament<'_>, last: u32, stop: Option<Stop>) -> Result<Self, Failure> {
        let series = tournament.series();
        let bots = bot_records(series);
        let meetings = tournament.games(last).meetings(bots.len(), series.host.seats());
        let standings = Standings::of(&bots, &meetings);
        Ok(Self { standings, stop, summary: tournament.summary(last)? })
    }

    fn outcome(&self) -> Outcome {
        match &self.stop {
            Some(Stop { best: None, .. }) => Outcome::NotProved,
            _ => Outcome::Done,
        }
    }

    /// Prints it.
    ///
    /// # Errors
    /// If `out` can't be written.
    pub(crate) fn print(&self, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
        if json {
            let text = serde_json::to_string(self).map_err(std::io::Error::from)?;
            writeln!(out, "{text}")?;
        } else if self.summary.games > 0 {
            write!(out, "{self}")?;
        }
        Ok(out.flush()?)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { standings, stop, summary } = self;
        write!(f, "{standings}")?;
        f.write_str(&summary.shares())?;
        writeln!(f, "endings: {} of {} normal", summary.normal, summary.games)?;
        for bot in &summary.bots {
            let faults = bot.endings.iter().filter(|(&ending, _)| ending != Ending::Normal);
            let faults = faults.map(|(ending, count)| format!("{ending} {count}")).collect::<Vec<_>>();
            if !faults.is_empty() {
                writeln!(f, "  faults of {}: {}", bot.name, faults.join(", "))?;
            }
        }
        stop.iter().try_for_each(|stop| writeln!(f, "{stop}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_meet_all() {
        assert_eq!(combinations(0, 4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(combinations(0, 4, 3), [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]);
        assert_eq!(combinations(0, 2, 3), [[0; 0]; 0]);
    }

    #[test]
    fn thresholds_are_not_negative() {
        assert_eq!(threshold("12.5"), Ok(12.5));
        for wrong in ["-1", "nan", "1001", "many"] {
            assert!(threshold(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_a_threshold_came_to_is_one_sentence() {
        let stop = |threshold_elo: f64, best: Option<&str>, rounds: u32| {
            let best = best.map(str::to_owned);
            Stop { threshold_elo, best, rounds, stopped: None, vary: "add openings".to_owned() }
        };
        let reached = stop(20.0, Some("B"), 1);
        let open = stop(0.0, None, 50);
        let repeated = Stop { stopped: Some(Stopped::GamesRepeat), ..open.clone() };
        assert!(repeated.to_string().ends_with(
            "because the games repeat, move by move. More of them would decide nothing; \
                                                add openings."
        ));
        assert!(reached
            .to_string()
            .starts_with("B is more than 20 Elo better than every other bot, known after 1 round ("));
        assert!(open.to_string().starts_with("After 50 rounds no bot is surely more than 0 Elo better"));
    }
}
