//! Draws a study's score shares as bars with their intervals.

use std::fmt::Write;

use super::plan::Study;
use super::published::Published;
use super::row::Row;
use super::verdict::{self, Verdict};
use crate::stats::Estimate;
use crate::text::xml;

/// Pixels.
const BAR: f64 = 18.0;
const GAP: f64 = 14.0;
const NAMES: f64 = 360.0;
const WIDTH: f64 = 480.0;
const HEAD: f64 = 64.0;
const MARGIN: f64 = 20.0;
/// Width of the verdicts' column at the right.
const VERDICTS: f64 = 170.0;

const OURS: &str = "#4c6a92";
const THEIRS: &str = "#f07c1e";

/// Draws a bar for each row that is a share, with the published figure and its interval beside it.
pub fn draw(study: &Study, rows: &[Row]) -> String {
    let shares = rows.iter().filter_map(|row| Some((row, row.figure.share()?))).collect::<Vec<_>>();
    let height = HEAD + shares.len() as f64 * (BAR + GAP) + 30.0;
    let full = MARGIN + NAMES + WIDTH + VERDICTS;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{full}\" height=\"{height}\" viewBox=\"0 0 {full} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"16\" font-weight=\"bold\">{}</text>\n\
         <rect x=\"{MARGIN}\" y=\"36\" width=\"14\" height=\"12\" fill=\"{OURS}\"/><text x=\"40\" y=\"46\">ours</text>\n\
         <circle cx=\"97\" cy=\"42\" r=\"4\" fill=\"{THEIRS}\"/><text x=\"108\" y=\"46\">published; lines are 95 % intervals</text>\n",
        xml(&format!("{}: {}", study.name, study.title))
    );
    grid(&mut svg, HEAD, height - 26.0);
    let mut y = HEAD + GAP / 2.0;
    for (row, share) in shares {
        bar(&mut svg, row, &row.title_in(&study.contest), share, y);
        y += BAR + GAP;
    }
    svg.push_str("</svg>\n");
    svg
}

fn x(share: f64) -> f64 {
    MARGIN + NAMES + WIDTH * share
}

/// Grid lines at the quarters, the middle one stronger.
fn grid(svg: &mut String, top: f64, bottom: f64) {
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        let (x, colour) = (x(share), if quarter == 2 { "#888888" } else { "#dddddd" });
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"{colour}\"/>\
             <text x=\"{x}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555555\">{:.0} %</text>",
            bottom + 16.0,
            100.0 * share
        );
    }
}

fn bar(svg: &mut String, row: &Row, title: &str, share: Estimate, y: f64) {
    let middle = y + BAR / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n\
         <rect x=\"{}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" fill=\"{OURS}\" fill-opacity=\"0.75\"/>",
        x(0.0) - 8.0,
        middle + 4.0,
        xml(title),
        x(0.0),
        x(share.mean) - x(0.0),
    );
    whisker(svg, share, middle - 3.0, "#1d2a3d");
    let theirs = row.published.and_then(verdict::share);
    let point = theirs.map(|theirs| theirs.mean).or(match row.published {
        Some(Published::About { about }) => Some(about),
        _ => None,
    });
    if let Some(theirs) = theirs {
        whisker(svg, theirs, middle + 4.0, THEIRS);
    }
    if let Some(point) = point {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{THEIRS}\"/>",
            x(point),
            middle + 4.0
        );
    }
    let arrow = match row.published {
        Some(Published::Above { .. }) => "published: better",
        Some(Published::Below { .. }) => "published: worse",
        _ => "",
    };
    let colour = if row.verdict == Verdict::Differs { "#d7263d" } else { "#333333" };
    let words = [arrow.to_owned(), row.verdict.to_string()].into_iter().filter(|word| !word.is_empty());
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\" fill=\"{colour}\">{}</text>",
        x(1.0) + 10.0,
        middle + 4.0,
        xml(&words.collect::<Vec<_>>().join(": "))
    );
}

/// Draws an interval as a line with end marks.
fn whisker(svg: &mut String, Estimate { low, high, .. }: Estimate, y: f64, colour: &str) {
    let (low, high) = (x(low), x(high));
    let _ = writeln!(
        svg,
        "<path d=\"M{low:.1} {y:.1}H{high:.1}M{low:.1} {:.1}v6M{high:.1} {:.1}v6\" stroke=\"{colour}\" stroke-width=\"1.6\"/>",
        y - 3.0,
        y - 3.0
    );
}
