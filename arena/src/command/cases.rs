//! `arena cases`: a run's cases by seed, the worst first, or by a number of theirs.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::report::games_file;
use super::run_notes::RunNotes;
use crate::failure::Failure;
use coppice_referee::external::{BestKnown, BEST_FILE};
use coppice_referee::record::games::{self, GamesError};
use coppice_referee::report::cases::Cases;
use coppice_referee::text::note;

/// The arguments of `arena cases`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder of a run, or its games.jsonl; default: the last run in arena-games
    #[arg(value_name = "DIR")]
    run: Option<PathBuf>,
    /// Compare by this number of the cases, such as N, instead of listing them
    #[arg(long, value_name = "NAME", help_heading = "Selection of games")]
    by: Option<String>,
    /// The bot whose worst cases come first; default: the run's first
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
    /// Number of cases to list
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    rows: usize,
    /// The file of the best known scores; default: best.csv
    #[arg(long, value_name = "FILE")]
    best: Option<PathBuf>,
    /// Print all cases, or the groups, as one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the cases.
///
/// # Errors
/// If there is no run, its games can't be read or aren't of bots that play alone, or a name is unknown.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let file = games_file(args.run.as_deref())?;
    let mut records = games::read(&file)?.records;
    let best = match &args.best {
        Some(path) if !path.is_file() => {
            return Err(Failure::usage(format!("--best: there is no file {}", path.display())));
        }
        path => BestKnown::read(path.as_deref().unwrap_or(Path::new(BEST_FILE)))?,
    };
    records.iter_mut().for_each(|record| best.rescore(record));
    if records.is_empty() {
        return Err(GamesError::Empty { paths: vec![file] }.into());
    }
    // Games stand in the file as they ended; the command line's first bot comes first.
    records.sort_by_key(|record| record.game);
    let notes = RunNotes::read(file.parent().unwrap_or(Path::new(".")));
    let seen = records.iter().flat_map(|record| &record.bots).map(|bot| &bot.name).collect::<Vec<_>>();
    let mut names = notes.bots.iter().filter(|name| seen.contains(name)).cloned().collect::<Vec<_>>();
    for name in seen {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    if let Some(of) = &args.of {
        let place = names.iter().position(|name| name == of);
        let place = place.ok_or_else(|| {
            Failure::usage(format!("no bot `{of}` in this run; it has {}", names.join(", ")))
        })?;
        names[..=place].rotate_right(1);
    }
    let alone = || {
        let file = file.display();
        Failure::usage(format!(
            "{file} has games of several bots; cases are of bots that play alone (--tester)"
        ))
    };
    let cases = Cases::of(&records, &names).filter(|cases| !cases.rows.is_empty()).ok_or_else(alone)?;
    let known = |name: &str| cases.attributes.iter().any(|known| known == name);
    if let Some(name) = args.by.as_deref().filter(|name| !known(name)) {
        let known = match cases.attributes.join(", ") {
            none if none.is_empty() => "none: give --sizes or --attribute".to_owned(),
            known => known,
        };
        return Err(Failure::usage(format!("the cases have no number `{name}`; they have {known}")));
    }
    let text = match (args.json, &args.by) {
        (true, None) => serde_json::to_string(&cases).map_err(std::io::Error::from)? + "\n",
        (true, Some(_)) => {
            serde_json::to_string(&cases.by(args.by.as_deref())).map_err(std::io::Error::from)? + "\n"
        }
        (false, Some(name)) => grouped(&cases, Some(name)),
        (false, None) => listed(&cases, args.rows, &file),
    };
    out.write_all(text.as_bytes())?;
    if let Some(planned) = notes.games.filter(|&planned| planned > records.len() && !notes.is_finished) {
        note(format_args!(
            "{} of {planned} cases have been run: the run goes on, or was stopped",
            records.len()
        ));
    }
    Ok(out.flush()?)
}

/// Columns, two blanks between them; the first is at the left, the others at the right.
pub(crate) fn right_aligned(rows: &[Vec<String>]) -> String {
    let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().map(|row| cell(row, column).chars().count()).max().unwrap_or(0);
    let widths = (0..columns).map(width).collect::<Vec<_>>();
    let line = |row: &Vec<String>| {
        let cells = widths.iter().enumerate().map(|(column, &width)| match column {
            0 => format!("{:<width$}", cell(row, 0)),
            _ => format!("{:>width$}", cell(row, column)),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// The worst cases, and the mean of all.
fn listed(cases: &Cases, most: usize, file: &Path) -> String {
    let worst = cases.rows.iter().take(most).map(|case| cases.cells(case));
    let mut text = right_aligned(&[cases.head()].into_iter().chain(worst).collect::<Vec<_>>());
    if cases.rows.len() > most {
        text += &format!("... {} cases more (-n N)\n", cases.rows.len() - most);
    }
    text += &grouped(cases, None);
    text + &format!("%: share of the best known score. Games: {}\n", file.display())
}

fn grouped(cases: &Cases, name: Option<&str>) -> String {
    let rows = cases.by(name).iter().map(|group| cases.group_cells(group)).collect::<Vec<_>>();
    right_aligned(&[vec![cases.group_head(name.unwrap_or_default())], rows].concat())
}
