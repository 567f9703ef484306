//! The report of a study: text for a terminal, and a section of a Markdown document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::claim::{self, Claim};
use super::family::Family;
use super::origin::Origin;
use super::plan::{Equal, Mode, Study};
use super::row::{published_column, Figure, Row};
use super::verdict::Verdict;
use coppice_referee::text::column_width;

/// The document's remark on results of a quick run.
const QUICK: &str = "A quick run: shorter turns and fewer games than the results need.";

/// The head of the column on sample sizes: of a match, the games and the points as first and as second.
const FROM: &str = "games: % as first, second";

/// The name of the section on all studies.
const SUMMARY: &str = "summary";

/// Formats the results as a text table for a terminal.
pub(crate) fn table(study: &Study, rows: &[Row]) -> String {
    let cells = rows.iter().map(|row| {
        let [ours, interval, rest] = row.figure.columns();
        [
            row.full_title(&study.contest),
            published_column(row.published),
            ours,
            interval,
            rest,
            row.verdict.to_string(),
        ]
    });
    let head = ["", "published", "ours", "95 %", FROM, ""].map(str::to_owned);
    let lines = std::iter::once(head).chain(cells).collect::<Vec<_>>();
    let mut text = format!("{}: {}\n", study.name, study.title);
    let width = |column: usize| column_width(lines.iter().map(|line| line[column].as_ref()));
    let widths = [0, 1, 2, 3, 4, 5].map(width);
    for line in &lines {
        let padded = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        let _ = writeln!(text, "{}", padded.collect::<Vec<_>>().join("  ").trim_end());
    }
    for claim in Claim::of(rows) {
        let _ = writeln!(text, "{}: {}", claim.rows[0].title_in(&study.contest), claim.verdict());
    }
    text.push_str(&notes(study, rows));
    family(rows).into_iter().for_each(|family| text += &family.to_string());
    text
}

/// The notes on rows: why a result differs, or why the row exists. A note shared by several rows, or a claim at several
/// budgets, appears once.
fn notes(study: &Study, rows: &[Row]) -> String {
    let mut said: Vec<(&str, Vec<String>)> = Vec::new();
    for row in rows.iter().filter(|row| row.verdict != Verdict::Agrees) {
        let Some(note) = &row.note else { continue };
        let title = row.title_in(&study.contest);
        match said.iter_mut().find(|(known, _)| known == note) {
            Some((_, titles)) if titles.contains(&title) => {}
            Some((_, titles)) => titles.push(title),
            None => said.push((note, vec![title])),
        }
    }
    said.iter().map(|(note, titles)| format!("- {}: {note}\n", titles.join("; "))).collect()
}

/// The section of a study in a Markdown document. `command` makes it again; its picture is in the folder `pictures`.
pub(crate) fn section(study: &Study, rows: &[Row], command: &str, pictures: &str) -> String {
    let mut text = format!(
        "{}\n## {}\n\n**{}.** Published: {} ({}).\n\n",
        begin(&study.name),
        study.name,
        study.title,
        study.claim,
        study.source
    );
    let _ = writeln!(text, "`{command}`: {}.", origins(rows));
    if rows.iter().any(|row| row.mode == Mode::Quick) {
        let _ = writeln!(text, "{QUICK}");
    }
    text.push('\n');
    text.push_str(&claims(study, rows));
    let plain = || rows.iter().filter(|row| row.equal.is_none());
    if plain().next().is_some() {
        let _ = writeln!(text, "| | published | ours, 95 % | {FROM} | |\n|---|---|---|---|---|");
    }
    for row in plain() {
        let [ours, interval, rest] = row.figure.columns();
        let ours = if interval.is_empty() { ours } else { format!("{ours}, {interval}") };
        let (title, published) = (row.title_in(&study.contest), published_column(row.published));
        let verdict = row.verdict.to_string();
        let space = if verdict.is_empty() { "" } else { " " };
        let _ = writeln!(text, "| {title} | {published} | {ours} | {rest} | {verdict}{space}|");
    }
    if let Some(family) = family(rows) {
        let _ = write!(text, "\n{}.\n", family.to_string().replace('\n', ".  \n"));
    }
    text.push('\n');
    if rows.iter().any(|row| row.equal.is_some() || row.figure.share().is_some()) {
        let _ = writeln!(text, "![{0}]({pictures}/{0}.svg)\n", study.name);
    }
    let times = study.entrants.iter().filter_map(|entrant| {
        let seconds = time_of(study, rows, &entrant.name)?;
        Some(format!("{} {:.0}", entrant.name, 1000.0 * seconds))
    });
    let times = times.collect::<Vec<_>>().join("; ");
    if !times.is_empty() {
        let _ = writeln!(text, "Milliseconds of processor time a game: {times}.\n");
    }
    text.push_str(&notes(study, rows));
    study.notes.iter().for_each(|note| {
        let _ = writeln!(text, "- {note}");
    });
    text.push_str(&end(&study.name));
    text
}

/// Mean seconds of processor time of an entrant's games at its own budget.
fn time_of(study: &Study, rows: &[Row], name: &str) -> Option<f64> {
    let times = rows.iter().filter(|row| row.equal.is_none()).filter_map(|row| {
        let Figure::Share { seconds, .. } = row.figure else { return None };
        let line = study.line(name, row.mode, None);
        let at = row.lines.iter().position(|other| *other == line)?;
        seconds?.get(at).copied()
    });
    let (sum, count) = times.fold((0.0, 0.0), |(sum, count), seconds| (sum + seconds, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

/// The test of the rows as a family; `None` if all that were published were tried at several budgets.
pub(crate) fn family(rows: &[Row]) -> Option<Family> {
    let family = Family::of(rows);
    let is_claimed = rows.iter().any(|row| row.equal.is_some());
    (!is_claimed || !family.is_empty()).then_some(family)
}

/// The tables of the claims that were tried at several budgets: their verdicts, and the ratings of each order.
fn claims(study: &Study, rows: &[Row]) -> String {
    let claims = Claim::of(rows);
    let Some(first) = claims.first() else { return String::new() };
    let budgets = first.rows.iter().filter_map(|row| row.equal).collect::<Vec<_>>();
    let head = |name: &str, rest: &[&str]| {
        let budgets = budgets.iter().map(Equal::to_string);
        let cells = budgets.chain(rest.iter().map(|&word| word.to_owned())).collect::<Vec<_>>();
        format!("| {name} | {} |\n|---|{}\n", cells.join(" | "), "---|".repeat(cells.len()))
    };
    let mut text = head("claim", &["verdict"]);
    for claim in &claims {
        let claimed = claim.words(&study.contest);
        let _ =
            writeln!(text, "| {claimed} | {} | {} |", cells(claim, &budgets, claim::cell), claim.verdict());
    }
    for claim in claims.iter().filter(|claim| matches!(claim.rows[0].figure, Figure::Ranking { .. })) {
        let _ = write!(text, "\n{}", head("Elo", &[]));
        for (place, name) in study.names(&claim.rows[0].title).into_iter().enumerate() {
            let rating = |row: &Row| match &row.figure {
                Figure::Ranking { ratings, .. } => ratings
                    .get(place)
                    .map_or_else(String::new, |r| format!("{:+.0} ± {:.0}", r.mean, r.error())),
                _ => String::new(),
            };
            let _ = writeln!(text, "| {name} | {} |", cells(claim, &budgets, rating));
        }
    }
    text.push('\n');
    text
}

/// A claim's cells, one for each budget; `-` where it wasn't measured.
fn cells(claim: &Claim<'_>, budgets: &[Equal], cell: impl Fn(&Row) -> String) -> String {
    let of = |budget: &Equal| claim.rows.iter().find(|row| row.equal == Some(*budget));
    let cells = budgets.iter().map(|budget| of(budget).map_or_else(|| "-".to_owned(), |row| cell(row)));
    cells.collect::<Vec<_>>().join(" | ")
}

/// Where and when the rows were measured.
fn origins(rows: &[Row]) -> String {
    let mut made = BTreeMap::<&str, BTreeSet<String>>::new();
    for Origin { date, machine, .. } in rows.iter().map(|row| &row.origin) {
        made.entry(date).or_default().insert(machine.replace("(R)", ""));
    }
    let of_a_day = |(date, machines): (&str, BTreeSet<String>)| {
        format!("{}, {date}", machines.into_iter().collect::<Vec<_>>().join("; "))
    };
    made.into_iter().map(of_a_day).collect::<Vec<_>>().join("; ")
}

/// The line before a section.
fn begin(name: &str) -> String {
    format!("<!-- {name} begins -->\n")
}

/// The line after it.
fn end(name: &str) -> String {
    format!("<!-- {name} ends -->\n")
}

/// Whether a document has the section of a study that was played in full.
pub(crate) fn holds_full(document: &str, name: &str) -> bool {
    section_in(document, name).is_some_and(|(from, to)| !document[from..to].contains(QUICK))
}

/// The byte range of a study's section.
fn section_in(document: &str, name: &str) -> Option<(usize, usize)> {
    // Older sections say more in these two lines.
    let from = document.find(&format!("<!-- {name} begins"))?;
    let last = document[from..].find(&format!("\n<!-- {name} ends"))? + from + 1;
    let to = document[last..].find('\n').map_or(document.len(), |at| last + at + 1);
    Some((from, to))
}

/// A document in which a study's section is replaced, or added at the end.
pub(crate) fn replace_section(document: &str, name: &str, section: &str) -> String {
    match section_in(document, name) {
        Some((from, to)) => format!("{}{section}{}", &document[..from], &document[to..]),
        None => format!("{}\n\n{section}", document.trim_end()),
    }
}

/// A document whose summary is replaced, or added at the end.
pub(crate) fn replace_summary(document: &str, page: &str) -> String {
    let section = format!("{}\n{page}{}", begin(SUMMARY), end(SUMMARY));
    replace_section(document, SUMMARY, &section)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_where_it_stands() {
        let section = |name: &str, text: &str| format!("{}{text}\n{}", begin(name), end(name));
        let document = replace_section("# Studies\n", "a", &section("a", "one"));
        let document = replace_section(&document, "b", &section("b", "two"));
        let again = replace_section(&document, "a", &section("a", "three"));
        assert!(again.starts_with("# Studies\n\n<!-- a begins") && !again.contains("one"), "{again}");
        assert!(again.find("three").unwrap() < again.find("two").unwrap());
        assert_eq!(replace_section(&again, "a", &section("a", "three")), again);
        let [begins, ends] = ["begins", "ends"].map(|word| format!("<!-- a {word}"));
        let longer = |mark: &str| format!("{mark}: written by `arena study`, not by hand");
        let older = again.replace(&begins, &longer(&begins)).replace(&ends, &longer(&ends));
        assert_eq!(replace_section(&older, "a", &section("a", "three")), again);
        // The last line of a file may have no end.
        assert_eq!(replace_section(again.trim_end(), "b", &section("b", "two")), again);
    }
}
