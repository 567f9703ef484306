//! The contest's quantities by turn, over games that the run's first bot won and games that it lost.

use contest::quantity::Quantity;
use contest::{Contest, Seat};

use super::ranking::{End, Seen};
use super::{Figure, Run};
use crate::svg::ink::Ink;
use crate::svg::lines::Lines;
use crate::svg::{thin, Scale};
use coppice_referee::record::GameRecord;
use coppice_referee::replay::source::Source;
use coppice_referee::replay::verify::prepare;
use coppice_referee::replay::{FailedTurn, Next, RecordedTurn, Step};
use coppice_stats::Estimate;

/// Games that are replayed, of each result.
const MOST_GAMES: usize = 100;

/// A line ends where fewer than one of this many games goes on, or two.
const LEAST_SHARE: usize = 10;

/// A game: in each position the first bot's value of each quantity.
type Course = Vec<Vec<f64>>;

/// Quantities by turn.
#[derive(Debug, Default)]
pub struct Courses {
    /// The quantities, by place in a position.
    names: Vec<Quantity>,
    /// The games won, then the games lost.
    games: [Vec<Course>; 2],
    /// Why there are none; may be empty.
    why: &'static str,
}

impl Courses {
    /// Replays games of the run by their records.
    pub fn of(seen: &[Seen<'_>], first: &str, known: &[&dyn Contest]) -> Self {
        let mut courses = Self::default();
        let mut replayed = 0;
        for (at, end) in [End::Won, End::Lost].into_iter().enumerate() {
            let games = seen.iter().filter(|seen| seen.end == end).collect::<Vec<_>>();
            for seen in thin(&games, MOST_GAMES) {
                let Some(seat) = seen.record.bots.iter().position(|bot| bot.name == first) else { continue };
                let Some((names, course)) = replay(seen.record, seat, known) else { continue };
                replayed += 1;
                if !names.is_empty() {
                    courses.names = names;
                    courses.games[at].push(course);
                }
            }
        }
        if courses.names.is_empty() {
            courses.why = match replayed {
                0 => "no charts of the game by turn: no game that was won or lost can be replayed by known rules",
                _ => "no charts of the game by turn: the contest names no quantities",
            };
        }
        courses
    }

    /// Why there are no figures; may be empty.
    pub(super) fn why(&self) -> &str {
        self.why
    }

    /// A figure for each quantity.
    pub(super) fn figures(&self, run: &Run<'_>) -> Vec<Figure> {
        let name = run.name_of(0);
        let [won, lost] = [0, 1].map(|end| self.games[end].len());
        let figure = |(at, quantity): (usize, &Quantity)| {
            let lines = [0, 1].map(|end| by_turn(&self.games[end], at));
            let ends = || lines.iter().flatten().flat_map(|(_, value)| [value.low, value.high]);
            let turns = lines.iter().flatten().map(|(turn, _)| *turn).reduce(f64::max)?;
            let inks = [Ink::Good, Ink::Bad];
            let both = || inks.into_iter().zip(&lines);
            let Quantity { name: what, unit, .. } = *quantity;
            let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
            let whose = if quantity.values.len() > 1 { format!(" of {name}") } else { String::new() };
            let title = format!("{what}{whose}{unit}");
            let chart = Lines {
                label: format!("{title} by turn, mean of {won} games won and {lost} lost"),
                x: Scale { high: turns, ..Scale::round(0.0, turns, 4) },
                x_name: "turn".to_owned(),
                y: Scale::round(ends().fold(0.0, f64::min), ends().fold(0.0, f64::max), 4),
                bands: both()
                    .map(|(ink, line)| (line.iter().map(|(turn, e)| (*turn, e.low, e.high)).collect(), ink))
                    .collect(),
                series: both()
                    .map(|(ink, line)| (line.iter().map(|(turn, e)| (*turn, e.mean)).collect(), ink))
                    .collect(),
                keys: vec![("won".to_owned(), Ink::Good), ("lost".to_owned(), Ink::Bad)],
                ..Lines::default()
            };
            let remark = format!("mean by turn of {won} games won and {lost} lost, with its 95 % interval");
            Some(Figure { title, svg: chart.draw(), remark })
        };
        self.names.iter().enumerate().filter_map(figure).collect()
    }
}

/// The first bot's values in each position of a game in which a seat is asked, if it agrees with the rules.
fn replay(record: &GameRecord, seat: Seat, known: &[&dyn Contest]) -> Option<(Vec<Quantity>, Course)> {
    let prepared = prepare(&Source::of_record(record)?, None, known).ok()?;
    let (mut names, mut course) = (Vec::new(), Course::new());
    let verdict = prepared.verify_steps(|referee, step| {
        let (Step::Answer(RecordedTurn { seat: asked, .. }) | Step::Failure(FailedTurn { seat: asked, .. })) =
            step;
        // Seats that are asked together have one position.
        if referee.asked().first() == Some(&asked) {
            names = referee.quantities();
            course.push(names.iter().map(|quantity| quantity.of(seat).unwrap_or(0.0)).collect());
        }
        Next::GoOn
    });
    verdict.problem.is_none().then_some((names, course))
}

/// The mean of a quantity by turn, from 1.
fn by_turn(games: &[Course], at: usize) -> Vec<(f64, Estimate)> {
    let longest = games.iter().map(Vec::len).max().unwrap_or(0);
    let values =
        |turn: usize| games.iter().filter_map(move |game| Some(game.get(turn)?[at])).collect::<Vec<_>>();
    let least = games.len().div_ceil(LEAST_SHARE).max(2.min(games.len()));
    let whole = (0..longest).map(values).take_while(|values| values.len() >= least);
    whole.zip(1..).map(|(values, turn)| (f64::from(turn), mean(&values))).collect()
}

/// The mean of values with its interval; of a single one no interval.
fn mean(values: &[f64]) -> Estimate {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    Estimate::normal(mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_mean_and_ends_where_few_games_go_on() {
        let game = |values: &[f64]| values.iter().map(|&value| vec![0.0, value]).collect::<Course>();
        let games = [game(&[2.0, 4.0, 9.0]), game(&[4.0, 4.0]), game(&[6.0, 4.0])];
        let line = by_turn(&games, 1);
        assert_eq!(
            line.iter().map(|(turn, e)| (*turn, e.mean)).collect::<Vec<_>>(),
            [(1.0, 4.0), (2.0, 4.0)]
        );
        // A standard deviation of 2 over three games.
        let half = 1.959_964 * 2.0 / 3f64.sqrt();
        assert!((line[0].1.high - 4.0 - half).abs() < 1e-4, "{line:?}");
        assert_eq!((line[1].1.low, line[1].1.high), (4.0, 4.0));
        assert_eq!(by_turn(&games[..1], 1).len(), 3, "a single game has a line");
        assert_eq!(by_turn(&[], 1), []);
    }

    #[test]
    fn without_rules_a_sentence_says_so() {
        let record = coppice_referee::record::example(1);
        let seen = Seen::of(&record, "A", &[]);
        assert_eq!(seen.end, End::Won);
        let courses = Courses::of(&[seen], "A", &[]);
        assert!(courses.why().contains("can be replayed by known rules") && courses.names.is_empty());
    }
}
