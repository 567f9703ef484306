//! A line chart: series over a scale, bands around them, levels to reach.

use super::ink::Ink;
use super::{thin, Anchor, Medium, Scale, Svg};

/// The size of the chart, and the space for the names of the scales.
const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 212.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 20.0;
const FOOT: f64 = 36.0;

/// Most points of a line: more than there are pixels.
const MOST_POINTS: usize = 400;

/// A place of a band: x, its lower end, its upper end.
pub type Interval = (f64, f64, f64);

/// A chart.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    /// The text for screen readers.
    pub label: String,
    /// The scale to the right.
    pub x: Scale,
    /// Name of the scale to the right; may be empty.
    pub x_name: String,
    /// The scale upwards.
    pub y: Scale,
    /// Name of the scale upwards; may be empty.
    pub y_name: String,
    /// Bands.
    pub bands: Vec<(Vec<Interval>, Ink)>,
    /// The lines.
    pub series: Vec<(Vec<(f64, f64)>, Ink)>,
    /// Levels with their names.
    pub levels: Vec<(f64, String, Ink)>,
    /// The lines' names, in the upper right corner.
    pub keys: Vec<(String, Ink)>,
}

impl Lines {
    /// The chart for a page.
    pub fn draw(&self) -> String {
        let mut svg = Svg::new(Medium::Page, WIDTH, HEIGHT, &self.label);
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - FOOT);
        let x = |value: f64| LEFT + (right - LEFT) * self.x.share(value).clamp(0.0, 1.0);
        let y = |value: f64| bottom - (bottom - TOP) * self.y.share(value).clamp(0.0, 1.0);
        for (value, name) in &self.y.ticks {
            svg.line(&[(LEFT, y(*value)), (right, y(*value))], Ink::Edge, 1.0);
            svg.words((LEFT - 6.0, y(*value) + 4.0), Anchor::End, 12.0, Ink::Faint, name);
        }
        for (value, name) in self.x.ticks.iter().filter(|(value, _)| *value <= self.x.high) {
            svg.line(&[(x(*value), bottom), (x(*value), bottom + 4.0)], Ink::Edge, 1.0);
            let anchor = if x(*value) > right - 12.0 { Anchor::End } else { Anchor::Middle };
            svg.words((x(*value), bottom + 18.0), anchor, 12.0, Ink::Faint, name);
        }
        for (band, ink) in &self.bands {
            let band = thin(band, MOST_POINTS);
            let lower = band.iter().map(|&(at, low, _)| (x(at), y(low)));
            let upper = band.iter().rev().map(|&(at, _, high)| (x(at), y(high)));
            svg.area(&lower.chain(upper).collect::<Vec<_>>(), *ink, 0.18);
        }
        svg.words((right, bottom + 32.0), Anchor::End, 12.0, Ink::Faint, &self.x_name);
        svg.words((4.0, 12.0), Anchor::Start, 12.0, Ink::Faint, &self.y_name);
        for (value, name, ink) in &self.levels {
            svg.dashes(&[(LEFT, y(*value)), (right, y(*value))], *ink, 1.0);
            let above = y(*value) - 4.0;
            let at = if above < TOP + 8.0 { y(*value) + 14.0 } else { above };
            svg.words((LEFT + 6.0, at), Anchor::Start, 12.0, *ink, name);
        }
        for (points, ink) in &self.series {
            let points = thin(points, MOST_POINTS);
            let points = points.into_iter().map(|(at, value)| (x(at), y(value))).collect::<Vec<_>>();
            svg.line(&points, *ink, 2.0);
            if let Some(last) = points.last() {
                svg.disc(*last, 3.0, *ink);
            }
        }
        for (row, (name, ink)) in (1..).zip(&self.keys) {
            svg.words((right, TOP + 14.0 * f64::from(row)), Anchor::End, 12.0, *ink, name);
        }
        svg.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_is_a_short_line() {
        let points = (0..20_000).map(|i| (f64::from(i), f64::from(i % 7))).collect::<Vec<_>>();
        let band = points.iter().map(|&(x, y)| (x, y - 1.0, y + 1.0)).collect();
        let chart = Lines {
            label: "score".to_owned(),
            x: Scale::round(0.0, 20_000.0, 4),
            y: Scale::round(-1.0, 8.0, 4),
            bands: vec![(band, Ink::Player(0))],
            x_name: "pairs".to_owned(),
            y_name: "per cent".to_owned(),
            series: vec![(points, Ink::Player(0))],
            levels: vec![(5.0, "H1".to_owned(), Ink::Good)],
            keys: vec![("A".to_owned(), Ink::Player(0))],
        };
        let text = chart.draw();
        assert!(
            text.len() < 20_000
                && text.contains(">H1</text>")
                && text.contains(">20000</text>")
                && text.contains(">pairs</text>")
                && text.contains(">per cent</text>")
                && text.contains(">A</text>"),
            "{text}"
        );
        assert!(!Lines::default().draw().contains("NaN"));
    }
}
