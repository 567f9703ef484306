//! `--where` and `--by`: which games count, and a bot's scores by an attribute.

use std::collections::BTreeMap;
use std::io::Write;

use crate::attributes::{value_of, Filter, Rows, Value};
use crate::failure::Failure;
use coppice_referee::record::GameRecord;

/// The heading of these options in the help.
const HEADING: &str = "Selection of games";

/// The options that select games.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SelectArgs {
    /// Only games for which this holds: seat=0, 'seed<100', opening=..., ending=crash, 'moves>=40', opponent=NAME, or a
    /// name that a bot ([PDATA], [TDATA]) or the referee has reported, such as map=small; with =, !=, <, <=, > or >=. May be
    /// given several times
    #[arg(long = "where", value_name = "CONDITION", help_heading = HEADING)]
    pub conditions: Vec<Filter>,
    /// Print the bot's score for each value of this attribute; numbers with more than eight values are put into quarters
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    pub by: Option<String>,
    /// The bot that --where and --by refer to
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    pub bot: Option<String>,
    /// Print the table in Markdown
    #[arg(long, conflicts_with = "json", help_heading = HEADING)]
    pub markdown: bool,
    /// Print the table as comma-separated values, with scores from 0 to 1
    #[arg(long, conflicts_with_all = ["json", "markdown"], help_heading = HEADING)]
    pub csv: bool,
}

impl SelectArgs {
    /// The error of a selection that leaves no game.
    pub(crate) fn none_of(read: impl std::fmt::Display) -> Failure {
        Failure::usage(format!("none of {read} games meets the conditions (--where)"))
    }
}

/// Selects games, and collects a bot's results by an attribute.
pub(crate) struct Selection<'a> {
    args: &'a SelectArgs,
    bot: String,
    rows: Rows,
    /// Where bots play alone: the results of each group.
    alone: BTreeMap<u32, Alone>,
}

#[derive(Default)]
struct Alone {
    mine: Option<(Value, i64)>,
    others: Vec<i64>,
}

impl<'a> Selection<'a> {
    /// Nothing yet; `bot` is whose seat, data and score are meant.
    pub(crate) fn new(args: &'a SelectArgs, bot: String) -> Self {
        Self { args, bot, rows: Rows::default(), alone: BTreeMap::new() }
    }

    /// Whether a table by an attribute is asked for.
    pub(crate) fn has_table(&self) -> bool {
        self.args.by.is_some()
    }

    /// Takes a game; whether it counts. `group` is that of its sample.
    pub(crate) fn add(&mut self, record: &GameRecord, group: u32) -> bool {
        let seat = record.bots.iter().position(|bot| bot.name == self.bot);
        if !self.args.conditions.iter().all(|condition| condition.holds(record, seat)) {
            return false;
        }
        let Some(by) = &self.args.by else { return true };
        let points = record.points();
        if points.len() == 1 {
            let alone = self.alone.entry(group).or_default();
            match seat {
                Some(seat) => alone.mine = value_of(record, Some(seat), by).map(|value| (value, points[0])),
                None => alone.others.push(points[0]),
            }
            return true;
        }
        if let Some((seat, value)) = seat.and_then(|seat| Some((seat, value_of(record, Some(seat), by)?))) {
            let others =
                points.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, &points)| points);
            self.rows.add(value, group, score(points[seat], others));
        }
        true
    }

    /// Prints the table by the attribute.
    ///
    /// # Errors
    /// If no game has the attribute, or `out` can't be written.
    pub(crate) fn print(mut self, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
        for (group, Alone { mine, others }) in std::mem::take(&mut self.alone) {
            if let (Some((value, points)), false) = (mine, others.is_empty()) {
                self.rows.add(value, group, score(points, others.into_iter()));
            }
        }
        let by = self.args.by.clone().unwrap_or_default();
        let table = self.rows.table(&by, &self.bot);
        if table.rows.is_empty() {
            return Err(Failure::usage(format!(
                "no game of {} that counts has an attribute {by}: seat, seed, opening, ending, moves, opponent, score, or \
                 what the bot or the referee has reported",
                self.bot
            )));
        }
        if json {
            let text = serde_json::to_string(&table).map_err(std::io::Error::from)?;
            writeln!(out, "{text}")?;
        } else if self.args.markdown {
            write!(out, "{}", table.markdown())?;
        } else if self.args.csv {
            write!(out, "{}", table.csv())?;
        } else {
            write!(out, "{table}")?;
        }
        Ok(out.flush()?)
    }
}

/// The share of the others that have fewer points, ties counted half.
fn score(mine: i64, others: impl Iterator<Item = i64>) -> f64 {
    let value = |other: i64| match mine.cmp(&other) {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 1.0,
    };
    let (sum, count) = others.fold((0.0, 0), |(sum, count), other| (sum + value(other), count + 1));
    sum / f64::from(count.max(1))
}
