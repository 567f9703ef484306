//! The report of a study: text for a terminal, and a section of a Markdown document.

use std::fmt::Write;

use super::family::Family;
use super::plan::{Mode, Study};
use super::row::{published_column, Figure, Row};
use super::verdict::Verdict;
use coppice_referee::text::column_width;

/// The document's remark on results of a quick run.
const QUICK: &str = "A quick run: shorter turns and fewer games than the results need.";

/// Formats the results as a text table for a terminal.
pub(crate) fn table(study: &Study, rows: &[Row]) -> String {
    let cells = rows.iter().map(|row| {
        let [ours, interval, rest] = row.figure.columns();
        [
            row.title_in(&study.contest),
            published_column(row.published),
            ours,
            interval,
            rest,
            row.verdict.to_string(),
        ]
    });
    let head = ["", "published", "ours", "95 %", "from", ""].map(str::to_owned);
    let lines = std::iter::once(head).chain(cells).collect::<Vec<_>>();
    let mut text = format!("{}: {}\n", study.name, study.title);
    let width = |column: usize| column_width(lines.iter().map(|line| line[column].as_ref()));
    let widths = [0, 1, 2, 3, 4, 5].map(width);
    for line in &lines {
        let padded = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        let _ = writeln!(text, "{}", padded.collect::<Vec<_>>().join("  ").trim_end());
    }
    text.push_str(&notes(study, rows));
    text
}

/// The notes on rows: why a result differs, or why the row exists. A note shared by several rows appears once.
fn notes(study: &Study, rows: &[Row]) -> String {
    let mut said: Vec<(&str, String)> = Vec::new();
    for row in rows.iter().filter(|row| row.verdict != Verdict::Agrees) {
        let Some(note) = &row.note else { continue };
        let title = row.title_in(&study.contest);
        match said.iter_mut().find(|(known, _)| known == note) {
            Some((_, titles)) => *titles += &format!("; {title}"),
            None => said.push((note, title)),
        }
    }
    said.iter().map(|(note, titles)| format!("- {titles}: {note}\n")).collect()
}

/// The section of a study in a Markdown document. `command` makes it again; its picture is in the folder `pictures`.
pub(crate) fn section(study: &Study, rows: &[Row], command: &str, pictures: &str) -> String {
    let mut text = format!(
        "{}\n## {}: {}\n\nPublished: {} ({}).\n\n",
        mark(&study.name, "begins"),
        study.name,
        study.title,
        study.claim,
        study.source
    );
    let _ = writeln!(text, "`{command}`: {}.", origins(rows));
    if rows.iter().any(|row| row.mode == Mode::Quick) {
        let _ = writeln!(text, "{QUICK}");
    }
    text.push_str("\n| | published | ours | 95 % | from | |\n|---|---|---|---|---|---|\n");
    for row in rows {
        let [ours, interval, rest] = row.figure.columns();
        let (title, published, verdict) =
            (row.title_in(&study.contest), published_column(row.published), row.verdict.to_string());
        let _ = writeln!(text, "| {title} | {published} | {ours} | {interval} | {rest} | {verdict} |");
    }
    let _ = writeln!(text, "\n{}.\n", Family::of(rows).to_string().replace('\n', ".  \n"));
    if rows.iter().any(|row| row.figure.share().is_some()) {
        let _ = writeln!(text, "![{}]({pictures}/{}.svg)\n", study.title, study.name);
    }
    text.push_str("| | command line | processor time a game |\n|---|---|---|\n");
    let mut lines = rows.iter().flat_map(|row| row.lines.iter()).collect::<Vec<_>>();
    lines.sort();
    lines.dedup();
    for line in lines {
        let is_of = |name: &&String| rows.iter().any(|row| study.line(name, row.mode) == *line);
        let named = study.entrants.iter().map(|entrant| &entrant.name).find(is_of);
        let name = named.map_or("the other of a mirror", String::as_str);
        let time = time_of(rows, line).map_or_else(String::new, |seconds| format!("{seconds:.3} s"));
        let _ = writeln!(text, "| {name} | `{line}` | {time} |");
    }
    text.push('\n');
    text.push_str(&notes(study, rows));
    study.notes.iter().for_each(|note| {
        let _ = writeln!(text, "- {note}");
    });
    text.push_str(&mark(&study.name, "ends"));
    text
}

/// Mean seconds of processor time of an entrant, over the rows in which it plays games.
fn time_of(rows: &[Row], line: &str) -> Option<f64> {
    let times = rows.iter().filter_map(|row| {
        let Figure::Share { seconds, .. } = row.figure else { return None };
        let at = row.lines.iter().position(|other| other == line)?;
        seconds?.get(at).copied()
    });
    let (sum, count) = times.fold((0.0, 0.0), |(sum, count), seconds| (sum + seconds, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

/// Where and when the rows were measured.
fn origins(rows: &[Row]) -> String {
    let mut made =
        rows.iter().map(|row| format!("{}, {}", row.origin.machine, row.origin.date)).collect::<Vec<_>>();
    made.sort();
    made.dedup();
    made.join("; ")
}

fn mark(name: &str, what: &str) -> String {
    format!("<!-- {name} {what}: written by `arena study`, not by hand -->\n")
}

/// Whether a document has the section of a study that was played in full.
pub(crate) fn holds_full(document: &str, name: &str) -> bool {
    section_in(document, name).is_some_and(|(from, to)| !document[from..to].contains(QUICK))
}

/// The byte range of a study's section.
fn section_in(document: &str, name: &str) -> Option<(usize, usize)> {
    let (begins, ends) = (mark(name, "begins"), mark(name, "ends"));
    let from = document.find(&begins)?;
    let to = document[from..].find(&ends)? + from + ends.len();
    Some((from, to))
}

/// A document in which a study's section is replaced, or added at the end.
pub(crate) fn replace_section(document: &str, name: &str, section: &str) -> String {
    match section_in(document, name) {
        Some((from, to)) => format!("{}{section}{}", &document[..from], &document[to..]),
        None => format!("{}\n\n{section}", document.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_where_it_stands() {
        let section =
            |name: &str, text: &str| format!("{}{text}\n{}", mark(name, "begins"), mark(name, "ends"));
        let document = replace_section("# Studies\n", "a", &section("a", "one"));
        let document = replace_section(&document, "b", &section("b", "two"));
        let again = replace_section(&document, "a", &section("a", "three"));
        assert!(again.starts_with("# Studies\n\n<!-- a begins") && !again.contains("one"), "{again}");
        assert!(again.find("three").unwrap() < again.find("two").unwrap());
        assert_eq!(replace_section(&again, "a", &section("a", "three")), again);
    }
}
