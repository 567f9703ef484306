//! Draws a race.

use std::fmt::Write;

use contest::drawing::{Drawing, Paint, Shape};
use coppice::Player;

use super::pod::POD_RADIUS;
use super::race::{team, Race};
use super::track::CHECKPOINT_RADIUS;

/// The map's width and height.
pub const MAP: [f64; 2] = [16_000.0, 9_000.0];
/// Columns and rows of the drawing in characters: 200 by 500 units each.
const SIZE: [usize; 2] = [80, 18];
/// The letters of the pods.
const LETTERS: [char; 4] = ['A', 'B', 'x', 'y'];
/// The turns of the trails.
const TRAIL: usize = 12;

/// Draws the map with the checkpoints' numbers and the pods in characters, and a line of numbers for each pod.
pub fn draw(race: &Race) -> String {
    let mut cells = vec![[' '; SIZE[0]]; SIZE[1]];
    let mut mark = |place: [f64; 2], with: char| {
        let at = [0, 1].map(|axis: usize| place[axis] / MAP[axis] * SIZE[axis] as f64);
        if at[0] >= 0.0 && at[1] >= 0.0 {
            if let Some(cell) = cells.get_mut(at[1] as usize).and_then(|row| row.get_mut(at[0] as usize)) {
                *cell = with;
            }
        }
    };
    for (number, centre) in ('0'..='9').zip(race.track.points()) {
        mark(centre.map(f64::from), number);
    }
    for (pod, letter) in race.pods.iter().zip(LETTERS).rev() {
        mark([pod.x, pod.y], letter);
    }
    let mut text = String::new();
    for row in cells {
        let _ = writeln!(text, "|{}|", row.iter().collect::<String>());
    }
    for (pod, letter) in race.pods.iter().zip(LETTERS) {
        let _ = writeln!(
            text,
            "{letter}: at {}, {}; speeds {}, {}; angle {}; {} of {} checkpoints{}{}",
            pod.x,
            pod.y,
            pod.vx,
            pod.vy,
            pod.degrees(),
            pod.passed,
            race.track.goal(),
            if pod.shield > 0 { format!("; shield {}", pod.shield) } else { String::new() },
            if pod.has_boosted { "" } else { "; boost left" },
        );
    }
    let [a, b] = race.patience;
    let _ = write!(text, "turn {}; turns to the next checkpoint {a} and {b}", race.turn);
    text
}

/// The map as shapes, in units of 200: checkpoints, trails, pods with their noses.
pub fn shapes(race: &Race, before: &[Race]) -> Drawing {
    const UNIT: f64 = 200.0;
    let at = |x: f64, y: f64| [(x / UNIT) as f32, (y / UNIT) as f32];
    let [width, height] = at(MAP[0], MAP[1]);
    let mut drawing = Drawing::new(width, height + 4.0);
    drawing.shapes.push(Shape::Rect([0.0, 0.0, width, height], Paint::Board));
    for (number, [x, y]) in race.track.points().iter().enumerate() {
        let [x, y] = at(f64::from(*x), f64::from(*y));
        drawing.shapes.push(Shape::Disc([x, y, (CHECKPOINT_RADIUS / UNIT) as f32], Paint::Shade));
        drawing.text([x, y], 2.0, number.to_string(), Paint::Faint);
    }
    for (i, pod) in race.pods.iter().enumerate() {
        let recent = &before[before.len().saturating_sub(TRAIL)..];
        let trail: Vec<[f32; 2]> =
            recent.iter().map(|race| at(race.pods[i].x, race.pods[i].y)).chain([at(pod.x, pod.y)]).collect();
        drawing.line(&trail, 0.25, Paint::Last);
    }
    for (i, pod) in race.pods.iter().enumerate() {
        let ([x, y], radius) = (at(pod.x, pod.y), (POD_RADIUS / UNIT) as f32);
        let paint = Paint::Player(if team(i) == 0 { Player::FIRST } else { Player::SECOND });
        drawing.shapes.push(Shape::Disc([x, y, radius], paint));
        let [cos, sin] = pod.nose.map(|part| part as f32 * 1.8 * radius);
        if pod.has_turned {
            drawing.line(&[[x, y], [x + cos, y + sin]], 0.5, paint);
        }
        if pod.shield > 0 {
            drawing.shapes.push(Shape::Ring([x, y, 1.4 * radius], Paint::Hint));
        }
        drawing.text([x, y], 1.4, (i % 2 + 1).to_string(), Paint::Text);
    }
    let passed = race.pods.map(|pod| pod.passed.to_string());
    let numbers = format!(
        "turn {}; checkpoints {} and {} of {}; turns to the next {} and {}",
        race.turn,
        passed[..2].join(", "),
        passed[2..].join(", "),
        race.track.goal(),
        race.patience[0],
        race.patience[1],
    );
    drawing.text([width / 2.0, height + 2.0], 1.6, numbers, Paint::Text);
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::podracing::pod::{Order, Power};
    use crate::podracing::track::Track;

    #[test]
    fn a_race_is_drawn() {
        let mut race = Race::new(Track::new(&[[4000, 4000], [12_000, 4000]], 3).expect("a track"));
        let start = race.clone();
        race.pods[0].follow(Order { x: 12_000, y: 4500, power: Power::Boost });
        race.advance();
        let drawn = draw(&race);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!((lines.len(), lines[8].find('0'), lines[8].find('1')), (SIZE[1] + 5, Some(21), Some(61)));
        assert_eq!(lines[18], "A: at 4645, 3581; speeds 548, 68; angle 7; 0 of 6 checkpoints");
        assert_eq!(lines[22], "turn 1; turns to the next checkpoint 99 and 99");
        let drawing = shapes(&race, &[start]);
        assert_eq!((drawing.width, drawing.height), (80.0, 49.0));
    }
}
