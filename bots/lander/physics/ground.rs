//! The ground: a polyline from border to border, which may overhang.

use std::fmt;

use crate::lander::physics::flight::{Judging, Lander};

/// The zone's width and height, in metres. A lander that leaves it is lost.
pub const ZONE: (f64, f64) = (7000.0, 3000.0);
/// Minimum and maximum number of points of a ground.
pub const POINTS: (usize, usize) = (2, 30);
/// Minimum width of the flat, in metres.
pub const FLAT: i32 = 1000;

/// A point of the ground, in metres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Point {
    /// Distance from the left border.
    pub x: i32,
    /// Height above the bottom.
    pub y: i32,
}

/// The outcome of a second of flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The lander is still flying.
    Flying,
    /// It has landed on the flat.
    Landed,
    /// It has met the ground in any other way.
    Crashed,
    /// It has left the zone.
    Lost,
}

/// The reason points don't form a ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroundError {
    /// Fewer than 2 points or more than 30.
    Count,
    /// No two consecutive points are level and at least 1,000 m apart.
    NoFlat,
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroundError::Count => write!(f, "a ground has {} to {} points", POINTS.0, POINTS.1),
            GroundError::NoFlat => write!(f, "no flat segment is {FLAT} m wide or more"),
        }
    }
}

impl std::error::Error for GroundError {}

/// A segment of the ground, in either direction.
#[derive(Debug, Clone, Copy, Default)]
struct Segment {
    from: (f64, f64),
    along: (f64, f64),
    low: f64,
    high: f64,
    left: f64,
    right: f64,
}

/// Columns of the zone for which the overlapping segments are recorded.
const COLUMNS: usize = 128;

/// The ground, indexed for collision tests.
#[derive(Debug, Clone)]
pub struct Ground {
    points: Vec<Point>,
    segments: [Segment; POINTS.1],
    /// Bit sets of the segments that overlap each column.
    columns: [u32; COLUMNS],
    /// Height of the highest point.
    summit: f64,
    flat: usize,
    judging: Judging,
}

impl Ground {
    /// The ground along these points, where landings are judged by the rounded speeds.
    ///
    /// # Errors
    /// If there are too few or too many points, or no flat.
    pub fn new(points: &[Point]) -> Result<Ground, GroundError> {
        if points.len() < POINTS.0 || points.len() > POINTS.1 {
            return Err(GroundError::Count);
        }
        let width = |i: usize| match points[i].y == points[i + 1].y {
            true => (i64::from(points[i + 1].x) - i64::from(points[i].x)).abs(),
            false => 0,
        };
        let flat = (0..points.len() - 1).find(|&i| width(i) >= i64::from(FLAT));
        let flat = flat.ok_or(GroundError::NoFlat)?;
        let mut ground = Ground {
            points: points.to_vec(),
            segments: [Segment::default(); POINTS.1],
            columns: [0; COLUMNS],
            summit: points.iter().map(|p| f64::from(p.y)).fold(f64::MIN, f64::max),
            flat,
            judging: Judging::default(),
        };
        for (i, pair) in points.windows(2).enumerate() {
            let [a, b] = [pair[0], pair[1]].map(|p| (f64::from(p.x), f64::from(p.y)));
            ground.segments[i] = Segment {
                from: a,
                along: (b.0 - a.0, b.1 - a.1),
                low: a.1.min(b.1),
                high: a.1.max(b.1),
                left: a.0.min(b.0),
                right: a.0.max(b.0),
            };
            let (first, last) = (column(a.0.min(b.0)), column(a.0.max(b.0)));
            ground.columns[first..=last].iter_mut().for_each(|set| *set |= 1 << i);
        }
        Ok(ground)
    }

    /// This ground with another judging of landings.
    #[must_use]
    pub fn judged(self, judging: Judging) -> Ground {
        Ground { judging, ..self }
    }

    /// How landings are judged.
    pub fn judging(&self) -> Judging {
        self.judging
    }

    /// The points, from the left border to the right one.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The flat's left end, right end and height.
    pub fn flat(&self) -> (f64, f64, f64) {
        let flat = &self.segments[self.flat];
        (flat.left, flat.right, flat.low)
    }

    /// The outcome for `lander`, which was at `from` a second before: the first segment on the straight path between
    /// decides.
    #[inline(always)]
    pub fn fate(&self, from: (f64, f64), lander: &Lander) -> Fate {
        let to = (lander.x, lander.y);
        if from.1.min(to.1) <= self.summit {
            if let Some(met) = self.first_met(from, to) {
                let is_landed = met == self.flat && lander.is_soft(self.judging);
                return if is_landed { Fate::Landed } else { Fate::Crashed };
            }
        }
        let is_inside = to.0 >= 0.0 && to.0 < ZONE.0 && to.1 >= 0.0 && to.1 < ZONE.1;
        if is_inside {
            Fate::Flying
        } else {
            Fate::Lost
        }
    }

    /// The index of the flat among the segments.
    pub fn flat_index(&self) -> usize {
        self.flat
    }

    /// Calls back with each segment that the straight path between two points meets, and how far along, 0 to 1.
    #[inline(always)]
    pub fn each_met(&self, from: (f64, f64), to: (f64, f64), mut met: impl FnMut(f64, usize)) {
        if from.1.min(to.1) > self.summit {
            return;
        }
        let (left, right) = if from.0 < to.0 { (from.0, to.0) } else { (to.0, from.0) };
        let mut near = self.columns[column(left)..=column(right)].iter().fold(0, |all, set| all | set);
        while near != 0 {
            let i = near.trailing_zeros() as usize % POINTS.1;
            near &= near - 1;
            if let Some(t) = self.segments[i].meets(from, to) {
                met(t, i);
            }
        }
    }

    /// Whether the straight path between two points touches the ground.
    #[inline(always)]
    pub fn is_met(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        self.first_met(from, to).is_some()
    }

    /// The index of the first segment that is met.
    #[inline(always)]
    fn first_met(&self, from: (f64, f64), to: (f64, f64)) -> Option<usize> {
        let (left, right) = if from.0 < to.0 { (from.0, to.0) } else { (to.0, from.0) };
        let (low, high) = if from.1 < to.1 { (from.1, to.1) } else { (to.1, from.1) };
        let mut near = self.columns[column(left)..=column(right)].iter().fold(0, |all, set| all | set);
        let mut first: Option<(f64, usize)> = None;
        while near != 0 {
            let i = near.trailing_zeros() as usize % POINTS.1;
            near &= near - 1;
            let segment = &self.segments[i];
            let is_apart =
                segment.low > high || segment.high < low || segment.left > right || segment.right < left;
            if is_apart {
                continue;
            }
            if let Some(t) = segment.meets(from, to) {
                // If two segments are met at their common end, the flat counts.
                if first.is_none_or(|(best, met)| t < best || t == best && met != self.flat) {
                    first = Some((t, i));
                }
            }
        }
        first.map(|(_, i)| i)
    }
}

impl Segment {
    /// How far along the path from `from` to `to` it meets the segment, 0 to 1.
    #[inline(always)]
    fn meets(&self, from: (f64, f64), to: (f64, f64)) -> Option<f64> {
        let way = (to.0 - from.0, to.1 - from.1);
        let gap = (self.from.0 - from.0, self.from.1 - from.1);
        let cross = |a: (f64, f64), b: (f64, f64)| a.0 * b.1 - a.1 * b.0;
        let area = cross(way, self.along);
        if area == 0.0 {
            // Parallel: they meet only on one line.
            return (cross(gap, way) == 0.0 && cross(gap, self.along) == 0.0).then_some(0.0);
        }
        let (t, s) = (cross(gap, self.along) / area, cross(gap, way) / area);
        ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s)).then_some(t)
    }
}

/// The column of a point; beyond the borders the outermost.
#[inline(always)]
fn column(x: f64) -> usize {
    // The cast maps negative values and NaN to 0.
    ((x * (COLUMNS as f64 / ZONE.0)) as usize).min(COLUMNS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::physics::flight::Order;
    use coppice::Rng;

    fn ground(points: &[(i32, i32)]) -> Ground {
        let points: Vec<Point> = points.iter().map(|&(x, y)| Point { x, y }).collect();
        Ground::new(&points).expect("a ground")
    }

    /// A cave: a roof from (1000, 2000) back over the flat at 100 m.
    fn cave() -> Ground {
        ground(&[(0, 1000), (1000, 2000), (3000, 1900), (900, 1500), (1000, 100), (2500, 100), (6999, 1000)])
    }

    /// The lander at `to`, upright, sinking at the maximum speed.
    fn sinking(to: (f64, f64)) -> Lander {
        Lander { x: to.0, y: to.1, h_speed: 20.0, v_speed: -40.0, fuel: 1, rotate: 0, power: 4 }
    }

    #[test]
    fn the_first_piece_of_ground_on_the_way_decides() {
        let cave = cave();
        assert_eq!(cave.flat(), (1000.0, 2500.0, 100.0));
        let fate = |from, to| cave.fate(from, &sinking(to));
        assert_eq!(fate((2000.0, 130.0), (2020.0, 90.0)), Fate::Landed);
        assert_eq!(fate((2000.0, 130.0), (2020.0, 100.0)), Fate::Landed);
        assert_eq!(fate((2000.0, 130.0), (2020.0, 100.5)), Fate::Flying);
        // Through the roof, though it ends below the flat.
        assert_eq!(fate((2000.0, 2000.0), (2000.0, 50.0)), Fate::Crashed);
        assert_eq!(fate((2600.0, 140.0), (2650.0, 90.0)), Fate::Crashed);
        // Under the roof and over it.
        assert_eq!(fate((1500.0, 1000.0), (1500.0, 1500.0)), Fate::Flying);
        assert_eq!(fate((1500.0, 2100.0), (1500.0, 2200.0)), Fate::Flying);
        assert_eq!(fate((1500.0, 1500.0), (1500.0, 2100.0)), Fate::Crashed);
        for to in [(-0.1, 2500.0), (7000.0, 2500.0), (3500.0, 3000.0)] {
            assert_eq!(fate((3000.0, 2600.0), to), Fate::Lost);
        }
    }

    #[test]
    fn only_an_upright_and_slow_lander_stands() {
        let from = (2000.0, 130.0);
        for (judging, slower) in [(Judging::Rounded, 0.001), (Judging::Strict, 0.0)] {
            let cave = cave().judged(judging);
            let (h, v) = judging.limits();
            let soft = Lander { h_speed: h - slower, v_speed: slower - v, ..sinking((2020.0, 90.0)) };
            let hard = [
                Lander { v_speed: -v - 0.001, ..soft },
                Lander { h_speed: h + 0.001, ..soft },
                Lander { h_speed: -h - 0.001, ..soft },
                Lander { rotate: 1, ..soft },
                Lander { rotate: -1, ..soft },
            ];
            assert_eq!(cave.fate(from, &soft), Fate::Landed, "{judging:?}");
            assert!(hard.iter().all(|lander| cave.fate(from, lander) == Fate::Crashed), "{judging:?}");
        }
    }

    /// The flat ends at x 1000 and 2500; a lander 1 m beyond either end meets a slope.
    #[test]
    fn the_flat_includes_its_ends() {
        let valley = ground(&[(0, 1100), (1000, 100), (2500, 100), (6999, 4599)]);
        let fate = |x: f64| valley.fate((x, 130.0), &Lander { h_speed: 0.0, ..sinking((x, 99.0)) });
        assert_eq!([1000.0, 1000.5, 2499.5, 2500.0].map(fate), [Fate::Landed; 4]);
        assert_eq!([999.0, 2501.0].map(fate), [Fate::Crashed; 2]);
    }

    /// Falls from 130 m at 35 m/s; the last second turns it upright.
    #[test]
    fn the_last_second_may_turn_the_lander_upright() {
        let cave = cave();
        let fate = |rotate: i32, fuel: i32| {
            let before = Lander { x: 2000.0, y: 130.0, h_speed: 0.0, v_speed: -35.0, fuel, rotate, power: 2 };
            let after = before.after(Order { rotate: 0, power: 2 });
            (cave.fate((before.x, before.y), &after), after.power)
        };
        assert_eq!([15, -15].map(|rotate| fate(rotate, 9)), [(Fate::Landed, 2); 2]);
        assert_eq!([16, -16].map(|rotate| fate(rotate, 9)), [(Fate::Crashed, 2); 2]);
        // The fuel ends in that second: less thrust, but 38.7 m/s are slow enough.
        assert_eq!([fate(0, 1), fate(0, 0)], [(Fate::Landed, 1), (Fate::Landed, 0)]);
    }

    #[test]
    fn what_is_no_ground_is_refused() {
        let error = |points: &[(i32, i32)]| {
            let points: Vec<Point> = points.iter().map(|&(x, y)| Point { x, y }).collect();
            Ground::new(&points).err()
        };
        assert_eq!(error(&[(0, 1)]), Some(GroundError::Count));
        assert_eq!(error(&[(0, 1); 31]), Some(GroundError::Count));
        assert_eq!(error(&[(0, 1), (999, 1), (6999, 5)]), Some(GroundError::NoFlat));
        assert_eq!(error(&[(i32::MIN, 1), (i32::MAX, 1), (i32::MIN, i32::MAX)]), None);
    }

    #[test]
    fn columns_leave_out_nothing_that_is_met() {
        let mut rng = Rng::new(1);
        let mut below = |n: u32| f64::from(rng.below(n));
        let cave = cave();
        let mut met = 0;
        for _ in 0..20_000 {
            let from = (below(7200) - 100.0, below(3000));
            let to = (from.0 + below(500) - 250.0, from.1 + below(500) - 250.0);
            let all = cave.segments[..cave.points.len() - 1].iter().any(|s| s.meets(from, to).is_some());
            assert_eq!(cave.is_met(from, to), all, "{from:?} {to:?}");
            met += u32::from(all);
        }
        assert!(met > 1000, "{met}");
    }
}
