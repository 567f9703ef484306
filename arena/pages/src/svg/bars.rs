//! Rows of bars with their intervals, names on the left and remarks on the right.

use super::ink::Ink;
use super::{Anchor, Scale, Svg};
use coppice_stats::Estimate;

/// The height of a bar, and the space between two.
const BAR: f64 = 18.0;
const GAP: f64 = 14.0;

/// Space below the last bar for the names of the scale's marks.
const FOOT: f64 = 26.0;

/// Rows on one scale.
#[derive(Debug, Clone)]
pub struct Bars {
    /// The scale.
    pub scale: Scale,
    /// The mark that is drawn stronger.
    pub middle: Option<f64>,
    /// Left end of the names, and their width.
    pub names: [f64; 2],
    /// The width of the scale.
    pub width: f64,
    /// The rows.
    pub rows: Vec<Bar>,
}

/// A row.
#[derive(Debug, Clone)]
pub struct Bar {
    /// Label to the left.
    pub name: String,
    /// Value and interval.
    pub value: Estimate,
    /// The bar's colour.
    pub ink: Ink,
    /// Another value to compare with, and its interval if it has one.
    pub other: Option<(f64, Option<[f64; 2]>)>,
    /// The other value's colour.
    pub other_ink: Ink,
    /// A remark.
    pub remark: (String, Ink),
}

impl Bars {
    /// The height of all rows with the scale's marks.
    pub fn height(&self) -> f64 {
        self.rows.len() as f64 * (BAR + GAP) + FOOT
    }

    /// Draws the rows from `top` on.
    pub fn draw(&self, svg: &mut Svg, top: f64) {
        let left = self.names[0] + self.names[1];
        let x = |value: f64| left + self.width * self.scale.share(value);
        let bottom = top + self.height() - FOOT;
        for (value, name) in &self.scale.ticks {
            let ink = if self.middle == Some(*value) { Ink::Faint } else { Ink::Edge };
            svg.line(&[(x(*value), top), (x(*value), bottom)], ink, 1.0);
            svg.words((x(*value), bottom + 16.0), Anchor::Middle, 12.0, Ink::Faint, name);
        }
        let mut y = top + GAP / 2.0;
        for row in &self.rows {
            let middle = y + BAR / 2.0;
            svg.words((left - 8.0, middle + 4.0), Anchor::End, 12.0, Ink::Text, &row.name);
            let (from, to) = (x(self.scale.low.max(0.0)), x(row.value.mean));
            svg.rect([from.min(to), y, (to - from).abs(), BAR], row.ink, 0.55);
            svg.whisker([x(row.value.low), x(row.value.high)], middle - 3.0, Ink::Text);
            if let Some((point, interval)) = row.other {
                if let Some([low, high]) = interval {
                    svg.whisker([x(low), x(high)], middle + 4.0, row.other_ink);
                }
                svg.disc((x(point), middle + 4.0), 4.0, row.other_ink);
            }
            let (remark, ink) = &row.remark;
            svg.words((x(self.scale.high) + 10.0, middle + 4.0), Anchor::Start, 11.0, *ink, remark);
            y += BAR + GAP;
        }
    }
}
