//! Generates random grounds with random starts.

use coppice::Rng;

use super::case::{is_solid, Case};
use super::landforms::{self, between, Drawn};
use crate::lander::physics::flight::Observation;
use crate::lander::physics::ground::{Ground, Point, FLAT};

/// A kind of random flights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Terrain {
    /// Mountains up to 2,200 m, starts at up to 100 m/s, 600 to 1,200 litres.
    Hard,
    /// Hills up to 484 m with the flat in the middle, starts at rest with any lean, 1,000 to 2,000 litres.
    Gentle,
    /// As gentle, with easier starts.
    Easy(Start),
    /// 10 to 12 peaks up to 2,000 m, starts at up to 100 m/s, 800 to 1,500 litres.
    Peaks,
    /// The flat in a cave, which is open to one side; starts at up to 50 m/s, 900 to 1,500 litres.
    Caves,
    /// A wall up to 2,700 m next to the flat; starts at 100 m/s towards it, 900 to 1,500 litres.
    Walls,
}

/// How hard the starts of gentle terrains are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Start {
    /// The most degrees of a lean, up to 90.
    pub lean: u8,
    /// Greatest distance from the flat's middle in metres, up to 3000.
    pub away: u16,
}

impl Start {
    /// The starts of [`Terrain::Gentle`], where the flat is in the middle of the zone.
    pub const GENTLE: Start = Start { lean: 90, away: 3000 };
}

/// The inclusive ranges that a terrain is drawn from.
struct Ranges {
    heights: (i32, i32),
    flat_height: (i32, i32),
    /// Range of the flat's middle.
    flat_middle: (i32, i32),
    /// Speed towards the middle of the zone.
    h_speed: (i32, i32),
    /// The starting lean is a multiple of this.
    degrees: i32,
    /// The most degrees of the starting lean.
    lean: i32,
    /// The most metres between the start and the flat's middle, as in [`Start`]; anywhere if `None`.
    away: Option<u16>,
    fuel: (i32, i32),
}

impl Terrain {
    /// All kinds; [`Terrain::Easy`] is gentle.
    pub const ALL: [Terrain; 5] =
        [Terrain::Hard, Terrain::Gentle, Terrain::Peaks, Terrain::Caves, Terrain::Walls];

    /// The name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Terrain::Hard => "random",
            Terrain::Gentle | Terrain::Easy(_) => "gentle",
            Terrain::Peaks => "peaks",
            Terrain::Caves => "caves",
            Terrain::Walls => "walls",
        }
    }

    /// The terrain of a name.
    pub fn named(name: &str) -> Option<Terrain> {
        Terrain::ALL.into_iter().find(|terrain| terrain.name() == name)
    }

    /// The case of a seed, the same on every machine, named by terrain and seed.
    pub fn case(self, seed: u64) -> Case {
        let mut rng = Rng::new(seed);
        let name = match self {
            Terrain::Easy(Start { lean, away }) => format!("gentle,{lean},{away} {seed}"),
            _ => format!("{} {seed}", self.name()),
        };
        match self {
            Terrain::Hard => Ranges::HARD.case(&name, &mut rng),
            Terrain::Gentle => Ranges::GENTLE.case(&name, &mut rng),
            Terrain::Easy(Start { lean, away }) => {
                Ranges { lean: lean.into(), away: Some(away), ..Ranges::GENTLE }.case(&name, &mut rng)
            }
            Terrain::Peaks => drawn(&name, &mut rng, landforms::peaks),
            Terrain::Caves => drawn(&name, &mut rng, landforms::caves),
            Terrain::Walls => drawn(&name, &mut rng, landforms::walls),
        }
    }
}

/// The first of the drawn grounds and starts that form a case: one flat, and nothing within 300 m of the start.
fn drawn(name: &str, rng: &mut Rng, draw: impl Fn(&mut Rng) -> Drawn) -> Case {
    loop {
        let (points, start) = draw(rng);
        let (x, y) = (f64::from(start.x), f64::from(start.y));
        let is_one = points.windows(2).filter(is_flat).count() == 1;
        let is_clear = !is_solid(&points, (x, y))
            && Ground::new(&points).is_ok_and(|ground| {
                let around = [(300.0, 0.0), (-300.0, 0.0), (0.0, -300.0), (200.0, -200.0), (-200.0, -200.0)];
                around.iter().all(|&(right, up)| !ground.is_met((x, y), (x + right, y + up)))
            });
        if is_one && is_clear {
            if let Ok(case) = Case::new(name, &points, start) {
                return case;
            }
        }
    }
}

/// Whether two points form a flat.
fn is_flat(pair: &&[Point]) -> bool {
    pair[0].y == pair[1].y && (pair[1].x - pair[0].x).abs() >= FLAT
}

impl Ranges {
    const HARD: Ranges = Ranges {
        heights: (50, 2200),
        flat_height: (100, 1500),
        flat_middle: (0, 6999),
        h_speed: (0, 100),
        degrees: 15,
        lean: 90,
        away: None,
        fuel: (600, 1200),
    };

    /// The highest mountain of the game this is modelled on, MiniFrame's Mars lander.
    const GENTLE: Ranges = Ranges {
        heights: (50, 484),
        flat_height: (100, 484),
        flat_middle: (3000, 4000),
        h_speed: (0, 0),
        degrees: 1,
        lean: 90,
        away: None,
        fuel: (1000, 2000),
    };

    /// A case: 7 to 20 points at random x, a flat 1,000 to 1,500 m wide, and a start at x 500 to 6,500 and height 2,300 to
    /// 2,900, at least 300 m above the ground below, without vertical speed and thrust.
    fn case(&self, name: &str, rng: &mut Rng) -> Case {
        // Some random points form a second flat: draw again.
        let points = loop {
            let points = points(rng, self);
            if points.windows(2).filter(is_flat).count() == 1 {
                break points;
            }
        };
        loop {
            let x = self.start_x(between(rng, (500, 6500)), &points);
            let start = Observation {
                x,
                y: between(rng, (2300, 2900)),
                h_speed: between(rng, self.h_speed) * if x < 3500 { 1 } else { -1 },
                v_speed: 0,
                fuel: between(rng, self.fuel),
                rotate: between(rng, (-self.lean / self.degrees, self.lean / self.degrees)) * self.degrees,
                power: 0,
            };
            if height_below(&points, x) + 300.0 <= f64::from(start.y) {
                return Case::new(name, &points, start).expect("a start above a ground with a flat");
            }
        }
    }

    /// Where a flight starts that would start at `x`, from 500 to 6500.
    fn start_x(&self, x: i32, points: &[Point]) -> i32 {
        let Some(away) = self.away else { return x };
        let flat = points.windows(2).find(is_flat);
        let middle = flat.map_or(3500, |pair| (pair[0].x + pair[1].x) / 2);
        (middle + (x - 3500) * i32::from(away) / 3000).clamp(500, 6500)
    }
}

/// The border points, the flat's ends, and 3 to 16 more points.
fn points(rng: &mut Rng, ranges: &Ranges) -> Vec<Point> {
    let count = between(rng, (7, 20)) as usize;
    let width = between(rng, (FLAT, 1500));
    let (from, to) = ranges.flat_middle;
    let left = between(rng, (from.max(width / 2 + 1), to.min(6998 - width / 2 - 1))) - width / 2;
    let flat_y = between(rng, ranges.flat_height);
    let mut points = vec![
        Point { x: 0, y: between(rng, ranges.heights) },
        Point { x: left, y: flat_y },
        Point { x: left + width, y: flat_y },
        Point { x: 6999, y: between(rng, ranges.heights) },
    ];
    while points.len() < count {
        let x = between(rng, (1, 6998));
        if points.iter().all(|point| point.x != x) && !(left..=left + width).contains(&x) {
            points.push(Point { x, y: between(rng, ranges.heights) });
        }
    }
    points.sort_by_key(|point| point.x);
    points
}

/// The height at `x` of a ground without overhangs.
fn height_below(points: &[Point], x: i32) -> f64 {
    let pair = points.windows(2).find(|pair| (pair[0].x..=pair[1].x).contains(&x));
    pair.map_or(0.0, |pair| {
        let share = f64::from(x - pair[0].x) / f64::from(pair[1].x - pair[0].x);
        f64::from(pair[0].y) + share * f64::from(pair[1].y - pair[0].y)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_terrains_are_what_they_are_said_to_be() {
        let (mut fewest, mut most) = (usize::MAX, 0);
        for (terrain, top, speed) in [(Terrain::Hard, 2200, 100), (Terrain::Gentle, 484, 0)] {
            for seed in 0..2000 {
                let Case { ground, start, .. } = terrain.case(seed);
                let points = ground.points();
                (fewest, most) = (fewest.min(points.len()), most.max(points.len()));
                assert!(points.windows(2).all(|pair| pair[0].x < pair[1].x));
                assert_eq!((points[0].x, points[points.len() - 1].x), (0, 6999));
                assert!(points.iter().all(|point| (50..=top).contains(&point.y)));
                let (left, right, height) = ground.flat();
                assert!((1000.0..=1500.0).contains(&(right - left)) && (100.0..=1500.0).contains(&height));
                assert!((500..=6500).contains(&start.x) && (2300..=2900).contains(&start.y));
                assert!(f64::from(start.y) - height_below(points, start.x) >= 300.0);
                assert!(start.h_speed.abs() <= speed && start.h_speed * (3500 - start.x) >= 0);
                assert!((600..=2000).contains(&start.fuel) && (start.v_speed, start.power) == (0, 0));
                assert!(terrain == Terrain::Gentle || start.rotate % 15 == 0);
            }
        }
        assert_eq!((fewest, most), (7, 20));
    }

    #[test]
    fn an_easy_start_is_above_the_same_ground() {
        let (mut most, mut furthest) = (0, 0);
        for seed in 0..500 {
            let (gentle, easy) =
                (Terrain::Gentle.case(seed), Terrain::Easy(Start { lean: 20, away: 300 }).case(seed));
            assert_eq!(gentle.ground.points(), easy.ground.points());
            let (left, right, _) = easy.ground.flat();
            let away = (easy.start.x - ((left + right) / 2.0) as i32).abs();
            assert!(easy.start.rotate.abs() <= 20 && away <= 301, "{seed}: {away}");
            (most, furthest) = (most.max(easy.start.rotate.abs()), furthest.max(away));
        }
        assert!(most == 20 && furthest > 290, "{most} {furthest}");
    }

    #[test]
    fn every_terrain_has_a_name_and_its_shape() {
        for terrain in Terrain::ALL {
            assert_eq!(Terrain::named(terrain.name()), Some(terrain));
            assert_eq!(terrain.case(3).name, format!("{} 3", terrain.name()));
            assert_eq!(terrain.case(3).text(), terrain.case(3).text());
        }
        assert_eq!(Terrain::named("hills"), None);
        for seed in 0..500 {
            let peaks = Terrain::Peaks.case(seed);
            let points = peaks.ground.points();
            assert!((24..=29).contains(&points.len()), "{}", points.len());
            let is_peak = |three: &&[Point]| three[1].y > three[0].y.max(three[2].y);
            assert!(points.windows(3).filter(is_peak).count() >= 7, "{}", peaks.text());
            let caves = Terrain::Caves.case(seed);
            let points = caves.ground.points();
            let (left, right, height) = caves.ground.flat();
            let back = points.windows(2).find(|pair| pair[1].x < pair[0].x).expect("an overhang");
            let is_tip = |point: &Point| {
                (left..=right).contains(&f64::from(point.x)) && f64::from(point.y) > height + 500.0
            };
            assert!(back.iter().any(is_tip), "{}", caves.text());
            let walls = Terrain::Walls.case(seed);
            let (start, points) = (walls.start, walls.ground.points());
            let top = points.iter().max_by_key(|point| point.y).expect("a wall");
            assert!(top.y >= 1500 && start.h_speed.abs() == 100 && start.h_speed * (top.x - start.x) > 0);
        }
    }

    #[test]
    fn a_seed_makes_one_terrain() {
        let case = Terrain::Hard.case(7);
        assert_eq!(case.text(), Terrain::Hard.case(7).text());
        assert_ne!(case.text(), Terrain::Hard.case(8).text());
    }
}
