//! The results of a study in words: for a terminal, and as a section of a document.

use std::fmt::Write;

use super::plan::{Mode, Study};
use super::row::{published_column, Row};
use super::verdict::Verdict;

/// The results as a person reads them in a terminal.
pub fn table(study: &Study, rows: &[Row]) -> String {
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
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3, 4, 5].map(width);
    for line in &lines {
        let padded = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        let _ = writeln!(text, "{}", padded.collect::<Vec<_>>().join("  ").trim_end());
    }
    for row in rows.iter().filter(|row| row.verdict == Verdict::Differs) {
        if let Some(note) = &row.note {
            let _ = writeln!(text, "{}: {note}", row.title_in(&study.contest));
        }
    }
    text
}

/// The section of a study in a document in Markdown; `command` makes it.
pub fn section(study: &Study, rows: &[Row], command: &str) -> String {
    let mut text = format!(
        "{}\n## {}: {}\n\nPublished: {} ({}).\n\n",
        mark(&study.name, "begins"),
        study.name,
        study.title,
        study.claim,
        study.source
    );
    let _ = writeln!(text, "`{command}`: {}.", made(rows));
    if rows.iter().any(|row| row.mode == Mode::Quick) {
        text.push_str("A quick run: shorter turns and fewer games than the results need.\n");
    }
    text.push_str("\n| | published | ours | 95 % | from | |\n|---|---|---|---|---|---|\n");
    for row in rows {
        let [ours, interval, rest] = row.figure.columns();
        let (title, published, verdict) =
            (row.title_in(&study.contest), published_column(row.published), row.verdict.to_string());
        let _ = writeln!(text, "| {title} | {published} | {ours} | {interval} | {rest} | {verdict} |");
    }
    text.push('\n');
    if rows.iter().any(|row| row.figure.share().is_some()) {
        let _ = writeln!(text, "![{}](arena/studies/{}.svg)\n", study.title, study.name);
    }
    text.push_str("| | command line |\n|---|---|\n");
    let mut lines = rows.iter().flat_map(|row| row.lines.iter()).collect::<Vec<_>>();
    lines.sort();
    lines.dedup();
    for line in lines {
        let is_of = |name: &&String| rows.iter().any(|row| study.line(name, row.mode) == *line);
        let named = study.entrants.iter().map(|entrant| &entrant.name).find(is_of);
        let _ = writeln!(text, "| {} | `{line}` |", named.map_or("the other of a mirror", String::as_str));
    }
    text.push('\n');
    for row in rows.iter().filter(|row| row.verdict == Verdict::Differs) {
        if let Some(note) = &row.note {
            let _ = writeln!(text, "- {}: {note}", row.title_in(&study.contest));
        }
    }
    study.notes.iter().for_each(|note| {
        let _ = writeln!(text, "- {note}");
    });
    text.push_str(&mark(&study.name, "ends"));
    text
}

/// Where and when the rows were measured.
fn made(rows: &[Row]) -> String {
    let mut made =
        rows.iter().map(|row| format!("{}, {}", row.made.machine, row.made.date)).collect::<Vec<_>>();
    made.sort();
    made.dedup();
    made.join("; ")
}

fn mark(name: &str, what: &str) -> String {
    format!("<!-- {name} {what}: written by `arena study`, not by hand -->\n")
}

/// A document in which a study's section is replaced, or added at the end if it has none.
pub fn replace_section(document: &str, name: &str, section: &str) -> String {
    let (begins, ends) = (mark(name, "begins"), mark(name, "ends"));
    let found = document.find(&begins).and_then(|from| {
        let to = document[from..].find(&ends)? + from + ends.len();
        Some((from, to))
    });
    match found {
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
