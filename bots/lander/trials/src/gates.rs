//! Points of the ground that every landing has to pass above, and points that it has to stay before.

use bots::lander::physics::ground::{Point, FLAT};
use bots::lander::tools::cases::case::Case;

use super::relaxation::Place;

/// Metres from a point at which the ground is cut, so that the cut goes through no other point.
const BESIDE: f64 = 1e-3;

/// A point of the ground that matters to every landing. The lander is before it at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gate {
    /// Metres from the left border.
    pub x: f64,
    /// Metres above the bottom.
    pub y: f64,
    /// Whether the lander starts to the right of it.
    pub is_from_right: bool,
    /// The height of the ground's lowest point before it.
    pub floor: f64,
    /// Whether landings pass it or stay before it.
    pub kind: Kind,
}

/// How a gate matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The first time that the lander is at its `x`, it is at least at its `y`.
    Way,
    /// The lander stays before it, or comes back over it.
    Fence,
}

/// A direction in which a gate is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the start's side.
    Over,
    /// To it.
    Back,
}

/// The gates of a case.
///
/// The ground is cut upright next to each point, on the start's side. It has to be a curve that doesn't meet itself. On the
/// start's side it then falls into one piece that ends at the border and pieces that end at the cut twice, each closing off
/// a pocket. The point is on the way if all the free parts of the cut but the uppermost belong to pockets, the
/// start has nothing above it, so isn't in one, and the flat is in a pocket or behind the cut. It is a fence if the cut has
/// one free part and the flat is before it.
pub fn gates(case: &Case) -> Vec<Gate> {
    let points = case.ground.points();
    if !is_simple(points) {
        return Vec::new();
    }
    let inner = &points[1..points.len() - 1];
    inner.iter().filter_map(|&point| gate(case, point)).collect()
}

fn gate(case: &Case, point: Point) -> Option<Gate> {
    let (x, y) = (f64::from(point.x), f64::from(point.y));
    let is_from_right = case.start.x > point.x;
    // Seen from the start's side: how far a point lies before the gate.
    let before = |of: i32| if is_from_right { f64::from(of) - x } else { x - f64::from(of) };
    let mut way: Vec<_> = case.ground.points().iter().map(|p| (before(p.x), f64::from(p.y))).collect();
    if is_from_right {
        way.reverse();
    }
    let (start, height) = (before(case.start.x), f64::from(case.start.y));
    let is_open = |at: f64, from: f64| heights(&way, at).all(|h| h <= from);
    if start <= BESIDE || way[0].0 <= BESIDE || !is_open(0.0, y) || !is_open(start, height) {
        return None;
    }
    // From the border on: where the ground crosses the cut.
    let is_before = |p: &(f64, f64)| p.0 > BESIDE;
    let crosses = |pair: &[(f64, f64)]| is_before(&pair[0]) != is_before(&pair[1]);
    let crossings: Vec<_> = (0..way.len() - 1).filter(|&i| crosses(&way[i..i + 2])).collect();
    let cut: Vec<_> = crossings.iter().map(|&i| height_at(way[i], way[i + 1], BESIDE)).collect();
    let (&first, &top) = (crossings.first()?, cut.first()?);
    // The uppermost is the point's own side.
    if cut[1..].iter().any(|&h| h >= top) || !way[first..first + 2].contains(&(0.0, y)) {
        return None;
    }
    let flat = way.windows(2).position(|pair| pair[0].1 == pair[1].1 && is_wide(pair[0].0, pair[1].0))?;
    let mut sorted = cut.clone();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let is_in_pocket = |free: &[f64]| {
        let middle = (free[0] + free[1]) / 2.0;
        let pockets = cut[1..].chunks_exact(2);
        pockets.into_iter().any(|ends| (ends[0] - middle) * (ends[1] - middle) < 0.0)
    };
    let kind = if flat > first && sorted[1..].chunks_exact(2).all(is_in_pocket) {
        Kind::Way
    } else if flat < first && cut.len() == 1 {
        Kind::Fence
    } else {
        return None;
    };
    let floor = way.iter().filter(|p| p.0 >= 0.0).map(|p| p.1).fold(y, f64::min);
    Some(Gate { x, y, is_from_right, floor, kind })
}

fn is_wide(from: f64, to: f64) -> bool {
    (from - to).abs() >= f64::from(FLAT)
}

/// The heights of the ground at a place.
fn heights(way: &[(f64, f64)], at: f64) -> impl Iterator<Item = f64> + '_ {
    way.windows(2).filter_map(move |pair| {
        let (a, b) = (pair[0], pair[1]);
        ((a.0 - at) * (b.0 - at) <= 0.0).then(|| if a.0 == b.0 { a.1.max(b.1) } else { height_at(a, b, at) })
    })
}

fn height_at(a: (f64, f64), b: (f64, f64), at: f64) -> f64 {
    if at == a.0 {
        a.1
    } else if at == b.0 {
        b.1
    } else {
        a.1 + (at - a.0) / (b.0 - a.0) * (b.1 - a.1)
    }
}

/// Whether no two segments meet but neighbours at their common point.
fn is_simple(points: &[Point]) -> bool {
    let segments: Vec<_> = points.windows(2).collect();
    let turn = |a: Point, b: Point, c: Point| {
        let [ab, ac] = [b, c].map(|p| (i64::from(p.x) - i64::from(a.x), i64::from(p.y) - i64::from(a.y)));
        (ab.0 * ac.1 - ab.1 * ac.0).signum()
    };
    let is_apart = |a: &[Point], b: &[Point]| {
        let range = |s: &[Point], of: fn(&Point) -> i32| {
            let (p, q) = (of(&s[0]), of(&s[1]));
            (p.min(q), p.max(q))
        };
        let is_clear = |of: fn(&Point) -> i32| {
            let (a, b) = (range(a, of), range(b, of));
            a.1 < b.0 || b.1 < a.0
        };
        is_clear(|p| p.x)
            || is_clear(|p| p.y)
            || turn(a[0], a[1], b[0]) * turn(a[0], a[1], b[1]) > 0
            || turn(b[0], b[1], a[0]) * turn(b[0], b[1], a[1]) > 0
    };
    let folds = |a: &[Point], b: &[Point]| {
        let (u, v) = ((a[0].x - a[1].x, a[0].y - a[1].y), (b[1].x - b[0].x, b[1].y - b[0].y));
        turn(a[0], a[1], b[1]) == 0 && i64::from(u.0) * i64::from(v.0) + i64::from(u.1) * i64::from(v.1) > 0
    };
    segments.iter().enumerate().all(|(i, a)| {
        let is_fine = |(j, b): (usize, &&[Point])| if j == 0 { !folds(a, b) } else { is_apart(a, b) };
        segments[i + 1..].iter().enumerate().all(is_fine)
    })
}

impl Gate {
    /// The conditions of passing the gate during the second after the `second`-th: the lander is on one side at the beginning,
    /// on the other at the end, and high enough at the end, or else at the beginning.
    pub fn passed(&self, way: Way, second: usize, is_high_at_end: bool) -> [Place; 3] {
        let is_leftwards = self.is_from_right == (way == Way::Over);
        let towards = if is_leftwards { 1.0 } else { -1.0 };
        let high = second + usize::from(is_high_at_end);
        [
            Place { after: second, towards: (towards, 0.0), least: towards * self.x },
            Place { after: second + 1, towards: (-towards, 0.0), least: -towards * self.x },
            Place { after: high, towards: (0.0, 1.0), least: self.y },
        ]
    }

    /// The lander is before the gate `after` seconds from the start.
    pub fn stayed_before(&self, after: usize) -> Place {
        let towards = if self.is_from_right { 1.0 } else { -1.0 };
        Place { after, towards: (towards, 0.0), least: towards * self.x }
    }

    /// The lander isn't below the lowest point before the gate.
    pub fn above_floor(&self, after: usize) -> Place {
        Place { after, towards: (0.0, 1.0), least: self.floor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bots::lander::tools::cases::known::official;

    fn found(points: &str, start: &str) -> Vec<(f64, f64, Kind)> {
        let count = points.split(';').count();
        let text = format!("{count}\n{}\n{start} 0 0 500 0 0\n", points.replace(';', "\n"));
        let case = Case::read("gates", &text).unwrap();
        gates(&case).iter().map(|gate| (gate.x, gate.y, gate.kind)).collect()
    }

    #[test]
    fn a_peak_is_on_the_way_or_a_fence() {
        let ground = "0 100;1000 900;2000 100;3500 100;5000 1200;6999 100";
        let peaks = |start: &str| {
            let all = found(ground, start).into_iter().filter(|gate| gate.1 > 500.0);
            all.map(|(x, _, kind)| (x, kind)).collect::<Vec<_>>()
        };
        assert_eq!(peaks("2500 2000"), [(1000.0, Kind::Fence), (5000.0, Kind::Fence)]);
        assert_eq!(peaks("500 2000"), [(1000.0, Kind::Way), (5000.0, Kind::Fence)]);
        assert_eq!(peaks("6000 2000"), [(1000.0, Kind::Fence), (5000.0, Kind::Way)]);
    }

    /// A cave that is open to the left: a start to the right has to get round the roof's tip, one to the left hasn't.
    #[test]
    fn the_tip_of_a_roof_is_a_gate_from_behind() {
        let ground = "0 100;1000 300;2000 100;3500 100;3600 900;2500 1000;2600 1300;6999 500";
        let tip = |start: &str| found(ground, start).into_iter().find(|gate| gate.0 == 2500.0);
        assert_eq!(tip("6000 2000"), Some((2500.0, 1000.0, Kind::Way)));
        assert_eq!([tip("500 2000"), tip("2000 2000")], [None; 2]);
        // The roof's upper corner can be passed below.
        assert_eq!(found(ground, "500 2000").iter().find(|gate| gate.0 > 2400.0 && gate.0 < 3600.0), None);
        // A start inside isn't behind the roof.
        assert_eq!(tip("3000 500"), None);
    }

    #[test]
    fn a_ground_that_meets_itself_has_no_gates() {
        let is_fine = |points: &[(i32, i32)]| {
            let points: Vec<_> = points.iter().map(|&(x, y)| Point { x, y }).collect();
            is_simple(&points)
        };
        assert!(official().iter().all(|case| is_simple(case.ground.points())));
        assert!(is_fine(&[(0, 0), (5, 5), (5, 0), (9, 0)]));
        for crossed in [&[(0, 0), (5, 5), (5, 0), (0, 5)][..], &[(0, 0), (5, 5), (3, 3), (9, 0)]] {
            assert!(!is_fine(crossed), "{crossed:?}");
        }
    }
}
