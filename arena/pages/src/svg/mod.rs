//! Charts as SVG: bars with intervals, lines, columns. A chart of a page has the page's colours, light or dark; one for a
//! file brings them with it.

pub mod bars;
pub mod columns;
pub mod ink;
pub mod lines;
pub mod timeline;

use std::fmt::Write;

use coppice_referee::text::xml;
use coppice_stats::Estimate;
use ink::Ink;

/// Where a chart is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// On a page, whose style sheet has the colours.
    Page,
    /// In a file, on white or, where that is asked for, in dark.
    File,
}

/// Where a text stands from its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// The text's middle is at the point.
    Middle,
    /// It ends there.
    End,
}

/// A drawing in progress. Coordinates are in pixels of its own size.
#[derive(Debug, Clone)]
pub struct Svg {
    medium: Medium,
    text: String,
}

impl Svg {
    /// An empty drawing. `label` is the text for screen readers.
    pub fn new(medium: Medium, width: f64, height: f64, label: &str) -> Self {
        Self::with(medium, width, height, label, "")
    }

    /// An empty drawing with more attributes of its root, which must be valid.
    pub fn with(medium: Medium, width: f64, height: f64, label: &str, attributes: &str) -> Self {
        let (width, height, label) = (short(width), short(height), attribute(label));
        let root = match medium {
            Medium::Page => format!(
                "<svg class=\"chart\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\"{attributes}>"
            ),
            Medium::File => format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
                 viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\" \
                 aria-label=\"{label}\"{attributes}>\n<style>{}</style>\n<rect width=\"100%\" height=\"100%\" \
                 fill=\"var(--back,#ffffff)\"/>",
                ink::css().trim_end()
            ),
        };
        Self { medium, text: root + "\n" }
    }

    /// A filled rectangle; `opacity` from 0 to 1.
    pub fn rect(&mut self, [x, y, width, height]: [f64; 4], ink: Ink, opacity: f64) {
        let [x, y, width, height] = [x, y, width.max(0.0), height.max(0.0)].map(short);
        let fill = ink.colour(self.medium);
        let opacity =
            if opacity < 1.0 { format!(" fill-opacity=\"{}\"", short(opacity)) } else { String::new() };
        let _ = writeln!(
            self.text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"{opacity}/>"
        );
    }

    /// A line through points.
    pub fn line(&mut self, points: &[(f64, f64)], ink: Ink, width: f64) {
        self.shape(
            points,
            &format!(
                "fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"",
                ink.colour(self.medium),
                short(width)
            ),
        );
    }

    /// A line of dashes.
    pub fn dashes(&mut self, points: &[(f64, f64)], ink: Ink, width: f64) {
        let (ink, width) = (ink.colour(self.medium), short(width));
        self.shape(
            points,
            &format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" stroke-dasharray=\"4 3\""),
        );
    }

    /// What `draw` adds, with a text that a browser shows when the pointer is on it.
    pub fn titled(&mut self, title: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.text, "<g><title>{}</title>", xml(title));
        draw(self);
        self.text += "</g>\n";
    }

    /// What `draw` adds, as a link to an address of the page. Reached by the pointer only: a chart is one thing for a
    /// keyboard and for a screen reader.
    pub fn linked(&mut self, address: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.text, "<a href=\"{}\" tabindex=\"-1\">", attribute(address));
        draw(self);
        self.text += "</a>\n";
    }

    /// What `draw` adds, marked as a bot's, so that a page can let it stand out or fade.
    pub fn of_bot(&mut self, ink: Ink, draw: impl FnOnce(&mut Self)) {
        let Ink::Player(number) = ink else { return draw(self) };
        let _ = write!(self.text, "<g data-bot=\"{number}\">");
        draw(self);
        self.text += "</g>\n";
    }

    /// A filled area.
    pub fn area(&mut self, points: &[(f64, f64)], ink: Ink, opacity: f64) {
        self.shape(
            points,
            &format!("fill=\"{}\" fill-opacity=\"{}\"", ink.colour(self.medium), short(opacity)),
        );
    }

    fn shape(&mut self, points: &[(f64, f64)], style: &str) {
        let points = points.iter().map(|&(x, y)| format!("{},{}", short(x), short(y))).collect::<Vec<_>>();
        let _ = writeln!(self.text, "<polyline points=\"{}\" {style}/>", points.join(" "));
    }

    /// A disc.
    pub fn disc(&mut self, (x, y): (f64, f64), radius: f64, ink: Ink) {
        let [x, y, radius] = [x, y, radius].map(short);
        let fill = ink.colour(self.medium);
        let _ = writeln!(self.text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>");
    }

    /// A line of text on its base line.
    pub fn words(&mut self, (x, y): (f64, f64), anchor: Anchor, size: f64, ink: Ink, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let ([x, y, size], fill) = ([x, y, size].map(short), ink.colour(self.medium));
        let _ = writeln!(
            self.text,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{anchor}>{}</text>",
            xml(words)
        );
    }

    /// An interval as a line with end marks, from `low` to `high` at the height `y`.
    pub fn whisker(&mut self, [low, high]: [f64; 2], y: f64, ink: Ink) {
        self.line(&[(low, y), (high, y)], ink, 1.6);
        [low, high].into_iter().for_each(|x| self.line(&[(x, y - 3.0), (x, y + 3.0)], ink, 1.6));
    }

    /// The drawing.
    pub fn finish(self) -> String {
        self.text + "</svg>\n"
    }
}

/// An interval with its mean between two ends, without words: for a cell of a table. `reference` is a line that shows where
/// nothing is better or worse.
pub fn interval(
    value: Estimate,
    [low, high]: [f64; 2],
    reference: Option<f64>,
    ink: Ink,
    label: &str,
) -> String {
    const WIDTH: f64 = 180.0;
    const HEIGHT: f64 = 18.0;
    let range = if high > low { high - low } else { 1.0 };
    let x = |value: f64| 4.0 + (WIDTH - 8.0) * ((value - low) / range).clamp(0.0, 1.0);
    let mut svg = Svg::new(Medium::Page, WIDTH, HEIGHT, label);
    svg.rect([0.0, HEIGHT / 2.0 - 1.0, WIDTH, 2.0], Ink::Edge, 1.0);
    if let Some(reference) = reference {
        svg.line(&[(x(reference), 1.0), (x(reference), HEIGHT - 1.0)], Ink::Faint, 1.0);
    }
    let (from, to) = (x(value.low), x(value.high));
    svg.rect([from, HEIGHT / 2.0 - 4.0, (to - from).max(2.0), 8.0], ink, 0.35);
    svg.disc((x(value.mean), HEIGHT / 2.0), 4.5, ink);
    svg.finish()
}

/// A scale: its ends, and the places that are marked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scale {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Marked places with their names.
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    /// A scale that holds both values, with about `count` marks at round numbers.
    pub fn round(low: f64, high: f64, count: usize) -> Self {
        let (low, high) = if high > low { (low, high) } else { (low, low + 1.0) };
        let raw = (high - low) / count.max(1) as f64;
        let unit = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit).into_iter().find(|step| *step >= raw);
        let step = step.unwrap_or(raw);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
        let ticks = (first..=last).map(|k| k as f64 * step);
        Self {
            low: first as f64 * step,
            high: last as f64 * step,
            ticks: ticks.map(|value| (value, format!("{value:.digits$}"))).collect(),
        }
    }

    /// Round numbers of a logarithmic scale between two ends: 1, 2 and 5 times powers of 10, or powers alone where those are
    /// many.
    pub fn round_logarithms(low: f64, high: f64) -> Vec<f64> {
        let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let factors: &[f64] = if decades.clone().count() > 3 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let all = decades.flat_map(|decade| factors.iter().map(move |factor| factor * 10f64.powi(decade)));
        all.filter(|value| (low..=high).contains(value)).collect()
    }

    /// Where a value is between the ends, from 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        if self.high > self.low {
            (value - self.low) / (self.high - self.low)
        } else {
            0.0
        }
    }
}

/// At most `most` of these, evenly, with the first and the last.
pub fn thin<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    if all.len() <= most || most < 2 {
        return all.to_vec();
    }
    (0..most).map(|i| all[i * (all.len() - 1) / (most - 1)].clone()).collect()
}

/// A number with at most one digit behind the point.
pub fn short(x: f64) -> String {
    match (x * 10.0).round() / 10.0 {
        x if !x.is_finite() => "0".to_owned(),
        0.0 => "0".to_owned(),
        x => x.to_string(),
    }
}

fn attribute(text: &str) -> String {
    xml(text).replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round() {
        let names =
            |scale: Scale| scale.ticks.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(" ");
        assert_eq!(names(Scale::round(0.0, 97.0, 5)), "0 20 40 60 80 100");
        assert_eq!(names(Scale::round(-2.94, 2.94, 4)), "-4 -2 0 2 4");
        assert_eq!(names(Scale::round(0.42, 0.58, 4)), "0.40 0.45 0.50 0.55 0.60");
        assert_eq!(names(Scale::round(3.0, 3.0, 2)), "3.0 3.5 4.0");
        assert_eq!(Scale::round(0.0, 10.0, 5).share(5.0), 0.5);
        assert_eq!(Scale::round_logarithms(3.0, 60.0), [5.0, 10.0, 20.0, 50.0]);
        assert_eq!(Scale::round_logarithms(0.011, 150.0), [0.1, 1.0, 10.0, 100.0]);
    }

    #[test]
    fn words_are_text_whatever_they_are() {
        let mut svg = Svg::new(Medium::Page, 10.0, 10.0, "a \"b\" <c>");
        svg.words((1.0, 2.0), Anchor::End, 12.0, Ink::Text, "</text><script>&");
        let text = svg.finish();
        assert!(text.contains("aria-label=\"a &quot;b&quot; &lt;c&gt;\""), "{text}");
        assert!(text.contains(">&lt;/text&gt;&lt;script&gt;&amp;</text>"), "{text}");
    }

    #[test]
    fn numbers_are_short_and_always_numbers() {
        assert_eq!([1.0, 2.345, -0.01, f64::NAN, f64::INFINITY].map(short), ["1", "2.3", "0", "0", "0"]);
        assert_eq!(thin(&(0..1000).collect::<Vec<_>>(), 3), [0, 499, 999]);
    }
}
