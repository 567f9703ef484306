//! Draws a flight as SVG.

use std::fmt::Write;

use bots::lander::physics::flight::{Lander, LEAN, THRUST};
use bots::lander::physics::ground::{Fate, ZONE};
use bots::lander::tools::cases::case::{Case, Flight};

use super::trial::FlightResult;
use coppice_arena::subcommand::xml;

/// Pixels for a metre.
const SCALE: f64 = 0.2;
/// Pixels around everything.
const MARGIN: f64 = 40.0;
/// Above the zone: the title and the legend.
const HEAD: f64 = 84.0;
/// A chart's height, and the room between two.
const CHART: f64 = 130.0;
const GAP: f64 = 44.0;
/// Seconds between two ticks that show the lean.
const TICK_S: usize = 3;
/// Seconds between two numbers along the path.
const LABEL_S: usize = 10;
/// A tick's length in pixels.
const TICK: f64 = 16.0;
/// The width of a chart's line in pixels.
const CURVE: f64 = 1.8;
/// The most plans that are drawn.
const PLANS: usize = 6;

/// Thrust 0 to 4.
const COLOURS: [&str; 5] = ["#4c6a92", "#3d9970", "#d9b300", "#f07c1e", "#d7263d"];
const H_COLOUR: &str = "#1f77b4";
const V_COLOUR: &str = "#c23b8f";
const FUEL_COLOUR: &str = "#555555";
const PLAN_COLOUR: &str = "#7a5fb0";
const BOUND_COLOUR: &str = "#2b8a3e";

/// Ground, flat, path, leans, plans, and the numbers over time.
pub fn draw(flown: &FlightResult) -> String {
    let case = &flown.task.course.case;
    let (width, zone) = (ZONE.0 * SCALE, ZONE.1 * SCALE);
    let height = HEAD + zone + 3.0 * (CHART + GAP) + MARGIN;
    let full = width + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{full}\" height=\"{height}\" viewBox=\"0 0 {full} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    head(&mut svg, flown);
    let _ = writeln!(
        svg,
        "<clipPath id=\"zone\"><rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{zone}\"/></clipPath>\n\
         <g transform=\"translate({MARGIN},{HEAD})\">\n<rect width=\"{width}\" height=\"{zone}\" fill=\"#f3f1ec\"/>\n\
         <g clip-path=\"url(#zone)\">"
    );
    ground(&mut svg, case);
    let drawn = plans(&mut svg, flown);
    path(&mut svg, &flown.flight);
    let _ = writeln!(svg, "</g>");
    labels(&mut svg, &flown.flight, &drawn);
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{zone}\" fill=\"none\" stroke=\"#888\"/>\n</g>");
    charts(&mut svg, flown, HEAD + zone + GAP);
    svg.push_str("</svg>\n");
    svg
}

fn at(x: f64, y: f64) -> (f64, f64) {
    (x * SCALE, (ZONE.1 - y) * SCALE)
}

fn head(svg: &mut String, flown: &FlightResult) {
    let case = &flown.task.course.case;
    let now = flown.flight.now();
    let title = match case.title.as_str() {
        "" => case.name.clone(),
        title => format!("{}: {title}", case.name),
    };
    let _ = writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"26\" font-size=\"17\" font-weight=\"bold\">{}</text>\n\
         <text x=\"{MARGIN}\" y=\"46\">{} after {} s, {} of {} litres left, hSpeed {:.1}, vSpeed {:.1} m/s; {}</text>",
        xml(&title),
        xml(&flown.ending()),
        flown.turns(),
        now.fuel,
        case.start.fuel,
        now.h_speed,
        now.v_speed,
        xml(&flown.task.command),
    );
    let mut x = MARGIN;
    let mut entry = |stroke: &str, dash: &str, text: &str| {
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"66\" x2=\"{:.1}\" y2=\"66\" stroke=\"{stroke}\" stroke-width=\"3\"{dash}/>\
             <text x=\"{:.1}\" y=\"70\">{text}</text>",
            x + 24.0,
            x + 30.0
        );
        x += 44.0 + 7.0 * text.len() as f64;
    };
    for (power, colour) in COLOURS.iter().enumerate() {
        entry(colour, "", &format!("thrust {power}"));
    }
    entry("#222222", "", &format!("lean, every {TICK_S} s"));
    if !flown.plans.is_empty() {
        entry(PLAN_COLOUR, " stroke-dasharray=\"5 3\"", "plan after N seconds");
    }
    if let Some(least) = flown.least_fuel() {
        let most = case.start.fuel - least;
        entry(BOUND_COLOUR, " stroke-dasharray=\"4 4\"", &format!("bound: at most {most} litres left"));
    }
}

fn ground(svg: &mut String, case: &Case) {
    let points = case.ground.points();
    let mut outline = String::new();
    let (first, last) = (points[0], points[points.len() - 1]);
    let corners = [(f64::from(last.x.max(7000)), f64::from(last.y)), (7000.0, -10.0), (0.0, -10.0)];
    let all = points.iter().map(|p| (f64::from(p.x), f64::from(p.y))).chain(corners);
    for (x, y) in all.chain([(0.0, f64::from(first.y))]) {
        let (x, y) = at(x, y);
        let _ = write!(outline, "{x:.1},{y:.1} ");
    }
    let (left, right, height) = case.ground.flat();
    let ((x1, y), (x2, _)) = (at(left, height), at(right, height));
    let _ = writeln!(
        svg,
        "<polygon points=\"{}\" fill=\"#c9a98b\" stroke=\"#7b5b3f\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>\n\
         <line x1=\"{x1:.1}\" y1=\"{y:.1}\" x2=\"{x2:.1}\" y2=\"{y:.1}\" stroke=\"#1a1a1a\" stroke-width=\"5\"/>",
        outline.trim_end()
    );
}

/// Draws a few of the plans, and says at which seconds they were made.
fn plans(svg: &mut String, flown: &FlightResult) -> Vec<usize> {
    let states = &flown.flight.states;
    let count = flown.plans.len().min(states.len() - 1);
    let mut chosen = (0..PLANS.min(count)).map(|i| i * count / PLANS.min(count)).collect::<Vec<_>>();
    chosen.dedup();
    for &second in &chosen {
        let mut planned = Flight { states: vec![states[second]], fate: Fate::Flying };
        for &order in &flown.plans[second] {
            planned.fly(&flown.task.course.case.ground, order);
        }
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{PLAN_COLOUR}\" stroke-width=\"1.3\" stroke-dasharray=\"5 3\"/>",
            line(planned.states.iter())
        );
    }
    chosen
}

fn line<'a>(states: impl Iterator<Item = &'a Lander>) -> String {
    states
        .map(|state| {
            let (x, y) = at(state.x, state.y);
            format!("{x:.1},{y:.1}")
        })
        .collect::<Vec<_>>()
        .join(" ")
}

fn path(svg: &mut String, flight: &Flight) {
    for pair in flight.states.windows(2) {
        let ((x1, y1), (x2, y2)) = (at(pair[0].x, pair[0].y), at(pair[1].x, pair[1].y));
        let colour = colour(pair[1].power);
        let _ = writeln!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
             stroke-width=\"3\" stroke-linecap=\"round\"/>"
        );
    }
    let last = flight.states.len() - 1;
    for (second, state) in flight.states.iter().enumerate() {
        if second % TICK_S == 0 || second == last {
            let (x, y) = at(state.x, state.y);
            let radians = f64::from(state.rotate).to_radians();
            let (x2, y2) = (x - TICK * radians.sin(), y - TICK * radians.cos());
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#222222\"/>\
                 <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.8\" fill=\"#222222\"/>"
            );
        }
    }
}

fn colour(power: i32) -> &'static str {
    COLOURS[power.clamp(0, THRUST) as usize]
}

/// Labels the path with seconds, and the beginnings of plans.
fn labels(svg: &mut String, flight: &Flight, plans: &[usize]) {
    let last = flight.states.len() - 1;
    for (second, state) in flight.states.iter().enumerate() {
        let is_round = second % LABEL_S == 0 && last - second >= LABEL_S / 2;
        let (x, y) = at(state.x, state.y);
        if is_round || second == last {
            // Below the path, which goes down.
            let (dx, anchor) = if state.h_speed > 0.0 { (-9.0, "end") } else { (9.0, "start") };
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" fill=\"#222222\" stroke=\"#ffffff\" stroke-width=\"3\" \
                 paint-order=\"stroke\" text-anchor=\"{anchor}\">{second} s</text>",
                x + dx,
                y + 14.0
            );
        }
        if plans.contains(&second) {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"none\" stroke=\"{PLAN_COLOUR}\" stroke-width=\"1.5\"/>"
            );
        }
    }
}

/// A chart over the seconds of the flight.
struct Chart {
    top: f64,
    low: f64,
    high: f64,
    seconds: f64,
}

impl Chart {
    fn new(svg: &mut String, top: f64, (low, high): (f64, f64), seconds: usize, title: &str) -> Self {
        let width = ZONE.0 * SCALE;
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{:.1}\" font-weight=\"bold\">{title}</text>\n\
             <rect x=\"{MARGIN}\" y=\"{top}\" width=\"{width}\" height=\"{CHART}\" fill=\"#fafafa\" stroke=\"#888\"/>",
            top - 8.0
        );
        let chart = Self { top, low, high, seconds: seconds.max(1) as f64 };
        for second in (0..=seconds).step_by(LABEL_S) {
            let x = chart.x(second as f64);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"#dddddd\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"10\" text-anchor=\"middle\" fill=\"#666\">{second}</text>",
                top + CHART,
                top + CHART + 12.0
            );
        }
        chart
    }

    fn x(&self, second: f64) -> f64 {
        MARGIN + second / self.seconds * ZONE.0 * SCALE
    }

    fn y(&self, value: f64) -> f64 {
        self.top + (self.high - value) / (self.high - self.low) * CHART
    }

    /// A line across, with its number at the left.
    fn level(&self, svg: &mut String, value: f64, stroke: &str) {
        let (y, right) = (self.y(value), MARGIN + ZONE.0 * SCALE);
        let _ = writeln!(
            svg,
            "<line x1=\"{MARGIN}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" {stroke}/>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\" text-anchor=\"end\" fill=\"#666\">{value}</text>",
            MARGIN - 4.0,
            y + 4.0
        );
    }

    fn curve(&self, svg: &mut String, values: impl Iterator<Item = f64>, colour: &str, width: f64) {
        let points = values
            .enumerate()
            .map(|(second, value)| format!("{:.1},{:.1}", self.x(second as f64), self.y(value)))
            .collect::<Vec<_>>();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            points.join(" ")
        );
    }
}

fn charts(svg: &mut String, flown: &FlightResult, top: f64) {
    let case = &flown.task.course.case;
    let (soft_h, soft_v) = case.ground.judging().limits();
    let states = &flown.flight.states;
    let seconds = states.len() - 1;
    let dashed = |colour: &str| format!("stroke=\"{colour}\" stroke-dasharray=\"4 4\"");
    let grey = "stroke=\"#bbbbbb\"";

    let speeds = states.iter().flat_map(|s| [s.h_speed, s.v_speed]);
    let (low, high) = speeds.fold((-soft_v, soft_h), |(low, high), v| (low.min(v), high.max(v)));
    let title = format!(
        "speeds in m/s: <tspan fill=\"{H_COLOUR}\">hSpeed (±{soft_h} at the end)</tspan>, \
         <tspan fill=\"{V_COLOUR}\">vSpeed (-{soft_v} at the end)</tspan>"
    );
    let chart = Chart::new(svg, top, (low - 5.0, high + 5.0), seconds, &title);
    chart.level(svg, 0.0, grey);
    chart.level(svg, soft_h, &dashed(H_COLOUR));
    chart.level(svg, -soft_h, &dashed(H_COLOUR));
    chart.level(svg, -soft_v, &dashed(V_COLOUR));
    chart.curve(svg, states.iter().map(|s| s.h_speed), H_COLOUR, CURVE);
    chart.curve(svg, states.iter().map(|s| s.v_speed), V_COLOUR, CURVE);

    let top = top + CHART + GAP;
    let lean = f64::from(LEAN);
    let chart = Chart::new(svg, top, (-lean, lean), seconds, "rotate in degrees: positive leans to the left");
    for level in [-lean, -45.0, 0.0, 45.0, lean] {
        chart.level(svg, level, grey);
    }
    chart.curve(svg, states.iter().map(|s| f64::from(s.rotate)), "#222222", CURVE);

    let top = top + CHART + GAP;
    let fuel = f64::from(states[0].fuel.max(1));
    let title = format!(
        "thrust in m/s² (bars), <tspan fill=\"{FUEL_COLOUR}\">fuel in litres (line)</tspan>, \
         <tspan fill=\"{PLAN_COLOUR}\">by the first plan</tspan>, \
         <tspan fill=\"{BOUND_COLOUR}\">the most that a landing can leave (level)</tspan>"
    );
    let chart = Chart::new(svg, top, (0.0, fuel), seconds, &title);
    for pair in states.windows(2).enumerate() {
        let (second, power) = (pair.0 as f64, pair.1[1].power);
        let share = f64::from(power) / f64::from(THRUST);
        let (x1, x2) = (chart.x(second), chart.x(second + 1.0));
        let _ = writeln!(
            svg,
            "<rect x=\"{x1:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
            top + CHART * (1.0 - share),
            (x2 - x1 - 0.5).max(0.5),
            CHART * share,
            colour(power)
        );
    }
    chart.level(svg, 0.0, grey);
    chart.level(svg, fuel, grey);
    if let Some(least) = flown.least_fuel() {
        chart.level(svg, f64::from(case.start.fuel - least), &dashed(BOUND_COLOUR));
    }
    if let Some(orders) = flown.plans.first() {
        let planned = case.fly(orders.iter().copied());
        chart.curve(svg, planned.states.iter().map(|s| f64::from(s.fuel)), PLAN_COLOUR, CURVE);
    }
    // White under the line: it crosses bars of any colour.
    for (colour, width) in [("#ffffff", 4.5), (FUEL_COLOUR, CURVE)] {
        chart.curve(svg, states.iter().map(|s| f64::from(s.fuel)), colour, width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::tests::flown;
    use bots::lander::physics::flight::Order;

    /// Every element that is opened is closed, and no attribute's quote is left open.
    fn is_well_formed(svg: &str) -> bool {
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let Some((tag, _)) = tag.split_once('>') else { return false };
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
            if tag.matches('"').count() % 2 == 1 || tag.starts_with('/') && open.pop() != Some(name) {
                return false;
            }
            if !tag.starts_with('/') && !tag.ends_with('/') {
                open.push(name);
            }
        }
        open.is_empty()
    }

    #[test]
    fn a_flight_is_drawn_with_its_plans() {
        let mut flown = flown(&["0 2"; 20]);
        flown.task.command = "a<b & c".to_owned();
        let plain = draw(&flown);
        assert!(is_well_formed(&plain) && plain.contains("a&lt;b &amp; c"), "{plain}");
        assert!(!plain.contains("plan after"));
        let most = 50 - flown.least_fuel().unwrap();
        assert!(plain.contains(&format!("bound: at most {most} litres left")), "{plain}");
        let path = plain.matches("stroke-width=\"3\" stroke-linecap=\"round\"/>").count();
        assert_eq!(path, flown.turns());
        flown.plans = vec![vec![Order { rotate: 0, power: 2 }; 20]; 40];
        let drawn = draw(&flown);
        assert!(is_well_formed(&drawn));
        assert_eq!(drawn.matches("stroke-width=\"1.3\" stroke-dasharray").count(), PLANS);
    }
}
