//! The total of a run of `arena replay`.

use std::io::Write;

use contest::Seat;
use serde::Serialize;

use super::{json_line, Args, Line};
use crate::failure::Failure;
use coppice_referee::replay::against::SeatReport;
use coppice_referee::text::readable;

/// Totals over all games.
#[derive(Debug, Default, Serialize)]
pub(super) struct Total {
    games: usize,
    agree: usize,
    /// Files that hold no game.
    problems: usize,
    /// Games of contests whose rules aren't here.
    without_rules: usize,
    turns: usize,
    same: usize,
    faults: usize,
    /// The seats in which the bot did worst: faults, changed answers, slowest answer.
    worst: Vec<Worst>,
}

/// A seat of a game that was played again by a bot.
#[derive(Debug, PartialEq, Serialize)]
struct Worst {
    faults: usize,
    changed: usize,
    slowest_ms: f64,
    game: String,
    seat: Seat,
}

/// The number of games named at the end.
const WORST: usize = 5;

impl Total {
    pub(super) fn add(&mut self, line: &Line) {
        self.games += usize::from(line.by_rules);
        self.without_rules += usize::from(!line.by_rules);
        self.agree += usize::from(line.agrees && line.by_rules);
        for report in &line.bot {
            self.add_worst(line, report);
            self.turns += report.turns;
            self.same += report.same;
            self.faults += report.faults.len();
        }
    }

    fn add_worst(&mut self, line: &Line, report: &SeatReport) {
        let (faults, changed) = (report.faults.len(), report.differences.len());
        let worst = Worst {
            faults,
            changed,
            slowest_ms: report.slowest_ms,
            game: line.game.clone(),
            seat: report.seat,
        };
        let is_behind = |other: &Worst| {
            (other.faults, other.changed) > (faults, changed)
                || (other.faults, other.changed) == (faults, changed) && other.slowest_ms >= worst.slowest_ms
        };
        let place = self.worst.partition_point(is_behind);
        self.worst.insert(place, worst);
        self.worst.truncate(WORST);
    }

    fn print_worst(&self, out: &mut dyn Write) -> std::io::Result<()> {
        if self.games + self.without_rules < 2
            || self.worst.iter().all(|seat| seat.faults + seat.changed == 0)
        {
            return Ok(());
        }
        writeln!(out, "worst first:")?;
        for Worst { faults, changed, slowest_ms, game, seat } in &self.worst {
            writeln!(
                out,
                "  {game} seat {seat}: {faults} faults, {changed} changed answers, slowest {slowest_ms:.1} ms"
            )?;
        }
        Ok(())
    }

    pub(super) fn add_problem(
        &mut self,
        problem: &str,
        json: bool,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        self.problems += 1;
        if json {
            let line = serde_json::json!({"type": "problem", "problem": problem});
            return Ok(writeln!(out, "{line}")?);
        }
        Ok(writeln!(out, "{}", readable(problem))?)
    }

    pub(super) fn print(&self, args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { games, agree, problems, without_rules, turns, same, faults, worst: _ } = self;
        if args.json {
            json_line(&serde_json::json!({"type": "total"}), self, out)?;
        } else {
            let bot = args.bot.is_some().then(|| {
                format!("; the bot moved as recorded in {same} of {turns} turns, with {faults} faults")
            });
            let others =
                if *problems > 0 { format!("; {problems} problems with files") } else { String::new() };
            self.print_worst(out)?;
            let agree = format!("{agree} of {games} games agree");
            let games = match (games, without_rules) {
                (_, 0) => agree,
                (0, _) => format!("{without_rules} games without rules"),
                _ => format!("{agree}, {without_rules} without rules"),
            };
            writeln!(out, "{games}{others}{}", bot.unwrap_or_default())?;
        }
        out.flush()?;
        let disagreeing = games - agree + problems;
        match (disagreeing, same == turns && *faults == 0) {
            (0, true) => Ok(()),
            _ => Err(Failure::new(disagreement(disagreeing, turns - same))),
        }
    }
}

/// The counts that aren't zero: games and files that disagree with the rules, and turns in which the bot's answer differs.
fn disagreement(disagreeing: usize, otherwise: usize) -> String {
    let games =
        (disagreeing > 0).then(|| format!("games or files that disagree with the rules: {disagreeing}"));
    let turns =
        (otherwise > 0).then(|| format!("turns in which the bot moved differently or failed: {otherwise}"));
    games.into_iter().chain(turns).collect::<Vec<_>>().join("; ")
}
