//! Draws the losses of a course as an SVG picture.

use std::fmt::Write;

use super::{Course, Point};

/// Pixels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 40.0;

/// Each curve's name, colour and value.
type Curve = (&'static str, &'static str, fn(&Point) -> f64);
const CURVES: [Curve; 2] =
    [("learnt", "#4c6a92", |point| point.learnt), ("kept apart", "#f07c1e", |point| point.apart)];

/// The picture of a course.
pub fn draw(course: &Course) -> String {
    let values = || course.points.iter().flat_map(|point| [point.learnt, point.apart]);
    let (low, high) =
        values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let (low, high) = if low < high { (low, high) } else { (0.0, high.max(1.0)) };
    let last = course.recipe.epochs().max(2) as f64;
    let x = |epoch: f64| LEFT + (WIDTH - LEFT - RIGHT) * (epoch - 1.0) / (last - 1.0);
    let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">Loss per position, {} positions of {} games</text>\n",
        course.positions, course.games
    );
    for i in 0..=4 {
        let value = low + (high - low) * f64::from(i) / 4.0;
        let y = y(value);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value:.4}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0
        );
    }
    for epoch in [1.0, last] {
        let y = HEIGHT - BOTTOM + 20.0;
        let _ =
            writeln!(svg, "<text x=\"{:.1}\" y=\"{y}\" text-anchor=\"middle\">pass {epoch}</text>", x(epoch));
    }
    for (i, (name, colour, value)) in CURVES.into_iter().enumerate() {
        let place = |(i, point): (usize, &Point)| format!("{:.1},{:.1}", x(i as f64 + 1.0), y(value(point)));
        let places: Vec<String> = course.points.iter().enumerate().map(place).collect();
        let legend = LEFT + 130.0 * i as f64;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <rect x=\"{legend}\" y=\"32\" width=\"12\" height=\"8\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"40\">{name}</text>",
            places.join(" "),
            legend + 18.0
        );
    }
    svg + "</svg>\n"
}
