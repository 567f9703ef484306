//! Obstacles: what a path must keep clear of, as conditions on single places.

use super::plan::SECONDS;
use super::shooting::{Condition, Quantity};
use crate::lander::physics::ground::{Ground, ZONE};

/// Maximum number of obstacles.
pub const OBSTACLES: usize = 10;
/// Clearance, in metres: the places between a path's seconds and its whole degrees differ by less.
const CLEARANCE: f64 = 1.5;
/// Seconds within which the moment of passing an obstacle may move between two solutions.
const SHIFT: f64 = 8.0;
/// Seconds between two obstacles that count as one.
const ALIKE: f64 = 2.0;
/// Maximum number of times that a path is followed into the ground and out of it.
const CROSSINGS: usize = 32;

/// The places of a flight, second by second.
pub type Path = [(f64, f64); SECONDS + 1];

/// The kind of an obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Kind {
    /// A corner of the ground, which is passed on one side.
    #[default]
    Corner,
    /// A straight line: a segment of the ground or a border of the zone.
    Line,
}

/// An obstacle, and how it is passed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Obstacle {
    kind: Kind,
    /// The corner, or a point of the line.
    point: (f64, f64),
    /// The direction in which the path keeps off.
    towards: (f64, f64),
    /// When it is passed, in seconds.
    when: f64,
}

impl Obstacle {
    /// The condition on the path, with `apart` metres more between them.
    pub fn condition(&self, apart: f64) -> Condition {
        let least = dot(self.towards, self.point) + CLEARANCE + apart;
        Condition { of: Quantity::Place(self.when), towards: self.towards, least }
    }

    /// Whether both keep off the same side of the same point or line at about the same time.
    pub fn is_like(&self, other: &Obstacle) -> bool {
        (self.kind, self.point) == (other.kind, other.point)
            && dot(self.towards, other.towards) > 0.9
            && (self.when - other.when).abs() < ALIKE
    }

    /// Sets when it is passed, and on what side, by a new path. Returns by how many metres the path comes too near.
    pub fn adjust(&mut self, path: &[(f64, f64)]) -> f64 {
        let (from, to) = (self.when - SHIFT, self.when + SHIFT);
        match self.kind {
            Kind::Corner => {
                let (when, at, along) = nearest(path, self.point, from, to);
                let across = match (self.towards, (-along.1, along.0)) {
                    (old, across) if dot(old, across) >= 0.0 => across,
                    (_, across) => (-across.0, -across.1),
                };
                (self.when, self.towards) = (when, across);
                CLEARANCE - dot(across, (at.0 - self.point.0, at.1 - self.point.1))
            }
            Kind::Line => {
                let off = |second: usize| {
                    dot(self.towards, (path[second].0 - self.point.0, path[second].1 - self.point.1))
                };
                let (first, last) = (from.max(1.0) as usize, (to.max(1.0) as usize).min(path.len() - 1));
                let mut best = first.min(last);
                for second in first..=last {
                    if off(second) < off(best) {
                        best = second;
                    }
                }
                self.when = best as f64;
                CLEARANCE - off(best)
            }
        }
    }
}

/// Finds the obstacles that a path runs into. Returns their number.
///
/// The free space above the ground has no holes, so there is one way to correct a path: where it enters the ground through
/// one segment and leaves it through another, the corners between these have to be passed on the other side.
/// The last second lands: the path is followed up to it.
pub fn find(path: &[(f64, f64)], ground: &Ground, found: &mut [Obstacle; OBSTACLES]) -> usize {
    let mut crossings = [(0.0, 0); CROSSINGS];
    let mut count = 0;
    let path = &path[..path.len() - 1];
    for (second, pair) in path.windows(2).enumerate() {
        let first = count;
        ground.each_met(pair[0], pair[1], |share, segment| {
            if count < CROSSINGS {
                crossings[count] = (second as f64 + share, segment);
                count += 1;
            }
        });
        crossings[first..count].sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    }
    let mut obstacles = 0;
    let mut add = |obstacle: Obstacle| {
        if obstacles < OBSTACLES {
            found[obstacles] = obstacle;
            obstacles += 1;
        }
    };
    let landing = ((path.len() - 1) as f64, ground.flat_index());
    for i in (0..count).step_by(2) {
        let leaves = if i + 1 < count { crossings[i + 1] } else { landing };
        add(between(path, ground, crossings[i], leaves));
    }
    for (point, towards) in
        [((1.0, 0.0), (1.0, 0.0)), ((ZONE.0 - 2.0, 0.0), (-1.0, 0.0)), ((0.0, ZONE.1 - 1.0), (0.0, -1.0))]
    {
        let off = |place: &(f64, f64)| dot(towards, (place.0 - point.0, place.1 - point.1));
        let worst = (1..path.len()).min_by(|&a, &b| off(&path[a]).total_cmp(&off(&path[b])));
        if let Some(second) = worst.filter(|&second| off(&path[second]) < 0.0) {
            add(Obstacle { kind: Kind::Line, point, towards, when: second as f64 });
        }
    }
    obstacles
}

/// The corners that a path passes within `reach` metres, each as often as it comes near: the nearest first. Returns their
/// number.
pub fn passed(path: &[(f64, f64)], ground: &Ground, reach: f64, found: &mut [Obstacle; OBSTACLES]) -> usize {
    let mut distances = [0.0; OBSTACLES];
    let mut count = 0;
    let points = ground.points();
    for corner in &points[1..points.len() - 1] {
        let point = (f64::from(corner.x), f64::from(corner.y));
        let mut before = f64::INFINITY;
        for second in 0..path.len() - 1 {
            let at = |second: usize| {
                let (when, at, along) = nearest(path, point, second as f64, second as f64);
                let off = (at.0 - point.0, at.1 - point.1);
                (dot(off, off).sqrt(), when, off, along)
            };
            let (distance, when, off, along) = at(second);
            let after = if second + 2 < path.len() { at(second + 1).0 } else { f64::INFINITY };
            let is_nearest = distance <= before && distance < after;
            before = distance;
            if !is_nearest || distance > reach || count == OBSTACLES && distance >= distances[count - 1] {
                continue;
            }
            let across = (-along.1, along.0);
            let sign = if dot(across, off) >= 0.0 { 1.0 } else { -1.0 };
            let towards = (sign * across.0, sign * across.1);
            let mut i = count.min(OBSTACLES - 1);
            while i > 0 && distances[i - 1] > distance {
                (distances[i], found[i]) = (distances[i - 1], found[i - 1]);
                i -= 1;
            }
            (distances[i], found[i]) = (distance, Obstacle { kind: Kind::Corner, point, towards, when });
            count = (count + 1).min(OBSTACLES);
        }
    }
    count
}

/// The obstacle between entering the ground and leaving it: the corner that the path misses by most.
fn between(path: &[(f64, f64)], ground: &Ground, enters: (f64, usize), leaves: (f64, usize)) -> Obstacle {
    let place = |i: usize| (f64::from(ground.points()[i].x), f64::from(ground.points()[i].y));
    let (low, high) = (enters.1.min(leaves.1), enters.1.max(leaves.1));
    let mut best = (0.0, None);
    for point in (low + 1..=high).map(place) {
        let (when, at, _) = nearest(path, point, enters.0 - 2.0, leaves.0 + 2.0);
        let off = (point.0 - at.0, point.1 - at.1);
        let distance = dot(off, off).sqrt();
        if distance > best.0 {
            let towards = (off.0 / distance, off.1 / distance);
            best = (distance, Some(Obstacle { kind: Kind::Corner, point, towards, when }));
        }
    }
    best.1.unwrap_or_else(|| {
        // Through one segment and back: keep off its line.
        let (a, b) = (place(low), place(low + 1));
        let along = (b.0 - a.0, b.1 - a.1);
        let length = dot(along, along).sqrt().max(1e-9);
        let towards = (-along.1 / length, along.0 / length);
        let when = 0.5 * (enters.0 + leaves.0);
        Obstacle { kind: Kind::Line, point: a, towards, when: when.ceil() }
    })
}

/// When a path is nearest to a point, within some seconds; the place; and its direction there.
fn nearest(path: &[(f64, f64)], point: (f64, f64), from: f64, to: f64) -> (f64, (f64, f64), (f64, f64)) {
    let last = path.len() - 2;
    let (first, last) = ((from.max(0.0) as usize).min(last), (to.max(0.0) as usize).min(last));
    let mut best = (f64::INFINITY, (0.0, path[first], (1.0, 0.0)));
    for second in first..=last {
        let (a, b) = (path[second], path[second + 1]);
        let along = (b.0 - a.0, b.1 - a.1);
        let square = dot(along, along).max(1e-12);
        let share = (dot(along, (point.0 - a.0, point.1 - a.1)) / square).clamp(0.0, 1.0);
        let at = (a.0 + share * along.0, a.1 + share * along.1);
        let off = (point.0 - at.0, point.1 - at.1);
        let distance = dot(off, off);
        if distance < best.0 {
            let length = square.sqrt();
            best = (distance, (second as f64 + share, at, (along.0 / length, along.1 / length)));
        }
    }
    best.1
}

fn dot(a: (f64, f64), b: (f64, f64)) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::physics::ground::Point;

    /// A mountain at x 3000 left of the flat.
    fn ground() -> Ground {
        let points = [(0, 100), (2000, 300), (3000, 1500), (4000, 300), (5500, 300), (6999, 800)];
        Ground::new(&points.map(|(x, y)| Point { x, y })).expect("a ground")
    }

    /// A straight path of ten seconds.
    fn straight(from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
        let at = |a: f64, b: f64, second: usize| a + (b - a) * second as f64 / 10.0;
        (0..=10).map(|second| (at(from.0, to.0, second), at(from.1, to.1, second))).collect()
    }

    #[test]
    fn a_mountain_is_passed_above() {
        let mut found = [Obstacle::default(); OBSTACLES];
        let clear = straight((1000.0, 2500.0), (4200.0, 1600.0));
        assert_eq!(find(&clear, &ground(), &mut found), 0);
        let blocked = straight((1000.0, 1200.0), (5000.0, 1150.0));
        assert_eq!(find(&blocked, &ground(), &mut found), 1);
        let Condition { of, towards, least } = found[0].condition(0.0);
        assert!(towards.1 > 0.99 && (least - CLEARANCE - dot(towards, (3000.0, 1500.0))).abs() < 1e-9);
        assert!(matches!(of, Quantity::Place(when) if (when - 5.0).abs() < 0.1), "{of:?}");
        // A path 50 m above the top is far enough, one 1 m above isn't.
        let off = |height: f64| found[0].clone().adjust(&straight((1000.0, height), (5000.0, height)));
        assert!(off(1550.0) < -40.0 && (off(1501.0) - CLEARANCE + 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_face_is_kept_off_and_so_are_the_borders() {
        let mut found = [Obstacle::default(); OBSTACLES];
        // Into the mountain's right face and back.
        let mut path = straight((4500.0, 1000.0), (3300.0, 900.0));
        path.extend(straight((3300.0, 900.0), (4500.0, 500.0)));
        assert_eq!(find(&path, &ground(), &mut found), 1);
        let towards = found[0].condition(0.0).towards;
        assert!(towards.0 > 0.5 && towards.1 > 0.5 && found[0].adjust(&path) > 100.0, "{towards:?}");
        let outside = straight((1000.0, 2500.0), (-200.0, 3100.0));
        assert_eq!(find(&outside, &ground(), &mut found), 2);
        let directions = [found[0], found[1]].map(|obstacle| obstacle.condition(0.0).towards);
        assert_eq!(directions, [(1.0, 0.0), (0.0, -1.0)]);
    }

    #[test]
    fn corners_are_passed_on_the_side_they_are_on() {
        let mut found = [Obstacle::default(); OBSTACLES];
        let path = straight((1000.0, 1600.0), (5000.0, 1600.0));
        assert_eq!(passed(&path, &ground(), 150.0, &mut found), 1);
        assert_eq!(passed(&path, &ground(), 50.0, &mut found), 0);
        assert_eq!(passed(&path, &ground(), 5000.0, &mut found), 4);
        // The nearest comes first.
        assert!(found[0].condition(0.0).least > found[1].condition(0.0).least);
        assert!(found[..4].iter().all(|obstacle| obstacle.condition(0.0).towards.1 > 0.0));
    }
}
