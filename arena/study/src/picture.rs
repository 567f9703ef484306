//! Draws a study's score shares as bars with their intervals.

use super::claim::Claim;
use super::curves;
use super::plan::Study;
use super::published::Published;
use super::row::Row;
use super::verdict::{self, Verdict};
use coppice_pages::svg::bars::{Bar, Bars};
use coppice_pages::svg::ink::Ink;
use coppice_pages::svg::{Anchor, Medium, Scale, Svg};

/// Pixels.
const MARGIN: f64 = 20.0;
const NAMES: f64 = 360.0;
const WIDTH: f64 = 480.0;
const HEAD: f64 = 64.0;
/// Width of the verdicts' column at the right.
const VERDICTS: f64 = 170.0;

const OURS: Ink = Ink::Player(0);
const THEIRS: Ink = Ink::Player(1);

/// Draws a bar for each row that is a share, next to the published figure and its interval, and below them the claims that were
/// tried at several budgets.
pub(crate) fn draw(study: &Study, rows: &[Row]) -> String {
    let quarters = (0..=4).map(|quarter| f64::from(quarter) / 4.0);
    let bars = Bars {
        scale: Scale {
            low: 0.0,
            high: 1.0,
            ticks: quarters.map(|share| (share, format!("{:.0} %", 100.0 * share))).collect(),
        },
        middle: Some(0.5),
        names: [MARGIN, NAMES],
        width: WIDTH,
        rows: rows
            .iter()
            .filter(|row| row.equal.is_none())
            .filter_map(|row| bar(row, &study.contest))
            .collect(),
    };
    let claims = Claim::of(rows);
    let title = format!("{}: {}", study.name, study.title);
    let mut svg = Svg::new(
        Medium::File,
        MARGIN + NAMES + WIDTH + VERDICTS,
        HEAD + bars.height() + curves::height(&claims) + 4.0,
        &title,
    );
    svg.words((MARGIN, 24.0), Anchor::Start, 16.0, Ink::Text, &title);
    svg.rect([MARGIN, 36.0, 14.0, 12.0], OURS, 0.55);
    svg.words((40.0, 46.0), Anchor::Start, 12.0, Ink::Text, "ours");
    svg.disc((97.0, 42.0), 4.0, THEIRS);
    svg.words((108.0, 46.0), Anchor::Start, 12.0, Ink::Text, "published; lines are 95 % intervals");
    bars.draw(&mut svg, HEAD);
    curves::draw(&mut svg, HEAD + bars.height(), study, &claims);
    svg.finish()
}

fn bar(row: &Row, contest: &str) -> Option<Bar> {
    let value = row.figure.share()?;
    let theirs = row.published.and_then(verdict::share);
    let about = match row.published {
        Some(Published::About { about }) => Some((about, None)),
        _ => None,
    };
    let arrow = match row.published {
        Some(Published::Above { .. }) => "published: better",
        Some(Published::Below { .. }) => "published: worse",
        _ => "",
    };
    let words = [arrow.to_owned(), row.verdict.to_string()].into_iter().filter(|word| !word.is_empty());
    let ink = if row.verdict == Verdict::Differs { Ink::Bad } else { Ink::Faint };
    Some(Bar {
        name: row.title_in(contest),
        value,
        ink: OURS,
        other: theirs.map(|theirs| (theirs.mean, Some([theirs.low, theirs.high]))).or(about),
        other_ink: THEIRS,
        remark: (words.collect::<Vec<_>>().join(": "), ink),
    })
}
