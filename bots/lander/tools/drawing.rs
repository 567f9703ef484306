//! Draws a flight in characters.

use std::fmt::Write;

use contest::drawing::{Drawing, Paint, Shape};
use coppice::Player;

use crate::lander::physics::flight::Lander;
use crate::lander::physics::ground::{Fate, Point, ZONE};
use crate::lander::tools::cases::case::{is_solid, Flight};

/// Columns and rows of the drawing: 100 m by 200 m each.
const SIZE: (usize, usize) = (70, 15);

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
        Fate::Flying => "flying".to_owned(),
        Fate::Landed => format!("landed with {} litres left", now.fuel),
        Fate::Crashed => "crashed".to_owned(),
        Fate::Lost => "lost: it left the zone".to_owned(),
    }
}

/// The zone as shapes, in units of 100 m: ground, path, lander with its lean and its thrust.
pub fn shapes(points: &[Point], flight: &Flight) -> Drawing {
    let (width, height) = ((ZONE.0 / 100.0) as f32, (ZONE.1 / 100.0) as f32);
    let mut drawing = Drawing::new(width, height + 2.4);
    drawing.shapes.push(Shape::Rect([0.0, 0.0, width, height], Paint::Board));
    let surface = points.iter().map(|point| at(point.x.into(), point.y.into()));
    let mut ground: Vec<[f32; 2]> = surface.collect();
    ground.extend([[width, height], [0.0, height]]);
    drawing.shapes.push(Shape::Area(ground, Paint::Ground));
    let path: Vec<[f32; 2]> = flight.states.iter().map(|state| at(state.x, state.y)).collect();
    drawing.line(&path, 0.15, Paint::Faint);
    drawing.line(&path[path.len().saturating_sub(2)..], 0.3, Paint::Last);
    let now = flight.now();
    let [x, y] = at(now.x, now.y);
    let (sin, cos) =
        (f64::from(now.rotate).to_radians().sin() as f32, f64::from(now.rotate).to_radians().cos() as f32);
    // A rotation of 90 leans to the left: the flame then points to the right.
    let flame = 0.8 * now.power as f32;
    drawing.line(&[[x, y], [x + sin * flame, y + cos * flame]], 0.3, Paint::Player(Player::SECOND));
    let tip = [x - 1.4 * sin, y - 1.4 * cos];
    let side = |sign: f32| [x + sign * 0.7 * cos, y - sign * 0.7 * sin];
    drawing.shapes.push(Shape::Area(vec![tip, side(1.0), side(-1.0)], Paint::Player(Player::FIRST)));
    let numbers = format!(
        "{} s: x {:.0} y {:.0}, speed {:.0} {:.0}, {} litres, rotate {}, power {}",
        flight.states.len() - 1,
        now.x,
        now.y,
        now.h_speed,
        now.v_speed,
        now.fuel,
        now.rotate,
        now.power
    );
    drawing.text([width / 2.0, height + 1.2], 1.8, numbers, Paint::Text);
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
