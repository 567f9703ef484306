//! A bot's score by the values of an attribute.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::Serialize;

use super::Value;
use coppice_referee::text::{column_width, csv};
use coppice_stats::Estimate;

/// Numbers with more values than these are put into classes.
const MOST_VALUES: usize = 8;
/// The number of classes: quarters of the games.
const CLASSES: usize = 4;
/// The most texts that have a row of their own; the rarest are joined.
const MOST_TEXTS: usize = 20;
/// The share of tables without any difference that have a marked row.
const ALPHA: f64 = 0.05;

/// The results of one bot, from which a table is made.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    results: Vec<(Value, u32, f32)>,
}

/// A table of scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Table {
    /// The attribute.
    pub by: String,
    /// The bot.
    pub bot: String,
    /// The bot's score over all rows.
    pub overall: Estimate,
    /// The values or classes.
    pub rows: Vec<Row>,
}

/// The score for one value or class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Row {
    /// The value, or the range of the class.
    pub value: String,
    /// The number of games.
    pub games: usize,
    /// The score with its 95 % interval, by groups of games.
    pub score: Estimate,
    /// Whether the score differs from the overall one: the interval at 95 % for all rows together (Bonferroni) excludes
    /// it.
    pub differs: bool,
}

impl Rows {
    /// Adds a result: the share of the others that the bot beat.
    pub(crate) fn add(&mut self, value: Value, group: u32, score: f64) {
        self.results.push((value, group, score as f32));
    }

    /// The table of a bot's results.
    pub(crate) fn table(&self, by: &str, bot: &str) -> Table {
        let numbers = self.results.iter().filter_map(|(value, ..)| match value {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        });
        let mut numbers = numbers.collect::<Vec<_>>();
        numbers.sort_by(f64::total_cmp);
        let mut classes = BTreeMap::<Class, Cell>::new();
        let bounds = bounds(&numbers);
        for (value, group, score) in &self.results {
            classes.entry(class(value, &bounds)).or_default().add(value, *group, *score);
        }
        let mut cells = classes.into_iter().collect::<Vec<_>>();
        join_rare(&mut cells);
        let overall = {
            let mut all = Cell::default();
            self.results.iter().for_each(|(value, group, score)| all.add(value, *group, *score));
            Estimate::of(&all.samples())
        };
        let corrected = ALPHA / cells.len().max(1) as f64;
        let rows = cells.iter().map(|(class, cell)| {
            let samples = cell.samples();
            let wide = Estimate::of_at(&samples, corrected);
            Row {
                value: cell.label(class),
                games: cell.games,
                score: Estimate::of(&samples),
                differs: cells.len() > 1 && !(wide.low..=wide.high).contains(&overall.mean),
            }
        });
        Table { by: by.to_owned(), bot: bot.to_owned(), overall, rows: rows.collect() }
    }
}

/// The order of rows: numbers, then texts, then the rest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Number(u64),
    Quantile(usize),
    Text(String),
    Others,
}

/// The lower ends of the classes; empty if each number has a row of its own.
fn bounds(sorted: &[f64]) -> Vec<f64> {
    let mut distinct = sorted.to_vec();
    distinct.dedup();
    if distinct.len() <= MOST_VALUES {
        return Vec::new();
    }
    let mut bounds = (0..CLASSES).map(|class| sorted[class * sorted.len() / CLASSES]).collect::<Vec<_>>();
    bounds.dedup();
    bounds
}

fn class(value: &Value, bounds: &[f64]) -> Class {
    match value {
        // Flipped such that the order of the bits is that of the numbers.
        Value::Number(number) if bounds.is_empty() => {
            let bits = (number + 0.0).to_bits();
            Class::Number(if bits >> 63 == 1 { !bits } else { bits | 1 << 63 })
        }
        Value::Number(number) => Class::Quantile(bounds.partition_point(|bound| bound <= number)),
        Value::Text(text) => Class::Text(text.clone()),
    }
}

/// Joins the rarest texts into one row.
fn join_rare(cells: &mut Vec<(Class, Cell)>) {
    let is_text = |class: &Class| matches!(class, Class::Text(_));
    let mut sizes =
        cells.iter().filter(|(class, _)| is_text(class)).map(|(_, cell)| cell.games).collect::<Vec<_>>();
    if sizes.len() <= MOST_TEXTS {
        return;
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let least = sizes[MOST_TEXTS - 1];
    let mut room = MOST_TEXTS;
    let mut others = Cell::default();
    cells.retain(|(class, cell)| {
        let stays = !is_text(class) || (cell.games >= least && room > 0);
        if stays && is_text(class) {
            room -= 1;
        } else if !stays {
            others.merge(cell);
        }
        stays
    });
    cells.push((Class::Others, others));
}

#[derive(Debug, Clone, Default)]
struct Cell {
    games: usize,
    /// The sum of scores and the number of games, by group.
    groups: HashMap<u32, (f32, f32)>,
    range: Option<(f64, f64)>,
    values: usize,
}

impl Cell {
    fn add(&mut self, value: &Value, group: u32, score: f32) {
        self.games += 1;
        let sum = self.groups.entry(group).or_default();
        *sum = (sum.0 + score, sum.1 + 1.0);
        if let Value::Number(number) = value {
            let (low, high) = self.range.unwrap_or((*number, *number));
            self.range = Some((low.min(*number), high.max(*number)));
        }
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.values += 1;
        for (group, (score, games)) in &other.groups {
            let sum = self.groups.entry(*group).or_default();
            *sum = (sum.0 + score, sum.1 + games);
        }
    }

    /// The mean score of each group, in the order of the groups.
    fn samples(&self) -> Vec<f64> {
        let mut groups = self.groups.iter().collect::<Vec<_>>();
        groups.sort_unstable_by_key(|(group, _)| **group);
        groups.into_iter().map(|(_, (score, games))| f64::from(score / games)).collect()
    }

    fn label(&self, class: &Class) -> String {
        match (class, self.range) {
            (Class::Text(text), _) if text.is_empty() => "(none)".to_owned(),
            (Class::Text(text), _) => text.clone(),
            (Class::Others, _) => format!("{} others", self.values),
            (_, Some((low, high))) if low == high => Value::Number(low).to_string(),
            (_, Some((low, high))) => format!("{} to {}", Value::Number(low), Value::Number(high)),
            (_, None) => String::new(),
        }
    }
}

impl Table {
    /// The table in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut text =
            format!("| {} | games | score of {} | 95 % | |\n|---|---|---|---|---|\n", self.by, self.bot);
        for row in &self.rows {
            let value = row.value.replace('|', "\\|");
            text += &format!("| {value} | {} | {} |\n", row.games, percent(&row.score, row.differs, " | "));
        }
        text
    }

    /// The table as comma-separated values. Scores are from 0 to 1.
    pub(crate) fn csv(&self) -> String {
        let head = csv([self.by.as_str(), "games", "score", "low", "high", "differs"]);
        self.rows.iter().fold(head, |text, Row { value, games, score, differs }| {
            let [mean, low, high] = [score.mean, score.low, score.high].map(|share| format!("{share:.4}"));
            text + &csv([value, &games.to_string(), &mean, &low, &high, &differs.to_string()])
        })
    }
}

fn percent(score: &Estimate, differs: bool, between: &str) -> String {
    let Estimate { mean, low, high } = score;
    let mark = if differs { "*" } else { "" };
    format!("{:.1} %{between}{:.1} to {:.1} %{between}{mark}", mean * 100.0, low * 100.0, high * 100.0)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = column_width(self.rows.iter().map(|row| row.value.as_str()).chain([self.by.as_str()]));
        writeln!(f, "{:<width$}  {:>7}  score of {} (95 %)", self.by, "games", self.bot)?;
        for Row { value, games, score, differs } in &self.rows {
            writeln!(f, "{value:<width$}  {games:>7}  {}", percent(score, *differs, "  ").trim_end())?;
        }
        let marked = self.rows.iter().any(|row| row.differs);
        let Estimate { mean, .. } = self.overall;
        write!(f, "overall {:.1} %", mean * 100.0)?;
        match marked {
            true => writeln!(f, "; *: differs from it, at 95 % for all {} rows together", self.rows.len()),
            false => {
                writeln!(f, "; no row differs from it, at 95 % for all {} rows together", self.rows.len())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use coppice::rng::Rng;

    use super::*;

    fn text(value: &str) -> Value {
        Value::Text(value.to_owned())
    }

    #[test]
    fn a_value_at_which_a_bot_loses_is_marked() {
        let mut rows = Rows::default();
        for group in 0..200 {
            let map = ["large", "medium", "small"][group as usize % 3];
            let chance = if map == "small" { 20 } else { 60 };
            rows.add(text(map), group, f64::from(u8::from(group * 37 % 100 < chance)));
        }
        let table = rows.table("map", "new");
        assert!(!table.rows[0].differs && table.rows[2].differs, "{table}");
        assert_eq!(table.rows[2].value, "small");
        assert!(table.to_string().contains("*: differs from it, at 95 % for all 3 rows together"), "{table}");
        assert!(table.markdown().contains("| small | 66 | "), "{}", table.markdown());
        assert!(table.csv().starts_with("map,games,score,low,high,differs\nlarge,67,0."), "{}", table.csv());
    }

    /// With twenty rows of equal strength, a mark is seldom.
    #[test]
    fn rows_are_seldom_marked_by_chance() {
        let mut rng = Rng::new(5);
        let marked = (0..200).filter(|_| {
            let mut rows = Rows::default();
            for group in 0..800 {
                rows.add(Value::Text((group % 20).to_string()), group, f64::from(rng.below(2)));
            }
            rows.table("x", "A").rows.iter().any(|row| row.differs)
        });
        assert!(marked.count() <= 20);
    }

    #[test]
    fn many_numbers_are_put_into_quarters_and_few_keep_their_own_rows() {
        let mut rows = Rows::default();
        (0..100).for_each(|n| rows.add(Value::Number(f64::from(n) - 50.0), n, 0.5));
        let labels =
            |rows: &Rows| rows.table("n", "A").rows.iter().map(|row| row.value.clone()).collect::<Vec<_>>();
        assert_eq!(labels(&rows), ["-50 to -26", "-25 to -1", "0 to 24", "25 to 49"]);
        let mut few = Rows::default();
        [3.0, -1.0, 10.0, 3.0].iter().for_each(|&n| few.add(Value::Number(n), 0, 1.0));
        assert_eq!(labels(&few), ["-1", "3", "10"]);
        let mut many = Rows::default();
        (0..50).for_each(|n| many.add(text(&n.to_string()), n, 1.0));
        assert_eq!(labels(&many).len(), 21);
        assert_eq!(labels(&many)[20], "30 others");
        assert!(Rows::default().table("n", "A").rows.is_empty());
    }

    /// Pairs count as one sample each.
    #[test]
    fn groups_are_samples() {
        let (mut pairs, mut singles) = (Rows::default(), Rows::default());
        for game in 0..100 {
            let score = f64::from(game / 2 % 2);
            pairs.add(text("x"), game / 2, score);
            singles.add(text("x"), game, score);
        }
        let error = |rows: &Rows| rows.table("x", "A").overall.error();
        assert!(error(&pairs) > 1.3 * error(&singles));
    }
}
