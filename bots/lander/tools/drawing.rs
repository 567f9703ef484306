//! Draws a flight in characters.

use std::fmt::Write;

use contest::drawing::{Drawing, Paint, Shape};
use coppice::Player;

use crate::lander::physics::flight::{Lander, LOST, SOFT_H, SOFT_V};
use crate::lander::physics::ground::{Fate, Point, FLAT, ZONE};
use crate::lander::tools::cases::case::{is_solid, Flight};

/// Seconds between two ticks that show the lean.
const TICK_S: usize = 3;

/// Room below the zone for a flame and a line of numbers, in units of 100 m.
const BELOW: f32 = 6.5;

/// Columns and rows of the drawing: 100 m by 200 m each.
pub const SIZE: (usize, usize) = (70, 15);

/// Draws the zone with the ground, the path so far and the lander, and a line of numbers below.
pub fn draw(points: &[Point], flight: &Flight) -> String {
    let mut cells = vec![[' '; SIZE.0]; SIZE.1];
    for (row, cells) in cells.iter_mut().enumerate() {
        for (column, cell) in cells.iter_mut().enumerate() {
            let middle = |i: usize, size: usize, length: f64| (i as f64 + 0.5) * length / size as f64;
            let place = (middle(column, SIZE.0, ZONE.0), ZONE.1 - middle(row, SIZE.1, ZONE.1));
            if is_solid(points, place) {
                *cell = '#';
            }
        }
    }
    let mut mark = |(x, y): (f64, f64), with: char| {
        let column = x / ZONE.0 * SIZE.0 as f64;
        let row = (ZONE.1 - y) / ZONE.1 * SIZE.1 as f64;
        if column >= 0.0 && row >= 0.0 {
            if let Some(cell) = cells.get_mut(row as usize).and_then(|cells| cells.get_mut(column as usize)) {
                *cell = with;
            }
        }
    };
    let now = flight.now();
    flight.states.iter().for_each(|state| mark((state.x, state.y), '.'));
    mark((now.x, now.y), 'A');
    let mut text = String::new();
    for row in cells {
        let _ = writeln!(text, "|{}|", row.iter().collect::<String>());
    }
    let seconds = flight.states.len() - 1;
    let _ = writeln!(
        text,
        "{seconds} s: at {:.1}, {:.1}; speeds {:.1}, {:.1}; {} litres, rotate {}, power {}",
        now.x, now.y, now.h_speed, now.v_speed, now.fuel, now.rotate, now.power
    );
    text + &match flight.fate {
        Fate::Landed => format!("landed with {} litres left", now.fuel),
        fate => ended(fate).to_owned(),
    }
}

/// A flight's state in words.
fn ended(fate: Fate) -> &'static str {
    match fate {
        Fate::Flying => "flying",
        Fate::Landed => "landed",
        Fate::Crashed => "crashed",
        Fate::Lost => "lost: it left the zone",
    }
}

/// The zone as shapes, in units of 100 m: ground, path, lander with its lean and its thrust.
pub fn shapes(points: &[Point], flight: &Flight) -> Drawing {
    let (width, height) = ((ZONE.0 / 100.0) as f32, (ZONE.1 / 100.0) as f32);
    let mut drawing = Drawing::new(width, height + BELOW);
    drawing.shapes.push(Shape::Rect([0.0, 0.0, width, height], Paint::Sky));
    let surface = points.iter().map(|point| at(point.x.into(), point.y.into()));
    let mut ground: Vec<[f32; 2]> = surface.collect();
    ground.extend([[width, height], [0.0, height]]);
    drawing.shapes.push(Shape::Area(ground, Paint::Ground));
    let flat = |pair: &&[Point]| pair[0].y == pair[1].y && pair[1].x - pair[0].x >= FLAT;
    if let Some([from, to]) = points.windows(2).find(flat).map(|pair| [pair[0], pair[1]]) {
        let ends = [from, to].map(|point| at(point.x.into(), point.y.into()));
        drawing.line(&ends, 0.4, Paint::Hint);
    }
    let path: Vec<[f32; 2]> = flight.states.iter().map(|state| at(state.x, state.y)).collect();
    drawing.line(&path, 0.15, Paint::Faint);
    drawing.line(&path[path.len().saturating_sub(2)..], 0.3, Paint::Last);
    // The lean, every few seconds.
    for state in flight.states.iter().step_by(TICK_S) {
        let ([x, y], lean) = (at(state.x, state.y), f64::from(state.rotate).to_radians());
        let [dx, dy] = [lean.sin(), lean.cos()].map(|part| 0.7 * part as f32);
        drawing.line(&[[x, y], [x - dx, y - dy]], 0.15, Paint::Faint);
    }
    let now = flight.now();
    let [x, y] = at(now.x, now.y);
    let (sin, cos) =
        (f64::from(now.rotate).to_radians().sin() as f32, f64::from(now.rotate).to_radians().cos() as f32);
    // A rotation of 90 leans to the left: the flame then points to the right.
    // A place of the lander: to its right and downwards, as it leans.
    let part = |[right, down]: [f32; 2]| [x + right * cos + down * sin, y - right * sin + down * cos];
    if now.power > 0 {
        let flame = [[-0.45, 0.0], [0.45, 0.0], [0.0, 0.9 * now.power as f32]].map(part);
        drawing.shapes.push(Shape::Area(flame.to_vec(), Paint::Flame));
    }
    let paint = Paint::Player(Player::FIRST);
    for side in [-1.0, 1.0] {
        drawing.line(&[[side * 0.6, -0.6], [side * 1.1, 0.5]].map(part), 0.2, paint);
    }
    let body = [[-0.8, -0.4], [-0.5, -1.4], [0.5, -1.4], [0.8, -0.4]].map(part);
    drawing.shapes.push(Shape::Area(body.to_vec(), paint));
    let numbers = format!(
        "{} s, {} litres, speed {:.0} across, {:.0} up: {}",
        flight.states.len() - 1,
        now.fuel,
        now.h_speed,
        now.v_speed,
        ended(flight.fate)
    );
    let letter = drawing.letter();
    drawing.text([width / 2.0, height + BELOW - letter], letter, numbers, Paint::Text);
    drawing.key(Paint::Hint, "the flat to land on");
    drawing.key(Paint::Faint, format!("the path, with the lean every {TICK_S} s"));
    drawing.key(Paint::Flame, "the thrust, 0 to 4");
    drawing.word(format!(
        "a landing: upright, on the flat, at most {SOFT_H} m/s across and {SOFT_V} m/s down; points: the litres left, or {LOST}"
    ));
    drawing
}

/// Where the lander is a second later, as a line from where it is now.
pub fn step(from: &Lander, to: &Lander) -> Shape {
    Shape::Line([from, to].map(|lander| at(lander.x, lander.y)).to_vec(), 0.3, Paint::Last)
}

/// A place in metres as a place in the drawing.
fn at(x: f64, y: f64) -> [f32; 2] {
    [(x / 100.0) as f32, ((ZONE.1 - y) / 100.0) as f32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::physics::flight::Order;
    use crate::lander::tools::cases::known::official;

    #[test]
    fn a_flight_is_drawn() {
        let case = &official()[6];
        let flight = case.fly([Order { rotate: 30, power: 1 }; 8]);
        let drawn = draw(case.ground.points(), &flight);
        let lines = drawn.lines().collect::<Vec<_>>();
        assert_eq!(lines.len(), SIZE.1 + 2);
        assert_eq!(lines[5], "|                    #  #####                                          |");
        assert!(lines[2].contains(" A.") && lines[16] == "flying", "{drawn}");
        assert!(lines[15].starts_with("8 s: at 63"), "{drawn}");
    }
}
