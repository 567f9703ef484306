//! Draws a race.

use std::fmt::Write;

use contest::drawing::{Drawing, Paint, Shape};
use coppice::Player;

use crate::podracing::pod::{Order, Pod, Power, BOOST, POD_RADIUS};
use crate::podracing::race::{team, Race, PODS};
use crate::podracing::track::CHECKPOINT_RADIUS;

/// The map's width and height.
pub const MAP: [f64; 2] = [16_000.0, 9_000.0];
/// Columns and rows of the drawing in characters: with the bars at its sides it is as wide as most terminals.
pub const SIZE: [usize; 2] = [78, 18];
/// The letters of the pods.
const LETTERS: [char; 4] = ['A', 'B', 'x', 'y'];
/// Units of the map to one of the drawing.
const UNIT: f64 = 200.0;
/// The radius of a shield's ring, in a pod's.
const SHIELD: f32 = 1.4;
/// How far the line of a boost leads beyond the pod.
const LONGEST: f64 = 20.0;
/// Turns left without a checkpoint from which they are told.
const LATE: i16 = 30;
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
    let [width, height] = at(MAP[0], MAP[1]);
    let mut drawing = Drawing::new(width, height);
    drawing.shapes.push(Shape::Rect([0.0, 0.0, width, height], Paint::Board));
    for (number, [x, y]) in race.track.points().iter().enumerate() {
        let [x, y] = at(f64::from(*x), f64::from(*y));
        drawing.shapes.push(Shape::Disc([x, y, (CHECKPOINT_RADIUS / UNIT) as f32], Paint::Shade));
        // A pod has a number as well.
        let is_free = |pod: &Pod| {
            let [pod_x, pod_y] = at(pod.x, pod.y);
            (pod_x - x).hypot(pod_y - y) > 1.5 * drawing.letter()
        };
        if race.pods.iter().all(is_free) {
            let letter = drawing.letter();
            drawing.text([x, y], letter, number.to_string(), Paint::Text);
        }
    }
    let recent = &before[before.len().saturating_sub(TRAIL)..];
    for i in 0..PODS {
        // A line for each turn: from turn to turn they stay the same, which a page makes use of.
        let place = |race: &Race| at(race.pods[i].x, race.pods[i].y).map(|x| (10.0 * x).round() / 10.0);
        let trail: Vec<[f32; 2]> = recent.iter().chain([race]).map(place).collect();
        trail.windows(2).for_each(|step| drawing.line(step, 0.4, Paint::Reach(player(i))));
    }
    for (i, pod) in race.pods.iter().enumerate() {
        let ([x, y], radius) = (at(pod.x, pod.y), (POD_RADIUS / UNIT) as f32);
        let paint = Paint::Player(player(i));
        // Towards the next checkpoint, and where the pod would be after a turn without any order.
        let next = race.track.points()[(pod.passed as usize + 1) % race.track.points().len()];
        let next = at(f64::from(next[0]), f64::from(next[1]));
        drawing.line(&[[x, y], next], 0.12, Paint::Reach(player(i)));
        drawing.line(&[[x, y], at(pod.x + pod.vx, pod.y + pod.vy)], 0.25, Paint::Text);
        drawing.shapes.push(Shape::Disc([x, y, radius], paint));
        let [cos, sin] = pod.nose.map(|part| part as f32 * 1.8 * radius);
        if pod.has_turned {
            drawing.line(&[[x, y], [x + cos, y + sin]], 0.5, paint);
        }
        if pod.shield > 0 {
            drawing.shapes.push(Shape::Ring([x, y, SHIELD * radius], Paint::Hint));
        }
        let letter = drawing.letter();
        // Pods may leave the map, and touch.
        let is_inside = (letter..width - letter).contains(&x) && (letter..height - letter).contains(&y);
        let is_apart = race.pods[..i].iter().all(|other| {
            let [other_x, other_y] = at(other.x, other.y);
            (other_x - x).hypot(other_y - y) > letter
        });
        if is_inside && is_apart {
            drawing.text([x, y], letter, (i % 2 + 1).to_string(), Paint::On);
        }
    }
    drawing.line_below(&[0, 1].map(|seat| {
        let of_team = |i: &usize| team(*i) == seat;
        let passed = (0..PODS).filter(of_team).map(|i| race.pods[i].passed.to_string()).collect::<Vec<_>>();
        let late = match race.patience[seat] {
            left if left <= LATE => format!(", out in {left}"),
            _ => String::new(),
        };
        (player(2 * seat), format!("{} of {}{late}", passed.join("/"), race.track.goal()))
    }));
    drawing.key(Paint::Shade, "checkpoints, in the order of their numbers");
    drawing.key(Paint::Hint, "a ring: the shield is on");
    drawing.word("behind a pod: its last 12 turns; the black or white line: its speed; the thin one: to its next checkpoint");
    drawing.word("outlined, from a pod: towards its target, longer with more thrust; a circle: shield");
    drawing.word("a score of 1000: a way of about 1000 ahead on the map of 16000 by 9000; 900000: won");
    drawing.word(
        "below: the checkpoints that the pods 1 and 2 have passed; a team without one for 100 turns is out",
    );
    drawing
}

/// The player of a pod.
fn player(pod: usize) -> Player {
    if team(pod) == 0 {
        Player::FIRST
    } else {
        Player::SECOND
    }
}

/// A team's orders: a line from each pod towards its target, as long as its thrust says, or a circle for a shield.
pub fn mark(race: &Race, seat: usize, orders: [Order; 2]) -> Vec<Shape> {
    let pods = race.pods.iter().enumerate().filter(|(i, _)| team(*i) == seat).map(|(_, pod)| pod);
    let radius = (POD_RADIUS / UNIT) as f32;
    let mark = |(pod, order): (&Pod, Order)| {
        let [x, y] = at(pod.x, pod.y);
        let thrust = match order.power {
            Power::Shield => return Shape::Ring([x, y, SHIELD * radius], Paint::Last),
            Power::Boost => BOOST,
            Power::Thrust(thrust) => f64::from(thrust),
        };
        let [dx, dy] = at(f64::from(order.x) - pod.x, f64::from(order.y) - pod.y);
        let far = dx.hypot(dy).max(1e-3);
        let length = radius + (LONGEST * thrust / BOOST) as f32;
        Shape::Line(vec![[x, y], [x + dx / far * length, y + dy / far * length]], 0.3, Paint::Last)
    };
    pods.zip(orders).map(mark).collect()
}

/// A place on the map in the drawing.
fn at(x: f64, y: f64) -> [f32; 2] {
    [(x / UNIT) as f32, (y / UNIT) as f32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::podracing::track::Track;

    #[test]
    fn a_race_is_drawn() {
        let mut race = Race::new(Track::new(&[[4000, 4000], [12_000, 4000]], 3).expect("a track"));
        let start = race.clone();
        race.pods[0].follow(Order { x: 12_000, y: 4500, power: Power::Boost });
        race.advance();
        let drawn = draw(&race);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!((lines.len(), lines[8].find('0'), lines[8].find('1')), (SIZE[1] + 5, Some(20), Some(59)));
        assert_eq!(lines[18], "A: at 4645, 3581; speeds 548, 68; angle 7; 0 of 6 checkpoints");
        assert_eq!(lines[22], "turn 1; turns to the next checkpoint 99 and 99");
        let drawing = shapes(&race, std::slice::from_ref(&start));
        assert!(drawing.width == 80.0 && drawing.height > 45.0);
        let order = |power| Order { x: 16_000, y: race.pods[0].y as i32, power };
        let marks = mark(&race, 0, [order(Power::Thrust(200)), order(Power::Shield)]);
        let Shape::Line(line, ..) = &marks[0] else { panic!("{marks:?}") };
        assert!(line[1][0] > line[0][0] && (line[1][1] - line[0][1]).abs() < 0.01, "to the right: {line:?}");
        assert!(matches!(marks[1], Shape::Ring(..)), "{marks:?}");
    }
}
