//! The page of a tuning run: the values, what others would be worth, and where the trials went.

use std::fmt::Display;
use std::path::Path;

use super::report::{digits, shown, Look, Report};
use crate::command::run_notes::command_line;
use crate::command::run_page::{say_where, state, write_page};
use crate::failure::Failure;
use crate::tune::search::Search;
use coppice_pages::run_page::{sheet, Cell, Figure, Sheet, Table};
use coppice_pages::svg::ink::Ink;
use coppice_pages::svg::lines::Lines;
use coppice_pages::svg::Scale;

/// Most parameters whose trials are drawn.
const MOST_FIGURES: usize = 24;

/// Writes the page. `failed` is why the run ended early.
///
/// # Errors
/// If the file can't be written.
pub(super) fn write(
    path: &Path,
    report: &Report,
    search: &Search,
    failed: Option<&dyn Display>,
) -> Result<(), Failure> {
    let page = Sheet {
        title: format!("{}: tuning {}", report.contest, report.bot),
        state: state(report.games as usize, report.planned, false, failed),
        command: command_line(),
        verdict: format!(
            "Tuned against start, {}.{}",
            report.against_start().join("; "),
            if report.proof().is_some() { " To prove it:" } else { "" }
        ),
        proof: report.proof().unwrap_or_default().to_owned(),
        file: report.log.clone(),
        tables: vec![values(report), looks(report)],
        figures: (0..report.parameters.len()).take(MOST_FIGURES).map(|i| trials(report, search, i)).collect(),
    };
    let text = sheet(&page).map_err(Failure::new)?;
    write_page(path, &text)?;
    say_where(path);
    Ok(())
}

fn cell(text: impl Into<String>, class: &str) -> Cell {
    Cell { text: text.into(), class: class.to_owned(), ..Cell::default() }
}

fn table(title: &str, remark: &str, head: &[&str], rows: Vec<Vec<Cell>>) -> Table {
    Table {
        title: title.to_owned(),
        remark: remark.to_owned(),
        head: head.iter().map(|&head| head.to_owned()).collect(),
        rows,
    }
}

fn values(report: &Report) -> Table {
    let rows = report.parameters.iter().map(|row| {
        let step = format!("{:.*}", digits(row.max - row.min), row.step);
        let range = format!("{} to {}", row.min, row.max);
        let numbers = [row.start.to_string(), row.tuned.to_string(), range, step];
        std::iter::once(cell(row.name.clone(), "")).chain(numbers.map(|text| cell(text, "n"))).collect()
    });
    table("Values", "", &["parameter", "start", "tuned", "range", "step"], rows.collect())
}

fn looks(report: &Report) -> Table {
    let look = |look: &Option<Look>| match look {
        Some(look) => [cell(look.value.to_string(), "n"), cell(shown(look.elo), "n")],
        None => [cell("–", "n"), cell("–", "n")],
    };
    let rows = report.parameters.iter().map(|row| {
        let [smaller, greater] = [&row.smaller, &row.greater].map(look);
        let (name, verdict) = (vec![cell(row.name.clone(), "")], vec![cell(row.verdict.words(), "")]);
        [name, smaller.to_vec(), greater.to_vec(), verdict].concat()
    });
    let head = ["parameter", "smaller", "Elo", "greater", "Elo", ""];
    table("Estimated worth of other values", "quadratic fit of all games, 95 %", &head, rows.collect())
}

/// The middle of each pair's two values over the games.
fn trials(report: &Report, search: &Search, parameter: usize) -> Figure {
    let row = &report.parameters[parameter];
    let middle = |values: &[Vec<f64>; 2]| (values[0][parameter] + values[1][parameter]) / 2.0;
    let points =
        search.pairs().enumerate().map(|(pair, record)| (2.0 * (pair + 1) as f64, middle(&record.values)));
    let games = f64::from(report.games);
    let chart = Lines {
        label: format!("{} over the games: from {} to {}", row.name, row.start, row.tuned),
        x: Scale { high: games, ..Scale::round(0.0, games, 4) },
        x_name: "games".to_owned(),
        y: Scale::round(row.min, row.max, 4),
        series: vec![(points.collect(), Ink::Player(parameter))],
        levels: vec![(row.tuned, format!("tuned {}", row.tuned), Ink::Faint)],
        ..Lines::default()
    };
    Figure { title: row.name.clone(), svg: chart.draw(), remark: "in the trials, over the games".to_owned() }
}
