//! Draws the claims of a study over their budgets: a panel for each, shares or ratings with their intervals.

use super::claim::Claim;
use super::plan::Study;
use super::row::{Figure, Row};
use coppice_pages::svg::ink::Ink;
use coppice_pages::svg::{Anchor, Scale, Svg};
use coppice_stats::Estimate;

/// Pixels.
const MARGIN: f64 = 20.0;
const WIDTH: f64 = 495.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 52.0;
const TOP: f64 = 26.0;
const FOOT: f64 = 26.0;
/// Width of the names at the right of a panel of ratings.
const NAMES: f64 = 190.0;
/// Least distance of two of them.
const LINE: f64 = 12.0;
const COLUMNS: usize = 2;

/// The height of all panels.
pub(crate) fn height(claims: &[Claim<'_>]) -> f64 {
    HEIGHT * claims.len().div_ceil(COLUMNS) as f64
}

/// Draws the panels from the height `top` on.
pub(crate) fn draw(svg: &mut Svg, top: f64, study: &Study, claims: &[Claim<'_>]) {
    for (index, claim) in claims.iter().enumerate() {
        let (row, column) = (index / COLUMNS, index % COLUMNS);
        let corner = (MARGIN + (WIDTH + MARGIN) * column as f64, top + HEIGHT * row as f64);
        panel(svg, corner, study, claim);
    }
}

/// The estimates of a row: one share, or the ratings of all.
fn estimates(row: &Row) -> Vec<Estimate> {
    match &row.figure {
        Figure::Ranking { ratings, .. } => ratings.clone(),
        figure => figure.share().into_iter().collect(),
    }
}

fn panel(svg: &mut Svg, (x0, y0): (f64, f64), study: &Study, claim: &Claim<'_>) {
    let title = claim.rows[0].title_in(&study.contest);
    let is_ranking = matches!(claim.rows[0].figure, Figure::Ranking { .. });
    let all = claim.rows.iter().flat_map(|row| estimates(row)).collect::<Vec<_>>();
    let scale = if is_ranking {
        let low = all.iter().map(|one| one.low).fold(0.0, f64::min);
        Scale::round(low, all.iter().map(|one| one.high).fold(0.0, f64::max), 4)
    } else {
        let ticks = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| (share, format!("{:.0} %", 100.0 * share)));
        Scale { low: 0.0, high: 1.0, ticks: ticks.to_vec() }
    };
    let (left, right) = (x0 + LEFT, x0 + WIDTH - if is_ranking { NAMES } else { 12.0 });
    let (upper, lower) = (y0 + TOP, y0 + HEIGHT - FOOT - 8.0);
    let y = |value: f64| lower - (lower - upper) * scale.share(value).clamp(0.0, 1.0);
    // A gap between budgets by positions and by time.
    let worlds = claim.rows.iter().filter(|row| row.equal.is_some_and(|equal| !equal.is_time())).count();
    let places = (claim.rows.len() + usize::from(worlds > 0 && worlds < claim.rows.len())).max(1) as f64;
    let x = |place: usize| {
        let gap = usize::from(worlds > 0 && place >= worlds);
        left + (right - left) * ((place + gap) as f64 + 0.5) / places
    };
    let what = if is_ranking { "Elo" } else { "share of the points" };
    let title_and_scale = format!("{title} ({what})");
    svg.words((x0, y0 + 14.0), Anchor::Start, 12.0, Ink::Text, &title_and_scale);
    if !is_ranking {
        svg.line(&[(left, y(0.5)), (right, y(0.5))], Ink::Faint, 1.5);
    }
    for (value, name) in &scale.ticks {
        svg.line(&[(left, y(*value)), (right, y(*value))], Ink::Edge, 1.0);
        svg.words((left - 6.0, y(*value) + 4.0), Anchor::End, 11.0, Ink::Faint, name);
    }
    for (place, row) in claim.rows.iter().enumerate() {
        let name = row.equal.map_or_else(String::new, |equal| equal.to_string().replace(" positions", ""));
        svg.words((x(place), lower + 18.0), Anchor::Middle, 11.0, Ink::Faint, &name);
    }
    svg.words((right, y0 + HEIGHT - 4.0), Anchor::End, 11.0, Ink::Faint, "positions, processor time a move");
    let most = claim.rows.iter().map(|row| estimates(row).len()).max().unwrap_or(0);
    let mut ends = Vec::new();
    for entrant in 0..most {
        let ink = Ink::Player(entrant);
        let at = |(place, row): (usize, &&Row)| Some((place, *estimates(row).get(entrant)?));
        let points = claim.rows.iter().enumerate().filter_map(at).collect::<Vec<_>>();
        let (by_worlds, by_time): (Vec<_>, Vec<_>) = points.iter().partition(|(place, _)| *place < worlds);
        for part in [by_worlds, by_time] {
            let line = part.iter().map(|(place, one)| (x(*place), y(one.mean))).collect::<Vec<_>>();
            svg.line(&line, ink, 2.0);
        }
        for (place, one) in &points {
            svg.line(&[(x(*place), y(one.low)), (x(*place), y(one.high))], ink, 1.2);
            svg.disc((x(*place), y(one.mean)), 3.0, ink);
        }
        if let (true, Some((_, last))) = (is_ranking, points.last()) {
            ends.push((y(last.mean) + 4.0, entrant));
        }
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let names = study.names(&claim.rows[0].title);
    let mut free = f64::MIN;
    for (at, entrant) in ends {
        free = free.max(at);
        let name = names.get(entrant).copied().unwrap_or_default();
        svg.words((right + 6.0, free), Anchor::Start, 11.0, Ink::Player(entrant), name);
        free += LINE;
    }
}
