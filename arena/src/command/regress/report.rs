//! The report of `arena regress`.

use std::cmp::Ordering;
use std::io::{self, Write};

use contest::Seat;
use serde::{Serialize, Serializer};

use super::cases::Outcome;
use coppice_stats::Estimate;

/// A game that was played again.
#[derive(Debug, Serialize)]
pub(super) struct Line {
    /// The recorded game's name.
    pub game: String,
    /// The bot's seat.
    pub seat: Seat,
    /// The turn before which it began; `None` for its start.
    pub from: Option<usize>,
    /// Whether the bot plays alone, so that points are compared.
    pub alone: bool,
    /// The recorded result.
    pub recorded: Outcome,
    /// The recorded points.
    pub recorded_points: Option<i64>,
    /// The new bot's result.
    pub new: Option<Outcome>,
    /// The new bot's points.
    pub new_points: Option<i64>,
    /// The new bot's fault, if it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The recorded bot's result in the game that it played once more.
    pub control: Option<Outcome>,
    /// The recorded bot's points there.
    pub control_points: Option<i64>,
}

/// All games.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// The contest.
    pub contest: String,
    /// The recorded bot.
    pub of: String,
    /// The new bot's command line.
    pub bot: String,
    /// The games that were read.
    pub read: usize,
    /// Whether the recorded bot played once more.
    pub has_control: bool,
    /// The games that were played again.
    #[serde(serialize_with = "with_changes")]
    pub games: Vec<Line>,
}

fn with_changes<S: Serializer>(lines: &[Line], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Changed<'a> {
        #[serde(flatten)]
        line: &'a Line,
        change: &'static str,
    }
    serializer.collect_seq(lines.iter().map(|line| Changed { line, change: word(line.change()) }))
}

fn word(change: Ordering) -> &'static str {
    match change {
        Ordering::Greater => "better",
        Ordering::Equal => "same",
        Ordering::Less => "worse",
    }
}

impl Line {
    /// The new result against the recorded one.
    fn change(&self) -> Ordering {
        self.against(self.new, self.new_points)
    }

    /// The result of the game that the recorded bot played once more, against the recorded one.
    fn control_change(&self) -> Ordering {
        self.against(self.control, self.control_points)
    }

    fn against(&self, outcome: Option<Outcome>, points: Option<i64>) -> Ordering {
        match (self.alone, outcome, points) {
            (true, _, points) => points.cmp(&self.recorded_points),
            (false, Some(outcome), _) => outcome.cmp(&self.recorded),
            (false, None, _) => Ordering::Equal,
        }
    }
}

/// Better, same and worse.
fn count(changes: impl Iterator<Item = Ordering> + Clone) -> [usize; 3] {
    [Ordering::Greater, Ordering::Equal, Ordering::Less]
        .map(|wanted| changes.clone().filter(|&change| change == wanted).count())
}

/// The share of games that are better.
fn share(changes: impl Iterator<Item = Ordering>) -> String {
    let samples =
        changes.map(|change| if change == Ordering::Greater { 1.0 } else { 0.0 }).collect::<Vec<_>>();
    let Estimate { mean, low, high } = Estimate::of(&samples);
    let [mean, low, high] = [mean, low, high].map(|share| 100.0 * share);
    format!("{mean:.1} % (95 %: {low:.1} to {high:.1})")
}

impl Report {
    /// How much larger the share of better games is than the recorded bot's, in per cent, over the same games.
    fn gain(&self) -> Estimate {
        let better = |change: Ordering| f64::from(u8::from(change == Ordering::Greater));
        let pair = |line: &Line| (better(line.change()) - better(line.control_change()) + 1.0) / 2.0;
        let Estimate { mean, low, high } = Estimate::of(&self.games.iter().map(pair).collect::<Vec<_>>());
        let per_cent = |x: f64| 100.0 * (2.0 * x - 1.0);
        Estimate { mean: per_cent(mean), low: per_cent(low), high: per_cent(high) }
    }

    /// Prints the games that turned, and the counts.
    pub(super) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { contest, of, bot, read, has_control, games } = self;
        for line in games.iter().filter(|line| line.change() != Ordering::Equal || line.fault.is_some()) {
            let Line { game, seat, from, recorded, new, control, fault, .. } = line;
            let result = |outcome: &Option<Outcome>, points: Option<i64>| match (outcome, line.alone) {
                (_, true) => points.map_or_else(|| "-".to_owned(), |points| format!("{points} points")),
                (Some(outcome), _) => format!("{outcome:?}").to_lowercase(),
                (None, _) => "-".to_owned(),
            };
            let (was, now) = (result(&Some(*recorded), line.recorded_points), result(new, line.new_points));
            write!(out, "{:<6} game {game}, seat {seat}", word(line.change()))?;
            from.iter().try_for_each(|turn| write!(out, ", from turn {turn}"))?;
            write!(out, ": {was}, now {now}")?;
            fault.iter().try_for_each(|fault| write!(out, " ({fault})"))?;
            if *has_control {
                write!(out, "; {of} once more: {}", result(control, line.control_points))?;
            }
            writeln!(out)?;
        }
        let changes = games.iter().map(Line::change);
        let [better, same, worse] = count(changes.clone());
        writeln!(
            out,
            "{contest}: {} games of {of}, of {read} recorded, played again by `{bot}`",
            games.len()
        )?;
        writeln!(out, "better {better}, same {same}, worse {worse}: better in {}", share(changes))?;
        if *has_control {
            let changes = games.iter().map(Line::control_change);
            let [better, same, worse] = count(changes.clone());
            writeln!(
                out,
                "{of} once more: better {better}, same {same}, worse {worse}: better in {}",
                share(changes)
            )?;
            let Estimate { mean, low, high } = self.gain();
            writeln!(out, "difference: {mean:+.1} % of the games (95 %: {low:+.1} to {high:+.1})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(recorded: Outcome, new: Outcome, control: Outcome) -> Line {
        Line {
            game: "1".to_owned(),
            seat: 0,
            from: None,
            alone: false,
            recorded,
            recorded_points: None,
            new: Some(new),
            new_points: None,
            fault: None,
            control: Some(control),
            control_points: None,
        }
    }

    fn report(games: Vec<Line>) -> Report {
        Report { contest: "c".into(), of: "A".into(), bot: "./new".into(), read: 9, has_control: true, games }
    }

    #[test]
    fn a_gain_is_measured_against_the_recorded_bots_own_luck() {
        use Outcome::{Drawn, Lost, Won};
        // As many games turn for the recorded bot: no gain.
        let lucky = report(
            (0..40)
                .map(|i| {
                    line(Lost, if i % 2 == 0 { Won } else { Lost }, if i % 2 == 0 { Lost } else { Drawn })
                })
                .collect(),
        );
        let gain = lucky.gain();
        assert!(gain.mean == 0.0 && gain.low < 0.0 && gain.high > 0.0, "{gain:?}");
        let better = report((0..40).map(|_| line(Lost, Drawn, Lost)).collect());
        let gain = better.gain();
        assert!(gain.mean == 100.0 && gain.low > 70.0, "{gain:?}");
        let mut text = Vec::new();
        report(vec![line(Lost, Won, Lost), line(Won, Drawn, Won), line(Lost, Lost, Lost)])
            .print(&mut text)
            .unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("better game 1, seat 0: lost, now won; A once more: lost\n"), "{text}");
        assert!(
            text.contains("worse  game 1, seat 0: won, now drawn")
                && text.contains("better 1, same 1, worse 1: better in 33.3 % (95 %: "),
            "{text}"
        );
    }

    #[test]
    fn a_bot_that_plays_alone_is_compared_by_points() {
        let alone = |new| Line {
            alone: true,
            recorded_points: Some(10),
            new_points: Some(new),
            ..line(Outcome::Won, Outcome::Won, Outcome::Won)
        };
        let changes = [9, 10, 11].map(|points| alone(points).change());
        assert_eq!(changes, [Ordering::Less, Ordering::Equal, Ordering::Greater]);
    }
}
