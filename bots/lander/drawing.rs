//! Draws a flight in characters.

use std::fmt::Write;

use super::case::{is_solid, Flight};
use super::ground::{Fate, Point, ZONE};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::cases::official;
    use crate::lander::flight::Order;

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
