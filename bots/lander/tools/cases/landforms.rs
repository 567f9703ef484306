//! Generates grounds of a kind: many peaks, caves with overhangs, walls in the way of a fast start.

use coppice::Rng;

use crate::lander::physics::flight::Observation;
use crate::lander::physics::ground::{Point, FLAT};

/// A random number in an inclusive range.
pub(super) fn between(rng: &mut Rng, (low, high): (i32, i32)) -> i32 {
    low + rng.below((high - low) as u32 + 1) as i32
}

/// A ground and a start above it; the start may be too near to the ground.
pub(super) type Drawn = (Vec<Point>, Observation);

/// 24 to 29 points: peaks of 700 to 2,000 m with valleys between, and a flat at 100 to 1,000 m between two of them. The
/// start is like that of the hard terrains.
pub(super) fn peaks(rng: &mut Rng) -> Drawn {
    let count = between(rng, (24, 29)) as usize;
    let width = between(rng, (FLAT, 1500));
    let left = between(rng, (200, 6800 - width));
    let height = between(rng, (100, 1000));
    let mut sides = Vec::with_capacity(count);
    while sides.len() < count - 4 {
        let x = between(rng, (40, 6960));
        let is_apart = sides.iter().all(|&other: &i32| (other - x).abs() >= 60);
        if is_apart && !(left - 40..=left + width + 40).contains(&x) {
            sides.push(x);
        }
    }
    sides.sort_unstable();
    let mut points = vec![Point { x: 0, y: between(rng, (50, 2000)) }];
    let mut has_flat = false;
    for (i, &x) in sides.iter().enumerate() {
        if x > left && !has_flat {
            has_flat = true;
            points.extend([left, left + width].map(|x| Point { x, y: height }));
        }
        let range = if i % 2 == 0 { (700, 2000) } else { (50, 900) };
        points.push(Point { x, y: between(rng, range) });
    }
    if !has_flat {
        points.extend([left, left + width].map(|x| Point { x, y: height }));
    }
    points.push(Point { x: 6999, y: between(rng, (50, 2000)) });
    let start = start(rng, (0, 100), (800, 1500));
    (points, start)
}

/// A flat at 100 to 400 m whose right or left side lies under a roof that reaches over up to nine tenths of it; the way in is
/// from the other side.
pub(super) fn caves(rng: &mut Rng) -> Drawn {
    let width = between(rng, (FLAT, 1500));
    let left = between(rng, (1500, 5400 - width));
    let (right, height) = (left + width, between(rng, (100, 400)));
    let wall = right + between(rng, (0, 100));
    let under = height + between(rng, (700, 1300));
    let tip = Point { x: wall - width * between(rng, (20, 90)) / 100, y: under + between(rng, (-150, 150)) };
    let over = Point { x: tip.x + between(rng, (50, 200)), y: tip.y + between(rng, (100, 300)) };
    let mut points = vec![Point { x: 0, y: between(rng, (50, 1500)) }];
    let mut x = between(rng, (200, 500));
    while x < left - 100 {
        // The entrance stays open.
        let most = if x < tip.x - 1000 { 1700 } else { height + 250 };
        points.push(Point { x, y: between(rng, (50, most)) });
        x += between(rng, (150, 500));
    }
    points.extend([Point { x: left, y: height }, Point { x: right, y: height }]);
    points.extend([Point { x: wall, y: under }, tip, over]);
    let mut x = wall + between(rng, (150, 400));
    while x < 6900 && points.len() < 28 {
        points.push(Point { x, y: between(rng, (300, 1900)) });
        x += between(rng, (150, 500));
    }
    points.push(Point { x: 6999, y: between(rng, (300, 1900)) });
    let mut start = start(rng, (0, 50), (900, 1500));
    if rng.below(2) == 0 {
        mirror(&mut points, &mut start);
    }
    (points, start)
}

/// A wall of 1,500 to 2,700 m behind the flat, or up to 1,900 m before it, and a start at 100 m/s towards it.
pub(super) fn walls(rng: &mut Rng) -> Drawn {
    let width = between(rng, (FLAT, 1500));
    let is_behind = rng.below(2) == 0;
    let left = between(rng, (if is_behind { 1500 } else { 3000 }, 5600 - width));
    let (right, height) = (left + width, between(rng, (100, 600)));
    let wall = if is_behind { right + between(rng, (200, 1000)) } else { left - between(rng, (200, 900)) };
    let top = Point { x: wall, y: between(rng, (1500, if is_behind { 2700 } else { 1900 })) };
    let foot = |x: i32, rng: &mut Rng| Point { x, y: between(rng, (50, 900)) };
    let mut points = vec![foot(0, rng)];
    let ends = [Point { x: left, y: height }, Point { x: right, y: height }];
    let sides = [wall - between(rng, (20, 100)), wall + between(rng, (20, 100))];
    if is_behind {
        points.extend(ends);
    }
    points.extend([foot(sides[0], rng), top, foot(sides[1], rng)]);
    if !is_behind {
        points.extend(ends);
    }
    points.push(foot(6999, rng));
    let x = between(rng, (400, wall - 1500));
    let mut start = start(rng, (100, 100), (900, 1500));
    (start.x, start.h_speed) = (x, 100);
    if rng.below(2) == 0 {
        mirror(&mut points, &mut start);
    }
    (points, start)
}

/// A start at x 500 to 6,500 and height 2,300 to 2,900, with speed towards the middle and a lean in steps of 15 degrees.
fn start(rng: &mut Rng, speed: (i32, i32), fuel: (i32, i32)) -> Observation {
    let x = between(rng, (500, 6500));
    Observation {
        x,
        y: between(rng, (2300, 2900)),
        h_speed: between(rng, speed) * if x < 3500 { 1 } else { -1 },
        v_speed: 0,
        fuel: between(rng, fuel),
        rotate: between(rng, (-6, 6)) * 15,
        power: 0,
    }
}

/// Exchanges left and right.
fn mirror(points: &mut [Point], start: &mut Observation) {
    points.reverse();
    points.iter_mut().for_each(|point| point.x = 6999 - point.x);
    (start.x, start.h_speed, start.rotate) = (6999 - start.x, -start.h_speed, -start.rotate);
}
