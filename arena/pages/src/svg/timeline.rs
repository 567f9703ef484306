//! A chart over the turns of a game: lines, bars, and marks that lead to a turn.

use super::ink::Ink;
use super::{Anchor, Medium, Scale, Svg};

/// The size of the chart, and the space for the names of the scales.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 156.0;
const LEFT: f64 = 88.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 16.0;
const FOOT: f64 = 28.0;

/// Half the width of a mark.
const MARK: f64 = 6.0;

/// Half the size of a cross.
const CROSS: f64 = 5.0;

/// Points of a line beyond which none is drawn as a dot.
const MOST_DOTS: usize = 400;

/// A chart. Turns count from 1.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// Text for screen readers.
    pub label: String,
    /// The number of turns.
    pub turns: usize,
    /// The scale upwards.
    pub y: Scale,
    /// The lines.
    pub lines: Vec<Line>,
    /// Bars from the bottom.
    pub bars: Vec<Bar>,
    /// Marks at the top.
    pub marks: Vec<Mark>,
    /// Levels with their names.
    pub levels: Vec<(f64, String, Ink)>,
    /// Turns that stand out, as a cross at the top with a dashed line below.
    pub standing_out: Vec<Mark>,
}

/// A line.
#[derive(Debug, Clone)]
pub struct Line {
    /// Turn, height, and the text that is shown at the point; empty for none.
    pub points: Vec<(usize, f64, String)>,
    /// Colour.
    pub ink: Ink,
    /// Whether it is dashed.
    pub is_dashed: bool,
}

/// A bar.
#[derive(Debug, Clone)]
pub struct Bar {
    /// Turn, from 0.
    pub turn: usize,
    /// Value on the vertical axis.
    pub height: f64,
    /// Colour.
    pub ink: Ink,
    /// The text that is shown at it; may be empty.
    pub title: String,
}

/// A mark.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Turn, from 0.
    pub turn: usize,
    /// Colour.
    pub ink: Ink,
    /// The text that is shown at it.
    pub title: String,
    /// Where it leads.
    pub address: String,
}

/// The least distance in turns between two marks that don't touch, in a chart of this number of turns.
pub fn apart(turns: usize) -> usize {
    (2.0 * MARK / step(turns)).ceil() as usize
}

/// The width of a turn.
fn step(turns: usize) -> f64 {
    (WIDTH - LEFT - RIGHT) / turns.max(1) as f64
}

impl Timeline {
    fn step(&self) -> f64 {
        step(self.turns)
    }

    /// The middle of a turn; the right end for the position after the last.
    fn x(&self, turn: usize) -> f64 {
        LEFT + (turn as f64 - 0.5).min(self.turns as f64) * self.step()
    }

    /// The chart for a page. The root element says where turns are (`data-left`, `data-step`), for a script.
    pub fn draw(&self) -> String {
        let place = format!(" data-left=\"{LEFT}\" data-step=\"{:.4}\"", self.step());
        let mut svg = Svg::with(Medium::Page, WIDTH, HEIGHT, &self.label, &place);
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - FOOT);
        let y = |value: f64| bottom - (bottom - TOP) * self.y.share(value).clamp(0.0, 1.0);
        for (value, name) in &self.y.ticks {
            svg.line(&[(LEFT, y(*value)), (right, y(*value))], Ink::Edge, 1.0);
            svg.words((LEFT - 6.0, y(*value) + 4.0), Anchor::End, 12.0, Ink::Faint, name);
        }
        self.turn_numbers(&mut svg, bottom);
        let width = (self.step() - 1.0).max(self.step() * 0.6).max(1.5);
        for bar in &self.bars {
            let top = y(bar.height).min(bottom - 1.0);
            let place = [self.x(bar.turn) - width / 2.0, top, width, bottom - top];
            match bar.title.is_empty() {
                true => svg.rect(place, bar.ink, 1.0),
                false => svg.titled(&bar.title, |svg| svg.rect(place, bar.ink, 1.0)),
            }
        }
        for (value, name, ink) in &self.levels {
            svg.dashes(&[(LEFT, y(*value)), (right, y(*value))], *ink, 1.0);
            svg.words((right, y(*value) - 4.0), Anchor::End, 12.0, *ink, name);
        }
        for line in &self.lines {
            let points = line.points.iter().map(|(turn, value, _)| (self.x(*turn), y(*value)));
            let points = points.collect::<Vec<_>>();
            svg.of_bot(line.ink, |svg| self.draw_line(svg, line, &points));
        }
        for mark in &self.standing_out {
            let x = self.x(mark.turn);
            svg.of_bot(mark.ink, |svg| {
                svg.linked(&mark.address, |svg| {
                    svg.titled(&mark.title, |svg| {
                        svg.dashes(&[(x, TOP), (x, bottom)], mark.ink, 2.0);
                        for rise in [2.0 * CROSS, 0.0] {
                            let (y, other) = (TOP - 1.0 - rise, TOP - 1.0 - 2.0 * CROSS + rise);
                            svg.line(&[(x - CROSS, y), (x + CROSS, other)], mark.ink, 3.0);
                        }
                    });
                });
            });
        }
        for mark in &self.marks {
            let x = self.x(mark.turn);
            svg.of_bot(mark.ink, |svg| {
                svg.linked(&mark.address, |svg| {
                    svg.titled(&mark.title, |svg| {
                        svg.area(&[(x - MARK, 1.0), (x + MARK, 1.0), (x, 12.0)], mark.ink, 1.0);
                    });
                });
            });
        }
        svg.finish()
    }

    fn draw_line(&self, svg: &mut Svg, line: &Line, points: &[(f64, f64)]) {
        match line.is_dashed {
            true => svg.dashes(points, line.ink, 2.0),
            false => svg.line(points, line.ink, 2.0),
        }
        let radius = if self.step() < 6.0 { 2.0 } else { 3.0 };
        for (at, (.., title)) in points.iter().zip(&line.points).take(MOST_DOTS) {
            if !title.is_empty() {
                svg.titled(title, |svg| svg.disc(*at, radius, line.ink));
            }
        }
    }

    fn turn_numbers(&self, svg: &mut Svg, bottom: f64) {
        let numbers = Scale::round(0.0, self.turns as f64, 8).ticks.into_iter().map(|(value, _)| value);
        let numbers = numbers.filter(|value| value.fract() == 0.0 && *value <= self.turns as f64);
        let numbers = std::iter::once(1).chain(numbers.map(|value| value as usize).filter(|&n| n > 1));
        for number in numbers {
            let x = self.x(number);
            svg.line(&[(x, bottom), (x, bottom + 4.0)], Ink::Edge, 1.0);
            svg.words((x, bottom + 21.0), Anchor::Middle, 12.0, Ink::Faint, &number.to_string());
        }
        svg.words((4.0, bottom + 21.0), Anchor::Start, 12.0, Ink::Faint, "turn");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_says_where_its_turns_are_and_what_its_marks_mean() {
        let point = |turn: usize| (turn, turn as f64, format!("turn {turn}, A: <c7>"));
        let mark = |turn: usize, ink: Ink, title: &str, address: &str| Mark {
            turn,
            ink,
            title: title.to_owned(),
            address: address.to_owned(),
        };
        let chart = Timeline {
            label: "score by turn".to_owned(),
            turns: 10,
            y: Scale::round(0.0, 10.0, 5),
            lines: vec![Line { points: (1..=10).map(point).collect(), ink: Ink::Player(1), is_dashed: true }],
            bars: vec![Bar { turn: 4, height: 10.0, ink: Ink::Bad, title: "turn 4: time-out".to_owned() }],
            marks: vec![mark(3, Ink::Player(1), "c1", "#game=1&turn=3")],
            levels: vec![(5.0, "limit".to_owned(), Ink::Text)],
            standing_out: vec![mark(5, Ink::Bad, "lost", "#turn=5")],
        };
        let text = chart.draw();
        assert!(text.contains(" data-left=\"88\" data-step=\"50.4000\""), "{text}");
        assert!(text.contains("<title>turn 10, A: &lt;c7&gt;</title>") && text.contains("stroke-dasharray"));
        assert!(text.contains("<a href=\"#game=1&amp;turn=3\" tabindex=\"-1\"><g><title>c1</title>"));
        // The middle of the fourth turn, for the bar; numbers on both axes.
        assert!(
            text.contains("<title>turn 4: time-out</title><rect x=\"239.7\"") && text.contains("var(--bad)")
        );
        assert!(text.contains(">10</text>") && text.contains(">1</text>") && text.contains(">limit</text>"));
        assert!(
            text.contains("<a href=\"#turn=5\" tabindex=\"-1\"><g><title>lost</title><polyline"),
            "{text}"
        );
        assert_eq!(
            text.matches("<g data-bot=\"1\">").count(),
            2,
            "the line and the mark are a bot's: {text}"
        );
        assert!(text.contains("fill=\"var(--p1)\"") && text.contains("stroke=\"var(--bad)\""), "{text}");
        assert!(!Timeline::default().draw().contains("NaN"));
    }

    #[test]
    fn marks_that_are_apart_dont_touch() {
        assert_eq!([apart(10), apart(381)], [1, 10]);
        assert!(step(381) * 10.0 >= 2.0 * MARK && step(381) * 9.0 < 2.0 * MARK);
    }
}
