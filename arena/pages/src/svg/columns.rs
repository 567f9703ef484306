//! A column chart: counts side by side, such as a distribution.

use super::ink::Ink;
use super::{Anchor, Medium, Svg};

/// The size of the chart, and the space for names and counts.
const WIDTH: f64 = 460.0;
const FOOT: f64 = 36.0;
const TOP: f64 = 18.0;

/// Space between columns as a share of their width.
const GAP: f64 = 0.12;

/// A chart.
#[derive(Debug, Clone)]
pub struct Columns {
    /// The text for screen readers.
    pub label: String,
    /// The height in pixels.
    pub height: f64,
    /// The columns.
    pub columns: Vec<Column>,
    /// Marked places below the columns: the number of columns before each, and its name.
    pub ticks: Vec<(f64, String)>,
    /// The name of the scale to the right; may be empty.
    pub x_name: String,
    /// A vertical line: the number of columns before it, and its name.
    pub mark: Option<(f64, String)>,
}

/// A column.
#[derive(Debug, Clone)]
pub struct Column {
    /// Label below the column; may be empty.
    pub name: String,
    /// Height.
    pub count: u64,
    /// Whether the count stands above it.
    pub is_counted: bool,
    /// Colour.
    pub ink: Ink,
}

impl Columns {
    /// The chart for a page.
    pub fn draw(&self) -> String {
        let mut svg = Svg::new(Medium::Page, WIDTH, self.height, &self.label);
        let bottom = self.height - FOOT;
        let most = self.columns.iter().map(|column| column.count).max().unwrap_or(0).max(1) as f64;
        let width = WIDTH / self.columns.len().max(1) as f64;
        for (place, column) in self.columns.iter().enumerate() {
            let left = place as f64 * width;
            // One of thousands can still be seen.
            let least = if column.count > 0 { 1.5 } else { 0.0 };
            let height = ((bottom - TOP) * column.count as f64 / most).max(least);
            svg.rect(
                [left + width * GAP / 2.0, bottom - height, width * (1.0 - GAP), height],
                column.ink,
                0.8,
            );
            let middle = left + width / 2.0;
            if column.is_counted {
                let count = column.count.to_string();
                svg.words((middle, bottom - height - 5.0), Anchor::Middle, 12.0, Ink::Text, &count);
            }
            svg.words((middle, bottom + 16.0), Anchor::Middle, 12.0, Ink::Faint, &column.name);
        }
        svg.line(&[(0.0, bottom), (WIDTH, bottom)], Ink::Edge, 1.0);
        for (before, name) in &self.ticks {
            let x = before * width;
            svg.line(&[(x, bottom), (x, bottom + 4.0)], Ink::Faint, 1.0);
            let anchor = match x {
                x if x < 12.0 => Anchor::Start,
                x if x > WIDTH - 12.0 => Anchor::End,
                _ => Anchor::Middle,
            };
            svg.words((x, bottom + 16.0), anchor, 12.0, Ink::Faint, name);
        }
        svg.words((WIDTH, bottom + 30.0), Anchor::End, 12.0, Ink::Faint, &self.x_name);
        if let Some((after, name)) = &self.mark {
            let x = (after * width).clamp(0.0, WIDTH);
            svg.dashes(&[(x, 2.0), (x, bottom)], Ink::Bad, 1.0);
            let (anchor, at) =
                if x > WIDTH * 0.6 { (Anchor::End, x - 4.0) } else { (Anchor::Start, x + 4.0) };
            svg.words((at, 13.0), anchor, 12.0, Ink::Bad, name);
        }
        svg.finish()
    }
}
