//! One page for all studies: work, claim, verdict at equal numbers of positions and at equal time, where.

use std::fmt::Write;
use std::path::Path;

use contest::Contest;

use super::behaviour;
use super::claim::{Claim, Outcome};
use super::plan::Study;
use super::row::{Figure, Row};
use super::verdict::Verdict;
use coppice_referee::contests;

/// The first part of a line that says which rows have other players by now.
const CHANGED: &str = "Players changed since: ";

/// The rows of each study in full runs, as stored in a folder.
pub(crate) fn stored<'a>(studies: &'a [Study], folder: &Path) -> Vec<(&'a Study, Vec<Row>)> {
    let rows = |study: &Study| {
        let mut rows = crate::run::read(&folder.join(&study.name).join(crate::run::RESULTS));
        rows.retain(|row| row.mode == crate::plan::Mode::Full);
        rows
    };
    studies.iter().map(|study| (study, rows(study))).collect()
}

/// The page as Markdown. A study without stored rows keeps its lines of `older`, an earlier page.
pub(crate) fn page(all: &[(&Study, Vec<Row>)], older: &str, known: &[&dyn Contest]) -> String {
    let mut text = "| work | claim | by positions | by time | where |\n|---|---|---|---|---|\n".to_owned();
    let mut changed = Vec::new();
    for (study, rows) in all {
        let place = format!("[{0}](#{0})", study.name);
        if rows.is_empty() {
            let kept = older.lines().filter(|line| line.contains(&format!("| {place}")));
            kept.for_each(|line| text += &format!("{line}\n"));
            continue;
        }
        let work = study.source.split(',').next().unwrap_or_default();
        for (claim, by_worlds, by_time) in lines(study, rows) {
            let _ = writeln!(text, "| {work} | {claim} | {by_worlds} | {by_time} | {place} |");
        }
        let others = rows.iter().filter(|row| has_changed(row, known)).count();
        if others > 0 {
            changed.push(format!("{} ({others} of {} rows)", study.name, rows.len()));
        }
    }
    if !changed.is_empty() {
        let _ = writeln!(text, "\n{CHANGED}{}.", changed.join(", "));
    }
    text
}

/// The claims of a study with their verdicts by positions and by time.
fn lines(study: &Study, rows: &[Row]) -> Vec<(String, String, String)> {
    let said =
        |outcome: Option<Outcome>| outcome.map_or_else(|| "-".to_owned(), |outcome| outcome.to_string());
    let claims = Claim::of(rows);
    let mut lines: Vec<_> = claims
        .iter()
        .map(|claim| (claim.words(&study.contest), said(claim.outcome(false)), said(claim.outcome(true))))
        .collect();
    let plain = rows.iter().filter(|row| row.equal.is_none() && row.published.is_some()).collect::<Vec<_>>();
    if !plain.is_empty() {
        let by = |is_time: bool| {
            let rows = plain.iter().filter(|row| is_timed(row) == is_time);
            counts(rows.map(|row| row.verdict))
        };
        lines.push((study.claim.clone(), by(false), by(true)));
    }
    lines
}

/// Whether time was held equal, or is what was measured.
fn is_timed(row: &Row) -> bool {
    let by_time = |line: &String| line.contains("--cpu-ms ") || line.contains("--ms ");
    matches!(row.figure, Figure::Solved { .. }) || row.lines.iter().any(by_time)
}

/// As "3 agree, 1 differ".
fn counts(verdicts: impl Iterator<Item = Verdict>) -> String {
    let all = verdicts.collect::<Vec<_>>();
    let count = |wanted: &[Verdict]| all.iter().filter(|verdict| wanted.contains(verdict)).count();
    let [agree, differ, open] = [
        count(&[Verdict::Agrees]),
        count(&[Verdict::Differs]),
        count(&[Verdict::TooFew, Verdict::PublishedTooFew]),
    ];
    let parts = [(agree, "agree"), (differ, "differ"), (open, "can't be told")];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    let text = parts.collect::<Vec<_>>().join(", ");
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

/// Whether a player of the row plays otherwise by now, or its behaviour wasn't stored.
fn has_changed(row: &Row, known: &[&dyn Contest]) -> bool {
    let now =
        contests::find(known, &row.contest).ok().and_then(|contest| behaviour::of(contest, &row.lines).ok());
    now.as_ref() != Some(&row.behaviour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_counted() {
        use Verdict::{Agrees, Differs, New, PublishedTooFew, TooFew};
        assert_eq!(counts([Agrees, New, Agrees, Differs].into_iter()), "2 agree, 1 differ");
        assert_eq!(counts([TooFew, PublishedTooFew].into_iter()), "2 can't be told");
        assert_eq!(counts([New].into_iter()), "-");
    }
}
